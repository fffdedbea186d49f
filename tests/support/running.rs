//! Model files run to their end, and what is seen of them.

use fourbar::file::ModelFile;
use fourbar::results::{Status, Summary, Table};
use fourbar::run::{Overrides, Run};
use std::path::PathBuf;
use std::sync::atomic::AtomicBool;

pub(crate) fn root(path: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join(path)
}

/// One of the models shipped.
pub(crate) fn model(name: &str) -> ModelFile {
    ModelFile::load(root("models").join(name)).unwrap()
}

pub(crate) fn run(name: &str, overrides: &Overrides) -> (Summary, Table) {
    run_file(&model(name), overrides)
}

pub(crate) fn run_file(file: &ModelFile, overrides: &Overrides) -> (Summary, Table) {
    let run = Run::new(file.document(), overrides).unwrap_or_else(|error| panic!("{}", file.explain(error)));
    let mut table = Table::default();
    let outcome = run.execute(&mut [&mut table], &AtomicBool::new(false)).unwrap();
    assert_eq!(outcome.summary.status, Status::Done, "{:?}", outcome.failure);
    (outcome.summary, table)
}

pub(crate) fn measure(summary: &Summary, name: &str) -> f64 {
    let found = summary.last.iter().find(|(column, _)| column.name == name);
    found.unwrap_or_else(|| panic!("no measure {name}")).1
}

#[track_caller]
pub(crate) fn assert_near(value: f64, expected: f64, tolerance: f64) {
    assert!((value - expected).abs() <= tolerance, "{value} is not {expected} to {tolerance:e}");
}
