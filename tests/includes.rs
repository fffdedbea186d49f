//! Mechanisms within mechanisms: the same motion wherever and however often a model is taken in.

use crate::running::run_file;
use fourbar::file::ModelFile;
use fourbar::run::{Overrides, Run};
use nalgebra::{Rotation3, Vector3};
use proptest::prelude::*;
use std::path::Path;

pub(crate) fn file_of(text: &str) -> Result<ModelFile, fourbar::Error> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cases");
    ModelFile::parse(folder.join("model.toml").display().to_string(), text)
}

/// The columns that a run of `text` records.
pub(crate) fn columns(text: &str) -> Vec<(String, Vec<f64>)> {
    let file = file_of(text).unwrap_or_else(|e| panic!("{e}"));
    let (_, table) = run_file(&file, &Overrides::default());
    let series = |(k, column): (usize, &fourbar::results::Column)| (column.name.clone(), table.series(k).collect());
    table.columns().iter().enumerate().map(series).collect()
}

pub(crate) fn series<'a>(columns: &'a [(String, Vec<f64>)], name: &str) -> &'a [f64] {
    &columns.iter().find(|(own, _)| own == name).unwrap_or_else(|| panic!("no column {name}")).1
}

fn far(a: &[f64], b: &[f64]) -> f64 {
    assert_eq!(a.len(), b.len());
    a.iter().zip(b).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max)
}

const HEAD: &str = "gravity = [0, -9.81, 0]\n[simulation]\nend = 1\ntolerance = 1e-10\n";

fn alone() -> Vec<(String, Vec<f64>)> {
    let text = std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/cases/link.toml")).unwrap();
    columns(&text.replace("end = 1\n", "end = 1\ntolerance = 1e-10\n"))
}

#[test]
fn a_model_taken_in_moves_as_it_does_alone() {
    let whole = columns(&format!("{HEAD}[[include]]\nname = \"a\"\nfile = \"link.toml\"\n"));
    for (name, values) in alone() {
        assert_eq!(far(series(&whole, &format!("a.{name}")), &values), 0.0, "{name}");
    }
}

#[test]
fn several_take_other_parameters() {
    let text = format!(
        "{HEAD}[parameters]\nl = 0.4\n[[include]]\nname = \"a\"\nfile = \"link.toml\"\nparameters = {{ length = \"2*l\" }}\n\
         [[include]]\nname = \"b\"\nfile = \"link.toml\"\nposition = [0, 0, 1]\nparameters = {{ length = 0.5, mass = 2 }}\n"
    );
    let whole = columns(&text);
    for (name, values) in alone() {
        // Steps are those of both.
        assert!(far(series(&whole, &format!("a.{name}")), &values) < 1e-8, "{name}");
        assert!(
            name == "pin.z" || name == "speed.z" || far(series(&whole, &format!("b.{name}")), &values) > 1e-3,
            "{name}"
        );
    }
    let mut file = file_of(&text).unwrap();
    file.set_parameter("b.length", 0.8.into()).unwrap();
    file.set_parameter("b.mass", 1.5.into()).unwrap();
    let (_, table) = run_file(&file, &Overrides::default());
    let column = table.columns().iter().position(|column| column.name == "b.angle").unwrap();
    let angles: Vec<f64> = table.series(column).collect();
    assert!(far(&angles, series(&alone(), "angle")) < 1e-9);
}

const IN_PLACE: &str = r#"
[[include]]
name = "a"
POSITION
parameters = { length = "l" }
[include.model]
gravity = [0, -9.81, 0]
PARAMETERS
[[include.model.body]]
name = "rod"
mass = "mass"
inertia = [1e-3, "mass*length^2/12", "mass*length^2/12"]
center_of_mass = ["length/2", 0, 0]
angular_velocity = [0, 0, 0.7]
[[include.model.joint]]
name = "pivot"
type = "revolute"
i = "rod"
j = "ground"
[[include.model.measure]]
name = "angle"
type = "angle"
i = "rod"
j = "ground"
"#;

