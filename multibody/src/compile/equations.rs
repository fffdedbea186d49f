//! Constraints by expression: functions of displacements, which are those of measures.

use super::check::{at, unique};
use super::joints::Joints;
use super::markers;
use super::measures::{component_of, components, global};
use super::orientations;
use super::scope::Scope;
use crate::constraint::{Constraint, Form};
use crate::error::{Location, ModelError};
use crate::expression::{Binding, Problem, Program};
use crate::mechanism::{Composed, ConstraintSet, Counted, Function, Mechanism, Relation, Term};
use crate::model::{Component, EquationConstraint, MarkerRef, MeasureKind, Model, VectorMeasure};
use crate::space::{FixedFrame, Pose};

type Field<'a> = &'a dyn Fn(&str) -> Location;
type Terms = Vec<(Constraint, f64)>;

/// What equations may be made of.
const USABLE: &str =
    "use measures of `position`, `distance`, `angle` and `axis_angles` between markers, `time`, parameters and splines";

/// Reads all of them; their sets come last. `length` stands for the size of the mechanism \[m\].
pub(super) fn read(model: &Model, scope: &Scope<'_>, joints: &mut Joints, length: f64) -> Result<(), Box<ModelError>> {
    unique("constraint", model.equations.iter().map(|each| each.name.as_str()))?;
    for (index, each) in model.equations.iter().enumerate() {
        let field = |name: &str| at("constraint", index, &each.name, name);
        let (program, arguments) = bind(model, scope, each, &field("equation"))?;
        let mut terms = Vec::new();
        for (k, own) in arguments.into_iter().enumerate() {
            for (constraint, weight) in own {
                let counter = (constraint.form == Form::Angle).then(|| joints.track(constraint.i, constraint.j));
                terms.push(Term { weight, counter, ..joints.term(constraint, k + 1) });
            }
        }
        let (terms, function, scale) = scaled(scope, terms, program, length, &field("equation"))?;
        let marker = reported(scope, each, &terms, &field)?;
        let first = joints.constraints.len();
        let j = terms[0].constraint.j;
        joints.bind_function(terms, function, scale);
        joints.close(&each.name, Relation::Equation, [marker, j], first);
    }
    Ok(())
}

/// The equation over the displacements that it names, and these.
fn bind(
    model: &Model,
    scope: &Scope<'_>,
    each: &EquationConstraint,
    location: &Location,
) -> Result<(Program, Vec<Terms>), Box<ModelError>> {
    let (mut arguments, mut fault) = (Vec::new(), None);
    let bound = each.equation.bind(&mut |name| {
        if name == "time" {
            return Some(Binding::Slot(0));
        }
        if let Some(parameter) = scope.parameters.binding(name) {
            return Some(parameter);
        }
        match displacement(model, scope, name, location)? {
            Ok(terms) => arguments.push(terms),
            Err(error) => fault = Some(error),
        }
        Some(Binding::Slot(arguments.len().max(1)))
    });
    if let Some(error) = fault {
        return Err(error);
    }
    let program = bound.map_err(|error| {
        if let Problem::UnknownName { name, .. } = &error.problem
            && let Some(known) = not_held(model, name, location)
        {
            return known;
        }
        let names = model.measures.iter().map(|measure| measure.name.as_str());
        let error = error.suggest(names.chain(scope.parameters.names()).chain(["time"]));
        ModelError::of_expression(location.clone(), &error, USABLE)
    })?;
    if program.slots().iter().all(|slot| *slot == 0) {
        let problem = "the equation depends on no displacement, so that nothing can satisfy it";
        return Err(ModelError::new(location.clone(), problem, USABLE));
    }
    Ok((program, arguments))
}

/// Refuses equations that lose their slope where they are met, as a square does: multipliers have nothing to push by there.
pub(crate) fn check_slopes(model: &Model, mechanism: &Mechanism) -> Result<(), Box<ModelError>> {
    let start = &mechanism.start;
    let poses: Vec<Pose> = start.poses.iter().copied().chain([Pose::ground()]).collect();
    let counted = Counted { angles: &start.angles, time: start.time };
    for (index, each) in model.equations.iter().enumerate() {
        let is_own = |set: &ConstraintSet| set.relation == Some(Relation::Equation) && set.name == each.name;
        let set = mechanism.sets.iter().position(is_own);
        let Some((_, composed)) = set.and_then(|set| mechanism.composed(set)) else { continue };
        let Some(found) = composed.expand(&poses, counted) else { continue };
        let arm = |term: &Term| if term.constraint.is_angular() { mechanism.length } else { 1.0 };
        let lead = composed.terms.first().map_or(1.0, arm);
        let slope =
            composed.terms.iter().map(|term| lead * found.by(term.argument).abs() / arm(term)).fold(0.0, f64::max);
        if slope < FLAT {
            let problem = format!("where it is met its slope is {slope:.0e} of that at the start as drawn");
            let remedy = "write it so that it changes there: `x - y` rather than `(x - y)^2`";
            return Err(ModelError::new(at("constraint", index, &each.name, "equation"), problem, remedy));
        }
    }
    Ok(())
}

