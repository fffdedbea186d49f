//! The stiff example of Jiang and Chai (1995), tables 1 to 3: its system, its exact solution, and how the tables are made.
//!
//! The source shows the system as a figure only; its printed values determine it: H(s) = 4/(s+1) + 2000/(s+10000), input
//! u(t) = e^{-0.01 t} sin(100 t), y(0) = 4 from the slow mode.

use fourbar_lti::{Error, Method, StateSpace, Stepper, simulate};
use nalgebra::{Complex, dmatrix};

/// The times of the rows of the tables \[s\].
pub(crate) const TIMES: [f64; 5] = [2.0, 4.0, 6.0, 8.0, 10.0];

/// The step of each table \[s\] and the number of steps in 2 s.
pub(crate) const TABLES: [(f64, usize); 3] = [(1e-4, 20_000), (5e-4, 4_000), (5e-3, 400)];

/// The columns: name in the source and method.
pub(crate) const COLUMNS: [(&str, Method); 4] = [
    ("MTM-4", Method::Mtm4),
    ("QAM-4", Method::Qam4),
    ("Alg1_eq20", Method::Algorithm1 { order: 2 }),
    ("Alg2_eq32", Method::Algorithm2 { order: 3 }),
];

fn input(t: f64) -> f64 {
    (-0.01 * t).exp() * (100.0 * t).sin()
}

/// y(t) = 4 e^{-t} + Im sum_p R_p (e^{st} - e^{pt})/(s - p), s = -0.01 + 100i, over p = -1 and -1e4, R = 4 and 2000.
pub(crate) fn exact(t: f64) -> f64 {
    let s = Complex::new(-0.01, 100.0);
    let modes = [(-1.0, 4.0), (-1e4, 2000.0)];
    let forced: Complex<f64> =
        modes.iter().map(|&(p, r): &(f64, f64)| ((s * t).exp() - (p * t).exp()) / (s - p) * r).sum();
    4.0 * (-t).exp() + forced.im
}

/// One column of one table. Multistep methods are started as the source does it, by two steps of the one-step method of order 4.
pub(crate) fn column(step: f64, steps_in_2s: usize, method: &Method) -> Result<[f64; 5], Error> {
    let system =
        StateSpace::new(dmatrix![-1.0, 0.0; 0.0, -1e4], dmatrix![1.0; 1.0], dmatrix![4.0, 2000.0], dmatrix![0.0])?;
    let third_order = matches!(method, Method::Algorithm2 { .. });
    // The source starts its third-order Algorithm 2 with formula (20), which is Algorithm 1 of order 2.
    let mut stepper = if third_order {
        let start = fourbar_lti::Discretization::new(&system, step, Method::Algorithm1 { order: 2 })?;
        let main = fourbar_lti::Discretization::new(&system, step, method.clone())?;
        Stepper::from_discretization(&system, &main, Some(&start))?
    } else {
        Stepper::new(&system, step, method.clone())?
    };
    stepper.set_state(&[1.0, 0.0])?;
    let mut y = vec![0.0; 5 * steps_in_2s];
    simulate(&mut stepper, |t, u| u[0] = input(t), &mut y)?;
    Ok(std::array::from_fn(|row| y[(row + 1) * steps_in_2s - 1]))
}
