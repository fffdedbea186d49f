//! Signs of joints are where the bodies are that a model gives a shape: across the plane of a planar mechanism, at any size, wherever it is drawn.

use crate::running::root;
use fourbar::file::ModelFile;
use fourbar::run::{Overrides, Run};
use fourbar::scene::{Curtain, Film, Form, Stage};
use std::sync::atomic::AtomicBool;

const CRANK: &str = r#"
gravity = [0, -9.81, 0]
simulation = { end = 0.01, output_step = 0.01 }
[parameters]
a = SIZE
[[body]]
name = "crank"
position = ["1000*a", "500*a", "20*a"]
solids = [{ type = "bar", from = [0, 0, 0], to = ["a", 0, 0], width = "0.2*a", thickness = "0.1*a", density = 7850 }]
[[body]]
name = "rod"
position = ["1001*a", "500*a", "20*a"]
solids = [{ type = "bar", from = [0, 0, 0], to = ["3*a", 0, 0], width = "0.16*a", thickness = "0.08*a", density = 7850 }]
[[body]]
name = "slider"
position = ["1004*a", "500*a", "20*a"]
solids = [{ type = "box", size = ["0.6*a", "0.4*a", "0.4*a"], density = 7850 }]
[[joint]]
name = "bearing"
type = "revolute"
i = "crank"
j = { body = "ground", position = ["1000*a", "500*a", "20*a"] }
[[joint]]
name = "pin"
type = "spherical"
i = "rod"
j = { body = "crank", position = ["a", 0, 0] }
[[joint]]
name = "wrist"
type = "cylindrical"
i = { body = "rod", position = ["3*a", 0, 0] }
j = "slider"
[[joint]]
name = "guide"
type = "prismatic"
i = { body = "slider", orientation = { z_axis = [1, 0, 0] } }
j = { body = "ground", position = ["1004*a", "500*a", "20*a"], orientation = { z_axis = [1, 0, 0] } }
"#;

/// The first picture of a run.
fn filmed(text: &str) -> Film {
    let name = root("tests/cases/scene-depths.toml").display().to_string();
    let file = ModelFile::parse(name, text).unwrap_or_else(|error| panic!("{error}"));
    let stage = Stage::new(file.document()).unwrap().unwrap();
    let run = Run::new(&stage.document, &Overrides::default()).unwrap();
    let mut recorder = stage.recorder();
    run.execute(&mut [&mut Curtain::new(&stage, Vec::new(), &mut recorder)], &AtomicBool::new(false)).unwrap();
    stage.film(recorder).unwrap()
}

/// From where to where what has this name reaches along z.
fn reach(film: &Film, name: &str) -> [f64; 2] {
    let items = film.scene.items.iter().filter(|item| item.name == name);
    let points = items.flat_map(|item| {
        let Form::Surface(facets) = &item.form else { return Vec::new() };
        let placement = item.placement(film, &film.frames[0]);
        facets.points.iter().map(|p| placement.point(p).z).collect()
    });
    points.fold([f64::INFINITY, f64::NEG_INFINITY], |[low, high], z| [low.min(z), high.max(z)])
}

#[test]
fn signs_of_joints_are_at_the_shapes_of_their_bodies() {
    for a in [1e-4, 0.1, 50.0] {
        let drawn = filmed(&CRANK.replace("SIZE", &format!("{a:e}")));
        let within = |name: &str| reach(&drawn, name).map(|z| z / a - 20.0);
        let [low, high] = within("pin");
        // About the middle of both bars, and seen on both of their sides.
        assert!((low + high).abs() < 1e-9 && high > 0.05 && high < 0.2, "{a}: {low} {high}");
        let [low, high] = within("wrist");
        assert!((low + high).abs() < 1e-9 && high > 0.2 && high < 0.4, "{a}: {low} {high}");
        let [low, high] = within("bearing");
        assert!(low < -0.05 && high > 0.05 && high < 0.2, "{a}: {low} {high}");
        // Rails and feet stand behind what they carry.
        let [_, high] = within("guide");
        assert!(high < -0.2 && high > -0.4, "{a}: {high}");
        let [low, high] = within("ground");
        assert!(high < -0.05 && low > -0.4, "{a}: {low} {high}");
    }
}
