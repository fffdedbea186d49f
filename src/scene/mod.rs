//! What a machine looks like: bodies as shapes, the signs of joints, springs and forces, and where all of these are at output times.
//!
//! A [`Stage`] is what of a model can be filmed; a [`Recorder`] keeps the frames of a run. Both together make a [`Film`], which
//! [`glb`] writes as glTF and [`svg`] draws as a still picture. Its [`Scene`] holds the shapes.
//!
//! Bodies show what `[[display]]` says, else their solids and contact shapes. Without these, links are drawn from the places where joints and
//! springs meet them, wheels and blocks from their inertia.

#[cfg(feature = "report")]
mod animation;
mod bodies;
mod build;
mod carried;
mod contacts;
mod coupled;
mod curves;
mod depth;
mod facets;
mod film;
mod flexible;
mod following;
mod gears;
mod glb;

mod ground;
mod item;
mod links;
mod modes;
mod outline;
mod points;
mod signs;
#[cfg(feature = "report")]
mod stored;
mod svg;
mod turn;

pub use carried::is_hidden;
pub use coupled::{Curtain, Stage};
pub use facets::Facets;
pub use film::{Film, Recorder};

pub use glb::write as glb;
pub use glb::write_driven as driven_glb;
pub use item::{Carrier, Color, Form, Group, Item, Placement, SpanPart};
pub use modes::ModeFilm;
#[cfg(feature = "report")]
pub use stored::NoFilm;
pub use svg::{Picture, View, write as svg};

use fourbar_multibody::space::V3;

/// A mechanism as shapes.
#[derive(Debug, Clone, PartialEq)]
pub struct Scene {
    /// Title of the model.
    pub name: String,
    /// The bodies in the order of the model, then the ground.
    pub bodies: Vec<SceneBody>,
    /// What is to be seen.
    pub items: Vec<Item>,
    /// Length that stands for its size: the diagonal of what it takes up at the start \[m\].
    pub length: f64,
    /// The direction that is up, global, of unit length: against gravity; y of a planar mechanism without gravity, else z.
    pub up: V3,
    /// Of a planar mechanism the normal of its plane, global, of unit length, towards the eye.
    pub normal: Option<V3>,
    /// Rails and floors that are stretched as far as a run goes.
    pub(crate) following: Vec<following::Following>,
}

/// A body of a scene.
#[derive(Debug, Clone, PartialEq)]
pub struct SceneBody {
    /// Name in the model.
    pub name: String,
    /// Centre of mass in the frame of the body \[m\].
    pub center: V3,
    /// Whether its pose is a place: not so of what carries the modal coordinates of a flexible body.
    pub has_place: bool,
}

impl Scene {
    /// Several scenes in one: bodies one after the other, on one ground, and so force elements and constraint sets, of which each has so many.
    pub(crate) fn joined(scenes: Vec<(Self, [usize; 2])>, name: &str) -> Self {
        let total: usize = scenes.iter().map(|(scene, _)| scene.bodies.len() - 1).sum();
        let (mut first, mut before) = (0, [0; 2]);
        let mut placed = Vec::with_capacity(scenes.len());
        for (mut scene, counts) in scenes {
            let own = scene.bodies.len() - 1;
            let place = |body: &mut usize| *body = if *body == own { total } else { first + *body };
            for item in &mut scene.items {
                item.carrier.bodies().into_iter().for_each(place);
                match &mut item.carrier {
                    Carrier::Force { element, .. } => *element += before[0],
                    Carrier::Reaction { set, .. } => *set += before[1],
                    _ => {}
                }
            }
            let points = scene.following.iter_mut().flat_map(|following| &mut following.points);
            points.for_each(|point| place(&mut point.body));
            first += own;
            before = [before[0] + counts[0], before[1] + counts[1]];
            placed.push(scene);
        }
        let mut scenes = placed;
        let ground = scenes.first_mut().and_then(|scene| scene.bodies.pop());
        let mut scenes = scenes.into_iter();
        let mut whole = scenes.next().unwrap_or_else(|| Self {
            name: String::new(),
            bodies: Vec::new(),
            items: Vec::new(),
            length: 1.0,
            up: V3::z(),
            normal: None,
            following: Vec::new(),
        });
        for mut scene in scenes {
            scene.bodies.pop();
            whole.bodies.append(&mut scene.bodies);
            let before = whole.items.len();
            scene.following.iter_mut().for_each(|following| following.item += before);
            whole.following.append(&mut scene.following);
            whole.items.append(&mut scene.items);
            whole.length = whole.length.max(scene.length);
            whole.normal = whole.normal.filter(|normal| scene.normal == Some(*normal));
        }
        whole.bodies.extend(ground);
        name.clone_into(&mut whole.name);
        whole
    }
}
