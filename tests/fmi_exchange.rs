//! Model exchange: the equations of a unit under an integrator of its own, here that of Runge and Kutta with events found by halving.

use crate::fmi_importer::Importer;
use crate::fmi_instances::{initialized, outputs, reference, written};
use crate::running::{model, run_file};
use fourbar::file::ModelFile;
use fourbar::fmi::description::{description, terminals};
use fourbar::fmi::{Causality, Export, FmiVersion, FmuInterface, Instance, Interfaces};
use fourbar::run::Overrides;

fn begun(file: &ModelFile) -> Instance {
    let export = Export::with(file, FmiVersion::V3, Interfaces::ModelExchange).unwrap();
    let instance = export.into_instance();
    assert_eq!(instance.interface(), FmuInterface::ModelExchange);
    initialized(instance, None, None)
}

/// The largest difference from a run, relative to the largest value of a column.
fn worst(file: &ModelFile, end: f64, tolerance: Option<f64>, h: f64) -> (f64, Importer) {
    let (_, table) = run_file(file, &Overrides { end: Some(end), tolerance, ..Overrides::default() });
    let mut importer = Importer::new(begun(file)).unwrap();
    let mut worst = 0.0_f64;
    for (k, &time) in table.times().iter().enumerate() {
        importer.go(time, h).unwrap();
        for (column, value) in outputs(&mut importer.instance).into_iter().enumerate() {
            let series: Vec<f64> = table.series(column).collect();
            // What stays at rest but for round-off has no size of its own.
            let largest = series.iter().fold(1e-6, |a: f64, b| a.max(b.abs()));
            let difference = (value - series[k]).abs() / largest;
            if difference > 1e-6 {
                println!("{} at {time}: {value} instead of {}", table.columns()[column].name, series[k]);
            }
            worst = worst.max(difference);
        }
    }
    (worst, importer)
}

#[test]
fn the_equations_of_mechanisms_circuits_and_linear_systems_give_the_numbers_of_runs() {
    // A closed loop that turns on: references and partitions change.
    let (difference, importer) = worst(&model("four-bar.toml"), 0.3, Some(1e-10), 1e-3);
    assert!(difference < 1e-6 && importer.step_events > 0, "{difference} {}", importer.step_events);
    let (difference, _) = worst(&model("quarter-car.toml"), 0.3, Some(1e-10), 1e-3);
    assert!(difference < 1e-6, "{difference}");
    let (difference, _) = worst(&model("servo.toml"), 0.04, None, 2e-5);
    assert!(difference < 1e-7, "{difference}");
    let (difference, _) = worst(&model("hydraulic-axis.toml"), 2e-3, Some(1e-10), 1e-6);
    assert!(difference < 1e-5, "{difference}");
}

/// A mass on a rail whose spring acts on one side alone, with a push that begins at a time.
const ONE_SIDED: &str = r#"
name = "cart"
[simulation]
end = 2
output_step = 0.1
tolerance = 1e-11
[parameters]
stiffness = 50
[[body]]
name = "cart"
mass = 2
inertia = [1, 1, 1]
[[joint]]
name = "rail"
type = "prismatic"
i = "cart"
j = "ground"
[[force]]
name = "push"
type = "force"
i = "cart"
value = [0, 0, "if(time < 0.35, 4, -4) - if(x > 0, stiffness*x, 0)"]
[[measure]]
name = "x"
type = "position"
i = "cart"
component = "z"
"#;

#[test]
fn conditions_are_event_indicators_and_known_times_are_events() {
    let folder = tempfile::tempdir().unwrap();
    let file = written(&folder, "cart.toml", ONE_SIDED);
    let (difference, importer) = worst(&file, 2.0, None, 2e-3);
    assert!(difference < 1e-7, "{difference}");
    assert!(importer.state_events > 0 && importer.instance.variables().indicators() > 0);
}

