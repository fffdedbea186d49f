//! What relates joints and bodies: friction, couplers, gears, curves, constraints, motions, flexible bodies.

use std::f64::consts::TAU;
use std::fmt::Write as _;

pub(crate) const FRICTION: &str = r#"
[[friction]]
name = "rub"
joint = "rail"
mu_dynamic = 0.05
transition_velocity = 0.01
"#;

pub(crate) const COUPLER: &str = r#"
[[coupler]]
name = "belt"
joints = [{ joint = "rail", ratio = 1 }, { joint = "bearing", ratio = -0.2 }]
"#;

pub(crate) const GEAR: &str = r#"
[[gear]]
name = "mesh"
joints = ["bearing", "other_bearing"]
common_velocity = { body = "ground", position = [0.1, 0, 0], orientation = { z_axis = [0, 1, 0] } }
"#;

pub(crate) const RACK: &str = r#"
[[rack_and_pinion]]
name = "rack"
pinion = "bearing"
rack = "rail"
pitch_radius = 0.1
"#;

/// y = x^2/2 + 0.3 x
pub(crate) fn parabola() -> String {
    let mut points = String::new();
    for k in -10..=10 {
        let x = f64::from(k) / 10.0;
        let _ = write!(points, "[{x}, {}], ", 0.5 * x * x + 0.3 * x);
    }
    format!("[[curve]]\nname = \"parabola\"\nmarker = \"ground\"\npoints = [{points}]\n")
}

pub(crate) const ON_PARABOLA: &str = r#"
[[point_on_curve]]
name = "wire"
i = "bead"
curve = "parabola"
"#;

pub(crate) const CONSTRAINT: &str = r#"
[[constraint]]
name = "wire"
equation = "p.y - 0.5*p.x^2 - 0.3*p.x"
i = "bead"
"#;

/// A circle of 24 points about the place `x` of a body.
pub(crate) fn circle(name: &str, body: &str, x: f64, radius: f64) -> String {
    let mut points = String::new();
    for k in 0..=24 {
        let turn = TAU * f64::from(k % 24) / 24.0;
        let _ = write!(points, "[{}, {}], ", x + radius * turn.cos(), radius * turn.sin());
    }
    format!("[[curve]]\nname = \"{name}\"\nmarker = \"{body}\"\nclosed = true\npoints = [{points}]\n")
}

pub(crate) const TOUCHING: &str = r#"
[[curve_on_curve]]
name = "touching"
curves = ["roller", "disc"]
"#;

pub(crate) const ROLLING: &str = r#"
[[rolling]]
name = "rolls"
shape = "sphere"
radius = 0.1
i = "ball"
"#;

pub(crate) const FLEXIBLE: &str = r#"
[[flexible]]
name = "arm"
beam = { length = 1, area = 4e-4, iyy = 1.3e-8, izz = 1.3e-8, youngs_modulus = 7e9, shear_modulus = 2.7e9, density = 2700, modes = 2, elements = 4, highest_frequency = 60 }
[[joint]]
name = "clamp"
type = "fixed"
i = "arm/start"
j = "ground"
[[measure]]
name = "tip"
type = "position"
i = "arm/end"
[[measure]]
name = "result"
type = "expression"
expression = "1000*tip.y"
"#;

pub(crate) const MOTION_DISPLACEMENT: &str = r#"
[[motion]]
name = "drive"
joint = "rail"
displacement = "0.05*sin(4*time)"
"#;

pub(crate) const MOTION_VELOCITY: &str = r#"
[[motion]]
name = "drive"
joint = "rail"
velocity = "0.2*cos(4*time)"
"#;

pub(crate) const MOTION_ACCELERATION: &str = r#"
[[motion]]
name = "drive"
joint = "rail"
acceleration = "-0.8*sin(4*time)"
initial_velocity = 0.2
"#;
