//! The input signals while a run lasts.

use crate::Error;
use crate::linear::{Side, Signal};
use fourbar_multibody::expression::{Program, Stack};

/// The signals, and the first value that was not finite.
#[derive(Debug, Clone)]
pub(super) struct Inputs {
    signals: Vec<Signal>,
    names: Vec<String>,
    stack: Stack<f64>,
    fault: Option<(usize, f64, f64)>,
}

impl Inputs {
    pub(super) fn new(signals: Vec<Signal>, names: Vec<String>) -> Self {
        let depth = |signal: &Signal| match signal {
            Signal::Program(program) => Program::depth(program),
            _ => 0,
        };
        let stack = Stack::new(signals.iter().map(depth).max().unwrap_or(0));
        Self { signals, names, stack, fault: None }
    }

    /// Number of inputs m.
    pub(super) fn len(&self) -> usize {
        self.signals.len()
    }

    /// Writes the m inputs at a time into `u`.
    pub(super) fn sample(&mut self, time: f64, side: Side, u: &mut [f64]) {
        for (i, (signal, u)) in self.signals.iter().zip(u).enumerate() {
            *u = signal.value(time, side, &mut self.stack);
            if !u.is_finite() && self.fault.is_none() {
                self.fault = Some((i, *u, time));
            }
        }
    }

    /// Forgets what was not finite.
    pub(super) fn forget(&mut self) {
        self.fault = None;
    }

    /// The first value since [`Inputs::forget`] that was not finite, as an error.
    pub(super) fn check(&self) -> Result<(), Error> {
        match self.fault {
            Some((i, value, time)) => Err(Error::Input { input: self.names[i].clone(), value, time }),
            None => Ok(()),
        }
    }
}
