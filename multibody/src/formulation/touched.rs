//! Points of bodies that joints, forces and rollers touch: how far and how fast a body moves where its centre of mass rests.
//!
//! A point at s from the centre of mass has gone dx + (A - A_0) s, and goes at V + omega x A s. A roller touches with its whole edge, whose points are about
//! its centre with the second moments S: the mean squares over the edge are |dx + (A - A_0) s|^2 + tr((A - A_0) S (A - A_0)^T) and
//! |V + omega x A s|^2 + omega^2 tr S - omega.A S A^T omega. The point of the edge that touches rests in every moment, and says nothing.

use crate::constraint::{Constraint, Form, Roller};
use crate::force::Line;
use crate::mechanism::Mechanism;
use crate::space::{FixedFrame, M3, Pose, V3};

/// Distance of two points, in lengths of the mechanism, within which they count as one.
const ONE_POINT: f64 = 1e-9;

/// A point, or the edge of a roller about it.
#[derive(Debug, Clone, Copy)]
struct Point {
    /// From the centre of mass, in body axes \[m\].
    s: V3,
    /// Second moments of the edge, in body axes \[m^2\].
    edge: Option<M3>,
}

impl Point {
    /// From the centre of mass, an edge counting with the root of its second moment.
    fn distance(&self) -> f64 {
        self.s.norm() + self.edge.map_or(0.0, |edge| edge.trace().sqrt())
    }

    /// Squares of way and speed of a body that moved by `dx` and turned by `change` of its axes.
    fn squares(&self, dx: &V3, change: &M3, pose: &Pose) -> [f64; 2] {
        let way = (dx + change * self.s).norm_squared();
        let speed = (pose.v + pose.w.cross(&(pose.a * self.s))).norm_squared();
        let Some(edge) = self.edge else { return [way, speed] };
        let w = pose.a.tr_mul(&pose.w);
        let turned = (change * edge).dot(change);
        [way + turned, speed + (w.norm_squared() * edge.trace() - w.dot(&(edge * w))).max(0.0)]
    }
}

/// The points of all bodies.
#[derive(Debug, Clone)]
pub(super) struct Touched {
    /// Those of body b are `points[first[b]..first[b + 1]]`.
    first: Vec<usize>,
    points: Vec<Point>,
    /// How far from the centre of mass of a body its points lie at most, with the edges of rollers \[m\].
    farthest: Vec<f64>,
}

impl Touched {
    pub(super) fn of(mechanism: &Mechanism) -> Self {
        let mut found: Vec<Vec<Point>> = vec![Vec::new(); mechanism.bodies.len()];
        let one = ONE_POINT * mechanism.length;
        let mut add = |body: usize, s: V3, edge: Option<M3>| {
            let Some(points) = found.get_mut(body) else { return };
            // A centre of mass is followed anyway.
            let known = s.norm() <= one || points.iter().any(|p| p.edge.is_none() && (p.s - s).norm() <= one);
            if edge.is_some() || !known {
                points.push(Point { s, edge });
            }
        };
        for (_, part) in mechanism.parts() {
            let Constraint { form, i, j } = part.constraint;
            if acts_at_points(*form) {
                add(i.body, i.r, edge(*form, i));
                add(j.body, j.r, None);
            }
        }
        let lines = mechanism.scalar_forces.iter().filter(|force| force.line.has_force());
        for line in lines.map(|force| force.line) {
            if let Line::Row { constraint: Constraint { i, j, .. }, .. } = line {
                [i, j].into_iter().for_each(|frame| add(frame.body, frame.r, None));
            }
        }
        mechanism
            .vector_forces
            .iter()
            .filter(|force| !force.torque)
            .for_each(|force| add(force.i.body, force.i.r, None));
        let elastic = mechanism.elastic_forces.iter().flat_map(|force| force.markers());
        elastic.for_each(|frame| add(frame.body, frame.r, None));
        let mut first = vec![0];
        first.extend(found.iter().scan(0, |count, points| {
            *count += points.len();
            Some(*count)
        }));
        let farthest = |points: &Vec<Point>| points.iter().map(Point::distance).fold(0.0, f64::max);
        let farthest = found.iter().map(farthest).collect();
        Self { first, points: found.into_iter().flatten().collect(), farthest }
    }

    /// How far from the centre of mass of body `b` its points lie at most \[m\]: a turn of its axes by D moves them by |D| times this.
    #[inline]
    pub(super) fn farthest(&self, b: usize) -> f64 {
        self.farthest[b]
    }

    /// Largest squares of way and speed of the points of body `b`; see [`Point::squares`].
    #[inline]
    pub(super) fn squares(&self, b: usize, dx: &V3, change: &M3, pose: &Pose) -> [f64; 2] {
        let points = &self.points[self.first[b]..self.first[b + 1]];
        points.iter().fold([0.0; 2], |[way, speed], point| {
            let own = point.squares(dx, change, pose);
            [f64::max(way, own[0]), f64::max(speed, own[1])]
        })
    }
}

/// Whether it holds the origins of its frames, not their axes alone.
fn acts_at_points(form: Form) -> bool {
    matches!(
        form,
        Form::Point | Form::AxisVector { .. } | Form::Distance { .. } | Form::Screw { .. } | Form::Rolling { .. }
    )
}

/// Second moments of the edge of a roller: those of a circle about z of I, or of a sphere.
fn edge(form: Form, i: &FixedFrame) -> Option<M3> {
    let Form::Rolling { roller, radius, .. } = form else { return None };
    let z = i.c.column(2);
    let shape = match roller {
        Roller::Disc => (M3::identity() - z * z.transpose()) / 2.0,
        Roller::Sphere => M3::identity() / 3.0,
    };
    Some(shape * (radius * radius))
}
