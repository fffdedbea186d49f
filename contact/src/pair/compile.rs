//! From [`ContactModel`] to [`ContactSet`]: names and expressions resolved, every value checked.

use super::element::{Element, Gap};
use super::jump::breaks;
use super::moving::Moving;
use super::read_curve::read_curve;
use super::rolling::Curves;
use super::{ContactSet, Part};
use crate::Error;
use crate::dense;
use crate::model::{self, Contact, ContactKind, ContactModel};
use crate::shape::family::{Family, MOST_SHAPES};
use crate::shape::{Solid, read};
use crate::unilateral::Surface;
use fourbar_linalg::text::Brief;
use fourbar_multibody::break_state::BreakState;
use fourbar_multibody::constraint::{Constraint, Form};
use fourbar_multibody::expression::{Expression, Stack};
use fourbar_multibody::model::{Direction, JointKind, Model};
use fourbar_multibody::space::{FixedFrame, V3};
use fourbar_multibody::{Error as MultibodyError, IntoSi, Location, Mechanism, ModelError, Names, unique};
use std::f64::consts::{FRAC_PI_2, TAU};

/// Strongest gravity [m/s^2]: that of a neutron star is a thousandth of it.
const GRAVITY: f64 = 1e15;

type Result<T> = std::result::Result<T, Box<ModelError>>;

impl ContactSet {
    /// Compiles the contacts of a model. `mechanism` is that of `model`.
    ///
    /// # Errors
    /// [`MultibodyError::Model`] naming the contact or shape, its field, the value and the remedy.
    pub fn compile(model: &Model, contacts: &ContactModel, mechanism: &Mechanism) -> std::result::Result<Self, Error> {
        dense::detect_simd();
        compile(model, contacts, mechanism).map_err(|error| Error::Multibody(MultibodyError::Model(error)))
    }
}

fn compile(model: &Model, contacts: &ContactModel, mechanism: &Mechanism) -> Result<ContactSet> {
    if let Some(mut conversion) = IntoSi::of(model)? {
        let mut contacts = contacts.clone();
        contacts.walk(&mut conversion, &model.joints);
        return compile(&*model.in_si()?, &contacts, mechanism);
    }
    unique("shape", contacts.shapes.iter().map(|s| s.name.as_str()))?;
    unique("contact", contacts.contacts.iter().map(|c| c.name.as_str()))?;
    let names = Names::new(model)?;
    check_gravity(&names, model)?;
    let solids = shapes(&names, contacts)?;
    let context = Context { model, contacts, mechanism, names: &names, solids: &solids };
    let mut parts = Vec::new();
    for index in 0..contacts.contacts.len() {
        context.contact(index, &mut parts)?;
    }
    let break_state = BreakState::new(breaks(&parts).into());
    Ok(ContactSet {
        names: contacts.contacts.iter().map(|c| c.name.clone()).collect(),
        parts,
        shape_names: contacts.shapes.iter().map(|s| s.name.clone()).collect(),
        placed: Vec::with_capacity(solids.len()),
        solids,
        stack: Stack::new(0),
        follow: None,
        break_state,
    })
}

/// Refuses a gravity by which velocities, energies and impulses leave the range of numbers within a step.
fn check_gravity(names: &Names<'_>, model: &Model) -> Result<()> {
    let location = at("", 0, "", "gravity");
    let strongest = names.vector(&model.gravity, &location)?.amax();
    if strongest <= GRAVITY {
        return Ok(());
    }
    let problem = format!("{} m/s^2 leaves the range of numbers within a step", Brief(strongest));
    let remedy = format!("give the acceleration of gravity in m/s^2, at most {}: -9.81 on earth", Brief(GRAVITY));
    Err(ModelError::new(location, problem, remedy))
}

fn at(section: &'static str, index: usize, name: &str, field: &str) -> Location {
    Location { section, index, name: name.to_owned(), field: field.to_owned() }
}

