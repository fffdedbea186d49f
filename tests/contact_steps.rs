//! The model files with contacts by fixed steps, all schemes, against their closed forms.

use crate::running;

use fourbar::mechanism::ContactMethod;
use fourbar::results::{ContactDetails, Summary, Table};
use fourbar::run::Overrides;
use running::{assert_near, measure, run};

const G: f64 = 9.81;
const METHODS: [ContactMethod; 3] = [ContactMethod::GapLcp, ContactMethod::MoreauJean, ContactMethod::Ggl];

fn fixed(model: &str, contacts: ContactMethod, step: f64) -> (Summary, Table) {
    run(model, &Overrides { contacts: Some(contacts), step: Some(step), ..Overrides::default() })
}

fn details(summary: &Summary) -> &ContactDetails {
    summary.contact().expect("a mechanism with contacts")
}

fn column(table: &Table, name: &str) -> Vec<f64> {
    let index = table.columns().iter().position(|column| column.name == name).expect("a column");
    table.series(index).collect()
}

/// Time at which a column changes its sign after it was `from`, linear between outputs.
fn crossing(table: &Table, values: &[f64], from: f64) -> f64 {
    let times: Vec<f64> = table.times().to_vec();
    let k = (1..values.len()).find(|&k| values[k - 1] * from > 0.0 && values[k] * from <= 0.0).expect("a crossing");
    times[k - 1] + (times[k] - times[k - 1]) * values[k - 1] / (values[k - 1] - values[k])
}

#[test]
fn the_last_step_ends_at_the_end() {
    // Free fall from 1 m, exact at the ends of steps by `ggl`: a hundredth of a step, three and a third, and two.
    for (step, outputs) in [(10.0, 2), (0.03, 5), (0.05, 3)] {
        let contacts = Some(ContactMethod::Ggl);
        let times = Overrides { end: Some(0.1), output_step: Some(step), ..Overrides::default() };
        let overrides = Overrides { contacts, step: Some(step), ..times };
        let (_, table) = run("bouncing-ball.toml", &overrides);
        assert_eq!(table.times().len(), outputs);
        assert_eq!(table.times().last(), Some(&0.1));
        assert_near(*column(&table, "height").last().unwrap(), 1.0 - 0.5 * G * 0.01, 1e-14);
    }
}

#[test]
fn an_overlap_at_the_start_is_told() {
    let text = std::fs::read_to_string(running::root("models").join("bouncing-ball.toml")).unwrap();
    for (height, told) in [(-0.03, true), (-1e-9, false), (0.5, false)] {
        let lower = text.replace("height = 1 ", &format!("height = {height:?} "));
        assert_ne!(lower, text);
        let file = fourbar::file::ModelFile::parse("ball", lower).unwrap();
        let overrides = Overrides { contacts: Some(ContactMethod::GapLcp), end: Some(0.1), ..Overrides::default() };
        let run = fourbar::run::Run::new(file.document(), &overrides).unwrap();
        let outcome = run.execute(&mut [], &std::sync::atomic::AtomicBool::new(false)).unwrap();
        let warnings = outcome.summary.warnings;
        assert_eq!(warnings.iter().any(|w| w.contains("\"floor\" starts 0.03 m or rad inside")), told, "{warnings:?}");
    }
}

/// Warnings of a model whose text was changed.
fn warned(model: &str, changes: &[(&str, &str)], overrides: &Overrides) -> Vec<String> {
    let mut text = std::fs::read_to_string(running::root("models").join(model)).unwrap();
    for (from, to) in changes {
        assert!(text.contains(from), "{from}");
        text = text.replace(from, to);
    }
    let file = fourbar::file::ModelFile::parse("changed", text).unwrap();
    let run = fourbar::run::Run::new(file.document(), overrides).unwrap();
    run.execute(&mut [], &std::sync::atomic::AtomicBool::new(false)).unwrap().summary.warnings
}

/// Steps far too long for what happens in them, positions not put back, leave a ball inside the floor: told with the contact, the time and the
/// remedy. With short steps nothing is said.
#[test]
fn overlaps_of_steps_are_told() {
    for (step, told) in [("2e-2", true), ("2e-4", false)] {
        let settings = format!(
            "[contacts]\nmethod = \"moreau_jean\"\nstep = {step}\nprojection = {{ iterations = 0 }}\n\n[simulation]"
        );
        let changes = [("[simulation]", &*settings), ("output_step = 5e-3", "output_step = 2e-2")];
        let warnings = warned("bouncing-ball.toml", &changes, &Overrides { end: Some(1.0), ..Overrides::default() });
        let says = |w: &String| {
            w.contains("contact \"floor\" overlaps by 0.0") && w.contains("at t = ") && w.contains("smaller `step`")
        };
        assert_eq!(warnings.iter().any(says), told, "{warnings:?}");
    }
}

/// Under a thousand times gravity boxes fall by more than their size in a step of 5 ms: contacts are looked for as far as that, and the pile that
/// stands so keeps its gaps (boxes were 0.145 m of 0.2 m inside one another).
#[test]
fn piles_stand_under_any_gravity() {
    for gravity in ["-0.00981", "-9.81", "-9810"] {
        let changes = [("gravity = [0, 0, -9.81]", &*format!("gravity = [0, 0, {gravity}]"))];
        let warnings = warned("pile.toml", &changes, &Overrides { end: Some(0.5), ..Overrides::default() });
        assert!(warnings.is_empty(), "{gravity}: {warnings:?}");
    }
}

