//! Failures: equations that cannot be evaluated, solved or followed name the place, the unknown and the remedy.

use super::{failure, is_fixed, methods, try_begin};
use crate::support::{ProtheroRobinson, System};
use fourbar_dae::integrator::Method;
use fourbar_dae::integrator::{Cause, Error};
use fourbar_dae::ode::Ode;
use fourbar_dae::{Dae, EvalError, Unknown};
use nalgebra_sparse::pattern::SparsityPattern;

/// Equations that fail in a chosen way once t passes 1.
#[derive(Clone, Copy, PartialEq)]
enum Failing {
    Fatal,
    OutOfDomain,
    NotANumber,
    Jump,
    Singular,
}

struct Wall {
    inner: System<ProtheroRobinson>,
    failing: Failing,
}

impl Wall {
    fn new(failing: Failing) -> Self {
        Self { inner: ProtheroRobinson::system(2.0), failing }
    }

    /// The error and the time reached.
    fn run(method: &Method, failing: Failing) -> (Error, f64) {
        let start: [&[f64]; 2] = [&[1.0, 1.0], &[0.0; 2]];
        let mut run = try_begin(method, Self::new(failing), Self::new(failing), start, 2.0).expect("a start");
        (failure(&mut *run), run.time())
    }

    /// What cannot be evaluated behind t = 1.
    fn refuse(&self, t: f64, r: &mut [f64]) -> Result<(), EvalError> {
        let (element, reason) = ("spring 'K'".to_owned(), "the root of a negative number".to_owned());
        match self.failing {
            Failing::Fatal if t > 1.0 => Err(EvalError::Fatal { element, time: t, reason }),
            Failing::OutOfDomain if t > 1.0 => Err(EvalError::Recoverable { element, time: t, reason }),
            Failing::NotANumber if t > 1.0 => {
                r[1] = f64::NAN;
                Ok(())
            }
            _ => Ok(()),
        }
    }
}

impl Ode for Wall {
    fn dimension(&self) -> usize {
        2
    }
    fn unknowns(&self) -> &[Unknown] {
        self.inner.unknowns()
    }
    fn unknown_name(&self, i: usize) -> String {
        format!("closure {i}")
    }
    fn rhs(&mut self, t: f64, y: &[f64], yp: &mut [f64]) -> Result<(), EvalError> {
        yp[0] = -2.0 * (y[0] - t.cos()) - t.sin();
        yp[1] = 2.0 * y[0] * yp[0];
        self.refuse(t, yp)
    }
}

impl Dae for Wall {
    fn dimension(&self) -> usize {
        2
    }
    fn unknowns(&self) -> &[Unknown] {
        self.inner.unknowns()
    }
    fn unknown_name(&self, i: usize) -> String {
        format!("angle {i}")
    }
    fn equation_name(&self, i: usize) -> String {
        format!("closure {i}")
    }
    fn pattern(&self) -> &SparsityPattern {
        self.inner.pattern()
    }
    fn residual(&mut self, t: f64, y: &[f64], yp: &[f64], r: &mut [f64]) -> Result<(), EvalError> {
        self.inner.residual(t, y, yp, r)?;
        if t > 1.0 && self.failing == Failing::Jump {
            r[0] -= (1e12 * (t - 1.0)).min(1.0) * 1e9 * y[0].signum() * if yp[0] < 0.0 { 1.0 } else { -1.0 };
        }
        self.refuse(t, r)
    }
    fn jacobian(&mut self, t: f64, y: &[f64], yp: &[f64], c: f64, values: &mut [f64]) -> Result<(), EvalError> {
        self.inner.jacobian(t, y, yp, c, values)?;
        if t > 1.0 && self.failing == Failing::Singular {
            (values[1], values[3]) = (0.0, 0.0);
        }
        Ok(())
    }
}

/// Why no step was short enough, or why a constant one failed.
fn cause(error: &Error) -> &Cause {
    match error {
        Error::SmallestStep { cause, .. } | Error::FixedStep { cause, .. } => cause,
        other => panic!("{other}"),
    }
}

#[test]
fn what_cannot_be_evaluated_ends_the_run_at_its_place() {
    for method in methods() {
        let name = method.name();
        let (error, time) = Wall::run(&method, Failing::Fatal);
        assert!(matches!(error, Error::Evaluation(EvalError::Fatal { .. })), "{name}: {error}");
        assert!(error.to_string().contains("spring 'K'") && time <= 1.0, "{name}: {error}");

        for (failing, element) in [(Failing::OutOfDomain, "spring 'K'"), (Failing::NotANumber, "closure 1")] {
            let (error, time) = Wall::run(&method, failing);
            let text = error.to_string();
            assert!(matches!(cause(&error), Cause::Evaluation(_) | Cause::NotFinite { .. }), "{name}: {error}");
            // A constant step is not halved without end.
            let near = if is_fixed(&method) { super::STEP } else { 1e-9 };
            assert!((1.0 - near..=1.0).contains(&time), "{name}: reached {time}");
            assert!(text.contains(element) && text.contains("border of the domain"), "{name}: {error}");
            assert_eq!(is_fixed(&method), matches!(error, Error::FixedStep { .. }), "{name}: {error}");
        }
    }
}

#[test]
fn what_cannot_be_solved_ends_the_run_at_its_place() {
    for method in methods().iter().filter(|method| !method.takes_ode()) {
        let name = method.name();
        let (error, time) = Wall::run(method, Failing::Singular);
        assert!(matches!(cause(&error), Cause::Singular { .. }), "{name}: {error}");
        // The matrix of a step before the wall may serve for some steps behind it.
        assert!(error.to_string().contains("closure 1") && (1.0 - 1e-2..1.9).contains(&time), "{name}: {error} {time}");

        // Constant steps test no error, and the equations have a solution far away.
        if !is_fixed(method) {
            let (error, time) = Wall::run(method, Failing::Jump);
            assert!(error.to_string().contains("angle 0"), "{name}: {error}");
            assert!(time <= 1.0 + 1e-6, "{name}: reached {time}");
        }
    }
}
