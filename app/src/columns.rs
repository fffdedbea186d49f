//! Numbers in columns as comma-separated values and as JSON.

use fourbar::linear::Table;
use serde_json::json;

/// A field of comma-separated values, quoted where it must be.
pub(crate) fn field(text: &str) -> String {
    if text.contains(['"', ',', '\n', '\r']) { format!("\"{}\"", text.replace('"', "\"\"")) } else { text.to_owned() }
}

pub(crate) fn table_csv(table: &Table) -> String {
    let mut text = table.columns.iter().map(|name| field(name)).collect::<Vec<_>>().join(",") + "\n";
    for row in &table.rows {
        text += &(row.iter().map(|value| format!("{value:?}")).collect::<Vec<_>>().join(",") + "\n");
    }
    text
}

pub(crate) fn table_json(model: &str, table: &Table) -> String {
    format!("{}\n", json!({ "model": model, "columns": table.columns, "rows": table.rows }))
}
