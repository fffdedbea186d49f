//! Krylov projections where they are hard: transport, rings, matrices far from normal, numbers at the ends of the range.

use fourbar_lti::{Error, GMatrices, KrylovOptions, PolynomialKrylov, Propagator, RationalKrylov};
use nalgebra::{DMatrix, DVector};
use nalgebra_sparse::CscMatrix;
use proptest::prelude::*;

/// e^{AT} x + sum_j G_j f_j by dense matrices.
fn dense(a: &DMatrix<f64>, step: f64, x: &[f64], forcing: &[f64]) -> DVector<f64> {
    let n = x.len();
    let terms: Vec<_> = forcing.chunks_exact(n).map(DVector::from_column_slice).collect();
    let g = GMatrices::new(a, step, terms.len().max(1) - 1).unwrap();
    let start = g.exp() * DVector::from_column_slice(x);
    terms.iter().enumerate().fold(start, |sum, (j, f)| sum + g.g(j) * f)
}
/// Diffusion, transport and reaction with coefficients that vary from point to point: not normal, not symmetric.
fn transport(n: usize, diffusion: f64, speed: f64, reaction: &[f64]) -> DMatrix<f64> {
    let (d, v) = (diffusion * (n * n) as f64, speed * n as f64);
    DMatrix::from_fn(n, n, |i, j| match i.abs_diff(j) {
        0 => -2.0 * d - v.abs() + reaction[i % reaction.len()],
        1 if (i > j) == (v > 0.0) => d + v.abs(),
        1 => d,
        _ => 0.0,
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    /// The error stays below the tolerance, from rough to fine.
    #[test]
    fn tolerances_are_kept(
        reaction in prop::collection::vec(-5.0..1.0f64, 7),
        x in prop::collection::vec(-1.0..1.0f64, 40),
        forcing in prop::collection::vec(-1.0..1.0f64, 80),
        terms in 0usize..3,
        (diffusion, speed) in prop_oneof![Just((1.0, 0.0)), Just((0.1, 3.0)), Just((0.01, -20.0)), Just((1e-4, 5.0))],
        exponent in 3..12i32,
        step in prop_oneof![Just(1e-3), Just(0.02), Just(0.3)],
    ) {
        let n = 40;
        let a = transport(n, diffusion, speed, &reaction);
        let forcing = &forcing[..n * terms];
        let exact = dense(&a, step, &x, forcing);
        let options = KrylovOptions { tolerance: 10f64.powi(-exponent), ..Default::default() };
        let size = DVector::from_column_slice(&x).norm() + step * DVector::from_column_slice(forcing).norm();
        let error = |propagator: &mut dyn Propagator| {
            let mut x = x.clone();
            let effort = propagator.advance(step, &mut x, forcing).unwrap();
            ((DVector::from_vec(x) - &exact).norm() / size, effort)
        };
        let (polynomial, effort) = error(&mut PolynomialKrylov::new(&a, &options).unwrap());
        prop_assert!(polynomial < options.tolerance, "polynomial {polynomial:e} {effort:?}");
        let (rational, effort) = error(&mut RationalKrylov::new(&CscMatrix::from(&a), &options).unwrap());
        prop_assert!(rational < options.tolerance, "rational {rational:e} {effort:?}");
    }
}

/// Rings of cells, whose elimination has no end to begin at: the solution against Fourier modes, which decay and turn at known rates.
#[test]
fn rational_projection_on_rings() {
    for (n, back, ahead, step) in [
        (100usize, 1e4, 1e4, 0.01),
        (10_000, 1e4, 1e4, 0.01),
        (60, 10.0, 0.0, 0.5),
        (200, 10.0, 0.0, 0.1),
        (1000, 12.0, 2.0, 0.2),
    ] {
        let mut entries = nalgebra_sparse::CooMatrix::new(n, n);
        for i in 0..n {
            entries.push(i, i, -back - ahead);
            entries.push(i, (i + n - 1) % n, back);
            entries.push(i, (i + 1) % n, ahead);
        }
        let a = CscMatrix::from(&entries);
        // e^{i k x} is multiplied by exp(T (back (e^{-ik} - 1) + ahead (e^{ik} - 1))).
        let at = |t: f64| -> Vec<f64> {
            let mode = |k: f64, x: f64| {
                let w = std::f64::consts::TAU * k / n as f64;
                let decay = (t * (back + ahead) * (w.cos() - 1.0)).exp();
                decay * (w * x + t * (ahead - back) * w.sin()).cos()
            };
            (0..n).map(|i| 1.0 + mode(1.0, i as f64) + 0.5 * mode(7.0, i as f64)).collect()
        };
        let mut x = at(0.0);
        let effort = RationalKrylov::new(&a, &KrylovOptions::default()).unwrap().exp_action(step, &mut x).unwrap();
        let norm = at(0.0).iter().map(|x| x * x).sum::<f64>().sqrt();
        let error = x.iter().zip(at(step)).map(|(x, y)| (x - y) * (x - y)).sum::<f64>().sqrt() / norm;
        assert!(error < 2e-12, "n = {n}, {back}, {ahead}: {error:e}, {effort:?}");
    }
}

/// Forcings as small or as large as f64 goes: their squares leave the range, they do not.
#[test]
fn forcings_of_any_size() {
    let a = DMatrix::from_row_slice(2, 2, &[-1.0, 0.5, 0.5, -1.0]);
    let mut unit = [1.0, 2.0];
    let options = KrylovOptions::default();
    PolynomialKrylov::new(a.clone(), &options).unwrap().phi_action(1, 1.0, &mut unit).unwrap();
    for size in [1e-290, 1e-170, 1e170, 1e290] {
        let (mut polynomial, mut rational) = ([size, 2.0 * size], [size, 2.0 * size]);
        PolynomialKrylov::new(a.clone(), &options).unwrap().phi_action(1, 1.0, &mut polynomial).unwrap();
        RationalKrylov::new(&CscMatrix::from(&a), &options).unwrap().phi_action(1, 1.0, &mut rational).unwrap();
        for i in 0..2 {
            assert!((polynomial[i] / size - unit[i]).abs() < 1e-12, "{size:e}: {polynomial:?}");
            assert!((rational[i] / size - unit[i]).abs() < 1e-12, "{size:e}: {rational:?}");
        }
    }
}

/// Defective and far from normal: within the tolerance of the largest state on the way, or refused; never wrong with an estimate of 0.
#[test]
fn matrices_far_from_normal_are_not_trusted() {
    let mut seed = 1u64;
    let mut random = || {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (seed >> 11) as f64 / (1u64 << 53) as f64
    };
    let mut solved = 0;
    for case in 0..160 {
        let n = [2, 5, 8, 12, 20, 33][case % 6];
        let mut a = DMatrix::zeros(n, n);
        for i in 0..n {
            for j in i..n {
                a[(i, j)] = match case / 6 % 3 {
                    0 if i == j => -1.0,
                    0 if j == i + 1 => 10f64.powf(6.0 * random() - 3.0),
                    1 if i == j => -10f64.powf(6.0 * random() - 1.0),
                    1 => (random() - 0.5) * 10f64.powf(4.0 * random()),
                    2 if i == j => -random(),
                    2 => 10f64.powf(10.0 * random() - 8.0),
                    _ => 0.0,
                };
            }
        }
        let t = 10f64.powf(4.0 * random() - 3.0);
        let x: Vec<f64> = (0..n).map(|_| random() - 0.5).collect();
        let Ok(g) = GMatrices::new(&a, t, 0) else { continue };
        let exact = g.exp() * DVector::from_column_slice(&x);
        // The largest state on the way from x, and the largest growth of anything.
        let way = (0..=40).map(|k| fourbar_linalg::phi::exponential(&a, t * f64::from(k) / 40.0).unwrap());
        let (mut largest, mut growth) = (0f64, 1f64);
        for exp in way {
            largest = largest.max((&exp * DVector::from_column_slice(&x)).norm());
            growth = growth.max(exp.norm());
        }
        let options = KrylovOptions { max_substeps: 2_000, ..Default::default() };
        let mut polynomial = PolynomialKrylov::new(a.clone(), &options).unwrap();
        let mut rational = RationalKrylov::new(&CscMatrix::from(&a), &options).unwrap();
        for (name, propagator) in [("polynomial", &mut polynomial as &mut dyn Propagator), ("rational", &mut rational)]
        {
            let mut y = x.clone();
            let Ok(effort) = propagator.exp_action(t, &mut y) else { continue };
            solved += 1;
            let error = (DVector::from_column_slice(&y) - &exact).norm();
            let limit = growth * (10.0 * effort.error + 1e-10 * largest);
            assert!(error <= limit, "{name} {case}, n = {n}, T = {t:e}: {error:e} > {limit:e}, {effort:?}");
        }
    }
    assert!(solved > 150, "{solved}");
}

#[test]
fn growth_beyond_the_range_is_called_so() {
    let grows = DMatrix::from_element(1, 1, 1.0);
    let polynomial =
        PolynomialKrylov::new(grows.clone(), &KrylovOptions::default()).unwrap().exp_action(2000.0, &mut [1.0]);
    assert!(matches!(polynomial, Err(Error::Overflow { .. })), "{polynomial:?}");
    let rational = RationalKrylov::new(&CscMatrix::from(&grows), &KrylovOptions::default())
        .unwrap()
        .exp_action(2000.0, &mut [1.0]);
    assert!(matches!(rational, Err(Error::Overflow { .. })), "{rational:?}");
}
