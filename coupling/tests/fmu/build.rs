//! FMUs of `model.c` with their descriptions; where there is no C compiler, the tests say so and pass.

use fourbar_coupling::partner::{Fmu, FmuOptions};
use fourbar_coupling::{Signal, Simulator};
use std::collections::BTreeMap;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU32, Ordering};
use zip::ZipWriter;
use zip::write::SimpleFileOptions;

/// The models of `model.c` by their numbers there.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
#[allow(dead_code)] // The root crate and this one share it.
pub(crate) enum Model {
    Dahlquist = 1,
    Ball,
    Feed,
    Resource,
    VanDerPol,
    Stair,
    Trouble,
    Pass,
    Dae,
    Wide,
    Hanging,
}

/// Which FMU: version and model.
pub(crate) type Which = (u32, Model);

/// A path that nobody else has.
fn unique(name: &str) -> PathBuf {
    static COUNT: AtomicU32 = AtomicU32::new(0);
    let count = COUNT.fetch_add(1, Ordering::Relaxed);
    Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("{name}-{}-{count}", std::process::id()))
}

/// The shared library, compiled once.
pub(crate) fn library(which: Which) -> Option<PathBuf> {
    static MADE: Mutex<BTreeMap<Which, Option<PathBuf>>> = Mutex::new(BTreeMap::new());
    let mut made = MADE.lock().unwrap();
    made.entry(which).or_insert_with(|| compile(which)).clone()
}

fn compile((version, model): Which) -> Option<PathBuf> {
    let library = unique("fmu").with_extension("so");
    // Built for the tests of this crate and of the root crate.
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let places = ["tests/fmu/model.c", "coupling/tests/fmu/model.c"].map(|place| root.join(place));
    let source = places.iter().find(|place| place.exists()).unwrap();
    let mut command = Command::new("cc");
    command.args(["-std=c11", "-Wall", "-Wextra", "-Werror", "-O1", "-fPIC", "-shared"]);
    command.arg(format!("-DFMI={version}")).arg(format!("-DMODEL={}", model as u8));
    match command.arg(source).arg("-o").arg(&library).arg("-lm").output() {
        Ok(output) => {
            assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
            Some(library)
        }
        Err(error) => {
            println!("skipped: the compiler cc cannot be run: {error}");
            None
        }
    }
}

/// An archive of these entries.
pub(crate) fn pack(entries: &[(&str, &[u8])]) -> PathBuf {
    let path = unique("model").with_extension("fmu");
    let mut writer = ZipWriter::new(std::fs::File::create(&path).unwrap());
    for (name, bytes) in entries {
        writer.start_file(*name, SimpleFileOptions::default()).unwrap();
        writer.write_all(bytes).unwrap();
    }
    writer.finish().unwrap();
    path
}

/// Where the library lies in the archive.
pub(crate) fn place(version: u32) -> String {
    let (arch, os) = (std::env::consts::ARCH, std::env::consts::OS);
    let system = if os == "macos" { "darwin" } else { os };
    let folder = if version == 2 { format!("{system}{}", usize::BITS) } else { format!("{arch}-{system}") };
    format!("binaries/{folder}/model.{}", std::env::consts::DLL_EXTENSION)
}

/// The FMU, with more attributes of its interfaces.
pub(crate) fn with(which: Which, attributes: &str) -> Option<PathBuf> {
    edited(which, attributes, |text| text)
}

/// The same with another description.
pub(crate) fn edited(which: Which, attributes: &str, edit: impl Fn(String) -> String) -> Option<PathBuf> {
    edited_with(which, attributes, edit, &[])
}

/// The same with more files.
pub(crate) fn edited_with(
    which: Which,
    attributes: &str,
    edit: impl Fn(String) -> String,
    more: &[(&str, &[u8])],
) -> Option<PathBuf> {
    let library = std::fs::read(library(which)?).unwrap();
    let description = edit(description(which, attributes));
    let place = place(which.0);
    let entries: [(&str, &[u8]); 3] =
        [("modelDescription.xml", description.as_bytes()), (&place, &library), ("resources/y.txt", b"a")];
    Some(pack(&[&entries, more].concat()))
}

