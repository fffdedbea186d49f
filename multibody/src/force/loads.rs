//! All forces of a mechanism at one state: wrenches on the bodies, and their derivatives as matrix entries.

mod elements;
mod energy;
mod entries;
mod holding;
mod rounding;
mod states;
mod unit;

pub use elements::ElementLoad;
pub(crate) use states::Solve;

use super::watched::Holding;
use super::{Line, ScalarLaw};
use crate::break_state::BreakState;
use crate::constraint::{Curvature, Row};
use crate::dae::EvalError;
use crate::expression::{Conditions, GRADIENT_WIDTH, Program, Stack};
use crate::input::Inputs;
use crate::measure::{BodyGradient, Source};
use crate::mechanism::{Mechanism, Value};
use crate::space::{Pose, V3};
use crate::state::Tracked;
use num_dual::DualSVec64;

/// Scratch for the evaluation of forces.
#[derive(Debug, Clone)]
pub struct Loads {
    /// Slot 0 is time, slot k + 1 measured scalar k; inputs follow.
    slots: Vec<f64>,
    inputs: Inputs,
    /// Values of the unknowns of the user.
    states: Vec<f64>,
    break_state: BreakState,
    holding: Holding,
    values: Vec<f64>,
    stack: Stack<f64>,
    dual_stack: Stack<DualSVec64<GRADIENT_WIDTH>>,
    partials: Vec<f64>,
    /// Gradients of the measures that forces use, and of the programs, each by the bodies it depends on.
    measure_gradients: Vec<Vec<BodyGradient>>,
    program_gradients: Vec<Vec<BodyGradient>>,
    /// The same by the unknowns of the user that each depends on.
    measure_by_states: Vec<Vec<f64>>,
    program_by_states: Vec<Vec<f64>>,
    lines: Vec<LineState>,
    /// Arguments of a host force, and the partial derivatives of each, its components running fastest.
    arguments: Vec<f64>,
    host_partials: Vec<Vec<f64>>,
    terms: rounding::Terms,
}

#[derive(Debug, Clone)]
struct LineState {
    force: f64,
    wrenches: [[V3; 2]; 2],
    curvature: Curvature,
    /// Gradient of a spring's force by I and J.
    gradients: [BodyGradient; 2],
}

impl Loads {
    /// Scratch for `mechanism`.
    #[must_use]
    pub fn new(mechanism: &Mechanism) -> Self {
        let own = mechanism.programs.iter().filter_map(|bound| match &bound.value {
            Value::Program(program) => Some(program),
            Value::Host { .. } | Value::Elastic { .. } => None,
        });
        let all = || own.clone().chain(mechanism.measure_programs());
        let hosts = &mechanism.host_forces;
        let width = all().map(|p| p.slots().len()).max().unwrap_or(0);
        let zero: BodyGradient = [V3::zeros(); 4];
        Self {
            slots: vec![0.0; mechanism.measures.len() + 1 + mechanism.inputs.len()],
            inputs: Inputs::start(mechanism),
            states: mechanism.states.iter().map(|state| state.start).collect(),
            break_state: BreakState::new(std::sync::Arc::clone(&mechanism.breaks)),
            holding: Holding::default(),
            values: vec![0.0; mechanism.programs.len()],
            stack: Stack::for_programs(all()),
            dual_stack: Stack::for_programs(all()),
            partials: vec![0.0; width],
            measure_gradients: mechanism.measure_bodies.iter().map(|b| vec![zero; b.len()]).collect(),
            program_gradients: mechanism.programs.iter().map(|p| vec![zero; p.bodies.len()]).collect(),
            measure_by_states: mechanism.measure_states.iter().map(|s| vec![0.0; s.len()]).collect(),
            program_by_states: mechanism.programs.iter().map(|p| vec![0.0; p.states.len()]).collect(),
            arguments: vec![0.0; hosts.iter().map(|host| host.slots.len()).max().unwrap_or(0)],
            terms: rounding::Terms::new(mechanism),
            host_partials: hosts.iter().map(|host| vec![0.0; host.count * host.slots.len()]).collect(),
            lines: vec![
                LineState {
                    force: 0.0,
                    wrenches: [[V3::zeros(); 2]; 2],
                    curvature: Curvature::zero(),
                    gradients: [zero; 2],
                };
                mechanism.scalar_forces.len()
            ],
        }
    }