/// A part written within the file moves as one of another file, is copied as it is, and its faults have their own lines.
#[test]
fn a_part_is_written_in_place() {
    let file = |units: &str, length: &str, copies: &str, change: [&str; 2]| {
        let part = IN_PLACE
            .replace("POSITION", "position = [0, 0, 0]")
            .replace("PARAMETERS", "parameters = { length = 1, mass = 1.5 }")
            .replace(change[0], change[1]);
        format!(
            "{units}{}[parameters]\nl = {length}\n{part}{copies}",
            if units.is_empty() { HEAD } else { "gravity = [0, -9810, 0]\n[simulation]\nend = 1\ntolerance = 1e-10\n" }
        )
    };
    let none = ["name", "name"];
    let other = columns(&format!("{HEAD}[[include]]\nname = \"a\"\nfile = \"link-alone.toml\"\n"));
    let angle = series(&other, "a.angle").to_vec();
    let copies = "[[copies]]\nof = \"a\"\ncount = [1, 1, 3]\nspacing = [0, 0, 1]\n";
    let own = columns(&file("", "0.8", copies, none));
    for name in ["a.angle", "a_2.angle", "a_3.angle"] {
        assert!(far(series(&own, name), &angle) < 1e-9, "{name}");
    }
    // Units are those of the file: 800 mm, inertia in kg mm^2.
    let inertia = ["inertia = [1e-3,", "inertia = [1e3,"];
    let own = columns(&file("units = \"mm, kg, s, N\"\n", "800", "", inertia));
    assert!(far(series(&own, "a.angle"), &angle) < 1e-8);

    let refused = |text: &str| match file_of(text) {
        Err(error) => error.to_string(),
        Ok(file) => file.explain_start(Run::new(file.document(), &Overrides::default()).unwrap_err()).to_string(),
    };
    let line = |text: &str, part: &str| 1 + text[..text.find(part).unwrap()].matches('\n').count();
    for (change, problem) in [
        (["mass = \"mass\"", "mass = \"-mass\""], "mass"),
        (["type = \"angle\"", "typ = \"angle\""], "typ"),
        (
            [
                "i = \"rod\"\nj = \"ground\"\n[[include.model.measure",
                "i = \"rood\"\nj = \"ground\"\n[[include.model.measure",
            ],
            "rood",
        ),
    ] {
        let text = file("", "0.8", copies, change);
        let (told, at) = (refused(&text), line(&text, change[1].split('\n').next().unwrap()));
        assert!(told.contains(problem), "{told}");
        let near = (at - 3..=at + 1).any(|line| told.contains(&format!("model.toml:{line}:")));
        assert!(near, "line {at}: {told}");
    }
    let both = file("", "0.8", "", ["position = [0, 0, 0]", "file = \"link.toml\""]);
    assert!(refused(&both).contains("either `file` or `model`"), "{}", refused(&both));
    let kind = file("", "0.8", "", ["gravity = [0, -9.81, 0]\nparam", "type = \"circuit\"\nparam"]);
    assert!(refused(&kind).contains("model.toml:"), "{}", refused(&kind));
}

