//! `SystemStructure.ssd` (SSP 1.0, section 5); what the standard leaves to tools is an annotation.

use super::error::WriteError;
use super::unit::{Connector, Unit};
use super::{VALUES, values};
use crate::Error;
use crate::coupled::{AdaptiveSettings, ConnectionModel, CoupledModel, CoupledSettings};
use crate::ssp::settings::ANNOTATION;
use crate::ssp::units::BASE;
use crate::xml::{Attributes, Xml};
use fourbar_linalg::unit::Unit as Measure;
use fourbar_multibody::expression::Expression;
use fourbar_multibody::{Location, Parameters};
use serde::Serialize;
use std::collections::BTreeMap;
use toml::{Table, Value};

/// A connection with its numbers and the connectors of the units.
struct Connected<'a> {
    from: (&'a Unit, &'a Connector),
    to: (&'a Unit, &'a Connector),
    gain: f64,
    offset: f64,
    nominal: Option<f64>,
    is_converted: bool,
}

/// The text of the structure; `stem` is the name of a model without a title.
pub(super) fn text(
    model: &CoupledModel,
    units: &[Unit],
    parameters: &Parameters<'_>,
    stem: &str,
) -> Result<String, WriteError> {
    let connections = model.connections.iter().enumerate();
    let connections = connections.map(|(index, own)| connected(own, index, units, parameters));
    let connections = connections.collect::<Result<Vec<_>, _>>()?;
    let settings = settled(model, units, parameters)?;
    let ports: Vec<Table> = model
        .ports
        .iter()
        .map(|port| {
            let end = |name: &str| find(name, units, "output").map(|(unit, own)| format!("{}.{}", unit.name, own.name));
            let own = crate::coupled::PortModel { effort: end(&port.effort)?, flow: end(&port.flow)?, ..port.clone() };
            Ok(table(&own))
        })
        .collect::<Result<_, WriteError>>()?;
    let name = if model.name.is_empty() { stem } else { &model.name };
    let root = Attributes::default()
        .with("version", "1.0")
        .with("name", name)
        .with("description", &model.description)
        .with("generationTool", concat!("fourbar ", env!("CARGO_PKG_VERSION")))
        .with("xmlns:ssd", "http://ssp-standard.org/SSP1/SystemStructureDescription")
        .with("xmlns:ssv", values::NAMESPACE)
        .with("xmlns:ssc", "http://ssp-standard.org/SSP1/SystemStructureCommon");
    let mut xml = Xml::new();
    xml.within("ssd:SystemStructureDescription", root, |xml| {
        xml.within("ssd:System", Attributes::default().with("name", name), |xml| {
            xml.within("ssd:ParameterBindings", Attributes::default(), |xml| {
                xml.element("ssd:ParameterBinding", Attributes::default().with("source", VALUES));
            });
            xml.within("ssd:Elements", Attributes::default(), |xml| units.iter().for_each(|unit| component(xml, unit)));
            if !connections.is_empty() {
                xml.within("ssd:Connections", Attributes::default(), |xml| {
                    connections.iter().for_each(|own| connection(xml, own));
                });
            }
        });
        definitions(xml, units);
        let settings = table(&settings);
        let start = settings.get("start_time").and_then(Value::as_float).unwrap_or(0.0);
        let times = Attributes::default().number("startTime", start);
        if let Some(end) = settings.get("end").and_then(Value::as_float) {
            xml.element("ssd:DefaultExperiment", times.number("stopTime", end));
        }
        annotation(xml, |xml| {
            xml.within("settings", Attributes::default(), |xml| {
                entry(xml, "simulation", &settings);
                let faults = table(&model.faults);
                if !faults.is_empty() {
                    entry(xml, "faults", &faults);
                }
                ports.iter().for_each(|port| entry(xml, "port", port));
            });
        });
    });
    Ok(xml.finish())
}