/// Slope at the assembled start over that as drawn. Newton's iteration stops at a double root where the value is round-off, and the slope its
/// square root.
const FLAT: f64 = 1e-6;

/// What a name stands for that a constraint cannot read; nothing if nothing has it.
fn not_held(model: &Model, name: &str, location: &Location) -> Option<Box<ModelError>> {
    if model.measures.iter().any(|measure| measure.name == name) {
        return Some(component_of(name, location));
    }
    let base = name.rsplit_once('.').map_or(name, |(base, _)| base);
    let what = match () {
        () if model.inputs.iter().any(|input| input.name == name) => "an input",
        () if model.states.iter().any(|state| state.name == name) => "a state",
        () if model.actuators.iter().any(|actuator| actuator.name == base) => "that of an actuator",
        () => return None,
    };
    let problem = format!("`{name}` is {what}, whose changes would make positions jump");
    Some(ModelError::new(location.clone(), problem, USABLE))
}

/// The terms of a measured displacement; nothing if no measure has the name.
fn displacement(
    model: &Model,
    scope: &Scope<'_>,
    name: &str,
    location: &Location,
) -> Option<Result<Terms, Box<ModelError>>> {
    let of = |wanted: &str| model.measures.iter().position(|measure| measure.name == wanted);
    let whole = of(name).map(|index| (index, ""));
    let split = || name.rsplit_once('.').and_then(|(base, suffix)| Some((of(base)?, suffix)));
    let (index, suffix) = whole.or_else(split)?;
    let measure = &model.measures[index];
    let field = |field: &str| at("measure", index, &measure.name, field);
    let pair = |i: &MarkerRef, j: Option<&MarkerRef>| -> Result<(FixedFrame, FixedFrame), Box<ModelError>> {
        let j = j.map_or_else(|| Ok(global(scope)), |j| markers::resolve(scope, j, &field("j")))?;
        Ok((markers::resolve(scope, i, &field("i"))?, j))
    };
    let single = |form, of: Result<(FixedFrame, FixedFrame), Box<ModelError>>| {
        of.and_then(|(i, j)| two(vec![(Constraint { form, i, j }, 1.0)], name, location))
    };
    match &measure.kind {
        MeasureKind::Position(v) => {
            let suffixes = components(v.component);
            let known = suffixes.into_iter().find(|(_, own)| own.trim_start_matches('.') == suffix);
            let (component, _) = known?;
            Some(position(scope, v, component, &field).and_then(|terms| two(terms, name, location)))
        }
        MeasureKind::Distance(p) if suffix.is_empty() => {
            Some(single(Form::Distance { length: 0.0 }, pair(&p.i, p.j.as_ref())))
        }
        MeasureKind::Angle(p) if suffix.is_empty() => Some(single(Form::Angle, pair(&p.i, p.j.as_ref()))),
        MeasureKind::AxisAngles(p) => {
            let axis = ["x", "y", "z"].iter().position(|own| *own == suffix)?;
            let turned = pair(&p.i, p.j.as_ref()).map(|pair| orientations::axis_pairs(pair)[axis]);
            Some(single(Form::Angle, turned))
        }
        MeasureKind::Velocity(_) | MeasureKind::AngularVelocity(_) | MeasureKind::DistanceRate(_) => {
            let problem = format!("\"{name}\" is a velocity; constraints by expression hold positions alone");
            let remedy = "write the equation for positions and angles; for ratios of speeds use a coupler, gear or rack, for rolling [[rolling]]";
            Some(Err(ModelError::new(location.clone(), problem, remedy)))
        }
        _ => {
            let problem = format!("\"{name}\" is no displacement that a constraint can hold");
            Some(Err(ModelError::new(location.clone(), problem, USABLE)))
        }
    }
}

