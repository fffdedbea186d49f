//! What changes while an FMU runs: tunable parameters; and what it tells of its outputs: their derivatives.

use super::build::{Model, edited, outputs, run, usual, with};
use fourbar_coupling::partner::{Fmu, FmuInterfaceKind, FmuOptions, FmuValue};
use fourbar_coupling::{
    Algorithm, Causality, Connection, Master, Options, Order, Parameter, Partner, Signal, Simulator, Snapshot,
};
use std::path::PathBuf;

/// x' = -p x + u, whose p may change.
fn tunable(version: u32, more: &str) -> Option<PathBuf> {
    let attributes = format!("{} {more}", usual(version));
    edited((version, Model::Dahlquist), &attributes, |text| {
        text.replacen("variability=\"fixed\"", "variability=\"tunable\"", 1)
    })
}

fn options(interface: FmuInterfaceKind) -> FmuOptions {
    FmuOptions { name: "test".into(), interface: Some(interface), tolerance: Some(1e-10), ..FmuOptions::default() }
}

/// The value at the end of two seconds, p = 1 in the first and 2 in the second, and that after a return to the end of the first.
fn changed(fmu: &mut Fmu, p: [f64; 2]) -> [f64; 3] {
    let step = |fmu: &mut Fmu, t: f64, p: f64| {
        fmu.set_inputs(&[Signal::held(p), Signal::held(0.0)]).unwrap();
        fmu.step(t, 1.0).unwrap();
        outputs(fmu)[0]
    };
    step(fmu, 0.0, p[0]);
    let mut snapshot = Snapshot::new();
    fmu.save(&mut snapshot).unwrap();
    let second = step(fmu, 1.0, p[1]);
    fmu.restore(&snapshot).unwrap();
    let kept = step(fmu, 1.0, p[0]);
    fmu.restore(&snapshot).unwrap();
    [second, kept, step(fmu, 1.0, p[1])]
}

#[test]
fn tunable_parameters_are_inputs_that_start_as_they_are() {
    for (version, more) in [(2, ""), (3, ""), (3, "hasEventMode=\"true\"")] {
        let Some(path) = tunable(version, more) else { return };
        for interface in [FmuInterfaceKind::CoSimulation, FmuInterfaceKind::ModelExchange] {
            let mut fmu = Fmu::open(&path, &options(interface)).unwrap();
            let inputs: Vec<(String, f64)> =
                fmu.describe().with(Causality::Input).map(|input| (input.name.clone(), input.start)).collect();
            assert_eq!(inputs, [("p".to_owned(), 1.0), ("u".to_owned(), 0.0)]);
            let seen = changed(&mut fmu, [1.0, 2.0]);
            // Exact, or Euler's method with steps of a millisecond.
            let decay = |p: f64| match interface {
                FmuInterfaceKind::CoSimulation => (1.0 - 1e-3 * p).powi(1000),
                _ => (-p).exp(),
            };
            let expected = [decay(1.0) * decay(2.0), decay(1.0) * decay(1.0), decay(1.0) * decay(2.0)];
            for (seen, expected) in seen.iter().zip(expected) {
                assert!((seen - expected).abs() < 1e-9, "FMI {version}, {interface:?}: {seen} is not {expected}");
            }
            assert_eq!(seen[0], seen[2]);
        }
    }
}

#[test]
fn a_tunable_parameter_starts_with_the_value_that_it_is_given() {
    for version in [2, 3] {
        let Some(path) = tunable(version, "") else { return };
        let values = vec![("p".into(), FmuValue::Number(3.0))];
        let given = FmuOptions { values, ..options(FmuInterfaceKind::CoSimulation) };
        let mut fmu = Fmu::open(&path, &given).unwrap();
        assert_eq!(fmu.describe().variables[0].start, 3.0);
        let x = run(&mut fmu, 1, 0.1, &[3.0, 0.0])[0];
        assert!((x - 0.997_f64.powi(100)).abs() < 1e-12, "FMI {version}: {x}");
        // Between two steps of a run, where nothing feeds it.
        let partner = Partner::new("fmu", Fmu::open(&path, &given).unwrap());
        let options = Options::new(0.2, 0.1, Algorithm::Jacobi { order: Order::Linear });
        let mut master = Master::new(vec![partner], &[], &options).unwrap();
        master.step(&mut ()).unwrap();
        master.set_input("fmu.p", 1.0).unwrap();
        master.step(&mut ()).unwrap();
        let x = master.output("fmu.x").unwrap();
        let expected = 0.997_f64.powi(100) * 0.999_f64.powi(100);
        assert!((x - expected).abs() < 1e-12, "FMI {version}: {x} is not {expected}");
    }
}

