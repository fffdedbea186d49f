//! Sensors and activities: names resolved, columns added.

use super::check::{at, unique};
use super::measures::Measures;
use super::scope::{Scope, unknown};
use crate::error::{Location, ModelError};
use crate::input::InputInfo;
use crate::measure::{Source, SwitchColumn};
use crate::mechanism::{BoundActivity, BoundSensor, Element, Switches, Target, Variant};
use crate::model::{ElementKind, Force, Model, Sensor};
use std::collections::BTreeSet;

type Refused = Box<ModelError>;

/// Elements by the names of their section.
fn names(model: &Model, kind: ElementKind) -> Vec<&str> {
    match kind {
        ElementKind::Joint => model.joints.iter().map(|joint| joint.name.as_str()).collect(),
        ElementKind::Motion => model.motions_in_force().map(|motion| motion.name.as_str()).collect(),
        ElementKind::Force => model.forces.iter().map(Force::name).collect(),
    }
}

/// The elements that a sensor turns on or off.
pub(super) fn turns(model: &Model, index: usize, sensor: &Sensor) -> Result<Vec<(Element, bool)>, Refused> {
    use ElementKind::{Force, Joint, Motion};
    let constraints: &[ElementKind] = &[Joint, Motion];
    let lists = [
        ("lock", &sensor.lock, constraints, true),
        ("release", &sensor.release, constraints, false),
        ("activate", &sensor.activate, &[Force], true),
        ("deactivate", &sensor.deactivate, &[Force], false),
    ];
    let mut turns: Vec<(Element, bool)> = Vec::new();
    for (field, list, kinds, acts) in lists {
        for name in list {
            let place = at("sensor", index, &sensor.name, field);
            let element = element(model, name, kinds, &place)?;
            if turns.iter().any(|(other, _)| *other == element) {
                let problem = format!("{} \"{name}\" is named twice", element.0.word());
                return Err(ModelError::new(place, problem, "name it once, in one of the lists"));
            }
            turns.push((element, acts));
        }
    }
    Ok(turns)
}

fn element(model: &Model, name: &str, kinds: &[ElementKind], place: &Location) -> Result<Element, Refused> {
    let mut found = kinds.iter().filter(|kind| names(model, **kind).contains(&name));
    match (found.next(), found.next()) {
        (Some(kind), None) => Ok((*kind, name.to_owned())),
        (Some(_), Some(_)) => Err(ModelError::new(
            place.clone(),
            format!("a joint and a motion are called \"{name}\""),
            "give one of them another name",
        )),
        _ => {
            if let Some((what, remedy)) = not_switched(model, name, kinds) {
                return Err(ModelError::new(place.clone(), format!("\"{name}\" is {what}"), remedy));
            }
            let what = if kinds.len() > 1 { "joint or motion" } else { kinds[0].word() };
            let known: Vec<&str> = kinds.iter().flat_map(|kind| names(model, *kind)).collect();
            Err(unknown(what, name, known, place))
        }
    }
}

/// What else has the name of an element that a sensor is to switch, and what to do instead.
fn not_switched(model: &Model, name: &str, kinds: &[ElementKind]) -> Option<(&'static str, &'static str)> {
    let constraint = [ElementKind::Joint, ElementKind::Motion].iter().any(|kind| names(model, *kind).contains(&name));
    let has = |mut names: Box<dyn Iterator<Item = &String> + '_>| names.any(|own| own == name);
    let relations = model.couplers.iter().map(|own| &own.name).chain(model.gears.iter().map(|own| &own.name));
    let relations =
        relations.chain(model.racks.iter().map(|own| &own.name)).chain(model.rolling.iter().map(|own| &own.name));
    let curves =
        model.points_on_curves.iter().map(|own| &own.name).chain(model.curves_on_curves.iter().map(|own| &own.name));
    let others = relations.chain(curves).chain(model.equations.iter().map(|own| &own.name));
    if constraint && !kinds.contains(&ElementKind::Joint) {
        return Some(("a joint or motion", "name it in `lock` or `release`"));
    }
    if !kinds.contains(&ElementKind::Force) && names(model, ElementKind::Force).contains(&name) {
        return Some(("a force", "name it in `activate` or `deactivate`"));
    }
    if has(Box::new(model.frictions.iter().map(|own| &own.name))) {
        let remedy = "write its coefficients over a parameter, and let the sensor `set` that one to 0";
        return Some(("friction, which sensors do not switch", remedy));
    }
    if has(Box::new(model.actuators.iter().map(|own| &own.name))) {
        let remedy =
            "another program sets its input; use a force whose value reads a parameter, which a sensor may `set`";
        return Some(("an actuator, which sensors do not switch", remedy));
    }
    let remedy = "lock and release a joint or motion, or let a bushing take its place";
    has(Box::new(others)).then_some(("a constraint of a kind that sensors do not switch", remedy))
}

