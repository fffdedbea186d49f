//! Runs with sensors and activities: crossings are located on the dense output, the step ends there, and what they switch makes the mechanism
//! another one, with which the integrator begins anew.

mod crossings;

use super::dynamics::{Dynamics, DynamicsOptions};
use super::reopen::{self, Change, Reopened};
use super::sensing::Sensing;
use super::switch_event::{NamedValue, SwitchEvent, SwitchKind};
use crate::error::Error;
use crate::formulation::Equations;
use crate::integrator::{Error as IntegratorError, Statistics, Stop};
use crate::interrupt::Interrupt;
use crate::mechanism::{BoundSensor, Element, Mechanism, Target};
use crate::model::{CrossingDirection, ElementKind};
use crate::state::State;
use std::collections::{BTreeSet, VecDeque};
use std::sync::Arc;

/// Crossings within this part of the time, or of the step, are at one time: what rounding does to times that are meant to be one.
const INSTANT: f64 = 1e-12;
/// Switches whose mean distance is looked at.
const RECENT: usize = 100;
/// Switches that the rest of a run may have at the pace of the last ones: more would take years.
const PACE: f64 = 1e9;
/// Events that are kept one by one.
const KEPT: usize = 10_000;

/// What is to be switched where the motion stands.
#[derive(Debug, Clone, Default)]
struct Pending {
    /// Who acts: sensors, then activities.
    who: Vec<usize>,
    turns: Vec<(Element, bool)>,
    set: Vec<(Target, f64)>,
    step: Option<f64>,
    max_step: Option<f64>,
}

/// Sensors and activities of a motion under way.
#[derive(Debug, Clone)]
pub(super) struct Switching {
    options: DynamicsOptions,
    interrupt: Option<Interrupt>,
    sensing: Sensing,
    /// Where the motion stands: up to here crossings were looked for \[s\].
    reached: f64,
    pending: Option<Pending>,
    /// Sensors that count once and did.
    spent: Vec<bool>,
    /// Sensors that were above, or below, at the start already.
    already: Vec<usize>,
    /// Who acted at the time of the last switch.
    acted: BTreeSet<usize>,
    acted_at: f64,
    recent: VecDeque<f64>,
    events: Vec<SwitchEvent>,
    ended: Option<String>,
    /// What former integrators cost, and all of them together.
    past: Statistics,
    total: Statistics,
}

impl Switching {
    /// At the start of `mechanism` or at another state; none if nothing switches.
    pub(super) fn begin(
        mechanism: &Mechanism,
        options: &DynamicsOptions,
        start: &State,
    ) -> Result<Option<Box<Self>>, Error> {
        if !mechanism.has_switches() {
            return Ok(None);
        }
        let mut sensing = Sensing::new(mechanism, start)?;
        sensing.evaluate(mechanism, &mut start.clone())?;
        sensing.settle();
        let switches = &mechanism.switches;
        let mut own = Self {
            options: options.clone(),
            interrupt: None,
            reached: start.time,
            pending: None,
            spent: vec![false; switches.sensors.len()],
            already: Vec::new(),
            acted: BTreeSet::new(),
            acted_at: f64::NEG_INFINITY,
            recent: VecDeque::new(),
            events: Vec::new(),
            ended: None,
            past: Statistics::default(),
            total: Statistics::default(),
            sensing,
        };
        let met = |k: &usize| match switches.sensors[*k].direction {
            CrossingDirection::Rising => own.sensing.sides[*k] > 0,
            CrossingDirection::Falling => own.sensing.sides[*k] < 0,
            CrossingDirection::Either => false,
        };
        own.already = (0..switches.sensors.len()).filter(met).collect();
        let mut pending = Pending::default();
        for (a, activity) in switches.activities.iter().enumerate() {
            let k = switches.sensors.len() + a;
            let acts = own.sensing.values[k] > 0.0;
            own.sensing.sides[k] = if acts { 1 } else { -1 };
            let (kind, name) = &activity.element;
            if switches.variant.acts(*kind, name) != acts {
                pending.who.push(k);
                pending.turns.push((activity.element.clone(), acts));
            }
        }
        own.pending = (!pending.who.is_empty()).then_some(pending);
        own.sensing.keep(start.time);
        Ok(Some(Box::new(own)))
    }

