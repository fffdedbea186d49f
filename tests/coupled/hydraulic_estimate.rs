//! The error estimate of machines with hydraulics against their own runs at a sixteenth of the step: random valves, relief valves and motors that
//! move random masses, and the presses of the model files.

use crate::coupled::running::root;
use fourbar::file::ModelFile;
use fourbar::results::Table;
use fourbar::run::{Overrides, Run};
use std::f64::consts::TAU;
use std::sync::atomic::AtomicBool;

/// SplitMix64 (Steele, Lea, Flood, OOPSLA 2014): a fixed sequence of members.
struct Random(u64);

impl Random {
    fn unit(&mut self) -> f64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((z ^ (z >> 31)) >> 11) as f64 / (1u64 << 53) as f64
    }

    /// Logarithmically between.
    fn log(&mut self, from: f64, to: f64) -> f64 {
        from * (to / from).powf(self.unit())
    }
}

/// A run that is compared with a finer one.
struct Case {
    text: String,
    step: f64,
    /// Signals that are exchanged.
    signals: Vec<&'static str>,
}

const SCHEMES: [(&str, u8); 5] =
    [("gauss_seidel", 2), ("gauss_seidel", 1), ("jacobi", 2), ("jacobi", 1), ("iterated", 1)];
const CIRCUIT: &str = "[[simulator]]\nname = \"axis\"\n[simulator.model]\ntype = \"circuit\"\n\
    [simulator.model.simulation]\ntolerance = 1e-8\nstart = \"values\"\n";

fn mechanism(body: &str, joint: &str, actuator: &str, measures: &str, load: &str) -> String {
    format!(
        "[[simulator]]\nname = \"load\"\n[simulator.model]\ntype = \"mechanism\"\n[simulator.model.simulation]\ntolerance = 1e-9\n\
         [[simulator.model.body]]\nname = \"b\"\n{body}[[simulator.model.joint]]\nname = \"j\"\n{joint}\
         [[simulator.model.actuator]]\nname = \"a\"\ni = \"b\"\nj = \"ground\"\n{actuator}{measures}\
         [[simulator.model.force]]\nname = \"f\"\ni = \"b\"\n{load}"
    )
}

fn node(name: &str, rest: &str) -> String {
    format!("[[simulator.model.node]]\nname = \"{name}\"\n{rest}\n")
}

fn component(name: &str, rest: &str) -> String {
    format!("[[simulator.model.component]]\nname = \"{name}\"\n{rest}\n")
}

fn connections(ends: &[(&str, &str)]) -> String {
    ends.iter().map(|(from, to)| format!("[[connection]]\nfrom = \"{from}\"\nto = \"{to}\"\n")).collect()
}

/// A rise within some periods, and a turn in the middle.
fn command(random: &mut Random, end: f64, omega: f64) -> String {
    let (from, to) = (0.05 * end, 0.05 * end + random.log(0.6, 20.0) / omega);
    format!("step5(time,{from:e},0,{to:e},1) - step5(time,{:e},0,{:e},1.5)", 0.5 * end, 0.55 * end)
}

impl Case {
    /// Step times omega from 0.08 to 1.2, 8 to 60 periods.
    fn draw(random: &mut Random, k: usize) -> Self {
        let bulk = random.log(8e8, 1.8e9);
        let fluid = format!(
            "[simulator.model.fluid]\ndensity = 860\nbulk_modulus = {{ type = \"constant\", value = {bulk:e} }}\n"
        );
        let (omega, end, model, signals) = match k % 3 {
            0 | 1 => Self::cylinder(random, bulk, k.is_multiple_of(3)),
            _ => Self::motor(random, bulk),
        };
        let steps = (end * omega / random.log(0.08, 1.2)).ceil();
        let step = end / steps;
        let (algorithm, order) = SCHEMES[(k / 3) % SCHEMES.len()];
        let text = format!(
            "type = \"coupled\"\n[simulation]\nend = {end:e}\nstep = {step:e}\nalgorithm = \"{algorithm}\"\norder = {order}\n{}",
            model.replace("FLUID", &fluid)
        );
        Self { text, step, signals }
    }

