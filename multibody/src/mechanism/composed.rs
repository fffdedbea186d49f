//! Rows composed of several relative coordinates of joints, phi = sum of w_k c_k - offset: couplers, gears, racks.
//!
//! Each coordinate c_k is that of a two-frame row, an angle about z of J or a displacement along it, and so are its gradient and curvature:
//! those of phi are the weighted sums. Angles are counted through full turns ([`State::angles`](crate::State::angles)), since weights need not
//! be whole numbers. Rows that are functions of such sums have weights that change: [`Function`].

use super::function::{Bend, Derivatives, Function};
use super::{BoundConstraint, Mechanism};
use crate::constraint::{Constraint, MAX_ROWS, Row};
use crate::space::{FixedFrame, Pose, V3};
use crate::state::Tracked;

/// How far beyond its ends, in lengths of the curve, counts as on it: what a step may be off.
const ENDS: f64 = 1e-6;

/// What a composed row stands for.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Relation {
    /// A linear relation of two or three joint coordinates.
    Coupler,
    /// Two gears whose teeth have one velocity.
    Gear(Pitch),
    /// A pinion that rolls on a rack.
    RackAndPinion,
    /// A constraint by expression.
    Equation,
    /// The origin of a marker on a curve.
    PointOnCurve,
    /// Two plane curves that touch.
    CurveOnCurve,
    /// A node of a flexible body with its floating frame and modal coordinates.
    Node,
    /// What carries modal coordinates of a flexible body, with the ground.
    Carrier,
}

/// Where two gears touch.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Pitch {
    /// Frame on the carrier: its origin is the pitch point, its z axis the direction of the common velocity.
    pub frame: FixedFrame,
    /// Joints of the two gears with the carrier, indices of [`Mechanism::constraint_sets`].
    pub joints: [usize; 2],
}

impl Relation {
    /// As messages call it.
    pub(crate) fn kind(self) -> &'static str {
        match self {
            Self::Coupler => "coupler",
            Self::Gear(_) => "gear",
            Self::RackAndPinion => "rack_and_pinion",
            Self::Equation => "constraint",
            Self::PointOnCurve => "point_on_curve",
            Self::CurveOnCurve => "curve_on_curve",
            Self::Node | Self::Carrier => "flexible",
        }
    }

    /// Whether it relates coordinates of joints, at which it acts.
    pub(crate) fn has_joints(self) -> bool {
        matches!(self, Self::Coupler | Self::Gear(_) | Self::RackAndPinion)
    }
}

/// One coordinate of a composed row.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Term {
    /// The coordinate: an angle about z of J, or a displacement along it.
    pub constraint: Constraint,
    /// Its joint, an index of [`Mechanism::constraint_sets`]; of a function the row's own set.
    pub set: usize,
    /// What it is multiplied by.
    pub weight: f64,
    /// Argument of the function that it is part of, from 1; 0 without a function.
    pub argument: usize,
    /// Of an angle, its counter of full turns.
    pub counter: Option<usize>,
}

/// Terms of a composed row.
#[derive(Debug, Clone, PartialEq)]
pub struct Composed {
    /// Terms, in the order of the model.
    pub terms: Vec<Term>,
    /// Their sum at the assembled start, which is subtracted.
    pub offset: f64,
    /// What the relation as the model says it was divided by.
    pub scale: f64,
    /// Function of the sums of the terms; the sum of all of them if absent.
    pub function: Option<Function>,
    /// Whether it holds from wherever the joints happen to be on, by `offset`; else it is assembled as joints are.
    pub begins: bool,
}

/// Counters of turns at the last accepted step, and the time at which a row is asked for \[s\].
#[derive(Debug, Clone, Copy)]
pub(crate) struct Counted<'a> {
    pub angles: &'a [Tracked],
    pub time: f64,
}

impl Counted<'_> {
    /// Where turns do not matter.
    pub(crate) const NONE: Self = Self { angles: &[], time: 0.0 };
}

/// A two-frame constraint that makes up rows, alone or as a term of a composed row.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Part<'a> {
    pub constraint: &'a Constraint,
    pub weight: f64,
    counter: Option<usize>,
    offset: f64,
    /// Of a function, what this part brings to Phi in place of its own value: all with the first.
    value: Option<f64>,
    /// What the rate of the row has besides the velocities, with the first part.
    pub by_time: f64,
    /// Argument of the function, if there is one.
    pub argument: usize,
    /// Whether it is the only one or the first: the others add to its row.
    pub leads: bool,
}