    /// The inputs.
    pub fn inputs(&self) -> &Inputs {
        &self.inputs
    }

    /// The inputs, to set them.
    pub fn inputs_mut(&mut self) -> &mut Inputs {
        &mut self.inputs
    }

    /// Where the run stands among the breaks of forces and motions.
    pub fn break_state(&self) -> &BreakState {
        &self.break_state
    }

    /// The same, to go on.
    pub fn break_state_mut(&mut self) -> &mut BreakState {
        &mut self.break_state
    }

    /// Evaluates the measures that forces depend on, and all programs.
    fn evaluate(
        &mut self,
        mechanism: &Mechanism,
        t: f64,
        poses: &[Pose],
        tracked: &[Tracked],
    ) -> Result<(), EvalError> {
        self.slots[0] = self.break_state.sided(t);
        self.inputs.write(t, &mut self.slots[mechanism.measures.len() + 1..]);
        for (at, &m) in mechanism.force_measures.iter().enumerate() {
            self.slots[m + 1] = match &mechanism.measures[m].source {
                Source::Kinematic(k) => k.value(t, poses, tracked),
                Source::State(k) => self.states[*k],
                Source::Expression(program) => self.value_of(program, mechanism.watched.of_measure(at)),
                // Refused when the model is compiled.
                Source::Acceleration { .. }
                | Source::Reaction(_)
                | Source::Energy(_)
                | Source::Body { .. }
                | Source::Load(_)
                | Source::Quaternion { .. }
                | Source::Switch(_) => f64::NAN,
            };
        }
        for (p, bound) in mechanism.programs.iter().enumerate() {
            let Value::Program(program) = &bound.value else { continue };
            let value = self.value_of(program, mechanism.watched.of_program(p));
            self.values[p] = value;
            if !value.is_finite() {
                return Err(EvalError::Recoverable {
                    element: mechanism.program_owner(p),
                    time: t,
                    reason: format!("its expression gives {value}"),
                });
            }
        }
        for host in &mechanism.host_forces {
            let arguments = &mut self.arguments[..host.slots.len()];
            arguments.iter_mut().zip(&host.slots).for_each(|(argument, &slot)| *argument = self.slots[slot]);
            host.evaluate(t, arguments, &mut self.values[host.first..host.first + host.count])?;
        }
        for force in &mechanism.elastic_forces {
            let value = force.value(t, poses, tracked);
            self.values[force.first..force.first + 6].copy_from_slice(value.as_slice());
        }
        Ok(())
    }

    /// Values of `programs` at another time, everything else as at the last evaluation.
    pub(crate) fn timed(
        &mut self,
        mechanism: &Mechanism,
        t: f64,
        programs: impl Iterator<Item = usize>,
        values: &mut [f64],
    ) {
        if values.is_empty() {
            return;
        }
        self.slots[0] = self.break_state.sided(t);
        for k in 0..mechanism.timed_places.len() {
            let at = mechanism.timed_places[k];
            let m = mechanism.force_measures[at];
            if let Source::Expression(program) = &mechanism.measures[m].source {
                self.slots[m + 1] = self.value_of(program, mechanism.watched.of_measure(at));
            }
        }
        for (value, p) in values.iter_mut().zip(programs) {
            if let Value::Program(program) = &mechanism.programs[p].value {
                *value = self.value_of(program, mechanism.watched.of_program(p));
            }
        }
    }

    /// Partial derivatives of the host forces.
    fn linearize_hosts(&mut self, mechanism: &Mechanism, t: f64) -> Result<(), EvalError> {
        for (host, partials) in mechanism.host_forces.iter().zip(&mut self.host_partials) {
            let arguments = &mut self.arguments[..host.slots.len()];
            arguments.iter_mut().zip(&host.slots).for_each(|(argument, &slot)| *argument = self.slots[slot]);
            host.linearize(t, arguments, partials)?;
        }
        Ok(())
    }

