//! Gap functions of single pairs: planes, spheres, boxes on planes, ropes, stops, curves.

use super::moving::Moving;
use super::nearest::{Feature, Nearest, Side, velocity};
use super::rolling::Curves;
use crate::Error;
use crate::unilateral::{ContactId, Row, Surface, Unilateral};
use fourbar_multibody::constraint::{self, Constraint, Curvature, Form, MAX_ROWS};
use fourbar_multibody::expression::Stack;
use fourbar_multibody::space::{FixedFrame, Pose, V3};
use num_dual::Dual2_64;

/// One pair of the model.
#[derive(Debug, Clone)]
pub(super) struct Element {
    pub(super) name: String,
    pub(super) pair: u32,
    pub(super) surface: Surface,
    pub(super) gap: Gap,
}

/// What its gap is.
#[derive(Debug, Clone)]
pub(super) enum Gap {
    /// Points of body I, rounded, above the x-y plane of J moved by an offset.
    Plane {
        /// Arms from the centre of mass of I, in its axes \[m\].
        points: Vec<V3>,
        body: usize,
        radius: f64,
        j: FixedFrame,
        offset: Moving,
    },
    /// Distance of rounded points.
    Spheres { i: FixedFrame, j: FixedFrame, radii: [f64; 2] },
    /// Length less distance.
    Rope { i: FixedFrame, j: FixedFrame, length: Moving },
    /// Coordinate of a joint above a lower limit (`side` 1) or below an upper one (-1).
    Stop {
        constraint: Constraint,
        limit: Moving,
        side: f64,
        /// An angle is taken from the turn about this value \[rad\] above the limit, seen from inside.
        about: f64,
        /// Feature: 0 lower, 1 upper.
        feature: u64,
    },
    /// Two plane curves.
    Curves(Box<Curves>),
}

impl Gap {
    /// Bodies I and J.
    fn bodies(&self) -> [usize; 2] {
        match self {
            Self::Plane { body, j, .. } => [*body, j.body],
            Self::Spheres { i, j, .. } | Self::Rope { i, j, .. } => [i.body, j.body],
            Self::Stop { constraint, .. } => [constraint.i.body, constraint.j.body],
            Self::Curves(curves) => [curves.i.body, curves.j.body],
        }
    }
}

impl Gap {
    /// Least width of the smaller of what touches \[m\]; infinite for points.
    pub(super) fn width(&self) -> f64 {
        let positive = |x: f64| if x > 0.0 { x } else { f64::INFINITY };
        match self {
            Self::Plane { points, radius, .. } => {
                let span = |k: usize| {
                    let along = || points.iter().map(|r| r[k]);
                    positive(along().fold(f64::NEG_INFINITY, f64::max) - along().fold(f64::INFINITY, f64::min))
                };
                positive(2.0 * radius).min(span(0).min(span(1)).min(span(2)))
            }
            Self::Spheres { radii, .. } => positive(2.0 * radii[0]).min(positive(2.0 * radii[1])),
            Self::Curves(curves) => {
                let width = |curve: &super::curve::Curve| {
                    2.0 * curve.samples.iter().fold(0.0, |far: f64, (_, c, _)| far.max(c.norm()))
                };
                positive(width(&curves.curve_i)).min(positive(width(&curves.curve_j)))
            }
            Self::Rope { .. } | Self::Stop { .. } => f64::INFINITY,
        }
    }

    /// Whether it is an angle.
    pub(super) fn is_angle(&self) -> bool {
        matches!(self, Self::Stop { constraint: Constraint { form: Form::Angle, .. }, .. })
    }

    /// Raises how far each body reaches from its centre of mass \[m\] to where this may touch.
    pub(super) fn reaches(&self, reaches: &mut [f64]) {
        let mut raise = |body: usize, far: f64| {
            if let Some(reach) = reaches.get_mut(body) {
                *reach = reach.max(far);
            }
        };
        match self {
            Self::Plane { points, body, radius, .. } => {
                points.iter().for_each(|r| raise(*body, r.norm() + radius));
            }
            Self::Spheres { i, j, radii } => {
                raise(i.body, i.r.norm() + radii[0]);
                raise(j.body, j.r.norm() + radii[1]);
            }
            Self::Rope { i, j, .. } => [i, j].into_iter().for_each(|end| raise(end.body, end.r.norm())),
            Self::Stop { .. } => {}
            Self::Curves(curves) => {
                for (frame, curve) in [(&curves.i, &curves.curve_i), (&curves.j, &curves.curve_j)] {
                    let far = curve.samples.iter().fold(0.0, |far: f64, (_, c, _)| far.max(c.norm()));
                    raise(frame.body, frame.r.norm() + far);
                }
            }
        }
    }
}

