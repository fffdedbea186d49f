//! What `fourbar check` tells of a hydraulic circuit.

use super::Measured;
use crate::text::{heading, number, two_columns};
use fourbar::Error;
use fourbar::circuit::CircuitModel;
use fourbar::hydraulics::{self, Circuit};
use serde::Serialize;
use std::collections::BTreeMap;

/// Finds the steady state of `compiled`, which is `model`; the findings as text, or as JSON.
pub(super) fn findings(
    model: &CircuitModel,
    compiled: &Circuit,
    json: bool,
) -> Result<Result<String, serde_json::Error>, Error> {
    let mut circuit = compiled.clone();
    let steady = circuit.steady(0.0)?;
    let outputs = circuit.outputs();
    let mut values = vec![0.0; outputs.len()];
    circuit.observe(0.0, &steady.y, &mut values).map_err(hydraulics::Error::from)?;
    let unknowns = steady.y.len();
    let mut components = BTreeMap::new();
    for component in &model.model.components {
        // The name of the type in model files is its name in serde.
        let kind = serde_json::to_value(component).ok().and_then(|c| c["type"].as_str().map(str::to_owned));
        *components.entry(kind.unwrap_or_default()).or_insert(0) += 1;
    }
    let findings = Findings {
        model: &model.model.name,
        description: &model.model.description,
        nodes: model.model.nodes.len(),
        components,
        unknowns,
        inputs: circuit.inputs().iter().map(|input| Measured { name: &input.name, unit: &input.unit }).collect(),
        steady_state: outputs
            .iter()
            .zip(values)
            .map(|(o, value)| Value { name: &o.name, unit: &o.unit, value })
            .collect(),
    };
    Ok(if json { serde_json::to_string_pretty(&findings) } else { Ok(findings.text()) })
}

#[derive(Serialize)]
struct Findings<'a> {
    model: &'a str,
    description: &'a str,
    nodes: usize,
    /// Component type to number.
    components: BTreeMap<String, usize>,
    unknowns: usize,
    inputs: Vec<Measured<'a>>,
    /// The outputs in the steady state for the start values of the inputs.
    steady_state: Vec<Value<'a>>,
}

#[derive(Serialize)]
struct Value<'a> {
    name: &'a str,
    unit: &'a str,
    value: f64,
}

impl Findings<'_> {
    fn text(&self) -> String {
        let kinds: Vec<_> = self.components.iter().map(|(kind, count)| format!("{count} {kind}")).collect();
        let inputs: Vec<_> = self.inputs.iter().map(|input| input.name).collect();
        let rows = [
            ("nodes", self.nodes.to_string()),
            ("components", kinds.join(", ")),
            ("unknowns", self.unknowns.to_string()),
            ("inputs", if inputs.is_empty() { "none".to_owned() } else { inputs.join(", ") }),
        ];
        let rows = rows.map(|(name, value)| (name.to_owned(), value));
        let heading = heading(self.model, self.description);
        let row = |value: &Value| (value.name.to_owned(), format!("{} {}", number(value.value, 6), value.unit));
        let steady: Vec<_> = self.steady_state.iter().map(row).collect();
        format!("{heading}\n{}\nsteady state\n{}", two_columns(&rows), two_columns(&steady))
    }
}
