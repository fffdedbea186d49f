//! A model that is stepped from output to output, as the live page does, shows what its run shows: at the same times the same values, on jumps too.

use fourbar::Document;
use fourbar::coupled::CoupledModel;
use fourbar::file::ModelFile;
use fourbar::results::Table;
use fourbar::run::{Overrides, Run};
use std::sync::atomic::AtomicBool;

/// What jumps at AT, in models whose outputs are STEP apart, and whose outputs jump with it.
const KINDS: [(&str, &str); 5] = [
    (
        "linear",
        r#"
type = "linear"
state_space = { a = [[-2]], b = [[2, 1]], c = [[1], [0]], d = [[0, 0], [1, 1]] }
input = [{ name = "force", type = "step", time = AT, after = 3 }, { name = "load", type = "expression", value = "if(time >= AT, sin(7*time^2), 0)" }]
output = [{ name = "place" }, { name = "sum" }, { name = "twice", expression = "2*sum + place" }]
"#,
    ),
    (
        "mechanism",
        r#"
gravity = [0, 0, 0]
body = [{ name = "block", solids = [{ type = "box", size = [0.1, 0.1, 0.1], mass = 2 }] }]
force = [{ name = "push", type = "force", i = "block", value = ["if(time >= AT, 10, -1)", 0, 0] }]
measure = [{ name = "x", type = "position", i = "block", component = "x" }, { name = "a", type = "acceleration", i = "block", component = "x" }]
"#,
    ),
    (
        "contact",
        r#"
gravity = [0, 0, -9.81]
body = [{ name = "block", position = [0, 0, 0.05], solids = [{ type = "box", size = [0.1, 0.1, 0.1], mass = 2 }] }]
contact = [{ name = "floor", type = "box_plane", i = "block", size = [0.1, 0.1, 0.1], j = "ground", friction = 0.1 }]
force = [{ name = "push", type = "force", i = "block", value = ["if(time >= AT, 10, 0)", 0, 0] }]
measure = [{ name = "x", type = "position", i = "block", component = "x" }, { name = "push", type = "expression", expression = "if(time >= AT, 10, 0)" }]
"#,
    ),
    (
        "circuit",
        r#"
type = "circuit"
fluid = { density = 860, bulk_modulus = { type = "constant", value = 1.4e9 } }
node = [{ name = "tank", type = "tank" }, { name = "room", type = "volume", volume = 1e-3, start = 1e6 }]
component = [
  { name = "pump", type = "flow_source", from = "tank", to = "room", flow = "if(time >= AT, 2e-4, 1e-4)" },
  { name = "hole", type = "orifice", from = "room", to = "tank", area = 1e-5 },
]
"#,
    ),
    (
        "coupled",
        r#"
type = "coupled"
simulator = [
  { name = "source", equations = { output = [{ name = "u", value = "if(time >= AT, 1, 0)" }] } },
  { name = "lag", equations = { input = [{ name = "u" }], state = [{ name = "x", rate = "u - x" }], output = [{ name = "x", value = "x" }] } },
]
connection = [{ from = "source.u", to = "lag.u" }]
"#,
    ),
];
/// Distances of outputs and times of jumps: on an output in any rounding (0.09 + 0.01 is less than 0.1, 3 times 0.1 is more than 0.3, 3 times 0.3
/// less than 0.9), and between two.
const TIMES: [(&str, &str); 4] = [("0.01", "0.1"), ("0.1", "0.3"), ("0.3", "0.9"), ("0.01", "0.1234")];
const OUTPUTS: usize = 15;

fn table(document: &Document) -> Table {
    let run = Run::new(document, &Overrides::default()).unwrap();
    let mut table = Table::default();
    let outcome = run.execute(&mut [&mut table], &AtomicBool::new(false)).unwrap();
    assert!(outcome.failure.is_none(), "{:?}", outcome.failure);
    table
}

#[test]
fn models_that_are_stepped_alone_show_what_their_runs_show() {
    for (kind, text) in KINDS {
        for (step, at) in TIMES {
            let end = OUTPUTS as f64 * step.parse::<f64>().unwrap();
            let field = if kind == "coupled" { "step" } else { "output_step" };
            let text = text.replace("AT", at);
            let text = format!("name = \"{kind}\"\nsimulation = {{ end = {end}, {field} = {step} }}\n{text}");
            let file = ModelFile::parse("model.toml", text).unwrap_or_else(|error| panic!("{kind}: {error}"));
            let own = table(file.document());
            let mut alone = CoupledModel::around(file.document()).unwrap();
            alone.simulation.real_time_factor = None;
            let alone = table(&Document::Coupled(Box::new(alone)));
            assert_eq!(own.times(), alone.times(), "{kind}, {step}");
            for (k, column) in own.columns().iter().enumerate() {
                let name = |other: &str| other == column.name || other.ends_with(&format!(".{}", column.name));
                let other = alone.columns().iter().position(|other| name(&other.name)).expect("it is an output");
                let largest = own.series(k).fold(0.0, |largest: f64, value| largest.max(value.abs()));
                for ((time, a), b) in own.times().iter().zip(own.series(k)).zip(alone.series(other)) {
                    let place = format!("{kind}, outputs {step} apart, jump at {at}: {} at {time}", column.name);
                    assert!((b - a).abs() <= 1e-4 * largest, "{place}: {b} is not {a}");
                }
            }
        }
    }
}
