//! Equations partners at their defaults: right whatever the communication step, where rates jump in time and where they bend and jump in state.

use crate::coupled::running::root;
use fourbar::coupled::EquationsModel;
use fourbar::coupling::{Signal, Simulator, Snapshot};
use fourbar::file::ModelFile;
use fourbar::results::{Status, Summary, Table};
use fourbar::run::{Overrides, Run};
use proptest::prelude::*;
use std::sync::atomic::AtomicBool;

fn execute(text: &str) -> (Summary, Table, Option<String>) {
    let file = ModelFile::parse("case.toml", text).unwrap_or_else(|error| panic!("{error}\n{text}"));
    let run =
        Run::new(file.document(), &Overrides::default()).unwrap_or_else(|error| panic!("{}", file.explain(error)));
    let mut table = Table::default();
    let outcome = run.execute(&mut [&mut table], &AtomicBool::new(false)).unwrap();
    (outcome.summary, table, outcome.failure.map(|failure| failure.to_string()))
}

fn series(text: &str, name: &str) -> Vec<(f64, f64)> {
    let (summary, table, failure) = execute(text);
    assert_eq!(summary.status, Status::Done, "{failure:?}\n{text}");
    let column = table.columns().iter().position(|column| column.name == name).unwrap();
    table.times().iter().copied().zip(table.series(column)).collect()
}

/// Largest distance from `right` in parts of the largest value.
fn error(text: &str, name: &str, right: impl Fn(f64) -> f64) -> f64 {
    let values = series(text, name);
    let size = values.iter().map(|(t, _)| right(*t).abs()).fold(0.0, f64::max);
    values.iter().map(|(t, x)| (x - right(*t)).abs()).fold(0.0, f64::max) / size
}

fn model(h: f64, end: f64, equations: &str) -> String {
    format!(
        "type = \"coupled\"\n[simulation]\nend = {end}\nstep = {h}\n[[simulator]]\nname = \"a\"\n[simulator.equations]\n{equations}\n"
    )
}

fn case(name: &str) -> String {
    std::fs::read_to_string(root("tests/coupled/cases").join(name)).unwrap()
}

/// 20 from 1.0001 to 1.0301 s: 0.6.
#[test]
fn a_pulse_between_communication_points_has_its_area() {
    for h in ["0.001", "0.01", "0.1", "1"] {
        let text = case("equations-pulse.toml").replace("step=0.1", &format!("step={h}"));
        let x = series(&text, "a.x").last().unwrap().1;
        assert!((x - 0.6).abs() < 1e-9, "{h}: {x}");
    }
}

/// From 0 at 1 m/s against a wall of `k` N/m at `wall`, 1 kg.
fn bounce(wall: f64, k: f64, v: f64, t: f64) -> f64 {
    let (reach, omega) = (wall / v, k.sqrt());
    let half = std::f64::consts::PI / omega;
    if t < reach {
        v * t
    } else if t < reach + half {
        wall + v / omega * (omega * (t - reach)).sin()
    } else {
        wall - v * (t - reach - half)
    }
}

#[test]
fn a_wall_between_communication_points_throws_back() {
    for h in ["0.001", "0.01", "0.1", "1"] {
        let text = case("equations-wall.toml").replace("step=0.1", &format!("step={h}"));
        let x = series(&text, "a.x").last().unwrap().1;
        assert!((x - bounce(0.5, 1e4, 1.0, 3.0)).abs() < 1e-6, "{h}: {x}");
    }
}

/// 500 N on 1 kg from 5 to 5.002 s: 1 m/s, and 1 m/s from then on.
#[test]
fn a_short_push_is_not_stepped_over() {
    let equations = "state = [{ name = \"x\", rate = \"v\" }, { name = \"v\", rate = \"if(time > 5 and time < 5.002, 500, 0)\" }]\n\
                     output = [{ name = \"x\", unit = \"m\", value = \"x\" }]";
    let x = series(&model(0.01, 6.67, equations), "a.x").last().unwrap().1;
    assert!((x - (6.67 - 5.001)).abs() < 1e-9, "{x}");
}

