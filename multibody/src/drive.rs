//! Prescribed joint coordinates f(t) and their derivatives.

use crate::expression::{Program, Stack};
use crate::host::MotionFunction;
use num_dual::Dual2_64;
use std::sync::Arc;

/// A prescribed coordinate. Given by velocity or acceleration it has unknowns of its own, which integrate it.
#[derive(Debug, Clone)]
pub struct Drive {
    /// What the function of time gives.
    pub law: Law,
    /// The function of time.
    pub function: TimeFunction,
    /// First of its unknowns among those of all drives.
    pub first: usize,
    /// Coordinate at the start, if the model fixes it.
    pub start: Option<f64>,
    /// Rate at the start, for [`Law::Acceleration`].
    pub start_rate: f64,
}

/// A function of time.
#[derive(Debug, Clone)]
pub enum TimeFunction {
    /// An expression.
    Program(Program),
    /// A function of the host.
    Host(Arc<dyn MotionFunction>),
}

impl TimeFunction {
    /// A stack for all of these drives.
    #[must_use]
    pub fn stack(drives: &[Drive]) -> Stack<Dual2_64> {
        Stack::for_programs(drives.iter().filter_map(|drive| match &drive.function {
            Self::Program(program) => Some(program),
            Self::Host(_) => None,
        }))
    }

    /// Value, first and second derivative at `time`; NaN where a function of the host refuses.
    #[inline]
    #[must_use]
    pub fn time_derivatives(&self, time: f64, stack: &mut Stack<Dual2_64>) -> [f64; 3] {
        match self {
            Self::Program(program) => program.time_derivatives(time, stack),
            Self::Host(function) => function.value(time).unwrap_or([f64::NAN; 3]),
        }
    }
}

/// What the function of a [`Drive`] gives.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Law {
    /// f.
    Displacement,
    /// f'; one unknown, f.
    Velocity,
    /// f''; two unknowns, f and f'.
    Acceleration,
}

impl Law {
    /// Number of unknowns.
    #[must_use]
    pub fn unknowns(self) -> usize {
        match self {
            Self::Displacement => 0,
            Self::Velocity => 1,
            Self::Acceleration => 2,
        }
    }
}

impl Drive {
    /// (f, f', f'') at time `t` with the unknowns of all drives in `states`.
    #[inline]
    #[must_use]
    pub fn evaluate(&self, t: f64, states: &[f64], stack: &mut Stack<Dual2_64>) -> [f64; 3] {
        let p = self.function.time_derivatives(t, stack);
        match self.law {
            Law::Displacement => p,
            Law::Velocity => [states[self.first], p[0], p[1]],
            Law::Acceleration => [states[self.first], states[self.first + 1], p[0]],
        }
    }
}
