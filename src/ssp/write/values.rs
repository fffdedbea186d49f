//! The parameters of all units as one set (SSP 1.0, section 6).

use super::unit::{Start, Unit};
use crate::xml::{Attributes, Xml};

/// The file: names are those from the top of the structure.
pub(super) fn text(units: &[Unit]) -> String {
    let root = Attributes::default()
        .with("version", "1.0")
        .with("name", "parameters")
        .with("xmlns:ssv", "http://ssp-standard.org/SSP1/SystemStructureParameterValues")
        .with("xmlns:ssc", "http://ssp-standard.org/SSP1/SystemStructureCommon");
    let mut xml = Xml::new();
    xml.within("ssv:ParameterSet", root, |xml| {
        xml.within("ssv:Parameters", Attributes::default(), |xml| {
            for (unit, (name, start)) in units.iter().flat_map(|unit| unit.starts.iter().map(move |own| (unit, own))) {
                let name = format!("{}.{name}", unit.name);
                xml.within("ssv:Parameter", Attributes::default().with("name", name), |xml| value(xml, start));
            }
        });
    });
    xml.finish()
}

fn value(xml: &mut Xml, start: &Start) {
    let own = Attributes::default();
    match start {
        Start::Real(number) => xml.element("ssv:Real", own.number("value", *number)),
        Start::Integer(number) => xml.element("ssv:Integer", own.with("value", format!("{number:.0}"))),
        Start::Boolean(truth) => xml.element("ssv:Boolean", own.flag("value", *truth)),
        Start::Text(text) => xml.element("ssv:String", own.with("value", text)),
    }
}
