//! The complementarity problem of an impact law, by the solver of frictional problems.

use super::{Impact, sweeps};
use crate::error::Error;
use nalgebra::DVector;

/// Impulses S in their cones with u = W S + q obeying Signorini's and Coulomb's laws, and the residual.
pub(super) fn solve(impact: &Impact, q: &DVector<f64>, first: &[usize]) -> Result<(DVector<f64>, f64), Error> {
    Ok(sweeps::solve(impact, q, &vec![0.0; impact.surfaces.len()], first))
}
