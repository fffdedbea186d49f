//! Measures: scalars in an order in which they can be computed.

mod binding;

pub(super) use binding::component_of;

use super::check::{at, check_unit, unique};
use super::elements::{energy, load, momentum};
use super::orientations;
use super::scope::{Scope, unknown};
use super::{joints::Joints, markers, sensors};
use crate::error::{Location, ModelError};
use crate::expression::{Expression, definition_order, is_free_name};
use crate::input::InputInfo;
use crate::measure::{Energy, Kinematic, KinematicQuantity, MeasureInfo, Projection, Reaction, ScalarMeasure, Source};
use crate::mechanism::{ConstraintSet, CountedAngle, Relation, TurnCounter, Variant};
use crate::model::{Component, MarkerRef, MeasureKind, Model, Quantity, ReactionMeasure, VectorMeasure};
use crate::space::{FixedFrame, M3, V3};
use std::collections::HashMap;

/// Compiled measures.
#[derive(Default)]
pub(super) struct Measures {
    pub(super) scalars: Vec<ScalarMeasure>,
    pub(super) order: Vec<usize>,
    pub(super) tracked: Vec<TurnCounter>,
    /// Number of quaternions.
    pub(super) quaternions: usize,
    index: HashMap<String, usize>,
    inputs: HashMap<String, usize>,
    /// Model measure of each scalar.
    owners: Vec<usize>,
    /// Whether forces name a scalar, themselves or by others.
    wanted: Vec<bool>,
}

/// Reads the measures.
pub(super) fn read(
    model: &Model,
    scope: &Scope<'_>,
    joints: &Joints,
    inputs: &[InputInfo],
    variant: &Variant,
) -> Result<Measures, Box<ModelError>> {
    unique("measure", model.measures.iter().map(|m| m.name.as_str()))?;
    let mut measures = Measures { tracked: joints.tracked.clone(), ..Measures::default() };
    let mut expressions = Vec::new();
    for (index, measure) in model.measures.iter().enumerate() {
        check_name(model, index)?;
        let field = |name: &str| at("measure", index, &measure.name, name);
        let mut add = |suffix: &str, unit: &str, source: Source| {
            measures.add(index, format!("{}{suffix}", measure.name), unit, source)
        };
        match &measure.kind {
            MeasureKind::Expression(e) => {
                check_unit(&e.unit, || field("unit"))?;
                expressions.push((measures.scalars.len(), index, &e.expression));
                // Bound below, when all names are known.
                let placeholder = Expression::constant(0.0)
                    .bind(&mut |_| None)
                    .map_err(|e| ModelError::new(field("expression"), e.to_string(), "correct the expression"))?;
                measures.add(index, measure.name.clone(), &e.unit, Source::Expression(placeholder));
            }
            MeasureKind::KineticEnergy(e) => add("", "J", energy(scope, Energy::Kinetic, e, &field)?),
            MeasureKind::PotentialEnergy(e) => add("", "J", energy(scope, Energy::Potential, e, &field)?),
            MeasureKind::TotalEnergy(e) => add("", "J", energy(scope, Energy::Total, e, &field)?),
            MeasureKind::Momentum(m) | MeasureKind::AngularMomentum(m) => {
                momentum(scope, matches!(measure.kind, MeasureKind::AngularMomentum(_)), m, &field, &mut add)?;
            }
            MeasureKind::Reaction(r) => reaction(model, scope, joints, r, &field, &mut add)?,
            MeasureKind::Angle(pair) => {
                let (i, j) = frames(scope, &pair.i, pair.j.as_ref(), &field)?;
                let counter = measures.track(i, j);
                let kinematic = Kinematic { quantity: KinematicQuantity::Angle(counter), i, j };
                measures.add(index, measure.name.clone(), "rad", Source::Kinematic(kinematic));
            }
            MeasureKind::AxisAngles(pair)
            | MeasureKind::EulerAngles(pair)
            | MeasureKind::YawPitchRoll(pair)
            | MeasureKind::Quaternion(pair) => {
                let pair = frames(scope, &pair.i, pair.j.as_ref(), &field)?;
                for (suffix, unit, source) in orientations::columns(&measure.kind, pair, &mut measures) {
                    measures.add(index, format!("{}{suffix}", measure.name), unit, source);
                }
            }
            MeasureKind::Distance(pair) | MeasureKind::DistanceRate(pair) => {
                let (i, j) = frames(scope, &pair.i, pair.j.as_ref(), &field)?;
                let rate = matches!(measure.kind, MeasureKind::DistanceRate(_));
                let quantity = if rate { KinematicQuantity::DistanceRate } else { KinematicQuantity::Distance };
                add("", if rate { "m/s" } else { "m" }, Source::Kinematic(Kinematic { quantity, i, j }));
            }
            MeasureKind::Position(v)
            | MeasureKind::Velocity(v)
            | MeasureKind::Acceleration(v)
            | MeasureKind::AngularVelocity(v)
            | MeasureKind::AngularAcceleration(v) => vector(scope, &measure.kind, v, &field, &mut add)?,
        }
    }
    for (k, state) in model.states.iter().enumerate() {
        measures.add(model.measures.len() + k, state.name.clone(), &state.unit, Source::State(k));
    }
    sensors::add_columns(model, variant, &mut measures)?;
    measures.take_inputs(inputs)?;
    measures.bind_expressions(model, scope, &expressions)?;
    Ok(measures)
}

