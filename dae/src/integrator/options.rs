//! Options common to the integrators on a `Dae`: tolerances, steps, corrector. Plain data, checked once at the start.

use super::error::Error;
use crate::dae::{Kind, Role, Unknown};
use std::ops::RangeInclusive;

/// Attempts at one step before it is given up: halvings alone would have come to 1e-18 of it.
pub(super) const ATTEMPTS_MAX: u32 = 60;

/// Tolerances of the local error.
///
/// The weight of unknown i is w_i = `relative` |y_i| + a_i with its absolute tolerance a_i; systems such as mechanisms put another size in the place
/// of |y_i| ([`Dae::weigh`](crate::dae::Dae::weigh)). The norm of the error test is the largest
/// |e_i| / w_i of the error-tested unknowns; a step is accepted when it is at most 1.
#[derive(Debug, Clone, PartialEq)]
pub struct Tolerance {
    /// Relative tolerance, in [`Tolerance::RANGE`].
    pub relative: f64,
    /// Absolute tolerances.
    pub absolute: Absolute,
}

/// Where the absolute tolerance of an unknown comes from.
#[derive(Debug, Clone, PartialEq)]
pub enum Absolute {
    /// The relative tolerance times a factor for its kind times [`Unknown::typical`]. A system that knows what errors are measured against
    /// ([`Dae::weigh`](crate::dae::Dae::weigh), as mechanisms do) decides itself.
    Typical(KindTable),
    /// A value for each kind times [`Unknown::typical`]. Of a system that knows what errors are measured against: a value in the unit of the kind;
    /// multipliers are its own affair, and the value of a kind [by typical size](Kind::by_typical) is multiplied by [`Unknown::typical`].
    Kind(KindTable),
    /// A value for each unknown, in its unit.
    Unknown(Vec<f64>),
}

/// A positive number for each [`Kind`]: one for all, and those that differ.
#[derive(Debug, Clone, PartialEq)]
pub struct KindTable {
    rest: f64,
    given: Vec<(Kind, f64)>,
}

impl KindTable {
    /// The same number for every kind.
    #[must_use]
    pub fn uniform(value: f64) -> Self {
        Self { rest: value, given: Vec::new() }
    }

    /// With another number for one kind.
    #[must_use]
    pub fn with(mut self, kind: Kind, value: f64) -> Self {
        self.given.retain(|(own, _)| *own != kind);
        self.given.push((kind, value));
        self
    }

    /// The number of one kind.
    #[must_use]
    pub fn get(&self, kind: Kind) -> f64 {
        self.given.iter().find(|(own, _)| *own == kind).map_or(self.rest, |(_, value)| *value)
    }

    fn validate(&self) -> Result<(), Error> {
        absolute(|| "all kinds".to_owned(), self.rest)?;
        self.given.iter().try_for_each(|(kind, value)| absolute(|| kind.name().to_owned(), *value))
    }
}

impl Default for Tolerance {
    fn default() -> Self {
        Self { relative: 1e-6, absolute: Absolute::Typical(KindTable::uniform(1.0)) }
    }
}

impl Tolerance {
    /// Relative tolerances that are allowed: below, round-off decides; above, no digit is right.
    pub const RANGE: RangeInclusive<f64> = 1e-14..=0.1;
    /// The same in words.
    pub const ALLOWED: &str = "a number from 1e-14 to 0.1";

    /// A relative tolerance, with the absolute one left to the system, or equal to it in typical sizes of the unknowns.
    #[must_use]
    pub fn uniform(relative: f64) -> Self {
        Self { relative, ..Self::default() }
    }

    /// Absolute tolerance of each unknown.
    pub(super) fn absolutes(&self, unknowns: &[Unknown]) -> Vec<f64> {
        let by_kind =
            |table: &KindTable, factor: f64| unknowns.iter().map(|u| factor * table.get(u.kind) * u.typical).collect();
        match &self.absolute {
            Absolute::Typical(table) => by_kind(table, self.relative),
            Absolute::Kind(table) => by_kind(table, 1.0),
            Absolute::Unknown(values) => values.clone(),
        }
    }

    /// Absolute tolerance of each unknown of a system that measures errors itself ([`Dae::weigh`](crate::dae::Dae::weigh)): what is asked for,
    /// 0 where nothing is.
    pub(super) fn given(&self, unknowns: &[Unknown]) -> Vec<f64> {
        let own = |u: &Unknown, table: &KindTable| match u.kind {
            kind if kind.role() == Role::Multiplier => 0.0,
            kind if kind.is_by_typical() => table.get(kind) * u.typical,
            kind => table.get(kind),
        };
        match &self.absolute {
            Absolute::Typical(_) => vec![0.0; unknowns.len()],
            Absolute::Kind(table) => unknowns.iter().map(|u| own(u, table)).collect(),
            Absolute::Unknown(values) => values.clone(),
        }
    }

