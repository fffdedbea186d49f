//! Values of variables, read and set.

use super::{Instance, Phase};
use crate::fmi::parameters::parameters;
use crate::fmi::variables::{Causality, Local};
use crate::fmi::{Error, FmuVariable};

impl Instance {
    pub(super) fn variable_of_any_kind(&self, reference: u32) -> Result<&FmuVariable, Error> {
        self.variables.get(reference).ok_or(Error::Reference { kind: "real", reference })
    }

    pub(super) fn variable(&self, reference: u32) -> Result<&FmuVariable, Error> {
        let is_real = |own: &&FmuVariable| own.causality != Causality::Switch;
        self.variables.get(reference).filter(is_real).ok_or(Error::Reference { kind: "real", reference })
    }

    /// The value of a variable.
    ///
    /// # Errors
    /// [`Error::Reference`]; [`Error::Model`] where outputs cannot be evaluated.
    pub fn get(&mut self, reference: u32) -> Result<f64, Error> {
        self.variable(reference)?;
        if let Some(k) = self.variables.input(reference) {
            let ([value, first, second], s) = (self.inputs[k], self.time - self.begun);
            return Ok(value + s * (first + 0.5 * s * second));
        }
        if let Some(k) = self.variables.parameter(reference) {
            return self.parameter(k, reference);
        }
        if let Some(which) = self.variables.local(reference) {
            return self.local(which);
        }
        match self.variables.output(reference) {
            Some(k) => self.output(k),
            None => Ok(self.time),
        }
    }

    fn output(&mut self, k: usize) -> Result<f64, Error> {
        if self.outputs.is_none() {
            let mut values = vec![0.0; self.variables.with(Causality::Output).count()];
            let inputs = self.inputs.clone();
            let stepping = matches!(self.phase, Phase::Stepping | Phase::Event | Phase::Continuous);
            let motion = self.motion()?;
            if stepping {
                motion.set_inputs(&inputs)?;
            }
            motion.observe(&mut values)?;
            self.outputs = Some(values);
        }
        Ok(self.outputs.as_ref().map_or(f64::NAN, |values| values[k]))
    }

    /// A local variable.
    fn local(&mut self, which: Local) -> Result<f64, Error> {
        if self.locals.is_none() || matches!(which, Local::Algebraic(_) | Local::Residual(_)) {
            let inputs = self.inputs.clone();
            let stepping = matches!(self.phase, Phase::Stepping | Phase::Event | Phase::Continuous);
            let motion = self.motion()?;
            if stepping {
                motion.set_inputs(&inputs)?;
            }
            if let Some(value) = motion.exchange().and_then(|exchange| Self::open_value(exchange, which)) {
                return value;
            }
        }
        if self.locals.is_none() {
            let motion = self.motion()?;
            self.locals = Some(match motion.exchange() {
                Some(own) => [own.states().to_vec(), own.slopes()?, own.indicators()?, Vec::new(), Vec::new()],
                None => motion.equations()?.values()?,
            });
        }
        let (list, k) = match which {
            Local::State(k) => (0, k),
            Local::Derivative(k) => (1, k),
            Local::Indicator(k) => (2, k),
            Local::Algebraic(k) => (3, k),
            Local::Residual(k) => (4, k),
        };
        Ok(self.locals.as_ref().and_then(|locals| locals[list].get(k).copied()).unwrap_or(f64::NAN))
    }

    /// A parameter; one that follows from others is evaluated with these.
    fn parameter(&self, k: usize, reference: u32) -> Result<f64, Error> {
        let is_free = self.variable(reference)?.causality == Causality::Parameter;
        if is_free || self.parameters == self.starts {
            return Ok(self.parameters[k]);
        }
        Ok(parameters(self.file()?.document())?.get(k).map_or(f64::NAN, |own| own.value))
    }

    /// Sets an input or a parameter; as [`Instance::set_all`].
    ///
    /// # Errors
    /// As [`Instance::set_all`].
    pub fn set(&mut self, reference: u32, value: f64) -> Result<(), Error> {
        self.set_all(&[reference], &[value])
    }