impl Element {
    /// Name for people.
    pub(super) fn describe(&self, feature: u64) -> String {
        match &self.gap {
            Gap::Plane { points, .. } if points.len() > 1 => format!("{}: corner {}", self.name, feature + 1),
            Gap::Stop { .. } => format!("{}: {} limit", self.name, if feature == 0 { "lower" } else { "upper" }),
            _ => self.name.clone(),
        }
    }

    /// Adds its contacts with a gap of at most `margin`.
    pub(super) fn find(
        &mut self,
        time: f64,
        poses: &[Pose],
        margin: f64,
        stack: &mut Stack<Dual2_64>,
        found: &mut Vec<Unilateral>,
    ) -> Result<(), Error> {
        let bodies = self.gap.bodies();
        let id = |feature| ContactId { pair: self.pair, feature };
        let contact = match &mut self.gap {
            Gap::Plane { points, body, radius, j, offset } => {
                let offset =
                    offset.defined("offset", time, stack).map_err(|reason| refuse(&self.name, time, reason))?;
                let plane = Plane::new(j, poses, offset);
                for (k, r) in points.iter().enumerate() {
                    let p = poses[*body].x + poses[*body].a * r;
                    // Most corners are far away: the gap comes first.
                    if plane.n.dot(&(p - plane.origin)) - *radius <= margin {
                        found.push(plane.contact(*body, &p, *radius, id(k as u64), self.surface, poses));
                    }
                }
                return Ok(());
            }
            Gap::Spheres { i, j, radii } => {
                let sides = [side(i, radii[0], poses), side(j, radii[1], poses)];
                let apart = sides[0].p - sides[1].p;
                let l = apart.norm();
                if l - radii[0] - radii[1] > margin {
                    return Ok(());
                }
                if l == 0.0 {
                    return Err(refuse(&self.name, time, "the centres coincide; start the spheres apart".to_owned()));
                }
                let nearest = Nearest::new(&sides[0], &sides[1], &(apart / l), poses);
                nearest.contact(id(0), bodies, self.surface, &j.axis(poses, 0), poses)
            }
            Gap::Rope { i, j, length } => {
                let length = length_of_rope(length, time, stack).map_err(|reason| refuse(&self.name, time, reason))?;
                rope(i, j, length, id(0), self.surface, poses)
            }
            Gap::Stop { constraint, limit, side, about, feature } => {
                let what = if *feature == 0 { "lower" } else { "upper" };
                let limit = limit.defined(what, time, stack).map_err(|reason| refuse(&self.name, time, reason))?;
                stop(constraint, limit, *side, *about, id(*feature), self.surface, poses)
            }
            Gap::Curves(curves) => match curves.nearest(poses, stack) {
                Ok(Some(nearest)) => nearest.contact(id(0), bodies, self.surface, &curves.j.axis(poses, 2), poses),
                Ok(None) => return Ok(()),
                Err(reason) => return Err(refuse(&self.name, time, reason)),
            },
        };
        if !contact.gap.is_finite() {
            return Err(refuse(&self.name, time, "the gap is not finite; check the state of its bodies".to_owned()));
        }
        if contact.gap <= margin {
            found.push(contact);
        }
        Ok(())
    }
}

fn refuse(pair: &str, time: f64, reason: String) -> Error {
    Error::Gap { pair: pair.to_owned(), time, reason }
}

/// A rounded point at the origin of a frame.
fn side(frame: &FixedFrame, radius: f64, poses: &[Pose]) -> Side {
    Side { body: frame.body, p: frame.origin(poses), feature: Feature::Point, radius }
}

