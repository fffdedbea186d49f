//! What the documents say is so: paths exist, examples are read, the schema is that of the model.

use fourbar::circuit::CircuitSettings;
use fourbar::contact::model::ContactModel;
use fourbar::coupled::{ConnectionModel, CoupledSettings, EquationsModel, FaultSettings, Place, PortModel};
use fourbar::file::ModelFile;
use fourbar::hydraulics;
use fourbar::linear::LinearModel;
use fourbar::mechanism::{ContactMeasure, ContactSettings, Copies, Display, Include};
use fourbar::multibody::Mechanism;
use fourbar::multibody::model::Model;
use fourbar::sweep::{PlanFile, Sweep};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}

fn read(path: &Path) -> String {
    std::fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// Markdown files of the project itself.
fn documents(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        if path.is_dir() && !name.starts_with('.') && name != "target" && name != "out" {
            documents(&path, found);
        } else if name.ends_with(".md") {
            found.push(path);
        }
    }
}

/// Texts between `open` and the next `close`.
fn between<'a>(text: &'a str, open: &str, close: &str) -> Vec<&'a str> {
    text.split(open).skip(1).filter_map(|rest| rest.split_once(close).map(|(inner, _)| inner)).collect()
}

/// The code blocks of a language.
fn blocks<'a>(text: &'a str, language: &str) -> Vec<&'a str> {
    between(text, &format!("```{language}\n"), "\n```")
}

/// Words in back quotes that are paths of the checkout: of known kinds of files, or folders with a slash at the end.
fn is_path(word: &str) -> bool {
    let plain = word.chars().all(|c| c.is_ascii_alphanumeric() || "/._-".contains(c));
    let kinds = [".rs", ".md", ".toml", ".json", ".h", ".hpp"];
    plain
        && word.contains('/')
        && !word.starts_with('/')
        && (word.ends_with('/') || kinds.iter().any(|kind| word.ends_with(kind)))
}

#[test]
fn every_path_named_in_a_document_exists() {
    let mut found = Vec::new();
    documents(&root(), &mut found);
    let mut checked = 0;
    for document in found {
        let text = read(&document);
        let folder = document.parent().unwrap();
        let prose: String = text.split("```").step_by(2).collect();
        let links = between(&prose, "](", ")").into_iter().filter(|link| !link.contains("://"));
        for link in links.map(|link| link.split('#').next().unwrap_or_default()).filter(|link| !link.is_empty()) {
            assert!(folder.join(link).exists(), "{} links to {link}, which does not exist", document.display());
            checked += 1;
        }
        for line in prose.lines() {
            for word in line.split('`').skip(1).step_by(2).filter(|word| is_path(word)) {
                let exists = root().join(word).exists() || folder.join(word).exists();
                assert!(exists, "{} names {word}, which does not exist", document.display());
                checked += 1;
            }
        }
    }
    assert!(checked > 10, "{checked}");
}

#[test]
fn headings_linked_within_the_reference_exist() {
    let text = read(&root().join("docs/model-format.md"));
    let heading = |line: &str| line.strip_prefix('#').map(|rest| rest.trim_matches(['#', ' ']).to_lowercase());
    let anchors: Vec<_> = text
        .lines()
        .filter_map(heading)
        .map(|title| title.replace(' ', "-").replace(|c: char| !c.is_alphanumeric() && c != '-', ""))
        .collect();
    let links = between(&text, "](#", ")");
    assert!(links.len() > 10);
    for link in links {
        assert!(anchors.iter().any(|anchor| anchor == link), "no heading for #{link} in {anchors:?}");
    }
}

#[test]
fn the_examples_of_the_reference_are_read() {
    let text = read(&root().join("docs/model-format.md"));
    let examples = blocks(&text, "toml");
    assert!(examples.len() > 6);
    for example in &examples {
        if let Err(error) = ModelFile::parse("example", *example) {
            panic!("{error}");
        }
    }
    let complete = ModelFile::parse("example", examples[0]).unwrap();
    let mechanism = Mechanism::compile(&complete.document().mechanism().unwrap().model)
        .unwrap_or_else(|error| panic!("{}", complete.explain(error.into())));
    assert_eq!(mechanism.degrees_of_freedom(), 1);
}

