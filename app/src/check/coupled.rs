//! What `fourbar check` tells of coupled simulators.

use crate::text::{heading, two_columns};
use fourbar::Error;
use fourbar::coupled::{CoupledModel, CoupledSettings};
use fourbar::linalg::text::printable;
use serde::Serialize;

/// Compiles `model` and connects its simulators; the findings as text, or as JSON.
pub(super) fn findings(
    model: &CoupledModel,
    notes: &[String],
    json: bool,
) -> Result<Result<String, serde_json::Error>, Error> {
    let master = model.master(&CoupledSettings::default())?;
    let outputs = master.output_names();
    let simulator = |simulator: &'_ fourbar::coupled::SimulatorModel| Simulator {
        name: simulator.name.clone(),
        kind: simulator.kind.name(),
        file: simulator.file.clone(),
        outputs: outputs
            .iter()
            .filter_map(|name| name.strip_prefix(simulator.name.as_str()))
            .filter(|rest| rest.starts_with('.'))
            .count(),
    };
    let findings = Findings {
        model: &model.name,
        description: &model.description,
        simulators: model.simulators.iter().map(simulator).collect(),
        sequence: master.sequence().map(str::to_owned).collect(),
        connections: model.connections.iter().map(|c| [c.from.as_str(), c.to.as_str()]).collect(),
        algebraic_loops: master.algebraic_loops(),
        ports: model.ports.iter().map(|port| port.name.as_str()).collect(),
        not_carried: notes,
    };
    Ok(if json { serde_json::to_string_pretty(&findings) } else { Ok(findings.text()) })
}

#[derive(Serialize)]
struct Findings<'a> {
    model: &'a str,
    description: &'a str,
    simulators: Vec<Simulator>,
    /// Simulators in the order of stepping.
    sequence: Vec<String>,
    /// Outputs and the inputs that they feed.
    connections: Vec<[&'a str; 2]>,
    /// Outputs along each loop that no delay breaks.
    algebraic_loops: &'a [Vec<String>],
    ports: Vec<&'a str>,
    /// What a structure (SSP) says and the model does not carry.
    #[serde(skip_serializing_if = "<[String]>::is_empty")]
    not_carried: &'a [String],
}

#[derive(Serialize)]
struct Simulator {
    name: String,
    kind: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    file: Option<String>,
    /// How many outputs it has.
    outputs: usize,
}

impl Findings<'_> {
    fn text(&self) -> String {
        let row = |simulator: &Simulator| {
            let file = simulator.file.as_ref().map(|file| format!(" of {file}")).unwrap_or_default();
            (simulator.name.clone(), format!("{}{file}, {} outputs", simulator.kind, simulator.outputs))
        };
        let simulators: Vec<_> = self.simulators.iter().map(row).collect();
        let wires: Vec<_> =
            self.connections.iter().map(|[from, to]| ((*from).to_owned(), format!("-> {to}"))).collect();
        let loops = self.algebraic_loops.iter().map(|path| path.join(" -> "));
        let rows: Vec<_> = std::iter::once(("order of stepping".to_owned(), self.sequence.join(", ")))
            .chain(loops.map(|path| ("algebraic loop".to_owned(), path)))
            .chain(self.ports.iter().map(|port| ("port".to_owned(), (*port).to_owned())))
            .collect();
        let heading = heading(self.model, self.description);
        let notes: String = self.not_carried.iter().map(|note| format!("warning: {}\n", printable(note))).collect();
        format!(
            "{heading}\n\nsimulators\n{}\nconnections\n{}\n{}{notes}",
            two_columns(&simulators),
            two_columns(&wires),
            two_columns(&rows)
        )
    }
}
