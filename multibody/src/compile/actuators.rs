//! Actuators written out as what they are made of: an input, a force that it gives the size of, two measures.

use super::check::{at, unique};
use crate::error::{Location, ModelError};
use crate::expression::{Expression, is_free_name};
use crate::model::{
    Actuator, ActuatorKind, AxialTorque, Component, Force, Input, LineForce, Measure, MeasureKind, Model, PairMeasure,
    VectorMeasure,
};
use std::borrow::Cow;

/// The model without actuators that says the same.
pub(super) fn write_out(model: &Model) -> Result<Cow<'_, Model>, Box<ModelError>> {
    if model.actuators.is_empty() {
        return Ok(Cow::Borrowed(model));
    }
    unique("actuator", model.actuators.iter().map(|actuator| actuator.name.as_str()))?;
    let mut whole =
        Model { motions: model.motions_in_force().cloned().collect(), actuators: Vec::new(), ..model.clone() };
    for (index, actuator) in model.actuators.iter().enumerate() {
        let field = |field: &str| at("actuator", index, &actuator.name, field);
        check(model, index, &field)?;
        let (unit, kind) = match actuator.kind {
            ActuatorKind::Force => ("N", line_measures(actuator)),
            ActuatorKind::Torque => ("N m", axis_measures(actuator)),
        };
        let value = Expression::parse(&actuator.input())
            .map_err(|error| ModelError::new(field("name"), error.to_string(), "choose another name"))?;
        whole.inputs.push(Input { name: actuator.input(), unit: unit.to_owned(), value: actuator.start.clone() });
        whole.measures.extend(actuator.outputs().into_iter().zip(kind).map(|(name, kind)| Measure { name, kind }));
        let (name, i, j) = (actuator.name.clone(), actuator.i.clone(), actuator.j.clone());
        whole.forces.push(match actuator.kind {
            ActuatorKind::Force => Force::LineForce(LineForce { name, i, j, value }),
            ActuatorKind::Torque => Force::AxialTorque(AxialTorque { name, i, j, value }),
        });
    }
    Ok(Cow::Owned(whole))
}

/// Refuses what the written-out model would be refused for, at the actuator.
fn check(model: &Model, index: usize, field: &dyn Fn(&str) -> Location) -> Result<(), Box<ModelError>> {
    let actuator = &model.actuators[index];
    if !is_free_name(&actuator.input()) {
        return Err(ModelError::new(
            field("name"),
            format!(
                "`{}` cannot name an actuator, since expressions could not use `{}`",
                actuator.name,
                actuator.input()
            ),
            "use letters, digits, _ and ., beginning with a letter",
        ));
    }
    if model.forces.iter().any(|force| force.name() == actuator.name) {
        return Err(ModelError::new(field("name"), "a force has this name", "choose another name for one of them"));
    }
    for name in actuator.outputs().iter().chain([&actuator.input()]) {
        let taken = model.measures.iter().any(|measure| measure.name == *name)
            || model.inputs.iter().any(|input| input.name == *name)
            || model.parameters.contains_key(name);
        if taken {
            let problem = format!("the actuator brings \"{name}\", a name that is taken");
            return Err(ModelError::new(field("name"), problem, "choose another name for one of them"));
        }
    }
    let Some(motion) = &actuator.replaces else { return Ok(()) };
    if model.motions.iter().all(|known| known.name != *motion) {
        let known = model.motions.iter().map(|motion| motion.name.as_str());
        return Err(ModelError::unknown("motion", motion, known, &field("replaces")));
    }
    let earlier = model.actuators[..index].iter().find(|other| other.replaces.as_ref() == Some(motion));
    earlier.map_or(Ok(()), |other| {
        let problem = format!("the motion \"{motion}\" is replaced by actuator \"{}\" already", other.name);
        Err(ModelError::new(field("replaces"), problem, "name the motion once"))
    })
}

fn line_measures(actuator: &Actuator) -> [MeasureKind; 2] {
    let pair = || PairMeasure { i: actuator.i.clone(), j: Some(actuator.j.clone()) };
    [MeasureKind::Distance(pair()), MeasureKind::DistanceRate(pair())]
}

fn axis_measures(actuator: &Actuator) -> [MeasureKind; 2] {
    let (i, j) = (actuator.i.clone(), Some(actuator.j.clone()));
    let rate =
        VectorMeasure { i: i.clone(), j: j.clone(), frame: j.clone(), component: Some(Component::Z), seen_from: None };
    [MeasureKind::Angle(PairMeasure { i, j }), MeasureKind::AngularVelocity(rate)]
}
