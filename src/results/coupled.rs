//! What runs of circuits and of coupled simulators tell at their end.

use super::details::{Cell, DetailTable, count};
use fourbar_coupling::application::Incident;
use fourbar_coupling::management::{Port, PortEnergy, Report};
use fourbar_coupling::{Algorithm, Master, Options, Order};
use fourbar_multibody::integrator::Statistics;
use serde::Serialize;

/// The end of a run of a circuit.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[non_exhaustive]
pub struct CircuitDetails {
    /// Number of unknowns.
    pub unknowns: usize,
    /// What the integration cost.
    #[serde(flatten)]
    pub statistics: Statistics,
}

impl CircuitDetails {
    pub(crate) fn new(unknowns: usize, statistics: Statistics) -> Self {
        Self { unknowns, statistics }
    }

    pub(super) fn table(&self) -> DetailTable {
        let Statistics { steps, residual_evaluations, jacobian_evaluations, .. } = self.statistics;
        let rejected = [
            self.statistics.rejected_by_error,
            self.statistics.rejected_by_newton,
            self.statistics.rejected_by_evaluation,
        ];
        let rows = vec![
            ("unknowns", count(self.unknowns as u64)),
            ("steps", count(steps)),
            ("rejected steps", count(rejected.iter().sum())),
            ("residuals", count(residual_evaluations)),
            ("Jacobians", count(jacobian_evaluations)),
        ];
        DetailTable { title: "statistics", rows }
    }
}

/// The end of a run of coupled simulators.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct CoupledDetails {
    /// What happened, in counts.
    pub statistics: CoupledStatistics,
    /// The energy accounts of the ports.
    pub ports: Vec<PortBalance>,
    /// Faults in the order of their reports, the first thousand.
    pub faults: Vec<FaultReport>,
}

/// What a coupled run has cost, and what happened.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[non_exhaustive]
pub struct CoupledStatistics {
    /// Algorithm with its order.
    pub algorithm: String,
    /// Communication step \[s\]; the longest one if it is adaptive.
    pub step_size: f64,
    /// Simulators in the order of stepping.
    pub sequence: Vec<String>,
    /// Communication steps accepted.
    pub steps: u64,
    /// Communication steps undone because the tolerance was missed.
    pub rejected: u64,
    /// Sweeps of the iterated scheme.
    pub sweeps: u64,
    /// Most sweeps of one communication step.
    pub most_sweeps: u64,
    /// Communication steps whose iteration did not converge.
    pub unconverged: u64,
    /// Times the order of inputs was lowered.
    pub order_reductions: u64,
    /// Faults caught, retries included.
    pub faults: u64,
    /// Faults handled with a warning.
    pub warnings: u64,
    /// Times the last good values of a simulator stood in.
    pub held: u64,
    /// How well the wall clock was kept, if it was to be.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pacing: Option<PaceKept>,
}

/// How well the wall clock was kept.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
#[non_exhaustive]
pub struct PaceKept {
    /// Communication points reached too late.
    pub overruns: u64,
    /// Largest lateness \[s\].
    pub latest: f64,
    /// Time spent waiting \[s\].
    pub waited: f64,
}

/// The energy account of a port.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[non_exhaustive]
pub struct PortBalance {
    /// Name.
    pub name: String,
    /// Energy that the flow side received \[J\].
    pub received: f64,
    /// Energy made by the coupling, lost if negative \[J\].
    pub residual: f64,
    /// Sum of the absolute residuals of all steps \[J\].
    pub absolute_residual: f64,
}

/// A fault and what was done.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct FaultReport {
    /// What happened.
    pub fault: String,
    /// How serious it was taken.
    pub level: String,
    /// What was done.
    pub handling: String,
}

impl FaultReport {
    pub(crate) fn new(report: &Report<'_>) -> Self {
        let (level, handling) = (report.level.to_string(), report.handling.to_string());
        Self { fault: report.fault.to_string(), level, handling }
    }
}

impl From<&Incident> for FaultReport {
    fn from(incident: &Incident) -> Self {
        let (level, handling) = (incident.level.to_string(), incident.handling.to_string());
        Self { fault: incident.message.clone(), level, handling }
    }
}

