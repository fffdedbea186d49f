//! Modes in motion: what moves and how far, what stays at rest, names, the file with an animation a mode.

use fourbar::analysis::{At, Mode, ModeMotion, Modes, OperatingPoint};
use fourbar::file::ModelFile;
use fourbar::scene::Stage;
use serde_json::Value;

use crate::running::root;

/// The glTF of the modes, its JSON part and the rest, and the modes.
struct Shown {
    json: Value,
    bytes: Vec<u8>,
    modes: Vec<Mode>,
    page: fourbar::results::Animation,
}

fn shown(file: &ModelFile, at: At) -> Shown {
    let mut point = OperatingPoint::new(file.document().mechanism().unwrap(), at).unwrap();
    let linearization = point.linearize().unwrap();
    let modes = Modes::new(&point, &linearization).unwrap();
    let film = Stage::new(file.document()).unwrap().unwrap().modes(&point.frame().unwrap(), &modes).unwrap();
    let bytes = film.glb().unwrap();
    let word = |at: usize| u32::from_le_bytes(bytes[at..at + 4].try_into().unwrap()) as usize;
    let json = serde_json::from_slice(&bytes[20..20 + word(12)]).unwrap();
    Shown { json, bytes: bytes[28 + word(12)..].to_vec(), modes: modes.modes, page: film.animation().unwrap() }
}

fn parse(text: &str) -> ModelFile {
    ModelFile::parse("modes.toml", text).unwrap()
}

impl Shown {
    fn accessor(&self, index: &Value) -> Vec<f32> {
        let own = &self.json["accessors"][index.as_u64().unwrap() as usize];
        let view = &self.json["bufferViews"][own["bufferView"].as_u64().unwrap() as usize];
        let start = own["byteOffset"].as_u64().unwrap_or(0) + view["byteOffset"].as_u64().unwrap_or(0);
        let width = match own["type"].as_str().unwrap() {
            "SCALAR" => 1,
            "VEC3" => 3,
            _ => 4,
        };
        let count = own["count"].as_u64().unwrap() as usize * width;
        let start = start as usize;
        let numbers = self.bytes[start..start + 4 * count].chunks_exact(4);
        numbers.map(|four| f32::from_le_bytes(four.try_into().unwrap())).collect()
    }

    /// The keys of a node in an animation: times and values; none where it stays.
    fn track(&self, animation: usize, node: &str, path: &str) -> Option<(Vec<f32>, Vec<f32>)> {
        let own = &self.json["animations"][animation];
        let named = |channel: &&Value| {
            let target = &channel["target"];
            let at = target["node"].as_u64().unwrap() as usize;
            self.json["nodes"][at]["name"] == node && target["path"] == path
        };
        let channel = own["channels"].as_array().unwrap().iter().find(named)?;
        let sampler = &own["samplers"][channel["sampler"].as_u64().unwrap() as usize];
        Some((self.accessor(&sampler["input"]), self.accessor(&sampler["output"])))
    }

    fn names(&self) -> Vec<&str> {
        self.json["animations"].as_array().unwrap().iter().map(|one| one["name"].as_str().unwrap()).collect()
    }
}

/// A rod of 1 m on a pivot, with or without a damper there, hanging or upright.
fn rod(damping: f64, angle: &str) -> ModelFile {
    rod_with(damping, angle, "")
}

/// The same with more in its file.
fn rod_with(damping: f64, angle: &str, more: &str) -> ModelFile {
    parse(&format!(
        r#"
name = "rod"
gravity = [0, -9.81, 0]
[[body]]
name = "rod"
mass = 1
inertia = [1e-3, 0.083333333333, 0.083333333333]
center_of_mass = [0.5, 0, 0]
orientation = {{ axis = [0, 0, 1], angle = "{angle}" }}
[[joint]]
name = "pivot"
type = "revolute"
i = "rod"
j = "ground"
[[force]]
name = "damper"
type = "torsion_spring_damper"
i = "rod"
j = "ground"
stiffness = 0
damping = {damping}
{more}"#
    ))
}

