//! From a coupled model to a master: its simulators compiled, its relations and settings as numbers.

use super::aliases::Names;
use super::settled::Settled;
use super::tuned::Manner;
use super::{
    ConnectionModel, CoupledModel, CoupledSettings, PortModel, SimulatorKind, SimulatorModel, linear, remote, tuned,
};
use crate::circuit::{CircuitModel, CircuitSettings, CompiledCircuit};
use crate::linear::{ExternalInput, Input};
use crate::mechanism::{Following as Chosen, FollowingOverrides, MechanismModel};
use crate::{Document, Error};
use fourbar_coupling::management::Port;
use fourbar_coupling::partner::{Coupled, Following, Mechanism, MechanismOptions, ReactionOutputs, Stiff};
use fourbar_coupling::{Connection, Failure, Master, Options, Partner, Simulator};
use fourbar_multibody::expression::Expression;
use fourbar_multibody::{Location, ModelError, Parameters, unique};
use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

/// Time within which a library must answer where the model gives none: that of [`ProcessOptions`](fourbar_coupling::partner::ProcessOptions).
const TIME_LIMIT: Duration = Duration::from_secs(60);

/// When a run begins and ends \[s\]; infinite without an end.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Span {
    pub(crate) start: f64,
    /// Only units are given it.
    #[cfg_attr(not(feature = "fmi-import"), allow(dead_code))]
    pub(crate) end: f64,
}

impl CoupledModel {
    /// The partners, compiled and at their start.
    ///
    /// # Errors
    /// [`Error::Simulator`] with the fault of the one that is not valid; [`Error::CoupledModel`].
    pub fn partners(&self) -> Result<Vec<Partner>, Error> {
        self.partners_in(Span { start: 0.0, end: f64::INFINITY })
    }

    fn partners_in(&self, span: Span) -> Result<Vec<Partner>, Error> {
        let parameters = Parameters::new(&self.parameters).map_err(Error::CoupledModel)?;
        unique("simulator", self.simulators.iter().map(|simulator| simulator.name.as_str()))
            .map_err(Error::CoupledModel)?;
        if let Some(index) = self.simulators.iter().position(|s| s.name.is_empty() || s.name.starts_with('.')) {
            let simulator = &self.simulators[index];
            let problem = format!("`{}` cannot be the name of a simulator", simulator.name);
            let remedy = "write a name; it stands before a dot in `simulator.output`";
            return Err(Error::CoupledModel(ModelError::new(simulator.location(index, "name"), problem, remedy)));
        }
        if self.simulators.is_empty() {
            let place = Location { section: "", index: 0, name: String::new(), field: String::new() };
            let fault = ModelError::new(place, "the model has no simulator", "add one headed [[simulator]]");
            return Err(Error::CoupledModel(fault));
        }
        let is_alone = self.is_alone();
        let simulators = self.simulators.iter().enumerate();
        simulators.map(|(index, simulator)| simulator.partner(index, &parameters, is_alone, span)).collect()
    }

    /// Whether one simulator is stepped for itself: what acts on it follows none of its outputs.
    pub(crate) fn is_alone(&self) -> bool {
        self.simulators.len() == 1 && self.connections.is_empty()
    }

    /// The simulators that are mechanisms and run here, by their names, `outer.inner` within coupled ones, with the parameters that have other values here.
    ///
    /// # Errors
    /// As [`CoupledModel::partners`] of a parameter.
    #[cfg(feature = "scene")]
    pub(crate) fn mechanisms(&self) -> Result<Vec<(String, MechanismModel)>, Error> {
        let parameters = Parameters::new(&self.parameters).map_err(Error::CoupledModel)?;
        let mut found = Vec::new();
        for (index, simulator) in self.simulators.iter().enumerate().filter(|(_, own)| own.place.host.is_none()) {
            match simulator.settled_kind(index, &parameters)? {
                SimulatorKind::Mechanism(model) => found.push((simulator.name.clone(), *model)),
                SimulatorKind::Coupled(model) => {
                    let within = model.mechanisms()?.into_iter();
                    found.extend(within.map(|(name, model)| (format!("{}.{name}", simulator.name), model)));
                }
                _ => {}
            }
        }
        Ok(found)
    }

