//! The cost of a step of the heat equation on finer and finer grids, by rational Krylov projection: linear in the number of states.
//!
//! `cargo run --release -p fourbar-lti --example sparse_heat`

use std::time::Instant;

use fourbar_linalg::CscMatrix;
use fourbar_lti::{Error, KrylovOptions, Method, RationalKrylov, SparseStepper};
use nalgebra_sparse::CooMatrix;

/// Second differences on a square of `side` x `side` inner points, or on a line (`rows` = 1); u = 0 around it.
fn laplacian(side: usize, rows: usize) -> CscMatrix<f64> {
    let scale = ((side + 1) * (side + 1)) as f64;
    let mut entries = CooMatrix::new(side * rows, side * rows);
    for (i, j) in (0..rows).flat_map(|i| (0..side).map(move |j| (i, j))) {
        let here = side * i + j;
        entries.push(here, here, if rows == 1 { -2.0 } else { -4.0 } * scale);
        if j + 1 < side {
            entries.push(here, here + 1, scale);
            entries.push(here + 1, here, scale);
        }
        if i + 1 < rows {
            entries.push(here, here + side, scale);
            entries.push(here + side, here, scale);
        }
    }
    CscMatrix::from(&entries)
}

/// Steps of 1 ms under a heat source that swings at 10 Hz; prints a row of the table.
fn row(name: &str, a: &CscMatrix<f64>, tolerance: f64) -> Result<(), Error> {
    let n = a.nrows();
    let mut b = CooMatrix::new(n, 1);
    (n / 3..n / 2).for_each(|i| b.push(i, 0, 1.0));
    let options = KrylovOptions { tolerance, ..Default::default() };
    let krylov = RationalKrylov::new(a, &options)?;
    let mut stepper = SparseStepper::new(krylov, &CscMatrix::from(&b), 1e-3, Method::FIRST_ORDER_HOLD)?;
    let mut source = |t: f64, u: &mut [f64]| u[0] = (20.0 * std::f64::consts::PI * t).sin();
    let begin = Instant::now();
    stepper.step(&mut source)?;
    let first = begin.elapsed();
    let (begin, steps) = (Instant::now(), 10);
    let mut solves = 0;
    for _ in 0..steps {
        solves += stepper.step(&mut source)?.applications;
    }
    let each = begin.elapsed().as_secs_f64() / f64::from(steps);
    println!(
        "| {name} | {n} | {tolerance:.0e} | {:.1} | {:.2} | {:.1} | {:.0} |",
        first.as_secs_f64() * 1e3,
        each * 1e3,
        solves as f64 / f64::from(steps),
        each * 1e9 / n as f64
    );
    Ok(())
}

fn main() -> Result<(), Error> {
    println!("| grid | states | tolerance | first step [ms] | later steps [ms] | solutions a step | ns per state |");
    println!("|---|---|---|---|---|---|---|");
    for tolerance in [1e-6, 1e-12] {
        for n in [1000, 10_000, 100_000] {
            row("line", &laplacian(n, 1), tolerance)?;
        }
        row("square", &laplacian(100, 100), tolerance)?;
    }
    Ok(())
}
