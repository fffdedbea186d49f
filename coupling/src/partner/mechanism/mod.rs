//! A mechanism as a partner (R40 to R46): forces and torques of its actuators in; displacements, velocities and any other measure out.
//!
//! A model says with `[[actuator]]` entries what the other partners drive: each brings one input, the force or torque between two markers,
//! and two outputs, the distance of the markers (R41) and its rate along the line of sight (R42). Further inputs are the `[[input]]`
//! entries of the model, further outputs its measures. A motion that prescribes what an actuator drives is taken out of force (R44);
//! of several drives in one direction of motion at most one may keep its motion, as otherwise the model does not compile (R45).
//! [`ControlPlant`] is what is exported of all this (R46).
//!
//! Between communication points the inputs follow their polynomials, and the method is that of the mechanism alone: Gear's, which keeps
//! its history from one communication step to the next, Fehlberg's, or with contacts the event-driven motion or time stepping.

mod contact;
mod motion;
mod options;
mod plant;
mod smooth;

pub use contact::Following;
pub use options::{MechanismOptions, ReactionOutputs};
pub use plant::{ControlPlant, PlantVariable};

use std::sync::Arc;

use fourbar_contact::event::Event;
use fourbar_contact::model::ContactModel;
use fourbar_contact::pair::ContactSet;
use fourbar_dae::integrator::Statistics;
use fourbar_linalg::text::nearest;
use fourbar_multibody::model::Settings;
use fourbar_multibody::{DynamicsOptions, Mechanism as Compiled, Model, Simulation, State};

use super::Passing;
use crate::Error;
use crate::function::{
    Capabilities, Description, Failure, Signal, Simulator, Snapshot, SolverCounts, Variability, Variable, end_of_step,
};
use contact::refused;
use motion::Motion;
use smooth::Smooth;

/// A compiled mechanism at work. See the module.
pub struct Mechanism {
    motion: Box<dyn Motion>,
    /// What assembly did, and what whoever made it has to say.
    assembly: Vec<String>,
    plant: ControlPlant,
    description: Description,
    /// Places of the outputs among the measured scalars.
    chosen: Vec<usize>,
    /// All measured scalars, or their rates.
    values: Vec<f64>,
    /// Reactions behind the chosen outputs, and their values.
    reactions: Option<(ReactionOutputs, Vec<f64>)>,
    /// The inputs as polynomials.
    polynomials: Vec<[f64; 3]>,
    passing: Passing,
}

impl Mechanism {
    /// Compiles `model`, without contacts, to be followed by `dynamics`, whose end time does not count.
    ///
    /// # Errors
    /// [`Error::Mechanism`] for a model that does not compile or options out of range; [`Error::UnknownVariable`] for an output that is
    /// no measure of the model.
    pub fn new(model: &Model, dynamics: &DynamicsOptions, options: &MechanismOptions) -> Result<Self, Error> {
        let mechanism = Arc::new(Compiled::compile(model).map_err(Error::mechanism)?);
        let motion = Smooth::new(&mechanism, dynamics, options).map_err(Error::mechanism)?;
        let mut partner = Self::with_motion(&mechanism, model, Box::new(motion), None, options)?;
        partner.plant.method =
            format!("{} ({})", dynamics.method.name(), dynamics.formulation.solved_by(&dynamics.method));
        Ok(partner)
    }

    /// As [`Mechanism::new`] with the integrator and its options as the model has them.
    ///
    /// # Errors
    /// As [`Mechanism::new`].
    pub fn of_model(model: &Model, options: &MechanismOptions) -> Result<Self, Error> {
        let simulation = Simulation::new(model, &Settings::default()).map_err(Error::mechanism)?;
        Self::new(model, &simulation.dynamics, options)
    }

