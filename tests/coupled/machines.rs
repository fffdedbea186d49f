//! The press and the arm of the model files.

use crate::coupled::running::{measure, root, run};
use fourbar::coupled::AlgorithmName;
use fourbar::results::Table;
use fourbar::run::Overrides;
use serde_json::Value;

/// A column at the output times.
fn series(table: &Table, name: &str) -> Vec<f64> {
    let column = table.columns().iter().position(|column| column.name == name);
    table.series(column.unwrap_or_else(|| panic!("no column {name}"))).collect()
}

/// Largest difference of a column of two runs with the same output times, relative to its largest value.
fn difference(one: &Table, other: &Table, name: &str) -> f64 {
    assert_eq!(one.times(), other.times());
    let (one, other) = (series(one, name), series(other, name));
    let size = other.iter().fold(0.0, |size: f64, value| size.max(value.abs()));
    one.iter().zip(&other).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max) / size
}

fn with(step: f64, algorithm: Option<AlgorithmName>) -> Overrides {
    Overrides { step: Some(step), algorithm, ..Overrides::default() }
}

/// The run with steps of 62.5 microseconds, an eighth of the model's, repeated until all inputs reproduce themselves.
fn fine(model: &str) -> Table {
    let iterated = Overrides { tolerance: Some(1e-9), ..with(6.25e-5, Some(AlgorithmName::Iterated)) };
    run(model, &iterated).1
}

#[test]
fn the_press_converges_with_third_order_to_its_run_at_an_eighth_of_the_step() {
    let fine = fine("press.toml");
    let errors = |step: f64| {
        let (_, table) = run("press.toml", &with(step, None));
        ["beam.press1.velocity", "axis1.rod.force"].map(|name| difference(&table, &fine, name))
    };
    let (coarse, own) = (errors(1e-3), errors(5e-4));
    println!("press: {coarse:?} at 1 ms, {own:?} at 0.5 ms");
    assert!(own[0] < 1e-4 && own[1] < 1e-4, "{own:?}");
    for (coarse, own) in coarse.iter().zip(own) {
        let order = (coarse / own).log2();
        assert!((order - 3.0).abs() < 0.3, "order {order}");
    }
}

#[test]
fn the_press_in_space_moves_as_the_planar_one() {
    let text = std::fs::read_to_string(root("coupling/tests/reference/press_reference.json")).unwrap();
    let reference: Value = serde_json::from_str(&text).unwrap();
    let reference = &reference["press"];
    let (summary, table) = run("press.toml", &Overrides::default());
    // Rods with mass, their sensors and their swing make a difference: 0.1 % of the way, 2 % of the speed at most.
    let columns = [
        ("beam.press1.displacement", 2.5, 2e-3),
        ("beam.press1.velocity", 0.0, 2e-2),
        ("axis1.rod.force", 0.0, 1e-2),
        ("beam.press2.displacement", 2.5, 2e-3),
        ("beam.press2.velocity", 0.0, 2e-2),
        ("axis2.rod.force", 0.0, 1e-2),
    ];
    for (k, (name, offset, tolerance)) in columns.into_iter().enumerate() {
        let (found, scale) = (series(&table, name), reference["scale"][k].as_f64().unwrap());
        for (t, row) in reference["t"].as_array().unwrap().iter().zip(reference["values"].as_array().unwrap()) {
            let t = t.as_f64().unwrap();
            let place = table.times().iter().position(|time| (time - t).abs() < 1e-9).unwrap();
            let error = (found[place] - offset - row[k].as_f64().unwrap()) / scale;
            assert!(error.abs() < tolerance, "{name} at {t} s: {error}");
        }
    }
    let ports = &summary.coupled().unwrap().ports;
    assert_eq!(ports.len(), 2);
    for port in ports {
        assert!(port.received > 2000.0 && port.residual.abs() < 1e-5 * port.received, "{port:?}");
    }
}

