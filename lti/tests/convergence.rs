//! Orders of convergence of every family, exactness for polynomial inputs, and stability.

use fourbar_lti::{Discretization, GMatrices, Method, StateSpace, Stepper};
use nalgebra::{Complex, DMatrix, DVector, dmatrix};
use proptest::prelude::*;

/// Family, orders l, expected order of the global error for ||A|| T -> 0 and for |lambda| T = 1000 with x following u.
///
/// An interpolation at N nodes has order N. A symmetric set of an odd number of nodes gains one while the system is not stiff.
#[rustfmt::skip]
const EXPECTED: [(&str, usize, u32, u32); 27] = [
    ("alg1", 0, 1, 1), ("alg1", 1, 2, 2), ("alg1", 2, 4, 3), ("alg1", 3, 4, 4), ("alg1", 4, 6, 5), ("alg1", 5, 6, 6), ("alg1", 6, 8, 7),
    ("alg2", 0, 1, 1), ("alg2", 1, 2, 2), ("alg2", 2, 3, 3), ("alg2", 3, 4, 4), ("alg2", 4, 5, 5), ("alg2", 5, 6, 6), ("alg2", 6, 7, 7),
    ("alg1_rt", 1, 1, 1), ("alg1_rt", 2, 2, 2), ("alg1_rt", 3, 3, 3), ("alg1_rt", 4, 4, 4), ("alg1_rt", 5, 5, 5), ("alg1_rt", 6, 6, 6),
    ("alg2_rt", 0, 1, 1), ("alg2_rt", 1, 2, 2), ("alg2_rt", 2, 3, 3), ("alg2_rt", 3, 4, 4), ("alg2_rt", 4, 5, 5), ("alg2_rt", 5, 6, 6),
    ("alg2_rt", 6, 7, 7),
];

fn method(family: &str, order: usize) -> Method {
    match family {
        "alg1" => Method::Algorithm1 { order },
        "alg2" => Method::Algorithm2 { order },
        "alg1_rt" => Method::Algorithm1RealTime { order },
        _ => Method::Algorithm2RealTime { order },
    }
}

/// Largest error over two periods of x' = lambda x + b sin t, begun on the periodic solution Im b e^{it}/(i - lambda).
fn error(method: &Method, lambda: f64, b: f64, step: f64) -> f64 {
    let periodic = |t: f64| (Complex::new(0.0, t).exp() * b / Complex::new(-lambda, 1.0)).im;
    let system = StateSpace::with_state_outputs(dmatrix![lambda], dmatrix![b]).unwrap();
    let mut stepper = Stepper::new(&system, step, method.clone()).unwrap();
    stepper.set_state(&[periodic(0.0)]).unwrap();
    let nodes = method.nodes().unwrap();
    let past = nodes.iter().filter(|&&theta| nodes.iter().any(|other| (other - theta - 1.0).abs() < 1e-9));
    stepper.set_history(&past.map(|theta| (theta * step).sin()).collect::<Vec<_>>()).unwrap();
    let offsets = stepper.sample_offsets();
    let (mut y, mut largest) = ([0.0], 0f64);
    for k in 0..(4.0 * std::f64::consts::PI / step).ceil() as usize {
        let t = k as f64 * step;
        let u: Vec<f64> = offsets.iter().map(|offset| (t + offset).sin()).collect();
        stepper.step(&u, &mut y).unwrap();
        largest = largest.max((y[0] - periodic(t + step)).abs());
    }
    largest
}

/// log2 of the ratio of the errors at a step and its half, once the error is small enough to be asymptotic.
fn observed_order(error: impl Fn(f64) -> f64) -> f64 {
    let mut step = 0.5;
    let mut coarse = error(step);
    loop {
        let fine = error(step / 2.0);
        if coarse < 3e-8 || step < 2e-3 {
            return (coarse / fine).log2();
        }
        (step, coarse) = (step / 2.0, fine);
    }
}

#[test]
fn orders_where_the_system_is_not_stiff() {
    for (family, l, expected, _) in EXPECTED {
        let order = observed_order(|step| error(&method(family, l), -1.0, 1.0, step));
        assert!((order - f64::from(expected)).abs() < 0.2, "{family} l = {l}: {order:.2}, expected {expected}");
    }
}

#[test]
fn orders_where_the_system_is_stiff() {
    for (family, l, _, expected) in EXPECTED {
        let order = observed_order(|step| error(&method(family, l), -1000.0 / step, 1000.0 / step, step));
        assert!((order - f64::from(expected)).abs() < 0.2, "{family} l = {l}: {order:.2}, expected {expected}");
    }
}

/// The polynomial that x' = A x + B sum_j c_j t^j has as a solution: A p_d = -B c_d, A p_j = (j+1) p_{j+1} - B c_j.
fn polynomial_solution(a: &DMatrix<f64>, b: &DVector<f64>, c: &[f64]) -> Vec<DVector<f64>> {
    let lu = a.clone().lu();
    let mut p = vec![DVector::zeros(a.nrows()); c.len() + 1];
    for j in (0..c.len()).rev() {
        p[j] = lu.solve(&(&p[j + 1] * (j + 1) as f64 - b * c[j])).unwrap();
    }
    p
}

