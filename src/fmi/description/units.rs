//! Units with the powers of the base units; the same in both versions.

use crate::fmi::Variables;
use crate::xml::{Attributes, Xml};
use fourbar_linalg::unit::Unit;
use std::collections::BTreeMap;

/// The base units of the standard, in the order of [`Unit::dimension`].
const BASE: [&str; 8] = ["kg", "m", "s", "A", "K", "mol", "cd", "rad"];

/// Writes the units that the variables have.
pub(super) fn write(xml: &mut Xml, variables: &Variables) {
    let named = variables.all().iter().filter(|own| !own.unit.is_empty());
    let names: BTreeMap<&str, Option<Unit>> = named.map(|own| (own.unit.as_str(), own.measure)).collect();
    xml.within("UnitDefinitions", Attributes::default(), |xml| {
        for (name, measure) in names {
            xml.within("Unit", Attributes::default().with("name", name), |xml| {
                // Units of models were read when they were compiled; those of other simulators are known by value.
                let Some(unit) = measure.or_else(|| Unit::parse(name).ok()) else { return };
                let mut attributes = Attributes::default();
                for (base, power) in BASE.iter().zip(unit.dimension).filter(|(_, power)| *power != 0) {
                    attributes = attributes.with(base, power.to_string());
                }
                let attributes = attributes.when(unit.factor != 1.0, |more| more.number("factor", unit.factor));
                let attributes = attributes.when(unit.offset != 0.0, |more| more.number("offset", unit.offset));
                xml.element("BaseUnit", attributes);
            });
        }
    });
}
