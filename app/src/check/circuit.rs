//! What `fourbar check` tells of a hydraulic circuit.

use super::Measured;
use crate::text::{heading, number, two_columns};
use fourbar::circuit::{CircuitModel, CircuitStart};
use fourbar::hydraulics::Circuit;
use fourbar::multibody::dae::Dae;
use serde::Serialize;
use std::collections::BTreeMap;

/// What there is to tell of `circuit`, which is `model` compiled, with the outputs `start` at the start of its run; as text, or as JSON.
pub(super) fn findings(
    model: &CircuitModel,
    circuit: &Circuit,
    start: &[f64],
    json: bool,
) -> Result<String, serde_json::Error> {
    let outputs = circuit.outputs();
    let values = outputs.iter().zip(start).map(|(o, &value)| Value { name: &o.name, unit: &o.unit, value }).collect();
    let start = match model.simulation.start.unwrap_or_default() {
        CircuitStart::Steady => Start::SteadyState(values),
        CircuitStart::Values => Start::StartValues(values),
    };
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
        unknowns: circuit.dimension(),
        inputs: circuit.inputs().iter().map(|input| Measured { name: &input.name, unit: &input.unit }).collect(),
        start,
    };
    if json { serde_json::to_string_pretty(&findings) } else { Ok(findings.text()) }
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
    #[serde(flatten)]
    start: Start<'a>,
}

/// The outputs at the start.
#[derive(Serialize)]
#[serde(rename_all = "snake_case")]
enum Start<'a> {
    /// For the start values of the inputs.
    SteadyState(Vec<Value<'a>>),
    /// Those of the model.
    StartValues(Vec<Value<'a>>),
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
        let (title, values) = match &self.start {
            Start::SteadyState(values) => ("steady state", values),
            Start::StartValues(values) => ("at the start", values),
        };
        let values: Vec<_> = values.iter().map(row).collect();
        format!("{heading}\n{}\n{title}\n{}", two_columns(&rows), two_columns(&values))
    }
}
