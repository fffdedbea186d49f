//! How a mechanism becomes a system F(t, y, y') = 0.
//!
//! Unknowns of a body b, in this order, three each: x, e, V, omega, H, where x is its centre of mass, e its Euler angles
//! ([`crate::orientation`]), V and omega its velocities and H its angular momentum about the centre of mass, all in global axes.
//! Adams keeps the rates of the Euler angles and the momenta conjugate to them in place of omega and H; global axes leave the
//! equations free of the derivatives of the angle basis, and an exchange of the orientation chart touches e alone.
//!
//! ```text
//! x' - V     + Phi_x^T  mu                      = 0
//! G(e) e' - omega + L^-2 Phi_pi^T mu            = 0
//! m V'       + Phi_x^T  lambda - F              = 0
//! H'         + Phi_pi^T lambda - T              = 0
//! H - A J A^T omega                             = 0
//! Phi(q, t)                                     = 0
//! Phi_q u + Phi_t                               = 0      (SI2 only, with its multiplier mu)
//! ```
//!
//! L is the length of the mechanism, so that mu moves bodies in the same metric in every unit.
//! [`Formulation::I3`] is the first six rows without mu: index 3, cheapest, velocities not error-tested, its error about a
//! thousand times its tolerance. [`Formulation::Si2`] is the stabilized index-2 system of Gear, Leimkuhler and Gupta (J. Comput.
//! Appl. Math. 12 (1985) 77): positions and velocities both satisfy their constraints; mu is zero in the exact solution.

mod breaks;
mod charts;
mod emit;
mod equations;
mod jacobian;
mod multipliers;
pub mod partitioned;
mod residual;
mod sizes;
mod supplement;
mod timed;

pub use equations::Equations;
pub use partitioned::Partitioned;
pub use sizes::Sizes;
pub use supplement::{Level, NoSupplement, Situation, Supplement, SupplementRow, VelocityForm};

use serde::{Deserialize, Serialize};

/// Which system of equations is solved.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Formulation {
    /// Index 3: position constraints only.
    I3,
    /// Stabilized index 2: position and velocity constraints.
    #[default]
    Si2,
}

impl Formulation {
    /// Every formulation by its name in files and on the command line.
    pub const NAMES: [(&'static str, Self); 2] = [("i3", Self::I3), ("si2", Self::Si2)];

    /// Name in files and on the command line.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::I3 => "i3",
            Self::Si2 => "si2",
        }
    }

    /// The formulation of that name.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        Self::NAMES.iter().find(|(n, _)| n.eq_ignore_ascii_case(name)).map(|&(_, f)| f)
    }

    fn stabilized(self) -> bool {
        self == Self::Si2
    }
}

/// Unknowns of one body.
pub(crate) const PER_BODY: usize = 15;

/// Where each unknown and equation sits. Equation k of a body stands beside its unknown k.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Layout {
    pub bodies: usize,
    pub rows: usize,
    pub drives: usize,
    pub stabilized: bool,
}

impl Layout {
    pub(crate) fn x(&self, body: usize) -> usize {
        PER_BODY * body
    }
    pub(crate) fn e(&self, body: usize) -> usize {
        PER_BODY * body + 3
    }
    pub(crate) fn v(&self, body: usize) -> usize {
        PER_BODY * body + 6
    }
    pub(crate) fn w(&self, body: usize) -> usize {
        PER_BODY * body + 9
    }
    pub(crate) fn h(&self, body: usize) -> usize {
        PER_BODY * body + 12
    }
    /// lambda of row 0, and the equation Phi of row 0.
    pub(crate) fn lambda(&self) -> usize {
        PER_BODY * self.bodies
    }
    /// mu of row 0, and the velocity equation of row 0.
    pub(crate) fn mu(&self) -> usize {
        self.lambda() + self.rows
    }
    /// First unknown of the drives.
    pub(crate) fn drive(&self) -> usize {
        self.mu() + if self.stabilized { self.rows } else { 0 }
    }
    pub(crate) fn dimension(&self) -> usize {
        self.drive() + self.drives
    }
}
