//! Steps of FMUs with a solver of their own, and the events between them.

use super::functions::{Component, DISCARD, EventInfo2, Status};
use super::intermediate::Intermediate;
use super::{Api, Instance, absent};
use crate::function::{Failure, Signal};
use std::sync::PoisonError;

/// How a step ended.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Stepped {
    /// Time reached \[s\].
    pub(crate) reached: f64,
    /// Whether events must be handled before the next step.
    pub(crate) event: bool,
}

/// What an event has changed.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub(crate) struct Updated {
    pub(crate) values_changed: bool,
    pub(crate) nominals_changed: bool,
    /// Time of the next event that is known beforehand \[s\].
    pub(crate) next: Option<f64>,
}

/// Rounds after which discrete states that find no rest are taken for a fault of the FMU: cascades of models have some ten.
const MOST_ROUNDS: usize = 1000;
/// fmi2LastSuccessfulTime and fmi2Terminated of fmi2StatusKind.
const LAST_SUCCESSFUL_TIME: i32 = 2;
const TERMINATED: i32 = 3;

impl Instance {
    /// Steps from `t` by `h` \[s\]. `keeps` says that a state before `t` may be returned to.
    #[inline(always)]
    pub(crate) fn do_step(&mut self, t: f64, h: f64, keeps: bool) -> Result<Stepped, Failure> {
        self.ready()?;
        self.check_end()?;
        let pointer = self.pointer();
        match &self.api {
            Api::Two(api) => {
                let Some(step) = api.do_step else { return Err(absent("fmi2DoStep")) };
                // SAFETY: the instance lives.
                let status = unsafe { step(pointer, t, h, i32::from(!keeps)) };
                if status != super::OK {
                    self.stepped2(status, t + h)?;
                }
                Ok(Stepped { reached: t + h, event: false })
            }
            Api::Three(api, _) => {
                let Some(step) = api.do_step else { return Err(absent("fmi3DoStep")) };
                let (mut event, mut terminate, mut early, mut reached) = (false, false, false, t + h);
                // SAFETY: the instance lives; the places are there.
                let status =
                    unsafe { step(pointer, t, h, !keeps, &mut event, &mut terminate, &mut early, &mut reached) };
                self.done("fmi3DoStep", status)?;
                if terminate {
                    self.end_at(reached, t + h)?;
                }
                Ok(Stepped { reached: if early { reached } else { t + h }, event })
            }
        }
    }

    /// What a status of fmi2DoStep other than OK means.
    #[cold]
    fn stepped2(&mut self, status: Status, end: f64) -> Result<(), Failure> {
        let Api::Two(api) = &self.api else { return Ok(()) };
        let (pointer, mut terminated, mut reached) = (self.pointer(), 0, f64::NAN);
        if status == DISCARD {
            if let Some(ask) = api.boolean_status {
                // SAFETY: the instance lives; the place is there. A status other than OK leaves it.
                unsafe { ask(pointer, TERMINATED, &mut terminated) };
            }
            if let Some(ask) = api.real_status {
                // SAFETY: as above.
                unsafe { ask(pointer, LAST_SUCCESSFUL_TIME, &mut reached) };
            }
        }
        if terminated != 0 {
            return self.end_at(reached, end);
        }
        self.done("fmi2DoStep", status)
    }

    /// Tells the callback which inputs it is to write within the next step.
    pub(crate) fn begin_intermediate(&mut self, references: &[u32], places: &[usize], inputs: &[Vec<f64>; 3], t: f64) {
        let mut guard = self.environment.intermediate.lock().unwrap_or_else(PoisonError::into_inner);
        if guard.is_none() {
            let Api::Three(_, numbers) = &self.api else { return };
            let set = numbers.of(crate::partner::fmu::model::FmuType::Float64);
            let count = references.len();
            *guard = Some(Intermediate {
                component: self.component.as_ptr(),
                set,
                references: references.to_vec(),
                signals: vec![Signal::default(); count],
                since: t,
                values: vec![0.0; count],
            });
        }
        if let Some(intermediate) = guard.as_mut() {
            intermediate.since = t;
            for (signal, place) in intermediate.signals.iter_mut().zip(places) {
                let [value, first, second] = inputs.each_ref().map(|values| values[*place]);
                *signal = Signal { value, first, second };
            }
        }
    }

