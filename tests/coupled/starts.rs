//! First rows and first steps of coupled models, signals that jump, algebraic loops, rows: against closed forms.

use crate::coupled::running::root;
use fourbar::coupled::{AlgorithmName, CoupledSettings};
use fourbar::file::ModelFile;
use fourbar::results::{Status, Summary, Table};
use fourbar::run::{Overrides, Run};
use std::sync::atomic::AtomicBool;

pub(super) fn execute(text: &str) -> (Summary, Table) {
    let file = ModelFile::parse("case.toml", text).unwrap_or_else(|error| panic!("{error}\n{text}"));
    let run =
        Run::new(file.document(), &Overrides::default()).unwrap_or_else(|error| panic!("{}", file.explain(error)));
    let mut table = Table::default();
    let outcome = run.execute(&mut [&mut table], &AtomicBool::new(false)).unwrap();
    assert_eq!(outcome.summary.status, Status::Done, "{:?}\n{text}", outcome.failure.map(|own| own.to_string()));
    (outcome.summary, table)
}

pub(super) fn series(table: &Table, name: &str) -> Vec<(f64, f64)> {
    let column = table.columns().iter().position(|column| column.name == name).unwrap();
    table.times().iter().copied().zip(table.series(column)).collect()
}

/// All algorithms and orders, as settings.
fn algorithms() -> Vec<String> {
    let mut all = vec!["algorithm = \"jacobi_delayed\"".to_owned()];
    for algorithm in ["jacobi", "gauss_seidel", "iterated"] {
        all.extend([0, 1, 2].map(|order| format!("algorithm = \"{algorithm}\"\norder = {order}")));
    }
    all
}

fn coupled(settings: &str, rest: &str) -> String {
    format!("type = \"coupled\"\n[simulation]\n{settings}\n{rest}")
}

/// Two equal orifices in series: the pressure between them is half of the supply at rest.
const ORIFICES: &str = r#"type = "circuit"
name = "circ"
[simulation]
end = 2
[[input]]
name = "supply"
unit = "Pa"
start = 1e7
[[node]]
name = "source"
type = "pressure"
pressure = "supply"
[[node]]
name = "mid"
type = "volume"
volume = 1e-3
[[node]]
name = "tank"
type = "tank"
pressure = 0
[[component]]
name = "o1"
type = "orifice"
from = "source"
to = "mid"
area = 1e-7
[[component]]
name = "o2"
type = "orifice"
from = "mid"
to = "tank"
area = 1e-7
"#;

