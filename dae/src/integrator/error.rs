//! What can go wrong in an integration: each variant says what, where, with which value, and what to do.

use std::fmt;

use crate::dae::EvalError;
use fourbar_linalg::text::Brief;

/// Failure of an integrator. The results up to the last accepted step stay available.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// An option lies outside its range.
    #[error("the {name} is {value}; it must be {allowed}", value = Brief(*.value))]
    Option {
        /// The option in words, as in `largest step`.
        name: String,
        /// Value given.
        value: f64,
        /// What is allowed.
        allowed: &'static str,
    },
    /// A slice has the wrong number of entries.
    #[error("{what} has {given} entries, the system needs {needed}")]
    Length {
        /// Which slice.
        what: &'static str,
        /// Entries given.
        given: usize,
        /// Entries needed.
        needed: usize,
    },
    /// A NaN or infinity where a number is needed.
    #[error("{what} of {name} is {value}; give a finite number")]
    NotFinite {
        /// Which quantity, as in `start value`.
        what: &'static str,
        /// Name of the unknown, or of the quantity.
        name: String,
        /// Value given.
        value: f64,
    },
    /// The end lies before the present time.
    #[error(
        "the end time {end:.17} lies before the present time {time:.17}; integration runs forward only",
        end = Brief(*.end), time = Brief(*.time)
    )]
    EndBeforeStart {
        /// Present time \[s\].
        time: f64,
        /// End time asked for \[s\].
        end: f64,
    },
    /// The stop times do not increase.
    #[error("stop times must increase: {next:.17} follows {previous:.17}", next = Brief(*.next), previous = Brief(*.previous))]
    StopTimes {
        /// A stop time \[s\].
        previous: f64,
        /// The one after it \[s\].
        next: f64,
    },
    /// An element stopped the run.
    #[error("the run stopped: {0}")]
    Evaluation(#[from] EvalError),
    /// The step would have to be smaller than the smallest allowed.
    #[error(fmt = write_smallest_step)]
    SmallestStep {
        /// Time of the last accepted step \[s\].
        time: f64,
        /// Step that failed \[s\].
        step: f64,
        /// Smallest step allowed there \[s\].
        smallest: f64,
        /// Why the step failed.
        cause: Cause,
    },
    /// A step of a method with fixed steps failed, and so did its half, its quarter and so on where the method divides steps.
    #[error(
        "at t = {time} the fixed step of {step} s fails: {cause}. {}; a shorter fixed step may help", cause.remedy(),
        time = Brief(*.time), step = Brief(*.step)
    )]
    FixedStep {
        /// Time of the last accepted step \[s\].
        time: f64,
        /// Length of the step \[s\].
        step: f64,
        /// Why it failed.
        cause: Cause,
    },
    /// No consistent start was found ([`consistent_start`](super::consistent_start)).
    #[error(
        "the equations have no solution near the start at t = {time} with the differential unknowns held: {cause}. Give a start that is nearer; \
         unknowns marked as algebraic must follow from the others (index 1)",
        time = Brief(*.time)
    )]
    Start {
        /// Time \[s\].
        time: f64,
        /// Why not.
        cause: Cause,
    },
    /// A condition switches again and again and the run gets nowhere.
    #[error(
        "at t = {time} {condition} switches to and fro without end: on each side it leads to the other, as dry friction at rest does. Smooth it \
         (`tanh(v/v0)` in place of `sign(v)`, a `step` in place of `if`), give it a hysteresis, or use a contact or joint that holds",
        time = Brief(*.time)
    )]
    Chattering {
        /// The condition and whose it is.
        condition: String,
        /// Time \[s\].
        time: f64,
    },
    /// The number of steps allowed is used up.
    #[error(
        "{limit} steps were taken and t = {time} was reached, not t = {end}; raise the limit (`max_steps`, --max-steps) or loosen the tolerance",
        time = Brief(*.time), end = Brief(*.end)
    )]
    StepLimit {
        /// Steps allowed.
        limit: u64,
        /// Time of the last accepted step \[s\].
        time: f64,
        /// End time \[s\].
        end: f64,
    },
    /// The number of steps allowed is used up, by steps that an explicit method takes where the equations are stiff.
    #[error(
        "{limit} steps were taken and t = {time} was reached, not t = {end}; the last ones were of low order, as of stiff equations: take an \
         integrator for these (gstiff), or raise the limit (`max_steps`, --max-steps)",
        time = Brief(*.time), end = Brief(*.end)
    )]
    Stiff {
        /// Steps allowed.
        limit: u64,
        /// Time of the last accepted step \[s\].
        time: f64,
        /// End time \[s\].
        end: f64,
    },
    /// Interpolation outside the last accepted step.
    #[error(
        "t = {time:.17} lies outside the last step [{from:.17}, {to:.17}]; interpolate while the step that covers it is the last one",
        time = Brief(*.time), from = Brief(*.from), to = Brief(*.to)
    )]
    OutsideStep {
        /// Time asked for \[s\].
        time: f64,
        /// Start of the last step \[s\].
        from: f64,
        /// End of the last step \[s\].
        to: f64,
    },
    /// A snapshot of another integrator, of another highest order, or of another system.
    #[error(
        "the snapshot was not saved by this kind of integrator, with the same highest order, on a system of {dimension} unknowns"
    )]
    ForeignSnapshot {
        /// Number of unknowns of this system.
        dimension: usize,
    },
}