fn check_name(model: &Model, index: usize) -> Result<(), Box<ModelError>> {
    let name = &model.measures[index].name;
    let location = at("measure", index, name, "name");
    if !is_free_name(name) {
        return Err(ModelError::new(
            location,
            format!("`{name}` cannot name a measure, since expressions could not use it"),
            "use letters, digits, _ and ., beginning with a letter, and not the name of a function, `time` or `pi`",
        ));
    }
    if model.parameters.contains_key(name) {
        return Err(ModelError::new(location, "a parameter has this name", "choose another name for one of them"));
    }
    Ok(())
}

fn frames(
    scope: &Scope<'_>,
    i: &MarkerRef,
    j: Option<&MarkerRef>,
    field: &dyn Fn(&str) -> Location,
) -> Result<(FixedFrame, FixedFrame), Box<ModelError>> {
    let j = j.map_or_else(|| Ok(global(scope)), |j| markers::resolve(scope, j, &field("j")))?;
    Ok((markers::resolve(scope, i, &field("i"))?, j))
}

/// The global frame.
pub(super) fn global(scope: &Scope<'_>) -> FixedFrame {
    FixedFrame { body: scope.bodies.len(), r: V3::zeros(), c: M3::identity() }
}

const COMPONENTS: [(Component, &str); 3] = [(Component::X, ".x"), (Component::Y, ".y"), (Component::Z, ".z")];

/// The wanted components with the suffixes of their names.
pub(super) fn components(chosen: Option<Component>) -> Vec<(Component, &'static str)> {
    chosen.map_or_else(|| COMPONENTS.to_vec(), |c| vec![(c, "")])
}

pub(super) type Add<'a> = dyn FnMut(&str, &str, Source) + 'a;

fn vector(
    scope: &Scope<'_>,
    kind: &MeasureKind,
    v: &VectorMeasure,
    field: &dyn Fn(&str) -> Location,
    add: &mut Add<'_>,
) -> Result<(), Box<ModelError>> {
    let (i, j) = frames(scope, &v.i, v.j.as_ref(), field)?;
    let frame = v.frame.as_ref().map_or_else(|| Ok(global(scope)), |f| markers::resolve(scope, f, &field("frame")))?;
    let seen_from = seen_from(scope, kind, v, field)?;
    for (component, suffix) in components(v.component) {
        let projection = Projection { frame, component };
        let kinematic = |quantity| Source::Kinematic(Kinematic { quantity, i, j });
        let (unit, source) = match kind {
            MeasureKind::Position(_) => ("m", kinematic(KinematicQuantity::Position(projection))),
            MeasureKind::Velocity(_) => ("m/s", kinematic(KinematicQuantity::Velocity { projection, seen_from })),
            MeasureKind::AngularVelocity(_) => ("rad/s", kinematic(KinematicQuantity::AngularVelocity(projection))),
            MeasureKind::AngularAcceleration(_) => {
                ("rad/s^2", Source::Acceleration { angular: true, i, j, seen_from, projection })
            }
            _ => ("m/s^2", Source::Acceleration { angular: false, i, j, seen_from, projection }),
        };
        add(suffix, unit, source);
    }
    Ok(())
}

