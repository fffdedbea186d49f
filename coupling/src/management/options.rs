//! Settings of a run (R9, R11): plain data.

use serde::{Deserialize, Serialize};

use super::faults::FaultPolicy;
use super::pacing::Pacing;
use super::port::Port;
use crate::Error;
use crate::error::positive;

/// Order of the polynomials that continue inputs over a communication step.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Order {
    /// The value is held: the coupling is of first order.
    #[default]
    Hold,
    /// Straight line through two communication points: second order.
    Linear,
    /// Parabola through three: third order.
    Quadratic,
}

impl Order {
    pub(super) fn degree(self) -> usize {
        self as usize
    }
}

/// How a fixed point of all partners is sought.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Acceleration {
    /// Plain repetition.
    FixedPoint,
    /// Relaxation with Aitken's factor (Kuettler and Wall, Comput. Mech. 43, 2008, 61, equation (44)).
    Aitken,
    /// Broyden's quasi-Newton method, its matrix kept from step to step (Broyden, Math. Comp. 19, 1965, 577).
    #[default]
    Broyden,
}

/// How the partners are stepped from one communication point to the next.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
#[non_exhaustive]
pub enum Algorithm {
    /// The loop of patent CN101908089A, figure 6: all advance with held inputs, then all are sampled as they stand and their values
    /// assigned crosswise; feedthrough is late by a step.
    JacobiDelayed,
    /// All partners step at the same time, every input extrapolated.
    Jacobi {
        /// Order of the extrapolation.
        order: Order,
    },
    /// One partner after the other: inputs from those that have stepped already are interpolated, the others extrapolated. With
    /// [`Order::Hold`] the new value is held.
    GaussSeidel {
        /// Order of both.
        order: Order,
        /// Partners in the order of stepping; empty for the order with the fewest extrapolated inputs.
        #[serde(default)]
        sequence: Vec<String>,
    },
    /// Sweeps of one partner after the other, repeated from the same saved states until the inputs at the end of the step
    /// reproduce themselves: every input is interpolated.
    Iterated {
        /// Order of the interpolation.
        order: Order,
        /// As for Gauss-Seidel.
        #[serde(default)]
        sequence: Vec<String>,
        /// How the fixed point is sought.
        #[serde(default)]
        acceleration: Acceleration,
        /// Largest change of an input over a sweep, relative to its largest value so far.
        tolerance: f64,
        /// Sweeps at most.
        max_sweeps: usize,
    },
}

impl Algorithm {
    /// Strong coupling as usually wanted: linear interpolation, quasi-Newton, tolerance 1e-8, 20 sweeps.
    #[must_use]
    pub fn iterated(order: Order) -> Self {
        Self::Iterated {
            order,
            sequence: Vec::new(),
            acceleration: Acceleration::default(),
            tolerance: 1e-8,
            max_sweeps: 20,
        }
    }

    pub(super) fn order(&self) -> usize {
        match self {
            Self::JacobiDelayed => 0,
            Self::Jacobi { order } | Self::GaussSeidel { order, .. } | Self::Iterated { order, .. } => order.degree(),
        }
    }

    /// What can be done where its iteration does not converge.
    #[must_use]
    pub fn remedy_of_iteration(&self) -> &'static str {
        match self {
            Self::Iterated { acceleration: Acceleration::Broyden, .. } => {
                "lower `step`, raise `max_sweeps` or loosen the tolerance of the iteration"
            }
            _ => "lower `step`, or take the `acceleration` by Broyden's quasi-Newton method",
        }
    }

    pub(super) fn name(&self) -> &'static str {
        match self {
            Self::JacobiDelayed => "Jacobi with delayed feedthrough",
            Self::Jacobi { .. } => "the Jacobi scheme",
            Self::GaussSeidel { .. } => "the Gauss-Seidel scheme",
            Self::Iterated { .. } => "the iterated scheme",
        }
    }

    pub(super) fn validate(&self) -> Result<(), Error> {
        if let Self::Iterated { tolerance, max_sweeps, .. } = self {
            positive("the tolerance of the iteration", *tolerance)?;
            if *max_sweeps == 0 {
                return Err(Error::Value {
                    name: "the largest number of sweeps".into(),
                    value: 0.0,
                    remedy: "it must be at least 1",
                });
            }
        }
        Ok(())
    }
}