/// A plane at a configuration, moved by (f, f', f'') along its normal.
struct Plane {
    body: usize,
    origin: V3,
    n: V3,
    x: V3,
    motion: [f64; 3],
}

impl Plane {
    fn new(j: &FixedFrame, poses: &[Pose], motion: [f64; 3]) -> Self {
        let n = j.axis(poses, 2);
        Self { body: j.body, origin: j.origin(poses) + n * motion[0], n, x: j.axis(poses, 0), motion }
    }

    fn contact(&self, body: usize, p: &V3, radius: f64, id: ContactId, surface: Surface, poses: &[Pose]) -> Unilateral {
        let i = Side { body, p: *p, feature: Feature::Point, radius };
        let j = Side { body: self.body, p: self.origin, feature: Feature::Face(self.n), radius: 0.0 };
        let mut nearest = Nearest::new(&i, &j, &self.n, poses);
        // The place is halfway to the plane, which moves on its own.
        nearest.p_rate += self.n * (0.5 * self.motion[1]);
        let contact = nearest.contact(id, [body, self.body], surface, &self.x, poses);
        Unilateral { gap_rate: -self.motion[1], gap_rate_drift: -self.motion[2], ..contact }
    }
}

fn length_of_rope(length: &Moving, time: f64, stack: &mut Stack<Dual2_64>) -> Result<[f64; 3], String> {
    let length = length.defined("length", time, stack)?;
    if length[0] > 0.0 {
        return Ok(length);
    }
    let remedy = "write a length that stays positive, or end the motion before";
    Err(format!("its `length` is {} m; {remedy}", length[0]))
}

fn rope(
    i: &FixedFrame,
    j: &FixedFrame,
    length: [f64; 3],
    id: ContactId,
    surface: Surface,
    poses: &[Pose],
) -> Unilateral {
    let (pi, pj) = (i.origin(poses), j.origin(poses));
    let apart = pi - pj;
    let l = apart.norm();
    let mut rows = [Row::zero(); 6];
    // A rope without extension has no direction, and is slack.
    if l > 0.0 {
        let n = apart / l;
        let (bi, bj) = (&poses[i.body], &poses[j.body]);
        let (si, sj) = (i.arm(poses), j.arm(poses));
        let v = velocity(bi, &pi) - velocity(bj, &pj);
        let across = v - n * n.dot(&v);
        let swing = bi.w.cross(&bi.w.cross(&si)) - bj.w.cross(&bj.w.cross(&sj));
        rows[0] = Row { g: -n, gi: n.cross(&si), gj: sj.cross(&n), drift: -across.norm_squared() / l - n.dot(&swing) };
    }
    let [length, rate, second] = length;
    Unilateral {
        id,
        bodies: [i.body, j.body],
        gap: length - l,
        gap_rate: rate,
        gap_rate_drift: second,
        rows,
        point: None,
        surface,
    }
}

fn stop(
    constraint: &Constraint,
    limit: [f64; 3],
    side: f64,
    about: f64,
    id: ContactId,
    surface: Surface,
    poses: &[Pose],
) -> Unilateral {
    let mut own = [constraint::Row::zero(); MAX_ROWS];
    constraint.rows(poses, &mut own);
    let row = own[0];
    let mut curvature = Curvature::zero();
    constraint.curvature(0, poses, &mut curvature);
    let (i, j) = (&poses[constraint.i.body], &poses[constraint.j.body]);
    let h = curvature.rate_gradient(constraint.mask(), i, j);
    let drift = h[0].dot(&(i.v - j.v)) + h[1].dot(&i.w) + h[2].dot(&j.w);
    let mut gap = side * (row.phi - limit[0]);
    if constraint.form == Form::Angle {
        let turn = std::f64::consts::TAU;
        gap -= turn * ((gap - about) / turn).round();
    }
    let mut rows = [Row::zero(); 6];
    rows[0] = Row { g: row.g * side, gi: row.gi * side, gj: row.gj * side, drift: drift * side };
    Unilateral {
        id,
        bodies: [constraint.i.body, constraint.j.body],
        gap,
        gap_rate: -side * limit[1],
        gap_rate_drift: -side * limit[2],
        rows,
        point: None,
        surface,
    }
}
