//! What the multiplier of a constraint row does to the bodies it acts on.

use crate::constraint::{MAX_ROWS, Row};
use crate::mechanism::{DROPPED, Mechanism};
use crate::space::Pose;

/// What a multiplier does to the bodies it acts on.
#[derive(Debug, Clone, Copy)]
pub(super) struct Effect {
    /// Bodies I and J; the number of bodies stands for the ground.
    bodies: [usize; 2],
    /// |g|, |g_i| and |g_j| of its row at the start.
    gradient: [f64; 3],
}

impl Effect {
    /// Of a row between bodies I and J with gradients of these norms.
    pub(super) fn new(bodies: [usize; 2], gradient: [f64; 3]) -> Self {
        Self { bodies, gradient }
    }

    /// Of each independent row.
    pub(super) fn of(mechanism: &Mechanism, poses: &[Pose]) -> Vec<Self> {
        let mut all = vec![Self { bodies: [mechanism.bodies.len(); 2], gradient: [0.0; 3] }; mechanism.row_count()];
        let mut rows = [Row::zero(); MAX_ROWS];
        for bound in &mechanism.constraints {
            let c = &bound.constraint;
            c.rows(poses, &mut rows);
            for (row, &k) in rows.iter().zip(&bound.rows[..c.row_count()]) {
                if k != DROPPED {
                    let gradient = [row.g.norm(), row.gi.norm(), row.gj.norm()];
                    all[k as usize] = Self { bodies: [c.i.body, c.j.body], gradient };
                }
            }
        }
        all
    }

    /// The largest multiplier that changes no body by more than it may be off: `way(b)` of force by translation, `turn(b)` by rotation.
    #[inline]
    pub(super) fn bearable(&self, ground: usize, way: impl Fn(usize) -> f64, turn: impl Fn(usize) -> f64) -> f64 {
        let mut least = f64::INFINITY;
        for (k, &b) in self.bodies.iter().enumerate().filter(|(_, b)| **b != ground) {
            least = least.min(way(b) / self.gradient[0]).min(turn(b) / self.gradient[k + 1]);
        }
        least
    }
    /// Force that a unit of the multiplier exerts, a torque counted as that force at the length of the mechanism.
    pub(super) fn strength(&self, length: f64) -> f64 {
        self.gradient[0].max(self.gradient[1].max(self.gradient[2]) / length)
    }
}
