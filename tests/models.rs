//! The model files against closed forms and independent reference solutions.

use crate::running;

use fourbar::file::ModelFile;
use fourbar::results::{MechanismDetails, Summary};
use fourbar::run::Overrides;
use running::{assert_near, measure, root, run};
use serde_json::Value;
use std::f64::consts::FRAC_PI_2;

fn reference() -> Value {
    let text = std::fs::read_to_string(root("tests/reference/multibody/models.json")).unwrap();
    serde_json::from_str(&text).unwrap()
}

fn with(tolerance: Option<f64>, end: Option<f64>, formulation: Option<&str>) -> Overrides {
    Overrides { tolerance, end, formulation: formulation.map(str::to_owned), ..Overrides::default() }
}

/// Largest relative error of the seven angles at the end.
fn andrews_error(summary: &Summary) -> f64 {
    let reference = &reference()["andrews"];
    let last = reference["samples"].as_array().unwrap().last().unwrap();
    assert_eq!(last["t"], summary.end_time);
    let names = reference["order"].as_array().unwrap().iter();
    let values = last["q"].as_array().unwrap().iter();
    let error = |(name, value): (&Value, &Value)| {
        let value = value.as_f64().unwrap();
        ((measure(summary, name.as_str().unwrap()) - value) / value).abs()
    };
    names.zip(values).map(error).fold(0.0, f64::max)
}

#[test]
fn andrews_mechanism_to_a_millionth_in_both_formulations() {
    let (default, _) = run("andrews.toml", &Overrides::default());
    assert!(andrews_error(&default) < 1e-6, "{:e}", andrews_error(&default));
    let violation = default.mechanism().unwrap().violation;
    assert!(violation.position < 1e-9 && violation.velocity < 1e-7, "{violation:?}");
    let (index_3, _) = run("andrews.toml", &with(Some(1e-11), None, Some("i3")));
    assert!(andrews_error(&index_3) < 1e-6, "{:e}", andrews_error(&index_3));
}

#[test]
fn andrews_mechanism_in_between() {
    let (summary, table) = run("andrews.toml", &Overrides::default());
    let beta = summary.last.iter().position(|(column, _)| column.name == "beta").unwrap();
    let samples = reference()["andrews"]["samples"].as_array().unwrap().clone();
    assert!(samples.len() >= 6);
    for sample in samples {
        let (time, angles) = (sample["t"].as_f64().unwrap(), &sample["q"]);
        let row = table.times().iter().position(|t| (t - time).abs() < 1e-12).unwrap();
        let value = table.series(beta).nth(row).unwrap();
        assert_near(value, angles[0].as_f64().unwrap(), 1e-5);
    }
}

#[test]
fn the_pendulum_comes_back_after_fifty_periods() {
    let error = |tolerance| {
        let (summary, _) = run("pendulum.toml", &with(Some(tolerance), None, None));
        (measure(&summary, "angle") / FRAC_PI_2 - 1.0).abs()
    };
    let (coarse, fine) = (error(1e-8), error(1e-9));
    assert!(fine < 1e-6 && fine < coarse, "{coarse:e} {fine:e}");
}

#[test]
fn the_n_four_bar_falls_as_its_closed_form_does() {
    let sample = reference()["A02_N2"]["samples"][1].clone();
    let (summary, _) = run("n-four-bar.toml", &with(None, sample["t"].as_f64(), None));
    assert_near(measure(&summary, "theta"), sample["theta"].as_f64().unwrap(), 1e-6);
    for (key, names) in [("B0", ["B0.x", "B0.y"]), ("vB0", ["vB0.x", "vB0.y"])] {
        for (name, value) in names.iter().zip(sample[key].as_array().unwrap()) {
            let value = value.as_f64().unwrap();
            assert_near(measure(&summary, name), value, 1e-6 * value.abs());
        }
    }
}