    /// A mass on a cylinder behind a valve, or behind a pump with a relief valve and against a spring.
    fn cylinder(random: &mut Random, bulk: f64, valve: bool) -> (f64, f64, String, Vec<&'static str>) {
        let (area, stroke) = (random.log(5e-4, 2e-2), random.log(0.2, 1.0));
        let (dead, start) = (0.05 * area * stroke, 0.5 * stroke);
        let mass = random.log(0.3, 30.0) * area * 1e6;
        let sides = if valve { 2.0 } else { 1.0 };
        let oil = sides * bulk * area * area / (area * start + dead);
        let spring = if valve { 0.0 } else { 3e6 * area / (stroke * random.log(0.05, 0.3)) };
        let omega = ((oil + spring) / mass).sqrt();
        let damping = 2.0 * random.log(1e-3, 0.1) * (oil * mass).sqrt();
        let end = TAU / omega * random.log(8.0, 60.0);
        let (supply, top, still) = if valve {
            let opening = 0.3 * area * stroke / end / (0.62 * (2.0 * 8e6 / 860.0f64).sqrt());
            let parts = node("pump", "type = \"pressure\"\npressure = 16e6")
                + &node("bottom", "type = \"volume\"\nstart = 8e6")
                + &node("top", "type = \"volume\"\nstart = 8e6")
                + &component(
                    "valve",
                    &format!(
                        "type = \"spool_valve\"\nsupply = \"pump\"\ntank = \"tank\"\na = \"bottom\"\nb = \"top\"\narea = {opening:e}\n\
                         frequency = {:e}\ndamping = 0.8\ncommand = \"{}\"",
                        omega * random.log(1.0, 10.0),
                        command(random, end, omega)
                    ),
                );
            (parts, "top", 0.0)
        } else {
            let flow = 0.2 * area * stroke / end;
            let rise = 0.02 * end + random.log(0.3, 10.0) / omega;
            let parts = node("bottom", "type = \"volume\"\nstart = 1e6")
                + &component(
                    "pump",
                    &format!(
                        "type = \"flow_source\"\nfrom = \"tank\"\nto = \"bottom\"\nflow = \"{flow:e}*step5(time,{:e},0,{rise:e},1)\"",
                        0.02 * end
                    ),
                )
                + &component(
                    "relief",
                    &format!(
                        "type = \"relief_valve\"\nfrom = \"bottom\"\nto = \"tank\"\npressure = 3e6\nslope = {:e}",
                        flow / 1e6
                    ),
                );
            (parts, "tank", (1e6 - 101_325.0) * area)
        };
        let rod = format!(
            "type = \"cylinder\"\na = \"bottom\"\nb = \"{top}\"\narea_a = {area:e}\narea_b = {area:e}\nstroke = {stroke:e}\ndead_a = {dead:e}\n\
             dead_b = {dead:e}\nposition = {start:e}\nfriction = {{ viscous = {damping:e} }}"
        );
        let measure = |name: &str, kind: &str| {
            format!("[[simulator.model.measure]]\nname = \"{name}\"\ntype = \"{kind}\"\ni = \"b\"\ncomponent = \"x\"\n")
        };
        let model = mechanism(
            &format!("mass = {mass:e}\ninertia = [1, 1, 1]\nposition = [{start:e}, 0, 0]\n"),
            "type = \"translational\"\ni = { body = \"b\", orientation = { z_axis = [1, 0, 0] } }\n\
             j = { body = \"ground\", orientation = { z_axis = [1, 0, 0] } }\n",
            "",
            &(measure("x", "position") + &measure("v", "velocity")),
            &format!(
                "type = \"force\"\nvalue = [\"-({spring:e}*(x - {start:e}) + {:e}*v) - {still:e}\", 0, 0]\n",
                0.2 * damping
            ),
        ) + CIRCUIT
            + "FLUID"
            + &node("tank", "type = \"tank\"")
            + &supply
            + &component("rod", &rod)
            + &connections(&[
                ("axis.rod.force", "load.a.force"),
                ("load.a.displacement", "axis.rod.position"),
                ("load.a.velocity", "axis.rod.velocity"),
            ]);
        (omega, end, model, vec!["axis.rod.force", "load.a.displacement", "load.a.velocity"])
    }

    /// A drum on a hydraulic motor behind a valve.
    fn motor(random: &mut Random, bulk: f64) -> (f64, f64, String, Vec<&'static str>) {
        let displacement = random.log(3e-6, 3e-4);
        let volume = displacement * random.log(10.0, 100.0);
        let (stiffness, omega) = (2.0 * bulk * displacement * displacement / volume, random.log(30.0, 300.0));
        let inertia = stiffness / (omega * omega);
        let damping = 2.0 * random.log(1e-3, 0.1) * (stiffness * inertia).sqrt();
        let end = TAU / omega * random.log(8.0, 60.0);
        let weight = 2e6 * displacement;
        let opening = 20.0 * displacement / end / (0.62 * (2.0 * 4e6 / 860.0f64).sqrt());
        let model = mechanism(
            &format!("mass = 1\ninertia = [{inertia:e}, {inertia:e}, {inertia:e}]\n"),
            "type = \"revolute\"\ni = \"b\"\nj = \"ground\"\n",
            "type = \"torque\"\n",
            "",
            &format!("type = \"torque\"\nvalue = [0, 0, -{weight:e}]\n"),
        ) + CIRCUIT
            + "FLUID"
            + &node("pump", "type = \"pressure\"\npressure = 16e6")
            + &node("tank", "type = \"tank\"")
            + &node("a", &format!("type = \"volume\"\nvolume = {volume:e}\nstart = 10e6"))
            + &node("b", &format!("type = \"volume\"\nvolume = {volume:e}\nstart = 8e6"))
            + &component(
                "valve",
                &format!(
                    "type = \"spool_valve\"\nsupply = \"pump\"\ntank = \"tank\"\na = \"a\"\nb = \"b\"\narea = {opening:e}\n\
                     frequency = {:e}\ndamping = 0.8\ncommand = \"{}\"",
                    omega * random.log(1.0, 10.0),
                    command(random, end, omega)
                ),
            )
            + &component(
                "motor",
                &format!(
                    "type = \"motor\"\na = \"a\"\nb = \"b\"\ndisplacement = {displacement:e}\nfriction = {{ viscous = {damping:e} }}"
                ),
            )
            + &connections(&[("axis.motor.torque", "load.a.torque"), ("load.a.rate", "axis.motor.speed")]);
        (omega, end, model, vec!["axis.motor.torque", "load.a.rate"])
    }

