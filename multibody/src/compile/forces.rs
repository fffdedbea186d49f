//! Forces: springs with numbers, everything else with programs of time and measures.

use super::check::{at, unique};
use super::measures::{Measures, all_of, global, places_of};
use super::scope::Scope;
use super::{elastic, markers};
use crate::constraint::{Constraint, Form};
use crate::error::{Location, ModelError};
use crate::expression::{Expression, Program};
use crate::force::{ElasticForce, Line, ScalarForce, ScalarLaw, VectorForce};
use crate::host::{HostElement, HostForce};
use crate::mechanism::{BoundProgram, Value, Variant};
use crate::model::{ElementKind, Force, GeneralForce, MarkerRef, Model, VectorForce as VectorForceModel};
use crate::space::{FixedFrame, Pose};
use std::collections::BTreeMap;

type HostForces = BTreeMap<String, HostForce>;

/// Compiled forces.
#[derive(Default)]
pub(super) struct Forces {
    pub(super) scalar: Vec<ScalarForce>,
    pub(super) vector: Vec<VectorForce>,
    pub(super) hosts: Vec<HostElement>,
    pub(super) elastics: Vec<ElasticForce>,
    programs: Vec<(String, Value)>,
}

impl Forces {
    /// The programs with the bodies and unknowns of the user that their measures depend on.
    pub(super) fn bind(
        &self,
        used: &[usize],
        bodies: &[Vec<usize>],
        states: &[Vec<usize>],
        scalars: usize,
    ) -> Vec<BoundProgram> {
        let places = places_of(used, scalars);
        let bind = |(owner, value): &(String, Value)| {
            let both = |slots: &[usize]| [bodies, states].map(|of| all_of(slots, &places, of));
            let [bodies, states] = match value {
                Value::Program(program) => both(program.slots()),
                Value::Host { element, .. } => both(&self.hosts[*element].slots),
                Value::Elastic { element } => [self.elastics[*element].bodies.clone(), Vec::new()],
            };
            BoundProgram { owner: owner.clone(), value: value.clone(), bodies, states }
        };
        self.programs.iter().map(bind).collect()
    }

    /// Numbers of scalar forces, programs, functions of the host and elastic elements.
    fn lengths(&self) -> [usize; 4] {
        [self.scalar.len(), self.programs.len(), self.hosts.len(), self.elastics.len()]
    }

    /// Lets what was added since [`Forces::lengths`] be 0: an element that does not act.
    fn silence(&mut self, [scalars, programs, hosts, elastics]: [usize; 4]) {
        for force in &mut self.scalar[scalars..] {
            if let ScalarLaw::Spring { stiffness, damping, preload, .. } = &mut force.law {
                (*stiffness, *damping, *preload) = (0.0, 0.0, 0.0);
            }
        }
        for (_, value) in &mut self.programs[programs..] {
            *value = Value::Program(Program::constant(0.0));
        }
        self.hosts.truncate(hosts);
        self.elastics.truncate(elastics);
    }

    pub(super) fn program(&mut self, owner: &str, program: Program) -> usize {
        self.programs.push((owner.to_owned(), Value::Program(program)));
        self.programs.len() - 1
    }

    /// Adds three expressions; returns their places.
    fn components(
        &mut self,
        scope: &Scope<'_>,
        measures: &mut Measures,
        owner: &str,
        given: &[Expression; 3],
        location: &Location,
    ) -> Result<[usize; 3], Box<ModelError>> {
        let mut programs = [0; 3];
        for (at, expression) in programs.iter_mut().zip(given) {
            let program = measures.bind_force(scope, expression, location)?;
            *at = self.program(owner, program);
        }
        Ok(programs)
    }