#[test]
fn the_double_pendulum_follows_an_independent_solution_while_it_can_be_foretold() {
    let samples = reference()["chain_N2"]["samples"].as_array().unwrap().clone();
    let sample =
        samples.iter().find(|sample| sample["t"] == 1.0).or_else(|| samples.iter().find(|s| s["t"] == 1)).unwrap();
    let (summary, _) = run("double-pendulum.toml", &with(Some(1e-9), Some(1.0), None));
    for (name, value) in ["upper_angle", "lower_angle"].iter().zip(sample["q"].as_array().unwrap()) {
        assert_near(measure(&summary, name), value.as_f64().unwrap(), 1e-6);
    }
}

#[test]
fn the_slider_crank_keeps_to_its_closed_form_and_the_motion_pays_for_the_energy() {
    let (summary, table) = run("slider-crank.toml", &Overrides::default());
    let error = summary.last.iter().position(|(column, _)| column.name == "stroke_error").unwrap();
    assert!(table.series(error).all(|error| error.abs() < 1e-8));
    // Acceleration of the slider by the second derivative of the closed form.
    let (r, l, w) = (0.1_f64, 0.3_f64, 30.0_f64);
    let (sine, cosine) = (w * summary.end_time).sin_cos();
    let root = (l * l - (r * sine).powi(2)).sqrt();
    let inner = r * r * sine * cosine / root;
    let acceleration = w * w * (-r * cosine - r * r * (cosine * cosine - sine * sine) / root - inner * inner / root);
    assert_near(measure(&summary, "acceleration"), acceleration, 1e-6 * acceleration.abs());
    let energy = summary.mechanism().unwrap().energy;
    assert!(energy.work.abs() > 0.1);
    assert!(energy.balance_error.abs() < 1e-3 * energy.work.abs(), "{energy:?}");
}

#[test]
fn the_quarter_car_runs_up_its_step_and_has_the_modes_it_says() {
    let (summary, table) = run("quarter-car.toml", &with(Some(1e-8), Some(6.0), None));
    // 2 cm higher, its springs as long as before.
    let rest = |height: f64| height - 250.0 * 9.81 / 16e3 - 290.0 * 9.81 / 190e3;
    // Of the bounce exp(-1.72*5.5) of 2 cm is left, its amplitude somewhat more by damper and tyre.
    assert_near(measure(&summary, "body"), rest(0.82), 2.0 * 0.02 * (-1.72_f64 * 5.5).exp());
    let tyre = summary.last.iter().position(|(column, _)| column.name == "tyre").unwrap();
    assert_near(table.series(tyre).next().unwrap(), 290.0 * 9.81, 1e-6);
    let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("models/quarter-car.toml");
    let mut file = fourbar::file::ModelFile::load(path).unwrap();
    file.set_parameter("c_damper", 0.0.into()).unwrap();
    let model = file.document().mechanism().unwrap();
    let mut point = fourbar::analysis::OperatingPoint::new(model, fourbar::analysis::At::Auto).unwrap();
    let linearization = point.linearize().unwrap();
    let modes = fourbar::analysis::Modes::new(&point, &linearization).unwrap().modes;
    // det(K - w^2 M) = 0 of the two masses.
    let (sum, product): (f64, f64) = (16e3 / 250.0 + 206e3 / 40.0, 16e3 * 190e3 / (250.0 * 40.0));
    let root = (0.25 * sum * sum - product).sqrt();
    for (mode, square) in modes.iter().zip([0.5 * sum - root, 0.5 * sum + root]) {
        assert_near(mode.eigenvalue.im, square.sqrt(), 1e-8 * square.sqrt());
    }
    assert!(modes[0].frequency() > 1.22 && modes[0].frequency() < 1.23 && modes[1].frequency() > 11.4);
}

#[test]
fn the_four_bar_closes_and_its_energy_balances() {
    let (summary, table) = run("four-bar.toml", &Overrides::default());
    let MechanismDetails { violation, energy, .. } = summary.mechanism().unwrap();
    assert!(violation.position < 1e-8, "{violation:?}");
    assert!(measure(&summary, "crank_angle") > 10.0, "the crank turns fully");
    assert!(energy.work < 0.0, "a damper takes energy");
    assert!(energy.balance_error.abs() < 1e-3 * energy.start, "{energy:?}");
    // The rocker never leaves the range that Grashof's linkage allows: 0.1, 0.35, 0.3 on a base of 0.4 m.
    let rocker = summary.last.iter().position(|(column, _)| column.name == "rocker_angle").unwrap();
    let angle = |reach: f64| std::f64::consts::PI - ((0.4f64.powi(2) + 0.3f64.powi(2) - reach.powi(2)) / 0.24).acos();
    let (low, high) = (angle(0.45), angle(0.25));
    assert!(table.series(rocker).all(|angle| angle > low - 1e-6 && angle < high + 1e-6), "{low} {high}");
}