#[test]
fn the_ball_follows_its_closed_form_to_first_order() {
    let (first, e) = ((2.0 / G).sqrt(), 0.8_f64);
    let height = |time: f64| {
        if time < first {
            return 1.0 - 0.5 * G * time * time;
        }
        let (mut at, mut v) = (first, e * G * first);
        while v > 1e-9 && time > at + 2.0 * v / G {
            (at, v) = (at + 2.0 * v / G, e * v);
        }
        let since = time - at;
        (v * since - 0.5 * G * since * since).max(0.0)
    };
    for method in METHODS {
        for step in [2.5e-3, 1e-3, 5e-4] {
            let (summary, table) = fixed("bouncing-ball.toml", method, step);
            let found = column(&table, "height");
            let sum: f64 = table.times().iter().zip(&found).map(|(t, y)| (y - height(*t)).abs()).sum();
            let error = sum / found.len() as f64;
            assert!(error <= 5.0 * step, "{method:?}, h = {step}: {error:e}");
            // Momentum: zero at both ends but for a hop.
            let given: f64 = column(&table, "floor_impulse").iter().sum();
            assert_near(given, 0.5 * G * 5.0, 2.0 * G * step);
            if method != ContactMethod::MoreauJean {
                assert_near(measure(&summary, "floor_force"), 0.5 * G, 1e-9);
            }
        }
    }
}

#[test]
fn four_points_carry_the_box() {
    for method in METHODS {
        for step in [2e-3, 1e-3, 5e-4] {
            let (summary, table) = fixed("four-points.toml", method, step);
            assert_near(measure(&summary, "floor_force"), 4.0 * G, 1e-6);
            assert_near(measure(&summary, "tilt"), 0.0, 1e-9);
            assert_near(measure(&summary, "height"), 0.0, 5.0 * step * step);
            let height = column(&table, "height");
            let lands = table.times().iter().zip(&height).find(|(_, gap)| **gap < 1e-4).expect("it lands").0;
            assert_near(*lands, (2.0 * 0.1 / G).sqrt(), 2.0 * step + 2e-3);
        }
    }
}

#[test]
fn the_block_on_the_incline_stops_and_does_not_creep() {
    let (sine, cosine) = 20.0_f64.to_radians().sin_cos();
    let decay = G * (sine + 0.5 * cosine);
    for method in METHODS {
        for step in [1e-2, 5e-3, 2.5e-3] {
            let (summary, table) = fixed("incline.toml", method, step);
            let error = (measure(&summary, "x") - 1.5 * 1.5 / (2.0 * decay)).abs();
            assert!(error <= step, "{method:?}, h = {step}: {error:e}");
            let rest = table.times().iter().position(|time| *time > 1.5 / decay + 2.0 * step).unwrap();
            assert!(column(&table, "v")[rest..].iter().all(|speed| speed.abs() <= 1e-10), "{method:?}, h = {step}");
            assert_near(measure(&summary, "normal_force"), 2.0 * G * cosine, 1e-6);
        }
    }
}

#[test]
fn the_block_changes_its_corner_in_time() {
    for method in METHODS {
        for step in [2.5e-3, 1.25e-3, 6.25e-4] {
            let (_, table) = fixed("rocking-block.toml", method, step);
            let angle = column(&table, "angle");
            let found = crossing(&table, &angle, angle[0]);
            assert!((found - 0.273_858_974_782_352).abs() <= 4.0 * step, "{method:?}, h = {step}: {found}");
            // What is left of the rate at the first impact, seen 5 ms before and after: 0.85.
            let (rate, times) = (column(&table, "rate"), table.times());
            let k = times.iter().position(|time| *time > found).unwrap();
            let ratio = rate[k + 1] / rate[k - 2];
            assert!((ratio - 0.85).abs() <= 12.0 * step + 0.02, "{method:?}, h = {step}: {ratio}");
        }
    }
}

#[test]
fn the_balls_of_the_cradle_all_move_when_they_collide_at_once() {
    // (1 - 4 e, 1 + e, ..)/5 of the speed of the first, e = 1: swings as high as their energies say.
    let lift = 20.0_f64.to_radians();
    let swing = |share: f64| (1.0 - share * share * (1.0 - lift.cos())).acos();
    for method in METHODS {
        for step in [2.5e-3, 1e-3, 5e-4] {
            let (summary, table) = fixed("newtons-cradle.toml", method, step);
            let until = table.times().iter().position(|time| *time > 0.8).unwrap();
            let highest =
                |name: &str| column(&table, name)[until / 2..until].iter().fold(0.0_f64, |a, x| a.max(x.abs()));
            for (name, share) in [("first", 0.6), ("second", 0.4), ("fifth", 0.4)] {
                let error = (highest(name) - swing(share)).abs();
                assert!(error <= 4.0 * step, "{method:?}, h = {step}, {name}: {error:e}");
            }
            let violation = details(&summary).violation;
            assert!(violation.joints <= 1e-12 && violation.rates <= 1e-10, "{method:?}: {violation:?}");
        }
    }
}
