//! Model files of chains and ladders of any number of members.
//!
//! Rods are uniform, 1 m and 1 kg, gravity 9.81 m/s^2 in -y.

use std::fmt::Write;

/// Moments of inertia of a rod along x and of one along y.
const ALONG_X: &str = "[0.01, \"1/12\", \"1/12\"]";
const ALONG_Y: &str = "[\"1/12\", 0.01, \"1/12\"]";

fn head(name: &str, end: f64) -> String {
    format!("name = \"{name}\"\ngravity = [0, -9.81, 0]\nsimulation = {{ end = {end} }}\n")
}

fn body(text: &mut String, name: &str, inertia: &str, at: [f64; 2], more: &str) {
    let [x, y] = at;
    // Writing to a String cannot fail.
    let _ = write!(
        text,
        "\n[[body]]\nname = \"{name}\"\nmass = 1\ninertia = {inertia}\nposition = [{x:?}, {y:?}, 0]\n{more}"
    );
}

fn hinge(text: &mut String, name: &str, i: (&str, [f64; 2]), j: (&str, [f64; 2])) {
    let marker = |(body, [x, y]): (&str, [f64; 2])| format!("{{ body = \"{body}\", position = [{x:?}, {y:?}, 0] }}");
    let _ = write!(text, "\n[[joint]]\nname = \"{name}\"\ntype = \"revolute\"\ni = {}\nj = {}\n", marker(i), marker(j));
}

fn measure(text: &mut String, name: &str, kind: &str, more: &str) {
    let _ = write!(text, "\n[[measure]]\nname = \"{name}\"\ntype = \"{kind}\"\n{more}\n");
}

/// n rods in a row on a pivot, horizontal and at rest; `q`, `v`, `a` with the number of a rod are its angle and the rates of it.
pub(super) fn chain(n: usize) -> String {
    let mut text = head(&format!("chain of {n} rods"), 1.0);
    for k in 0..n {
        body(&mut text, &format!("rod{k}"), ALONG_X, [k as f64 + 0.5, 0.0], "");
    }
    for k in 0..n {
        let before = k.checked_sub(1).map(|k| format!("rod{k}"));
        let j = before.as_deref().map_or(("ground", [0.0, 0.0]), |before| (before, [0.5, 0.0]));
        hinge(&mut text, &format!("hinge{k}"), (&format!("rod{k}"), [-0.5, 0.0]), j);
    }
    for k in 0..n {
        let i = format!("i = \"rod{k}\"");
        measure(&mut text, &format!("q{k}"), "angle", &i);
        measure(&mut text, &format!("v{k}"), "angular_velocity", &format!("{i}\ncomponent = \"z\""));
        measure(&mut text, &format!("a{k}"), "angular_acceleration", &format!("{i}\ncomponent = \"z\""));
    }
    text
}

/// IFToMM problem A02: n + 1 rods on pivots a metre apart, n couplers between their tops, upright, the tops moving at 1 m/s.
pub(super) fn ladder(n: usize) -> String {
    let mut text = head(&format!("A02 {n} four-bars in a row"), 0.5);
    for k in 0..=n {
        let moving = "velocity = [0.5, 0, 0]\nangular_velocity = [0, 0, -1]\n";
        body(&mut text, &format!("rod{k}"), ALONG_Y, [k as f64, 0.5], moving);
    }
    for k in 0..n {
        body(&mut text, &format!("coupler{k}"), ALONG_X, [k as f64 + 0.5, 1.0], "velocity = [1, 0, 0]\n");
    }
    for k in 0..=n {
        hinge(&mut text, &format!("A{k}"), (&format!("rod{k}"), [0.0, -0.5]), ("ground", [k as f64, 0.0]));
    }
    for k in 0..n {
        for (name, x, rod) in [("B", -0.5, k), ("C", 0.5, k + 1)] {
            let top = format!("rod{rod}");
            hinge(&mut text, &format!("{name}{k}"), (&format!("coupler{k}"), [x, 0.0]), (&top, [0.0, 0.5]));
        }
    }
    let down = "j = { body = \"ground\", orientation = { axis = [1, 0, 0], angle = \"180 deg\" } }";
    measure(&mut text, "theta", "angle", &format!("i = \"rod0\"\n{down}"));
    for (name, kind) in [("B0", "position"), ("vB0", "velocity"), ("aB0", "acceleration")] {
        measure(&mut text, name, kind, "i = { body = \"rod0\", position = [0, 0.5, 0] }");
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::file::ModelFile;
    use fourbar_multibody::Mechanism;
    use proptest::prelude::*;

    fn compiled(text: String) -> Mechanism {
        let file = ModelFile::parse("made.toml", text).unwrap();
        Mechanism::compile(&file.document().mechanism().unwrap().model).unwrap()
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(12))]
        #[test]
        fn any_number_of_members_makes_a_model(n in 1_usize..24) {
            prop_assert_eq!(compiled(chain(n)).degrees_of_freedom(), n);
            let ladder = compiled(ladder(n));
            prop_assert_eq!((ladder.degrees_of_freedom(), ladder.redundancies().len()), (1, 3 * n));
        }
    }
}