/// Every field that the schema knows has its row in the reference.
#[test]
fn the_reference_names_every_field_and_word() {
    fn names(schema: &serde_json::Value, found: &mut Vec<String>) {
        match schema {
            serde_json::Value::Object(object) => {
                if let Some(serde_json::Value::Object(properties)) = object.get("properties") {
                    found.extend(properties.keys().cloned());
                }
                if let Some(serde_json::Value::String(word)) = object.get("const") {
                    found.push(word.clone());
                }
                if let Some(serde_json::Value::Array(words)) = object.get("enum") {
                    found.extend(words.iter().filter_map(|word| word.as_str().map(str::to_owned)));
                }
                object.values().for_each(|value| names(value, found));
            }
            serde_json::Value::Array(array) => array.iter().for_each(|value| names(value, found)),
            _ => {}
        }
    }
    let text = read(&root().join("docs/model-format.md"));
    let mut found = Vec::new();
    names(&schema(), &mut found);
    assert!(found.len() > 80);
    for name in found {
        let written = [format!("`{name}`"), format!("`\"{name}\"`"), format!("`[{name}]`"), format!("`[[{name}]]`")];
        let in_table = text.contains(&format!("{{ {name} = ")) || text.contains(&format!(", {name} = "));
        assert!(
            in_table || written.iter().any(|word| text.contains(word.as_str())),
            "the reference does not name {name}"
        );
    }
}

/// Every field in the tables of the reference is one that the schema knows.
#[test]
fn the_reference_names_no_field_that_is_not_there() {
    let text = read(&root().join("docs/model-format.md"));
    let mut known = BTreeSet::new();
    schema_names(&schema(), &mut known);
    let mut in_fields = false;
    let mut count = 0;
    for line in text.lines() {
        if !line.starts_with('|') {
            in_fields = false;
        } else if line.starts_with("| field |") {
            in_fields = true;
        } else if in_fields {
            let cell = line.split('|').nth(1).unwrap();
            for name in cell.split('`').skip(1).step_by(2) {
                count += 1;
                assert!(known.contains(name.trim_matches(['[', ']'])), "no field is named {name}: {line}");
            }
        }
    }
    assert!(count > 150, "{count}");
}

fn schema_names(schema: &serde_json::Value, found: &mut BTreeSet<String>) {
    match schema {
        serde_json::Value::Object(object) => {
            if let Some(serde_json::Value::Object(properties)) = object.get("properties") {
                found.extend(properties.keys().cloned());
            }
            object.values().for_each(|value| schema_names(value, found));
        }
        serde_json::Value::Array(array) => array.iter().for_each(|value| schema_names(value, found)),
        _ => {}
    }
}

