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
    structural: Vec<(Group, Given)>,
    numbers: Vec<(Group, Given)>,
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
                let count = elements(description, variable).len();
                give(fmu, &mut description.variables[index], (count, element), value)?;
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
            let all = match variable.kind.is_whole() {
                true => Given::Whole((0..names.len()).map(|k| one(&variable.start_whole, k)).collect()),
                false => Given::Real((0..names.len()).map(|k| start_value(variable, k)).collect()),
            };
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
        self.structural.push((group, Given::Whole(vec![1])));
    }

    /// Sets them all.
    pub(super) fn set(mut self, instance: &mut Instance) -> Result<(), Failure> {
        if !self.structural.is_empty() {
            instance.configure(true)?;
            self.structural.iter_mut().try_for_each(|(group, values)| values.set(group, instance))?;
            instance.configure(false)?;
        }
        self.numbers.iter_mut().try_for_each(|(group, values)| values.set(group, instance))?;
        self.texts.iter().try_for_each(|(reference, texts)| instance.set_texts(*reference, texts))
    }
}

/// The values of a group.
enum Given {
    Real(Vec<f64>),
    Whole(Vec<i128>),
}

impl Given {
    fn set(&self, group: &mut Group, instance: &mut Instance) -> Result<(), Failure> {
        match self {
            Self::Real(values) => instance.set(group, values),
            Self::Whole(values) => instance.set_whole(group, values),
        }
    }
}

/// Entry k of a list, where a single one stands for all; 0 if there is none.
pub(super) fn one<T: Copy + Default>(list: &[T], k: usize) -> T {
    let single = list.first().filter(|_| list.len() == 1);
    single.or_else(|| list.get(k)).copied().unwrap_or_default()
}

/// Makes `value` the start value of one of `count` elements, or of all.
fn give(
    fmu: &str,
    variable: &mut FmuVariable,
    (count, element): (usize, Option<usize>),
    value: &FmuValue,
) -> Result<(), FmuError> {
    let chosen = |k: usize| element.is_none_or(|element| element == k);
    match value {
        FmuValue::Text(text) if variable.kind == FmuType::String => {
            let of = |k| if chosen(k) { text.clone() } else { start_text(variable, k) };
            variable.start_text = (0..count).map(of).collect();
        }
        _ if variable.kind.is_whole() => {
            let whole = whole(fmu, variable, value)?;
            let all = (0..count).map(|k| if chosen(k) { whole } else { one(&variable.start_whole, k) });
            variable.start_whole = all.collect();
            variable.start = variable.start_whole.iter().map(|whole| *whole as f64).collect();
        }
        FmuValue::Number(_) | FmuValue::Whole(_) if variable.kind.is_float() => {
            let number = match *value {
                FmuValue::Number(number) => number,
                FmuValue::Whole(whole) => whole as f64,
                FmuValue::Text(_) => f64::NAN,
            };
            if !number.is_finite() {
                return Err(mismatch(fmu, variable, value));
            }
            let all = (0..count).map(|k| if chosen(k) { number } else { start_value(variable, k) });
            variable.start = all.collect();
        }
        _ => return Err(mismatch(fmu, variable, value)),
    }
    Ok(())
}

/// The whole number that `value` is to a variable of such a type.
fn whole(fmu: &str, variable: &FmuVariable, value: &FmuValue) -> Result<i128, FmuError> {
    let refused = |problem: String, remedy: String| {
        Err(FmuError::Start { fmu: fmu.to_owned(), name: format!("{:?}", variable.name), problem, remedy })
    };
    let kind = variable.kind.name();
    let whole = match value {
        FmuValue::Whole(whole) => *whole,
        FmuValue::Number(number) if !number.is_finite() => return Err(mismatch(fmu, variable, value)),
        FmuValue::Number(number) if number.fract() != 0.0 => {
            return refused(format!("it is a {kind} and cannot be {number}"), "write a whole number".to_owned());
        }
        FmuValue::Number(number) => *number as i128,
        FmuValue::Text(text) => {
            if let Some((_, number)) = variable.items.iter().find(|(name, _)| name == text) {
                return Ok((*number).into());
            }
            // A number of 64 bits without sign has no place among those of a file.
            match text.trim().parse() {
                Ok(whole) if variable.kind != FmuType::Boolean => whole,
                _ if variable.items.is_empty() => return Err(mismatch(fmu, variable, value)),
                _ => return refused(format!("it has no item {text:?}"), items(variable)),
            }
        }
    };
    let (low, high) = variable.kind.whole_range();
    if !(low..=high).contains(&whole) {
        return refused(
            format!("it is a {kind} and cannot be {whole}"),
            format!("write a number from {low} to {high}"),
        );
    }
    if !variable.items.is_empty() && variable.items.iter().all(|(_, number)| i128::from(*number) != whole) {
        return refused(format!("it has no item of the number {whole}"), items(variable));
    }
    Ok(whole)
}

/// The items of an enumeration in words.
fn items(variable: &FmuVariable) -> String {
    let all: Vec<String> = variable.items.iter().map(|(name, number)| format!("{name:?} ({number})")).collect();
    format!("write one of: {}", all.join(", "))
}

/// Element `k` of the start values of a text variable.
fn start_text(variable: &FmuVariable, k: usize) -> String {
    match variable.start_text.as_slice() {
        [single] => single.clone(),
        list => list.get(k).cloned().unwrap_or_default(),
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

/// The variable of a name, and which element of it.
fn find(fmu: &str, description: &FmuDescription, name: &str) -> Result<(usize, Option<usize>), FmuError> {
    if let Some(index) = description.place(name) {
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
        FmuValue::Whole(number) => format!("the number {number}"),
        FmuValue::Text(text) => format!("the text {text:?}"),
    };
    let problem = format!("it is a {} and cannot be {given}", variable.kind.name());
    let remedy = if variable.kind == FmuType::String { "write a text" } else { "write a finite number" };
    FmuError::Start { fmu: fmu.to_owned(), name: format!("{:?}", variable.name), problem, remedy: remedy.to_owned() }
}
