//! Tables of a summary.

/// A table of a summary: a title, and rows of name and value.
#[derive(Debug, Clone, PartialEq, serde::Serialize)]
pub struct DetailTable {
    /// Title.
    pub title: &'static str,
    /// Rows.
    pub rows: Vec<(&'static str, Cell)>,
}

/// A value in a table.
#[derive(Debug, Clone, PartialEq, serde::Serialize)]
#[serde(untagged)]
pub enum Cell {
    /// A number with its unit.
    Number(f64, &'static str),
    /// Words.
    Text(String),
}

pub(super) fn count(count: u64) -> Cell {
    Cell::Text(count.to_string())
}