/// Why a step of the smallest length failed.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum Cause {
    /// The local error is above the tolerance.
    ErrorTest {
        /// Estimated local error in units of the tolerance.
        error: f64,
        /// Unknowns with the largest share, worst first.
        worst: Vec<Share>,
    },
    /// The corrector iteration does not converge.
    Corrector {
        /// Norm of the last increment in units of the tolerance.
        increment: f64,
        /// Unknowns with the largest increments, worst first.
        worst: Vec<Share>,
    },
    /// The iteration matrix is singular.
    Singular {
        /// What the factorization reports.
        reason: String,
        /// Name of the equation in which no pivot was found, if known.
        equation: Option<String>,
        /// Name of the unknown for which no pivot was found, if known.
        unknown: Option<String>,
    },
    /// The equations cannot be evaluated there.
    Evaluation(EvalError),
    /// A residual, a derivative or an unknown is not a finite number.
    NotFinite {
        /// The first of them, as in `the residual of equation 3`.
        what: String,
    },
}

/// Share of one unknown in a weighted norm.
#[derive(Debug, Clone, PartialEq)]
pub struct Share {
    /// Name of the unknown.
    pub unknown: String,
    /// Its magnitude in units of its tolerance.
    pub magnitude: f64,
}

impl Cause {
    fn remedy(&self) -> &'static str {
        match self {
            Self::ErrorTest { .. } => {
                "Look for a jump there (make it a stop time), for start values that do not satisfy the equations, or for a part so small (a mass, \
                 a volume) that it follows within less than the smallest step"
            }
            Self::Corrector { .. } => {
                "Look for a jump in the equations, for a start that does not satisfy the constraints, or for a singular position; \
                 a system of higher index than its formulation states fails like this too"
            }
            Self::Singular { .. } => {
                "Look for an unknown that nothing determines there (the pressure of a junction of which all valves have shut), redundant \
                 constraints, or a singular position of a mechanism"
            }
            Self::Evaluation(_) | Self::NotFinite { .. } => {
                "The state has reached the border of the domain of that element, or the element is wrong there"
            }
        }
    }
}

impl fmt::Display for Cause {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::ErrorTest { error, worst } => {
                write!(f, "the local error is {:.4} times the tolerance, most in ", Brief(*error))?;
                write_shares(f, worst)
            }
            Self::Corrector { increment, worst } => {
                write!(
                    f,
                    "the corrector does not converge (last increment {:.4} times the tolerance), slowest in ",
                    Brief(*increment)
                )?;
                write_shares(f, worst)
            }
            Self::Singular { reason, equation, unknown } => {
                let known = equation.is_some() || unknown.is_some();
                let what = if known { "is singular" } else { "cannot be factorized" };
                write!(f, "the iteration matrix {what} ({reason}")?;
                if let Some(name) = equation {
                    write!(f, "; {name}")?;
                }
                if let Some(name) = unknown {
                    write!(f, "; {name}")?;
                }
                write!(f, ")")
            }
            Self::Evaluation(error) => write!(f, "{error}"),
            Self::NotFinite { what } => write!(f, "{what} is not a finite number"),
        }
    }
}

/// Where the equations cannot be evaluated, no step is too long: they are what has to be looked at.
fn write_smallest_step(
    time: &f64,
    step: &f64,
    smallest: &f64,
    cause: &Cause,
    f: &mut fmt::Formatter<'_>,
) -> fmt::Result {
    let (time, step, smallest) = (Brief(*time), Brief(*step), Brief(*smallest));
    match cause {
        Cause::Evaluation(_) | Cause::NotFinite { .. } => {
            write!(f, "from t = {time} on no step succeeds, however short, the last of {step:.3} s: {cause}")?;
        }
        _ => write!(
            f,
            "at t = {time} a step of {step} s is still too long and the smallest allowed is {smallest} s: {cause}"
        )?,
    }
    write!(f, ". {}", cause.remedy())
}

fn write_shares(f: &mut fmt::Formatter<'_>, shares: &[Share]) -> fmt::Result {
    for (i, share) in shares.iter().enumerate() {
        let comma = if i > 0 { ", " } else { "" };
        write!(f, "{comma}{} ({:.4})", share.unknown, Brief(share.magnitude))?;
    }
    Ok(())
}

impl Error {
    /// A step of length `step` failed at `time`: a fixed one, or one that cannot become shorter.
    pub(super) fn no_step(fixed: bool, time: f64, step: f64, smallest: f64, cause: Cause) -> Self {
        if fixed {
            return Self::FixedStep { time, step, cause };
        }
        Self::SmallestStep { time, step, smallest, cause }
    }
}
