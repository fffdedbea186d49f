//! Transition matrices where plain doubles fail: large dimensions, high orders, transients, units far apart.

use fourbar_linalg::phi::PhiError;
use fourbar_lti::{Discretization, GMatrices, Method, StateSpace};
use nalgebra::{DMatrix, dmatrix};

/// Unit roundoff 2^-53.
const UNIT: f64 = f64::EPSILON / 2.0;

fn one_norm(m: &DMatrix<f64>) -> f64 {
    m.column_iter().map(|c| c.iter().map(|x| x.abs()).sum::<f64>()).fold(0.0, f64::max)
}

/// Decoupled states have the input weights that each would have alone, whatever their number and the order of the hold.
#[test]
fn high_orders_hold_in_every_dimension() {
    let pole = |i: usize| -(0.05 + 0.1 * i as f64);
    let system = |n: usize, first: usize| {
        let a = DMatrix::from_fn(n, n, |i, j| if i == j { pole(first + i) } else { 0.0 });
        StateSpace::with_state_outputs(a, DMatrix::from_element(n, 1, 1.0)).unwrap()
    };
    for (n, order) in [(41, 20), (48, 15), (60, 10), (257, 7)] {
        for method in [Method::Algorithm1 { order }, Method::Algorithm2 { order }] {
            let all = Discretization::new(&system(n, 0), 0.1, method.clone()).unwrap();
            for i in (0..n).step_by(13) {
                let alone = Discretization::new(&system(1, i), 0.1, method.clone()).unwrap();
                for node in 0..=order {
                    let (x, y) = (all.input_matrix(node)[i], alone.input_matrix(node)[0]);
                    assert!(
                        (x / y - 1.0).abs() < 4.0 * UNIT,
                        "{method:?}, n = {n}, state {i}, node {node}: {x:e} {y:e}"
                    );
                }
            }
        }
    }
}

/// A chain of masses between walls, against its sine modes: each is an oscillator with e^{At} in closed form, good to a few of
/// these units itself, as its phase of 2000 rad is.
#[test]
fn a_chain_of_masses_keeps_its_digits() {
    let n = 24;
    // Response of e^{AT} to relative changes of A, from perturbed evaluations.
    let (stiffness, damping, t, cond) = (1e6, 30.0, 1.0, 288.0);
    let a = DMatrix::from_fn(2 * n, 2 * n, |i, j| match (i < n, j < n) {
        (true, false) if j == i + n => 1.0,
        (false, true) if i - n == j => -2.0 * stiffness,
        (false, true) if (i - n).abs_diff(j) == 1 => stiffness,
        (false, false) if i == j => -damping,
        _ => 0.0,
    });
    let exp = GMatrices::new(&a, t, 0).unwrap().exp().clone();
    let angle = std::f64::consts::PI / (n + 1) as f64;
    let mut exact = DMatrix::zeros(2 * n, 2 * n);
    for k in 1..=n {
        let square = 4.0 * stiffness * (0.5 * angle * k as f64).sin().powi(2);
        let (half, w) = (0.5 * damping, (square - 0.25 * damping * damping).sqrt());
        let (sin, cos) = (w * t).sin_cos();
        let decay = (-half * t).exp();
        let blocks = [[cos + half / w * sin, sin / w], [-square / w * sin, cos - half / w * sin]];
        for i in 0..n {
            for j in 0..n {
                let shape = |x: usize| (angle * (k * (x + 1)) as f64).sin();
                let weight = 2.0 / (n + 1) as f64 * shape(i) * shape(j) * decay;
                for (r, row) in blocks.iter().enumerate() {
                    for (c, block) in row.iter().enumerate() {
                        exact[(r * n + i, c * n + j)] += weight * block;
                    }
                }
            }
        }
    }
    let error = one_norm(&(exp - &exact)) / one_norm(&exact) / UNIT / cond;
    assert!(error < 6.0, "k/m = {stiffness:e}: {error} units");
}

/// e^{D R D^-1} = D e^R D^-1: with powers of two in D nothing but the units of the states changes.
#[test]
fn units_far_apart_cost_nothing() {
    let n = 48;
    let r = DMatrix::from_fn(n, n, |i, j| {
        let value = ((i * 7919 + j * 104_729 + i * j * 31) % 2003) as f64 / 1001.5 - 1.0;
        1.25 * value + if i == j { -12.0 } else { 0.0 }
    });
    let power = |i: usize| 2f64.powi((i * 29 % 34) as i32 - 17);
    let a = DMatrix::from_fn(n, n, |i, j| r[(i, j)] * power(i) / power(j));
    for t in [0.1, 3.0] {
        let plain = GMatrices::new(&r, t, 0).unwrap();
        let scaled = GMatrices::new(&a, t, 0).unwrap();
        for (plain, scaled) in [(plain.exp(), scaled.exp()), (plain.g(0), scaled.g(0))] {
            let exact = DMatrix::from_fn(n, n, |i, j| plain[(i, j)] * power(i) / power(j));
            let error = one_norm(&(scaled - &exact)) / one_norm(&exact);
            assert!(error < 6.0 * UNIT, "T = {t}: {} units", error / UNIT);
        }
    }
}

/// A fast decay behind a transient that is larger by any power of ten: e^A = e^a [1, h (1 - 1/e); 0, 1/e] for A = [a, h; 0, a - 1].
#[test]
fn decay_behind_a_transient() {
    for a in [-50.0f64, -500.0] {
        for h in [1e6, 1e12, 1e16, 1e20, 1e25] {
            let exp = GMatrices::new(&dmatrix![a, h; 0.0, a - 1.0], 1.0, 0).unwrap().exp().clone();
            let exact = h * a.exp() * -(-1f64).exp_m1();
            let error = (exp[(0, 1)] / exact - 1.0).abs();
            assert!(error < 6.0 * UNIT * (1.0 - a), "a = {a}, h = {h:e}: {error:e}");
        }
    }
}

/// G_p of any index, or a typed error.
#[test]
fn indices_of_any_size() {
    let a = dmatrix![-1.0, 2.0; 0.5, -3.0];
    for p in [30usize, 100, 149] {
        let g = GMatrices::new(&a, 0.5, p).unwrap();
        // (9): G_{p-1} = (T/p)(A G_p + I), well conditioned here, where ||A T|| is far below p.
        let lower = (&a * g.g(p) + DMatrix::identity(2, 2)) * (0.5 / p as f64);
        assert!((lower - g.g(p - 1)).amax() < 4.0 * UNIT * g.g(p - 1).amax(), "p = {p}");
    }
    for p in [150, 165, 1000, usize::MAX] {
        assert!(matches!(GMatrices::new(&a, 0.5, p), Err(PhiError::OrderTooHigh { limit: 150, .. })), "p = {p}");
    }
}
