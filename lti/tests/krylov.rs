//! Krylov projections against dense phi functions and closed forms.

use std::f64::consts::PI;

use fourbar_lti::{
    Error, GMatrices, Krylov, KrylovEffort, KrylovOptions, KrylovSpace, LinearOperator, Method, PolynomialKrylov,
    Propagator, RationalKrylov, SparseStepper, StateSpace, Stepper,
};
use nalgebra::{DMatrix, DVector};
use nalgebra_sparse::{CooMatrix, CscMatrix, CsrMatrix};
use proptest::prelude::*;

/// u_t = u_xx on (0, 1), u = 0 at both ends, second differences in n inner points.
pub(crate) fn heat(n: usize) -> CscMatrix<f64> {
    let scale = ((n + 1) * (n + 1)) as f64;
    let mut entries = CooMatrix::new(n, n);
    for i in 0..n {
        entries.push(i, i, -2.0 * scale);
        if i + 1 < n {
            entries.push(i, i + 1, scale);
            entries.push(i + 1, i, scale);
        }
    }
    CscMatrix::from(&entries)
}

/// The sine transform: eigenvectors sin(k pi i/(n+1)) and eigenvalues -4 (n+1)^2 sin^2(k pi/(2(n+1))) of [`heat`].
struct Modes {
    n: usize,
    sines: Vec<f64>,
}

impl Modes {
    fn new(n: usize) -> Self {
        Self { n, sines: (0..2 * (n + 1)).map(|j| (PI * j as f64 / (n + 1) as f64).sin()).collect() }
    }

    fn eigenvalue(&self, k: usize) -> f64 {
        let sine = (PI * k as f64 / (2 * (self.n + 1)) as f64).sin();
        -4.0 * ((self.n + 1) * (self.n + 1)) as f64 * sine * sine
    }

    fn sine(&self, k: usize, i: usize) -> f64 {
        self.sines[k * i % self.sines.len()]
    }

    /// f(A) x, leaving out the modes where f is below 1e-18.
    fn apply(&self, f: impl Fn(f64) -> f64, x: &[f64]) -> Vec<f64> {
        let mut result = vec![0.0; self.n];
        for k in 1..=self.n {
            let factor = f(self.eigenvalue(k));
            if factor.abs() < 1e-18 {
                continue;
            }
            let transform: f64 = x.iter().enumerate().map(|(i, x)| x * self.sine(k, i + 1)).sum();
            let amplitude = factor * transform * 2.0 / (self.n + 1) as f64;
            result.iter_mut().enumerate().for_each(|(i, y)| *y += amplitude * self.sine(k, i + 1));
        }
        result
    }
}

/// A hot block in the middle: not smooth, so that all modes take part.
pub(crate) fn block(n: usize) -> Vec<f64> {
    (0..n).map(|i| f64::from(u8::from((n / 3..n / 2).contains(&i)))).collect()
}

fn largest_difference(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).fold(0.0, |max, (a, b)| f64::max(max, (a - b).abs()))
}

#[test]
pub(crate) fn heat_equation_against_its_closed_form() {
    let n = 10_000;
    let (a, modes) = (heat(n), Modes::new(n));
    for step in [1e-5, 1e-3, 0.1] {
        let mut krylov = RationalKrylov::new(&a, &KrylovOptions::default()).unwrap();
        let mut x = block(n);
        let effort = krylov.exp_action(step, &mut x).unwrap();
        let error = largest_difference(&x, &modes.apply(|z| (z * step).exp(), &block(n)));
        assert!(error < 1e-10, "T = {step}: {error:e}, {effort:?}");
        let mut x = block(n);
        let effort = krylov.phi_action(1, step, &mut x).unwrap();
        let error = largest_difference(&x, &modes.apply(|z| (z * step).exp_m1() / (z * step), &block(n)));
        assert!(error < 1e-10, "T = {step}: {error:e}, {effort:?}");
    }
}

