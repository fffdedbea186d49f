//! The schemas of model files and of plans: made of the types, and stored in `docs/`.

use super::{read, root, schema_names};
use fourbar::circuit::CircuitSettings;
use fourbar::contact::model::ContactModel;
use fourbar::coupled::{ConnectionModel, CoupledSettings, EquationsModel, FaultSettings, Place, PortModel};
use fourbar::hydraulics;
use fourbar::linear::LinearModel;
use fourbar::mechanism::{ContactMeasure, ContactSettings, Copies, Display, Include};
use fourbar::multibody::model::Model;
use std::collections::BTreeSet;

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
    short_forms(&mut schema);
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
    let unit = serde_json::json!({ "description": "Unit in which it is shown.", "type": "string" });
    measure["properties"]["unit"] = unit;
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

/// What files may say in short: `write_out` in `src/file/shorthand.rs`.
fn short_forms(schema: &mut serde_json::Value) {
    let vector = |description: &str| serde_json::json!({ "description": description, "type": "array", "items": { "$ref": "#/$defs/Expression" }, "minItems": 3, "maxItems": 3 });
    let joint = &mut schema["$defs"]["Joint"]["properties"];
    joint["at"] = vector("Place of the joint in the drawing, global [m]; `i` and `j` are bodies then.");
    joint["axis"] = vector("Axis z of the joint in the drawing, global; z if absent.");
    let by_joint = serde_json::json!({ "description": "The joint whose markers are I and J, in place of both.", "type": "string" });
    let measures = ["VectorMeasure", "PairMeasure"];
    let forces = [
        "SpringDamper",
        "TorsionSpringDamper",
        "LineForce",
        "AxialTorque",
        "VectorForce",
        "GeneralForce",
        "Field",
        "Bushing",
        "Beam",
    ];
    for element in measures.iter().chain(&forces) {
        let definition = &mut schema["$defs"][*element];
        definition["properties"]["joint"] = by_joint.clone();
        if let Some(required) = definition["required"].as_array_mut() {
            required.retain(|field| field != "i" && field != "j");
        }
    }
    let reaction = &mut schema["$defs"]["ReactionMeasure"]["required"];
    reaction.as_array_mut().unwrap().retain(|field| field != "quantity");
    let unit = serde_json::json!({ "description": "Unit in which it is shown.", "type": "string" });
    for element in ["VectorMeasure", "PairMeasure", "ReactionMeasure", "EnergyMeasure", "MomentumMeasure"] {
        schema["$defs"][element]["properties"]["unit"] = unit.clone();
    }
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
pub(super) fn schema() -> serde_json::Value {
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

/// The file at `path` holds `schema`.
fn is_stored(path: &str, schema: &serde_json::Value) {
    let path = root().join(path);
    let text = serde_json::to_string_pretty(schema).unwrap() + "\n";
    if std::env::var_os("UPDATE_SCHEMA").is_some() {
        std::fs::write(&path, &text).unwrap();
    }
    assert!(read(&path) == text, "the types have changed: UPDATE_SCHEMA=1 cargo test documents rewrites the schema");
}