    /// A call that takes nothing but the instance.
    fn change_mode(
        &mut self,
        name: &'static str,
        function: Option<unsafe extern "C" fn(Component) -> Status>,
    ) -> Result<(), Failure> {
        self.ready()?;
        let function = function.ok_or(Failure::Unsupported(name))?;
        // SAFETY: the instance lives.
        let status = unsafe { function(self.pointer()) };
        self.done(name, status)
    }

    /// Enters the mode in which events are handled.
    pub(crate) fn enter_event(&mut self) -> Result<(), Failure> {
        let function = match &self.api {
            Api::Two(api) => api.enter_event,
            Api::Three(api, _) => api.enter_event,
        };
        self.change_mode("EnterEventMode", function)
    }

    /// Goes back to stepping from there; of FMI 3.0.
    pub(crate) fn enter_step(&mut self) -> Result<(), Failure> {
        let Api::Three(api, _) = &self.api else { return Ok(()) };
        let function = api.enter_step;
        self.change_mode("fmi3EnterStepMode", function)
    }

    /// Goes back to integration from there.
    pub(crate) fn enter_continuous(&mut self) -> Result<(), Failure> {
        let function = match &self.api {
            Api::Two(api) => api.enter_continuous,
            Api::Three(api, _) => api.enter_continuous,
        };
        self.change_mode("EnterContinuousTimeMode", function)
    }

    /// Lets discrete states follow until nothing changes any more.
    pub(crate) fn update_discrete(&mut self) -> Result<Updated, Failure> {
        let mut all = Updated::default();
        for _ in 0..MOST_ROUNDS {
            let (again, once) = self.update_once()?;
            all.values_changed |= once.values_changed;
            all.nominals_changed |= once.nominals_changed;
            all.next = once.next;
            if !again {
                return Ok(all);
            }
        }
        Err(Failure::new(format!("its discrete states have found no rest after {MOST_ROUNDS} updates at one time")))
    }

    fn update_once(&mut self) -> Result<(bool, Updated), Failure> {
        self.ready()?;
        let pointer = self.pointer();
        let (again, terminate, updated) = match &self.api {
            Api::Two(api) => {
                let update = api.update_discrete.ok_or(Failure::Unsupported("fmi2NewDiscreteStates"))?;
                let mut info = EventInfo2::default();
                // SAFETY: the instance lives; the place is there.
                let status = unsafe { update(pointer, &mut info) };
                self.done("fmi2NewDiscreteStates", status)?;
                let updated = Updated {
                    values_changed: info.values_changed != 0,
                    nominals_changed: info.nominals_changed != 0,
                    next: (info.next_event_time_defined != 0).then_some(info.next_event_time),
                };
                (info.new_discrete_states_needed != 0, info.terminate != 0, updated)
            }
            Api::Three(api, _) => {
                let update = api.update_discrete.ok_or(Failure::Unsupported("fmi3UpdateDiscreteStates"))?;
                let (mut flags, mut next) = ([false; 5], 0.0);
                let [again, terminate, nominals, values, defined] = &mut flags;
                // SAFETY: as above.
                let status = unsafe { update(pointer, again, terminate, nominals, values, defined, &mut next) };
                self.done("fmi3UpdateDiscreteStates", status)?;
                let [again, terminate, nominals_changed, values_changed, defined] = flags;
                (again, terminate, Updated { values_changed, nominals_changed, next: defined.then_some(next) })
            }
        };
        self.ended |= terminate;
        Ok((again && !terminate, updated))
    }

    /// It ends the simulation: a step that is whole still counts, the next one is refused.
    fn end_at(&mut self, reached: f64, end: f64) -> Result<(), Failure> {
        self.ended = true;
        // Times are sums, rounded once or twice.
        if reached >= end - 4.0 * f64::EPSILON * end.abs() { Ok(()) } else { self.check_end() }
    }

    /// Refuses to go on behind the end that the FMU has set.
    #[inline]
    pub(crate) fn check_end(&self) -> Result<(), Failure> {
        if self.ended { Err(ended()) } else { Ok(()) }
    }
}

#[cold]
fn ended() -> Failure {
    Failure::new("it has ended the simulation")
}
