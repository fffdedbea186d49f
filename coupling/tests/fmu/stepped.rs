//! Co-simulation: values of all types, events, states returned to, inputs within steps, what the FMU says.

use super::build::{Model, opened, outputs, run, usual, with};
use fourbar_coupling::partner::{Fmu, FmuOptions, FmuValue};
use fourbar_coupling::{
    Adaptive, Algorithm, Causality, Connection, Error, Failure, Master, Options, Order, Partner, Signal, Simulator,
    Snapshot,
};

/// What a run without options starts with.
fn plain() -> FmuOptions {
    FmuOptions { name: "test".into(), ..FmuOptions::default() }
}

#[test]
fn a_built_in_solver_steps() {
    for version in [2, 3] {
        let Some(mut fmu) = opened((version, Model::Dahlquist), &plain()) else { return };
        assert_eq!(outputs(&mut fmu), [1.0]);
        let x = run(&mut fmu, 10, 0.1, &[0.0])[0];
        // Euler's method with 1,000 steps of 1e-3.
        assert!((x - 0.999_f64.powi(1000)).abs() < 1e-12, "FMI {version}: {x}");
    }
}

/// Inputs, a step and outputs: the time reached or why it was not, and the outputs.
type Step = fn(&mut Fmu, &[Signal], f64, f64, usize) -> Result<(f64, Vec<f64>), Failure>;

fn by_parts(fmu: &mut Fmu, inputs: &[Signal], t: f64, h: f64, _: usize) -> Result<(f64, Vec<f64>), Failure> {
    fmu.set_inputs(inputs)?;
    let reached = fmu.step(t, h)?;
    Ok((reached, outputs(fmu)))
}

fn at_once(fmu: &mut Fmu, inputs: &[Signal], t: f64, h: f64, count: usize) -> Result<(f64, Vec<f64>), Failure> {
    let mut values = vec![f64::NAN; count];
    let reached = fmu.advance(inputs, t, h, &mut values).expect("an FMU steps in one call")?;
    assert_eq!(values, outputs(fmu), "what is sampled later");
    Ok((reached, values))
}

/// Steps with inputs that change, a state returned to among them, until one fails.
fn trace(fmu: &mut Fmu, step: Step) -> Vec<Result<(f64, Vec<f64>), Failure>> {
    let description = fmu.describe();
    let [inputs, count] = [Causality::Input, Causality::Output].map(|causality| description.with(causality).count());
    let mut snapshot = Snapshot::new();
    let mut results = Vec::new();
    let mut k = 0;
    for round in 0..20 {
        if round == 5 {
            fmu.save(&mut snapshot).unwrap();
        }
        if round == 8 {
            fmu.restore(&snapshot).unwrap();
            k = 5;
            results.push(Ok((0.0, outputs(fmu))));
        }
        let signals: Vec<Signal> = (0..inputs).map(|i| Signal::held(1.0 / (1.0 + f64::from(k) + i as f64))).collect();
        results.push(step(fmu, &signals, f64::from(k) * 0.05, 0.05, count));
        if results.last().is_some_and(Result::is_err) {
            break;
        }
        k += 1;
    }
    results
}

#[test]
fn a_step_at_once_is_its_three_calls_bit_for_bit() {
    for version in [2, 3] {
        let numbers = |p| FmuOptions { values: vec![("p".into(), FmuValue::Number(p))], ..plain() };
        let cases = [
            (Model::Pass, plain()),
            (Model::Dahlquist, plain()),
            (Model::Ball, plain()),
            (Model::Feed, plain()),
            (Model::Trouble, numbers(2.0)),
            (Model::Trouble, numbers(3.0)),
        ];
        for (model, options) in cases {
            let interpolating = format!("{} canInterpolateInputs=\"true\"", usual(version));
            for attributes in [usual(version), interpolating.as_str()] {
                let open = || Some(Fmu::open(with((version, model), attributes)?, &options).unwrap());
                let (Some(mut one), Some(mut other)) = (open(), open()) else { return };
                let expected = trace(&mut one, by_parts);
                assert_eq!(trace(&mut other, at_once), expected, "FMI {version}, {model:?}");
                assert_eq!(expected.last().is_some_and(Result::is_err), model == Model::Trouble);
            }
        }
    }
}

