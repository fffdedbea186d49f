//! Models that are followed in steps of a given length: linear systems by each method, mechanisms with contacts by each scheme.

use super::errors::Errors;
use super::problem::{Problem, SteppedStatement};
use super::record::{Control, Measured, Work};
use super::run::{median, told};
use crate::Document;
use crate::linear::MethodName;
use crate::mechanism::ContactMethod;
use crate::results::{Details, Status, Table};
use crate::run::{Overrides, Run};
use fourbar_linalg::Interrupt;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// Part of the time between outputs within which two times are one.
const SAME: f64 = 1e-6;

/// Names of the methods of such a model.
pub(super) fn methods(document: &Document) -> Vec<&'static str> {
    match document {
        Document::Linear(_) => MethodName::NAMES.map(|(name, _)| name).to_vec(),
        _ => ContactMethod::NAMES.map(|(name, _)| name).to_vec(),
    }
}

fn overrides(statement: &SteppedStatement, method: &str, control: Control, end: f64) -> Overrides {
    let own = Overrides { end: Some(end), output_step: Some(statement.output_step), ..Overrides::default() };
    let own = match &statement.document {
        Document::Linear(_) => Overrides { method: MethodName::from_name(method), ..own },
        _ => Overrides { contacts: ContactMethod::from_name(method), ..own },
    };
    match control {
        Control::Tolerance(tolerance) => Overrides { tolerance: Some(tolerance), ..own },
        Control::Step(step) => Overrides { step: Some(step), ..own },
    }
}

/// Whether a method takes steps of a given length; else it has a tolerance.
pub(super) fn takes_steps(statement: &SteppedStatement, method: &str, end: f64) -> bool {
    let control = Control::Step(statement.output_step);
    Run::new(&statement.document, &overrides(statement, method, control, end)).is_ok()
}

/// Follows a model `repeats` times.
pub(super) fn measure(
    problem: &Problem,
    statement: &SteppedStatement,
    method: &str,
    control: Control,
    repeats: usize,
    interrupt: &Interrupt,
) -> Result<Measured, String> {
    let end = problem.reference.end();
    let run = Run::new(&statement.document, &overrides(statement, method, control, end)).map_err(told)?;
    // That of the caller, where it has one.
    let flag = interrupt.flag().cloned().unwrap_or_else(|| Arc::new(AtomicBool::new(false)));
    let mut seconds = Vec::with_capacity(repeats);
    let mut measured = None;
    for _ in 0..repeats {
        let mut table = Table::default();
        let outcome = run.execute(&mut [&mut table], &flag).map_err(told)?;
        if let Some(error) = outcome.failure {
            return Err(told(error));
        }
        if outcome.summary.status == Status::Interrupted {
            return Err("the run was interrupted".to_owned());
        }
        seconds.push(outcome.summary.wall_seconds);
        if measured.is_none() {
            let values = values(problem, statement, &table)?;
            let errors = Errors::against(&problem.reference, &problem.columns, &values);
            measured = Some(of_details(&outcome.summary.details, errors));
        }
    }
    let Some(measured) = measured else { return Err("no run was made".to_owned()) };
    Ok(Measured { work: Work { seconds: median(seconds), ..measured.work }, ..measured })
}

/// Columns at the times of the reference.
fn values(problem: &Problem, statement: &SteppedStatement, table: &Table) -> Result<Vec<Vec<f64>>, String> {
    let columns: Vec<Vec<f64>> = statement.columns.iter().map(|&column| table.series(column).collect()).collect();
    let row = |&time: &f64| {
        let near = |own: &&f64| (**own - time).abs() <= SAME * statement.output_step;
        let found = table.times().iter().position(|own| near(&own));
        found.ok_or_else(|| format!("the run has no output at t = {time} s"))
    };
    let pick = |row: usize| columns.iter().map(|column| column[row]).collect();
    problem.reference.times.iter().map(|time| row(time).map(pick)).collect()
}

/// Work and violations: each step of such a method is one evaluation.
fn of_details(details: &Details, errors: Errors) -> Measured {
    let work = |steps: u64| Work { steps, evaluations: steps, ..Work::default() };
    match details {
        Details::Linear(linear) => Measured { work: work(linear.steps), errors },
        Details::Contact(contact) => {
            let worst = contact.violation.penetration.max(contact.violation.joints);
            Measured {
                work: work(contact.statistics.steps),
                errors: Errors { violation_position: Some(worst), ..errors },
            }
        }
        _ => Measured { work: Work::default(), errors },
    }
}