#[test]
fn every_model_file_says_what_it_shows() {
    let mut count = 0;
    for entry in std::fs::read_dir(root("models")).unwrap() {
        let path = entry.unwrap().path();
        let text = std::fs::read_to_string(&path).unwrap();
        assert!(text.starts_with('#') && text.contains("# Shows: "), "{}", path.display());
        let file = ModelFile::load(&path).unwrap();
        assert!(!file.document().name().is_empty() && !file.document().description().is_empty(), "{}", path.display());
        count += 1;
    }
    assert!(count >= 17);
}

#[test]
fn the_winch_hauls_holds_and_lowers_its_load() {
    let (summary, table) = run("winch.toml", &Overrides::default());
    let at = |time: f64, name: &str| {
        let column = summary.last.iter().position(|(column, _)| column.name == name).unwrap();
        let row = table.times().iter().position(|t| (t - time).abs() < 1e-9).unwrap();
        table.series(column).nth(row).unwrap()
    };
    for (time, sign) in [(5.0, -1.0), (13.0, 1.0)] {
        // Steady motion: the rope carries the weight, and the drum turns as the motor does.
        let velocity = at(time, "winch.velocity");
        assert!(velocity * sign > 1.0, "{velocity}");
        assert_near(at(time, "winch.tension"), 500.0 * 9.81, 1.0);
        assert_near(at(time, "winch.speed"), -25.0 * velocity / 0.2, 1e-9);
        // All that flows through the motor comes through the counterbalance valve, backwards while it hauls.
        assert!(at(time, "counterbalance.flow") * sign > 5e-6 * 25.0 / 0.2 * velocity.abs() * 0.9);
    }
    // Held by the valve alone, while nothing presses at the other side.
    assert_near(at(8.8, "winch.length"), at(7.2, "winch.length"), 1e-3);
    assert_near(at(8.8, "hauling.pressure") - at(8.8, "lowering.pressure"), 4905.0 * 0.2 / (25.0 * 5e-6), 1e4);
    assert!(at(13.0, "cooler.heat") > 1e3 && summary.warnings.is_empty(), "{:?}", summary.warnings);
}

/// Willis' formula, and sun, planet and carrier as one inertia: J w' = 4 T - b w.
#[test]
fn the_planetary_gear_turns_by_willis_formula() {
    let (summary, _) = run("planetary-gear.toml", &Overrides::default());
    let [sun, carrier, planet] = ["sun_turn", "carrier_turn", "planet_turn"].map(|name| measure(&summary, name));
    assert!(carrier > 20.0 * std::f64::consts::TAU, "{carrier}");
    assert_near(sun / carrier, 4.0, 1e-9);
    assert_near(planet / carrier, -2.0, 1e-9);
    let (torque, load) = (0.5, 0.02);
    let inertia = 8e-4 + 0.4 * 0.06 * 0.06 + 16.0 * 1.8e-4 + 4.0 * 1.8e-4;
    let (last, rate) = (4.0 * torque / load, load / inertia);
    let left = (-rate * 2.0_f64).exp();
    assert_near(measure(&summary, "speed"), last * (1.0 - left), 1e-5 * last);
    assert_near(carrier, last * (2.0 - (1.0 - left) / rate), 1e-6 * carrier);
    let acceleration = last * rate * left;
    let inner = (torque - 1.8e-4 * 4.0 * acceleration) / 0.03;
    assert_near(measure(&summary, "inner_teeth"), inner, 1e-5 * inner);
    let outer = inner - 1.8e-4 * 2.0 * acceleration / 0.03;
    assert_near(measure(&summary, "outer_teeth"), outer, 1e-5 * inner);
    // The planet's centre moves on a circle: its bearing bears both teeth and what holds it there.
    let mechanism = summary.mechanism().unwrap();
    assert!(mechanism.violation.orientation < 1e-8, "{:?}", mechanism.violation);
}

