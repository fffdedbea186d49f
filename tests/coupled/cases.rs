//! Coupled models that once ended wrong without a word, and what they must give.

use crate::coupled::running::{measure, root, run_file};
use fourbar::file::ModelFile;
use fourbar::results::{Summary, Table};
use fourbar::run::{Overrides, Run};

fn text(case: &str) -> String {
    std::fs::read_to_string(root("tests/coupled/cases").join(case)).unwrap()
}

fn run(text: &str) -> (Summary, Table) {
    let file = ModelFile::parse("case.toml", text).unwrap_or_else(|error| panic!("{error}"));
    run_file(&file, &Overrides::default())
}

/// J w' = 1 - w with J = 1 kg m^2, its torque in a unit that is written in different ways on both ends.
#[test]
fn torque_actuators_are_coupled_in_newton_metres() {
    let case = text("torque-actuator-coupled.toml");
    for unit in ["N*m", "N m", "N.m", "N\u{b7}m", "Nm", "J"] {
        let (summary, _) = run(&case.replace("unit = \"N*m\"", &format!("unit = \"{unit}\"")));
        let rate = measure(&summary, "arm.d.rate");
        assert!((rate - (1.0 - (-1f64).exp())).abs() < 1e-4, "{rate}");
        assert!(summary.warnings.is_empty(), "{:?}", summary.warnings);
    }
    let (summary, _) = run(&case.replace("unit = \"N*m\"", "unit = \"kN mm\""));
    assert!((measure(&summary, "arm.d.rate") - (1.0 - (-1f64).exp())).abs() < 1e-4);
}

/// x'' = -x at a step of half a radian: no algorithm without iteration is right after 16 periods.
#[test]
fn an_oscillation_driven_by_the_coupling_is_told_with_its_error() {
    let case = text("coupled_default_Hw0.5_end100.toml");
    for order in [None, Some(0), Some(1), Some(2)] {
        let order = order.map_or(String::new(), |order| format!("order = {order}\n"));
        let (summary, table) = run(&case.replace("[simulation]\n", &format!("[simulation]\n{order}")));
        let column = table.columns().iter().position(|column| column.name == "mass.x").unwrap();
        let values = table.series(column);
        let errors = table.times().iter().zip(values).map(|(t, x)| ((x - t.cos()).abs(), x.abs().max(1.0)));
        let (error, size) = errors.fold((0.0f64, 0.0f64), |sum, one| (sum.0.max(one.0), sum.1.max(one.1)));
        let estimate = summary.coupled().unwrap().statistics.error_estimate.clone().unwrap();
        println!("order {order:?}: error {} estimate {estimate:?}", error / size);
        let ratio = estimate.relative.min(1.0) / (error / size).min(1.0);
        assert!((1.0 / 3.0..=3.0).contains(&ratio), "{order}: {error} of {size}, {estimate:?}");
        assert!(summary.warnings.iter().any(|warning| warning.contains("estimated error")), "{:?}", summary.warnings);
        assert_eq!(summary.warnings[0].starts_with("the coupling is unstable"), size > 8.0, "{:?}", summary.warnings);
        let faults = &summary.coupled().unwrap().faults;
        assert_eq!(faults.iter().any(|fault| fault.fault.contains("has grown from")), size > 8.0, "{faults:?}");
    }
    // At a fiftieth of the step the same model is right, and no warning is given.
    let fine = case.replace("step=0.5", "step=0.01").replace("solver_step=0.025", "solver_step=0.005");
    let (summary, _) = run(&fine);
    assert!((measure(&summary, "mass.x") - 100f64.cos()).abs() < 1e-3);
    assert!(summary.warnings.is_empty(), "{:?}", summary.warnings);
}

/// m = 1 kg twice, k = 10 N/m, d = 0.1 N s/m, coupled by 100 N/m and 0.1 N s/m: modes of the sum and of the difference.
fn closed_form(t: f64) -> f64 {
    let mode = |k: f64, d: f64| {
        let (delta, omega) = (0.5 * d, (k - 0.25 * d * d).sqrt());
        (-delta * t).exp() * ((omega * t).cos() + delta / omega * (omega * t).sin())
    };
    0.5 * (mode(10.0, 0.1) + mode(210.0, 0.3))
}

#[test]
fn adaptive_steps_have_the_same_relative_error_at_any_size() {
    let case = text("adaptive-scale.toml");
    let mut errors = vec![];
    for size in ["1", "1e-4", "1e-6", "1e6", "1e-12", "1e9"] {
        let (summary, table) = run(&case.replace("A = 1 }", &format!("A = {size} }}")));
        let amplitude: f64 = size.parse().unwrap();
        let column = table.columns().iter().position(|column| column.name == "one.x").unwrap();
        let values = table.series(column);
        let error = table.times().iter().zip(values).map(|(t, x)| (x / amplitude - closed_form(*t)).abs());
        let steps = summary.coupled().unwrap().statistics.counts.steps;
        errors.push((error.fold(0.0, f64::max), steps));
        println!("A = {size}: {:?} {:?}", errors[errors.len() - 1], summary.warnings);
        let faults = &summary.coupled().unwrap().faults;
        assert!(faults.is_empty(), "{faults:?}");
    }
    println!("{errors:?}");
    for (error, steps) in &errors {
        // The tolerance is that of a step; 5 times it is what errors of runs reach (docs/coupling.md).
        assert!(*error < 5e-4 && (*error / errors[0].0 - 1.0).abs() < 1e-3, "{errors:?}");
        assert_eq!(*steps, errors[0].1, "{errors:?}");
    }
}

/// A size from the file stands in for what has not passed yet.
#[test]
fn a_nominal_value_is_a_size() {
    let case = text("adaptive-scale.toml").replace("A = 1 }", "A = 1e-6 }");
    let steps = |text: &str| run(text).0.coupled().unwrap().statistics.counts.steps;
    let own = steps(&case);
    let coarse = case
        .replace("to = \"two.F\"", "to = \"two.F\"\nnominal = 1")
        .replace("to = \"one.x2\"", "to = \"one.x2\"\nnominal = 1")
        .replace("to = \"one.v2\"", "to = \"one.v2\"\nnominal = 1");
    assert!(steps(&coarse) < own / 4, "{} and {own}", steps(&coarse));
    let refused = case.replace("to = \"two.F\"", "to = \"two.F\"\nnominal = 0");
    let file = ModelFile::parse("case.toml", &refused).unwrap();
    let error = file.explain(Run::new(file.document(), &Overrides::default()).unwrap_err());
    assert!(error.to_string().contains("nominal"), "{error}");
}
