//! Scenes: what is written as glTF is what the run gave, every body of every model shows something, displays follow units, copies and includes.

use crate::glb::Parsed;
use crate::running::root;
use fourbar::file::ModelFile;
use fourbar::multibody::space::V3;
use fourbar::results::Table;
use fourbar::run::{Observer, Overrides, Run};
use fourbar::scene::{Carrier, Curtain, Facets, Film, Form, Group, Item, Picture, Stage, is_hidden, svg};
use serde_json::Value;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// The film of a model in a text that stands in tests/cases, run to its end, and its measures.
fn filmed(text: &str) -> (Film, Table) {
    let name = root("tests/cases/scene.toml").display().to_string();
    let file = ModelFile::parse(name, text).unwrap_or_else(|error| panic!("{error}"));
    run(&file, &Overrides::default())
}

fn run(file: &ModelFile, overrides: &Overrides) -> (Film, Table) {
    let stage = Stage::new(file.document()).unwrap().unwrap();
    let run = Run::new(&stage.document, overrides).unwrap_or_else(|error| panic!("{}", file.explain(error)));
    let (mut table, mut recorder) = (Table::default(), stage.recorder());
    let watchers: Vec<&mut dyn Observer> = vec![&mut table];
    run.execute(&mut [&mut Curtain::new(&stage, watchers, &mut recorder)], &AtomicBool::new(false)).unwrap();
    (stage.film(recorder).unwrap(), table)
}

/// Turns over and over about an axis that is none of the body's, and flies.
const TUMBLING: &str = r#"
name = "tumbling"
gravity = [0, 0, -9.81]
simulation = { end = 2, output_step = 0.02, tolerance = 1e-8 }
[[body]]
name = "stone"
mass = 2
inertia = [0.1, 0.2, 0.15]
center_of_mass = [0.1, 0.2, 0.3]
position = [1, 2, 3]
velocity = [1, 0, 9]
angular_velocity = [5, 1, 7]
[[measure]]
name = "r"
type = "position"
i = "stone"
[[measure]]
name = "q"
type = "quaternion"
i = "stone"
"#;

#[test]
fn poses_in_the_file_are_those_of_the_run_and_never_flip() {
    let (film, table) = filmed(TUMBLING);
    let parsed = Parsed::of(&film);
    let node = parsed.node("stone");
    let (times, places) = parsed.channel(node, "translation");
    let (_, turns) = parsed.channel(node, "rotation");
    assert_eq!(times.len(), table.times().len());
    let measured: Vec<Vec<f64>> = (0..7).map(|k| table.series(k).collect()).collect();
    for (row, time) in table.times().iter().enumerate() {
        assert!((times[row] - time).abs() < 1e-6);
        for axis in 0..3 {
            assert!((places[row][axis] - measured[axis][row]).abs() < 1e-5, "{row} {axis}");
        }
        // x, y, z, w in the file; the scalar first in the measure; of either sign.
        let q = [3, 4, 5, 6].map(|k| measured[k][row]);
        let dot = turns[row][3] * q[0] + (0..3).map(|k| turns[row][k] * q[k + 1]).sum::<f64>();
        assert!((dot.abs() - 1.0).abs() < 1e-6, "{row}: {dot}");
    }
    for pair in turns.windows(2) {
        let nearness: f64 = pair[0].iter().zip(&pair[1]).map(|(a, b)| a * b).sum();
        assert!(nearness > 0.9, "{nearness}");
    }
    // It does come around: the sign that the measure would have with a positive scalar changes.
    assert!(turns.iter().any(|q| q[3] < -0.5) && turns.iter().any(|q| q[3] > 0.5));
}

#[test]
fn what_is_up_becomes_y() {
    for (gravity, up) in [("[0, 0, -9.81]", V3::z()), ("[0, -9.81, 0]", V3::y()), ("[9.81, 0, 0]", -V3::x())] {
        let (film, _) = filmed(&TUMBLING.replace("[0, 0, -9.81]", gravity));
        let parsed = Parsed::of(&film);
        let root = &parsed.json["nodes"][parsed.node("tumbling")];
        let q: Vec<f64> = root["rotation"]
            .as_array()
            .map_or(vec![0.0, 0.0, 0.0, 1.0], |q| q.iter().map(|part| part.as_f64().unwrap()).collect());
        let q = nalgebra::UnitQuaternion::from_quaternion(nalgebra::Quaternion::new(q[3], q[0], q[1], q[2]));
        assert!((q * up - V3::y()).norm() < 1e-6, "{gravity}");
    }
}

