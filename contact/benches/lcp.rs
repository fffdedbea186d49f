//! Time of the default solver on random P matrices, on contact stacks of rank two thirds and on a membrane over an obstacle.

#[path = "../tests/support/families.rs"]
mod families;

use criterion::{Criterion, criterion_group, criterion_main};
use families::{Numbers, definite_skew, hidden_triangular, obstacle, planted, semidefinite, stack, symmetric_definite};
use fourbar_contact::{
    problem::Lcp,
    solution::Solution,
    solver::{Automatic, AutomaticWorkspace},
};

fn problems(n: usize) -> Vec<(&'static str, Lcp)> {
    let mut numbers = Numbers(21);
    let definite = symmetric_definite(&mut numbers, n);
    let skew = definite_skew(&mut numbers, n, 1.0);
    let mostly_skew = definite_skew(&mut Numbers(22), n, 10.0);
    let turning = definite_skew(&mut Numbers(24), n, (n as f64).sqrt());
    // With entries of one size below the diagonal the solution would grow a millionfold from pair 500 to pair 700.
    let mut triangular = hidden_triangular(&mut Numbers(26), n);
    let diagonal = triangular.diagonal();
    triangular *= 5.0 / (n as f64).sqrt();
    triangular.set_diagonal(&diagonal);
    let whirling = definite_skew(&mut Numbers(28), n, 100.0 * (n as f64).sqrt());
    let singular = semidefinite(&mut numbers, n, n * 2 / 3);
    vec![
        ("symmetric", planted(&mut numbers, definite, false).0),
        ("skew", planted(&mut numbers, skew, false).0),
        ("mostly_skew", planted(&mut Numbers(23), mostly_skew, false).0),
        ("turning", planted(&mut Numbers(25), turning, false).0),
        ("whirling", planted(&mut Numbers(29), whirling, false).0),
        ("triangular", planted(&mut Numbers(27), triangular, false).0),
        ("obstacle", obstacle((n as f64).sqrt() as usize)),
        ("two_thirds", planted(&mut numbers, singular, true).0),
        ("stack", stack(n / 3, |_| 1.0, &[-0.5, 0.0, 0.5])),
        ("heavy_on_light", stack(n / 3, |k| if 3 * k + 3 == n { 1000.0 } else { 1.0 }, &[-0.5, 0.0, 0.5])),
    ]
}

fn automatic(criterion: &mut Criterion) {
    for n in [24, 300, 999] {
        let mut group = criterion.benchmark_group(format!("lcp_{n}"));
        group.sample_size(10);
        for (name, lcp) in problems(n) {
            let (mut workspace, mut solution) = (AutomaticWorkspace::default(), Solution::default());
            group.bench_function(name, |bencher| {
                bencher.iter(|| Automatic::default().solve_into(&lcp, None, &mut workspace, &mut solution));
            });
            assert!(solution.solved(), "{name}, n = {n}: {}", solution.status);
        }
        group.finish();
    }
}

criterion_group!(benches, automatic);
criterion_main!(benches);
