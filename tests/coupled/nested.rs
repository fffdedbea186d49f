//! A coupled model as a simulator of another one.

use crate::coupled::running::root;
use fourbar::coupled::{AlgorithmName, CoupledModel, Place, SimulatorKind, SimulatorModel};
use fourbar::file::ModelFile;
use fourbar::multibody::expression::Expression;
use fourbar::results::Table;
use fourbar::run::{Overrides, Run};
use fourbar::{Document, Error};
use std::collections::BTreeMap;
use std::path::Path;
use std::sync::atomic::AtomicBool;

/// The press by Jacobi's scheme, all outputs recorded.
fn press() -> CoupledModel {
    let file = ModelFile::load(root("models/press.toml")).unwrap();
    let mut model = file.document().coupled().unwrap().clone();
    model.simulation.algorithm = Some(AlgorithmName::Jacobi);
    model.simulation.sequence.clear();
    model.simulation.record = None;
    model.ports.clear();
    model
}

/// The same with all simulators but the beam inside of one.
fn nested(model: &CoupledModel) -> CoupledModel {
    let (mut outer, mut inner) = (model.clone(), model.clone());
    let is_within = |end: &str| !end.starts_with("beam.");
    inner.simulators.retain(|simulator| simulator.name != "beam");
    inner.connections.retain(|connection| is_within(&connection.from) && is_within(&connection.to));
    outer.simulators.retain(|simulator| simulator.name == "beam");
    outer.connections.retain(|connection| !(is_within(&connection.from) && is_within(&connection.to)));
    for end in outer.connections.iter_mut().flat_map(|connection| [&mut connection.from, &mut connection.to]) {
        if is_within(end) {
            *end = format!("drive.{end}");
        }
    }
    outer.simulators.push(SimulatorModel {
        name: "drive".to_owned(),
        kind: SimulatorKind::Coupled(Box::new(inner)),
        file: None,
        parameters: BTreeMap::new(),
        reactions: None,
        place: Place::default(),
    });
    outer
}

fn table(model: CoupledModel, end: f64) -> Table {
    let run = Run::new(&Document::from(model), &Overrides { end: Some(end), ..Overrides::default() }).unwrap();
    let mut table = Table::default();
    let outcome = run.execute(&mut [&mut table], &AtomicBool::new(false)).unwrap();
    assert!(outcome.failure.is_none(), "{:?}", outcome.failure);
    table
}

#[test]
fn the_press_has_the_same_numbers_nested_and_flat() {
    let model = press();
    let (flat, nested) = (table(model.clone(), 0.05), table(nested(&model), 0.05));
    assert_eq!(flat.times(), nested.times());
    let names = |table: &Table| table.columns().iter().map(|column| column.name.clone()).collect::<Vec<_>>();
    let places = names(&nested);
    for (k, name) in names(&flat).iter().enumerate() {
        let place = places.iter().position(|own| own.strip_prefix("drive.").unwrap_or(own) == name).unwrap();
        assert!(flat.series(k).eq(nested.series(place)), "{name}");
    }
}

#[test]
fn parameters_of_what_is_within_are_set_by_their_whole_names() {
    let mut model = nested(&press());
    let values = model.simulator_parameters().unwrap();
    let (_, before) = values.iter().find(|(name, _)| name == "drive.axis2.dead_a").unwrap();
    assert_eq!(*before, 0.006);
    let mut document = Document::from(model.clone());
    document.set_parameter("drive.axis2.dead_a", Expression::constant(0.007)).unwrap();
    model = document.coupled().unwrap().clone();
    let values = model.simulator_parameters().unwrap();
    assert!(values.iter().any(|(name, value)| name == "drive.axis2.dead_a" && *value == 0.007));
    document.set_parameter("drive.axis3.dead_a", Expression::constant(1.0)).unwrap();
    let error = Run::new(&document, &Overrides::default()).err().unwrap().to_string();
    assert!(error.contains("axis3") && error.contains("did you mean \"axis1\""), "{error}");
}

const INNER: &str = r#"
type = "coupled"
name = "swing"
simulation = { end = 10, step = 0.01, algorithm = "jacobi" }

[[simulator]]
name = "mass"

