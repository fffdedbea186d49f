//! Step times of a stiff servo of 4 states: ten million steps, each timed by itself, and what the steps alone cost in batches.
//!
//! `cargo run --release -p fourbar-lti --example real_time [STEPS]`

use std::hint::black_box;
use std::time::Instant;

use fourbar_lti::{Error, Method, StateSpace, Stepper};
use nalgebra::dmatrix;

/// Angle \[rad\], speed \[rad/s\], current \[A\], amplifier voltage \[V\]; modes from 0 to 1e5 1/s.
fn servo() -> Result<StateSpace, Error> {
    let (inertia, friction, torque, emf) = (2e-4, 1e-5, 0.05, 0.05);
    let (resistance, inductance, amplifier) = (0.5, 1e-4, 1e-5);
    StateSpace::new(
        dmatrix![
            0.0, 1.0, 0.0, 0.0;
            0.0, -friction / inertia, torque / inertia, 0.0;
            0.0, -emf / inductance, -resistance / inductance, 1.0 / inductance;
            0.0, 0.0, 0.0, -1.0 / amplifier],
        dmatrix![0.0; 0.0; 0.0; 1.0 / amplifier],
        dmatrix![1.0, 0.0, 0.0, 0.0],
        dmatrix![0.0],
    )
}

fn main() -> Result<(), Error> {
    let steps: usize = std::env::args().nth(1).and_then(|text| text.parse().ok()).unwrap_or(10_000_000);
    let period = 1e-3;
    let mut stepper = Stepper::new(&servo()?, period, Method::FIRST_ORDER_HOLD)?;
    let mut y = [0.0];
    stepper.set_input(&[0.0])?;

    // The controller is closed over the servo: u = -8 y.
    let mut nanoseconds = vec![0u32; steps];
    for slot in &mut nanoseconds {
        let u = [1.0 - 8.0 * y[0]];
        let begin = Instant::now();
        stepper.step(black_box(&u), &mut y)?;
        *slot = u32::try_from(begin.elapsed().as_nanos()).unwrap_or(u32::MAX);
    }
    histogram(&mut nanoseconds);

    let batch = 1_000;
    let mut best = f64::INFINITY;
    for _ in 0..10_000 {
        let begin = Instant::now();
        for _ in 0..batch {
            stepper.step(black_box(&[0.5]), &mut y)?;
        }
        best = best.min(begin.elapsed().as_nanos() as f64 / f64::from(batch));
    }
    println!("in batches of {batch}: {best:.1} ns a step (best batch)");
    Ok(())
}

/// Octaves of step time, then median, 99.9 % and worst.
fn histogram(nanoseconds: &mut [u32]) {
    nanoseconds.sort_unstable();
    let below = |limit: u64| nanoseconds.partition_point(|&t| u64::from(t) < limit);
    println!("step time (timer included)      steps");
    for octave in 3..32 {
        let count = below(2 << octave) - below(1 << octave);
        if count > 0 {
            println!("{:>12} .. {:>10} ns {count:>10}", 1u64 << octave, 2u64 << octave);
        }
    }
    let at = |fraction: f64| nanoseconds[((nanoseconds.len() - 1) as f64 * fraction) as usize];
    println!("median {} ns, 99.9 % {} ns, worst {} ns", at(0.5), at(0.999), at(1.0));
}
