//! Model exchange: an FMU as a system y' = f(t, y) with root functions.
//!
//! Its algebraic variables, where it hands out residuals (FMI-LS-DAE), stand behind its states in y.

use super::exchanged::{Exchanged, elements};
use super::foreign::{Group, Instance};
use super::model::{FmuDae, FmuDescription, FmuType};
use crate::function::{Failure, Signal};
use fourbar_dae::ode::Ode;
use fourbar_dae::{EvalError, Kind, Unknown};

/// The equations of an FMU, and its inputs as polynomials.
///
/// An FMU without states has one that stays at zero: the method then steps through its time alone.
pub(super) struct System {
    pub(super) instance: Instance,
    pub(super) exchanged: Exchanged,
    pub(super) state_count: usize,
    pub(super) indicator_count: usize,
    /// Algebraic variables and residuals, at their places in y.
    algebraic: Group,
    residuals: Group,
    names: Vec<String>,
    unknowns: Vec<Unknown>,
    /// Inputs about the time `since` \[s\].
    signals: Vec<Signal>,
    since: f64,
    /// Inputs at a time, in the units of the FMU.
    values: Vec<f64>,
    /// Discrete inputs and tunable parameters as they were set last, in the places of all inputs and the units of the FMU.
    pub(super) set: Vec<f64>,
    /// The FMU's own words where an evaluation failed.
    pub(super) failure: Option<Failure>,
}

impl System {
    /// `dae` where its residuals are solved.
    pub(super) fn new(
        instance: Instance,
        exchanged: Exchanged,
        (state_count, indicator_count): (usize, usize),
        description: &FmuDescription,
        dae: Option<&FmuDae>,
    ) -> Self {
        let (inputs, set) = (exchanged.input_count(), exchanged.inputs_before());
        let states = description.derivatives.iter().flat_map(|derivative| {
            let state = description.variables[*derivative].derivative_of.unwrap_or(*derivative);
            elements(description, &description.variables[state])
        });
        let mut names: Vec<String> = states.collect();
        names.resize_with(state_count, || "a state".to_owned());
        let group = |list: &[usize]| {
            let mut group = Group::new(FmuType::Float64);
            let mut place = state_count;
            for variable in list.iter().map(|index| &description.variables[*index]) {
                let elements = elements(description, variable);
                let from = place;
                place += elements.len();
                group.add(variable.value_reference, elements.into_iter().enumerate().map(|(k, name)| (from + k, name)));
            }
            group
        };
        let (algebraic, residuals) =
            (group(dae.map_or(&[], |dae| &dae.algebraic)), group(dae.map_or(&[], |dae| &dae.residuals)));
        names.extend(algebraic.names().iter().cloned());
        let typical = vec![1.0; (state_count + algebraic.places().len()).max(1)];
        let mut system = Self {
            instance,
            exchanged,
            state_count,
            indicator_count,
            algebraic,
            residuals,
            names,
            unknowns: Vec::new(),
            signals: vec![Signal::default(); inputs],
            since: 0.0,
            values: vec![0.0; inputs],
            set,
            failure: None,
        };
        system.set_typical(&typical);
        system
    }

    /// Typical magnitudes of the states.
    pub(super) fn set_typical(&mut self, typical: &[f64]) {
        let n = self.differential_count();
        let unknown = |(i, typical): (usize, &f64)| Unknown {
            kind: if i < n { Kind::differential("states of an FMU") } else { Kind::algebraic("variables of an FMU") },
            error_tested: true,
            scale_power: 0,
            typical: if typical.is_finite() && *typical != 0.0 { typical.abs() } else { 1.0 },
        };
        self.unknowns = typical.iter().enumerate().map(unknown).collect();
    }

