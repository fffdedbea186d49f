//! Signals that jump, of every kind of simulator: a counter of tenths of a second into an integrator, against the held sum.

use super::starts::{execute, series};
use std::fmt::Write;

const ALGORITHMS: [&str; 3] = ["jacobi", "gauss_seidel", "iterated"];

/// The last value of `b.x`, and the warnings.
fn last(text: &str) -> (f64, Vec<String>) {
    let (summary, table) = execute(text);
    (series(&table, "b.x").last().unwrap().1, summary.warnings)
}

/// An integrator x' = rate u, begun at `start` \[s\] and run for one second, behind the source.
fn behind(source: &str, output: &str, rate: f64, head: &str) -> String {
    format!(
        "type = \"coupled\"\n[simulation]\n{head}\n{source}\n\
         [[simulator]]\nname = \"b\"\n[simulator.equations]\ninput = [{{ name = \"u\"{} }}]\n\
         state = [{{ name = \"x\", rate = \"{rate:e}*u\" }}]\noutput = [{{ name = \"x\", value = \"x\" }}]\n\
         [[connection]]\nfrom = \"{output}\"\nto = \"b.u\"\n",
        if output.ends_with("pressure") { ", unit = \"Pa\"" } else { "" },
    )
}

const COUNT: &str = "floor(10*time + 1e-6)";

fn sources() -> [(String, &'static str, f64, f64); 5] {
    let mut points = "[0, 0]".to_owned();
    for k in 1..=10 {
        let time = f64::from(k) / 10.0 - 1e-7;
        let _ = write!(points, ", [{time}, {}], [{time}, {k}]", k - 1);
    }
    let equations = format!(
        "[[simulator]]\nname = \"a\"\n[simulator.equations]\noutput = [{{ name = \"y\", value = \"{COUNT}\" }}]"
    );
    let mechanism = format!(
        "[[simulator]]\nname = \"a\"\n[simulator.model]\ntype = \"mechanism\"\n\
         [[simulator.model.body]]\nname = \"bar\"\nmass = 1\ninertia = [1, 1, 1]\n\
         [[simulator.model.measure]]\nname = \"y\"\ntype = \"expression\"\nexpression = \"{COUNT}\""
    );
    let linear = format!(
        "[[simulator]]\nname = \"a\"\n[simulator.model]\ntype = \"linear\"\n\
         [[simulator.model.input]]\nname = \"s\"\ntype = \"table\"\npoints = [{points}]\n\
         [[simulator.model.block]]\nname = \"k\"\ntype = \"gain\"\ngain = 1\ninput = \"s\"\n\
         [[simulator.model.output]]\nname = \"y\"\nfrom = \"k\""
    );
    let circuit = format!(
        "[[simulator]]\nname = \"a\"\n[simulator.model]\ntype = \"circuit\"\n\
         [[simulator.model.node]]\nname = \"y\"\ntype = \"pressure\"\npressure = \"1e6*{COUNT} + 1e6\"\n\
         [[simulator.model.node]]\nname = \"t\"\ntype = \"tank\"\n\
         [[simulator.model.component]]\nname = \"o\"\ntype = \"orifice\"\nfrom = \"y\"\nto = \"t\"\narea = 1e-8"
    );
    // A counter through a gain of another simulator.
    let through = format!(
        "[[simulator]]\nname = \"c\"\n[simulator.equations]\noutput = [{{ name = \"y\", value = \"{COUNT}\" }}]\n\
         [[simulator]]\nname = \"a\"\n[simulator.model]\ntype = \"linear\"\n\
         [[simulator.model.input]]\nname = \"s\"\ntype = \"external\"\n\
         [[simulator.model.block]]\nname = \"k\"\ntype = \"gain\"\ngain = 1\ninput = \"s\"\n\
         [[simulator.model.output]]\nname = \"y\"\nfrom = \"k\"\n[[connection]]\nfrom = \"c.y\"\nto = \"a.s\""
    );
    [
        (equations, "a.y", 1.0, 0.0),
        (mechanism, "a.y", 1.0, 0.0),
        (linear, "a.y", 1.0, 0.0),
        (circuit, "a.y.pressure", 1e-6, 1.0),
        (through, "a.y", 1.0, 0.0),
    ]
}

#[test]
fn counters_of_every_kind_are_held() {
    for (source, output, rate, more) in sources() {
        for algorithm in ALGORITHMS {
            let head = format!("end = 1.0\nstep = 0.1\noutput_step = 0.1\nalgorithm = \"{algorithm}\"");
            let (x, warnings) = last(&behind(&source, output, rate, &head));
            // The sum of 0 to 9 tenths; an iteration knows what comes at the end of a step, and holds it no less.
            assert!((x - 4.5 - more).abs() < 1e-9, "{algorithm}: {x}\n{source}");
            assert!(warnings.is_empty(), "{warnings:?}");
        }
    }
}

/// y = t and a jump at the first communication point, within the first step, or at a later point, whose time round-off may miss.
#[test]
fn jumps_that_steps_end_at_are_no_slopes() {
    for start in [0.0, -2.0, 3.0] {
        for (step, of_step) in [(0.1, 1.0), (0.1, 0.5), (0.025, 2.0), (0.1, 2.0), (0.1, 7.0), (0.05, 3.0)] {
            for algorithm in ["jacobi", "gauss_seidel"] {
                let way: f64 = of_step * step;
                let jump = ((start + way) * 1e6_f64).round() / 1e6;
                let source = format!(
                    "[[simulator]]\nname = \"a\"\n[simulator.equations]\n\
                     output = [{{ name = \"y\", value = \"time - {start:?} + if(time < {jump:?}, 0, 5)\" }}]"
                );
                let head = format!(
                    "start_time = {start:?}\nend = {:?}\nstep = {step:?}\nevents = true\nalgorithm = \"{algorithm}\"",
                    start + 1.0
                );
                let (x, _) = last(&behind(&source, "a.y", 1.0, &head));
                let right = 0.5 + 5.0 * (1.0 - way);
                // Behind a jump a signal is held for a step: its slope times half of the square.
                assert!(
                    (x - right).abs() < 0.51 * step * step + 1e-9,
                    "{algorithm} {start} {step} {of_step}: {x} for {right}"
                );
            }
        }
    }
}
