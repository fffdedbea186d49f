//! States and blocks of a mechanism whose contacts are followed event by event: they go on through impacts and while contacts hold.

use crate::running;

use fourbar::file::ModelFile;
use fourbar::results::{Status, Summary, Table};
use fourbar::run::{Overrides, Run};
use proptest::prelude::*;
use running::{assert_near, measure};
use std::sync::atomic::AtomicBool;

/// The end of a run of `text`.
fn ran(text: &str) -> Summary {
    let file = ModelFile::parse("model.toml", text).unwrap_or_else(|error| panic!("{error}"));
    let run =
        Run::new(file.document(), &Overrides::default()).unwrap_or_else(|error| panic!("{}", file.explain(error)));
    let outcome = run.execute(&mut [&mut Table::default()], &AtomicBool::new(false)).unwrap();
    assert_eq!(outcome.summary.status, Status::Done, "{:?}", outcome.failure);
    outcome.summary
}

/// Why `text` does not run.
fn refused(text: &str) -> String {
    let file = ModelFile::parse("model.toml", text).unwrap_or_else(|error| panic!("{error}"));
    let run =
        Run::new(file.document(), &Overrides::default()).unwrap_or_else(|error| panic!("{}", file.explain(error)));
    run.execute(&mut [&mut Table::default()], &AtomicBool::new(false)).unwrap_err().to_string()
}

/// A ball dropped from `height` \[m\] with the restitution 0.8, run to `end` \[s\], and `more` sections.
fn ball(height: f64, end: f64, more: &str) -> String {
    format!(
        r#"
        gravity = [0, 0, -9.81]
        simulation = {{ end = {end} }}
        body = [{{ name = "ball", mass = 0.5, inertia = [1, 1, 1], position = [0, 0, {height}] }}]
        contact = [{{ name = "floor", type = "point_plane", i = "ball", j = "ground", restitution = 0.8 }}]
        measure = [
            {{ name = "z", type = "position", i = "ball", component = "z" }},
            {{ name = "vz", type = "velocity", i = "ball", component = "z" }},
            {{ name = "result", type = "expression", expression = "s" }},
        ]
        {more}
        "#
    )
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    /// s' = vz is the height itself, through every impact and at rest, for balls of any size.
    #[test]
    fn an_integrated_velocity_is_the_way(exponent in -6.0..3.0_f64, times in 0.5..12.0_f64) {
        let height = 10_f64.powf(exponent);
        let end = times * (2.0 * height / 9.81).sqrt();
        let summary = ran(&ball(height, end, &format!("state = [{{ name = \"s\", rate = \"vz\", start = {height} }}]")));
        let (z, s) = (measure(&summary, "z"), measure(&summary, "result"));
        prop_assert!((z - s).abs() <= 1e-9 * height, "{s} instead of {z} from {height}");
    }

    /// What knows nothing of the motion decays as it would alone, whatever its unit and time constant.
    #[test]
    fn a_decay_is_not_touched_by_impacts(exponent in -9.0..9.0_f64, pace in 0.01..100.0_f64) {
        let start = 10_f64.powf(exponent);
        let summary = ran(&ball(1.0, 2.0, &format!("state = [{{ name = \"s\", rate = \"-s/{pace}\", start = {start} }}]")));
        let exact = start * (-2.0 / pace).exp();
        let s = measure(&summary, "result");
        prop_assert!((s - exact).abs() <= 1e-9 * start, "{s} instead of {exact}");
    }
}

/// A controller presses a block against a wall until the force of the wall is what it should be: the integral holds it there.
#[test]
fn a_controller_presses_with_the_force_that_it_is_told() {
    let summary = ran(r#"
        simulation = { end = 3 }
        body = [{ name = "block", mass = 2, inertia = [1, 1, 1], position = [-0.1, 0, 0] }]
        joint = [{ name = "guide", type = "prismatic",
            i = { body = "block", orientation = { z_axis = [1, 0, 0] } }, j = { body = "ground", orientation = { z_axis = [1, 0, 0] } } }]
        contact = [{ name = "wall", type = "joint_stop", joint = "guide", upper = 0 }]
        force = [{ name = "push", type = "force", i = "block", value = ["control", 0, 0] }]
        pid = [{ name = "control", unit = "N", input = "0.05 - x", kp = 200, ki = 20, kd = 5, filter = 0.01, upper = 50, lower = -50 }]
        measure = [
            { name = "x", type = "position", i = "block", component = "x" },
            { name = "pressed", type = "contact", contact = "wall", quantity = "normal_force" },
            { name = "command", type = "expression", expression = "control", unit = "N" },
        ]
    "#);
    assert_near(measure(&summary, "x"), 0.0, 1e-9);
    // The block cannot go to 0.05 m: what the integral has come to is what the wall feels.
    assert_near(measure(&summary, "pressed"), measure(&summary, "command"), 1e-7);
    assert!(measure(&summary, "pressed") > 10.0);
}

#[test]
fn what_cannot_be_solved_with_contacts_says_so() {
    let equation = refused(&ball(1.0, 1.0, "state = [{ name = \"s\", zero = \"s - z\", start = 1 }]"));
    assert!(equation.contains("\"s\"") && equation.contains("rate"), "{equation}");
    let steps =
        ball(1.0, 1.0, "state = [{ name = \"s\", rate = \"-s\", start = 1 }]\ncontacts = { method = \"moreau_jean\" }");
    let steps = refused(&steps);
    assert!(steps.contains("\"s\"") && steps.contains("event"), "{steps}");
}