    /// Adds the wrenches of all forces to `wrenches`, one (force, torque about the centre of mass) a body, the ground last.
    ///
    /// # Errors
    /// [`EvalError::Recoverable`] if an expression is not finite.
    pub fn apply(
        &mut self,
        mechanism: &Mechanism,
        t: f64,
        poses: &[Pose],
        tracked: &[Tracked],
        wrenches: &mut [[V3; 2]],
    ) -> Result<(), EvalError> {
        if !mechanism.is_loaded() {
            return Ok(());
        }
        self.evaluate(mechanism, t, poses, tracked)?;
        for force in &mechanism.scalar_forces {
            let (i, j) = force.line.bodies();
            let row = force.line.row(t, poses, tracked);
            let f = self.size(&force.law, row.phi, row.rate(&poses[i], &poses[j]));
            Self::add_line(&row, (i, j), f, wrenches);
        }
        for force in &mechanism.vector_forces {
            let value = self.vector(force, poses);
            Self::add_vector(force, value, poses, wrenches);
        }
        mechanism.flexible.iter().for_each(|body| body.apply(poses, &mechanism.gravity, wrenches));
        Ok(())
    }

    /// Adds a force of size `f` along a line between bodies.
    pub(super) fn add_line(row: &Row, (i, j): (usize, usize), f: f64, wrenches: &mut [[V3; 2]]) {
        wrenches[i][0] += row.g * f;
        wrenches[i][1] += row.gi * f;
        wrenches[j][0] -= row.g * f;
        wrenches[j][1] += row.gj * f;
    }

    /// Adds a force or torque of the given value in global axes.
    fn add_vector(force: &super::VectorForce, value: V3, poses: &[Pose], wrenches: &mut [[V3; 2]]) {
        let (i, j) = (force.i.body, force.reaction);
        if force.torque {
            wrenches[i][1] += value;
            wrenches[j][1] -= value;
        } else {
            let arm = force.i.arm(poses);
            wrenches[i][0] += value;
            wrenches[i][1] += arm.cross(&value);
            wrenches[j][0] -= value;
            wrenches[j][1] -= (poses[i].x + arm - poses[j].x).cross(&value);
        }
    }

    fn size(&self, law: &ScalarLaw, l: f64, rate: f64) -> f64 {
        match *law {
            ScalarLaw::Spring { stiffness, damping, free, preload } => {
                preload - stiffness * (l - free) - damping * rate
            }
            ScalarLaw::Program(p) => self.values[p],
        }
    }

    fn vector(&self, force: &super::VectorForce, poses: &[Pose]) -> V3 {
        force.frame.axes(poses) * V3::from(force.programs.map(|p| self.values[p]))
    }

    /// Evaluates what [`Loads::emit`] needs.
    ///
    /// # Errors
    /// [`EvalError::Recoverable`] if an expression is not finite.
    pub fn linearize(
        &mut self,
        mechanism: &Mechanism,
        t: f64,
        poses: &[Pose],
        tracked: &[Tracked],
    ) -> Result<(), EvalError> {
        if !mechanism.is_loaded() {
            return Ok(());
        }
        self.evaluate(mechanism, t, poses, tracked)?;
        self.measure_gradients(mechanism, t, poses, tracked);
        self.measures_by_states(mechanism);
        self.linearize_hosts(mechanism, t)?;
        for (p, bound) in mechanism.programs.iter().enumerate() {
            let mut gradients = std::mem::take(&mut self.program_gradients[p]);
            match &bound.value {
                Value::Program(program) => {
                    let conditions = mechanism.watched.of_program(p);
                    self.chain(mechanism, program, conditions, &bound.bodies, &mut gradients);
                }
                &Value::Host { element, component } => {
                    gradients.fill([V3::zeros(); 4]);
                    let host = &mechanism.host_forces[element];
                    let partials = self.host_partials[element].iter().skip(component).step_by(host.count);
                    self.add_gradients(mechanism, host.slots.iter().zip(partials), &bound.bodies, &mut gradients);
                }
                // All six at once, below.
                Value::Elastic { .. } => {}
            }
            self.program_gradients[p] = gradients;
            self.program_by_states(mechanism, p);
        }
        for force in &mechanism.elastic_forces {
            for (at, &body) in force.bodies.iter().enumerate() {
                let gradients = force.gradients(t, body, poses, tracked);
                gradients.into_iter().enumerate().for_each(|(k, g)| self.program_gradients[force.first + k][at] = g);
            }
        }
        for (k, force) in mechanism.scalar_forces.iter().enumerate() {
            self.linearize_line(k, &force.line, &force.law, t, poses, tracked);
        }
        Ok(())
    }