/// The frame in which the vector is differentiated.
fn seen_from(
    scope: &Scope<'_>,
    kind: &MeasureKind,
    v: &VectorMeasure,
    field: &dyn Fn(&str) -> Location,
) -> Result<FixedFrame, Box<ModelError>> {
    let Some(marker) = &v.seen_from else { return Ok(global(scope)) };
    if matches!(kind, MeasureKind::Position(_) | MeasureKind::AngularVelocity(_)) {
        let problem = "no derivative is taken of it that could be seen from a marker";
        let remedy = "leave `seen_from` out; `frame` gives the axes of the components, `j` what it is measured against";
        return Err(ModelError::new(field("seen_from"), problem, remedy));
    }
    markers::resolve(scope, marker, &field("seen_from"))
}

fn reaction(
    model: &Model,
    scope: &Scope<'_>,
    joints: &Joints,
    r: &ReactionMeasure,
    field: &dyn Fn(&str) -> Location,
    add: &mut Add<'_>,
) -> Result<(), Box<ModelError>> {
    let find = |what: &'static str, name: &str| {
        let kind = |set: &ConstraintSet| match set.relation {
            Some(relation) => relation.kind(),
            None if set.is_motion() => "motion",
            None => "joint",
        };
        let known = || joints.sets.iter().filter(move |set| kind(set) == what).map(|set| set.name.as_str());
        let found = joints.sets.iter().position(|set| set.name == name && kind(set) == what);
        found.ok_or_else(|| unknown(what, name, known(), &field(what)))
    };
    let relations = [
        ("coupler", &r.coupler),
        ("gear", &r.gear),
        ("rack_and_pinion", &r.rack_and_pinion),
        ("point_on_curve", &r.point_on_curve),
        ("curve_on_curve", &r.curve_on_curve),
        ("constraint", &r.constraint),
    ];
    let mut given = relations.into_iter().filter_map(|(what, name)| name.as_ref().map(|name| (what, name)));
    let (owner, at) = match (&r.joint, &r.motion, &r.force, given.next(), given.next()) {
        (None, None, Some(name), None, None) => return load(model, scope, name, r, field, add),
        (Some(name), None, None, None, None) => (find("joint", name)?, None),
        (None, Some(name), None, None, None) => (find("motion", name)?, None),
        (Some(joint), None, None, Some((what, name)), None) => (find(what, name)?, Some(find("joint", joint)?)),
        (None, None, None, Some((what, name)), None) => {
            let owner = find(what, name)?;
            let jointed = joints.sets[owner].relation.is_some_and(Relation::has_joints);
            (owner, joints.terms(owner).first().filter(|_| jointed).map(|term| term.set))
        }
        _ => {
            return Err(ModelError::new(
                field("joint"),
                "a reaction is that of one joint, motion, force, relation of joints, curve or constraint",
                "give one of `joint`, `motion`, `force`, `coupler`, `gear`, `rack_and_pinion`, `point_on_curve`, `curve_on_curve` and `constraint`; with a coupler, gear or rack, `joint` says where",
            ));
        }
    };
    if let Some(joint) = at
        && joints.terms(owner).iter().all(|term| term.set != joint)
    {
        let problem = format!("\"{}\" takes no part in \"{}\"", joints.sets[joint].name, joints.sets[owner].name);
        let remedy = "name one of its joints, or leave `joint` out for the first";
        return Err(ModelError::new(field("joint"), problem, remedy));
    }
    let frame = r.frame.as_ref().map_or_else(|| Ok(global(scope)), |f| markers::resolve(scope, f, &field("frame")))?;
    let unit = if r.quantity == Quantity::Force { "N" } else { "N m" };
    for (component, suffix) in components(r.component) {
        let projection = Projection { frame, component };
        add(suffix, unit, Source::Reaction(Reaction { owner, at, quantity: r.quantity, projection }));
    }
    Ok(())
}

impl Measures {
    pub(super) fn add(&mut self, owner: usize, name: String, unit: &str, source: Source) {
        self.index.insert(name.clone(), self.scalars.len());
        self.owners.push(owner);
        self.scalars.push(ScalarMeasure { info: MeasureInfo { name, unit: unit.to_owned() }, source });
    }

    /// Adds a column that no expression can name.
    pub(super) fn add_column(&mut self, owner: usize, name: String, source: Source) {
        self.owners.push(owner);
        self.scalars.push(ScalarMeasure { info: MeasureInfo { name, unit: String::new() }, source });
    }

    /// Lets the column of this name show `source`.
    pub(super) fn show(&mut self, name: &str, source: Source) {
        if let Some(column) = self.scalars.iter_mut().rfind(|scalar| scalar.info.name == name) {
            column.source = source;
        }
    }