    /// The connections.
    ///
    /// # Errors
    /// [`Error::CoupledModel`] for a gain or an offset that is no number.
    pub fn connections(&self) -> Result<Vec<Connection>, Error> {
        let parameters = Parameters::new(&self.parameters).map_err(Error::CoupledModel)?;
        let mut names = Names::new(self);
        let connections = self.connections.iter().enumerate();
        let own = connections.map(|(index, connection)| {
            let mut own = connection.connection(index, &parameters)?;
            (own.from, own.to) = (names.own(&own.from), names.own(&own.to));
            Ok(own)
        });
        own.collect()
    }

    /// The settings; entries of `overrides` take precedence over those of the model. Without an end the run is endless.
    ///
    /// # Errors
    /// [`Error::CoupledModel`] with the setting that is not valid.
    pub fn options(&self, overrides: &CoupledSettings) -> Result<Options, Error> {
        Ok(Settled::new(self, overrides).map_err(Error::CoupledModel)?.options)
    }

    /// Compiles everything, connected and at its start.
    ///
    /// # Errors
    /// As [`CoupledModel::partners`], [`CoupledModel::connections`] and [`CoupledModel::options`]; [`Error::Coupling`] for what does
    /// not fit together, [`Error::OutputsBetweenSteps`].
    pub fn master(&self, overrides: &CoupledSettings) -> Result<Master, Error> {
        let settled = Settled::new(self, overrides).map_err(Error::CoupledModel)?;
        settled.check_output_step()?;
        let master = self.master_with(&settled.options, &Arc::default())?;
        let outputs = master.output_names();
        let count = outputs.len();
        settled.recorded(&[outputs, master.input_names()].concat(), count)?;
        Ok(master)
    }

    /// Warnings of outputs that come and go between two communication points. Adaptive steps choose theirs during the run.
    pub(crate) fn passed_over(&self, options: &Options) -> Result<Vec<String>, Error> {
        let parameters = Parameters::new(&self.parameters).map_err(Error::CoupledModel)?;
        let mut warnings = Vec::new();
        for (index, simulator) in self.simulators.iter().enumerate().filter(|_| options.adaptive.is_none()) {
            match simulator.settled_kind(index, &parameters)? {
                SimulatorKind::Equations(model) => {
                    let connected = |output: &str| self.connections.iter().any(|connection| connection.from == output);
                    let step = options.step * simulator.place.every.unwrap_or(1) as f64;
                    let found = model.passed_over(&simulator.name, connected, step, options);
                    warnings.extend(found.map_err(Error::CoupledModel)?);
                }
                SimulatorKind::Coupled(model) => {
                    let own = Options { end: options.end, ..model.options(&CoupledSettings::default())? };
                    let found = model.passed_over(&own)?.into_iter();
                    warnings.extend(found.map(|text| format!("simulator \"{}\": {text}", simulator.name)));
                }
                _ => {}
            }
        }
        Ok(warnings)
    }

    /// Inputs of `equations` and linear systems that nothing feeds and for which the model gives no value.
    fn unset_inputs(&self) -> Vec<String> {
        let inputs = self.simulators.iter().flat_map(|simulator| {
            let own: Vec<&ExternalInput> = match &simulator.kind {
                SimulatorKind::Equations(model) => model.inputs.iter().collect(),
                SimulatorKind::Linear(model) => model.inputs.iter().filter_map(Input::external).collect(),
                _ => Vec::new(),
            };
            let within = match &simulator.kind {
                SimulatorKind::Coupled(model) => model.unset_inputs(),
                _ => Vec::new(),
            };
            let unset = own.into_iter().filter(|input| input.value.is_none()).map(|input| input.name.clone());
            unset.chain(within).map(|input| format!("{}.{input}", simulator.name)).collect::<Vec<_>>()
        });
        inputs.filter(|name| self.connections.iter().all(|connection| connection.to != *name)).collect()
    }

    /// Warnings of them.
    pub(crate) fn left_at_zero(&self) -> Vec<String> {
        self.unset_inputs().into_iter().map(|name| {
            format!("nothing is connected to the input {name}, and the model gives no value for it: it stays at 0; connect it, or give its `value`")
        })
        .collect()
    }

