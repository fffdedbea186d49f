//! Kernels on matrices like those of mechanisms: refactor + solve, ordering, rank.
#![allow(missing_docs, reason = "criterion's macros generate undocumented functions")]

#[path = "../tests/support/mod.rs"]
mod support;

use std::hint::black_box;

use criterion::{Criterion, criterion_group, criterion_main};
use fourbar_linalg::{Calahan, CalahanOptions, CscMatrix, Harwell, RankOptions};
use support::machine::{Machine, plane_ladder};

fn machines() -> [(&'static str, Machine); 3] {
    [
        ("chain of 10", Machine::chain(10, 1)),
        ("ladder of 48", Machine::ladder(16, 1)),
        ("chain of 1000", Machine::chain(1000, 1)),
    ]
}

fn calahan(matrix: &CscMatrix<f64>) -> Calahan {
    Calahan::new(matrix.pattern(), matrix.values(), &CalahanOptions::default()).expect("regular")
}

/// New values and one solve, pivot test included; the values change from call to call.
fn refactor_and_solve(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("refactor + solve");
    for (name, machine) in machines() {
        let mut lu = calahan(&machine.matrix(0.0, 0));
        let sets: Vec<_> = (1..9).map(|seed| machine.matrix(0.05, seed)).collect();
        let mut b = vec![0.0; machine.order()];
        let mut values = sets.iter().cycle();
        group.bench_function(name, |bencher| {
            bencher.iter(|| {
                let outcome = lu.refactor(values.next().expect("cycles").values());
                b.fill(1.0);
                lu.solve(&mut b);
                black_box((outcome, b[0]))
            });
        });
    }
}

fn ordering(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("ordering");
    group.sample_size(10);
    for (name, machine) in machines() {
        let matrix = machine.matrix(0.0, 0);
        group.bench_function(name, |bencher| bencher.iter(|| calahan(&matrix).multiply_adds()));
    }
}

fn rank(criterion: &mut Criterion) {
    let phi = plane_ladder(150, 1);
    criterion.bench_function("rank of 3000 rows", |bencher| {
        bencher.iter(|| Harwell::rank(&phi, &RankOptions::default()));
    });
}

criterion_group!(benches, refactor_and_solve, ordering, rank);
criterion_main!(benches);
