//! One run of a mechanism, and what its repeats have in common.

use super::combination::Combination;
use super::errors::Errors;
use super::plain;
use super::problem::{MechanismStatement, Problem, Statement};
use super::record::{Measured, Work};
use fourbar_linalg::Interrupt;
use fourbar_multibody::expression::Expression;
use fourbar_multibody::integrator::Statistics;
use fourbar_multibody::model::{Model, Settings};
use fourbar_multibody::{Dynamics, DynamicsOptions, Error, Simulation, Violation};
use std::time::Instant;

/// What went wrong, for the record.
pub(super) fn told(error: impl std::fmt::Display) -> String {
    error.to_string()
}

/// How runs are made.
#[derive(Debug, Clone)]
pub(super) struct Conditions<'a> {
    pub(super) tolerance: f64,
    /// Most steps.
    pub(super) limit: u64,
    /// Runs whose times count.
    pub(super) repeats: usize,
    pub(super) interrupt: &'a Interrupt,
}

/// What a run gives.
#[derive(Debug, Clone)]
pub(super) struct Trace {
    /// Columns at the times of the reference.
    pub(super) values: Vec<Vec<f64>>,
    pub(super) statistics: Statistics,
    pub(super) seconds: f64,
    /// Error of the energy balance, of the largest kinetic energy.
    pub(super) energy: Option<f64>,
    pub(super) violation: Option<Violation>,
}

/// Follows a problem: once with everything watched, then for the time alone.
pub(super) fn measure(
    problem: &Problem,
    combination: &Combination,
    conditions: &Conditions<'_>,
) -> Result<Measured, String> {
    let once = |watched: bool| -> Result<Trace, String> {
        let model = match &problem.statement {
            Statement::Mechanism(mechanism) => &mechanism.model,
            _ => &Model::default(),
        };
        let options = options(model, combination, conditions, problem.reference.end()).map_err(told)?;
        match &problem.statement {
            Statement::Mechanism(mechanism) => {
                follow(mechanism, &options, &problem.reference.times, watched, conditions.interrupt).map_err(told)
            }
            Statement::Equations(build) => {
                plain::follow(build, combination, &options, problem, watched, conditions.interrupt)
            }
            Statement::Stepped(_) => Err("models that are followed in steps have methods of their own".to_owned()),
        }
    };
    let whole = once(true)?;
    let mut seconds = Vec::with_capacity(conditions.repeats);
    for _ in 0..conditions.repeats {
        seconds.push(once(false)?.seconds);
    }
    let violation = whole.violation;
    Ok(Measured {
        work: Work { seconds: median(seconds), ..Work::of(&whole.statistics) },
        errors: Errors {
            energy: whole.energy,
            violation_position: violation.map(|own| own.position),
            violation_orientation: violation.map(|own| own.orientation),
            violation_velocity: violation.map(|own| own.velocity),
            violation_angular_velocity: violation.map(|own| own.angular_velocity),
            ..Errors::against(&problem.reference, &problem.columns, &whole.values)
        },
    })
}

fn options(
    model: &Model,
    combination: &Combination,
    conditions: &Conditions<'_>,
    end: f64,
) -> Result<DynamicsOptions, Error> {
    let settings = Settings {
        tolerance: Some(Expression::constant(conditions.tolerance)),
        end: Some(Expression::constant(end)),
        max_steps: Some(conditions.limit),
        ..combination.settings()
    };
    Ok(Simulation::new(model, &settings)?.dynamics)
}

/// Follows a mechanism; its values are those of the dense output, as of `fourbar run`.
fn follow(
    statement: &MechanismStatement,
    options: &DynamicsOptions,
    times: &[f64],
    watched: bool,
    interrupt: &Interrupt,
) -> Result<Trace, Error> {
    let begin = Instant::now();
    let mut dynamics = Dynamics::new(&statement.mechanism, options)?;
    dynamics.set_interrupt(interrupt.clone());
    let mut watch = Watch::default();
    let mut all = vec![0.0; statement.mechanism.measures().len()];
    let mut values = Vec::with_capacity(times.len());
    for &time in times {
        while dynamics.time() < time {
            dynamics.step()?;
            if watched {
                watch.take(&mut dynamics)?;
            }
        }
        dynamics.measures_at(time, &mut all)?;
        values.push(statement.measures.iter().map(|&k| all[k]).collect());
    }
    let seconds = begin.elapsed().as_secs_f64();
    Ok(Trace {
        values,
        statistics: *dynamics.statistics(),
        seconds,
        energy: (watch.kinetic > 0.0).then(|| watch.imbalance / watch.kinetic),
        violation: watched.then_some(watch.violation),
    })
}

/// The largest of what is watched at the ends of the steps.
#[derive(Default)]
struct Watch {
    violation: Violation,
    imbalance: f64,
    kinetic: f64,
}

impl Watch {
    fn take(&mut self, dynamics: &mut Dynamics) -> Result<(), Error> {
        dynamics.account_energy()?;
        self.violation = self.violation.max(dynamics.violation()?);
        let energy = dynamics.energy()?;
        self.imbalance = self.imbalance.max(energy.balance_error.abs());
        self.kinetic = self.kinetic.max(energy.kinetic);
        Ok(())
    }
}

/// The median; 0 of none.
pub(super) fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    let middle = values.len() / 2;
    match (values.get(middle), values.len() % 2) {
        (None, _) => 0.0,
        (Some(upper), 1) => *upper,
        (Some(upper), _) => 0.5 * (values[middle - 1] + upper),
    }
}

#[cfg(test)]
mod tests {
    use super::median;

    #[test]
    fn the_median_lies_in_the_middle() {
        assert_eq!(median(vec![3.0, 1.0, 2.0]), 2.0);
        assert_eq!(median(vec![4.0, 1.0, 2.0, 3.0]), 2.5);
        assert_eq!(median(Vec::new()), 0.0);
    }
}
