//! What each kind of model tells at the end of a run: statistics, and tables for a person.

use super::cell::{Cell, DetailTable, count};
use super::{CircuitDetails, ContactDetails, CoupledDetails};
use fourbar_linalg::text::Brief;
use fourbar_lti::KrylovEffort;
use fourbar_multibody::integrator::Statistics;
use fourbar_multibody::{EnergyBalance, SwitchEvent, Violation};

/// Events that a table for a person has.
const SHOWN: usize = 50;

/// What only one kind of model has to tell at the end of a run.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum Details {
    /// A mechanism.
    Mechanism(MechanismDetails),
    /// A mechanism with contacts.
    Contact(ContactDetails),
    /// A linear system.
    Linear(LinearDetails),
    /// A hydraulic circuit.
    Circuit(CircuitDetails),
    /// Coupled simulators.
    Coupled(CoupledDetails),
}

/// The end of a run of a mechanism.
#[derive(Debug, Clone, PartialEq)]
pub struct MechanismDetails {
    /// Largest violation of the constraints over the run and over all rows, redundant ones included.
    pub violation: Violation,
    /// What the integration cost.
    pub statistics: Statistics,
    /// Where the energy is at the end.
    pub energy: EnergyBalance,
    /// What sensors and elements with `active` did, in the order of time: the first 10,000.
    pub events: Vec<SwitchEvent>,
}

/// The end of a run of a linear system.
#[derive(Debug, Clone, PartialEq, serde::Serialize)]
#[non_exhaustive]
pub struct LinearDetails {
    /// Number of states n.
    pub states: usize,
    /// Method with its order.
    pub method: String,
    /// T \[s\].
    pub step_size: f64,
    /// Steps taken, parts of steps among them.
    pub steps: u64,
    /// Steps shorter than T, to a stop time or the end.
    pub parts_of_steps: u64,
    /// Times after the start at which an input jumped or bent, or that were given: each ended a step.
    pub stops: u64,
    /// The shortest part of T that the interpolation of inputs asked for \[s\].
    #[serde(skip_serializing_if = "Option::is_none")]
    pub smallest_step: Option<f64>,
    /// Inputs that were sampled and interpolated; all others were stepped exactly.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub interpolated_inputs: Vec<String>,
    /// Largest deviation of an interpolated input from its interpolation, relative to its largest value.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub input_error: Option<f64>,
    /// Largest estimated error that the interpolation left in an output of the system, relative to its largest value.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub output_error: Option<f64>,
    /// What the projection cost, for a sparse system.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub krylov: Option<KrylovCost>,
}

/// What Krylov projections cost over a run.
#[derive(Debug, Clone, Copy, PartialEq, Default, serde::Serialize)]
#[non_exhaustive]
pub struct KrylovCost {
    /// Substeps.
    pub substeps: u64,
    /// Largest dimension of a Krylov space.
    pub largest_dimension: u64,
    /// Solutions with I - gamma A.
    pub solutions: u64,
    /// Factorizations of I - gamma A.
    pub factorizations: u64,
    /// Sum of the estimated errors of all steps, 2-norm, in units of the state.
    pub estimated_error: f64,
}

impl LinearDetails {
    pub(crate) fn new(states: usize, method: String, step_size: f64) -> Self {
        Self {
            states,
            method,
            step_size,
            steps: 0,
            parts_of_steps: 0,
            stops: 0,
            smallest_step: None,
            interpolated_inputs: Vec::new(),
            input_error: None,
            output_error: None,
            krylov: None,
        }
    }
}

impl KrylovCost {
    pub(crate) fn add(&mut self, effort: &KrylovEffort) {
        self.substeps += effort.substeps as u64;
        self.largest_dimension = self.largest_dimension.max(effort.dimension as u64);
        self.solutions += effort.applications as u64;
        self.factorizations += effort.factorizations as u64;
        self.estimated_error += effort.error;
    }
}

impl Details {
    /// What the columns of the results are called.
    #[must_use]
    pub fn columns_title(&self) -> &'static str {
        match self {
            Self::Mechanism(_) | Self::Contact(_) => "measures",
            Self::Linear(_) | Self::Circuit(_) | Self::Coupled(_) => "outputs",
        }
    }

    /// The tables of a summary for a person.
    #[must_use]
    pub fn tables(&self) -> Vec<DetailTable> {
        match self {
            Self::Mechanism(details) => details.tables(),
            Self::Contact(details) => details.tables(),
            Self::Linear(details) => vec![details.table()],
            Self::Circuit(details) => vec![details.table()],
            Self::Coupled(details) => details.tables(),
        }
    }
}