/// Parameters of one copy of an include, and of an include within an include, by `--set` and in the file.
#[test]
fn one_copy_has_a_parameter_of_its_own() {
    let copied = |more: &str| {
        format!(
            "{HEAD}[[include]]\nname = \"a\"\nfile = \"link.toml\"\nparameters = {{ mass = 2 }}\n\
             [[copies]]\nof = \"a\"\ncount = [3, 1, 1]\nspacing = [0, 0, 1]\n{more}"
        )
    };
    let expanded = |file: &ModelFile, name: &str| {
        let whole = file.document().mechanism().unwrap().expand().unwrap();
        whole.model.parameters[name].to_string()
    };
    let mut file = file_of(&copied("")).unwrap();
    file.set_parameter("a_3.length", 0.5.into()).unwrap();
    file.set_parameter("a.mass", 4.0.into()).unwrap();
    let values = ["a.length", "a_2.length", "a_3.length", "a.mass", "a_2.mass", "a_3.mass"];
    assert_eq!(values.map(|name| expanded(&file, name)), ["0.8", "0.8", "0.5", "4.0", "4.0", "4.0"]);
    let file = file_of(&copied("parameters = { a_2 = { length = 0.6, mass = \"2 + 1\" } }\n")).unwrap();
    assert_eq!(values.map(|name| expanded(&file, name)), ["0.8", "0.6", "0.8", "2.0", "3.0", "2.0"]);

    // What there is not is refused with what there is.
    let refused = |set: &str| {
        let mut file = file_of(&copied("")).unwrap();
        match file.set_parameter(set, 1.0.into()) {
            Err(error) => error.to_string(),
            Ok(()) => file.explain_start(Run::new(file.document(), &Overrides::default()).unwrap_err()).to_string(),
        }
    };
    let text = refused("a_4.length");
    assert!(text.contains("no parameter \"a_4.length\"") && text.contains("a_2.length"), "{text}");
    let text = refused("a_3.lenght");
    assert!(text.contains("no parameter \"lenght\"") && text.contains("did you mean \"length\"?"), "{text}");
    let file = file_of(&copied("parameters = { a_4 = { length = 0.6 } }\n")).unwrap();
    let error = file.explain_start(Run::new(file.document(), &Overrides::default()).unwrap_err()).to_string();
    assert!(error.contains("no copy \"a_4\"") && error.contains("did you mean \"a_2\""), "{error}");

    let mut file = file_of(&format!("{HEAD}[[include]]\nname = \"x\"\nfile = \"two-links.toml\"\n")).unwrap();
    file.set_parameter("x.lower.length", 0.3.into()).unwrap();
    assert_eq!(["x.upper.length", "x.lower.length"].map(|name| expanded(&file, name)), ["0.8", "0.3"]);
}

/// On the tip of another: what is written by hand as a double pendulum.
#[test]
fn one_hangs_on_another() {
    let text = format!(
        "{HEAD}[[include]]\nname = \"a\"\nfile = \"link.toml\"\n[[include]]\nname = \"b\"\nfile = \"link.toml\"\non = \"a.tip\"\n"
    );
    let by_hand = std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/cases/link.toml")).unwrap();
    let entries = by_hand.split_once("[[body]]").unwrap().1;
    let second = entries
        .replace("\"rod\"", "\"rod2\"")
        .replace("\"tip\"", "\"tip2\"")
        .replace("\"above\"", "\"above2\"")
        .replace("\"pivot\"", "\"pivot2\"")
        .replace("\"wind\"", "\"wind2\"")
        .replace("\"spring\"", "\"spring2\"")
        .replace("\"speed\"", "\"speed2\"")
        .replace("speed.x", "speed2.x")
        .replace("name = \"angle\"", "name = \"angle2\"")
        .replace("\"pin\"", "\"pin2\"")
        .replace("j = \"ground\"", "j = \"tip\"")
        .replace(
            "body = \"ground\", position = [0.1, 0.9, 0], frame = \"global\"",
            "body = \"rod\", position = [\"length + 0.1\", 0.9, 0]",
        )
        .replace("position = [0, 0.2, 0]", "position = [\"length\", 0.2, 0]")
        // The wind blows in axes of the tip, and its speed is that seen from there.
        .replace("i = \"tip2\"\nvalue", "i = \"tip2\"\nreaction = \"rod\"\nframe = \"rod\"\nvalue")
        .replace(
            "type = \"velocity\"\ni = \"tip2\"",
            "type = \"velocity\"\ni = \"tip2\"\nj = \"tip\"\nframe = \"tip\"\nseen_from = \"tip\"",
        )
        .replace("joint = \"pivot2\"", "joint = \"pivot2\"\nframe = \"tip\"");
    let second = second.replacen("center_of_mass", "position = [\"length\", 0, 0]\ncenter_of_mass", 1);
    let by_hand = columns(&format!("{}[[body]]{second}", by_hand.replace("end = 1\n", "end = 1\ntolerance = 1e-10\n")));
    let whole = columns(&text);
    for name in ["angle", "speed.x", "speed.y", "pin.x", "pin.y"] {
        assert!(far(series(&whole, &format!("a.{name}")), series(&by_hand, name)) < 1e-8, "a.{name}");
        let second = name.split_once('.').map_or_else(|| format!("{name}2"), |(head, tail)| format!("{head}2.{tail}"));
        assert!(far(series(&whole, &format!("b.{name}")), series(&by_hand, &second)) < 1e-8, "b.{name}");
    }
}

