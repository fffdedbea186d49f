//! What is seen of a coupled run: the recorded values at the last communication points, and the faults.
//!
//! A simulator that takes part in every n-th communication point alone has values there alone. Those between are on the polynomial through its own points,
//! which is known when it has stepped: until then the run goes on ([`Watch::is_waiting`]). Values that jump are held.

use crate::results::FaultReport;
use fourbar_coupling::management::{Report, View};
use fourbar_coupling::{Observer, Proceed};
#[cfg(feature = "fmi")]
use fourbar_linalg::checkpoint::{CheckpointError, Source, Stored};
use std::collections::VecDeque;

/// Faults kept at most.
const FAULTS: usize = 1000;
/// Communication points kept, for outputs between them.
const KEPT: usize = 4;

/// Times and values, the oldest first.
type Points = VecDeque<(f64, Vec<f64>)>;

/// A simulator with points of its own.
#[derive(Clone, Default)]
struct Seldom {
    partner: usize,
    /// Stamp of the last of its points, and the last ones with all its outputs.
    stamp: u64,
    points: Points,
    /// Its recorded columns, and the places of these among its outputs.
    columns: Vec<(usize, usize)>,
}

/// What is seen of a run.
#[derive(Clone, Default)]
pub(crate) struct Watch {
    recorded: Vec<usize>,
    /// Which recorded values jump.
    held: Vec<bool>,
    seldom: Vec<Seldom>,
    points: Points,
    /// Points kept.
    kept: usize,
    all: Vec<f64>,
    waits: bool,
    faults: Vec<FaultReport>,
}

/// What was seen last, for a checkpoint; faults stay in the process that met them.
#[cfg(feature = "fmi")]
impl Stored for Watch {
    fn store(&self, to: &mut Vec<u8>) {
        self.points.len().store(to);
        for (time, row) in &self.points {
            time.store(to);
            row.store(to);
        }
    }

    fn load(&mut self, from: &mut Source<'_>) -> Result<(), CheckpointError> {
        let count: usize = from.value()?;
        if count > self.kept {
            return Err(from.refuse("the number of points"));
        }
        self.points.clear();
        for _ in 0..count {
            let (time, mut row) = (from.value()?, vec![0.0; self.recorded.len()]);
            row.load(from)?;
            self.points.push_back((time, row));
        }
        Ok(())
    }
}

impl Observer for Watch {
    fn exchanged(&mut self, view: &View<'_>) -> Proceed {
        self.all.clear();
        let packets = (0..view.partners()).filter_map(|i| view.received(i));
        packets.for_each(|packet| self.all.extend_from_slice(&packet.values));
        // Sorted: the last is an input if any is.
        if self.recorded.last().is_some_and(|&k| k >= self.all.len()) {
            self.all.extend(view.inputs());
        }
        let full = self.points.len() >= self.kept;
        let mut row = if full { self.points.pop_front().unwrap_or_default().1 } else { Vec::new() };
        row.clear();
        row.extend(self.recorded.iter().map(|&k| self.all[k]));
        self.points.push_back((view.time(), row));
        self.fill(view);
        Proceed::Continue
    }

    fn fault(&mut self, report: &Report<'_>) {
        if self.faults.len() < FAULTS {
            self.faults.push(FaultReport::new(report));
        }
    }
}

impl Watch {
    /// Of the outputs and inputs at these places among all; they increase.
    pub(crate) fn new(recorded: Vec<usize>) -> Self {
        Self { held: vec![false; recorded.len()], recorded, kept: KEPT, ..Self::default() }
    }

    /// With what lies between the points of simulators that take part in each `every`-th one alone; `held` says which outputs jump.
    pub(super) fn between(mut self, every: Vec<u64>, held: Vec<bool>) -> Self {
        self.held = self.recorded.iter().map(|&k| held.get(k).is_some_and(|held| *held)).collect();
        let longest = every.iter().copied().max().unwrap_or(1);
        self.kept += longest.saturating_sub(1) as usize;
        let seldom = every.into_iter().enumerate().filter(|(_, every)| *every > 1);
        self.seldom = seldom.map(|(partner, _)| Seldom { partner, ..Seldom::default() }).collect();
        self
    }

    /// Faults so far.
    pub(super) fn faults(&self) -> &[FaultReport] {
        &self.faults
    }

    /// Whether values of the last points are still to come.
    pub(super) fn is_waiting(&self) -> bool {
        self.waits
    }

    /// Fills in what lies between the points of those that have stepped.
    fn fill(&mut self, view: &View<'_>) {
        self.waits = false;
        for own in &mut self.seldom {
            let Some(packet) = view.received(own.partner) else { continue };
            self.waits |= packet.stamp < view.stamp();
            if own.points.is_empty() {
                let before = (0..own.partner).filter_map(|i| view.received(i)).map(|packet| packet.values.len());
                let first: usize = before.sum();
                let places = self.recorded.iter().enumerate();
                let own_places = places.filter(|(_, k)| (first..first + packet.values.len()).contains(*k));
                own.columns = own_places.map(|(column, k)| (column, k - first)).collect();
            } else if packet.stamp <= own.stamp {
                continue;
            }
            let since = own.points.back().map_or(f64::INFINITY, |(time, _)| *time);
            if own.points.len() == KEPT {
                own.points.pop_front();
            }
            own.points.push_back((view.time(), packet.values.clone()));
            own.stamp = packet.stamp;
            let between = self.points.iter_mut().rev().skip(1).take_while(|(time, _)| *time > since);
            for (time, row) in between {
                for &(column, k) in own.columns.iter().filter(|(column, _)| !self.held[*column]) {
                    row[column] = interpolated(&own.points, *time, k);
                }
            }
        }
    }

    /// The recorded values at a time within the last steps: the polynomial through the last communication points.
    pub(crate) fn at(&self, time: f64, tolerance: f64, values: &mut [f64]) {
        // The product of a short tick may lie beside that of a step by a rounding.
        let tolerance = tolerance.max(4.0 * f64::EPSILON * time.abs());
        if let Some((_, row)) = self.points.iter().rev().find(|(t, _)| (t - time).abs() <= tolerance) {
            values.copy_from_slice(row);
            return;
        }
        let before = self.points.iter().rev().find(|(own, _)| *own <= time).or(self.points.front());
        for (k, value) in values.iter_mut().enumerate() {
            *value = match before {
                Some((_, row)) if self.held[k] => row[k],
                _ => interpolated(&self.points, time, k),
            };
        }
    }
}

/// Column k at a time on the polynomial through the last points, four at most (Lagrange).
fn interpolated(points: &Points, time: f64, k: usize) -> f64 {
    let last = || points.iter().skip(points.len().saturating_sub(KEPT)).enumerate();
    let mut value = 0.0;
    for (i, (own, row)) in last() {
        let others = last().filter(|(j, _)| *j != i);
        let weight: f64 = others.map(|(_, (other, _))| (time - other) / (own - other)).product();
        value += weight * row[k];
    }
    value
}
