//! Scalars of positions and velocities, written once over any number type: f64 for values, dual numbers for gradients.

use crate::expression::{Partials, Scalar};
use crate::model::Component;
use crate::space::{FixedFrame, Pose, V3};
use crate::state::Tracked;
use num_dual::DualSVec64;

/// A scalar of positions and velocities.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Kinematic {
    /// What is measured.
    pub quantity: KinematicQuantity,
    /// Marker I.
    pub i: FixedFrame,
    /// Marker J.
    pub j: FixedFrame,
}

/// What a [`Kinematic`] measures.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum KinematicQuantity {
    /// p_i - p_j \[m\].
    Position(Projection),
    /// v_i - v_j less omega x (p_i - p_j) with omega that of the frame it is seen from [m/s].
    Velocity {
        /// Number made of the vector.
        projection: Projection,
        /// Frame in which the vector between the origins is differentiated.
        seen_from: FixedFrame,
    },
    /// omega_i - omega_j [rad/s].
    AngularVelocity(Projection),
    /// Angle from x of J to x of I about z of J \[rad\]; the index is that of its counter of turns.
    Angle(usize),
    /// Angle from x of J to x of I about z of J, in (-pi, pi] and 0 where x of I lies along z \[rad\].
    Bearing,
    /// Angle between z of J and x of I \[rad\].
    Inclination,
    /// Angle of x of I above the plane x y of J \[rad\].
    Elevation,
    /// |p_i - p_j| \[m\].
    Distance,
    /// d|p_i - p_j|/dt [m/s].
    DistanceRate,
}

/// Which number is made of a vector.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Projection {
    /// Frame of the components.
    pub frame: FixedFrame,
    /// Component.
    pub component: Component,
}

/// A [`Pose`] over any number type.
#[derive(Debug, Clone, Copy)]
pub struct MovingPose<T> {
    x: [T; 3],
    /// Rows.
    a: [[T; 3]; 3],
    v: [T; 3],
    pub(crate) w: [T; 3],
}

/// Partial derivatives by x, the virtual rotation, V and omega of one body.
pub type BodyGradient = [V3; 4];

/// Twelve partial derivatives: those of a [`BodyGradient`].
pub(crate) type Dual12 = DualSVec64<12>;

/// The derivatives of a dual number.
pub(crate) fn gradient(value: &Dual12) -> BodyGradient {
    let mut gradient = [V3::zeros(); 4];
    if let Some(eps) = value.eps.0 {
        for k in 0..12 {
            gradient[k / 3][k % 3] = eps[k];
        }
    }
    gradient
}

