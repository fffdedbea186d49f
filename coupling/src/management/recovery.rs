//! From a fault to its handling: the level decides, the observer learns of it, nothing is passed over.

use super::faults::{Fallback, Handling, Level, Report};
use super::master::Master;
use super::observer::Observer;
use crate::Error;
use crate::function::Fault;

/// What a partner was asked when it failed.
#[derive(Clone, Copy)]
enum Request {
    Step,
    Sample,
}

impl Master {
    /// Collects the step of partner i to `target`.
    #[inline]
    pub(super) fn collect(&mut self, i: usize, observer: &mut dyn Observer) -> Result<(), Error> {
        match self.interfaces[i].collect(&self.clock.base) {
            Ok(()) => Ok(()),
            Err(fault) => self.recover(i, self.target, fault, Request::Step, observer),
        }
    }

    /// Starts the step of partner i to the target; whether there is something to collect.
    #[inline]
    pub(super) fn start(&mut self, i: usize, observer: &mut dyn Observer) -> Result<bool, Error> {
        match self.interfaces[i].start(&self.clock.base, self.target) {
            Ok(done) => Ok(!done),
            Err(fault) => self.recover(i, self.target, fault, Request::Step, observer).map(|()| false),
        }
    }

    /// Handles the result of sampling partner i.
    #[inline]
    pub(super) fn caught_sample(
        &mut self,
        i: usize,
        stamp: u64,
        result: Result<(), Fault>,
        observer: &mut dyn Observer,
    ) -> Result<(), Error> {
        match result {
            Ok(()) => Ok(()),
            Err(fault) => self.recover(i, stamp, fault, Request::Sample, observer),
        }
    }

    #[cold]
    fn recover(
        &mut self,
        i: usize,
        stamp: u64,
        mut fault: Fault,
        request: Request,
        observer: &mut dyn Observer,
    ) -> Result<(), Error> {
        let mut retried = 0;
        loop {
            let level = self.faults.level(&fault);
            let handling = match level {
                Level::Retry { attempts, .. } if retried < attempts => Handling::Retried(retried + 1),
                Level::Retry { then: Fallback::Hold, .. } | Level::Hold => Handling::Held,
                Level::Inform | Level::Warn | Level::Retry { .. } | Level::Stop => Handling::Stopped,
            };
            self.statistics.faults += 1;
            observer.fault(&Report { fault: &fault, level, handling });
            match handling {
                Handling::Retried(count) => retried = count,
                Handling::Held => return self.hold(i, stamp, observer),
                _ => return Err(Error::Stopped(Box::new(fault))),
            }
            match self.again(i, stamp, request) {
                Ok(()) => return Ok(()),
                Err(next) => fault = next,
            }
        }
    }

    /// Asks partner i again, from its state before the request if it was saved.
    fn again(&mut self, i: usize, stamp: u64, request: Request) -> Result<(), Fault> {
        let base = self.clock.base;
        let interface = &mut self.interfaces[i];
        match request {
            // It is still at work: waiting is asking again.
            Request::Step if interface.is_waiting() => interface.collect(&base),
            // It has stepped, and cannot step again: only its values are asked for once more.
            Request::Step if interface.position == stamp && !interface.is_saved() => interface.sample(&base, stamp),
            Request::Step => {
                if interface.is_saved() {
                    interface.restore(&base)?;
                }
                let done = interface.start(&base, self.target)?;
                if done { Ok(()) } else { interface.collect(&base) }
            }
            Request::Sample => interface.sample(&base, stamp),
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
        observer.fault(&Report { fault: &fault, level: Level::Hold, handling: Handling::Held });
        self.statistics.faults += 1;
        Ok(())
    }

    /// Saving and restoring admit no substitute: a partner that fails in it stops the run.
    #[inline]
    pub(super) fn caught_state(&mut self, result: Result<(), Fault>, observer: &mut dyn Observer) -> Result<(), Error> {
        let Err(fault) = result else { return Ok(()) };
        self.statistics.faults += 1;
        observer.fault(&Report { fault: &fault, level: Level::Stop, handling: Handling::Stopped });
        Err(Error::Stopped(Box::new(fault)))
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
        self.statistics.faults += 1;
        self.statistics.warnings += u64::from(handling == Handling::Warned);
        observer.fault(&Report { fault: &fault, level, handling });
        if handling == Handling::Stopped { Err(Error::Stopped(Box::new(fault))) } else { Ok(()) }
    }
}
