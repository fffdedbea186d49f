//! Whether a mechanism moves in one plane, and the constraints that act in it.
//!
//! It does if chains of joints hold every body at its height over the plane and keep the normal of the plane fixed in it, as revolute joints with parallel
//! axes do, and if every row acts either in the plane or across it. What is in the plane then feels nothing of what is across: joints carry
//! gravity, offsets of centres of mass and products of inertia there. Rows in the plane follow from the kinds of the joints, not from the rows that were
//! kept: which of the others depend on each other does not matter.

use super::{BoundConstraint, Composed, DROPPED, Mechanism};
use crate::constraint::{Constraint, Form, cardan};
use crate::model::JointKind;
use crate::space::{FixedFrame, M3, Pose, V3};

/// Angle \[rad\] and height, in lengths of the mechanism, that still count as zero: what assembly accepts as closed. The motion in the plane changes with
/// the square.
const CLOSED: f64 = 1e-9;

/// The plane in which a mechanism moves.
#[derive(Debug, Clone)]
pub(crate) struct Plane {
    /// Two axes in the plane, then its normal, global.
    pub axes: [V3; 3],
    /// Constraints that act in it, in the order of joints and motions, with their rows there: two where points are kept together, else one.
    pub links: Vec<BoundConstraint>,
}

/// How a direction lies to the plane.
#[derive(PartialEq, Eq)]
enum Lie {
    Normal,
    Within,
}

/// The search, with the start of the mechanism and the bodies that are held so far.
struct Search<'a> {
    mechanism: &'a Mechanism,
    poses: &'a [Pose],
    axes: [V3; 3],
    links: Vec<BoundConstraint>,
    rows: usize,
    /// Joints that hold two bodies at their heights, and those that hold the normal fixed in both.
    level: Groups,
    upright: Groups,
}

impl Plane {
    /// The plane in which `mechanism` moves; none if it does not, or if nothing simple says so.
    pub(crate) fn of(mechanism: &Mechanism) -> Option<Self> {
        // It follows from reactions across the plane as well, which equations in it do not have.
        if !mechanism.frictions.is_empty() || !mechanism.flexible.is_empty() {
            return None;
        }
        let mut poses = mechanism.start.poses.clone();
        poses.push(Pose::ground());
        Self::at(mechanism, &poses, mechanism.independent_rows)
    }

    /// The plane of bodies at `poses` (ground last), of whose rows so many are independent, whatever forces act.
    pub(crate) fn at(mechanism: &Mechanism, poses: &[Pose], independent_rows: usize) -> Option<Self> {
        normals(mechanism, poses).iter().find_map(|normal| Self::across(normal, mechanism, poses, independent_rows))
    }

    fn across(normal: &V3, mechanism: &Mechanism, poses: &[Pose], independent_rows: usize) -> Option<Self> {
        let (bodies, axes) = (mechanism.bodies.len(), axes(normal));
        let (level, upright) = (Groups::new(bodies + 1), Groups::new(bodies + 1));
        let mut search = Search { mechanism, poses, axes, links: Vec::new(), rows: 0, level, upright };
        for set in 0..mechanism.sets.len() {
            search.read(set)?;
        }
        let Search { links, rows, level, upright, .. } = search;
        // Rows across the plane have the rank 3 n. The others are independent if as many are left.
        let independent = independent_rows.checked_sub(3 * bodies) == Some(rows);
        (level.is_one() && upright.is_one() && independent).then_some(Self { axes, links })
    }

    /// Whether bodies at `poses`, which satisfy the constraints, stand as they do at the start: a body may be turned over as well.
    pub(crate) fn holds(&self, mechanism: &Mechanism, poses: &[Pose]) -> bool {
        let n = &self.axes[2];
        poses.iter().zip(&mechanism.start.poses).all(|(pose, start)| {
            let tilt = pose.a * start.a.tr_mul(n) - n;
            n.dot(&(pose.x - start.x)).abs() <= CLOSED * mechanism.length && tilt.norm() <= CLOSED
        })
    }
}

/// Normals that the plane may have: the axis of the first joint of each kind that may turn bodies in it, and directions across slides.
fn normals(mechanism: &Mechanism, poses: &[Pose]) -> Vec<V3> {
    let along = |kind: JointKind| {
        let sets = mechanism.sets.iter().filter(move |set| set.joint == Some(kind));
        sets.map(|set| set.j.axis(poses, 2))
    };
    let turning = [JointKind::Revolute, JointKind::Planar, JointKind::ParallelAxes, JointKind::Cylindrical];
    let mut normals: Vec<V3> = turning.into_iter().filter_map(|kind| along(kind).next()).collect();
    if let Some(slide) = along(JointKind::Prismatic).next() {
        normals.extend(along(JointKind::Prismatic).map(|other| slide.cross(&other)).find(|n| n.norm() > CLOSED));
        normals.push(axes(&slide)[0]);
    }
    normals
}

