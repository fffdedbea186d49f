//! Measures of one body, and of one force element.

use super::markers;
use super::measures::{Add, components, global};
use super::scope::{Scope, unknown};
use crate::error::{Location, ModelError};
use crate::measure::{BodyQuantity, Energy, Load, Projection, Source};
use crate::model::{EnergyMeasure, Force, MarkerRef, Model, MomentumMeasure, Quantity, ReactionMeasure};
use crate::space::FixedFrame;

type Field<'a> = dyn Fn(&str) -> Location + 'a;

/// Axes of the components.
fn axes(scope: &Scope<'_>, frame: Option<&MarkerRef>, field: &Field<'_>) -> Result<FixedFrame, Box<ModelError>> {
    frame.map_or_else(|| Ok(global(scope)), |frame| markers::resolve(scope, frame, &field("frame")))
}

/// A body other than the ground.
fn moving(scope: &Scope<'_>, name: &str, field: &Field<'_>) -> Result<usize, Box<ModelError>> {
    let body = scope.body(name, &field("body"))?;
    if body == scope.bodies.len() {
        let problem = "the ground has neither energy nor momentum";
        return Err(ModelError::new(field("body"), problem, "name a body that moves"));
    }
    Ok(body)
}

/// An energy of all bodies or of one.
pub(super) fn energy(
    scope: &Scope<'_>,
    energy: Energy,
    measure: &EnergyMeasure,
    field: &Field<'_>,
) -> Result<Source, Box<ModelError>> {
    let Some(name) = &measure.body else { return Ok(Source::Energy(energy)) };
    Ok(Source::Body { body: moving(scope, name, field)?, quantity: BodyQuantity::Energy(energy) })
}

/// The linear or angular momentum of a body.
pub(super) fn momentum(
    scope: &Scope<'_>,
    angular: bool,
    measure: &MomentumMeasure,
    field: &Field<'_>,
    add: &mut Add<'_>,
) -> Result<(), Box<ModelError>> {
    let body = moving(scope, &measure.body, field)?;
    let frame = axes(scope, measure.frame.as_ref(), field)?;
    for (component, suffix) in components(measure.component) {
        let projection = Projection { frame, component };
        let (unit, quantity) = match angular {
            true => ("N m s", BodyQuantity::AngularMomentum(projection)),
            false => ("N s", BodyQuantity::Momentum(projection)),
        };
        add(suffix, unit, Source::Body { body, quantity });
    }
    Ok(())
}

/// Force or torque of a force element, or of friction at a joint.
pub(super) fn load(
    model: &Model,
    scope: &Scope<'_>,
    name: &str,
    r: &ReactionMeasure,
    field: &Field<'_>,
    add: &mut Add<'_>,
) -> Result<(), Box<ModelError>> {
    let of_friction = model.frictions.iter().map(|friction| friction.name.as_str());
    let mut known = model.forces.iter().map(Force::name).chain(of_friction);
    if !known.clone().any(|known| known == name) {
        return Err(unknown("force", name, known.by_ref(), &field("force")));
    }
    let frame = axes(scope, r.frame.as_ref(), field)?;
    let unit = if r.quantity == Quantity::Force { "N" } else { "N m" };
    for (component, suffix) in components(r.component) {
        let projection = Projection { frame, component };
        add(suffix, unit, Source::Load(Load { force: name.to_owned(), quantity: r.quantity, projection }));
    }
    Ok(())
}