#[test]
fn a_heated_boundary() {
    // u = t at the left end: the input enters with (n+1)^2 = 1e8 in one component. With a ramp the first-order hold is exact.
    let n = 10_000;
    let scale = ((n + 1) * (n + 1)) as f64;
    let mut b = CooMatrix::new(n, 1);
    b.push(0, 0, scale);
    let krylov = RationalKrylov::new(&heat(n), &KrylovOptions::default()).unwrap();
    let mut stepper = SparseStepper::new(krylov, &CscMatrix::from(&b), 1e-3, Method::FIRST_ORDER_HOLD).unwrap();
    for _ in 0..10 {
        stepper.step(|t, u| u[0] = t).unwrap();
    }
    // x = t v - w + e^{At} w with v = -A^{-1} b = 1 - s, w = -A^{-1} v: A w = -v is solved by w = s (1 - s)(2 - s)/6, second differences of a
    // cubic being exact.
    let t = stepper.time();
    let place = |i: usize| (i + 1) as f64 / (n + 1) as f64;
    let w: Vec<f64> = (0..n).map(|i| place(i) * (1.0 - place(i)) * (2.0 - place(i)) / 6.0).collect();
    let decay = Modes::new(n).apply(|z| (z * t).exp(), &w);
    let exact: Vec<f64> = (0..n).map(|i| t * (1.0 - place(i)) - w[i] + decay[i]).collect();
    let error = largest_difference(stepper.state(), &exact);
    assert!(error < 1e-10, "{error:e}");
}

#[test]
fn the_dimension_does_not_grow_with_the_fineness() {
    for n in [1000, 10_000, 100_000] {
        let mut krylov = RationalKrylov::new(&heat(n), &KrylovOptions::default()).unwrap();
        let mut x = block(n);
        let mut effort = KrylovEffort::default();
        for _ in 0..2 {
            effort = krylov.exp_action(1e-3, &mut x).unwrap();
        }
        assert!(effort.substeps == 1 && effort.dimension <= 40, "n = {n}: {effort:?}");
        assert_eq!(effort.factorizations, 0, "the factors are those of the step before");
    }
}

/// e^{AT} x + sum_j G_j f_j by dense matrices.
fn dense(a: &DMatrix<f64>, step: f64, x: &[f64], forcing: &[f64]) -> DVector<f64> {
    let n = x.len();
    let terms: Vec<_> = forcing.chunks_exact(n).map(DVector::from_column_slice).collect();
    let g = GMatrices::new(a, step, terms.len().max(1) - 1).unwrap();
    let start = g.exp() * DVector::from_column_slice(x);
    terms.iter().enumerate().fold(start, |sum, (j, f)| sum + g.g(j) * f)
}

/// Both projections of a dense matrix; the largest error relative to the norm of what is propagated and of the result.
fn projected_errors(a: &DMatrix<f64>, step: f64, x: &[f64], forcing: &[f64]) -> [f64; 2] {
    let options = KrylovOptions { tolerance: 1e-13, ..Default::default() };
    let exact = dense(a, step, x, forcing);
    let size = exact.norm() + DVector::from_column_slice(x).norm() + step * DVector::from_column_slice(forcing).norm();
    let error = |propagator: &mut dyn Propagator| {
        let mut x = x.to_vec();
        propagator.advance(step, &mut x, forcing).unwrap();
        (DVector::from_vec(x) - &exact).norm() / size.max(f64::MIN_POSITIVE)
    };
    let mut polynomial = PolynomialKrylov::new(a.clone(), &options).unwrap();
    let mut rational = RationalKrylov::new(&CscMatrix::from(a), &options).unwrap();
    [error(&mut polynomial), error(&mut rational)]
}

proptest! {
    /// Any small matrix: non-normal through the upper triangle, singular through a zero row, shifted to be stable or not.
    #[test]
    fn projections_equal_dense_matrices(
        n in 1usize..9,
        entries in prop::collection::vec(-1.0..1.0f64, 64),
        vectors in prop::collection::vec(-1.0..1.0f64, 32),
        non_normality in prop_oneof![Just(0.0), Just(1.0), Just(30.0)],
        shift in -20.0..1.0f64,
        singular in any::<bool>(),
        terms in 0usize..4,
        step in 0.01..1.0f64,
    ) {
        let a = DMatrix::from_fn(n, n, |i, j| {
            let factor = if i < j { 1.0 + non_normality } else { 1.0 };
            let diagonal = if i == j { shift } else { 0.0 };
            if singular && i == 0 { 0.0 } else { factor * entries[8 * i + j] + diagonal }
        });
        let [polynomial, rational] = projected_errors(&a, step, &vectors[..n], &vectors[..n * terms]);
        // The response to the largest of these matrices exceeds the data by its norm, and round-off with it.
        let transient = a.norm().max(1.0);
        prop_assert!(polynomial < 1e-13 * transient, "polynomial {polynomial:e}");
        prop_assert!(rational < 1e-12 * transient, "rational {rational:e}");
    }
}

