//! Answers of the default solver to complementarity problems, measured again, unscaled.

use fourbar_contact::{problem::Lcp, solution::Solution, solver::Automatic};
use nalgebra::DVector;

/// max_i |min(z_i, w_i)| with w from M and q by nalgebra's product, over max(1, |q|).
fn unscaled(lcp: &Lcp, z: &[f64]) -> f64 {
    let w = lcp.m() * DVector::from_column_slice(z) + DVector::from_column_slice(lcp.q());
    let size = lcp.q().iter().fold(1.0, |size: f64, q| size.max(q.abs()));
    z.iter().zip(w.iter()).fold(0.0, |worst: f64, (z, w)| worst.max(z.min(*w).abs())) / size
}

pub(crate) fn solved(name: &str, lcp: &Lcp) -> Solution {
    let solution = Automatic::default().solve(lcp);
    assert!(solution.solved(), "{name}, n = {}: {} {:?}", lcp.len(), solution.status, solution.residual);
    assert!(unscaled(lcp, &solution.z) <= 1e-10, "{name}, n = {}: {:e}", lcp.len(), unscaled(lcp, &solution.z));
    solution
}

pub(crate) fn distance(x: &[f64], y: &DVector<f64>) -> f64 {
    x.iter().zip(y.iter()).fold(0.0, |worst: f64, (x, y)| worst.max((x - y).abs()))
}