    /// Compiles `model` with what may touch in it, followed as `following` says. Accelerations and reactions are no outputs then.
    ///
    /// # Errors
    /// As [`Mechanism::new`]; [`Error::Start`] for contacts that do not compile or cannot be followed.
    pub fn with_contacts(
        model: &Model,
        contacts: &ContactModel,
        following: &Following,
        options: &MechanismOptions,
    ) -> Result<Self, Error> {
        let mechanism = Arc::new(Compiled::compile(model).map_err(Error::mechanism)?);
        let set = ContactSet::compile(model, contacts, &mechanism).map_err(|error| refused(&mechanism, error))?;
        let following = following.in_scene(&mechanism, &set)?;
        let motion = following.start(&mechanism, set)?;
        let outputs = match &options.outputs {
            Some(outputs) => outputs.clone(),
            None => without_forces(&mechanism).map(|m| mechanism.measures()[m].name.clone()).collect(),
        };
        let options = MechanismOptions { outputs: Some(outputs), ..options.clone() };
        let mut partner = Self::with_motion(&mechanism, model, motion, following.step(), &options)?;
        if let Some(&m) = partner.chosen.iter().find(|&&m| mechanism.follows_forces(m)) {
            let failure = Failure::new(format!(
                "the output \"{}\" follows the forces of contacts at once; choose positions, velocities and expressions of them",
                mechanism.measures()[m].name
            ));
            return Err(Error::Start { partner: mechanism.name().into(), failure });
        }
        partner.plant.method = following.name().to_owned();
        Ok(partner)
    }

    fn with_motion(
        mechanism: &Arc<Compiled>,
        model: &Model,
        mut motion: Box<dyn Motion>,
        solver_step: Option<f64>,
        options: &MechanismOptions,
    ) -> Result<Self, Error> {
        let chosen = chosen(mechanism, options)?;
        let mut values = vec![0.0; mechanism.measures().len()];
        motion.sample(&mut values).map_err(|failure| Error::Start { partner: mechanism.name().into(), failure })?;
        let mut variables = variables(mechanism, &chosen, &values);
        let reactions = options.reactions.clone().map(|outputs| {
            let count = 6 * outputs.sets.len();
            (outputs, vec![0.0; count])
        });
        variables.extend(reactions.iter().flat_map(|(outputs, _)| outputs.variables()));
        let rates = options.output_derivatives && motion.knows_rates(&chosen);
        let capabilities = Capabilities::FULL.written(true).output_derivatives(rates);
        Ok(Self {
            plant: ControlPlant::new(mechanism, model, &variables, solver_step),
            description: Description { variables, solver_step, capabilities },
            polynomials: mechanism.inputs().iter().map(|input| [input.start, 0.0, 0.0]).collect(),
            chosen,
            values,
            reactions,
            motion,
            assembly: mechanism.assembly().warnings(),
            passing: Passing::default(),
        })
    }

    /// Goes on where `before` stands, a mechanism with the same bodies and joints: at its time, with its places and velocities, under these inputs about
    /// that time. Masses, forces and laws of contact are its own.
    ///
    /// # Errors
    /// [`Failure`] where it cannot stand there.
    pub fn follow(&mut self, before: &mut Self, inputs: &[Signal]) -> Result<(), Failure> {
        let state = before.motion.state()?;
        for (polynomial, signal) in self.polynomials.iter_mut().zip(inputs) {
            *polynomial = [signal.value, signal.first, signal.second];
        }
        self.motion.begin_at(&state, before.motion.time(), &self.polynomials)
    }

    /// Begins at `time` \[s\], put right where its motions have it then.
    ///
    /// # Errors
    /// What says that it cannot begin there.
    pub fn start_at(&mut self, time: f64) -> Result<(), Failure> {
        let state = State { time, ..self.motion.state()? };
        self.motion.begin_at(&state, time, &self.polynomials)
    }

    /// Adds a warning about it, for those who read the results.
    pub fn warn(&mut self, text: String) {
        self.assembly.push(text);
    }

    /// What its integrator spent so far; none where steps are fixed.
    #[must_use]
    pub fn statistics(&self) -> Option<&Statistics> {
        self.motion.statistics()
    }

    /// What its contacts did in the last communication step, if they are followed event by event.
    #[must_use]
    pub fn events(&self) -> &[Event] {
        self.motion.events()
    }

    /// What the mechanism offers to its partners (R46).
    #[must_use]
    pub fn plant(&self) -> &ControlPlant {
        &self.plant
    }
}

/// Places of the outputs among the measured scalars.
fn chosen(mechanism: &Compiled, options: &MechanismOptions) -> Result<Vec<usize>, Error> {
    let known = || mechanism.measures().iter().map(|measure| measure.name.as_str());
    let Some(names) = &options.outputs else { return Ok((0..mechanism.measures().len()).collect()) };
    let place = |name: &String| {
        known().position(|measure| measure == name).ok_or_else(|| Error::UnknownVariable {
            place: "outputs of a mechanism".into(),
            partner: mechanism.name().into(),
            causality: "measure",
            name: name.clone(),
            nearest: nearest(name, known()),
        })
    };
    names.iter().map(place).collect()
}

