//! `Kkt`: the saddle-point system against its own equations.

use crate::support;

use fourbar_linalg::{CscMatrix, CsrMatrix, Error, Kkt};
use nalgebra::{DMatrix, DVector};
use support::{Random, machine::Machine, random_vector};

/// Largest entry of M x + Phi^T y - top and Phi x - bottom.
fn defect(mass: &CscMatrix<f64>, phi: &CsrMatrix<f64>, [x, y, top, bottom]: [&DVector<f64>; 4]) -> f64 {
    let (mass, phi) = (DMatrix::from(mass), DMatrix::from(phi));
    let first = &mass * x + phi.transpose() * y - top;
    let second = &phi * x - bottom;
    first.amax().max(second.amax())
}

#[test]
fn accelerations_and_multipliers_satisfy_both_equations() {
    for machine in [Machine::chain(10, 1), Machine::ladder(4, 2)] {
        let (mass, phi) = machine.kkt(0.0, 0);
        let mut kkt = Kkt::new(&mass, &phi).unwrap();
        for seed in 0..10 {
            let (mass, phi) = machine.kkt(1.0, seed);
            let _ = kkt.refactor(mass.values(), phi.values()).unwrap();
            let mut random = Random(seed);
            let (top, bottom) = (random_vector(mass.ncols(), &mut random), random_vector(phi.nrows(), &mut random));
            let (mut x, mut y) = (top.clone(), bottom.clone());
            let solved = kkt.solve(x.as_mut_slice(), y.as_mut_slice()).unwrap();
            let size = x.amax().max(y.amax()).max(1.0);
            let defect = defect(&mass, &phi, [&x, &y, &top, &bottom]);
            assert!(solved.backward_error <= 1e-10 && defect <= 1e-9 * size, "{solved:?} {defect:e}");
        }
    }
}

/// min |x - a|^2 / 2 under c . x = 1: x = a + c (1 - c . a) / |c|^2, multiplier -(1 - c . a) / |c|^2.
#[test]
fn minimum_norm_correction() {
    let (a, c) = (DVector::from_vec(vec![1.0, -2.0, 0.5]), DVector::from_vec(vec![3.0, 1.0, 2.0]));
    let phi = CsrMatrix::from(&DMatrix::from_row_slice(1, 3, c.as_slice()));
    let mut kkt = Kkt::new(&CscMatrix::identity(3), &phi).unwrap();
    let (mut x, mut y) = (a.clone(), [1.0]);
    kkt.solve(x.as_mut_slice(), &mut y).unwrap();
    let step = (1.0 - c.dot(&a)) / c.norm_squared();
    assert!((x - (a + step * c)).amax() < 1e-15 && (y[0] + step).abs() < 1e-15);
}

#[test]
fn a_free_mechanism_has_no_constraints() {
    let mut kkt = Kkt::new(&CscMatrix::identity(2), &CsrMatrix::zeros(0, 2)).unwrap();
    let mut x = [3.0, 4.0];
    kkt.solve(&mut x, &mut []).unwrap();
    assert_eq!(x, [3.0, 4.0]);
}

/// The pivots of one system serve another of the same pattern, and of no other.
#[test]
fn a_copy_takes_the_values_of_another_system_of_its_pattern() {
    let of = |machine: Machine, seed| machine.kkt(1.0, seed);
    let (mass, phi) = of(Machine::ladder(4, 2), 1);
    let kkt = Kkt::new(&mass, &phi).unwrap();
    let (other_mass, other_phi) = of(Machine::ladder(4, 2), 2);
    assert!(kkt.suits(&mass, &phi) && kkt.suits(&other_mass, &other_phi));
    let mut copy = kkt.clone();
    let _ = copy.refactor(other_mass.values(), other_phi.values()).unwrap();
    let (mut top, mut bottom) = (vec![1.0; mass.ncols()], vec![2.0; phi.nrows()]);
    assert!(copy.solve(&mut top, &mut bottom).unwrap().backward_error <= 1e-10);
    let (mass, phi) = of(Machine::chain(10, 1), 1);
    assert!(!kkt.suits(&mass, &phi));
    // The same numbers of rows, columns and entries.
    let row = |entries: &[f64]| CsrMatrix::from(&DMatrix::from_row_slice(1, 2, entries));
    let kkt = Kkt::new(&CscMatrix::identity(2), &row(&[1.0, 0.0])).unwrap();
    assert!(kkt.suits(&CscMatrix::identity(2), &row(&[2.0, 0.0])));
    assert!(!kkt.suits(&CscMatrix::identity(2), &row(&[0.0, 1.0])));
}

#[test]
fn bad_arguments_are_named() {
    let (mass, phi) = (CscMatrix::identity(2), CsrMatrix::from(&DMatrix::from_row_slice(1, 2, &[1.0, 1.0])));
    assert!(matches!(Kkt::new(&CscMatrix::zeros(2, 3), &phi), Err(Error::NotSquare { .. })));
    assert!(matches!(Kkt::new(&CscMatrix::identity(3), &phi), Err(Error::Length { .. })));
    let twice = CsrMatrix::from(&DMatrix::from_row_slice(2, 2, &[1.0, 1.0, 2.0, 2.0]));
    assert!(matches!(Kkt::new(&mass, &twice), Err(Error::Singular { .. })), "redundant rows");
    let mut kkt = Kkt::new(&mass, &phi).unwrap();
    assert!(matches!(kkt.refactor(&[1.0], &[1.0, 1.0]), Err(Error::Length { .. })));
    assert!(matches!(kkt.refactor(&[1.0, f64::NAN], &[1.0, 1.0]), Err(Error::NotFinite { .. })));
    let _ = kkt.refactor(&[1.0, 1.0], &[1.0, 1.0]).unwrap();
    assert!(matches!(kkt.solve(&mut [1.0], &mut [1.0]), Err(Error::Length { .. })));
    assert!(matches!(kkt.solve(&mut [1.0, f64::NAN], &mut [1.0]), Err(Error::NotFiniteVector { .. })));
}
