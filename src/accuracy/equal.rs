//! Work at equal error: what each series costs for an error of 1e-2, 1e-3, ..
//!
//! Between two runs of a series, the logarithm of the work is taken as linear in that of the error. The cheapest way to an error counts:
//! a run that cost more and was no better counts for nothing.

use super::record::{Record, Work};
use serde::Serialize;

/// Errors that are compared: 1e-1 to 1e-12.
const DECADES: std::ops::RangeInclusive<i32> = 1..=12;

/// What a series costs for an error.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct AtEqualError {
    /// Problem by name.
    pub problem: String,
    /// Program, integrator and formulation.
    pub series: String,
    /// Relative error of positions, or of states.
    pub error: f64,
    /// Evaluations.
    pub evaluations: f64,
    /// Factorizations.
    pub factorizations: f64,
    /// Time \[s\].
    pub seconds: f64,
}

/// What each series costs for the errors that lie between those it made. The records are those of one problem.
#[must_use]
pub fn at_equal_error(records: &[&Record]) -> Vec<AtEqualError> {
    let mut names: Vec<String> = Vec::new();
    for record in records {
        let name = record.series();
        if !names.contains(&name) {
            names.push(name);
        }
    }
    let of = |name: &String| {
        let points: Vec<(f64, Work)> =
            records.iter().filter(|record| record.series() == *name).filter_map(point).collect();
        let problem = records.first().map_or("", |record| record.problem.as_str());
        DECADES.filter_map(move |decade| costs(problem, name, 10.0_f64.powi(-decade), &points)).collect::<Vec<_>>()
    };
    names.iter().flat_map(of).collect()
}

fn point(record: &&Record) -> Option<(f64, Work)> {
    let measured = record.outcome.as_ref().ok()?;
    let error = measured.errors.main()?;
    // An error of zero has no logarithm.
    (error > 0.0 && error.is_finite()).then_some((error, measured.work))
}

fn costs(problem: &str, series: &str, error: f64, points: &[(f64, Work)]) -> Option<AtEqualError> {
    let cost = |of: fn(&Work) -> f64| cheapest(error, points, of);
    Some(AtEqualError {
        problem: problem.to_owned(),
        series: series.to_owned(),
        error,
        evaluations: cost(|work| work.evaluations as f64)?,
        factorizations: cost(|work| work.factorizations as f64)?,
        seconds: cost(|work| work.seconds)?,
    })
}

/// The least work on the line through the points at which the error is at most `error`; none outside their errors.
fn cheapest(error: f64, points: &[(f64, Work)], of: fn(&Work) -> f64) -> Option<f64> {
    let largest = points.iter().map(|(own, _)| *own).fold(0.0, f64::max);
    if error > largest {
        return None;
    }
    let crossing = |pair: &[(f64, Work)]| {
        let [(e0, w0), (e1, w1)] = [pair[0], pair[1]].map(|(e, work)| (e.ln(), of(&work)));
        let goal = error.ln();
        let part = (goal - e0) / (e1 - e0);
        // Work of zero stays zero: there are no factorizations of explicit methods.
        let between = if w0 > 0.0 && w1 > 0.0 { (w0.ln() + part * (w1.ln() - w0.ln())).exp() } else { w1 };
        (0.0..=1.0).contains(&part).then_some(between)
    };
    points.windows(2).filter_map(crossing).min_by(f64::total_cmp)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::accuracy::{Control, Errors, Measured};

    fn record(tolerance: f64, error: f64, evaluations: u64) -> Record {
        let errors = Errors { position: Some(error), ..Errors::default() };
        let work = Work { evaluations, seconds: evaluations as f64 * 1e-3, ..Work::default() };
        Record {
            problem: "p".into(),
            program: "fourbar".into(),
            integrator: "gstiff".into(),
            formulation: "si2".into(),
            control: Control::Tolerance(tolerance),
            outcome: Ok(Measured { work, errors }),
        }
    }

    #[test]
    fn work_is_read_between_the_errors_that_were_made() {
        let own = [record(1e-4, 1e-2, 100), record(1e-6, 1e-4, 400), record(1e-8, 1e-6, 1600)];
        let at = at_equal_error(&own.iter().collect::<Vec<_>>());
        let errors: Vec<i32> = at.iter().map(|at| at.error.log10().round() as i32).collect();
        assert_eq!(errors, [-2, -3, -4, -5, -6]);
        assert!((at[1].evaluations - 200.0).abs() < 1e-6 && (at[3].seconds - 0.8).abs() < 1e-9, "{at:?}");
        assert_eq!(at[0].factorizations, 0.0);
    }

    #[test]
    fn a_run_that_failed_or_missed_is_passed_over() {
        let mut own = [record(1e-4, 1e-2, 100), record(1e-6, 0.0, 0), record(1e-8, 1e-6, 1600)];
        own[1].outcome = Err("no".into());
        let at = at_equal_error(&own.iter().collect::<Vec<_>>());
        assert!((at[2].evaluations - 400.0).abs() < 1e-6, "{at:?}");
    }
}
