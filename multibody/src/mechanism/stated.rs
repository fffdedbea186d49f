//! Initial conditions that joints state.

use crate::model::Direction;
use crate::space::wrap;

/// Initial conditions of one coordinate of a joint.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Stated {
    /// Joint, an index of [`Mechanism::constraint_sets`](super::Mechanism::constraint_sets).
    pub set: usize,
    pub direction: Direction,
    /// Angle \[rad\] or displacement \[m\].
    pub value: Option<f64>,
    /// Its rate.
    pub rate: Option<f64>,
}

/// What of a coordinate is stated.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Level {
    Position,
    Velocity,
}

impl Stated {
    /// From `value` to `target`; an angle takes the short way.
    pub(crate) fn way(&self, value: f64, target: f64) -> f64 {
        match self.direction {
            Direction::Rotation => wrap(target - value),
            Direction::Translation => target - value,
        }
    }

    pub(crate) fn at(&self, level: Level) -> Option<f64> {
        match level {
            Level::Position => self.value,
            Level::Velocity => self.rate,
        }
    }

    pub(crate) fn quantity(&self, level: Level) -> (&'static str, &'static str) {
        match (self.direction, level) {
            (Direction::Rotation, Level::Position) => ("angle", "rad"),
            (Direction::Translation, Level::Position) => ("displacement", "m"),
            (Direction::Rotation, Level::Velocity) => ("angular velocity", "rad/s"),
            (Direction::Translation, Level::Velocity) => ("velocity", "m/s"),
        }
    }
}
