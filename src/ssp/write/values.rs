//! The parameters of all units as one set (SSP 1.0, section 6).

use super::unit::{Start, Unit};
use crate::xml::{Attributes, Xml};

/// The namespace of parameter sets.
pub(super) const NAMESPACE: &str = "http://ssp-standard.org/SSP1/SystemStructureParameterValues";

/// The file: names are those from the top of the structure.
pub(super) fn text(units: &[Unit]) -> String {
    let root = Attributes::default()
        .with("version", "1.0")
        .with("name", "parameters")
        .with("xmlns:ssv", NAMESPACE)
        .with("xmlns:ssc", "http://ssp-standard.org/SSP1/SystemStructureCommon");
    let mut xml = Xml::new();
    let named =
        units.iter().flat_map(|unit| unit.starts.iter().map(move |own| (format!("{}.{}", unit.name, own.0), &own.1)));
    set(&mut xml, root, named);
    xml.finish()
}

/// The parameters of one unit under its own names.
pub(super) fn of_unit(xml: &mut Xml, unit: &Unit) {
    let root = Attributes::default().with("version", "1.0").with("name", &unit.name);
    set(xml, root, unit.starts.iter().map(|(name, start)| (name.clone(), start)));
}

fn set<'a>(xml: &mut Xml, root: Attributes, starts: impl Iterator<Item = (String, &'a Start)>) {
    xml.within("ssv:ParameterSet", root, |xml| {
        xml.within("ssv:Parameters", Attributes::default(), |xml| {
            for (name, start) in starts {
                xml.within("ssv:Parameter", Attributes::default().with("name", name), |xml| value(xml, start));
            }
        });
    });
}

fn value(xml: &mut Xml, start: &Start) {
    let own = Attributes::default();
    match start {
        Start::Real(number) => xml.element("ssv:Real", own.number("value", *number)),
        Start::Integer(number) => xml.element("ssv:Integer", own.with("value", number.to_string())),
        Start::Item(item) => xml.element("ssv:Enumeration", own.with("value", item)),
        Start::Boolean(truth) => xml.element("ssv:Boolean", own.flag("value", *truth)),
        Start::Text(text) => xml.element("ssv:String", own.with("value", text)),
    }
}