#[test]
fn a_hanging_rod_swings_about_its_pivot_by_the_size_that_is_shown() {
    let found = shown(&rod(0.0, "-90 deg"), At::Start);
    let frequency = (1.5_f64 * 9.81).sqrt() / std::f64::consts::TAU;
    assert_eq!(found.names(), [format!("mode 1, {frequency:.3} Hz")]);
    // The origin of its frame is the pivot: it alone turns, once to and fro in two seconds.
    assert!(found.track(0, "rod", "translation").is_none());
    let (times, turns) = found.track(0, "rod", "rotation").unwrap();
    assert_eq!((times[0], times[times.len() - 1]), (0.0, 2.0));
    let angle = |q: &[f32]| 2.0 * f64::from(q[2]).atan2(f64::from(q[3]));
    let angles: Vec<f64> = turns.chunks_exact(4).map(angle).collect();
    let rest = -std::f64::consts::FRAC_PI_2;
    let most = angles[0] - rest;
    for (k, angle) in angles.iter().enumerate() {
        let exact = most * (std::f64::consts::TAU * k as f64 / (angles.len() - 1) as f64).cos();
        assert!((angle - rest - exact).abs() < 1e-5, "{k}: {angle}");
    }
    // No further than a tenth of what is drawn, which is a little more than the rod; not much less either.
    assert!((0.05..0.16).contains(&most.abs()), "{most}");
    let page = &found.page.modes[0];
    assert_eq!((page.growth, page.ways.len()), (0.0, 1));
    assert!(page.ways[0][..3].iter().all(|way| way.abs() < 1e-9), "{:?}", page.ways);
    assert!((page.ways[0][5].abs() - most.abs()).abs() < 1e-4 * most.abs(), "{:?}", page.ways);
}

#[test]
fn what_does_not_oscillate_says_so_and_goes_one_way() {
    // Overdamped: the discriminant of J s^2 + c s + m g l/2 is positive.
    let found = shown(&rod(10.0, "-90 deg"), At::Start);
    let [j, c, k] = [1.0 / 3.0, 10.0, 9.81 / 2.0];
    let root = f64::sqrt(c * c - 4.0 * j * k);
    for (mode, rate) in found.modes.iter().zip([(root - c) / (2.0 * j), (-root - c) / (2.0 * j)]) {
        assert!((mode.eigenvalue.re - rate).abs() < 1e-6 * rate.abs());
        assert_eq!(mode.motion, ModeMotion::Overdamped);
    }
    assert!(found.names()[0].starts_with("mode 1, overdamped, -0.49"), "{:?}", found.names());
    assert!(found.page.modes[0].told.contains("without oscillation"), "{}", found.page.modes[0].told);
    assert_eq!(found.page.modes[0].growth, -4.0);
    // Upright and undamped: one leaves, the other is the way up; no oscillation, and nothing is damped.
    let found = shown(&rod(0.0, "90 deg"), At::Start);
    let mut motions: Vec<ModeMotion> = found.modes.iter().map(|mode| mode.motion).collect();
    motions.sort_by_key(|motion| motion.is_unstable());
    assert_eq!(motions, [ModeMotion::Decays, ModeMotion::Diverges]);
    let unstable = found.modes.iter().position(|mode| mode.motion.is_unstable()).unwrap();
    assert_eq!(found.names()[unstable], format!("mode {}, unstable, 3.84 1/s", unstable + 1));
    assert!(found.page.modes[unstable].growth > 0.0);
    let (_, turns) = found.track(unstable, "rod", "rotation").unwrap();
    let away = |k: usize| (turns[4 * k] - turns[0]).abs() + (turns[4 * k + 2] - turns[2]).abs();
    assert!((1..turns.len() / 4).all(|k| away(k) > away(k - 1)));
    // A torque that goes with the turning: an oscillation that grows.
    let driven = r#"
[[measure]]
name = "rate"
type = "angular_velocity"
i = "rod"
component = "z"
[[force]]
name = "drive"
type = "torque"
i = "rod"
value = [0, 0, "0.1*rate"]
"#;
    let found = shown(&rod_with(0.0, "-90 deg", driven), At::Start);
    assert_eq!(found.modes[0].motion, ModeMotion::Flutters);
    assert!(found.names()[0].ends_with("Hz, unstable"), "{:?}", found.names());
    // Free in all ways.
    let stone = "[[body]]\nname = \"stone\"\nmass = 1\ninertia = [1, 1, 1]\n";
    let found = shown(&parse(stone), At::Start);
    assert!(found.modes.iter().all(|mode| mode.motion == ModeMotion::Free));
}

