//! Entries of 1e-324 to 1e-20 beside real ones, as round-off leaves them in the Jacobians of mechanisms drawn along the axes: they change
//! neither whether a matrix is regular nor how well it is solved, and the backward error told is that of the solution.

use crate::support;

use fourbar_linalg::{Calahan, CalahanOptions, CscMatrix, CsrMatrix, Harwell, RankOptions};
use nalgebra::{DMatrix, DVector};
use nalgebra_sparse::CooMatrix;
use proptest::prelude::*;
use support::{Random, condition, index, random_matrix, random_vector};

/// A number whose logarithm is anywhere between those of 5e-324 and 1e-20.
fn negligible(random: &mut Random) -> f64 {
    (random.signed().signum() * 10f64.powf(-172.0 + 152.0 * random.signed())).clamp(-1e-20, 1e-20)
}

/// max_i |r_i| / (|A| |x| + |b|)_i (Oettli and Prager), each sum made with the error of every operation added back (Ogita, Rump, Oishi,
/// SIAM J. Sci. Comput. 26 (2005) 1955).
fn backward_error(matrix: &CsrMatrix<f64>, x: &[f64], b: &[f64]) -> f64 {
    let row = |i: usize| {
        let (mut sum, mut low, mut size) = (b[i], 0.0, b[i].abs());
        let row = matrix.row(i);
        for (&j, &a) in row.col_indices().iter().zip(row.values()) {
            let product = -a * x[j];
            let error = (-a).mul_add(x[j], -product);
            let next = sum + product;
            let back = next - sum;
            low += (sum - (next - back)) + (product - back) + error;
            (sum, size) = (next, size + product.abs());
        }
        if size == 0.0 { 0.0 } else { (sum + low).abs() / size }
    };
    (0..matrix.nrows()).map(row).fold(0.0, f64::max)
}

/// A chain of n blocks of order 3, each coupled with the next, its condition bounded whatever n; `noise` gives further entries.
fn chain(n: usize, random: &mut Random, mut noise: impl FnMut(&mut Random) -> f64) -> CsrMatrix<f64> {
    let order = 3 * n;
    let mut entries = CooMatrix::new(order, order);
    let mut columns: Vec<usize> = (0..order).collect();
    (1..order).rev().for_each(|i| columns.swap(i, index(i + 1, random)));
    for i in 0..order {
        entries.push(i, columns[i], random.signed().signum() * (2.0 + random.signed()));
        for k in 1..=3 {
            if i + k < order {
                entries.push(i, columns[i + k], 0.2 * random.signed());
            }
        }
        for _ in 0..6 {
            let near = (i + index(12, random)).saturating_sub(6).min(order - 1);
            entries.push(i, columns[near], noise(random));
        }
    }
    CsrMatrix::from(&entries)
}

