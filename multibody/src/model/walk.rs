//! A walk through a model past every number and every name: for conversions of units and for models within models.
//!
//! Every struct is taken apart by all of its fields, so that a new field is a compile error here until it has its dimension.

mod blocks;
mod curves;
mod flexible;
mod forces;
mod measures;
mod sensors;

use super::{
    AbsoluteTolerances, Actuator, ActuatorKind, Body, CoupledJoint, Coupler, Dimension, Direction, Frame, Gear,
    InitialConditions, Input, Joint, JointKind, Marker, MarkerRef, Model, Motion, MotionDirection, Orientation, Place,
    RackAndPinion, Rolling, Settings, Solid, Spline, Vector3,
};
use crate::expression::Expression;
use std::collections::BTreeMap;

/// What is done to the numbers and names of a model; the methods that are not overridden do nothing.
pub trait Walk {
    /// An expression whose value has this dimension.
    fn expression(&mut self, _expression: &mut Expression, _dimension: Dimension) {}

    /// A number of this dimension that is no expression.
    fn number(&mut self, _number: &mut f64, _dimension: Dimension) {}

    /// As [`Walk::expression`], of an expression over a variable of its own.
    fn formula(&mut self, expression: &mut Expression, dimension: Dimension, _variable: &str) {
        self.expression(expression, dimension);
    }

    /// The name of an entry, where it is given and where others refer to it. Names of columns and of parameters count.
    fn name(&mut self, _name: &mut String) {}

    /// A marker.
    fn reference(&mut self, reference: &mut MarkerRef) {
        self.parts_of_reference(reference);
    }

    /// A marker that is the global frame where it is absent.
    fn frame(&mut self, reference: &mut Option<MarkerRef>) {
        if let Some(reference) = reference {
            self.reference(reference);
        }
    }

    /// A body that is the ground where it is absent.
    fn carrier(&mut self, body: &mut Option<String>) {
        if let Some(body) = body {
            self.name(body);
        }
    }

    /// A place on a body: that of a marker.
    fn place(&mut self, place: Placed<'_>) {
        self.parts_of_place(place);
    }

    /// Walks through a marker.
    fn parts_of_reference(&mut self, reference: &mut MarkerRef) {
        match reference {
            MarkerRef::Name(name) => self.name(name),
            MarkerRef::Inline(place) => {
                let Place { body, position, orientation, frame } = &mut **place;
                self.place(Placed { body, position, orientation, frame });
            }
        }
    }

    /// Walks through a place.
    fn parts_of_place(&mut self, place: Placed<'_>) {
        self.name(place.body);
        self.vector(place.position, Dimension::LENGTH);
        self.orientation(place.orientation);
    }

    /// Three numbers of one dimension.
    fn vector(&mut self, vector: &mut Vector3, dimension: Dimension) {
        vector.iter_mut().for_each(|e| self.expression(e, dimension));
    }

    /// A number that may be absent.
    fn optional(&mut self, expression: &mut Option<Expression>, dimension: Dimension) {
        if let Some(expression) = expression {
            self.expression(expression, dimension);
        }
    }

    /// Numbers without dimension.
    fn orientation(&mut self, orientation: &mut Orientation) {
        let Orientation { euler_313, axis, angle, quaternion, z_axis, x_axis } = orientation;
        let vectors = [euler_313, axis, z_axis, x_axis].into_iter().flatten().flatten();
        let all = vectors.chain(angle).chain(quaternion.iter_mut().flatten());
        all.for_each(|e| self.expression(e, Dimension::NONE));
    }
}

/// Where a marker is fixed, by its parts.
#[derive(Debug)]
pub struct Placed<'a> {
    /// Body, or `ground`.
    pub body: &'a mut String,
    /// Origin.
    pub position: &'a mut Vector3,
    /// Axes.
    pub orientation: &'a mut Orientation,
    /// Frame in which both are written.
    pub frame: &'a mut Frame,
}

const VELOCITY: Dimension = Dimension::LENGTH.times_time(-1);
const ACCELERATION: Dimension = Dimension::LENGTH.times_time(-2);
const RATE: Dimension = Dimension::NONE.times_time(-1);

