//! Poles of any matrix: against closed forms, and as what makes A - lambda I singular to round-off.

use fourbar_lti::{Error, StateSpace};
use nalgebra::{Complex, DMatrix, dmatrix};
use proptest::prelude::*;

fn poles(a: &DMatrix<f64>) -> Result<Vec<Complex<f64>>, Error> {
    StateSpace::with_state_outputs(a.clone(), DMatrix::zeros(a.nrows(), 0)).unwrap().poles()
}

/// Each of `expected` once among `found`, to a part of its own size.
fn match_all(found: &[Complex<f64>], expected: &[Complex<f64>], tolerance: f64) {
    let mut left = found.to_vec();
    assert_eq!(left.len(), expected.len());
    for value in expected {
        let distance = |pole: &Complex<f64>| {
            (pole / value.norm().max(f64::MIN_POSITIVE) - value / value.norm().max(f64::MIN_POSITIVE)).norm()
        };
        let at = (0..left.len()).min_by(|i, j| distance(&left[*i]).total_cmp(&distance(&left[*j]))).unwrap();
        assert!(distance(&left[at]) < tolerance, "{value}: {found:?}");
        left.remove(at);
    }
}

fn smallest_singular_value(m: DMatrix<Complex<f64>>) -> f64 {
    m.singular_values().min()
}

#[test]
fn roots_of_unity_of_cyclic_permutations() {
    for n in [2usize, 3, 4, 5, 8, 16, 31, 64] {
        for size in [1.0, 1e-300, 1e300] {
            let cycle = DMatrix::from_fn(n, n, |i, j| if (i + 1) % n == j { size } else { 0.0 });
            let roots: Vec<_> =
                (0..n).map(|k| Complex::from_polar(size, std::f64::consts::TAU * k as f64 / n as f64)).collect();
            match_all(&poles(&cycle).unwrap(), &roots, 1e-13);
        }
    }
}

#[test]
fn triangular_and_defective_matrices_have_what_is_on_their_diagonals() {
    let real = |x: f64| Complex::new(x, 0.0);
    for n in [1usize, 3, 48, 300] {
        assert_eq!(poles(&DMatrix::zeros(n, n)).unwrap(), vec![real(0.0); n]);
        let jordan = DMatrix::from_fn(n, n, |i, j| if i == j { -2.5 } else { f64::from(u8::from(j == i + 1)) });
        assert_eq!(poles(&jordan).unwrap(), vec![real(-2.5); n]);
        assert_eq!(poles(&jordan.transpose()).unwrap(), vec![real(-2.5); n]);
    }
    // Rows and columns in another order, an oscillator in front of it.
    let mixed = dmatrix![
        -1.0, 0.0, 0.0, 7.0;
        5.0, 0.0, 3.0, 0.0;
        2.0, -3.0, 0.0, 1e200;
        0.0, 0.0, 0.0, -1e-200];
    let found = poles(&mixed).unwrap();
    assert_eq!(found, [Complex::new(0.0, 3.0), Complex::new(0.0, -3.0), real(-1e-200), real(-1.0)]);
    assert!(poles(&DMatrix::zeros(0, 0)).unwrap().is_empty());
    // A Jordan block that is not triangular: eigenvalues to the root of round-off, as no method can do better.
    let turned = dmatrix![1.0, 1.0; -1.0, 3.0];
    assert!(poles(&turned).unwrap().iter().all(|pole| (pole - 2.0).norm() < 1e-7));
}

#[test]
fn ends_of_the_range() {
    for size in [1e-320, 1e-300, 1.0, 1e307] {
        let found = poles(&dmatrix![-size, size; -size, -size]).unwrap();
        match_all(&found, &[Complex::new(-size, size), Complex::new(-size, -size)], 1e-13);
    }
    let huge = poles(&DMatrix::from_element(2, 2, f64::MAX));
    assert!(matches!(huge, Err(Error::Overflow { .. })), "{huge:?}");
    let both = poles(&dmatrix![0.0, 1e308; 1e-308, 0.0]).unwrap();
    match_all(&both, &[Complex::new(1.0, 0.0), Complex::new(-1.0, 0.0)], 1e-15);
}

/// Fast and slow, coupled: the slow pole is right to its own size, as units that balance the matrix let it.
#[test]
fn units_of_atoms_and_galaxies() {
    let plain = dmatrix![-50.0, 3.0, 0.0; 20.0, -1e3, 7e1; 0.0, 1.0, -0.25];
    let expected = poles(&plain).unwrap();
    for far in [20, 140, 465] {
        let power = [far, 0, -far].map(|e: i32| 2f64.powi(e));
        let scaled = DMatrix::from_fn(3, 3, |i, j| plain[(i, j)] * power[j] / power[i]);
        match_all(&poles(&scaled).unwrap(), &expected, 1e-13);
    }
}

