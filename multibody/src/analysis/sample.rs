//! All measures of a mechanism at one state.

use super::acceleration::Accelerations;
use super::choice::Watch;
use super::reaction::Reactions;
use super::sampled;
use super::small_angles::WideAngles;
use super::uncertain::{Probe, Uncertain};
use crate::error::Error;
use crate::expression::Stack;
use crate::force::Loads;
use crate::input::Inputs;
use crate::measure::{Energy, Source, SwitchColumn, component};
use crate::mechanism::Mechanism;
use crate::space::Pose;
use crate::state::State;

/// Workspace that evaluates measures.
#[derive(Debug, Clone)]
pub struct Sampler {
    /// Time, measured scalars, inputs.
    slots: Vec<f64>,
    inputs: Inputs,
    stack: Stack<f64>,
    accelerations: Option<(Accelerations, Probe)>,
    /// Watches whether the rows of the mechanism suit the positions that are sampled.
    watch: Option<Box<Watch>>,
    reactions: Option<Reactions>,
    /// If force elements are measured.
    loads: Option<Loads>,
    /// The quaternions sampled last.
    quaternions: Vec<[f64; 4]>,
    poses: Vec<Pose>,
    wide: Option<WideAngles>,
}

impl Sampler {
    /// Sets up the workspace at `state`.
    ///
    /// # Errors
    /// As [`Accelerations::new`] and [`Reactions::new`], if measures need them.
    pub fn new(mechanism: &Mechanism, state: &State) -> Result<Self, Error> {
        let reacts = mechanism.measures.iter().any(|m| matches!(m.source, Source::Reaction(_)));
        // Friction follows from the multipliers.
        let follows = |source: &Source| match source {
            Source::Acceleration { .. } => true,
            Source::Load(load) => mechanism.is_friction(load),
            _ => false,
        };
        let accelerates = reacts || mechanism.measures.iter().any(|m| follows(&m.source));
        let poses = super::acceleration::with_ground(&state.poses);
        let chosen = if accelerates { mechanism.chosen_at(state) } else { None };
        let mechanism = chosen.as_ref().unwrap_or(mechanism);
        let accelerations = match accelerates {
            true => {
                let mut accelerations = Accelerations::new(mechanism, state)?;
                let probe = Probe::new(mechanism, &mut accelerations);
                Some((accelerations, probe))
            }
            false => None,
        };
        let reactions = if reacts { Some(Reactions::new(mechanism, &poses, state.time)?) } else { None };
        let stack = Stack::for_programs(mechanism.measure_programs());
        let slots = vec![0.0; mechanism.measures.len() + 1 + mechanism.inputs.len()];
        let loaded = mechanism.measures.iter().any(|m| matches!(m.source, Source::Load(_)));
        let loads = loaded.then(|| Loads::new(mechanism));
        let is_quaternion =
            |m: &&crate::measure::ScalarMeasure| matches!(m.source, Source::Quaternion { component: 0, .. });
        // As if turned by nothing before: the scalar begins above zero.
        let quaternions = vec![[1.0, 0.0, 0.0, 0.0]; mechanism.measures.iter().filter(is_quaternion).count()];
        let inputs = Inputs::start(mechanism);
        let watch = if accelerates { Watch::new(mechanism) } else { None };
        Ok(Self { slots, inputs, stack, accelerations, watch, reactions, loads, quaternions, poses, wide: None })
    }

    /// Sets the inputs on which forces and expressions depend.
    pub fn set_inputs(&mut self, inputs: &Inputs) {
        self.inputs.clone_from(inputs);
        if let Some((accelerations, _)) = &mut self.accelerations {
            accelerations.inputs_mut().clone_from(inputs);
        }
        if let Some(loads) = &mut self.loads {
            loads.inputs_mut().clone_from(inputs);
        }
    }

    /// Time, measured scalars and inputs, as sampled last: the slots of programs.
    pub(super) fn slots(&self) -> &[f64] {
        &self.slots
    }

    /// Goes on with the signs of the quaternions of another one of the same measures.
    pub(super) fn follow(&mut self, before: &Self) {
        self.quaternions.clone_from(&before.quaternions);
    }

    /// Whether all reactions among the measures are the only ones possible.
    #[must_use]
    pub fn reactions_unique(&self) -> bool {
        self.several_reactions().is_empty()
    }

    /// Reactions among the measures that are not the only ones possible, places among [`Mechanism::measures`]: for these the smallest that hold the
    /// mechanism are given.
    #[must_use]
    pub fn several_reactions(&self) -> &[usize] {
        self.reactions.as_ref().map_or(&[], Reactions::several)
    }

    /// Samples whose accelerations or reactions were uncertain, since the mechanism was at or beside a singular position; none if there
    /// were none so far.
    #[must_use]
    pub fn uncertain(&self) -> Option<&Uncertain> {
        self.accelerations.as_ref().and_then(|(_, probe)| probe.worst())
    }

    /// The widest turn of an elastic element with projected angles beyond those for which its law holds; none if there was none.
    #[must_use]
    pub fn wide_angles(&self) -> Option<&WideAngles> {
        self.wide.as_ref()
    }

    /// Writes the value of every scalar of [`Mechanism::measures`] to `values`; accelerations and multipliers of `state` are
    /// computed from its positions and velocities if measures need them.
    ///
    /// # Errors
    /// As [`Accelerations::solve`] and [`Reactions::solve`].
    pub fn sample(&mut self, mechanism: &Mechanism, state: &mut State, values: &mut [f64]) -> Result<(), Error> {
        self.sample_loaded(mechanism, state, &[], values)
    }