#[test]
fn bounds_of_accessors_are_those_of_their_numbers() {
    let file = ModelFile::load(root("models/four-bar.toml")).unwrap();
    let (film, _) = run(&file, &Overrides { end: Some(0.1), ..Overrides::default() });
    let parsed = Parsed::of(&film);
    let mut checked = 0;
    for (index, accessor) in parsed.json["accessors"].as_array().unwrap().iter().enumerate() {
        let Some(least) = accessor["min"].as_array() else { continue };
        let most = accessor["max"].as_array().unwrap();
        let rows = parsed.floats(&Value::from(index));
        for axis in 0..least.len() {
            let column = rows.iter().map(|row| row[axis]);
            assert_eq!(least[axis].as_f64().unwrap() as f32, column.clone().fold(f64::INFINITY, f64::min) as f32);
            assert_eq!(most[axis].as_f64().unwrap() as f32, column.fold(f64::NEG_INFINITY, f64::max) as f32);
        }
        checked += 1;
    }
    assert!(checked > 5, "{checked}");
    // The reactions of the run are there, each under the name of its joint.
    assert!(parsed.json["nodes"].as_array().unwrap().iter().any(|node| node["name"] == "A force"));
}

#[test]
fn every_body_of_every_model_shows_something() {
    for entry in std::fs::read_dir(root("models")).unwrap() {
        let path = entry.unwrap().path();
        let file = ModelFile::load(&path).unwrap();
        let Some(stage) = Stage::new(file.document()).unwrap() else { continue };
        let film = stage.still().unwrap();
        for (index, body) in film.scene.bodies.iter().enumerate().filter(|(_, body)| body.has_place) {
            // Of a flexible body the beam is the look of the frame and of all nodes.
            let whole = body.name.split('/').next();
            let of = |item: &&Item| {
                let own = match &item.carrier {
                    Carrier::Body(frame) => frame.body == index,
                    Carrier::Bend { .. } => Some(item.name.as_str()) == whole,
                    _ => false,
                };
                own && matches!(item.group, Group::Bodies | Group::Ground)
            };
            assert!(film.scene.items.iter().any(|item| of(&item)), "{}: {}", path.display(), body.name);
        }
        let parsed = Parsed::of(&film);
        assert!(parsed.json["meshes"].as_array().is_some_and(|meshes| !meshes.is_empty()));
        let picture = svg(&film, &Picture::default());
        assert!(picture.contains("<path") && !picture.contains("NaN") && !picture.contains("inf"));
    }
}

