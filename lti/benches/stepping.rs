//! ns per step of the stepper (state, history and one output included) beside a plain product of nalgebra, and of many trajectories.

use std::hint::black_box;

use criterion::{Criterion, criterion_group, criterion_main};
use fourbar_lti::{Discretization, Ensemble, GMatrices, Method, ModalForm, StateSpace, Stepper};
use nalgebra::{DMatrix, DVector};

/// A stable, coupled system with one input and one output.
fn system(n: usize) -> StateSpace {
    let coupling = |i: usize, j: usize| ((i * 37 + j * 17) % 101) as f64 / 101.0 - 0.5;
    let a = DMatrix::from_fn(n, n, |i, j| if i == j { -(1.0 + i as f64) } else { coupling(i, j) / n as f64 });
    let b = DMatrix::from_fn(n, 1, |i, _| coupling(i, 3));
    let c = DMatrix::from_fn(1, n, |_, j| coupling(5, j));
    StateSpace::new(a, b, c, DMatrix::zeros(1, 1)).unwrap()
}

const SIZES: [usize; 4] = [4, 10, 50, 200];

fn single(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("step");
    for n in SIZES {
        let system = system(n);
        let mut stepper = Stepper::new(&system, 0.01, Method::FIRST_ORDER_HOLD).unwrap();
        stepper.set_input(&[1.0]).unwrap();
        let mut y = [0.0];
        group.bench_function(format!("stepper/{n}"), |bencher| {
            bencher.iter(|| {
                stepper.step(black_box(&[1.0]), &mut y).unwrap();
                black_box(&y);
            });
        });
        let d = Discretization::new(&system, 0.01, Method::FIRST_ORDER_HOLD).unwrap();
        let (mut x, mut next) = (DVector::zeros(n), DVector::zeros(n));
        let (mut u, mut out) = (DVector::from_element(1, 1.0), DVector::zeros(1));
        group.bench_function(format!("nalgebra_gemv/{n}"), |bencher| {
            bencher.iter(|| {
                next.gemv(1.0, d.exp(), &x, 0.0);
                next.gemv(1.0, d.input_matrix(0), &u, 1.0);
                u[0] = black_box(1.0);
                next.gemv(1.0, d.input_matrix(1), &u, 1.0);
                std::mem::swap(&mut x, &mut next);
                out.gemv(1.0, system.c(), &x, 0.0);
                black_box(&out);
            });
        });
    }
    group.finish();
}

/// The same system in modal coordinates, where a step costs O(n).
fn modal(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("modal");
    for n in [50, 200] {
        let modal = ModalForm::new(&system(n), 1e6).unwrap();
        let mut stepper = Stepper::new(modal.system(), 0.01, Method::FIRST_ORDER_HOLD).unwrap();
        assert!(stepper.is_block_diagonal());
        stepper.set_input(&[1.0]).unwrap();
        let mut y = [0.0];
        group.bench_function(format!("stepper/{n}"), |bencher| {
            bencher.iter(|| {
                stepper.step(black_box(&[1.0]), &mut y).unwrap();
                black_box(&y);
            });
        });
    }
    group.finish();
}

fn many(criterion: &mut Criterion) {
    let count = 64;
    let mut group = criterion.benchmark_group("many");
    group.throughput(criterion::Throughput::Elements(count as u64));
    for n in [50, 200] {
        let system = system(n);
        let d = Discretization::new(&system, 0.01, Method::FIRST_ORDER_HOLD).unwrap();
        let mut ensemble = Ensemble::new(&system, &d, count).unwrap();
        ensemble.set_history(&vec![1.0; count]).unwrap();
        let (u, mut y) = (vec![1.0; count], vec![0.0; count]);
        group.bench_function(format!("64_trajectories/{n}"), |bencher| {
            bencher.iter(|| {
                ensemble.step(black_box(&u), &mut y).unwrap();
                black_box(&y);
            });
        });
    }
    group.finish();
}

fn setup(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("g_matrices");
    for n in [4, 10, 50] {
        let system = system(n);
        group.bench_function(format!("G_0_to_G_3/{n}"), |bencher| {
            bencher.iter(|| GMatrices::new(black_box(system.a()), 0.01, 3).unwrap());
        });
    }
    group.finish();
}

criterion_group!(benches, single, modal, many, setup);
criterion_main!(benches);
