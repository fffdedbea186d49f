//! Time derivatives of measures, from accelerations: d/dt m(q, u) = m_q . u + m_u . u'.

use super::acceleration::Accelerations;
use crate::error::Error;
use crate::expression::{GRADIENT_WIDTH, Stack};
use crate::input::Inputs;
use crate::measure::{Kinematic, Source};
use crate::mechanism::Mechanism;
use crate::state::State;
use num_dual::DualSVec64;

/// Workspace that differentiates measures of positions and velocities, and expressions of these.
#[derive(Debug, Clone)]
pub struct Rates {
    accelerations: Accelerations,
    inputs: Inputs,
    known: Vec<bool>,
    /// Time, measured scalars, inputs, and their rates.
    values: Vec<f64>,
    rates: Vec<f64>,
    partials: Vec<f64>,
    stack: Stack<f64>,
    dual_stack: Stack<DualSVec64<GRADIENT_WIDTH>>,
}

impl Rates {
    /// Sets up the workspace at `state`.
    ///
    /// # Errors
    /// As [`Accelerations::new`].
    pub fn new(mechanism: &Mechanism, state: &State) -> Result<Self, Error> {
        let scalars = mechanism.measures.len();
        let mut known = vec![false; scalars];
        for &m in &mechanism.measure_order {
            known[m] = match &mechanism.measures[m].source {
                Source::Kinematic(_) => true,
                Source::State(k) => !mechanism.states[*k].implicit,
                // A slot beyond the measures is an input.
                Source::Expression(program) => program.slots().iter().all(|&s| s == 0 || s > scalars || known[s - 1]),
                Source::Acceleration { .. }
                | Source::Reaction(_)
                | Source::Energy(_)
                | Source::Body { .. }
                | Source::Load(_)
                | Source::Quaternion { .. }
                | Source::Switch(_) => false,
            };
        }
        let slots = scalars + 1 + mechanism.inputs.len();
        let width = mechanism.measure_programs().map(|program| program.slots().len()).max().unwrap_or(0);
        Ok(Self {
            accelerations: Accelerations::new(mechanism, state)?,
            inputs: Inputs::start(mechanism),
            known,
            values: vec![0.0; slots],
            rates: vec![0.0; slots],
            partials: vec![0.0; width],
            stack: Stack::for_programs(mechanism.measure_programs()),
            dual_stack: Stack::for_programs(mechanism.measure_programs()),
        })
    }

    /// Whether the rate of measured scalar `m` is known: it is for positions, velocities, angles, distances and expressions of them.
    #[must_use]
    pub fn known(&self, m: usize) -> bool {
        self.known.get(m).copied().unwrap_or(false)
    }

    /// Sets the inputs on which forces and expressions depend.
    pub fn set_inputs(&mut self, inputs: &Inputs) {
        self.inputs.clone_from(inputs);
        self.accelerations.inputs_mut().clone_from(inputs);
    }

    /// Rates of all measured scalars, in the order of [`Mechanism::measures`], at the positions and velocities of `state`; NaN where
    /// not [known](Self::known). Fills accelerations and multipliers of `state`. No contacts take part.
    ///
    /// # Errors
    /// As [`Accelerations::solve`].
    pub fn sample(&mut self, mechanism: &Mechanism, state: &mut State, rates: &mut [f64]) -> Result<(), Error> {
        self.accelerations.solve(mechanism, state)?;
        let first_input = mechanism.measures.len() + 1;
        (self.values[0], self.rates[0]) = (state.time, 1.0);
        for k in 0..self.inputs.len() {
            self.values[first_input + k] = self.inputs.value(k, state.time);
            self.rates[first_input + k] = self.inputs.rate(k, state.time);
        }
        for &m in &mechanism.measure_order {
            let (value, rate) = match &mechanism.measures[m].source {
                _ if !self.known[m] => (f64::NAN, f64::NAN),
                Source::Kinematic(kinematic) => self.kinematic(kinematic, state),
                Source::State(k) => {
                    (mechanism.states_in(&state.drives)[*k], self.accelerations.loads_mut().rate(mechanism, *k))
                }
                Source::Expression(program) => {
                    program.gradient(&self.values, &mut self.partials, &mut self.dual_stack);
                    let terms = program.slots().iter().zip(&self.partials);
                    let rate = terms.map(|(&slot, partial)| partial * self.rates[slot]).sum();
                    (program.evaluate(&self.values, &mut self.stack), rate)
                }
                Source::Acceleration { .. }
                | Source::Reaction(_)
                | Source::Energy(_)
                | Source::Body { .. }
                | Source::Load(_)
                | Source::Quaternion { .. }
                | Source::Switch(_) => (f64::NAN, f64::NAN),
            };
            (self.values[m + 1], self.rates[m + 1]) = (value, rate);
        }
        rates.copy_from_slice(&self.rates[1..first_input]);
        Ok(())
    }

    fn kinematic(&self, kinematic: &Kinematic, state: &State) -> (f64, f64) {
        let poses = &self.accelerations.poses;
        let mut rate = 0.0;
        for (body, (pose, [a, alpha])) in state.poses.iter().zip(&state.accelerations).enumerate() {
            if kinematic.depends_on(body) {
                let [by_x, by_turn, by_v, by_w] = kinematic.gradient(state.time, body, poses, &state.angles);
                rate += by_x.dot(&pose.v) + by_turn.dot(&pose.w) + by_v.dot(a) + by_w.dot(alpha);
            }
        }
        (kinematic.value(state.time, poses, &state.angles), rate)
    }
}