#[test]
fn the_loop_of_the_patent_does_not_survive_a_millisecond_and_strong_coupling_bears_ten() {
    let (_, own) = run("press.toml", &Overrides::default());
    let (_, patent) = run("press.toml", &with(2.5e-4, Some(AlgorithmName::JacobiDelayed)));
    let error = difference(&patent, &own, "beam.press1.velocity");
    assert!(error > 5e-3 && error < 0.05, "{error}");
    let broken = fourbar::file::ModelFile::load(root("models/press.toml")).unwrap();
    let broken = fourbar::run::Run::new(broken.document(), &with(1e-3, Some(AlgorithmName::JacobiDelayed))).unwrap();
    let mut table = Table::default();
    let outcome = broken.execute(&mut [&mut table], &std::sync::atomic::AtomicBool::new(false)).unwrap();
    let error =
        if outcome.failure.is_some() { f64::INFINITY } else { difference(&table, &own, "beam.press1.velocity") };
    println!("press, patent at 1 ms: {error}");
    assert!(error > 0.15, "{error}");
    let sparse = |step, algorithm| Overrides { output_step: Some(0.01), ..with(step, algorithm) };
    let (_, own) = run("press.toml", &sparse(5e-4, None));
    let strong = Overrides { order: Some(1), ..sparse(0.01, Some(AlgorithmName::Iterated)) };
    let (summary, table) = run("press.toml", &strong);
    let error = difference(&table, &own, "beam.press1.velocity");
    println!("press, iterated at 10 ms: {error}");
    assert_eq!(summary.coupled().unwrap().statistics.counts.unconverged, 0);
    assert!(error < 0.15, "{error}");
}

#[test]
fn the_arm_converges_to_its_run_at_finer_steps() {
    let fine = fine("grinding-arm.toml");
    let errors = [2e-3, 1e-3].map(|step| {
        let (_, table) = run("grinding-arm.toml", &with(step, None));
        difference(&table, &fine, "arm.cylinder.velocity")
    });
    println!("arm: {errors:?}");
    assert!(errors[0] < 1e-3 && (errors[0] / errors[1]).log2() > 2.5, "{errors:?}");
    let (summary, table) = run("grinding-arm.toml", &Overrides::default());
    assert!(series(&table, "arm.grinding").iter().fold(0.0, |max: f64, f| max.max(*f)) > 5000.0);
    assert!(measure(&summary, "arm.grinding").abs() < 1e-9);
}

/// The comment of the model tells the figures against 0.02 ms, which takes a minute.
#[test]
fn the_press_on_stops_is_right_to_a_hundredth_at_its_step() {
    let (_, own) = run("press-stop.toml", &Overrides::default());
    let (_, fine) = run("press-stop.toml", &Overrides { output_step: Some(2e-3), ..with(5e-5, None) });
    let names = [
        "axis1.rod.force",
        "axis2.rod.force",
        "beam.press1.velocity",
        "beam.press2.velocity",
        "beam.height",
        "beam.speed",
    ];
    for name in names {
        let error = difference(&own, &fine, name);
        println!("press on stops, {name}: {error:.2e}");
        assert!(error < 0.01, "{name}: {error}");
    }
}

#[test]
fn the_beam_comes_to_rest_on_rigid_stops_and_pressure_builds_up() {
    let (summary, table) = run("press-stop.toml", &Overrides::default());
    let (height, speed) = (series(&table, "beam.height"), series(&table, "beam.speed"));
    // The stops let the middle go to 0.40005 m while the beam tilts onto both.
    assert!(height.iter().all(|y| *y < 0.4002), "{:?}", height.iter().fold(0.0, |max: f64, y| max.max(*y)));
    let resting = |t: f64| table.times().iter().position(|time| (time - t).abs() < 1e-9).unwrap();
    let (down, up) = (resting(1.0), resting(1.9));
    assert!((height[down] - 0.40005).abs() < 1e-6 && speed[down].abs() < 1e-6, "{} {}", height[down], speed[down]);
    assert!(height[up] < 0.25, "{}", height[up]);
    // The valves press the beam on the stops: 0.005 m of lag make many times the weight of 294 kN.
    let force = series(&table, "axis1.rod.force")[down] + series(&table, "axis2.rod.force")[down];
    assert!(force > 5e5, "{force}");
    assert_eq!(summary.coupled().unwrap().statistics.counts.faults, 0);
}