    /// Adds an elastic element between two frames: a force and a torque in the axes of J.
    pub(super) fn elastic(&mut self, name: &str, element: ElasticForce, (i, j): (FixedFrame, FixedFrame)) {
        let first = self.six(name, element);
        for (torque, first) in [(false, first), (true, first + 3)] {
            let programs = [first, first + 1, first + 2];
            let name = name.to_owned();
            self.vector.push(VectorForce { name, torque, i, reaction: j.body, frame: j, programs });
        }
    }

    /// Adds the torque of an elastic element on the body of `i` in its axes, the reaction on another body.
    pub(super) fn couple(&mut self, name: &str, element: ElasticForce, i: FixedFrame, reaction: usize) {
        let first = self.six(name, element);
        let programs = [3, 4, 5].map(|k| first + k);
        let name = name.to_owned();
        self.vector.push(VectorForce { name, torque: true, i, reaction, frame: i, programs });
    }

    /// Adds the six numbers of an elastic element; returns the place of the first.
    fn six(&mut self, name: &str, element: ElasticForce) -> usize {
        let (first, index) = (self.programs.len(), self.elastics.len());
        self.programs.extend((0..6).map(|_| (name.to_owned(), Value::Elastic { element: index })));
        self.elastics.push(ElasticForce { first, ..element });
        first
    }

    /// Adds a host force of `count` numbers; returns the place of the first.
    fn host(
        &mut self,
        scope: &Scope<'_>,
        measures: &mut Measures,
        owner: &str,
        host: &HostForce,
        count: usize,
        location: &Location,
    ) -> Result<usize, Box<ModelError>> {
        let (first, element) = (self.programs.len(), self.hosts.len());
        let slot = |name: &String| {
            let refuse = |problem: String| {
                let remedy = "name measured scalars and inputs of the model; the function is given the time anyway";
                Err(ModelError::new(location.clone(), problem, remedy))
            };
            match Expression::parse(name) {
                Ok(expression) if expression.variables() == std::slice::from_ref(name) && name != "time" => {
                    match measures.bind_force(scope, &expression, location)?.slots() {
                        [slot] => Ok(*slot),
                        _ => refuse(format!("the argument \"{name}\" is a parameter")),
                    }
                }
                _ => refuse(format!("the argument \"{name}\" is not the name of a measure or input")),
            }
        };
        let slots = host.arguments.iter().map(slot).collect::<Result<_, _>>()?;
        self.programs.extend((0..count).map(|component| (owner.to_owned(), Value::Host { element, component })));
        let function = std::sync::Arc::clone(&host.function);
        self.hosts.push(HostElement { owner: owner.to_owned(), first, count, slots, function });
        Ok(first)
    }
}

