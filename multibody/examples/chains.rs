//! What chains and ladders of 10 to 10,000 bodies cost: the start (compilation, assembly, first step) and microseconds a body and step, with
//! the exponents of growth; beside them Newton iterations and matrices a step, which tell what one of them costs.
//!
//! `cargo run --release -p fourbar-multibody --example chains -- [chain|ladder] [straight|horizontal|zigzag|twisted] [si2|i3|rkf45] [BODIES ...]`

#[path = "../tests/support/chains.rs"]
mod chains;

use chains::{DRAWINGS, Drawing, KINDS, Kind};
use fourbar_multibody::integrator::{Gstiff, Rkf45};
use fourbar_multibody::{Dynamics, DynamicsOptions, Error, Formulation, Mechanism, Method, Model};
use std::sync::Arc;
use std::time::{Duration, Instant};

const BODIES: [usize; 7] = [10, 30, 100, 300, 1000, 3000, 10_000];
/// Steps that are timed after the first. All sizes take the same, since the first steps renew their matrix more often than later ones.
const STEPS: u32 = 60;
/// Runs are repeated until they have taken this long \[s\]: the clock of a thread ticks every few milliseconds.
const SHORTEST: f64 = 0.5;
/// Tolerance of the integrators.
const TOLERANCE: f64 = 1e-6;

fn main() -> Result<(), Error> {
    let words: Vec<String> = std::env::args().skip(1).map(|word| word.to_lowercase()).collect();
    let wanted = |name: &str, names: &[String]| {
        let mut given = words.iter().filter(|word| names.contains(word)).peekable();
        given.peek().is_none() || given.any(|word| word == name)
    };
    let given: Vec<usize> = words.iter().filter_map(|word| word.parse().ok()).collect();
    let bodies = if given.is_empty() { BODIES.to_vec() } else { given };
    let kinds = KINDS.map(|kind| format!("{kind:?}").to_lowercase());
    let drawings = DRAWINGS.map(|drawing| format!("{drawing:?}").to_lowercase());
    let methods = ["si2", "i3", "rkf45"].map(str::to_owned);
    println!(
        "| mechanism | method | bodies | start \\[ms\\] | us a body and step | iterations, matrices a step |\n|---|---|---|---|---|---|"
    );
    for (kind, kind_name) in KINDS.into_iter().zip(&kinds) {
        for (drawing, drawing_name) in DRAWINGS.into_iter().zip(&drawings) {
            for method in &methods {
                let all = [(kind_name, &kinds[..]), (drawing_name, &drawings[..]), (method, &methods[..])];
                if all.into_iter().all(|(name, names)| wanted(name, names)) {
                    series(kind, drawing, method, &bodies, &format!("{kind_name}, {drawing_name}"))?;
                }
            }
        }
    }
    Ok(())
}

/// One mechanism in all sizes.
fn series(kind: Kind, drawing: Drawing, method: &str, bodies: &[usize], name: &str) -> Result<(), Error> {
    let mut starts = Vec::new();
    let mut steps = Vec::new();
    for &n in bodies {
        let Run { bodies, start, step, iterations, matrices } = run(kind, drawing, method, n)?;
        let each = 1e6 * step / bodies;
        println!("| {name} | {method} | {bodies} | {:.1} | {each:.2} | {iterations:.2}, {matrices:.2} |", 1e3 * start);
        starts.push((bodies, start));
        steps.push((bodies, step));
    }
    println!("| {name} | {method} | exponent | {:.2} | {:.2} | |", exponent(&starts), exponent(&steps));
    Ok(())
}

struct Run {
    bodies: f64,
    /// \[s\]
    start: f64,
    /// Seconds a step.
    step: f64,
    /// Newton iterations and matrices a step.
    iterations: f64,
    matrices: f64,
}

fn run(kind: Kind, drawing: Drawing, method: &str, n: usize) -> Result<Run, Error> {
    let model = chains::model(kind, drawing, n);
    let (formulation, method): (_, Method) = match method {
        "rkf45" => (Formulation::Si2, Rkf45::with_tolerance(TOLERANCE).into()),
        "i3" => (Formulation::I3, Gstiff::with_tolerance(TOLERANCE).into()),
        _ => (Formulation::Si2, Gstiff::with_tolerance(TOLERANCE).into()),
    };
    let options = DynamicsOptions { formulation, method, end: f64::INFINITY, stop_times: Vec::new() };
    let begun = Clock::now();
    let first = started(&model, &options)?;
    let bodies = first.mechanism().bodies().len() as f64;
    let mut all = vec![first];
    while begun.elapsed() < SHORTEST {
        all.push(started(&model, &options)?);
    }
    let start = begun.elapsed() / all.len() as f64;
    let begun = Clock::now();
    let mut runs = 0;
    let [mut iterations, mut matrices] = [0.0; 2];
    for mut dynamics in all {
        for _ in 0..STEPS {
            let _ = dynamics.step()?;
        }
        let statistics = dynamics.statistics();
        let steps = statistics.steps as f64;
        iterations = statistics.newton_iterations as f64 / steps;
        matrices = statistics.jacobian_evaluations as f64 / steps;
        runs += 1;
        if begun.elapsed() >= SHORTEST {
            break;
        }
    }
    Ok(Run { bodies, start, step: begun.elapsed() / f64::from(runs * STEPS), iterations, matrices })
}

/// Compiled, and one step taken.
fn started(model: &Model, options: &DynamicsOptions) -> Result<Dynamics, Error> {
    let mechanism = Arc::new(Mechanism::compile(model)?);
    let mut dynamics = Dynamics::new(&mechanism, options)?;
    let _ = dynamics.step()?;
    Ok(dynamics)
}

/// Processor time of this thread where the system tells it (Linux), so that other programs do not count; else the time that passes.
struct Clock {
    begun: Instant,
    processor: Option<Duration>,
}

impl Clock {
    fn now() -> Self {
        Self { begun: Instant::now(), processor: Self::processor() }
    }

    fn elapsed(&self) -> f64 {
        let processor = self.processor.zip(Self::processor()).map(|(from, to)| to.saturating_sub(from));
        processor.unwrap_or_else(|| self.begun.elapsed()).as_secs_f64()
    }

    fn processor() -> Option<Duration> {
        let text = std::fs::read_to_string("/proc/thread-self/schedstat").ok()?;
        text.split_whitespace().next()?.parse().ok().map(Duration::from_nanos)
    }
}

/// Slope of the least-squares line through the logarithms.
fn exponent(points: &[(f64, f64)]) -> f64 {
    let n = points.len() as f64;
    let mean = |f: &dyn Fn(&(f64, f64)) -> f64| points.iter().map(f).sum::<f64>() / n;
    let (x, y) = (mean(&|p| p.0.ln()), mean(&|p| p.1.ln()));
    let covariance = mean(&|p| (p.0.ln() - x) * (p.1.ln() - y));
    covariance / mean(&|p| (p.0.ln() - x).powi(2))
}