#[test]
fn a_tunable_parameter_is_one_of_the_parameters_of_a_run_with_its_range() {
    for version in [2, 3] {
        let Some(path) = edited((version, Model::Dahlquist), usual(version), |text| {
            let text = text.replacen("variability=\"fixed\"", "variability=\"tunable\"", 1);
            text.replacen("start=\"1\"", "start=\"1\" min=\"0\" max=\"4\"", 1)
        }) else {
            return;
        };
        let fmu = Fmu::open(&path, &options(FmuInterfaceKind::CoSimulation)).unwrap();
        let settings = Options::new(0.2, 0.1, Algorithm::Jacobi { order: Order::Linear });
        let mut master = Master::new(vec![Partner::new("fmu", fmu)], &[], &settings).unwrap();
        let fixed = Parameter::fixed("fmu.q", 0.7);
        assert_eq!(master.parameters(), [Parameter::tunable("fmu.p", 1.0).within(0.0, 4.0), fixed], "FMI {version}");
        master.step(&mut ()).unwrap();
        assert!(master.set_parameter("fmu.p", 5.0).unwrap_err().to_string().contains("between 0 and 4"));
        master.set_parameter("fmu.p", 3.0).unwrap();
        assert_eq!(master.parameters()[0].value, 3.0);
        master.step(&mut ()).unwrap();
        let (x, expected) = (master.output("fmu.x").unwrap(), 0.999_f64.powi(100) * 0.997_f64.powi(100));
        assert!((x - expected).abs() < 1e-12, "FMI {version}: {x} is not {expected}");
        // Fed by a connection it is not to be set by hand.
        let source = fourbar_coupling::partner::Ode::new([], |_, _, _: &[f64], _: &mut [f64]| {})
            .output(fourbar_coupling::Variable::output("p", ""), |_, _, _| 2.0);
        let fmu = Fmu::open(&path, &options(FmuInterfaceKind::CoSimulation)).unwrap();
        let partners = vec![Partner::new("source", source), Partner::new("fmu", fmu)];
        let mut master = Master::new(partners, &[Connection::new("source.p", "fmu.p")], &settings).unwrap();
        assert!(!master.parameters()[0].is_tunable);
        let text = master.set_parameter("fmu.p", 3.0).unwrap_err().to_string();
        assert!(text.contains("\"source.p\" feeds it"), "{text}");
    }
}

#[test]
fn derivatives_of_outputs_are_told_and_used() {
    for version in [2, 3] {
        let told = format!("{} maxOutputDerivativeOrder=\"1\"", usual(version));
        let (Some(path), Some(silent)) =
            (with((version, Model::Dahlquist), &told), with((version, Model::Dahlquist), usual(version)))
        else {
            return;
        };
        let open = |path: &PathBuf| Fmu::open(path, &options(FmuInterfaceKind::CoSimulation)).unwrap();
        let mut fmu = open(&path);
        assert!(fmu.describe().capabilities.output_derivatives);
        assert!(!open(&silent).describe().capabilities.output_derivatives);
        let x = run(&mut fmu, 2, 0.1, &[0.25])[0];
        let mut rate = [f64::NAN];
        fmu.output_derivatives(&mut rate).unwrap();
        assert!((rate[0] - (0.25 - x)).abs() < 1e-15, "FMI {version}: {rate:?}");

        // z' = x, where x is continued by a straight line over a step of 0.1 s: along its tangent, or through the last two values.
        let error = |path: &PathBuf| {
            let sum = fourbar_coupling::partner::Ode::new([0.0], |_, _, u: &[f64], dx: &mut [f64]| dx[0] = u[0])
                .input(fourbar_coupling::Variable::input("x", ""))
                .output(fourbar_coupling::Variable::output("z", ""), |_, z, _| z[0]);
            let partners = vec![Partner::new("fmu", open(path)), Partner::new("sum", sum)];
            let options = Options::new(1.0, 0.1, Algorithm::Jacobi { order: Order::Linear });
            let mut master = Master::new(partners, &[Connection::new("fmu.x", "sum.x")], &options).unwrap();
            // Before the first step nothing but the value is known.
            master.step(&mut ()).unwrap();
            let begin = master.output("sum.z").unwrap();
            master.run(&mut ()).unwrap();
            (master.output("sum.z").unwrap() - begin - ((-0.1_f64).exp() - (-1.0_f64).exp())).abs()
        };
        let (with, without) = (error(&path), error(&silent));
        // The local errors are h^3/6 and 5 h^3/12 of the second derivative, the sum over which is e^-0.1 - e^-1.
        assert!(with < 1.2e-3 && with < 0.5 * without, "FMI {version}: {with}, {without}");
    }
}