fn evaluate<V>(coefficients: &[V], t: f64) -> V
where
    V: Clone + std::ops::Mul<f64, Output = V> + std::ops::Add<Output = V>,
{
    let (last, rest) = coefficients.split_last().unwrap();
    rest.iter().rev().fold(last.clone(), |sum, c| sum * t + c.clone())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    /// N nodes reproduce the answer to any polynomial of degree N-1, stiff or not.
    #[test]
    fn exact_for_polynomials(
        entries in prop::collection::vec(-1.0..1.0f64, 9),
        coefficients in prop::collection::vec(-1.0..1.0f64, 7),
        stiffness in 0.0..6.0f64,
        which in 0..EXPECTED.len(),
    ) {
        let (family, l, ..) = EXPECTED[which];
        let method = method(family, l);
        let nodes = method.nodes().unwrap();
        let c = &coefficients[..nodes.len()];
        let fast = 10f64.powf(stiffness);
        let a = DMatrix::from_vec(3, 3, entries) - DMatrix::from_diagonal(&DVector::from_vec(vec![3.0, 4.0, 3.0 + fast]));
        let b = DVector::from_vec(vec![1.0, -0.5, fast]);
        let solution = polynomial_solution(&a, &b, c);
        let step = 0.1;
        let system = StateSpace::with_state_outputs(a, DMatrix::from_column_slice(3, 1, b.as_slice())).unwrap();
        let mut stepper = Stepper::new(&system, step, method.clone()).unwrap();
        stepper.set_state(solution[0].as_slice()).unwrap();
        let past = nodes.iter().filter(|&&theta| nodes.iter().any(|other| (other - theta - 1.0).abs() < 1e-9));
        stepper.set_history(&past.map(|theta| evaluate(c, theta * step)).collect::<Vec<_>>()).unwrap();
        let offsets = stepper.sample_offsets();
        let mut y = [0.0; 3];
        for k in 0..10 {
            let t = f64::from(k) * step;
            let u: Vec<f64> = offsets.iter().map(|offset| evaluate(c, t + offset)).collect();
            stepper.step(&u, &mut y).unwrap();
            let exact = evaluate(&solution, t + step);
            // Extrapolation over seven nodes weighs samples by up to 1e3: so much may a rounding error grow.
            let error = (DVector::from_column_slice(&y) - &exact).amax();
            prop_assert!(error < 1e-12 * (1.0 + exact.amax()), "{family} l = {l}, step {k}: {error:e}");
        }
    }

    /// A + A^T negative semidefinite: no step of any size lets the state grow.
    #[test]
    fn dissipative_systems_never_grow(
        entries in prop::collection::vec(-1.0..1.0f64, 32),
        rate in -3.0..8.0f64,
        step in -4.0..4.0f64,
    ) {
        let (skew, root) = (DMatrix::from_column_slice(4, 4, &entries[..16]), DMatrix::from_column_slice(4, 4, &entries[16..]));
        let a = (&skew - skew.transpose() - &root * root.transpose()) * 10f64.powf(rate);
        let g = GMatrices::new(&a, 10f64.powf(step), 0).unwrap();
        let gain = g.exp().singular_values().max();
        // The conditioning of a rotation by ||A|| T is ||A|| T.
        let rounding = 4.0 * f64::EPSILON * (1.0 + a.norm() * 10f64.powf(step));
        prop_assert!(gain <= 1.0 + rounding, "{gain}");
    }

    /// A bounded input keeps a stable system bounded: |x| <= sum of the absolute weights of a step, over 1 - e^{AT}.
    #[test]
    fn stable_systems_stay_bounded(rate in 0.0..9.0f64, which in 0..EXPECTED.len(), signs in prop::collection::vec(any::<bool>(), 60)) {
        let (family, l, ..) = EXPECTED[which];
        let lambda = -10f64.powf(rate);
        let system = StateSpace::with_state_outputs(dmatrix![lambda], dmatrix![-lambda]).unwrap();
        let discretization = Discretization::new(&system, 0.01, method(family, l)).unwrap();
        let weights: f64 = (0..discretization.nodes().len()).map(|i| discretization.input_matrix(i)[0].abs()).sum();
        let bound = weights / (1.0 - discretization.exp()[0]);
        let mut stepper = Stepper::from_discretization(&system, &discretization, None).unwrap();
        stepper.set_history(&vec![1.0; stepper.missing_history()]).unwrap();
        let samples = stepper.sample_offsets().len();
        let mut y = [0.0];
        for u in signs.chunks_exact(samples) {
            let u: Vec<f64> = u.iter().map(|&up| if up { 1.0 } else { -1.0 }).collect();
            stepper.step(&u, &mut y).unwrap();
            prop_assert!(y[0].abs() <= bound * (1.0 + 1e-12));
        }
    }
}
