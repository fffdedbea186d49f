//! The basic constraints, from which every joint is composed.
//!
//! Each gives rows Phi(q, t) = 0 between two frames I and J. A row is written once, analytically, as
//!
//! ```text
//! dPhi = g.(dx_i - dx_j) + g_i.dpi_i + g_j.dpi_j                                  (row)
//! d(g, g_i, g_j) = K (dx_i - dx_j, dpi_i, dpi_j)                                  (curvature)
//! ```
//!
//! with x the centre of mass of a body and dpi its virtual rotation, both in global axes. Everything an analysis asks follows:
//! the velocity row is the row applied to (V, omega), its derivative by q is (V, omega)^T K, the right-hand side of the
//! acceleration equation is gamma = -(V, omega)^T K (V, omega) - Phi_tt, and the derivative of Phi_q^T lambda is the sum of
//! lambda K. In global axes a translation of both bodies changes nothing, so x enters by its difference only.

mod angle;
mod axis_vector;
pub(crate) mod cardan;
mod convective;
mod distance;
mod dot;
mod point;
mod rolling;
mod screw;
pub mod table;
mod twist;

pub use rolling::Roller;

use crate::space::{FixedFrame, M3, Pose, V3};

/// Most rows a basic constraint has.
pub const MAX_ROWS: usize = 3;

/// What a basic constraint asks of frames I and J.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Form {
    /// Origins coincide: three rows, p_i - p_j = 0 in global axes \[m\].
    Point,
    /// The same along the axes of J: three rows, a_k.(p_i - p_j) = 0 \[m\]. Loops whose rows depend on each other have it, so that the rows that
    /// do so turn with the loop.
    LocalPoint,
    /// Axis `i` of I is perpendicular to axis `j` of J: their dot product is zero.
    Dot {
        /// Axis of I, 0 to 2.
        i: usize,
        /// Axis of J, 0 to 2.
        j: usize,
    },
    /// The vector p_i - p_j has the component `offset` along axis `axis` of J \[m\].
    AxisVector {
        /// Axis of J, 0 to 2.
        axis: usize,
        /// Component asked for \[m\].
        offset: f64,
    },
    /// Origins keep the distance `length` \[m\].
    Distance {
        /// Distance asked for \[m\], positive.
        length: f64,
    },
    /// The angle from x of J to x of I about z of J, less the prescribed one \[rad\].
    Angle,
    /// One of the three angles by which J turns to I about x, then its new y, then its newest z, less the prescribed one \[rad\].
    Cardan {
        /// Which of them, 0 to 2.
        axis: usize,
    },
    /// The component of p_i - p_j along z of J follows the angle about it, whole turns aside \[m\].
    Screw {
        /// Displacement a radian [m/rad], not zero.
        lead: f64,
    },
    /// A sphere or disc of body I touches the x-y plane of J, along z \[m\]; it does not slide along x or y of J [m/s].
    Rolling {
        /// What rolls.
        roller: Roller,
        /// Its radius \[m\].
        radius: f64,
        /// Axis of J, 0 to 2.
        axis: usize,
    },
    /// A direction on the way between the centres of mass, d.(x_i - x_j), whatever its unit.
    Along {
        /// d, in global axes.
        direction: [f64; 3],
    },
    /// x of I on y of J is as large as y of I on x of J: no twist between shafts along z of each.
    Twist,
}

impl Form {
    /// Whether it lets origins coincide, by three rows.
    #[must_use]
    pub fn is_point(self) -> bool {
        matches!(self, Self::Point | Self::LocalPoint)
    }

    /// Whether it holds velocities alone: nothing is said of positions, and Phi is zero.
    #[must_use]
    pub fn holds_velocities_only(self) -> bool {
        matches!(self, Self::Rolling { axis: 0 | 1, .. })
    }

    /// Whether row `k` depends on coordinate `a` of the centres of mass: a row of coincident points sees one alone.
    #[must_use]
    pub fn moves(self, k: usize, a: usize) -> bool {
        match self {
            Self::Point => k == a,
            Self::Along { direction } => direction[a] != 0.0,
            Self::Dot { .. } | Self::Angle | Self::Cardan { .. } | Self::Twist => false,
            Self::LocalPoint
            | Self::AxisVector { .. }
            | Self::Distance { .. }
            | Self::Screw { .. }
            | Self::Rolling { .. } => true,
        }
    }

    /// Whether row `k` depends on turning about the global axis `a`.
    #[must_use]
    pub fn turns(self, k: usize, a: usize) -> bool {
        match self {
            Self::Point => k != a,
            Self::Along { .. } => false,
            _ => true,
        }
    }
}

/// One row: value and gradient.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Row {
    /// Phi, before a prescribed function of time is subtracted [m, rad].
    pub phi: f64,
    /// Gradient by x_i; that by x_j is its negative.
    pub g: V3,
    /// Gradient by the virtual rotation of body I.
    pub gi: V3,
    /// Gradient by the virtual rotation of body J.
    pub gj: V3,
}

impl Row {
    /// A row of zeros.
    #[must_use]
    pub fn zero() -> Self {
        Self { phi: 0.0, g: V3::zeros(), gi: V3::zeros(), gj: V3::zeros() }
    }

    /// Phi_q applied to the velocities of bodies I and J.
    #[inline]
    #[must_use]
    pub fn rate(&self, i: &Pose, j: &Pose) -> f64 {
        self.g.dot(&(i.v - j.v)) + self.gi.dot(&i.w) + self.gj.dot(&j.w)
    }
}

