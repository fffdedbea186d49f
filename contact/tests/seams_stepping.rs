//! What moves without friction over tiles that lie flush slides as over one floor, whatever it and they are.

use crate::rolls_off_stepping::SCHEMES;
use fourbar_contact::event::EventDriven;
use fourbar_contact::model::ContactModel;
use fourbar_contact::pair::ContactSet;
use fourbar_contact::stepping::TimeStepping;
use fourbar_multibody::space::{Pose, V3, rotation};
use fourbar_multibody::{Mechanism, Model};
use proptest::prelude::*;
use serde_json::{Value, json};
use std::sync::Arc;

/// A body that slides along x over tiles whose edges stand across, and between whose rows there are edges along its way.
#[derive(Debug, Clone, Copy)]
struct Slide {
    size: f64,
    turn: [f64; 3],
    /// Turned about the vertical against the tiles.
    yaw: f64,
    speed: f64,
    /// What slides, and what it slides on.
    kinds: [usize; 2],
    /// How far the tiles of every other row are shifted.
    shift: f64,
    /// Place of the middle across the rows.
    aside: f64,
}

const BOX: [f64; 3] = [0.2, 0.16, 0.1];

impl Slide {
    /// The shapes of the body, and the height of its middle.
    fn body(&self) -> (Vec<Value>, f64) {
        let l = self.size;
        let size = |s: [f64; 3]| s.map(|s| s * l);
        let lying = json!({"body": "b", "orientation": {"z_axis": [1, 0, 0]}});
        let points = |half: [f64; 3]| -> Vec<Vec<f64>> {
            (0..8).map(|k| (0..3).map(|a| if k >> a & 1 == 1 { half[a] * l } else { -half[a] * l }).collect()).collect()
        };
        let half = BOX.map(|s| 0.5 * s);
        match self.kinds[0] {
            0 => (vec![json!({"type": "box", "size": size(BOX), "on": "b"})], half[2]),
            1 => (vec![json!({"type": "hull", "points": points(half), "on": "b"})], half[2]),
            2 => (vec![json!({"type": "capsule", "radius": 0.05 * l, "length": 0.2 * l, "on": lying})], 0.05),
            3 => (vec![json!({"type": "sphere", "radius": 0.05 * l, "on": "b"})], 0.05),
            4 => (vec![json!({"type": "cylinder", "radius": 0.1 * l, "length": 0.1 * l, "on": "b"})], 0.05),
            5 => (vec![json!({"type": "cylinder", "radius": 0.05 * l, "length": 0.2 * l, "on": lying})], 0.05),
            // Two boxes side by side.
            _ => {
                let at = |x: f64| json!({"body": "b", "position": [x * l, 0.0, 0.0]});
                let part = |x: f64| json!({"type": "box", "size": size([0.1, 0.16, 0.1]), "on": at(x)});
                (vec![part(-0.05), part(0.05)], half[2])
            }
        }
    }

    /// Rows of tiles, each 0.25 by 0.2 by 0.1, their upper sides at the height 0.
    fn tiles(&self) -> Vec<Value> {
        let (l, a) = (self.size, rotation(&V3::from(self.turn)));
        let half = [0.125, 0.1, 0.05].map(|h| h * l);
        let orientation = turned(&self.turn);
        let corners: Vec<Vec<f64>> =
            (0..8).map(|k| (0..3).map(|a| if k >> a & 1 == 1 { half[a] } else { -half[a] }).collect()).collect();
        let quads = [[0, 2, 3, 1], [4, 5, 7, 6], [0, 1, 5, 4], [2, 6, 7, 3], [0, 4, 6, 2], [1, 3, 7, 5]];
        let triangles: Vec<[usize; 3]> = quads.iter().flat_map(|[a, b, c, d]| [[*a, *b, *c], [*a, *c, *d]]).collect();
        let tile = |row: i32, k: i32| {
            let shift = if row % 2 == 0 { 0.0 } else { self.shift };
            let at = a * V3::new(0.25 * f64::from(k) + shift, 0.2 * f64::from(row), -0.05) * l;
            let mut shape = match self.kinds[1] {
                0 => json!({"type": "box", "size": half.map(|h| 2.0 * h)}),
                1 => json!({"type": "hull", "points": corners}),
                _ => json!({"type": "mesh", "vertices": corners, "triangles": triangles}),
            };
            shape["on"] = json!({"body": "ground", "position": at.as_slice(), "orientation": orientation});
            shape
        };
        (-1..=1).flat_map(|row| (-1..=3).map(move |k| (row, k))).map(|(row, k)| tile(row, k)).collect()
    }

