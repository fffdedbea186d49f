//! Mechanisms stepped by a host: compiled once, then any number of simulations of them, each advanced as the program around it wants.
//!
//! [`run`](crate::run) is a whole run with its outputs; here the caller has the loop. A [`CompiledModel`] never changes, and threads share it;
//! a [`Simulation`] goes on from where it is, with contacts or without, and may be set, saved and put back.
//!
//! ```
//! use fourbar::file::ModelFile;
//! use fourbar::run::Overrides;
//! use fourbar::simulation::{CompiledModel, Simulation};
//! use std::sync::Arc;
//!
//! let file = ModelFile::parse("drop.toml", r#"
//!     gravity = [0, 0, -9.81]
//!     [[body]]
//!     name = "ball"
//!     mass = 1
//!     inertia = [0.004, 0.004, 0.004]
//!     position = [0, 0, 1.1]
//!     [[contact]]
//!     name = "floor"
//!     type = "sphere_plane"
//!     i = "ball"
//!     radius = 0.1
//!     j = "ground"
//!     restitution = 0.5
//! "#)?;
//! let model = file.document().mechanism().unwrap();
//! let compiled = Arc::new(CompiledModel::new(model, &Default::default())?);
//! let mut simulation = Simulation::new(&compiled, &Overrides::default())?;
//! let mut impacts = 0;
//! for k in 1..=100 {
//!     simulation.step_to(f64::from(k) * 0.01)?;
//!     impacts += simulation.events().len();
//!     simulation.clear_events();
//! }
//! // It falls for sqrt(2/g) = 0.4515 s, rebounds with half of its speed and is up again as long.
//! assert_eq!(impacts, 2);
//! # Ok::<(), fourbar::Error>(())
//! ```

mod analysis;
mod compiled;
mod dense;
mod method;
mod motion;
mod saved;
mod solved;
mod stepped;

pub use compiled::CompiledModel;
pub use fourbar_contact::event::{Event, EventKind};
pub use method::Progress;
pub use saved::Saved;
pub use stepped::{SavedStepped, Stepped};

use crate::Error;
use crate::run::Overrides;
use crate::run::contact::watch::Watch;
use fourbar_multibody::analysis::Wrench;
use fourbar_multibody::integrator::Statistics;
use fourbar_multibody::{Inputs, State, SwitchEvent};
use method::Method;
use motion::Motion;
use solved::Solved;
use std::sync::Arc;

/// A mechanism at a time, which the caller advances.
pub struct Simulation {
    compiled: Arc<CompiledModel>,
    method: Method,
    motion: Motion,
    /// Measures of a mechanism with contacts.
    watch: Option<Box<Watch>>,
    inputs: Inputs,
    /// Value, first and second derivative of each input about the time at which they were set.
    polynomials: Vec<[f64; 3]>,
    solved: Solved,
}

/// What presses at contacts, and the energy \[J\].
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Pressing {
    /// Contacts that press.
    pub(crate) contacts: usize,
    pub(crate) kinetic: f64,
    pub(crate) potential: f64,
}

impl Simulation {
    /// Begins at the start of the model; entries of `overrides` take precedence over its settings. End and output step do not matter.
    ///
    /// # Errors
    /// [`Error::Multibody`], [`Error::Contact`] for settings out of range or a start that cannot be simulated from;
    /// [`Error::NotForKind`] for settings that the model does not have.
    pub fn new(compiled: &Arc<CompiledModel>, overrides: &Overrides) -> Result<Self, Error> {
        Self::begin(compiled, compiled.method(overrides)?)
    }

    /// As [`Simulation::new`], with an integrator and all its options in place of what the model says.
    ///
    /// # Errors
    /// As [`Simulation::new`]; [`Error::NotForKind`] for a model with contacts.
    pub fn with_integrator(
        compiled: &Arc<CompiledModel>,
        overrides: &Overrides,
        integrator: fourbar_multibody::Method,
    ) -> Result<Self, Error> {
        match compiled.method(overrides)? {
            Method::Smooth(mut dynamics) => {
                dynamics.method = integrator;
                Self::begin(compiled, Method::Smooth(dynamics))
            }
            Method::Contacts(_) => Err(Error::NotForKind { setting: "integrator", kind: "mechanism with contacts" }),
        }
    }