/// A pulse of half a second is not seen at a step of a second, and said not to be; where it is seen nothing is said.
#[test]
fn outputs_that_come_and_go_between_communication_points_are_warned_of() {
    let text = |h: f64, value: &str| {
        let source = format!(
            "output = [{{ name = \"u\", value = \"{value}\" }}]\n[[simulator]]\nname = \"b\"\n[simulator.equations]"
        );
        let sink = "input = [{ name = \"u\" }]\nstate = [{ name = \"x\", rate = \"u\" }]\noutput = [{ name = \"x\", value = \"x\" }]";
        model(h, 4.0, &format!("{source}\n{sink}\n[[connection]]\nfrom = \"a.u\"\nto = \"b.u\""))
    };
    for (h, value, seen) in [
        (1.0, "if(time > 1.2 and time < 1.7, 1, 0)", false),
        (0.5, "if(time > 1.2 and time < 1.7, 1, 0)", true),
        (1.0, "if(mod(time, 1) > 0.3 and mod(time, 1) < 0.6, 1, 0)", false),
        (1.0, "max(0, 1 - 4*abs(time - 2.5))", false),
        // One jump, and a rise that both points enclose: what the estimate of the coupling sees.
        (1.0, "if(time > 1.2, 1, 0)", true),
        (1.0, "step(time, 1.2, 0, 1.7, 1)", true),
    ] {
        let (summary, _, failure) = execute(&text(h, value));
        assert_eq!(summary.status, Status::Done, "{failure:?}");
        let told = summary.warnings.iter().any(|warning| warning.contains("do not see the output a.u"));
        assert_eq!(told, !seen, "{h} {value}: {:?}", summary.warnings);
        // With `events` steps end at jumps, at bends not.
        let (summary, _, failure) = execute(&text(h, value).replace("[simulation]", "[simulation]\nevents = true"));
        assert_eq!(summary.status, Status::Done, "{failure:?}");
        let told = summary.warnings.iter().any(|warning| warning.contains("do not see"));
        assert_eq!(told, !seen && value.starts_with("max"), "{h} {value}: {:?}", summary.warnings);
    }
}

/// A drive from below the smallest numbers: its value at the time t, and the velocity that it makes of 1 kg until then, in its `width`.
fn drive_from_nothing(form: usize, amplitude: f64, centre: f64, width: f64, t: f64) -> (String, f64) {
    let s = format!("(time - {centre})/{width}");
    let softplus = |x: f64| x.max(0.0) + (-x.abs()).exp().ln_1p();
    let over = |integral: fn(f64) -> f64, scale: f64| {
        integral(scale * (t - centre) / width) - integral(-scale * centre / width)
    };
    let (shape, area) = match form {
        // Far behind the bell.
        0 => (format!("exp(-({s})^2)"), std::f64::consts::PI.sqrt()),
        1 => (format!("0.5*(1 + tanh({s}))"), 0.5 * over(softplus, 2.0)),
        2 => (format!("1/(1 + exp(-{s}))"), over(softplus, 1.0)),
        _ => (format!("1/cosh({s})^2"), over(f64::tanh, 1.0)),
    };
    (format!("{amplitude}*{shape}"), amplitude * width * area)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]
    /// Bells, tanh, logistic and hyperbolic functions that begin at 1e-300 or at zero, in any unit.
    #[test]
    fn drives_from_below_the_smallest_numbers_are_right(
        form in 0usize..4, magnitude in -12.0..12.0f64, width in 0.02..0.5f64, centre in 5.0..9.0f64,
    ) {
        let (rate, v) = drive_from_nothing(form, 10f64.powf(magnitude), centre, width, 20.0);
        let equations = format!(
            "state = [{{ name = \"x\", rate = \"v\" }}, {{ name = \"v\", rate = \"{rate}\" }}]\noutput = [{{ name = \"v\", value = \"v\" }}]"
        );
        let found = series(&model(0.01, 20.0, &equations), "a.v").last().unwrap().1;
        prop_assert!((found - v).abs() < 1e-7 * v, "{}: {} {}", rate, found, v);
    }
}

