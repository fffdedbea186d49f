//! How far the last accepted step has been handed out: to its end, or to an event within it.

use super::contract::Stop;
use super::copying::kept;
use super::error::Error;
use super::roots::RootSearch;
use super::targets::Targets;
use crate::dae::{EvalError, RootEvent};

/// The point up to which the caller has got the last accepted step. A step may lead beyond it: what follows an event is handed out
/// by the next calls, without new steps.
#[derive(Debug)]
pub(super) struct DensePosition {
    time: f64,
    /// y and y' there if the step leads beyond it.
    pub(super) y: Vec<f64>,
    pub(super) yp: Vec<f64>,
    search: RootSearch,
}

kept!(DensePosition { time, y, yp, search });

/// Scratch of the search: y and y' where it looks.
#[derive(Debug, Clone)]
pub(super) struct Probe {
    y: Vec<f64>,
    yp: Vec<f64>,
}

impl Probe {
    /// y and y', to be written.
    pub(super) fn buffers(&mut self) -> (&mut [f64], &mut [f64]) {
        (&mut self.y, &mut self.yp)
    }

    pub(super) fn new(dimension: usize) -> Self {
        Self { y: vec![0.0; dimension], yp: vec![0.0; dimension] }
    }
}

/// An accepted step as the search sees it.
pub(super) trait AcceptedStep {
    /// y and y' at a time within it.
    fn interpolate(&self, time: f64, y: &mut [f64], yp: &mut [f64]);
    /// The root functions.
    fn roots(&mut self, time: f64, y: &[f64], yp: &[f64], out: &mut [f64]) -> Result<(), EvalError>;
    /// Name of root function `i`.
    fn root_name(&self, i: usize) -> String;
}

impl DensePosition {
    pub(super) fn new(dimension: usize) -> Self {
        Self { time: 0.0, y: vec![0.0; dimension], yp: vec![0.0; dimension], search: RootSearch::default() }
    }

    /// Begins anew at `time` with `roots` root functions.
    pub(super) fn begin(&mut self, time: f64, roots: usize) {
        self.time = time;
        self.search.begin(time, roots);
    }

    pub(super) fn time(&self) -> f64 {
        self.time
    }

    /// Number of root functions.
    pub(super) fn roots(&self) -> usize {
        self.search.count()
    }

    pub(super) fn events(&self) -> &[RootEvent] {
        self.search.events()
    }

    /// Keeps the point from which a step leads on: the caller stands there until that step is handed out.
    pub(super) fn hold(&mut self, y: &[f64], yp: &[f64]) {
        self.y.copy_from_slice(y);
        self.yp.copy_from_slice(yp);
    }

    /// Hands out the step that was accepted up to `end`: as far as the first event, target, or its end. Where a root function fails,
    /// nothing is handed out, and the next call searches the same step again.
    pub(super) fn hand_out(
        &mut self,
        end: f64,
        targets: &mut Targets,
        Probe { y, yp }: &mut Probe,
        accepted: &mut impl AcceptedStep,
    ) -> Result<Stop, Error> {
        let (to, stop) = targets.first_of(end);
        let Self { time, y: held, yp: held_slope, search } = self;
        let event = search.search(to, |t, out| {
            if t == *time && t < end {
                // Where a function is zero by the numbers that the caller gave, the dense output may leave it round-off.
                accepted.roots(t, held, held_slope, out)?;
            } else {
                accepted.interpolate(t, y, yp);
                accepted.roots(t, y, yp, out)?;
            }
            match out.iter().position(|value| !value.is_finite()) {
                Some(i) => Err(Error::NotFinite { what: "value", name: accepted.root_name(i), value: out[i] }),
                None => Ok(()),
            }
        })?;
        self.time = event.unwrap_or(to);
        if self.time < end {
            accepted.interpolate(self.time, &mut self.y, &mut self.yp);
        }
        if event.is_some() {
            return Ok(Stop::Event);
        }
        targets.arrived(stop);
        Ok(stop)
    }
}
