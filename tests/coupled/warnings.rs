//! What simulators have to say of a run reaches its warnings: the text of the model alone, with the simulator's name before it.

use crate::running::root;
use fourbar::file::ModelFile;
use fourbar::run::{Overrides, Run};
use proptest::prelude::*;
use std::sync::atomic::AtomicBool;

fn warnings(text: &str) -> Vec<String> {
    let name = root("models/test.toml").display().to_string();
    let file = ModelFile::parse(name, text.to_owned()).unwrap_or_else(|error| panic!("{error}\n{text}"));
    let run =
        Run::new(file.document(), &Overrides::default()).unwrap_or_else(|error| panic!("{}", file.explain(error)));
    let outcome = run.execute(&mut [], &AtomicBool::new(false)).unwrap();
    assert!(outcome.failure.is_none(), "{:?}", outcome.failure);
    outcome.summary.warnings
}

/// The text without its numbers: steps end elsewhere where communication points cut them.
fn words(text: &str) -> String {
    let number = |c: char| c.is_ascii_digit() || ".e-".contains(c);
    text.split(' ').filter(|word| !word.chars().all(number)).collect::<Vec<_>>().join(" ")
}

/// Every table and array of tables of a model as those of a simulator.
fn as_simulator(model: &str) -> String {
    let inside = |line: &str| {
        let name = line.trim_start_matches('[').trim_end_matches(']');
        match line {
            line if line.starts_with("[[") => format!("[[simulator.model.{name}]]"),
            line if line.starts_with('[') && line.ends_with(']') => format!("[simulator.model.{name}]"),
            line => line.to_owned(),
        }
    };
    model.lines().map(|line| inside(line.trim())).collect::<Vec<_>>().join("\n")
}

const END: f64 = 0.2;

/// A rod on a joint that does not close, with what is exact contradicting it.
const OPEN: &str = r#"type = "mechanism"
simulation = { end = 0.2, output_step = 0.01 }
gravity = [0, -9.81, 0]
[[body]]
name = "rod"
mass = 1
inertia = [1e-3, 0.1, 0.1]
position = [0.5, 0, 0]
exact = ["x"]
[[joint]]
name = "A"
type = "revolute"
i = { body = "rod", position = [-0.5, 0, 0] }
j = { body = "ground", position = [0.01, 0, 0] }
[[measure]]
name = "x"
type = "position"
i = "rod"
component = "x"
"#;

/// A rod on two hinges of one axis, one of them redundant, the force of which is measured; and a force that switches at times nobody knows.
const TWICE: &str = r#"type = "mechanism"
simulation = { end = 0.2, output_step = 0.01 }
[[body]]
name = "rod"
mass = 1
inertia = [1e-3, 0.1, 0.1]
position = [0.5, 0, 0]
[[joint]]
name = "A"
type = "revolute"
i = { body = "rod", position = [-0.5, 0, 0.1] }
j = { body = "ground", position = [0, 0, 0.1] }
[[joint]]
name = "B"
type = "revolute"
i = { body = "rod", position = [-0.5, 0, -0.1] }
j = { body = "ground", position = [0, 0, -0.1] }
[[force]]
name = "push"
type = "force"
i = "rod"
value = ["if(time^2 > 0.02*sin(time), 1, 2)", 0, 0]
[[measure]]
name = "reaction"
type = "reaction"
joint = "A"
quantity = "force"
"#;

/// A ball that starts inside the floor, which jumps.
fn ball(following: &str) -> String {
    format!(
        r#"type = "mechanism"
simulation = {{ end = 0.2, output_step = 0.01 }}
gravity = [0, 0, -9.81]
{following}
[[body]]
name = "ball"
mass = 1
inertia = [4e-3, 4e-3, 4e-3]
position = [0, 0, HEIGHT]
velocity = [0, 0, -3]
[[contact]]
name = "floor"
type = "sphere_plane"
i = "ball"
radius = 0.1
j = "ground"
offset = "if(time > 0.103, 0.02, 0)"
[[measure]]
name = "height"
type = "position"
i = "ball"
component = "z"
"#
    )
}

/// A node that is drawn empty, under a command beyond 1, between tanks that count from two zeros.
const EMPTY: &str = r#"type = "circuit"
simulation = { end = 0.2, output_step = 0.01, start = "values" }
[[node]]
name = "t"
type = "tank"
[[node]]
name = "zero"
type = "pressure"
pressure = 0
[[node]]
name = "a"
type = "volume"
volume = 1e-3
start = 1e5
[[node]]
name = "b"
type = "volume"
volume = 1e-3
start = 1e5
[[component]]
name = "o"
type = "orifice"
from = "t"
to = "a"
area = 1e-6
[[component]]
name = "r"
type = "orifice"
from = "b"
to = "zero"
area = 1e-9
[[component]]
name = "sv"
type = "spool_valve"
supply = "t"
tank = "t"
a = "b"
b = "b"
command = 50
area = 1e-6
frequency = 300
damping = 0.8
[[component]]
name = "s"
type = "flow_source"
from = "a"
to = "t"
flow = 1e-3
"#;

