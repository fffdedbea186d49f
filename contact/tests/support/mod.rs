//! Gaps written out by hand, and the mechanisms of the tests: the source's four-bar, single bodies.

#![allow(dead_code, reason = "an example uses a part")]

pub(crate) mod checked;
pub(crate) mod families;
pub(crate) mod literature;
pub(crate) mod twofold;

use fourbar_contact::Error;
use fourbar_contact::event::{EventStepper, Reached};
use fourbar_contact::unilateral::{ContactId, Contacts, Row, Surface, Unilateral};
use fourbar_multibody::model::{AxialTorque, Body, Force, Joint, JointKind, Model, Orientation, Place, vector, zero};
use fourbar_multibody::space::{Pose, V3};
use fourbar_multibody::{Mechanism, State};
use std::sync::Arc;

/// Follows a run to its end: its energy must never rise, and no gap of `set` ever be closed by more than round-off; says what was wrong.
pub(crate) fn follow<C: Contacts>(
    run: &mut EventStepper<C>,
    set: &mut C,
    energy: impl Fn(&State) -> f64,
) -> Result<(), String> {
    let first = energy(run.state());
    let (mut before, mut found, mut poses) = (first, Vec::new(), Vec::new());
    loop {
        let reached = run.step().map_err(|e| format!("t = {}: {e}", run.time()))?;
        let state = run.state();
        let now = energy(state);
        if !(now - before <= 1e-8 * first) {
            return Err(format!("t = {}: {:e} J gained", state.time, now - before));
        }
        before = now;
        poses.clear();
        poses.extend(state.poses.iter().copied().chain([Pose::ground()]));
        set.find(state.time, &poses, f64::INFINITY, &mut found).map_err(|e| e.to_string())?;
        let depth = found.iter().fold(0.0_f64, |a, c| a.max(-c.gap));
        if depth > 1e-9 {
            return Err(format!("t = {}: {depth:e} m inside", state.time));
        }
        if reached == Reached::EndTime {
            return Ok(());
        }
    }
}

/// What touches a plane.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Feature {
    /// A point of the body, in body axes from its centre of mass.
    Point(V3),
    /// A sphere about the centre of mass.
    Sphere(f64),
}

/// Feature of a body against a fixed plane n.x = offset.
#[derive(Debug, Clone, Copy)]
pub(crate) struct OnPlane {
    pub body: usize,
    pub feature: Feature,
    pub normal: V3,
    pub offset: f64,
    pub surface: Surface,
}

impl OnPlane {
    pub(crate) fn point(body: usize, r: [f64; 3], normal: [f64; 3], offset: f64, e: f64, mu: f64) -> Self {
        let surface = Surface { restitution: e, friction: mu, ..Surface::smooth() };
        Self { body, feature: Feature::Point(V3::from(r)), normal: V3::from(normal), offset, surface }
    }

    pub(crate) fn sphere(body: usize, radius: f64, normal: [f64; 3], offset: f64, e: f64, mu: f64) -> Self {
        Self { feature: Feature::Sphere(radius), ..Self::point(body, [0.0; 3], normal, offset, e, mu) }
    }

    fn at(&self, pair: usize, poses: &[Pose]) -> Unilateral {
        let (n, pose, ground) = (self.normal, &poses[self.body], poses.len() - 1);
        let across = if n.z.abs() < 0.9 { V3::z() } else { V3::x() };
        let t1 = across.cross(&n).normalize();
        let directions = [n, t1, n.cross(&t1)];
        let (arm, drifts) = match self.feature {
            Feature::Point(r) => {
                let arm = pose.a * r;
                let centripetal = pose.w.cross(&pose.w.cross(&arm));
                (arm, directions.map(|d| d.dot(&centripetal)))
            }
            Feature::Sphere(radius) => (-n * radius, [0.0; 3]),
        };
        let mut rows = [Row::zero(); 6];
        for k in 0..3 {
            rows[k] = Row { g: directions[k], gi: arm.cross(&directions[k]), gj: V3::zeros(), drift: drifts[k] };
        }
        for (row, d) in rows[3..].iter_mut().zip(directions) {
            *row = Row { g: V3::zeros(), gi: d, gj: V3::zeros(), drift: 0.0 };
        }
        Unilateral {
            id: ContactId { pair: pair as u32, feature: 0 },
            bodies: [self.body, ground],
            gap: n.dot(&(pose.x + arm)) - self.offset,
            gap_rate: 0.0,
            gap_rate_drift: 0.0,
            rows,
            point: Some(pose.x + arm),
            surface: self.surface,
        }
    }
}

/// Several features on planes.
#[derive(Debug, Clone, Default)]
pub(crate) struct Planes(pub Vec<OnPlane>);

impl Contacts for Planes {
    fn find(&mut self, _: f64, poses: &[Pose], margin: f64, found: &mut Vec<Unilateral>) -> Result<(), Error> {
        found.clear();
        found.extend(self.0.iter().enumerate().map(|(k, c)| c.at(k, poses)).filter(|c| c.gap <= margin));
        Ok(())
    }
}

/// A body at `x` with its frame in the centre of mass.
pub(crate) fn body(name: &str, mass: f64, inertia: [f64; 3], x: [f64; 3], angle: f64) -> Body {
    Body {
        name: name.into(),
        mass: mass.into(),
        inertia: inertia.map(Into::into).to_vec(),
        center_of_mass: zero(),
        position: vector(x),
        orientation: if angle == 0.0 { Orientation::default() } else { Orientation::turn([0.0, 0.0, 1.0], angle) },
        velocity: zero(),
        angular_velocity: zero(),
        exact: vec![],
        solids: Vec::new(),
    }
}