    /// The whole as a simulator of another coupled model, whose end and pace count.
    fn nested(&self, span: Span) -> Result<Coupled, Error> {
        let own = self.options(&CoupledSettings::default())?;
        let options = Options { start: span.start, end: f64::INFINITY, pacing: None, ..own };
        let (partners, connections) = (self.partners_in(span)?, self.connections()?);
        Ok(Coupled::new(Master::interruptible(partners, &connections, &options, &Arc::default())?))
    }

    pub(crate) fn master_with(&self, options: &Options, interrupt: &Arc<AtomicBool>) -> Result<Master, Error> {
        let span = Span { start: options.start, end: options.end };
        Ok(Master::interruptible(self.partners_in(span)?, &self.connections()?, options, interrupt)?)
    }
}

impl SimulatorModel {
    /// What it simulates, with the parameters that have other values here.
    pub(crate) fn settled_kind(&self, index: usize, parameters: &Parameters<'_>) -> Result<SimulatorKind, Error> {
        let field = |field: &str| self.location(index, field);
        let mut kind = self.kind.clone();
        for (name, expression) in &self.parameters {
            let place = field(&format!("parameters.{name}"));
            let value = match (parameters.number(expression, &place), &mut kind) {
                (Err(_), SimulatorKind::Fmu(fmu)) if fmu.takes_words(name) => {
                    fmu.texts.insert(name.clone(), expression.source().to_owned());
                    continue;
                }
                (value, _) => value.map_err(Error::CoupledModel)?,
            };
            // All digits of a whole number.
            let settled = || expression.as_whole().map_or_else(|| Expression::constant(value), Expression::whole);
            let takes_any = matches!(kind, SimulatorKind::Library(_) | SimulatorKind::Fmu(_));
            if let (SimulatorKind::Coupled(model), Some((within, rest))) = (&mut kind, name.split_once('.')) {
                let Some(simulator) = model.simulators.iter_mut().find(|simulator| simulator.name == within) else {
                    let known = model.simulators.iter().map(|simulator| simulator.name.as_str());
                    return Err(Error::CoupledModel(ModelError::unknown("simulator", within, known, &place)));
                };
                // Whether it has such a one is seen when it is compiled.
                simulator.parameters.insert(rest.to_owned(), settled());
                continue;
            }
            let own = kind.parameters();
            if takes_any {
                own.insert(name.clone(), settled());
                continue;
            }
            let Some(parameter) = own.get_mut(name) else {
                let known = own.keys().map(String::as_str);
                return Err(Error::CoupledModel(ModelError::unknown("parameter", name, known, &place)));
            };
            *parameter = Expression::constant(value);
        }
        Ok(kind)
    }

    fn partner(&self, index: usize, parameters: &Parameters<'_>, is_alone: bool, span: Span) -> Result<Partner, Error> {
        let field = |field: &str| self.location(index, field);
        let kind = self.settled_kind(index, parameters)?;
        let limit = self.place.time_limit.as_ref().map(|limit| {
            // Beyond a year nobody waits.
            let allowed = |limit: f64| limit > 0.0 && limit < 3e7;
            let place = field("time_limit");
            let limit = parameters.checked(limit, &place, "a time above 0 s and below 3e7 s", allowed);
            limit.map(Duration::from_secs_f64).map_err(Error::CoupledModel)
        });
        let limit = limit.transpose()?;
        let in_this = |source| Error::Simulator { name: self.name.clone(), source: Box::new(source) };
        let far = self.place.host.is_some();
        // Foreign code may hang: unless its author vouches for it, it is waited for on a thread.
        let foreign = matches!(kind, SimulatorKind::Library(_) | SimulatorKind::Fmu(_)) && !kind.is_process() && !far;
        let watched = limit.or(Some(TIME_LIMIT)).filter(|_| foreign && self.place.thread != Some(false));
        let simulator = match &self.place.host {
            Some(_) if span.start != 0.0 => {
                Err(Error::NotForKind { setting: "a start time other than 0", kind: "simulator on another computer" })
            }
            Some(address) => remote::join(self, index, parameters, address, limit),
            None => match &kind {
                SimulatorKind::Mechanism(model)
                    if is_alone && span.start == 0.0 && touches(model).map_err(in_this)? =>
                {
                    let reactions = self.reactions.clone();
                    tuned::simulator(&kind, Manner { reactions, touching: true, start: 0.0 })
                }
                kind => match watched {
                    Some(limit) => within(limit, kind, &self.name, span),
                    None => kind.compile(&self.name, limit, self.reactions.as_ref(), span),
                },
            },
        };
        let partner = Partner::boxed(&self.name, simulator.map_err(in_this)?).every(self.place.every.unwrap_or(1));
        // One on another computer works while those here do.
        let partner = if self.place.thread.unwrap_or(foreign || far) { partner.on_thread() } else { partner };
        let limit = limit.or(watched);
        // A process and a host watch their time themselves.
        Ok(match limit.filter(|_| !kind.is_process() && !far) {
            Some(limit) => partner.time_limit(limit),
            None => partner,
        })
    }

