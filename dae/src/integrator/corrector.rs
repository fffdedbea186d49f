//! The corrector: modified Newton iteration on F(t, y, y'(y)) = 0 with y' = y'_p + (y - y_p)/(h beta_0).
//!
//! The matrix dF/dy + c dF/dy', c = 1/(h beta_0), is kept until c changes, it has served `matrix_age` steps, or a second correction was
//! needed because it is old. Within a step the rate is monitored as in DASSL ([`RateMonitor`]); before the second correction it
//! is forecast ([`Forecast`]), so that one correction suffices where that is safe.
//!
//! Measured on Andrews' mechanism in its seven angles (SI2; with the root-mean-square norm, tolerance 1e-8, margins 1.3):
//!
//! | rule | steps / rejected | residuals | factorizations |
//! |---|---|---|---|
//! | matrix kept 20 steps, always two corrections | 880 / 60 | 1968 | 142 |
//! | matrix kept 4 steps, forecast | 855 / 30 | 1349 | 249 |
//! | this one | 895 / 36 | 1383 | 283 |
//! | new matrix at each step (`matrix_age` 1), forecast | 862 / 32 | 978 | 893 |

use super::coefficients::{Coefficients, SAME_C, relaxation};
use super::copying::kept;
use std::sync::atomic::{AtomicU64, Ordering as AtomicOrdering};

use fourbar_linalg::checkpoint::{CheckpointError, Source, Stored};
use fourbar_linalg::newton::{Rate, RateMonitor};
use fourbar_linalg::{Calahan, CalahanOptions, Refactored, SparsityPattern};

use super::error::{Cause, Error, Share};
use super::forecast::Forecast;
use super::lanes::Vector;
use super::nordsieck::Trial;
use super::options::NewtonOptions;
use super::statistics::{Renewal, Statistics};
use super::weights::{Weights, update};
use crate::dae::{Dae, EvalError};

/// Corrections this much below the allowed iteration error are round-off when they no longer shrink.
const NOISE: f64 = 0.1;
/// Remaining iteration error, in tolerances of the step, that is accepted where a new matrix does no better: what DASSL allows always (Brenan, Campbell,
/// Petzold: Numerical Solution of IVPs in DAEs, section 5.2.2).
const STAGNANT: f64 = 0.33;
/// Forecast rates above this are not relied upon.
const TRUSTED: f64 = 0.5;

/// What the corrector remembers between steps; part of a snapshot.
#[derive(Debug)]
pub(super) struct Memory {
    /// Values of the matrix that is factored.
    values: Vec<f64>,
    /// Whether `values` holds a matrix.
    filled: bool,
    /// c = 1/(h beta_0) of that matrix \[1/s\].
    c: f64,
    order: usize,
    /// Steps accepted with it.
    pub(super) age: u32,
    /// Time at which it was evaluated \[s\].
    time: f64,
    /// Rate of convergence to expect.
    forecast: Forecast,
    /// Why it must be renewed before its next use, if so.
    pub(super) renewal: Option<Renewal>,
}

kept!(Memory { values, filled, c, order, age, time, forecast, renewal });

impl Memory {
    /// c of the matrix that is factored \[1/s\].
    pub(super) fn slope(&self) -> f64 {
        self.c
    }
}

/// Why an attempt to solve the corrector's equations failed.
#[derive(Debug)]
pub(super) enum Failure {
    /// No convergence; holds the Newton norm of the last increment. `fresh`: the matrix was new.
    Slow { increment: f64, fresh: bool },
    /// A residual is not finite; holds the first equation.
    NotFinite(usize),
    /// An evaluation failed recoverably.
    Evaluation(EvalError),
    /// The matrix is singular.
    Singular { reason: String, row: Option<usize>, column: Option<usize> },
}

/// Where and with what the corrector works in one attempt.
#[derive(Debug, Clone, Copy)]
pub(super) struct Point {
    pub(super) t: f64,
    pub(super) h_beta0: f64,
    pub(super) order: usize,
    pub(super) coefficients: Coefficients,
}

#[derive(Debug)]
pub(super) struct Corrector {
    options: NewtonOptions,
    /// The factored matrix.
    pivots: Option<Pivots>,
    pub(super) memory: Memory,
    /// Residual, then increment.
    increment: Vector,
    /// Increment of a solve that keeps the residual for its test.
    tested: Vector,
}

/// A factored matrix and the mark of its pivot sequence. A snapshot keeps a copy, since values alone do not say which pivots
/// were in use; it is renewed only when the mark differs.
#[derive(Debug, Clone)]
pub(super) struct Pivots {
    matrix: Calahan,
    mark: u64,
}

