//! From partners, connections and settings to the parts of a master: everything is checked and sized here.

use super::adaptive::Controller;
use super::clock::Clock;
use super::connection::{Connection, Directory, resolve};
use super::dependency::{Dependencies, backward, sequence};
use super::discrete::{self, Discrete};
use super::estimate::Estimate;
use super::events::{Events, fine};
use super::exchange::Feedthrough;
use super::iteration::Unknowns;
use super::network::Network;
use super::options::{Algorithm, Options};
use super::order::OrderControl;
use super::pacer::Pacer;
use super::partner::Partner;
use super::port::Meter;
use super::scale::Scales;
use super::start::Start;
use super::statistics::Statistics;
use super::sweep::Stepping;
use crate::Error;
use crate::error::{finite, positive};
use crate::function::interaction::{Interaction, Relation};
use crate::function::interface::Interface;
use crate::function::leg::Timebase;
use crate::function::{Causality, Description};
use fourbar_linalg::text::nearest;
use fourbar_linalg::unit::Unit;
use std::collections::{HashMap, HashSet};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// The parts of a master, made for each other.
pub(super) struct Parts {
    pub(super) network: Network,
    pub(super) stepping: Stepping,
    pub(super) feedthrough: Feedthrough,
    pub(super) start: Start,
    pub(super) estimate: Estimate,
    pub(super) ports: Vec<Meter>,
    pub(super) order_control: Option<OrderControl>,
    pub(super) adaptive: Option<Controller>,
    pub(super) pacer: Option<Pacer>,
}

/// Checks everything and allocates everything the run will need. `interrupt` ends waiting for a partner.
pub(super) fn parts(
    partners: Vec<Partner>,
    connections: &[Connection],
    options: &Options,
    interrupt: &Arc<AtomicBool>,
) -> Result<Parts, Error> {
    if partners.is_empty() {
        return Err(Error::NoPartners);
    }
    options.algorithm.validate()?;
    options.faults.validate()?;
    let pacer = options.pacing.map(Pacer::new).transpose()?;
    let (mut interfaces, every) = open(partners, connections, interrupt)?;
    let relations = match resolve(&interfaces, connections) {
        Ok(relations) => relations,
        Err(error) => {
            return Err(of_text(error, &mut interfaces, &Timebase { start: options.start, tick: options.step }));
        }
    };
    let mut relations = relations;
    discrete::mark(&interfaces, &mut relations);
    let clock = clock(options, &every)?;
    check_steps(&interfaces, &clock, options)?;
    check_capabilities(&interfaces, &every, options)?;
    let dependencies = dependencies(&interfaces, &relations, options)?;
    let start = start(&interfaces, &relations, options);
    let sequence = order_of_stepping(&interfaces, &every, &relations, options)?;
    let events = Events::new(&mut interfaces, &relations, &sequence, &clock.base, options)?;
    let clock = if events.is_some() { fine(clock) } else { clock };
    let extrapolated = extrapolated(&sequence, &relations, &options.algorithm);
    let n = interfaces.len();
    let held = Discrete::new(&interfaces, &relations);
    let order = options.algorithm.order();
    let scales = Scales::new(&interfaces, &relations)?;
    let control = |adaptive| Controller::new(adaptive, clock.tick(), clock.step, order, extrapolated.clone());
    let adaptive = options.adaptive.clone().map(control);
    let rollback = options.adaptive.as_ref().is_some_and(|adaptive| adaptive.rollback);
    let iterated = matches!(options.algorithm, Algorithm::Iterated { .. });
    let ports = ports(options, &interfaces, &relations, &clock)?;
    let estimate = Estimate::new(&interfaces, &relations, &extrapolated, options);
    let unknowns = Unknowns::new(&options.algorithm, if iterated { extrapolated } else { vec![] }, relations.len());
    let repeats = events.as_ref().is_some_and(|events| !events.early.is_empty());
    let saves = iterated || rollback || repeats || options.faults.needs_saved_states();
    Ok(Parts {
        ports,
        estimate,
        feedthrough: Feedthrough::new(dependencies),
        start,
        stepping: Stepping::new(&options.algorithm, sequence, unknowns, saves),
        order_control: (options.order_reduction && order > 1).then(|| OrderControl::new(order, n)),
        adaptive,
        pacer,
        network: Network {
            interaction: Interaction::new(relations, n, order),
            faults: options.faults.clone(),
            statistics: Statistics::default(),
            target: 0,
            interfaces,
            clock,
            scales,
            events,
            discrete: held,
            outside: Vec::new(),
            since: 0,
        },
    })
}

