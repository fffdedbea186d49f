//! Settings of runs: one table, which overrides, documents and the C header agree with.

use fourbar::coupled::AlgorithmName;
use fourbar::file::ModelFile;
use fourbar::linear::MethodName;
use fourbar::mechanism::ContactMethod;
use fourbar::run::{Allowed, ModelKind, Overrides, RUN_SETTINGS, Run, RunSetting};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).to_path_buf()
}

fn read(path: &str) -> String {
    std::fs::read_to_string(root().join(path)).unwrap()
}

/// One table of settings: what docs/running.md and the C header say is what it says.
#[test]
fn settings_of_runs_are_those_of_documents_and_header() {
    let running = read("docs/running.md");
    let header = read("include/fourbar.h");
    let (_, options) = header.split_once("typedef struct fourbar_run_options {").unwrap();
    let (options, _) = options.split_once("} fourbar_run_options;").unwrap();
    let fields: BTreeSet<&str> = options
        .lines()
        .filter_map(|line| line.trim().strip_suffix(';'))
        .filter_map(|field| field.rsplit([' ', '*']).next())
        // What a run keeps is no setting of its model.
        .filter(|name| *name != "struct_size" && *name != "bodies")
        .collect();
    assert_eq!(fields, RUN_SETTINGS.iter().map(|setting| setting.name).collect());
    for setting in &RUN_SETTINGS {
        let (place, words) = match setting.allowed() {
            Allowed::Seconds => ("SECONDS", String::new()),
            Allowed::Word(words) => ("NAME", format!(": `{}`", words.join("`, `"))),
            _ => ("NUMBER", String::new()),
        };
        let option = setting.name.replace('_', "-");
        let row = format!("| `--{option} {place}` | {}{words} |", setting.description());
        assert!(running.contains(&row), "docs/running.md has not the row\n{row}");
    }
}

/// A setting that a kind of model does not have is refused by its name, one that it has is not.
#[test]
fn settings_hold_for_the_kinds_of_models_that_the_table_names() {
    let models = [
        (ModelKind::Mechanism, "models/four-bar.toml"),
        (ModelKind::Contacts, "models/bouncing-ball.toml"),
        (ModelKind::Linear, "models/servo.toml"),
        (ModelKind::Circuit, "models/hydraulic-axis.toml"),
        (ModelKind::Coupled, "models/press.toml"),
    ];
    for (kind, path) in models {
        let file = ModelFile::load(root().join(path)).unwrap();
        for setting in &RUN_SETTINGS {
            let overrides = with(setting);
            assert!(overrides.gives(setting.name), "{}", setting.name);
            let refused = match Run::new(file.document(), &overrides) {
                Err(fourbar::Error::NotForKind { setting: named, .. }) => named == setting.name,
                _ => false,
            };
            // Of contacts some settings belong to one method alone.
            if kind != ModelKind::Contacts || !setting.kinds.contains(&kind) {
                assert_eq!(refused, !setting.kinds.contains(&kind), "{} of {path}", setting.name);
            }
        }
    }
}

/// The settings of a run with this one alone.
fn with(setting: &RunSetting) -> Overrides {
    let word = match setting.allowed() {
        Allowed::Word(words) => words[0],
        _ => "",
    };
    let mut overrides = Overrides::default();
    match setting.name {
        "end" => overrides.end = Some(1.0),
        "output_step" => overrides.output_step = Some(0.1),
        "tolerance" => overrides.tolerance = Some(1e-6),
        "integrator" => overrides.integrator = Some(word.to_owned()),
        "formulation" => overrides.formulation = Some(word.to_owned()),
        "max_step" => overrides.max_step = Some(0.01),
        "max_order" => overrides.max_order = Some(3),
        "alpha" => overrides.alpha = Some(-0.1),
        "rho_infinity" => overrides.rho_infinity = Some(0.5),
        "max_steps" => overrides.max_steps = Some(1000),
        "contacts" => overrides.contacts = ContactMethod::from_name(word),
        "step" => overrides.step = Some(0.001),
        "method" => overrides.method = MethodName::from_name(word),
        "order" => overrides.order = Some(1),
        "algorithm" => overrides.algorithm = AlgorithmName::from_name(word),
        other => panic!("a setting that no test knows: {other}"),
    }
    overrides
}