/// Which of the nine 3 x 3 blocks of a curvature may differ from zero; fixed for a [`Form`].
/// Bit 3 r + c: r = 0, 1, 2 for g, g_i, g_j; c = 0, 1, 2 for dx, dpi_i, dpi_j.
pub type Mask = u16;

/// Curvature K of one row, or of a weighted sum of rows: `k[r][c]` as in [`Mask`].
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Curvature {
    /// Blocks.
    pub k: [[M3; 3]; 3],
}

impl Curvature {
    /// No curvature.
    #[must_use]
    pub fn zero() -> Self {
        Self { k: [[M3::zeros(); 3]; 3] }
    }

    /// Derivative of the row's velocity form by (dx, dpi_i, dpi_j) at fixed velocities: (V, omega)^T K.
    #[inline]
    #[must_use]
    pub fn rate_gradient(&self, mask: Mask, i: &Pose, j: &Pose) -> [V3; 3] {
        let velocities = [i.v - j.v, i.w, j.w];
        let mut out = [V3::zeros(); 3];
        for (r, velocity) in velocities.iter().enumerate() {
            for (c, gradient) in out.iter_mut().enumerate() {
                if mask >> (3 * r + c) & 1 == 1 {
                    *gradient += self.k[r][c].tr_mul(velocity);
                }
            }
        }
        out
    }
}

/// A basic constraint between two frames.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Constraint {
    /// What is asked.
    pub form: Form,
    /// Frame I.
    pub i: FixedFrame,
    /// Frame J.
    pub j: FixedFrame,
}

impl Constraint {
    /// Number of rows, 1 to [`MAX_ROWS`].
    #[must_use]
    pub fn row_count(&self) -> usize {
        if self.form.is_point() { 3 } else { 1 }
    }

    /// Whether its rows are angles \[rad\]; otherwise they are lengths \[m\].
    #[must_use]
    pub fn is_angular(&self) -> bool {
        matches!(self.form, Form::Dot { .. } | Form::Angle | Form::Cardan { .. } | Form::Twist)
    }

    /// Evaluates the rows; entries beyond [`Constraint::row_count`] are not touched.
    #[inline]
    pub fn rows(&self, poses: &[Pose], rows: &mut [Row; MAX_ROWS]) {
        match self.form {
            Form::Point => point::rows(&self.i, &self.j, poses, rows),
            Form::LocalPoint => {
                for (axis, row) in rows.iter_mut().enumerate() {
                    *row = axis_vector::row(&self.i, &self.j, axis, 0.0, poses);
                }
            }
            Form::Dot { i, j } => rows[0] = dot::row(&self.i, &self.j, i, j, poses),
            Form::AxisVector { axis, offset } => rows[0] = axis_vector::row(&self.i, &self.j, axis, offset, poses),
            Form::Distance { length } => rows[0] = distance::row(&self.i, &self.j, length, poses),
            Form::Angle => rows[0] = angle::row(&self.i, &self.j, poses),
            Form::Cardan { axis } => rows[0] = cardan::row(&self.i, &self.j, axis, poses),
            Form::Screw { lead } => rows[0] = screw::row(&self.i, &self.j, lead, poses),
            Form::Rolling { roller, radius, axis } => {
                rows[0] = rolling::row(roller, radius, axis, [&self.i, &self.j], poses)
            }
            Form::Along { direction } => rows[0] = along(direction, &poses[self.i.body], &poses[self.j.body]),
            Form::Twist => rows[0] = twist::row(&self.i, &self.j, poses),
        }
    }

    /// Blocks of the curvature that may differ from zero.
    #[must_use]
    pub fn mask(&self) -> Mask {
        match self.form {
            Form::Point => point::MASK,
            Form::Dot { .. } | Form::Angle => dot::MASK,
            Form::LocalPoint | Form::AxisVector { .. } => axis_vector::MASK,
            Form::Distance { .. } => distance::MASK,
            Form::Cardan { .. } => cardan::MASK,
            Form::Screw { .. } => screw::MASK,
            Form::Rolling { .. } => rolling::MASK,
            Form::Along { .. } => 0,
            Form::Twist => twist::MASK,
        }
    }

    /// Curvature of row `row`; only blocks in [`Constraint::mask`] are written, and all of those.
    #[inline]
    pub fn curvature(&self, row: usize, poses: &[Pose], out: &mut Curvature) {
        match self.form {
            Form::Point => point::curvature(&self.i, &self.j, row, poses, out),
            Form::LocalPoint => axis_vector::curvature(&self.i, &self.j, row, poses, out),
            Form::Dot { i, j } => dot::curvature(&self.i, &self.j, i, j, poses, out),
            Form::AxisVector { axis, .. } => axis_vector::curvature(&self.i, &self.j, axis, poses, out),
            Form::Distance { .. } => distance::curvature(&self.i, &self.j, poses, out),
            Form::Angle => angle::curvature(&self.i, &self.j, poses, out),
            Form::Cardan { axis } => cardan::curvature(&self.i, &self.j, axis, poses, out),
            Form::Screw { lead } => screw::curvature(&self.i, &self.j, lead, poses, out),
            Form::Rolling { roller, radius, axis } => {
                rolling::curvature((roller, radius), axis, [&self.i, &self.j], poses, out)
            }
            Form::Along { .. } => {}
            Form::Twist => twist::curvature(&self.i, &self.j, poses, out),
        }
    }
}

/// d.(x_i - x_j).
fn along(direction: [f64; 3], i: &Pose, j: &Pose) -> Row {
    let g = V3::from(direction);
    Row { phi: g.dot(&(i.x - j.x)), g, gi: V3::zeros(), gj: V3::zeros() }
}

#[cfg(test)]
mod tests;