/// Diffusion and transport on a square, second and central differences: `transport` is the cell Peclet number.
fn square(side: usize, transport: f64) -> CscMatrix<f64> {
    let scale = ((side + 1) * (side + 1)) as f64;
    let mut entries = CooMatrix::new(side * side, side * side);
    for (i, j) in (0..side).flat_map(|i| (0..side).map(move |j| (i, j))) {
        let here = side * i + j;
        entries.push(here, here, -4.0 * scale);
        for (other, inside, carried) in [(here + 1, j + 1 < side, transport), (here + side, i + 1 < side, 0.0)] {
            if inside {
                entries.push(here, other, (1.0 - 0.5 * carried) * scale);
                entries.push(other, here, (1.0 + 0.5 * carried) * scale);
            }
        }
    }
    CscMatrix::from(&entries)
}

/// Either space gives the same, and none takes minutes: products where a step is short beside the fastest mode, solutions where it is long, whatever
/// the number of dimensions of the grid.
#[test]
fn the_cheaper_space_is_taken() {
    for (transport, step, space) in [
        (0.0, 1e-5, KrylovSpace::Polynomial),
        (0.0, 1.0, KrylovSpace::Rational),
        (1.0, 1e-5, KrylovSpace::Polynomial),
        (1.0, 1.0, KrylovSpace::Rational),
        (40.0, 1e-3, KrylovSpace::Polynomial),
    ] {
        let (a, options) = (square(20, transport), KrylovOptions::default());
        let mut krylov = Krylov::new(&a, &options, step, 100).unwrap();
        assert_eq!(krylov.space(), space, "{transport}, {step} s");
        let mut x = block(400);
        let exact = dense(&DMatrix::from(&a), step, &x, &[]);
        krylov.exp_action(step, &mut x).unwrap();
        let error = (DVector::from_vec(x) - &exact).norm() / exact.norm().max(1.0);
        assert!(error < 1e-11, "{transport}, {step} s: {error:e}");
    }
}

/// 40,000 states on a square: the elimination follows the diagonal in a minimum-degree order, nested dissection has 31/4 n log2 n
/// entries of L (George, SIAM J. Numer. Anal. 10 (1973) 345).
#[test]
fn factors_of_squares_are_sparse() {
    let n = 40_000;
    let fill = fourbar_linalg::SymmetricFill::of(square(200, 0.0).pattern()).unwrap();
    assert!((fill.entries as f64) < 2.0 * 7.75 * n as f64 * f64::from(n).log2(), "{fill:?}");
}

#[test]
fn matrices_of_special_form() {
    let x = [1.0, -2.0, 0.5, 3.0];
    let zero = DMatrix::zeros(4, 4);
    let nilpotent = DMatrix::from_fn(4, 4, |i, j| if j == i + 1 { 2.0 } else { 0.0 });
    let defective = &nilpotent - DMatrix::identity(4, 4);
    let turning = DMatrix::from_fn(4, 4, |i, j| 10.0 * (j as f64 - i as f64));
    let growing = DMatrix::from_diagonal_element(4, 4, 3.0);
    for a in [zero, nilpotent, defective, turning, growing] {
        for forcing in [&[][..], &x, &[1.0; 12]] {
            let [polynomial, rational] = projected_errors(&a, 1.0, &x, forcing);
            assert!(polynomial < 1e-13 && rational < 1e-12, "{a}{polynomial:e} {rational:e}");
        }
        assert!(projected_errors(&a, 1.0, &[0.0; 4], &[]).iter().all(|error| *error == 0.0));
        assert!(projected_errors(&a, 1.0, &[0.0; 4], &x).iter().all(|error| *error < 1e-12));
    }
}

