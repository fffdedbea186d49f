//! Start values: what the caller gives, checked against what the standard allows to set before the initialization.

use super::error::FmuError;
use super::exchanged::{elements, start_value};
use super::foreign::{Group, Instance};
use super::model::{FmuCausality, FmuDescription, FmuType, FmuVariability, FmuVariable};
use super::{FmuOptions, FmuValue};
use crate::function::{Failure, Text};
use fourbar_linalg::text::nearest;

/// Checked start values, to be set in this order.
pub(super) struct Values {
    /// Structural parameters, which are set in a mode of their own.
    structural: Vec<(Group, Vec<f64>)>,
    numbers: Vec<(Group, Vec<f64>)>,
    /// Value reference, and all elements.
    texts: Vec<(u32, Vec<String>)>,
}

impl Values {
    /// Checks the values; they become the start values of the description.
    pub(super) fn new(fmu: &str, description: &mut FmuDescription, options: &FmuOptions) -> Result<Self, FmuError> {
        let mut values = Self { structural: Vec::new(), numbers: Vec::new(), texts: Vec::new() };
        let mut touched: Vec<usize> = Vec::new();
        // Lengths of arrays first: elements of the others are counted by them.
        for structural in [true, false] {
            for (name, value) in &options.values {
                let (index, element) = find(fmu, description, name)?;
                let variable = &description.variables[index];
                if (variable.causality == FmuCausality::StructuralParameter) != structural {
                    continue;
                }
                check(fmu, variable)?;
                match value {
                    FmuValue::Text(text) if variable.kind == FmuType::String => {
                        description.variables[index].start_text = texts(description, variable, element, text);
                    }
                    FmuValue::Number(number) if variable.kind.is_number() && number.is_finite() => {
                        let count = elements(description, variable).len();
                        let mut all: Vec<f64> = (0..count).map(|k| start_value(variable, k)).collect();
                        match element {
                            Some(k) => all[k] = *number,
                            None => all.fill(*number),
                        }
                        description.variables[index].start = all;
                    }
                    _ => return Err(mismatch(fmu, variable, value)),
                }
                if !touched.contains(&index) {
                    touched.push(index);
                }
            }
        }
        for index in touched {
            let variable = &description.variables[index];
            if variable.kind == FmuType::String {
                values.texts.push((variable.value_reference, variable.start_text.clone()));
                continue;
            }
            let names = elements(description, variable);
            let all: Vec<f64> = (0..names.len()).map(|k| start_value(variable, k)).collect();
            let mut group = Group::new(variable.kind);
            group.add(variable.value_reference, names.into_iter().enumerate());
            let structural = variable.causality == FmuCausality::StructuralParameter;
            let list = if structural { &mut values.structural } else { &mut values.numbers };
            list.push((group, all));
        }
        Ok(values)
    }

    /// Turns on what a structural parameter of the type Boolean stands for.
    pub(super) fn enable(&mut self, parameter: &FmuVariable) {
        let mut group = Group::new(parameter.kind);
        group.add(parameter.value_reference, [(0, parameter.name.clone())]);
        self.structural.push((group, vec![1.0]));
    }

    /// Sets them all.
    pub(super) fn set(mut self, instance: &mut Instance) -> Result<(), Failure> {
        if !self.structural.is_empty() {
            instance.configure(true)?;
            self.structural.iter_mut().try_for_each(|(group, values)| instance.set(group, values))?;
            instance.configure(false)?;
        }
        self.numbers.iter_mut().try_for_each(|(group, values)| instance.set(group, values))?;
        self.texts.iter().try_for_each(|(reference, texts)| instance.set_texts(*reference, texts))
    }
}

/// A text variable that is told: a parameter, an input or an output.
pub(super) struct Texts {
    reference: u32,
    names: Vec<String>,
    starts: Vec<String>,
    is_output: bool,
}

impl Texts {
    /// Those of an FMU, with the texts that it starts with.
    pub(super) fn of(description: &FmuDescription) -> Vec<Self> {
        let texts =
            description.variables.iter().filter(|variable| variable.kind == FmuType::String && !variable.clocked);
        let told = texts.filter(|variable| {
            let causality = variable.causality;
            matches!(causality, FmuCausality::Parameter | FmuCausality::Input | FmuCausality::Output)
        });
        let own = |variable: &FmuVariable| Self {
            reference: variable.value_reference,
            names: elements(description, variable),
            starts: variable.start_text.clone(),
            is_output: variable.causality == FmuCausality::Output,
        };
        told.map(own).collect()
    }