#[test]
fn the_wheels_of_the_differential_share_the_turns_and_the_torque_of_the_cage() {
    let (summary, _) = run("differential.toml", &Overrides::default());
    let [shaft, cage, left, right] =
        ["shaft_speed", "cage_speed", "left_speed", "right_speed"].map(|name| measure(&summary, name));
    assert!(cage > 10.0 && (right - left).abs() > 1.0, "{cage} {left} {right}");
    assert_near(shaft, 3.5 * cage, 1e-8 * shaft);
    assert_near(left + right, 2.0 * cage, 1e-8 * cage);
    let [one, other] = ["left_teeth", "right_teeth"].map(|name| measure(&summary, name));
    // They differ by what turns the bevel gear.
    assert_near(one / other, 1.0, 1e-2);
}

/// The grip by hand: S = P/(2 cos), S sin -+ mu S cos = G (1 +- mu h/b), above while it closes and below while it would open.
#[test]
fn friction_takes_a_part_of_the_grip_and_keeps_the_rest() {
    let (summary, table) = run("gripper.toml", &Overrides::default());
    let series = |name: &str| {
        let column = summary.last.iter().position(|(column, _)| column.name == name).unwrap();
        table.series(column).collect::<Vec<_>>()
    };
    let [grip, finger, rub] = ["grip", "finger", "rub"].map(series);
    let at = |time: f64| table.times().iter().position(|t| (t - time).abs() < 1e-9).unwrap();
    let (mu, bend) = (0.15, 0.15 * 0.06 / 0.02);
    let by_hand = |pull: f64, x: f64, closing: f64| {
        let tan = x / (0.06_f64.powi(2) - x * x).sqrt();
        0.5 * pull * (tan - closing * mu) / (1.0 + closing * bend)
    };
    // At 0.4 s it closes. The fingers accelerate by less than 1 m/s^2, which takes 0.1 N each, the rod another 0.2 N.
    let pull = 100.0 * (0.8_f64.powi(3) * (10.0 - 15.0 * 0.8 + 6.0 * 0.64));
    let k = at(0.4);
    assert_near(grip[k], by_hand(pull, finger[k], 1.0), 0.3);
    assert!(rub[k] > 0.3 * grip[k], "{} {}", rub[k], grip[k]);
    // Friction falls only where it comes to rest: it creeps by 0.3 N/s at most.
    let [full, held] = [at(0.6), at(2.0)];
    assert_near(grip[full], by_hand(100.0, finger[full], 1.0), 0.3);
    let without = by_hand(40.0, finger[held], 0.0);
    assert!(grip[held] < by_hand(40.0, finger[held], -1.0) && grip[held] > 1.4 * without, "{}", grip[held]);
    assert_near(grip[held], grip[full], 0.5);
    // Friction has turned round, and holds what the links do not.
    let links = 0.5 * 40.0 * finger[held] / (0.06_f64.powi(2) - finger[held].powi(2)).sqrt();
    assert_near(rub[held], links - grip[held], 1e-3);
}

/// The lift of the closed form, the force of the follower's balance, and the effort by the work of the force.
#[test]
fn the_cam_lifts_its_roller_by_the_closed_form() {
    let (summary, table) = run("cam.toml", &Overrides::default());
    let column = |name: &str| summary.last.iter().position(|(column, _)| column.name == name).unwrap();
    let series = |name: &str| table.series(column(name)).collect::<Vec<_>>();
    let [error, press, across, effort] = ["error", "press.y", "press.x", "effort"].map(series);
    assert!(error.iter().all(|error| error.abs() < 1e-7), "{error:?}");
    let (e, r, speed) = (0.01, 0.038, 20.0);
    for (k, &t) in table.times().iter().enumerate() {
        let (sin, cos) = (speed * t).sin_cos();
        let root = (r * r - e * e * cos * cos).sqrt();
        let lift = e * sin + root;
        let slope = e * cos + e * e * sin * cos / root;
        let bend = -e * sin + e * e * (cos * cos - sin * sin) / root - (e * e * sin * cos).powi(2) / root.powi(3);
        let force = 0.3 * bend * speed * speed + 60.0 + 2000.0 * (lift - (r - e));
        // The bend of a spline has an error of the second order in the distance of its points.
        assert_near(press[k], force, 1e-3 * force);
        assert_near(effort[k], force * slope, 1e-3 * force * e);
        // Along the line between the centres; tangents of a spline have an error of the third order.
        assert_near(across[k], -press[k] * e * cos / root, 5e-5 * force);
    }
}

