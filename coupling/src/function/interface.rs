//! A communication interface (R8, R20, R21, R33 to R37): it samples one simulator, writes to it, and checks both.

use super::call::{Asked, Buffers, Call, RETURNING, Saved, advance};
use super::leg::{Leg, Timebase};
use super::waiting::{Silence, Terms};
use super::worker::Worker;
use super::{Causality, Description, Failure, Fault, Packet, Signal, Simulator, SolverCounts};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// Where the simulator lives.
pub(super) enum Line {
    /// On the thread of the caller.
    Here { simulator: Box<dyn Simulator>, saved: Box<Saved> },
    /// On a thread of its own.
    Thread(Box<Worker>),
}

impl Line {
    /// Why its thread has ended.
    fn last_words(&self) -> String {
        let words = match self {
            Self::Thread(worker) => worker.last_words(),
            Self::Here { .. } => None,
        };
        words.unwrap_or_else(|| "nothing is known of it".to_owned())
    }
}

/// What is not needed in a step, kept apart so that what is needed lies close together.
pub(super) struct About {
    name: String,
    description: Description,
    /// The last step done from a saved state.
    passed: Passed,
    pub(super) events: AtEvents,
}

/// How an early return is dealt with.
#[derive(Default)]
pub(super) struct AtEvents {
    /// Whether the communication step ends there; else the partner is asked to go on to the end.
    pub(super) stops: bool,
    /// Whether the last step has ended there.
    pub(super) stopped: bool,
    /// The inputs about the time of the event.
    pub(super) inputs: Vec<Signal>,
}

/// The door to one simulator.
pub(crate) struct Interface {
    pub(super) about: Box<About>,
    pub(super) line: Line,
    pub(super) buffers: Buffers,
    /// What the simulator receives from now on (the sending package of the source).
    pub(crate) sent: Packet<Signal>,
    /// What was sampled last and found good (the receiving package).
    pub(crate) received: Packet<f64>,
    /// Derivatives that belong to `received`; empty if unknown.
    pub(crate) rates: Vec<f64>,
    /// Communication point it has reached, in ticks.
    pub(crate) position: u64,
    /// Position of the saved state.
    saved: Option<u64>,
    /// Stamps between which the last step asked for goes.
    origin: u64,
    target: u64,
}

/// A step that was done, to repeat it.
struct Passed {
    from: u64,
    to: u64,
    inputs: Vec<Signal>,
}

/// What is known of a simulator on this side, to be put back when it has returned.
pub(crate) struct Kept {
    sent: Packet<Signal>,
    received: Packet<f64>,
    rates: Vec<f64>,
    stamps: [u64; 3],
    next_event: Option<f64>,
}

impl Interface {
    /// What is known now.
    pub(crate) fn keep(&self) -> Kept {
        Kept {
            sent: self.sent.clone(),
            received: self.received.clone(),
            rates: self.rates.clone(),
            stamps: [self.position, self.origin, self.target],
            next_event: self.buffers.asked.as_ref().map(|asked| asked.next_event),
        }
    }

    /// Takes back what was known.
    pub(crate) fn put_back(&mut self, kept: Kept) {
        let Kept { sent, received, rates, stamps, next_event } = kept;
        (self.sent, self.received, self.rates) = (sent, received, rates);
        [self.position, self.origin, self.target] = stamps;
        if let (Some(asked), Some(next)) = (&mut self.buffers.asked, next_event) {
            asked.next_event = next;
        }
    }

    pub(crate) fn new(name: String, simulator: Box<dyn Simulator>, description: Description) -> Self {
        let inputs: Vec<Signal> = description.with(Causality::Input).map(|v| Signal::held(v.start)).collect();
        let outputs: Vec<f64> = description.with(Causality::Output).map(|v| v.start).collect();
        let rates = if description.capabilities.output_derivatives { vec![0.0; outputs.len()] } else { Vec::new() };
        let passed = Passed { from: 0, to: 0, inputs: inputs.clone() };
        let asked = description.capabilities.faults || description.capabilities.event_times;
        let asked = asked.then(|| Box::new(Asked { faults: Vec::new(), next_event: f64::INFINITY }));
        let (values, derivatives) = (outputs.clone(), rates.clone());
        let buffers = Buffers { values, derivatives, reached: f64::NAN, asked, ..Buffers::default() };
        Self {
            about: Box::new(About { name, description, passed, events: AtEvents::default() }),
            line: Line::Here { simulator, saved: Box::default() },
            buffers,
            sent: Packet::new(inputs),
            received: Packet::new(outputs),
            rates,
            position: 0,
            saved: None,
            origin: 0,
            target: 0,
        }
    }

