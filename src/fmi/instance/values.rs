//! Values of variables, read and set.

use super::{Instance, Phase};
use crate::fmi::parameters::parameters;
use crate::fmi::variables::Causality;
use crate::fmi::{Error, FmuVariable};

impl Instance {
    pub(super) fn variable(&self, reference: u32) -> Result<&FmuVariable, Error> {
        self.variables.get(reference).ok_or(Error::Reference { kind: "real", reference })
    }

    /// The value of a variable.
    ///
    /// # Errors
    /// [`Error::Reference`]; [`Error::Model`] where outputs cannot be evaluated.
    pub fn get(&mut self, reference: u32) -> Result<f64, Error> {
        self.variable(reference)?;
        if let Some(k) = self.variables.input(reference) {
            return Ok(self.inputs[k][0]);
        }
        if let Some(k) = self.variables.parameter(reference) {
            return self.parameter(k, reference);
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
            let stepping = self.phase == Phase::Stepping;
            let motion = self.motion()?;
            if stepping {
                motion.set_inputs(&inputs)?;
            }
            motion.observe(&mut values)?;
            self.outputs = Some(values);
        }
        Ok(self.outputs.as_ref().map_or(f64::NAN, |values| values[k]))
    }

    /// A parameter; one that follows from others is evaluated with these.
    fn parameter(&self, k: usize, reference: u32) -> Result<f64, Error> {
        let is_free = self.variable(reference)?.causality == Causality::Parameter;
        if is_free || self.parameters == self.starts {
            return Ok(self.parameters[k]);
        }
        Ok(parameters(self.file()?.document())?.get(k).map_or(f64::NAN, |own| own.value))
    }

    /// Sets an input or a parameter.
    ///
    /// # Errors
    /// [`Error::Reference`], [`Error::NotFinite`]; [`Error::NotSettable`] for other variables, and for parameters after the initialization.
    pub fn set(&mut self, reference: u32, value: f64) -> Result<(), Error> {
        let variable = self.variable(reference)?;
        let (name, state) = (variable.name.clone(), self.phase.words());
        let refuse = |reason| Err(Error::NotSettable { name: name.clone(), state, reason });
        let early = matches!(self.phase, Phase::Instantiated | Phase::Initialization);
        match variable.causality {
            Causality::Independent => return refuse("the time is what steps make of it"),
            Causality::Output => return refuse("it is an output"),
            Causality::CalculatedParameter => return refuse("it follows from other parameters"),
            Causality::Parameter if !early => {
                return refuse("it is fixed; set it before the end of the initialization");
            }
            Causality::Input if !early && self.phase != Phase::Stepping => return refuse("no step follows"),
            Causality::Parameter | Causality::Input => {}
        }
        if !value.is_finite() {
            return Err(Error::NotFinite { name, value });
        }
        if let Some(k) = self.variables.input(reference) {
            let [_, first, second] = self.inputs[k];
            self.set_input(k, [value, first, second]);
        } else if let Some(k) = self.variables.parameter(reference) {
            let mut parameters = self.parameters.clone();
            parameters[k] = value;
            self.become_like(&parameters, self.experiment);
        }
        Ok(())
    }

    fn set_input(&mut self, k: usize, polynomial: [f64; 3]) {
        if self.inputs[k] == polynomial {
            return;
        }
        self.inputs[k] = polynomial;
        self.forget_outputs();
        if self.phase != Phase::Stepping {
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
