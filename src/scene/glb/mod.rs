//! A film as glTF 2.0 in one binary file (Khronos Group, glTF 2.0 Specification, 2021).
//!
//! A root node turns what is up in the model to y. Below it each group of things has a node. Bodies are nodes below `bodies`, in the frame of
//! the model, with their shapes and joints below them. Springs and arrows are nodes of their groups, which are stretched. One animation moves
//! all of them at the output times; of modes each has one. Lengths are metres, in pages those of [`Lengths`]. The origin of a machine that is far away lies
//! within it; the root node says where.

mod data;
mod driven;
mod geometry;
mod lengths;
mod tracks;

use super::item::Placement;
use super::{Carrier, Film, Form, Group, Item, turn};
use crate::run::Frame;
use data::Data;
use fourbar_multibody::space::{M3, Pose, V3};
use geometry::Geometry;
use gltf_json::accessor::Accessor;
use gltf_json::animation::{Animation, Channel, Interpolation, Property, Sampler, Target};
use gltf_json::scene::{Node, UnitQuaternion};
use gltf_json::validation::Checked::Valid;
use gltf_json::{Asset, Index, Root, Scene};
pub(super) use lengths::{Lengths, middle};
use nalgebra::{Rotation3, UnitQuaternion as Quaternion};
use std::io;
use std::ops::Range;
pub(super) use tracks::Grid;
use tracks::Track;

/// The bytes of a `.glb` file.
///
/// # Errors
/// A file of more than 4 GiB, which the format cannot hold.
pub fn write(film: &Film) -> io::Result<Vec<u8>> {
    Writer::new(film, 1, None, Lengths::metres(film)).whole()
}

/// The bytes of a `.glb` file for who moves it by poses that come later: nodes say in their extras what they are fixed to.
///
/// A body says `body`, its index. What is stretched between two frames says `span` or `bend`, an arrow along the force of an element `force`, one along
/// what a joint does `reaction`. A rail or floor says in `following` how it is stretched along its axes so that it leads beyond points of bodies. The root says which place is at the origin, and how many metres the unit of length has: `origin` and `unit`.
///
/// # Errors
/// As [`write()`].
pub fn write_driven(film: &Film) -> io::Result<Vec<u8>> {
    Writer { driven: true, ..Writer::new(film, 1, None, Lengths::own(film)) }.whole()
}

/// As [`write`] with these animations of its frames; the first frame is where nothing moves.
pub(super) fn write_clips(film: &Film, clips: Vec<Clip>) -> io::Result<Vec<u8>> {
    let frames = film.frames.iter().collect();
    Writer { frames, clips, ..Writer::new(film, 1, None, Lengths::metres(film)) }.whole()
}

/// An animation.
pub(super) struct Clip {
    pub(super) name: String,
    /// Its frames among those of the film.
    pub(super) frames: Range<usize>,
    /// Their times \[s\].
    pub(super) times: Vec<f32>,
}

/// As [`write`], in the unit of pages, with every `stride`-th frame and the last one alone, and numbers of the motion rounded to `grid`: places in that
/// unit, and parts of unit quaternions.
#[cfg(feature = "report")]
pub(super) fn write_thinned(film: &Film, stride: usize, grid: Grid) -> io::Result<Vec<u8>> {
    Writer::new(film, stride, Some(grid), Lengths::own(film)).whole()
}

fn name(given: &str, otherwise: &str) -> String {
    if given.is_empty() { otherwise.to_owned() } else { given.to_owned() }
}

fn rotation(turn: &Rotation3<f64>) -> UnitQuaternion {
    let q = Quaternion::from_rotation_matrix(turn);
    UnitQuaternion([q.i, q.j, q.k, q.w].map(|part| part as f32))
}

fn translation(v: &V3) -> [f32; 3] {
    [v.x as f32, v.y as f32, v.z as f32]
}

/// For those who read the file: what arrows of one metre stand for and their colours, the size of the whole \[m\], the direction towards the eye in which a picture
/// shows most, and the unit and the origin of lengths.
fn told(film: &Film, turn: &Rotation3<f64>, lengths: &Lengths) -> gltf_json::Extras {
    let of = |group: Group| {
        let largest = film.largest(group);
        let per_metre = |value: f64| value / (super::item::ARROW * film.scene.length);
        let color = |torque| super::item::arrow_color(group, torque);
        serde_json::json!({
            "newton_per_metre": per_metre(largest.force), "newton_metre_per_metre": per_metre(largest.torque),
            "color": color(false), "torque_color": color(true),
        })
    };
    let groups = [Group::Forces, Group::Reactions, Group::Contacts];
    let all: serde_json::Map<_, _> = groups.map(|group| (group.name().to_owned(), of(group))).into_iter().collect();
    let eye = turn * super::svg::eye(&film.scene);
    extras(&serde_json::json!({
        "arrows": all,
        "arrow": super::item::ARROW * film.scene.length,
        "eye": [eye.x, eye.y, eye.z],
        "planar": film.scene.normal.is_some(),
        "length": film.scene.length,
        "unit": lengths.unit,
        "origin": lengths.origin.as_slice(),
    }))
}

