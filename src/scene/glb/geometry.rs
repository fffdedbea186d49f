//! Meshes and materials: each shape and each colour once.

use super::data::Data;
use crate::scene::facets::CREASE;
use crate::scene::{Color, Facets, Form, Item};
use fourbar_multibody::space::V3;
use gltf_json::accessor::Accessor;
use gltf_json::material::{Material, PbrBaseColorFactor, PbrMetallicRoughness, StrengthFactor};
use gltf_json::mesh::{Mesh, Mode, Primitive, Semantic};
use gltf_json::validation::Checked::Valid;
use gltf_json::{Index, Root};
use std::collections::BTreeMap;

/// What is written already.
pub(super) struct Geometry {
    /// Metres of a unit of length.
    unit: f64,
    /// By their bytes: positions, normals and places.
    shapes: BTreeMap<Vec<u8>, Written>,
    materials: BTreeMap<(Color, bool), Index<Material>>,
    meshes: BTreeMap<(Index3, Color, bool), Index<Mesh>>,
}

/// Places of accessors, for comparisons.
type Index3 = [usize; 2];

#[derive(Clone, Copy)]
struct Written {
    positions: Index<Accessor>,
    normals: Option<Index<Accessor>>,
    places: Option<Index<Accessor>>,
}

/// Triangles with their corners, or lines.
#[derive(Default)]
struct Corners {
    positions: Vec<[f32; 3]>,
    normals: Vec<[f32; 3]>,
    places: Vec<u32>,
}

impl Geometry {
    pub(super) fn of_unit(unit: f64) -> Self {
        Self { unit, shapes: BTreeMap::new(), materials: BTreeMap::new(), meshes: BTreeMap::new() }
    }

    /// The mesh of an item; none if there is nothing in it.
    pub(super) fn mesh(&mut self, item: &Item, root: &mut Root, data: &mut Data) -> Option<Index<Mesh>> {
        let (corners, open) = match &item.form {
            Form::Surface(facets) => (surface(facets, self.unit), facets.open),
            Form::Lines(lines) => {
                let positions = lines.iter().flatten().map(|p| super::translation(&(p / self.unit))).collect();
                (Corners { positions, ..Corners::default() }, false)
            }
        };
        if corners.positions.is_empty() {
            return None;
        }
        let written = self.shape(&corners, root, data);
        let key = ([written.positions.value(), written.places.map_or(0, |p| p.value() + 1)], item.color, open);
        if let Some(mesh) = self.meshes.get(&key) {
            return Some(*mesh);
        }
        let material =
            *self.materials.entry((item.color, open)).or_insert_with(|| root.push(material(item.color, open)));
        let normals = written.normals.map(|normals| (Valid(Semantic::Normals), normals));
        let attributes = [(Valid(Semantic::Positions), written.positions)].into_iter().chain(normals).collect();
        let primitive = Primitive {
            attributes,
            extensions: None,
            extras: None,
            indices: written.places,
            material: Some(material),
            mode: Valid(if item.form.is_lines() { Mode::Lines } else { Mode::Triangles }),
            targets: None,
        };
        let mesh =
            root.push(Mesh { extensions: None, extras: None, name: None, primitives: vec![primitive], weights: None });
        self.meshes.insert(key, mesh);
        Some(mesh)
    }

    fn shape(&mut self, corners: &Corners, root: &mut Root, data: &mut Data) -> Written {
        let numbers = corners.positions.iter().chain(&corners.normals).flatten();
        let bytes: Vec<u8> =
            numbers.flat_map(|n| n.to_le_bytes()).chain(corners.places.iter().flat_map(|p| p.to_le_bytes())).collect();
        *self.shapes.entry(bytes).or_insert_with(|| Written {
            positions: data.vertices(root, &corners.positions, true),
            normals: (!corners.normals.is_empty()).then(|| data.vertices(root, &corners.normals, false)),
            places: (!corners.places.is_empty()).then(|| data.indices(root, &corners.places)),
        })
    }
}

fn material(color: Color, open: bool) -> Material {
    // From the colours of screens to amounts of light (IEC 61966-2-1).
    let linear = |part: u8| {
        let part = f32::from(part) / 255.0;
        if part <= 0.04045 { part / 12.92 } else { ((part + 0.055) / 1.055).powf(2.4) }
    };
    let [red, green, blue] = color.map(linear);
    let look = PbrMetallicRoughness {
        base_color_factor: PbrBaseColorFactor([red, green, blue, 1.0]),
        metallic_factor: StrengthFactor(0.0),
        roughness_factor: StrengthFactor(0.7),
        ..PbrMetallicRoughness::default()
    };
    Material { pbr_metallic_roughness: look, double_sided: open, ..Material::default() }
}

/// Triangles of a surface in a unit of so many metres, smooth but for its creases. Faces without an area are left out.
fn surface(facets: &Facets, unit: f64) -> Corners {
    let normals: Vec<V3> = facets.faces.iter().map(|face| facets.area_normal(face)).collect();
    let mut meeting: Vec<Vec<usize>> = vec![Vec::new(); facets.points.len()];
    for (index, face) in facets.faces.iter().enumerate() {
        face.iter().for_each(|k| meeting[*k as usize].push(index));
    }
    let mut corners = Corners::default();
    let mut known: BTreeMap<(u32, [u32; 3]), u32> = BTreeMap::new();
    for (index, face) in facets.faces.iter().enumerate() {
        let Some(own) = normals[index].try_normalize(0.0) else { continue };
        let mut places = Vec::with_capacity(face.len());
        for &k in face {
            let near = meeting[k as usize].iter().map(|&other| normals[other]);
            let sum: V3 = near.filter(|other| own.dot(other) >= CREASE * other.norm()).sum();
            let normal = super::translation(&sum.try_normalize(0.0).unwrap_or(own));
            let next = corners.positions.len() as u32;
            let place = *known.entry((k, normal.map(f32::to_bits))).or_insert(next);
            if place == next {
                corners.positions.push(super::translation(&(facets.points[k as usize] / unit)));
                corners.normals.push(normal);
            }
            places.push(place);
        }
        for k in 1..places.len().saturating_sub(1) {
            corners.places.extend([places[0], places[k], places[k + 1]]);
        }
    }
    corners
}