    /// The same on a thread of its own.
    pub(crate) fn on_thread(self, terms: Terms, interrupt: &Arc<AtomicBool>) -> std::io::Result<Self> {
        let line = match self.line {
            Line::Here { simulator, .. } => {
                let (signals, buffers) = (self.sent.values.clone(), self.buffers.clone());
                Line::Thread(Box::new(Worker::spawn(&self.about.name, simulator, signals, buffers, terms, interrupt)?))
            }
            thread @ Line::Thread(_) => thread,
        };
        Ok(Self { line, ..self })
    }

    pub(crate) fn name(&self) -> &str {
        &self.about.name
    }

    pub(crate) fn description(&self) -> &Description {
        &self.about.description
    }

    /// Writes the inputs and steps from the present position to the end of `leg`, unless it [is waiting](Interface::is_waiting). True if that
    /// is done; false if it is under way on another thread, and [`Interface::collect`] gives the result.
    #[inline]
    pub(crate) fn start(&mut self, leg: &Leg) -> Result<bool, Box<Fault>> {
        if self.position == leg.from { self.go(leg) } else { self.follow(leg) }
    }

    /// The same for one that was held, or takes part more seldom: it stands farther back than the others.
    #[cold]
    fn follow(&mut self, leg: &Leg) -> Result<bool, Box<Fault>> {
        self.go(&leg.base.leg(self.position, leg.to))
    }

    #[inline]
    fn go(&mut self, leg: &Leg) -> Result<bool, Box<Fault>> {
        (self.origin, self.target) = (leg.from, leg.to);
        if !self.sent.values.iter().all(Signal::is_finite) {
            return Err(self.unusable(self.reported(leg)));
        }
        let Line::Here { simulator, .. } = &mut self.line else {
            let time = self.reported(leg);
            return self.request(Call::Advance { t: leg.t, h: leg.h }, time).map(|()| false);
        };
        match advance(&mut **simulator, &self.sent.values, (leg.t, leg.h), &mut self.buffers) {
            Ok(()) => self.conclude(leg).map(|()| true),
            Err(refusal) => Err(self.refused(*refusal, self.reported(leg))),
        }
    }

    /// Time to which the values of this partner are known when it is to go a leg \[s\]: those that were held reach farther than itself.
    #[cold]
    fn reported(&self, leg: &Leg) -> f64 {
        leg.t.max(leg.base.time(self.received.stamp))
    }

    /// The result of a step on another thread.
    pub(crate) fn collect(&mut self, base: &Timebase) -> Result<(), Box<Fault>> {
        let leg = base.leg(self.origin, self.target);
        self.answer(leg.end)?;
        self.conclude(&leg)
    }

    /// Checks the time reached and the values, which are then those of the target.
    #[inline]
    fn conclude(&mut self, leg: &Leg) -> Result<(), Box<Fault>> {
        if leg.ends_at(self.buffers.reached) { self.arrive(leg) } else { self.end_early(leg) }
    }

    /// Takes the values as those of the end of `leg`.
    #[inline]
    pub(super) fn arrive(&mut self, leg: &Leg) -> Result<(), Box<Fault>> {
        if self.saved.is_some() {
            let passed = &mut self.about.passed;
            (passed.from, passed.to) = (self.position, leg.to);
            passed.inputs.copy_from_slice(&self.sent.values);
        }
        self.position = leg.to;
        self.accept(leg.end)?;
        self.received.stamp = leg.to;
        Ok(())
    }

    /// Takes note of what a thread did too late for its communication point: the values of that time are no longer of use, what it did to
    /// the state is. Nothing is waited for: one that is silent still is so at once. `now` \[s\] is the common time.
    #[cold]
    pub(crate) fn catch_up(&mut self, base: &Timebase, now: f64) -> Result<(), Box<Fault>> {
        let Line::Thread(worker) = &mut self.line else { return Ok(()) };
        let done = match worker.late_answer(&mut self.buffers) {
            Ok((call, Ok(()))) => call,
            Ok((_, Err(refusal))) => return Err(self.refused(*refusal, now)),
            Err(silence) => return Err(self.silent(silence, now)),
        };
        match done {
            Call::Advance { .. } => {
                self.check_time(&base.leg(self.origin, self.target))?;
                self.position = self.target;
            }
            Call::Save => self.saved = Some(self.position),
            Call::Restore => self.position = self.saved.unwrap_or(self.position),
            _ => {}
        }
        Ok(())
    }

