//! The walk through measures.

use super::{Dimension, Walk};
use crate::model::{
    EnergyMeasure, ExpressionMeasure, Measure, MeasureKind, MomentumMeasure, PairMeasure, ReactionMeasure,
    VectorMeasure,
};

/// `differentiated`: whether a vector is, as seen from a marker.
fn vector_measure(walk: &mut dyn Walk, measure: &mut VectorMeasure, differentiated: bool) {
    let VectorMeasure { i, j, frame, seen_from, component: _ } = measure;
    walk.reference(i);
    walk.frame(j);
    walk.frame(frame);
    if differentiated || seen_from.is_some() {
        walk.frame(seen_from);
    }
}

pub(super) fn measure(walk: &mut dyn Walk, measure: &mut Measure) {
    use MeasureKind as K;
    let Measure { name, kind } = measure;
    walk.name(name);
    match kind {
        K::Position(m) | K::AngularVelocity(m) => vector_measure(walk, m, false),
        K::Velocity(m) | K::Acceleration(m) | K::AngularAcceleration(m) => vector_measure(walk, m, true),
        K::Angle(m)
        | K::AxisAngles(m)
        | K::EulerAngles(m)
        | K::YawPitchRoll(m)
        | K::Quaternion(m)
        | K::Distance(m)
        | K::DistanceRate(m) => {
            let PairMeasure { i, j } = m;
            walk.reference(i);
            walk.frame(j);
        }
        K::Reaction(m) => {
            let ReactionMeasure {
                joint,
                motion,
                force,
                coupler,
                gear,
                rack_and_pinion,
                point_on_curve,
                curve_on_curve,
                constraint,
                quantity: _,
                frame,
                component: _,
            } = m;
            [joint, motion, force, coupler, gear, rack_and_pinion, point_on_curve, curve_on_curve, constraint]
                .into_iter()
                .flatten()
                .for_each(|name| walk.name(name));
            walk.frame(frame);
        }
        K::KineticEnergy(m) | K::PotentialEnergy(m) | K::TotalEnergy(m) => {
            let EnergyMeasure { body } = m;
            body.iter_mut().for_each(|name| walk.name(name));
        }
        K::Momentum(MomentumMeasure { body, frame, component: _ })
        | K::AngularMomentum(MomentumMeasure { body, frame, component: _ }) => {
            walk.name(body);
            walk.frame(frame);
        }
        K::Expression(ExpressionMeasure { expression, unit: _ }) => walk.expression(expression, Dimension::NONE),
    }
}
