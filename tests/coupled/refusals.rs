//! What is said when the file of a simulator is at fault, and when a run stops.

use crate::coupled::running::root;
use fourbar::Error;
use fourbar::file::ModelFile;
use fourbar::results::{Status, Table};
use fourbar::run::{Overrides, Run};
use std::sync::atomic::AtomicBool;

fn coupled(file: &str, rest: &str) -> String {
    format!(
        "type = \"coupled\"\n[simulation]\nend = 1\nstep = 0.1\n[[simulator]]\nname = \"one\"\nfile = \"{file}\"\n{rest}"
    )
}

fn parse(text: &str) -> Result<ModelFile, Error> {
    ModelFile::parse(root("tests/bad-models/test.toml").display().to_string(), text)
}

#[test]
fn faults_of_a_simulators_file_have_its_name_and_line() {
    // One that cannot be read as a model, one that cannot be compiled.
    let Err(Error::Model(read)) = parse(&coupled("linear-unknown-kind.toml", "")) else { panic!("it was read") };
    let file = parse(&coupled("linear-negative-time-constant.toml", "")).unwrap();
    let Err(error) = Run::new(file.document(), &Overrides::default()) else { panic!("it was compiled") };
    assert!(matches!(&error, Error::Simulator { name, .. } if name == "one"), "{error}");
    let Error::Model(compiled) = file.explain(error) else { panic!("no line") };
    for (diagnostic, name) in [(read, "linear-unknown-kind.toml"), (compiled, "linear-negative-time-constant.toml")] {
        assert!(diagnostic.file.ends_with(name), "{diagnostic}");
        let alone = ModelFile::load(root("tests/bad-models").join(name));
        let alone =
            alone.and_then(|file| Run::new(file.document(), &Overrides::default()).map_err(|e| file.explain(e)));
        let Err(Error::Model(alone)) = alone else { panic!("it runs alone") };
        assert_eq!(
            (alone.line, alone.column, &alone.problem),
            (diagnostic.line, diagnostic.column, &diagnostic.problem)
        );
    }
}

#[test]
fn a_simulator_that_leaves_the_numbers_is_named_and_what_was_recorded_stays() {
    let text = "type = \"coupled\"\n[simulation]\nend = 2\nstep = 0.1\n[[simulator]]\nname = \"growth\"\n[simulator.equations]\n\
        solver_step = 1e-3\nstate = [{ name = \"x\", start = 1, rate = \"x^2\" }]\noutput = [{ name = \"x\", value = \"x\" }]\n";
    let file = parse(text).unwrap();
    let run = Run::new(file.document(), &Overrides::default()).unwrap();
    let mut table = Table::default();
    let outcome = run.execute(&mut [&mut table], &AtomicBool::new(false)).unwrap();
    // x = 1/(1 - t) has a pole at 1 s.
    assert_eq!(outcome.summary.status, Status::Failed);
    let message = outcome.failure.unwrap().to_string();
    assert!(message.contains("growth") && message.contains('x'), "{message}");
    assert!(outcome.summary.end_time > 0.8 && table.times().len() >= 9, "{}", outcome.summary.end_time);
    let faults = &outcome.summary.coupled().unwrap().faults;
    assert_eq!((faults.len(), faults[0].level.as_str()), (1, "stop"));
}

#[test]
fn held_values_are_reported_as_a_warning() {
    let text = "type = \"coupled\"\n[simulation]\nend = 2\nstep = 0.1\n[faults]\nsampling = \"hold\"\n[[simulator]]\nname = \"root\"\n\
        [simulator.equations]\noutput = [{ name = \"y\", value = \"sqrt(1 - time)\" }]\n";
    let file = parse(text).unwrap();
    let run = Run::new(file.document(), &Overrides::default()).unwrap();
    let outcome = run.execute(&mut [], &AtomicBool::new(false)).unwrap();
    assert_eq!(outcome.summary.status, Status::Done);
    assert!(outcome.summary.warnings.iter().any(|warning| warning.contains("held")), "{:?}", outcome.summary.warnings);
    assert!(outcome.summary.coupled().unwrap().statistics.counts.held > 0);
}
