//! Parameters of FMUs by any name, and what is given for them: in files, from outside, in sweeps and exports; starts that hang, and other start times.
#![cfg(unix)]

use super::fmu::build::{Model, edited, usual};
use fourbar::coupled::CoupledSettings;
use fourbar::file::ModelFile;
use fourbar::multibody::expression::Expression;
use fourbar::run::{Overrides, Run};
use std::path::{Path, PathBuf};
use std::time::Instant;

/// Names that tools give: elements of arrays of version 2.0, nested records, blanks, operators, constants and functions of expressions.
const NAMES: [&str; 8] = ["gain[2]", "m.k[2].c", "Gain (1)", "a-b", "pi", "time", "sin", "a b"];

/// x' = -p x with p under another name.
fn renamed(version: u32, name: &str) -> Option<PathBuf> {
    edited((version, Model::Dahlquist), usual(version), |text| text.replace("name=\"p\"", &format!("name=\"{name}\"")))
}

fn model(fmu: &Path, simulation: &str, fields: &str) -> PathBuf {
    let path = fmu.with_extension(format!("{}.toml", fields.len() + 1000 * simulation.len()));
    let name = fmu.file_name().unwrap().to_str().unwrap();
    let text = format!(
        "type = \"coupled\"\n[simulation]\nstep = 0.1\n{simulation}\n[[simulator]]\nname = \"fmu\"\nfmu = \"{name}\"\n{fields}\n"
    );
    std::fs::write(&path, text).unwrap();
    path
}

fn end(file: &ModelFile) -> f64 {
    let mut master = file.document().coupled().unwrap().master(&CoupledSettings::default()).unwrap();
    master.run(&mut ()).unwrap();
    master.output("fmu.x").unwrap()
}

#[test]
fn parameters_of_any_name_are_set_in_files_and_from_outside() {
    for name in NAMES {
        let Some(fmu) = renamed(3, name) else { return };
        // A thousand of Euler's steps with 1e-3.
        let expected = 0.997_f64.powi(1000);
        let written = model(&fmu, "end = 1", &format!("parameters = {{ \"{name}\" = 3 }}"));
        let mut file = ModelFile::load(&written).unwrap();
        assert!((end(&file) - expected).abs() < 1e-12, "{name}");
        file.set_parameter(&format!("fmu.{name}"), Expression::parse("1 + 1").unwrap()).unwrap();
        assert!((end(&file) - 0.998_f64.powi(1000)).abs() < 1e-12, "{name}");
        let all = file.document().coupled().unwrap().simulator_parameters().unwrap();
        assert_eq!(all, [(format!("fmu.{name}"), 2.0)]);
    }
}

#[cfg(feature = "fmi")]
#[test]
fn a_unit_around_one_has_them_among_its_parameters() {
    for name in NAMES {
        let Some(fmu) = renamed(2, name) else { return };
        let written = model(&fmu, "end = 1", &format!("parameters = {{ \"{name}\" = 3 }}"));
        let mut instance = crate::fmi_instances::begun(&ModelFile::load(&written).unwrap(), 1.0);
        let reference = crate::fmi_instances::reference(&instance, &format!("parameters.fmu.{name}"));
        assert_eq!(instance.get(reference).unwrap(), 3.0, "{name}");
        instance.step(0.0, 1.0).unwrap();
        assert!((crate::fmi_instances::outputs(&mut instance)[0] - 0.997_f64.powi(1000)).abs() < 1e-12, "{name}");
    }
}

const TYPES: &str = r#"<TypeDefinitions><EnumerationType name="Mode"><Item name="Option 1" value="1"/><Item name="Slow" value="4"/></EnumerationType></TypeDefinitions><ModelVariables>"#;
const MORE: &str = r#"<Int64 name="big" valueReference="70" causality="parameter" variability="fixed" start="1"/>
<Enumeration name="mode" valueReference="72" causality="parameter" variability="fixed" declaredType="Mode" start="1"/>
<Enumeration name="shown" valueReference="72" causality="output" declaredType="Mode"><Alias name="other"/></Enumeration></ModelVariables>"#;

fn wide() -> Option<PathBuf> {
    edited((3, Model::Wide), usual(3), |text| {
        text.replace("</ModelVariables>", MORE).replace("<ModelVariables>", TYPES)
    })
}