fn place(body: &str, position: [f64; 3]) -> fourbar_multibody::model::MarkerRef {
    Place {
        body: body.into(),
        position: vector(position),
        orientation: Orientation::default(),
        frame: Default::default(),
    }
    .into()
}

fn revolute(name: &str, i: (&str, [f64; 3]), j: (&str, [f64; 3])) -> Joint {
    Joint {
        name: name.into(),
        kind: JointKind::Revolute,
        i: place(i.0, i.1),
        j: place(j.0, j.1),
        length: None,
        pitch: None,
        initial: Default::default(),
    }
}

/// The source's four-bar at theta = pi/2 at rest, with the torque of 10 N m on bar 1.
pub(crate) fn four_bar(gravity: f64) -> Arc<Mechanism> {
    let half_pi = std::f64::consts::FRAC_PI_2;
    let rod = |m: f64, l: f64| [1e-5, m * l * l / 12.0, m * l * l / 12.0];
    let model = Model {
        gravity: vector([0.0, -gravity, 0.0]),
        bodies: vec![
            body("bar 1", 0.1, rod(0.1, 0.2), [0.0, 0.1, 0.0], half_pi),
            body("bar 2", 0.2, rod(0.2, 0.4), [0.2, 0.2, 0.0], 0.0),
            body("bar 3", 0.1, rod(0.1, 0.2), [0.4, 0.1, 0.0], half_pi),
        ],
        joints: vec![
            revolute("O1", ("bar 1", [-0.1, 0.0, 0.0]), ("ground", [0.0; 3])),
            revolute("A", ("bar 1", [0.1, 0.0, 0.0]), ("bar 2", [-0.2, 0.0, 0.0])),
            revolute("B", ("bar 2", [0.2, 0.0, 0.0]), ("bar 3", [0.1, 0.0, 0.0])),
            revolute("O3", ("bar 3", [-0.1, 0.0, 0.0]), ("ground", [0.4, 0.0, 0.0])),
        ],
        forces: vec![Force::AxialTorque(AxialTorque {
            name: "torque".into(),
            i: place("bar 1", [0.0; 3]),
            j: place("ground", [0.0; 3]),
            value: 10.0.into(),
        })],
        ..Model::default()
    };
    Arc::new(Mechanism::compile(&model).unwrap())
}

/// Point a of the four-bar against the wall x = -0.06.
pub(crate) fn wall(e: f64) -> Planes {
    Planes(vec![OnPlane::point(0, [0.1, 0.0, 0.0], [1.0, 0.0, 0.0], -0.06, e, 0.0)])
}

/// x of point a.
pub(crate) fn x_a(state: &State) -> f64 {
    (state.poses[0].x + state.poses[0].a * V3::new(0.1, 0.0, 0.0)).x
}

/// Free bodies under gravity g along -y.
pub(crate) fn free(bodies: Vec<Body>, gravity: [f64; 3]) -> Arc<Mechanism> {
    let model = Model { gravity: vector(gravity), bodies, ..Model::default() };
    Arc::new(Mechanism::compile(&model).unwrap())
}

/// The closed form of the four-bar on the wall without gravity (theta'' = T/I between impacts).
pub(crate) struct ClosedForm {
    pub alpha: f64,
    pub theta_c: f64,
    pub t1: f64,
    pub e: f64,
}

impl ClosedForm {
    pub(crate) fn new(e: f64) -> Self {
        let (alpha, theta_c) = (10.0 / (0.032 / 3.0), (-0.3_f64).acos());
        let d = theta_c - std::f64::consts::FRAC_PI_2;
        Self { alpha, theta_c, t1: (2.0 * d / alpha).sqrt(), e }
    }

    /// Time of the k-th impact, k from 1.
    pub(crate) fn impact(&self, k: u32) -> f64 {
        self.t1 * (1.0 + 2.0 * (1..k).map(|j| self.e.powi(j as i32)).sum::<f64>())
    }

    /// Normal velocity before the k-th impact.
    pub(crate) fn closing_speed(&self, k: u32) -> f64 {
        0.2 * self.theta_c.sin() * self.alpha * self.t1 * self.e.powi(k as i32 - 1)
    }

    /// Accumulation time.
    pub(crate) fn accumulation(&self) -> f64 {
        self.t1 * (1.0 + self.e) / (1.0 - self.e)
    }

    /// x of point a at time t.
    pub(crate) fn x_a(&self, t: f64) -> f64 {
        if t >= self.accumulation() {
            return -0.06;
        }
        if t < self.t1 {
            return 0.2 * (std::f64::consts::FRAC_PI_2 + 0.5 * self.alpha * t * t).cos();
        }
        let (mut start, mut k) = (self.t1, 1);
        let mut rebound = self.e * self.alpha * self.t1;
        while t > start + 2.0 * rebound / self.alpha && k < 200 {
            start += 2.0 * rebound / self.alpha;
            rebound *= self.e;
            k += 1;
        }
        let s = t - start;
        0.2 * (self.theta_c - rebound * s + 0.5 * self.alpha * s * s).cos()
    }
}
