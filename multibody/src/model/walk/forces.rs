//! The walk through forces.

use super::{Dimension, Walk};
use crate::model::{
    AxialTorque, Beam, Bushing, Field, Force, Friction, GeneralForce, GyroscopicCouple, LineForce, MarkerRef, Six,
    SpringDamper, TorsionSpringDamper, VectorForce,
};

pub(super) fn friction(walk: &mut dyn Walk, friction: &mut Friction) {
    let Friction {
        name,
        joint,
        mu_dynamic,
        mu_static,
        transition_velocity,
        viscous,
        pin_radius,
        reaction: _,
        friction_arm,
        bending_arm,
        torsion_arm,
        preload_force,
        preload_torque,
    } = friction;
    walk.name(name);
    walk.name(joint);
    walk.expression(mu_dynamic, Dimension::NONE);
    walk.optional(mu_static, Dimension::NONE);
    walk.expression(transition_velocity, Dimension::LENGTH.times_time(-1));
    walk.optional(viscous, Dimension::FORCE.times_length(-1).times_time(1));
    for arm in [pin_radius, friction_arm, bending_arm, torsion_arm] {
        walk.optional(arm, Dimension::LENGTH);
    }
    walk.optional(preload_force, Dimension::FORCE);
    walk.optional(preload_torque, Dimension::TORQUE);
}

pub(super) fn force(walk: &mut dyn Walk, force: &mut Force) {
    match force {
        Force::SpringDamper(SpringDamper { name, i, j, stiffness, damping, free_length, preload }) => {
            pair(walk, name, i, j);
            walk.expression(stiffness, Dimension::FORCE.times_length(-1));
            walk.expression(damping, Dimension::FORCE.times_length(-1).times_time(1));
            walk.optional(free_length, Dimension::LENGTH);
            walk.expression(preload, Dimension::FORCE);
        }
        Force::TorsionSpringDamper(TorsionSpringDamper { name, i, j, stiffness, damping, free_angle, preload }) => {
            pair(walk, name, i, j);
            walk.expression(stiffness, Dimension::TORQUE);
            walk.expression(damping, Dimension::TORQUE.times_time(1));
            walk.optional(free_angle, Dimension::NONE);
            walk.expression(preload, Dimension::TORQUE);
        }
        Force::LineForce(LineForce { name, i, j, value }) => {
            pair(walk, name, i, j);
            walk.expression(value, Dimension::FORCE);
        }
        Force::AxialTorque(AxialTorque { name, i, j, value }) => {
            pair(walk, name, i, j);
            walk.expression(value, Dimension::TORQUE);
        }
        Force::Bushing(b) => {
            let Bushing { name, i, j, stiffness, damping, stiffness_matrix, damping_matrix, preload, angles: _ } =
                &mut **b;
            pair(walk, name, i, j);
            six(walk, preload, force_of);
            six(walk, stiffness, |k| stiffness_of(k, k));
            six(walk, damping, |k| stiffness_of(k, k).times_time(1));
            rows_of(walk, stiffness_matrix, 0);
            rows_of(walk, damping_matrix, 1);
        }
        Force::Field(f) => {
            let Field { name, i, j, stiffness_matrix, damping_matrix, free, preload, angles: _ } = &mut **f;
            pair(walk, name, i, j);
            rows_of(walk, stiffness_matrix, 0);
            rows_of(walk, damping_matrix, 1);
            six(walk, free, |k| if k < 3 { Dimension::LENGTH } else { Dimension::NONE });
            six(walk, preload, force_of);
        }
        Force::Gforce(f) => {
            let GeneralForce { name, i, reaction, frame, force, torque } = &mut **f;
            walk.name(name);
            walk.reference(i);
            walk.carrier(reaction);
            walk.frame(frame);
            walk.vector(force, Dimension::FORCE);
            walk.vector(torque, Dimension::TORQUE);
        }
        Force::GyroscopicCouple(GyroscopicCouple { name, i, momentum }) => {
            walk.name(name);
            walk.reference(i);
            walk.expression(momentum, Dimension::MASS.times_length(2).times_time(-1));
        }
        Force::Beam(b) => beam(walk, b),
        Force::Force(f) => vector_force(walk, f, Dimension::FORCE),
        Force::Torque(f) => vector_force(walk, f, Dimension::TORQUE),
    }
}

/// What component `k` of a force with its torque measures.
fn force_of(k: usize) -> Dimension {
    if k < 3 { Dimension::FORCE } else { Dimension::TORQUE }
}

/// What the entry of row `k` and column `l` of a stiffness matrix measures.
fn stiffness_of(k: usize, l: usize) -> Dimension {
    force_of(k).times_length(if l < 3 { -1 } else { 0 })
}

fn six(walk: &mut dyn Walk, six: &mut Six, dimension: impl Fn(usize) -> Dimension) {
    six.iter_mut().enumerate().for_each(|(k, e)| walk.expression(e, dimension(k)));
}

/// A matrix of stiffnesses times this power of a time.
fn rows_of(walk: &mut dyn Walk, matrix: &mut Option<[Six; 6]>, time: i32) {
    for (k, row) in matrix.iter_mut().flatten().enumerate() {
        six(walk, row, |l| stiffness_of(k, l).times_time(time));
    }
}

fn beam(walk: &mut dyn Walk, beam: &mut Beam) {
    let Beam {
        name,
        i,
        j,
        length,
        area,
        iyy,
        izz,
        ixx,
        asy,
        asz,
        youngs_modulus,
        shear_modulus,
        damping_ratio,
        damping_matrix,
        angles: _,
    } = beam;
    pair(walk, name, i, j);
    walk.expression(length, Dimension::LENGTH);
    walk.expression(area, Dimension::NONE.times_length(2));
    [iyy, izz, ixx].into_iter().for_each(|e| walk.expression(e, Dimension::NONE.times_length(4)));
    [asy, asz].into_iter().for_each(|e| walk.expression(e, Dimension::NONE));
    let pressure = Dimension::FORCE.times_length(-2);
    [youngs_modulus, shear_modulus].into_iter().for_each(|e| walk.expression(e, pressure));
    walk.expression(damping_ratio, Dimension::TIME);
    rows_of(walk, damping_matrix, 1);
}

fn pair(walk: &mut dyn Walk, name: &mut String, i: &mut MarkerRef, j: &mut MarkerRef) {
    walk.name(name);
    walk.reference(i);
    walk.reference(j);
}

fn vector_force(walk: &mut dyn Walk, force: &mut VectorForce, dimension: Dimension) {
    let VectorForce { name, i, reaction, frame, value } = force;
    walk.name(name);
    walk.reference(i);
    walk.carrier(reaction);
    walk.frame(frame);
    walk.vector(value, dimension);
}