/// Marks are unique in the process; nothing but their equality matters.
static NEXT_MARK: AtomicU64 = AtomicU64::new(0);

impl Pivots {
    fn new(matrix: Calahan) -> Self {
        Self { matrix, mark: NEXT_MARK.fetch_add(1, AtomicOrdering::Relaxed) }
    }

    /// Those that were stored for a matrix of this pattern.
    pub(super) fn load(pattern: &SparsityPattern, from: &mut Source<'_>) -> Result<Self, CheckpointError> {
        Calahan::from_stored(pattern, &CalahanOptions::default(), from).map(Self::new)
    }

    pub(super) fn store(&self, to: &mut Vec<u8>) {
        self.matrix.store(to);
    }

    fn renew_mark(&mut self) {
        self.mark = NEXT_MARK.fetch_add(1, AtomicOrdering::Relaxed);
    }

    /// Solves with a test of the solution, which may choose fresh pivots. Returns whether it did.
    fn solve_checked(&mut self, values: &[f64], b: &[f64], x: &mut [f64]) -> Result<bool, fourbar_linalg::Error> {
        let fresh = self.matrix.solve_checked(values, b, x)?.fresh_pivoting;
        if fresh {
            self.renew_mark();
        }
        Ok(fresh)
    }

    /// Returns whether pivots were chosen afresh.
    fn refactor(&mut self, values: &[f64]) -> Result<bool, fourbar_linalg::Error> {
        let fresh = matches!(self.matrix.refactor(values)?, Refactored::FreshPivots(_));
        if fresh {
            self.renew_mark();
        }
        Ok(fresh)
    }
}

impl Corrector {
    pub(super) fn new(dae: &impl Dae, options: NewtonOptions) -> Self {
        let n = dae.dimension();
        let memory = Memory {
            values: vec![0.0; dae.pattern().nnz()],
            filled: false,
            c: f64::NAN,
            order: 0,
            age: 0,
            time: f64::NAN,
            forecast: Forecast::new(),
            renewal: None,
        };
        Self { options, pivots: None, memory, increment: Vector::zeros(n), tested: Vector::zeros(n) }
    }

    /// Solves the corrector's equations from the prediction in `trial`. Returns the error norm of y - y_p.
    pub(super) fn solve<D: Dae>(
        &mut self,
        dae: &mut D,
        point: Point,
        trial: &mut Trial,
        weights: &Weights,
        statistics: &mut Statistics,
    ) -> Result<Result<f64, Failure>, Error> {
        let c = 1.0 / point.h_beta0;
        let reason = self.reason_to_renew(c, point);
        if let Some(reason) = reason
            && let Err(failure) = self.renew(dae, point, trial, reason, statistics)?
        {
            return Ok(Err(failure));
        }
        let outcome = self.iterate(dae, point.t, c, reason.is_some(), trial, weights, statistics)?;
        if !matches!(outcome, Err(Failure::Slow { increment, fresh: true }) if increment.is_finite()) {
            return Ok(outcome);
        }
        // Two points may lead to each other, as about the root of an orifice, sqrt(p), whose laminar part is narrower than the tolerance:
        // no step is short enough then. In the middle between the last two the iteration begins anew.
        self.increment.as_mut_slice().iter_mut().for_each(|d| *d *= -0.5);
        update(&self.increment, c, trial, weights);
        match self.renew(dae, point, trial, Renewal::SlowConvergence, statistics)? {
            Ok(()) => self.iterate(dae, point.t, c, true, trial, weights, statistics),
            Err(failure) => Ok(Err(failure)),
        }
    }

    fn reason_to_renew(&self, c: f64, point: Point) -> Option<Renewal> {
        let memory = &self.memory;
        if self.pivots.is_none() {
            Some(Renewal::First)
        } else if memory.renewal.is_some() {
            memory.renewal
        } else if memory.order != point.order && !point.coefficients.follow_steps() {
            Some(Renewal::OrderChange)
        } else if !point.coefficients.keeps_matrix(memory.c, c) {
            Some(Renewal::StepChange)
        } else {
            (memory.age >= self.options.matrix_age).then_some(Renewal::Age)
        }
    }