#[test]
fn copies_stand_in_a_row() {
    let text = format!(
        "{HEAD}[[include]]\nname = \"a\"\nfile = \"link.toml\"\n[[copies]]\nof = \"a\"\ncount = [1, 1, 3]\nspacing = [0, 0, 0.5]\n\
         [[measure]]\nname = \"sum\"\ntype = \"expression\"\nexpression = \"a.angle + a_2.angle + a_3.angle\"\n\
         [[measure]]\nname = \"place\"\ntype = \"position\"\ni = \"a_3.tip\"\ncomponent = \"z\"\n"
    );
    let whole = columns(&text);
    let one = alone();
    let sum: Vec<f64> = series(&one, "angle").iter().map(|a| 3.0 * a).collect();
    assert!(far(series(&whole, "sum"), &sum) < 1e-8);
    assert!(far(series(&whole, "a_3.pin.x"), series(&one, "pin.x")) < 1e-7);
    assert!(series(&whole, "place").iter().all(|z| (z - 1.0).abs() < 1e-12));
}

/// Measures of every kind, placed.
#[test]
fn models_that_run_alone_are_taken_in() {
    for name in ["pendulum", "four-bar", "slider-crank", "planetary-gear", "cam", "coaster"] {
        let file = format!("[[include]]\nname = \"a\"\nfile = \"../../models/{name}.toml\"\nposition = [1, 0, 0]\n");
        let file = file_of(&format!("[simulation]\nend = 0.01\n{file}")).unwrap();
        Run::new(file.document(), &Overrides::default())
            .unwrap_or_else(|e| panic!("{name}: {}", file.explain_start(e)));
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(12))]

    /// Wherever it is put, with the gravity that belongs there; its own measures are those in its own frame.
    #[test]
    fn a_placed_model_moves_as_it_does_alone(turn in prop::array::uniform3(-3.0..3.0f64), place in prop::array::uniform3(-5.0..5.0f64)) {
        let rotation = Rotation3::new(Vector3::from(turn));
        let g = rotation * Vector3::new(0.0, -9.81, 0.0);
        let angle = Vector3::from(turn).norm();
        let text = format!(
            "gravity = [{}, {}, {}]\n[simulation]\nend = 1\ntolerance = 1e-10\n[[include]]\nname = \"a\"\nfile = \"link.toml\"\n\
             position = {place:?}\norientation = {{ axis = {turn:?}, angle = {angle} }}\n", g.x, g.y, g.z
        );
        let whole = columns(&text);
        for (name, values) in alone() {
            prop_assert!(far(series(&whole, &format!("a.{name}")), &values) < 1e-6, "{name}");
        }
    }
}

fn refusal(text: &str) -> String {
    match file_of(text) {
        Err(error) => error.to_string(),
        Ok(file) => match Run::new(file.document(), &Overrides::default()) {
            Err(error) => file.explain_start(error).to_string(),
            Ok(_) => panic!("accepted"),
        },
    }
}

/// An error within an included file names that file and its line.
#[test]
fn faults_stand_in_the_file_that_has_them() {
    let include = |file: &str, more: &str| format!("{HEAD}[[include]]\nname = \"a\"\nfile = \"{file}\"\n{more}");
    let told = [
        (include("link.toml", "parameters = { length = -1, mass = -1 }"), vec!["link.toml:13", "mass"]),
        (include("link.toml", "parameters = { lenght = 1 }"), vec!["model.toml:8", "lenght", "length"]),
        (include("nothing.toml", ""), vec!["model.toml:7", "cannot read"]),
        (include("", ""), vec!["model.toml:7", "file"]),
        (include("link.toml", "on = \"b.tip\""), vec!["model.toml:8", "b.tip"]),
        (include("itself.toml", ""), vec!["itself.toml", "includes itself"]),
        (include("heater.toml", ""), vec!["model.toml:7", "\"linear\"", "only mechanisms"]),
        (include("link.toml", "[[body]]\nname = \"a.rod\"\nmass = 1\n"), vec!["a.rod"]),
    ];
    for (text, words) in told {
        let message = refusal(&text);
        assert!(words.iter().all(|word| message.contains(word)), "{message}\nlacks one of {words:?}");
    }
}
