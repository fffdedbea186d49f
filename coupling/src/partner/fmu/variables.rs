//! The variables of a model description with their types and units.

use super::error::FmuError;
use super::model::{FmiVersion, FmuCausality, FmuLength, FmuType, FmuVariability, FmuVariable};
use super::parse::{Element, Source, child, elements, truth};
use fourbar_linalg::unit::Unit;
use std::collections::{HashMap, HashSet};

/// Reads variables, with what they refer to.
pub(super) struct Reader<'a> {
    source: Source<'a>,
    root: Element<'a>,
    version: FmiVersion,
    units: HashMap<&'a str, Unit>,
    /// Declared types: the element with unit and nominal value.
    types: HashMap<&'a str, Element<'a>>,
}

impl<'a> Reader<'a> {
    pub(super) fn new(source: Source<'a>, root: Element<'a>, version: FmiVersion) -> Result<Self, FmuError> {
        let mut reader = Self { source, root, version, units: HashMap::new(), types: HashMap::new() };
        for unit in child(root, "UnitDefinitions").into_iter().flat_map(elements) {
            let name = source.required(unit, "name")?;
            if let Some(base) = child(unit, "BaseUnit") {
                reader.units.insert(name, reader.unit(base)?);
            }
        }
        for declared in child(root, "TypeDefinitions").into_iter().flat_map(elements) {
            let name = source.required(declared, "name")?;
            // Version 2.0 wraps the type once more.
            let inner = if version == FmiVersion::Two { elements(declared).next() } else { Some(declared) };
            reader.types.extend(inner.map(|inner| (name, inner)));
        }
        Ok(reader)
    }

    /// A unit by its powers of base units: FMI 3.0, section 2.4.4.
    fn unit(&self, base: Element<'_>) -> Result<Unit, FmuError> {
        let mut dimension = [0; 8];
        for (power, name) in dimension.iter_mut().zip(["kg", "m", "s", "A", "K", "mol", "cd", "rad"]) {
            *power = self.source.number(base, name)?.unwrap_or(0);
        }
        let factor = self.source.number(base, "factor")?.unwrap_or(1.0);
        let offset: f64 = self.source.number(base, "offset")?.unwrap_or(0.0);
        if !(factor > 0.0 && f64::is_finite(factor) && offset.is_finite()) {
            let problem = format!("factor is {factor}, offset {offset}");
            return Err(self.source.wrong(base, problem, "write a positive factor and a finite offset"));
        }
        Ok(Unit { dimension, factor, offset })
    }

    pub(super) fn read(&self) -> Result<Vec<FmuVariable>, FmuError> {
        let list = child(self.root, "ModelVariables")
            .ok_or_else(|| self.source.wrong(self.root, "ModelVariables is missing", "export the FMU again"))?;
        let mut names = HashSet::new();
        let mut variables = Vec::new();
        for node in elements(list) {
            let variable = self.variable(node)?;
            for name in [&variable.name].into_iter().chain(&variable.aliases) {
                if !names.insert(name.clone()) {
                    return Err(self.source.wrong(node, "the name is there twice", "rename one"));
                }
            }
            variables.push(variable);
        }
        self.connect(list, &mut variables)?;
        Ok(variables)
    }

