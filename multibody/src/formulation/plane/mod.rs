//! The equations of a mechanism that moves in one plane, with seven unknowns a body and the rows that act there.
//!
//! Unknowns of a body, in this order: x_1, x_2, theta, V_1, V_2, omega, H, the components along two axes of the plane, and about its normal n. The
//! rotation is A = R(n, theta) A_0 with that of the start, A_0, so that no chart is exchanged. Height over the plane and tilt stay what they are at the
//! start. Rows of the equations are those in space, less what is zero in them:
//!
//! ```text
//! d(g.dx + g_i dtheta_i + g_j dtheta_j) = (dx, dtheta_i, dtheta_j)^T K (dx, dtheta_i, dtheta_j),   dx = dx_i - dx_j
//! ```
//!
//! A hinge has two rows along the axes of the plane. Other rows, forces and measures are evaluated in space and projected.

mod jacobian;
pub(super) mod points;
mod residual;

use super::effect::Effect;
use crate::constraint::table::describe;
use crate::constraint::{Curvature, Form, MAX_ROWS, Mask, Row};
use crate::mechanism::{self, BoundConstraint, Counted, Mechanism, Part};
use crate::space::{M3, Pose, V3, skew};

/// Unknowns of one body.
pub(super) const PER_BODY: usize = 7;

/// A mechanism that moves in a plane.
#[derive(Debug, Clone)]
pub(super) struct Plane {
    /// Two axes in the plane and its normal.
    axes: [V3; 3],
    bodies: Vec<Body>,
    links: Vec<Link>,
    /// Whether there are forces besides gravity, or unknowns of the user.
    loaded: bool,
    /// Whether rows or forces look at bodies in space.
    posed: bool,
    gravity: [f64; 2],
}

#[derive(Debug, Clone)]
struct Body {
    mass: f64,
    /// Moment of inertia about the normal; that of the turned body is the same.
    moment: f64,
    /// Height of the centre of mass over the plane, along the normal.
    height: V3,
    /// A = `turned[0]` + cos(theta) `turned[1]` + sin(theta) `turned[2]` (Rodrigues).
    turned: [M3; 3],
}

/// A constraint in the plane.
#[derive(Debug, Clone)]
struct Link {
    bound: BoundConstraint,
    count: usize,
    /// Of a hinge: its place from the centres of mass of I and J, at theta = 0.
    arms: Option<[[f64; 2]; 2]>,
}

/// Where a body is in the plane.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Place {
    x: [f64; 2],
    /// cos(theta), sin(theta).
    turn: [f64; 2],
    v: [f64; 2],
    w: f64,
}

/// A row in the plane.
#[derive(Debug, Clone, Copy, Default)]
struct PlaneRow {
    phi: f64,
    g: [f64; 2],
    gi: f64,
    gj: f64,
}

/// Curvature of a row by dx, dtheta_i and dtheta_j.
type PlaneCurvature = [[f64; 4]; 4];

/// First and last component of dx, dtheta_i and dtheta_j.
const PARTS: [std::ops::Range<usize>; 3] = [0..2, 2..3, 3..4];

impl Link {
    /// Parts of its row, with the weights of functions at `poses`.
    #[inline]
    fn parts_at(&self, poses: &[Pose], counted: Counted<'_>) -> impl Iterator<Item = Part<'_>> {
        self.bound.parts_at(poses, counted)
    }
}

impl PlaneRow {
    fn rate(&self, i: &Place, j: &Place) -> f64 {
        self.g[0] * (i.v[0] - j.v[0]) + self.g[1] * (i.v[1] - j.v[1]) + self.gi * i.w + self.gj * j.w
    }
}

impl Place {
    /// The ground.
    pub(super) fn ground() -> Self {
        Self { turn: [1.0, 0.0], ..Self::default() }
    }

    /// Of the unknowns of a body.
    #[inline]
    fn of(y: &[f64]) -> Self {
        let (sin, cos) = y[2].sin_cos();
        Self { x: [y[0], y[1]], turn: [cos, sin], v: [y[3], y[4]], w: y[5] }
    }

    /// A vector of the body, given as it lies at theta = 0.
    #[inline]
    fn turned(&self, r: &[f64; 2]) -> [f64; 2] {
        let [cos, sin] = self.turn;
        [cos * r[0] - sin * r[1], sin * r[0] + cos * r[1]]
    }
}

impl Plane {
    /// The plane in which `mechanism` moves, if it does and `poses` are such.
    pub(super) fn of(mechanism: &Mechanism, poses: &[Pose]) -> Option<Self> {
        let mechanism::Plane { axes, links, .. } =
            mechanism::Plane::of(mechanism).filter(|p| p.holds(mechanism, poses))?;
        let mut start = mechanism.start().poses.clone();
        start.push(Pose::ground());
        let n = axes[2];
        let body = |(body, pose): (&mechanism::RigidBody, &Pose)| {
            let upright = n * n.transpose() * pose.a;
            let turned = [upright, pose.a - upright, skew(&n) * pose.a];
            let moment = n.dot(&(body.global_inertia(pose) * n));
            Body { mass: body.mass, moment, height: n * n.dot(&pose.x), turned }
        };
        let link = |bound: BoundConstraint| {
            let c = &bound.constraint;
            let hinge = c.form == Form::Point;
            let arms = hinge.then(|| [&c.i, &c.j].map(|frame| within(&axes, &frame.arm(&start))));
            Link { count: if hinge { 2 } else { 1 }, arms, bound }
        };
        let bodies = mechanism.bodies.iter().zip(&start).map(body).collect();
        let links: Vec<Link> = links.into_iter().map(link).collect();
        let loaded = mechanism.is_loaded();
        let posed = loaded || links.iter().any(|link| link.arms.is_none());
        Some(Self { bodies, links, loaded, posed, gravity: within(&axes, &mechanism.gravity), axes })
    }

