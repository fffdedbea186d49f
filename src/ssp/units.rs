//! Units and enumerations of a file, which every file defines for itself (SSP 1.0, section 4.4).

use super::xml::{Element, Notes, Place};
use crate::Error;
use fourbar_linalg::text::nearest;
use fourbar_linalg::unit::Unit;
use std::collections::BTreeMap;
use std::sync::Arc;

/// The base units of the standard, in the order of [`Unit::dimension`].
pub(super) const BASE: [&str; 8] = ["kg", "m", "s", "A", "K", "mol", "cd", "rad"];

/// A unit with its name in the file.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Named {
    pub(super) name: String,
    pub(super) unit: Unit,
}

/// The items of an enumeration by name.
pub(super) type Enumeration = Arc<BTreeMap<String, i32>>;

/// What a file defines.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct Definitions {
    units: BTreeMap<String, Unit>,
    enumerations: BTreeMap<String, Enumeration>,
}

impl Definitions {
    /// Those in `Units` and `Enumerations` of a root.
    pub(super) fn read(root: Element<'_>, notes: &mut Notes) -> Result<Self, Error> {
        let mut own = Self::default();
        for node in root.within("Units", "Unit") {
            let name = node.required("name")?;
            node.note_others(&["BaseUnit"], &["name"], notes);
            let base = node.child("BaseUnit").ok_or_else(|| {
                node.refuse(format!("the unit \"{name}\" has no BaseUnit"), "write its powers of the base units there")
            })?;
            if own.units.insert(name.to_owned(), unit(base)?).is_some() {
                return Err(node.refuse(format!("the unit \"{name}\" is there twice"), "rename or remove one"));
            }
        }
        for node in root.within("Enumerations", "Enumeration") {
            let name = node.required("name")?;
            let mut items = BTreeMap::new();
            for item in node.all("Item") {
                let value = item.number("value")?;
                let value = value.ok_or_else(|| item.refuse("the item has no `value`", "write value=\"1\" there"))?;
                items.insert(item.required("name")?.to_owned(), value);
            }
            own.enumerations.insert(name.to_owned(), Arc::new(items));
        }
        Ok(own)
    }

    /// The unit that an attribute `unit` names; none if there is no such attribute, or an empty one.
    pub(super) fn unit(&self, node: Element<'_>) -> Result<Option<Named>, Error> {
        let Some(name) = node.optional("unit").filter(|name| !name.is_empty()) else { return Ok(None) };
        match self.units.get(name) {
            Some(unit) => Ok(Some(Named { name: name.to_owned(), unit: *unit })),
            None => Err(unknown("unit", name, self.units.keys(), &node.place_of("unit"))),
        }
    }

    /// The enumeration that an attribute `name` names.
    pub(super) fn enumeration(&self, node: Element<'_>) -> Result<Option<Enumeration>, Error> {
        let Some(name) = node.optional("name") else { return Ok(None) };
        match self.enumerations.get(name) {
            Some(items) => Ok(Some(Arc::clone(items))),
            None => Err(unknown("enumeration", name, self.enumerations.keys(), &node.place_of("name"))),
        }
    }
}

/// A name that nothing has.
pub(super) fn unknown<'a>(what: &str, name: &str, known: impl IntoIterator<Item = &'a String>, place: &Place) -> Error {
    let known: Vec<&str> = known.into_iter().map(String::as_str).collect();
    let remedy = match (nearest(name, known.iter().copied()), known.as_slice()) {
        (Some(near), _) => format!("did you mean \"{near}\"?"),
        (None, []) => format!("there is no {what}; define it"),
        // More than a line of names is read by nobody.
        (None, known) => format!("write one of: {}", known[..known.len().min(12)].join(", ")),
    };
    place.refuse(format!("there is no {what} \"{name}\""), remedy)
}

fn unit(base: Element<'_>) -> Result<Unit, Error> {
    let mut dimension = [0; 8];
    for (power, name) in dimension.iter_mut().zip(BASE) {
        *power = base.number(name)?.unwrap_or(0);
    }
    let factor = base.number("factor")?.unwrap_or(1.0);
    let offset = base.number("offset")?.unwrap_or(0.0);
    if !(factor > 0.0) {
        return Err(base.place_of("factor").refuse(format!("the factor of the unit is {factor}"), "write one above 0"));
    }
    Ok(Unit { dimension, factor, offset })
}

/// Factor and offset from a unit to another one. Many tools leave the angle out of the powers, so it is not compared; None for other dimensions.
pub(super) fn conversion(from: &Unit, to: &Unit) -> Option<(f64, f64)> {
    let angle = from.dimension[7];
    let mut to = *to;
    to.dimension[7] = angle;
    from.conversion(&to)
}

/// Whether two units are one; factors are decimal numbers that were rounded once or twice.
pub(super) fn same(a: &Unit, b: &Unit) -> bool {
    let close = |a: f64, b: f64| (a - b).abs() <= 1e-9 * a.abs().max(b.abs());
    a.dimension[..7] == b.dimension[..7] && close(a.factor, b.factor) && close(a.offset, b.offset)
}