/// The attributes that most tests want.
pub(crate) fn usual(version: u32) -> &'static str {
    if version == 2 {
        r#"canGetAndSetFMUstate="true" canSerializeFMUstate="true" canHandleVariableCommunicationStepSize="true""#
    } else {
        r#"canGetAndSetFMUState="true" canSerializeFMUState="true" canHandleVariableCommunicationStepSize="true""#
    }
}

/// The FMU as a partner.
pub(crate) fn opened(which: Which, options: &FmuOptions) -> Option<Fmu> {
    Some(Fmu::open(with(which, usual(which.0))?, options).unwrap())
}

/// The outputs.
pub(crate) fn outputs(fmu: &mut dyn Simulator) -> Vec<f64> {
    let count = fmu.describe().with(fourbar_coupling::Causality::Output).count();
    let mut values = vec![f64::NAN; count];
    fmu.outputs(&mut values).unwrap();
    values
}

/// Steps from 0 to n h with these inputs held, and the outputs at the end.
pub(crate) fn run(fmu: &mut dyn Simulator, n: u32, h: f64, inputs: &[f64]) -> Vec<f64> {
    let signals: Vec<Signal> = inputs.iter().map(|value| Signal::held(*value)).collect();
    for k in 0..n {
        fmu.set_inputs(&signals).unwrap();
        fmu.step(f64::from(k) * h, h).unwrap();
    }
    outputs(fmu)
}