/// A rate that is nothing at t = 0, of the first kind or another, and its integral from 0.
fn rate_from_rest(form: usize, p: f64, t: f64) -> (String, f64) {
    let (sin, cos) = (p * t).sin_cos();
    match form {
        0 => (format!("time^{p}"), t.powf(p + 1.0) / (p + 1.0)),
        1 => ("sqrt(time)".into(), t.powf(1.5) / 1.5),
        2 => (format!("sin({p}*time)^4"), (3.0 * p * t - 3.0 * sin * cos - 2.0 * sin.powi(3) * cos) / (8.0 * p)),
        3 => (format!("time^2 + {p}*time^7"), t.powi(3) / 3.0 + p * t.powi(8) / 8.0),
        4 => (format!("1 - cos({p}*time)"), t - sin / p),
        // 10 s^3 - 15 s^4 + 6 s^5.
        _ => (format!("step5(time, 0, 0, {}, 1)", 1.0 + p), {
            let s = t / (1.0 + p);
            (1.0 + p) * s.powi(4) * (2.5 - 3.0 * s + s * s)
        }),
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, failure_persistence: None, ..ProptestConfig::default() })]

    /// Smooth equations that begin at rest, from 0 and from 1, in any unit of the state and of the time, alone and as the force on a mass.
    #[test]
    fn smooth_starts_from_rest_are_right(
        form in 0usize..6, p in 0.3..10.0f64, size in -30i32..30, speed in -6i32..6, from_one in any::<bool>(), double in any::<bool>(),
    ) {
        // Twice integrated powers alone.
        let form = if double { 0 } else { form };
        let (unit, second) = (10f64.powi(size), 10f64.powi(speed));
        let (rate, integral) = rate_from_rest(form, p, 1.0);
        let rate = format!("{:e}*({})", unit / second, rate.replace("time", &format!("(time/{second:e})")));
        let start = if from_one { unit } else { 0.0 };
        let (equations, right) = if double {
            let x = format!("{{ name = \"x\", start = {start:e}, rate = \"v/{second:e}\" }}, {{ name = \"v\", rate = \"{rate}\" }}");
            (x, integral / (p + 2.0))
        } else {
            (format!("{{ name = \"x\", start = {start:e}, rate = \"{rate}\" }}"), integral)
        };
        let equations = format!("state = [{equations}]\noutput = [{{ name = \"x\", value = \"x\" }}]");
        let found = series(&model(0.01 * second, second, &equations), "a.x").last().unwrap().1;
        let error = (found - start - unit * right).abs() / (unit * right + 1e-6 * start);
        prop_assert!(error < 1e-7, "{}: {} for {}, {}", rate, found, start + unit * right, error);
    }
}

/// Nothing in the equations has a scale but what round-off leaves: at rest they stay at rest, and their run ends.
#[test]
fn what_rests_stays_at_rest() {
    for (start, spring) in [("0", "0"), ("1e6", "1e6 + 3.0000000000000004 - 3"), ("0.1", "0.3/3")] {
        let equations = format!(
            "state = [{{ name = \"x\", start = \"{start}\", rate = \"v\" }}, {{ name = \"v\", rate = \"-1e4*(x - ({spring})) - v\" }}]\n\
             output = [{{ name = \"x\", value = \"x\" }}]"
        );
        let values = series(&model(0.1, 10.0, &equations), "a.x");
        let first: f64 = start.parse().unwrap();
        assert!(values.iter().all(|(_, x)| (x - first).abs() <= 1e-14 * first), "{values:?}");
    }
}

#[test]
fn friction_that_chatters_is_refused_with_its_partner_expression_and_a_remedy() {
    let equations =
        "state = [{ name = \"v\", start = 1, rate = \"-3*sign(v)\" }]\noutput = [{ name = \"v\", value = \"v\" }]";
    let (summary, _, failure) = execute(&model(0.1, 2.0, equations));
    let message = failure.unwrap();
    assert_eq!(summary.status, Status::Failed);
    for part in ["\"a\"", "\"v\"", "-3*sign(v)", "tanh"] {
        assert!(message.contains(part), "{message}");
    }
}

