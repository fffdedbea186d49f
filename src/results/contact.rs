//! What a run of a mechanism with contacts tells at its end.

use super::cell::{Cell, DetailTable, count};
use serde::Serialize;

/// Names of the columns of a run with contacts that tell how well its constraints are kept, and their rates.
pub(crate) const VIOLATIONS: [&str; 2] = ["violation", "violation_rate"];

/// The end of a run of a mechanism with contacts.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct ContactDetails {
    /// Largest violation of joints and contacts over the run.
    pub violation: ContactViolation,
    /// Where the energy is at the end.
    pub energy: ContactEnergy,
    /// What happened, in counts.
    pub statistics: ContactStatistics,
    /// The events, in order, the first 10,000; none for methods with fixed steps.
    pub events: Vec<ContactEvent>,
}

/// Largest violation of joints and contacts.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize)]
#[non_exhaustive]
pub struct ContactViolation {
    /// Of joints over all rows, redundant ones included [m, rad].
    pub joints: f64,
    /// Of their rates [m/s, rad/s].
    pub rates: f64,
    /// Penetration of contacts \[m\].
    pub penetration: f64,
    /// Overlap of shapes at the end, measured apart from the gaps on which the method works \[m\].
    pub overlap_at_end: f64,
}

/// Where the energy is \[J\].
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize)]
#[non_exhaustive]
pub struct ContactEnergy {
    /// Kinetic and potential energy at the start.
    pub start: f64,
    /// Kinetic energy at the end.
    pub kinetic: f64,
    /// Potential energy of gravity and springs at the end.
    pub potential: f64,
    /// Change by impacts, not positive but for round-off; with fixed steps by all that contacts do along their normals.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub impacts: Option<f64>,
    /// Work of friction: event-driven while contacts last, by the trapezoidal rule over the steps; with fixed steps of all its impulses.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub friction: Option<f64>,
}

/// What happened, in counts.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[non_exhaustive]
pub struct ContactStatistics {
    /// Method by name.
    pub method: &'static str,
    /// Fixed step \[s\].
    #[serde(skip_serializing_if = "Option::is_none")]
    pub step_size: Option<f64>,
    /// Steps taken.
    pub steps: u64,
    /// Most contacts that were closed, or had an impulse in one step.
    pub most_contacts: u64,
    /// Worst residual of the complementarity problems of a step.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub residual: Option<f64>,
    /// Events; none for methods with fixed steps.
    #[serde(flatten, skip_serializing_if = "Option::is_none")]
    pub events: Option<EventCounts>,
}

/// Events by kind.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
#[non_exhaustive]
pub struct EventCounts {
    /// Impacts of single contacts.
    pub impacts: u64,
    /// Contacts that stayed closed from then on.
    pub closings: u64,
    /// Contacts that opened.
    pub openings: u64,
    /// Ends of slip.
    pub sticks: u64,
    /// Beginnings of slip.
    pub slips: u64,
    /// Infinitely many impacts, passed in closed form.
    pub accumulations: u64,
    /// Painlevé shocks: impulses without collision.
    pub painleve_shocks: u64,
}

/// An event.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[non_exhaustive]
pub struct ContactEvent {
    /// Time \[s\].
    pub time: f64,
    /// `impact`, `closed`, `opened`, `stuck`, `slipped`, `accumulation` or `painleve_shock`.
    pub kind: &'static str,
    /// Contact, and what of it touches.
    pub contact: String,
    /// Closing speed before, not negative [m/s].
    pub closing_speed: f64,
    /// Normal impulse [N s].
    pub impulse: f64,
    /// Change of the kinetic energy by the whole impact \[J\], written with the first of its contacts.
    pub energy: f64,
}

impl ContactViolation {
    pub(crate) fn new(joints: f64, rates: f64, gap: f64) -> Self {
        // A gap of 0 is negated to -0, to which 0 gives its sign back.
        Self { joints, rates, penetration: (-gap).max(0.0) + 0.0, overlap_at_end: 0.0 }
    }

    /// Entry by entry the larger one.
    pub(crate) fn max(self, other: Self) -> Self {
        Self {
            joints: self.joints.max(other.joints),
            rates: self.rates.max(other.rates),
            penetration: self.penetration.max(other.penetration),
            overlap_at_end: self.overlap_at_end.max(other.overlap_at_end),
        }
    }
}

impl ContactStatistics {
    pub(crate) fn new(method: &'static str) -> Self {
        Self { method, step_size: None, steps: 0, most_contacts: 0, residual: None, events: None }
    }
}

impl ContactDetails {
    pub(super) fn tables(&self) -> Vec<DetailTable> {
        vec![self.violation_table(), self.energy_table(), self.statistics_table()]
    }

    fn violation_table(&self) -> DetailTable {
        let ContactViolation { joints, rates, penetration, overlap_at_end } = self.violation;
        let mut rows = vec![
            ("joints", Cell::Number(joints, "m, rad")),
            ("rates of joints", Cell::Number(rates, "m/s, rad/s")),
            ("penetration", Cell::Number(penetration, "m")),
        ];
        if overlap_at_end > 0.0 {
            rows.push(("overlap of shapes at the end", Cell::Number(overlap_at_end, "m")));
        }
        DetailTable { title: "largest constraint violation", rows }
    }

    fn energy_table(&self) -> DetailTable {
        let ContactEnergy { start, kinetic, potential, impacts, friction } = self.energy;
        let mut rows = vec![
            ("at the start", Cell::Number(start, "J")),
            ("kinetic", Cell::Number(kinetic, "J")),
            ("potential", Cell::Number(potential, "J")),
        ];
        let changes = [("change by impacts", impacts), ("change by friction", friction)];
        rows.extend(changes.into_iter().filter_map(|(name, change)| Some((name, Cell::Number(change?, "J")))));
        DetailTable { title: "energy", rows }
    }

    fn statistics_table(&self) -> DetailTable {
        let ContactStatistics { method, step_size, steps, most_contacts, residual, events } = &self.statistics;
        let mut rows = vec![("contacts followed by", Cell::Text((*method).to_owned()))];
        rows.extend(step_size.map(|step| ("step", Cell::Number(step, "s"))));
        rows.extend([("steps", count(*steps)), ("most contacts at a time", count(*most_contacts))]);
        rows.extend(residual.map(|residual| ("worst residual", Cell::Number(residual, ""))));
        if let Some(events) = events {
            rows.extend([
                ("impacts", count(events.impacts)),
                ("contacts closed, opened", Cell::Text(format!("{}, {}", events.closings, events.openings))),
                ("stuck, slipped", Cell::Text(format!("{}, {}", events.sticks, events.slips))),
                ("accumulations passed", count(events.accumulations)),
            ]);
            if events.painleve_shocks > 0 {
                rows.push(("Painlevé shocks", count(events.painleve_shocks)));
            }
        }
        DetailTable { title: "statistics", rows }
    }
}
