//! FMUs as differential equations: states, derivatives, indicators of events (FMI 2.0, section 3.2; FMI 3.0, section 3.2).

use super::functions::{Component, Status};
use super::{Api, Instance};
use crate::function::Failure;

type Read = unsafe extern "C" fn(Component, *mut f64, usize) -> Status;

impl Instance {
    /// Number of states and of event indicators; of FMI 3.0, which counts elements of arrays.
    pub(crate) fn counts(&mut self) -> Result<Option<(usize, usize)>, Failure> {
        let pointer = self.pointer();
        let Api::Three(api, _) = &self.api else { return Ok(None) };
        let (Some(states), Some(indicators)) = (api.state_count, api.indicator_count) else { return Ok(None) };
        let (mut n, mut m) = (0, 0);
        // SAFETY: the instance lives; the place is there.
        let status = unsafe { states(pointer, &mut n) };
        self.done("fmi3GetNumberOfContinuousStates", status)?;
        // SAFETY: as above.
        let status = unsafe { indicators(pointer, &mut m) };
        self.done("fmi3GetNumberOfEventIndicators", status)?;
        Ok(Some((n, m)))
    }

    #[inline]
    fn read(&mut self, name: &'static str, function: Option<Read>, values: &mut [f64]) -> Result<(), Failure> {
        self.ready()?;
        if values.is_empty() {
            return Ok(());
        }
        let function = function.ok_or(Failure::Unsupported(name))?;
        // SAFETY: the instance lives; the array has the length that is told.
        let status = unsafe { function(self.pointer(), values.as_mut_ptr(), values.len()) };
        self.done(name, status)
    }

    /// Moves the FMU to a time \[s\] and a state.
    pub(crate) fn set_point(&mut self, t: f64, states: &[f64]) -> Result<(), Failure> {
        self.ready()?;
        let pointer = self.pointer();
        let (time, state) = match &self.api {
            Api::Two(api) => (api.set_time, api.set_states),
            Api::Three(api, _) => (api.set_time, api.set_states),
        };
        let time = time.ok_or(Failure::Unsupported("SetTime"))?;
        // SAFETY: the instance lives.
        let status = unsafe { time(pointer, t) };
        self.done("SetTime", status)?;
        if states.is_empty() {
            return Ok(());
        }
        let state = state.ok_or(Failure::Unsupported("SetContinuousStates"))?;
        // SAFETY: as above; the array has the length that is told.
        let status = unsafe { state(pointer, states.as_ptr(), states.len()) };
        self.done("SetContinuousStates", status)
    }

    pub(crate) fn states(&mut self, values: &mut [f64]) -> Result<(), Failure> {
        let function = match &self.api {
            Api::Two(api) => api.get_states,
            Api::Three(api, _) => api.get_states,
        };
        self.read("GetContinuousStates", function, values)
    }

    /// Typical magnitudes of the states.
    pub(crate) fn nominals(&mut self, values: &mut [f64]) -> Result<(), Failure> {
        let function = match &self.api {
            Api::Two(api) => api.get_nominals,
            Api::Three(api, _) => api.get_nominals,
        };
        self.read("GetNominalsOfContinuousStates", function, values)
    }

    pub(crate) fn derivatives(&mut self, values: &mut [f64]) -> Result<(), Failure> {
        let function = match &self.api {
            Api::Two(api) => api.get_derivatives,
            Api::Three(api, _) => api.get_derivatives,
        };
        self.read("GetContinuousStateDerivatives", function, values)
    }

    pub(crate) fn indicators(&mut self, values: &mut [f64]) -> Result<(), Failure> {
        let function = match &self.api {
            Api::Two(api) => api.get_indicators,
            Api::Three(api, _) => api.get_indicators,
        };
        self.read("GetEventIndicators", function, values)
    }

    /// Tells that a step of the integrator is done; whether the FMU asks for an event. `keeps` as of [`Instance::do_step`].
    pub(crate) fn completed_step(&mut self, keeps: bool) -> Result<bool, Failure> {
        self.ready()?;
        let pointer = self.pointer();
        let (event, terminate, status) = match &self.api {
            Api::Two(api) => {
                let Some(completed) = api.completed_step else { return Ok(false) };
                let (mut event, mut terminate) = (0, 0);
                // SAFETY: the instance lives; the places are there.
                let status = unsafe { completed(pointer, i32::from(!keeps), &mut event, &mut terminate) };
                (event != 0, terminate != 0, status)
            }
            Api::Three(api, _) => {
                let Some(completed) = api.completed_step else { return Ok(false) };
                let (mut event, mut terminate) = (false, false);
                // SAFETY: as above.
                let status = unsafe { completed(pointer, !keeps, &mut event, &mut terminate) };
                (event, terminate, status)
            }
        };
        self.done("CompletedIntegratorStep", status)?;
        self.ended |= terminate;
        Ok(event)
    }
}
