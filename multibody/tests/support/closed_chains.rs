//! Closed chains of hinges with a closed form: where each link is, given the angle of the first hinge. Some move though counting forbids it.

use nalgebra::{Isometry3, Rotation3, Translation3, UnitQuaternion, Vector3};
use serde_json::{Value, json};
use std::f64::consts::PI;

type V3 = Vector3<f64>;
type Frame = Isometry3<f64>;

/// A closed chain of hinges, in the frame of its base.
pub(crate) struct ClosedChain {
    pub(crate) name: &'static str,
    /// Frames of the links but for the base, by the angle of the first hinge; the first link turns by it about z of the base.
    frames: Box<dyn Fn(f64) -> Vec<Frame>>,
    /// Point and axis of each hinge as it is drawn, at `drawn`: hinge k joins link k with the one before, the last one the last link with the base.
    hinges: Vec<[V3; 2]>,
    pub(crate) drawn: f64,
    /// Whether it moves.
    pub(crate) moves: bool,
    size: f64,
}

fn along_x(a: f64) -> Frame {
    Translation3::new(a, 0.0, 0.0).into()
}

fn about(axis: V3, angle: f64) -> Frame {
    Frame::rotation(axis * angle)
}

/// Frames of the links of lengths and twists (Denavit and Hartenberg) with these angles of hinges, the base left out; then the frame behind the last.
fn links(lengths: &[f64], twists: &[f64], angles: &[f64]) -> (Vec<Frame>, Frame) {
    let (mut frames, mut at) = (Vec::new(), Frame::identity());
    for ((a, twist), angle) in lengths.iter().zip(twists).zip(angles) {
        at *= about(V3::z(), *angle);
        frames.push(at);
        at = at * along_x(*a) * about(V3::x(), *twist);
    }
    frames.pop();
    (frames, at)
}

impl ClosedChain {
    fn of(
        name: &'static str,
        lengths: Vec<f64>,
        twists: Vec<f64>,
        drawn: f64,
        angles: impl Fn(f64) -> Vec<f64> + 'static,
    ) -> Self {
        let moves = lengths.len() > 3;
        let size = lengths.iter().sum::<f64>();
        let (_, closing) = links(&lengths, &twists, &angles(drawn));
        let off = closing.translation.vector.norm() / size + closing.rotation.angle();
        assert!(off < 1e-12, "{name} does not close: {off:e}");
        let (frames, _) = links(&lengths, &twists, &angles(drawn));
        let axis = |frame: &Frame| [frame.translation.vector, frame.rotation * V3::z()];
        let mut hinges: Vec<[V3; 2]> = frames.iter().map(axis).collect();
        let last = lengths.len() - 1;
        hinges.push(axis(&(along_x(lengths[last]) * about(V3::x(), twists[last])).inverse()));
        let frames = Box::new(move |angle: f64| links(&lengths, &twists, &angles(angle)).0);
        Self { name, frames, hinges, drawn, moves, size }
    }

    /// Three parallel hinges: a frame that does not move.
    pub(crate) fn triangle([a, b, c]: [f64; 3]) -> Self {
        // Outer angles at the corners.
        let corner = |p: f64, q: f64, r: f64| PI - ((p * p + q * q - r * r) / (2.0 * p * q)).acos();
        let angles = vec![corner(c, a, b), corner(a, b, c), corner(b, c, a)];
        Self::of("triangle", vec![a, b, c], vec![0.0; 3], angles[0], move |_| angles.clone())
    }

    /// Four parallel hinges; the first link turns around if it and the base are the shortest together with another.
    pub(crate) fn four_bar(lengths: [f64; 4], drawn: f64) -> Self {
        let [a, b, c, d] = lengths;
        Self::of("four-bar", lengths.to_vec(), vec![0.0; 4], drawn, move |angle| {
            // The base runs from the last hinge, at (-d, 0), to the first.
            let tip = V3::new(a * angle.cos(), a * angle.sin(), 0.0);
            let way = V3::new(-d, 0.0, 0.0) - tip;
            let l = way.norm();
            let rod = way.y.atan2(way.x) + ((b * b + l * l - c * c) / (2.0 * b * l)).acos();
            let joint = tip + V3::new(rod.cos(), rod.sin(), 0.0) * b;
            let last = (-joint.y).atan2(-d - joint.x);
            vec![angle, rod - angle, last - rod, -last]
        })
    }

    /// Bennett's linkage (1903), of links with sin(twist)/length alike in opposite pairs.
    pub(crate) fn bennett(a: f64, [twist, other]: [f64; 2], drawn: f64) -> Self {
        let b = a * other.sin() / twist.sin();
        let ratio = (0.5 * (other + twist)).sin() / (0.5 * (other - twist)).sin();
        Self::of("Bennett", vec![a, b, a, b], vec![twist, other, twist, other], drawn, move |angle| {
            let second = 2.0 * (ratio * (0.5 * angle).cos()).atan2((0.5 * angle).sin());
            vec![angle, second, -angle, -second]
        })
    }

    /// Bricard's linkage of threefold symmetry with right angles (Chen, You and Tarnai, 2005): six links of one length.
    pub(crate) fn bricard(a: f64, drawn: f64) -> Self {
        let twists = (0..6).map(|k| if k % 2 == 0 { 0.5 * PI } else { -0.5 * PI }).collect();
        Self::of("Bricard", vec![a; 6], twists, drawn, |angle| {
            let second = (-angle.cos() / (1.0 + angle.cos())).acos();
            vec![angle, second, angle, second, angle, second]
        })
    }

