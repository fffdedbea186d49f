//! Model exchange: the equations under an integrator of the importer.

use super::{Instance, Phase};
use crate::fmi::exchange::{EventUpdate, Exchange};
use crate::fmi::{Error, FmuInterface};

/// Where equations are evaluated.
const EVALUATED: [Phase; 3] = [Phase::Initialization, Phase::Event, Phase::Continuous];

impl Instance {
    /// The equations, with the inputs of now.
    fn exchange(
        &mut self,
        call: &'static str,
        allowed_in: &[Phase],
        allowed: &'static str,
    ) -> Result<&mut Exchange, Error> {
        if self.interface != FmuInterface::ModelExchange {
            let reason = "the instance was made for co-simulation";
            return Err(Error::Unsupported { what: call, reason });
        }
        self.check(call, allowed_in, allowed)?;
        let inputs = self.inputs.clone();
        let motion = self.motion()?;
        motion.set_inputs(&inputs)?;
        motion.exchange().ok_or(Error::Foreign)
    }

    /// Begins to handle events.
    ///
    /// # Errors
    /// [`Error::State`], [`Error::Unsupported`].
    pub fn enter_event(&mut self) -> Result<(), Error> {
        self.exchange("the begin of the event mode", &[Phase::Continuous], "allowed in the continuous-time mode")?;
        self.phase = Phase::Event;
        Ok(())
    }

    /// Goes on in time.
    ///
    /// # Errors
    /// As [`Instance::enter_event`].
    pub fn enter_continuous_time(&mut self) -> Result<(), Error> {
        self.exchange("the begin of the continuous-time mode", &[Phase::Event], "allowed in the event mode")?;
        self.phase = Phase::Continuous;
        Ok(())
    }

    /// Handles the events of now.
    ///
    /// # Errors
    /// As [`Instance::enter_event`]; [`Error::Model`] where there is no way on.
    pub fn update_discrete_states(&mut self) -> Result<EventUpdate, Error> {
        let update =
            self.exchange("an update of discrete states", &[Phase::Event], "allowed in the event mode")?.update();
        self.forget_outputs();
        Ok(update?)
    }

    /// From now on the time is this \[s\].
    ///
    /// # Errors
    /// As [`Instance::enter_event`]; [`Error::NotFinite`].
    pub fn set_time(&mut self, time: f64) -> Result<(), Error> {
        let allowed = [Phase::Event, Phase::Continuous];
        if !time.is_finite() {
            return Err(Error::NotFinite { name: "time".to_owned(), value: time });
        }
        self.exchange("setting the time", &allowed, "allowed after the initialization")?.set_time(time);
        (self.time, self.begun) = (time, time);
        self.forget_outputs();
        Ok(())
    }

    /// From now on the unknowns are these.
    ///
    /// # Errors
    /// As [`Instance::enter_event`]; [`Error::NotFinite`], [`Error::Count`].
    pub fn set_states(&mut self, states: &[f64]) -> Result<(), Error> {
        self.check_count("states", states.len(), self.variables.states())?;
        if let Some(k) = states.iter().position(|value| !value.is_finite()) {
            let name = self.exchange_name(k);
            return Err(Error::NotFinite { name, value: states[k] });
        }
        self.exchange("setting states", &[Phase::Continuous], "allowed in the continuous-time mode")?
            .set_states(states);
        self.forget_outputs();
        Ok(())
    }

    /// Writes the unknowns.
    ///
    /// # Errors
    /// As [`Instance::enter_event`]; [`Error::Count`].
    pub fn states(&mut self, states: &mut [f64]) -> Result<(), Error> {
        self.check_count("states", states.len(), self.variables.states())?;
        states.copy_from_slice(self.exchange("reading states", &EVALUATED, WHERE)?.states());
        Ok(())
    }

    /// Writes the derivatives of the unknowns.
    ///
    /// # Errors
    /// As [`Instance::states`]; [`Error::Model`] where the equations cannot be evaluated.
    pub fn state_derivatives(&mut self, derivatives: &mut [f64]) -> Result<(), Error> {
        self.check_count("derivatives", derivatives.len(), self.variables.states())?;
        derivatives.copy_from_slice(&self.exchange("reading derivatives", &EVALUATED, WHERE)?.slopes()?);
        Ok(())
    }

    /// Writes the event indicators.
    ///
    /// # Errors
    /// As [`Instance::state_derivatives`].
    pub fn event_indicators(&mut self, indicators: &mut [f64]) -> Result<(), Error> {
        self.check_count("event indicators", indicators.len(), self.variables.indicators())?;
        indicators.copy_from_slice(&self.exchange("reading event indicators", &EVALUATED, WHERE)?.indicators()?);
        Ok(())
    }

    /// Writes magnitudes of the unknowns that are neither large nor small.
    ///
    /// # Errors
    /// As [`Instance::states`].
    pub fn nominals(&mut self, nominals: &mut [f64]) -> Result<(), Error> {
        self.check_count("nominal values", nominals.len(), self.variables.states())?;
        nominals.copy_from_slice(&self.exchange("reading nominal values", &EVALUATED, WHERE)?.nominals());
        Ok(())
    }

    /// Takes note of a step of the importer; whether an event is to be handled.
    ///
    /// # Errors
    /// As [`Instance::state_derivatives`].
    pub fn completed_step(&mut self) -> Result<bool, Error> {
        let allowed = "allowed in the continuous-time mode";
        Ok(self.exchange("the end of a step", &[Phase::Continuous], allowed)?.complete_step()?)
    }

    fn check_count(&self, what: &'static str, given: usize, needed: usize) -> Result<(), Error> {
        if given == needed { Ok(()) } else { Err(Error::Count { what, given, needed }) }
    }

    /// Name of unknown k.
    fn exchange_name(&self, k: usize) -> String {
        let states = self.variables.with(crate::fmi::Causality::State);
        states.map(|(_, own)| own.name.clone()).nth(k).unwrap_or_default()
    }
}

/// In words.
const WHERE: &str = "allowed from the initialization on";
