//! Connections as people write them (R10, R15), checked and made into relations: names, directions, units, one source per input.

use serde::{Deserialize, Serialize};

use crate::Error;
use crate::error::{finite, positive};
use crate::function::interaction::Relation;
use crate::function::interface::Interface;
use crate::function::{Causality, Description, Variable};
use fourbar_linalg::text::nearest;
use fourbar_linalg::unit::Unit;
use std::collections::HashMap;

/// An output that feeds an input: input = gain * (output, converted to the unit of the input) + offset.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Connection {
    /// The output, "partner.variable".
    pub from: String,
    /// The input, "partner.variable".
    pub to: String,
    /// Factor after the conversion of units; not 0.
    #[serde(default = "one")]
    pub gain: f64,
    /// Added last \[unit of the input\].
    #[serde(default)]
    pub offset: f64,
    /// Typical magnitude \[unit of the input\], a size for errors as long as no larger value was seen; that of the variables if absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub nominal: Option<f64>,
    /// Whether gain and offset hold the conversion of units already, or none is wanted: the values pass without one.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub is_converted: bool,
}

const fn one() -> f64 {
    1.0
}

impl Connection {
    /// With gain 1 and offset 0.
    pub fn new(from: impl Into<String>, to: impl Into<String>) -> Self {
        Self { from: from.into(), to: to.into(), gain: 1.0, offset: 0.0, nominal: None, is_converted: false }
    }

    /// With another gain.
    #[must_use]
    pub fn gain(mut self, gain: f64) -> Self {
        self.gain = gain;
        self
    }

    /// With another offset \[unit of the input\].
    #[must_use]
    pub fn offset(mut self, offset: f64) -> Self {
        self.offset = offset;
        self
    }

    /// With a typical magnitude \[unit of the input\].
    #[must_use]
    pub fn nominal(mut self, nominal: f64) -> Self {
        self.nominal = Some(nominal);
        self
    }
}

/// Whoever has a name and says what it exchanges.
pub(super) trait Described {
    fn name(&self) -> &str;

    fn description(&self) -> &Description;
}

impl Described for Interface {
    fn name(&self) -> &str {
        Interface::name(self)
    }

    fn description(&self) -> &Description {
        Interface::description(self)
    }
}

/// What of a connection is meant.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum ConnectionPart {
    /// The output.
    From,
    /// The input.
    To,
    /// The factor.
    Gain,
    /// What is added.
    Offset,
    /// The typical magnitude.
    Nominal,
}

/// All variables by name, for whoever looks up many of them.
pub(super) struct Directory<'a, D> {
    interfaces: &'a [D],
    ends: HashMap<(&'a str, &'a str, Causality), (usize, usize)>,
}

impl<'a, D: Described> Directory<'a, D> {
    pub(super) fn new(interfaces: &'a [D]) -> Self {
        let mut ends = HashMap::new();
        for (i, interface) in interfaces.iter().enumerate() {
            for causality in [Causality::Input, Causality::Output] {
                let variables = interface.description().with(causality).enumerate();
                ends.extend(variables.map(|(k, v)| ((interface.name(), v.name.as_str(), causality), (i, k))));
            }
        }
        Self { interfaces, ends }
    }

    /// As [`find`].
    pub(super) fn find(&self, place: &str, name: &str, causality: Causality) -> Result<(usize, usize), Error> {
        let known = splits(name).find_map(|(partner, variable)| self.ends.get(&(partner, variable, causality)));
        known.map_or_else(|| find(self.interfaces, place, name, causality), |end| Ok(*end))
    }
}

/// The ways to read "partner.variable": names of both may have dots.
fn splits(name: &str) -> impl Iterator<Item = (&str, &str)> {
    name.match_indices('.').map(|(dot, _)| (&name[..dot], &name[dot + 1..]))
}