    /// As they stand in the instance, if it can be asked.
    pub(super) fn read(all: &[Self], mut instance: Option<&mut Instance>) -> Result<Vec<Text>, Failure> {
        let mut told = Vec::new();
        for own in all {
            let now = match &mut instance {
                Some(instance) if own.is_output => instance.texts(own.reference, own.names.len())?,
                _ => own.starts.clone(),
            };
            let value = |k: usize| now.get(k).or(now.first().filter(|_| now.len() == 1)).cloned().unwrap_or_default();
            let text =
                |(k, name): (usize, &String)| Text { name: name.clone(), value: value(k), is_output: own.is_output };
            told.extend(own.names.iter().enumerate().map(text));
        }
        Ok(told)
    }
}

/// The elements of a text variable with one of them, or all, replaced.
fn texts(description: &FmuDescription, variable: &FmuVariable, element: Option<usize>, text: &str) -> Vec<String> {
    let count = elements(description, variable).len();
    let start = |k: usize| match variable.start_text.as_slice() {
        [single] => single.clone(),
        list => list.get(k).cloned().unwrap_or_default(),
    };
    (0..count).map(|k| if element.is_none_or(|element| element == k) { text.to_owned() } else { start(k) }).collect()
}

/// The variable of a name, and which element of it.
fn find(fmu: &str, description: &FmuDescription, name: &str) -> Result<(usize, Option<usize>), FmuError> {
    if let Some(index) = description.variables.iter().position(|variable| variable.name == name) {
        return Ok((index, None));
    }
    let arrays = description.variables.iter().enumerate().filter(|(_, variable)| !variable.dimensions.is_empty());
    for (index, variable) in arrays.filter(|(_, variable)| name.starts_with(&variable.name)) {
        if let Some(element) = elements(description, variable).iter().position(|element| element == name) {
            return Ok((index, Some(element)));
        }
    }
    let settable = description.variables.iter().filter(|variable| may_be_set(variable));
    let near = nearest(name, settable.map(|variable| variable.name.as_str()));
    let remedy = match near {
        Some(near) => format!("did you mean {near:?}?"),
        None => "`fourbar info` lists its variables".to_owned(),
    };
    let problem = "it has no such variable".to_owned();
    Err(FmuError::Start { fmu: fmu.to_owned(), name: format!("{name:?}"), problem, remedy })
}

/// Whether a start value may be set: FMI 2.0, section 2.2.7; FMI 3.0, section 2.3.2, state Instantiated.
fn may_be_set(variable: &FmuVariable) -> bool {
    use FmuCausality::{CalculatedParameter, Independent, Input, Parameter, StructuralParameter};
    variable.variability != FmuVariability::Constant
        && match variable.causality {
            Parameter | StructuralParameter | Input => true,
            CalculatedParameter | Independent => false,
            _ => matches!(variable.initial.as_str(), "exact" | "approx"),
        }
}

fn check(fmu: &str, variable: &FmuVariable) -> Result<(), FmuError> {
    if may_be_set(variable) {
        return Ok(());
    }
    let what = if variable.variability == FmuVariability::Constant { "constant" } else { variable.causality.name() };
    let problem = format!("it is {what} and is computed by the FMU");
    let remedy = "set its parameters, inputs and start values alone".to_owned();
    Err(FmuError::Start { fmu: fmu.to_owned(), name: format!("{:?}", variable.name), problem, remedy })
}

fn mismatch(fmu: &str, variable: &FmuVariable, value: &FmuValue) -> FmuError {
    let given = match value {
        FmuValue::Number(number) => format!("the number {number}"),
        FmuValue::Text(text) => format!("the text {text:?}"),
    };
    let problem = format!("it is a {} and cannot be {given}", variable.kind.name());
    let remedy = if variable.kind == FmuType::String { "write a text" } else { "write a finite number" };
    FmuError::Start { fmu: fmu.to_owned(), name: format!("{:?}", variable.name), problem, remedy: remedy.to_owned() }
}
