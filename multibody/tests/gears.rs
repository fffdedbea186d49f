//! Gears and racks in closed form: ratios from the place of the common-velocity marker, the force of the teeth, what the bearings bear of it.

use crate::support::runs::{compile, measures, methods, refused};
use crate::support::shafts::{Drawn, PLAIN, V3, drawings};
use fourbar_multibody::Mechanism;
use serde_json::{Value, json};
use std::sync::Arc;

const INERTIA: [f64; 2] = [0.3, 0.05];
const MASS: f64 = 2.0;
const TORQUE: f64 = 1.5;
const END: f64 = 3.0;

/// Two gears on the ground, "a" with the torque; velocities of their teeth by the rates of their joints.
#[derive(Debug, Clone, Copy)]
struct Pair {
    drawn: Drawn,
    /// Kind, place and axis of the second joint; the first turns about z at the origin.
    second: (&'static str, [f64; 3], [f64; 3]),
    pitch: [f64; 3],
    direction: [f64; 3],
    teeth: [f64; 2],
    reversed: bool,
}

const SPUR: Pair = Pair {
    drawn: PLAIN,
    second: ("revolute", [3.0, 0.0, 0.2], [0.0, 0.0, 1.0]),
    pitch: [1.0, 0.0, 0.1],
    direction: [0.0, 1.0, 0.0],
    teeth: [1.0, -2.0],
    reversed: false,
};

/// Spur gears outside and inside, bevel gears, a rack, and teeth that push along an axis.
fn pairs() -> [Pair; 5] {
    [
        SPUR,
        Pair { second: ("revolute", [-0.5, 0.0, 0.0], [0.0, 0.0, 1.0]), teeth: [1.0, 1.5], ..SPUR },
        Pair { second: ("revolute", [0.0; 3], [1.0, 0.0, 0.0]), pitch: [1.0, 0.0, 2.0], teeth: [1.0, -2.0], ..SPUR },
        Pair { second: ("prismatic", [2.0, 0.0, 0.0], [0.0, 1.0, 0.0]), teeth: [1.0, 1.0], ..SPUR },
        Pair { direction: [0.0, 0.8, 0.6], teeth: [0.8, -1.6], ..SPUR },
    ]
}

impl Pair {
    fn slides(&self) -> bool {
        self.second.0 == "prismatic"
    }

    fn model(&self) -> Value {
        let (d, u) = (self.drawn, self.drawn.unit);
        let joint = |name: &str, (kind, p, z): (&str, [f64; 3], [f64; 3])| {
            let (gear, ground) = (d.marker(&format!("gear {name}"), p, z), d.marker("ground", p, z));
            let [i, j] = if self.reversed { [ground, gear] } else { [gear, ground] };
            json!({"name": name, "type": kind, "i": i, "j": j})
        };
        let joints = [joint("a", ("revolute", [0.0; 3], [0.0, 0.0, 1.0])), joint("b", self.second)];
        let mut all = Vec::new();
        for (name, joint) in ["a", "b"].iter().zip(&joints) {
            let coordinate = if *name == "b" && self.slides() {
                json!({"name": "way", "type": "position", "i": joint["i"], "j": joint["j"], "frame": joint["j"], "component": "z"})
            } else {
                json!({"name": format!("turn_{name}"), "type": "angle", "i": joint["i"], "j": joint["j"]})
            };
            all.push(coordinate);
            for quantity in ["force", "torque"] {
                all.push(json!({"name": format!("bearing_{quantity}_{name}"), "type": "reaction", "joint": name, "quantity": quantity}));
                all.push(json!({"name": format!("teeth_{quantity}_{name}"), "type": "reaction", "gear": "pair", "joint": name,
                    "quantity": quantity}));
            }
        }
        json!({
            "body": [d.body("gear a", [0.0; 3], 1.0, INERTIA[0]), d.body("gear b", self.second.1, MASS, INERTIA[1])],
            "joint": joints,
            "gear": [{"name": "pair", "joints": ["a", "b"], "common_velocity": d.marker("ground", self.pitch, self.direction)}],
            "force": [{"type": "axial_torque", "name": "drive", "i": joints[0]["i"], "j": joints[0]["j"], "value": TORQUE * u * u}],
            "measure": all,
        })
    }

