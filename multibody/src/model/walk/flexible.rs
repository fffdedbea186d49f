//! The walk through flexible bodies. Modal coordinates are lengths.

use super::{Dimension, RATE, VELOCITY, Walk};
use crate::model::{Flexible, FlexibleBeam, FlexibleNode, ModalData};

pub(super) fn flexible(walk: &mut dyn Walk, body: &mut Flexible) {
    let Flexible {
        name,
        beam,
        data,
        file: _,
        source: _,
        position,
        orientation,
        velocity,
        angular_velocity,
        damping_ratio,
        stiffness_damping,
        start,
        start_rate,
    } = body;
    walk.name(name);
    walk.vector(position, Dimension::LENGTH);
    walk.orientation(orientation);
    walk.vector(velocity, VELOCITY);
    walk.vector(angular_velocity, RATE);
    walk.optional(damping_ratio, Dimension::NONE);
    walk.optional(stiffness_damping, Dimension::TIME);
    start.iter_mut().for_each(|e| walk.expression(e, Dimension::LENGTH));
    start_rate.iter_mut().for_each(|e| walk.expression(e, VELOCITY));
    beam.iter_mut().for_each(|b| self::beam(walk, b));
    data.iter_mut().for_each(|d| modal(walk, d));
}

fn beam(walk: &mut dyn Walk, beam: &mut FlexibleBeam) {
    let FlexibleBeam {
        length,
        area,
        iyy,
        izz,
        ixx,
        youngs_modulus,
        shear_modulus,
        density,
        shear_factor,
        elements: _,
        modes: _,
        highest_frequency,
        stations,
    } = beam;
    walk.expression(length, Dimension::LENGTH);
    walk.expression(area, Dimension::LENGTH.times_length(1));
    let moments = [iyy, izz].into_iter().chain(ixx);
    moments.for_each(|e| walk.expression(e, Dimension::LENGTH.times_length(3)));
    [youngs_modulus, shear_modulus].into_iter().for_each(|e| walk.expression(e, Dimension::FORCE.times_length(-2)));
    walk.expression(density, Dimension::MASS.times_length(-3));
    walk.expression(shear_factor, Dimension::NONE);
    walk.optional(highest_frequency, RATE);
    stations.values_mut().for_each(|e| walk.expression(e, Dimension::LENGTH));
}

fn modal(walk: &mut dyn Walk, data: &mut ModalData) {
    let ModalData { node, stiffness, stiffness_matrix, damping_matrix } = data;
    let stiff = Dimension::FORCE.times_length(-1);
    stiffness.iter_mut().chain(stiffness_matrix.iter_mut().flatten()).for_each(|value| walk.number(value, stiff));
    damping_matrix.iter_mut().flatten().for_each(|value| walk.number(value, stiff.times_time(1)));
    for FlexibleNode { name: _, position, mass, inertia, modes } in node {
        position.iter_mut().for_each(|value| walk.number(value, Dimension::LENGTH));
        walk.number(mass, Dimension::MASS);
        inertia.iter_mut().for_each(|value| walk.number(value, Dimension::MASS.times_length(2)));
        let turns = modes.iter_mut().flat_map(|mode| &mut mode[3..]);
        turns.for_each(|value| walk.number(value, Dimension::NONE.times_length(-1)));
    }
}
