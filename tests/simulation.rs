//! Mechanisms stepped by a host: what a run gives at its outputs, the host's loop gives at the same times.

use crate::running::{model, root, run_file};
use fourbar::file::ModelFile;
use fourbar::mechanism::ContactMethod;
use fourbar::multibody::host::{ForceFunction, HostForce, HostFunctions, Refusal};
use fourbar::run::Overrides;
use fourbar::simulation::{CompiledModel, EventKind, Simulation};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// Largest difference of a measure between run and loop, over all outputs, against the largest value of that measure.
fn difference(name: &str, overrides: &Overrides) -> f64 {
    let file = model(name);
    let (_, table) = run_file(&file, overrides);
    let compiled = Arc::new(CompiledModel::new(file.document().mechanism().unwrap(), &Default::default()).unwrap());
    // No step of either is longer than the output step.
    let own = Overrides { end: None, ..overrides.clone() };
    let mut simulation = Simulation::new(&compiled, &own).unwrap();
    let mut values = vec![0.0; compiled.columns().len()];
    let mut worst = 0.0_f64;
    for (k, &time) in table.times().iter().enumerate() {
        simulation.step_to(time).unwrap();
        simulation.measures(&mut values).unwrap();
        for (column, value) in values.iter().enumerate() {
            let expected = table.series(column).nth(k).unwrap();
            let size = table.series(column).fold(1.0_f64, |a, b| a.max(b.abs()));
            worst = worst.max((value - expected).abs() / size);
        }
    }
    worst
}

#[test]
fn a_loop_gives_what_a_run_gives() {
    let short = Overrides { end: Some(0.26), output_step: Some(2e-3), ..Overrides::default() };
    assert_eq!(difference("fourbar-impact.toml", &short), 0.0);
    // A run goes over its outputs, a host's loop ends its steps there: other steps, the same motion.
    assert!(difference("four-bar.toml", &short) < 1e-5);
    let contacts = Some(ContactMethod::GapLcp);
    let fixed = Overrides { contacts, step: Some(2e-4), ..short };
    assert!(difference("fourbar-impact.toml", &fixed) < 1e-8);
}

/// Saved between the impacts of a bounce and put back, the same impacts follow, bit for bit.
#[test]
fn a_saved_point_goes_on_bit_for_bit() {
    let file = model("fourbar-impact.toml");
    let compiled = Arc::new(CompiledModel::new(file.document().mechanism().unwrap(), &Default::default()).unwrap());
    let mut simulation = Simulation::new(&compiled, &Overrides::default()).unwrap();
    simulation.step_to(0.2).unwrap();
    simulation.clear_events();
    let saved = simulation.save();
    let onwards = |simulation: &mut Simulation| {
        simulation.step_to(0.3).unwrap();
        let rest = simulation.events().iter().find(|event| event.kind == EventKind::Accumulation).unwrap().time;
        let state = simulation.state().unwrap().clone();
        (simulation.events().to_vec(), rest, state)
    };
    let first = onwards(&mut simulation);
    simulation.restore(&saved).unwrap();
    assert_eq!(simulation.time(), 0.2);
    assert_eq!(onwards(&mut simulation), first);
    assert!((first.1 - 0.229_457_8).abs() < 1e-6);
}

/// A constant torque that fails at one of its calls, counted from 1.
#[derive(Debug, Default)]
struct Failing {
    calls: AtomicU64,
    at: AtomicU64,
}

impl ForceFunction for Failing {
    fn value(&self, _: f64, _: &[f64], value: &mut [f64]) -> Result<(), Refusal> {
        value[0] = 10.0;
        match self.calls.fetch_add(1, Relaxed) + 1 == self.at.load(Relaxed) {
            true => Err(Refusal::Fatal("once".into())),
            false => Ok(()),
        }
    }
}

/// A force that fails once leaves nothing behind: the step repeated gives the impacts, the forces and the impulses of a run without failure.
#[test]
fn a_step_repeated_after_a_failure_goes_on_as_if_it_had_not_been() {
    let measure =
        "[[measure]]\nname = \"impulse\"\ntype = \"contact\"\ncontact = \"wall\"\nquantity = \"normal_impulse\"\n";
    let text = std::fs::read_to_string(root("models/fourbar-impact.toml")).unwrap() + "\n" + measure;
    let file = ModelFile::parse("impact", text).unwrap();
    let drive = Arc::new(Failing::default());
    let mut functions = HostFunctions::default();
    let force = HostForce { arguments: vec![], function: Arc::clone(&drive) as _ };
    functions.forces.insert("drive".into(), force);
    let compiled = Arc::new(CompiledModel::new(file.document().mechanism().unwrap(), &functions).unwrap());
    let run = |at: u64| {
        drive.at.store(0, Relaxed);
        let mut simulation = Simulation::new(&compiled, &Overrides::default()).unwrap();
        drive.at.store(at, Relaxed);
        drive.calls.store(0, Relaxed);
        let mut failures = 0;
        for end in [0.02, 0.06, 0.24] {
            failures += usize::from(simulation.step_to(end).is_err());
            simulation.step_to(end).unwrap();
            assert_eq!(simulation.time(), end);
        }
        let calls = drive.calls.load(Relaxed);
        let mut values = vec![0.0; compiled.columns().len()];
        simulation.measures(&mut values).unwrap();
        (values, simulation.events().to_vec(), failures, calls)
    };
    let (values, events, _, calls) = run(0);
    let (closed, mut failed) = (events.iter().any(|event| event.kind == EventKind::Closed), 0);
    assert!(closed && calls > 500, "{calls}");
    // Each call of the first two impacts, and some of the others.
    for at in (1..=150).chain((151..=calls).step_by(61)) {
        let (again, same, failures, _) = run(at);
        assert_eq!((&again, &same), (&values, &events), "call {at} of {calls}");
        failed += failures;
    }
    assert!(failed > 150, "{failed}");
}