    /// Second rates of the coordinates and the force of the teeth on "a", in units of length: M q'' = Q + F w and w_1 q_1'' = w_2 q_2''.
    fn expected(&self) -> ([f64; 2], f64) {
        let [w1, w2] = if self.reversed { self.teeth.map(|w| -w) } else { self.teeth };
        let inertia = [INERTIA[0], if self.slides() { MASS } else { INERTIA[1] }];
        let a = TORQUE / (inertia[0] + inertia[1] * (w1 / w2).powi(2));
        ([a, a * w1 / w2], (inertia[0] * a - TORQUE) / w1)
    }

    fn check(&self, mechanism: &Arc<Mechanism>, found: &[f64], relative: f64) {
        let u = self.drawn.unit;
        let vector = |name: &str| -> V3 {
            let at = mechanism.measures().iter().position(|m| m.name == format!("{name}.x")).expect("a measure");
            V3::new(found[at], found[at + 1], found[at + 2])
        };
        let (rates, force) = self.expected();
        let teeth = self.drawn.direction(self.direction) * force * u;
        let near = |found: V3, expected: V3, size: f64, what: &str| {
            assert!((found - expected).norm() < relative * size, "{self:?}: {what} {found} is not {expected}");
        };
        let size = force.abs() * u;
        for (k, name) in ["a", "b"].into_iter().enumerate() {
            let sign = [1.0, -1.0][k];
            // Of joints with the gear at J all reactions are on the ground.
            let on_gear = if self.reversed { -1.0 } else { 1.0 };
            near(vector(&format!("teeth_force_{name}")), teeth * sign, size, "force of the teeth");
            let slides = k == 1 && self.slides();
            let axis = self.drawn.direction(if k == 0 { [0.0, 0.0, 1.0] } else { self.second.2 }) * on_gear;
            // What the gear gets in all is its acceleration; its centre is on its axis.
            let pushed = if slides { axis * MASS * rates[1] * u } else { V3::zeros() };
            let inertia = if slides { 0.0 } else { INERTIA[k] };
            let drive = if k == 0 { TORQUE } else { 0.0 };
            let spun = axis * (inertia * rates[k] - drive) * u * u;
            // Markers of a slide move apart, and reactions are about that of I.
            let way = mechanism.measures().iter().position(|m| m.name == "way").map_or(0.0, |k| found[k]);
            let apart = if slides && self.reversed { self.drawn.direction(self.second.2) * way } else { V3::zeros() };
            let bearing = vector(&format!("bearing_force_{name}")) * on_gear;
            let torque = vector(&format!("bearing_torque_{name}")) * on_gear + apart.cross(&bearing);
            near(bearing, pushed - teeth * sign, size, "bearing force");
            let teeth_torque = vector(&format!("teeth_torque_{name}"));
            near(torque + teeth_torque, spun, size * 3.0 * u, "torque");
        }
    }
}

#[test]
fn gears_turn_by_the_place_of_their_teeth_and_load_their_bearings() {
    for pair in pairs() {
        for reversed in [false, true] {
            let pair = Pair { reversed, ..pair };
            check_run(&pair);
        }
    }
    for drawn in drawings() {
        check_run(&Pair { drawn, ..SPUR });
    }
}

fn check_run(pair: &Pair) {
    let mechanism = compile(&pair.model());
    assert_eq!((mechanism.degrees_of_freedom(), mechanism.redundancies().len()), (1, 0));
    let (rates, _) = pair.expected();
    for way in methods() {
        let formulation = way.1;
        let found = measures(&mechanism, way, END);
        let of = |name: &str| mechanism.measures().iter().position(|m| m.name == name).map(|k| found[k]);
        let turned = [of("turn_a"), of("turn_b").or(of("way").map(|way| way / pair.drawn.unit))];
        for (found, rate) in turned.into_iter().zip(rates) {
            let (found, expected) = (found.expect("a measure"), 0.5 * rate * END * END);
            assert!(
                (found - expected).abs() < 1e-6 * expected.abs(),
                "{pair:?}, {formulation:?}: {found} is not {expected}"
            );
        }
        pair.check(&mechanism, &found, 1e-6);
    }
}

/// A weight on a rack drives a pinion.
fn rack(drawn: Drawn, radius: f64, kinds: [&str; 2]) -> Value {
    let u = drawn.unit;
    let joint = |name: &str, kind: &str, p: [f64; 3], z: [f64; 3]| json!({"name": name, "type": kind, "i": drawn.marker(name, p, z), "j": drawn.marker("ground", p, z)});
    let joints = [
        joint("pinion", kinds[0], [0.0; 3], [0.0, 0.0, 1.0]),
        joint("rack", kinds[1], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]),
    ];
    let push = drawn.direction([0.0, -9.81, 0.0]) * u;
    json!({
        "gravity": [push.x, push.y, push.z],
        "body": [drawn.body("pinion", [0.0; 3], 1.0, INERTIA[0]), drawn.body("rack", [1.0, 0.0, 0.0], MASS, 0.1)],
        "joint": joints,
        "rack_and_pinion": [{"name": "r", "pinion": "pinion", "rack": "rack", "pitch_radius": radius * u}],
        "measure": [
            {"name": "turn", "type": "angle", "i": joints[0]["i"], "j": joints[0]["j"]},
            {"name": "way", "type": "position", "i": joints[1]["i"], "j": joints[1]["j"], "frame": joints[1]["j"], "component": "z"},
            {"name": "twist", "type": "reaction", "rack_and_pinion": "r", "quantity": "torque", "frame": joints[0]["j"], "component": "z"},
            {"name": "push", "type": "reaction", "rack_and_pinion": "r", "joint": "rack", "quantity": "force", "frame": joints[1]["j"], "component": "z"}],
    })
}

