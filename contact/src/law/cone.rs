//! The complementarity problem of impact laws and time steps, by the solver of frictional problems.

use super::Impact;
use crate::error::Error;
use crate::friction::{Cone, Coulomb};
use crate::problem::FrictionProblem;
use nalgebra::DVector;

/// Residual that counts as solved: a velocity of this part of the largest one, or of 1 m/s.
const TOLERANCE: f64 = 1e-13;

/// Impulses S in their cones with u = W S + q obeying Signorini's and Coulomb's laws, and the residual.
pub(crate) fn solve(impact: &Impact, q: &DVector<f64>) -> Result<(DVector<f64>, f64), Error> {
    let cones = impact.surfaces.iter().map(Cone::of).collect();
    let problem = FrictionProblem::new(impact.w.clone(), q.clone(), cones)?;
    let solution = Coulomb { tolerance: TOLERANCE, ..Coulomb::default() }.solve(&problem)?;
    Ok((DVector::from_vec(solution.z), solution.residual.value()))
}
