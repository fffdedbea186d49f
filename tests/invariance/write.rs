//! Models as files, for a look at what differs: `FOURBAR_INVARIANCE_MODELS=FOLDER` has both of each pair written there.

use fourbar::multibody::model::Model;
use serde_json::Value;
use std::fmt::Write;
use std::path::Path;

/// Writes the model with the span of its run to `NAME.toml` in the folder.
pub(super) fn write(folder: &Path, name: &str, model: &Model, end: f64) {
    let mut value = serde_json::to_value(model).expect("a model is data");
    value["simulation"] = serde_json::json!({ "end": end, "output_step": end / super::OUTPUTS });
    let name = name.replace(|letter: char| !letter.is_alphanumeric(), "-");
    std::fs::write(folder.join(format!("{name}.toml")), toml(&value)).expect("the folder takes files");
}

fn toml(model: &Value) -> String {
    let entries = || model.as_object().into_iter().flatten();
    let is_table = |value: &Value| value.is_object() || value[0].is_object();
    let mut text = String::new();
    for (key, value) in entries().filter(|(_, value)| !is_table(value) && !value.is_null()) {
        let _ = writeln!(text, "{key} = {}", inline(value));
    }
    for (key, value) in entries().filter(|(_, value)| is_table(value)) {
        let (heading, tables) = match value {
            Value::Array(tables) => (format!("[[{key}]]"), tables.as_slice()),
            table => (format!("[{key}]"), std::slice::from_ref(table)),
        };
        for table in tables {
            let _ = writeln!(text, "{heading}");
            for (key, value) in table.as_object().into_iter().flatten().filter(|(_, value)| !value.is_null()) {
                let _ = writeln!(text, "{key} = {}", inline(value));
            }
        }
    }
    text
}

fn inline(value: &Value) -> String {
    match value {
        Value::Array(list) => format!("[{}]", list.iter().map(inline).collect::<Vec<_>>().join(", ")),
        Value::Object(entries) => {
            let entries = entries.iter().filter(|(_, value)| !value.is_null());
            let entries = entries.map(|(key, value)| format!("{key} = {}", inline(value)));
            format!("{{ {} }}", entries.collect::<Vec<_>>().join(", "))
        }
        other => other.to_string(),
    }
}