[simulator.equations]
solver_step = 1e-3
input = [{ name = "F", unit = "N" }, { name = "push", unit = "N" }]
state = [{ name = "x", start = 1, rate = "v" }, { name = "v", rate = "(F + push)/2" }]
output = [{ name = "x", unit = "m", value = "x" }, { name = "v", unit = "m/s", value = "v" }]

[[simulator]]
name = "spring"

[simulator.equations]
input = [{ name = "x", unit = "mm" }, { name = "v", unit = "m/s" }]
output = [{ name = "F", unit = "kN", value = "-(2e-4*x + 4e-3*v)" }]

[[connection]]
from = "mass.x"
to = "spring.x"

[[connection]]
from = "mass.v"
to = "spring.v"

[[connection]]
from = "spring.F"
to = "mass.F"
"#;

const OUTER: &str = r#"
type = "coupled"
simulation = { end = 1, step = 0.02, output_step = 0.02, algorithm = "jacobi" }

[[simulator]]
name = "swing"
file = "inner.toml"

[[simulator]]
name = "hand"

[simulator.equations]
output = [{ name = "force", unit = "kN", value = "0.002*sin(3*time)" }]

[[connection]]
from = "hand.force"
to = "swing.mass.push"
"#;

fn load(folder: &Path, inner: &str, outer: &str) -> Result<ModelFile, Error> {
    std::fs::write(folder.join("inner.toml"), inner).unwrap();
    std::fs::write(folder.join("outer.toml"), outer).unwrap();
    ModelFile::load(folder.join("outer.toml"))
}

#[test]
fn a_coupled_file_is_a_simulator_by_its_name() {
    let folder = tempfile::tempdir().unwrap();
    let file = load(folder.path(), INNER, OUTER).unwrap();
    assert!(file.files().iter().any(|file| file.ends_with("inner.toml")));
    let table = table(file.document().coupled().unwrap().clone(), 1.0);
    let place = table.columns().iter().position(|column| column.name == "swing.mass.x").unwrap();
    let last = table.series(place).last().unwrap();
    // 2 x'' + 4 x' + 200 x = 2 sin(3 t), x = 1 at rest, by its closed form.
    let (a, b, w, t) = (1.0, 99f64.sqrt(), 3.0, 1.0f64);
    let (p, q) = (100.0 - w * w, 2.0 * a * w);
    let (s, c) = (p / (p * p + q * q), -q / (p * p + q * q));
    let (k1, k2) = (1.0 - c, (a * (1.0 - c) - s * w) / b);
    let exact = s * (w * t).sin() + c * (w * t).cos() + (-a * t).exp() * (k1 * (b * t).cos() + k2 * (b * t).sin());
    // The parabolas miss the force by 3/8 (H w)^3 of it, a change of the stiffness that acts over the time as w t/2.
    let (step, missed) = (0.01, |step: f64| 3.0 / 8.0 * (10.0 * step).powi(3) * 10.0 * t / 2.0);
    assert!((last - exact).abs() < missed(step), "{last}, {exact}");
}

#[test]
fn faults_within_have_the_line_of_the_file_within() {
    let folder = tempfile::tempdir().unwrap();
    let wrong = INNER.replace("(F + push)/2", "(F + pull)/2");
    let file = load(folder.path(), &wrong, OUTER).unwrap();
    let error = file.explain(Run::new(file.document(), &Overrides::default()).err().unwrap());
    let Error::Model(diagnostic) = &error else { panic!("{error}") };
    assert!(diagnostic.file.ends_with("inner.toml"), "{error}");
    assert!(error.to_string().contains("pull"), "{error}");
    // A connection to what is not there.
    let file = load(folder.path(), INNER, &OUTER.replace("swing.mass.push", "swing.mass.pull")).unwrap();
    let error = file.explain(Run::new(file.document(), &Overrides::default()).err().unwrap()).to_string();
    assert!(error.contains("mass.pull") && error.contains("mass.push"), "{error}");
    // A step that does not go into that outside.
    let file = load(folder.path(), &INNER.replace("step = 0.01", "step = 0.015"), OUTER).unwrap();
    let run = Run::new(file.document(), &Overrides::default()).unwrap();
    let outcome = run.execute(&mut [], &AtomicBool::new(false)).unwrap();
    let failure = outcome.failure.unwrap().to_string();
    assert!(failure.contains("\"swing\"") && failure.contains("does not go into 0.02 s"), "{failure}");
}
