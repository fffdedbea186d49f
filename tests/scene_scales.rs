//! Machines of any size, anywhere: what pictures, pages and files show of them, and how what is stretched turns about itself.

use crate::glb::Parsed;
use crate::running::root;
use fourbar::file::ModelFile;
use fourbar::multibody::space::{M3, V3};
use fourbar::run::{Frame, Observer as _};
use fourbar::scene::{Film, Group, Picture, Recorder, Stage, driven_glb, svg};
use nalgebra::{Quaternion, Rotation3, UnitQuaternion, Vector4};
use serde_json::Value;

/// A bar on a hinge with a spring, `size` long, at `place` \[m\].
fn model(size: f64, place: f64) -> String {
    format!(
        "name = \"scaled\"\nparameters = {{ s = {size:e}, x = {place:e} }}\ngravity = [0, 0, \"-10*s\"]\n\
         simulation = {{ end = 1 }}\n\
         [[body]]\nname = \"bar\"\nmass = 1\ninertia = [\"0.01*s^2\", \"0.1*s^2\", \"0.1*s^2\"]\nposition = [\"x + 0.5*s\", \"-x\", \"x\"]\n\
         [[body]]\nname = \"ball\"\nmass = 1\ninertia = [\"0.1*s^2\", \"0.1*s^2\", \"0.1*s^2\"]\nposition = [\"x\", \"-x\", \"x + s\"]\n\
         [[display]]\nname = \"ball\"\ntype = \"sphere\"\non = \"ball\"\nradius = \"0.1*s\"\n\
         [[joint]]\nname = \"hinge\"\ntype = \"revolute\"\n\
         i = {{ body = \"bar\", position = [\"-0.5*s\", 0, 0], orientation = {{ z_axis = [0, 1, 0] }} }}\n\
         j = {{ body = \"ground\", position = [\"x\", \"-x\", \"x\"], orientation = {{ z_axis = [0, 1, 0] }} }}\n\
         [[force]]\nname = \"spring\"\ntype = \"spring_damper\"\ni = \"ball\"\nj = {{ body = \"bar\", position = [\"0.5*s\", 0, 0] }}\nstiffness = 1\nfree_length = \"s\"\n"
    )
}

fn stage(text: &str) -> Stage {
    let name = root("tests/cases/scene-scales.toml").display().to_string();
    let file = ModelFile::parse(name, text).unwrap_or_else(|error| panic!("{error}"));
    Stage::new(file.document()).unwrap().unwrap()
}

/// The film of frames that follow from the first one, k by k.
fn film(stage: &Stage, count: usize, mut next: impl FnMut(usize, &mut Frame)) -> Film {
    let first = stage.still().unwrap().frames.remove(0);
    let mut recorder = Recorder::default();
    for k in 0..count {
        let mut frame = first.clone();
        frame.time = k as f64 * 0.1;
        next(k, &mut frame);
        recorder.frame(&frame).unwrap();
    }
    stage.film(recorder).unwrap()
}

/// The ball moves by a hundredth of the size.
fn moved(k: usize, size: f64) -> V3 {
    V3::new(0.01 * size * (k as f64).sin(), 0.0, 0.005 * size * k as f64)
}

fn vector(value: &Value) -> V3 {
    let of = |k: usize| value.get(k).and_then(Value::as_f64).unwrap_or(0.0);
    V3::new(of(0), of(1), of(2))
}

/// Sizes and places, over the size, that are told apart in the doubles of a run.
fn cases() -> impl Iterator<Item = (f64, f64)> {
    let sizes = [1e-9, 1e-6, 1e-3, 1.0, 300.0, 65e3, 1e6, 1e9];
    sizes.into_iter().flat_map(|size| [0.0, 3.0, 1e3, 1e6].map(|far| (size, far * size)))
}

#[test]
fn pages_show_machines_of_any_size_anywhere() {
    for (size, place) in cases() {
        let stage = stage(&model(size, place));
        let film = film(&stage, 5, |k, frame| frame.poses[1].x += moved(k, size));
        let length = film.scene.length;
        for bytes in [film.animation().unwrap().glb, driven_glb(&stage.driven().unwrap()).unwrap()] {
            let parsed = Parsed::read(&bytes);
            let told = &parsed.json["nodes"][parsed.node("scaled")]["extras"];
            let (unit, origin) = (told["unit"].as_f64().unwrap(), vector(&told["origin"]));
            assert!((0.5..=2.0).contains(&(length / unit)), "{size} {place}: {length} in {unit}");
            for node in parsed.json["nodes"].as_array().unwrap() {
                let at = vector(&node["translation"]).norm();
                let group = &node["extras"]["group"];
                let is_arrow = group == "forces" || group == "reactions";
                // The axes of the global frame stay where they are, however far; an arrow that is not there yet waits anywhere.
                assert!(is_arrow || group == "markers" || at < 4.0, "{size} {place}: {node}");
                let scale = node.get("scale").map_or(V3::repeat(1.0), vector);
                assert!(is_arrow || scale.min() > 0.0, "{size} {place}: {node}");
            }
            // What is fixed to a body has its size in the corners of its mesh.
            let shape = &parsed.json["nodes"][parsed.node("ball shape")];
            let mesh = &parsed.json["meshes"][shape["mesh"].as_u64().unwrap() as usize];
            let accessor = mesh["primitives"][0]["attributes"]["POSITION"].as_u64().unwrap() as usize;
            let most = vector(&parsed.json["accessors"][accessor]["max"]);
            assert!((most.z * unit / (0.1 * size) - 1.0).abs() < 1e-6, "{size} {place}: {most}");
            if parsed.json["animations"].is_null() {
                continue;
            }
            let (_, places) = parsed.channel(parsed.node("ball"), "translation");
            for (frame, row) in film.frames.iter().zip(&places) {
                let seen = origin + V3::new(row[0], row[1], row[2]) * unit;
                let off = (seen - frame.poses[1].x).norm();
                assert!(off < length / 16_384.0, "{size} {place}: off by {off}");
            }
        }
    }
}