#[test]
fn parameters_and_start_values_are_set_before_the_run() {
    for version in [2, 3] {
        let values = vec![("p".into(), FmuValue::Number(3.0)), ("x".into(), FmuValue::Number(2.0))];
        let Some(mut fmu) = opened((version, Model::Dahlquist), &FmuOptions { values, ..plain() }) else { return };
        let x = run(&mut fmu, 1, 0.1, &[0.0])[0];
        assert!((x - 2.0 * 0.997_f64.powi(100)).abs() < 1e-12, "FMI {version}: {x}");
    }
}

#[test]
fn all_types_pass() {
    for version in [2, 3] {
        let values = vec![("text".into(), FmuValue::Text("twelve bytes".into()))];
        let Some(mut fmu) = opened((version, Model::Feed), &FmuOptions { values, ..plain() }) else { return };
        let names: Vec<String> = fmu.describe().variables.into_iter().map(|variable| variable.name).collect();
        let mut expected = vec!["u", "y", "i", "j", "b", "c", "length"];
        let mut inputs = vec![1.5, 6.8, 1.0];
        let mut given = vec![1.5, 7.0, 1.0, 12.0];
        if version == 3 {
            expected.extend(["a[1]", "a[2]", "a[3]", "w[1]", "w[2]", "w[3]", "small"]);
            inputs.extend([4.0, 5.0, 6.0, -7.0]);
            given.extend([4.0, 10.0, 18.0]);
        }
        assert_eq!(names, expected);
        let mut signals: Vec<Signal> = inputs.iter().map(|value| Signal::held(*value)).collect();
        // In the initialization, and in a step.
        fmu.set_inputs(&signals).unwrap();
        assert_eq!(outputs(&mut fmu), given, "FMI {version}, initialization");
        signals[0] = Signal::held(2.5);
        given[0] = 2.5;
        fmu.set_inputs(&signals).unwrap();
        fmu.step(0.0, 0.25).unwrap();
        assert_eq!(outputs(&mut fmu), given, "FMI {version}, step");
        if version == 3 {
            signals[6] = Signal::held(128.0);
            fmu.set_inputs(&signals).unwrap();
            let failure = fmu.step(0.25, 0.25).unwrap_err().to_string();
            assert!(failure.contains("small is 128, outside of -128 to 127"), "{failure}");
        }
    }
}

#[test]
fn discrete_inputs_are_set_at_events_where_there_are_such() {
    let attributes = format!("{} hasEventMode=\"true\"", usual(3));
    let Some(path) = with((3, Model::Feed), &attributes) else { return };
    let mut fmu = Fmu::open(path, &plain()).unwrap();
    for k in 0..3 {
        let values = [0.0, f64::from(k), 0.0, 0.0, 0.0, 0.0, 0.0];
        fmu.set_inputs(&values.map(Signal::held)).unwrap();
        fmu.step(f64::from(k) * 0.5, 0.5).unwrap();
        assert_eq!(outputs(&mut fmu)[1], f64::from(k));
    }
}

#[test]
fn events_between_communication_points_are_handled() {
    let attributes = format!("{} hasEventMode=\"true\" mightReturnEarlyFromDoStep=\"true\"", usual(3));
    let mut seen = Vec::new();
    for path in
        [with((3, Model::Ball), &attributes), with((3, Model::Ball), usual(3)), with((2, Model::Ball), usual(2))]
    {
        let Some(path) = path else { return };
        let mut fmu = Fmu::open(path, &plain()).unwrap();
        assert_eq!(fmu.describe().variables[1].unit, "km/h");
        seen.push(run(&mut fmu, 20, 0.1, &[]));
    }
    assert!(seen[0][2] > 2.0 && seen.iter().all(|outputs| outputs[2] == seen[0][2]), "{seen:?}");
    let heights = seen.iter().all(|outputs| (outputs[0] - seen[0][0]).abs() < 1e-9);
    assert!(heights, "{seen:?}");
}

