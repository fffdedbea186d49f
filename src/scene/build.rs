//! From a model to its scene.

use super::curves::Placed;
use super::following::{Following, Way};
use super::points::{self, Meeting, Place};
use super::{Carrier, Color, Facets, Form, Group, Item, Scene, SceneBody, flexible};
use crate::Error;
use crate::mechanism::MechanismModel;
use fourbar_multibody::model::JointKind;
use fourbar_multibody::space::{FixedFrame, M3, Pose, V3};
use fourbar_multibody::{Mechanism, ModelError, Names};

/// Sine of an angle between directions that count as parallel, and part of the length that counts as no distance.
pub(super) const SAME: f64 = 1e-6;

/// Colours of bodies, one after the other: of like lightness, apart from each other also for those who see no red or green.
const COLORS: [Color; 8] = [
    [76, 120, 168],
    [224, 164, 88],
    [106, 165, 106],
    [166, 120, 168],
    [201, 123, 99],
    [111, 179, 184],
    [140, 140, 74],
    [154, 143, 192],
];
pub(super) const GROUND: Color = [150, 155, 163];
pub(super) const DARK: Color = [62, 68, 82];
pub(super) const SPRING: Color = [92, 104, 118];

/// The scene as it grows.
pub(super) struct Builder<'a> {
    /// The model, in SI units and written out.
    pub(super) model: &'a MechanismModel,
    pub(super) names: &'a Names<'a>,
    pub(super) mechanism: &'a Mechanism,
    /// At the start, the ground last.
    pub(super) poses: Vec<Pose>,
    /// Where joints and forces meet each body, the ground last.
    pub(super) places: Vec<Vec<Place>>,
    pub(super) items: Vec<Item>,
    pub(super) following: Vec<Following>,
    /// Whether a body has a shape.
    pub(super) shaped: Vec<bool>,
    /// Whether the model gives it one, which is drawn where it is.
    pub(super) is_own: Vec<bool>,
    /// Size of the whole \[m\].
    pub(super) length: f64,
    /// Of a planar mechanism.
    pub(super) normal: Option<V3>,
    pub(super) up: V3,
    /// Heights of the bodies over the plane, in steps.
    pub(super) layers: Vec<usize>,
    /// Of each body the one that stands for it: of the parts of a flexible body its frame, else itself.
    pub(super) whole: Vec<usize>,
    /// Curves, where they are.
    pub(super) curves: Vec<Placed>,
    /// Smallest pitch radius \[m\].
    pub(super) smallest_gear: f64,
}

pub(super) type Built = Result<(), Box<ModelError>>;

impl Scene {
    /// The scene of `model`, of which `mechanism` was compiled.
    ///
    /// # Errors
    /// [`Error::Multibody`] with the fault of a shape.
    pub fn new(model: &MechanismModel, mechanism: &Mechanism) -> Result<Self, Error> {
        let fault = fourbar_multibody::Error::Model;
        let whole = model.expand().map_err(fault)?;
        let names = Names::new(&whole.model).map_err(fault)?;
        Builder::scene(&whole, &names, mechanism).map_err(|problem| fault(problem).into())
    }
}

impl<'a> Builder<'a> {
    fn scene(
        model: &'a MechanismModel,
        names: &'a Names<'a>,
        mechanism: &'a Mechanism,
    ) -> Result<Scene, Box<ModelError>> {
        let poses: Vec<Pose> = mechanism.start().poses.iter().copied().chain([Pose::ground()]).collect();
        let places = points::gather(model, names, mechanism)?;
        let curves = Placed::all(model, names)?;
        let count = poses.len();
        let mut builder = Self {
            model,
            names,
            mechanism,
            poses,
            places,
            items: Vec::new(),
            following: Vec::new(),
            shaped: vec![false; count],
            is_own: vec![false; count],
            length: 1.0,
            normal: None,
            up: V3::z(),
            layers: vec![0; count],
            whole: flexible::wholes(mechanism),
            curves,
            smallest_gear: f64::INFINITY,
        };
        let displayed = builder.add_shapes()?;
        builder.is_own.clone_from(&builder.shaped);
        builder.measure();
        builder.look();
        builder.add_gears()?;
        builder.add_curves(&displayed);
        builder.add_flexible();
        builder.add_links();
        builder.measure();
        builder.add_signs()?;
        builder.add_ground()?;
        let bodies = mechanism.bodies().iter().enumerate().map(|(index, body)| SceneBody {
            name: body.name.clone(),
            center: body.center_of_mass(),
            has_place: flexible::has_place(mechanism, index),
        });
        let name = fourbar_multibody::model::GROUND.to_owned();
        let ground = SceneBody { name, center: V3::zeros(), has_place: true };
        Ok(Scene {
            name: mechanism.name().to_owned(),
            bodies: bodies.chain([ground]).collect(),
            items: builder.items,
            length: builder.length,
            up: builder.up,
            normal: builder.normal,
            following: builder.following,
        })
    }