    fn measure_gradients(&mut self, mechanism: &Mechanism, t: f64, poses: &[Pose], tracked: &[Tracked]) {
        for (at, &m) in mechanism.force_measures.iter().enumerate() {
            let bodies = &mechanism.measure_bodies[at];
            let mut gradients = std::mem::take(&mut self.measure_gradients[at]);
            match &mechanism.measures[m].source {
                Source::Kinematic(k) => {
                    for (gradient, &body) in gradients.iter_mut().zip(bodies) {
                        *gradient = k.gradient(t, body, poses, tracked);
                    }
                }
                Source::Expression(program) => {
                    self.chain(mechanism, program, mechanism.watched.of_measure(at), bodies, &mut gradients);
                }
                Source::Acceleration { .. }
                | Source::Reaction(_)
                | Source::Energy(_)
                | Source::Body { .. }
                | Source::Load(_)
                | Source::State(_)
                | Source::Quaternion { .. }
                | Source::Switch(_) => {}
            }
            self.measure_gradients[at] = gradients;
        }
    }

    /// Gradient of a program by the bodies its measures depend on.
    fn chain(
        &mut self,
        mechanism: &Mechanism,
        program: &Program,
        conditions: &(Conditions, usize),
        bodies: &[usize],
        out: &mut [BodyGradient],
    ) {
        out.fill([V3::zeros(); 4]);
        self.gradient_of(program, conditions);
        self.add_gradients(mechanism, program.slots().iter().zip(&self.partials), bodies, out);
    }

    /// Adds the gradients of the measures in slots times partial derivatives by them.
    fn add_gradients<'a>(
        &self,
        mechanism: &Mechanism,
        partials: impl Iterator<Item = (&'a usize, &'a f64)>,
        bodies: &[usize],
        out: &mut [BodyGradient],
    ) {
        for (&slot, &partial) in partials {
            let Some(at) = slot.checked_sub(1).and_then(|m| mechanism.force_measure_place(m)) else { continue };
            for (by, gradient) in mechanism.measure_bodies[at].iter().zip(&self.measure_gradients[at]) {
                if let Ok(k) = bodies.binary_search(by) {
                    for (sum, part) in out[k].iter_mut().zip(gradient) {
                        *sum += part * partial;
                    }
                }
            }
        }
    }

    fn linearize_line(&mut self, k: usize, line: &Line, law: &ScalarLaw, t: f64, poses: &[Pose], tracked: &[Tracked]) {
        let (i, j) = line.bodies();
        let row = line.row(t, poses, tracked);
        let rate = row.rate(&poses[i], &poses[j]);
        let force = self.size(law, row.phi, rate);
        let state = &mut self.lines[k];
        state.force = force;
        state.wrenches = [[row.g, row.gi], [-row.g, row.gj]];
        line.curvature(poses, &mut state.curvature);
        if let ScalarLaw::Spring { stiffness, damping, .. } = *law {
            let h = state.curvature.rate_gradient(line.mask(), &poses[i], &poses[j]);
            let by = |sign: f64, turn: &V3, h_turn: &V3| {
                [
                    (row.g * -stiffness - h[0] * damping) * sign,
                    turn * -stiffness - h_turn * damping,
                    row.g * (-damping * sign),
                    turn * -damping,
                ]
            };
            state.gradients = [by(1.0, &row.gi, &h[1]), by(-1.0, &row.gj, &h[2])];
        }
    }
}