/// Reads the forces.
pub(super) fn read(
    model: &Model,
    scope: &Scope<'_>,
    measures: &mut Measures,
    hosts: &HostForces,
    variant: &Variant,
) -> Result<Forces, Box<ModelError>> {
    unique("force", model.forces.iter().map(Force::name))?;
    check_hosts(model, hosts)?;
    let mut forces = Forces::default();
    for (index, force) in model.forces.iter().enumerate() {
        let name = force.name();
        let field = |field: &str| at("force", index, name, field);
        let before = forces.lengths();
        match force {
            Force::SpringDamper(s) => {
                let line = line_between(scope, &s.i, &s.j, &field)?;
                let spring = [&s.stiffness, &s.damping, &s.preload];
                let law = spring_law(scope, &line, spring, s.free_length.as_ref(), "free_length", &field)?;
                forces.scalar.push(ScalarForce { name: name.to_owned(), line, law });
            }
            Force::TorsionSpringDamper(s) => {
                let (i, j) = markers::pair(scope, &s.i, &s.j, &field)?;
                let tracked = Some(measures.track(i, j));
                let line = Line::Row { constraint: Constraint { form: Form::Angle, i, j }, tracked };
                let spring = [&s.stiffness, &s.damping, &s.preload];
                let law = spring_law(scope, &line, spring, s.free_angle.as_ref(), "free_angle", &field)?;
                forces.scalar.push(ScalarForce { name: name.to_owned(), line, law });
            }
            Force::LineForce(f) => {
                let line = line_between(scope, &f.i, &f.j, &field)?;
                let law = program_law(scope, measures, &mut forces, name, hosts.get(name), &f.value, &field("value"))?;
                forces.scalar.push(ScalarForce { name: name.to_owned(), line, law });
            }
            Force::AxialTorque(f) => {
                let (i, j) = markers::pair(scope, &f.i, &f.j, &field)?;
                let law = program_law(scope, measures, &mut forces, name, hosts.get(name), &f.value, &field("value"))?;
                forces.scalar.push(ScalarForce { name: name.to_owned(), line: Line::Axis { i, j }, law });
            }
            Force::Force(v) | Force::Torque(v) => {
                let torque = matches!(force, Force::Torque(_));
                let vector = vector(scope, measures, &mut forces, v, hosts.get(name), torque, &field)?;
                forces.vector.push(vector);
            }
            Force::Gforce(g) => general(scope, measures, &mut forces, g, hosts.get(name), &field)?,
            Force::GyroscopicCouple(g) => elastic::gyroscopic_couple(scope, measures, &mut forces, g, &field)?,
            Force::Field(f) => elastic::field_by_matrices(scope, measures, &mut forces, f, &field)?,
            Force::Bushing(b) => elastic::bushing(scope, measures, &mut forces, b, &field)?,
            Force::Beam(b) => elastic::beam(scope, measures, &mut forces, b, &field)?,
        }
        if !variant.acts(ElementKind::Force, name) {
            forces.silence(before);
        }
    }
    Ok(forces)
}

/// Refuses functions of what is not there, or is computed otherwise.
fn check_hosts(model: &Model, hosts: &HostForces) -> Result<(), Box<ModelError>> {
    let names = || model.forces.iter().map(Force::name);
    for name in hosts.keys() {
        let Some(index) = names().position(|known| known == name) else {
            return Err(ModelError::unknown("force", name, names(), &at("force", 0, "", "")));
        };
        use Force as F;
        let by_value = matches!(
            model.forces[index],
            F::LineForce(_) | F::AxialTorque(_) | F::Force(_) | F::Torque(_) | F::Gforce(_)
        );
        if !by_value {
            return Err(ModelError::new(
                at("force", index, name, "type"),
                "a spring, bushing, field, beam or couple is computed from its coefficients, not by a function",
                "give the function to a line_force, axial_torque, force, torque or gforce",
            ));
        }
    }
    Ok(())
}

fn poses(scope: &Scope<'_>) -> Vec<Pose> {
    let mut poses = scope.poses.clone();
    poses.push(Pose::ground());
    poses
}

fn line_between(
    scope: &Scope<'_>,
    i: &MarkerRef,
    j: &MarkerRef,
    field: &dyn Fn(&str) -> Location,
) -> Result<Line, Box<ModelError>> {
    let (i, j) = markers::pair(scope, i, j, field)?;
    let poses = poses(scope);
    if (i.origin(&poses) - j.origin(&poses)).norm() == 0.0 {
        return Err(ModelError::new(
            field("j"),
            "the origins of I and J coincide at the start, so the line between them has no direction",
            "place the markers apart",
        ));
    }
    Ok(Line::Row { constraint: Constraint { form: Form::Distance { length: 0.0 }, i, j }, tracked: None })
}

fn spring_law(
    scope: &Scope<'_>,
    line: &Line,
    [stiffness, damping, preload]: [&Expression; 3],
    free: Option<&Expression>,
    free_name: &str,
    field: &dyn Fn(&str) -> Location,
) -> Result<ScalarLaw, Box<ModelError>> {
    let not_negative = |e, name| scope.checked(e, &field(name), "zero or positive", |v| v >= 0.0);
    let free = match free {
        Some(e) => scope.number(e, &field(free_name))?,
        None => {
            let Line::Row { constraint, .. } = line else {
                return Err(ModelError::new(field(""), "no coordinate", "give one"));
            };
            let mut rows = [crate::constraint::Row::zero(); crate::constraint::MAX_ROWS];
            constraint.rows(&poses(scope), &mut rows);
            rows[0].phi
        }
    };
    Ok(ScalarLaw::Spring {
        stiffness: not_negative(stiffness, "stiffness")?,
        damping: not_negative(damping, "damping")?,
        free,
        preload: scope.number(preload, &field("preload"))?,
    })
}