/// A variable that is not known may be a text.
fn of_text(error: Error, interfaces: &mut [Interface], base: &Timebase) -> Error {
    let Error::UnknownVariable { place, partner, name, .. } = &error else { return error };
    let Some(interface) = interfaces.iter_mut().find(|interface| interface.name() == partner) else { return error };
    let is_text = interface.texts(base).is_ok_and(|texts| texts.iter().any(|text| text.name == *name));
    if is_text { Error::Text { place: place.clone(), name: format!("{partner}.{name}") } } else { error }
}

/// The feedthrough among the partners. In the patent's loop it waits for the next point, so that nothing depends on anything at once.
fn dependencies(interfaces: &[Interface], relations: &[Relation], options: &Options) -> Result<Dependencies, Error> {
    let found = Dependencies::new(interfaces, relations);
    if options.algorithm == Algorithm::JacobiDelayed {
        let independent = vec![true; interfaces.len()];
        return Ok(Dependencies { stages: vec![], tears: vec![], around: vec![], loops: found.loops, independent });
    }
    match found.loops.first() {
        Some(path) if !options.solve_loops => Err(Error::AlgebraicLoop(path.clone())),
        _ => Ok(found),
    }
}

/// How values are exchanged at the start: without the delays of the patent's loop.
fn start(interfaces: &[Interface], relations: &[Relation], options: &Options) -> Start {
    match options.algorithm {
        Algorithm::JacobiDelayed => Start::of_delayed(Dependencies::new(interfaces, relations)),
        _ => Start::default(),
    }
}

/// Relations whose targets step before their sources.
fn extrapolated(sequence: &[usize], relations: &[Relation], algorithm: &Algorithm) -> Vec<usize> {
    let all = match algorithm {
        Algorithm::GaussSeidel { .. } | Algorithm::Iterated { .. } => backward(sequence, relations),
        _ => (0..relations.len()).collect(),
    };
    // Those that are held are not expected to become anything.
    all.into_iter().filter(|&r| !relations[r].is_held).collect()
}

/// An interface for each partner, and in how many communication points each takes part.
fn open(
    partners: Vec<Partner>,
    connections: &[Connection],
    interrupt: &Arc<AtomicBool>,
) -> Result<(Vec<Interface>, Vec<u64>), Error> {
    let (mut interfaces, mut every): (Vec<Interface>, Vec<u64>) = (Vec::new(), Vec::new());
    let (mut names, mut systems): (HashSet<String>, HashSet<String>) = (HashSet::new(), HashSet::new());
    let sources: HashSet<&str> = connections.iter().map(|connection| connection.from.as_str()).collect();
    for partner in partners {
        let name = partner.name;
        // Names may have dots, as those of elements within systems; but variables of `a` and of `a.b` could not be told apart.
        let within: Vec<&str> = name.match_indices('.').map(|(dot, _)| &name[..dot]).collect();
        let is_mixed = within.iter().any(|system| names.contains(*system)) || systems.contains(&name);
        systems.extend(within.into_iter().map(str::to_owned));
        if is_mixed || name.is_empty() || name.starts_with('.') || name.ends_with('.') {
            return Err(Error::End(name));
        }
        if !names.insert(name.clone()) {
            return Err(Error::Duplicate { what: "partner", name });
        }
        if partner.every == 0 || partner.every > 1 << 20 {
            let remedy = "it must lie between 1 and 2^20";
            return Err(Error::Value {
                name: format!("communication points per step of \"{name}\""),
                value: partner.every as f64,
                remedy,
            });
        }
        let mut simulator = partner.simulator;
        simulator.interrupt_by(interrupt);
        let mut description = simulator.describe();
        check_description(&name, &description)?;
        know_units(&name, &mut description)?;
        let outputs = description.with(Causality::Output).enumerate();
        let connected = outputs.filter(|(_, output)| sources.contains(format!("{name}.{}", output.name).as_str()));
        simulator.watch_outputs(&connected.map(|(k, _)| k).collect::<Vec<_>>());
        let mut interface = Interface::new(name, simulator, description);
        if partner.thread {
            let name = interface.name().to_string();
            let started = interface.on_thread(partner.terms, interrupt);
            interface = started.map_err(|error| Error::Thread { partner: name, reason: error.to_string() })?;
        }
        interfaces.push(interface);
        every.push(partner.every);
    }
    Ok((interfaces, every))
}