#[test]
fn an_event_in_time_ends_a_step_early() {
    let attributes = format!("{} hasEventMode=\"true\"", usual(3));
    let Some(path) = with((3, Model::Stair), &attributes) else { return };
    let mut fmu = Fmu::open(path, &plain()).unwrap();
    for k in 0..4 {
        let t = 0.8 * f64::from(k);
        assert_eq!(fmu.step(t, 0.8).unwrap(), t + 0.8);
        assert_eq!(outputs(&mut fmu), [(t + 0.8).floor()]);
    }
}

#[test]
fn resources_are_found() {
    for version in [2, 3] {
        let Some(mut fmu) = opened((version, Model::Resource), &plain()) else { return };
        assert_eq!(outputs(&mut fmu), [f64::from(b'a')], "FMI {version}");
    }
}

#[test]
fn states_are_returned_to_bit_for_bit() {
    for (version, model) in [(2, Model::Ball), (3, Model::Ball), (2, Model::Dahlquist), (3, Model::Dahlquist)] {
        let Some(mut fmu) = opened((version, model), &plain()) else { return };
        let inputs = if model == Model::Ball { vec![] } else { vec![Signal::held(0.3)] };
        let steps = |fmu: &mut Fmu| {
            for k in 3..9 {
                fmu.set_inputs(&inputs).unwrap();
                fmu.step(f64::from(k) * 0.1, 0.1).unwrap();
            }
            outputs(fmu)
        };
        let values: Vec<f64> = inputs.iter().map(|signal| signal.value).collect();
        let before = run(&mut fmu, 3, 0.1, &values);
        let mut snapshot = Snapshot::new();
        fmu.save(&mut snapshot).unwrap();
        let first = steps(&mut fmu);
        for _ in 0..3 {
            fmu.restore(&snapshot).unwrap();
            assert_eq!(outputs(&mut fmu), before);
            assert_eq!(steps(&mut fmu), first, "FMI {version}");
        }
        // A snapshot may outlive the FMU.
        drop(fmu);
        drop(snapshot);
    }
}

#[test]
fn inputs_follow_their_polynomials_within_a_step() {
    let attributes = [
        (2, format!("{} canInterpolateInputs=\"true\"", usual(2))),
        (3, format!("{} providesIntermediateUpdate=\"true\"", usual(3))),
    ];
    for (version, attributes) in attributes {
        let Some(path) = with((version, Model::Dahlquist), &attributes) else { return };
        let mut fmu = Fmu::open(path, &plain()).unwrap();
        assert_eq!(fmu.describe().capabilities.input_order, version as usize - 1);
        fmu.set_inputs(&[Signal { value: 0.0, first: 1.0, second: 0.0 }]).unwrap();
        fmu.step(0.0, 1.0).unwrap();
        // x' = -x + t from 1: x = 2 e^-t + t - 1; Euler's method with 1e-3 is good for some 1e-3.
        let expected = 2.0 * (-1.0_f64).exp();
        let x = outputs(&mut fmu)[0];
        assert!((x - expected).abs() < 1e-3, "FMI {version}: {x} is not {expected}");
    }
}

#[test]
fn what_an_fmu_says_becomes_a_fault_or_a_warning() {
    for version in [2, 3] {
        for (trouble, words, after) in [
            (2.0, "returned discard: the step is too long", None),
            (3.0, "returned error: a division by zero", Some("cannot go on")),
            (4.0, "returned fatal error: all is lost", Some("fatal error before")),
        ] {
            let values = vec![("p".into(), FmuValue::Number(trouble))];
            let Some(mut fmu) = opened((version, Model::Trouble), &FmuOptions { values, ..plain() }) else { return };
            let mut snapshot = Snapshot::new();
            fmu.step(0.0, 0.5).unwrap();
            fmu.save(&mut snapshot).unwrap();
            let failure = fmu.step(0.5, 0.5).unwrap_err().to_string();
            assert!(failure.contains(words), "{failure}");
            let Some(after) = after else { continue };
            let failure = fmu.step(0.5, 0.5).unwrap_err().to_string();
            assert!(failure.contains(after), "{failure}");
            // An error is mended by a saved state, a fatal one by nothing.
            assert_eq!(fmu.restore(&snapshot).is_ok(), trouble == 3.0);
        }
        let values = vec![("p".into(), FmuValue::Number(1.5))];
        let Some(mut fmu) = opened((version, Model::Trouble), &FmuOptions { values, ..plain() }) else { return };
        run(&mut fmu, 3, 0.1, &vec![0.0; if version == 2 { 3 } else { 7 }]);
        assert_eq!(fmu.warnings(), ["take care"]);
    }
}

