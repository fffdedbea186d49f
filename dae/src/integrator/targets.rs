//! Times on which steps land exactly: stop times, breaks of the system, and the end.

use super::contract::Stop;
use super::copying::clone_in_place;
use super::error::Error;
use fourbar_linalg::checkpoint::{CheckpointError, Source, Stored, store_list};

/// Stop times and the end.
#[derive(Debug)]
pub(super) struct Targets {
    end: f64,
    stops: Vec<f64>,
    next: usize,
    /// The next break of the system; infinite if there is none.
    pub(super) next_break: f64,
}

clone_in_place!(Targets { end, stops, next, next_break });

impl Stored for Targets {
    fn store(&self, to: &mut Vec<u8>) {
        self.end.store(to);
        store_list(&self.stops, to);
        self.next.store(to);
        self.next_break.store(to);
    }
    fn load(&mut self, from: &mut Source<'_>) -> Result<(), CheckpointError> {
        self.end.load(from)?;
        from.list(&mut self.stops)?;
        self.next.load(from)?;
        self.next_break.load(from)
    }
}

/// A step as planned.
#[derive(Debug, Clone, Copy)]
pub struct Plan {
    /// Length \[s\].
    pub(super) h: f64,
    /// End \[s\].
    pub(super) t: f64,
}

impl Targets {
    /// No stop times, and the end at the start.
    pub(super) fn new(time: f64) -> Self {
        Self { end: time, stops: Vec::new(), next: 0, next_break: f64::INFINITY }
    }

    pub(super) fn end(&self) -> f64 {
        self.end
    }

    /// Moves the end; `time` is the present one.
    pub(super) fn set_end(&mut self, time: f64, end: f64) -> Result<(), Error> {
        if end.is_nan() {
            return Err(Error::NotFinite { what: "time", name: "the end".into(), value: end });
        }
        if end < time {
            return Err(Error::EndBeforeStart { time, end });
        }
        self.end = end;
        Ok(())
    }

    /// Replaces the stop times; those not after `time` are passed over.
    pub(super) fn set_stops(&mut self, time: f64, times: &[f64]) -> Result<(), Error> {
        if let Some(&value) = times.iter().find(|t| !t.is_finite()) {
            return Err(Error::NotFinite { what: "time", name: "a stop".into(), value });
        }
        if let Some(pair) = times.windows(2).find(|pair| pair[0] >= pair[1]) {
            return Err(Error::StopTimes { previous: pair[0], next: pair[1] });
        }
        self.stops.clear();
        self.stops.extend_from_slice(times);
        self.next = times.partition_point(|&t| t <= time + 16.0 * f64::EPSILON * time.abs());
        Ok(())
    }

    /// Passes over the stop times not after `time`, at which the run begins anew.
    pub(super) fn pass(&mut self, time: f64) {
        self.next = self.stops.partition_point(|&t| t <= time);
    }

    /// The next target and what it is.
    pub(super) fn target(&self) -> (f64, Stop) {
        match self.stops.get(self.next) {
            Some(&t) if t < self.end => (t, Stop::StopTime),
            _ => (self.end, Stop::EndTime),
        }
    }

    /// Where a step that was accepted up to `accepted` ends for the caller: there, or at a target that was set meanwhile.
    pub(super) fn first_of(&self, accepted: f64) -> (f64, Stop) {
        let (target, stop) = self.target();
        if target <= accepted { (target, stop) } else { (accepted, Stop::Step) }
    }

    /// Notes that a step came back with `stop`.
    pub(super) fn arrived(&mut self, stop: Stop) {
        self.next += usize::from(stop == Stop::StopTime);
    }

    /// A step of length `step` from `time`: targets and breaks are met exactly, and a short last piece is avoided by dividing what remains
    /// into two, if `divides`.
    pub(super) fn plan(&self, time: f64, step: f64, divides: bool) -> Plan {
        let target = self.target().0.min(self.next_break);
        let remaining = target - time;
        if remaining <= step * (1.0 + 1e-9) {
            Plan { h: remaining, t: target }
        } else if remaining < 2.0 * step && divides {
            Plan { h: 0.5 * remaining, t: time + 0.5 * remaining }
        } else {
            Plan { h: step, t: time + step }
        }
    }
}