    pub(super) fn reached(&self) -> f64 {
        self.reached
    }

    pub(super) fn statistics(&self) -> &Statistics {
        &self.total
    }

    pub(super) fn set_interrupt(&mut self, interrupt: Interrupt) {
        self.interrupt = Some(interrupt);
    }

    pub(super) fn sensing_mut(&mut self) -> &mut Sensing {
        &mut self.sensing
    }

    pub(super) fn options(&self) -> &DynamicsOptions {
        &self.options
    }

    pub(super) fn interrupt(&self) -> Option<&Interrupt> {
        self.interrupt.as_ref()
    }

    /// Moves the end; whether the integrator at work is to be told.
    pub(super) fn set_end(&mut self, end: f64) -> Result<bool, Error> {
        if !(end >= self.reached) {
            return Err(IntegratorError::EndBeforeStart { time: self.reached, end }.into());
        }
        self.options.end = end;
        Ok(self.pending.is_none() && self.ended.is_none())
    }

    fn log(&mut self, event: SwitchEvent) {
        if self.events.len() < KEPT {
            self.events.push(event);
        }
    }

    /// What the sensors of a model do in the order of the file, then the activities; `changed` are those on another side.
    fn fire(&mut self, mechanism: &Mechanism, changed: &[(usize, i8)], time: f64) -> Result<(), Error> {
        let mut pending = Pending::default();
        let switches = &mechanism.switches;
        for &(k, side) in changed {
            self.sensing.cross(k, side);
            let Some(sensor) = switches.sensors.get(k) else {
                let activity = &switches.activities[k - switches.sensors.len()];
                pending.who.push(k);
                pending.turns.push((activity.element.clone(), side > 0));
                continue;
            };
            let counts = match sensor.direction {
                CrossingDirection::Rising => side > 0,
                CrossingDirection::Falling => side < 0,
                CrossingDirection::Either => true,
            };
            let holds = |own: &mut Self, when| own.sensing.program(when) > 0.0;
            if !counts || self.spent[k] || sensor.when.as_ref().is_some_and(|when| !holds(self, when)) {
                continue;
            }
            self.spent[k] = sensor.once;
            self.act(sensor, k, side, time, &mut pending)?;
        }
        if !pending.who.is_empty() && self.ended.is_none() {
            self.pending = Some(pending);
        }
        Ok(())
    }

    /// What one sensor does.
    fn act(&mut self, sensor: &BoundSensor, k: usize, side: i8, time: f64, pending: &mut Pending) -> Result<(), Error> {
        let kind = if side > 0 { SwitchKind::Rose } else { SwitchKind::Fell };
        let element = format!("sensor \"{}\"", sensor.name);
        let mut event = SwitchEvent::new(time, kind, element.clone());
        for (name, program) in &sensor.print {
            event.values.push(NamedValue { name: name.clone(), value: self.sensing.program(program) });
        }
        self.log(event);
        for (target, program) in &sensor.set {
            let value = self.sensing.program(program);
            if !value.is_finite() {
                let what = format!("a value that {element} sets");
                return Err(Error::SensorNotFinite { what, time, value });
            }
            pending.set.push((target.clone(), value));
        }
        pending.turns.extend(sensor.turns.iter().cloned());
        pending.step = sensor.step.or(pending.step);
        pending.max_step = sensor.max_step.or(pending.max_step);
        if sensor.stop {
            self.log(SwitchEvent::new(time, SwitchKind::Stopped, element.clone()));
            self.ended = Some(sensor.name.clone());
        }
        if sensor.switches() {
            pending.who.push(k);
        }
        Ok(())
    }