/// Transport along a ring by upwind differences, never stored: x_i' = v (x_{i-1} - x_i). e^{At} is a Poisson distribution.
struct Ring {
    n: usize,
    rate: f64,
}

impl LinearOperator for Ring {
    fn dimension(&self) -> usize {
        self.n
    }

    fn apply(&self, x: &[f64], y: &mut [f64]) {
        for i in 0..self.n {
            y[i] = self.rate * (x[(i + self.n - 1) % self.n] - x[i]);
        }
    }
}

#[test]
fn matrix_free_transport_in_substeps() {
    let (n, rate) = (10_000, 300.0);
    let mut krylov = PolynomialKrylov::new(Ring { n, rate }, &KrylovOptions::default()).unwrap();
    let mut x = vec![0.0; n];
    x[17] = 1.0;
    let effort = krylov.exp_action(1.0, &mut x).unwrap();
    assert!(effort.substeps > 1 && effort.error < 1e-12, "{effort:?}");
    // Poisson's k-th probability, from its largest.
    let log_factorial = |k: usize| (1..=k).map(|i| (i as f64).ln()).sum::<f64>();
    for k in [0, 100, 250, 300, 301, 350, 500, 2000] {
        let exact = (k as f64 * rate.ln() - rate - log_factorial(k)).exp();
        let error = (x[17 + k] - exact).abs();
        assert!(error < 1e-12, "{k}: {} {exact} {effort:?}", x[17 + k]);
    }
    assert!((x.iter().sum::<f64>() - 1.0).abs() < 1e-12, "what is transported is kept");
    // The next step begins with the substep that did.
    let again = krylov.exp_action(1.0, &mut x).unwrap();
    assert!(again.substeps <= effort.substeps + 1 && again.applications <= effort.applications, "{again:?} {effort:?}");
}

#[test]
fn sparse_formats_agree() {
    let dense = DMatrix::from_fn(30, 30, |i, j| if i.abs_diff(j) < 3 { (i + 2 * j) as f64 / 30.0 - 1.0 } else { 0.0 });
    let run = |mut propagator: Box<dyn Propagator>| {
        let mut x: Vec<f64> = (0..30).map(|i| (i as f64).cos()).collect();
        propagator.g_action(2, 0.7, &mut x).unwrap();
        x
    };
    let options = KrylovOptions::default();
    let reference = run(Box::new(PolynomialKrylov::new(dense.clone(), &options).unwrap()));
    let csr = run(Box::new(PolynomialKrylov::new(CsrMatrix::from(&dense), &options).unwrap()));
    let csc = run(Box::new(PolynomialKrylov::new(CscMatrix::from(&dense), &options).unwrap()));
    let borrowed = PolynomialKrylov::new(&dense, &options).unwrap().g_action(2, 0.7, &mut reference.clone());
    assert!(largest_difference(&reference, &csr) < 1e-14 && largest_difference(&reference, &csc) < 1e-14);
    assert!(borrowed.unwrap().substeps == 1);
}

#[test]
fn a_tolerance_buys_what_it_says() {
    let (a, modes) = (heat(500), Modes::new(500));
    let x = DVector::from_vec(block(500));
    let mut last = 0;
    for tolerance in [1e-3, 1e-6, 1e-9, 1e-12] {
        let options = KrylovOptions { tolerance, ..Default::default() };
        let mut krylov = RationalKrylov::new(&a, &options).unwrap();
        let mut y = block(500);
        let effort = krylov.exp_action(1e-3, &mut y).unwrap();
        let exact = DVector::from_vec(modes.apply(|z| (z * 1e-3).exp(), x.as_slice()));
        let error = (DVector::from_vec(y) - exact).norm();
        assert!(error < tolerance * x.norm(), "{tolerance:e}: {error:e}");
        assert!(effort.dimension > last);
        last = effort.dimension;
    }
}

#[test]
fn a_small_space_takes_substeps() {
    let (a, modes) = (heat(200), Modes::new(200));
    let options = KrylovOptions { tolerance: 1e-10, max_dimension: 20, ..Default::default() };
    let mut krylov = RationalKrylov::new(&a, &options).unwrap();
    let mut x = block(200);
    let effort = krylov.exp_action(1e-3, &mut x).unwrap();
    assert!(effort.substeps > 1 && effort.dimension <= 20, "{effort:?}");
    assert!(largest_difference(&x, &modes.apply(|z| (z * 1e-3).exp(), &block(200))) < 1e-9);
    let second = krylov.exp_action(1e-3, &mut x).unwrap();
    assert_eq!((second.substeps, second.factorizations), (effort.substeps, 0));
}