    fn renew<D: Dae>(
        &mut self,
        dae: &mut D,
        point: Point,
        trial: &Trial,
        reason: Renewal,
        statistics: &mut Statistics,
    ) -> Result<Result<(), Failure>, Error> {
        statistics.factorizations.count(reason);
        statistics.jacobian_evaluations += 1;
        let memory = &mut self.memory;
        // Until it is done it remains to be done, whatever fails.
        memory.renewal = Some(reason);
        memory.filled = false;
        let c = 1.0 / point.h_beta0;
        match dae.jacobian(point.t, trial.y.as_slice(), trial.yp.as_slice(), c, &mut memory.values) {
            Ok(()) => {}
            Err(fatal @ EvalError::Fatal { .. }) => return Err(fatal.into()),
            Err(recoverable) => return Ok(Err(Failure::Evaluation(recoverable))),
        }
        match factor(&mut self.pivots, dae, &memory.values) {
            Ok(fresh) => statistics.pivotings += u64::from(fresh),
            Err(failure) => return Ok(Err(failure)),
        }
        (memory.filled, memory.c, memory.order) = (true, c, point.order);
        (memory.age, memory.time, memory.renewal) = (0, point.t, None);
        Ok(Ok(()))
    }

    fn iterate<D: Dae>(
        &mut self,
        dae: &mut D,
        t: f64,
        c: f64,
        fresh: bool,
        trial: &mut Trial,
        weights: &Weights,
        statistics: &mut Statistics,
    ) -> Result<Result<f64, Failure>, Error> {
        let Self { options, pivots: Some(pivots), memory, increment, tested } = self else {
            return Ok(Err(Failure::Slow { increment: f64::NAN, fresh: false }));
        };
        let mut monitor = RateMonitor::new(options.fraction, options.iterations);
        let relaxed = (memory.c / c - 1.0).abs() > SAME_C;
        let mut iteration = Iteration { age: if fresh { 0.0 } else { t - memory.time }, relaxed, first: 0.0 };
        for m in 1..=options.iterations {
            statistics.residual_evaluations += 1;
            statistics.newton_iterations += 1;
            match dae.residual(t, trial.y.as_slice(), trial.yp.as_slice(), increment.as_mut_slice()) {
                Ok(()) => {}
                Err(fatal @ EvalError::Fatal { .. }) => return Err(fatal.into()),
                Err(recoverable) => return Ok(Err(Failure::Evaluation(recoverable))),
            }
            if let Some(row) = increment.first_not_finite() {
                return Ok(Err(Failure::NotFinite(row)));
            }
            if fresh && m == 1 {
                // The first solve with a new matrix is tested, so that a stale pivot sequence do not pass as a converged correction.
                match pivots.solve_checked(&memory.values, increment.as_slice(), tested.as_mut_slice()) {
                    Ok(fresh) => statistics.pivotings += u64::from(fresh),
                    Err(error) => return Ok(Err(failure_of(error))),
                }
                std::mem::swap(increment, tested);
            } else {
                pivots.matrix.solve(increment.as_mut_slice());
            }
            if relaxed {
                let factor = relaxation(memory.c, c);
                increment.as_mut_slice().iter_mut().for_each(|d| *d *= factor);
            }
            let (size, error) = update(increment, c, trial, weights);
            let seen = monitor.observe(size);
            match iteration.judge(m, size, seen, options.fraction, memory) {
                Verdict::Done => return Ok(Ok(error)),
                Verdict::GoOn => {}
                Verdict::GiveUp if fresh && stagnates(seen) && weights.primary(increment) <= STAGNANT => {
                    return Ok(Ok(error));
                }
                Verdict::GiveUp => return Ok(Err(Failure::Slow { increment: size, fresh })),
            }
        }
        Ok(Err(Failure::Slow { increment: iteration.first, fresh }))
    }

    /// Turns a residual into the correction by the matrix that is factored.
    pub(super) fn apply(&mut self, residual: &mut [f64]) {
        if let Some(pivots) = &mut self.pivots {
            pivots.matrix.solve(residual);
        }
    }

    /// Copies the factored matrix into a snapshot, unless the pivots there are the ones in use.
    pub(super) fn save(&self, pivots: &mut Option<Pivots>) {
        if pivots.as_ref().map(|p| p.mark) != self.pivots.as_ref().map(|p| p.mark) {
            pivots.clone_from(&self.pivots);
        }
    }

    /// Returns to the memory and pivots of a snapshot and factors its matrix again.
    pub(super) fn restore(&mut self, memory: &Memory, pivots: &Option<Pivots>) -> Result<(), fourbar_linalg::Error> {
        self.memory.clone_from(memory);
        if pivots.as_ref().map(|p| p.mark) != self.pivots.as_ref().map(|p| p.mark) {
            self.pivots.clone_from(pivots);
        }
        match &mut self.pivots {
            Some(pivots) if memory.filled => pivots.refactor(&memory.values).map(|_| ()),
            _ => Ok(()),
        }
    }

