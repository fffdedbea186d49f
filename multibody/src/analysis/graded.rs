//! Stiffness whose stiff directions hide soft ones, by a factor of 1e10 and more: judged over what each coordinate has of stiffness of its own.
//!
//! With K = -dz''/dz and the mass matrix M of the coordinates, M K is symmetric where loads have a potential. D M K D with D_i = |M K|_ii^(-1/2) has the
//! same signs of eigenvalues (Sylvester's law of inertia), and entries of at most about 1: rounding of a stiff coordinate does not reach a soft one.

use fourbar_linalg::large_symmetric_eigen;
use nalgebra::{DMatrix, DVector, Dyn, SymmetricEigen};

/// Entries over those of the diagonal by which a stiffness may be asymmetric, and eigenvalues that are clearly none of rounding: differences leave a
/// hundredth of both.
const ASYMMETRIC: f64 = 1e-6;
const CLEARLY: f64 = 1e-8;
/// Eigenvalues of directions that nothing holds, so that steps remain finite.
const LOOSE: f64 = 1e-5;

/// D M K D by eigenvalues.
pub(super) struct Parts {
    /// The diagonal of D.
    units: DVector<f64>,
    eigen: SymmetricEigen<f64, Dyn>,
}

impl Parts {
    /// Of a mass matrix and K for coordinates of one unit; none where M K is not symmetric, or a coordinate has no more stiffness of its own than
    /// `noise` \[1/s^2\].
    pub(super) fn new(mass: &DMatrix<f64>, stiffness: &DMatrix<f64>, noise: f64) -> Option<Self> {
        let whole = mass * stiffness;
        let own = whole.diagonal().abs();
        if !own.iter().zip(mass.diagonal().iter()).all(|(own, mass)| *own > noise * mass) {
            return None;
        }
        let units = own.map(|own| 1.0 / own.sqrt());
        let parts = DMatrix::from_fn(whole.nrows(), whole.ncols(), |i, j| units[i] * whole[(i, j)] * units[j]);
        let is_symmetric = (&parts - parts.transpose()).amax() <= ASYMMETRIC;
        is_symmetric.then(|| Self { units, eigen: large_symmetric_eigen(&parts) })
    }

    fn weakest(&self) -> f64 {
        self.eigen.eigenvalues.iter().copied().fold(f64::INFINITY, f64::min)
    }

    /// Whether every direction is held.
    pub(super) fn is_stable(&self) -> bool {
        self.weakest() > CLEARLY
    }

    /// Whether a direction is pushed away.
    pub(super) fn is_unstable(&self) -> bool {
        self.weakest() < -CLEARLY
    }

    /// The step that `loads` cause, M times the accelerations: Newton's where a direction is held, and the same way down where it is pushed away
    /// (Dauphin and others 2014, saddle-free Newton).
    pub(super) fn down(&self, loads: &DVector<f64>) -> DVector<f64> {
        let mut along = self.eigen.eigenvectors.tr_mul(&self.units.component_mul(loads));
        along.iter_mut().zip(&self.eigen.eigenvalues).for_each(|(part, value)| *part /= value.abs().max(LOOSE));
        self.units.component_mul(&(&self.eigen.eigenvectors * along))
    }
}