    pub(crate) fn location(&self, index: usize, field: &str) -> Location {
        Location { section: "simulator", index, name: self.name.clone(), field: field.to_owned() }
    }
}

impl SimulatorKind {
    /// The parameters of the model.
    pub(crate) fn parameters(&mut self) -> &mut BTreeMap<String, Expression> {
        match self {
            Self::Mechanism(model) => &mut model.model.parameters,
            Self::Circuit(model) => &mut model.model.parameters,
            Self::Linear(model) => &mut model.parameters,
            Self::Equations(model) => &mut model.parameters,
            Self::Library(model) => &mut model.parameters,
            Self::Federation(model) => &mut model.parameters,
            Self::Fmu(model) => &mut model.parameters,
            Self::Coupled(model) => &mut model.parameters,
        }
    }

    fn is_process(&self) -> bool {
        match self {
            Self::Library(library) => library.process,
            Self::Fmu(fmu) => fmu.process,
            _ => false,
        }
    }

    /// The simulator, for a run in which it has this name; one in a process of its own answers within `limit`. A mechanism has these reactions among its
    /// outputs.
    pub(super) fn compile(
        &self,
        name: &str,
        limit: Option<Duration>,
        reactions: Option<&ReactionOutputs>,
        span: Span,
    ) -> Result<Box<dyn Simulator>, Error> {
        if span.start != 0.0 && matches!(self, Self::Federation(_)) {
            return Err(Error::NotForKind { setting: "a start time other than 0", kind: self.name() });
        }
        Ok(match self {
            Self::Mechanism(_) | Self::Circuit(_) | Self::Linear(_) | Self::Equations(_) => {
                tuned::simulator(self, Manner { reactions: reactions.cloned(), touching: false, start: span.start })?
            }
            Self::Library(model) => model.simulator(name, limit, span.start)?,
            Self::Federation(model) => model.simulator()?,
            Self::Fmu(model) => model.simulator(name, limit, span)?,
            Self::Coupled(model) => Box::new(model.nested(span)?),
        })
    }
}

/// Foreign code of `kind`, loaded on a thread that is given up where it does not come back within `limit`.
fn within(limit: Duration, kind: &SimulatorKind, name: &str, span: Span) -> Result<Box<dyn Simulator>, Error> {
    let (answer, made) = std::sync::mpsc::channel();
    let (own, called) = (kind.clone(), name.to_owned());
    let work = move || {
        // Who no longer waits wants nothing.
        let _ = answer.send(own.compile(&called, Some(limit), None, span));
    };
    let failed = |failure| Error::from(fourbar_coupling::Error::Start { partner: name.to_owned(), failure });
    let thread = std::thread::Builder::new().name(name.to_owned()).spawn(work);
    thread.map_err(|error| failed(Failure::new(format!("its thread cannot be started: {error}"))))?;
    made.recv_timeout(limit).unwrap_or_else(|_| {
        let remedy = "lengthen `time_limit`, or write `process = true`: then it is ended";
        Err(failed(Failure::new(format!("it has not come back within {limit:?}; {remedy}"))))
    })
}