    /// Sarrus' linkage (1853): a platform on two pairs of links, whose hinges stand across each other. The first hinge is along z of the base, the
    /// platform moves along y.
    pub(crate) fn sarrus(arm: f64, drawn: f64) -> Self {
        let frames = move |angle: f64| {
            let (rise, out) = (arm * angle.sin(), arm * angle.cos());
            let lower = Frame::identity() * about(V3::z(), angle);
            let upper = Frame::from_parts(Translation3::new(out, rise, 0.0), about(V3::z(), PI - angle).rotation);
            let platform = Translation3::new(0.0, 2.0 * rise, 0.0).into();
            // The other pair along z, hinged about x at (-arm, ., arm).
            let foot = V3::new(-arm, 0.0, arm);
            let low = Frame::from_parts(foot.into(), about(V3::x(), -angle).rotation);
            let knee = foot + V3::new(0.0, rise, out);
            let high = Frame::from_parts(knee.into(), about(V3::x(), angle - PI).rotation);
            vec![lower, upper, platform, high, low]
        };
        let (rise, out) = (arm * drawn.sin(), arm * drawn.cos());
        let foot = V3::new(-arm, 0.0, arm);
        let hinges = vec![
            [V3::zeros(), V3::z()],
            [V3::new(out, rise, 0.0), V3::z()],
            [V3::new(0.0, 2.0 * rise, 0.0), V3::z()],
            [foot + V3::new(0.0, 2.0 * rise, 0.0), V3::x()],
            [foot + V3::new(0.0, rise, out), V3::x()],
            [foot, V3::x()],
        ];
        Self { name: "Sarrus", frames: Box::new(frames), hinges, drawn, moves: true, size: 6.0 * arm }
    }

    fn mass(k: usize) -> f64 {
        1.0 + 0.3 * k as f64
    }

    /// Centre of mass of link k in its frame.
    fn center(&self, k: usize) -> V3 {
        V3::new(0.12, 0.03 * (k as f64 - 1.0), 0.05) * self.size * 0.5
    }

    fn inertia(&self, k: usize) -> V3 {
        V3::new(0.011, 0.02 + 0.003 * k as f64, 0.025) * (self.size * self.size * Self::mass(k))
    }

    /// Centres of mass at an angle of the first hinge.
    pub(crate) fn centers(&self, angle: f64) -> Vec<V3> {
        (self.frames)(angle)
            .iter()
            .enumerate()
            .map(|(k, f)| f.translation.vector + f.rotation * self.center(k))
            .collect()
    }

    /// Potential energy under `gravity`.
    fn potential(&self, angle: f64, gravity: &V3) -> f64 {
        self.centers(angle).iter().enumerate().map(|(k, x)| -Self::mass(k) * gravity.dot(x)).sum()
    }

    /// Kinetic energy where the angle grows by 1 rad/s.
    fn kinetic(&self, angle: f64) -> f64 {
        let h = 1e-4;
        let [before, after] = [(self.frames)(angle - h), (self.frames)(angle + h)];
        let now = (self.frames)(angle);
        let mut sum = 0.0;
        for k in 0..now.len() {
            let at = |f: &Frame| f.translation.vector + f.rotation * self.center(k);
            let v = (at(&after[k]) - at(&before[k])) / (2.0 * h);
            let turn = (before[k].rotation.inverse() * after[k].rotation).scaled_axis() / (2.0 * h);
            sum += 0.5 * Self::mass(k) * v.norm_squared() + 0.5 * turn.dot(&self.inertia(k).component_mul(&turn));
        }
        sum
    }

    /// Torque at the first hinge where it turns evenly at `rate`: the rate of the energy over that.
    pub(crate) fn torque(&self, angle: f64, rate: f64, gravity: &V3) -> f64 {
        let h = 1e-4;
        let energy = |angle: f64| self.potential(angle, gravity) + rate * rate * self.kinetic(angle);
        (energy(angle + h) - energy(angle - h)) / (2.0 * h)
    }

    /// Mass and centre of mass of all links.
    pub(crate) fn whole(&self, angle: f64) -> (f64, V3) {
        let centers = self.centers(angle);
        let mass: f64 = (0..centers.len()).map(Self::mass).sum();
        (mass, centers.iter().enumerate().map(|(k, x)| x * Self::mass(k)).sum::<V3>() / mass)
    }

    /// Bodies and hinges on the body `base`, drawn turned by `turn` about the origin and moved by `shift`.
    pub(crate) fn on(&self, base: &str, turn: &Rotation3<f64>, shift: &V3) -> (Vec<Value>, Vec<Value>) {
        let list = |v: V3| json!([v.x, v.y, v.z]);
        let frames = (self.frames)(self.drawn);
        let body = |(k, frame): (usize, &Frame)| {
            let q = UnitQuaternion::from_rotation_matrix(turn) * frame.rotation;
            let [i, j, l] = <[f64; 3]>::from(self.inertia(k));
            json!({
                "name": format!("l{k}"), "mass": Self::mass(k), "inertia": [i, j, l], "center_of_mass": list(self.center(k)),
                "position": list(turn * frame.translation.vector + shift), "orientation": {"quaternion": [q.w, q.i, q.j, q.k]},
            })
        };
        let name = |k: usize| if k < frames.len() { format!("l{k}") } else { base.to_owned() };
        let hinge = |(k, [point, axis]): (usize, &[V3; 2])| {
            let (own, before) = match k {
                0 => (name(0), base.to_owned()),
                k => (name(k), name(k - 1)),
            };
            let marker = |body: String| json!({"body": body, "position": list(turn * point + shift), "orientation": {"z_axis": list(turn * axis)}, "frame": "global"});
            json!({"name": format!("h{k}"), "type": "revolute", "i": marker(own), "j": marker(before)})
        };
        (frames.iter().enumerate().map(body).collect(), self.hinges.iter().enumerate().map(hinge).collect())
    }
}
