//! A mechanism with contacts that is stepped alone, as the live page does it: all that its run would show is an output, forces and measures of contacts
//! among them. In a loop with others these would follow what they cause; the partner of `fourbar-coupling` leaves them out there.

use crate::mechanism::MechanismModel;
use crate::run::Overrides;
use crate::simulation::{CompiledModel, Saved, Simulation};
use crate::{Error, simulation::Pressing};
use fourbar_contact::report::EventReport;
use fourbar_coupling::function::end_of_step;
use fourbar_coupling::partner::ReactionOutputs;
use fourbar_coupling::{Capabilities, Description, Failure, Signal, Simulator, Snapshot, SolverCounts, Variable};
use fourbar_linalg::checkpoint::{Source, store_list};
use fourbar_multibody::analysis::Wrench;
use fourbar_multibody::host::HostFunctions;
use fourbar_multibody::space::V3;
use std::sync::Arc;

/// Outputs behind the columns of a run: contacts that press, and the parts of the energy.
const MORE: [(&str, &str); 3] = [("contacts", ""), ("kinetic_energy", "J"), ("potential_energy", "J")];

/// The mechanism at work.
pub(super) struct Touching {
    simulation: Simulation,
    description: Description,
    polynomials: Vec<[f64; 3]>,
    /// Places among [`MORE`] of those that no column has the name of.
    more: Vec<usize>,
    /// The last finite value of each output but these: of a pair that nothing brings together there is no gap.
    last: Vec<f64>,
    /// Reactions behind them.
    reactions: ReactionOutputs,
    report: EventReport,
}

/// Where a step failed stands in the failure itself.
fn failure(error: impl std::fmt::Display) -> Failure {
    Failure::new(error.to_string())
}

impl Touching {
    pub(super) fn new(model: &MechanismModel, reactions: Option<&ReactionOutputs>) -> Result<Self, Error> {
        let compiled = Arc::new(CompiledModel::new(model, &HostFunctions::default())?);
        let mut simulation = Simulation::new(&compiled, &Overrides::default())?;
        let (mechanism, columns) = (compiled.mechanism(), compiled.columns());
        let more: Vec<usize> =
            (0..MORE.len()).filter(|&k| columns.iter().all(|column| column.name != MORE[k].0)).collect();
        let mut last = vec![0.0; columns.len() + more.len()];
        read(&mut simulation, &more, &mut last)?;
        let input = |input: &fourbar_multibody::InputInfo| Variable::input(&input.name, &input.unit).start(input.start);
        let named = columns.iter().map(|column| (column.name.as_str(), column.unit.as_str()));
        let output = |(k, (name, unit)): (usize, (&str, &str))| {
            let follows = if k < mechanism.measures().len() { mechanism.feedthrough(k) } else { Vec::new() };
            let follows: Vec<&str> = follows.iter().map(|&k| mechanism.inputs()[k].name.as_str()).collect();
            Variable::output(name, unit).start(last[k]).depends_on(&follows)
        };
        let outputs = named.chain(more.iter().map(|&k| MORE[k])).enumerate().map(output);
        let reactions = reactions.cloned().unwrap_or_default();
        let variables = mechanism.inputs().iter().map(input).chain(outputs).chain(reactions.variables()).collect();
        Ok(Self {
            description: Description {
                variables,
                solver_step: None,
                capabilities: Capabilities::FULL.output_derivatives(false).written(true),
            },
            polynomials: mechanism.inputs().iter().map(|input| [input.start, 0.0, 0.0]).collect(),
            simulation,
            more,
            last,
            reactions,
            report: EventReport::default(),
        })
    }

    /// Whether another mechanism may go on where it stands: what sensors made of it is its own.
    pub(super) fn goes_on(&self) -> bool {
        !self.simulation.compiled().mechanism().has_switches()
    }

    /// Goes on where `before` stands, under these inputs about that time.
    pub(super) fn follow(&mut self, before: &mut Self, inputs: &[Signal]) -> Result<(), Error> {
        let state = before.simulation.state()?.clone();
        for (polynomial, signal) in self.polynomials.iter_mut().zip(inputs) {
            *polynomial = [signal.value, signal.first, signal.second];
        }
        if !inputs.is_empty() {
            self.simulation.set_inputs(&self.polynomials)?;
        }
        self.simulation.set_state(&state)?;
        self.last.clone_from(&before.last);
        self.report.clone_from(&before.report);
        Ok(())
    }

    /// Takes over what happened at contacts.
    fn look(&mut self) {
        if !self.simulation.follows_events() {
            return;
        }
        let Some(contacts) = self.simulation.compiled().contacts() else { return };
        self.simulation.events().iter().for_each(|event| self.report.take(event));
        self.report.look(contacts, self.simulation.time());
        self.simulation.clear_events();
    }
}

