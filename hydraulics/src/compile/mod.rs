//! From a model to the plan of its equations: names become indices, expressions numbers and programs.

mod actuator;
mod component;
mod conditioning;
mod control;
mod efficiency;
mod line;
mod pattern;
mod reader;

use crate::circuit::plan::{Held, Line, Node, Output, Part, Place, Plan, Source, Variable};
use crate::circuit::watched::Watched;
use crate::element::Element;
use crate::error::{Error, node_at};
use crate::fluid::{Evaporation, Fluid, Modulus, PRESSURE};
use crate::model::{self, ATMOSPHERE, BulkModulus, Model};
use fourbar_dae::{Kind, Unknown};
use fourbar_expression::model::{Location, ModelError, Parameters, check_unit, unique};
use fourbar_expression::{Binding, Expression, Program, is_free_name};
use reader::Reader;
use std::collections::BTreeMap;

type Done = Result<(), Box<ModelError>>;

/// What has been compiled so far.
pub(super) struct Builder<'a> {
    parameters: Parameters<'a>,
    fluid: Fluid,
    unknowns: Vec<Unknown>,
    /// Name and unit of each unknown.
    names: Vec<(String, &'static str)>,
    start: Vec<f64>,
    nodes: Vec<Node>,
    node_index: BTreeMap<String, usize>,
    /// Nodes that take the mean of the held pressures as their start.
    unset: Vec<usize>,
    parts: Vec<Part>,
    lines: Vec<Line>,
    inputs: Vec<crate::Variable>,
    signals: Vec<(&'a Expression, Location)>,
}

/// Compiles a model.
pub(crate) fn compile(model: &Model) -> Result<Plan, Error> {
    if model.nodes.is_empty() {
        let place = Location { section: "", index: 0, name: String::new(), field: String::new() };
        return Err(ModelError::new(place, "the circuit has no node", "add one headed [[node]]").into());
    }
    check_names(model)?;
    let parameters = Parameters::with_splines(&model.parameters, &model.splines)?;
    let fluid = read_fluid(&model.fluid, &parameters)?;
    let mut builder = Builder {
        parameters,
        fluid,
        unknowns: vec![],
        names: vec![],
        start: vec![],
        nodes: vec![],
        node_index: BTreeMap::new(),
        unset: vec![],
        parts: vec![],
        lines: vec![],
        inputs: vec![],
        signals: vec![],
    };
    for (index, input) in model.inputs.iter().enumerate() {
        let place =
            |field: &str| Location { section: "input", index, name: input.name.clone(), field: field.to_owned() };
        check_unit(&input.unit, || place("unit"))?;
        let start = builder.parameters.number(&input.start, &place("start"))?;
        builder.inputs.push(crate::Variable { name: input.name.clone(), unit: input.unit.clone(), start });
    }
    for (index, node) in model.nodes.iter().enumerate() {
        builder.node(index, node)?;
    }
    for (index, component) in model.components.iter().enumerate() {
        builder.component(index, component)?;
    }
    builder.finish(model.fluid.vapor.is_some())
}

/// Names that signals can use, each given once among nodes, components and inputs.
fn check_names(model: &Model) -> Result<(), Box<ModelError>> {
    unique("node", model.nodes.iter().map(model::Node::name))?;
    unique("component", model.components.iter().map(model::Component::name))?;
    unique("input", model.inputs.iter().map(|input| input.name.as_str()))?;
    let nodes = model.nodes.iter().enumerate().map(|(i, node)| ("node", i, node.name()));
    let components = model.components.iter().enumerate().map(|(i, c)| ("component", i, c.name()));
    let inputs = model.inputs.iter().enumerate().map(|(i, input)| ("input", i, input.name.as_str()));
    let mut taken = BTreeMap::new();
    for (section, index, name) in nodes.chain(components).chain(inputs) {
        let at = || Location { section, index, name: name.to_owned(), field: "name".to_owned() };
        if !is_free_name(name) {
            let remedy = "use letters, digits and _, beginning with a letter, and not the name of a function";
            return Err(ModelError::new(at(), format!("`{name}` cannot be used as a name"), remedy));
        }
        if let Some(other) = taken.insert(name, section) {
            return Err(ModelError::new(at(), format!("the name is taken by a {other}"), "give each its own name"));
        }
        if section == "input" && model.parameters.contains_key(name) {
            return Err(ModelError::new(at(), "the name is taken by a parameter", "give each its own name"));
        }
    }
    Ok(())
}

fn read_fluid(fluid: &model::Fluid, parameters: &Parameters) -> Result<Fluid, Box<ModelError>> {
    let reader = Reader { parameters, section: "fluid", index: 0, name: "" };
    let modulus = match &fluid.bulk_modulus {
        BulkModulus::Constant { value } => Modulus::Constant(reader.positive(value, "bulk_modulus.value")?),
        BulkModulus::Logarithmic { maximum, reference } => Modulus::Logarithmic(
            reader.positive(maximum, "bulk_modulus.maximum")?,
            reader.positive(reference, "bulk_modulus.reference")?,
        ),
        BulkModulus::EntrainedAir { liquid, fraction, reference, exponent } => Modulus::EntrainedAir {
            liquid: reader.positive(liquid, "bulk_modulus.liquid")?,
            fraction: reader
                .within(fraction, "bulk_modulus.fraction", "at least 0 and below 1", |v| (0.0..1.0).contains(&v))?,
            reference: reader.positive(reference, "bulk_modulus.reference")?,
            exponent: reader.within(exponent, "bulk_modulus.exponent", "at least 1", |v| v >= 1.0)?,
        },
    };
    let vapor = fluid.vapor.clone().unwrap_or_default();
    let evaporation = Evaporation {
        pressure: match modulus {
            // The gas law counts from the vacuum.
            Modulus::EntrainedAir { .. } => reader.not_negative(&vapor.pressure, "vapor.pressure")?,
            _ => reader.number(&vapor.pressure, "vapor.pressure")?,
        },
        band: reader.positive(&vapor.band, "vapor.band")?,
        modulus: reader.positive(&vapor.modulus, "vapor.modulus")?,
    };
    Ok(Fluid {
        density: reader.positive(&fluid.density, "density")?,
        viscosity: reader.positive(&fluid.viscosity, "viscosity")?,
        modulus,
        evaporation,
    })
}

impl<'a> Builder<'a> {
    /// Adds an unknown, returns its index.
    fn unknown(&mut self, name: String, unit: &'static str, kind: Kind, typical: f64, start: f64) -> usize {
        self.unknowns.push(Unknown { kind, error_tested: true, scale_power: 0, typical });
        self.names.push((name, unit));
        self.start.push(start);
        self.unknowns.len() - 1
    }

    fn signal(&mut self, expression: &'a Expression, place: Location) -> usize {
        self.signals.push((expression, place));
        self.signals.len() - 1
    }

    fn node(&mut self, index: usize, node: &'a model::Node) -> Result<(), Box<ModelError>> {
        let name = node.name();
        let reader = Reader { parameters: &self.parameters, section: "node", index, name };
        let (place, volume) = match node {
            model::Node::Volume(node) => {
                let volume = reader.not_negative(&node.volume, "volume")?;
                let start = node.start.as_ref().map(|start| reader.number(start, "start")).transpose()?;
                let unknown = self.pressure(name, start);
                (Place::Unknown(unknown), volume)
            }
            model::Node::Pressure(node) => {
                (Place::Held(self.signal(&node.pressure, node_at(index, name, "pressure"))), 0.0)
            }
            model::Node::Tank(node) => {
                (Place::Held(self.signal(&node.pressure, node_at(index, name, "pressure"))), 0.0)
            }
        };
        self.add_node(name.to_owned(), place, volume);
        Ok(())
    }

    /// Adds an unknown pressure.
    fn pressure(&mut self, name: &str, start: Option<f64>) -> usize {
        let unknown = self.unknown(format!("{name}.pressure"), "Pa", Kind::STATE, PRESSURE, start.unwrap_or(f64::NAN));
        if start.is_none() {
            self.unset.push(unknown);
        }
        unknown
    }

    fn add_node(&mut self, name: String, place: Place, volume: f64) -> usize {
        let index = self.nodes.len();
        self.node_index.insert(name.clone(), index);
        self.nodes.push(Node { name, place, volume, stores: volume > 0.0 });
        index
    }

    /// Binds the signals, fills in the starts and lays out the matrix.
    fn finish(mut self, vapor: bool) -> Result<Plan, Error> {
        for node in &self.nodes {
            if let (Place::Unknown(i), false) = (&node.place, node.stores) {
                // Its error is tested as any other: nothing else looks at what passes through a junction between two steps.
                self.unknowns[*i].kind = Kind::ALGEBRAIC;
            }
        }
        let signals = self.bind()?;
        self.fill_starts(&signals, vapor);
        let names = self.signals.iter().map(|(expression, place)| format!("{place} = {expression}"));
        let names: Vec<String> = names.collect();
        let watched = Watched::of(&signals, names.iter().cloned());
        let outputs = self.outputs();
        let layout = pattern::lay_out(&self.nodes, &mut self.parts, &signals, self.inputs.len(), self.unknowns.len());
        Ok(Plan {
            fluid: self.fluid,
            unknowns: self.unknowns,
            names: self.names,
            start: self.start,
            nodes: self.nodes,
            parts: self.parts,
            lines: self.lines,
            signals,
            signal_names: names,
            watched,
            inputs: self.inputs,
            outputs,
            layout,
        })
    }

    /// Programs over the slots time, inputs, unknowns.
    fn bind(&self) -> Result<Vec<Program>, Box<ModelError>> {
        let mut slots: BTreeMap<&str, usize> = BTreeMap::from([("time", 0)]);
        let inputs = self.inputs.iter().map(|input| input.name.as_str());
        let known = inputs.chain(self.names.iter().map(|(name, _)| name.as_str()));
        slots.extend(known.enumerate().map(|(i, name)| (name, i + 1)));
        let resolve = |name: &str| {
            let constant = self.parameters.binding(name);
            constant.or_else(|| slots.get(name).map(|&slot| Binding::Slot(slot)))
        };
        let bound = self.signals.iter().map(|(expression, place)| {
            expression.bind(&mut |name| resolve(name)).map_err(|error| {
                let known = slots.keys().copied().chain(self.parameters.names());
                let remedy = "parameters, `time`, inputs and unknowns of the circuit may stand here";
                ModelError::new(place.clone(), error.suggest(known).to_string(), remedy)
            })
        });
        bound.collect()
    }

    /// Pressures without a start begin at the mean of the held ones at t = 0, and those of volumes without a cavity. `vapor` says whether the model has a
    /// vapour pressure of its own: the other one is that of a liquid in a tank, which does not boil.
    fn fill_starts(&mut self, signals: &[Program], vapor: bool) {
        let mut slots = vec![0.0];
        slots.extend(self.inputs.iter().map(|input| input.start));
        slots.extend(&self.start);
        let held = Held::pressures(&self.nodes, signals, &slots);
        let mean = if held.is_empty() { PRESSURE } else { held.iter().sum::<f64>() / held.len() as f64 };
        for &i in &self.unset {
            self.start[i] = mean;
        }
        let evaporation = &mut self.fluid.evaporation;
        let absolute = vapor || matches!(self.fluid.modulus, Modulus::EntrainedAir { .. });
        if !absolute && held.iter().any(|&p| p <= evaporation.pressure) {
            evaporation.pressure -= ATMOSPHERE;
        }
        let full = evaporation.onset() + evaporation.band;
        for node in &self.nodes {
            if let (Place::Unknown(i), true) = (node.place, node.stores) {
                self.start[i] = self.start[i].max(full);
            }
        }
    }

    /// The unknowns, the held pressures, and what the components show.
    fn outputs(&self) -> Vec<Output> {
        let unknowns = self.names.iter().enumerate().map(|(i, (name, unit))| Output {
            name: name.clone(),
            unit,
            source: Source::Unknown(i),
        });
        let held = self.nodes.iter().filter_map(|node| match node.place {
            Place::Held(signal) => {
                Some(Output { name: format!("{}.pressure", node.name), unit: "Pa", source: Source::Signal(signal) })
            }
            Place::Unknown(_) => None,
        });
        let observed = self.parts.iter().enumerate().flat_map(|(part, p)| {
            let values = p.element.observed().iter().enumerate();
            values.map(move |(k, (what, unit))| Output {
                name: format!("{}.{what}", p.name),
                unit,
                source: Source::Observed(part, k),
            })
        });
        unknowns.chain(held).chain(observed).collect()
    }

    /// Adds a component: its ports, `states` unknowns of index `first_state` on, and what else drives it.
    fn part(&mut self, name: String, element: Element, ports: Vec<usize>, states: usize, drivers: &[Variable]) {
        let first_state = self.unknowns.len() - states;
        let pressures = ports.iter().map(|&node| match self.nodes[node].place {
            Place::Unknown(i) => Variable::Unknown(i),
            Place::Held(signal) => Variable::Signal(signal),
        });
        let own = (first_state..first_state + states).map(Variable::Unknown);
        let variables = pressures.chain(own).chain(drivers.iter().copied()).collect();
        self.parts.push(Part { name, element, ports, first_state, states, variables, rows: vec![], terms: vec![] });
    }
}