#[test]
fn the_coaster_keeps_its_energy_on_many_rounds() {
    let (summary, table) = run("coaster.toml", &Overrides::default());
    let energy = summary.last.iter().position(|(column, _)| column.name == "energy").unwrap();
    let all: Vec<f64> = table.series(energy).collect();
    let speed = summary.last.iter().position(|(column, _)| column.name == "speed").unwrap();
    assert!(table.series(speed).all(|v| v > 5.0), "it never stops");
    for value in &all {
        assert_near(*value, all[0], 1e-5 * all[0]);
    }
}

/// 1 + cos x cosh x + mu x (cos x sinh x - sin x cosh x) = 0 of a cantilever with a mass at its tip, mu over that of the beam.
#[test]
fn the_flexible_arm_rings_with_the_frequency_of_a_beam_with_a_mass() {
    let (summary, table) = run("flexible-arm.toml", &Overrides::default());
    assert_near(measure(&summary, "turn"), FRAC_PI_2, 1e-6);
    let (mass, bending) = (2700.0 * 1.8e-4, 7e10 * 0.03 * 0.006f64.powi(3) / 12.0);
    let open = |x: f64| 1.0 + x.cos() * x.cosh() + 0.2 / (1.2 * mass) * x * (x.cos() * x.sinh() - x.sin() * x.cosh());
    let (mut low, mut high) = (0.5, 1.8);
    for _ in 0..60 {
        let middle = 0.5 * (low + high);
        if open(middle) > 0.0 { low = middle } else { high = middle }
    }
    let frequency = low * low * (bending / (mass * 1.2f64.powi(4))).sqrt();
    let bend = summary.last.iter().position(|(column, _)| column.name == "bend").unwrap();
    let ringing: Vec<f64> = table.series(bend).skip(500).collect();
    assert!(ringing.iter().fold(0.0, |most: f64, y| most.max(y.abs())) > 1e-3);
    let rises = ringing.windows(2).enumerate().filter(|(_, y)| y[0] <= 0.0 && y[1] > 0.0);
    let times: Vec<f64> = rises.map(|(k, y)| 2e-3 * (k as f64 - y[0] / (y[1] - y[0]))).collect();
    assert!(times.len() >= 2, "{times:?}");
    let period = (times[times.len() - 1] - times[0]) / (times.len() - 1) as f64;
    assert_near(std::f64::consts::TAU / period, frequency, 0.005 * frequency);
}

#[test]
fn the_rod_of_the_flexible_slider_crank_bends_and_its_energy_balances() {
    let (summary, table) = run("flexible-slider-crank.toml", &Overrides::default());
    let (sine, cosine) = (100.0 * summary.end_time).sin_cos();
    let rigid = 0.15 * cosine + (0.09 - (0.15 * sine).powi(2)).sqrt();
    // The rod is the shorter by its bending, a square.
    assert_near(measure(&summary, "stroke"), rigid, 1e-4);
    let sag = summary.last.iter().position(|(column, _)| column.name == "sag").unwrap();
    let most = table.series(sag).fold(0.0, |most: f64, y| most.max(y.abs()));
    // Whipped by w^2 r across, a pinned beam bends by 5 q L^4/(384 E I) at most, twice as much where that comes at once.
    let still = 5.0 * 7870.0 * 6.4e-5 * 1e4 * 0.15 * 0.3f64.powi(4) / (384.0 * 2e11 * 0.008f64.powi(4) / 12.0);
    assert!(most > 0.3 * still && most < 2.0 * still, "{most} {still}");
    let energy = summary.mechanism().unwrap().energy;
    assert!(energy.balance_error.abs() < 1e-3 * energy.work.abs().max(energy.start), "{energy:?}");
}
