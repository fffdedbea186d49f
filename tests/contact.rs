//! The model files with contacts against their closed forms.

use crate::running;

use fourbar::Document;
use fourbar::coupled::{CoupledModel, SimulatorModel};
use fourbar::file::ModelFile;
use fourbar::mechanism::ContactMethod;
use fourbar::results::{ContactDetails, ContactEvent, Summary, Table};
use fourbar::run::{Overrides, Run};
use running::{assert_near, measure, run};
use std::sync::atomic::AtomicBool;

const G: f64 = 9.81;

fn details(summary: &Summary) -> &ContactDetails {
    summary.contact().expect("a mechanism with contacts")
}

fn events<'a>(summary: &'a Summary, kind: &'a str) -> impl Iterator<Item = &'a ContactEvent> {
    details(summary).events.iter().filter(move |event| event.kind == kind)
}

fn column(table: &Table, name: &str) -> Vec<f64> {
    let index = table.columns().iter().position(|column| column.name == name).expect("a column");
    table.series(index).collect()
}

/// The four-bar of `models/fourbar-impact.toml`: theta'' = T/I between impacts (docs/contact.md).
struct FourBar {
    alpha: f64,
    first: f64,
    corner: f64,
}

const E: f64 = 0.8;

impl FourBar {
    fn new() -> Self {
        let (alpha, corner) = (10.0 / (0.032 / 3.0), (-0.3_f64).acos());
        Self { alpha, corner, first: (2.0 * (corner - std::f64::consts::FRAC_PI_2) / alpha).sqrt() }
    }

    fn impact(&self, k: i32) -> f64 {
        self.first * (1.0 + 2.0 * (1..k).map(|j| E.powi(j)).sum::<f64>())
    }

    fn closing_speed(&self, k: i32) -> f64 {
        0.2 * self.corner.sin() * self.alpha * self.first * E.powi(k - 1)
    }

    fn x(&self, time: f64) -> f64 {
        if time < self.first {
            return 0.2 * (std::f64::consts::FRAC_PI_2 + 0.5 * self.alpha * time * time).cos();
        }
        let k = (1..400).rev().find(|&k| self.impact(k) <= time).unwrap();
        let (since, rebound) = (time - self.impact(k), E.powi(k) * self.alpha * self.first);
        let angle = -rebound * since + 0.5 * self.alpha * since * since;
        0.2 * (self.corner + angle.min(0.0)).cos()
    }
}

#[test]
fn the_four_bar_meets_the_wall_as_its_closed_form_does_and_rests_there() {
    let (summary, table) = run("fourbar-impact.toml", &Overrides::default());
    let exact = FourBar::new();
    let impacts: Vec<_> = events(&summary, "impact").collect();
    let fast = (1..).take_while(|&k| exact.closing_speed(k) >= 1e-3).count();
    assert!(impacts.len() >= fast, "{}", impacts.len());
    for (k, impact) in (1..).zip(&impacts[..fast]) {
        assert_near(impact.time, exact.impact(k), 1e-9);
        let tolerance = if exact.closing_speed(k) >= 1e-2 { 1e-8 } else { 1e-6 };
        assert_near(impact.closing_speed / exact.closing_speed(k), 1.0, tolerance);
    }
    let point = events(&summary, "accumulation").next().unwrap();
    assert_near(point.time, exact.first * (1.0 + E) / (1.0 - E), 1e-8);
    assert_near(measure(&summary, "wall_force"), 52.414_241_836_095_91, 1e-7);
    for (time, x) in table.times().iter().zip(column(&table, "a.x")) {
        assert_near(x, exact.x(*time), 2e-8);
    }
    let violation = details(&summary).violation;
    assert!(violation.joints <= 1e-12 && violation.rates <= 1e-10 && violation.penetration <= 1e-12, "{violation:?}");
    // From 0.249 s to 0.4 s it rests.
    let impulse: f64 = column(&table, "contact_impulse")[250..].iter().sum();
    assert_near(impulse, 52.414_241_836_095_91 * 0.151, 1e-6);
}