/// The group of an item, and whether the model says its colour.
fn group_of(item: &Item) -> serde_json::Value {
    let mut all = serde_json::json!({ "group": item.group.name() });
    if item.is_painted {
        all["painted"] = true.into();
    }
    all
}

fn extras(value: &serde_json::Value) -> gltf_json::Extras {
    gltf_json::extras::RawValue::from_string(value.to_string()).ok()
}

struct Writer<'a> {
    film: &'a Film,
    /// Frames whose times grow also in single precision.
    frames: Vec<&'a Frame>,
    clips: Vec<Clip>,
    root: Root,
    data: Data,
    geometry: Geometry,
    tracks: Vec<(Index<Node>, Track)>,
    grid: Option<Grid>,
    lengths: Lengths,
    /// Whether it is moved by who reads it.
    driven: bool,
}

impl<'a> Writer<'a> {
    fn new(film: &'a Film, stride: usize, grid: Option<Grid>, lengths: Lengths) -> Self {
        let mut frames: Vec<&Frame> = Vec::with_capacity(film.frames.len());
        let last = film.frames.len().saturating_sub(1);
        let kept = film.frames.iter().enumerate().filter(|(k, _)| k.is_multiple_of(stride) || *k == last);
        for (_, frame) in kept {
            if frames.last().is_none_or(|last| frame.time as f32 > last.time as f32) {
                frames.push(frame);
            }
        }
        let generator = concat!("fourbar ", env!("CARGO_PKG_VERSION")).to_owned();
        let asset = Asset { generator: Some(generator), ..Asset::default() };
        let root = Root { asset, ..Root::default() };
        let times: Vec<f32> = frames.iter().map(|frame| frame.time as f32).collect();
        let clips = match frames.len() {
            0 | 1 => Vec::new(),
            count => vec![Clip { name: "motion".to_owned(), frames: 0..count, times }],
        };
        Self {
            film,
            frames,
            clips,
            root,
            data: Data::default(),
            geometry: Geometry::of_unit(lengths.unit),
            tracks: Vec::new(),
            grid,
            lengths,
            driven: false,
        }
    }

    fn whole(mut self) -> io::Result<Vec<u8>> {
        let film = self.film;
        let groups = self.groups();
        let turn = turn::least(&film.scene.up, &V3::y());
        let turn = turn.unwrap_or_else(|| M3::from_diagonal(&V3::new(1.0, -1.0, -1.0)));
        let turn = Rotation3::from_matrix_unchecked(turn);
        let root = self.root.push(Node {
            name: Some(name(&film.scene.name, "scene")),
            rotation: Some(rotation(&turn)),
            children: Some(groups),
            translation: Some(self.lengths.root).filter(|at| *at != V3::zeros()).map(|at| translation(&(turn * at))),
            extras: told(film, &turn, &self.lengths),
            ..Node::default()
        });
        let scene = self.root.push(Scene { extensions: None, extras: None, name: None, nodes: vec![root] });
        self.root.scene = Some(scene);
        self.animate();
        self.data.file(self.root)
    }

    /// The nodes of the groups that have something in them.
    fn groups(&mut self) -> Vec<Index<Node>> {
        let ground = self.film.scene.bodies.len() - 1;
        let mut groups = Vec::new();
        for (group_name, group) in Group::NAMES {
            let mut children = if group == Group::Bodies { self.bodies() } else { Vec::new() };
            for item in self.film.scene.items.iter().filter(|item| item.group == group) {
                match &item.carrier {
                    Carrier::Body(frame) if frame.body != ground => {}
                    _ => children.extend(self.loose(item)),
                }
            }
            if !children.is_empty() {
                groups.push(self.root.push(Node {
                    name: Some(group_name.to_owned()),
                    children: Some(children),
                    ..Node::default()
                }));
            }
        }
        groups
    }