fn calahan(matrix: &CscMatrix<f64>) -> Result<Calahan, fourbar_linalg::Error> {
    Calahan::new(matrix.pattern(), matrix.values(), &CalahanOptions::default())
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..Default::default() })]

    /// Regular matrices of known condition, in any units, with round-off anywhere: solved to the backward error that is accepted without refinement,
    /// times n kappa.
    #[test]
    fn regular_matrices_stay_regular(n in 1..25usize, density in 0.0..1.0, noise in 0.0..1.0, seed in any::<u64>()) {
        let mut random = Random(seed);
        let matrix = random_matrix(n, density, &mut random);
        let kappa = condition(&matrix);
        let noisy = matrix.map(|v| if v == 0.0 && random.signed() < 2.0 * noise - 1.0 { negligible(&mut random) } else { v });
        let unit = |random: &mut Random| DVector::from_fn(n, |_, _| 2f64.powi((20.0 * random.signed()) as i32));
        let (r, c) = (unit(&mut random), unit(&mut random));
        let scaled = CscMatrix::from(&DMatrix::from_fn(n, n, |i, j| noisy[(i, j)] * r[i] * c[j]));
        let x0 = random_vector(n, &mut random);
        let b = (&matrix * &x0).component_mul(&r);
        let mut x = DVector::zeros(n);
        calahan(&scaled)?.solve_checked(scaled.values(), b.as_slice(), x.as_mut_slice())?;
        let error = (x.component_mul(&c) - &x0).norm();
        let limit = n as f64 * CalahanOptions::default().refine_above * kappa * x0.norm();
        prop_assert!(error <= limit, "{error:e} > {limit:e}, condition {kappa:e}");
    }

    /// Long chains: the backward error told is that of Oettli and Prager, and small.
    #[test]
    fn the_backward_error_told_is_true(n in 2..150usize, seed in any::<u64>()) {
        let mut random = Random(seed);
        let matrix = chain(n, &mut random, negligible);
        let columns = CscMatrix::from(&matrix);
        let b = random_vector(3 * n, &mut random);
        let mut x = vec![0.0; 3 * n];
        let refined_above = CalahanOptions::default().refine_above;
        let solved = calahan(&columns)?.solve_checked(columns.values(), b.as_slice(), &mut x)?;
        let error = backward_error(&matrix, &x, b.as_slice());
        prop_assert!(error <= refined_above && !solved.fresh_pivoting, "{error:e} {solved:?}");
        prop_assert!((solved.backward_error - error).abs() <= 8.0 * f64::EPSILON, "{error:e} {solved:?}");
    }

    /// A solution that is wrong by a known part is told to be: nothing is forgiven because of the round-off of zeros in the matrix.
    #[test]
    fn aged_factors_are_found_out(n in 2..150usize, off in -7.0..-1.0, seed in any::<u64>()) {
        let mut random = Random(seed);
        let matrix = chain(n, &mut random, negligible);
        let columns = CscMatrix::from(&matrix);
        let options = CalahanOptions { refine_above: 1.0, repivot_above: 1.0, refuse_above: 1.0, ..Default::default() };
        let mut lu = Calahan::new(columns.pattern(), columns.values(), &options)?;
        // The factors are those of the first values, the equations those of the second.
        let moved: Vec<f64> = columns.values().iter().map(|v| v * (1.0 + 10f64.powf(off) * random.signed())).collect();
        let b = random_vector(3 * n, &mut random);
        let mut x = vec![0.0; 3 * n];
        let solved = lu.solve_checked(&moved, b.as_slice(), &mut x)?;
        let moved = CscMatrix::try_from_pattern_and_values(columns.pattern().clone(), moved).expect("same pattern");
        let error = backward_error(&CsrMatrix::from(&moved), &x, b.as_slice());
        prop_assert!((0.5 * error..=2.0 * error).contains(&solved.backward_error), "{error:e} {solved:?}");
    }

    /// The rank is that of the real entries.
    #[test]
    fn rank_is_that_of_the_real_entries(m in 1..20usize, n in 1..20usize, part in 0.0..=1.0, seed in any::<u64>()) {
        let mut random = Random(seed);
        let r = (part * m.min(n) as f64) as usize;
        let basis = random_matrix(n.max(m), 0.3, &mut random);
        let mut matrix = basis.view((0, 0), (m, n)).into_owned();
        for i in r..m {
            let row = if r == 0 { matrix.row(i) * 0.0 } else { matrix.row(index(r, &mut random)) * random.signed() };
            matrix.set_row(i, &row);
        }
        let values = matrix.singular_values();
        prop_assume!(values.iter().all(|&v| v <= 1e-12 * values.max() || v > 1e-6 * values.max()));
        // A row of nothing but round-off would be a row in small units, so only rows and columns with a real entry get any.
        let real = |i: usize, j: usize| matrix.row(i).amax() > 0.0 && matrix.column(j).amax() > 0.0;
        let noisy = DMatrix::from_fn(m, n, |i, j| {
            if matrix[(i, j)] == 0.0 && real(i, j) && random.signed() < 0.0 { negligible(&mut random) } else { matrix[(i, j)] }
        });
        let rank = |matrix: &DMatrix<f64>| Harwell::rank(&CsrMatrix::from(matrix), &RankOptions::default());
        prop_assert_eq!(rank(&noisy)?.rank, rank(&matrix)?.rank);
    }
}