/// Refuses displacements within one body.
fn two(terms: Terms, name: &str, location: &Location) -> Result<Terms, Box<ModelError>> {
    if terms.iter().all(|(constraint, _)| constraint.i.body != constraint.j.body) {
        return Ok(terms);
    }
    let problem = format!("\"{name}\" is measured within one body, and never changes");
    Err(ModelError::new(location.clone(), problem, "measure between markers of two bodies"))
}

/// A component of p_i - p_j along an axis of the frame R: where R stands on the body of I or J, of one term; else of a.(p_i - r) - a.(p_j - r).
fn position(
    scope: &Scope<'_>,
    v: &VectorMeasure,
    component: Component,
    field: Field<'_>,
) -> Result<Terms, Box<ModelError>> {
    let resolve = |marker: &Option<MarkerRef>, name: &str| match marker {
        Some(marker) => markers::resolve(scope, marker, &field(name)),
        None => Ok(global(scope)),
    };
    let (i, j) = (markers::resolve(scope, &v.i, &field("i"))?, resolve(&v.j, "j")?);
    let axis = match component {
        Component::X => 0,
        Component::Y => 1,
        Component::Z => 2,
        Component::Magnitude => return Ok(vec![(Constraint { form: Form::Distance { length: 0.0 }, i, j }, 1.0)]),
    };
    let frame = resolve(&v.frame, "frame")?;
    let along = |i: FixedFrame, r| {
        let j = FixedFrame { r, ..frame };
        Constraint { form: Form::AxisVector { axis, offset: 0.0 }, i, j }
    };
    Ok(match frame.body {
        body if body == j.body => vec![(along(i, j.r), 1.0)],
        body if body == i.body => vec![(along(j, i.r), -1.0)],
        _ => vec![(along(i, frame.r), 1.0), (along(j, frame.r), -1.0)],
    })
}

/// Divides the equation by its largest slope at the start, that of an angle over the length of the mechanism, so that the row is a length or an angle
/// whatever the equation measures. That argument's first term then leads.
fn scaled(
    scope: &Scope<'_>,
    mut terms: Vec<Term>,
    program: Program,
    length: f64,
    location: &Location,
) -> Result<(Vec<Term>, Function, f64), Box<ModelError>> {
    let mut poses = scope.poses.clone();
    poses.push(Pose::ground());
    let function = Function::Expression(program);
    let composed = Composed { terms, offset: 0.0, scale: 1.0, function: Some(function), begins: false };
    let found = composed.expand(&poses, Counted::NONE);
    let Composed { terms: own, function, .. } = composed;
    terms = own;
    let (Some(function), Some(found)) = (function, found) else {
        return Err(ModelError::new(location.clone(), "the equation is empty", USABLE));
    };
    let slope = |term: &Term| {
        let arm = if term.constraint.is_angular() { length } else { 1.0 };
        (found.by(term.argument) / arm).abs()
    };
    let lead = (0..terms.len()).max_by(|a, b| slope(&terms[*a]).total_cmp(&slope(&terms[*b]))).unwrap_or(0);
    let scale = found.by(terms[lead].argument).abs();
    if !found.is_finite() || scale == 0.0 {
        let problem =
            format!("at the start the equation is {}, and its largest slope by a displacement is {scale}", found.value);
        let remedy =
            "start where it can be evaluated and changes with a displacement; write `x - y` rather than `(x - y)^2`";
        return Err(ModelError::new(location.clone(), problem, remedy));
    }
    terms.swap(0, lead);
    Ok((terms, function, scale))
}

/// The marker at which reactions are reported.
fn reported(
    scope: &Scope<'_>,
    each: &EquationConstraint,
    terms: &[Term],
    field: Field<'_>,
) -> Result<FixedFrame, Box<ModelError>> {
    let bodies = || terms.iter().flat_map(|term| [term.constraint.i, term.constraint.j]);
    let Some(marker) = &each.i else {
        let moving = bodies().find(|frame| frame.body != scope.bodies.len());
        return Ok(moving.unwrap_or(terms[0].constraint.i));
    };
    let frame = markers::resolve(scope, marker, &field("i"))?;
    if bodies().any(|own| own.body == frame.body) {
        return Ok(frame);
    }
    let problem = "the equation does not depend on the body of this marker";
    Err(ModelError::new(field("i"), problem, "name a marker of a body whose displacement the equation holds"))
}
