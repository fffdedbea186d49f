//! Refactorization and solution of Newton matrices: `Calahan` beside faer's sparse LU, on the matrices that fourbar assembles for a
//! chain of 10 bodies and a ladder of about 50 in space. Each iteration factors the next of eight sets of values (bodies turned
//! by up to 0.05 rad) on the first set's pivots, with the pivot test, and solves once.

use criterion::{Criterion, criterion_group, criterion_main};
use faer::dyn_stack::{MemBuffer, MemStack};

use faer::sparse::linalg::lu::{LuSymbolicParams, NumericLu, SymbolicLu, factorize_symbolic_lu};
use faer::sparse::{SparseColMatRef, SymbolicSparseColMatRef};
use faer::{Conj, Mat, Par};
use fourbar::linalg::{Calahan, CalahanOptions, SparsityPattern};
use fourbar::multibody::Formulation;
use fourbar_benches::{NewtonMatrix, chain, ladder, newton_matrices};
use std::hint::black_box;

fn calahan(c: &mut Criterion, m: &NewtonMatrix) {
    let pattern =
        SparsityPattern::try_from_offsets_and_indices(m.n, m.n, m.offsets.clone(), m.rows.clone()).expect("a pattern");
    let mut lu = Calahan::new(&pattern, &m.values[0], &CalahanOptions::default()).expect("regular");
    let rhs: Vec<f64> = (0..m.n).map(|k| (k as f64 * 0.7).sin()).collect();
    let (mut b, mut set) = (rhs.clone(), 0);
    c.bench_function(&format!("{} n={} calahan", m.name, m.n), |bench| {
        bench.iter(|| {
            set = (set + 1) % m.values.len();
            let _ = lu.refactor(black_box(&m.values[set])).expect("regular");
            b.copy_from_slice(&rhs);
            lu.solve(&mut b);
            black_box(b[0])
        });
    });
    println!("    {:?}, {} multiply-adds", lu.statistics(), lu.multiply_adds());
}

fn faer_lu(c: &mut Criterion, m: &NewtonMatrix, supernodal: bool) {
    let symbolic = SymbolicSparseColMatRef::new_checked(m.n, m.n, &m.offsets, None, &m.rows);
    let threshold = if supernodal {
        faer::sparse::linalg::SupernodalThreshold::FORCE_SUPERNODAL
    } else {
        faer::sparse::linalg::SupernodalThreshold::FORCE_SIMPLICIAL
    };
    let params = LuSymbolicParams { supernodal_flop_ratio_threshold: threshold, ..Default::default() };
    let lu: SymbolicLu<usize> = factorize_symbolic_lu(symbolic, params).expect("a structurally regular matrix");
    let mut numeric = NumericLu::<usize, f64>::new();
    let factor = lu.factorize_numeric_lu_scratch::<f64>(Par::Seq, Default::default());
    let solve = lu.solve_in_place_scratch::<f64>(1, Par::Seq);
    let mut buffer = MemBuffer::new(factor.or(solve));
    let rhs: Vec<f64> = (0..m.n).map(|k| (k as f64 * 0.7).sin()).collect();
    let (mut b, mut set) = (Mat::<f64>::zeros(m.n, 1), 0);
    let kind = if supernodal { "supernodal" } else { "simplicial" };
    c.bench_function(&format!("{} n={} faer {kind}", m.name, m.n), |bench| {
        bench.iter(|| {
            set = (set + 1) % m.values.len();
            let matrix = SparseColMatRef::new(symbolic, black_box(&m.values[set]));
            let stack = MemStack::new(&mut buffer);
            let factors =
                lu.factorize_numeric_lu(&mut numeric, matrix, Par::Seq, stack, Default::default()).expect("regular");
            for (k, value) in rhs.iter().enumerate() {
                b[(k, 0)] = *value;
            }
            let stack = MemStack::new(&mut buffer);
            factors.solve_in_place_with_conj(Conj::No, b.as_mut(), Par::Seq, stack);
            black_box(b[(0, 0)])
        });
    });
}

fn matrices(c: &mut Criterion) {
    for formulation in [Formulation::Si2, Formulation::I3] {
        let name = formulation.name();
        for m in [
            newton_matrices(&format!("chain 10 {name}"), &chain(10), formulation, 0.05, 8),
            newton_matrices(&format!("ladder 49 {name}"), &ladder(24), formulation, 0.05, 8),
        ] {
            calahan(c, &m);
            faer_lu(c, &m, false);
            faer_lu(c, &m, true);
        }
    }
}

criterion_group!(benches, matrices);
criterion_main!(benches);