    /// Index of the counter of turns of a pair of frames.
    pub(super) fn track(&mut self, i: FixedFrame, j: FixedFrame) -> usize {
        self.count(TurnCounter { i, j, angle: CountedAngle::Projected })
    }

    /// Index of a counter of turns.
    pub(super) fn count(&mut self, counter: TurnCounter) -> usize {
        if let Some(k) = self.tracked.iter().position(|other| *other == counter) {
            return k;
        }
        self.tracked.push(counter);
        self.tracked.len() - 1
    }

    /// Makes the inputs known to expressions.
    fn take_inputs(&mut self, inputs: &[InputInfo]) -> Result<(), Box<ModelError>> {
        for (k, input) in inputs.iter().enumerate() {
            if self.index.contains_key(&input.name) {
                let location = at("input", k, &input.name, "name");
                return Err(ModelError::new(
                    location,
                    "a measure has this name",
                    "choose another name for one of them",
                ));
            }
            self.inputs.insert(input.name.clone(), k);
        }
        Ok(())
    }

    fn bind_expressions(
        &mut self,
        model: &Model,
        scope: &Scope<'_>,
        expressions: &[(usize, usize, &Expression)],
    ) -> Result<(), Box<ModelError>> {
        let definitions: Vec<(&str, &Expression)> =
            expressions.iter().map(|&(_, index, e)| (model.measures[index].name.as_str(), e)).collect();
        let order = definition_order(&definitions).map_err(|cycle| {
            let name = cycle.cycle.first().cloned().unwrap_or_default();
            let index = model.measures.iter().position(|m| m.name == name).unwrap_or(0);
            ModelError::new(
                at("measure", index, &name, "expression"),
                format!("cyclic expression: {}", cycle.cycle.join(" -> ")),
                "define one of these without the others",
            )
        })?;
        for &(scalar, index, expression) in expressions {
            let location = at("measure", index, &model.measures[index].name, "expression");
            self.scalars[scalar].source = Source::Expression(self.bind(scope, expression, &location)?);
        }
        let is_expression = |m: &usize| matches!(self.scalars[*m].source, Source::Expression(_));
        let is_switch = |m: &usize| matches!(self.scalars[*m].source, Source::Switch(_));
        let all = 0..self.scalars.len();
        self.order = all.clone().filter(|m| !is_expression(m) && !is_switch(m)).collect();
        self.order.extend(order.into_iter().map(|k| expressions[k].0));
        self.order.extend(all.filter(is_switch));
        Ok(())
    }

    /// Scalars that forces use, in the order of evaluation, and the bodies and unknowns of the user each depends on, ascending.
    pub(super) fn used_by_forces(&self, ground: usize) -> (Vec<usize>, Vec<Vec<usize>>, Vec<Vec<usize>>) {
        let wanted = |m: &usize| self.wanted.get(*m).is_some_and(|wanted| *wanted);
        let used: Vec<usize> = self.order.iter().copied().filter(wanted).collect();
        let places = places_of(&used, self.scalars.len());
        let (mut bodies, mut states): (Vec<Vec<usize>>, Vec<Vec<usize>>) = (Vec::new(), Vec::new());
        for &m in &used {
            let (of_bodies, of_states) = match &self.scalars[m].source {
                Source::Kinematic(k) => (k.bodies(ground), Vec::new()),
                Source::State(k) => (Vec::new(), vec![*k]),
                Source::Expression(program) => {
                    (all_of(program.slots(), &places, &bodies), all_of(program.slots(), &places, &states))
                }
                _ => (Vec::new(), Vec::new()),
            };
            bodies.push(of_bodies);
            states.push(of_states);
        }
        (used, bodies, states)
    }
}

/// Place of each of `count` scalars among those in `used`.
pub(super) fn places_of(used: &[usize], count: usize) -> Vec<Option<usize>> {
    let mut places = vec![None; count];
    for (place, &m) in used.iter().enumerate() {
        places[m] = Some(place);
    }
    places
}

/// What the measures in `slots` depend on, ascending, as `of` says of each. Of measures not yet among them, or inputs, nothing.
pub(super) fn all_of(slots: &[usize], places: &[Option<usize>], of: &[Vec<usize>]) -> Vec<usize> {
    let measures = slots.iter().filter_map(|s| s.checked_sub(1));
    let known = measures.filter_map(|m| places.get(m).copied().flatten()).filter_map(|at| of.get(at));
    let mut all: Vec<usize> = known.flatten().copied().collect();
    all.sort_unstable();
    all.dedup();
    all
}
