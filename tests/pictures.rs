//! The pictures of the models in the documentation are what the models look like now. `UPDATE_PICTURES=1` draws them again.

use crate::running::root;
use fourbar::file::ModelFile;
use fourbar::run::{Overrides, Run};
use fourbar::scene::{Curtain, Film, Picture, Stage, View, svg};
use std::sync::atomic::AtomicBool;

/// Model, end of its run \[s\], time of the picture \[s\], further positions. Without an end it is drawn at its start, and not run.
const PICTURES: &[(&str, Option<f64>, f64, usize)] = &[
    ("andrews", None, 0.0, 0),
    ("bouncing-ball", Some(0.5), 0.0, 6),
    ("differential", None, 0.0, 0),
    ("double-pendulum", Some(0.6), 0.0, 4),
    ("four-bar", None, 0.0, 0),
    ("four-points", None, 0.0, 0),
    ("fourbar-impact", None, 0.0, 0),
    ("grinding-arm", None, 0.0, 0),
    ("incline", None, 0.0, 0),
    ("n-four-bar", None, 0.0, 0),
    ("newtons-cradle", None, 0.0, 0),
    ("pendulum", Some(0.5), 0.0, 4),
    ("pile", None, 0.0, 0),
    ("planetary-gear", None, 0.0, 0),
    ("press", None, 0.0, 0),
    ("press-stop", None, 0.0, 0),
    ("quarter-car", None, 0.0, 0),
    ("rocking-block", None, 0.0, 0),
    ("slider-crank", Some(0.035), 0.035, 0),
    ("tower", None, 0.0, 0),
    ("gripper", None, 0.0, 0),
    ("grip", None, 0.0, 0),
    ("painleve", Some(0.2), 0.0, 4),
    ("dominos", Some(0.5), 0.5, 0),
    ("five-bar", Some(0.5), 0.0, 4),
    ("clutch", None, 0.0, 0),
    ("cam", None, 0.0, 0),
    ("coaster", None, 0.0, 0),
    ("flexible-arm", Some(0.9), 0.9, 4),
    ("flexible-slider-crank", Some(0.01), 0.01, 0),
];

/// Models that are seen from aside: their plane shows one disc before another.
const ASIDE: &[&str] = &["clutch"];

/// By how many pixels a picture may differ: runs on other machines differ by round-off, and numbers are rounded to a tenth.
const OFF: f64 = 0.25;

fn film(name: &str, end: Option<f64>) -> Film {
    let file = ModelFile::load(root("models").join(format!("{name}.toml"))).unwrap();
    let stage = Stage::new(file.document()).unwrap().unwrap();
    if end.is_none() {
        return stage.still().unwrap();
    }
    let run = Run::new(&stage.document, &Overrides { end, ..Overrides::default() }).unwrap();
    let mut recorder = stage.recorder();
    run.execute(&mut [&mut Curtain::new(&stage, Vec::new(), &mut recorder)], &AtomicBool::new(false)).unwrap();
    stage.film(recorder).unwrap()
}

/// A text in pieces: numbers, and what stands between them.
fn pieces(text: &str) -> Vec<&str> {
    let of_number = |c: char| c.is_ascii_digit() || c == '.';
    let mut pieces = Vec::new();
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let number = of_number(first);
        let end = rest.find(|c: char| of_number(c) != number).unwrap_or(rest.len());
        pieces.push(&rest[..end]);
        rest = &rest[end..];
    }
    pieces
}

fn is_like(one: &str, two: &str) -> bool {
    let (one, two) = (pieces(one), pieces(two));
    one.len() == two.len()
        && one.iter().zip(&two).all(|(a, b)| match (a.parse::<f64>(), b.parse::<f64>()) {
            (Ok(a), Ok(b)) => (a - b).abs() <= OFF,
            _ => a == b,
        })
}

#[test]
fn pictures_in_the_documentation_are_those_of_the_models() {
    for &(name, end, time, ghosts) in PICTURES {
        let view = if ASIDE.contains(&name) { View::Aside } else { View::Auto };
        let drawn = svg(&film(name, end), &Picture { time, ghosts, view, ..Picture::default() });
        let path = root("docs/models").join(format!("{name}.svg"));
        if std::env::var_os("UPDATE_PICTURES").is_some() {
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(&path, drawn).unwrap();
            continue;
        }
        let kept = std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        let remedy = "look at the new one and run `UPDATE_PICTURES=1 cargo test -p fourbar --test all pictures`";
        assert!(is_like(&kept, &drawn), "the picture of {name} has changed; {remedy}");
    }
}

#[test]
fn every_model_with_bodies_has_its_picture() {
    for entry in std::fs::read_dir(root("models")).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_stem().unwrap().to_string_lossy().into_owned();
        let file = ModelFile::load(&path).unwrap();
        let drawn = PICTURES.iter().any(|(other, ..)| *other == name);
        assert_eq!(Stage::new(file.document()).unwrap().is_some(), drawn, "{name}");
    }
}
