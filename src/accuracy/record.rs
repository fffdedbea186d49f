//! What a study gives: a record for each run, and where it was made.

use super::equal::{AtEqualError, at_equal_error};
use super::errors::Errors;
use super::references::Column;
use fourbar_multibody::integrator::Statistics;
use serde::Serialize;

/// What a run cost.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize)]
pub struct Work {
    /// Accepted steps.
    pub steps: u64,
    /// Rejected attempts.
    pub rejected: u64,
    /// Evaluations of F(t, y, y') or f(t, y), without those of differences for a matrix.
    pub evaluations: u64,
    /// Evaluations of the matrix.
    pub jacobians: u64,
    /// Factorizations.
    pub factorizations: u64,
    /// Corrector iterations.
    pub iterations: u64,
    /// Time, the median of the repeats \[s\].
    pub seconds: f64,
}

impl Work {
    pub(super) fn of(statistics: &Statistics) -> Self {
        Self {
            steps: statistics.steps,
            rejected: statistics.rejected_by_error
                + statistics.rejected_by_newton
                + statistics.rejected_by_evaluation
                + statistics.rejected_by_switch,
            evaluations: statistics.residual_evaluations,
            jacobians: statistics.jacobian_evaluations,
            factorizations: statistics.factorizations.total(),
            iterations: statistics.newton_iterations,
            seconds: 0.0,
        }
    }
}

/// A run that came to its end.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Measured {
    /// What it cost.
    pub work: Work,
    /// How wrong it was.
    pub errors: Errors,
}

/// By what the error of a run is controlled.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Control {
    /// A relative tolerance.
    Tolerance(f64),
    /// The length of the steps \[s\].
    Step(f64),
}

impl Control {
    /// The relative tolerance, if that is it.
    #[must_use]
    pub fn tolerance(self) -> Option<f64> {
        match self {
            Self::Tolerance(tolerance) => Some(tolerance),
            Self::Step(_) => None,
        }
    }

    /// The length of the steps \[s\], if that is it.
    #[must_use]
    pub fn step(self) -> Option<f64> {
        match self {
            Self::Tolerance(_) => None,
            Self::Step(step) => Some(step),
        }
    }
}

impl std::fmt::Display for Control {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Tolerance(tolerance) => write!(f, "{tolerance:.0e}"),
            Self::Step(step) => write!(f, "{step:.0e} s"),
        }
    }
}

/// A run.
#[derive(Debug, Clone, PartialEq)]
pub struct Record {
    /// Problem by name.
    pub problem: String,
    /// Program: `fourbar`, or the name of a partner.
    pub program: String,
    /// Integrator by name; method of a linear system, or scheme of contacts.
    pub integrator: String,
    /// Formulation by name; empty where there is none.
    pub formulation: String,
    /// What was asked for.
    pub control: Control,
    /// What it came to, or why it failed.
    pub outcome: Result<Measured, String>,
}

impl Record {
    /// Of fourbar itself.
    pub(super) fn own(problem: &str, method: [&str; 2], control: Control, outcome: Result<Measured, String>) -> Self {
        let [integrator, formulation] = method.map(str::to_owned);
        Self { problem: problem.to_owned(), program: PROGRAM.to_owned(), integrator, formulation, control, outcome }
    }

    /// What is compared: its program where it is a partner's, integrator and formulation.
    #[must_use]
    pub fn series(&self) -> String {
        let words = [self.program.as_str(), self.integrator.as_str(), self.formulation.as_str()];
        let own = usize::from(self.program == PROGRAM);
        words[own..].iter().filter(|word| !word.is_empty()).copied().collect::<Vec<_>>().join(" ")
    }
}

/// The program itself, among partners.
const PROGRAM: &str = "fourbar";

/// Where a study was made.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Machine {
    /// Processor.
    pub processor: String,
    /// Number of its threads.
    pub threads: usize,
    /// Operating system and architecture.
    pub system: String,
    /// How fourbar was built: `release`, or `debug` with its assertions.
    pub build: &'static str,
    /// Version.
    pub version: &'static str,
    /// Commit, where known.
    pub commit: String,
}

impl Machine {
    /// This one; `commit` is that of the program, where known.
    #[must_use]
    pub fn here(commit: &str) -> Self {
        Self {
            processor: processor().unwrap_or_else(|| "unknown".to_owned()),
            threads: std::thread::available_parallelism().map_or(1, usize::from),
            system: format!("{} {}", std::env::consts::OS, std::env::consts::ARCH),
            build: if cfg!(debug_assertions) { "debug" } else { "release" },
            version: env!("CARGO_PKG_VERSION"),
            commit: if commit.is_empty() { "unknown".to_owned() } else { commit.to_owned() },
        }
    }

    /// As one line.
    #[must_use]
    pub fn line(&self) -> String {
        let Self { processor, threads, system, build, version, commit } = self;
        format!("fourbar {version}, commit {commit}, {build} build; {processor}, {threads} threads, {system}")
    }
}

/// Name of the processor, where the system tells it.
fn processor() -> Option<String> {
    let text = std::fs::read_to_string("/proc/cpuinfo").ok()?;
    let line = text.lines().find(|line| line.starts_with("model name"))?;
    line.split_once(':').map(|(_, name)| name.trim().to_owned())
}

/// A problem, as results name it.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub(super) struct About {
    pub(super) name: String,
    pub(super) title: String,
    pub(super) source: String,
    pub(super) digits: u32,
    pub(super) end: f64,
    pub(super) columns: Vec<Column>,
}

/// All records of a study.
#[derive(Debug, Clone, PartialEq)]
pub struct Results {
    pub(super) problems: Vec<About>,
    /// The records, problem by problem, series by series.
    pub records: Vec<Record>,
    /// Runs whose times count.
    pub repeats: usize,
    /// Whether all runs were made; else the study was interrupted.
    pub complete: bool,
}

impl Results {
    /// Names of its problems.
    pub fn problems(&self) -> impl Iterator<Item = &str> {
        self.problems.iter().map(|problem| problem.name.as_str())
    }

    /// The records of a problem.
    pub fn of<'a>(&'a self, problem: &'a str) -> impl Iterator<Item = &'a Record> {
        self.records.iter().filter(move |record| record.problem == problem)
    }

    /// Work at equal error, of each problem.
    #[must_use]
    pub fn at_equal_error(&self) -> Vec<AtEqualError> {
        self.problems().flat_map(|problem| at_equal_error(&self.of(problem).collect::<Vec<_>>())).collect()
    }
}
