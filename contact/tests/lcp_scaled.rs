//! What is called solved or infeasible is so, in whatever units rows and columns stand: small problems whose supports are all solved in twice
//! the digits of double precision.

use crate::support::families;
use crate::support::twofold;
use families::{Numbers, definite_skew, planted, semidefinite, symmetric_definite};
use fourbar_contact::{
    problem::Lcp,
    solution::Status,
    solver::{Automatic, Enumeration, Lemke, Method},
};
use nalgebra::{DMatrix, DVector};
use proptest::prelude::*;
use twofold::{natural_error, supports};

/// A problem of up to six pairs: definite, skew, semidefinite, small integers (often degenerate or singular), of no class.
fn problem(seed: u64, n: usize, kind: usize) -> Lcp {
    let mut numbers = Numbers(seed);
    let m = match kind {
        0 => symmetric_definite(&mut numbers, n),
        1 => definite_skew(&mut numbers, n, 2.0),
        2 => semidefinite(&mut numbers, n, n.div_ceil(2)),
        3 => DMatrix::from_fn(n, n, |_, _| numbers.below(7) as f64 - 3.0),
        _ => numbers.matrix(n, n),
    };
    if kind < 3 || numbers.below(2) == 0 {
        planted(&mut numbers, m, true).0
    } else {
        Lcp::new(m, DVector::from_fn(n, |_, _| numbers.below(7) as f64 - 3.0)).unwrap()
    }
}

/// Rows and columns in units that are powers of two, so that the problem stays the same to the last bit; and the units of z.
fn in_other_units(lcp: &Lcp, seed: u64, [row_bits, column_bits]: [i32; 2]) -> (Lcp, Vec<f64>) {
    let mut numbers = Numbers(seed);
    let n = lcp.len();
    let mut unit = |bits: i32| f64::from((f64::from(bits) * numbers.signed()) as i32).exp2();
    let (rows, columns): (Vec<f64>, Vec<f64>) = (0..n).map(|_| (unit(row_bits), unit(column_bits))).unzip();
    let m = DMatrix::from_fn(n, n, |i, j| lcp.m()[(i, j)] * rows[i] * columns[j]);
    (Lcp::new(m, DVector::from_fn(n, |i, _| lcp.q()[i] * rows[i])).unwrap(), columns)
}

/// Powers of two by which units of rows and columns go up or down.
const UNITS: &[[i32; 2]] = &[[0, 0], [10, 10], [20, 20], [40, 0], [0, 40]];

proptest! {
    #![proptest_config(ProptestConfig::with_cases(3000))]

    /// Entries up to 2^40, 1e12, either way.
    #[test]
    fn claims_hold_in_any_unit(
        (seed, units) in any::<(u64, u64)>(), n in 1..7_usize, kind in 0..5_usize, bits in prop::sample::select(UNITS)
    ) {
        let original = problem(seed, n, kind);
        let (lcp, columns) = in_other_units(&original, units, bits);
        let solution = Automatic::default().solve(&lcp);
        let z: Vec<f64> = solution.z.iter().zip(&columns).map(|(z, c)| z * c).collect();
        let known = supports(&original);
        match solution.status {
            Status::Solved => {
                let error = natural_error(&original, &z);
                prop_assert!(error <= 1e-8, "{error:e} {:?} {:?}", solution.residual, original);
            }
            Status::Infeasible => {
                prop_assert!(known.solutions.is_empty(), "{:?} has {:?}", original, known.solutions);
                let y = &solution.certificate;
                prop_assert!(y.iter().all(|y| *y >= 0.0) && y.iter().zip(lcp.q()).map(|(y, q)| y * q).sum::<f64>() < 0.0);
            }
            _ => prop_assert!(known.solutions.is_empty(), "{} {:?} has {:?}", solution.status, original, known.solutions),
        }
    }

    /// Entries of any size between 1e-12 and 1e12, in no order that units could explain: nothing solvable is called infeasible, and what
    /// the methods on their own call solved misses the problem by what they say.
    #[test]
    fn entries_of_any_size(seed in any::<u64>(), n in 1..7_usize) {
        let mut numbers = Numbers(seed);
        let m = DMatrix::from_fn(n, n, |_, _| numbers.signed() * 10f64.powf(12.0 * numbers.signed()));
        let lcp = Lcp::new(m, DVector::from_fn(n, |_, _| numbers.signed() * 10f64.powf(6.0 * numbers.signed()))).unwrap();
        let known = supports(&lcp);
        for solution in [Automatic::default().solve(&lcp), Lemke::default().solve(&lcp), Enumeration::default().solve(&lcp)] {
            prop_assert_eq!(solution.solved(), solution.residual.within(1e-10));
            prop_assert_eq!(solution.residual, lcp.residual(&solution.z));
            prop_assert!(solution.z.iter().all(|z| *z >= 0.0) || !solution.solved());
            prop_assert!(solution.status != Status::Infeasible || known.solutions.is_empty(), "{:?}", known.solutions);
        }
    }
}