impl PortBalance {
    pub(crate) fn new(name: &str, energy: &PortEnergy) -> Self {
        let PortEnergy { received, residual, absolute_residual, .. } = *energy;
        Self { name: name.to_owned(), received, residual, absolute_residual }
    }
}

/// The algorithm with its order, in words.
pub(crate) fn algorithm(algorithm: &Algorithm) -> String {
    let order = |order: &Order| match order {
        Order::Hold => "held inputs",
        Order::Linear => "straight inputs",
        Order::Quadratic => "parabolic inputs",
    };
    match algorithm {
        Algorithm::Patent => "patent".to_owned(),
        Algorithm::Jacobi { order: p } => format!("jacobi, {}", order(p)),
        Algorithm::GaussSeidel { order: p, .. } => format!("gauss_seidel, {}", order(p)),
        Algorithm::Iterated { order: p, tolerance, .. } => format!("iterated to {tolerance:e}, {}", order(p)),
        other => format!("{other:?}"),
    }
}

impl CoupledDetails {
    /// What the master of a run made with `options` has to tell, and its faults.
    #[must_use]
    pub fn new(master: &Master, options: &Options, faults: Vec<FaultReport>) -> Self {
        let statistics = *master.statistics();
        let pacing = master.pacing().map(|kept| PaceKept {
            overruns: kept.overruns,
            latest: kept.latest.as_secs_f64(),
            waited: kept.waited.as_secs_f64(),
        });
        let port = |port: &Port| master.port(&port.name).map(|energy| PortBalance::new(&port.name, &energy));
        Self {
            statistics: CoupledStatistics {
                algorithm: algorithm(&options.algorithm),
                step_size: options.step,
                sequence: master.sequence().map(str::to_owned).collect(),
                steps: statistics.steps,
                rejected: statistics.rejected,
                sweeps: statistics.sweeps,
                most_sweeps: statistics.most_sweeps,
                unconverged: statistics.unconverged,
                order_reductions: statistics.order_reductions,
                faults: statistics.faults,
                warnings: statistics.warnings,
                held: statistics.held,
                pacing,
            },
            ports: options.ports.iter().filter_map(port).collect(),
            faults,
        }
    }

    pub(super) fn tables(&self) -> Vec<DetailTable> {
        let mut tables = vec![self.statistics.table()];
        if !self.ports.is_empty() {
            let row = |port: &PortBalance| {
                let PortBalance { name, received, residual, .. } = port;
                (
                    "port",
                    Cell::Text(format!(
                        "{name}: received {received:.6e} J, of them made by the coupling {residual:.2e} J"
                    )),
                )
            };
            tables.push(DetailTable { title: "energy", rows: self.ports.iter().map(row).collect() });
        }
        if !self.faults.is_empty() {
            let row = |report: &FaultReport| {
                ("fault", Cell::Text(format!("{} ({}: {})", report.fault, report.level, report.handling)))
            };
            tables.push(DetailTable { title: "faults", rows: self.faults.iter().take(20).map(row).collect() });
        }
        tables
    }
}

impl CoupledStatistics {
    fn table(&self) -> DetailTable {
        let mut rows = vec![
            ("algorithm", Cell::Text(self.algorithm.clone())),
            ("sequence", Cell::Text(self.sequence.join(", "))),
            ("communication step", Cell::Number(self.step_size, "s")),
            ("communication steps", count(self.steps)),
        ];
        let counts = [
            ("steps undone", self.rejected),
            ("sweeps", self.sweeps),
            ("most sweeps of a step", self.most_sweeps),
            ("steps not converged", self.unconverged),
            ("orders lowered", self.order_reductions),
            ("faults", self.faults),
            ("warnings", self.warnings),
            ("values held", self.held),
        ];
        rows.extend(counts.into_iter().filter(|(_, number)| *number > 0).map(|(name, number)| (name, count(number))));
        if let Some(PaceKept { overruns, latest, waited }) = self.pacing {
            rows.extend([
                ("points too late", count(overruns)),
                ("largest lateness", Cell::Number(latest, "s")),
                ("waited", Cell::Number(waited, "s")),
            ]);
        }
        DetailTable { title: "statistics", rows }
    }
}