#[test]
fn steps_of_one_length_stay_so() {
    let Some(path) = with((2, Model::Dahlquist), "") else { return };
    let mut fmu = Fmu::open(&path, &plain()).unwrap();
    assert!(fmu.describe().capabilities.fixed_step && !fmu.describe().capabilities.rollback);
    fmu.step(0.0, 0.1).unwrap();
    let failure = fmu.step(0.1, 0.2).unwrap_err().to_string();
    assert!(failure.contains("all its steps must have one length"), "{failure}");
    let partners = vec![Partner::new("fmu", Fmu::open(&path, &plain()).unwrap())];
    let mut options = Options::new(1.0, 0.1, Algorithm::Jacobi { order: Order::Hold });
    options.adaptive = Some(Adaptive { tolerance: 1e-3, first: 0.1, shortest: 1e-3, rollback: false });
    let refused = Master::new(partners, &[], &options).err().unwrap();
    assert!(matches!(&refused, Error::Capability { partner, .. } if partner == "fmu"), "{refused}");
}

#[test]
fn fmus_of_both_versions_run_together() {
    let make = |version| opened((version, Model::Feed), &plain());
    let (Some(two), Some(three)) = (make(2), make(3)) else { return };
    let partners = vec![Partner::new("two", two), Partner::new("three", three)];
    let connections = [("two.y", "three.u"), ("three.y", "two.u"), ("two.j", "three.i"), ("two.c", "three.b")]
        .map(|(from, to)| Connection::new(from, to));
    let options = Options::new(1.0, 0.1, Algorithm::GaussSeidel { order: Order::Linear, sequence: vec![] });
    let mut master = Master::new(partners, &connections, &options).unwrap();
    master.run(&mut ()).unwrap();
    assert_eq!(master.output("two.y").unwrap(), 0.5);
}

#[test]
fn a_step_in_which_the_fmu_ends_counts_and_the_next_is_refused() {
    for version in [2, 3] {
        let values = vec![("p".into(), FmuValue::Number(6.0))];
        let Some(mut fmu) = opened((version, Model::Trouble), &FmuOptions { values, ..plain() }) else { return };
        fmu.step(0.0, 0.25).unwrap();
        assert_eq!(fmu.step(0.25, 0.25), Ok(0.5), "FMI {version}");
        assert_eq!(outputs(&mut fmu)[0], 0.5);
        let failure = fmu.step(0.5, 0.25).unwrap_err().to_string();
        assert!(failure.contains("it has ended the simulation"), "{failure}");
    }
}

#[test]
fn a_chain_passes_its_value_on_at_each_step() {
    for version in [2, 3] {
        let Some(path) = with((version, Model::Pass), usual(version)) else { return };
        let partners = (0..5).map(|i| Partner::new(format!("p{i}"), Fmu::open(&path, &plain()).unwrap()));
        let connections: Vec<Connection> =
            (0..4).map(|i| Connection::new(format!("p{i}.y"), format!("p{}.u", i + 1))).collect();
        let options = Options::new(1.0, 0.1, Algorithm::JacobiDelayed);
        let mut master = Master::new(partners.collect(), &connections, &options).unwrap();
        // At the start all have what they follow; a value that is set then comes one place further with each step.
        master.set_input("p0.u", 2.0).unwrap();
        master.initialize(&mut ()).unwrap();
        let values = |master: &Master| (0..5).map(|i| master.output(&format!("p{i}.y")).unwrap()).collect::<Vec<_>>();
        assert_eq!(values(&master), [2.0; 5], "FMI {version}");
        master.set_input("p0.u", 1.0).unwrap();
        (0..3).for_each(|_| drop(master.step(&mut ())));
        assert_eq!(values(&master), [1.0, 1.0, 1.0, 2.0, 2.0], "FMI {version}");
    }
}