/// A wave far above the step that the model insists on.
const COARSE: &str = r#"type = "linear"
simulation = { end = 0.2, output_step = 0.01, step = 0.01 }
[[input]]
name = "u"
type = "expression"
value = "sin(2*pi*300*time + 1e-3*sin(time))"
[[block]]
name = "y"
type = "lag"
input = "u"
time_constant = 0.05
[[output]]
name = "y"
from = "y"
"#;

/// Every kind of simulator, on the thread of the run and on one of its own.
#[test]
fn a_simulator_warns_as_its_model_does_alone() {
    let stepped = "contacts = { method = \"moreau_jean\", step = 1e-2, projection = { iterations = 0 } }";
    let cases: [(String, &[&str]); 6] = [
        (OPEN.to_owned(), &["assembly moved body \"rod\"", "changed what the model calls exact"]),
        (TWICE.to_owned(), &["\"push\" switch", "reactions are not unique"]),
        (ball("contacts = { method = \"event\" }").replace("HEIGHT", "0.2"), &["`offset` of contact \"floor\" jumps"]),
        (
            ball(stepped).replace("HEIGHT", "0.07"),
            &["`offset` of contact \"floor\" jumps", "\"floor\" starts", "\"floor\" overlaps"],
        ),
        (EMPTY.to_owned(), &["a cavity opened", "`command` came to 50", "one counts from the atmosphere"]),
        (COARSE.to_owned(), &["the interpolation of `u` leaves `y`"]),
    ];
    for (model, parts) in cases {
        let alone = warnings(&model);
        for part in parts {
            assert!(alone.iter().any(|text| text.contains(part)), "{part}: {alone:#?}");
        }
        for place in ["", "thread = true"] {
            let coupled = format!(
                "type = \"coupled\"\nsimulation = {{ end = {END}, step = 0.01, output_step = 0.01 }}\n[[simulator]]\nname = \"one\"\n\
                 {place}\n[simulator.model]\n{}",
                as_simulator(&model)
            );
            let told: Vec<String> = warnings(&coupled).iter().map(|text| words(text)).collect();
            let remedy = |text: &str| text.split(';').next().unwrap_or_default().to_owned();
            let expected: Vec<String> = alone.iter().map(|text| words(&format!("simulator \"one\": {text}"))).collect();
            // What is to be done about an interpolation depends on whose step it is.
            let all = |texts: &[String]| texts.iter().map(|text| remedy(text.as_str())).collect::<Vec<_>>();
            assert_eq!(all(&told), all(&expected), "{place}");
        }
    }
}

/// A simulator `s` with the output `output`, read by a mass at steps of 10 ms.
fn read_at_10_ms(source: &str, output: &str) -> String {
    let unit = if output == "o.flow" { "m^3/s" } else { "" };
    format!(
        "type = \"coupled\"\n[simulation]\nend = 10\nstep = 0.01\n[[simulator]]\nname = \"s\"\n{source}\n[[simulator]]\nname = \"m\"\n\
         [simulator.equations]\ninput = [{{ name = \"F\", unit = \"{unit}\" }}]\nstate = [{{ name = \"x\", rate = \"v\" }}, {{ name = \"v\", rate = \"F/2\" }}]\n\
         output = [{{ name = \"x\", value = \"x\" }}]\n[[connection]]\nfrom = \"s.{output}\"\nto = \"m.F\"\n"
    )
}

