//! Rows that are functions of coordinates: phi = F(t, a_1, .., a_n), where each argument is a weighted sum of terms.
//!
//! The gradient of the row is the sum of F_a times those of the arguments, and so is part of its curvature; the rest is
//!
//! ```text
//! sum over a, b of F_ab (grad a) (grad b)^T                                      (bend)
//! Phi_tt + .. = F_ab a' b' + 2 F_at a' + F_tt                                    (acceleration)
//! ```
//!
//! with a' the rates of the arguments. Derivatives of expressions come from hyper-dual numbers, those of curves from their closed forms.

use super::composed::{Composed, Counted};
use super::scratch::{Numbers, with_stacks};
use crate::constraint::{MAX_ROWS, Row};
use crate::curve::{Curve, Expansion};
use crate::expression::Program;
use crate::space::{Pose, V3};
use num_dual::HyperDual64;
use std::sync::Arc;

/// What a row is of its arguments.
#[derive(Debug, Clone, PartialEq)]
pub enum Function {
    /// An expression: slot 0 is the time, slot k argument k.
    Expression(Program),
    /// How far a point, the three arguments, is beside a curve: side 0 or 1, see [`Curve::beside_point`].
    Point {
        /// The curve.
        curve: Arc<Curve>,
        /// Which of the two distances.
        side: usize,
    },
    /// The gap between two plane curves, the arguments being where the frame of the first is in that of the second.
    Contact {
        /// First and second.
        curves: [Arc<Curve>; 2],
    },
}

/// Value of a row with its derivatives by the time, then the arguments.
#[derive(Debug)]
pub(crate) struct Derivatives {
    pub value: f64,
    gradient: Numbers,
    /// Second derivatives in rows; empty where not asked for.
    hessian: Numbers,
}

impl Derivatives {
    /// Whether value and first derivatives are.
    pub(crate) fn is_finite(&self) -> bool {
        self.value.is_finite() && self.gradient.iter().all(|slope| slope.is_finite())
    }

    /// The derivative by the time, 0, or by argument `k`.
    #[inline]
    pub(crate) fn by(&self, k: usize) -> f64 {
        self.gradient[k]
    }
}

impl Function {
    /// Number of its arguments, the time not counted.
    #[must_use]
    pub fn arguments(&self) -> usize {
        match self {
            Self::Expression(program) => program.slots().last().copied().unwrap_or(0),
            Self::Point { .. } | Self::Contact { .. } => 3,
        }
    }

    /// Whether it has a curve that ends.
    pub(crate) fn has_ends(&self) -> bool {
        match self {
            Self::Expression(_) => false,
            Self::Point { curve, .. } => !curve.is_closed(),
            Self::Contact { curves } => curves.iter().any(|curve| !curve.is_closed()),
        }
    }

    /// How far it is beyond the ends of an open curve at these arguments \[m\]; 0 on it.
    pub(crate) fn beyond(&self, z: &[f64]) -> f64 {
        match self {
            Self::Expression(_) => 0.0,
            Self::Point { curve, .. } => curve.beyond(curve.nearest(&V3::new(z[1], z[2], z[3]))),
            Self::Contact { curves: [own, other] } => {
                let (_, [s, t]) = own.gap(other, [z[1], z[2], z[3]]);
                own.beyond(s).max(other.beyond(t))
            }
        }
    }

    /// Size of its curves \[m\]; of the shorter one.
    pub(crate) fn size(&self) -> f64 {
        match self {
            Self::Expression(_) => 0.0,
            Self::Point { curve, .. } => curve.length(),
            Self::Contact { curves: [own, other] } => own.length().min(other.length()),
        }
    }

    /// Its derivatives at (t, a_1, ..), divided by `scale`: those of second order if `second`.
    pub(crate) fn derivatives(&self, z: &[f64], scale: f64, second: bool) -> Derivatives {
        let mut found = match self {
            Self::Expression(program) if second => hyper(program, z),
            Self::Expression(program) => first(program, z),
            Self::Point { curve, side } => lift(&curve.beside_point(&V3::new(z[1], z[2], z[3]), *side).0),
            Self::Contact { curves: [own, other] } => lift(&own.gap(other, [z[1], z[2], z[3]]).0),
        };
        if scale != 1.0 {
            let Derivatives { value, gradient, hessian } = &mut found;
            gradient.iter_mut().chain(hessian.iter_mut()).chain([value]).for_each(|x| *x /= scale);
        }
        found
    }
}

