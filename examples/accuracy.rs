//! Accuracy and cost of Andrews' mechanism over tolerances, as the table of README.md:
//! `cargo run --release --example accuracy`.

use fourbar::file::ModelFile;
use fourbar::results::{MechanismDetails, Summary};
use fourbar::run::{Overrides, Run};
use serde_json::Value;
use std::error::Error;
use std::sync::atomic::AtomicBool;

/// Runs of which the fastest is reported.
const RUNS: usize = 5;

fn main() -> Result<(), Box<dyn Error>> {
    let root = concat!(env!("CARGO_MANIFEST_DIR"), "/");
    let file = ModelFile::load(format!("{root}models/andrews.toml"))?;
    let text = std::fs::read_to_string(format!("{root}tests/reference/multibody/models.json"))?;
    let reference: Value = serde_json::from_str(&text)?;
    println!(
        "| formulation | tolerance | largest relative error | steps | residuals | factorizations | position violation [m] | velocity violation [m/s] | ms |"
    );
    println!("|---|---|---|---|---|---|---|---|---|");
    for formulation in ["si2", "si1", "i3"] {
        for exponent in 4..=11 {
            let overrides = Overrides {
                formulation: Some(formulation.to_owned()),
                tolerance: Some(10.0_f64.powi(-exponent)),
                ..Overrides::default()
            };
            let run = Run::new(file.document(), &overrides)?;
            let mut best: Option<Summary> = None;
            for _ in 0..RUNS {
                let summary = run.execute(&mut [], &AtomicBool::new(false))?.summary;
                if best.as_ref().is_none_or(|best| summary.wall_seconds < best.wall_seconds) {
                    best = Some(summary);
                }
            }
            if let Some(summary) = best {
                print_row(formulation, exponent, &summary, error(&summary, &reference["andrews"]));
            }
        }
    }
    Ok(())
}

fn print_row(formulation: &str, exponent: i32, summary: &Summary, error: f64) {
    let Some(MechanismDetails { violation, statistics, .. }) = summary.mechanism() else { return };
    println!(
        "| {} | 1e-{exponent} | {error:.1e} | {} | {} | {} | {:.1e} | {:.1e} | {:.1} |",
        formulation.to_uppercase(),
        statistics.steps,
        statistics.residual_evaluations,
        statistics.factorizations.total(),
        violation.position,
        violation.velocity,
        summary.wall_seconds * 1e3,
    );
}

/// Largest relative error of the seven angles against the last sample of the reference; NaN if one is missing.
fn error(summary: &Summary, reference: &Value) -> f64 {
    let sample = reference["samples"].as_array().and_then(|samples| samples.last());
    let value = |k: usize| sample.and_then(|sample| sample["q"][k].as_f64()).unwrap_or(f64::NAN);
    let names = reference["order"].as_array().map_or(&[][..], Vec::as_slice);
    let error = |(k, name): (usize, &Value)| {
        let measured = summary.last.iter().find(|(column, _)| name == column.name.as_str());
        measured.map_or(f64::NAN, |(_, measured)| ((measured - value(k)) / value(k)).abs())
    };
    names.iter().enumerate().map(error).fold(0.0, |worst, error| if error <= worst { worst } else { error })
}