    fn file(&self) -> ModelFile {
        ModelFile::parse("case.toml", &self.text).unwrap_or_else(|error| panic!("{error}\n{}", self.text))
    }
}

/// Largest error of an exchanged signal against the run at a sixteenth of the step, the estimate, and whether it was warned of.
fn compare(file: &ModelFile, step: f64, signals: &[&str]) -> (f64, f64, bool) {
    let run = |divisor: f64| {
        let overrides = Overrides { step: Some(step / divisor), output_step: Some(step), ..Overrides::default() };
        let run = Run::new(file.document(), &overrides).unwrap_or_else(|error| panic!("{}", file.explain(error)));
        let mut table = Table::default();
        let outcome = run.execute(&mut [&mut table], &AtomicBool::new(false)).unwrap();
        (table, outcome)
    };
    let ((coarse, outcome), (fine, _)) = (run(1.0), run(16.0));
    let series = |table: &Table, name: &str| -> Vec<f64> {
        table.series(table.columns().iter().position(|column| column.name == name).unwrap()).collect()
    };
    let error = signals.iter().map(|name| {
        let (coarse, fine) = (series(&coarse, name), series(&fine, name));
        let size = coarse.iter().chain(&fine).fold(0.0, |size: f64, value| size.max(value.abs()));
        coarse.iter().zip(&fine).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max) / size
    });
    let error = error.fold(0.0, f64::max);
    let error = if outcome.failure.is_some() { 1.0 } else { error };
    let estimate = outcome.summary.coupled().unwrap().statistics.error_estimate.clone().unwrap();
    (error, estimate.relative, outcome.summary.warnings.iter().any(|warning| warning.contains("estimated error")))
}

/// No member that is off by more than 1 % ends without a warning; the estimate is at most 3 times too low.
#[test]
fn machines_with_hydraulics_are_right_or_warned_of() {
    let mut random = Random(1);
    let (mut wrong, mut silent, mut below, mut above, mut right, mut alarms) = (0, 0, 0, 0, 0, 0);
    for k in 0..60 {
        let case = Case::draw(&mut random, k);
        let (error, estimate, warned) = compare(&case.file(), case.step, &case.signals);
        let ratio = estimate.min(1.0) / error.min(1.0);
        println!("{k}: error {error:.5}, estimate {estimate:.5}, ratio {ratio:.2}, warned {warned}");
        if error > 0.01 {
            wrong += 1;
            silent += usize::from(!warned);
            below += usize::from(ratio < 1.0 / 3.0);
            above += usize::from(ratio > 3.0);
        } else {
            right += 1;
            alarms += usize::from(warned);
        }
    }
    println!(
        "{wrong} wrong: {silent} silent, {below} below a third, {above} above three times; {right} right: {alarms} false alarms"
    );
    assert!(wrong >= 15 && right >= 15, "{wrong} {right}");
    assert_eq!((silent, below), (0, 0));
}

/// The presses at steps that are too long, 1 to 4 % off.
#[test]
fn presses_at_too_long_steps_are_warned_of() {
    let signals = ["axis1.rod.force", "axis2.rod.force", "beam.press1.velocity", "beam.press2.velocity"];
    for (model, step) in [
        ("press.toml", 4e-3),
        ("press.toml", 5e-3),
        ("press-stop.toml", 5e-4),
        ("press-stop.toml", 1e-3),
        ("press-stop.toml", 2e-3),
    ] {
        let file = ModelFile::load(root(&format!("models/{model}"))).unwrap();
        let (error, estimate, warned) = compare(&file, step, &signals);
        println!("{model} at {step} s: error {error:.4}, estimate {estimate:.4}, warned {warned}");
        assert!(error < 0.01 || warned, "{model} at {step} s: error {error}, estimate {estimate}");
        assert!(estimate > error / 3.0, "{model} at {step} s: error {error}, estimate {estimate}");
    }
}