/// Inputs and outputs as `model.c` numbers them: name, type, reference, causality, further attributes.
fn variables((version, model): Which) -> Vec<(&'static str, &'static str, u32, &'static str, &'static str)> {
    let fixed = r#"variability="fixed" start="1""#;
    let mut list =
        vec![("p", "Real", 5, "parameter", fixed), ("q", "Real", 6, "parameter", r#"variability="fixed" start="0.7""#)];
    let state = r#"initial="exact" start="1""#;
    match model {
        Model::Dahlquist => {
            list.extend([("u", "Real", 7, "input", r#"start="0""#), ("x", "Real", 1, "output", state)]);
        }
        Model::Dae => list.extend([
            ("u", "Real", 7, "input", r#"start="0""#),
            ("x", "Real", 1, "output", r#"initial="exact" start="2""#),
            ("y", "Real", 8, "output", ""),
            ("z", "Real", 9, "local", r#"initial="approx" start="0.5""#),
            ("residual", "Real", 10, "local", ""),
            ("dae", "Boolean", 30, "structuralParameter", r#"variability="fixed" start="false""#),
        ]),
        Model::Ball => {
            list.extend([
                ("h", "Real", 1, "output", r#"initial="exact" start="1" unit="m""#),
                ("v", "Real", 3, "output", r#"initial="exact" start="0" unit="km/h""#),
                ("bounces", "Integer", 20, "output", ""),
            ]);
        }
        Model::VanDerPol => {
            list.extend([
                ("x", "Real", 1, "output", r#"initial="exact" start="2""#),
                ("y", "Real", 3, "output", r#"initial="exact" start="0""#),
            ]);
        }
        Model::Wide => {
            list.extend([("low", "Integer", 21, "output", ""), ("high", "Integer", 22, "output", "")]);
        }
        Model::Stair | Model::Resource | Model::Hanging => list.push(("count", "Integer", 20, "output", "")),
        Model::Pass => list.extend([("u", "Real", 7, "input", r#"start="0""#), ("y", "Real", 8, "output", "")]),
        Model::Feed | Model::Trouble => {
            list.extend([
                ("u", "Real", 7, "input", r#"start="0.5""#),
                ("y", "Real", 8, "output", ""),
                ("i", "Integer", 21, "input", r#"start="0""#),
                ("j", "Integer", 22, "output", ""),
                ("b", "Boolean", 30, "input", r#"start="false""#),
                ("c", "Boolean", 31, "output", ""),
                ("length", "Real", 6, "output", ""),
                ("text", "String", 50, "parameter", r#"variability="fixed" start="start""#),
            ]);
            if version == 3 {
                list.extend([
                    ("a", "Real", 40, "input", r#"start="1 2 3""#),
                    ("w", "Real", 41, "output", ""),
                    ("small", "Int8", 60, "input", r#"start="0""#),
                ]);
            }
        }
    }
    list
}

/// The whole description.
pub(crate) fn description(which: Which, attributes: &str) -> String {
    let (version, model) = which;
    let states: &[(u32, u32)] = match model {
        Model::Dahlquist | Model::Dae => &[(1, 2)],
        Model::Ball | Model::VanDerPol => &[(1, 2), (3, 4)],
        _ => &[],
    };
    let mut list = String::new();
    let mut structure = String::new();
    for (i, (name, kind, reference, causality, more)) in variables(which).into_iter().enumerate() {
        list += &variable(version, name, kind, reference, causality, more);
        if causality == "output" {
            structure += &if version == 2 {
                format!("<Unknown index=\"{}\"/>", i + 1)
            } else {
                format!("<Output valueReference=\"{reference}\"/>")
            };
        }
    }
    let count = variables(which).len();
    if version == 2 {
        structure = format!("<Outputs>{structure}</Outputs><Derivatives>");
    }
    for (k, (state, derivative)) in states.iter().enumerate() {
        if version == 2 {
            let place = variables(which).iter().position(|variable| variable.2 == *state).map_or(1, |place| place + 1);
            list += &format!(
                "<ScalarVariable name=\"der{k}\" valueReference=\"{derivative}\"><Real derivative=\"{place}\"/></ScalarVariable>"
            );
            structure += &format!("<Unknown index=\"{}\"/>", count + k + 1);
        } else {
            list += &format!("<Float64 name=\"der{k}\" valueReference=\"{derivative}\" derivative=\"{state}\"/>");
            structure += &format!("<ContinuousStateDerivative valueReference=\"{derivative}\"/>");
        }
    }
    if version == 2 {
        structure += "</Derivatives>";
    }
    let token = if version == 2 { "guid" } else { "instantiationToken" };
    let indicators = if version == 2 && model == Model::Ball { "numberOfEventIndicators=\"1\"" } else { "" };
    format!(
        r#"<?xml version="1.0" encoding="UTF-8"?>
<fmiModelDescription fmiVersion="{version}.0" modelName="test" {token}="{{token}}" {indicators}>
<CoSimulation modelIdentifier="model" {attributes}/><ModelExchange modelIdentifier="model" {attributes}/>
<UnitDefinitions><Unit name="m"><BaseUnit m="1"/></Unit><Unit name="km/h"><BaseUnit m="1" s="-1" factor="0.2777777777777778"/></Unit></UnitDefinitions>
<DefaultExperiment startTime="0" stopTime="1" tolerance="1e-8"/>
<ModelVariables>{list}</ModelVariables><ModelStructure>{structure}</ModelStructure></fmiModelDescription>"#
    )
}

fn variable(version: u32, name: &str, kind: &str, reference: u32, causality: &str, more: &str) -> String {
    if version == 3 {
        let kind = match kind {
            "Real" => "Float64",
            "Integer" => "Int32",
            other => other,
        };
        let head = format!("<{kind} name=\"{name}\" valueReference=\"{reference}\" causality=\"{causality}\"");
        let update = if causality == "input" && kind == "Float64" { "intermediateUpdate=\"true\"" } else { "" };
        return match name {
            "a" | "w" => format!("{head} {more}><Dimension start=\"3\"/></{kind}>"),
            "text" => format!("{head} variability=\"fixed\"><Start value=\"start\"/></{kind}>"),
            _ => format!("{head} {update} {more}/>"),
        };
    }
    // Version 2.0 has these attributes outside of the type.
    let (outer, inner): (Vec<&str>, Vec<&str>) =
        more.split_whitespace().partition(|word| word.starts_with("variability") || word.starts_with("initial"));
    let (outer, inner) = (outer.join(" "), inner.join(" "));
    format!(
        "<ScalarVariable name=\"{name}\" valueReference=\"{reference}\" causality=\"{causality}\" {outer}><{kind} {inner}/></ScalarVariable>"
    )
}
