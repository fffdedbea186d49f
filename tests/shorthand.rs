//! Short forms of model files: what they stand for gives the same results, and what does not say enough is refused where it stands.

use super::includes::{columns, series};
use fourbar::file::ModelFile;

/// A crank, a rod and a slider on an inclined guide, drawn turned, with markers for all joints.
const LONG: &str = r#"
gravity = [0, -9.81, 0]
[simulation]
end = 0.3
output_step = 0.01
tolerance = 1e-9
[parameters]
tilt = "20 deg"
[[body]]
name = "crank"
mass = 1
inertia = [1e-3, 1e-2, 1e-2]
position = [0.1, 0.2, 0]
orientation = { axis = [0, 0, 1], angle = "90 deg" }
[[body]]
name = "rod"
mass = 2
inertia = [1e-3, 2e-2, 2e-2]
position = [0.1, 0.5, 0]
[[body]]
name = "slider"
mass = 3
inertia = [1e-2, 1e-2, 1e-2]
position = [0.5, 0.5, 0]
"#;

const BY_MARKERS: &str = r#"
[[joint]]
name = "bearing"
type = "revolute"
i = { body = "crank" }
j = { body = "ground", position = [0.1, 0.2, 0] }
[[joint]]
name = "pin"
type = "revolute"
i = { body = "rod" }
j = { body = "crank", position = [0.3, 0, 0] }
[[joint]]
name = "gudgeon"
type = "revolute"
i = { body = "slider" }
j = { body = "rod", position = [0.4, 0, 0] }
[[joint]]
name = "guide"
type = "prismatic"
i = { body = "slider", orientation = { z_axis = ["cos(tilt)", "sin(tilt)", 0] } }
j = { body = "ground", position = [0.5, 0.5, 0], orientation = { z_axis = ["cos(tilt)", "sin(tilt)", 0] } }
[[motion]]
name = "drive"
joint = "bearing"
velocity = 6
[[force]]
name = "spring"
type = "torsion_spring_damper"
i = { body = "rod" }
j = { body = "crank", position = [0.3, 0, 0] }
stiffness = 20
damping = 0.1
[[measure]]
name = "angle"
type = "angle"
i = { body = "rod" }
j = { body = "crank", position = [0.3, 0, 0] }
[[measure]]
name = "effort"
type = "reaction"
motion = "drive"
quantity = "torque"
[[measure]]
name = "moment"
type = "reaction"
force = "spring"
quantity = "torque"
[[measure]]
name = "hold"
type = "reaction"
joint = "gudgeon"
quantity = "force"
[[measure]]
name = "place"
type = "position"
i = "slider"
"#;

const SHORT: &str = r#"
[[joint]]
name = "bearing"
type = "revolute"
at = [0.1, "200 mm", 0]
i = "crank"
j = "ground"
[[joint]]
name = "pin"
type = "revolute"
at = [0.1, 0.5, 0]
axis = [0, 0, 2]
i = "rod"
j = "crank"
[[joint]]
name = "gudgeon"
type = "revolute"
at = [0.5, 0.5, 0]
i = "slider"
j = "rod"
[[joint]]
name = "guide"
type = "prismatic"
at = [0.5, 0.5, 0]
axis = ["cos(tilt)", "sin(tilt)", 0]
i = "slider"
j = "ground"
[[motion]]
name = "drive"
joint = "bearing"
velocity = 6
[[force]]
name = "spring"
type = "torsion_spring_damper"
joint = "pin"
stiffness = 20
damping = 0.1
[[measure]]
name = "angle"
type = "angle"
joint = "pin"
[[measure]]
name = "effort"
type = "reaction"
motion = "drive"
[[measure]]
name = "moment"
type = "reaction"
force = "spring"
[[measure]]
name = "hold"
type = "reaction"
joint = "gudgeon"
[[measure]]
name = "place"
type = "position"
i = "slider"
"#;

#[test]
fn short_forms_give_the_same_results() {
    // The axes of markers in place of the drawing differ: angles by what the bodies are turned against each other, here a quarter.
    let (long, short) = (columns(&format!("{LONG}{BY_MARKERS}")), columns(&format!("{LONG}{SHORT}")));
    assert_eq!(long.len(), short.len());
    for (name, values) in &long {
        let others = series(&short, name);
        let offset = if name == "angle" { std::f64::consts::FRAC_PI_2 } else { 0.0 };
        let size = values.iter().fold(1e-3_f64, |a, v| a.max(v.abs()));
        if name != "angle" && !name.starts_with("place") {
            // The spring is at rest where x axes are parallel: other forces, compared below.
            continue;
        }
        for (value, other) in values.iter().zip(others) {
            assert!((value + offset - other).abs() < 1e-6 * size, "{name}: {value} {other}");
        }
    }
}

#[test]
fn reactions_have_the_quantity_of_their_element() {
    let without = |text: &str| text.replace("quantity = \"torque\"\n", "").replace("quantity = \"force\"\n", "");
    let long = format!("{LONG}{BY_MARKERS}");
    assert_ne!(without(&long), long);
    assert_eq!(columns(&without(&long)), columns(&long));
    let by_joint = long.replace(
        "type = \"torsion_spring_damper\"\ni = { body = \"rod\" }\nj = { body = \"crank\", position = [0.3, 0, 0] }",
        "type = \"torsion_spring_damper\"\njoint = \"pin\"",
    );
    assert_ne!(by_joint, long);
    assert_eq!(columns(&by_joint), columns(&long));
}

#[test]
fn short_forms_that_do_not_say_enough_are_refused() {
    for (from, to, problem) in [
        ("at = [0.5, 0.5, 0]\naxis", "axis", "`axis` needs `at`"),
        ("type = \"prismatic\"\nat", "type = \"universal\"\nat", "it has two axes"),
        ("i = \"crank\"\nj", "i = { body = \"crank\" }\nj", "is the name of a body"),
        ("i = \"crank\"\nj", "i = \"crunk\"\nj", "crunk"),
        ("joint = \"pin\"\nstiffness", "joint = \"pim\"\nstiffness", "there is no joint \"pim\""),
        ("joint = \"pin\"\nstiffness", "joint = \"pin\"\ni = \"rod\"\nstiffness", "leave `i` out"),
        ("at = [0.5, 0.5, 0]\naxis", "at = [0.5, 0.5]\naxis", "at"),
    ] {
        assert!(SHORT.contains(from), "{from}");
        let text = format!("{LONG}{}", SHORT.replacen(from, to, 1));
        let told = match ModelFile::parse("model.toml", &text) {
            Err(error) => error.to_string(),
            Ok(file) => {
                let run = fourbar::run::Run::new(file.document(), &fourbar::run::Overrides::default());
                file.explain_start(run.map(|_| ()).unwrap_err()).to_string()
            }
        };
        assert!(told.contains(problem), "{to}: {told}");
        // Within the entry that is wrong.
        let line: usize =
            told.split("model.toml:").nth(1).and_then(|rest| rest.split(':').next()?.parse().ok()).unwrap();
        let place = LONG.len() + SHORT.find(from).unwrap();
        let wrong = 1 + text[..place].matches('\n').count();
        assert!((wrong.saturating_sub(4)..=wrong + 4).contains(&line), "{wrong}: {told}");
    }
}