    fn variable(&self, node: Element<'a>) -> Result<FmuVariable, FmuError> {
        let source = &self.source;
        let name = source.required(node, "name")?;
        let typed = match self.version {
            FmiVersion::Two => elements(node)
                .find(|inner| kind(inner.tag_name().name(), self.version).is_some())
                .ok_or_else(|| source.wrong(node, "it has no type", "export the FMU again"))?,
            FmiVersion::Three => node,
        };
        let kind = kind(typed.tag_name().name(), self.version).ok_or_else(|| {
            source.wrong(node, "this type of variables is not known", "export the FMU for FMI 2.0 or 3.0")
        })?;
        let value_reference = source
            .number(node, "valueReference")?
            .ok_or_else(|| source.wrong(node, "valueReference is missing", "export the FMU again"))?;
        let declared = typed.attribute("declaredType").and_then(|name| self.types.get(name).copied());
        let inherited = |name: &str| typed.attribute(name).or_else(|| declared.and_then(|d| d.attribute(name)));
        let unit = inherited("unit").unwrap_or_default().to_owned();
        let nominal = match (source.number(typed, "nominal")?, declared) {
            (Some(nominal), _) => nominal,
            (None, Some(declared)) => source.number(declared, "nominal")?.unwrap_or(0.0),
            (None, None) => 0.0,
        };
        if !f64::is_finite(nominal) {
            return Err(source.wrong(node, format!("nominal is {nominal}"), "write a finite number"));
        }
        let mut range = [f64::NEG_INFINITY, f64::INFINITY];
        for (end, name) in range.iter_mut().zip(["min", "max"]) {
            let own = source.number(typed, name)?;
            let stated = match declared {
                Some(declared) if own.is_none() => source.number(declared, name)?,
                _ => own,
            };
            *end = stated.filter(|value: &f64| !value.is_nan()).unwrap_or(*end);
        }
        let causality = self.causality(node)?;
        let (start, start_text) = self.start(typed, kind)?;
        let start_whole = if kind.is_whole() { self.whole(typed, kind) } else { Vec::new() };
        let aliases = elements(node).filter(|child| child.tag_name().name() == "Alias");
        let aliases = aliases.map(|alias| Ok(source.required(alias, "name")?.to_owned()));
        Ok(FmuVariable {
            name: name.to_owned(),
            description: node.attribute("description").unwrap_or_default().to_owned(),
            value_reference,
            kind,
            causality,
            variability: self.variability(node, kind, causality)?,
            initial: node.attribute("initial").unwrap_or_default().to_owned(),
            start,
            start_whole,
            start_text,
            aliases: aliases.collect::<Result<_, FmuError>>()?,
            items: declared.map(|declared| self.items(declared)).transpose()?.unwrap_or_default(),
            measure: self.units.get(unit.as_str()).copied(),
            display_unit: inherited("displayUnit").unwrap_or_default().to_owned(),
            unit,
            nominal: nominal.abs(),
            range,
            dimensions: self.dimensions(typed)?,
            derivative_of: None,
            intermediate_update: source.flag(node, "intermediateUpdate")?,
            clocked: node.attribute("clocks").is_some(),
        })
    }

    fn causality(&self, node: Element<'_>) -> Result<FmuCausality, FmuError> {
        Ok(match node.attribute("causality") {
            None | Some("local") => FmuCausality::Local,
            Some("structuralParameter") => FmuCausality::StructuralParameter,
            Some("parameter") => FmuCausality::Parameter,
            Some("calculatedParameter") => FmuCausality::CalculatedParameter,
            Some("input") => FmuCausality::Input,
            Some("output") => FmuCausality::Output,
            Some("independent") => FmuCausality::Independent,
            // Of later minor versions: nothing that has to be set or read.
            Some("dependent") => FmuCausality::Local,
            Some(other) => {
                return Err(self.source.wrong(node, format!("causality is {other:?}"), "export the FMU again"));
            }
        })
    }

    fn variability(
        &self,
        node: Element<'_>,
        kind: FmuType,
        causality: FmuCausality,
    ) -> Result<FmuVariability, FmuError> {
        use FmuCausality::{CalculatedParameter, Parameter, StructuralParameter};
        Ok(match node.attribute("variability") {
            Some("constant") => FmuVariability::Constant,
            Some("fixed") => FmuVariability::Fixed,
            Some("tunable") => FmuVariability::Tunable,
            Some("discrete") => FmuVariability::Discrete,
            Some("continuous") => FmuVariability::Continuous,
            // The defaults of FMI 3.0, table 18; a parameter of version 2.0 without variability is meant to be fixed.
            None if matches!(causality, Parameter | CalculatedParameter | StructuralParameter) => FmuVariability::Fixed,
            None if kind.is_float() => FmuVariability::Continuous,
            None => FmuVariability::Discrete,
            Some(other) => {
                return Err(self.source.wrong(node, format!("variability is {other:?}"), "export the FMU again"));
            }
        })
    }

    /// Start values as numbers, and as texts.
    fn start(&self, typed: Element<'_>, kind: FmuType) -> Result<(Vec<f64>, Vec<String>), FmuError> {
        if !kind.is_number() {
            let texts = elements(typed).filter(|child| child.tag_name().name() == "Start");
            let texts: Vec<String> =
                texts.filter_map(|start| start.attribute("value").map(ToOwned::to_owned)).collect();
            let own = typed.attribute("start").map(ToOwned::to_owned);
            return Ok((Vec::new(), if texts.is_empty() { own.into_iter().collect() } else { texts }));
        }
        let numbers = typed.attribute("start").unwrap_or_default().split_ascii_whitespace();
        let read = |text: &str| {
            let value = truth(text).filter(|_| kind == FmuType::Boolean).map(f64::from).or_else(|| text.parse().ok());
            value.ok_or_else(|| {
                self.source.wrong(typed, format!("start is {text:?}"), "write a number, or true or false of a Boolean")
            })
        };
        Ok((numbers.map(read).collect::<Result<_, _>>()?, Vec::new()))
    }