/// The schema of a mechanism: that of its model, with the sections of contacts beside.
fn with_contacts() -> serde_json::Value {
    let mut schema = serde_json::to_value(schemars::schema_for!(Model)).unwrap();
    // In files the elements say themselves when they act.
    let elements = [
        "Joint",
        "Motion",
        "SpringDamper",
        "TorsionSpringDamper",
        "LineForce",
        "AxialTorque",
        "VectorForce",
        "GeneralForce",
        "GyroscopicCouple",
        "Field",
        "Bushing",
        "Beam",
    ];
    for element in elements {
        let active = schema["$defs"]["Activity"]["properties"]["active"].clone();
        schema["$defs"][element]["properties"]["active"] = active;
    }
    let mut add = |other: schemars::Schema| {
        let other = serde_json::to_value(other).unwrap();
        let definitions = other.get("$defs").and_then(|own| own.as_object().cloned()).unwrap_or_default();
        schema["$defs"].as_object_mut().unwrap().extend(definitions);
        other
    };
    let contacts = add(schemars::schema_for!(ContactModel));
    let settings = without_definitions(add(schemars::schema_for!(ContactSettings)));
    let copies = without_definitions(add(schemars::schema_for!(Copies)));
    let mut include = without_definitions(add(schemars::schema_for!(Include)));
    include["properties"]["model"] =
        serde_json::json!({ "description": "The model in place of a file.", "$ref": "#/$defs/SingleModel" });
    let display = without_definitions(add(schemars::schema_for!(Display)));
    let mut measure = without_definitions(add(schemars::schema_for!(ContactMeasure)));
    measure["properties"]["type"] = serde_json::json!({ "type": "string", "const": "contact" });
    measure["required"].as_array_mut().unwrap().push("type".into());
    let other = schema["$defs"]["Measure"].take();
    let definitions = schema["$defs"].as_object_mut().unwrap();
    definitions.insert("ContactSettings".into(), settings);
    definitions.insert("Copies".into(), copies);
    definitions.insert("Include".into(), include);
    definitions.insert("Display".into(), display);
    definitions.insert("ContactMeasure".into(), measure);
    definitions.insert("MechanismMeasure".into(), other);
    let either =
        ["MechanismMeasure", "ContactMeasure"].map(|name| serde_json::json!({ "$ref": format!("#/$defs/{name}") }));
    definitions.insert("Measure".into(), serde_json::json!({ "description": "A named result.", "oneOf": either }));
    let properties = schema["properties"].as_object_mut().unwrap();
    properties.extend(contacts["properties"].as_object().unwrap().clone());
    properties.insert("contacts".into(), serde_json::json!({ "$ref": "#/$defs/ContactSettings" }));
    let entries = serde_json::json!({
        "description": "Bodies and included mechanisms to multiply.",
        "type": "array",
        "items": { "$ref": "#/$defs/Copies" },
    });
    properties.insert("copies".into(), entries);
    let entries = serde_json::json!({
        "description": "Mechanisms taken in.",
        "type": "array",
        "items": { "$ref": "#/$defs/Include" },
    });
    properties.insert("include".into(), entries);
    let entries = serde_json::json!({
        "description": "What bodies look like.",
        "type": "array",
        "items": { "$ref": "#/$defs/Display" },
    });
    properties.insert("display".into(), entries);
    schema
}

/// With another name for a definition.
fn renamed(schema: serde_json::Value, from: &str, to: &str) -> serde_json::Value {
    let reference = |name: &str| format!("\"#/$defs/{name}\"");
    let text = schema.to_string().replace(&reference(from), &reference(to));
    let mut schema: serde_json::Value = serde_json::from_str(&text).unwrap();
    let definitions = schema["$defs"].as_object_mut().unwrap();
    let definition = definitions.remove(from).unwrap();
    definitions.insert(to.to_owned(), definition);
    schema
}

fn without_definitions(mut schema: serde_json::Value) -> serde_json::Value {
    let object = schema.as_object_mut().unwrap();
    for key in ["$schema", "$defs", "title"] {
        object.remove(key);
    }
    schema
}

/// The schema of a type, its definitions moved into `definitions`.
fn moved<T: schemars::JsonSchema>(definitions: &mut serde_json::Map<String, serde_json::Value>) -> serde_json::Value {
    let schema = serde_json::to_value(schemars::schema_for!(T)).unwrap();
    definitions.extend(schema.get("$defs").and_then(|own| own.as_object().cloned()).unwrap_or_default());
    without_definitions(schema)
}

/// The schema of a circuit: that of its model, with how it is run.
fn circuit() -> serde_json::Value {
    let mut schema = serde_json::to_value(schemars::schema_for!(hydraulics::Model)).unwrap();
    let definitions = schema["$defs"].as_object_mut().unwrap();
    let settings = moved::<CircuitSettings>(definitions);
    definitions.insert("CircuitSettings".into(), settings);
    schema["properties"]["simulation"] = serde_json::json!({ "$ref": "#/$defs/CircuitSettings" });
    schema
}

