//! Krylov steps of large sparse systems, per state, and steps of the exponential integrators.

use std::hint::black_box;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use fourbar_linalg::CscMatrix;
use fourbar_lti::{ExponentialMethod, KrylovOptions, NonlinearStepper, PolynomialKrylov, Propagator, RationalKrylov};
use nalgebra::DMatrix;
use nalgebra_sparse::CooMatrix;

/// Second differences times `scale` on a line of `n` inner points.
fn line(n: usize, scale: f64) -> CscMatrix<f64> {
    let mut entries = CooMatrix::new(n, n);
    for i in 0..n {
        entries.push(i, i, -2.0 * scale);
        if i + 1 < n {
            entries.push(i, i + 1, scale);
            entries.push(i + 1, i, scale);
        }
    }
    CscMatrix::from(&entries)
}

/// A hot block, always the same: 1 ms of the heat equation on ever finer grids, and a system that is not stiff.
fn krylov(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("krylov");
    group.sample_size(10);
    for n in [1000, 10_000, 100_000] {
        let start: Vec<f64> = (0..n).map(|i| f64::from(u8::from((n / 3..n / 2).contains(&i)))).collect();
        let options = KrylovOptions { tolerance: 1e-9, ..Default::default() };
        let mut rational = RationalKrylov::new(&line(n, ((n + 1) * (n + 1)) as f64), &options).unwrap();
        let mut polynomial = PolynomialKrylov::new(line(n, 1e3), &options).unwrap();
        let mut x = start.clone();
        group.throughput(Throughput::Elements(n as u64));
        group.bench_function(format!("rational/{n}"), |bencher| {
            bencher.iter(|| {
                x.copy_from_slice(&start);
                rational.exp_action(1e-3, black_box(&mut x)).unwrap()
            });
        });
        group.bench_function(format!("polynomial/{n}"), |bencher| {
            bencher.iter(|| {
                x.copy_from_slice(&start);
                polynomial.exp_action(1e-3, black_box(&mut x)).unwrap()
            });
        });
    }
    group.finish();
}

/// Steps of a stiff chain with a cubic nonlinearity.
fn nonlinear(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("nonlinear");
    for n in [4, 50] {
        let a = DMatrix::from(&line(n, 1e4));
        for method in [
            ExponentialMethod::AdamsRealTime { order: 4 },
            ExponentialMethod::Adams { order: 4 },
            ExponentialMethod::Krogstad,
            ExponentialMethod::HochbruckOstermann,
        ] {
            let mut stepper = NonlinearStepper::new(&a, 0.01, method).unwrap();
            stepper.set_state(&vec![0.5; n]).unwrap();
            group.bench_function(format!("{method:?}/{n}"), |bencher| {
                bencher.iter(|| {
                    let f = |_: f64, x: &[f64], f: &mut [f64]| {
                        f.iter_mut().zip(x).for_each(|(f, x)| *f = 1.0 - x * x * x);
                    };
                    stepper.step(f).unwrap();
                    black_box(stepper.state());
                });
            });
        }
    }
    group.finish();
}

criterion_group!(benches, krylov, nonlinear);
criterion_main!(benches);
