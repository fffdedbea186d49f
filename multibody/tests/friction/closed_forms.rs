//! Closed forms: blocks, pins, balls, sleeves; what creeps and what jams.

use super::{gstiff, methods, stiff};
use crate::support::runs::{named_measures, try_compile};
use fourbar_multibody::analysis::{Equilibrium, Linearization};
use fourbar_multibody::integrator::Stop;
use fourbar_multibody::space::{V3, rotation};
use fourbar_multibody::{Dynamics, DynamicsOptions, Formulation, Inputs, Method};
use serde_json::{Value, json};

const G: f64 = 9.81;
const MU: f64 = 0.25;
const MASS: f64 = 2.0;
/// Radius of pins and balls.
const R: f64 = 0.03;
/// Velocity of transition.
const V_T: f64 = 1e-3;

/// Rotation vector of the whole, whether the ends of the joint are exchanged, and the units.
type Drawn = ([f64; 3], bool, (&'static str, f64));

const DRAWN: [Drawn; 3] = [
    ([0.0, 0.0, 1e-9], false, ("m, kg, s, N", 1.0)),
    ([0.4, -1.1, 0.7], true, ("mm, kg, s, N", 1e-3)),
    ([0.3, 0.2, 2.0], false, ("km, kg, s, N", 1e3)),
];

/// One body on one joint at the origin, whose z axis is `axis`, between it and the ground.
struct Single {
    kind: &'static str,
    axis: V3,
    velocity: V3,
    spin: V3,
    /// Centre of mass.
    off: V3,
    gravity: V3,
    /// Further entries of the friction.
    friction: Value,
    /// Force on the body, and the point on which it acts.
    push: [V3; 2],
}

impl Single {
    fn new(kind: &'static str, axis: V3, friction: Value) -> Self {
        let zero = V3::zeros();
        let gravity = V3::new(0.0, 0.0, -G);
        Self { kind, axis, velocity: zero, spin: zero, off: zero, gravity, friction, push: [zero; 2] }
    }

    fn model(&self, &(tilt, exchanged, (units, unit)): &Drawn) -> Value {
        let turn = rotation(&V3::from(tilt));
        let place = |v: &V3| <[f64; 3]>::from(turn * v / unit);
        let direction = |v: &V3| <[f64; 3]>::from(turn * v);
        let mut friction =
            json!({ "name": "rub", "joint": "joint", "mu_dynamic": MU, "transition_velocity": V_T / unit });
        for (name, value) in self.friction.as_object().expect("a table") {
            let length = name.ends_with("arm") || name.ends_with("radius") || name.ends_with("torque");
            let number = value.as_f64().map(|v| json!(if length { v / unit } else { v }));
            friction[name] = number.unwrap_or_else(|| value.clone());
        }
        let ends = if exchanged { ["base", "on body"] } else { ["on body", "base"] };
        let x = V3::new(0.3, 1.0, 0.2);
        let axes =
            json!({ "z_axis": direction(&self.axis), "x_axis": direction(&(x - self.axis * x.dot(&self.axis))) });
        // The second pin of these stands across the first.
        let across = json!({ "z_axis": direction(&self.axis.cross(&x).normalize()), "x_axis": direction(&self.axis) });
        let of_body = if self.kind == "universal" { &across } else { &axes };
        let moment = MASS * (R / unit).powi(2);
        let at = |name: &str, body: &str, at: V3, axes: &Value| json!({ "name": name, "body": body, "position": place(&at), "orientation": axes, "frame": "global" });
        json!({
            "units": units,
            "gravity": place(&self.gravity),
            "body": [{ "name": "body", "mass": MASS, "inertia": [moment, moment, moment], "position": place(&self.off),
                "velocity": place(&self.velocity), "angular_velocity": direction(&self.spin) }],
            "marker": [at("on body", "body", V3::zeros(), of_body), at("base", "ground", V3::zeros(), &axes),
                at("pushed", "body", self.push[1], &axes)],
            "joint": [{ "name": "joint", "type": self.kind, "i": ends[0], "j": ends[1] }],
            "friction": [friction],
            "force": [{ "name": "push", "type": "force", "i": "pushed", "value": direction(&self.push[0]) }],
            "measure": [
                { "name": "x", "type": "position", "i": "on body", "frame": "base" },
                { "name": "v", "type": "velocity", "i": "on body", "frame": "base" },
                { "name": "w", "type": "angular_velocity", "i": "on body", "frame": "base" },
                { "name": "f", "type": "reaction", "force": "rub", "quantity": "force", "frame": "base" },
                { "name": "m", "type": "reaction", "force": "rub", "quantity": "torque", "frame": "base" },
            ],
        })
    }

    /// One measure at `time` after runs by each method in each drawing.
    fn check(&self, name: &str, time: f64, expected: f64, allowed: f64) {
        self.check_by(&methods(1e-9), name, time, expected, allowed);
    }

    /// The same where what holds is stiff: without explicit methods, whose steps it shortens to microseconds.
    fn check_held(&self, name: &str, time: f64, expected: f64, allowed: f64) {
        self.check_by(&stiff(1e-9), name, time, expected, allowed);
    }

    fn check_by(&self, methods: &[(Method, Formulation)], name: &str, time: f64, expected: f64, allowed: f64) {
        for drawn in &DRAWN {
            let mechanism = try_compile(&self.model(drawn)).expect("compiled");
            for &(ref method, formulation) in methods {
                let found = named_measures(&mechanism, (method.clone(), formulation), &[time])[0][name];
                // Of reactions and velocities on the joint the sign is that of the body, whichever end it is.
                let found = if drawn.1 && ["f", "m"].contains(&&name[..1]) { -found } else { found };
                let (off, kind) = ((found - expected).abs(), self.kind);
                assert!(off < allowed, "{kind} {drawn:?} {method:?} {formulation:?}: {name} = {found}, not {expected}");
            }
        }
    }
}

/// A block on a level rail: N = m g, so v = v_0 - mu g t.
#[test]
fn a_block_on_a_rail_slows_by_mu_g() {
    let block = Single { velocity: V3::new(2.0, 0.0, 0.0), ..Single::new("prismatic", V3::x(), json!({})) };
    block.check("x.z", 0.5, 2.0 * 0.5 - 0.5 * MU * G * 0.25, 1e-7);
    block.check("v.z", 0.5, 2.0 - MU * G * 0.5, 1e-7);
    block.check("f.z", 0.5, -MU * MASS * G, 1e-6);
}

/// On a slope less steep than mu it creeps: mu tanh(4 v/v_t) cos = sin. The velocity of that is reached in some v_t/(4 mu g).
#[test]
fn a_block_held_on_a_slope_creeps() {
    let slope = 0.2_f64;
    let down = V3::new(slope.cos(), 0.0, -slope.sin());
    let block = Single::new("prismatic", down, json!({}));
    let creep = 0.25 * V_T * (slope.tan() / MU).atanh();
    block.check_held("v.z", 0.05, creep, 1e-8);
    block.check_held("f.z", 0.05, -MASS * G * slope.sin(), 1e-5);
}

/// A vertical pin: its weight rubs at the arm of friction, a moment across it by the arm of bending.
#[test]
fn a_loaded_pin_slows_its_rotor() {
    let arms = json!({ "pin_radius": R, "friction_arm": 0.02, "bending_arm": 0.05, "preload_torque": 0.3, "preload_force": 4.0 });
    let (force, arm) = (V3::new(30.0, 0.0, 0.0), 0.01);
    let rotor =
        Single { spin: V3::new(0.0, 0.0, 50.0), push: [force, V3::zeros()], ..Single::new("revolute", V3::z(), arms) };
    let torque = MU * (30.0 * R + MASS * G * 0.02 + 0.3 + 4.0 * R);
    // The force turns with nothing: it keeps its direction and acts on the axis.
    // Velocities of index 3 are off by a thousand times the tolerance.
    rotor.check("w.z", 0.02, 50.0 - torque / (MASS * R * R) * 0.02, 50.0 * 1e-6);
    rotor.check("m.z", 0.02, -torque, 1e-6);
    let bent = Single { push: [force, V3::new(0.0, 0.0, arm)], ..rotor };
    let torque = torque + MU * R * 30.0 * arm / 0.05;
    bent.check("m.z", 0.02, -torque, 1e-6);
}

/// A ball turns about any axis: mu R m g against it.
#[test]
fn a_ball_slows_about_its_own_axis() {
    let spin = V3::new(10.0, -20.0, 15.0);
    let ball = Single { spin, ..Single::new("spherical", V3::z(), json!({ "pin_radius": R })) };
    let left = 1.0 - MU * R * MASS * G / (MASS * R * R) * 0.1 / spin.norm();
    for drawn in &DRAWN {
        let mechanism = try_compile(&ball.model(drawn)).expect("compiled");
        for method in methods(1e-9) {
            let found = &named_measures(&mechanism, method, &[0.1])[0];
            let w = V3::new(found["w.x"], found["w.y"], found["w.z"]).norm();
            assert!((w - left * spin.norm()).abs() < 1e-6, "{drawn:?}: {w}");
        }
    }
}

/// A sleeve slides and turns: friction acts against the way of its surface. With J = m R^2 the direction of (v, R w) stays.
#[test]
fn a_sleeve_slows_along_its_helix() {
    let (v, w) = (0.3, 20.0);
    let sleeve = Single {
        velocity: V3::new(v, 0.0, 0.0),
        spin: V3::new(w, 0.0, 0.0),
        ..Single::new("cylindrical", V3::x(), json!({ "pin_radius": R }))
    };
    let speed = v.hypot(R * w);
    let left = 1.0 - MU * G * 0.1 / speed;
    sleeve.check("v.z", 0.1, v * left, 1e-7);
    sleeve.check("w.z", 0.1, w * left, 1e-6);
}

/// Each of the two pins of a cross slows the turning about itself.
#[test]
fn both_pins_of_a_cross_rub() {
    let preload = json!({ "pin_radius": R, "reaction": false, "preload_force": 40.0 });
    let slowing = MU * R * 40.0 / (MASS * R * R) * 0.02;
    for kind in ["universal", "hooke"] {
        let z = V3::z();
        let mut cross = Single::new(kind, z, preload.clone());
        cross.gravity = V3::zeros();
        // The pins as `Single` draws them: z of J and that of I, or y of J and x of I.
        let x = V3::new(0.3, 1.0, 0.2);
        let along = (x - z * z.dot(&x)).normalize();
        let pins = if kind == "universal" { [z, z.cross(&x).normalize()] } else { [z.cross(&along), along] };
        for pin in pins {
            cross.spin = pin * 40.0;
            for drawn in &DRAWN {
                let mechanism = try_compile(&cross.model(drawn)).expect("compiled");
                for method in methods(1e-9) {
                    let found = &named_measures(&mechanism, method, &[0.02])[0];
                    let w = V3::new(found["w.x"], found["w.y"], found["w.z"]).norm();
                    assert!((w - (40.0 - slowing)).abs() < 1e-6, "{kind} {pin:?} {drawn:?}: {w}");
                }
            }
        }
    }
}

/// A sleeve pulled beside its guide: its moment presses it, and beyond mu d = b holds it, however hard the pull.
#[test]
fn a_sleeve_jams_beyond_the_limit_of_its_arm() {
    let (pull, arm) = (500.0, 0.1);
    let sleeve = |d: f64| Single {
        gravity: V3::zeros(),
        push: [V3::new(0.0, 0.0, pull), V3::new(d, 0.0, 0.0)],
        ..Single::new("prismatic", V3::z(), json!({ "bending_arm": arm }))
    };
    // It slides: friction is mu P d/b.
    let d = 0.5 * arm / MU;
    // Before it has risen it lacks less than the velocity at which tanh(4 v/v_t) has.
    sleeve(d).check("v.z", 0.1, pull * 0.5 / MASS * 0.1, 0.25 * V_T);
    // It is held, and creeps where mu tanh(4 v/v_t) d/b = 1, whatever the pull.
    let d = 1.25 * arm / MU;
    sleeve(d).check_held("v.z", 0.1, 0.25 * V_T * (1.0_f64 / 1.25).atanh(), 1e-8);
    sleeve(d).check_held("f.z", 0.1, -pull, 1e-4);
}

/// Centre of mass `e` beside the guide: friction itself presses the guide, f = mu |P d + f e|/b. It is solved with the reactions.
#[test]
fn friction_that_presses_its_own_guide_is_solved_with_the_reactions() {
    let (pull, arm) = (100.0, 0.1);
    let sleeve = |e: f64, d: f64, speed: f64| Single {
        gravity: V3::zeros(),
        off: V3::new(e, 0.0, 0.0),
        velocity: V3::new(0.0, 0.0, speed),
        push: [V3::new(0.0, 0.0, pull), V3::new(d, 0.0, 0.0)],
        ..Single::new("prismatic", V3::z(), json!({ "bending_arm": arm }))
    };
    let d = 0.06;
    // The last is beyond the limit, and has a second solution, f = 440 N.
    for e in [-0.2, 0.03, 0.1, 0.5] {
        // About the centre of mass: M = P (d - e) + f e for friction f down the guide.
        let candidates = [1.0, -1.0].map(|sign| sign * MU * pull * (d - e) / (arm - sign * MU * e));
        let f = candidates.into_iter().filter(|f| *f >= 0.0).min_by(f64::total_cmp).expect("a force");
        let sleeve = sleeve(e, d, 0.5);
        sleeve.check("v.z", 0.02, 0.5 + (pull - f) / MASS * 0.02, 1e-6);
        sleeve.check("f.z", 0.02, -f, 1e-5);
    }
    // mu e > b, pulled beyond its centre of mass: while it slides nothing balances, and it is told so.
    for drawn in &DRAWN {
        let error = try_compile(&sleeve(0.5, 0.6, 0.5).model(drawn)).expect_err("jammed").to_string();
        assert!(error.contains("friction \"rub\"") && error.contains("self-locking"), "{error}");
    }
}

/// Statics knows no friction; near rest it is a damper of 4 mu N/v_t, and 16/9 of what mu_static is more.
#[test]
fn at_rest_friction_is_nothing_and_near_rest_a_damper() {
    let pendulum = Single {
        off: V3::new(0.4, 0.0, 0.0),
        ..Single::new("revolute", V3::y(), json!({ "pin_radius": R, "mu_static": 0.4 }))
    };
    for drawn in &DRAWN {
        let mechanism = try_compile(&pendulum.model(drawn)).expect("compiled");
        let inputs = Inputs::start(&mechanism);
        let found = Equilibrium::find(&mechanism, mechanism.start(), &inputs).expect("an equilibrium");
        let down = rotation(&V3::from(drawn.0)) * V3::new(0.0, 0.0, -0.4);
        assert!((found.state.poses[0].x - down).norm() < 1e-9, "{:?}", found.state.poses[0].x);
        let linear = Linearization::new(&mechanism, &found.state, &inputs).expect("linear");
        let slope = (4.0 * MU + (0.4 - MU) * 16.0 / 9.0) / V_T;
        let expected = R * R * slope * MASS * G / (MASS * (0.16 + R * R));
        let damping = -linear.a[(1, 1)];
        assert!((damping / expected - 1.0).abs() < 1e-6, "{damping} {expected}");
        assert!(linear.rough.is_empty(), "{:?}", linear.rough);
    }
}

/// What friction takes is in the balance of energy.
#[test]
fn the_balance_of_energy_holds() {
    let arms = json!({ "pin_radius": R, "mu_static": 0.4, "friction_arm": 0.02, "bending_arm": 0.05, "viscous": 3.0 });
    let pendulum = Single { off: V3::new(0.4, 0.1, 0.0), ..Single::new("revolute", V3::new(0.0, 0.8, 0.6), arms) };
    for drawn in &DRAWN {
        let mechanism = try_compile(&pendulum.model(drawn)).expect("compiled");
        let (method, formulation) = gstiff(1e-8, Formulation::Si2);
        let options = DynamicsOptions { formulation, method, end: 2.0, stop_times: vec![] };
        let mut dynamics = Dynamics::new(&mechanism, &options).expect("a start");
        loop {
            let stop = dynamics.step().expect("a step");
            dynamics.account_energy().expect("a power");
            if stop == Stop::EndTime {
                break;
            }
        }
        let balance = dynamics.energy().expect("energies");
        let scale = MASS * G * 0.4;
        assert!(balance.balance_error.abs() < 1e-5 * scale && balance.work < -0.1 * scale, "{balance:?}");
    }
}