#[test]
fn complex_modes_go_by_their_phase() {
    // A mass between two springs with a damper at one side: two masses whose phases differ.
    let text = r#"
name = "two masses"
body = [ { name = "a", mass = 1, position = [1, 0, 0] }, { name = "b", mass = 1, position = [2, 0, 0] } ]
joint = [
    { name = "ga", type = "prismatic", i = { body = "a", orientation = { z_axis = [1, 0, 0] } }, j = { body = "ground", orientation = { z_axis = [1, 0, 0] } } },
    { name = "gb", type = "prismatic", i = { body = "b", orientation = { z_axis = [1, 0, 0] } }, j = { body = "ground", orientation = { z_axis = [1, 0, 0] } } },
]
force = [
    { name = "s1", type = "spring_damper", i = "ground", j = "a", stiffness = 100, damping = 4 },
    { name = "s2", type = "spring_damper", i = "a", j = "b", stiffness = 100 },
]
"#;
    let found = shown(&parse(text), At::Start);
    let mode = &found.modes[0];
    for (body, name) in ["a", "b"].into_iter().enumerate() {
        let way = mode.shape[body][0];
        let (_, places) = found.track(0, name, "translation").unwrap();
        let count = places.len() / 3 - 1;
        let size = f64::from(places[0]) - (body as f64 + 1.0);
        let size = size / way.re;
        for k in 0..=count {
            let phase = std::f64::consts::TAU * k as f64 / count as f64;
            let exact = size * (way.re * phase.cos() - way.im * phase.sin());
            assert!((f64::from(places[3 * k]) - (body as f64 + 1.0) - exact).abs() < 2e-6, "{name} at {k}");
        }
    }
    assert!(mode.shape.iter().any(|shape| shape[0].im.abs() > 0.01));
}

#[test]
fn flexible_bodies_bend_and_many_modes_have_an_animation_each() {
    let file = ModelFile::load(root("models/flexible-arm.toml")).unwrap();
    let found = shown(&file, At::Start);
    assert_eq!(found.names().len(), found.modes.len());
    // The pieces of the beam follow its nodes: they are turned and stretched.
    let moving = |animation: usize| {
        let channels = found.json["animations"][animation]["channels"].as_array().unwrap();
        let of = |channel: &Value| channel["target"]["node"].as_u64().unwrap();
        let mut nodes: Vec<u64> = channels.iter().map(of).collect();
        nodes.dedup();
        nodes.len()
    };
    assert!((0..found.names().len()).any(|k| moving(k) > 8));
    let driven: Value = {
        let word = |at: usize| u32::from_le_bytes(found.page.glb[at..at + 4].try_into().unwrap()) as usize;
        serde_json::from_slice(&found.page.glb[20..20 + word(12)]).unwrap()
    };
    assert!(driven.get("animations").is_none());
    assert!(driven["nodes"].as_array().unwrap().iter().any(|node| node["extras"].get("bend").is_some()));
    assert!(found.page.modes.iter().flat_map(|mode| &mode.ways).flatten().all(|part| part.is_finite()));
}