    fn begin(compiled: &Arc<CompiledModel>, method: Method) -> Result<Self, Error> {
        let mechanism = compiled.mechanism();
        Ok(Self {
            motion: Motion::begin(compiled, &method, None)?,
            method,
            watch: compiled.watch()?.map(Box::new),
            inputs: Inputs::start(mechanism),
            polynomials: mechanism.inputs().iter().map(|input| [input.start, 0.0, 0.0]).collect(),
            solved: Solved::new(mechanism)?,
            compiled: Arc::clone(compiled),
        })
    }

    /// What is simulated.
    #[must_use]
    pub fn compiled(&self) -> &Arc<CompiledModel> {
        &self.compiled
    }

    /// Time \[s\].
    #[must_use]
    pub fn time(&self) -> f64 {
        self.motion.time()
    }

    /// Takes one step of the method towards `end` \[s\], which it does not pass.
    ///
    /// # Errors
    /// [`Error::Multibody`] if `end` lies in the past or is not finite; [`Error::Multibody`], [`Error::Contact`] where the motion cannot
    /// go on: it then stands at the end of the last step.
    pub fn advance(&mut self, end: f64) -> Result<Progress, Error> {
        let progress = self.motion.advance(end);
        self.note_step();
        progress
    }

    /// Takes over what a step may have changed.
    fn note_step(&mut self) {
        self.solved.forget();
        if let Some(inputs) = self.motion.inputs()
            && *inputs != self.inputs
        {
            // A sensor has set one.
            self.inputs.clone_from(inputs);
            self.polynomials.copy_from_slice(inputs.polynomials());
            self.solved.set_inputs(&self.inputs);
        }
    }

    /// Goes to `time` \[s\], exactly.
    ///
    /// # Errors
    /// As [`Simulation::advance`].
    pub fn step_to(&mut self, time: f64) -> Result<(), Error> {
        while self.advance(time)? != Progress::End {}
        Ok(())
    }

    /// Writes the measures of now to `values`, in the order of [`CompiledModel::columns`].
    ///
    /// # Errors
    /// [`Error::Multibody`] if a force cannot be evaluated or `values` has another length; [`Error::Contact`].
    pub fn measures(&mut self, values: &mut [f64]) -> Result<(), Error> {
        solved::check_length("the array of measured values", values.len(), self.compiled.columns().len())?;
        self.motion.measures(self.watch.as_deref_mut(), values)
    }

    /// The state of now, with accelerations and multipliers.
    ///
    /// # Errors
    /// [`Error::Multibody`] if a force cannot be evaluated; [`Error::Contact`].
    pub fn state(&mut self) -> Result<&State, Error> {
        self.solve()?;
        Ok(self.solved.state())
    }

    /// What joint or motion `set`, an index of [`Mechanism::constraint_sets`](fourbar_multibody::Mechanism::constraint_sets), does to
    /// the body of its marker I, contacts and inputs taken into account; of redundant joints the smallest reactions that hold the mechanism.
    /// None for an index that there is not.
    ///
    /// # Errors
    /// As [`Simulation::state`].
    pub fn reaction(&mut self, set: usize) -> Result<Option<Wrench>, Error> {
        if set >= self.compiled.mechanism().constraint_sets().len() {
            return Ok(None);
        }
        self.solve()?;
        let mechanism = Arc::clone(self.motion.mechanism(&self.compiled));
        self.solved.reaction(&mechanism, set).map(Some)
    }

    fn solve(&mut self) -> Result<(), Error> {
        if self.solved.is_known() {
            return Ok(());
        }
        let mechanism = Arc::clone(self.motion.mechanism(&self.compiled));
        self.motion.visit(self.watch.as_deref_mut(), |state, loads| self.solved.solve(&mechanism, state, loads))
    }

    /// What happened at contacts since [`Simulation::clear_events`], if they are followed event by event.
    #[must_use]
    pub fn events(&self) -> &[Event] {
        self.motion.events()
    }

    /// What presses at contacts, and the energy; nothing of a mechanism without contacts.
    pub(crate) fn pressing(&mut self) -> Pressing {
        let (Some((contacts, state)), Some(watch)) = (self.motion.pressing(), &mut self.watch) else {
            return Pressing::default();
        };
        let [kinetic, potential] = watch.energy(state);
        Pressing { contacts, kinetic, potential }
    }