fn component(xml: &mut Xml, unit: &Unit) {
    let own = Attributes::default()
        .with("name", &unit.name)
        .with("type", "application/x-fmu-sharedlibrary")
        .with("source", &unit.source);
    let own = own
        .when(unit.implementation.is_some(), |own| own.with("implementation", unit.implementation.unwrap_or_default()));
    xml.within("ssd:Component", own, |xml| {
        if !unit.connectors.is_empty() {
            xml.within("ssd:Connectors", Attributes::default(), |xml| {
                unit.connectors.iter().for_each(|own| connector(xml, own));
            });
        }
        // Some tools read what stands at a component alone, others what stands at the system.
        if !unit.starts.is_empty() {
            xml.within("ssd:ParameterBindings", Attributes::default(), |xml| {
                xml.within("ssd:ParameterBinding", Attributes::default(), |xml| {
                    xml.within("ssd:ParameterValues", Attributes::default(), |xml| values::of_unit(xml, unit));
                });
            });
        }
        let mut place = table(&unit.place);
        if unit.process {
            place.insert("process".to_owned(), Value::Boolean(true));
        }
        if !place.is_empty() {
            annotation(xml, |xml| entry(xml, "place", &place));
        }
    });
}

fn connector(xml: &mut Xml, own: &Connector) {
    let named = Attributes::default().with("name", &own.name).with("kind", own.kind);
    xml.within("ssd:Connector", named, |xml| {
        let unit = own.unit.as_ref();
        let typed =
            Attributes::default().when(unit.is_some(), |more| more.with("unit", unit.map_or("", |(name, _)| name)));
        xml.element(&format!("ssc:{}", own.value), typed);
    });
}

fn connection(xml: &mut Xml, own: &Connected<'_>) {
    let ends = Attributes::default()
        .with("startElement", &own.from.0.name)
        .with("startConnector", &own.from.1.name)
        .with("endElement", &own.to.0.name)
        .with("endConnector", &own.to.1.name)
        .when(own.is_converted, |more| more.flag("suppressUnitConversion", true));
    xml.within("ssd:Connection", ends, |xml| {
        if own.gain != 1.0 || own.offset != 0.0 {
            let line = Attributes::default().number("factor", own.gain).number("offset", own.offset);
            xml.element("ssc:LinearTransformation", line);
        }
        if let Some(nominal) = own.nominal {
            annotation(xml, |xml| xml.element("connection", Attributes::default().number("nominal", nominal)));
        }
    });
}

/// The units that connectors name.
fn definitions(xml: &mut Xml, units: &[Unit]) {
    let connectors = units.iter().flat_map(|unit| &unit.connectors);
    let named: BTreeMap<&str, &Measure> =
        connectors.filter_map(|own| own.unit.as_ref().map(|(name, unit)| (name.as_str(), unit))).collect();
    if named.is_empty() {
        return;
    }
    xml.within("ssd:Units", Attributes::default(), |xml| {
        for (name, unit) in named {
            xml.within("ssc:Unit", Attributes::default().with("name", name), |xml| {
                let mut base = Attributes::default();
                for (name, power) in BASE.iter().zip(unit.dimension).filter(|(_, power)| *power != 0) {
                    base = base.with(name, power.to_string());
                }
                let base = base.when(unit.factor != 1.0, |more| more.number("factor", unit.factor));
                xml.element("ssc:BaseUnit", base.when(unit.offset != 0.0, |more| more.number("offset", unit.offset)));
            });
        }
    });
}

fn annotation(xml: &mut Xml, write: impl FnOnce(&mut Xml)) {
    xml.within("ssd:Annotations", Attributes::default(), |xml| {
        xml.within("ssc:Annotation", Attributes::default().with("type", ANNOTATION), write);
    });
}

