//! Scenes of runs that go a long way, and what of them is told: rails, floors, lines without length, the scale of arrows.

use crate::running::root;
use fourbar::file::ModelFile;
use fourbar::multibody::space::V3;
use fourbar::run::{Overrides, Run};
use fourbar::scene::{Carrier, Curtain, Film, Form, Group, Picture, Stage, driven_glb, svg};
use std::sync::atomic::AtomicBool;

fn stage(text: &str) -> Stage {
    let name = root("tests/cases/scene-ways.toml").display().to_string();
    let file = ModelFile::parse(name, text).unwrap_or_else(|error| panic!("{error}"));
    Stage::new(file.document()).unwrap().unwrap()
}

fn filmed(stage: &Stage) -> Film {
    let run = Run::new(&stage.document, &Overrides::default()).unwrap();
    let mut recorder = stage.recorder();
    run.execute(&mut [&mut Curtain::new(stage, Vec::new(), &mut recorder)], &AtomicBool::new(false)).unwrap();
    stage.film(recorder).unwrap()
}

/// How far the items of a name and group reach along global x in the first frame.
fn reach(film: &Film, group: Group, name: &str) -> [f64; 2] {
    let items = film.scene.items.iter().filter(|item| item.group == group && item.name == name);
    let points = items.flat_map(|item| {
        let (placement, Form::Surface(facets)) = (item.placement(film, &film.frames[0]), &item.form) else { panic!() };
        facets.points.iter().map(|p| placement.point(p).x).collect::<Vec<_>>()
    });
    points.fold([f64::INFINITY, f64::NEG_INFINITY], |[low, high], x| [low.min(x), high.max(x)])
}

const SLEDGE: &str = r#"
name = "sledge"
simulation = { end = 5, output_step = 0.1 }
[[body]]
name = "sledge"
solids = [{ type = "box", size = [0.2, 0.1, 0.1], mass = 1 }]
velocity = [3, 0, 0]
[[joint]]
name = "guide"
type = "prismatic"
i = { body = "sledge", orientation = { z_axis = [1, 0, 0] } }
j = { body = "ground", orientation = { z_axis = [1, 0, 0] } }
"#;

#[test]
fn a_rail_is_as_long_as_the_way() {
    let stage = stage(SLEDGE);
    let [low, high] = reach(&stage.still().unwrap(), Group::Joints, "guide");
    assert!(low < 0.0 && high > 0.0 && high < 0.2, "{low} {high}");
    let [from, to] = reach(&filmed(&stage), Group::Joints, "guide");
    assert!(from == low && to > 15.0 && to < 16.0, "{from} {to}");
}

const PUCK: &str = r#"
name = "puck"
gravity = [0, 0, -9.81]
simulation = { end = 2, output_step = 0.1 }
contacts = { method = "moreau_jean", step = 1e-2 }
[[body]]
name = "puck"
mass = 1
inertia = [0.01, 0.01, 0.01]
position = [0, 0, 0.1]
velocity = [-4, 0, 0]
[[contact]]
name = "floor"
type = "sphere_plane"
i = "puck"
j = "ground"
radius = 0.1
"#;

#[test]
fn a_floor_is_as_long_as_the_way() {
    let stage = stage(PUCK);
    let [low, high] = reach(&stage.still().unwrap(), Group::Ground, "ground");
    assert!(low > -1.0 && high < 1.0, "{low} {high}");
    let [from, to] = reach(&filmed(&stage), Group::Ground, "ground");
    assert!(from < -8.0 && from > -9.0 && to == high, "{from} {to}");
}

#[test]
fn no_body_hangs_over_the_end_of_its_floor() {
    // A plank of 2 m across its way, whose middle is all that its centre of mass tells.
    let plank =
        "\n[[display]]\nname = \"plank\"\ntype = \"box\"\non = \"puck\"\nsize = [1, 2, 0.1]\ncolor = \"#333333\"\n";
    let film = filmed(&stage(&(PUCK.to_owned() + plank)));
    let [from, _] = reach(&film, Group::Ground, "ground");
    let [low, _] = reach(&film, Group::Bodies, "plank");
    assert!((from - (low - 8.0 - 0.1 * film.scene.length)).abs() < 1e-9, "{from} {low}");
}

/// The nodes of a binary glTF file.
fn nodes(file: &[u8]) -> Vec<serde_json::Value> {
    let length = u32::from_le_bytes(file[12..16].try_into().unwrap()) as usize;
    let json: serde_json::Value = serde_json::from_slice(&file[20..20 + length]).unwrap();
    json["nodes"].as_array().unwrap().clone()
}

#[test]
fn who_moves_the_bodies_later_is_told_what_rails_and_floors_follow_and_which_colours_are_given() {
    let plank =
        "\n[[display]]\nname = \"plank\"\ntype = \"box\"\non = \"puck\"\nsize = [1, 2, 0.1]\ncolor = \"#333333\"\n";
    let told = |text: &str, name: &str| {
        let file = driven_glb(&stage(text).driven().unwrap()).unwrap();
        nodes(&file).into_iter().find(|node| node["name"] == name).unwrap()["extras"].clone()
    };
    let rail = told(SLEDGE, "joints: guide");
    assert_eq!(rail["following"]["axes"], serde_json::json!([2]));
    assert_eq!(rail["following"]["points"], serde_json::json!([[0, 0.0, 0.0, 0.0]]));
    let text = PUCK.to_owned() + plank;
    let floor = told(&text, "ground: ground");
    assert_eq!(floor["following"]["axes"], serde_json::json!([0, 1]));
    assert_eq!(floor["following"]["points"].as_array().unwrap().len(), 8);
    assert_eq!(told(&text, "plank")["painted"], true);
    assert!(floor.get("painted").is_none() && told(&text, "plank").get("following").is_none());
}

