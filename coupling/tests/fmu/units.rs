//! Units of FMUs by their definitions: connections convert what measures the same, whatever it is called, and refuse the rest.

use super::build::{Model, edited, usual};
use fourbar_coupling::partner::{Fmu, FmuInterfaceKind, FmuOptions, Ode};
use fourbar_coupling::{Algorithm, Connection, Error, Master, Options, Order, Partner, Simulator, Variable};

/// A ball whose speed is in knots, by a name that nobody knows, and shown in km/h.
fn ball(version: u32) -> Option<Fmu> {
    let path = edited((version, Model::Ball), usual(version), |text| {
        let text = text.replace("unit=\"km/h\"", "unit=\"kt-intl\" displayUnit=\"km/h\"");
        text.replace("<Unit name=\"km/h\">", "<Unit name=\"kt-intl\">")
            .replace("0.2777777777777778", "0.5144444444444444")
    })?;
    let description = Fmu::inspect(&path).unwrap();
    assert_eq!(description.variable("v").unwrap().display_unit, "km/h");
    let options = FmuOptions { interface: Some(FmuInterfaceKind::CoSimulation), ..FmuOptions::default() };
    Some(Fmu::open(path, &options).unwrap())
}

fn follower(unit: &str) -> Partner {
    let own = Ode::new([], |_, _: &[f64], _: &[f64], _: &mut [f64]| {}).input(Variable::input("u", unit));
    Partner::new("own", own.output(Variable::output("y", unit).depends_on(&["u"]), |_, _, u| u[0]))
}

fn master(ball: Fmu, unit: &str) -> Result<Master, Error> {
    let options = Options::new(0.4, 0.1, Algorithm::Jacobi { order: Order::Hold });
    let partners = vec![Partner::new("ball", ball), follower(unit)];
    Master::new(partners, &[Connection::new("ball.v", "own.u")], &options)
}

#[test]
fn a_unit_that_only_the_fmu_defines_is_converted_or_refused() {
    for version in [2, 3] {
        let Some(fmu) = ball(version) else { return };
        let speed = fmu.describe().variables.into_iter().find(|own| own.name == "v").unwrap();
        let measure = speed.measure.unwrap();
        assert_eq!((speed.unit.as_str(), measure.dimension), ("kt-intl", [0, 1, -1, 0, 0, 0, 0, 0]));
        let mut run = master(fmu, "m/s").unwrap();
        run.run(&mut ()).unwrap();
        let [v, y] = ["ball.v", "own.y"].map(|name| run.output(name).unwrap());
        assert!((y - 0.514_444_444_444_444_4 * v).abs() < 1e-12 && v < -3.0, "FMI {version}: {v} {y}");
        assert_eq!(run.output_units()[1], "kt-intl");
        let refused = master(ball(version).unwrap(), "N").err().unwrap();
        assert!(matches!(refused, Error::Dimension { .. }) && refused.to_string().contains("kt-intl"), "{refused}");
    }
}
