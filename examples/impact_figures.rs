//! The analogues of the figures 2 to 4 of the source of `models/fourbar-impact.toml`, as a page with plots: the velocity of point a, and
//! the errors of the joints in position and velocity with and without correction.
//!
//! `cargo run --release --example impact_figures --features report -- figures.html`

use fourbar::Document;
use fourbar::file::ModelFile;
use fourbar::mechanism::{ContactMethod, MechanismModel, ProjectionSettings};
use fourbar::results::{Column, Report, Summary, Table};
use fourbar::run::{Observer, Overrides, Run};
use std::error::Error;
use std::fs::File;
use std::io::BufWriter;
use std::sync::atomic::AtomicBool;

/// The step of the fixed steps \[s\]; that of the source, 0.01, is longer than most flights between two impacts.
const STEP: f64 = 1e-3;

fn run(document: &Document, overrides: &Overrides) -> Result<(Summary, Table), fourbar::Error> {
    let mut table = Table::default();
    let outcome = Run::new(document, overrides)?.execute(&mut [&mut table], &AtomicBool::new(false))?;
    outcome.failure.map_or(Ok((outcome.summary, table)), Err)
}

/// The run with fixed steps, its joints corrected or not.
fn stepped(model: &MechanismModel, corrected: bool) -> Result<Table, fourbar::Error> {
    let mut model = model.clone();
    let iterations = if corrected { 2 } else { 0 };
    model.settings.projection =
        Some(ProjectionSettings { iterations: Some(iterations), velocities: Some(corrected), ..Default::default() });
    model.settings.method = Some(ContactMethod::GapLcp);
    let overrides = Overrides { step: Some(STEP), ..Overrides::default() };
    Ok(run(&model.into(), &overrides)?.1)
}

fn series(table: &Table, name: &str) -> Vec<f64> {
    let column = table.columns().iter().position(|column| column.name == name);
    column.map(|column| table.series(column).collect()).unwrap_or_default()
}

fn main() -> Result<(), Box<dyn Error>> {
    let path = std::env::args().nth(1).unwrap_or_else(|| "figures.html".to_owned());
    let file = ModelFile::load(concat!(env!("CARGO_MANIFEST_DIR"), "/models/fourbar-impact.toml"))?;
    let model = file.document().mechanism().ok_or("a model of the kind \"mechanism\"")?;
    let (mut summary, events) = run(file.document(), &Overrides::default())?;
    let (plain, corrected) = (stepped(model, false)?, stepped(model, true)?);

    let curves = [
        ("velocity of a, event-driven", "m/s", series(&events, "a.vx")),
        ("velocity of a, fixed steps", "m/s", series(&corrected, "a.vx")),
        ("position error of the joints, not corrected", "m", series(&plain, "violation")),
        ("position error of the joints, corrected", "m", series(&corrected, "violation")),
        ("velocity error of the joints, not corrected", "m/s", series(&plain, "violation_rate")),
        ("velocity error of the joints, corrected", "m/s", series(&corrected, "violation_rate")),
    ];
    let columns: Vec<Column> =
        curves.iter().map(|(name, unit, _)| Column { name: (*name).to_owned(), unit: (*unit).to_owned() }).collect();
    let mut table = Table::default();
    table.begin(&columns)?;
    for (k, time) in events.times().iter().enumerate() {
        let values: Vec<f64> = curves.iter().map(|(.., values)| values[k]).collect();
        table.output(*time, &values)?;
    }
    summary.last =
        columns.into_iter().zip(curves.iter().map(|(.., values)| *values.last().unwrap_or(&f64::NAN))).collect();
    summary.model = "Impacts of a four-bar: figures 2 to 4".to_owned();
    let settings = [("fixed steps".to_owned(), format!("gap_lcp, {STEP} s"))];
    let description = "A four-bar driven onto a wall: the analogues of the source's figures 2 to 4";
    let report = Report { description, settings: &settings, summary: &summary, table: &table, animation: None };
    report.write(BufWriter::new(File::create(&path)?))?;
    println!("{path}");
    Ok(())
}
