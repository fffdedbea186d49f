//! What runs and single steps take in Rust, as JSON; `python/benches/overhead.py` compares the same through the Python package.
//!
//! `cargo run --release --example python_overhead -- models/four-bar.toml`

use fourbar::file::ModelFile;
use fourbar::lti::{Method, StateSpace, Stepper};
use fourbar::results::Table;
use fourbar::run::{Overrides, Run};
use fourbar::simulation::{CompiledModel, Simulation};
use std::error::Error;
use std::hint::black_box;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Instant;

/// Single steps that are timed.
const STEPS: usize = 10_000;
/// Repetitions, of which the fastest counts.
const REPEATS: usize = 7;
/// Length of a single step of the mechanism \[s\].
const STEP: f64 = 1e-4;

fn fastest(mut once: impl FnMut() -> Result<(), Box<dyn Error>>) -> Result<f64, Box<dyn Error>> {
    let mut best = f64::INFINITY;
    for _ in 0..REPEATS {
        let begin = Instant::now();
        once()?;
        best = best.min(begin.elapsed().as_secs_f64());
    }
    Ok(best)
}

/// From the text of a model file to its table.
fn whole_run(path: &str) -> Result<(), Box<dyn Error>> {
    let file = ModelFile::load(path)?;
    let mut table = Table::default();
    let outcome =
        Run::new(file.document(), &Overrides::default())?.execute(&mut [&mut table], &AtomicBool::new(false))?;
    black_box(table.times().len());
    outcome.failure.map_or(Ok(()), |error| Err(error.into()))
}

/// Steps of a mechanism, each to the next time.
fn steps_of_a_mechanism(compiled: &Arc<CompiledModel>) -> Result<(), Box<dyn Error>> {
    let mut simulation = Simulation::new(compiled, &Overrides::default())?;
    for k in 1..=STEPS {
        simulation.step_to(k as f64 * STEP)?;
    }
    Ok(())
}

/// Steps of a linear system with four states.
fn steps_of_a_linear_system(stepper: &mut Stepper) -> Result<(), Box<dyn Error>> {
    let mut y = [0.0];
    for k in 0..STEPS {
        stepper.step(&[k as f64 * 1e-4], &mut y)?;
    }
    black_box(y);
    Ok(())
}

fn main() -> Result<(), Box<dyn Error>> {
    let path = std::env::args().nth(1).unwrap_or_else(|| "models/four-bar.toml".to_owned());
    let file = ModelFile::load(&path)?;
    let model = file.document().mechanism().ok_or("the model is no mechanism")?;
    let compiled = Arc::new(CompiledModel::new(model, &Default::default())?);
    let (a, b) =
        ([0.0, 1.0, 0.0, 0.0, -4.0, -0.4, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, -9.0, -0.6], [0.0, 0.0, 0.0, 1.0]);
    let matrix = |rows: usize, columns: usize, values: &[f64]| nalgebra::DMatrix::from_row_slice(rows, columns, values);
    let system =
        StateSpace::new(matrix(4, 4, &a), matrix(4, 1, &b), matrix(1, 4, &[1.0, 0.0, 0.0, 0.0]), matrix(1, 1, &[0.0]))?;
    let mut stepper = Stepper::new(&system, 1e-3, Method::Algorithm1 { order: 1 })?;
    stepper.set_input(&[0.0])?;
    let run = fastest(|| whole_run(&path))?;
    let mechanism = fastest(|| steps_of_a_mechanism(&compiled))?;
    let linear = fastest(|| steps_of_a_linear_system(&mut stepper))?;
    println!(r#"{{"run": {run}, "mechanism_steps": {mechanism}, "linear_steps": {linear}}}"#);
    Ok(())
}