/// The schema of a coupled model, whose simulators stand in files or in place.
fn coupled() -> serde_json::Value {
    let mut definitions = serde_json::Map::new();
    let named = [
        ("CoupledSettings", moved::<CoupledSettings>(&mut definitions)),
        ("FaultSettings", moved::<FaultSettings>(&mut definitions)),
        ("ConnectionModel", moved::<ConnectionModel>(&mut definitions)),
        ("PortModel", moved::<PortModel>(&mut definitions)),
        ("EquationsModel", moved::<EquationsModel>(&mut definitions)),
    ];
    definitions.extend(named.map(|(name, schema)| (name.to_owned(), schema)));
    let parameters = serde_json::json!({ "type": "object", "additionalProperties": { "$ref": "#/$defs/Expression" } });
    let text = serde_json::json!({ "type": "string" });
    let mut simulator = moved::<Place>(&mut definitions);
    simulator["description"] =
        "A simulator: one of `file`, `model`, `equations`, `library` and `fmu` says what it is.".into();
    simulator["required"] = serde_json::json!(["name"]);
    simulator["properties"].as_object_mut().unwrap().extend([
        ("name".to_owned(), serde_json::json!({ "description": "Name, without a dot.", "type": "string" })),
        ("file".to_owned(), serde_json::json!({ "description": "Its model file.", "type": "string" })),
        ("model".to_owned(), serde_json::json!({ "description": "A model in place.", "$ref": "#/$defs/SingleModel" })),
        ("equations".to_owned(), serde_json::json!({ "$ref": "#/$defs/EquationsModel" })),
        ("library".to_owned(), serde_json::json!({ "description": "A shared library in C.", "type": "string" })),
        ("fmu".to_owned(), serde_json::json!({ "description": "A functional mock-up unit.", "type": "string" })),
        (
            "process".to_owned(),
            serde_json::json!({
            "description": "Of a library or an FMU: in a process of its own.", "type": "boolean" }),
        ),
        (
            "interface".to_owned(),
            serde_json::json!({
            "description": "Of an FMU: by which interface it is run.", "enum": ["co-simulation", "model-exchange", "dae"] }),
        ),
        (
            "integrator".to_owned(),
            serde_json::json!({
            "description": "Of an FMU: the method that solves its equations here.", "enum": ["rkf45", "gstiff"] }),
        ),
        (
            "texts".to_owned(),
            serde_json::json!({
            "description": "Of an FMU: start values that are texts.", "type": "object", "additionalProperties": text }),
        ),
        (
            "units".to_owned(),
            serde_json::json!({
            "description": "Of an FMU: units of inputs and outputs.", "type": "object", "additionalProperties": text }),
        ),
        ("parameters".to_owned(), parameters.clone()),
    ]);
    definitions.insert("Simulator".into(), simulator);
    let entries = |name: &str| serde_json::json!({ "type": "array", "items": { "$ref": format!("#/$defs/{name}") } });
    serde_json::json!({
        "title": "CoupledModel",
        "description": "Simulators that are stepped together and exchange values at communication points.",
        "type": "object",
        "properties": {
            "name": { "description": "Title.", "type": "string" },
            "description": { "description": "What the model shows.", "type": "string" },
            "parameters": parameters,
            "simulation": { "$ref": "#/$defs/CoupledSettings" },
            "faults": { "$ref": "#/$defs/FaultSettings" },
            "simulator": entries("Simulator"),
            "connection": entries("ConnectionModel"),
            "port": entries("PortModel"),
        },
        "additionalProperties": false,
        "$defs": definitions,
    })
}