fn shapes(names: &Names<'_>, contacts: &ContactModel) -> Result<Vec<Solid>> {
    let mut solids = Vec::with_capacity(contacts.shapes.len());
    for (index, shape) in contacts.shapes.iter().enumerate() {
        let field = |name: &str| at("shape", index, &shape.name, name);
        if index >= MOST_SHAPES {
            let problem = format!("there are {} shapes", contacts.shapes.len());
            return Err(ModelError::new(field(""), problem, format!("a model has at most {MOST_SHAPES}")));
        }
        if let Some(group) = &shape.group
            && contacts.shapes.iter().any(|other| other.name == *group)
        {
            let problem = format!("a shape has the name \"{group}\"");
            return Err(ModelError::new(field("group"), problem, "give the group another name"));
        }
        solids.push(read::read(names, shape, &field)?);
    }
    Ok(solids)
}

struct Context<'a> {
    model: &'a Model,
    contacts: &'a ContactModel,
    mechanism: &'a Mechanism,
    names: &'a Names<'a>,
    solids: &'a [Solid],
}

/// Where the fields of a contact stand.
type Field<'a> = &'a dyn Fn(&str) -> Location;

impl Context<'_> {
    fn contact(&self, index: usize, parts: &mut Vec<Part>) -> Result<()> {
        let contact = &self.contacts.contacts[index];
        let field = |name: &str| at("contact", index, &contact.name, name);
        let surface = self.surface(contact, &field)?;
        let pair = index as u32;
        let mut add = |gap: Gap| {
            parts.push(Part::Element(Box::new(Element { name: contact.name.clone(), pair, surface, gap })));
        };
        match &contact.kind {
            ContactKind::PointPlane(c) => {
                let (i, j) = self.names.pair(&c.i, &c.j, &field)?;
                let offset = self.moving(&c.offset, &field("offset"), "a number", |_| true)?;
                add(Gap::Plane { points: vec![i.r], body: i.body, radius: 0.0, j, offset });
            }
            ContactKind::SpherePlane(c) => {
                let (i, j) = self.names.pair(&c.i, &c.j, &field)?;
                let radius = self.names.checked(&c.radius, &field("radius"), "positive", |r| r > 0.0)?;
                let offset = self.moving(&c.offset, &field("offset"), "a number", |_| true)?;
                add(Gap::Plane { points: vec![i.r], body: i.body, radius, j, offset });
            }
            ContactKind::BoxPlane(c) => {
                let (i, j) = self.names.pair(&c.i, &c.j, &field)?;
                let points = self.corners(&i, c, &field("size"))?;
                let offset = self.moving(&c.offset, &field("offset"), "a number", |_| true)?;
                add(Gap::Plane { points, body: i.body, radius: 0.0, j, offset });
            }
            ContactKind::SphereSphere(c) => {
                let (i, j) = self.names.pair(&c.i, &c.j, &field)?;
                let radius = |e, name| self.names.checked(e, &field(name), "zero or positive", |r| r >= 0.0);
                let radii = [radius(&c.radius_i, "radius_i")?, radius(&c.radius_j, "radius_j")?];
                add(Gap::Spheres { i, j, radii });
            }
            ContactKind::CurveCurve(c) => add(Gap::Curves(Box::new(self.curves(c, &field)?))),
            ContactKind::Rope(c) => {
                without_friction(contact, &surface, "a rope", &field)?;
                let (i, j) = self.names.pair(&c.i, &c.j, &field)?;
                let length = self.moving(&c.length, &field("length"), "a positive length", |l| l > 0.0)?;
                add(Gap::Rope { i, j, length });
            }
            ContactKind::JointStop(c) => {
                without_friction(contact, &surface, "a stop", &field)?;
                self.stops(c, &field)?.into_iter().for_each(&mut add);
            }
            ContactKind::Shapes(c) => {
                let family = self.family(&contact.name, pair, surface, c, &field)?;
                parts.push(Part::Family(Box::new(family)));
            }
        }
        Ok(())
    }

    fn surface(&self, contact: &Contact, field: Field<'_>) -> Result<Surface> {
        let not_negative = |e, name| self.names.checked(e, &field(name), "zero or positive", |v| v >= 0.0);
        Ok(Surface {
            restitution: self.names.checked(
                &contact.restitution,
                &field("restitution"),
                "a number from 0 to 1",
                |e| (0.0..=1.0).contains(&e),
            )?,
            friction: not_negative(&contact.friction, "friction")?,
            rolling: not_negative(&contact.rolling, "rolling")?,
            spinning: not_negative(&contact.spinning, "spinning")?,
        })
    }

    fn moving(
        &self,
        e: &Expression,
        location: &Location,
        allowed: &str,
        holds: impl Fn(f64) -> bool,
    ) -> Result<Moving> {
        Moving::read(self.names, e, location, allowed, holds)
    }

    /// Arms of the corners of a box, each once: a plate has four.
    fn corners(&self, i: &FixedFrame, c: &model::BoxPlane, location: &Location) -> Result<Vec<V3>> {
        let half = self.names.vector(&c.size, location)? * 0.5;
        if !(half.min() >= 0.0) {
            let problem = format!("the size is {:?}", (half * 2.0).as_slice());
            return Err(ModelError::new(location.clone(), problem, "give lengths that are not negative"));
        }
        let mut corners: Vec<V3> = Vec::new();
        for k in 0..8 {
            let sign = |axis: usize| if k >> axis & 1 == 1 { 1.0 } else { -1.0 };
            let corner = i.r + i.c * V3::new(sign(0) * half.x, sign(1) * half.y, sign(2) * half.z);
            if !corners.contains(&corner) {
                corners.push(corner);
            }
        }
        Ok(corners)
    }

    fn curves(&self, c: &model::CurveCurve, field: Field<'_>) -> Result<Curves> {
        let (i, j) = self.names.pair(&c.i, &c.j, field)?;
        let curve_i = read_curve(self.names, &c.curve_i, &field("curve_i"))?;
        let curve_j = read_curve(self.names, &c.curve_j, &field("curve_j"))?;
        if let (Some(ri), Some(rj)) = (curve_i.signed_radius(), curve_j.signed_radius()) {
            let fits = match (ri < 0.0, rj < 0.0) {
                (false, false) => true,
                (true, true) => false,
                _ => ri + rj < 0.0,
            };
            if !fits {
                let problem = format!("circles of radii {} and {} cannot touch so", ri.abs(), rj.abs());
                let remedy = "make at most one of them hollow, and the hollow one the larger";
                return Err(ModelError::new(field("curve_j"), problem, remedy));
            }
        }
        Ok(Curves::new(i, j, curve_i, curve_j))
    }

    fn stops(&self, c: &model::JointStop, field: Field<'_>) -> Result<Vec<Gap>> {
        let known = || self.model.joints.iter().map(|j| j.name.as_str());
        let unknown = || ModelError::unknown("joint", &c.joint, known(), &field("joint"));
        let index = known().position(|name| name == c.joint).ok_or_else(unknown)?;
        // Joints come first among the sets of a mechanism.
        let set = &self.mechanism.constraint_sets()[index];
        let form = match direction(c, self.model.joints[index].kind, field)? {
            Direction::Rotation => Form::Angle,
            Direction::Translation => Form::AxisVector { axis: 2, offset: 0.0 },
        };
        let constraint = Constraint { form, i: set.i, j: set.j };
        let limit = |e: &Option<Expression>, name: &str| {
            e.as_ref().map(|e| self.moving(e, &field(name), "a number", |_| true)).transpose()
        };
        let (lower, upper) = (limit(&c.lower, "lower")?, limit(&c.upper, "upper")?);
        let mut stack = Stack::new(0);
        let mut value = |limit: &Option<Moving>| limit.as_ref().map(|l| l.at(0.0, &mut stack)[0]);
        let (low, high) = (value(&lower), value(&upper));
        let about = match (low, high) {
            (None, None) => {
                return Err(ModelError::new(
                    field(""),
                    "neither `lower` nor `upper` is given",
                    "give at least one of them",
                ));
            }
            (Some(low), Some(high)) if !(low < high) => {
                let problem = format!("the lower limit {low} is not below the upper one {high}");
                return Err(ModelError::new(field("upper"), problem, "give limits between which there is room"));
            }
            (Some(low), Some(high)) if form == Form::Angle && high - low >= TAU => {
                let problem = format!("the limits are {} rad apart", high - low);
                return Err(ModelError::new(
                    field("upper"),
                    problem,
                    "angles are known to within a turn; give limits less than 2 pi apart",
                ));
            }
            (Some(low), Some(high)) => 0.5 * (high - low),
            _ => FRAC_PI_2,
        };
        let stop = |limit: Option<Moving>, side, feature| {
            limit.map(|limit| Gap::Stop { constraint, limit, side, about, feature })
        };
        Ok([stop(lower, 1.0, 0), stop(upper, -1.0, 1)].into_iter().flatten().collect())
    }

    fn family(&self, name: &str, pair: u32, surface: Surface, c: &model::Shapes, field: Field<'_>) -> Result<Family> {
        let i = self.members(&c.i, &field("i"))?;
        let j = c.j.as_ref().map_or_else(|| Ok(i.clone()), |j| self.members(j, &field("j")))?;
        let body = |k: &u32| self.solids[*k as usize].frame.body;
        let first = body(&i[0]);
        if i.iter().chain(&j).all(|k| body(k) == first) {
            let problem = "all these shapes are on one body and never move against each other".to_owned();
            let at = if c.j.is_some() { "j" } else { "i" };
            return Err(ModelError::new(field(at), problem, "name shapes on another body, or on \"ground\", as `j`"));
        }
        let apart = if c.joined { Vec::new() } else { self.joined() };
        Ok(Family::new(name, pair, surface, self.solids, [&i, &j], apart))
    }

    /// Shapes of this name or group.
    fn members(&self, name: &str, location: &Location) -> Result<Vec<u32>> {
        let shapes = &self.contacts.shapes;
        let is = |s: &model::Shape| s.name == name || s.group.as_deref() == Some(name);
        let members: Vec<u32> = (0..shapes.len() as u32).filter(|&k| is(&shapes[k as usize])).collect();
        if members.is_empty() {
            let known = shapes.iter().flat_map(|s| [Some(s.name.as_str()), s.group.as_deref()]).flatten();
            let mut known: Vec<&str> = known.collect();
            known.dedup();
            let mut bodies = self.mechanism.bodies().iter().map(|body| body.name.as_str()).chain(["ground"]);
            if bodies.any(|body| body == name) {
                let problem = format!("the body \"{name}\" has no shape by which it could touch");
                let remedy = format!(
                    "give it `solids`, or write a [[shape]] with on = \"{name}\" and name that one here; shapes and groups are {}",
                    if known.is_empty() { "none".to_owned() } else { known.join(", ") }
                );
                return Err(ModelError::new(location.clone(), problem, remedy));
            }
            return Err(ModelError::unknown("shape or group", name, known, location));
        }
        Ok(members)
    }

    /// Pairs of bodies bound by joints, the smaller index first.
    fn joined(&self) -> Vec<[usize; 2]> {
        let sets = self.mechanism.constraint_sets().iter().filter(|s| s.joint.is_some());
        sets.map(|s| [s.i.body.min(s.j.body), s.i.body.max(s.j.body)]).collect()
    }
}

