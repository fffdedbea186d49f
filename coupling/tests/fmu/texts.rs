//! Texts of FMUs: read as they stand, and refused where they are connected.

use super::build::{Model, edited, opened, usual};
use fourbar_coupling::partner::{Fmu, FmuInterfaceKind, FmuOptions, FmuValue, Ode};
use fourbar_coupling::{Algorithm, Connection, Error, Master, Options, Order, Partner, Text, Variable};

fn run(fmu: Fmu, connections: &[Connection]) -> Result<Master, Error> {
    let own = Ode::new([], |_, _: &[f64], _: &[f64], _: &mut [f64]| {}).input(Variable::input("u", ""));
    let options = Options::new(1.0, 0.5, Algorithm::Jacobi { order: Order::Hold });
    Master::new(vec![Partner::new("fmu", fmu), Partner::new("own", own)], connections, &options)
}

#[test]
fn a_text_output_is_read_and_connected_to_nothing() {
    for version in [2, 3] {
        let Some(path) = edited((version, Model::Feed), usual(version), |text| {
            let text = text.replace(
                "causality=\"parameter\" variability=\"fixed\"><Start value=\"start\"/>",
                "causality=\"output\">",
            );
            text.replace(
                "causality=\"parameter\" variability=\"fixed\"><String start=\"start\"/>",
                "causality=\"output\"><String/>",
            )
        }) else {
            return;
        };
        let options = FmuOptions { interface: Some(FmuInterfaceKind::CoSimulation), ..FmuOptions::default() };
        let mut master = run(Fmu::open(&path, &options).unwrap(), &[]).unwrap();
        let told = [Text { name: "fmu.text".into(), value: "start".into(), is_output: true }];
        assert_eq!(master.texts(), told, "FMI {version}");
        master.run(&mut ()).unwrap();
        assert_eq!(master.texts(), told, "FMI {version}");
        let refused = run(Fmu::open(&path, &options).unwrap(), &[Connection::new("fmu.text", "own.u")]).err().unwrap();
        let words = refused.to_string();
        assert!(matches!(refused, Error::Text { .. }) && words.contains("\"fmu.text\" is a text"), "{words}");
    }
}

#[test]
fn a_text_parameter_is_told_as_it_was_given() {
    for version in [2, 3] {
        let values = vec![("text".into(), FmuValue::Text("a map".into()))];
        let interface = Some(FmuInterfaceKind::CoSimulation);
        let options = FmuOptions { interface, values, ..FmuOptions::default() };
        let Some(fmu) = opened((version, Model::Feed), &options) else { return };
        let told = [Text { name: "fmu.text".into(), value: "a map".into(), is_output: false }];
        assert_eq!(run(fmu, &[]).unwrap().texts(), told, "FMI {version}");
    }
}