    /// The bodies with all that is fixed to them.
    fn bodies(&mut self) -> Vec<Index<Node>> {
        let film = self.film;
        let moving = film.scene.bodies.split_last().map_or(&[][..], |(_, moving)| moving);
        let mut nodes = Vec::with_capacity(moving.len());
        for (index, body) in moving.iter().enumerate().filter(|(_, body)| body.has_place) {
            let mut children = Vec::new();
            for item in &film.scene.items {
                let Carrier::Body(frame) = &item.carrier else { continue };
                if frame.body == index {
                    let place = self.lengths.way(&(frame.r + body.center));
                    let place = (place, Rotation3::from_matrix_unchecked(frame.c));
                    children.extend(self.fixed(item, &place));
                }
            }
            let pose = |pose: &Pose| Placement {
                position: pose.x - pose.a * body.center,
                rotation: pose.a,
                scale: V3::repeat(1.0),
            };
            let places = self.frames.iter().map(|frame| pose(&frame.poses[index]));
            let track = Track::new(places.collect(), &self.lengths, self.grid);
            let node = self.root.push(Node {
                name: Some(body.name.clone()),
                children: (!children.is_empty()).then_some(children),
                extras: if self.driven { extras(&serde_json::json!({ "body": index })) } else { None },
                ..track.start()
            });
            self.tracks.push((node, track));
            nodes.push(node);
        }
        nodes
    }

    /// An item fixed to a node.
    fn fixed(&mut self, item: &Item, (origin, turn): &(V3, Rotation3<f64>)) -> Option<Index<Node>> {
        let mesh = self.geometry.mesh(item, &mut self.root, &mut self.data)?;
        // A shape that has the name of its body is told apart from it.
        let is_body = self.film.scene.bodies.iter().any(|body| body.name == item.name);
        let shown = match item.group {
            Group::Bodies if is_body => format!("{} shape", item.name),
            Group::Bodies => item.name.clone(),
            group => format!("{}: {}", group.name(), item.name),
        };
        Some(self.root.push(Node {
            name: Some(shown),
            mesh: Some(mesh),
            translation: Some(translation(origin)),
            rotation: Some(rotation(turn)),
            extras: if self.driven { driven::extras_of(item, self.film) } else { extras(&group_of(item)) },
            ..Node::default()
        }))
    }

    /// An item that is fixed to the ground, or moves by itself.
    fn loose(&mut self, item: &Item) -> Option<Index<Node>> {
        if let Carrier::Body(frame) = &item.carrier {
            return self.fixed(item, &(self.lengths.place(&frame.r), Rotation3::from_matrix_unchecked(frame.c)));
        }
        let film = self.film;
        let is_arrow = matches!(item.group, Group::Forces | Group::Reactions | Group::Contacts);
        let grid = self.grid.map(|grid| if is_arrow { grid.for_arrows() } else { grid });
        let track = Track::new(item.placements(film, &self.frames), &self.lengths, grid);
        // An arrow that never points anywhere is left out, but where it is not known yet.
        let is_known = |element: usize| film.frames.first().is_some_and(|frame| element < frame.forces.len());
        let is_awaited = self.driven
            && match item.carrier {
                Carrier::Force { element, .. } => is_known(element),
                Carrier::Reaction { set, .. } => film.carried.contains(&set),
                _ => false,
            };
        if !track.is_seen() && !is_awaited {
            return None;
        }
        let mesh = self.geometry.mesh(item, &mut self.root, &mut self.data)?;
        let node = self.root.push(Node {
            name: Some(item.name.clone()),
            mesh: Some(mesh),
            extras: if self.driven { driven::extras_of(item, film) } else { extras(&group_of(item)) },
            ..track.start()
        });
        self.tracks.push((node, track));
        Some(node)
    }

    /// The animations of all that moves; one in which nothing does is left out.
    fn animate(&mut self) {
        let tracks = std::mem::take(&mut self.tracks);
        for Clip { name, frames, times } in std::mem::take(&mut self.clips) {
            let mut input: Option<Index<Accessor>> = None;
            let (mut channels, mut samplers) = (Vec::new(), Vec::new());
            let moving = tracks.iter().flat_map(|(node, track)| track.moving(frames.clone()).map(|of| (*node, of)));
            for (node, (path, values, kind)) in moving {
                let input = *input.get_or_insert_with(|| self.data.times(&mut self.root, &times));
                let output = self.data.track(&mut self.root, &values, kind);
                let interpolation = Valid(Interpolation::Linear);
                let sampler = Sampler { extensions: None, extras: None, input, interpolation, output };
                let sampler = Index::push(&mut samplers, sampler);
                let target = Target { extensions: None, extras: None, node, path: Valid(path) };
                channels.push(Channel { sampler, target, extensions: None, extras: None });
            }
            if !channels.is_empty() {
                let name = Some(name);
                self.root.push(Animation { extensions: None, extras: None, channels, name, samplers });
            }
        }
    }
}

/// The path of a track by its kind.
pub(super) const PATHS: [Property; 3] = [Property::Translation, Property::Rotation, Property::Scale];

impl Form {
    /// Whether it is made of lines.
    fn is_lines(&self) -> bool {
        matches!(self, Self::Lines(_))
    }
}