    /// Start values of whole numbers with all their digits.
    fn whole(&self, typed: Element<'_>, kind: FmuType) -> Vec<i128> {
        let read = |text: &str| {
            let truth = truth(text).filter(|_| kind == FmuType::Boolean).map(i128::from);
            // What is no whole number was taken for a real one.
            truth.or_else(|| text.parse().ok()).or_else(|| text.parse::<f64>().ok().map(|value| value as i128))
        };
        typed.attribute("start").unwrap_or_default().split_ascii_whitespace().filter_map(read).collect()
    }

    /// The items of a declared enumeration.
    fn items(&self, declared: Element<'a>) -> Result<Vec<(String, i64)>, FmuError> {
        let items = elements(declared).filter(|child| child.tag_name().name() == "Item");
        let read = |item| {
            let value = self.source.number(item, "value")?;
            let value = value.ok_or_else(|| self.source.wrong(item, "value is missing", "export the FMU again"))?;
            Ok((self.source.required(item, "name")?.to_owned(), value))
        };
        items.map(read).collect()
    }

    fn dimensions(&self, typed: Element<'_>) -> Result<Vec<FmuLength>, FmuError> {
        let dimensions = elements(typed).filter(|child| child.tag_name().name() == "Dimension");
        let read = |node| match (self.source.number(node, "start")?, self.source.number(node, "valueReference")?) {
            (Some(length), None) => Ok(FmuLength::Fixed(length)),
            (None, Some(reference)) => Ok(FmuLength::Of(reference)),
            _ => Err(self.source.wrong(node, "it is neither a number nor a parameter", "give start or valueReference")),
        };
        dimensions.map(read).collect()
    }

    /// Finds the states of derivatives: by index from 1 in version 2.0, by value reference in 3.0.
    fn connect(&self, list: Element<'a>, variables: &mut [FmuVariable]) -> Result<(), FmuError> {
        let places: HashMap<u32, usize> =
            variables.iter().enumerate().rev().map(|(i, variable)| (variable.value_reference, i)).collect();
        for (i, node) in elements(list).enumerate() {
            let typed = match self.version {
                FmiVersion::Two => elements(node).find(|inner| inner.has_attribute("derivative")).unwrap_or(node),
                FmiVersion::Three => node,
            };
            let Some(number) = self.source.number::<u32>(typed, "derivative")? else { continue };
            let state = match self.version {
                FmiVersion::Two => (number as usize).checked_sub(1).filter(|state| *state < variables.len()),
                FmiVersion::Three => places.get(&number).copied(),
            };
            let state = state.ok_or_else(|| {
                self.source.wrong(node, format!("derivative is {number}, which is no variable"), "export the FMU again")
            })?;
            variables[i].derivative_of = Some(state);
        }
        Ok(())
    }
}

/// The type of an element.
fn kind(name: &str, version: FmiVersion) -> Option<FmuType> {
    Some(match (version, name) {
        (FmiVersion::Two, "Real") | (FmiVersion::Three, "Float64") => FmuType::Float64,
        (FmiVersion::Two, "Integer") | (FmiVersion::Three, "Int32") => FmuType::Int32,
        (FmiVersion::Two, "Enumeration") => FmuType::Enumeration32,
        (_, "Boolean") => FmuType::Boolean,
        (_, "String") => FmuType::String,
        (FmiVersion::Two, _) => return None,
        (_, "Float32") => FmuType::Float32,
        (_, "Int8") => FmuType::Int8,
        (_, "UInt8") => FmuType::UInt8,
        (_, "Int16") => FmuType::Int16,
        (_, "UInt16") => FmuType::UInt16,
        (_, "UInt32") => FmuType::UInt32,
        (_, "Int64") => FmuType::Int64,
        (_, "UInt64") => FmuType::UInt64,
        (_, "Enumeration") => FmuType::Enumeration64,
        (_, "Binary") => FmuType::Binary,
        (_, "Clock") => FmuType::Clock,
        _ => return None,
    })
}