#[test]
fn a_line_without_length_hides_no_body() {
    let line = "\n[[display]]\nname = \"line\"\ntype = \"line\"\non = \"sledge\"\nto = \"sledge\"\n";
    let film = stage(&(SLEDGE.to_owned() + line)).still().unwrap();
    let of_body = film.scene.items.iter().filter(|item| item.group == Group::Bodies);
    assert_eq!(of_body.filter(|item| matches!(item.carrier, Carrier::Body(_))).count(), 1);
}

#[test]
fn a_ball_joint_lies_between_the_layers_of_its_bodies() {
    let text = std::fs::read_to_string(root("models/four-bar.toml")).unwrap();
    let (before, rest) = text.split_once("type = \"revolute\"").unwrap();
    let film = stage(&format!("{before}type = \"spherical\"{rest}")).still().unwrap();
    let normal = film.scene.normal.unwrap();
    let height = |point: V3| point.dot(&normal);
    let ball = film.scene.items.iter().find(|item| {
        item.group == Group::Joints && matches!(&item.form, Form::Surface(facets) if facets.sphere.is_some())
    });
    let (ball, frame) = (ball.unwrap(), &film.frames[0]);
    let Form::Surface(facets) = &ball.form else { panic!() };
    let (middle, radius) = (height(ball.placement(&film, frame).position), facets.sphere.unwrap());
    let links = film.scene.items.iter().filter(|item| matches!(item.group, Group::Bodies | Group::Ground));
    // It meets at least two of the plates that it joins.
    let met = links.filter(|item| {
        let Form::Surface(facets) = &item.form else { return false };
        let placement = item.placement(&film, frame);
        let heights: Vec<f64> = facets.points.iter().map(|p| height(placement.point(p))).collect();
        let [low, high] = [
            heights.iter().copied().fold(f64::INFINITY, f64::min),
            heights.iter().copied().fold(f64::NEG_INFINITY, f64::max),
        ];
        low < middle + radius && high > middle - radius
    });
    assert!(met.count() >= 2);
}

#[test]
fn what_the_longest_arrow_stands_for_is_told() {
    let film = filmed(&stage(PUCK));
    let groups = vec![Group::Bodies, Group::Contacts];
    let text = svg(&film, &Picture { groups, time: 2.0, ..Picture::default() });
    assert!(text.contains(">contacts: longest arrow 9.81 N</text>"), "{}", &text[text.len() - 300..]);
    assert!(!svg(&film, &Picture::default()).contains("<text"));
}

/// A slim tower of a ball on a spring: pictures of it are narrow.
const TOWER: &str = r#"
name = "tower"
gravity = [0, 0, -9.81]
simulation = { end = 1 }
[[body]]
name = "mast"
solids = [{ type = "box", size = [0.02, 0.02, 1], density = 1000 }]
[[joint]]
name = "foot"
type = "fixed"
i = { body = "mast", position = [0, 0, -0.5] }
j = { body = "ground", position = [0, 0, -0.5] }
"#;

/// The numbers of an attribute of an SVG text, in all places.
fn numbers(text: &str, attribute: &str) -> Vec<f64> {
    let mark = format!(" {attribute}=\"");
    text.split(&mark).skip(1).filter_map(|part| part.split('"').next()?.parse().ok()).collect()
}

#[test]
fn captions_fit_narrow_pictures_and_round_off_is_no_arrow() {
    let mut film = stage(TOWER).still().unwrap();
    let scene = film.scene.clone();
    let wrench = |force: V3, torque: V3| fourbar::multibody::analysis::Wrench { force, torque };
    // From where the floor is seen from its edge.
    let view = fourbar::scene::View::from_name("x").unwrap();
    let plain = svg(&film, &Picture { view, ..Picture::default() });
    let groups = vec![Group::Bodies, Group::Ground, Group::Joints, Group::Reactions];
    for (torque, is_told) in [(V3::new(3e-17, 0.0, 0.0), false), (V3::new(3e-2, 0.0, 0.0), true)] {
        film.frames[0].reactions = vec![wrench(V3::new(0.0, 0.0, 3.924), torque)];
        film = Film::new(scene.clone(), film.frames, &[]);
        assert!(film.shows(Group::Reactions, 0.0));
        let drawn = svg(&film, &Picture { view, groups: groups.clone(), ..Picture::default() });
        assert_eq!(drawn.contains("N m"), is_told, "{}", &drawn[drawn.len() - 300..]);
        // Letters of twelve pixels are some seven wide.
        let caption = drawn.split("reactions: ").nth(1).unwrap().split('<').next().unwrap();
        let wide = numbers(&drawn, "width")[0];
        assert!(wide >= 24.0 + 7.0 * (caption.len() + 11) as f64, "{wide} for {caption}");
        assert!(numbers(&plain, "width")[0] < 200.0);
    }
}
