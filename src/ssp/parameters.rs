//! Which parameter gets which value: bindings from the innermost level outwards, so that later and higher ones count (SSP 1.0, section 5.2.3).

use super::description::{Binding, Element, Parameter, System, Value};
use super::network::{Network, Part};
use super::transformation::Transformation;
use super::units::{Enumeration, Named, conversion};
use super::xml::{Notes, Place};
use crate::Error;
use fourbar_coupling::partner::{FmuCausality, FmuType, FmuVariability, FmuVariable};
use std::collections::BTreeMap;

/// What a variable of an FMU starts with.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Start {
    Number(f64),
    /// With all its digits.
    Whole(i128),
    /// A text, or an item of an enumeration of the FMU.
    Text(String),
}

/// Start values by unit and variable, and values of connectors of systems.
#[derive(Default)]
pub(super) struct Assigned {
    pub(super) starts: BTreeMap<(usize, String), Start>,
    pub(super) connectors: BTreeMap<usize, (Value, Place)>,
}

impl Assigned {
    /// All bindings of `system`, whose elements `network` has.
    pub(super) fn new(system: &System, network: &Network<'_>, notes: &mut Notes) -> Result<Self, Error> {
        let mut assigned = Self::default();
        assigned.system(system, 0, network, notes)?;
        Ok(assigned)
    }

    fn system(&mut self, system: &System, own: usize, network: &Network<'_>, notes: &mut Notes) -> Result<(), Error> {
        let Part::System(children) = &network.parts[own] else { return Ok(()) };
        for (element, (_, child)) in system.elements.iter().zip(children) {
            match element {
                Element::System(system) => self.system(system, *child, network, notes)?,
                Element::Component(component) => self.apply(&component.bindings, *child, network, notes)?,
            }
        }
        self.apply(&system.bindings, own, network, notes)
    }

    fn apply(
        &mut self,
        bindings: &[Binding],
        element: usize,
        network: &Network<'_>,
        notes: &mut Notes,
    ) -> Result<(), Error> {
        for parameter in bindings.iter().flat_map(|binding| &binding.parameters) {
            if !self.assign(parameter, element, &parameter.name, network)? {
                notes.add(
                    &parameter.place,
                    format!("nothing has the name \"{}\": the value is not applied", parameter.name),
                );
            }
        }
        Ok(())
    }

    /// Gives the value to everything of an element that has this name; whether there was any.
    fn assign(
        &mut self,
        parameter: &Parameter,
        element: usize,
        name: &str,
        network: &Network<'_>,
    ) -> Result<bool, Error> {
        let Parameter { place, value, suppress, transformation, .. } = parameter;
        let node = network.node(element, name);
        let to = node.and_then(|node| network.nodes[node].unit.as_ref());
        match &network.parts[element] {
            Part::Unit(unit) => {
                let Some(variable) = network.units[*unit].variable(name) else { return Ok(false) };
                let own = node.is_none().then(|| measure(variable)).flatten();
                let value = transformed(value, *suppress, transformation.as_ref(), to.or(own.as_ref()), place)?;
                let items = node.and_then(|node| network.nodes[node].connector.enumeration.as_ref());
                self.starts.insert((*unit, name.to_owned()), start(&value, variable, items, place)?);
                Ok(true)
            }
            Part::System(children) => {
                let mut found = false;
                if let Some(node) = node {
                    let value = transformed(value, *suppress, transformation.as_ref(), to, place)?;
                    self.connectors.insert(node, (value, place.clone()));
                    found = true;
                }
                for (own, child) in children {
                    if let Some(rest) = name.strip_prefix(own.as_str()).and_then(|rest| rest.strip_prefix('.')) {
                        found |= self.assign(parameter, *child, rest, network)?;
                    }
                }
                Ok(found)
            }
        }
    }
}

/// The unit of a variable in its FMU.
fn measure(variable: &FmuVariable) -> Option<Named> {
    let known = fourbar_linalg::unit::Unit::parse(&variable.unit).ok().filter(|_| !variable.unit.is_empty());
    variable.measure.or(known).map(|unit| Named { name: variable.unit.clone(), unit })
}

