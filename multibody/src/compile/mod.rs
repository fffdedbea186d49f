//! From [`Model`] to [`Mechanism`]: names and expressions resolved, every value checked.

mod actuators;
mod advice;
mod blocks;
mod bodies;
mod check;
mod couplers;
mod curves;
mod elastic;
mod elements;
mod equations;
mod flexible;
mod forces;
mod friction;
mod inputs;
mod joints;
mod markers;
mod measures;
mod motions;
mod names;
mod orientations;
mod outline;
mod rolling;
mod scope;
mod sensors;
mod shapes;
mod simulation;
mod solids;
mod stated;
mod states;
mod switches;
mod units;

pub(crate) use equations::check_slopes;
pub use names::Names;
pub(crate) use sensors::start_variant;
pub use simulation::Simulation;
pub use solids::{BodySolid, SolidForm, body_solids};
pub use units::{Factors, IntoSi};

use crate::error::{Error, ModelError};
use crate::host::HostFunctions;
use crate::mechanism::{AssemblyReport, Choice, Mechanism, RigidBody, Roles, Variant};
use crate::model::Model;
use crate::state::State;
use check::at;
use scope::Scope;
use std::borrow::Cow;

/// Compiles without assembling: the start state is as given, every row counts as independent.
pub(crate) fn compile(model: &Model, functions: &HostFunctions, variant: &Variant) -> Result<Mechanism, Error> {
    sensors::check(model)?;
    let model = match variant.parameters.is_empty() {
        true => Cow::Borrowed(model),
        false => Cow::Owned(sensors::with_parameters(model, variant)),
    };
    let written = blocks::write_out(&model)?;
    let mut mechanism = compile_written(&written.model, functions, variant).map_err(|error| match error {
        Error::Model(error) => Error::Model(written.locate(error)),
        other => other,
    })?;
    mechanism.advice = advice::advice(&model);
    Ok(mechanism)
}