/// A circuit or a linear system by itself.
pub(crate) fn alone(document: &Document) -> Result<Box<dyn Simulator>, Error> {
    Ok(match document {
        Document::Circuit(model) => Box::new(circuit(model, 0.0)?),
        Document::Linear(model) => Box::new(linear::LinearPartner::alone(model)?),
        Document::Mechanism(_) | Document::Coupled(_) => {
            return Err(Error::NotOffered {
                kind: if document.mechanism().is_some() { "mechanism" } else { "coupled model" },
                what: "stepping by its inputs and outputs alone",
                remedy: "step a mechanism as a simulation of its compiled model, a coupled model by its master",
            });
        }
    })
}

/// Whether something may touch in a mechanism, what it includes among it.
fn touches(model: &MechanismModel) -> Result<bool, Error> {
    Ok(model.expand().map_err(fourbar_multibody::Error::Model)?.has_contacts())
}

/// The mechanism, followed as its own settings say.
pub(super) fn mechanism(model: &MechanismModel, reactions: Option<&ReactionOutputs>) -> Result<Mechanism, Error> {
    let whole = model.expand().map_err(fourbar_multibody::Error::Model)?;
    let options = MechanismOptions::default();
    if !whole.has_contacts() {
        let options = MechanismOptions { reactions: reactions.cloned(), ..options };
        return Ok(Mechanism::of_model(&whole.model, &options)?);
    }
    let chosen = Chosen::new(&whole, &FollowingOverrides::default()).map_err(fourbar_multibody::Error::Model)?;
    let following = match chosen {
        Chosen::Event(events) => Following::Events(events),
        Chosen::Steps(_, steps, _) => Following::Steps(steps),
    };
    let mut mechanism = Mechanism::with_contacts(&whole.model, &whole.contacts, &following, &options)?;
    if !whole.measures.is_empty() {
        let names: Vec<String> = whole.measures.iter().map(|measure| format!("\"{}\"", measure.name)).collect();
        mechanism.warn(format!(
            "{} left out: measures of contacts are no outputs of a simulator; `fourbar run` of the mechanism by itself has them",
            names.join(", ")
        ));
    }
    Ok(mechanism)
}

/// The circuit at its start \[s\], under Gear's method.
pub(super) fn circuit(model: &CircuitModel, start: f64) -> Result<Stiff<fourbar_hydraulics::Circuit>, Error> {
    let compiled = CompiledCircuit::new(model, &CircuitSettings::default())?;
    let (circuit, point) = compiled.begin_at(start)?;
    let stiff = Stiff::new(&compiled.method, circuit, start, &point.y, &point.yp);
    let stiff = stiff.map_err(fourbar_multibody::Error::from)?;
    let start = compiled.start;
    Ok(stiff.starting(move |circuit, time| {
        let begun = start.point(circuit, time).map_err(|error| Failure::new(error.to_string()))?;
        Ok([begun.y, begun.yp])
    }))
}

impl ConnectionModel {
    fn connection(&self, index: usize, parameters: &Parameters<'_>) -> Result<Connection, Error> {
        let number = |field: &str, given: &Option<_>, otherwise: f64| match given {
            Some(expression) => {
                let place = Location { section: "connection", index, name: String::new(), field: field.to_owned() };
                parameters.number(expression, &place).map_err(Error::CoupledModel)
            }
            None => Ok(otherwise),
        };
        let connection = Connection::new(&self.from, &self.to);
        let nominal = self.nominal.as_ref().map(|nominal| {
            let place = Location { section: "connection", index, name: String::new(), field: "nominal".to_owned() };
            parameters.checked(nominal, &place, "above 0", |nominal| nominal > 0.0).map_err(Error::CoupledModel)
        });
        let is_converted = self.is_converted;
        let connection = Connection { nominal: nominal.transpose()?, is_converted, ..connection };
        Ok(connection.gain(number("gain", &self.gain, 1.0)?).offset(number("offset", &self.offset, 0.0)?))
    }
}

impl PortModel {
    pub(super) fn port(&self) -> Port {
        Port { name: self.name.clone(), effort: self.effort.clone(), flow: self.flow.clone() }
    }
}
