//! What a study comes to: which references are met, and what each formulation does for which quantity.

use super::record::{Measured, Record, Results};
use super::references::Quantity;

/// Tolerance at which references are to be met, the largest error of positions or states there, and that of reactions: two digits are
/// lost on the way of a run, five more in the second derivatives.
pub(super) const GOAL_TOLERANCE: f64 = 1e-10;
pub(super) const GOAL_POSITION: f64 = 1e-8;
pub(super) const GOAL_MULTIPLIER: f64 = 1e-5;

/// How the methods of a problem meet its reference at [`GOAL_TOLERANCE`].
#[derive(Debug, Default, PartialEq)]
pub(super) struct Goals {
    pub(super) problem: String,
    /// Series whose errors are small enough.
    pub(super) met: Vec<String>,
    /// Series with the errors that are larger than they should be.
    pub(super) missed: Vec<String>,
    /// Series that fail at this tolerance, and not at all others.
    pub(super) failed: Vec<String>,
}

/// Of each problem that was followed at this tolerance.
pub(super) fn goals(results: &Results) -> Vec<Goals> {
    let of = |problem: &str| {
        let all: Vec<&Record> = results.of(problem).collect();
        let mut goals = Goals { problem: problem.to_owned(), ..Goals::default() };
        for record in all.iter().filter(|own| own.control.tolerance() == Some(GOAL_TOLERANCE)) {
            let series = record.series();
            match &record.outcome {
                Ok(measured) => match misses(measured) {
                    misses if misses.is_empty() => goals.met.push(series),
                    misses => goals.missed.push(format!("{series} {}", misses.join(", "))),
                },
                Err(_) if all.iter().any(|own| own.series() == series && own.outcome.is_ok()) => {
                    goals.failed.push(series);
                }
                Err(_) => {}
            }
        }
        goals
    };
    let known = |own: &Goals| !(own.met.is_empty() && own.missed.is_empty() && own.failed.is_empty());
    results.problems().map(of).filter(known).collect()
}

/// The errors that are too large.
fn misses(measured: &Measured) -> Vec<String> {
    let main = measured.errors.main().map(|error| ("", error, GOAL_POSITION));
    let reactions = measured.errors.multiplier.map(|error| ("reactions ", error, GOAL_MULTIPLIER));
    // An error that is no number is too large.
    let too_large = |(name, error, goal): (&str, f64, f64)| (!(error <= goal)).then(|| format!("{name}{error:.1e}"));
    [main, reactions].into_iter().flatten().filter_map(too_large).collect()
}

/// Geometric means over problems of what a formulation comes to at a tolerance.
#[derive(Debug, PartialEq)]
pub(super) struct Formulated {
    pub(super) series: String,
    pub(super) tolerance: f64,
    /// Problems that all formulations of the integrator solve at this tolerance, and whose reactions are known.
    pub(super) problems: usize,
    /// Errors of positions, velocities, accelerations, reactions.
    pub(super) errors: [f64; 4],
    pub(super) evaluations: f64,
}

/// Mechanical quantities, in the order of [`Formulated::errors`].
pub(super) const QUANTITIES: [Quantity; 4] =
    [Quantity::Position, Quantity::Velocity, Quantity::Acceleration, Quantity::Multiplier];

/// Of each integrator with several formulations, at each tolerance.
pub(super) fn formulations(results: &Results) -> Vec<Formulated> {
    let mut integrators: Vec<(&str, f64)> = Vec::new();
    for record in &results.records {
        let Some(tolerance) = record.control.tolerance() else { continue };
        if !integrators.contains(&(&record.integrator, tolerance)) {
            integrators.push((&record.integrator, tolerance));
        }
    }
    let mut all: Vec<Formulated> = integrators.into_iter().flat_map(|own| compared(results, own)).collect();
    all.sort_by(|a, b| b.tolerance.total_cmp(&a.tolerance));
    all
}

