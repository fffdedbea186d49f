//! Model exchange: an FMU as a system y' = f(t, y) with root functions.

use super::exchanged::Exchanged;
use super::foreign::Instance;
use crate::function::{Failure, Signal};
use fourbar_multibody::dae::{EvalError, Kind, Unknown};
use fourbar_multibody::ode::Ode;

/// The equations of an FMU, and its inputs as polynomials.
///
/// An FMU without states has one that stays at zero: the method then steps through its time alone.
pub(super) struct System {
    pub(super) instance: Instance,
    pub(super) exchanged: Exchanged,
    pub(super) state_count: usize,
    pub(super) indicator_count: usize,
    unknowns: Vec<Unknown>,
    /// Inputs about the time `since` \[s\], in the units that are exchanged.
    signals: Vec<Signal>,
    since: f64,
    /// Inputs at a time, in the units of the FMU.
    values: Vec<f64>,
    /// The FMU's own words where an evaluation failed.
    pub(super) failure: Option<Failure>,
}

impl System {
    pub(super) fn new(instance: Instance, exchanged: Exchanged, counts: (usize, usize), inputs: usize) -> Self {
        let (state_count, indicator_count) = counts;
        let typical = vec![1.0; state_count.max(1)];
        let mut system = Self {
            instance,
            exchanged,
            state_count,
            indicator_count,
            unknowns: Vec::new(),
            signals: vec![Signal::default(); inputs],
            since: 0.0,
            values: vec![0.0; inputs],
            failure: None,
        };
        system.set_typical(&typical);
        system
    }

    /// Typical magnitudes of the states.
    pub(super) fn set_typical(&mut self, typical: &[f64]) {
        let unknown = |typical: &f64| Unknown {
            kind: Kind::differential("state of an FMU"),
            error_tested: true,
            scale_power: 0,
            typical: if typical.is_finite() && *typical != 0.0 { typical.abs() } else { 1.0 },
        };
        self.unknowns = typical.iter().map(unknown).collect();
    }

    /// From now on the inputs are these polynomials; whether one of them jumps at `t` \[s\].
    pub(super) fn drive(&mut self, t: f64, inputs: &[Vec<f64>; 3]) -> bool {
        let mut jumps = false;
        let [values, first, second] = inputs;
        for (i, signal) in self.signals.iter_mut().enumerate() {
            let new = Signal { value: values[i], first: first[i], second: second[i] };
            // Beyond the round-off of one evaluation it is another value.
            let before = signal.at(t - self.since);
            jumps |= (before - new.value).abs() > 1e-12 * before.abs().max(new.value.abs());
            *signal = new;
        }
        self.since = t;
        jumps
    }

    /// Writes the inputs at `t` \[s\]: those that are continuous, or all of them.
    pub(super) fn write_inputs(&mut self, t: f64, all: bool) -> Result<(), Failure> {
        if self.signals.is_empty() {
            return Ok(());
        }
        for (value, signal) in self.values.iter_mut().zip(&self.signals) {
            *value = signal.at(t - self.since);
        }
        self.exchanged.own_inputs(&mut self.values);
        let Exchanged { continuous, discrete, .. } = &mut self.exchanged;
        for group in continuous {
            self.instance.set(group, &self.values)?;
        }
        for group in discrete.iter_mut().filter(|_| all) {
            self.instance.set(group, &self.values)?;
        }
        Ok(())
    }

    /// Moves the FMU to (t, y).
    pub(super) fn go(&mut self, t: f64, y: &[f64]) -> Result<(), Failure> {
        self.instance.set_point(t, &y[..self.state_count])?;
        self.write_inputs(t, false)
    }

    pub(super) fn read_outputs(&mut self, values: &mut [f64]) -> Result<(), Failure> {
        for group in &mut self.exchanged.outputs {
            self.instance.get(group, values)?;
        }
        self.exchanged.foreign_outputs(values);
        Ok(())
    }

    /// An evaluation that failed: the step shrinks and is tried again as long as the FMU is not broken.
    fn failed(&mut self, time: f64, failure: Failure) -> EvalError {
        let reason = failure.to_string();
        let recoverable = self.instance.is_good();
        self.failure = Some(failure);
        let element = "the FMU".to_owned();
        if recoverable {
            EvalError::Recoverable { element, time, reason }
        } else {
            EvalError::Fatal { element, time, reason }
        }
    }
}

impl Ode for System {
    fn dimension(&self) -> usize {
        self.unknowns.len()
    }

    fn unknowns(&self) -> &[Unknown] {
        &self.unknowns
    }

    fn unknown_name(&self, i: usize) -> String {
        format!("state {} of the FMU", i + 1)
    }

    fn rhs(&mut self, t: f64, y: &[f64], yp: &mut [f64]) -> Result<(), EvalError> {
        let n = self.state_count;
        yp[n..].fill(0.0);
        let done = self.go(t, y).and_then(|()| self.instance.derivatives(&mut yp[..n]));
        done.map_err(|failure| self.failed(t, failure))
    }

    fn root_count(&self) -> usize {
        self.indicator_count
    }

    fn root_name(&self, i: usize) -> String {
        format!("event indicator {} of the FMU", i + 1)
    }

    fn roots(&mut self, t: f64, y: &[f64], _yp: &[f64], roots: &mut [f64]) -> Result<(), EvalError> {
        let done = self.go(t, y).and_then(|()| self.instance.indicators(roots));
        done.map_err(|failure| self.failed(t, failure))
    }
}