/// `signal` out of a simulator of each kind, and the name of the output.
fn sources(signal: &str) -> [(String, &'static str); 5] {
    let model = |kind: &str, rest: &str| format!("[simulator.model]\ntype = \"{kind}\"\n{rest}");
    let block = |block: &str| {
        format!(
            "[[simulator.model.input]]\nname = \"c\"\ntype = \"expression\"\nvalue = \"{signal}\"\n[[simulator.model.block]]\nname = \"l\"\n{block}\n\
             input = \"c\"\n[[simulator.model.output]]\nname = \"F\"\nfrom = \"l\"\n"
        )
    };
    let body = format!(
        "[[simulator.model.body]]\nname = \"d\"\nmass = 1\ninertia = [1, 1, 1]\n[[simulator.model.measure]]\nname = \"F\"\ntype = \"expression\"\n\
         expression = \"{signal}\"\n"
    );
    let orifice = format!(
        "[[simulator.model.node]]\nname = \"p\"\ntype = \"pressure\"\npressure = \"3e5 + 1e5*({signal})\"\n[[simulator.model.node]]\nname = \"t\"\n\
         type = \"tank\"\n[[simulator.model.component]]\nname = \"o\"\ntype = \"orifice\"\nfrom = \"p\"\nto = \"t\"\narea = 1e-6\n"
    );
    [
        (format!("[simulator.equations]\noutput = [{{ name = \"F\", value = \"{signal}\" }}]"), "F"),
        (model("linear", &block("type = \"gain\"\ngain = 1")), "F"),
        (model("linear", &block("type = \"lag\"\ntime_constant = 1e-3")), "F"),
        (model("mechanism", &body), "F"),
        (model("circuit", &orifice), "o.flow"),
    ]
}

/// Pulses, trains of pulses and waves read once a wave come out of every kind of simulator with a word; jumps, slow waves and ramps without one.
#[test]
fn outputs_that_partners_do_not_see_are_told_of_every_kind_of_simulator() {
    for (signal, seen) in [
        ("if(time > 5.0033 and time < 5.0063, 1, 0)", false),
        ("if(mod(time, 0.001) < 0.0003, 1, 0)", false),
        ("sin(2*pi*99.9*time)", false),
        ("if(time > 5.0033, 1, 0)", true),
        ("sin(2*pi*time)", true),
        ("step(time, 5.0033, 0, 7, 1)", true),
    ] {
        for (source, output) in sources(signal) {
            let told = warnings(&read_at_10_ms(&source, output));
            let unseen = |text: &&String| text.contains("do not see") && text.contains(output);
            assert_eq!(told.iter().filter(unseen).count(), usize::from(!seen), "{signal}: {source}\n{told:#?}");
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 32, failure_persistence: None, ..ProptestConfig::default() })]

    /// A pulse of half a step is told wherever it lies within one, of every kind of simulator; one that lasts over two points is not.
    #[test]
    fn pulses_within_a_step_are_told(kind in 0..5usize, k in 3..900u32, place in 0.02..0.4f64) {
        let begin = 0.01 * (f64::from(k) + place);
        for (length, seen) in [(0.005, false), (0.021, true)] {
            let signal = format!("if(time > {begin} and time < {}, 1, 0)", begin + length);
            let (source, output) = sources(&signal)[kind].clone();
            let told = warnings(&read_at_10_ms(&source, output));
            prop_assert_eq!(told.iter().any(|text| text.contains("do not see")), !seen, "{}: {:?}", source, told);
        }
    }
}

/// An input without a connection is told of unless the model gives its value.
#[test]
fn inputs_that_nobody_sets_are_told() {
    for (value, told) in [("", true), (", value = 0", false), (", value = 2", false)] {
        let equations = format!(
            "type = \"coupled\"\n[simulation]\nend = 1\nstep = 0.1\n[[simulator]]\nname = \"b\"\n[simulator.equations]\n\
             input = [{{ name = \"u\"{value} }}]\nstate = [{{ name = \"y\", rate = \"u - y\" }}]\noutput = [{{ name = \"y\", value = \"y\" }}]\n"
        );
        let found = warnings(&equations);
        assert_eq!(found.iter().any(|text| text.contains("b.u") && text.contains("stays at 0")), told, "{found:?}");
    }
}

/// What a run is told to do it does not do yet.
#[test]
fn remedies_fit_what_the_run_has() {
    let text = |settings: &str| {
        format!(
            "type = \"coupled\"\n[simulation]\nend = 10\nstep = 0.25\n{settings}\n[[simulator]]\nname = \"m\"\n[simulator.equations]\n\
             input = [{{ name = \"F\" }}]\nstate = [{{ name = \"x\", start = 1, rate = \"v\" }}, {{ name = \"v\", rate = \"F\" }}]\n\
             output = [{{ name = \"x\", value = \"x\" }}]\n[[simulator]]\nname = \"s\"\n[simulator.equations]\ninput = [{{ name = \"x\" }}]\n\
             output = [{{ name = \"F\", value = \"-4*x\" }}]\n[[connection]]\nfrom = \"m.x\"\nto = \"s.x\"\n[[connection]]\nfrom = \"s.F\"\nto = \"m.F\"\n"
        )
    };
    for (settings, remedy) in [
        (
            "algorithm = \"jacobi\"\norder = 1",
            "lower `step`, raise `order`, give an `adaptive` tolerance or take the algorithm `iterated`",
        ),
        ("algorithm = \"jacobi\"", "lower `step`, give an `adaptive` tolerance or take the algorithm `iterated`"),
        ("algorithm = \"iterated\"", "lower `step`, raise `order` or give an `adaptive` tolerance"),
    ] {
        let told = warnings(&text(settings));
        let fits = |text: &String| text.contains("estimated error") && text.ends_with(&format!("; {remedy}"));
        assert!(told.iter().any(fits), "{settings}: {told:?}");
    }
    let told = warnings(&text("algorithm = \"iterated\"\nmax_sweeps = 1"));
    assert!(told.iter().any(|text| text.contains("did not converge; lower `step`, raise `max_sweeps`")), "{told:?}");
}