/// A relay on an input, and a lag 1e3 times faster than the communication step.
#[test]
fn conditions_on_inputs_and_stiff_equations_are_right() {
    let text = model(
        0.1,
        3.0,
        "input = [{ name = \"u\" }]\nstate = [{ name = \"x\", rate = \"if(u > 0.55, -1, 1)\" }]\noutput = [{ name = \"x\", value = \"x\" }]\n\
         [[simulator]]\nname = \"b\"\n[simulator.equations]\nstate = [{ name = \"y\", rate = \"1e4*(cos(time) - y)\" }]\n\
         output = [{ name = \"u\", value = \"sin(time)\" }, { name = \"y\", value = \"y\" }]\n\
         [[connection]]\nfrom = \"b.u\"\nto = \"a.u\"",
    );
    let on = 0.55f64.asin();
    let right = on - (std::f64::consts::PI - 2.0 * on) + (3.0 - std::f64::consts::PI + on);
    let x = series(&text, "a.x").last().unwrap().1;
    // The input is a polynomial over the communication step: (H omega)^3/6 at most of the time of a switch.
    assert!((x - right).abs() < 4.0 * 1e-3 / 6.0, "{x} {right}");
    let y = series(&text, "b.y").last().unwrap().1;
    // y = cos t + 1e-4 sin t but for 1e-8.
    assert!((y - 3f64.cos() - 1e-4 * 3f64.sin()).abs() < 2e-8, "{y}");
}

/// A step that is taken back and taken again is the same to the bit, over pulses, walls and new inputs.
#[test]
fn a_step_taken_back_is_taken_again_to_the_bit() {
    let equations: EquationsModel = toml::from_str(
        "input = [{ name = \"u\" }]\noutput = [{ name = \"x\", value = \"x\" }, { name = \"v\", value = \"v\" }]\n\
         state = [{ name = \"x\", rate = \"v\" }, { name = \"v\", start = 1, rate = \"if(x > 0.5, -1e4*(x - 0.5), 0) + if(mod(time, 0.3) < 0.01, 5, u)\" }]",
    )
    .unwrap();
    let mut simulator = equations.simulator().unwrap();
    let mut snapshot = Snapshot::new();
    let (h, mut outputs) = (0.1, [[0.0; 2]; 2]);
    for n in 0..20 {
        let t = f64::from(n) * h;
        simulator.save(&mut snapshot).unwrap();
        // The step that is taken back follows other inputs.
        for (value, k) in [(3.0, 0), (-1.0, 0), (7.0, 1), (-1.0, 1)] {
            simulator.restore(&snapshot).unwrap();
            simulator.set_inputs(&[Signal { value, first: 0.5, second: -1.0 }]).unwrap();
            simulator.step(t, h).unwrap();
            simulator.outputs(&mut outputs[k]).unwrap();
        }
        assert_eq!(outputs[0].map(f64::to_bits), outputs[1].map(f64::to_bits), "{t}");
    }
    assert!(outputs[0][0].is_finite());
}

fn steps() -> impl Strategy<Value = f64> {
    prop_oneof![Just(1e-3), Just(1e-2), Just(0.05), Just(0.1), Just(0.25), Just(0.5), Just(1.0)]
}