/// Checks sensors and activities of a model as it is written, as far as their names go.
///
/// # Errors
/// What is not there, or contradicts itself.
pub(super) fn check(model: &Model) -> Result<(), Refused> {
    unique("sensor", model.sensors.iter().map(|sensor| sensor.name.as_str()))?;
    let mut turned = BTreeSet::new();
    for (index, sensor) in model.sensors.iter().enumerate() {
        if !sensor.acts() {
            let remedy =
                "give `stop`, `print`, `set`, `lock`, `release`, `activate`, `deactivate`, `step` or `max_step`";
            return Err(ModelError::new(at("sensor", index, &sensor.name, ""), "the sensor does nothing", remedy));
        }
        for name in sensor.set.keys() {
            let known = || model.parameters.keys().chain(model.inputs.iter().map(|input| &input.name));
            if known().all(|known| known != name) {
                let place = at("sensor", index, &sensor.name, &format!("set.{name}"));
                return Err(unknown("parameter or input", name, known().map(String::as_str), &place));
            }
        }
        turned.extend(turns(model, index, sensor)?.into_iter().map(|(element, _)| (element, index)));
    }
    let mut seen = BTreeSet::new();
    for activity in &model.activities {
        let (kind, name) = (activity.kind, activity.name.as_str());
        let known = names(model, kind);
        let Some(index) = known.iter().position(|known| *known == name) else {
            return Err(unknown(kind.word(), name, known, &at("activity", 0, name, "name")));
        };
        let place = || at(kind.word(), index, name, "active");
        if !seen.insert((kind, name)) {
            return Err(ModelError::new(place(), "`active` is given twice", "give it once"));
        }
        let turned = turned.iter().find(|((other, of), _)| *other == kind && of == name);
        if let (Some((_, sensor)), None) = (turned, activity.active.value()) {
            let problem = format!("both `active` and sensor \"{}\" switch it", model.sensors[*sensor].name);
            let remedy = "give `active` as a number, which holds at the start, or remove the element from the sensor";
            return Err(ModelError::new(place(), problem, remedy));
        }
    }
    Ok(())
}

/// The model with the parameters of a variant.
pub(super) fn with_parameters(model: &Model, variant: &Variant) -> Model {
    let mut model = model.clone();
    for (name, value) in &variant.parameters {
        model.parameters.insert(name.clone(), (*value).into());
    }
    model
}

/// The variant at the start: elements with `active` as a number act where it is above 0; those that an expression switches do not act yet.
pub(crate) fn start_variant(model: &Model) -> Variant {
    let mut variant = Variant::default();
    for activity in &model.activities {
        let acts = activity.active.value().is_some_and(|value| value > 0.0);
        variant.turn(&(activity.kind, activity.name.clone()), acts);
    }
    variant
}