/// Heat conduction along a rod of any units: 4 k sin^2(m pi / (2 (n + 1))).
#[test]
fn many_states() {
    let n = 400;
    let unit = |i: usize| 2f64.powi((i * 37 % 200) as i32 - 100);
    let a = DMatrix::from_fn(n, n, |i, j| match i.abs_diff(j) {
        0 => -2.0,
        1 => unit(j) / unit(i),
        _ => 0.0,
    });
    let found = poles(&a).unwrap();
    for (m, pole) in found.iter().enumerate() {
        let exact = -4.0 * (std::f64::consts::PI * (m + 1) as f64 / (2 * (n + 1)) as f64).sin().powi(2);
        assert!(pole.im == 0.0 && (pole.re - exact).abs() < 1e-12, "{m}: {pole} {exact}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, ..ProptestConfig::default() })]

    #[test]
    fn every_pole_makes_the_matrix_singular(
        n in 1..14usize,
        entries in prop::collection::vec((-1.0..1.0f64, 0.0..1.0f64, -6..6i32), 14 * 14),
        sparsity in 0.0..0.9f64,
        spread in 0..3i32,
        size in -300..300i32,
        whole in any::<bool>(),
    ) {
        let unscaled = DMatrix::from_fn(n, n, |i, j| {
            let (value, chance, power) = entries[i * 14 + j];
            let value = if whole { (3.0 * value).round() } else { value };
            if chance < sparsity { 0.0 } else { value * 10f64.powi(power * spread) }
        });
        // 2^size times the matrix has 2^size times its poles, exactly.
        let found = poles(&(&unscaled * 2f64.powi(size))).unwrap();
        prop_assert_eq!(found.len(), n);
        let found: Vec<Complex<f64>> = found.into_iter().map(|pole| pole * 2f64.powi(-size)).collect();
        let norm = unscaled.norm();
        for pole in &found {
            let shifted = DMatrix::from_fn(n, n, |i, j| {
                Complex::new(unscaled[(i, j)], 0.0) - if i == j { *pole } else { Complex::ZERO }
            });
            prop_assert!(smallest_singular_value(shifted) <= 50.0 * n as f64 * f64::EPSILON * norm, "{pole} of {unscaled}");
        }
        let sum: Complex<f64> = found.iter().sum();
        prop_assert!((sum.re - unscaled.trace()).abs() <= 50.0 * n as f64 * f64::EPSILON * norm);
        for (k, pole) in found.iter().enumerate() {
            prop_assert!(k == 0 || found[k - 1].re >= pole.re);
            prop_assert!(pole.im <= 0.0 || found[k + 1] == pole.conj(), "{found:?}");
        }
    }
}

/// Real parts of all poles in rising order, each of a pair once.
fn sorted(a: &DMatrix<f64>) -> Vec<f64> {
    let found = poles(a).unwrap();
    let mut all: Vec<f64> = found.iter().map(|pole| pole.re).collect();
    assert!(found.iter().all(|pole| pole.im.abs() <= 1e-12 * a.norm()), "{found:?}");
    all.sort_by(f64::total_cmp);
    all
}

/// Eigenvalues that repeat: walls around a room, heat on squares.
#[test]
fn repeated_eigenvalues_converge() {
    for n in 3..40 {
        let star = DMatrix::from_fn(n, n, |i, j| match (i, j) {
            (0, _) | (_, 0) => 1.0,
            _ if i == j => -1.0,
            _ => 0.0,
        });
        let root = (1.0 + (n - 1) as f64).sqrt();
        let mut expected = vec![-1.0; n - 2];
        expected.extend([root, -root]);
        expected.sort_by(f64::total_cmp);
        let found = sorted(&star);
        assert!(found.iter().zip(&expected).all(|(a, b)| (a - b).abs() < 1e-13 * n as f64), "{n}: {found:?}");
    }
    for side in [3usize, 7, 10, 16, 20] {
        let near = |a: usize, b: usize| a.abs_diff(b) == 1;
        let heat = DMatrix::from_fn(side * side, side * side, |p, q| {
            let ([i, j], [k, l]) = ([p / side, p % side], [q / side, q % side]);
            if p == q { -4.0 } else { f64::from(u8::from((i == k && near(j, l)) || (j == l && near(i, k)))) }
        });
        let mode = |k: usize| 2.0 * (std::f64::consts::PI * (k + 1) as f64 / (side + 1) as f64).cos() - 2.0;
        let mut expected: Vec<f64> = (0..side * side).map(|p| mode(p / side) + mode(p % side)).collect();
        expected.sort_by(f64::total_cmp);
        let found = sorted(&heat);
        assert!(found.iter().zip(&expected).all(|(a, b)| (a - b).abs() < 1e-12 * side as f64), "{side}");
    }
}

proptest! {
    /// Symmetric matrices with few eigenvalues, each many times.
    #[test]
    fn few_eigenvalues_many_times(
        n in 3usize..30, picks in prop::collection::vec(0usize..3, 30), values in prop::collection::vec(-3.0..3.0_f64, 3),
        mirrors in prop::collection::vec(-1.0..1.0_f64, 90), sizes in prop::sample::select(vec![1e-9, 1.0, 1e9]),
    ) {
        let mut a = DMatrix::from_fn(n, n, |i, j| if i == j { sizes * values[picks[i]] } else { 0.0 });
        for mirror in mirrors.chunks_exact(30) {
            let v = nalgebra::DVector::from_fn(n, |i, _| mirror[i]);
            let p = DMatrix::identity(n, n) - 2.0 / v.norm_squared() * &v * v.transpose();
            a = &p * a * &p;
        }
        a = 0.5 * (&a + a.transpose());
        let mut expected: Vec<f64> = (0..n).map(|i| sizes * values[picks[i]]).collect();
        expected.sort_by(f64::total_cmp);
        let found = sorted(&a);
        prop_assert!(found.iter().zip(&expected).all(|(a, b)| (a - b).abs() < 1e-12 * sizes), "{found:?} {expected:?}");
    }
}