/// As [`compile`], of a model without blocks.
fn compile_written(model: &Model, functions: &HostFunctions, variant: &Variant) -> Result<Mechanism, Error> {
    let model = &*model.in_si()?;
    let model = &*actuators::write_out(model)?;
    let mut scope = Scope::new(model)?;
    if model.bodies.is_empty() && model.flexible.is_empty() {
        let remedy = "add at least one [[body]]";
        return Err(Error::Model(ModelError::new(at("", 0, "", "body"), "the model has no body", remedy)));
    }
    let gravity = scope.vector(&model.gravity, &at("", 0, "", "gravity"))?;
    bodies::read(model, &mut scope)?;
    let flexible = flexible::read(model, &mut scope)?;
    let poses = scope.poses.clone();
    markers::read(model, &mut scope)?;
    let mut joints = joints::read(model, &scope, &functions.motions, variant)?;
    flexible::check_joints(model, &scope, &flexible, &joints)?;
    couplers::read(model, &scope, &mut joints)?;
    curves::read(model, &scope, &mut joints)?;
    flexible::bind(&scope, &flexible, &mut joints);
    let mut stated = stated::read(model, &scope)?;
    // What a joint states that does not act holds nothing.
    stated.retain(|own| !joints.sets[own.set].constraints.is_empty());
    let length = characteristic_length(&scope, &joints);
    equations::read(model, &scope, &mut joints, length)?;
    let mut bodies = std::mem::take(&mut scope.bodies);
    bodies::weigh(model, &mut bodies, length);
    joints::hint_hinges(&joints, &mut bodies);
    joints::leave_wobbling(&joints, &mut bodies);
    scope.bodies = bodies;
    let inputs = inputs::read(model, &scope)?;
    states::check(model)?;
    let mut measures = measures::read(model, &scope, &joints, &inputs, variant)?;
    let mut forces = forces::read(model, &scope, &mut measures, &functions.forces, variant)?;
    let states = states::read(model, &scope, &mut measures, &mut forces)?;
    let frictions = friction::read(model, &scope, &joints.sets)?;
    let switches = sensors::read(model, &scope, &mut measures, &inputs, variant)?;
    let measure_order = measures.order.clone();
    let (force_measures, measure_bodies, measure_states) = measures.used_by_forces(scope.bodies.len());
    let force_places = measures::places_of(&force_measures, measures.scalars.len());
    let bound = forces.bind(&force_measures, &measure_bodies, &measure_states, measures.scalars.len());
    let start = State {
        time: 0.0,
        accelerations: vec![[crate::space::V3::zeros(); 2]; poses.len()],
        poses,
        multipliers: Vec::new(),
        drives: Vec::new(),
        angles: Vec::new(),
    };
    let roles = Roles::of(&joints.constraints);
    let mut mechanism = Mechanism {
        roles,
        name: model.name.clone(),
        gravity,
        flexible,
        independent_rows: joints.constraints.iter().map(|c| c.constraint.row_count()).sum(),
        sets: std::mem::take(&mut joints.sets),
        constraints: joints.constraints,
        drives: joints.drives,
        stated,
        redundancies: Vec::new(),
        choice: Choice::default(),
        inputs,
        states,
        programs: bound,
        host_forces: forces.hosts,
        scalar_forces: forces.scalar,
        vector_forces: forces.vector,
        elastic_forces: forces.elastics,
        frictions,
        measure_infos: measures.scalars.iter().map(|m| m.info.clone()).collect(),
        measures: measures.scalars,
        measure_order,
        force_places,
        force_measures,
        measure_bodies,
        measure_states,
        tracked: measures.tracked,
        bodies: scope.bodies,
        breaks: [].into(),
        watched: crate::force::Watched::default(),
        timed_places: Vec::new(),
        length,
        switches,
        origin: None,
        advice: Vec::new(),
        start,
        saddle: None,
        assembly: AssemblyReport::default(),
    };
    let watched = mechanism.moving_programs().chain(mechanism.switches.programs());
    mechanism.breaks = watched.flat_map(|program| program.breaks(0)).collect();
    mechanism.watched = mechanism.conditions();
    mechanism.timed_places = mechanism.timed_places();
    Ok(mechanism)
}

/// Lengths up to this one \[m\] are no size of a machine but what rounding leaves of coordinates, as of 3*0.1 - 0.3.
const NO_LENGTH: f64 = 1e-12;

/// A length that stands for the size of the mechanism: the largest distance of a joint from the centre of mass of a body it
/// holds, else the largest radius of gyration of a body that can turn, else the largest distance of a centre of mass from a joint of the ground,
/// else the largest radius of gyration of any body, else 1 m.
fn characteristic_length(scope: &Scope<'_>, joints: &joints::Joints) -> f64 {
    let ground = scope.bodies.len();
    let arms = joints.sets.iter().flat_map(|s| [s.i, s.j]).filter(|f| f.body != ground).map(|f| f.r.norm());
    let longest = arms.fold(0.0_f64, f64::max);
    let guided = joints.guided(ground);
    let of_body = |body: &RigidBody| (body.inertia.trace() / (2.0 * body.mass)).sqrt();
    let turning = scope.bodies.iter().zip(&guided).filter(|(_, guided)| !**guided).map(|(body, _)| of_body(body));
    let fixed = joints.sets.iter().flat_map(|s| [s.i, s.j]).filter(|f| f.body == ground).map(|f| f.r);
    let far = fixed.flat_map(|r| scope.poses.iter().map(move |pose| (pose.x - r).norm()));
    let first = |lengths: &mut dyn Iterator<Item = f64>| lengths.fold(0.0_f64, f64::max);
    let gyration = scope.bodies.iter().map(of_body);
    let candidates = [longest, first(&mut { turning }), first(&mut { far }), first(&mut { gyration })];
    candidates.into_iter().find(|length| *length > NO_LENGTH).unwrap_or(1.0)
}