/// Adds the columns of sensors and of elements that can be switched; what they show of sensors is bound by [`read`].
pub(super) fn add_columns(model: &Model, variant: &Variant, measures: &mut Measures) -> Result<(), Refused> {
    let first = model.measures.len() + model.states.len();
    let mut add = |index: usize, name: String, source: SwitchColumn| {
        if model.measures.iter().any(|measure| measure.name == name) {
            let index = model.measures.iter().position(|measure| measure.name == name).unwrap_or(0);
            let remedy = "choose another name for the measure";
            let problem = "this is the name of the column of a sensor or of an element with `active`";
            return Err(ModelError::new(at("measure", index, &name, "name"), problem, remedy));
        }
        measures.add_column(index, name, Source::Switch(Box::new(source)));
        Ok(())
    };
    for (index, sensor) in model.sensors.iter().enumerate() {
        add(first + index, format!("sensor.{}", sensor.name), SwitchColumn::Active(false))?;
    }
    let mut switched: Vec<Element> = Vec::new();
    let active = model.activities.iter().map(|activity| (activity.kind, activity.name.clone()));
    switched.extend(active);
    for (index, sensor) in model.sensors.iter().enumerate() {
        switched.extend(turns(model, index, sensor)?.into_iter().map(|(element, _)| element));
    }
    let mut seen = BTreeSet::new();
    switched.retain(|element| seen.insert(element.clone()));
    for (kind, name) in switched {
        let acts = variant.acts(kind, &name);
        add(first + model.sensors.len(), format!("active.{}.{name}", kind.word()), SwitchColumn::Active(acts))?;
    }
    Ok(())
}

/// Reads sensors and activities.
pub(super) fn read(
    model: &Model,
    scope: &Scope<'_>,
    measures: &mut Measures,
    inputs: &[InputInfo],
    variant: &Variant,
) -> Result<Switches, Refused> {
    let mut switches = Switches { variant: variant.clone(), ..Switches::default() };
    for (index, sensor) in model.sensors.iter().enumerate() {
        let bound = self::sensor(model, scope, measures, inputs, (index, sensor))?;
        let shown = SwitchColumn::Above { expression: bound.expression.clone(), value: bound.value.clone() };
        measures.show(&format!("sensor.{}", sensor.name), Source::Switch(Box::new(shown)));
        switches.sensors.push(bound);
    }
    for activity in model.activities.iter().filter(|activity| activity.active.value().is_none()) {
        let known = names(model, activity.kind);
        let index = known.iter().position(|known| *known == activity.name).unwrap_or(0);
        let place = at(activity.kind.word(), index, &activity.name, "active");
        let active = measures.bind_kinematic(scope, &activity.active, &place)?;
        switches.activities.push(BoundActivity { element: (activity.kind, activity.name.clone()), active });
    }
    Ok(switches)
}

fn sensor(
    model: &Model,
    scope: &Scope<'_>,
    measures: &Measures,
    inputs: &[InputInfo],
    (index, sensor): (usize, &Sensor),
) -> Result<BoundSensor, Refused> {
    let place = |field: &str| at("sensor", index, &sensor.name, field);
    let bind = |expression, field: &str| measures.bind(scope, expression, &place(field));
    let print = sensor.print.iter().enumerate();
    let print = print.map(|(k, e)| Ok((e.to_string(), bind(e, &format!("print.{k}"))?)));
    let set = sensor.set.iter().map(|(name, e)| {
        let program = bind(e, &format!("set.{name}"))?;
        let input = inputs.iter().position(|input| input.name == *name);
        Ok((input.map_or_else(|| Target::Parameter(name.clone()), Target::Input), program))
    });
    let step = |expression: &Option<crate::expression::Expression>, field: &str| {
        let checked = |e| scope.checked(e, &place(field), "a step above 0", |step| step > 0.0);
        expression.as_ref().map(checked).transpose()
    };
    Ok(BoundSensor {
        name: sensor.name.clone(),
        expression: bind(&sensor.expression, "expression")?,
        value: bind(&sensor.value, "value")?,
        direction: sensor.direction,
        when: sensor.when.as_ref().map(|when| bind(when, "when")).transpose()?,
        once: sensor.once,
        stop: sensor.stop,
        print: print.collect::<Result<_, Refused>>()?,
        set: set.collect::<Result<_, Refused>>()?,
        turns: turns(model, index, sensor)?,
        step: step(&sensor.step, "step")?,
        max_step: step(&sensor.max_step, "max_step")?,
    })
}
