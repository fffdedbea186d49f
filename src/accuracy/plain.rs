//! One run of equations that are no mechanism.

use super::combination::Combination;
use super::equations::{Build, System};
use super::problem::Problem;
use super::run::{Trace, told};
use fourbar_linalg::Interrupt;
use fourbar_multibody::integrator::{Integrator, Stop};
use fourbar_multibody::{DynamicsOptions, Violation, interrupt};
use std::time::Instant;

/// Name of the formulation of equations y' = f(t, y).
pub(super) const FIRST_ORDER: &str = "first_order";

/// What a method takes, where the equations are not of that form.
fn unfit(combination: &Combination, needs: &str) -> String {
    format!("{} takes {needs}", combination.integrator)
}

/// Follows equations; their values are those of the dense output.
pub(super) fn follow(
    build: &Build,
    combination: &Combination,
    options: &DynamicsOptions,
    problem: &Problem,
    watched: bool,
    stop: &Interrupt,
) -> Result<Trace, String> {
    let begin = Instant::now();
    let formulation = combination.equations(&options.method);
    let mut system =
        (build.system)(formulation).ok_or_else(|| format!("these equations have no formulation {formulation}"))?;
    let columns = problem.columns.len();
    let times = &problem.reference.times;
    // Values need the system that the integrator holds: points first, values after.
    let mut points = Vec::with_capacity(times.len());
    let mut ends = Vec::new();
    let statistics = {
        let mut integrator = start(system.as_mut(), combination, options)?;
        let n = integrator.state().len();
        for &time in times {
            while integrator.time() < time {
                interrupt::check(stop, integrator.time()).map_err(told)?;
                let reached = integrator.step().map_err(told)?;
                if watched {
                    ends.push((integrator.time(), integrator.state().to_vec()));
                }
                if reached == Stop::EndTime {
                    break;
                }
            }
            let mut point = (time, vec![0.0; n], vec![0.0; n]);
            integrator.interpolate(time, &mut point.1, &mut point.2).map_err(told)?;
            points.push(point);
        }
        *integrator.statistics()
    };
    let value = |(time, y, yp): &(f64, Vec<f64>, Vec<f64>)| {
        let mut values = vec![0.0; columns];
        system.values(*time, y, yp, &mut values);
        values
    };
    let values = points.iter().map(value).collect();
    let seconds = begin.elapsed().as_secs_f64();
    Ok(Trace { values, statistics, seconds, energy: None, violation: violation(system.as_mut(), &ends) })
}

fn start<'a>(
    system: &'a mut dyn System,
    combination: &Combination,
    options: &DynamicsOptions,
) -> Result<Box<dyn Integrator + 'a>, String> {
    let [y, yp] = system.start();
    let (method, end) = (&options.method, options.end);
    let started = if method.takes_ode() {
        let ode =
            system.ode().ok_or_else(|| unfit(combination, "equations y' = f(t, y); these are F(t, y, y') = 0"))?;
        method.start_ode(ode, 0.0, &y, end)
    } else {
        method.start_dae(system.dae(), 0.0, &y, &yp, end)
    };
    let started = started.ok_or_else(|| unfit(combination, "equations of another form"))?;
    started.map_err(told)
}

fn violation(system: &mut dyn System, ends: &[(f64, Vec<f64>)]) -> Option<Violation> {
    let mut worst = None::<Violation>;
    for (time, y) in ends {
        let [position, velocity] = system.violation(*time, y)?;
        worst = Some(worst.unwrap_or_default().max(Violation { position, velocity, ..Violation::default() }));
    }
    worst
}

#[cfg(test)]
mod tests {
    use super::super::problem::Statement;
    use super::super::references::Quantity;
    use super::*;
    use fourbar_multibody::Simulation;
    use fourbar_multibody::expression::Expression;
    use fourbar_multibody::model::{Model, Settings};

    /// Unknowns at the end, from a start in which one of them was changed.
    fn end(problem: &Problem, build: &Build, changed: usize, by: f64) -> Vec<f64> {
        let tolerance = Some(Expression::constant(1e-10));
        let combination = Combination { integrator: "gstiff", formulation: Some("si2") };
        let settings = Settings { tolerance, ..combination.settings() };
        let method = Simulation::new(&Model::default(), &settings).unwrap().dynamics.method;
        let mut system = (build.system)("si2").unwrap();
        let [mut y, yp] = system.start();
        y[changed] += by;
        let mut integrator = method.start_dae(system.dae(), 0.0, &y, &yp, problem.reference.end()).unwrap().unwrap();
        while integrator.step().unwrap() != Stop::EndTime {}
        integrator.state().to_vec()
    }

    /// What docs/accuracy.md says of the condition of problems whose errors are larger than their tolerances: by how much more than its part of its own
    /// size an unknown of the start moves positions or states at the end, as parts of theirs.
    #[test]
    fn errors_of_the_start_grow_as_documented() {
        for (name, changed, by, least, most) in [
            // The distance to the moon, a hundredth of the unit.
            ("arenstorf", 0, 1e-9, 2e6, 2e7),
            // The first bending of the rod.
            ("crank", 3, 1e-8, 0.1, 1.0),
            // The axle across the rails.
            ("wheelset", 0, 1e-8, 5.0, 50.0),
        ] {
            let problem = Problem::shipped(name).unwrap();
            let Statement::Equations(build) = &problem.statement else { panic!("{name} is a model") };
            let [base, moved] = [0.0, by].map(|by| end(&problem, build, changed, by));
            let own = |k: usize| matches!(problem.columns[k].quantity, Quantity::Position | Quantity::State);
            let of_unit = |unit: &str| {
                let same = (0..problem.columns.len()).filter(|k| problem.columns[*k].unit == unit);
                same.map(|k| problem.reference.scale(k)).fold(0.0, f64::max)
            };
            let scale = |k: usize| problem.reference.scale(k).max(1e-3 * of_unit(&problem.columns[k].unit));
            let growth = (0..base.len().min(problem.columns.len()))
                .filter(|k| own(*k))
                .map(|k| (moved[k] - base[k]).abs() / scale(k) / (by / scale(changed)));
            let growth = growth.fold(0.0, f64::max);
            println!("{name}: {growth:.2e}");
            assert!((least..most).contains(&growth), "{name}: {growth:e}");
        }
    }
}