#[test]
fn the_reaction_of_a_joint_holds_what_the_wall_pushes() {
    // At rest torque and wall hold each other on bar 1 alone; its pivot takes the push of the wall.
    let (summary, _) = run("fourbar-impact.toml", &Overrides::default());
    assert_near(measure(&summary, "pivot_force"), -measure(&summary, "wall_force"), 1e-8);
}

#[test]
fn fixed_steps_follow_the_four_bar_to_first_order() {
    let exact = FourBar::new();
    let error = |method, step: f64| {
        let overrides = Overrides { contacts: Some(method), step: Some(step), ..Overrides::default() };
        let (summary, table) = run("fourbar-impact.toml", &overrides);
        let x = column(&table, "a.x");
        let sum: f64 = table.times().iter().zip(&x).map(|(t, x)| (x - exact.x(*t)).abs()).sum();
        (sum / x.len() as f64, details(&summary).violation)
    };
    for method in [ContactMethod::GapLcp, ContactMethod::MoreauJean, ContactMethod::Ggl] {
        let ((coarse, _), (fine, violation)) = (error(method, 1e-3), error(method, 1e-4));
        assert!(fine <= 4e-4 && fine < 0.3 * coarse, "{method:?}: {coarse:e} {fine:e}");
        assert!(violation.joints <= 1e-12 && violation.rates <= 1e-10, "{method:?}: {violation:?}");
        assert!(method != ContactMethod::GapLcp || violation.penetration <= 1e-12, "{violation:?}");
    }
}

#[test]
fn the_ball_comes_to_rest_when_its_impacts_accumulate() {
    let (summary, table) = run("bouncing-ball.toml", &Overrides::default());
    let first = (2.0 / G).sqrt();
    let expected = (1..).map(|k| first * (1.0 + 2.0 * (1..k).map(|j| E.powi(j)).sum::<f64>()));
    let impacts: Vec<_> = events(&summary, "impact").collect();
    for (impact, time) in impacts.iter().zip(expected).take(30) {
        assert_near(impact.time, time, 1e-9);
    }
    assert!(impacts.len() >= 30);
    let point = events(&summary, "accumulation").next().unwrap();
    assert_near(point.time, first * (1.0 + E) / (1.0 - E), 1e-8);
    assert_near(measure(&summary, "floor_force"), 0.5 * G, 1e-9);
    // All that the floor gave is what gravity took: momentum is zero at both ends.
    assert_near(column(&table, "floor_impulse").iter().sum(), 0.5 * G * 5.0, 1e-6);
}

#[test]
fn a_cradle_passes_the_blow_on_one_after_the_other() {
    let (summary, table) = run("newtons-cradle.toml", &Overrides::default());
    // I omega^2/2 = m g l (1 - cos lift) about the pivot.
    let (m, l, r, lift) = (0.1, 0.3, 0.02_f64, 20.0_f64.to_radians());
    let inertia = m * l * l + 0.04 * r * r;
    let speed = l * (2.0 * m * G * l * (1.0 - lift.cos()) / inertia).sqrt();
    let impacts: Vec<_> = events(&summary, "impact").collect();
    let first: Vec<_> = impacts.iter().filter(|impact| impact.time == impacts[0].time).collect();
    assert_near(first[0].closing_speed, speed, 1e-8);
    assert!(impacts.iter().all(|impact| impact.energy.abs() < 1e-12), "nothing is lost");
    // The fifth ball flies as high as the first was lifted; those between hang still.
    let highest = column(&table, "fifth").iter().fold(0.0_f64, |a, x| a.max(x.abs()));
    assert_near(highest, lift, 1e-4);
    for name in ["second", "third", "fourth"] {
        assert!(column(&table, name).iter().all(|angle| angle.abs() < 1e-6), "{name}");
    }
    let energy = column(&table, "total_energy");
    assert!(energy.iter().all(|e| (e - energy[0]).abs() < 1e-9), "{:?}", energy.last());
}

