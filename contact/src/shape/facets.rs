//! Corners, edges and faces of boxes, hulls and meshes, and which normals each may have.
//!
//! A normal n belongs to an edge if it leads away from the faces that meet there, n.d <= 0 for the directions d from the edge into them, and to a
//! corner if it does so for all edges that end there. Edges in flat or hollow places of a mesh have none and are left out.

use fourbar_multibody::space::V3;
use parry3d_f64::math::Vec3;
use parry3d_f64::shape::{ConvexPolyhedron, TriMesh};
use std::collections::HashMap;

/// Sine of the angle between two faces below which they are one: round-off of vertices given with seven digits.
const FLAT: f64 = 1e-6;

/// A corner and the directions in which its edges leave it.
#[derive(Debug, Clone)]
pub(crate) struct Corner {
    pub(crate) p: V3,
    into: Vec<V3>,
}

/// An edge: its middle, unit direction, half length, and the directions from it into its faces.
#[derive(Debug, Clone)]
pub(crate) struct Edge {
    pub(crate) middle: V3,
    pub(crate) along: V3,
    pub(crate) half: f64,
    into: Vec<V3>,
}

/// A face: a point, the outward normal, and its sides, each a point and the direction in the face that leads out of it.
#[derive(Debug, Clone)]
pub(crate) struct Face {
    pub(crate) p: V3,
    pub(crate) n: V3,
    sides: Vec<[V3; 2]>,
    /// Which edges and corners it has.
    pub(crate) edges: Vec<u32>,
    pub(crate) corners: Vec<u32>,
}

/// All of a shape, in its frame.
#[derive(Debug, Clone, Default)]
pub(crate) struct Facets {
    pub(crate) corners: Vec<Corner>,
    pub(crate) edges: Vec<Edge>,
    pub(crate) faces: Vec<Face>,
    pub(crate) is_convex: bool,
}

/// What of a shape is nearest to a point, by its number.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Facet {
    Face(usize),
    Edge(usize),
    Corner(usize),
}

impl Corner {
    /// Whether `n` is among its normals, but for angles of the sine `beside`.
    pub(crate) fn has(&self, n: &V3, beside: f64) -> bool {
        self.into.iter().all(|d| d.dot(n) <= beside)
    }
}

impl Edge {
    /// As [`Corner::has`].
    pub(crate) fn has(&self, n: &V3, beside: f64) -> bool {
        self.into.iter().all(|d| d.dot(n) <= beside)
    }

    /// A direction out of the shape.
    pub(crate) fn outward(&self) -> V3 {
        -self.into.iter().sum::<V3>()
    }

    /// Where along it, from its middle, `p` is nearest.
    pub(crate) fn place(&self, p: &V3) -> f64 {
        (p - self.middle).dot(&self.along)
    }
}

impl Face {
    /// Height of `p` above it.
    pub(crate) fn height(&self, p: &V3) -> f64 {
        (p - self.p).dot(&self.n)
    }

    /// Its corners.
    pub(crate) fn round(&self) -> impl Iterator<Item = V3> {
        self.sides.iter().map(|[at, _]| *at)
    }

    /// The longest way from its first corner to another.
    pub(crate) fn size(&self) -> f64 {
        self.round().map(|corner| (corner - self.p).norm()).fold(0.0, f64::max)
    }

    /// How far the foot of `p` is inside of the face; negative outside.
    pub(crate) fn inside(&self, p: &V3) -> f64 {
        self.sides.iter().map(|[at, out]| (at - p).dot(out)).fold(f64::INFINITY, f64::min)
    }
}

impl Facets {
    /// Those of a box about the origin.
    pub(crate) fn of_box(half: &V3) -> Self {
        let corner = |k: usize| {
            let sign = |axis: usize| if k >> axis & 1 == 1 { half[axis] } else { -half[axis] };
            V3::new(sign(0), sign(1), sign(2))
        };
        let points: Vec<V3> = (0..8).map(corner).collect();
        let face = |k: usize| {
            let (axis, up) = (k >> 1, k & 1);
            let (p, q) = (1 << ((axis + 1) % 3), 1 << ((axis + 2) % 3));
            let base = up << axis;
            let round = [base, base | p, base | p | q, base | q];
            let round = if up == 1 { round } else { [round[0], round[3], round[2], round[1]] };
            round.map(|k| k as u32).to_vec()
        };
        Self::new(&points, (0..6).map(face), true)
    }

    /// Those of a hull.
    pub(crate) fn of_hull(hull: &ConvexPolyhedron) -> Self {
        let points: Vec<V3> = hull.points().iter().map(v3).collect();
        let rounds = hull.faces().iter().map(|face| {
            let first = face.first_vertex_or_edge as usize;
            hull.vertices_adj_to_face()[first..first + face.num_vertices_or_edges as usize].to_vec()
        });
        Self::new(&points, rounds, true)
    }

    /// Those of a mesh, its vertices at one place taken for one.
    pub(crate) fn of_mesh(mesh: &TriMesh) -> Self {
        let points: Vec<V3> = mesh.vertices().iter().map(v3).collect();
        let mut first: HashMap<[u64; 3], u32> = HashMap::new();
        let bits = |x: f64| (x + 0.0).to_bits();
        let welded: Vec<u32> =
            (0..).zip(&points).map(|(k, p)| *first.entry([bits(p.x), bits(p.y), bits(p.z)]).or_insert(k)).collect();
        let faces = mesh.indices().iter().map(|triangle| triangle.iter().map(|k| welded[*k as usize]).collect());
        Self::new(&points, faces, false)
    }