/// A cart that is pushed beyond x = 0.
const PUSHED: &str = r#"
gravity = [0, 0, 0]
[simulation]
end = 2
[[body]]
name = "b"
mass = 2
inertia = [1, 1, 1]
position = [-1, 0, 0]
[[force]]
name = "f"
type = "force"
i = "b"
value = ["if(x > 0, 6, 0)", 0, 0]
[[measure]]
name = "x"
type = "position"
i = "b"
component = "x"
"#;

fn at_zero() -> Importer {
    let folder = tempfile::tempdir().unwrap();
    Importer::new(begun(&written(&folder, "model.toml", PUSHED))).unwrap()
}

/// Goes by the exact point (t, y), with the event mode there, as an importer whose search ends on a zero.
fn pass_zero(importer: &mut Importer, t: f64, y: &[f64]) -> Vec<f64> {
    importer.instance.set_time(t).unwrap();
    importer.instance.set_states(y).unwrap();
    let mut indicators = vec![f64::NAN; importer.instance.variables().indicators()];
    importer.instance.event_indicators(&mut indicators).unwrap();
    assert!(indicators.contains(&0.0), "{indicators:?}");
    importer.instance.enter_event().unwrap();
    importer.instance.update_discrete_states().unwrap();
    importer.instance.enter_continuous_time().unwrap();
    let mut slopes = vec![0.0; y.len()];
    importer.instance.state_derivatives(&mut slopes).unwrap();
    slopes
}

#[test]
fn conditions_turn_at_an_indicator_of_exactly_zero() {
    for (speed, acceleration) in [(1.0, 3.0), (0.0, 0.0), (-1.0, 0.0), (1e-3, 3.0), (1e3, 3.0)] {
        let mut importer = at_zero();
        let mut y = importer.y.clone();
        (y[0], y[6]) = (0.0, speed);
        let slopes = pass_zero(&mut importer, 1.0, &y);
        assert!((slopes[6] - acceleration).abs() < 1e-12, "{speed}");
    }
    // On its way back: it turns again.
    let mut importer = at_zero();
    let mut y = importer.y.clone();
    (y[0], y[6]) = (0.0, 1.0);
    assert!((pass_zero(&mut importer, 1.0, &y)[6] - 3.0).abs() < 1e-12);
    y[6] = -1.0;
    assert_eq!(pass_zero(&mut importer, 1.5, &y)[6], 0.0);
}

#[test]
fn states_and_parameters_are_kept_and_taken_over() {
    let folder = tempfile::tempdir().unwrap();
    let file = written(&folder, "cart.toml", ONE_SIDED);
    let mut importer = Importer::new(begun(&file)).unwrap();
    importer.go(0.6, 1e-3).unwrap();
    let state = importer.instance.save().unwrap();
    let bytes = importer.instance.state_to_bytes(&state).unwrap();
    let (time, y, next) = (importer.time, importer.y.clone(), importer.next_event);
    importer.go(1.4, 1e-3).unwrap();
    let expected = outputs(&mut importer.instance);
    importer.instance.restore(&state).unwrap();
    (importer.time, importer.y, importer.next_event) = (time, y.clone(), next);
    importer.go(1.4, 1e-3).unwrap();
    assert_eq!(outputs(&mut importer.instance), expected);
    let mut other = Importer::new(begun(&file)).unwrap();
    let loaded = other.instance.state_from_bytes(&bytes).unwrap();
    other.instance.restore(&loaded).unwrap();
    (other.time, other.y, other.next_event) = (time, y, next);
    other.go(1.4, 1e-3).unwrap();
    assert_eq!(outputs(&mut other.instance), expected);
    // In the event mode alone.
    let stiffness = reference(&other.instance, "parameters.stiffness");
    let refused = other.instance.set(stiffness, 80.0).unwrap_err().to_string();
    assert!(refused.contains("event mode"), "{refused}");
    other.instance.enter_event().unwrap();
    let before = outputs(&mut other.instance);
    other.instance.set(stiffness, 80.0).unwrap();
    let moved = outputs(&mut other.instance).iter().zip(&before).fold(0.0, |a: f64, (x, y)| a.max((x - y).abs()));
    assert!(moved < 1e-12 && other.instance.get(stiffness).unwrap() == 80.0, "{moved}");
    other.handle().unwrap();
    other.go(1.5, 1e-3).unwrap();
}

