//! Problems with friction: 24 contacts in reduced form; piles in global form, cold and from the impulses of the step before.
#![allow(missing_docs, reason = "criterion's macros generate undocumented functions")]

#[path = "../tests/piles/mod.rs"]
mod piles;

use std::hint::black_box;

use criterion::{Criterion, criterion_group, criterion_main};
use fourbar_contact::{
    friction::{Cone, Coulomb, GlobalCoulomb, GlobalSolution, GlobalWorkspace, Workspace},
    solution::Solution,
};
use fourbar_multibody::space::V3;
use piles::collection::{Kind, of_two_dozen};

fn reduced_form(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("24 contacts in reduced form");
    let heap = piles::heap(10, 24, |_| Cone::coulomb(0.5), 1.0, 7).reduced_form().expect("a problem");
    let stack = piles::columns(1, 6, 0.5, |_| 8.0, |_| V3::zeros()).reduced_form().expect("a problem");
    let kind = Kind { mu: 0.5, decades: 2.0, push: 0.3, seed: 0 };
    let families =
        of_two_dozen(kind).into_iter().map(|(name, problem)| (name, problem.reduced_form().expect("a problem")));
    for (name, problem) in [("heap of 10 bodies", heap), ("stack of 6 boxes", stack)].into_iter().chain(families) {
        let (mut workspace, mut solution) = (Workspace::default(), Solution::default());
        group.bench_function(name, |bencher| {
            bencher.iter(|| {
                Coulomb::default().solve_in(&problem, None, &mut workspace, &mut solution).expect("valid");
                assert!(solution.solved());
                black_box(solution.z[0])
            });
        });
    }
}

fn global_form(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("global form");
    let problems = [
        ("1000 boxes in columns of 10", piles::columns(100, 10, 0.5, |_| 8.0, |_| V3::zeros())),
        ("tower, top 100 times", piles::columns(1, 10, 0.5, |k| if k == 9 { 800.0 } else { 8.0 }, |_| V3::zeros())),
        ("wall of 15", piles::wall(15, 0.5, V3::zeros())),
    ];
    for (name, problem) in problems {
        let (solver, mut workspace) = (GlobalCoulomb::default(), GlobalWorkspace::default());
        group.bench_function(format!("{name}, cold"), |bencher| {
            bencher.iter(|| {
                let mut solution = GlobalSolution::default();
                solver.solve(&problem, &mut workspace, &mut solution).expect("valid");
                black_box(solution.residual)
            });
        });
        let mut solution = GlobalSolution::default();
        solver.solve(&problem, &mut workspace, &mut solution).expect("valid");
        group.bench_function(format!("{name}, warm"), |bencher| {
            bencher.iter(|| {
                solver.solve(&problem, &mut workspace, &mut solution).expect("valid");
                black_box(solution.residual)
            });
        });
    }
}

criterion_group!(benches, reduced_form, global_form);
criterion_main!(benches);