impl Model {
    /// Takes `walk` past every number and name.
    pub fn walk(&mut self, walk: &mut dyn Walk) {
        let directions = self.joints.iter().map(|joint| (joint.name.clone(), joint.kind));
        let directions: BTreeMap<String, JointKind> = directions.collect();
        let Self {
            name: _,
            description: _,
            units: _,
            result_units: _,
            gravity,
            parameters,
            splines,
            simulation,
            bodies,
            flexible,
            markers,
            joints,
            rolling,
            couplers,
            gears,
            racks,
            curves,
            points_on_curves,
            curves_on_curves,
            equations,
            motions,
            actuators,
            inputs,
            states,
            transfer_functions,
            state_spaces,
            pids,
            forces,
            frictions,
            sensors,
            activities,
            measures,
        } = self;
        walk.vector(gravity, ACCELERATION);
        *parameters = std::mem::take(parameters).into_iter().map(|entry| parameter(walk, entry)).collect();
        splines
            .iter_mut()
            .for_each(|Spline { name, x: _, y: _, z: _, file: _, columns: _, source: _ }| walk.name(name));
        settings(walk, simulation);
        bodies.iter_mut().for_each(|b| body(walk, b));
        flexible.iter_mut().for_each(|b| flexible::flexible(walk, b));
        markers.iter_mut().for_each(|Marker { name, body, position, orientation, frame }| {
            walk.name(name);
            walk.place(Placed { body, position, orientation, frame });
        });
        joints.iter_mut().for_each(|j| joint(walk, j));
        rolling.iter_mut().for_each(|Rolling { name, shape: _, radius, i, j }| {
            walk.name(name);
            walk.reference(i);
            walk.frame(j);
            walk.expression(radius, Dimension::LENGTH);
        });
        couplers.iter_mut().for_each(|c| coupler(walk, c, &directions));
        for Gear { name, joints: [first, second], common_velocity } in gears {
            [name, first, second].into_iter().for_each(|name| walk.name(name));
            walk.reference(common_velocity);
        }
        for RackAndPinion { name, pinion, rack, pitch_radius } in racks {
            [name, pinion, rack].into_iter().for_each(|name| walk.name(name));
            walk.expression(pitch_radius, Dimension::LENGTH);
        }
        curves.iter_mut().for_each(|c| curves::curve(walk, c));
        points_on_curves.iter_mut().for_each(|p| curves::point(walk, p));
        curves_on_curves.iter_mut().for_each(|c| curves::pair(walk, c));
        equations.iter_mut().for_each(|e| curves::equation(walk, e));
        motions.iter_mut().for_each(|m| motion(walk, m, &directions));
        actuators.iter_mut().for_each(|a| actuator(walk, a));
        inputs.iter_mut().for_each(|Input { name, unit: _, value }| {
            walk.name(name);
            walk.expression(value, Dimension::NONE);
        });
        states.iter_mut().for_each(|s| blocks::state(walk, s));
        transfer_functions.iter_mut().for_each(|b| blocks::transfer_function(walk, b));
        state_spaces.iter_mut().for_each(|b| blocks::state_space(walk, b));
        pids.iter_mut().for_each(|b| blocks::pid(walk, b));
        forces.iter_mut().for_each(|f| forces::force(walk, f));
        frictions.iter_mut().for_each(|f| forces::friction(walk, f));
        sensors.iter_mut().for_each(|s| sensors::sensor(walk, s));
        activities.iter_mut().for_each(|a| sensors::activity(walk, a));
        measures.iter_mut().for_each(|m| measures::measure(walk, m));
    }
}

fn parameter(walk: &mut dyn Walk, (mut name, mut value): (String, Expression)) -> (String, Expression) {
    walk.name(&mut name);
    walk.expression(&mut value, Dimension::NONE);
    (name, value)
}

fn settings(walk: &mut dyn Walk, settings: &mut Settings) {
    let Settings {
        end,
        output_step,
        integrator: _,
        formulation: _,
        tolerance,
        absolute: AbsoluteTolerances { position, orientation, velocity, angular_velocity },
        first_step,
        min_step,
        max_step,
        max_order: _,
        alpha,
        rho_infinity,
        max_steps: _,
        stop_times,
    } = settings;
    for time in [end, output_step, first_step, min_step, max_step].into_iter().flatten().chain(stop_times) {
        walk.expression(time, Dimension::TIME);
    }
    for number in [tolerance, orientation, alpha, rho_infinity] {
        walk.optional(number, Dimension::NONE);
    }
    walk.optional(position, Dimension::LENGTH);
    walk.optional(velocity, VELOCITY);
    walk.optional(angular_velocity, RATE);
}