    /// Index of the ground.
    pub(super) fn ground(&self) -> usize {
        self.poses.len() - 1
    }

    pub(super) fn name(&self, body: usize) -> &'a str {
        self.mechanism.bodies().get(body).map_or(fourbar_multibody::model::GROUND, |body| &body.name)
    }

    pub(super) fn color(&self, body: usize) -> Color {
        if body == self.ground() { GROUND } else { COLORS[body % COLORS.len()] }
    }

    /// Adds a surface fixed to a body.
    pub(super) fn add(&mut self, group: Group, name: &str, frame: FixedFrame, facets: Facets, color: Color) {
        let (name, form) = (name.to_owned(), Form::surface(facets));
        self.items.push(Item { name, group, carrier: Carrier::Body(frame), form, color, is_painted: false });
    }

    /// Says whether the model gives the item that was added last its colour.
    pub(super) fn paint(&mut self, is_painted: bool) {
        if let Some(item) = self.items.last_mut() {
            item.is_painted = is_painted;
        }
    }

    /// Lets the item that was added last be stretched along the way of `points`.
    pub(super) fn follow(&mut self, way: Way, points: Vec<FixedFrame>) {
        if let Some(item) = self.items.len().checked_sub(1) {
            self.following.push(Following { item, way, points });
        }
    }

    /// Adds a surface of a body, or of the ground.
    pub(super) fn add_part(&mut self, frame: FixedFrame, facets: Facets) {
        let (name, color) = (self.name(frame.body), self.color(frame.body));
        let group = if frame.body == self.ground() { Group::Ground } else { Group::Bodies };
        self.add(group, name, frame, facets, color);
    }

    /// A frame on a body by what is seen at the start.
    pub(super) fn fixed(&self, body: usize, origin: V3, axes: M3) -> FixedFrame {
        let pose = &self.poses[body];
        FixedFrame { body, r: pose.a.tr_mul(&(origin - pose.x)), c: pose.a.tr_mul(&axes) }
    }

    /// What the bodies take up at the start: the corners of a box along the global axes; none for nothing.
    pub(super) fn bounds(&self) -> Option<[V3; 2]> {
        let of_items = self.items.iter().flat_map(|item| match (&item.form, &item.carrier) {
            (Form::Surface(facets), Carrier::Body(frame)) => {
                let (origin, axes) = (frame.origin(&self.poses), frame.axes(&self.poses));
                facets.points.iter().map(|p| origin + axes * p).collect()
            }
            _ => Vec::new(),
        });
        let of_places = self.places.iter().flatten().map(|place| place.frame.origin(&self.poses));
        let of_curves = self.curves.iter().flat_map(|placed| placed.seen(&self.poses));
        let with_place = (0..self.ground()).filter(|&body| flexible::has_place(self.mechanism, body));
        let centres = with_place.map(|body| self.poses[body].x);
        points::bounds(of_items.chain(of_places).chain(of_curves).chain(centres))
    }

    /// Sets the size of the whole: that of what it takes up, else that of its inertia.
    fn measure(&mut self) {
        let diagonal = self.bounds().map_or(0.0, |[low, high]| (high - low).norm());
        let gyration = |body: &fourbar_multibody::mechanism::RigidBody| (body.inertia.trace() / body.mass).sqrt();
        let bodies = self.mechanism.bodies().iter().enumerate();
        let bodies = bodies.filter(|(body, _)| flexible::has_place(self.mechanism, *body)).map(|(_, body)| body);
        let own = bodies.map(gyration).fold(0.0, f64::max);
        self.length = [diagonal, 2.0 * own].into_iter().fold(0.0, f64::max);
        if !(self.length > 0.0) {
            self.length = 1.0;
        }
    }

    /// Finds the plane, and what is up.
    fn look(&mut self) {
        self.normal = self.plane();
        let gravity = self.mechanism.gravity();
        self.up = match (gravity.norm() > 0.0, self.normal) {
            (true, _) => -gravity.normalize(),
            (false, Some(normal)) => in_plane(&normal),
            (false, None) => V3::z(),
        };
        // Gravity across the plane does not say where up is in the picture; the eye then looks down on it.
        if let Some(normal) = &mut self.normal {
            let first = normal.iamax();
            if normal[first] < 0.0 {
                *normal = -*normal;
            }
            // A vertical plane is seen as it is drawn on paper: x to the right.
            if self.up.cross(normal).x < -0.5 {
                *normal = -*normal;
            }
        }
        if self.normal.is_some() {
            self.set_layers();
        }
    }

    /// The normal of the plane in which all bodies turn and slide, if joints say so of each body.
    fn plane(&self) -> Option<V3> {
        use JointKind as K;
        let sets = || self.mechanism.constraint_sets().iter().filter_map(|set| set.joint.map(|kind| (kind, set)));
        let (_, first) = sets().find(|(kind, _)| matches!(kind, K::Revolute | K::Planar))?;
        let normal = first.j.axis(&self.poses, 2);
        let mut bound = vec![false; self.poses.len()];
        for (kind, set) in sets() {
            let z = set.j.axis(&self.poses, 2);
            let along = z.cross(&normal).norm() < SAME;
            let across = z.dot(&normal).abs() < SAME;
            match kind {
                K::Revolute | K::Planar | K::ParallelAxes if along => {}
                K::Prismatic if across => {}
                K::Cylindrical if along || across => {}
                K::Fixed | K::Distance | K::Inline | K::Inplane | K::Perpendicular | K::Orientation => {}
                K::Spherical => {}
                _ => return None,
            }
            bound[self.whole[set.i.body]] = true;
            bound[self.whole[set.j.body]] = true;
        }
        self.whole[..self.ground()].iter().all(|whole| bound[*whole]).then_some(normal)
    }

    /// Puts bodies without a shape that a joint binds onto different layers, as far as they are drawn in one plane.
    fn set_layers(&mut self) {
        let Some(normal) = self.normal else { return };
        let height = |place: &Place| place.frame.origin(&self.poses).dot(&normal);
        let hinges = || self.places.iter().flatten().filter(|place| place.meeting != Meeting::Point);
        let first = hinges().next().map_or(0.0, height);
        if hinges().any(|place| (height(place) - first).abs() > 1e-3 * self.length) {
            return;
        }
        // Those with few joints lie low: gears under their carrier.
        let mut parts: Vec<Vec<usize>> = vec![Vec::new(); self.ground()];
        (0..self.ground()).for_each(|body| parts[self.whole[body]].push(body));
        let count = |parts: &Vec<usize>| parts.iter().map(|&body| self.places[body].len()).sum::<usize>();
        parts.sort_by_key(count);
        for parts in parts.into_iter().filter(|parts| parts.iter().all(|&body| !self.is_own[body])) {
            let others = parts.iter().flat_map(|&body| &self.places[body]).filter_map(|place| place.other);
            // The ground has layer 0, as those have whose turn is still to come.
            let taken: Vec<usize> = others.map(|other| self.layers[other]).collect();
            let layer = (1..).find(|layer| !taken.contains(layer)).unwrap_or(1);
            parts.iter().for_each(|&body| self.layers[body] = layer);
        }
    }

    /// Thickness of a link of a planar mechanism \[m\].
    pub(super) fn thickness(&self) -> f64 {
        0.016 * self.length
    }

    /// Half the width of links, as wide as they get \[m\].
    pub(super) fn half_width(&self) -> f64 {
        0.02 * self.length
    }
}

/// The direction in a plane that is drawn upwards: y, or z where y stands across the plane.
pub(super) fn in_plane(normal: &V3) -> V3 {
    let up = if normal.y.abs() < 0.9 { V3::y() } else { V3::z() };
    (up - normal * normal.dot(&up)).normalize()
}

/// Axes whose z is `z`, their x as near to `x` as can be.
pub(super) fn axes(z: &V3, x: &V3) -> M3 {
    let z = z.normalize();
    let y = z.cross(x);
    let y = if y.norm() > SAME { y.normalize() } else { z.cross(&axis_across(&z)).normalize() };
    M3::from_columns(&[y.cross(&z), y, z])
}

/// The global axis that lies flattest to `z`.
pub(super) fn axis_across(z: &V3) -> V3 {
    let mut axis = V3::zeros();
    axis[z.iamin()] = 1.0;
    axis
}