impl BoundConstraint {
    /// The constraint, or the terms of its composed row; weights of functions are not known. For patterns.
    #[inline]
    pub(crate) fn parts(&self) -> impl Iterator<Item = Part<'_>> {
        self.weighted(None)
    }

    /// As [`BoundConstraint::parts`], with the weights at `poses`.
    #[inline]
    pub(crate) fn parts_at(&self, poses: &[Pose], counted: Counted<'_>) -> impl Iterator<Item = Part<'_>> {
        self.weighted(self.composed.as_ref().and_then(|composed| composed.expand(poses, counted)))
    }

    #[inline]
    fn weighted(&self, known: Option<Derivatives>) -> impl Iterator<Item = Part<'_>> {
        let count = self.composed.as_ref().map_or(1, |composed| composed.terms.len());
        (0..count).map(move |k| match &self.composed {
            None => Part {
                constraint: &self.constraint,
                weight: 1.0,
                counter: None,
                offset: 0.0,
                value: None,
                by_time: 0.0,
                argument: 0,
                leads: true,
            },
            Some(composed) => {
                let Term { constraint, weight, counter, argument, .. } = &composed.terms[k];
                let (leads, argument) = (k == 0, *argument);
                let first = |x: f64| if leads { x } else { 0.0 };
                let factor = known.as_ref().map_or(1.0, |known| known.by(argument));
                Part {
                    constraint,
                    weight: weight * factor,
                    counter: *counter,
                    offset: first(composed.offset),
                    value: known.as_ref().map(|known| first(known.value)),
                    by_time: known.as_ref().map_or(0.0, |known| first(known.by(0))),
                    argument,
                    leads,
                }
            }
        })
    }

    /// Whether its row holds from wherever the joints happen to be on.
    #[inline]
    pub(crate) fn begins(&self) -> bool {
        self.composed.as_ref().is_some_and(|composed| composed.begins)
    }

    /// Whether its row is a function of coordinates.
    #[inline]
    pub(crate) fn function(&self) -> Option<&Function> {
        self.composed.as_ref()?.function.as_ref()
    }

    /// Whether its row is a function of the time as well: it prescribes, as a motion does.
    pub(crate) fn is_timed(&self) -> bool {
        matches!(self.function(), Some(Function::Expression(program)) if program.slots().contains(&0))
    }

    /// Second derivatives of its function, if it has one.
    #[inline]
    pub(crate) fn bend(&self, poses: &[Pose], counted: Counted<'_>) -> Option<Bend> {
        self.composed.as_ref()?.bend(poses, counted)
    }

    /// Whether several parts make up its row.
    #[inline]
    pub(crate) fn is_composed(&self) -> bool {
        self.composed.is_some()
    }
}

impl Mechanism {
    /// The constraints with their parts, in the order of the rows.
    #[inline]
    pub(crate) fn parts(&self) -> impl Iterator<Item = (&BoundConstraint, Part<'_>)> {
        self.constraints.iter().flat_map(|bound| bound.parts().map(move |part| (bound, part)))
    }

    /// The first row that is a function of places beyond the ends of an open curve, and how far beyond \[m\].
    pub(crate) fn beyond_ends(&self, poses: &[Pose], counted: Counted<'_>) -> Option<(usize, f64)> {
        self.roles.ended.iter().find_map(|&k| {
            let bound = &self.constraints[k];
            let composed = bound.composed.as_ref()?;
            let function = composed.function.as_ref()?;
            let beyond = composed.beyond(function, poses, counted);
            (beyond > ENDS * function.size()).then_some((bound.set, beyond))
        })
    }

    /// Terms of the composed row of a set; none of joints and motions.
    #[must_use]
    pub fn terms(&self, set: usize) -> &[Term] {
        self.composed(set).map_or(&[], |(_, composed)| &composed.terms)
    }

    /// The composed row of a set: its number among all rows, and what it is.
    pub(crate) fn composed(&self, set: usize) -> Option<(usize, &Composed)> {
        let bound = self.constraints.get(self.sets[set].constraints.clone())?.first()?;
        bound.composed.as_deref().map(|composed| (bound.first, composed))
    }

    /// Whether rows have several terms, and thus may act on more than two bodies.
    #[must_use]
    pub fn has_composed_rows(&self) -> bool {
        self.constraints.iter().any(BoundConstraint::is_composed)
    }
}

impl Part<'_> {
    /// Adds `value` to what the parts before made of a row, or begins with it.
    #[inline]
    pub(crate) fn put(&self, row: &mut f64, value: f64) {
        *row = if self.leads { value } else { *row + value };
    }

    /// Evaluates the rows, times the weight; angles are counted.
    #[inline]
    pub(crate) fn rows(&self, poses: &[Pose], counted: Counted<'_>, rows: &mut [Row; MAX_ROWS]) {
        self.constraint.rows(poses, rows);
        if let Some(angle) = self.counter.and_then(|k| counted.angles.get(k)) {
            let rate = rows[0].rate(&poses[self.constraint.i.body], &poses[self.constraint.j.body]);
            rows[0].phi = angle.continued(rows[0].phi, rate, counted.time);
        }
        self.weigh(rows);
        match self.value {
            Some(value) => rows[0].phi = value,
            None => rows[0].phi -= self.offset,
        }
    }

    /// Adds what the velocity row's gradient by (dx, dpi_i, dpi_j) has by the bend of the function of `bound`: the rate of F_a times the gradient of
    /// its argument.
    pub(crate) fn add_bend(&self, bend: &Bend, bound: &BoundConstraint, poses: &[Pose], gradient: &mut [V3; 3]) {
        let Some(composed) = &bound.composed else { return };
        let mut rows = [Row::zero(); MAX_ROWS];
        self.constraint.rows(poses, &mut rows);
        let own = composed.terms.iter().find(|term| std::ptr::eq(&term.constraint, self.constraint));
        let factor = own.map_or(0.0, |term| term.weight) * bend.rate(self.argument);
        let Row { g, gi, gj, .. } = rows[0];
        gradient.iter_mut().zip([g, gi, gj]).for_each(|(sum, g)| *sum += g * factor);
    }

    /// As [`Part::rows`], of angles modulo a turn: for the gradients, which do not depend on turns.
    #[inline]
    pub(crate) fn gradients(&self, poses: &[Pose], rows: &mut [Row; MAX_ROWS]) {
        self.constraint.rows(poses, rows);
        self.weigh(rows);
    }

    /// Terms of composed rows have one row each.
    #[inline]
    fn weigh(&self, rows: &mut [Row; MAX_ROWS]) {
        if self.weight != 1.0 {
            let Row { phi, g, gi, gj } = rows[0];
            let w = self.weight;
            rows[0] = Row { phi: phi * w, g: g * w, gi: gi * w, gj: gj * w };
        }
    }
}