fn without_friction(contact: &Contact, surface: &Surface, what: &str, field: Field<'_>) -> Result<()> {
    if surface.friction_rows() == 0 {
        return Ok(());
    }
    let given = [
        ("friction", surface.friction, &contact.friction),
        ("rolling", surface.rolling, &contact.rolling),
        ("spinning", surface.spinning, &contact.spinning),
    ];
    let (name, _, value) = given.into_iter().find(|(_, v, _)| *v > 0.0).unwrap_or(given[0]);
    Err(ModelError::new(field(name), format!("{what} has no surface, but `{name}` is {value}"), "remove it"))
}

/// The coordinate of a joint that is limited.
fn direction(c: &model::JointStop, kind: JointKind, field: Field<'_>) -> Result<Direction> {
    let own = match kind {
        JointKind::Revolute => Direction::Rotation,
        JointKind::Prismatic => Direction::Translation,
        JointKind::Cylindrical | JointKind::Screw => {
            let missing = || {
                let problem = format!("joint \"{}\" can turn and slide", c.joint);
                ModelError::new(field("direction"), problem, "say `rotation` or `translation`")
            };
            return c.direction.ok_or_else(missing);
        }
        _ => {
            let problem = format!("joint \"{}\" has no coordinate to limit", c.joint);
            return Err(ModelError::new(
                field("joint"),
                problem,
                "stops belong to revolute, prismatic, cylindrical and screw joints",
            ));
        }
    };
    match c.direction {
        Some(direction) if direction != own => {
            let problem = format!("joint \"{}\" does not move in this direction", c.joint);
            Err(ModelError::new(field("direction"), problem, "remove it"))
        }
        _ => Ok(own),
    }
}