#[test]
fn files_in_metres_keep_small_motions_far_from_the_origin() {
    for (size, place) in cases() {
        let stage = stage(&model(size, place));
        let film = film(&stage, 5, |k, frame| frame.poses[1].x += moved(k, size));
        let parsed = Parsed::of(&film);
        let node = &parsed.json["nodes"][parsed.node("scaled")];
        let q: Vec<f64> = node["rotation"].as_array().unwrap().iter().map(|part| part.as_f64().unwrap()).collect();
        let turn = UnitQuaternion::from_quaternion(Quaternion::from_vector(Vector4::new(q[0], q[1], q[2], q[3])));
        let (_, places) = parsed.channel(parsed.node("ball"), "translation");
        let at = |k: usize| V3::new(places[k][0], places[k][1], places[k][2]);
        for (k, frame) in film.frames.iter().enumerate() {
            let off = (at(k) - at(0) - (frame.poses[1].x - film.frames[0].poses[1].x)).norm();
            assert!(off < 1e-4 * size, "{size} {place}: off by {off}");
            // And where it is as a whole, as far as single precision tells.
            let seen = vector(&node["translation"]) + turn * at(k);
            assert!((seen - turn * frame.poses[1].x).norm() < 1e-6 * (place.abs() + size), "{size} {place}: {seen}");
        }
    }
}

#[test]
fn a_picture_does_not_depend_on_size_and_place() {
    let draw = |size: f64, place: f64| {
        let film = stage(&model(size, place)).still().unwrap();
        svg(&film, &Picture { groups: Group::NAMES.map(|(_, group)| group)[..4].to_vec(), ..Picture::default() })
    };
    let wanted = draw(1.0, 0.0);
    let head = |text: &str| text.lines().next().unwrap().to_owned();
    for (size, place) in cases() {
        let drawn = draw(size, place);
        assert_eq!(head(&drawn), head(&wanted), "{size} {place}");
        let kinds =
            ["<path", "<circle", "stroke-linecap"].map(|part| [&drawn, &wanted].map(|text| text.matches(part).count()));
        assert!(kinds.iter().all(|[one, other]| one == other), "{size} {place}: {kinds:?}");
    }
}

#[test]
fn a_spring_turns_about_itself_no_further_than_its_body_and_its_way_do() {
    let stage = stage(&model(1.0, 0.0));
    // Around the other end in a plane that holds all axes of the body, one after the other, and on a way that winds; still, and turning.
    for (spin, wind) in [(0.0, 0.0), (0.0, 0.7), (0.11, 0.0), (0.2, 0.7)] {
        let count = 400;
        let film = film(&stage, count, |k, frame| {
            let end = frame.poses[0].x + V3::new(0.5, 0.0, 0.0);
            let (angle, up) = (0.05 * k as f64, wind * (0.031 * k as f64).sin());
            frame.poses[1].x = end + V3::new(angle.cos() * up.cos(), up.sin(), angle.sin() * up.cos());
            frame.poses[1].a = Rotation3::from_axis_angle(&V3::y_axis(), spin * k as f64).into_inner();
        });
        let parsed = Parsed::of(&film);
        let (_, turns) = parsed.channel(parsed.node("spring"), "rotation");
        let matrix = |q: &Vec<f64>| -> M3 {
            UnitQuaternion::from_quaternion(Quaternion::new(q[3], q[0], q[1], q[2])).to_rotation_matrix().into_inner()
        };
        for k in 1..count {
            let (before, after) = (matrix(&turns[k - 1]), matrix(&turns[k]));
            let turned = Rotation3::from_matrix_unchecked(after * before.transpose()).angle();
            let way = before.column(2).angle(&after.column(2));
            assert!(turned < way + spin + 1e-3, "{spin} {wind}: {turned} rad at frame {k}");
            let [from, to] = [film.frames[k].poses[1].x, film.frames[k].poses[0].x + V3::new(0.5, 0.0, 0.0)];
            assert!((after.column(2) - (to - from).normalize()).norm() < 1e-5, "{spin} {wind}: {k}");
        }
    }
}
