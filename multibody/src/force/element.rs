//! The force elements, compiled.

use crate::constraint::{Constraint, Curvature, MAX_ROWS, Mask, Row};
use crate::space::{FixedFrame, Pose, V3, skew};
use crate::state::Tracked;

/// A scalar force along a line of action.
#[derive(Debug, Clone)]
pub struct ScalarForce {
    /// Name in the model.
    pub name: String,
    /// Where it acts.
    pub line: Line,
    /// How large it is.
    pub law: ScalarLaw,
}

/// Generalized direction of a scalar force.
#[derive(Debug, Clone, Copy)]
pub enum Line {
    /// Along the row of a basic constraint of one row; an angle has a counter of turns.
    Row {
        /// The constraint: a distance or an angle.
        constraint: Constraint,
        /// Counter of turns, for an angle.
        tracked: Option<usize>,
    },
    /// About z of J; a direction without a coordinate.
    Axis {
        /// Frame on the body that turns.
        i: FixedFrame,
        /// Frame with the axis.
        j: FixedFrame,
    },
}

/// Size of a scalar force.
#[derive(Debug, Clone, Copy)]
pub enum ScalarLaw {
    /// preload - stiffness (l - free) - damping l'.
    Spring {
        /// [N/m, N m/rad]
        stiffness: f64,
        /// [N s/m, N m s/rad]
        damping: f64,
        /// Coordinate without force [m, rad].
        free: f64,
        /// Force at `free` [N, N m].
        preload: f64,
    },
    /// The program of that index.
    Program(usize),
}

/// A force or torque with three components by programs.
#[derive(Debug, Clone)]
pub struct VectorForce {
    /// Name in the model.
    pub name: String,
    /// Whether it is a pure torque.
    pub torque: bool,
    /// Where it acts.
    pub i: FixedFrame,
    /// Body that takes the reaction.
    pub reaction: usize,
    /// Axes of the components.
    pub frame: FixedFrame,
    /// Programs of the components.
    pub programs: [usize; 3],
}

impl Line {
    /// Bodies of I and J.
    #[must_use]
    pub fn bodies(&self) -> (usize, usize) {
        match self {
            Self::Row { constraint, .. } => (constraint.i.body, constraint.j.body),
            Self::Axis { i, j } => (i.body, j.body),
        }
    }

    /// Marker I.
    pub(crate) fn marker(&self) -> &FixedFrame {
        match self {
            Self::Row { constraint, .. } => &constraint.i,
            Self::Axis { i, .. } => i,
        }
    }

    /// Whether the wrench has a force; a torque alone otherwise.
    #[must_use]
    pub fn has_force(&self) -> bool {
        matches!(self, Self::Row { constraint, .. } if !constraint.is_angular())
    }

    /// The row: its value is the coordinate, turns counted.
    #[inline]
    #[must_use]
    pub fn row(&self, t: f64, poses: &[Pose], tracked: &[Tracked]) -> Row {
        match self {
            Self::Row { constraint, tracked: counter } => {
                let mut rows = [Row::zero(); MAX_ROWS];
                constraint.rows(poses, &mut rows);
                if let Some(k) = counter {
                    let rate = rows[0].rate(&poses[constraint.i.body], &poses[constraint.j.body]);
                    rows[0].phi = tracked[*k].continued(rows[0].phi, rate, t);
                }
                rows[0]
            }
            Self::Axis { j, .. } => {
                let z = j.axis(poses, 2);
                Row { phi: 0.0, g: V3::zeros(), gi: z, gj: -z }
            }
        }
    }

    /// Blocks of the curvature that may differ from zero.
    #[must_use]
    pub fn mask(&self) -> Mask {
        match self {
            Self::Row { constraint, .. } => constraint.mask(),
            Self::Axis { .. } => 1 << 5 | 1 << 8,
        }
    }

    /// Its curvature.
    pub fn curvature(&self, poses: &[Pose], out: &mut Curvature) {
        match self {
            Self::Row { constraint, .. } => constraint.curvature(0, poses, out),
            Self::Axis { j, .. } => {
                let z = skew(&j.axis(poses, 2));
                out.k[1][2] = -z;
                out.k[2][2] = z;
            }
        }
    }

    /// A constraint between the same frames, for placing entries.
    #[must_use]
    pub fn frames(&self) -> Constraint {
        match self {
            Self::Row { constraint, .. } => *constraint,
            Self::Axis { i, j } => Constraint { form: crate::constraint::Form::Angle, i: *i, j: *j },
        }
    }
}

impl ScalarLaw {
    /// Energy stored at coordinate `l` \[J\].
    #[must_use]
    pub fn potential(&self, l: f64) -> f64 {
        match *self {
            Self::Spring { stiffness, free, preload, .. } => {
                0.5 * stiffness * (l - free).powi(2) - preload * (l - free)
            }
            Self::Program(_) => 0.0,
        }
    }
}