/// Two axes in the plane with this normal, and the normal. The first is next to the global axis that lies flattest.
fn axes(normal: &V3) -> [V3; 3] {
    let n = normal.normalize();
    let mut x = V3::zeros();
    x[n.iamin()] = 1.0;
    let x = (x - n * n.dot(&x)).normalize();
    [x, n.cross(&x), n]
}

impl Search<'_> {
    fn lie(&self, direction: &V3) -> Option<Lie> {
        let n = &self.axes[2];
        match (n.dot(direction).abs() <= CLOSED, n.cross(direction).norm() <= CLOSED) {
            (true, _) => Some(Lie::Within),
            (_, true) => Some(Lie::Normal),
            _ => None,
        }
    }

    /// A frame like `frame`, with these axes.
    fn with_axes(&self, frame: &FixedFrame, axes: &[V3; 3]) -> FixedFrame {
        FixedFrame { c: self.poses[frame.body].a.tr_mul(&M3::from_columns(axes)), ..*frame }
    }

    /// Like J, its z axis put into the plane and its x axis normal to it: rows along x and y of it say the same as along any others across z.
    fn laid(&self, j: &FixedFrame) -> FixedFrame {
        let n = self.axes[2];
        let z = j.axis(self.poses, 2);
        let z = (z - n * n.dot(&z)).normalize();
        self.with_axes(j, &[n, z.cross(&n), z])
    }

    fn push(&mut self, set: usize, constraint: Constraint, drive: Option<usize>) {
        self.push_with(set, constraint, drive, None);
    }

    fn push_with(&mut self, set: usize, constraint: Constraint, drive: Option<usize>, composed: Option<Box<Composed>>) {
        let (first, mut rows) = (self.rows, [DROPPED; 3]);
        let count = if constraint.form == Form::Point { 2 } else { 1 };
        rows[..count].iter_mut().enumerate().for_each(|(k, row)| *row = (first + k) as u32);
        self.links.push(BoundConstraint { constraint, set, rows, first, drive, composed });
        self.rows += count;
    }

    /// Takes joint or motion `set`; none if it does not act in the plane and across it alone.
    fn read(&mut self, set: usize) -> Option<()> {
        let own = &self.mechanism.sets[set];
        if own.constraints.is_empty() {
            // It does not act.
            return Some(());
        }
        match own.joint {
            Some(kind) => {
                self.translation(set, kind, (own.i, own.j))?;
                self.rotation(set, kind, (own.i, own.j))
            }
            None => own.constraints.clone().try_for_each(|c| {
                let bound = &self.mechanism.constraints[c];
                if bound.composed.is_some() {
                    let mut acts = bound.parts().map(|part| self.acts_within(part.constraint));
                    return acts
                        .all(|acts| acts == Some(true))
                        .then(|| self.push_with(set, bound.constraint, bound.drive, bound.composed.clone()));
                }
                let Constraint { form, i, j } = bound.constraint;
                if own.relation.is_some() {
                    // Of a curve in its plane: it holds the height.
                    let z = self.lie(&j.axis(self.poses, 2))?;
                    return (z == Lie::Normal).then(|| self.level.join(i.body, j.body));
                }
                let of = |frame: &FixedFrame, axis| self.lie(&frame.axis(self.poses, axis));
                let constraint = match form {
                    Form::Angle => (of(&j, 2)? == Lie::Normal && of(&i, 0)? == Lie::Within).then_some(bound.constraint),
                    Form::AxisVector { axis, .. } => (of(&j, axis)? == Lie::Within).then_some(bound.constraint),
                    // Where their axis stands across the plane the others of the three angles are zero, and this one is a joint angle.
                    Form::Cardan { axis } => {
                        let upright = of(&j, axis)? == Lie::Normal && of(&i, axis)? == Lie::Normal;
                        let about_z = cardan::about_z(axis, &i, &j).filter(|_| upright);
                        about_z.map(|([i, j], _)| Constraint { form: Form::Angle, i, j })
                    }
                    _ => None,
                };
                self.push(set, constraint?, bound.drive);
                Some(())
            }),
        }
    }

    /// Whether the row of a joint coordinate acts in the plane alone.
    fn acts_within(&self, constraint: &Constraint) -> Option<bool> {
        let Constraint { form, i, j } = constraint;
        let of = |frame: &FixedFrame, axis| self.lie(&frame.axis(self.poses, axis));
        Some(match *form {
            Form::Angle => of(j, 2)? == Lie::Normal && of(i, 0)? == Lie::Within,
            Form::AxisVector { axis, .. } => of(j, axis)? == Lie::Within,
            // Its part across the plane is borne by what holds the heights.
            Form::Distance { .. } => true,
            _ => false,
        })
    }

    /// What a joint says of the places of its bodies.
    fn translation(&mut self, set: usize, kind: JointKind, (i, j): (FixedFrame, FixedFrame)) -> Option<()> {
        use JointKind as K;
        let along = |axis, j| Constraint { form: Form::AxisVector { axis, offset: 0.0 }, i, j };
        let z = self.lie(&j.axis(self.poses, 2));
        match kind {
            K::Revolute | K::Spherical | K::Universal | K::Fixed => {
                self.push(set, Constraint { form: Form::Point, i, j }, None);
                self.level.join(i.body, j.body);
            }
            K::Prismatic | K::Cylindrical | K::Inline => match z? {
                Lie::Normal => [0, 1].into_iter().for_each(|axis| self.push(set, along(axis, j), None)),
                Lie::Within => {
                    self.push(set, along(1, self.laid(&j)), None);
                    self.level.join(i.body, j.body);
                }
            },
            K::Planar | K::Inplane => match z? {
                Lie::Normal => self.level.join(i.body, j.body),
                Lie::Within => self.push(set, along(2, j), None),
            },
            K::Distance => {
                let own = &self.mechanism.constraints[self.mechanism.sets[set].constraints.start];
                self.push(set, own.constraint, None);
            }
            K::ParallelAxes | K::Perpendicular | K::Orientation => {}
            // A screw moves across its plane; that the others may be planar nothing simple says.
            K::Screw | K::ConstantVelocity | K::Hooke | K::Rolling => return None,
        }
        Some(())
    }

    /// What a joint says of the turning of its bodies.
    fn rotation(&mut self, set: usize, kind: JointKind, (i, j): (FixedFrame, FixedFrame)) -> Option<()> {
        use JointKind as K;
        let dot = |of_i, of_j, i, j| Constraint { form: Form::Dot { i: of_i, j: of_j }, i, j };
        let lie = [&i, &j].map(|frame| self.lie(&frame.axis(self.poses, 2)));
        match kind {
            K::Prismatic | K::Fixed | K::Orientation => {
                let [i, j] = [&i, &j].map(|frame| self.with_axes(frame, &self.axes));
                self.push(set, dot(0, 1, i, j), None);
                self.upright.join(i.body, j.body);
            }
            K::Revolute | K::Cylindrical | K::Planar | K::ParallelAxes => match lie {
                [Some(Lie::Normal), Some(Lie::Normal)] => self.upright.join(i.body, j.body),
                [Some(Lie::Within), Some(Lie::Within)] => self.push(set, dot(2, 1, i, self.laid(&j)), None),
                _ => return None,
            },
            K::Universal | K::Perpendicular => match lie {
                [Some(Lie::Within), Some(Lie::Within)] => self.push(set, dot(2, 2, i, j), None),
                [Some(_), Some(_)] => {}
                _ => return None,
            },
            K::Spherical | K::Inline | K::Inplane | K::Distance => {}
            K::Screw | K::ConstantVelocity | K::Hooke | K::Rolling => return None,
        }
        Some(())
    }
}

/// Bodies in groups, joined two at a time.
struct Groups {
    /// Another one of its group, or itself; following leads to the same one for all.
    before: Vec<usize>,
    count: usize,
}

impl Groups {
    fn new(count: usize) -> Self {
        Self { before: (0..count).collect(), count }
    }

    fn first(&mut self, mut body: usize) -> usize {
        while self.before[body] != body {
            self.before[body] = self.before[self.before[body]];
            body = self.before[body];
        }
        body
    }

    fn join(&mut self, a: usize, b: usize) {
        let (a, b) = (self.first(a), self.first(b));
        if a != b {
            self.before[a] = b;
            self.count -= 1;
        }
    }

    fn is_one(&self) -> bool {
        self.count == 1
    }
}
