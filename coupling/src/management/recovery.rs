//! From a fault to its handling: the level decides, the observer learns of it, nothing is passed over.

use super::faults::Report;
use super::network::Network;
use super::observer::Observer;
use crate::Error;
use crate::function::leg::Leg;
use crate::function::{Fallback, Fault, Handling, Level};

/// What a partner was asked when it failed.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Request {
    Step,
    /// To give its outputs as they are.
    Sample,
    /// To take its inputs and give the outputs that follow.
    Respond,
    Save,
    Restore,
}

impl Network {
    /// Collects the step of partner i to `target`.
    #[inline]
    pub(super) fn collect(&mut self, i: usize, observer: &mut dyn Observer) -> Result<(), Error> {
        match self.interfaces[i].collect(&self.clock.base) {
            Ok(()) => Ok(()),
            Err(fault) => self.not_stepped(i, fault, observer),
        }
    }

    /// Handles that partner i has not stepped to the target.
    #[cold]
    pub(super) fn not_stepped(
        &mut self,
        i: usize,
        fault: Box<Fault>,
        observer: &mut dyn Observer,
    ) -> Result<(), Error> {
        self.recover(i, self.target, fault, Request::Step, observer)
    }

    /// Starts the step of partner i to the target; whether there is something to collect.
    #[inline]
    pub(super) fn start(&mut self, i: usize, leg: &Leg, observer: &mut dyn Observer) -> Result<bool, Error> {
        match self.interfaces[i].start(leg) {
            Ok(done) => Ok(!done),
            Err(fault) => self.not_stepped(i, fault, observer).map(|()| false),
        }
    }

    /// Whether partner i can be asked to step to the target: one that is still silent cannot, and is handled at once.
    #[inline]
    pub(super) fn ready(&mut self, i: usize, observer: &mut dyn Observer) -> Result<bool, Error> {
        if self.interfaces[i].is_waiting() { self.take_up(i, observer) } else { Ok(true) }
    }

    /// Takes up a partner that answered too late for an earlier communication point; whether it has answered by now.
    #[cold]
    fn take_up(&mut self, i: usize, observer: &mut dyn Observer) -> Result<bool, Error> {
        let base = self.clock.base;
        match self.interfaces[i].catch_up(&base, base.time(self.target)) {
            Ok(()) => Ok(true),
            Err(fault) => self.not_stepped(i, fault, observer).map(|()| false),
        }
    }

    /// Handles the result of a request at `stamp` other than to step.
    #[inline]
    pub(super) fn caught(
        &mut self,
        (i, stamp, request): (usize, u64, Request),
        result: Result<(), Box<Fault>>,
        observer: &mut dyn Observer,
    ) -> Result<(), Error> {
        match result {
            Ok(()) => Ok(()),
            Err(fault) => self.recover(i, stamp, fault, request, observer),
        }
    }

    #[cold]
    fn recover(
        &mut self,
        i: usize,
        stamp: u64,
        mut fault: Box<Fault>,
        request: Request,
        observer: &mut dyn Observer,
    ) -> Result<(), Error> {
        // Where the partner must be to be asked again.
        let interface = &self.interfaces[i];
        let place = if request == Request::Step { interface.origin() } else { interface.position };
        let mut retried = 0;
        loop {
            let level = self.faults.level(&fault);
            let handling = match level {
                Level::Retry { attempts, .. } if retried < attempts => Handling::Retried(retried + 1),
                Level::Retry { then: Fallback::Hold, .. } | Level::Hold => match request {
                    Request::Save | Request::Restore => Handling::Restored,
                    _ => Handling::Held,
                },
                Level::Inform | Level::Warn | Level::Retry { .. } | Level::Stop => Handling::Stopped,
            };
            self.report(&fault, level, handling, observer);
            match handling {
                Handling::Retried(count) => retried = count,
                Handling::Held => return self.hold(i, stamp, observer),
                Handling::Restored => break,
                _ => return Err(Error::Stopped(fault)),
            }
            match self.again(i, stamp, place, request) {
                Ok(()) => return Ok(()),
                Err(next) => fault = next,
            }
        }
        match (self.again(i, stamp, place, request), request) {
            (Ok(()), _) => Ok(()),
            // Without the state before there is nothing to repeat a step from.
            (Err(fault), Request::Restore) => {
                self.report(&fault, Level::Stop, Handling::Stopped, observer);
                Err(Error::Stopped(fault))
            }
            // The next step will show what became of it.
            (Err(fault), _) => {
                self.report(&fault, Level::Hold, Handling::Held, observer);
                Ok(())
            }
        }
    }

