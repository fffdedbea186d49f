//! Random closed loops, drawn closed: planar ones in random planes and in the planes of the axes, and spatial ones.

use super::build::Builder;
use super::random::Random;
use fourbar::multibody::model::{JointKind, Model};
use fourbar::multibody::space::{M3, V3};

/// A loop and an axis across which it turns badly: one in its plane, if it has one.
pub(super) struct Loop {
    pub(super) name: String,
    pub(super) model: Model,
    pub(super) axis: V3,
}

/// A name, and what builds a loop of it.
type LoopKind = (&'static str, fn(&mut Builder));

const KINDS: [LoopKind; 12] = [
    ("four-bar", four_bar),
    ("frame", frame),
    ("slider-crank", slider_crank),
    ("bennett", bennett),
    ("five-bar", five_bar),
    ("hanging triangle", triangle),
    ("six-bar", six_bar),
    ("rssr", rssr),
    ("rsur", rsur),
    ("sarrus", sarrus),
    ("spherical four-bar", spherical),
    ("chain with balls", balls),
];

/// The loop of that number.
pub(super) fn random_loop(number: usize) -> Loop {
    let (kind, draw) = KINDS[number % KINDS.len()];
    let mut random = Random::new(1 + number as u64);
    let plane = match (number / KINDS.len()) % 4 {
        0 => straight(random.index(3)),
        _ => random.rotation(),
    };
    // Every second one stands off the origin.
    let origin = if random.index(2) == 0 { V3::zeros() } else { random.vector(1.0) };
    let driven = random.index(3) == 0;
    let mut builder = Builder::new(random, origin, plane, driven);
    draw(&mut builder);
    let way = if builder.random.index(2) == 0 { 0.0 } else { builder.random.within(-1.0, 1.0) };
    let axis = (plane * V3::new(way.cos(), way.sin(), 0.0)).normalize();
    Loop { name: format!("{kind} {number}"), model: builder.finish(), axis }
}

/// The axes, exchanged in a circle.
fn straight(turns: usize) -> M3 {
    let [x, y, z] = [V3::x(), V3::y(), V3::z()];
    match turns {
        0 => M3::from_columns(&[x, y, z]),
        1 => M3::from_columns(&[y, z, x]),
        _ => M3::from_columns(&[z, x, y]),
    }
}

/// The point at these distances from two others, on the left of the way between them.
fn corner(a: V3, b: V3, from_a: f64, from_b: f64) -> V3 {
    let (way, d) = (b - a, (b - a).norm());
    let along = (d * d + from_a * from_a - from_b * from_b) / (2.0 * d);
    let up = (from_a * from_a - along * along).max(0.0).sqrt();
    a + way * (along / d) + V3::new(-way.y, way.x, 0.0) * (up / d)
}

fn polar(radius: f64, angle: f64) -> V3 {
    V3::new(radius * angle.cos(), radius * angle.sin(), 0.0)
}

/// Crank-rocker: A, B, C, D.
fn quadrangle(b: &mut Builder) -> [V3; 4] {
    let angle = b.random.within(0.3, 1.3);
    let (crank, rod, rocker) = (b.about(0.3), b.about(0.9), b.about(0.7));
    let (first, last) = (V3::zeros(), V3::new(b.about(1.0), 0.0, 0.0));
    let top = polar(crank, angle);
    [first, top, corner(top, last, rod, rocker), last]
}

fn four_bar(b: &mut Builder) {
    let [a, top, c, d] = quadrangle(b);
    let bodies = b.chain(&[a, top, c, d]);
    b.pins(&bodies, &[a, top, c, d]);
}

/// Two bars and the ground: no freedom.
fn frame(b: &mut Builder) {
    let (a, d) = (V3::zeros(), V3::new(0.0, b.about(0.4), 0.0));
    let c = V3::new(b.about(0.5), b.about(0.2), 0.0);
    let bodies = b.chain(&[a, c, d]);
    b.driven = false;
    b.pins(&bodies, &[a, c, d]);
}

fn slider_crank(b: &mut Builder) {
    let (angle, crank, rod) = (b.random.within(0.4, 1.2), b.about(0.3), b.about(0.9));
    let top = polar(crank, angle);
    let height = b.random.within(-0.1, 0.1);
    let end = V3::new(top.x + (rod * rod - (top.y - height).powi(2)).sqrt(), height, 0.0);
    let bodies = b.chain(&[V3::zeros(), top, end]);
    b.pins(&bodies, &[V3::zeros(), top]);
    let slider = b.body(&[end, end + V3::new(0.1, 0.05, 0.0)]);
    let z = b.across();
    b.joint(JointKind::Revolute, &slider, &bodies[1], end, z);
    let along = b.plane * V3::x();
    b.joint(JointKind::Prismatic, &slider, "ground", end, along);
}

fn five_bar(b: &mut Builder) {
    let (a, e) = (V3::zeros(), V3::new(b.about(0.6), 0.0, 0.0));
    let (left, right) = (b.random.within(1.7, 2.3), b.random.within(0.6, 1.2));
    let (one, two) = (a + polar(b.about(0.5), left), e + polar(b.about(0.5), right));
    let (long, other) = (b.about(0.9), b.about(0.9));
    // Left of the way from right to left is below.
    let c = corner(one, two, long, other);
    let points = [a, one, c, two, e];
    let bodies = b.chain(&points);
    b.pins(&bodies, &points);
}

/// Three bars that hang on one pin.
fn triangle(b: &mut Builder) {
    let (a, c) = (V3::zeros(), V3::new(b.about(0.5), 0.0, 0.0));
    let top = corner(a, c, b.about(0.4), b.about(0.45));
    let bars = [b.body(&[a, c]), b.body(&[c, top]), b.body(&[top, a])];
    let z = b.across();
    b.joint(JointKind::Revolute, &bars[0], "ground", a, z);
    b.joint(JointKind::Revolute, &bars[1], &bars[0], c, z);
    b.joint(JointKind::Revolute, &bars[2], &bars[1], top, z);
    b.joint(JointKind::Revolute, &bars[0], &bars[2], a, z);
}

fn six_bar(b: &mut Builder) {
    let [a, top, c, d] = quadrangle(b);
    let bodies = b.chain(&[a, top, c, d]);
    b.pins(&bodies, &[a, top, c, d]);
    let point = (top + c) * 0.5 + V3::new(0.0, b.about(0.3), 0.0);
    let foot = V3::new(b.about(1.5), b.about(0.3), 0.0);
    let knee = corner(point, foot, b.about(0.8), b.about(0.8));
    let dyad = b.chain(&[point, knee, foot]);
    let z = b.across();
    b.joint(JointKind::Revolute, &dyad[0], &bodies[1], point, z);
    b.joint(JointKind::Revolute, &dyad[1], &dyad[0], knee, z);
    b.joint(JointKind::Revolute, &dyad[1], "ground", foot, z);
}

/// Bennett's loop, by the parameters of Denavit and Hartenberg.
fn bennett(b: &mut Builder) {
    let (long, twist, short) = (b.about(0.5), b.random.within(0.8, 1.2), b.about(0.35));
    let other = (short * twist.sin() / long).asin();
    let first = b.random.within(0.7, 1.8);
    let ratio = ((other + twist) / 2.0).sin() / ((other - twist) / 2.0).sin();
    let second = 2.0 * (ratio / (first / 2.0).tan()).atan();
    let (mut origin, mut axes) = (V3::zeros(), M3::identity());
    let (mut points, mut lines) = (Vec::new(), Vec::new());
    for (angle, length, twist) in
        [(first, long, twist), (second, short, other), (-first, long, twist), (-second, short, other)]
    {
        points.push(origin);
        lines.push(b.plane * axes.column(2));
        let turn = nalgebra::Rotation3::from_axis_angle(&V3::z_axis(), angle).into_inner();
        let lean = nalgebra::Rotation3::from_axis_angle(&V3::x_axis(), twist).into_inner();
        origin += axes * turn * V3::new(length, 0.0, 0.0);
        axes = axes * turn * lean;
    }
    assert!(origin.norm() < 1e-13 && (axes - M3::identity()).norm() < 1e-13, "the loop is closed");
    let bodies: Vec<String> = (0..3).map(|k| b.body(&[points[k], points[k + 1]])).collect();
    let around = |k: usize| bodies.get(k).map_or("ground", String::as_str);
    for k in 0..4 {
        let (i, j) = if k == 0 { (around(0), "ground") } else { (around(k), around(k - 1)) };
        b.joint(JointKind::Revolute, i, j, points[k], lines[k]);
    }
}

/// Crank, rod between two balls, rocker, about skew axes.
fn rssr(b: &mut Builder) {
    let points = skew(b);
    let bodies = b.chain(&points);
    let [one, two] = lines(b);
    b.joint(JointKind::Revolute, &bodies[0], "ground", points[0], one);
    b.joint(JointKind::Spherical, &bodies[1], &bodies[0], points[1], V3::z());
    b.joint(JointKind::Spherical, &bodies[2], &bodies[1], points[2], V3::z());
    b.joint(JointKind::Revolute, &bodies[2], "ground", points[3], two);
}

fn rsur(b: &mut Builder) {
    let points = skew(b);
    let bodies = b.chain(&points);
    let [one, two] = lines(b);
    let pin = b.random.direction();
    // A driven one may be stretched.
    b.driven = false;
    b.joint(JointKind::Revolute, &bodies[0], "ground", points[0], one);
    b.joint(JointKind::Spherical, &bodies[1], &bodies[0], points[1], V3::z());
    b.joint(JointKind::Universal, &bodies[2], &bodies[1], points[2], pin);
    b.joint(JointKind::Revolute, &bodies[2], "ground", points[3], two);
}

/// Lines of crank and rocker, skew, but far from where the loop is stretched.
fn lines(b: &mut Builder) -> [V3; 2] {
    [0, 1].map(|_| b.plane * (V3::z() + b.random.vector(0.3)))
}

fn skew(b: &mut Builder) -> [V3; 4] {
    let [a, top, c, d] = quadrangle(b);
    let mut off = |v: V3| v + b.random.vector(0.15);
    [off(a), off(top), off(c), off(d)]
}

/// A plate on two folding chains, each of three parallel hinges.
fn sarrus(b: &mut Builder) {
    // A driven one may be stretched.
    b.driven = false;
    let plate = b.body(&[V3::new(0.0, 0.0, 0.5), V3::new(0.3, 0.1, 0.5), V3::new(0.1, 0.3, 0.5)]);
    for (line, out) in [(V3::x(), V3::y()), (V3::y(), -V3::x())] {
        let (foot, head) = (out * b.about(0.3), out * b.about(0.3) + V3::z() * 0.5);
        let knee = out * b.about(0.55) + V3::z() * b.about(0.25);
        let legs = b.chain(&[foot, knee, head]);
        let line = b.plane * line;
        b.joint(JointKind::Revolute, &legs[0], "ground", foot, line);
        b.joint(JointKind::Revolute, &legs[1], &legs[0], knee, line);
        b.joint(JointKind::Revolute, &plate, &legs[1], head, line);
    }
}

/// Four hinges whose axes meet in a point.
fn spherical(b: &mut Builder) {
    let angles = [0.0, b.about(0.5), b.about(1.4), b.about(1.7)];
    let leans = [0.2, b.about(0.9), b.about(-0.2), b.about(0.5)];
    let line = |k: usize| {
        let (angle, lean): (f64, f64) = (angles[k], leans[k]);
        V3::new(angle.cos(), angle.sin(), lean).normalize()
    };
    let points: Vec<V3> = (0..4).map(|k| line(k) * b.about(0.5)).collect();
    let bodies = b.chain(&points);
    for k in 0..4 {
        let axis = b.plane * line(k);
        let (i, j) = match k {
            0 => (bodies[0].as_str(), "ground"),
            3 => ("ground", bodies[2].as_str()),
            _ => (bodies[k].as_str(), bodies[k - 1].as_str()),
        };
        b.joint(JointKind::Revolute, i, j, points[k], axis);
    }
}

/// Three bodies between balls; the last one is held by a rod.
fn balls(b: &mut Builder) {
    let mut points = vec![V3::zeros()];
    for _ in 0..3 {
        let next = points[points.len() - 1] + b.random.direction() * 0.35;
        points.push(next);
    }
    let bodies = b.chain(&points);
    b.driven = false;
    for k in 0..3 {
        let before = if k == 0 { "ground" } else { bodies[k - 1].as_str() };
        b.joint(JointKind::Spherical, &bodies[k], before, points[k], V3::z());
    }
    let hook = points[3] + b.random.direction() * 0.6;
    b.rod(&bodies[2], points[3], hook);
}