#[test]
fn a_falling_rack_turns_its_pinion() {
    for drawn in drawings() {
        for radius in [0.25, -1e-3, 40.0] {
            let mechanism = compile(&rack(drawn, radius, ["revolute", "prismatic"]));
            assert_eq!(mechanism.degrees_of_freedom(), 1);
            // (m + J/R^2) x'' = -m g, R theta = x.
            let a = -MASS * 9.81 / (MASS + INERTIA[0] / (radius * radius));
            let (u, way) = (drawn.unit, 0.5 * a * END * END);
            let push = MASS * (a + 9.81);
            let expected = [way / radius, way * u, -push * radius * u * u, push * u];
            for method in methods() {
                for (found, expected) in measures(&mechanism, method, END).into_iter().zip(expected) {
                    assert!(
                        (found - expected).abs() < 1e-6 * expected.abs(),
                        "{drawn:?}, {radius}: {found} is not {expected}"
                    );
                }
            }
        }
    }
}

#[test]
fn gears_and_racks_that_do_not_fit_are_refused() {
    let with = |change: &dyn Fn(&mut Value)| {
        let mut model = SPUR.model();
        change(&mut model);
        model
    };
    refused(&with(&|m| m["gear"][0]["joints"][1] = json!("c")), "gear \"pair\", `joints[1]`", "c");
    refused(&with(&|m| m["gear"][0]["joints"][1] = json!("a")), "`joints[1]`", "same joint");
    refused(
        &with(&|m| m["gear"][0]["common_velocity"] = PLAIN.marker("gear b", [1.0, 0.0, 0.1], [0.0, 1.0, 0.0])),
        "`joints[0]`",
        "common-velocity",
    );
    refused(
        &with(&|m| m["gear"][0]["common_velocity"] = PLAIN.marker("ground", [0.0, 0.0, 0.1], [0.0, 1.0, 0.0])),
        "`common_velocity`",
        "\"a\"",
    );
    refused(
        &with(&|m| m["gear"][0]["common_velocity"] = PLAIN.marker("ground", [1.0, 0.0, 0.1], [1.0, 0.0, 0.0])),
        "`common_velocity`",
        "\"a\"",
    );
    refused(&with(&|m| m["joint"][0]["type"] = json!("spherical")), "`joints[0]`", "carries no gear");
    refused(&with(&|m| m["gear"][0]["common_velocity"] = json!("nowhere")), "`common_velocity`", "nowhere");
    refused(&rack(PLAIN, 0.0, ["revolute", "prismatic"]), "rack_and_pinion \"r\", `pitch_radius`", "other than zero");
    refused(&rack(PLAIN, 1.0, ["prismatic", "prismatic"]), "`pinion`", "does not turn");
    refused(&rack(PLAIN, 1.0, ["revolute", "revolute"]), "`rack`", "does not slide");
}