#[test]
fn the_block_stops_on_the_incline_and_does_not_creep() {
    let (summary, table) = run("incline.toml", &Overrides::default());
    let (sine, cosine) = 20.0_f64.to_radians().sin_cos();
    let decay = G * (sine + 0.5 * cosine);
    assert_near(measure(&summary, "x"), 1.5 * 1.5 / (2.0 * decay), 1e-9);
    let stop = 1.5 / decay;
    assert_near(events(&summary, "stuck").next().unwrap().time, stop, 1e-8);
    let rest = table.times().iter().position(|time| *time > stop).unwrap();
    assert!(column(&table, "v")[rest..].iter().all(|speed| speed.abs() <= 1e-10));
    assert_near(measure(&summary, "normal_force"), 2.0 * G * cosine, 1e-8);
    // While it slides, friction is at its limit.
    assert_near(column(&table, "friction_force")[5], G * cosine, 1e-8);
}

#[test]
fn the_block_rocks_by_its_closed_form() {
    let (summary, _) = run("rocking-block.toml", &Overrides::default());
    let impacts: Vec<_> = events(&summary, "impact").collect();
    assert_near(impacts[0].time, 0.273_858_974_782_352, 1e-8);
    // T+/T- = 0.85^2 in each change of the corner; the energy is that of the height from which it fell.
    let (b, h, m) = (0.1_f64, 0.3_f64, 3.0);
    let (alpha, radius) = ((b / h).atan(), b.hypot(h));
    let fallen = m * G * radius * ((0.5 * alpha).cos() - alpha.cos());
    let lost: f64 = impacts.iter().filter(|i| i.time == impacts[0].time).map(|i| i.energy).sum();
    assert_near(lost, -(1.0 - 0.85_f64.powi(2)) * fallen, 1e-7);
}

#[test]
fn four_points_carry_the_weight_of_a_box_that_does_not_tilt() {
    let (summary, _) = run("four-points.toml", &Overrides::default());
    assert_near(events(&summary, "impact").next().unwrap().time, (2.0 * 0.1 / G).sqrt(), 1e-9);
    assert_near(measure(&summary, "floor_force"), 4.0 * G, 1e-8);
    assert_near(measure(&summary, "height"), 0.0, 1e-12);
    assert_near(measure(&summary, "tilt"), 0.0, 1e-10);
}

#[test]
fn the_tower_stands_under_its_heavy_top() {
    let (summary, _) = run("tower.toml", &Overrides::default());
    let weight = (9.0 * 8.0 + 800.0) * G;
    assert_near(measure(&summary, "floor_force"), weight, 1e-4 * weight);
    assert!(details(&summary).violation.overlap_at_end <= 1e-4, "{:?}", details(&summary).violation);
    assert_near(measure(&summary, "top.z"), 1.9, 1e-4);
}

#[test]
fn the_pile_comes_to_rest_with_its_weight_on_the_floor() {
    let (summary, _) = run("pile.toml", &Overrides::default());
    let weight = 100.0 * 8.0 * G;
    assert_near(measure(&summary, "floor_force"), weight, 0.05 * weight);
    assert!(measure(&summary, "kinetic_energy") < 1e-3 * weight * 0.1);
    assert!(details(&summary).violation.overlap_at_end <= 1e-4, "{:?}", details(&summary).violation);
}

#[test]
fn what_friction_takes_is_what_the_block_has_lost() {
    let (summary, _) = run("incline.toml", &Overrides { end: Some(1.0), ..Overrides::default() });
    let energy = details(&summary).energy;
    let lost = energy.kinetic + energy.potential - energy.start;
    // The power of friction is linear in time: what is left is round-off of 1 J.
    assert!(lost < -1.0 && (energy.friction.unwrap() - lost).abs() < 1e-9, "{energy:?}");
}

#[test]
fn measures_of_contacts_that_a_simulator_leaves_out_are_named() {
    let file = ModelFile::load(running::root("models/incline.toml")).unwrap();
    let mut coupled = CoupledModel::around(file.document()).unwrap();
    // By itself it would have them.
    let other = SimulatorModel { name: "other".to_owned(), ..coupled.simulators[0].clone() };
    coupled.simulators.push(other);
    let overrides = Overrides { end: Some(0.02), step: Some(0.01), ..Overrides::default() };
    let run = Run::new(&Document::Coupled(Box::new(coupled)), &overrides).unwrap();
    let outcome = run.execute(&mut [], &AtomicBool::new(false)).unwrap();
    let told = |text: &String| text.contains("\"normal_force\"") && text.contains("left out");
    assert!(outcome.summary.warnings.iter().any(told), "{:?}", outcome.summary.warnings);
}
