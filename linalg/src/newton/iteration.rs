//! The iteration itself: natural monotonicity test, kept Jacobian, damping.
//!
//! A step lambda is accepted when the simplified correction at its end, with the Jacobian of its start, is smaller:
//! |J^-1 F(x - lambda d)| <= (1 - lambda/4) |d| (Deuflhard, Newton Methods for Nonlinear Problems, section 3.3.2). Unlike a test
//! on |F| it does not depend on the units of the equations.

use super::problem::{Equations, IterationStatistics, NewtonOptions, Outcome};
use super::rate::{Rate, RateMonitor};
use crate::error::Error;

/// A modified Newton iteration with its workspace; [`Newton::solve`] allocates nothing.
///
/// ```
/// use fourbar_linalg::newton::{Equations, Newton, NewtonOptions};
///
/// /// x^2 = 2
/// struct Root(f64);
/// impl Equations for Root {
///     type Error = std::convert::Infallible;
///     fn dimension(&self) -> usize {
///         1
///     }
///     fn residual(&mut self, x: &[f64], r: &mut [f64]) -> Result<(), Self::Error> {
///         r[0] = x[0] * x[0] - 2.0;
///         Ok(())
///     }
///     fn refresh(&mut self, x: &[f64]) -> Result<(), Self::Error> {
///         self.0 = 2.0 * x[0];
///         Ok(())
///     }
///     fn correct(&mut self, r: &mut [f64]) -> Result<(), Self::Error> {
///         r[0] /= self.0;
///         Ok(())
///     }
/// }
///
/// let mut x = [1.0];
/// let mut newton = Newton::new(1, NewtonOptions::default())?;
/// let outcome = newton.solve(&mut Root(0.0), &mut x).unwrap();
/// assert!(outcome.is_converged() && (x[0] - 2f64.sqrt()).abs() < 1e-10);
/// # Ok::<(), fourbar_linalg::Error>(())
/// ```
#[derive(Debug, Clone)]
pub struct Newton {
    options: NewtonOptions,
    monitor: RateMonitor,
    correction: Vec<f64>,
    next: Vec<f64>,
    trial: Vec<f64>,
    statistics: IterationStatistics,
}

/// What trying steps along one correction led to.
enum Step {
    /// x has moved by this factor; `next` holds the simplified correction.
    Taken(f64),
    /// No step was acceptable; whether F was finite at the last one.
    Refused { finite: bool },
}

impl Newton {
    /// An iteration for n unknowns.
    ///
    /// # Errors
    /// Options out of range.
    pub fn new(n: usize, options: NewtonOptions) -> Result<Self, Error> {
        options.validate()?;
        let monitor = RateMonitor::new(options.tolerance, options.max_iterations);
        let zeros = vec![0.0; n];
        let statistics = IterationStatistics::default();
        Ok(Self { options, monitor, correction: zeros.clone(), next: zeros.clone(), trial: zeros, statistics })
    }

    /// Improves x until F(x) = 0 to the tolerance; says how it ended. x is the last accepted iterate.
    ///
    /// # Errors
    /// Those of the equations.
    pub fn solve<E: Equations>(&mut self, equations: &mut E, x: &mut [f64]) -> Result<Outcome, E::Error> {
        let expected = self.correction.len();
        if let Some(found) = [x.len(), equations.dimension()].into_iter().find(|&found| found != expected) {
            return Ok(Outcome::WrongLength { found, expected });
        }
        self.statistics = IterationStatistics { damping: 1.0, ..Default::default() };
        if let Some(outcome) = self.restart(equations, x)? {
            return Ok(outcome);
        }
        let mut fresh = true; // whether the Jacobian belongs to x
        while self.statistics.iterations < self.options.max_iterations {
            match self.step(equations, x)? {
                Step::Taken(1.0) => {
                    fresh = false;
                    std::mem::swap(&mut self.correction, &mut self.next);
                    match self.observe(equations) {
                        Rate::Converged { error, .. } => return Ok(self.finish(x, error)),
                        Rate::Continue { rate } if rate <= self.options.refresh_above => continue,
                        _ => {}
                    }
                }
                Step::Taken(_) => fresh = false,
                Step::Refused { finite: false } if fresh => return Ok(Outcome::NotFinite(self.statistics)),
                Step::Refused { .. } if fresh => return Ok(Outcome::Diverged(self.statistics)),
                Step::Refused { .. } => {}
            }
            if !fresh {
                if let Some(outcome) = self.restart(equations, x)? {
                    return Ok(outcome);
                }
                fresh = true;
            }
        }
        let statistics = self.statistics;
        Ok(match self.monitor.needed(statistics.rate, statistics.correction) {
            // the last correction has not been applied
            Some(needed) => Outcome::Slow { needed: needed + 1, statistics },
            None => Outcome::MaxIterations(statistics),
        })
    }

    /// Fresh Jacobian and first correction at x; an outcome if that already ends the iteration.
    fn restart<E: Equations>(&mut self, equations: &mut E, x: &mut [f64]) -> Result<Option<Outcome>, E::Error> {
        equations.residual(x, &mut self.correction)?;
        self.statistics.residuals += 1;
        if self.correction.iter().any(|r| !r.is_finite()) {
            return Ok(Some(Outcome::NotFinite(self.statistics)));
        }
        equations.refresh(x)?;
        self.statistics.jacobians += 1;
        equations.correct(&mut self.correction)?;
        self.monitor.start();
        Ok(match self.observe(equations) {
            Rate::Converged { error, .. } => Some(self.finish(x, error)),
            Rate::NotFinite => Some(Outcome::NotFinite(self.statistics)),
            _ => None,
        })
    }

    fn observe<E: Equations>(&mut self, equations: &E) -> Rate {
        let norm = equations.norm(&self.correction);
        let rate = self.monitor.observe(norm);
        self.statistics.correction = norm;
        match rate {
            Rate::Continue { rate }
            | Rate::Converged { rate, .. }
            | Rate::Diverged { rate }
            | Rate::Slow { rate, .. }
                if rate > 0.0 =>
            {
                self.statistics.rate = rate;
            }
            _ => {}
        }
        rate
    }

    /// Applies the last correction.
    fn finish(&mut self, x: &mut [f64], error: f64) -> Outcome {
        for (x, d) in x.iter_mut().zip(&self.correction) {
            *x -= d;
        }
        self.statistics.iterations += 1;
        Outcome::Converged { error, statistics: self.statistics }
    }

    /// Tries x - lambda d for lambda = 1, 1/2, 1/4, ..
    fn step<E: Equations>(&mut self, equations: &mut E, x: &mut [f64]) -> Result<Step, E::Error> {
        let size = equations.norm(&self.correction);
        let mut lambda = 1.0;
        let mut finite = true;
        while lambda >= self.options.smallest_damping {
            for ((trial, x), d) in self.trial.iter_mut().zip(&*x).zip(&self.correction) {
                *trial = x - lambda * d;
            }
            equations.residual(&self.trial, &mut self.next)?;
            self.statistics.residuals += 1;
            finite = self.next.iter().all(|r| r.is_finite());
            if finite {
                equations.correct(&mut self.next)?;
                if equations.norm(&self.next) <= (1.0 - lambda / 4.0) * size {
                    x.copy_from_slice(&self.trial);
                    self.statistics.iterations += 1;
                    self.statistics.damping = self.statistics.damping.min(lambda);
                    return Ok(Step::Taken(lambda));
                }
            }
            lambda *= 0.5;
        }
        Ok(Step::Refused { finite })
    }
}