fn bar(length: f64) -> String {
    format!(
        "gravity = [0, -9.81, 0]
        parameters = {{ l = {length:e} }}
        simulation = {{ end = 0.001, output_step = 0.001 }}
        [[body]]
        name = \"bar\"
        mass = 1
        inertia = [\"l^2/100\", \"l^2/12\", \"l^2/12\"]
        center_of_mass = [\"l/2\", 0, 0]
        [[joint]]
        name = \"pin\"
        type = \"revolute\"
        i = \"bar\"
        j = \"ground\""
    )
}

#[test]
fn sizes_follow_the_model() {
    let reach = |film: &Film| {
        let of = |item: &Item| match &item.form {
            Form::Surface(facets) => facets.points.iter().map(V3::norm).fold(0.0, f64::max),
            Form::Lines(_) => 0.0,
        };
        let fixed = |item: &&Item| matches!(item.group, Group::Bodies | Group::Ground | Group::Joints);
        film.scene.items.iter().filter(fixed).map(of).fold(0.0, f64::max)
    };
    let (one, _) = filmed(&bar(1.0));
    for length in [1e-6, 1e3] {
        let (other, _) = filmed(&bar(length));
        assert!((other.scene.length / one.scene.length / length - 1.0).abs() < 1e-9);
        assert!((reach(&other) / reach(&one) / length - 1.0).abs() < 1e-9, "{} {}", reach(&other), reach(&one));
        Parsed::of(&other);
    }
}

fn surfaces(film: &Film, name: &str) -> Vec<Arc<Facets>> {
    let own = film.scene.items.iter().filter(|item| item.name == name);
    own.filter_map(|item| match &item.form {
        Form::Surface(facets) => Some(Arc::clone(facets)),
        Form::Lines(_) => None,
    })
    .collect()
}

fn widest(facets: &Facets) -> f64 {
    let x = facets.points.iter().map(|p| p.x);
    x.clone().fold(f64::NEG_INFINITY, f64::max) - x.fold(f64::INFINITY, f64::min)
}

const DISPLAYED: &str = r#"
units = "mm, kg, s, N"
simulation = { end = 0.001, output_step = 0.001 }
[[body]]
name = "block"
mass = 1
inertia = [100, 100, 100]
[[copies]]
of = "block"
count = [2, 1, 1]
spacing = [50, 0, 0]
[[display]]
name = "case"
on = "block"
type = "box"
size = [20, 10, 5]
[[display]]
name = "corner"
on = "block"
type = "mesh"
file = "tetrahedron.obj"
[[display]]
name = "other_corner"
on = "block"
type = "mesh"
file = "tetrahedron.stl"
scale = 2
[[display]]
name = "rod"
on = "block"
type = "line"
to = "ground"
radius = 1
"#;

#[test]
fn displays_follow_units_and_copies() {
    let (film, _) = filmed(DISPLAYED);
    for (name, width) in
        [("case", 0.02), ("case 2", 0.02), ("corner", 0.01), ("corner 2", 0.01), ("other_corner", 0.02)]
    {
        let found = surfaces(&film, name);
        assert_eq!(found.len(), 1, "{name}");
        assert!((widest(&found[0]) - width).abs() < 1e-12, "{name}: {}", widest(&found[0]));
    }
    // Nothing but these: a body with displays has no other look.
    let of_block = |item: &&Item| item.name == "block";
    assert_eq!(film.scene.items.iter().filter(|item| of_block(item) && item.group == Group::Bodies).count(), 0);
}

#[test]
fn displays_of_included_mechanisms_come_with_them() {
    use fourbar::mechanism::{Display, DisplayKind, Include, MechanismModel};
    let file = ModelFile::parse(root("tests/cases/scene.toml").display().to_string(), DISPLAYED).unwrap();
    let inner = file.document().mechanism().unwrap().clone();
    let mut outer = MechanismModel::default();
    outer.displays.push(Display { radius: Some(0.3.into()), ..Display::new("ball", DisplayKind::Sphere, "ground") });
    outer.includes.push(Include { position: [1.0.into(), 0.0.into(), 0.0.into()], ..Include::new("part", inner) });
    let film = Stage::new(&outer.into()).unwrap().unwrap().still().unwrap();
    assert!((widest(&surfaces(&film, "part.case 2")[0]) - 0.02).abs() < 1e-12);
    assert_eq!(surfaces(&film, "ball").len(), 1);
}

#[test]
fn a_coupled_run_gives_the_same_numbers_with_a_film() {
    let file = ModelFile::load(root("models/press-stop.toml")).unwrap();
    let overrides = Overrides { end: Some(0.05), ..Overrides::default() };
    let (film, filmed) = run(&file, &overrides);
    let plain = Run::new(file.document(), &overrides).unwrap();
    let mut table = Table::default();
    plain.execute(&mut [&mut table], &AtomicBool::new(false)).unwrap();
    assert!(filmed.columns().iter().all(|column| !is_hidden(&column.name)));
    assert_eq!(filmed.columns(), table.columns());
    for k in 0..table.columns().len() {
        assert!(filmed.series(k).eq(table.series(k)), "{}", table.columns()[k].name);
    }
    assert_eq!(film.frames.len(), table.times().len());
    // y of the beam is a measure of the model.
    let height = table.columns().iter().position(|column| column.name == "beam.height").unwrap();
    let beam = film.scene.bodies.iter().position(|body| body.name == "beam").unwrap();
    for (frame, height) in film.frames.iter().zip(table.series(height)) {
        let pose = &frame.poses[beam];
        let origin = pose.x - pose.a * film.scene.bodies[beam].center;
        assert!((origin.y - height).abs() < 1e-12, "{} {height}", origin.y);
    }
}

#[test]
fn contacts_have_their_points_and_forces() {
    let file = ModelFile::load(root("models/four-points.toml")).unwrap();
    let (film, _) = run(&file, &Overrides { end: Some(0.4), ..Overrides::default() });
    let last = film.frames.last().unwrap();
    assert!(last.contacts.len() >= 3, "{}", last.contacts.len());
    let force: V3 = last.contacts.iter().map(|contact| contact.force).sum();
    // At rest they carry the weight.
    assert!((force.z / (4.0 * 9.81) - 1.0).abs() < 1e-3, "{force}");
    assert!(last.contacts.iter().all(|contact| contact.point.z.abs() < 1e-3));
    let points = film.scene.items.iter().filter(|item| item.group == Group::Contacts).count();
    assert!(points >= 6, "{points}");
}

#[test]
fn a_joint_that_a_sensor_locks_has_its_reaction_from_there_on() {
    let file = ModelFile::load(root("models/clutch.toml")).unwrap();
    let (film, table) = run(&file, &Overrides::default());
    let clutch = film.scene.items.iter().find(|item| item.name == "clutch torque").unwrap();
    let seen = |frame| clutch.placement(&film, frame).is_seen();
    // Engaged when the motor, of 0.05 kg m^2 and 4 N m, has 20 rad/s.
    let engaged = 20.0 * 0.05 / 4.0;
    let after: Vec<_> = film.frames.iter().filter(|frame| frame.time > engaged + 0.05).collect();
    assert!(after.len() > 3 && after.iter().all(|frame| seen(frame)), "{}", after.len());
    assert!(film.frames.iter().filter(|frame| frame.time < engaged).all(|frame| !seen(frame)));
    assert_eq!(film.frames.len(), table.times().len());
}
