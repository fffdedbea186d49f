//! What the multiplier of a constraint row does to the bodies it acts on.

use crate::constraint::{MAX_ROWS, Row};
use crate::mechanism::{Counted, DROPPED, Mechanism};
use crate::space::Pose;

/// What a multiplier does to the bodies it acts on.
#[derive(Debug, Clone)]
pub(super) struct Effect {
    /// Of bodies I and J of each part of its row: the body, its number that of the bodies for the ground, and the norms of the gradients by
    /// translation and rotation at the start.
    acts: Vec<(usize, [f64; 2])>,
}

impl Effect {
    /// Of a row between bodies I and J with gradients of these norms.
    pub(super) fn new([i, j]: [usize; 2], [g, gi, gj]: [f64; 3]) -> Self {
        Self { acts: vec![(i, [g, gi]), (j, [g, gj])] }
    }

    /// The same of a row that has the terms of both.
    pub(super) fn and(&mut self, other: Self) {
        self.acts.extend(other.acts);
    }

    /// Of each independent row.
    pub(super) fn of(mechanism: &Mechanism, poses: &[Pose]) -> Vec<Self> {
        let mut all = vec![Self { acts: Vec::new() }; mechanism.row_count()];
        let mut rows = [Row::zero(); MAX_ROWS];
        for bound in &mechanism.constraints {
            for part in bound.parts_at(poses, Counted::NONE) {
                let c = part.constraint;
                part.gradients(poses, &mut rows);
                for (row, &k) in rows.iter().zip(&bound.rows[..c.row_count()]) {
                    if k != DROPPED {
                        let gradient = [row.g.norm(), row.gi.norm(), row.gj.norm()];
                        all[k as usize].and(Self::new([c.i.body, c.j.body], gradient));
                    }
                }
            }
        }
        all
    }

    /// The largest multiplier that changes no body by more than it may be off: `way(b)` of force by translation, `turn(b)` by rotation.
    #[inline]
    pub(super) fn allowed(&self, ground: usize, way: impl Fn(usize) -> f64, turn: impl Fn(usize) -> f64) -> f64 {
        let mut least = f64::INFINITY;
        for &(b, gradient) in self.acts.iter().filter(|(b, _)| *b != ground) {
            least = least.min(way(b) / gradient[0]).min(turn(b) / gradient[1]);
        }
        least
    }

    /// Force that a unit of the multiplier exerts, a torque counted as that force at the length of the mechanism.
    pub(super) fn strength(&self, length: f64) -> f64 {
        self.acts.iter().fold(0.0, |most, (_, gradient)| f64::max(most, gradient[0].max(gradient[1] / length)))
    }
}
