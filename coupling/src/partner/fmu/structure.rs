//! The model structure: outputs with the inputs they depend on, and derivatives of states.

use super::error::FmuError;
use super::model::{FmiVersion, FmuCausality, FmuDescription};
use super::parse::{Element, Source, child, elements};
use std::collections::HashMap;

/// Most values of all arrays together: a description of a kilobyte must not ask for all memory.
const MOST_VALUES: u64 = 10_000_000;

/// Reads `ModelStructure` into `description`, whose variables are there.
pub(super) fn read<'a>(
    source: &Source<'a>,
    root: Element<'a>,
    description: &mut FmuDescription,
) -> Result<(), FmuError> {
    let Some(structure) = child(root, "ModelStructure") else {
        return Err(source.wrong(root, "ModelStructure is missing", "export the FMU again"));
    };
    let places = Places::new(description);
    let inputs: Vec<usize> = (0..description.variables.len())
        .filter(|i| description.variables[*i].causality == FmuCausality::Input)
        .collect();
    for node in unknowns(structure, description.version, "Outputs", "Output") {
        let output = places.of(source, node)?;
        let is_input = |i: &usize| description.variables[*i].causality == FmuCausality::Input;
        let depends = match places.dependencies(source, node)? {
            None => inputs.clone(),
            Some(known) => known.into_iter().filter(is_input).collect(),
        };
        description.outputs.push((output, depends));
    }
    for node in unknowns(structure, description.version, "Derivatives", "ContinuousStateDerivative") {
        description.derivatives.push(places.of(source, node)?);
        description.derivative_dependencies.push(places.dependencies(source, node)?);
    }
    let values = description.variables.iter().try_fold(0u64, |sum, variable| {
        let lengths = description.lengths(variable);
        let product = lengths.iter().try_fold(1u64, |product, length| product.checked_mul(*length));
        product.and_then(|product| product.checked_add(sum)).filter(|sum| *sum <= MOST_VALUES)
    });
    if values.is_none() {
        let problem = format!("its arrays have more than {MOST_VALUES} values");
        return Err(source.wrong(root, problem, "make the arrays smaller"));
    }
    many_indicators(description.event_indicators)
        .map_or(Ok(()), |problem| Err(source.wrong(root, problem, "export the FMU again, with the number that it has")))
}

/// What is wrong with so many event indicators, for which memory is taken as for the values of arrays.
pub(super) fn many_indicators(count: usize) -> Option<String> {
    (count as u64 > MOST_VALUES).then(|| format!("it has {count} event indicators, more than {MOST_VALUES}"))
}

/// Elements of one list: wrapped in version 2.0.
fn unknowns<'a>(
    structure: Element<'a>,
    version: FmiVersion,
    wrapper: &'static str,
    name: &'static str,
) -> Vec<Element<'a>> {
    match version {
        FmiVersion::Two => child(structure, wrapper).into_iter().flat_map(elements).collect(),
        FmiVersion::Three => elements(structure).filter(|node| node.tag_name().name() == name).collect(),
    }
}

/// How the structure names variables: by index from 1 in version 2.0, by value reference in 3.0.
pub(super) struct Places {
    version: FmiVersion,
    count: usize,
    by_reference: HashMap<u32, usize>,
}

impl Places {
    pub(super) fn new(description: &FmuDescription) -> Self {
        let variables = description.variables.iter().enumerate().rev();
        let by_reference = variables.map(|(i, variable)| (variable.value_reference, i)).collect();
        Self { version: description.version, count: description.variables.len(), by_reference }
    }

    /// The variables on which one depends; none without a list: it depends on everything (FMI 3.0, section 2.4.8).
    pub(super) fn dependencies(&self, source: &Source<'_>, node: Element<'_>) -> Result<Option<Vec<usize>>, FmuError> {
        let Some(list) = node.attribute("dependencies") else { return Ok(None) };
        let numbers = list.split_ascii_whitespace().map(|number| self.number(source, node, number));
        numbers.collect::<Result<Vec<usize>, _>>().map(Some)
    }

    pub(super) fn of(&self, source: &Source<'_>, node: Element<'_>) -> Result<usize, FmuError> {
        let name = if self.version == FmiVersion::Two { "index" } else { "valueReference" };
        let number = node
            .attribute(name)
            .ok_or_else(|| source.wrong(node, format!("{name} is missing"), "export the FMU again"))?;
        self.number(source, node, number)
    }

    fn number(&self, source: &Source<'_>, node: Element<'_>, text: &str) -> Result<usize, FmuError> {
        let number: Option<u32> = text.trim().parse().ok();
        let place = match self.version {
            FmiVersion::Two => number.and_then(|n| (n as usize).checked_sub(1)).filter(|i| *i < self.count),
            FmiVersion::Three => number.and_then(|n| self.by_reference.get(&n).copied()),
        };
        place.ok_or_else(|| source.wrong(node, format!("{text:?} is no variable"), "export the FMU again"))
    }
}