/// All outputs; what has no finite value keeps its last one.
fn read(simulation: &mut Simulation, more: &[usize], last: &mut [f64]) -> Result<(), Error> {
    let mut values = vec![0.0; last.len()];
    let (columns, rest) = values.split_at_mut(last.len() - more.len());
    simulation.measures(columns)?;
    let Pressing { contacts, kinetic, potential } = simulation.pressing();
    let all = [contacts as f64, kinetic, potential];
    rest.iter_mut().zip(more).for_each(|(value, &k)| *value = all[k]);
    let finite = values.iter().zip(last).filter(|(value, _)| value.is_finite());
    finite.for_each(|(value, last)| *last = *value);
    Ok(())
}

impl Simulator for Touching {
    fn describe(&self) -> Description {
        self.description.clone()
    }

    fn set_inputs(&mut self, inputs: &[Signal]) -> Result<(), Failure> {
        if inputs.is_empty() {
            return Ok(());
        }
        for (polynomial, signal) in self.polynomials.iter_mut().zip(inputs) {
            *polynomial = [signal.value, signal.first, signal.second];
        }
        self.simulation.set_inputs(&self.polynomials).map_err(failure)
    }

    fn step(&mut self, t: f64, h: f64) -> Result<f64, Failure> {
        self.simulation.step_to(end_of_step(t, h)).map_err(failure)?;
        self.look();
        Ok(self.simulation.time())
    }

    fn outputs(&mut self, values: &mut [f64]) -> Result<(), Failure> {
        read(&mut self.simulation, &self.more, &mut self.last).map_err(failure)?;
        let (own, shown) = values.split_at_mut(self.last.len());
        own.copy_from_slice(&self.last);
        for ((set, _), values) in self.reactions.sets.iter().zip(shown.chunks_exact_mut(6)) {
            // What cannot be shown stops no run.
            let wrench = self.simulation.reaction(*set).ok().flatten();
            let none = Wrench { force: V3::zeros(), torque: V3::zeros() };
            let Wrench { force, torque } = wrench.unwrap_or(none);
            values[..3].copy_from_slice(force.as_slice());
            values[3..].copy_from_slice(torque.as_slice());
        }
        Ok(())
    }

    fn solver_counts(&self) -> Option<SolverCounts> {
        self.simulation.statistics().map(SolverCounts::from)
    }

    fn warnings(&self) -> Vec<String> {
        let compiled = self.simulation.compiled();
        let contacts = compiled.contacts().map(|contacts| self.report.warnings(contacts)).unwrap_or_default();
        let assembly = compiled.mechanism().assembly().warnings();
        assembly.into_iter().chain(contacts).chain(self.simulation.warnings()).collect()
    }

    fn save(&mut self, snapshot: &mut Snapshot) -> Result<(), Failure> {
        let point: &mut Option<(Saved, Vec<f64>, EventReport)> = snapshot.content_mut();
        *point = Some((self.simulation.save(), self.last.clone(), self.report.clone()));
        Ok(())
    }

    fn store(&mut self, snapshot: &Snapshot, to: &mut Vec<u8>) -> Result<(), Failure> {
        let point: &Option<(Saved, Vec<f64>, EventReport)> = snapshot.content()?;
        let Some((saved, last, _)) = point else { return Err(Failure::new("the snapshot is empty")) };
        let bytes = self.simulation.checkpoint_to_bytes(saved).map_err(failure)?;
        store_list(last, to);
        to.extend_from_slice(&bytes);
        Ok(())
    }

    fn load(&mut self, bytes: &[u8], snapshot: &mut Snapshot) -> Result<(), Failure> {
        let mut from = Source::new(bytes);
        let mut last = self.last.clone();
        from.list(&mut last).map_err(failure)?;
        let left = from.left();
        let saved = self.simulation.checkpoint_from_bytes(from.take(left).map_err(failure)?).map_err(failure)?;
        // What the run told until then is no part of the state.
        let point: &mut Option<(Saved, Vec<f64>, EventReport)> = snapshot.content_mut();
        *point = Some((saved, last, EventReport::default()));
        Ok(())
    }

    fn restore(&mut self, snapshot: &Snapshot) -> Result<(), Failure> {
        let point: &Option<(Saved, Vec<f64>, EventReport)> = snapshot.content()?;
        let Some((saved, last, report)) = point else { return Err(Failure::new("the snapshot is empty")) };
        self.simulation.restore(saved).map_err(failure)?;
        self.last.clone_from(last);
        self.report.clone_from(report);
        Ok(())
    }
}
