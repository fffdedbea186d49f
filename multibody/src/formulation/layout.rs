//! Which system of equations is solved, and where each unknown and equation sits.

use crate::integrator::Method;
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
    /// Stabilized index 1: the same constraints, the multipliers being derivatives of unknowns of their own.
    Si1,
}

impl Formulation {
    /// Every formulation by its name in files and on the command line.
    pub const NAMES: [(&'static str, Self); 3] = [("i3", Self::I3), ("si2", Self::Si2), ("si1", Self::Si1)];

    /// Name in files and on the command line.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::I3 => "i3",
            Self::Si2 => "si2",
            Self::Si1 => "si1",
        }
    }

    /// Name of the equations that `method` solves where methods for F(t, y, y') = 0 are given this formulation.
    #[must_use]
    pub fn solved_by(self, method: &Method) -> &'static str {
        if method.takes_ode() { "partitioned" } else { self.name() }
    }

    /// The formulation of that name.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        Self::NAMES.iter().find(|(n, _)| n.eq_ignore_ascii_case(name)).map(|&(_, f)| f)
    }

    /// Whether velocities satisfy their constraints too.
    pub(super) fn stabilized(self) -> bool {
        self != Self::I3
    }

    /// Whether multipliers are derivatives of unknowns.
    pub(super) fn integrated(self) -> bool {
        self == Self::Si1
    }
}

/// Where each unknown and equation sits. Equation k of a body stands beside its unknown k.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Layout {
    pub bodies: usize,
    /// Coordinates of a place and of a turn: three each in space, two and one in a plane.
    pub linear: usize,
    pub angular: usize,
    pub rows: usize,
    pub drives: usize,
    /// Unknowns of the user.
    pub states: usize,
    pub stabilized: bool,
    /// Whether y holds the integrals eta and xi of the multipliers lambda and mu, and y' these.
    pub integrated: bool,
}

impl Layout {
    /// Unknowns of one body: x, e, V, omega, H.
    #[inline]
    pub(crate) fn per_body(&self) -> usize {
        2 * self.linear + 3 * self.angular
    }
    #[inline]
    pub(crate) fn x(&self, body: usize) -> usize {
        self.per_body() * body
    }
    #[inline]
    pub(crate) fn e(&self, body: usize) -> usize {
        self.x(body) + self.linear
    }
    #[inline]
    pub(crate) fn v(&self, body: usize) -> usize {
        self.e(body) + self.angular
    }
    #[inline]
    pub(crate) fn w(&self, body: usize) -> usize {
        self.v(body) + self.linear
    }
    #[inline]
    pub(crate) fn h(&self, body: usize) -> usize {
        self.w(body) + self.angular
    }
    /// lambda or eta of row 0, and the equation Phi of row 0.
    pub(crate) fn lambda(&self) -> usize {
        self.per_body() * self.bodies
    }
    /// mu or xi of row 0, and the velocity equation of row 0.
    pub(crate) fn mu(&self) -> usize {
        self.lambda() + self.rows
    }
    /// The equation of the velocities of row `k`, which takes the place of Phi where there is one alone.
    pub(crate) fn rate(&self, k: usize) -> usize {
        if self.stabilized { self.mu() + k } else { self.lambda() + k }
    }

    /// That of y and y' which holds the multipliers.
    pub(crate) fn multipliers<'a>(&self, y: &'a [f64], yp: &'a [f64]) -> &'a [f64] {
        if self.integrated { yp } else { y }
    }
    /// The multipliers lambda.
    pub(crate) fn lambdas<'a>(&self, y: &'a [f64], yp: &'a [f64]) -> &'a [f64] {
        &self.multipliers(y, yp)[self.lambda()..self.mu()]
    }
    /// First unknown of the drives.
    pub(crate) fn drive(&self) -> usize {
        self.mu() + if self.stabilized { self.rows } else { 0 }
    }
    /// First unknown of the user.
    pub(crate) fn state(&self) -> usize {
        self.drive() + self.drives
    }
    pub(crate) fn dimension(&self) -> usize {
        self.state() + self.states
    }
}