fn first(program: &Program, z: &[f64]) -> Derivatives {
    let (mut gradient, mut partials) = (Numbers::zeros(z.len()), Numbers::zeros(program.slots().len()));
    let value = with_stacks(|stack, _| program.gradient(z, &mut partials, stack));
    program.slots().iter().zip(partials.iter()).for_each(|(&slot, &partial)| gradient[slot] = partial);
    Derivatives { value, gradient, hessian: Numbers::zeros(0) }
}

fn hyper(program: &Program, z: &[f64]) -> Derivatives {
    let n = z.len();
    let mut found = Derivatives { hessian: Numbers::zeros(n * n), ..first(program, z) };
    for (k, &a) in program.slots().iter().enumerate() {
        for &b in &program.slots()[k..] {
            let read = |slot: usize| {
                let mut value = HyperDual64::from(z[slot]);
                value.eps1 = if slot == a { 1.0 } else { 0.0 };
                value.eps2 = if slot == b { 1.0 } else { 0.0 };
                value
            };
            let both = with_stacks(|_, stack| program.evaluate_with(read, stack)).eps1eps2;
            (found.hessian[a * n + b], found.hessian[b * n + a]) = (both, both);
        }
    }
    found
}

/// Behind the time, of which it does not depend.
fn lift(of: &Expansion<3>) -> Derivatives {
    let (mut gradient, mut hessian) = (Numbers::zeros(4), Numbers::zeros(16));
    for (row, values) in of.hessian.iter().enumerate() {
        hessian[4 * (row + 1) + 1..4 * (row + 2)].copy_from_slice(values);
    }
    gradient[1..].copy_from_slice(of.gradient.as_slice());
    Derivatives { value: of.value, gradient, hessian }
}

/// Second derivatives of a row with the rates of its arguments.
#[derive(Debug)]
pub(crate) struct Bend {
    hessian: Numbers,
    /// Of the time, 1, and of the arguments.
    rates: Numbers,
}

impl Bend {
    /// F_ab of two arguments.
    pub(crate) fn of(&self, a: usize, b: usize) -> f64 {
        self.hessian[a * self.rates.len() + b]
    }

    /// The rate of F_a: F_ab b' + F_at.
    pub(crate) fn rate(&self, a: usize) -> f64 {
        (0..self.rates.len()).map(|b| self.of(a, b) * self.rates[b]).sum()
    }

    /// F_ab a' b' + 2 F_at a' + F_tt.
    pub(crate) fn acceleration(&self) -> f64 {
        (0..self.rates.len()).map(|a| self.rate(a) * self.rates[a]).sum()
    }
}

impl Composed {
    /// The time and the arguments of its function, and their rates.
    fn arguments(&self, poses: &[Pose], counted: Counted<'_>) -> [Numbers; 2] {
        let count = 1 + self.function.as_ref().map_or(0, Function::arguments);
        let (mut z, mut moving) = (Numbers::zeros(count), Numbers::zeros(count));
        (z[0], moving[0]) = (counted.time, 1.0);
        let mut rows = [Row::zero(); MAX_ROWS];
        for term in &self.terms {
            term.constraint.rows(poses, &mut rows);
            let (i, j) = (&poses[term.constraint.i.body], &poses[term.constraint.j.body]);
            let rate = rows[0].rate(i, j);
            let angle = term.counter.and_then(|k| counted.angles.get(k));
            let value = angle.map_or(rows[0].phi, |angle| angle.continued(rows[0].phi, rate, counted.time));
            z[term.argument] += term.weight * value;
            moving[term.argument] += term.weight * rate;
        }
        [z, moving]
    }

    /// How far it is beyond the ends of its open curve \[m\]; 0 on it.
    pub(crate) fn beyond(&self, function: &Function, poses: &[Pose], counted: Counted<'_>) -> f64 {
        let [z, _] = self.arguments(poses, counted);
        function.beyond(&z)
    }

    /// Value and first derivatives of its function, if it has one.
    pub(crate) fn expand(&self, poses: &[Pose], counted: Counted<'_>) -> Option<Derivatives> {
        let function = self.function.as_ref()?;
        let [z, _] = self.arguments(poses, counted);
        Some(function.derivatives(&z, self.scale, false))
    }

    /// The second derivatives of its function, if it has one.
    pub(crate) fn bend(&self, poses: &[Pose], counted: Counted<'_>) -> Option<Bend> {
        let function = self.function.as_ref()?;
        let [z, rates] = self.arguments(poses, counted);
        Some(Bend { hessian: function.derivatives(&z, self.scale, true).hessian, rates })
    }
}