/// Makes values of the units, once for all that asks for them later.
fn know_units(partner: &str, description: &mut Description) -> Result<(), Error> {
    for variable in description.variables.iter_mut().filter(|variable| variable.measure.is_none()) {
        let read = Unit::parse(&variable.unit);
        let unknown = |source| Error::Unit { variable: format!("{partner}.{}", variable.name), source };
        variable.measure = Some(read.map_err(unknown)?);
    }
    Ok(())
}

fn check_description(partner: &str, description: &Description) -> Result<(), Error> {
    if let Some(step) = description.solver_step {
        positive(format!("the solver step [s] of \"{partner}\""), step)?;
    }
    let inputs: HashSet<&str> = description.with(Causality::Input).map(|v| v.name.as_str()).collect();
    let mut names = HashSet::new();
    for variable in &description.variables {
        let name = format!("{partner}.{}", variable.name);
        if !names.insert(variable.name.as_str()) {
            return Err(Error::Duplicate { what: "variable", name });
        }
        finite(format!("the start value of \"{name}\""), variable.start)?;
        let nominal = format!("the nominal value of \"{name}\"");
        if variable.nominal != 0.0 {
            positive(nominal, variable.nominal)?;
        }
        for input in &variable.feedthrough {
            if !inputs.contains(input.as_str()) {
                let known = description.with(Causality::Input).map(|v| v.name.as_str());
                return Err(Error::UnknownVariable {
                    place: format!("feedthrough of \"{name}\""),
                    partner: partner.into(),
                    causality: "input",
                    name: input.clone(),
                    nearest: nearest(input, known),
                });
            }
        }
    }
    Ok(())
}

fn clock(options: &Options, every: &[u64]) -> Result<Clock, Error> {
    let Some(adaptive) = &options.adaptive else {
        return Clock::new(options.start, options.end, options.step, 0, every);
    };
    positive("the communication step [s]", options.step)?;
    adaptive.validate(options.step)?;
    if every.iter().any(|&count| count > 1) {
        return Err(Error::Combination {
            what: "an adaptive communication step",
            other: "partners that take part in some communication points only",
            remedy: "let all take part in every one",
        });
    }
    // Steps are controlled to a fraction of the shortest one.
    let halvings = (options.step / adaptive.shortest).log2().ceil() as u32 + 8;
    Clock::new(options.start, options.end, options.step, halvings, every).map(|mut clock| {
        clock.every.fill(1);
        clock
    })
}

/// R27: no communication step is shorter than a solver's own.
fn check_steps(interfaces: &[Interface], clock: &Clock, options: &Options) -> Result<(), Error> {
    for (i, interface) in interfaces.iter().enumerate() {
        let shortest = options.adaptive.as_ref().map(|adaptive| adaptive.shortest);
        let step = shortest.unwrap_or(clock.every[i] as f64 * clock.tick());
        if let Some(solver_step) = interface.description().solver_step
            && step < solver_step * (1.0 - 1e-9)
        {
            return Err(Error::StepTooShort { partner: interface.name().into(), step, solver_step });
        }
    }
    Ok(())
}