/// The schema of files of all kinds: which one counts is said by the key `type`.
fn schema() -> serde_json::Value {
    let mut definitions = serde_json::Map::new();
    let linear = serde_json::to_value(schemars::schema_for!(LinearModel)).unwrap();
    let kinds = [("mechanism", with_contacts()), ("linear", linear), ("circuit", circuit()), ("coupled", coupled())];
    for (kind, mut schema) in kinds {
        let own = schema["$defs"].as_object().unwrap().clone();
        for (name, definition) in own {
            // Kinds that call different things by one name keep them apart.
            if definitions.get(&name).is_some_and(|other| *other != definition) {
                schema = renamed(schema, &name, &format!("{kind}.{name}"));
            }
        }
        let object = schema.as_object_mut().unwrap();
        object.remove("$schema");
        let title = object.remove("title").unwrap();
        let own = object.remove("$defs").unwrap();
        object["properties"]["type"] = serde_json::json!({ "description": "Kind of the model.", "const": kind });
        for (name, definition) in
            own.as_object().unwrap().clone().into_iter().chain([(title.as_str().unwrap().to_owned(), schema)])
        {
            let before = definitions.insert(name.clone(), definition.clone());
            assert!(before.is_none_or(|before| before == definition), "two definitions are called {name}");
        }
    }
    let choose = |kind: &str, then: &str, otherwise: serde_json::Value| {
        serde_json::json!({
            "if": { "properties": { "type": { "const": kind } }, "required": ["type"] },
            "then": { "$ref": format!("#/$defs/{then}") },
            "else": otherwise,
        })
    };
    let mechanism = serde_json::json!({ "$ref": "#/$defs/Model" });
    definitions.insert("SingleModel".into(), choose("linear", "LinearModel", choose("circuit", "Circuit", mechanism)));
    let mut schema = choose("coupled", "CoupledModel", serde_json::json!({ "$ref": "#/$defs/SingleModel" }));
    schema["$schema"] = "https://json-schema.org/draft/2020-12/schema".into();
    schema["title"] = "Model file".into();
    schema["$defs"] = definitions.into();
    // Comments of the source escape brackets that would be links there.
    serde_json::from_str(&schema.to_string().replace("\\\\[", "[").replace("\\\\]", "]")).unwrap()
}

#[test]
fn the_schema_is_that_of_the_model() {
    is_stored("docs/model.schema.json", &schema());
}

#[test]
fn the_schema_of_plans_is_that_of_sweeps() {
    let schema = schemars::schema_for!(fourbar::sweep::Plan).to_value().to_string();
    let schema = schema.replace("\\\\[", "[").replace("\\\\]", "]");
    let schema: serde_json::Value = serde_json::from_str(&schema).unwrap();
    is_stored("docs/sweep.schema.json", &schema);
    let (text, mut names) = (read(&root().join("docs/sweeps.md")), BTreeSet::new());
    schema_names(&schema, &mut names);
    let settings: BTreeSet<&str> = fourbar::run::RUN_SETTINGS.iter().map(|setting| setting.name).collect();
    for name in names.iter().filter(|name| !settings.contains(name.as_str())) {
        let written = ["`", "`[", "`[["].iter().any(|open| text.contains(&format!("{open}{name}")));
        assert!(written, "docs/sweeps.md does not name {name}");
    }
}

#[test]
fn the_plans_of_the_guide_and_the_examples_are_read() {
    let text = read(&root().join("docs/sweeps.md"));
    let guide = blocks(&text, "toml");
    assert!(guide.len() >= 2);
    let name = root().join("docs/plan.toml").display().to_string();
    let examples = std::fs::read_dir(root().join("examples/sweeps")).unwrap().map(|entry| entry.unwrap().path());
    let guide = guide.into_iter().map(|plan| PlanFile::parse(name.as_str(), plan));
    for plan in guide.chain(examples.map(PlanFile::load)) {
        Sweep::new(plan.unwrap_or_else(|error| panic!("{error}"))).unwrap_or_else(|error| panic!("{error}"));
    }
}

/// The file at `path` holds `schema`.
fn is_stored(path: &str, schema: &serde_json::Value) {
    let path = root().join(path);
    let text = serde_json::to_string_pretty(schema).unwrap() + "\n";
    if std::env::var_os("UPDATE_SCHEMA").is_some() {
        std::fs::write(&path, &text).unwrap();
    }
    assert!(read(&path) == text, "the types have changed: UPDATE_SCHEMA=1 cargo test documents rewrites the schema");
}
