//! Flexible bodies of model files: modes of files, included models, what is refused.

use crate::includes::{columns, file_of, series};
use fourbar::analysis::QuasiStatics;
use fourbar::run::{Overrides, Run};

fn far(a: &[f64], b: &[f64]) -> f64 {
    assert_eq!(a.len(), b.len());
    a.iter().zip(b).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max)
}

/// About the vertical, and anywhere.
#[test]
fn a_flexible_body_of_an_included_model_moves_as_it_does_alone() {
    let alone = columns(
        &std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/cases/flexible-link.toml")).unwrap(),
    );
    let whole = columns(
        "gravity = [0, -9.81, 0]\n[simulation]\nend = 0.4\ntolerance = 1e-9\n[[include]]\nname = \"a\"\nfile = \"flexible-link.toml\"\n\
         position = [1, 2, -3]\norientation = { axis = [0, 1, 0], angle = 0.8 }\n",
    );
    for (name, values) in &alone {
        // Steps differ by round-off, and rows with them.
        let last = |values: &[f64]| values[values.len() - 1];
        let (one, other) = (last(values), last(series(&whole, &format!("a.{name}"))));
        assert!((one - other).abs() < 1e-6, "{name}: {one} {other}");
    }
}

fn rod(modes: &str) -> String {
    format!(
        "gravity = [0, -9.81, 0]\n[simulation]\nend = 0.3\n[[flexible]]\nname = \"rod\"\nstiffness_damping = 1e-3\n{modes}\n\
         [[joint]]\nname = \"hinge\"\ntype = \"revolute\"\ni = \"rod/root\"\nj = \"ground\"\n\
         [[measure]]\nname = \"tip\"\ntype = \"position\"\ni = \"rod/tip\"\n"
    )
}

#[test]
fn modes_come_from_toml_and_json() {
    let text =
        std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/cases/flexible-modes.toml")).unwrap();
    let inline = columns(&rod(&format!("[flexible.data]\n{text}")));
    for name in ["flexible-modes.toml", "flexible-modes.json"] {
        let read = columns(&rod(&format!("file = \"{name}\"")));
        for (name, values) in &inline {
            assert_eq!(far(series(&read, name), values), 0.0, "{name}");
        }
        let file = file_of(&rod(&format!("file = \"{name}\""))).unwrap();
        assert!(file.files().iter().any(|file| file.ends_with(name)), "{:?}", file.files());
    }
}

#[test]
fn contacts_refuse_flexible_bodies_by_name() {
    let text = rod("file = \"flexible-modes.toml\"")
        + "[[shape]]\nname = \"ball\"\non = \"rod/tip\"\ntype = \"sphere\"\nradius = 0.05\n\
           [[contact]]\nname = \"floor\"\ntype = \"shapes\"\ni = \"ball\"\nj = \"plane\"\n\
           [[shape]]\nname = \"plane\"\non = { body = \"ground\", position = [0, -2, 0], orientation = { z_axis = [0, 1, 0] } }\ntype = \"half_space\"\n";
    let file = file_of(&text).unwrap_or_else(|e| panic!("{e}"));
    let Err(error) = Run::new(file.document(), &Overrides::default()) else { panic!("not refused") };
    let error = error.to_string();
    assert!(error.contains("rod") && error.contains("flexible body"), "{error}");
}

/// Bodies that carry modal coordinates have no place, and what holds them and the nodes is no joint.
#[test]
fn statics_and_modes_name_modes_and_not_what_carries_them() {
    let text = std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/models/flexible-arm.toml")).unwrap();
    let file = file_of(&text).unwrap();
    let model = file.document().mechanism().unwrap();
    let found = QuasiStatics::new(model, None, None).unwrap().at(0.0).unwrap();
    let bodies: Vec<&str> = found.places.iter().map(|place| place.body.as_str()).collect();
    assert_eq!(bodies, ["load", "rotor", "arm", "arm/start", "arm/end"]);
    assert!(found.reactions.iter().all(|of| !of.name.starts_with("arm")), "{:?}", found.reactions);
    let names: Vec<String> = (1..=found.modes.len()).map(|k| format!("arm mode {k}")).collect();
    assert_eq!(found.modes.iter().map(|(name, _)| name).collect::<Vec<_>>(), names.iter().collect::<Vec<_>>());
    assert_eq!(found.frame().reactions.len(), found.reactions.len() + 2 + names.len().div_ceil(3));
}
