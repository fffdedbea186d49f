//! Other names of variables of FMUs (FMI 3.0, section 2.4.7.5.2): a model may use each, and what follows knows one.

use super::{CoupledModel, SimulatorKind};
use std::collections::BTreeMap;

/// The own names of variables, by what their FMUs say of themselves.
pub(super) struct Names<'a> {
    model: &'a CoupledModel,
    /// Other names of the variables of each FMU that was asked for, with their own ones.
    known: BTreeMap<usize, BTreeMap<String, String>>,
}

impl<'a> Names<'a> {
    pub(super) fn new(model: &'a CoupledModel) -> Self {
        Self { model, known: BTreeMap::new() }
    }

    /// The own name of what the model calls `simulator.variable`; as it is, if it is no other one.
    pub(super) fn own(&mut self, name: &str) -> String {
        let found = self.model.simulators.iter().enumerate().find_map(|(index, simulator)| {
            let SimulatorKind::Fmu(fmu) = &simulator.kind else { return None };
            let variable = name.strip_prefix(simulator.name.as_str())?.strip_prefix('.')?;
            Some((index, simulator, fmu, variable))
        });
        let Some((index, simulator, fmu, variable)) = found else { return name.to_owned() };
        let known = self.known.entry(index).or_insert_with(|| fmu.aliases());
        let own = |alias: &str| known.get(alias);
        // An element of an array, by another name of this.
        let element = || variable.rsplit_once('[').and_then(|(array, rest)| Some(format!("{}[{rest}", own(array)?)));
        let other = own(variable).cloned().or_else(element);
        other.map_or_else(|| name.to_owned(), |other| format!("{}.{other}", simulator.name))
    }
}
