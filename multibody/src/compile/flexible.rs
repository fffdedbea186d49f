//! Flexible bodies: their frame, the bodies that carry modal coordinates, their nodes, and the rows that tie these together.

use super::check::at;
use super::joints::Joints;
use super::markers;
use super::scope::Scope;
use super::shapes;
use crate::constraint::{Constraint, Form};
use crate::error::ModelError;
use crate::flexible::{FlexibleBody, Shape};
use crate::mechanism::{Composed, ConstraintSet, EXACT, Relation, RigidBody, Term};
use crate::model::{Flexible, GROUND, Model};
use crate::space::{FixedFrame, M3, Pose, V3};
use nalgebra::Matrix3xX;

/// Part of the mass of a flexible body that its nodes have together as bodies: what they have is taken from the frame, so that the whole
/// does not depend on it; halves keep the two of one size.
const NODES: f64 = 0.5;

/// Reads the flexible bodies into the scope, behind the rigid ones: first the frame of each, then its carriers and nodes.
pub(super) fn read(model: &Model, scope: &mut Scope<'_>) -> Result<Vec<FlexibleBody>, Box<ModelError>> {
    let mut found = Vec::new();
    for (index, flexible) in model.flexible.iter().enumerate() {
        let field = |name: &str| at("flexible", index, &flexible.name, name);
        if flexible.name == GROUND || scope.body_index.contains_key(&flexible.name) {
            let problem = format!("the name `{}` is that of another body", flexible.name);
            return Err(ModelError::new(field("name"), problem, "choose another name"));
        }
        let shape = shapes::read(scope, flexible, &field)?;
        let node = shape.nodes.iter().map(|node| format!("{}/{}", flexible.name, node.name));
        if let Some(taken) = node.into_iter().find(|name| scope.body_index.contains_key(name)) {
            let problem = format!("the body `{taken}` has the name of one of its nodes");
            return Err(ModelError::new(field("name"), problem, "choose another name for one of them"));
        }
        let origin = scope.vector(&flexible.position, &field("position"))?;
        let a = markers::rotation(scope, &flexible.orientation, &field("orientation"))?;
        let v = scope.vector(&flexible.velocity, &field("velocity"))?;
        let w = scope.vector(&flexible.angular_velocity, &field("angular_velocity"))?;
        let pose = Pose { x: origin + a * shape.center, a, v, w };
        let start = start(scope, flexible, &shape, &field)?;
        found.push(add(scope, flexible, shape, &pose, start)?);
    }
    Ok(found)
}

/// Modal coordinates and rates at the start.
fn start(
    scope: &Scope<'_>,
    flexible: &Flexible,
    shape: &Shape,
    field: &dyn Fn(&str) -> crate::error::Location,
) -> Result<Vec<[f64; 2]>, Box<ModelError>> {
    let mut start = vec![[0.0; 2]; shape.modes()];
    for (which, (name, given)) in
        [("start", &flexible.start), ("start_rate", &flexible.start_rate)].into_iter().enumerate()
    {
        if given.len() > start.len() {
            let problem = format!("{} modal coordinates are given; the body has {}", given.len(), start.len());
            return Err(ModelError::new(field(name), problem, "give as many as there are modes, or fewer"));
        }
        for (value, expression) in start.iter_mut().zip(given) {
            value[which] = scope.number(expression, &field(name))?;
        }
    }
    Ok(start)
}

/// Adds the bodies that make up a flexible one.
fn add(
    scope: &mut Scope<'_>,
    flexible: &Flexible,
    shape: Shape,
    pose: &Pose,
    start: Vec<[f64; 2]>,
) -> Result<FlexibleBody, Box<ModelError>> {
    let (name, invariants) = (&flexible.name, &shape.invariants);
    let body = scope.bodies.len();
    let mut frame = RigidBody::point(name, invariants.mass);
    (frame.inertia, frame.center) = (invariants.inertia, shape.center);
    push(scope, frame, *pose);
    let first = scope.bodies.len();
    let modes = shape.modes();
    let mut carried = Vec::with_capacity(modes);
    for from in (0..modes).step_by(3) {
        let own = from..modes.min(from + 3);
        let mass = own.clone().map(|k| invariants.modal[(k, k)]).sum::<f64>() / own.len() as f64;
        carried.extend(own.clone().map(|_| mass));
        let mut carrier = RigidBody::point(&format!("{name}/modes {}-{}", from + 1, own.end), mass);
        // Assembly moves bodies, it does not bend them.
        carrier.weights = [[EXACT; 6]; 2];
        let mut place = Pose::ground();
        own.for_each(|k| [place.x[k - from], place.v[k - from]] = start[k]);
        push(scope, carrier, place);
    }
    let carriers = first..scope.bodies.len();
    let node_mass = NODES * invariants.mass / shape.nodes.len().max(1) as f64;
    for node in &shape.nodes {
        let at_start = |phi: &Matrix3xX<f64>, which: usize| -> V3 {
            phi.column_iter().zip(&start).fold(V3::zeros(), |sum, (phi, q)| sum + phi * q[which])
        };
        let turned = at_start(&node.rotation, 0);
        let turn = turned.try_normalize(0.0).map_or_else(V3::zeros, |axis| axis * turned.norm().min(1.0).asin());
        let arm = pose.a * (node.position + at_start(&node.translation, 0));
        let own = Pose {
            x: pose.x + arm,
            a: pose.a * crate::space::rotation(&turn),
            v: pose.v + pose.w.cross(&arm) + pose.a * at_start(&node.translation, 1),
            w: pose.w + pose.a * at_start(&node.rotation, 1),
        };
        push(scope, RigidBody::point(&format!("{name}/{}", node.name), node_mass), own);
    }
    let nodes = carriers.end..scope.bodies.len();
    let mut compiled = FlexibleBody::new(shape, (body, carriers, nodes), carried, node_mass);
    compiled.start = start;
    Ok(compiled)
}