    /// As [`Sampler::sample`] with further loads on the bodies, those of contacts for example: force and torque about the centre of
    /// mass, six numbers a body, global frame [N, N m]; none if empty.
    ///
    /// # Errors
    /// As [`Sampler::sample`].
    pub fn sample_loaded(
        &mut self,
        mechanism: &Mechanism,
        state: &mut State,
        loads: &[f64],
        values: &mut [f64],
    ) -> Result<(), Error> {
        let chosen = self.chosen(mechanism, state);
        self.sample_by(chosen.as_ref().unwrap_or(mechanism), state, loads, values)
    }

    /// The mechanism with other rows where those kept do not suit `state`.
    fn chosen(&mut self, mechanism: &Mechanism, state: &State) -> Option<Mechanism> {
        self.watch.as_mut().and_then(|watch| watch.look_afresh(mechanism, state)).map(|chosen| chosen.mechanism)
    }

    fn sample_by(
        &mut self,
        mechanism: &Mechanism,
        state: &mut State,
        loads: &[f64],
        values: &mut [f64],
    ) -> Result<(), Error> {
        if let Some((accelerations, probe)) = &mut self.accelerations {
            accelerations.solve_loaded(mechanism, state, loads)?;
            probe.look(accelerations, mechanism, state, (loads, self.reactions.is_some()));
        }
        self.evaluate_all(mechanism, state, values)
    }

    /// As [`Sampler::sample_loaded`] where motions stand still and velocities of `state` are zero, as in a static equilibrium.
    ///
    /// # Errors
    /// As [`Sampler::sample`].
    pub fn sample_at_rest(
        &mut self,
        mechanism: &Mechanism,
        state: &mut State,
        loads: &[f64],
        values: &mut [f64],
    ) -> Result<(), Error> {
        let chosen = self.chosen(mechanism, state);
        let mechanism = chosen.as_ref().unwrap_or(mechanism);
        if let Some((accelerations, _)) = &mut self.accelerations {
            accelerations.solve_as(mechanism, state, loads, true)?;
        }
        self.evaluate_all(mechanism, state, values)
    }

    /// All measures, accelerations and multipliers of `state` being known.
    fn evaluate_all(&mut self, mechanism: &Mechanism, state: &State, values: &mut [f64]) -> Result<(), Error> {
        self.poses[..state.poses.len()].copy_from_slice(&state.poses);
        WideAngles::look(mechanism, state, &self.poses, &mut self.wide);
        if let Some(reactions) = &mut self.reactions {
            reactions.solve(mechanism, state, &self.poses)?;
        }
        let measured = mechanism.measures.len() + 1;
        self.slots[0] = state.time;
        self.inputs.write(state.time, &mut self.slots[measured..]);
        for &m in &mechanism.measure_order {
            self.slots[m + 1] = self.evaluate(mechanism, &mechanism.measures[m].source, state)?;
        }
        values.copy_from_slice(&self.slots[1..measured]);
        Ok(())
    }

    fn evaluate(&mut self, mechanism: &Mechanism, source: &Source, state: &State) -> Result<f64, Error> {
        let poses = &self.poses;
        Ok(match source {
            Source::Kinematic(k) => k.value(state.time, poses, &state.angles),
            Source::State(k) => mechanism.states_in(&state.drives).get(*k).copied().unwrap_or(f64::NAN),
            Source::Acceleration { angular, i, j, seen_from, projection } => {
                let vector = sampled::acceleration(*angular, [i, j, seen_from], state, poses);
                component(&vector, &projection.frame.axes(poses), projection.component)
            }
            Source::Reaction(reaction) => {
                self.reactions.as_ref().map_or(f64::NAN, |reactions| reactions.measured(mechanism, reaction, poses))
            }
            Source::Energy(energy) => {
                let kinetic = || kinetic_energy(mechanism, &state.poses);
                let potential = || potential_energy(mechanism, state, poses);
                match energy {
                    Energy::Kinetic => kinetic(),
                    Energy::Potential => potential(),
                    Energy::Total => kinetic() + potential(),
                }
            }
            Source::Body { body, quantity } => sampled::of_body(mechanism, *body, quantity, poses),
            Source::Load(load) => match &mut self.loads {
                Some(loads) => sampled::load(mechanism, loads, load, state, poses)?,
                None => f64::NAN,
            },
            Source::Quaternion { i, j, component, counter } => {
                let last = &mut self.quaternions[*counter];
                if *component == 0 {
                    *last = sampled::quaternion(&i.axes(poses), &j.axes(poses), last);
                }
                last[*component]
            }
            Source::Expression(program) => program.evaluate(&self.slots, &mut self.stack),
            Source::Switch(column) => match &**column {
                SwitchColumn::Active(acts) => f64::from(u8::from(*acts)),
                SwitchColumn::Above { expression, value } => {
                    let [expression, value] =
                        [expression, value].map(|program| program.evaluate(&self.slots, &mut self.stack));
                    f64::from(u8::from(expression > value))
                }
            },
        })
    }
}

/// Kinetic energy of all bodies \[J\].
pub(crate) fn kinetic_energy(mechanism: &Mechanism, poses: &[Pose]) -> f64 {
    let rigid: f64 = mechanism.bodies.iter().zip(poses).map(|(b, p)| b.kinetic_energy(p)).sum();
    rigid + mechanism.flexible.iter().map(|body| body.kinetic_energy(poses)).sum::<f64>()
}

/// Potential energy of gravity, springs, bushings and beams \[J\]; `poses` with the ground last.
pub(crate) fn potential_energy(mechanism: &Mechanism, state: &State, poses: &[Pose]) -> f64 {
    let gravity: f64 = mechanism.bodies.iter().zip(poses).map(|(b, p)| -b.mass * mechanism.gravity.dot(&p.x)).sum();
    gravity + Loads::potential(mechanism, state.time, poses, &state.angles)
}