#[test]
fn holds_equal_those_of_the_dense_stepper() {
    let n = 40;
    let a = heat(n);
    let b = DMatrix::from_fn(n, 2, |i, j| if j == 0 { 1.0 } else { i as f64 });
    let system = StateSpace::with_state_outputs(DMatrix::from(&a), b.clone()).unwrap();
    let input = |t: f64, u: &mut [f64]| (u[0], u[1]) = ((30.0 * t).sin(), (-t).exp());
    for method in [Method::ZERO_ORDER_HOLD, Method::Algorithm1 { order: 3 }, Method::Algorithm2 { order: 3 }] {
        let propagator = RationalKrylov::new(&a, &KrylovOptions::default()).unwrap();
        let mut sparse = SparseStepper::new(propagator, &CscMatrix::from(&b), 0.01, method.clone()).unwrap();
        let mut full = Stepper::new(&system, 0.01, method.clone()).unwrap();
        let mut history = [0.0; 6];
        let known = full.missing_history();
        for (k, u) in history.chunks_exact_mut(2).take(known).enumerate() {
            input((1.0 + k as f64 - known as f64) * 0.01, u);
        }
        full.set_history(&history[..2 * known]).unwrap();
        let offsets = full.sample_offsets();
        let mut y = vec![0.0; n];
        for _ in 0..20 {
            let mut samples = vec![0.0; 2 * offsets.len()];
            samples.chunks_exact_mut(2).zip(&offsets).for_each(|(u, offset)| input(full.time() + offset, u));
            full.step(&samples, &mut y).unwrap();
            sparse.step(input).unwrap();
        }
        assert!(largest_difference(sparse.state(), full.state()) < 1e-10, "{method:?}");
    }
}

/// Outputs, a clock that is set, and states saved and restored: the same steps again, bit for bit.
#[test]
fn sparse_steppers_have_outputs_and_a_past() {
    let (n, a) = (50, heat(50));
    let (mut b, mut c, mut d) = (CooMatrix::new(n, 1), CooMatrix::new(2, n), CooMatrix::new(2, 1));
    b.push(0, 0, 1e3);
    c.push(0, 3, 2.0);
    c.push(1, 4, -1.0);
    d.push(1, 0, 0.5);
    let rod = RationalKrylov::new(&a, &KrylovOptions::default()).unwrap();
    let mut stepper = SparseStepper::new(rod, &CscMatrix::from(&b), 0.01, Method::FIRST_ORDER_HOLD).unwrap();
    assert!(stepper.set_outputs(&CscMatrix::from(&d), &CscMatrix::from(&d)).is_err());
    stepper.set_outputs(&CscMatrix::from(&c), &CscMatrix::from(&d)).unwrap();
    stepper.set_time(2.0).unwrap();
    let input = |t: f64, u: &mut [f64]| u[0] = t.sin();
    stepper.step(input).unwrap();
    let saved = stepper.save();
    let run = |stepper: &mut SparseStepper<RationalKrylov>| {
        let mut y = [0.0; 2];
        for _ in 0..5 {
            stepper.step(input).unwrap();
        }
        stepper.output(&[3.0], &mut y).unwrap();
        (stepper.time(), y)
    };
    let first = run(&mut stepper);
    assert!((first.0 - 2.06).abs() < 1e-14);
    let x = stepper.state();
    assert_eq!(first.1, [2.0 * x[3], -x[4] + 1.5]);
    stepper.restore(&saved).unwrap();
    assert_eq!(run(&mut stepper), first);
    let other = RationalKrylov::new(&a, &KrylovOptions::default()).unwrap();
    let mut other = SparseStepper::new(other, &CscMatrix::from(&b), 0.02, Method::FIRST_ORDER_HOLD).unwrap();
    assert!(matches!(other.restore(&saved), Err(Error::ForeignState { .. })));
}