#[test]
fn calls_of_the_other_interface_and_models_without_equations_are_refused() {
    let refused = |name: &str| {
        let export = Export::with(&model(name), FmiVersion::V3, Interfaces::Both);
        export.err().map(|error| error.to_string()).unwrap_or_default()
    };
    assert!(refused("bouncing-ball.toml").contains("impacts"), "{}", refused("bouncing-ball.toml"));
    assert!(refused("press.toml").contains("solvers of their own"), "{}", refused("press.toml"));
    let export = Export::new(&model("pendulum.toml"), FmiVersion::V3).unwrap();
    let contents = export.instance().contents().clone();
    let refused = Instance::with(contents, FmuInterface::ModelExchange).err().unwrap().to_string();
    assert!(refused.contains("--interface both"), "{refused}");
    let mut instance = export.into_instance();
    let refused = instance.set_time(0.0).unwrap_err().to_string();
    assert!(refused.contains("made for co-simulation"), "{refused}");
    let mut instance = begun(&model("pendulum.toml"));
    assert!(instance.step(0.0, 0.1).unwrap_err().to_string().contains("in the event mode"));
    let refused = instance.set_states(&[0.0]).unwrap_err().to_string();
    assert!(refused.contains("1 states are given, the unit has 12"), "{refused}");
}

#[test]
fn units_of_both_interfaces_tell_states_and_derivatives_in_either() {
    let file = model("quarter-car.toml");
    let export = Export::with(&file, FmiVersion::V2, Interfaces::Both).unwrap();
    let text = description(export.instance(), FmiVersion::V2, "car");
    assert!(text.contains("<ModelExchange ") && text.contains("<CoSimulation ") && text.contains("<Derivatives>"));
    let text = description(export.instance(), FmiVersion::V3, "car");
    assert!(text.contains("<ContinuousStateDerivative ") && text.contains("derivative=\""), "{text}");
    let mut instance = initialized(export.into_instance(), Some(1.0), Some(1e-10));
    instance.step(0.0, 0.2).unwrap();
    let mut importer = Importer::new(begun(&file)).unwrap();
    importer.go(0.2, 1e-3).unwrap();
    for causality in [Causality::State, Causality::Derivative] {
        let references: Vec<(u32, String)> =
            instance.variables().with(causality).map(|(reference, own)| (reference, own.name.clone())).collect();
        let of = |unit: &mut Instance| -> Vec<f64> {
            references.iter().map(|(reference, _)| unit.get(*reference).unwrap()).collect()
        };
        let (here, there) = (of(&mut instance), of(&mut importer.instance));
        let largest = here.iter().fold(1e-3_f64, |a, b| a.max(b.abs()));
        for ((here, there), (_, name)) in here.iter().zip(&there).zip(&references) {
            assert!((here - there).abs() < 1e-6 * largest, "{name}: {here} {there}");
        }
    }
}

#[test]
fn rods_and_shafts_of_circuits_are_terminals() {
    let rod = model("hydraulic-axis.toml");
    let export = Export::new(&rod, FmiVersion::V3).unwrap();
    let text = terminals(export.instance()).unwrap_or_default();
    let moved: Vec<String> =
        export.instance().variables().with(Causality::Input).map(|(_, own)| own.name.clone()).collect();
    assert!(text.contains("memberName=\"force\"") && text.contains("matchingRule=\"plug\""), "{text} {moved:?}");
    assert!(terminals(Export::new(&model("pendulum.toml"), FmiVersion::V3).unwrap().instance()).is_none());
}