    /// Refuses sensors that act twice at one time, or ever faster.
    fn refuse_chatter(&mut self, mechanism: &Mechanism, who: &[usize]) -> Result<(), Error> {
        let time = self.reached;
        let name = |k: usize| mechanism.switches.name(k);
        if time - self.acted_at > INSTANT * time.abs() {
            self.acted.clear();
        }
        self.acted_at = time;
        for &k in who {
            if !self.acted.insert(k) {
                return Err(Error::Chattering { culprit: name(k), time, interval: 0.0, bound: PACE });
            }
        }
        self.recent.push_back(time);
        if self.recent.len() <= RECENT {
            return Ok(());
        }
        let since = self.recent.pop_front().unwrap_or(time);
        let interval = (time - since) / RECENT as f64;
        let left = if self.options.end.is_finite() { self.options.end - time } else { time.abs() };
        match (interval * PACE < left, who.first()) {
            (true, Some(&k)) => Err(Error::Chattering { culprit: name(k), time, interval, bound: PACE }),
            _ => Ok(()),
        }
    }

    /// Settings of the integrator from a switch on.
    fn limit_steps(&mut self, pending: &Pending) {
        let (reached, steps) = (self.reached, self.total.steps - self.past.steps);
        self.options.stop_times.retain(|time| *time > reached);
        if let Some(step) = pending.step {
            self.options.method.set_first_step(step);
        }
        let limits = self.options.method.step_mut();
        if limits.limit != u64::MAX {
            limits.limit = limits.limit.saturating_sub(steps);
        }
        if let Some(largest) = pending.max_step {
            limits.largest = largest.max(limits.smallest);
            limits.first = limits.first.min(largest);
        }
    }
}

impl Dynamics {
    /// As [`Dynamics::step`] with sensors.
    pub(super) fn step_switched(&mut self, own: &mut Switching) -> Result<Stop, Error> {
        while own.ended.is_none() && own.pending.is_some() {
            self.switch(own)?;
        }
        if own.ended.is_some() {
            return Ok(Stop::EndTime);
        }
        if self.stale {
            self.take_inputs()?;
        }
        let stop = self.advance()?;
        own.total = own.past.followed_by(self.running.integrator().statistics());
        let to = self.running.integrator().time();
        self.look(own, to)?;
        Ok(match (&own.ended, &own.pending) {
            (Some(_), _) => Stop::EndTime,
            (None, Some(_)) if own.reached < to || stop != Stop::EndTime => Stop::Event,
            _ => stop,
        })
    }

    /// Carries out what is pending where the motion stands.
    fn switch(&mut self, own: &mut Switching) -> Result<(), Error> {
        let Some(pending) = own.pending.clone() else { return Ok(()) };
        let time = own.reached;
        own.refuse_chatter(&self.mechanism, &pending.who)?;
        self.motion_at(time)?;
        let before = self.mechanism.switches.variant.clone();
        let mut change = Change { variant: before.clone(), ..Change::default() };
        for (element, acts) in &pending.turns {
            change.variant.turn(element, *acts);
        }
        change.locked = before.inactive.difference(&change.variant.inactive).cloned().collect();
        let released: Vec<Element> = change.variant.inactive.difference(&before.inactive).cloned().collect();
        let mut events = Vec::new();
        for (target, value) in &pending.set {
            let (element, name) = match target {
                Target::Parameter(name) => {
                    change.variant.parameters.insert(name.clone(), *value);
                    (format!("parameter \"{name}\""), name.clone())
                }
                Target::Input(k) => {
                    change.inputs.push((*k, *value));
                    let name = self.mechanism.inputs[*k].name.clone();
                    (format!("input \"{name}\""), name)
                }
            };
            let values = vec![NamedValue { name, value: *value }];
            events.push(SwitchEvent { values, ..SwitchEvent::new(time, SwitchKind::Set, element) });
        }
        let locked = change.locked.clone();
        let set = change.inputs.clone();
        let reopened = reopen::reopen(&self.mechanism, change, &self.state, &self.inputs)?;
        events.extend(turned(time, &released, &locked, &reopened));
        if let Some(first) = events.first_mut() {
            first.energy = reopened.energy;
        }
        own.limit_steps(&pending);
        self.become_other(own, reopened, &set)?;
        events.into_iter().for_each(|event| own.log(event));
        own.pending = None;
        self.cross_by_jump(own)
    }