/// A mass on a spring whose force is another simulator; the mass takes part in every n-th communication point only. Whoever steps first, the force
/// is that of the position at its time: it used to be that of the last point of the mass.
#[test]
fn who_takes_part_seldom_may_step_first_and_last() {
    let sequences = ["", "sequence = [\"m\", \"s\"]", "sequence = [\"s\", \"m\"]", "algorithm = \"jacobi\""];
    let cases = [(1, 1e-4), (2, 1e-3), (4, 1e-2)];
    for ((every, bound), sequence) in cases.into_iter().flat_map(|case| sequences.map(|sequence| (case, sequence))) {
        let text = format!(
            "type = \"coupled\"\n[simulation]\nend = 10\nstep = 0.01\n{sequence}\n[[simulator]]\nname = \"m\"\nevery = {every}\n[simulator.equations]\n\
             input = [{{ name = \"F\" }}]\nstate = [{{ name = \"x\", start = 1, rate = \"v\" }}, {{ name = \"v\", rate = \"F\" }}]\n\
             output = [{{ name = \"x\", value = \"x\" }}]\n[[simulator]]\nname = \"s\"\n[simulator.equations]\ninput = [{{ name = \"x\" }}]\n\
             output = [{{ name = \"F\", value = \"-4*x\" }}]\n[[connection]]\nfrom = \"m.x\"\nto = \"s.x\"\n[[connection]]\nfrom = \"s.F\"\n\
             to = \"m.F\"\n"
        );
        // Between its points the output of the mass is its last one.
        let values = series(&text, "m.x");
        let (t, x) = *values.last().unwrap();
        assert!((x - (2.0 * t).cos()).abs() < bound, "every {every} {sequence}: {x}, not {}", (2.0 * t).cos());
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 48, failure_persistence: None, ..ProptestConfig::default() })]

    /// v' = A in a window, x' = v, in any unit.
    #[test]
    fn pulses_in_time(h in steps(), begin in 0.01..1.5f64, exponent in -5.0..-0.3f64, size in -12i32..12) {
        let (length, a) = (10f64.powf(exponent), 10f64.powi(size));
        let equations = format!(
            "state = [{{ name = \"x\", rate = \"v\" }}, {{ name = \"v\", rate = \"if(time > {begin} and time < {begin} + {length}, {a:e}, 0)\" }}]\n\
             output = [{{ name = \"x\", value = \"x\" }}]"
        );
        let right = |t: f64| {
            let (since, after) = ((t - begin).max(0.0), (t - begin - length).max(0.0));
            0.5 * a * (since * since - after * after)
        };
        let error = error(&model(h, 2.0, &equations), "a.x", right);
        prop_assert!(error < 1e-8, "{error}");
    }

    /// A mass thrown against a wall, in any unit of length, at any place of the origin.
    #[test]
    fn walls_in_state(h in steps(), wall in 0.05..0.9f64, stiffness in 2.0..8.0f64, size in -9i32..9, origin in -10.0..10.0f64) {
        let (k, unit) = (10f64.powf(stiffness), 10f64.powi(size));
        let (origin, at) = (origin * unit, wall * unit);
        let equations = format!(
            "state = [{{ name = \"x\", start = \"{origin:e}\", rate = \"v\" }}, {{ name = \"v\", start = {unit:e}, rate = \"-if(x > {:e}, {k:e}*(x - ({:e})), 0)\" }}]\n\
             output = [{{ name = \"x\", value = \"x - ({origin:e})\" }}]",
            origin + at, origin + at
        );
        let error = error(&model(h, 2.0, &equations), "a.x", |t| unit * bounce(wall, k, 1.0, t));
        prop_assert!(error < 1e-6, "{error}");
    }

    /// x' = -a x + sin(w t) from rest: smooth, from slow to stiff beside the communication step.
    #[test]
    fn smooth_equations_under_error_control(h in steps(), rate in -1.0..3.0f64, w in 0.1..30.0f64, size in -12i32..12) {
        let (a, unit) = (10f64.powf(rate), 10f64.powi(size));
        let equations = format!(
            "state = [{{ name = \"x\", rate = \"-{a}*x + {unit:e}*sin({w}*time)\" }}]\noutput = [{{ name = \"x\", value = \"x\" }}]"
        );
        let right = |t: f64| unit * (a * (w * t).sin() - w * (w * t).cos() + w * (-a * t).exp()) / (a * a + w * w);
        let error = error(&model(h, 2.0, &equations), "a.x", right);
        prop_assert!(error < 1e-6, "{error}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, failure_persistence: None, ..ProptestConfig::default() })]

    /// Bells of 1/200 to 1/30 of a communication step at any time, in any unit, from rest. Such a bell is above the smallest weight of a step
    /// (1e-292) up to 25 widths from its centre: an eighth of the step, half of the largest gap between nodes.
    #[test]
    fn bells_far_narrower_than_a_step_have_their_area(
        h in steps(), width in -2.3..-1.5f64, centre in 2.0..50.0f64, size in -12i32..12,
    ) {
        let (w, c, a) = (h * 10f64.powf(width), h * centre, 10f64.powi(size));
        let equations = format!(
            "state = [{{ name = \"x\", rate = \"{a:e}*exp(-((time - {c})/{w})^2)\" }}, {{ name = \"y\", rate = \"(x - y)/{}\" }}]\n\
             output = [{{ name = \"x\", value = \"x\" }}]", 10.0 * h
        );
        let found = series(&model(h, 60.0 * h, &equations), "a.x").last().unwrap().1;
        let right = a * w * std::f64::consts::PI.sqrt();
        prop_assert!((found - right).abs() < 1e-6 * right, "{equations}: {found}, not {right}");
    }
}