fn check_capabilities(interfaces: &[Interface], every: &[u64], options: &Options) -> Result<(), Error> {
    let iterated = matches!(options.algorithm, Algorithm::Iterated { .. });
    let rollback = options.adaptive.as_ref().is_some_and(|adaptive| adaptive.rollback);
    if iterated && every.iter().any(|&count| count > 1) {
        return Err(Error::Combination {
            what: "the iterated scheme",
            other: "partners that take part in some communication points only",
            remedy: "let all take part in every one",
        });
    }
    let algorithm = if iterated { options.algorithm.name() } else { "an adaptive communication step with rollback" };
    let unable = interfaces.iter().find(|interface| !interface.description().capabilities.rollback);
    if let (true, Some(interface)) = (iterated || rollback, unable) {
        let partner = interface.name().into();
        return Err(Error::Capability { algorithm, capability: "saving and restoring the state", partner });
    }
    let fixed = interfaces.iter().find(|interface| interface.description().capabilities.fixed_step);
    if let (true, Some(interface)) = (options.adaptive.is_some(), fixed) {
        let (algorithm, capability) = ("an adaptive communication step", "steps of different lengths");
        return Err(Error::Capability { algorithm, capability, partner: interface.name().into() });
    }
    Ok(())
}

fn order_of_stepping(
    interfaces: &[Interface],
    every: &[u64],
    relations: &[Relation],
    options: &Options,
) -> Result<Vec<usize>, Error> {
    let n = interfaces.len();
    let names = match &options.algorithm {
        Algorithm::GaussSeidel { sequence, .. } | Algorithm::Iterated { sequence, .. } => sequence.as_slice(),
        _ => return Ok((0..n).collect()),
    };
    if names.is_empty() {
        // Those that step over several points come last: they meet the newest values of all others over the whole way.
        let mut order = sequence(n, relations);
        order.sort_by_key(|&i| every[i]);
        if options.events {
            // Whose events end the step of all come first.
            order.sort_by_key(|&i| !interfaces[i].description().capabilities.early_return);
        }
        return Ok(order);
    }
    let mut order = Vec::with_capacity(n);
    let mut left: HashMap<&str, (usize, bool)> =
        interfaces.iter().enumerate().map(|(i, interface)| (interface.name(), (i, true))).collect();
    for name in names {
        let Some((i, open)) = left.get_mut(name.as_str()) else {
            let nearest = nearest(name, interfaces.iter().map(Interface::name));
            return Err(Error::UnknownPartner { place: "order of stepping".into(), name: name.clone(), nearest });
        };
        if !std::mem::replace(open, false) {
            return Err(Error::Duplicate { what: "entry of the order of stepping", name: name.clone() });
        }
        order.push(*i);
    }
    if order.len() < n {
        let remedy = "name every partner once, or none for the automatic order";
        return Err(Error::Value {
            name: "the number of partners in the order of stepping".into(),
            value: order.len() as f64,
            remedy,
        });
    }
    Ok(order)
}

fn ports(
    options: &Options,
    interfaces: &[Interface],
    relations: &[Relation],
    clock: &Clock,
) -> Result<Vec<Meter>, Error> {
    let mut meters: Vec<Meter> = Vec::with_capacity(options.ports.len());
    if options.ports.is_empty() {
        return Ok(meters);
    }
    let directory = Directory::new(interfaces);
    let mut names = HashSet::new();
    for port in &options.ports {
        if !names.insert(&port.name) {
            return Err(Error::Duplicate { what: "port", name: port.name.clone() });
        }
        meters.push(Meter::new(port, interfaces, &directory, relations, &clock.every)?);
    }
    Ok(meters)
}