    /// What the simulator says of the run so far; nothing if it does not answer, which is a fault that other requests tell.
    #[cold]
    pub(crate) fn warnings(&mut self, base: &Timebase) -> Vec<String> {
        let asked = self.ask(Call::Warn, base, base.time(self.position));
        let told = std::mem::take(&mut self.buffers.warnings);
        if asked.is_ok() { told } else { Vec::new() }
    }

    /// What the steps so far have cost the simulator, if it knows, and how long they took \[s\].
    #[cold]
    pub(crate) fn spent(&mut self, base: &Timebase) -> (Option<SolverCounts>, f64) {
        let asked = self.ask(Call::Warn, base, base.time(self.position));
        (self.buffers.counts.filter(|_| asked.is_ok()), self.buffers.meter.seconds)
    }

    #[inline]
    fn check_time(&self, leg: &Leg) -> Result<(), Box<Fault>> {
        if leg.ends_at(self.buffers.reached) { Ok(()) } else { Err(self.elsewhere(leg.end)) }
    }

    /// Writes the inputs and samples the outputs that depend on them at once.
    pub(crate) fn respond(&mut self, base: &Timebase, stamp: u64) -> Result<(), Box<Fault>> {
        if !self.sent.values.iter().all(Signal::is_finite) {
            return Err(self.unusable(base.time(stamp)));
        }
        self.round(Call::Respond, base, stamp)
    }

    /// Samples the outputs as they are.
    pub(crate) fn sample(&mut self, base: &Timebase, stamp: u64) -> Result<(), Box<Fault>> {
        self.round(Call::Sample, base, stamp)
    }

    fn round(&mut self, call: Call, base: &Timebase, stamp: u64) -> Result<(), Box<Fault>> {
        let time = base.time(stamp);
        self.ask(call, base, time)?;
        self.accept(time)?;
        self.received.stamp = stamp;
        Ok(())
    }

    pub(super) fn ask(&mut self, call: Call, base: &Timebase, time: f64) -> Result<(), Box<Fault>> {
        if self.is_waiting() {
            self.catch_up(base, time)?;
        }
        match &mut self.line {
            Line::Here { simulator, saved } => {
                let done = call.perform(&mut **simulator, saved, &self.sent.values, &mut self.buffers);
                done.map_err(|refusal| self.refused(*refusal, time))
            }
            Line::Thread(_) => {
                self.request(call, time)?;
                self.answer(time)
            }
        }
    }

    /// Saves the state of the simulator and its position.
    pub(crate) fn save(&mut self, base: &Timebase) -> Result<(), Box<Fault>> {
        self.ask(Call::Save, base, base.time(self.position))?;
        self.saved = Some(self.position);
        Ok(())
    }

    /// Returns to the saved state.
    pub(crate) fn restore(&mut self, base: &Timebase) -> Result<(), Box<Fault>> {
        let time = base.time(self.position);
        let Some(position) = self.saved else {
            return Err(self.failed(RETURNING, time, Failure::new("no state was saved")));
        };
        self.ask(Call::Restore, base, time)?;
        self.position = position;
        Ok(())
    }

    /// Returns to the state at stamp `to`: the saved one, or the step after it is repeated with the inputs it had. What was sampled and
    /// what is to be sent stay.
    #[cold]
    pub(crate) fn bring_back(&mut self, base: &Timebase, to: u64) -> Result<(), Box<Fault>> {
        self.restore(base)?;
        if self.position == to {
            return Ok(());
        }
        let passed = &self.about.passed;
        if (passed.from, passed.to) != (self.position, to) {
            let failure = Failure::new("the step that led there from its last saved state is not known");
            return Err(self.failed(RETURNING, base.time(to), failure));
        }
        let sent = std::mem::replace(&mut self.sent.values, passed.inputs.clone());
        let (received, rates) = (self.received.clone(), self.rates.clone());
        let leg = base.leg(self.position, to);
        let done = self.start(&leg).and_then(|done| if done { Ok(()) } else { self.collect(base) });
        self.sent.values = sent;
        (self.received, self.rates) = (received, rates);
        done
    }

    /// Forgets the steps so far: it stands at another point than they led to.
    pub(super) fn forget_steps(&mut self) {
        self.saved = None;
        (self.origin, self.target) = (self.position, self.position);
    }

    /// Where the last step that was asked for began.
    pub(crate) fn origin(&self) -> u64 {
        self.origin
    }

    /// Drops the saved state: nobody will return to it.
    pub(crate) fn forget_saved(&mut self) {
        self.saved = None;
    }

