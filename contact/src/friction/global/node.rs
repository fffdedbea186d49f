//! A body as a node of the equations of an island.

use super::compiled::Twist;
use crate::problem::friction_global::FreeBody;
use crate::surface::M3;
use fourbar_linalg::symmetric_eigen;

/// Inverse inertia about an axis, as part of the largest, that is round-off: nothing turns about it.
const TURNS: f64 = 1e-12;

/// Whether anything moves a body.
pub(super) fn moves(body: &FreeBody) -> bool {
    body.inverse_mass > 0.0 || body.inverse_inertia.amax() > 0.0
}

/// A body of the island.
#[derive(Debug, Clone, Copy)]
pub(super) struct Node {
    /// Its place in the island.
    pub(super) body: usize,
    pub(super) mass: f64,
    pub(super) inertia: M3,
    /// Largest entry of the inverse inertia.
    pub(super) lightness: f64,
    /// Length at which turning counts as moving \[m\]: half the edge of a cube of that mass and inertia, or, without them, the longest arm of a
    /// row.
    pub(super) radius: f64,
    pub(super) free: Twist,
}

impl Node {
    /// Of the body at place `index` with the velocities `free` without impulses.
    pub(super) fn new(body: &FreeBody, index: usize, free: Twist) -> Self {
        let mass = if body.inverse_mass > 0.0 { 1.0 / body.inverse_mass } else { 1.0 };
        let (lightness, inertia) = (body.inverse_inertia.amax(), inertia(&body.inverse_inertia));
        let massive = body.inverse_mass > 0.0 && lightness > 0.0;
        let radius = if massive { (0.5 * inertia.trace() / mass).sqrt() } else { 0.0 };
        Self { body: index, mass, inertia, lightness, radius, free }
    }

    /// Inertia; ones for a body that nothing turns, whose rows have no gradient there.
    #[inline]
    pub(super) fn inertia_or_one(&self) -> M3 {
        if self.inertia.amax() > 0.0 { self.inertia } else { M3::identity() }
    }
}

/// Inverse of the inverse inertia; along axes that nothing turns (those of a plane mechanism, say) an inertia of the size of the others.
fn inertia(inverse: &M3) -> M3 {
    let size = inverse.amax();
    if size == 0.0 {
        return M3::zeros();
    }
    let eigen = symmetric_eigen(inverse);
    let values = eigen.eigenvalues.map(|value| if value > TURNS * size { 1.0 / value } else { 1.0 / size });
    eigen.eigenvectors * M3::from_diagonal(&values) * eigen.eigenvectors.transpose()
}