/// A value in the unit of what takes it, transformed.
pub(super) fn transformed(
    value: &Value,
    suppress: bool,
    transformation: Option<&Transformation>,
    to: Option<&Named>,
    place: &Place,
) -> Result<Value, Error> {
    let converted = match (value, to) {
        (Value::Real(number, Some(from)), Some(to)) if !suppress => {
            let (factor, shift) = conversion(&from.unit, &to.unit).ok_or_else(|| dimension(from, to, place))?;
            Value::Real(number * factor + shift, Some(to.clone()))
        }
        (Value::Real(number, from), to) => Value::Real(*number, to.or(from.as_ref()).cloned()),
        (other, _) => other.clone(),
    };
    let Some(transformation) = transformation else { return Ok(converted) };
    Ok(match (transformation, converted) {
        (Transformation::Linear { factor, offset }, Value::Real(number, unit)) => {
            Value::Real(factor * number + offset, unit)
        }
        (Transformation::Booleans(table), Value::Boolean(own)) => Value::Boolean(*table.get(&own).unwrap_or(&own)),
        (Transformation::Integers(table), Value::Integer(own)) => Value::Integer(*table.get(&own).unwrap_or(&own)),
        (Transformation::Items(table), Value::Item(own, items)) => {
            // The item is one of the target: its own enumeration no longer counts.
            table.get(&own).map_or_else(|| Value::Item(own.clone(), items), |target| Value::Item(target.clone(), None))
        }
        (_, value) => {
            let problem = format!("the transformation does not fit the value, {}", shown(&value));
            return Err(place.refuse(problem, "linear ones are for Real, tables for values of their own type"));
        }
    })
}

/// Units that measure different things.
pub(super) fn dimension(from: &Named, to: &Named, place: &Place) -> Error {
    let problem = format!("\"{}\" cannot become \"{}\": they measure different things", from.name, to.name);
    place.refuse(
        problem,
        "correct one of the units, or write suppressUnitConversion=\"true\" to pass the number as it is",
    )
}

/// What a variable starts with; items of enumerations are those of the connector, or of the parameter set.
pub(super) fn start(
    value: &Value,
    variable: &FmuVariable,
    items: Option<&Enumeration>,
    place: &Place,
) -> Result<Start, Error> {
    if variable.variability == FmuVariability::Constant
        || matches!(variable.causality, FmuCausality::CalculatedParameter | FmuCausality::Independent)
    {
        let problem = format!("\"{}\" is {} and cannot be set", variable.name, variable.causality.name());
        return Err(place.refuse(problem, "remove the value; parameters, inputs and start values can be set"));
    }
    let whole = |value: f64| value.fract() == 0.0;
    let kind = variable.kind;
    let number = match value {
        Value::Text(text) if kind == FmuType::String => return Ok(Start::Text(text.clone())),
        Value::Real(number, _) if kind.is_float() || (kind.is_number() && whole(*number)) => *number,
        Value::Integer(number) if kind.is_number() && kind != FmuType::Boolean => return Ok(Start::Whole(*number)),
        Value::Integer(number) if kind == FmuType::Boolean => *number as f64,
        Value::Boolean(own) if kind == FmuType::Boolean => f64::from(*own),
        Value::Item(name, own) if kind.is_number() && !kind.is_float() => {
            let found = items
                .or(own.as_ref())
                .map(|items| items.get(name).ok_or_else(|| super::units::unknown("item", name, items.keys(), place)));
            match found {
                Some(number) => f64::from(*number?),
                None if variable.items.iter().any(|(own, _)| own == name) => return Ok(Start::Text(name.clone())),
                None => {
                    let remedy = format!("define its enumeration, and name it at the connector \"{}\"", variable.name);
                    return Err(place.refuse(format!("the item \"{name}\" has no number here"), remedy));
                }
            }
        }
        other => {
            let problem = format!("\"{}\" is a {} and cannot be {}", variable.name, kind.name(), shown(other));
            return Err(place.refuse(problem, "write a value of its type"));
        }
    };
    if kind == FmuType::Boolean && number != 0.0 && number != 1.0 {
        let problem = format!("\"{}\" is a Boolean and cannot be {number}", variable.name);
        return Err(place.refuse(problem, "write true or false"));
    }
    Ok(Start::Number(number))
}

fn shown(value: &Value) -> String {
    match value {
        Value::Real(number, _) => format!("the number {number}"),
        Value::Integer(number) => format!("the whole number {number}"),
        Value::Boolean(own) => own.to_string(),
        Value::Item(name, _) => format!("the item \"{name}\""),
        Value::Text(text) => format!("the text \"{text}\""),
    }
}
