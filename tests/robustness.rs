//! No text makes loading, compiling or a short run panic or hang: the model files with one or two lines spoilt.

use fourbar::Error;
use fourbar::file::ModelFile;
use fourbar::run::{Overrides, Run};
use proptest::prelude::*;
use std::sync::atomic::AtomicBool;

const MODELS: [&str; 12] = [
    include_str!("../models/andrews.toml"),
    include_str!("../models/double-pendulum.toml"),
    include_str!("../models/four-bar.toml"),
    include_str!("../models/n-four-bar.toml"),
    include_str!("../models/pendulum.toml"),
    include_str!("../models/slider-crank.toml"),
    include_str!("../models/jiang-chai.toml"),
    include_str!("../models/servo.toml"),
    include_str!("../models/fourbar-impact.toml"),
    include_str!("../models/rocking-block.toml"),
    include_str!("../models/newtons-cradle.toml"),
    include_str!("../models/tower.toml"),
];

/// What may stand where a value stood.
const VALUES: [&str; 32] = [
    "0",
    "-1",
    "1e308",
    "-1e308",
    "1e-308",
    "1e-30",
    "0.5",
    "nan",
    "-inf",
    "true",
    "\"\"",
    "\"x\"",
    "\"time\"",
    "\"1/0\"",
    "\"sqrt(-1)\"",
    "\"mass\"",
    "\"energy\"",
    "\"rod\"",
    "\"ground\"",
    "\"revolute\"",
    "\"spherical\"",
    "\"distance\"",
    "\"fixed\"",
    "[]",
    "[0, 0, 0]",
    "[1, 1, 1]",
    "[1e300, 1e300, 1e300]",
    "[1, 1, 2, 0.5, 0.5, 0.5]",
    "{}",
    "{ axis = [0, 0, 1], angle = 1 }",
    "{ body = \"ground\" }",
    "1979-05-27",
];

#[derive(Debug, Clone)]
enum Damage {
    Value(&'static str),
    Key(&'static str),
    Delete,
    Repeat,
    Cut(usize),
}

fn damage() -> impl Strategy<Value = Damage> {
    prop_oneof![
        6 => prop::sample::select(VALUES.to_vec()).prop_map(Damage::Value),
        1 => prop::sample::select(vec!["name", "type", "mass", "i", "j", "position", "frame", "value"]).prop_map(Damage::Key),
        2 => Just(Damage::Delete),
        1 => Just(Damage::Repeat),
        1 => (0..60usize).prop_map(Damage::Cut),
    ]
}

fn spoil(lines: &mut Vec<String>, place: usize, damage: Damage) {
    // Comments and empty lines are no place for damage.
    let places: Vec<_> = (0..lines.len()).filter(|i| !lines[*i].is_empty() && !lines[*i].starts_with('#')).collect();
    let place = places[place % places.len()];
    let line = lines[place].clone();
    let (key, value) = line.split_once('=').unwrap_or((&line, ""));
    match damage {
        Damage::Value(new) => lines[place] = format!("{key}= {new}"),
        Damage::Key(new) => lines[place] = format!("{new} ={value}"),
        Damage::Delete => drop(lines.remove(place)),
        Damage::Repeat => lines.insert(place, line),
        Damage::Cut(length) => lines[place] = line.chars().take(length).collect(),
    }
}

fn spoilt_model() -> impl Strategy<Value = String> {
    let damages = prop::collection::vec((any::<prop::sample::Index>(), damage()), 1..3);
    (prop::sample::select(MODELS.to_vec()), damages).prop_map(|(text, damages)| {
        let mut lines: Vec<_> = text.lines().map(str::to_owned).collect();
        for (place, damage) in damages {
            spoil(&mut lines, place.index(10_000), damage);
        }
        lines.join("\n")
    })
}

/// Loads, compiles and runs for a few steps.
fn attempt(text: &str) -> Result<(), Error> {
    let file = ModelFile::parse("spoilt.toml", text)?;
    let max_steps = file.document().mechanism().filter(|mechanism| !mechanism.has_contacts()).map(|_| 20);
    let overrides = Overrides { end: Some(1e-3), max_steps, ..Overrides::default() };
    let run = Run::new(file.document(), &overrides).map_err(|error| file.explain(error))?;
    let outcome = run.execute(&mut [], &AtomicBool::new(false)).map_err(|error| file.explain(error))?;
    outcome.failure.map_or(Ok(()), Err)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn a_spoilt_model_is_run_or_refused(text in spoilt_model()) {
        if let Err(error) = attempt(&text) {
            let message = error.to_string();
            prop_assert!(message.len() > 20, "{message}");
        }
    }

    #[test]
    fn any_text_is_read_or_refused(text in "\\PC{0,200}") {
        let _ = ModelFile::parse("any", text);
    }
}