    /// Goes on with another mechanism from its start.
    fn become_other(&mut self, own: &mut Switching, reopened: Reopened, set: &[(usize, f64)]) -> Result<(), Error> {
        let Reopened { mechanism, energy, .. } = reopened;
        let (mechanism, options) = (Arc::new(mechanism), &own.options);
        let mut fresh = Self::bare(&mechanism, options, mechanism.start(), Equations::fewest)?;
        let mut account = self.energy;
        account.switch(&fresh.energy, energy);
        fresh.energy = account;
        if !self.inputs.are_held() {
            fresh.inputs.clone_from(&self.inputs);
            set.iter().for_each(|&(k, value)| fresh.inputs.hold(k, value));
        }
        fresh.before.clone_from(&fresh.inputs);
        fresh.pass_inputs();
        fresh.sampler.follow(&self.sampler);
        if let Some(interrupt) = &own.interrupt {
            fresh.running.set_interrupt(interrupt.clone());
        }
        own.sensing.go_on(&mechanism, mechanism.start())?;
        own.sensing.set_inputs(&fresh.inputs);
        own.past = own.total;
        *self = fresh;
        Ok(())
    }

    /// Looks who is on another side because velocities, parameters or forces jumped, and lets them act at the same time.
    fn cross_by_jump(&mut self, own: &mut Switching) -> Result<(), Error> {
        self.sense(own, own.reached)?;
        let tolerance = own.options.method.tolerance().relative;
        let mut changed = self.changed(own);
        changed.retain(|(k, _)| !own.sensing.rests(*k, tolerance));
        own.sensing.settle();
        own.sensing.keep(own.reached);
        own.fire(&self.mechanism.clone(), &changed, own.reached)
    }
}

/// The events of elements that were released and locked.
fn turned(time: f64, released: &[Element], locked: &[Element], reopened: &Reopened) -> Vec<SwitchEvent> {
    let named = |(kind, name): &Element| format!("{} \"{name}\"", kind.word());
    let event = |element: &Element, acts: bool| {
        let kind = match (element.0 == ElementKind::Force, acts) {
            (true, true) => SwitchKind::Activated,
            (true, false) => SwitchKind::Deactivated,
            (false, true) => SwitchKind::Locked,
            (false, false) => SwitchKind::Released,
        };
        let found = reopened.impulses.iter().find(|(of, _)| of == element);
        let [impulse, angular_impulse] = found.map_or([0.0; 2], |(_, sizes)| *sizes);
        SwitchEvent { impulse, angular_impulse, ..SwitchEvent::new(time, kind, named(element)) }
    };
    released.iter().map(|element| event(element, false)).chain(locked.iter().map(|e| event(e, true))).collect()
}

/// What a caller may ask of sensors and activities.
impl Dynamics {
    /// What sensors and activities did so far, in the order of time: the first ten thousand.
    #[must_use]
    pub fn switch_events(&self) -> &[SwitchEvent] {
        self.switching.as_ref().map_or(&[], |own| &own.events)
    }

    /// Name of the sensor that ended the run; none if it goes on.
    #[must_use]
    pub fn ended_by(&self) -> Option<&str> {
        self.switching.as_ref().and_then(|own| own.ended.as_deref())
    }

    /// What a reader should know of sensors that were met at the start already.
    pub(super) fn sensors_met(&self) -> Option<String> {
        let own = self.switching.as_ref().filter(|own| !own.already.is_empty())?;
        let names: Vec<String> =
            own.already.iter().map(|&k| format!("\"{}\"", self.mechanism.switches.sensors[k].name)).collect();
        Some(format!(
            "sensors {} are beyond their values at the start already: they act where they cross them, not there",
            names.join(", ")
        ))
    }
}