/// Splits "partner.variable" and finds both; the index counts within the causality.
pub(super) fn find<D: Described>(
    interfaces: &[D],
    place: &str,
    name: &str,
    causality: Causality,
) -> Result<(usize, usize), Error> {
    let known = |partner: &str| interfaces.iter().any(|interface| interface.name() == partner);
    let split = splits(name).find(|(partner, _)| known(partner)).or_else(|| name.split_once('.'));
    let (partner, variable) = split.ok_or_else(|| Error::End(name.into()))?;
    let Some(i) = interfaces.iter().position(|interface| interface.name() == partner) else {
        let nearest = nearest(partner, interfaces.iter().map(D::name));
        return Err(Error::UnknownPartner { place: place.into(), name: partner.into(), nearest });
    };
    let description = interfaces[i].description();
    let Some(k) = description.with(causality).position(|v| v.name == variable) else {
        let known = description.with(causality).map(|v| v.name.as_str());
        return Err(Error::UnknownVariable {
            place: place.into(),
            partner: partner.into(),
            causality: match causality {
                Causality::Input => "input",
                Causality::Output => "output",
            },
            name: variable.into(),
            nearest: nearest(variable, known),
        });
    };
    Ok((i, k))
}

/// The k-th variable of a causality.
pub(super) fn variable<D: Described>(interfaces: &[D], (i, k): (usize, usize), causality: Causality) -> &Variable {
    interfaces[i].description().with(causality).nth(k).expect("indices come from find")
}

/// The unit of a variable.
pub(super) fn unit<D: Described>(interface: &D, variable: &Variable) -> Result<Unit, Error> {
    variable
        .known_unit()
        .map_err(|source| Error::Unit { variable: format!("{}.{}", interface.name(), variable.name), source })
}

/// All connections as relations, sorted by target.
pub(super) fn resolve(interfaces: &[Interface], connections: &[Connection]) -> Result<Vec<Relation>, Error> {
    let directory = Directory::new(interfaces);
    let mut relations: Vec<Relation> = Vec::with_capacity(connections.len());
    let mut sources: HashMap<(usize, usize), &str> = HashMap::with_capacity(connections.len());
    for connection in connections {
        let relation = relation(&directory, connection).map_err(|(_, error)| error)?;
        if let Some(other) = sources.insert(relation.target, &connection.from) {
            let sources = [other.to_owned(), connection.from.clone()];
            return Err(Error::TwoSources { target: connection.to.clone(), sources });
        }
        relations.push(relation);
    }
    relations.sort_by_key(|relation| relation.target);
    Ok(relations)
}

/// The relation of a connection, or what of the connection is wrong.
pub(super) fn relation<D: Described>(
    directory: &Directory<'_, D>,
    connection: &Connection,
) -> Result<Relation, (ConnectionPart, Error)> {
    let interfaces = directory.interfaces;
    use ConnectionPart::{From, Gain, Nominal, Offset, To};
    let Connection { from, to, gain, offset, nominal, is_converted } = connection;
    let place = format!("connection \"{from}\" -> \"{to}\"");
    let source = directory.find(&place, from, Causality::Output).map_err(|error| (From, error))?;
    let target = directory.find(&place, to, Causality::Input).map_err(|error| (To, error))?;
    finite(format!("{place}: offset"), *offset).map_err(|error| (Offset, error))?;
    if !(gain.is_finite() && *gain != 0.0) {
        let remedy = "it must be finite and not 0; leave the connection out to keep the start value";
        return Err((Gain, Error::Value { name: format!("{place}: gain"), value: *gain, remedy }));
    }
    if let Some(nominal) = nominal {
        positive(format!("{place}: nominal"), *nominal).map_err(|error| (Nominal, error))?;
    }
    let (output, input) =
        (variable(interfaces, source, Causality::Output), variable(interfaces, target, Causality::Input));
    let units = (
        unit(&interfaces[source.0], output).map_err(|error| (From, error))?,
        unit(&interfaces[target.0], input).map_err(|error| (To, error))?,
    );
    let conversion = if *is_converted { Some((1.0, 0.0)) } else { units.0.conversion(&units.1) };
    let Some((factor, shift)) = conversion else {
        let units = (output.unit.clone(), input.unit.clone());
        return Err((To, Error::Dimension { from: from.clone(), to: to.clone(), units }));
    };
    let order = interfaces[target.0].description().capabilities.input_order;
    Ok(Relation {
        source,
        target,
        gain: gain * factor,
        offset: gain * shift + offset,
        order,
        is_held: false,
        nominal: nominal.unwrap_or_else(|| input.nominal.max((gain * factor).abs() * output.nominal)),
    })
}
