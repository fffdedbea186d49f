//! What `fourbar check` tells of a linear system.

use super::Measured;
use crate::text::{heading, two_columns};
use fourbar::Error;
use fourbar::linear::{Equations, LinearModel, LinearSystem};
use serde::Serialize;
use std::collections::BTreeMap;

/// Compiles `model`; the findings as text, or as JSON.
pub(super) fn findings(model: &LinearModel, json: bool) -> Result<Result<String, serde_json::Error>, Error> {
    let system = LinearSystem::compile(model)?;
    let findings = Findings::new(model, &system);
    Ok(if json { serde_json::to_string_pretty(&findings) } else { Ok(findings.text()) })
}

#[derive(Serialize)]
struct Findings<'a> {
    model: &'a str,
    description: &'a str,
    states: usize,
    /// Entries of A that are not zero.
    entries: usize,
    /// Block type to number.
    blocks: BTreeMap<String, usize>,
    inputs: Vec<&'a str>,
    outputs: Vec<Measured<'a>>,
}

impl<'a> Findings<'a> {
    fn new(model: &'a LinearModel, system: &'a LinearSystem) -> Self {
        let mut blocks = BTreeMap::new();
        for block in &model.blocks {
            // The name of the type in model files is its name in serde.
            let kind = serde_json::to_value(block).ok().and_then(|block| block["type"].as_str().map(str::to_owned));
            *blocks.entry(kind.unwrap_or_default()).or_insert(0) += 1;
        }
        let entries = match system.equations() {
            Equations::Dense(dense) => dense.a().iter().filter(|entry| **entry != 0.0).count(),
            Equations::Sparse(sparse) => sparse.a.nnz(),
        };
        Self {
            model: system.name(),
            description: &model.description,
            states: system.states(),
            entries,
            blocks,
            inputs: model.inputs.iter().map(|input| input.name()).collect(),
            outputs: system.columns().iter().map(|c| Measured { name: &c.name, unit: &c.unit }).collect(),
        }
    }

    fn text(&self) -> String {
        let list = |names: Vec<&str>| if names.is_empty() { "none".to_owned() } else { names.join(", ") };
        let mut rows = vec![("states".to_owned(), format!("{}, {} entries in A", self.states, self.entries))];
        if !self.blocks.is_empty() {
            let kinds: Vec<_> = self.blocks.iter().map(|(kind, count)| format!("{count} {kind}")).collect();
            rows.push(("blocks".to_owned(), kinds.join(", ")));
        }
        rows.push(("inputs".to_owned(), list(self.inputs.clone())));
        rows.push(("outputs".to_owned(), list(self.outputs.iter().map(|output| output.name).collect())));
        let heading = heading(self.model, self.description);
        format!("{heading}\n{}", two_columns(&rows))
    }
}