    fn report(&mut self, fault: &Fault, level: Level, handling: Handling, observer: &mut dyn Observer) {
        self.statistics.faults += 1;
        observer.fault(&Report { fault, level, handling });
    }

    /// Asks partner i again, at stamp `place`, to which it is brought back if a state was saved: its process may be another one by now.
    fn again(&mut self, i: usize, stamp: u64, place: u64, request: Request) -> Result<(), Box<Fault>> {
        let base = self.clock.base;
        let interface = &mut self.interfaces[i];
        if interface.is_waiting() {
            interface.catch_up(&base, base.time(stamp))?;
        }
        // Without a saved state it cannot step again: only its values are asked for once more.
        if request == Request::Step && interface.position == stamp && !interface.is_saved() {
            return interface.sample(&base, stamp);
        }
        if interface.is_saved() && request != Request::Restore {
            interface.bring_back(&base, place)?;
        }
        match request {
            Request::Step => {
                if interface.sent.stamp != interface.position {
                    // What it was sent last holds about another time.
                    self.prepare(i, |_| None);
                }
                let interface = &mut self.interfaces[i];
                match interface.start(&base.leg(interface.position, self.target))? {
                    true => Ok(()),
                    false => interface.collect(&base),
                }
            }
            Request::Sample => interface.sample(&base, stamp),
            Request::Respond => interface.respond(&base, stamp),
            Request::Save => interface.save(&base),
            Request::Restore => interface.restore(&base),
        }
    }

    /// The last good values of partner i stand for those of `stamp`. A partner that can returns to its last state, from which its
    /// next step begins.
    fn hold(&mut self, i: usize, stamp: u64, observer: &mut dyn Observer) -> Result<(), Error> {
        let base = self.clock.base;
        let interface = &mut self.interfaces[i];
        interface.hold(stamp);
        self.statistics.held += 1;
        if interface.is_waiting() || !interface.is_saved() || interface.position >= stamp {
            return Ok(());
        }
        let Err(fault) = interface.restore(&base) else { return Ok(()) };
        // The state it failed in is all there is: the run goes on from it, as reported.
        self.report(&fault, Level::Hold, Handling::Held, observer);
        Ok(())
    }

    /// Handles a fault of the run as a whole.
    #[cold]
    pub(super) fn caught_by_run(&mut self, fault: Fault, observer: &mut dyn Observer) -> Result<(), Error> {
        let level = self.faults.level(&fault);
        let handling = match level {
            Level::Inform => Handling::Informed,
            Level::Warn => Handling::Warned,
            _ => Handling::Stopped,
        };
        self.statistics.warnings += u64::from(handling == Handling::Warned);
        self.report(&fault, level, handling, observer);
        if handling == Handling::Stopped { Err(Error::Stopped(Box::new(fault))) } else { Ok(()) }
    }

    /// Saves the state of every partner that can.
    pub(super) fn save_all(&mut self, observer: &mut dyn Observer) -> Result<(), Error> {
        for i in 0..self.interfaces.len() {
            if self.interfaces[i].description().capabilities.rollback && !self.interfaces[i].is_waiting() {
                let result = self.interfaces[i].save(&self.clock.base);
                self.caught((i, self.clock.now, Request::Save), result, observer)?;
            }
        }
        Ok(())
    }

    /// Returns every partner to its saved state; one that has not answered yet stays held, and is returned when it has.
    pub(super) fn restore_all(&mut self, observer: &mut dyn Observer) -> Result<(), Error> {
        for i in 0..self.interfaces.len() {
            if self.interfaces[i].is_waiting() {
                continue;
            }
            let result = self.interfaces[i].restore(&self.clock.base);
            self.caught((i, self.clock.now, Request::Restore), result, observer)?;
        }
        Ok(())
    }
}