    pub(super) fn row_count(&self) -> usize {
        self.links.iter().map(|link| link.count).sum()
    }

    /// Name of row `row`: joint or motion and what it keeps.
    pub(super) fn row_name(&self, mechanism: &Mechanism, row: usize) -> String {
        let at = self.links.partition_point(|link| link.bound.first <= row);
        let Some(link) = at.checked_sub(1).map(|at| &self.links[at]) else { return format!("row {row}") };
        let keeps = match link.bound.constraint.form {
            Form::Point => format!("coincident origins, {} in its plane", ["x", "y"][row - link.bound.first]),
            form => describe(form, 0),
        };
        format!("{} ({keeps})", mechanism.set_name(link.bound.set))
    }

    pub(super) fn within(&self, v: &V3) -> [f64; 2] {
        within(&self.axes, v)
    }

    pub(super) fn about(&self, v: &V3) -> f64 {
        self.axes[2].dot(v)
    }

    /// Where body `b` is in space.
    fn pose(&self, b: usize, place: &Place) -> Pose {
        let Body { height, turned, .. } = &self.bodies[b];
        let [first, second, n] = &self.axes;
        Pose {
            x: first * place.x[0] + second * place.x[1] + height,
            a: turned[0] + turned[1] * place.turn[0] + turned[2] * place.turn[1],
            v: first * place.v[0] + second * place.v[1],
            w: n * place.w,
        }
    }

    /// Writes where the bodies are, and in space where something looks at that.
    #[inline]
    pub(super) fn place(&self, y: &[f64], places: &mut [Place], poses: &mut [Pose]) {
        for (b, (place, y)) in places.iter_mut().zip(y.chunks_exact(PER_BODY)).enumerate().take(self.bodies.len()) {
            *place = Place::of(y);
            if self.posed {
                poses[b] = self.pose(b, place);
            }
        }
    }

    /// Where body `b` is in space by its unknowns.
    #[inline]
    pub(super) fn pose_of(&self, b: usize, y: &[f64]) -> Pose {
        self.pose(b, &Place::of(y))
    }

    fn project(&self, row: &Row) -> PlaneRow {
        PlaneRow { phi: row.phi, g: self.within(&row.g), gi: self.about(&row.gi), gj: self.about(&row.gj) }
    }

    #[inline]
    fn rows(
        &self,
        (link, part): (&Link, &Part<'_>),
        places: &[Place],
        poses: &[Pose],
        counted: Counted<'_>,
    ) -> [PlaneRow; 2] {
        let c = part.constraint;
        let Some([ri, rj]) = &link.arms else {
            let mut rows = [Row::zero(); MAX_ROWS];
            part.rows(poses, counted, &mut rows);
            return [self.project(&rows[0]), PlaneRow::default()];
        };
        let (i, j) = (&places[c.i.body], &places[c.j.body]);
        let (si, sj) = (i.turned(ri), j.turned(rj));
        [
            PlaneRow { phi: i.x[0] + si[0] - j.x[0] - sj[0], g: [1.0, 0.0], gi: -si[1], gj: sj[1] },
            PlaneRow { phi: i.x[1] + si[1] - j.x[1] - sj[1], g: [0.0, 1.0], gi: si[0], gj: -sj[0] },
        ]
    }

    /// Curvature of row `k` of a link, and the blocks that may differ from zero.
    fn curvature(
        &self,
        (link, part): (&Link, &Part<'_>),
        k: usize,
        places: &[Place],
        poses: &[Pose],
    ) -> (PlaneCurvature, Mask) {
        let c = part.constraint;
        let Some([ri, rj]) = &link.arms else {
            let mut curvature = Curvature::zero();
            c.curvature(k, poses, &mut curvature);
            let projected = self.project_curvature(&curvature, c.mask());
            return (projected.map(|row| row.map(|k| k * part.weight)), c.mask());
        };
        let mut out = [[0.0; 4]; 4];
        out[2][2] = -places[c.i.body].turned(ri)[k];
        out[3][3] = places[c.j.body].turned(rj)[k];
        (out, c.mask())
    }

    fn project_curvature(&self, curvature: &Curvature, mask: Mask) -> PlaneCurvature {
        // Directions of dx, dtheta_i and dtheta_j, each with the block that it belongs to.
        let directions = [(0, 0), (0, 1), (1, 2), (2, 2)].map(|(block, axis)| (block, &self.axes[axis]));
        directions.map(|(r, left)| {
            directions.map(
                |(c, right)| {
                    if mask >> (3 * r + c) & 1 == 1 { left.dot(&(curvature.k[r][c] * right)) } else { 0.0 }
                },
            )
        })
    }

    /// What a multiplier of each row does to the bodies, by its gradients at the start.
    pub(super) fn effects(&self, poses: &[Pose], places: &[Place]) -> Vec<Effect> {
        let mut effects = Vec::new();
        for link in &self.links {
            for part in link.parts_at(poses, Counted::NONE) {
                let rows = self.rows((link, &part), places, poses, Counted::NONE);
                for (k, row) in rows[..link.count].iter().enumerate() {
                    let c = part.constraint;
                    let norms = [row.g[0].hypot(row.g[1]), row.gi.abs(), row.gj.abs()];
                    let effect = Effect::new([c.i.body, c.j.body], norms);
                    match effects.get_mut(link.bound.first + k) {
                        Some(known) => Effect::and(known, effect),
                        None => effects.push(effect),
                    }
                }
            }
        }
        effects
    }
}

#[inline]
fn within(axes: &[V3; 3], v: &V3) -> [f64; 2] {
    [axes[0].dot(v), axes[1].dot(v)]
}
