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