/// Measured scalars that do not follow forces at once.
fn without_forces(mechanism: &Compiled) -> impl Iterator<Item = usize> + '_ {
    (0..mechanism.measures().len()).filter(|&m| !mechanism.follows_forces(m))
}

/// Inputs, then outputs with their values at the start.
fn variables(mechanism: &Compiled, chosen: &[usize], values: &[f64]) -> Vec<Variable> {
    let inputs = mechanism.inputs();
    let input = inputs.iter().map(|input| Variable::input(&input.name, &input.unit).start(input.start));
    let output = chosen.iter().map(|&m| {
        let measure = &mechanism.measures()[m];
        // What acts later may let any input through.
        let switched = mechanism.has_switches() && mechanism.follows_forces(m);
        let feedthrough = if switched { (0..inputs.len()).collect() } else { mechanism.feedthrough(m) };
        let feedthrough: Vec<&str> = feedthrough.iter().map(|&k| inputs[k].name.as_str()).collect();
        let variability = Variability::where_inputs(|inputs| mechanism.changes(m, inputs));
        Variable::output(&measure.name, &measure.unit).start(values[m]).depends_on(&feedthrough).changing(variability)
    });
    input.chain(output).collect()
}

impl Simulator for Mechanism {
    fn describe(&self) -> Description {
        self.description.clone()
    }

    fn set_inputs(&mut self, inputs: &[Signal]) -> Result<(), Failure> {
        for (polynomial, signal) in self.polynomials.iter_mut().zip(inputs) {
            *polynomial = [signal.value, signal.first, signal.second];
        }
        self.motion.set_inputs(&self.polynomials)
    }

    fn step(&mut self, t: f64, h: f64) -> Result<f64, Failure> {
        let Self { motion, passing, values, .. } = self;
        let end = end_of_step(t, h);
        if passing.is_idle() {
            motion.advance(end, passing, values)?;
            return Ok(motion.time());
        }
        motion.sample(values)?;
        passing.begin(t, end, values);
        motion.advance(end, passing, values)?;
        motion.sample(values)?;
        passing.finish(values);
        Ok(motion.time())
    }

    fn watch_outputs(&mut self, connected: &[usize]) {
        self.passing.watch(connected, &self.description.variables, |k| self.chosen[k]);
    }

    fn outputs(&mut self, values: &mut [f64]) -> Result<(), Failure> {
        self.motion.sample(&mut self.values)?;
        values.iter_mut().zip(&self.chosen).for_each(|(value, &m)| *value = self.values[m]);
        let Self { motion, reactions: Some((outputs, taken)), chosen, .. } = self else { return Ok(()) };
        // What cannot be shown stops no run.
        if outputs.are_taken(motion.time()) && motion.wrenches(&outputs.sets, taken).is_err() {
            taken.fill(0.0);
        }
        values.iter_mut().skip(chosen.len()).zip(taken).for_each(|(value, taken)| *value = *taken);
        Ok(())
    }

    fn output_derivatives(&mut self, derivatives: &mut [f64]) -> Result<(), Failure> {
        derivatives.fill(0.0);
        self.motion.sample_rates(&mut self.values)?;
        derivatives.iter_mut().zip(&self.chosen).for_each(|(rate, &m)| *rate = self.values[m]);
        Ok(())
    }

    fn solver_counts(&self) -> Option<SolverCounts> {
        self.motion.statistics().map(SolverCounts::from)
    }

    fn warnings(&self) -> Vec<String> {
        self.assembly.iter().cloned().chain(self.motion.warnings()).chain(self.passing.warnings()).collect()
    }

    fn save(&mut self, snapshot: &mut Snapshot) -> Result<(), Failure> {
        self.motion.save(snapshot)
    }

    fn store(&mut self, snapshot: &Snapshot, to: &mut Vec<u8>) -> Result<(), Failure> {
        self.motion.store(snapshot, to)
    }

    fn load(&mut self, bytes: &[u8], snapshot: &mut Snapshot) -> Result<(), Failure> {
        self.motion.load(bytes, snapshot)
    }

    fn restore(&mut self, snapshot: &Snapshot) -> Result<(), Failure> {
        self.motion.restore(snapshot)
    }
}
