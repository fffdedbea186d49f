//! Faces and edges of a frame as they are seen, in the order in which they are painted.

use super::order;
use super::view::Camera;
use crate::run::Frame;
use crate::scene::facets::CREASE;
use crate::scene::glb::middle;
use crate::scene::{Color, Facets, Film, Form, Group, Item, Placement};
use fourbar_multibody::space::V3;
use std::collections::BTreeMap;

/// Something to paint; points are in view coordinates, the third towards the eye.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Piece {
    /// Corners of a convex face, ends of a line, or the middle of a ball.
    pub(super) points: Vec<V3>,
    /// Radius of a ball.
    pub(super) radius: Option<f64>,
    pub(super) ink: Ink,
    /// Edges of the face that are drawn.
    pub(super) edges: Vec<[V3; 2]>,
    /// Number of the plane piece of a surface that it is part of: faces of one are painted as one, without seams.
    pub(super) sheet: usize,
}

/// How a piece is painted.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Ink {
    Face { fill: Color, edge: Color },
    Line(Color),
}

/// What is seen of a frame, the farthest first.
pub(super) fn pieces(film: &Film, frame: &Frame, camera: &Camera, groups: &[Group]) -> Vec<Piece> {
    let (mut shapes, mut arrows) = (Vec::new(), Vec::new());
    let (mut behind, mut before) = (Vec::new(), Vec::new());
    // From within the machine: far from the origin edges would be lost in round-off.
    let middle = film.frames.first().and_then(|first| middle(&film.scene, first)).unwrap_or_else(V3::zeros);
    for item in film.scene.items.iter().filter(|item| groups.contains(&item.group)) {
        let mut placement = item.placement(film, frame);
        placement.position -= middle;
        if !placement.is_seen() {
            continue;
        }
        // An arrow within a body is seen all the same.
        let is_arrow = matches!(item.group, Group::Forces | Group::Reactions | Group::Contacts);
        let faces = if is_arrow { &mut arrows } else { &mut shapes };
        match &item.form {
            Form::Surface(facets) => match facets.sphere {
                Some(radius) => faces.push(ball(item, &placement, camera, radius)),
                None => surface(item, facets, &placement, camera, faces),
            },
            // Seen from its edge the floor would but be a line that nothing stands on.
            Form::Lines(_) if item.group == Group::Ground && camera.is_level(&film.scene.up) => {}
            Form::Lines(lines) => {
                // The floor lies under everything, axes on everything.
                let to = if item.group == Group::Ground { &mut behind } else { &mut before };
                to.extend(lines.iter().map(|ends| Piece {
                    points: ends.iter().map(|p| camera.see(&placement.point(p))).collect(),
                    radius: None,
                    ink: Ink::Line(item.color),
                    edges: Vec::new(),
                    sheet: 0,
                }));
            }
        }
    }
    // No sheet of theirs is one of a body.
    arrows.iter_mut().filter(|piece| piece.sheet > 0).for_each(|piece| piece.sheet += shapes.len());
    for faces in [shapes, arrows] {
        let order = order::order(&faces);
        let mut faces: Vec<Option<Piece>> = faces.into_iter().map(Some).collect();
        behind.extend(order.into_iter().filter_map(|k| faces[k].take()));
    }
    behind.append(&mut before);
    behind
}

fn shaded(color: Color, factor: f64) -> Color {
    color.map(|part| (f64::from(part) * factor).clamp(0.0, 255.0) as u8)
}

fn ball(item: &Item, placement: &Placement, camera: &Camera, radius: f64) -> Piece {
    Piece {
        points: vec![camera.see(&placement.position)],
        radius: Some(radius),
        ink: Ink::Face { fill: shaded(item.color, 1.0), edge: shaded(item.color, 0.45) },
        edges: Vec::new(),
        sheet: 0,
    }
}

/// The faces of a surface that look towards the eye, with their edges: creases, rims, and where the surface turns away.
fn surface(item: &Item, facets: &Facets, placement: &Placement, camera: &Camera, found: &mut Vec<Piece>) {
    let seen: Vec<V3> = facets.points.iter().map(|p| camera.see(&placement.point(p))).collect();
    let at = |k: u32| seen[k as usize];
    let normal = |face: &Vec<u32>| {
        let parts = (1..face.len() - 1).map(|k| (at(face[k]) - at(face[0])).cross(&(at(face[k + 1]) - at(face[0]))));
        parts.sum::<V3>()
    };
    let normals: Vec<V3> = facets.faces.iter().map(normal).collect();
    let mut beside: BTreeMap<(u32, u32), usize> = BTreeMap::new();
    for (index, face) in facets.faces.iter().enumerate() {
        for k in 0..face.len() {
            beside.insert((face[k], face[(k + 1) % face.len()]), index);
        }
    }
    let largest = normals.iter().map(V3::norm).fold(0.0, f64::max);
    let first = found.len() + 1;
    let mut sheets: Vec<(V3, f64)> = Vec::new();
    let flat = 1e-9 * seen.iter().map(|p| (p - seen[0]).norm()).fold(0.0, f64::max);
    for (index, face) in facets.faces.iter().enumerate() {
        let own = normals[index];
        // Edge-on, or seen from inside.
        if own.z.abs() < 1e-9 * largest || (own.z < 0.0 && !facets.open) {
            continue;
        }
        let own = own.normalize();
        let is_drawn = |from: u32, to: u32| match beside.get(&(to, from)) {
            // The rim of what is not open: it goes on in another piece.
            None => facets.open,
            Some(&other) => {
                let other = normals[other];
                other.z <= 1e-9 * largest && !facets.open || own.dot(&other) < CREASE * other.norm()
            }
        };
        let corners = (0..face.len()).map(|k| (face[k], face[(k + 1) % face.len()]));
        let edges = corners.filter(|(from, to)| is_drawn(*from, *to)).map(|(from, to)| [at(from), at(to)]);
        let height = own.dot(&at(face[0]));
        let same = |(normal, other): &(V3, f64)| (normal - own).norm() < 1e-9 && (other - height).abs() < flat;
        let sheet = sheets.iter().position(same).unwrap_or_else(|| {
            sheets.push((own, height));
            sheets.len() - 1
        });
        let facing = if own.z < 0.0 { -own } else { own };
        let light = 0.66 + 0.42 * facing.dot(&camera.light).max(0.0);
        found.push(Piece {
            points: face.iter().map(|k| at(*k)).collect(),
            radius: None,
            ink: Ink::Face { fill: shaded(item.color, light), edge: shaded(item.color, 0.45) },
            edges: edges.collect(),
            sheet: first + sheet,
        });
    }
}
