//! What runs of circuits and of coupled simulators tell at their end.

use super::cell::{Cell, DetailTable, count};
use super::number;
use fourbar_coupling::application::Incident;
use fourbar_coupling::management::{
    ErrorEstimate, Handling, PartnerCost, Port, PortEnergy, Report, Statistics as MasterCounts,
};
use fourbar_coupling::{Algorithm, Fault, Master, Options, Order, SolverCounts};
use fourbar_linalg::text::Brief;
use fourbar_linalg::text::printable;
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
        let Statistics { steps, residual_evaluations, jacobian_evaluations, jumps, .. } = self.statistics;
        let rejected = [
            self.statistics.rejected_by_error,
            self.statistics.rejected_by_newton,
            self.statistics.rejected_by_evaluation,
        ];
        let mut rows = vec![
            ("unknowns", count(self.unknowns as u64)),
            ("steps", count(steps)),
            ("rejected steps", count(rejected.iter().sum())),
            ("residuals", count(residual_evaluations)),
            ("Jacobians", count(jacobian_evaluations)),
        ];
        if jumps > 0 {
            rows.push(("jumps", count(jumps)));
        }
        DetailTable { title: "statistics", rows }
    }
}

/// Faults in a table for a person.
const FAULTS_SHOWN: usize = 20;

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
    /// What the run can still do about the errors of its communication step.
    remedy: String,
    /// The same about steps that do not converge.
    remedy_of_iteration: &'static str,
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
    /// The counts of the master.
    #[serde(flatten)]
    pub counts: MasterCounts,
    /// What the steps of each simulator cost.
    pub simulators: Vec<PartnerCost>,
    /// What the inputs that were continued over the communication steps cost the results.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub error_estimate: Option<ErrorEstimate>,
    /// How well the wall clock was kept, if it was to be.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pacing: Option<RealTimeStatistics>,
}

/// How well the wall clock was kept.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
#[non_exhaustive]
pub struct RealTimeStatistics {
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
    /// Whether the coupling made more than a quarter of the energy that either side got: see [`PortEnergy::is_excessive`].
    pub excessive: bool,
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
    /// Whether the warnings of the run tell it too, [`CoupledDetails::warnings`], or the error with which it ended.
    #[serde(skip)]
    pub is_told: bool,
}

impl FaultReport {
    pub(crate) fn new(report: &Report<'_>) -> Self {
        let (level, handling) = (report.level.to_string(), report.handling.to_string());
        let is_warning = matches!(report.fault, Fault::EstimatedError { .. } | Fault::Growth { .. });
        let is_told = is_warning || report.handling == Handling::Stopped;
        Self { fault: printable(&report.fault.to_string()).into_owned(), level, handling, is_told }
    }
}

/// With its level and what was done.
impl std::fmt::Display for FaultReport {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}: {} ({})", self.level, self.fault, self.handling)
    }
}

impl From<&Incident> for FaultReport {
    fn from(incident: &Incident) -> Self {
        let (level, handling) = (incident.level.to_string(), incident.handling.to_string());
        Self { fault: incident.message.clone(), level, handling, is_told: false }
    }
}

impl PortBalance {
    pub(crate) fn new(name: &str, energy: &PortEnergy) -> Self {
        let PortEnergy { received, residual, absolute_residual, .. } = *energy;
        Self { name: name.to_owned(), received, residual, absolute_residual, excessive: energy.is_excessive() }
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
        Algorithm::JacobiDelayed => "jacobi_delayed".to_owned(),
        Algorithm::Jacobi { order: p } => format!("jacobi, {}", order(p)),
        Algorithm::GaussSeidel { order: p, .. } => format!("gauss_seidel, {}", order(p)),
        Algorithm::Iterated { order: p, tolerance, .. } => format!("iterated to {}, {}", Brief(*tolerance), order(p)),
        other => format!("{other:?}"),
    }
}

impl CoupledDetails {
    /// What the master of a run made with `options` has to tell, and its faults.
    #[must_use]
    pub fn new(master: &mut Master, options: &Options, faults: Vec<FaultReport>) -> Self {
        let pacing = master.pacing().map(|kept| RealTimeStatistics {
            overruns: kept.overruns,
            latest: kept.latest.as_secs_f64(),
            waited: kept.waited.as_secs_f64(),
        });
        let simulators = master.partner_costs();
        let port = |port: &Port| master.port(&port.name).map(|energy| PortBalance::new(&port.name, &energy));
        Self {
            statistics: CoupledStatistics {
                algorithm: algorithm(&options.algorithm),
                step_size: options.step,
                sequence: master.sequence().map(str::to_owned).collect(),
                counts: *master.statistics(),
                simulators,
                error_estimate: master.error_estimate(),
                pacing,
            },
            ports: options.ports.iter().filter_map(port).collect(),
            faults,
            remedy: options.remedy(),
            remedy_of_iteration: options.algorithm.remedy_of_iteration(),
        }
    }