pub(crate) fn dot<T: Scalar>(a: &[T; 3], b: &[T; 3]) -> T {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

pub(crate) fn cross<T: Scalar>(a: &[T; 3], b: &[T; 3]) -> [T; 3] {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

pub(crate) fn sub<T: Scalar>(a: &[T; 3], b: &[T; 3]) -> [T; 3] {
    [a[0] - b[0], a[1] - b[1], a[2] - b[2]]
}

/// Length; its slope at zero is taken as zero.
pub(crate) fn norm<T: Scalar>(a: &[T; 3]) -> T {
    let square = dot(a, a);
    let value = square.re().sqrt();
    let slope = if value > 0.0 { 0.5 / value } else { 0.0 };
    square.chain(value, || (slope, -2.0 * slope * slope * slope))
}

/// Angle of the point (c, s).
pub(crate) fn arc<T: Scalar>(s: T, c: T) -> T {
    let (y, x) = (s.re(), c.re());
    let r2 = x * x + y * y;
    // There is no angle at the origin: its slope is taken as zero there.
    let (a, b) = if r2 > 0.0 { (x / r2, -y / r2) } else { (0.0, 0.0) };
    s.chain2(c, y.atan2(x), || Partials { a, b, aa: 2.0 * a * b, ab: b * b - a * a, bb: -2.0 * a * b })
}

impl<T: Scalar> MovingPose<T> {
    /// A pose that nothing is differentiated by.
    #[must_use]
    pub fn fixed(pose: &Pose) -> Self {
        let lift = |v: &V3| [T::from(v.x), T::from(v.y), T::from(v.z)];
        let row = |r: usize| [T::from(pose.a[(r, 0)]), T::from(pose.a[(r, 1)]), T::from(pose.a[(r, 2)])];
        Self { x: lift(&pose.x), a: [row(0), row(1), row(2)], v: lift(&pose.v), w: lift(&pose.w) }
    }

    fn turned(&self, r: &V3) -> [T; 3] {
        let along = |row: &[T; 3]| row[0] * r.x + row[1] * r.y + row[2] * r.z;
        // One by one: `map` of an array is a call.
        [along(&self.a[0]), along(&self.a[1]), along(&self.a[2])]
    }

    pub(crate) fn axis(&self, frame: &FixedFrame, k: usize) -> [T; 3] {
        self.turned(&frame.c.column(k).into_owned())
    }

    pub(crate) fn origin(&self, frame: &FixedFrame) -> [T; 3] {
        let s = self.turned(&frame.r);
        [self.x[0] + s[0], self.x[1] + s[1], self.x[2] + s[2]]
    }

    pub(crate) fn velocity(&self, frame: &FixedFrame) -> [T; 3] {
        let (s, w, v) = (self.turned(&frame.r), &self.w, &self.v);
        [v[0] + w[1] * s[2] - w[2] * s[1], v[1] + w[2] * s[0] - w[0] * s[2], v[2] + w[0] * s[1] - w[1] * s[0]]
    }
}

impl MovingPose<Dual12> {
    /// A pose with its twelve directions as variables; d A = \[d pi\]x A.
    #[must_use]
    pub fn variable(pose: &Pose) -> Self {
        let mut moving = Self::fixed(pose);
        for k in 0..3 {
            moving.x[k] = Dual12::from(pose.x[k]).derivative(k);
            moving.v[k] = Dual12::from(pose.v[k]).derivative(6 + k);
            moving.w[k] = Dual12::from(pose.w[k]).derivative(9 + k);
        }
        for c in 0..3 {
            let column = pose.a.column(c).into_owned();
            for p in 0..3 {
                let mut direction = V3::zeros();
                direction[p] = 1.0;
                let change = direction.cross(&column);
                let seed = Dual12::from(0.0).derivative(3 + p);
                for r in 0..3 {
                    moving.a[r][c] += seed * change[r];
                }
            }
        }
        moving
    }
}

impl Projection {
    fn of<T: Scalar>(&self, vector: &[T; 3], pose: impl Fn(usize) -> MovingPose<T>) -> T {
        let k = match self.component {
            Component::X => 0,
            Component::Y => 1,
            Component::Z => 2,
            Component::Magnitude => return norm(vector),
        };
        dot(vector, &pose(self.frame.body).axis(&self.frame, k))
    }

    fn body(&self) -> Option<usize> {
        (self.component != Component::Magnitude).then_some(self.frame.body)
    }
}

impl Kinematic {
    /// Its value; `pose` gives the bodies, `tracked` the counters of turns.
    pub fn evaluate<T: Scalar>(&self, t: f64, pose: impl Fn(usize) -> MovingPose<T> + Copy, tracked: &[Tracked]) -> T {
        let (i, j) = (pose(self.i.body), pose(self.j.body));
        match self.quantity {
            KinematicQuantity::Position(p) => p.of(&sub(&i.origin(&self.i), &j.origin(&self.j)), pose),
            KinematicQuantity::Velocity { projection, seen_from } => {
                let v = sub(&i.velocity(&self.i), &j.velocity(&self.j));
                let turned = cross(&pose(seen_from.body).w, &sub(&i.origin(&self.i), &j.origin(&self.j)));
                projection.of(&sub(&v, &turned), pose)
            }
            KinematicQuantity::AngularVelocity(p) => p.of(&sub(&i.w, &j.w), pose),
            KinematicQuantity::Angle(counter) => {
                let x = i.axis(&self.i, 0);
                let (along, across) = (j.axis(&self.j, 0), j.axis(&self.j, 1));
                let (c, s) = (dot(&along, &x), dot(&across, &x));
                let raw = arc(s, c);
                // ds = w.(x x y_j), dc = w.(x x x_j) with the difference w of the angular velocities.
                let w = sub(&i.w, &j.w);
                let (ds, dc) = (dot(&w, &cross(&x, &across)).re(), dot(&w, &cross(&x, &along)).re());
                let (c, s) = (c.re(), s.re());
                let rate = (c * ds - s * dc) / (c * c + s * s);
                let shift = tracked[counter].continued(raw.re(), rate, t) - raw.re();
                raw + T::from(shift)
            }
            KinematicQuantity::Bearing | KinematicQuantity::Inclination | KinematicQuantity::Elevation => {
                let x = i.axis(&self.i, 0);
                let [along, across, up] = [0, 1, 2].map(|k| dot(&j.axis(&self.j, k), &x));
                let level = norm(&[along, across, T::from(0.0)]);
                match self.quantity {
                    KinematicQuantity::Bearing => arc(across, along),
                    KinematicQuantity::Inclination => arc(level, up),
                    _ => arc(up, level),
                }
            }
            KinematicQuantity::Distance => norm(&sub(&i.origin(&self.i), &j.origin(&self.j))),
            KinematicQuantity::DistanceRate => {
                let d = sub(&i.origin(&self.i), &j.origin(&self.j));
                dot(&d, &sub(&i.velocity(&self.i), &j.velocity(&self.j))) / norm(&d)
            }
        }
    }

    /// Its value at given poses, the ground last.
    #[must_use]
    pub fn value(&self, t: f64, poses: &[Pose], tracked: &[Tracked]) -> f64 {
        self.evaluate(t, |b| MovingPose::<f64>::fixed(&poses[b]), tracked)
    }

    /// Its gradient by the motion of `body`.
    #[must_use]
    pub fn gradient(&self, t: f64, body: usize, poses: &[Pose], tracked: &[Tracked]) -> BodyGradient {
        let pose =
            |b: usize| if b == body { MovingPose::variable(&poses[b]) } else { MovingPose::<Dual12>::fixed(&poses[b]) };
        gradient(&self.evaluate(t, pose, tracked))
    }

    /// Whether it depends on the motion of `body`.
    #[must_use]
    pub fn depends_on(&self, body: usize) -> bool {
        self.all_bodies().contains(&Some(body))
    }

    /// Bodies of its frames, the ground among them.
    fn all_bodies(&self) -> [Option<usize>; 4] {
        let [projected, seen_from] = match self.quantity {
            KinematicQuantity::Position(p) | KinematicQuantity::AngularVelocity(p) => [p.body(), None],
            KinematicQuantity::Velocity { projection, seen_from } => [projection.body(), Some(seen_from.body)],
            KinematicQuantity::Angle(_)
            | KinematicQuantity::Bearing
            | KinematicQuantity::Inclination
            | KinematicQuantity::Elevation
            | KinematicQuantity::Distance
            | KinematicQuantity::DistanceRate => [None; 2],
        };
        [Some(self.i.body), Some(self.j.body), projected, seen_from]
    }

    /// Bodies it depends on, ground excluded, ascending.
    #[must_use]
    pub fn bodies(&self, ground: usize) -> Vec<usize> {
        let mut bodies: Vec<usize> = self.all_bodies().into_iter().flatten().filter(|&b| b != ground).collect();
        bodies.sort_unstable();
        bodies.dedup();
        bodies
    }

    /// Its unit.
    #[must_use]
    pub fn unit(&self) -> &'static str {
        match self.quantity {
            KinematicQuantity::Position(_) | KinematicQuantity::Distance => "m",
            KinematicQuantity::Velocity { .. } | KinematicQuantity::DistanceRate => "m/s",
            KinematicQuantity::AngularVelocity(_) => "rad/s",
            KinematicQuantity::Angle(_)
            | KinematicQuantity::Bearing
            | KinematicQuantity::Inclination
            | KinematicQuantity::Elevation => "rad",
        }
    }
}