    /// From points and the rounds of faces, counter-clockwise seen from outside.
    fn new(points: &[V3], rounds: impl Iterator<Item = Vec<u32>>, is_convex: bool) -> Self {
        let rounds: Vec<Vec<u32>> = rounds.collect();
        let mut faces: Vec<Face> = rounds.iter().map(|round| Face::new(points, round)).collect();
        // For each edge the direction into each of its faces, and that face.
        let mut meeting: HashMap<[u32; 2], Vec<(V3, usize)>> = HashMap::new();
        for (f, round) in rounds.iter().enumerate() {
            for (k, &from) in round.iter().enumerate() {
                let to = round[(k + 1) % round.len()];
                meeting.entry([from.min(to), from.max(to)]).or_default().push((-faces[f].sides[k][1], f));
            }
        }
        let mut pairs: Vec<[u32; 2]> = meeting.keys().copied().collect();
        pairs.sort_unstable();
        let mut leaving: HashMap<u32, Vec<V3>> = HashMap::new();
        let (mut edges, mut ends) = (Vec::new(), HashMap::new());
        for pair in pairs {
            let [a, b] = pair.map(|k| points[k as usize]);
            let along = (b - a).normalize();
            leaving.entry(pair[0]).or_default().push(along);
            leaving.entry(pair[1]).or_default().push(-along);
            let around = &meeting[&pair];
            let mut into: Vec<V3> = around.iter().map(|(d, _)| *d).collect();
            if let [(_, face)] = around[..] {
                // The end of an open surface, whose material lies below.
                let below = -faces[face].n;
                into.push(below);
                pair.iter().for_each(|k| leaving.entry(*k).or_default().push(below));
            } else if !around.iter().any(|(_, f)| into.iter().any(|d| d.dot(&faces[*f].n) < -FLAT)) {
                continue;
            }
            for (_, f) in around {
                faces[*f].edges.push(edges.len() as u32);
            }
            pair.iter().for_each(|k| {
                ends.insert(*k, ());
            });
            edges.push(Edge { middle: (a + b) * 0.5, along, half: 0.5 * (b - a).norm(), into });
        }
        let mut corners = Vec::new();
        let mut numbers: Vec<u32> = ends.into_keys().collect();
        numbers.sort_unstable();
        for &k in &numbers {
            corners.push(Corner { p: points[k as usize], into: leaving.remove(&k).unwrap_or_default() });
        }
        for (face, round) in faces.iter_mut().zip(&rounds) {
            face.corners = round.iter().filter_map(|k| numbers.binary_search(k).ok()).map(|k| k as u32).collect();
        }
        Self { corners, edges, faces, is_convex }
    }

    /// The largest height of `p` above a face of a convex shape: negative inside.
    pub(crate) fn height(&self, p: &V3) -> f64 {
        self.faces.iter().map(|face| face.height(p)).fold(f64::NEG_INFINITY, f64::max)
    }

    /// The nearest place of the surface of a convex shape to `p`, and of what it is. Nearer than `least` to an edge or corner, and inside, the face
    /// that is least deep counts.
    pub(crate) fn nearest(&self, p: &V3, least: f64) -> (V3, Facet) {
        let face = (0..self.faces.len()).max_by(|&a, &b| self.faces[a].height(p).total_cmp(&self.faces[b].height(p)));
        let face = face.unwrap_or(0);
        let height = self.faces[face].height(p);
        let over = (p - self.faces[face].n * height, Facet::Face(face));
        // Outside of a face and over it nothing else is nearer.
        if height <= least || self.faces[face].inside(p) >= 0.0 {
            return over;
        }
        let mut best = (f64::INFINITY, over);
        let mut offer = |q: V3, facet: Facet| {
            let apart = (p - q).norm_squared();
            if apart < best.0 {
                best = (apart, (q, facet));
            }
        };
        for (k, face) in self.faces.iter().enumerate() {
            let height = face.height(p);
            if height > 0.0 && face.inside(p) >= 0.0 {
                offer(p - face.n * height, Facet::Face(k));
            }
        }
        for (k, edge) in self.edges.iter().enumerate() {
            let place = edge.place(p);
            if place.abs() <= edge.half {
                offer(edge.middle + edge.along * place, Facet::Edge(k));
            }
        }
        self.corners.iter().enumerate().for_each(|(k, corner)| offer(corner.p, Facet::Corner(k)));
        best.1
    }
}

impl Face {
    /// Without edges and corners yet.
    fn new(points: &[V3], round: &[u32]) -> Self {
        let at = |k: usize| points[round[k % round.len()] as usize];
        // Newell's normal, of which one corner in line with its neighbours does no harm.
        let n = (0..round.len()).map(|k| (at(k) - at(0)).cross(&(at(k + 1) - at(0)))).sum::<V3>().normalize();
        let sides = (0..round.len()).map(|k| [at(k), (at(k + 1) - at(k)).cross(&n).normalize()]).collect();
        Self { p: at(0), n, sides, edges: Vec::new(), corners: Vec::new() }
    }
}

fn v3(v: &Vec3) -> V3 {
    V3::new(v.x, v.y, v.z)
}