impl MechanismDetails {
    fn tables(&self) -> Vec<DetailTable> {
        let Self { violation, statistics, energy, events } = self;
        let rejected = statistics.rejected_by_error + statistics.rejected_by_newton + statistics.rejected_by_evaluation;
        let mut tables = vec![
            DetailTable {
                title: "largest constraint violation",
                rows: vec![
                    ("position", Cell::Number(violation.position, "m")),
                    ("orientation", Cell::Number(violation.orientation, "rad")),
                    ("velocity", Cell::Number(violation.velocity, "m/s")),
                    ("angular velocity", Cell::Number(violation.angular_velocity, "rad/s")),
                ],
            },
            DetailTable {
                title: "energy",
                rows: vec![
                    ("at the start", Cell::Number(energy.start, "J")),
                    ("kinetic", Cell::Number(energy.kinetic, "J")),
                    ("potential", Cell::Number(energy.potential, "J")),
                    ("work since the start", Cell::Number(energy.work, "J")),
                    ("energy balance error", Cell::Number(energy.balance_error, "J")),
                ],
            },
            DetailTable {
                title: "statistics",
                rows: vec![
                    ("steps", Cell::Text(format!("{} accepted, {rejected} rejected", statistics.steps))),
                    ("residual evaluations", count(statistics.residual_evaluations)),
                    ("factorizations", count(statistics.factorizations.total())),
                    ("smallest step", Cell::Number(statistics.step_smallest, "s")),
                    ("largest step", Cell::Number(statistics.step_largest, "s")),
                    ("steps by order", Cell::Text(by_order(&statistics.orders))),
                ],
            },
        ];
        if let (choices @ 1.., Some(table)) = (statistics.row_choices, tables.last_mut()) {
            table.rows.push(("redundant rows chosen anew", count(choices)));
        }
        tables.into_iter().chain(events_table(events)).collect()
    }
}

impl LinearDetails {
    fn table(&self) -> DetailTable {
        let parts = match self.parts_of_steps {
            0 => String::new(),
            parts => format!(", {parts} of them parts of steps"),
        };
        let mut rows = vec![
            ("states", count(self.states as u64)),
            ("method", Cell::Text(self.method.clone())),
            ("step", Cell::Number(self.step_size, "s")),
            ("steps", Cell::Text(format!("{}{parts}", self.steps))),
        ];
        if self.stops > 0 {
            rows.push(("jumps and kinks", count(self.stops)));
        }
        if let Some(step) = self.smallest_step {
            rows.push(("smallest step", Cell::Number(step, "s")));
        }
        if !self.interpolated_inputs.is_empty() {
            rows.push(("interpolated inputs", Cell::Text(self.interpolated_inputs.join(", "))));
        }
        if let Some(error) = self.output_error {
            rows.push(("estimated relative error by it", Cell::Number(error, "")));
        }
        if let Some(krylov) = &self.krylov {
            rows.extend([
                ("largest Krylov space", count(krylov.largest_dimension)),
                ("sparse solutions", count(krylov.solutions)),
                ("factorizations", count(krylov.factorizations)),
                ("estimated error", Cell::Number(krylov.estimated_error, "")),
            ]);
        }
        DetailTable { title: "statistics", rows }
    }
}

/// The events that a person is shown; a summary as JSON has all of them.
fn events_table(events: &[SwitchEvent]) -> Option<DetailTable> {
    let row = |event: &SwitchEvent| {
        let SwitchEvent { time, kind, element, values, impulse, angular_impulse, energy, .. } = event;
        let mut parts = vec![format!("{element} at t = {} s", Brief(*time))];
        parts.extend(values.iter().map(|value| format!("{} = {}", value.name, Brief(value.value))));
        let told =
            [("impulse", impulse, "N s"), ("angular impulse", angular_impulse, "N m s"), ("energy", energy, "J")];
        let told = told.into_iter().filter(|(_, value, _)| **value != 0.0);
        parts.extend(told.map(|(name, value, unit)| format!("{name} {} {unit}", Brief(*value))));
        (kind.word(), Cell::Text(parts.join(", ")))
    };
    let mut rows: Vec<_> = events.iter().take(SHOWN).map(row).collect();
    if events.len() > SHOWN {
        rows.push(("more", count((events.len() - SHOWN) as u64)));
    }
    (!events.is_empty()).then_some(DetailTable { title: "events", rows })
}

/// Steps of order 1, 2, ... up to the highest that was used.
fn by_order(orders: &[u64]) -> String {
    let used = orders.iter().rposition(|count| *count > 0).map_or(1, |last| last + 1);
    orders[..used].iter().map(u64::to_string).collect::<Vec<_>>().join(" ")
}
