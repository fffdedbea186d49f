//! Programs of others: a process that reads a problem as JSON on standard input and answers with a trajectory and counts as JSON.
//!
//! What is asked is [`Problem::question`].
//!
//! | answered | meaning |
//! |---|---|
//! | `values` | a row for each time, a number for each column; `null` where it has none |
//! | `counts` | `steps`, `rejected`, `evaluations`, `jacobians`, `factorizations`, `iterations`; those it has |
//! | `seconds` | time that the solution took; the time of the process if it is left out |
//! | `method` | name of its method |
//! | `error` | why it has no solution, instead of all that |

use super::problem::Problem;
use super::record::{Control, Measured, Record, Work};
use super::run::median;
use serde::Deserialize;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Instant;

/// Most characters of what a partner wrote on standard error that its record quotes.
const QUOTED: usize = 400;

/// A program of others.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Partner {
    program: PathBuf,
}

#[derive(Deserialize, Default)]
struct Counts {
    #[serde(default)]
    steps: u64,
    #[serde(default)]
    rejected: u64,
    #[serde(default)]
    evaluations: u64,
    #[serde(default)]
    jacobians: u64,
    #[serde(default)]
    factorizations: u64,
    #[serde(default)]
    iterations: u64,
}

#[derive(Deserialize)]
struct Answer {
    #[serde(default)]
    values: Vec<Vec<Option<f64>>>,
    #[serde(default)]
    counts: Counts,
    seconds: Option<f64>,
    #[serde(default)]
    method: String,
    error: Option<String>,
}

impl Partner {
    /// The program at `path`, which is started without arguments.
    #[must_use]
    pub fn new(path: &Path) -> Self {
        Self { program: path.to_owned() }
    }

    fn name(&self) -> String {
        self.program.file_stem().map_or(String::new(), |name| name.to_string_lossy().into_owned())
    }

    pub(super) fn record(&self, problem: &Problem, tolerance: f64, repeats: usize) -> Record {
        let answers: Result<Vec<Answer>, String> = (0..repeats).map(|_| self.ask(problem, tolerance)).collect();
        let method = answers.as_ref().ok().and_then(|all| all.first()).map_or(String::new(), |own| own.method.clone());
        Record {
            problem: problem.name.clone(),
            program: self.name(),
            integrator: method,
            formulation: String::new(),
            control: Control::Tolerance(tolerance),
            outcome: answers.and_then(|answers| measured(problem, answers)),
        }
    }

    fn ask(&self, problem: &Problem, tolerance: f64) -> Result<Answer, String> {
        let question = problem.question(tolerance);
        let program = self.program.display();
        let begin = Instant::now();
        let mut child = Command::new(&self.program)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .map_err(|error| format!("{program} cannot be started: {error}"))?;
        if let Some(mut input) = child.stdin.take() {
            // One that answers without having read everything is told by its answer.
            let _ = write!(input, "{question}");
        }
        let output = child.wait_with_output().map_err(|error| format!("{program} cannot be read: {error}"))?;
        let elapsed = begin.elapsed().as_secs_f64();
        if !output.status.success() {
            let text = String::from_utf8_lossy(&output.stderr);
            // What went wrong stands at the end.
            let from = text.trim().char_indices().rev().nth(QUOTED - 1).map_or(0, |(at, _)| at);
            let text = &text.trim()[from..];
            return Err(format!("{program} ended with {}: {text}", output.status));
        }
        let mut answer: Answer = serde_json::from_slice(&output.stdout)
            .map_err(|error| format!("what {program} answered is no JSON as expected: {error}"))?;
        if let Some(error) = answer.error {
            return Err(error);
        }
        answer.seconds = answer.seconds.or(Some(elapsed));
        Ok(answer)
    }
}

fn measured(problem: &Problem, answers: Vec<Answer>) -> Result<Measured, String> {
    let seconds = median(answers.iter().filter_map(|answer| answer.seconds).collect());
    let Some(Answer { values, counts, .. }) = answers.into_iter().next() else { return Err("no answer".to_owned()) };
    let errors = problem.judge(&values)?;
    let Counts { steps, rejected, evaluations, jacobians, factorizations, iterations } = counts;
    let work = Work { steps, rejected, evaluations, jacobians, factorizations, iterations, seconds };
    Ok(Measured { work, errors })
}