    /// Turns a failure at the smallest step into the message for people.
    pub(super) fn explain<D: Dae>(&self, failure: Failure, dae: &D, weights: &Weights) -> Cause {
        failure.cause(dae, || shares(dae, Weights::largest(&self.increment, &weights.newton)))
    }
}

impl Failure {
    /// The failure with names; `worst` are the largest shares in the last increment.
    pub(super) fn cause(self, dae: &impl Dae, worst: impl FnOnce() -> Vec<Share>) -> Cause {
        match self {
            Self::Slow { increment, .. } => Cause::Corrector { increment, worst: worst() },
            Self::NotFinite(row) => {
                Cause::NotFinite { what: format!("the residual of {}, or a derivative of it,", dae.equation_name(row)) }
            }
            Self::Evaluation(error) => Cause::Evaluation(error),
            Self::Singular { reason, row, column } => Cause::Singular {
                reason,
                equation: row.map(|i| dae.equation_name(i)),
                unknown: column.map(|i| dae.unknown_name(i)),
            },
        }
    }
}

/// One iteration: the age of its matrix \[s\], whether that is one of another c, and the norm of its first correction.
struct Iteration {
    age: f64,
    relaxed: bool,
    first: f64,
}

/// What follows from a correction.
enum Verdict {
    Done,
    GoOn,
    GiveUp,
}

impl Iteration {
    /// Judges the m-th correction of norm `size`, of which the monitor says `seen`; learns for the steps to come.
    fn judge(&mut self, m: usize, size: f64, seen: Rate, fraction: f64, memory: &mut Memory) -> Verdict {
        // Error that remains after the first correction, rho/(1 - rho) |d_1|.
        let remaining = |rate: f64, first: f64| rate / (1.0 - rate) * first;
        if m == 1 {
            self.first = size;
            let rate = memory.forecast.rate(size, self.age);
            // What another c does to the rate is not in the forecast.
            if !self.relaxed && rate < TRUSTED && remaining(rate, size) <= fraction {
                memory.forecast.trust();
                return Verdict::Done;
            }
        }
        if let (2, Rate::Continue { rate } | Rate::Converged { rate, .. }) = (m, seen) {
            memory.forecast.measure(rate, self.first, self.age);
            // A second correction was needed only because the matrix is old: the next step gets a new one.
            if self.age > 0.0 && remaining(rate, self.first) > fraction {
                memory.renewal = Some(Renewal::SlowConvergence);
            }
        }
        match seen {
            Rate::Converged { .. } => Verdict::Done,
            Rate::Continue { .. } => Verdict::GoOn,
            Rate::Diverged { .. } | Rate::Slow { .. } if size <= NOISE * fraction => Verdict::Done,
            _ => Verdict::GiveUp,
        }
    }
}

/// Whether corrections do not shrink any more. Beside a singular position multipliers are round-off times the condition of their rows: they are left
/// out where it is asked how large the corrections are.
fn stagnates(seen: Rate) -> bool {
    matches!(seen, Rate::Diverged { .. } | Rate::Slow { .. })
}

/// Names for the largest entries of a norm.
pub(super) fn shares<D: Dae>(dae: &D, entries: Vec<(usize, f64)>) -> Vec<Share> {
    entries.into_iter().map(|(i, magnitude)| Share { unknown: dae.unknown_name(i), magnitude }).collect()
}

/// Factors; returns whether pivots were chosen.
fn factor(pivots: &mut Option<Pivots>, dae: &impl Dae, values: &[f64]) -> Result<bool, Failure> {
    let done = match pivots {
        Some(pivots) => pivots.refactor(values),
        None => {
            let options = CalahanOptions { interrupt: dae.interrupt(), ..CalahanOptions::default() };
            Calahan::new(dae.pattern(), values, &options).map(|matrix| {
                *pivots = Some(Pivots::new(matrix));
                true
            })
        }
    };
    done.map_err(failure_of)
}

pub(super) fn failure_of(error: fourbar_linalg::Error) -> Failure {
    use fourbar_linalg::Error as E;
    match error {
        E::NotFinite { row, .. } => Failure::NotFinite(row),
        E::Singular { row, column, .. } => {
            Failure::Singular { reason: error.to_string(), row: Some(row), column: Some(column) }
        }
        other => Failure::Singular { reason: other.to_string(), row: None, column: None },
    }
}