fn program_law(
    scope: &Scope<'_>,
    measures: &mut Measures,
    forces: &mut Forces,
    name: &str,
    host: Option<&HostForce>,
    value: &Expression,
    location: &Location,
) -> Result<ScalarLaw, Box<ModelError>> {
    if let Some(host) = host {
        return forces.host(scope, measures, name, host, 1, location).map(ScalarLaw::Program);
    }
    let program = measures.bind_force(scope, value, location)?;
    Ok(ScalarLaw::Program(forces.program(name, program)))
}

fn vector(
    scope: &Scope<'_>,
    measures: &mut Measures,
    forces: &mut Forces,
    v: &VectorForceModel,
    host: Option<&HostForce>,
    torque: bool,
    field: &dyn Fn(&str) -> Location,
) -> Result<VectorForce, Box<ModelError>> {
    let (i, reaction, frame) = ends(scope, (&v.i, v.reaction.as_ref(), v.frame.as_ref()), field)?;
    let programs = match host {
        Some(host) => {
            let first = forces.host(scope, measures, &v.name, host, 3, &field("value"))?;
            [0, 1, 2].map(|component| first + component)
        }
        None => forces.components(scope, measures, &v.name, &v.value, &field("value"))?,
    };
    Ok(VectorForce { name: v.name.clone(), torque, i, reaction, frame, programs })
}

/// Marker I, the body that takes the reaction, and the axes of the components.
fn ends(
    scope: &Scope<'_>,
    (i, reaction, frame): (&MarkerRef, Option<&String>, Option<&MarkerRef>),
    field: &dyn Fn(&str) -> Location,
) -> Result<(FixedFrame, usize, FixedFrame), Box<ModelError>> {
    let i = markers::resolve(scope, i, &field("i"))?;
    let ground = scope.bodies.len();
    let other = reaction.map_or(Ok(ground), |name| scope.body(name, &field("reaction")))?;
    if i.body == other {
        return Err(ModelError::new(
            field(if reaction.is_some() { "reaction" } else { "i" }),
            "the force and its reaction act on the same body",
            "put marker I on another body than the one that takes the reaction (the ground, unless `reaction` says otherwise)",
        ));
    }
    let frame = frame.map_or_else(|| Ok(global(scope)), |f| markers::resolve(scope, f, &field("frame")))?;
    Ok((i, other, frame))
}

/// Adds a force and a torque in one.
fn general(
    scope: &Scope<'_>,
    measures: &mut Measures,
    forces: &mut Forces,
    g: &GeneralForce,
    host: Option<&HostForce>,
    field: &dyn Fn(&str) -> Location,
) -> Result<(), Box<ModelError>> {
    let (i, reaction, frame) = ends(scope, (&g.i, g.reaction.as_ref(), g.frame.as_ref()), field)?;
    let programs = match host {
        Some(host) => {
            let first = forces.host(scope, measures, &g.name, host, 6, &field("force"))?;
            [[0, 1, 2], [3, 4, 5]].map(|part| part.map(|k| first + k))
        }
        None => [
            forces.components(scope, measures, &g.name, &g.force, &field("force"))?,
            forces.components(scope, measures, &g.name, &g.torque, &field("torque"))?,
        ],
    };
    for (torque, programs) in [false, true].into_iter().zip(programs) {
        forces.vector.push(VectorForce { name: g.name.clone(), torque, i, reaction, frame, programs });
    }
    Ok(())
}