    /// By the scheme of that number, by events, or by all: how far the body is at the end from where it should be, in lengths, and how much it has turned.
    fn errors(&self, asked: Option<usize>) -> Vec<(String, f64)> {
        let (l, a) = (self.size, rotation(&V3::from(self.turn)));
        let (shapes, height) = self.body();
        let speed = self.speed * l.sqrt();
        let pose = a * rotation(&V3::new(0.0, 0.0, self.yaw));
        let orientation = json!({"z_axis": pose.column(2).as_slice(), "x_axis": pose.column(0).as_slice()});
        let start = a * V3::new(0.0, self.aside, height) * l;
        let velocity = a * V3::new(speed, 0.0, 0.0);
        let inertia = 4e-3 * l * l;
        let gravity = a * V3::new(0.0, 0.0, -9.81);
        let model = json!({"gravity": gravity.as_slice(), "body": [{"name": "b", "mass": 1.0, "inertia": [inertia, inertia, inertia],
            "position": start.as_slice(), "velocity": velocity.as_slice(), "orientation": orientation}]});
        let named = |group: &'static str| {
            move |(k, mut shape): (usize, Value)| {
                (shape["name"], shape["group"]) = (json!(format!("{group} {k}")), json!(group));
                shape
            }
        };
        let shapes: Vec<Value> = (shapes.into_iter().enumerate().map(named("crate")))
            .chain(self.tiles().into_iter().enumerate().map(named("tiles")))
            .collect();
        let contacts =
            json!({"shape": shapes, "contact": [{"name": "c", "type": "shapes", "i": "crate", "j": "tiles"}]});
        let model: Model = serde_json::from_str(&model.to_string()).expect("a model");
        let contacts: ContactModel = serde_json::from_str(&contacts.to_string()).expect("contacts");
        let mechanism = Arc::new(Mechanism::compile(&model).expect("a mechanism"));
        let set = ContactSet::compile(&model, &contacts, &mechanism).expect("contacts");
        let way = 0.4;
        let time = way / self.speed * l.sqrt();
        let off = |now: &Pose| {
            let x = a.tr_mul(&now.x) / l;
            (x - V3::new(way, self.aside, height)).norm().max((now.a - pose).norm())
        };
        let mut all = Vec::new();
        for (k, scheme) in SCHEMES.into_iter().enumerate() {
            if asked.is_some_and(|asked| asked != k) {
                continue;
            }
            let options = TimeStepping { scheme, step: time / 120.0, ..TimeStepping::default() };
            let mut run = options.start(&mechanism, set.clone(), mechanism.start()).expect("a start");
            let done = (0..120).try_for_each(|_| run.step().map(|_| ()));
            all.push((format!("{scheme:?} {done:?}"), done.map_or(f64::INFINITY, |()| off(&run.state().poses[0]))));
        }
        // Events follow boxes, spheres and capsules from one shape to the next.
        let is_followed = self.kinds[1] == 0 && matches!(self.kinds[0], 0 | 2 | 3 | 6)
            || self.kinds[1] == 1 && matches!(self.kinds[0], 2 | 3);
        let is_asked = asked.is_none_or(|asked| asked == SCHEMES.len());
        if is_followed
            && is_asked
            && let Ok(mut run) = EventDriven::default().start(&mechanism, set, mechanism.start(), time)
        {
            let done = run.run();
            let text = done.as_ref().err().map(ToString::to_string);
            all.push((format!("event {text:?}"), done.map_or(f64::INFINITY, |()| off(&run.state().poses[0]))));
        }
        all
    }
}

fn turned(turn: &[f64; 3]) -> Value {
    let angle = V3::from(*turn).norm();
    let axis = if angle > 0.0 { V3::from(*turn) / angle } else { V3::z() };
    json!({"axis": axis.as_slice(), "angle": angle})
}

#[test]
fn all_pairs_slide_on() {
    let mut failed = 0;
    for (body, tiles) in (0..21).map(|k| (k % 7, k / 7)) {
        let plain =
            Slide { size: 1.0, turn: [0.0; 3], yaw: 0.0, speed: 2.0, kinds: [body, tiles], shift: 0.0, aside: 0.0 };
        for slide in [plain, Slide { yaw: 0.3, shift: 0.1, aside: 0.07, ..plain }] {
            for (method, error) in slide.errors(None) {
                if error > 1e-6 {
                    println!("{body} {tiles} {}: {method} {error:e}", slide.yaw);
                    failed += 1;
                }
            }
        }
    }
    assert_eq!(failed, 0);
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn they_do_anywhere(
        power in -3.0..3.0f64, turn in prop::array::uniform3(-2.0..2.0f64), yaw in -0.7..0.7f64, speed in 0.2..4.0f64, kinds in (0..7_usize, 0..3_usize),
        shift in 0.0..0.25f64, aside in -0.1..0.1f64, method in 0..3_usize,
    ) {
        let slide = Slide { size: 10.0_f64.powf(power), turn, yaw, speed, kinds: [kinds.0, kinds.1], shift, aside };
        for (method, error) in slide.errors(Some(method)) {
            prop_assert!(error < 1e-5, "{slide:?} {method}: {error:e}");
        }
    }
}