    /// From now on the inputs are these polynomials; whether one of them jumps at `t` \[s\], or has to be set at an event.
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
        self.values.copy_from_slice(values);
        let mut at_events = self.exchanged.discrete.iter().chain(&self.exchanged.tunable);
        jumps || at_events.any(|group| group.differs(&self.set, &self.values))
    }

    /// Writes the inputs at `t` \[s\]: those that may change at any time, or all of them.
    pub(super) fn write_inputs(&mut self, t: f64, all: bool) -> Result<(), Failure> {
        if self.signals.is_empty() {
            return Ok(());
        }
        for (value, signal) in self.values.iter_mut().zip(&self.signals) {
            *value = signal.at(t - self.since);
        }
        let Exchanged { continuous, discrete, tunable, .. } = &mut self.exchanged;
        for group in continuous {
            self.instance.set(group, &self.values)?;
        }
        if all {
            let changed = tunable.iter_mut().filter(|group| group.differs(&self.set, &self.values));
            for group in discrete.iter_mut().chain(changed) {
                self.instance.set(group, &self.values)?;
            }
            self.set.clone_from(&self.values);
        }
        Ok(())
    }

    /// Moves the FMU to (t, y).
    pub(super) fn go(&mut self, t: f64, y: &[f64]) -> Result<(), Failure> {
        self.instance.set_point(t, &y[..self.state_count])?;
        if self.has_residuals() {
            self.instance.set(&mut self.algebraic, y)?;
        }
        self.write_inputs(t, false)
    }

    pub(super) fn read_outputs(&mut self, values: &mut [f64]) -> Result<(), Failure> {
        for group in &mut self.exchanged.outputs {
            self.instance.get(group, values)?;
        }
        Ok(())
    }

    /// Whether it has algebraic variables.
    pub(super) fn has_residuals(&self) -> bool {
        !self.algebraic.places().is_empty()
    }

    /// Number of unknowns whose derivatives there are; they come first.
    pub(super) fn differential_count(&self) -> usize {
        if self.has_residuals() { self.state_count } else { self.state_count.max(1) }
    }

    /// Number of unknowns; an FMU without any has one that stays.
    pub(super) fn unknown_count(&self) -> usize {
        self.unknowns.len()
    }

    /// States and algebraic variables as the FMU has them.
    pub(super) fn read_point(&mut self, y: &mut [f64]) -> Result<(), Failure> {
        self.instance.states(&mut y[..self.state_count])?;
        if self.has_residuals() {
            self.instance.get(&mut self.algebraic, y)?;
        }
        Ok(())
    }

    /// Takes over the typical magnitudes of the states; of algebraic variables those of the description, `nominals`.
    pub(super) fn note_nominals(&mut self, nominals: &[f64]) -> Result<(), Failure> {
        let mut typical = vec![1.0; self.differential_count()];
        self.instance.nominals(&mut typical[..self.state_count])?;
        typical.extend_from_slice(nominals);
        self.set_typical(&typical);
        Ok(())
    }

    /// Writes derivatives of the states, then residuals, at (t, y).
    pub(super) fn evaluate(&mut self, t: f64, y: &[f64], values: &mut [f64]) -> Result<(), Failure> {
        let n = self.state_count;
        values[n..].fill(0.0);
        self.go(t, y)?;
        self.instance.derivatives(&mut values[..n])?;
        if self.has_residuals() {
            self.instance.get(&mut self.residuals, values)?;
        }
        Ok(())
    }

    pub(super) fn unknowns(&self) -> &[Unknown] {
        &self.unknowns
    }

    pub(super) fn name(&self, i: usize) -> String {
        self.names.get(i).cloned().unwrap_or_else(|| "time alone".to_owned())
    }

    /// Name of equation i.
    pub(super) fn equation(&self, i: usize) -> String {
        match i.checked_sub(self.state_count).and_then(|k| self.residuals.names().get(k)) {
            Some(residual) => residual.clone(),
            None => format!("the derivative of {}", self.name(i)),
        }
    }

    pub(super) fn indicators(&mut self, t: f64, y: &[f64], roots: &mut [f64]) -> Result<(), EvalError> {
        let done = self.go(t, y).and_then(|()| self.instance.indicators(roots));
        done.map_err(|failure| self.failed(t, failure))
    }

    /// An evaluation that failed: the step shrinks and is tried again as long as the FMU is not broken.
    pub(super) fn failed(&mut self, time: f64, failure: Failure) -> EvalError {
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
        self.name(i)
    }

    fn rhs(&mut self, t: f64, y: &[f64], yp: &mut [f64]) -> Result<(), EvalError> {
        self.evaluate(t, y, yp).map_err(|failure| self.failed(t, failure))
    }

    fn root_count(&self) -> usize {
        self.indicator_count
    }

    fn root_name(&self, i: usize) -> String {
        indicator(i)
    }

    fn roots(&mut self, t: f64, y: &[f64], _yp: &[f64], roots: &mut [f64]) -> Result<(), EvalError> {
        self.indicators(t, y, roots)
    }
}

/// Name of event indicator i.
pub(super) fn indicator(i: usize) -> String {
    format!("event indicator {} of the FMU", i + 1)
}