#[test]
fn items_and_large_numbers_are_given_as_they_are() {
    let Some(fmu) = wide() else { return };
    let shown = |file: &ModelFile| {
        let mut master = file.document().coupled().unwrap().master(&CoupledSettings::default()).unwrap();
        master.run(&mut ()).unwrap();
        [master.output("fmu.low").unwrap(), master.output("fmu.shown").unwrap()]
    };
    let file = |fields: &str| ModelFile::load(model(&fmu, "end = 0.1", fields)).unwrap();
    let odd = "parameters = { big = 9007199254740993, mode = \"Option 1\" }";
    assert_eq!(shown(&file(odd)), [1.0, 1.0]);
    // A word that could be the name of a parameter.
    assert_eq!(shown(&file("parameters = { big = -9223372036854775808, mode = \"Slow\" }")), [0.0, 4.0]);
    assert_eq!(shown(&file("texts = { mode = \"Slow\" }"))[1], 4.0);
    let mut changed = file(odd);
    changed.set_parameter("fmu.mode", Expression::parse("Slow").unwrap()).unwrap();
    changed.set_parameter("fmu.big", Expression::parse("9223372036854775807").unwrap()).unwrap();
    assert_eq!(shown(&changed), [65535.0, 4.0]);
    assert!(changed.set_text("fmu.mode", "Option 1"));
    assert_eq!(shown(&changed)[1], 1.0);
    let refused = file("parameters = { big = 1.5 }");
    let error = Run::new(refused.document(), &Overrides::default()).err().unwrap().to_string();
    assert!(error.contains("cannot be 1.5"), "{error}");
}

#[test]
fn a_limit_of_time_holds_while_an_fmu_starts() {
    let Some(fmu) = edited((3, Model::Hanging), usual(3), |text| text) else { return };
    let file = ModelFile::load(model(&fmu, "end = 0.1", "time_limit = 0.3")).unwrap();
    let begun = Instant::now();
    let error = Run::new(file.document(), &Overrides::default()).err().unwrap().to_string();
    assert!(error.contains("time_limit") && begun.elapsed().as_secs() < 20, "{error}");
}

#[test]
fn a_run_of_fmus_begins_at_any_time() {
    let Some(fmu) = edited((3, Model::Stair), usual(3), |text| text) else { return };
    for (begin, end) in [(2.25, 5.25), (-3.5, -0.5), (-1.0, 2.5)] {
        let times = format!("start_time = {begin}\nend = {end}");
        let file = ModelFile::load(model(&fmu, &times, "")).unwrap();
        let run = Run::new(file.document(), &Overrides::default()).unwrap();
        assert_eq!((run.plan().start, run.plan().end, run.plan().output_time(0)), (begin, end, Some(begin)));
        let (_, table) = crate::running::run_file(&file, &Overrides::default());
        assert_eq!(table.times().first(), Some(&begin));
        assert!((table.times().last().unwrap() - end).abs() < 1e-12);
    }
}

/// What each kind is at 1.5 s, begun at 1 s at rest, where its input or force is 12 times the time: a mass of 2 kg, integrators, a volume.
#[test]
fn runs_of_every_kind_begin_at_any_time() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("start.toml");
    for (begin, end) in [(1.0, 1.5), (-2.0, -1.5)] {
        let text = format!(
            r#"
type = "coupled"
[simulation]
start_time = {begin}
end = {end}
step = 0.05
[[simulator]]
name = "equations"
[simulator.equations]
state = [{{ name = "x", start = "0", rate = "12*time" }}]
output = [{{ name = "x", value = "x" }}, {{ name = "t", value = "time" }}]
[[simulator]]
name = "linear"
[simulator.model]
type = "linear"
input = [{{ name = "u", type = "expression", value = "12*time" }}]
output = [{{ name = "x" }}]
[simulator.model.state_space]
a = [[0]]
b = [[1]]
c = [[1]]
[[simulator]]
name = "mass"
[simulator.model]
type = "mechanism"
gravity = [0, 0, 0]
body = [{{ name = "b", mass = 2, inertia = [1, 1, 1] }}]
force = [{{ name = "f", type = "force", i = "b", value = ["24*time", 0, 0] }}]
measure = [{{ name = "v", type = "velocity", i = "b", component = "x" }}]
"#
        );
        std::fs::write(&path, text).unwrap();
        let file = ModelFile::load(&path).unwrap();
        let mut master = file.document().coupled().unwrap().master(&CoupledSettings::default()).unwrap();
        master.run(&mut ()).unwrap();
        let expected = 6.0 * (end * end - begin * begin);
        for name in ["equations.x", "linear.x", "mass.v"] {
            let value = master.output(name).unwrap();
            assert!((value - expected).abs() < 1e-5 * expected.abs(), "{name} from {begin}: {value} {expected}");
        }
        assert!((master.output("equations.t").unwrap() - end).abs() < 1e-12);
    }
}