    /// What a reader of the results should know of the steps so far; of contacts that are followed event by event, the events say it.
    pub(crate) fn warnings(&self) -> Vec<String> {
        let watched = self.watch.iter().flat_map(|watch| watch.warnings());
        self.motion.warnings().into_iter().chain(watched).collect()
    }

    /// Whether contacts are followed from event to event; those of fixed steps report for themselves.
    pub(crate) fn follows_events(&self) -> bool {
        self.motion.follows_events()
    }

    /// Forgets the events.
    pub fn clear_events(&mut self) {
        self.motion.clear_events();
    }

    /// What sensors and elements with `active` did so far, in the order of time: the first 10,000.
    #[must_use]
    pub fn switch_events(&self) -> &[SwitchEvent] {
        self.motion.switch_events()
    }

    /// Name of the sensor that ended the run: [`Simulation::advance`] goes no further. None if it goes on.
    #[must_use]
    pub fn ended_by(&self) -> Option<&str> {
        self.motion.ended_by()
    }

    /// What the integrator spent; none where steps are fixed.
    #[must_use]
    pub fn statistics(&self) -> Option<&Statistics> {
        self.motion.statistics()
    }

    /// Steps taken.
    #[must_use]
    pub fn steps(&self) -> u64 {
        self.motion.steps()
    }

    /// Value, first and second derivative of each input, about the time at which they were set.
    #[must_use]
    pub fn inputs(&self) -> &[[f64; 3]] {
        &self.polynomials
    }

    /// The same about the present time.
    #[must_use]
    pub fn inputs_now(&self) -> Vec<[f64; 3]> {
        let time = self.motion.method_time();
        let now = |(k, polynomial): (usize, &[f64; 3])| {
            [self.inputs.value(k, time), self.inputs.rate(k, time), polynomial[2]]
        };
        self.polynomials.iter().enumerate().map(now).collect()
    }

    /// From now on the inputs are these polynomials about the present time: value, first and second derivative of each, in the order of
    /// [`Mechanism::inputs`](fourbar_multibody::Mechanism::inputs).
    ///
    /// # Errors
    /// [`Error::Multibody`] for another number of inputs or one that is not finite: they then stay as they were. Else as
    /// [`Simulation::advance`].
    pub fn set_inputs(&mut self, polynomials: &[[f64; 3]]) -> Result<(), Error> {
        let (mechanism, time) = (self.compiled.mechanism(), self.motion.method_time());
        let set = self.inputs.set(mechanism, time, polynomials.iter().copied());
        set.map_err(fourbar_multibody::Error::from)?;
        self.polynomials.copy_from_slice(polynomials);
        self.pass_inputs()
    }

    fn pass_inputs(&mut self) -> Result<(), Error> {
        self.solved.set_inputs(&self.inputs);
        if let Some(watch) = &mut self.watch {
            watch.set_inputs(&self.inputs);
        }
        self.motion.set_inputs(self.compiled.mechanism(), &self.polynomials)
    }

    /// Goes on from `state`, put onto the constraints by the smallest corrections
    /// ([`Mechanism::consistent`](fourbar_multibody::Mechanism::consistent)); the inputs stay at their values of now, or at those of
    /// their polynomials. Sensors and `active` begin as at the start of the model.
    ///
    /// # Errors
    /// Those of `consistent`, as [`Error::Multibody`]: nothing has changed then; [`Error::Contact`] where contacts cannot be followed from there.
    pub fn set_state(&mut self, state: &State) -> Result<(), Error> {
        let mechanism = self.compiled.mechanism();
        let polynomials = self.inputs_now();
        let mut inputs = self.inputs.clone();
        let set = inputs.set(mechanism, state.time, polynomials.iter().copied());
        set.map_err(fourbar_multibody::Error::from)?;
        let state = mechanism.consistent(state, &inputs)?;
        let mut motion = Motion::begin(&self.compiled, &self.method, Some(&state))?;
        if !polynomials.is_empty() {
            motion.set_inputs(mechanism, &polynomials)?;
        }
        self.solved.forget();
        (self.motion, self.inputs, self.polynomials) = (motion, inputs, polynomials);
        self.solved.set_inputs(&self.inputs);
        if let Some(watch) = &mut self.watch {
            watch.set_inputs(&self.inputs);
        }
        Ok(())
    }
}