    /// Sets inputs and parameters. Between steps, and in the event mode of model exchange, tunable parameters are taken over by the running model,
    /// all of them at once.
    ///
    /// # Errors
    /// [`Error::Reference`], [`Error::NotFinite`]; [`Error::NotSettable`] for other variables, and for fixed parameters after the initialization;
    /// [`Error::NotTaken`] for parameters with which the model cannot go on. Nothing has changed then.
    pub fn set_all(&mut self, references: &[u32], values: &[f64]) -> Result<(), Error> {
        references.iter().zip(values).try_for_each(|(reference, value)| self.check_settable(*reference, *value))?;
        let mut parameters = self.parameters.clone();
        for (reference, value) in references.iter().zip(values) {
            if let Some(k) = self.variables.parameter(*reference) {
                parameters[k] = *value;
            }
        }
        if self.phase.is_early() {
            self.become_like(&parameters, self.experiment);
        } else if parameters != self.parameters {
            let before = std::mem::replace(&mut self.parameters, parameters);
            self.retune(before)?;
        }
        for (reference, value) in references.iter().zip(values) {
            if let Some(k) = self.variables.input(*reference) {
                let [_, first, second] = self.inputs[k];
                self.set_input(k, [*value, first, second]);
            }
        }
        self.set_algebraic(references, values)
    }

    /// Whether a variable may become `value` now.
    fn check_settable(&self, reference: u32, value: f64) -> Result<(), Error> {
        let variable = self.variable(reference)?;
        let early = self.phase.is_early();
        let refused = match variable.causality {
            Causality::Independent => Some("the time is what steps make of it"),
            Causality::Output => Some("it is an output"),
            Causality::CalculatedParameter => Some("it follows from other parameters"),
            _ if self.phase == Phase::Configuration => Some("structural parameters alone are set there"),
            Causality::State | Causality::Derivative | Causality::Indicator | Causality::Residual => {
                Some("it follows from the equations")
            }
            Causality::Switch => Some("it is true or false"),
            Causality::Algebraic if early => None,
            Causality::Algebraic if !self.solves => Some(
                "it follows from the equations, unless the importer solves for it; say so in the configuration mode",
            ),
            Causality::Algebraic if !matches!(self.phase, Phase::Event | Phase::Continuous) => Some("no step follows"),
            Causality::Parameter if !early && !variable.is_tunable => {
                Some("it is fixed; set it before the end of the initialization")
            }
            Causality::Parameter if !early && self.phase == Phase::Continuous => {
                Some("parameters are set in the event mode")
            }
            Causality::Parameter if !early && !matches!(self.phase, Phase::Stepping | Phase::Event) => {
                Some("no step follows")
            }
            Causality::Input if !early && !matches!(self.phase, Phase::Stepping | Phase::Event | Phase::Continuous) => {
                Some("no step follows")
            }
            Causality::Parameter | Causality::Input | Causality::Algebraic => None,
        };
        let name = || variable.name.clone();
        match refused {
            Some(reason) => Err(Error::NotSettable { name: name(), state: self.phase.words(), reason }),
            None if !value.is_finite() => Err(Error::NotFinite { name: name(), value }),
            None => Ok(()),
        }
    }

    fn set_input(&mut self, k: usize, polynomial: [f64; 3]) {
        if self.inputs[k] == polynomial {
            return;
        }
        self.inputs[k] = polynomial;
        self.forget_outputs();
        if self.phase.is_early() {
            // The start is that of these inputs.
            self.motion = None;
        }
    }

    /// Sets derivative 1 or 2 of an input \[unit/s^order\] for the next step; it goes with a value that was set before.
    ///
    /// # Errors
    /// [`Error::Reference`], [`Error::Order`], [`Error::NotFinite`], [`Error::State`].
    pub fn set_derivative(&mut self, reference: u32, order: i32, value: f64) -> Result<(), Error> {
        let allowed = [Phase::Instantiated, Phase::Initialization, Phase::Stepping];
        self.check("setting a derivative of an input", &allowed, "allowed before a step")?;
        let name = self.variable(reference)?.name.clone();
        let Some(k) = self.variables.input(reference) else {
            return Err(Error::NotSettable { name, state: self.phase.words(), reason: "only inputs have derivatives" });
        };
        let highest = self.abilities.input_order;
        let place = usize::try_from(order).ok().filter(|order| (1..=highest as usize).contains(order));
        let Some(place) = place else { return Err(Error::Order { name, order, highest }) };
        if !value.is_finite() {
            return Err(Error::NotFinite { name, value });
        }
        let mut polynomial = self.inputs[k];
        polynomial[place] = value;
        self.set_input(k, polynomial);
        Ok(())
    }
}