    /// Whether [`Interface::restore`] has a state to return to.
    pub(crate) fn is_saved(&self) -> bool {
        self.saved.is_some()
    }

    /// Lets the last good values stand for those of `stamp`.
    pub(crate) fn hold(&mut self, stamp: u64) {
        self.received.stamp = stamp;
        self.rates.fill(0.0);
    }

    /// Posts a request to the thread of the simulator.
    pub(super) fn request(&mut self, call: Call, time: f64) -> Result<(), Box<Fault>> {
        let Line::Thread(worker) = &mut self.line else { return Ok(()) };
        let posted = worker.post(call, &self.sent.values, &mut self.buffers);
        posted.map_err(|silence| self.silent(silence, time))
    }

    /// Waits for the answer of the thread.
    pub(super) fn answer(&mut self, time: f64) -> Result<(), Box<Fault>> {
        let Line::Thread(worker) = &mut self.line else { return Ok(()) };
        match worker.answer(&mut self.buffers) {
            Ok(Ok(())) => Ok(()),
            Ok(Err(refusal)) => Err(self.refused(*refusal, time)),
            Err(silence) => Err(self.silent(silence, time)),
        }
    }

    /// Whether a request is still unanswered: a partner on a thread that is too slow.
    #[inline]
    pub(crate) fn is_waiting(&self) -> bool {
        matches!(&self.line, Line::Thread(worker) if worker.busy())
    }

    /// Takes the values if all are finite.
    #[inline]
    fn accept(&mut self, time: f64) -> Result<(), Box<Fault>> {
        let are_finite = |values: &[f64]| values.iter().all(|value| value.is_finite());
        let Buffers { values, derivatives, .. } = &mut self.buffers;
        if !(are_finite(values) && are_finite(derivatives)) {
            return Err(self.not_finite(time));
        }
        std::mem::swap(&mut self.received.values, values);
        if !self.rates.is_empty() {
            std::mem::swap(&mut self.rates, derivatives);
        }
        Ok(())
    }

    #[cold]
    pub(super) fn elsewhere(&self, expected: f64) -> Box<Fault> {
        Box::new(Fault::Time { partner: self.about.name.clone(), expected, reached: self.buffers.reached })
    }

    #[cold]
    fn unusable(&self, time: f64) -> Box<Fault> {
        let i = self.sent.values.iter().position(|signal| !signal.is_finite()).unwrap_or(0);
        let (partner, variable) = (self.about.name.clone(), self.variable(Causality::Input, i));
        let value = self.sent.values.get(i).map_or(f64::NAN, |signal| signal.value);
        Box::new(Fault::Writing { partner, variable, time, value })
    }

    #[cold]
    fn not_finite(&self, time: f64) -> Box<Fault> {
        let mut all = self.buffers.values.iter().chain(&self.buffers.derivatives);
        let k = all.position(|value| !value.is_finite()).unwrap_or(0);
        let value = self.buffers.values.iter().chain(&self.buffers.derivatives).nth(k).copied().unwrap_or(f64::NAN);
        let variable = self.variable(Causality::Output, k % self.buffers.values.len().max(1));
        Box::new(Fault::Sampling { partner: self.about.name.clone(), variable, time, value })
    }

    #[cold]
    pub(super) fn refused(&self, (during, failure): (&'static str, Failure), time: f64) -> Box<Fault> {
        self.failed(during, time, failure)
    }

    #[cold]
    pub(super) fn failed(&self, during: &'static str, time: f64, failure: Failure) -> Box<Fault> {
        let partner = self.about.name.clone();
        Box::new(match failure {
            Failure::Late(limit) => Fault::TimeLimit { partner, time, limit, ended: true },
            Failure::Within(fault) => fault.within(&partner),
            failure => Fault::Communication { partner, during, time, failure },
        })
    }

    #[cold]
    fn silent(&self, silence: Silence, time: f64) -> Box<Fault> {
        let partner = self.about.name.clone();
        Box::new(match silence {
            Silence::Late(limit) => Fault::TimeLimit { partner, time, limit, ended: false },
            Silence::Interrupted => {
                Fault::Communication { partner, during: "answering", time, failure: Failure::Interrupted }
            }
            Silence::Ended => Fault::Lost { partner, time, words: self.line.last_words() },
        })
    }

    /// Name of the i-th variable of one causality.
    pub(crate) fn variable(&self, causality: Causality, i: usize) -> String {
        self.about.description.with(causality).nth(i).map(|variable| variable.name.clone()).unwrap_or_default()
    }
}