    /// Checks the ranges, and the number of entries against `dimension` unknowns.
    ///
    /// # Errors
    /// [`Error::Option`] or [`Error::Length`].
    pub fn validate(&self, dimension: usize) -> Result<(), Error> {
        let relative = self.relative;
        within("relative tolerance", relative, Self::RANGE.contains(&relative), "between 1e-14 and 0.1")?;
        match &self.absolute {
            Absolute::Typical(table) | Absolute::Kind(table) => table.validate(),
            Absolute::Unknown(values) if values.len() != dimension => {
                Err(Error::Length { what: "the list of absolute tolerances", given: values.len(), needed: dimension })
            }
            Absolute::Unknown(values) => {
                values.iter().enumerate().try_for_each(|(i, &a)| absolute(|| format!("unknown {i}"), a))
            }
        }
    }
}

/// Limits of the step.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct StepLimits {
    /// First step \[s\]; 0 lets the integrator choose.
    pub first: f64,
    /// Smallest step \[s\]; 0 means sixteen units in the last place of t.
    pub smallest: f64,
    /// Largest step \[s\]; none by itself: what lasts for less than a step may be passed over, unless the system tells of it
    /// ([`Dae::next_break`](crate::dae::Dae::next_break), [`Dae::watch`](crate::dae::Dae::watch)). Runs of models take the output step.
    pub largest: f64,
    /// Largest number of accepted steps.
    pub limit: u64,
}

impl Default for StepLimits {
    fn default() -> Self {
        Self { first: 0.0, smallest: 0.0, largest: f64::INFINITY, limit: u64::MAX }
    }
}

impl StepLimits {
    /// Checks the ranges.
    ///
    /// # Errors
    /// [`Error::Option`].
    pub fn validate(&self) -> Result<(), Error> {
        let (first, smallest, largest) = (self.first, self.smallest, self.largest);
        within("first step", first, first >= 0.0 && first.is_finite(), "0 (automatic) or a positive time")?;
        within(
            "smallest step",
            smallest,
            smallest >= 0.0 && smallest.is_finite(),
            "0 (round-off of t) or a positive time",
        )?;
        within(
            "largest step",
            largest,
            largest > 0.0 && largest >= smallest,
            "positive, and at least the smallest step",
        )?;
        within("largest number of steps", self.limit as f64, self.limit > 0, "at least 1")
    }
}

/// How the corrector's equations are solved.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct NewtonOptions {
    /// Remaining iteration error allowed, as a fraction of the tolerance of the step, in (0, 0.33\] (integrators.md, section 3:
    /// at 0.33 the velocity violation of the index-3 formulation jumps). Constraints are violated by about this fraction: the
    /// pendulum of 1 m at tolerance 1e-8 by 4e-10 m with 0.1, 1e-10 m with 0.03, for 3 % more residuals on Andrews' mechanism.
    pub fraction: f64,
    /// Largest number of iterations with one matrix, 2 to 20.
    pub iterations: usize,
    /// Steps after which the iteration matrix is renewed at the latest, at least 1. With 1, nearly every step takes one residual,
    /// one matrix and one solve, and the constraints hold to round-off: worth it where a matrix and its factorization cost less
    /// than about two thirds of a residual and a solve.
    pub matrix_age: u32,
}

impl Default for NewtonOptions {
    fn default() -> Self {
        Self { fraction: 0.03, iterations: 4, matrix_age: 20 }
    }
}

impl NewtonOptions {
    /// Checks the ranges.
    ///
    /// # Errors
    /// [`Error::Option`].
    pub fn validate(&self) -> Result<(), Error> {
        let fraction = self.fraction;
        within("Newton fraction", fraction, fraction > 0.0 && fraction <= 0.33, "above 0, at most 0.33")?;
        within(
            "number of Newton iterations",
            self.iterations as f64,
            (2..=20).contains(&self.iterations),
            "from 2 to 20",
        )?;
        within("matrix age", f64::from(self.matrix_age), self.matrix_age >= 1, "at least 1")
    }
}

/// Fails unless `ok`; a NaN never is.
pub(super) fn within(name: &str, value: f64, ok: bool, allowed: &'static str) -> Result<(), Error> {
    if ok { Ok(()) } else { Err(Error::Option { name: name.to_owned(), value, allowed }) }
}

/// The absolute tolerance `of` a kind, or of an unknown.
fn absolute(of: impl Fn() -> String, value: f64) -> Result<(), Error> {
    if value > 0.0 && value.is_finite() {
        return Ok(());
    }
    Err(Error::Option { name: format!("absolute tolerance of {}", of()), value, allowed: "a positive number" })
}
