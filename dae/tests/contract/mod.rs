//! What every integrator promises, whatever its formulas are: one list of methods, and the same equations in the forms F(t, y, y') = 0 and y' = f(t, y).

mod checkpoints;
mod course;
mod events;
mod failures;
mod input;
mod jumps;
mod targets;

use fourbar_dae::Dae;
use fourbar_dae::integrator::{
    Abam, ConstantBdf, Dstiff, Error, Gstiff, Hht, Integrator, Rkf45, StepLimits, Stop, Tolerance, Wstiff,
};
use fourbar_dae::integrator::{Family, Method};
use fourbar_dae::ode::Ode;

use crate::support::ProtheroRobinson;
use crate::support::ode::system;

/// Constant step \[s\] of the methods that have one: short enough for its first steps, of order 1, to be off by 1e-5.
const STEP: f64 = 0.005;

/// All methods with these limits at a tolerance.
fn methods_with(step: StepLimits, relative: f64) -> [Method; 8] {
    let tolerance = || Tolerance::uniform(relative);
    let constant = ConstantBdf { tolerance: tolerance(), limits: step, ..ConstantBdf::new(STEP, 3) };
    let hht = || Hht { tolerance: tolerance(), step, ..Hht::default() };
    [
        Gstiff { tolerance: tolerance(), step, ..Gstiff::default() }.into(),
        Wstiff { tolerance: tolerance(), step, ..Wstiff::default() }.into(),
        Dstiff { tolerance: tolerance(), step, ..Dstiff::default() }.into(),
        constant.into(),
        hht().into(),
        Hht { fixed: Some(STEP), ..hht() }.into(),
        Rkf45 { tolerance: tolerance(), step, ..Rkf45::default() }.into(),
        Abam { tolerance: tolerance(), step, ..Abam::default() }.into(),
    ]
}

fn methods() -> [Method; 8] {
    methods_with(StepLimits::default(), 1e-6)
}

fn is_fixed(method: &Method) -> bool {
    match method {
        Method::ConstantBdf(_) => true,
        Method::Hht(method) => method.fixed.is_some(),
        _ => false,
    }
}

/// Starts at t = 0 on the form of the equations that the method takes.
fn try_begin(
    method: &Method,
    dae: impl Dae + 'static,
    ode: impl Ode + 'static,
    [y, yp]: [&[f64]; 2],
    end: f64,
) -> Result<Box<dyn Integrator>, Error> {
    Ok(match method.family() {
        Family::Bdf(method) => Box::new(method.start(dae, 0.0, y, yp, end)?),
        Family::Rkf45(method) => Box::new(method.start(ode, 0.0, y, end)?),
        Family::Abam(method) => Box::new(method.start(ode, 0.0, y, end)?),
    })
}

/// y1 = cos t, which y1' = -2 (y1 - cos t) - sin t follows, and y2 = y1^2, an algebraic unknown where there are such.
fn cosine_from(method: &Method, start: [&[f64]; 2], end: f64) -> Result<Box<dyn Integrator>, Error> {
    let ode = system::<2, _>(|t: f64, y: &[f64], yp: &mut [f64]| {
        yp[0] = -2.0 * (y[0] - t.cos()) - t.sin();
        yp[1] = 2.0 * y[0] * yp[0];
        Ok(())
    });
    try_begin(method, ProtheroRobinson::system(2.0), ode, start, end)
}

fn cosine(method: &Method, end: f64) -> Box<dyn Integrator> {
    cosine_from(method, [&[1.0, 1.0], &[0.0, 0.0]], end).expect("a start")
}

/// How far y1 is off.
fn error(run: &dyn Integrator) -> f64 {
    (run.state()[0] - run.time().cos()).abs()
}

fn finish(run: &mut dyn Integrator) {
    while run.step().expect("a step") != Stop::EndTime {}
}

/// The error that ends the run.
fn failure(run: &mut dyn Integrator) -> Error {
    loop {
        match run.step() {
            Ok(Stop::EndTime) => panic!("the end was reached: {:?}", run.statistics()),
            Ok(_) => {}
            Err(error) => return error,
        }
    }
}

/// Time, y and y' after each of some steps, and counts of work, as bits.
pub(crate) fn trace(run: &mut dyn Integrator, steps: usize) -> Vec<u64> {
    let mut bits = Vec::new();
    for _ in 0..steps {
        let _ = run.step().expect("a step");
        bits.push(run.time().to_bits());
        bits.extend(run.state().iter().chain(run.derivative()).map(|x| x.to_bits()));
    }
    bits.push(run.statistics().residual_evaluations);
    bits.push(run.statistics().factorizations.total());
    bits
}