/// A communication step that follows the error of the extrapolated inputs.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Adaptive {
    /// Largest difference between an extrapolated input and what the source then gave, relative to its largest value so far.
    pub tolerance: f64,
    /// First communication step \[s\].
    pub first: f64,
    /// Shortest communication step \[s\].
    pub shortest: f64,
    /// Whether a step that misses the tolerance is undone and repeated with a shorter one.
    #[serde(default = "yes")]
    pub rollback: bool,
}

const fn yes() -> bool {
    true
}

impl Adaptive {
    pub(super) fn validate(&self, longest: f64) -> Result<(), Error> {
        positive("the tolerance of the communication step", self.tolerance)?;
        positive("the first communication step [s]", self.first)?;
        positive("the shortest communication step [s]", self.shortest)?;
        for (name, value) in
            [("the first communication step [s]", self.first), ("the shortest communication step [s]", self.shortest)]
        {
            if value > longest {
                return Err(Error::Value {
                    name: name.into(),
                    value,
                    remedy: "it must not exceed the communication step",
                });
            }
        }
        if self.shortest < 1e-9 * longest {
            let remedy = "it must not be shorter than 1e-9 of the communication step";
            return Err(Error::Value {
                name: "the shortest communication step [s]".into(),
                value: self.shortest,
                remedy,
            });
        }
        Ok(())
    }
}

/// Settings of a run.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Options {
    /// Start time \[s\].
    #[serde(default)]
    pub start: f64,
    /// End time \[s\]; infinite for an endless run.
    pub end: f64,
    /// Communication step H \[s\]; the longest one if it is adaptive.
    pub step: f64,
    /// How the partners are stepped.
    pub algorithm: Algorithm,
    /// Adapts the communication step.
    #[serde(default)]
    pub adaptive: Option<Adaptive>,
    /// Ends communication steps at the events of partners that return early or know when their next event comes; all others then take steps of
    /// different lengths. Without it such a partner is asked to go on to the next communication point.
    #[serde(default)]
    pub events: bool,
    /// Lowers quadratic polynomials to straight lines while H omega of the exchanged signals exceeds 1.
    #[serde(default)]
    pub order_reduction: bool,
    /// Solves algebraic loops among the outputs at each communication point; otherwise they are refused.
    #[serde(default = "yes")]
    pub solve_loops: bool,
    /// Levels of the faults.
    #[serde(default)]
    pub faults: FaultPolicy,
    /// Pairs of effort and flow whose energy is watched.
    #[serde(default)]
    pub ports: Vec<Port>,
    /// Keeps the run to the wall clock.
    #[serde(default)]
    pub pacing: Option<Pacing>,
}

impl Options {
    /// What a run with these settings can still do about the errors that the communication step makes, in a sentence's end.
    #[must_use]
    pub fn remedy(&self) -> String {
        let adaptive = self.adaptive.is_some();
        let iterated = matches!(self.algorithm, Algorithm::Iterated { .. });
        let remedies = [
            (!adaptive, "lower `step`"),
            (adaptive, "lower the tolerance of `adaptive`"),
            (self.algorithm.order() < Order::Quadratic.degree(), "raise `order`"),
            (!adaptive, "give an `adaptive` tolerance"),
            (!iterated, "take the algorithm `iterated`"),
        ];
        let open: Vec<&str> = remedies.into_iter().filter_map(|(open, remedy)| open.then_some(remedy)).collect();
        match open.as_slice() {
            [all @ .., last] if !all.is_empty() => format!("{} or {last}", all.join(", ")),
            all => all.concat(),
        }
    }

    /// From 0 to `end` \[s\] by steps of `step` \[s\].
    #[must_use]
    pub fn new(end: f64, step: f64, algorithm: Algorithm) -> Self {
        Self {
            start: 0.0,
            end,
            step,
            algorithm,
            adaptive: None,
            events: false,
            order_reduction: false,
            solve_loops: true,
            faults: FaultPolicy::default(),
            ports: Vec::new(),
            pacing: None,
        }
    }
}