/// Flips ended at z = 1e10 along a direction that M forgets, with a w whose round-off was 0 and which is 1e-7.
#[test]
fn what_round_off_hides_is_seen() {
    let m = nalgebra::dmatrix![-3.0, 3.0, -2.0; 3.0, -3.0, 0.0; 1.0, -1.0, 0.0];
    let q = nalgebra::dvector![2.7035458541459017, -2.7035458541459017, -0.004675238022952444];
    let lcp = Lcp::new(m, q).unwrap();
    assert!(lcp.residual(&[11654581811.529757, 11654581810.628574, 0.0]).natural > 1e-8);
    let solution = Automatic::default().solve(&lcp);
    assert!(!solution.solved() || natural_error(&lcp, &solution.z) <= 1e-8, "{solution:?}");
}

/// Two rows that share no variable, in units 1e13 apart: the small one was taken for round-off, and z = 0 for the solution of a problem that
/// has none.
#[test]
fn rows_apart_have_units_apart() {
    for unit in [1.0, 1.8189894035458565e-12, 1e-200] {
        let m = nalgebra::dmatrix![0.0, 48.0; unit, 0.0];
        let lcp = Lcp::new(m, nalgebra::dvector![16.0, -2.0 * unit]).unwrap();
        assert!(lcp.residual(&[0.0, 0.0]).natural > 0.1, "{unit}");
        assert_ne!(Automatic::default().solve(&lcp).status, Status::Solved, "{unit}");
    }
}

/// Two parts whose constants are `small` apart, the second reached by the first through entries of round-off.
fn parts(numbers: &mut Numbers, second: &DMatrix<f64>, touch: &DMatrix<f64>, q: &DVector<f64>) -> (Lcp, DVector<f64>) {
    let first = symmetric_definite(numbers, touch.ncols());
    let (first, z) = planted(numbers, first, false);
    let (a, b) = (first.len(), second.nrows());
    let m = DMatrix::from_fn(a + b, a + b, |i, j| match (i < a, j < a) {
        (true, true) => first.m()[(i, j)],
        (false, false) => second[(i - a, j - a)],
        (false, true) => touch[(i - a, j)],
        (true, false) => 0.0,
    });
    let q = DVector::from_fn(a + b, |i, _| if i < a { first.q()[i] } else { q[i - a] });
    (Lcp::new(m, q).unwrap(), z)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    /// A small part without a solution, which y = (0, 1, 1) proves, beside a large one that has one: entries of round-off between them made them one, and
    /// what the small one missed round-off of the large.
    #[test]
    fn a_small_part_is_judged_by_itself(seed in any::<u64>(), n in 1..5_usize, decades in 6.0..14.0_f64, touch in 13.5..19.0_f64) {
        let mut numbers = Numbers(seed);
        let small = 10f64.powf(-decades);
        let entries = DVector::from_fn(n, |_, _| numbers.signed() * 10f64.powf(-touch));
        let touch = DMatrix::from_fn(2, n, |i, j| if i == 0 { entries[j] } else { -entries[j] });
        let second = nalgebra::dmatrix![1.0, -1.0; -1.0, 1.0];
        let q = nalgebra::dvector![-small * (1.0 + numbers.signed().abs()), -small];
        let (lcp, _) = parts(&mut numbers, &second, &touch, &q);
        let solution = Automatic::default().solve(&lcp);
        prop_assert_ne!(solution.status, Status::Solved, "{:?}", solution.residual);
        prop_assert!(lcp.residual(&solution.z).natural > 1e-6, "{:?}", solution.residual);
    }

    /// The same with a solution, which is planted: known to its own digits, not to those of the large one.
    #[test]
    fn a_small_part_is_solved_to_its_digits(seed in any::<u64>(), n in 1..5_usize, decades in 6.0..14.0_f64, touch in 13.5..19.0_f64) {
        let mut numbers = Numbers(seed);
        let small = 10f64.powf(-decades);
        let touch = DMatrix::from_fn(2, n, |_, _| numbers.signed() * 10f64.powf(-touch));
        let second = nalgebra::dmatrix![2.0, 1.0; 1.0, 3.0];
        let planted = DVector::from_fn(2, |_, _| small * (0.5 + numbers.signed().abs()));
        let mut twin = Numbers(numbers.0);
        let (_, z) = parts(&mut twin, &second, &touch, &DVector::zeros(2));
        let q = -(&second * &planted) - &touch * &z;
        let (lcp, _) = parts(&mut numbers, &second, &touch, &q);
        let solution = Automatic::default().solve(&lcp);
        prop_assert!(solution.solved(), "{} {:?}", solution.status, solution.residual);
        // What the constants of the small one are known to, beside what the large one brings.
        let known = small.max((&touch * &z).amax());
        for k in 0..2 {
            prop_assert!((solution.z[n + k] - planted[k]).abs() <= 1e-8 * known, "{} {}", solution.z[n + k], planted[k]);
        }
    }
}