    /// What a reader of the results should know, each once.
    #[must_use]
    pub fn warnings(&self) -> Vec<String> {
        let MasterCounts { steps, unconverged, held, .. } = self.statistics.counts;
        let mut warnings = Vec::new();
        if let Some(estimate) = self.statistics.error_estimate.as_ref().filter(|estimate| estimate.is_large()) {
            let remedy = &self.remedy;
            warnings.push(format!(
                "{}the inputs continued over the communication steps make an estimated error of {} in the results, most of it at {}; {remedy}",
                if estimate.unstable { "the coupling is unstable: " } else { "" },
                estimate.percent(),
                estimate.connection
            ));
        }
        if unconverged > 0 {
            let remedy = self.remedy_of_iteration;
            warnings.push(format!("{unconverged} of {steps} communication steps did not converge; {remedy}"));
        }
        if held > 0 {
            warnings.push(format!("values of a simulator were held {held} times after faults"));
        }
        let excessive = self.ports.iter().filter(|port| port.excessive);
        warnings.extend(excessive.map(|PortBalance { name, received, residual, .. }| {
            let (received, made) = (number(*received, 3), number(*residual, 3));
            format!(
                "the coupling is unstable or far too coarse: at the port `{name}` it made {made} J of its own, beside {received} J that were \
                 received; {}",
                self.remedy
            )
        }));
        warnings
    }

    pub(super) fn tables(&self) -> Vec<DetailTable> {
        let mut tables = vec![self.statistics.table(), self.statistics.simulators()];
        if !self.ports.is_empty() {
            let row = |port: &PortBalance| {
                let PortBalance { name, received, residual, .. } = port;
                (
                    "port",
                    Cell::Text(format!(
                        "{name}: received {} J, of them made by the coupling {} J",
                        number(*received, 7),
                        number(*residual, 3)
                    )),
                )
            };
            tables.push(DetailTable { title: "energy", rows: self.ports.iter().map(row).collect() });
        }
        if !self.faults.is_empty() {
            let row = |report: &FaultReport| {
                ("fault", Cell::Text(format!("{} ({}: {})", report.fault, report.level, report.handling)))
            };
            let mut rows: Vec<_> = self.faults.iter().take(FAULTS_SHOWN).map(row).collect();
            let more = self.statistics.counts.faults.saturating_sub(rows.len() as u64);
            if more > 0 {
                rows.push(("more faults", count(more)));
            }
            tables.push(DetailTable { title: "faults", rows });
        }
        tables
    }
}

impl CoupledStatistics {
    fn table(&self) -> DetailTable {
        let counted = &self.counts;
        let mut rows = vec![
            ("algorithm", Cell::Text(self.algorithm.clone())),
            ("sequence", Cell::Text(self.sequence.join(", "))),
            ("communication step", Cell::Number(self.step_size, "s")),
            ("communication steps", count(counted.steps)),
        ];
        let counts = [
            ("steps undone", counted.rejected),
            ("sweeps", counted.sweeps),
            ("most sweeps of a step", counted.most_sweeps),
            ("steps not converged", counted.unconverged),
            ("orders lowered", counted.order_reductions),
            ("faults", counted.faults),
            ("warnings", counted.warnings),
            ("values held", counted.held),
        ];
        if let Some(estimate) = &self.error_estimate {
            let text = format!("{} ({})", estimate.percent(), estimate.connection);
            rows.push(("estimated error", Cell::Text(text)));
        }
        rows.extend(counts.into_iter().filter(|(_, number)| *number > 0).map(|(name, number)| (name, count(number))));
        if let Some(RealTimeStatistics { overruns, latest, waited }) = self.pacing {
            rows.extend([
                ("points too late", count(overruns)),
                ("largest lateness", Cell::Number(latest, "s")),
                ("waited", Cell::Number(waited, "s")),
            ]);
        }
        DetailTable { title: "statistics", rows }
    }

    /// Counts of each simulator and its share of the time that all took together.
    fn simulators(&self) -> DetailTable {
        let all: f64 = self.simulators.iter().map(|cost| cost.seconds).sum();
        let row = |cost: &PartnerCost| {
            let share = (all > 0.0).then(|| format!("{:.0} % of the time", 100.0 * cost.seconds / all));
            let counts = cost.solver.map(|counts| {
                let SolverCounts { steps, rejected, evaluations, .. } = counts;
                format!("{steps} steps, {rejected} rejected, {evaluations} evaluations")
            });
            let known: Vec<String> = share.into_iter().chain(counts).collect();
            let known = if known.is_empty() { "no counts".to_owned() } else { known.join(", ") };
            ("simulator", Cell::Text(format!("{}: {known}", cost.name)))
        };
        DetailTable { title: "simulators", rows: self.simulators.iter().map(row).collect() }
    }
}