#[test]
fn a_steady_start_is_that_of_the_values_that_arrive() {
    let folder = std::env::temp_dir().join(format!("fourbar-starts-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    std::fs::write(folder.join("circuit.toml"), ORIFICES).unwrap();
    for algorithm in algorithms() {
        let text = coupled(
            &format!("end = 0.1\nstep = 0.01\n{algorithm}"),
            r#"[[simulator]]
name = "src"
[simulator.equations]
output = [{ name = "p", unit = "bar", value = "200 + 0*time" }]
[[simulator]]
name = "c"
file = "circuit.toml"
[[connection]]
from = "src.p"
to = "c.supply"
"#,
        );
        let path = folder.join("case.toml");
        std::fs::write(&path, &text).unwrap();
        let file = ModelFile::load(&path).unwrap();
        let run = Run::new(file.document(), &Overrides::default()).unwrap();
        let mut table = Table::default();
        run.execute(&mut [&mut table], &AtomicBool::new(false)).unwrap();
        for (time, pressure) in series(&table, "c.mid.pressure") {
            assert!((pressure / 1e7 - 1.0).abs() < 1e-6, "{algorithm}, {time}: {pressure}");
        }
    }
    std::fs::remove_dir_all(&folder).unwrap();
}

#[test]
fn values_of_unfed_inputs_are_there_at_the_start() {
    for algorithm in algorithms() {
        let (_, table) = execute(&coupled(
            &format!("end = 1\nstep = 0.1\n{algorithm}"),
            r#"[[simulator]]
name = "r"
[simulator.equations]
input = [{ name = "u", value = 7 }]
output = [{ name = "y", value = "u" }]
[[simulator]]
name = "i"
[simulator.equations]
input = [{ name = "u" }]
state = [{ name = "x", start = 0, rate = "u" }]
output = [{ name = "x", value = "x" }]
[[connection]]
from = "r.y"
to = "i.u"
"#,
        ));
        assert_eq!(series(&table, "r.y")[0].1, 7.0, "{algorithm}");
        let x = series(&table, "i.x").last().unwrap().1;
        assert!((x - 7.0).abs() < 1e-9, "{algorithm}: {x}");
    }
}

#[test]
fn rows_end_at_the_end_once() {
    for (end, step) in [(0.3_f64, 0.1), (1.0, 0.1), (0.7, 0.1), (0.6, 0.2), (0.35, 0.05), (2.3, 0.1), (1e-6, 1e-9)] {
        let rows = "[[simulator]]\nname = \"A\"\n[simulator.equations]\nstate = [{ name = \"x\", rate = \"1\" }]\noutput = [{ name = \"x\", value = \"x\" }]\n";
        let (_, table) = execute(&coupled(&format!("end = {end}\nstep = {step}"), rows));
        let times = table.times();
        assert_eq!(times.len(), (end / step).round() as usize + 1, "{end} {step}: {times:?}");
        assert_eq!(times.last(), Some(&end));
    }
}

/// The equations of unit i of a loop.
fn unit(name: &str, inputs: &str, outputs: &str) -> String {
    format!("[[simulator]]\nname = \"{name}\"\n[simulator.equations]\ninput = [{inputs}]\noutput = [{outputs}]\n")
}

fn links(ends: &[(&str, &str)]) -> String {
    ends.iter().map(|(from, to)| format!("[[connection]]\nfrom = \"{from}\"\nto = \"{to}\"\n")).collect()
}

#[test]
fn loops_are_solved_from_stated_values_past_what_is_no_number() {
    for algorithm in algorithms().iter().filter(|own| !own.contains("delayed")) {
        let units = unit(
            "A",
            "{ name = \"c\", value = 0.5 }",
            "{ name = \"a\", value = \"1.8 - c\" }, { name = \"b\", value = \"-1.8\" }",
        ) + &unit(
            "B",
            "{ name = \"a\", value = 1 }, { name = \"b\", value = -1 }",
            "{ name = \"c\", value = \"sqrt(5 - a^2 - b^2)\" }",
        ) + &links(&[("A.a", "B.a"), ("A.b", "B.b"), ("B.c", "A.c")]);
        let (summary, table) = execute(&coupled(&format!("end = 1\nstep = 0.1\n{algorithm}"), &units));
        assert!(summary.warnings.is_empty(), "{:?}", summary.warnings);
        for ((_, a), (_, c)) in series(&table, "A.a").into_iter().zip(series(&table, "B.c")) {
            assert!((a + c - 1.8).abs() < 1e-10 && (a * a + c * c + 3.24 - 5.0).abs() < 1e-9, "{algorithm}: {a} {c}");
        }
    }
}

#[test]
fn loops_of_high_gain_are_solved_to_round_off() {
    for gain in [1e3, 1e5, 1e7, -1e5] {
        let units = unit(
            "line",
            "{ name = \"p\", unit = \"bar\", value = 100 }",
            &format!("{{ name = \"q\", unit = \"l/min\", value = \"(100 + 10*sin(time) - p)*{}\" }}", gain / 100.0),
        ) + &unit(
            "load",
            "{ name = \"q\", unit = \"l/min\" }",
            "{ name = \"p\", unit = \"bar\", value = \"100*q\" }",
        ) + &links(&[("line.q", "load.q"), ("load.p", "line.p")]);
        let (summary, table) = execute(&coupled("end = 1\nstep = 0.1", &units));
        assert!(summary.warnings.is_empty(), "{:?}", summary.warnings);
        for (time, p) in series(&table, "load.p") {
            let exact = (100.0 + 10.0 * time.sin()) * gain / (1.0 + gain);
            assert!((p / exact - 1.0).abs() < 1e-8, "{gain} {time}: {p} {exact}");
        }
    }
}

/// A pump set anew every tenth of a second, straight or behind a gain, into an integrator.
#[test]
fn outputs_that_jump_are_held() {
    let source = "[[simulator]]\nname = \"a\"\n[simulator.equations]\noutput = [{ name = \"y\", value = \"floor(10*time + 1e-6)\" }]\n";
    let integrator = "[[simulator]]\nname = \"b\"\n[simulator.equations]\ninput = [{ name = \"u\" }]\nstate = [{ name = \"x\", rate = \"u\" }]\noutput = [{ name = \"x\", value = \"x\" }]\n";
    let gain = unit("g", "{ name = \"u\" }", "{ name = \"y\", value = \"2*u\" }");
    for algorithm in algorithms() {
        let straight = format!("{source}{integrator}{}", links(&[("a.y", "b.u")]));
        let settings = format!("end = 1\nstep = 0.1\n{algorithm}");
        let (_, table) = execute(&coupled(&settings, &straight));
        let x = series(&table, "b.x").last().unwrap().1;
        assert!((x - 4.5).abs() < 1e-9, "{algorithm}: {x}");
        if algorithm.contains("delayed") {
            continue;
        }
        let behind = format!("{source}{gain}{integrator}{}", links(&[("a.y", "g.u"), ("g.y", "b.u")]));
        let (_, table) = execute(&coupled(&settings, &behind));
        let x = series(&table, "b.x").last().unwrap().1;
        assert!((x - 9.0).abs() < 1e-9, "behind a gain, {algorithm}: {x}");
    }
}

/// A jump within a communication step ends it, where the output knows when it comes.
#[test]
fn jumps_in_time_end_steps() {
    let text = |law: &str, algorithm: &str| {
        let source = format!(
            "[[simulator]]\nname = \"a\"\n[simulator.equations]\noutput = [{{ name = \"y\", value = \"{law}\" }}]\n"
        );
        let integrator = "[[simulator]]\nname = \"b\"\n[simulator.equations]\ninput = [{ name = \"u\" }]\nstate = [{ name = \"x\", rate = \"u\" }]\noutput = [{ name = \"x\", value = \"x\" }]\n";
        let settings = format!("end = 1\nstep = 0.1\nevents = true\n{algorithm}");
        coupled(&settings, &format!("{source}{integrator}{}", links(&[("a.y", "b.u")])))
    };
    for algorithm in algorithms() {
        let table = [
            ("if(time < 0.234, 0, 5)", 5.0 * 0.766),
            ("if(time > 0, 3, 0)", 3.0),
            ("if(time < 0.3, 1, 2)", 1.7),
            ("floor(time/0.15)", 0.15 * 15.0 + 6.0 * 0.1),
        ];
        for (law, exact) in table {
            let (summary, rows) = execute(&text(law, &algorithm));
            let x = series(&rows, "b.x").last().unwrap().1;
            assert!((x - exact).abs() < 1e-5, "{law}, {algorithm}: {x}, {exact}");
            // One at the start alone ends no step.
            let idle = summary.warnings.iter().any(|text| text.contains("no effect"));
            assert_eq!(idle, law == "if(time > 0, 3, 0)", "{:?}", summary.warnings);
        }
    }
    let idle = "[[simulator]]\nname = \"b\"\n[simulator.equations]\nstate = [{ name = \"x\", rate = \"1\" }]\noutput = [{ name = \"x\", value = \"x\" }]\n";
    let (summary, _) = execute(&coupled("end = 1\nstep = 0.1\nevents = true", idle));
    assert!(summary.warnings.iter().any(|text| text.contains("no effect")), "{:?}", summary.warnings);
}

#[test]
fn rows_between_the_points_of_a_slow_simulator_are_those_of_its_motion() {
    let slow = "[[simulator]]\nname = \"slow\"\nevery = 4\n[simulator.equations]\nstate = [{ name = \"x\", rate = \"1\" }]\noutput = [{ name = \"x\", value = \"x\" }]\n";
    for algorithm in algorithms().iter().filter(|own| !own.contains("iterated")) {
        let (_, table) = execute(&coupled(&format!("end = 2\nstep = 0.1\noutput_step = 0.1\n{algorithm}"), slow));
        let rows = series(&table, "slow.x");
        assert_eq!(rows.len(), 21);
        for (time, x) in rows {
            assert!((x - time).abs() < 1e-9, "{algorithm}, {time}: {x}");
        }
    }
}

/// Largest error over the steps of a mass on a spring and a damper apart from it, released at rest: the force begins to change at once.
fn damper(algorithm: &str, step: f64) -> f64 {
    let text = coupled(
        &format!("end = 1\nstep = {step}\noutput_step = {step}\n{algorithm}"),
        r#"[[simulator]]
name = "m"
[simulator.equations]
input = [{ name = "F", unit = "N" }]
state = [{ name = "x", start = 1, rate = "v" }, { name = "v", rate = "F" }]
output = [{ name = "x", unit = "m", value = "x" }, { name = "v", unit = "m/s", value = "v" }]
[[simulator]]
name = "s"
[simulator.equations]
input = [{ name = "x", unit = "m" }, { name = "v", unit = "m/s" }]
output = [{ name = "F", unit = "N", value = "-40*x - 4*v" }]
[[connection]]
from = "m.x"
to = "s.x"
[[connection]]
from = "m.v"
to = "s.v"
[[connection]]
from = "s.F"
to = "m.F"
"#,
    );
    // x'' + 4 x' + 40 x = 0 with x = 1 and x' = 0.
    let exact = |t: f64| (-2.0 * t).exp() * ((6.0 * t).cos() + (6.0 * t).sin() / 3.0);
    let (_, table) = execute(&text);
    series(&table, "m.x").into_iter().map(|(t, x)| (x - exact(t)).abs()).fold(0.0, f64::max)
}

#[test]
fn a_damper_in_the_interface_leaves_third_order() {
    for algorithm in ["jacobi", "gauss_seidel"] {
        let name = format!("algorithm = \"{algorithm}\"");
        let errors = [5e-3, 2.5e-3, 1.25e-3].map(|step| damper(&name, step));
        for pair in errors.windows(2) {
            let order = (pair[0] / pair[1]).log2();
            assert!(order > 2.7, "{algorithm}: {errors:?}");
        }
    }
}

/// Models of the examples are at rest or not; each first row is that of every algorithm.
#[test]
fn first_rows_of_models_are_the_same_with_every_algorithm() {
    let file = ModelFile::load(root("models/press.toml")).unwrap();
    let fourbar::Document::Coupled(model) = file.document() else { panic!("no coupled model") };
    let rows = AlgorithmName::NAMES.map(|(_, algorithm)| {
        let settings = CoupledSettings { algorithm: Some(algorithm), ..CoupledSettings::default() };
        let mut master = model.master(&settings).unwrap();
        master.initialize(&mut ()).unwrap();
        master.output_names().iter().map(|name| master.output(name).unwrap()).collect::<Vec<_>>()
    });
    assert!(rows.iter().all(|row| *row == rows[0]), "{rows:?}");
}
