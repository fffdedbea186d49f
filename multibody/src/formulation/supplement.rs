//! Constraint rows beyond those of the joints, imposed for a while: closed contacts, sticking friction.
//!
//! ```text
//! M u' + Phi_q^T lambda - P^T Lambda = Q
//! Phi_q u'                           = gamma
//! J u'                               = gamma_J
//! ```
//!
//! Lambda >= 0 of a closed contact pushes along the gradient of its gap, P = J. The direction P in which a multiplier acts differs
//! from the gradient J where the contact slides: friction adds mu times a tangential row to P alone, and the system is not symmetric.

use crate::dae::EvalError;
use crate::space::{Pose, V3};

/// On which level a [`SupplementRow`] holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Level {
    /// Positions, velocities and accelerations: the gap of a closed contact.
    Position,
    /// Velocities and accelerations: a sticking or rolling direction.
    Velocity,
}

/// A linear form on the velocities of two bodies: g.(V_I - V_J) + g_i.omega_I + g_j.omega_J.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct VelocityForm {
    /// By V_I; by V_J it is the negative.
    pub g: V3,
    /// By omega_I.
    pub gi: V3,
    /// By omega_J.
    pub gj: V3,
}

impl VelocityForm {
    /// A form of zeros.
    #[must_use]
    pub fn zero() -> Self {
        Self { g: V3::zeros(), gi: V3::zeros(), gj: V3::zeros() }
    }

    /// Its value at the velocities of bodies I and J.
    #[inline]
    #[must_use]
    pub fn rate(&self, i: &Pose, j: &Pose) -> f64 {
        self.g.dot(&(i.v - j.v)) + self.gi.dot(&i.w) + self.gj.dot(&j.w)
    }
}

/// One supplementary row at a configuration.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SupplementRow {
    /// Bodies I and J, two different ones; the number of bodies of the mechanism stands for the ground. Constant between restarts.
    pub bodies: [usize; 2],
    /// J.
    pub gradient: VelocityForm,
    /// P: the bodies receive Lambda times this.
    pub push: VelocityForm,
    /// What is held at zero, [`Level::Position`] only [m, rad].
    pub defect: f64,
    /// What J u must be: minus the explicit rate of the defect with time [m/s, rad/s].
    pub rate: f64,
    /// What J u' must be: minus (dJ/dt) u, less explicit terms [m/s^2, rad/s^2]. Read only where velocities satisfy the rows.
    pub gamma: f64,
}

impl SupplementRow {
    /// A row of zeros.
    #[must_use]
    pub fn zero() -> Self {
        let form = VelocityForm::zero();
        Self { bodies: [0; 2], gradient: form, push: form, defect: 0.0, rate: 0.0, gamma: 0.0 }
    }
}

/// What root functions may look at.
#[derive(Debug, Clone, Copy)]
pub struct Situation<'a> {
    /// Time \[s\].
    pub time: f64,
    /// Positions and velocities, constraints satisfied; the ground last.
    pub poses: &'a [Pose],
    /// (V', omega') of the bodies, six a body [m/s^2, rad/s^2]; empty unless [`Supplement::roots_use_accelerations`].
    pub accelerations: &'a [f64],
    /// Lambda of the rows [N, N m]; empty unless [`Supplement::roots_use_accelerations`].
    pub multipliers: &'a [f64],
}

/// Supplementary rows and root functions of a mechanism. Which rows there are changes at restarts only.
pub trait Supplement {
    /// Number of rows.
    fn row_count(&self) -> usize;

    /// Level of row `row`.
    fn level(&self, row: usize) -> Level;

    /// Name of row `row`, for messages.
    fn row_name(&self, row: usize) -> String {
        format!("supplementary row {row}")
    }

    /// Fills the rows at `time` and `poses` (the ground last).
    ///
    /// # Errors
    /// [`EvalError`] naming what cannot be evaluated.
    fn evaluate(&mut self, time: f64, poses: &[Pose], rows: &mut [SupplementRow]) -> Result<(), EvalError>;

    /// Number of root functions.
    fn root_count(&self) -> usize {
        0
    }

    /// Name of root function `root`, for messages.
    fn root_name(&self, root: usize) -> String {
        format!("root function {root}")
    }

    /// Whether root functions look at accelerations or multipliers; otherwise these are not computed for them.
    fn roots_use_accelerations(&self) -> bool {
        false
    }

    /// Writes the values of the root functions to `roots`.
    ///
    /// # Errors
    /// [`EvalError`] naming what cannot be evaluated.
    fn roots(&mut self, _situation: &Situation<'_>, _roots: &mut [f64]) -> Result<(), EvalError> {
        Ok(())
    }

    /// Appends what the rows depend on beside time and poses (which contacts are closed, say) to `store`.
    fn save(&self, _store: &mut Vec<f64>) {}

    /// Takes back what [`Supplement::save`] appended; `store` holds that and nothing else.
    ///
    /// # Errors
    /// [`EvalError::Fatal`] when `store` was not written by an object like this one.
    fn restore(&mut self, _store: &[f64]) -> Result<(), EvalError> {
        Ok(())
    }
}

/// No supplementary rows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct NoSupplement;

impl Supplement for NoSupplement {
    fn row_count(&self) -> usize {
        0
    }
    fn level(&self, _row: usize) -> Level {
        Level::Velocity
    }
    fn evaluate(&mut self, _time: f64, _poses: &[Pose], _rows: &mut [SupplementRow]) -> Result<(), EvalError> {
        Ok(())
    }
}