fn body(walk: &mut dyn Walk, body: &mut Body) {
    let Body {
        name,
        mass,
        inertia,
        center_of_mass,
        position,
        orientation,
        velocity,
        angular_velocity,
        exact: _,
        solids,
    } = body;
    walk.name(name);
    walk.expression(mass, Dimension::MASS);
    inertia.iter_mut().for_each(|e| walk.expression(e, Dimension::MASS.times_length(2)));
    walk.vector(center_of_mass, Dimension::LENGTH);
    walk.vector(position, Dimension::LENGTH);
    walk.orientation(orientation);
    walk.vector(velocity, VELOCITY);
    walk.vector(angular_velocity, RATE);
    solids.iter_mut().for_each(|s| solid(walk, s));
}

fn solid(walk: &mut dyn Walk, solid: &mut Solid) {
    let Solid {
        kind: _,
        density,
        mass,
        position,
        orientation,
        size,
        radius,
        inner_radius,
        length,
        from,
        to,
        width,
        thickness,
        outline,
    } = solid;
    walk.optional(density, Dimension::MASS.times_length(-3));
    walk.optional(mass, Dimension::MASS);
    walk.vector(position, Dimension::LENGTH);
    walk.orientation(orientation);
    for number in [radius, inner_radius, length, width, thickness] {
        walk.optional(number, Dimension::LENGTH);
    }
    for vector in [size, from, to].into_iter().flatten() {
        walk.vector(vector, Dimension::LENGTH);
    }
    outline.iter_mut().flatten().for_each(|e| walk.expression(e, Dimension::LENGTH));
}

fn joint(walk: &mut dyn Walk, joint: &mut Joint) {
    let Joint { name, kind: _, i, j, length, pitch, initial } = joint;
    let InitialConditions { angle, displacement, angular_velocity, velocity } = initial;
    walk.name(name);
    walk.reference(i);
    walk.reference(j);
    walk.optional(length, Dimension::LENGTH);
    walk.optional(pitch, Dimension::LENGTH);
    walk.optional(angle, Dimension::NONE);
    walk.optional(displacement, Dimension::LENGTH);
    walk.optional(angular_velocity, RATE);
    walk.optional(velocity, VELOCITY);
}

/// What the coordinate of a joint measures that a coupler or a stop names.
#[must_use]
pub fn coordinate(kind: Option<JointKind>, direction: Option<Direction>) -> Dimension {
    match (direction, kind) {
        (Some(Direction::Translation), _) | (None, Some(JointKind::Prismatic)) => Dimension::LENGTH,
        _ => Dimension::NONE,
    }
}

/// What the coordinate measures that a motion drives.
fn driven(kind: Option<JointKind>, direction: Option<MotionDirection>) -> Dimension {
    use MotionDirection as D;
    match direction {
        Some(D::Translation | D::X | D::Y | D::Z) => Dimension::LENGTH,
        Some(D::Rotation | D::RotationX | D::RotationY | D::RotationZ) => Dimension::NONE,
        None => coordinate(kind, None),
    }
}

fn coupler(walk: &mut dyn Walk, coupler: &mut Coupler, kinds: &BTreeMap<String, JointKind>) {
    let Coupler { name, joints } = coupler;
    walk.name(name);
    for CoupledJoint { joint, direction, ratio } in joints {
        // Every term of the sum is to have the dimension of an angle.
        let power = -coordinate(kinds.get(joint).copied(), *direction).length;
        walk.name(joint);
        walk.expression(ratio, Dimension::NONE.times_length(power));
    }
}

fn motion(walk: &mut dyn Walk, motion: &mut Motion, kinds: &BTreeMap<String, JointKind>) {
    let Motion {
        name,
        joint,
        i,
        j,
        direction,
        displacement,
        velocity,
        acceleration,
        initial_displacement,
        initial_velocity,
    } = motion;
    let coordinate = driven(joint.as_ref().and_then(|joint| kinds.get(joint).copied()), *direction);
    walk.name(name);
    joint.iter_mut().for_each(|name| walk.name(name));
    if let Some(i) = i {
        walk.reference(i);
        walk.frame(j);
    }
    for (number, power) in
        [(displacement, 0), (initial_displacement, 0), (velocity, -1), (initial_velocity, -1), (acceleration, -2)]
    {
        walk.optional(number, coordinate.times_time(power));
    }
}

fn actuator(walk: &mut dyn Walk, actuator: &mut Actuator) {
    let Actuator { name, kind, i, j, start, replaces } = actuator;
    walk.name(name);
    walk.reference(i);
    walk.reference(j);
    walk.expression(start, if *kind == ActuatorKind::Force { Dimension::FORCE } else { Dimension::TORQUE });
    if let Some(motion) = replaces {
        walk.name(motion);
    }
}