fn push(scope: &mut Scope<'_>, body: RigidBody, pose: Pose) {
    scope.body_index.insert(body.name.clone(), scope.bodies.len());
    scope.frames.push((pose.x - pose.a * body.center, pose.a));
    scope.poses.push(pose);
    scope.bodies.push(body);
}

/// Refuses joints on the frame of a beam: it moves with the mean of the body, by modes that are free at their ends, and a joint there would hold the
/// mean and leave every piece free. Modes of files may vanish at the frame, which then lies on the body.
pub(super) fn check_joints(
    model: &Model,
    scope: &Scope<'_>,
    flexible: &[FlexibleBody],
    joints: &Joints,
) -> Result<(), Box<ModelError>> {
    let beams = || flexible.iter().zip(&model.flexible).filter(|(_, own)| own.beam.is_some()).map(|(body, _)| body);
    for (index, (joint, set)) in model.joints.iter().zip(&joints.sets).enumerate() {
        for (field, frame) in [("i", set.i), ("j", set.j)] {
            if let Some(body) = beams().find(|body| body.body == frame.body) {
                let name = &scope.bodies[body.body].name;
                let nodes: Vec<_> = body.shape.nodes.iter().map(|node| format!("`{name}/{}`", node.name)).collect();
                let problem = format!("`{name}` is the floating frame of a beam, which lies on no piece of it");
                let remedy = format!("attach the joint to a node: {}", nodes.join(", "));
                return Err(ModelError::new(at("joint", index, &joint.name, field), problem, remedy));
            }
        }
    }
    Ok(())
}

/// Binds the rows of all of them, behind those of joints, motions and couplers.
pub(super) fn bind(scope: &Scope<'_>, flexible: &[FlexibleBody], joints: &mut Joints) {
    let ground = scope.bodies.len();
    for body in flexible {
        for carrier in body.carriers.clone() {
            let own = body.modes() - 3 * (carrier - body.carriers.start);
            let (i, j) = (origin(carrier), origin(ground));
            let turns = [(2, 0), (2, 1), (0, 1)].map(|(i, j)| Form::Dot { i, j });
            let unused = (own.min(3)..3).map(|k| Form::Along { direction: *M3::identity().column(k).as_ref() });
            let rows: Vec<_> = turns.into_iter().chain(unused).map(|form| (Constraint { form, i, j }, None)).collect();
            joints.bind_set(&scope.bodies[carrier].name, Relation::Carrier, rows);
        }
        for (node, index) in body.shape.nodes.iter().zip(body.nodes.clone()) {
            let (i, j) = (origin(index), FixedFrame { r: node.position, ..origin(body.body) });
            let rows = (0..3).map(|k| {
                let form = Form::AxisVector { axis: k, offset: 0.0 };
                tied(body, vec![(Constraint { form, i, j }, 1.0)], &node.translation, k, ground)
            });
            // The vector sin(angle) axis of the turn: of x, (z of J.y of I - y of J.z of I)/2.
            let turns = (0..3).map(|k| {
                let (y, z) = ((k + 1) % 3, (k + 2) % 3);
                let dot = |of_i, of_j| Constraint { form: Form::Dot { i: of_i, j: of_j }, i, j };
                tied(body, vec![(dot(y, z), 0.5), (dot(z, y), -0.5)], &node.rotation, k, ground)
            });
            let rows: Vec<_> = rows.chain(turns).collect();
            joints.bind_set(&scope.bodies[index].name, Relation::Node, rows);
        }
    }
}

/// A row of a node: `terms` less row `k` of `shape` times the modal coordinates.
fn tied(
    body: &FlexibleBody,
    terms: Vec<(Constraint, f64)>,
    shape: &Matrix3xX<f64>,
    k: usize,
    ground: usize,
) -> (Constraint, Option<Composed>) {
    let lead = terms[0].0;
    let of_carriers = body.carriers.clone().filter_map(|carrier| {
        let first = 3 * (carrier - body.carriers.start);
        let direction = [0, 1, 2].map(|c| if first + c < body.modes() { shape[(k, first + c)] } else { 0.0 });
        let constraint = Constraint { form: Form::Along { direction }, i: origin(carrier), j: origin(ground) };
        direction.iter().any(|d| *d != 0.0).then_some((constraint, -1.0))
    });
    let all = terms.into_iter().chain(of_carriers);
    let terms = all
        .map(|(constraint, weight)| Term { constraint, set: usize::MAX, weight, argument: 0, counter: None })
        .collect();
    (lead, Some(Composed { terms, offset: 0.0, scale: 1.0, function: None, begins: false }))
}

fn origin(body: usize) -> FixedFrame {
    FixedFrame { body, r: V3::zeros(), c: M3::identity() }
}

impl Joints {
    /// Binds the rows of a set that is no joint.
    fn bind_set(&mut self, name: &str, relation: Relation, rows: Vec<(Constraint, Option<Composed>)>) {
        let first = self.constraints.len();
        let Some(&(Constraint { i, j, .. }, _)) = rows.first() else { return };
        for (constraint, composed) in rows {
            self.bind(constraint, None);
            if let Some(bound) = self.constraints.last_mut() {
                bound.composed = composed.map(Box::new);
            }
        }
        let constraints = first..self.constraints.len();
        let (name, relation) = (name.to_owned(), Some(relation));
        self.sets.push(ConstraintSet { name, joint: None, relation, i, j, constraints });
    }
}