/// A table as an element: values are attributes, entries of lists children, tables children with attributes.
fn entry(xml: &mut Xml, name: &'static str, table: &Table) {
    let mut attributes = Attributes::default();
    for (name, value) in table {
        attributes = match value {
            Value::String(text) => attributes.with(name, text),
            Value::Integer(number) => attributes.with(name, number.to_string()),
            Value::Float(number) => attributes.number(name, *number),
            Value::Boolean(own) => attributes.flag(name, *own),
            _ => attributes,
        };
    }
    xml.within(name, attributes, |xml| {
        for (name, value) in table {
            match value {
                Value::Array(list) => {
                    for text in list.iter().filter_map(Value::as_str) {
                        xml.words(name, text);
                    }
                }
                Value::Table(own) if name == "adaptive" => entry(xml, "adaptive", own),
                _ => {}
            }
        }
    });
}

/// What serializes as a table.
fn table(of: &impl Serialize) -> Table {
    Table::try_from(of).unwrap_or_default()
}

/// The settings with numbers instead of expressions, and names of variables as the units have them.
fn settled(model: &CoupledModel, units: &[Unit], parameters: &Parameters<'_>) -> Result<CoupledSettings, WriteError> {
    let own = model.simulation.clone();
    let number = |value: Option<Expression>, name: &str| {
        let place = Location { section: "simulation", index: 0, name: String::new(), field: name.to_owned() };
        let value = value.map(|value| parameters.number(&value, &place).map(Expression::constant));
        value.transpose().map_err(Error::CoupledModel)
    };
    let adaptive = own.adaptive.map(|own| {
        let tolerance = number(Some(own.tolerance.clone()), "adaptive.tolerance")?.unwrap_or(own.tolerance);
        let (first, shortest) = (number(own.first, "adaptive.first")?, number(own.shortest, "adaptive.shortest")?);
        Ok::<_, Error>(AdaptiveSettings { tolerance, first, shortest, rollback: own.rollback })
    });
    let renamed = |name: &String| {
        let found = find(name, units, "output").or_else(|_| find(name, units, "input"));
        found.map_or_else(|_| name.clone(), |(unit, own)| format!("{}.{}", unit.name, own.name))
    };
    Ok(CoupledSettings {
        start_time: number(own.start_time, "start_time")?,
        end: number(own.end, "end")?,
        step: number(own.step, "step")?,
        output_step: number(own.output_step, "output_step")?,
        tolerance: number(own.tolerance, "tolerance")?,
        real_time_factor: number(own.real_time_factor, "real_time_factor")?,
        adaptive: adaptive.transpose()?,
        record: own.record.map(|list| list.iter().map(renamed).collect()),
        ..own
    })
}

fn connected<'a>(
    own: &ConnectionModel,
    index: usize,
    units: &'a [Unit],
    parameters: &Parameters<'_>,
) -> Result<Connected<'a>, WriteError> {
    let number = |value: &Option<Expression>, name: &str| {
        let place = Location { section: "connection", index, name: String::new(), field: name.to_owned() };
        let value = value.as_ref().map(|value| parameters.number(value, &place));
        value.transpose().map_err(Error::CoupledModel)
    };
    Ok(Connected {
        from: find(&own.from, units, "output")?,
        to: find(&own.to, units, "input")?,
        gain: number(&own.gain, "gain")?.unwrap_or(1.0),
        offset: number(&own.offset, "offset")?.unwrap_or(0.0),
        nominal: number(&own.nominal, "nominal")?,
        is_converted: own.is_converted,
    })
}

/// The connector that a coupled model calls `simulator.variable`.
fn find<'a>(name: &str, units: &'a [Unit], kind: &str) -> Result<(&'a Unit, &'a Connector), WriteError> {
    let found = units.iter().find_map(|unit| {
        let own = name.strip_prefix(unit.name.as_str())?.strip_prefix('.')?;
        Some((unit, unit.connectors.iter().find(|connector| connector.kind == kind && connector.known_as == own)?))
    });
    found.ok_or_else(|| WriteError::Variable { name: name.to_owned() })
}
