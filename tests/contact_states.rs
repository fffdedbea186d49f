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

/// Why a run of `text` ends.
fn refused(text: &str) -> String {
    let file = ModelFile::parse("model.toml", text).unwrap_or_else(|error| panic!("{error}"));
    let run =
        Run::new(file.document(), &Overrides::default()).unwrap_or_else(|error| panic!("{}", file.explain(error)));
    let outcome = run.execute(&mut [&mut Table::default()], &AtomicBool::new(false)).unwrap();
    outcome.failure.expect("a run that ends").to_string()
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
    for method in METHODS {
        presses(method);
    }
}

fn presses(method: &str) {
    let summary = ran(&format!(
        "{method}\n{}",
        r#"
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
    "#
    ));
    assert_near(measure(&summary, "x"), 0.0, 1e-9);
    // The block cannot go to 0.05 m: what the integral has come to is what the wall feels, by fixed steps one step later.
    let late = if method.contains("event") { 1e-7 } else { 2e-3 };
    assert_near(measure(&summary, "pressed"), measure(&summary, "command"), late);
    assert!(measure(&summary, "pressed") > 10.0);
}

/// An equation without a rate holds in every row, through impacts, by events and by fixed steps.
#[test]
fn an_equation_holds_through_impacts() {
    for method in METHODS {
        let state = format!("state = [{{ name = \"s\", zero = \"s^3 + s - 2*z - vz\", start = 1 }}]\n{method}");
        for end in [0.3, 0.9, 1.7] {
            let summary = ran(&ball(1.0, end, &state));
            let [z, vz, s] = ["z", "vz", "result"].map(|name| measure(&summary, name));
            assert_near(s * s * s + s, 2.0 * z + vz, 1e-9);
        }
    }
}

/// From rest at zero, where it has no size yet: what follows from others decides on no step.
#[test]
fn an_equation_that_begins_at_zero_costs_no_steps() {
    let text = |state: &str, push: &str| {
        format!(
            r#"
        gravity = [0, 0, -9.81]
        simulation = {{ end = 0.1, tolerance = 1e-9 }}
        body = [{{ name = "ball", mass = 0.5, inertia = [1, 1, 1], position = [0, 0, 0.005] }}]
        contact = [{{ name = "floor", type = "point_plane", i = "ball", j = "ground", restitution = 0.5 }}]
        force = [{{ name = "push", type = "force", i = "ball", value = ["{push}", 0, 0] }}]
        measure = [{{ name = "x", type = "position", i = "ball", component = "x" }}]
        {state}
    "#
        )
    };
    let steps = |text: &str| ran(text).contact().unwrap().statistics.steps;
    let state = "state = [{ name = \"s\", zero = \"s^3 + s - 10*x\" }]";
    let (without, with) = (steps(&text("", "1 - x")), steps(&text(state, "1 - s")));
    assert!(with <= 2 * without, "{with} steps with it, {without} without");
}

const METHODS: [&str; 4] = [
    "contacts = { method = \"event\" }",
    "contacts = { method = \"gap_lcp\", step = 1e-3 }",
    "contacts = { method = \"moreau_jean\", step = 1e-3 }",
    "contacts = { method = \"ggl\", step = 1e-3 }",
];

/// By fixed steps a stiff decay ends at zero, one of the motion's pace is of second order, and one that a break in time ends stops there.
#[test]
fn states_go_along_with_fixed_steps() {
    for method in &METHODS[1..] {
        for (rate, exact, allowed) in [
            ("-s/1e-7", 0.0, 1e-12),
            ("-3*s", (-6.0_f64).exp(), 3e-8),
            ("if(time < 0.50037, 1, 0)", 1.50037, 1e-12),
            ("1000*(sin(20*time) - s)", (40.0_f64.sin() - 0.02 * 40.0_f64.cos()) / (1.0 + 0.0004), 1e-5),
        ] {
            let state = format!("state = [{{ name = \"s\", rate = \"{rate}\", start = 1 }}]\n{method}");
            let s = measure(&ran(&ball(1.0, 2.0, &state)), "result");
            assert!((s - exact).abs() <= allowed, "{method} {rate}: {s} instead of {exact}");
        }
        let state = format!("state = [{{ name = \"s\", rate = \"vz\", start = 1 }}]\n{method}");
        let summary = ran(&ball(1.0, 2.0, &state));
        assert_near(measure(&summary, "result"), measure(&summary, "z"), 2e-2);
    }
}

#[test]
fn an_equation_without_a_solution_says_so() {
    for method in METHODS {
        let text =
            ball(1.0, 1.0, &format!("state = [{{ name = \"s\", zero = \"s^2 + 0.5 - z\", start = 1 }}]\n{method}"));
        let error = refused(&text);
        assert!(error.contains("\"s\"") && (error.contains("zero") || error.contains("equation")), "{method}: {error}");
    }
}
