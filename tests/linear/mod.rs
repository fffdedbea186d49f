//! Linear models against closed forms and independently computed values.

mod exact;
mod files;
mod signals;

use fourbar::file::ModelFile;
use fourbar::results::{Status, Summary, Table};
use fourbar::run::{Overrides, Run};
use std::path::PathBuf;
use std::sync::atomic::AtomicBool;

fn root(path: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join(path)
}

fn run(file: &ModelFile, overrides: &Overrides) -> (Summary, Table) {
    let run = Run::new(file.document(), overrides).unwrap_or_else(|error| panic!("{}", file.explain(error)));
    let mut table = Table::default();
    let outcome = run.execute(&mut [&mut table], &AtomicBool::new(false)).unwrap();
    assert_eq!(outcome.summary.status, Status::Done, "{:?}", outcome.failure);
    (outcome.summary, table)
}

/// The column of that name.
fn column(table: &Table, name: &str) -> Vec<f64> {
    let index = table.columns().iter().position(|column| column.name == name);
    table.series(index.unwrap_or_else(|| panic!("no output {name}"))).collect()
}

/// The value at an output time.
fn at(table: &Table, name: &str, time: f64) -> f64 {
    let row = table.times().iter().position(|t| (t - time).abs() < 1e-9);
    column(table, name)[row.unwrap_or_else(|| panic!("no output at {time}"))]
}

#[track_caller]
fn assert_near(value: f64, expected: f64, tolerance: f64) {
    assert!((value - expected).abs() <= tolerance, "{value} is not {expected} to {tolerance:e}");
}