fn compared(results: &Results, (integrator, tolerance): (&str, f64)) -> Vec<Formulated> {
    let solved = |problem: &str| -> Vec<(String, [f64; 5])> {
        let own = results.of(problem).filter(|own| own.integrator == integrator);
        own.filter(|own| own.control.tolerance() == Some(tolerance))
            .filter_map(|own| Some((own.series(), logarithms(own.outcome.as_ref().ok()?)?)))
            .collect()
    };
    let by_problem: Vec<_> = results.problems().map(solved).filter(|own| !own.is_empty()).collect();
    let count = by_problem.iter().map(Vec::len).max().unwrap_or(0);
    let whole: Vec<_> = by_problem.into_iter().filter(|own| own.len() == count).collect();
    if count < 2 {
        return Vec::new();
    }
    let mean = |k: usize| {
        let sum = |part: usize| whole.iter().map(|own| own[k].1[part]).sum::<f64>();
        let means = [0, 1, 2, 3, 4].map(|part| (sum(part) / whole.len() as f64).exp());
        let [position, velocity, acceleration, multiplier, evaluations] = means;
        Formulated {
            series: whole[0][k].0.clone(),
            tolerance,
            problems: whole.len(),
            errors: [position, velocity, acceleration, multiplier],
            evaluations,
        }
    };
    (0..count).map(mean).collect()
}

/// Logarithms of the errors and of the evaluations; none where an error is not known, or is none.
fn logarithms(measured: &Measured) -> Option<[f64; 5]> {
    let mut all = [(measured.work.evaluations as f64).ln(); 5];
    for (place, quantity) in all.iter_mut().zip(QUANTITIES) {
        let error = measured.errors.of(quantity).filter(|error| *error > 0.0)?;
        *place = error.ln();
    }
    Some(all)
}

#[cfg(test)]
mod tests {
    use super::super::record::{About, Control, Work};
    use super::*;
    use crate::accuracy::Errors;

    fn record(formulation: &str, tolerance: f64, errors: Option<[f64; 4]>) -> Record {
        let errors = errors.map(|[position, velocity, acceleration, multiplier]| Errors {
            position: Some(position),
            velocity: Some(velocity),
            acceleration: Some(acceleration),
            multiplier: Some(multiplier),
            ..Errors::default()
        });
        let work = Work { evaluations: 100, ..Work::default() };
        let outcome = errors.map(|errors| Measured { work, errors }).ok_or_else(|| "too many steps".to_owned());
        Record {
            problem: "p".into(),
            program: "fourbar".into(),
            integrator: "gstiff".into(),
            formulation: formulation.into(),
            control: Control::Tolerance(tolerance),
            outcome,
        }
    }

    fn results(records: Vec<Record>) -> Results {
        let name = "p".to_owned();
        let about =
            About { title: name.clone(), name, source: String::new(), digits: 9, end: 1.0, columns: Vec::new() };
        Results { problems: vec![about], records, repeats: 1, complete: true }
    }

    #[test]
    fn what_misses_and_what_fails_is_named() {
        let small = [1e-9, 1e-9, 1e-9, 1e-6];
        let own = goals(&results(vec![
            record("i3", 1e-10, Some([5e-8, 1e-7, 1e-6, 1e-6])),
            record("si2", 1e-10, Some(small)),
            record("si1", 1e-8, Some(small)),
            record("si1", 1e-10, None),
            record("partitioned", 1e-8, None),
            record("partitioned", 1e-10, None),
            record("first", 1e-10, Some([f64::NAN, 0.0, 0.0, 2e-5])),
        ]));
        let missed = ["gstiff i3 5.0e-8", "gstiff first NaN, reactions 2.0e-5"].map(str::to_owned).to_vec();
        let met = vec!["gstiff si2".to_owned()];
        assert_eq!(own, [Goals { problem: "p".into(), met, missed, failed: vec!["gstiff si1".into()] }]);
        // At other tolerances there is nothing to meet.
        assert!(goals(&results(vec![record("i3", 1e-8, Some(small))])).is_empty());
    }

    #[test]
    fn formulations_are_compared_at_equal_tolerance() {
        let own = formulations(&results(vec![
            record("i3", 1e-8, Some([1e-6, 1e-5, 1e-4, 1e-3])),
            record("si2", 1e-8, Some([1e-8, 1e-8, 1e-7, 1e-7])),
            record("i3", 1e-10, Some([1e-6, 1e-5, 1e-4, 1e-3])),
        ]));
        let names: Vec<&str> = own.iter().map(|own| own.series.as_str()).collect();
        assert_eq!(names, ["gstiff i3", "gstiff si2"]);
        assert!((own[0].errors[3] / 1e-3 - 1.0).abs() < 1e-12 && own[1].problems == 1, "{own:?}");
    }
}
