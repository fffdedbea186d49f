//! The walk through curves and constraints by expression.

use super::{Dimension, Walk};
use crate::model::{Curve, CurveOnCurve, EquationConstraint, PointOnCurve};

pub(super) fn curve(walk: &mut dyn Walk, curve: &mut Curve) {
    let Curve { name, marker, points, closed: _, file: _, columns: _, source: _ } = curve;
    walk.name(name);
    walk.frame(marker);
    points.iter_mut().flatten().for_each(|x| walk.expression(x, Dimension::LENGTH));
}

pub(super) fn point(walk: &mut dyn Walk, point: &mut PointOnCurve) {
    let PointOnCurve { name, i, curve } = point;
    walk.name(name);
    walk.reference(i);
    walk.name(curve);
}

pub(super) fn pair(walk: &mut dyn Walk, pair: &mut CurveOnCurve) {
    let CurveOnCurve { name, curves: [first, second] } = pair;
    [name, first, second].into_iter().for_each(|name| walk.name(name));
}

pub(super) fn equation(walk: &mut dyn Walk, each: &mut EquationConstraint) {
    let EquationConstraint { name, equation, i } = each;
    walk.name(name);
    // It is divided by its slope, whatever it measures.
    walk.expression(equation, Dimension::NONE);
    if let Some(i) = i {
        walk.reference(i);
    }
}
