//! The unknowns of the user as forces see them: their values, the right-hand sides f of x' = f or 0 = f, and the derivatives of these.

use super::Loads;
use crate::dae::EvalError;
use crate::measure::{BodyGradient, Source};
use crate::mechanism::{Mechanism, Value};
use crate::space::Pose;
use crate::state::Tracked;
use nalgebra::{DMatrix, DVector};

/// Iterations for unknowns with an equation 0 = f: some ten from a guess of the right kind, more where steps are halved.
const ITERATIONS: usize = 100;
/// Halvings of a step of Newton's iteration: with more the guess was none.
const HALVINGS: i32 = 30;
/// Change of an unknown, relative to its size, at which the iteration is done.
const SETTLED: f64 = 8.0 * f64::EPSILON;

/// By which bodies and by which unknowns of the user something changes, and how much.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Gradient<'a> {
    pub(crate) bodies: &'a [usize],
    pub(crate) by_bodies: &'a [BodyGradient],
    pub(crate) states: &'a [usize],
    pub(crate) by_states: &'a [f64],
}

/// Which unknowns of the user are solved for, and from what.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Solve<'a> {
    /// Those with an equation 0 = f, at the values of the others.
    Implicit,
    /// All, at rest.
    Steady,
    /// All, in a stage of a step: x = `base` + `h` f(x) of those with x' = f.
    Stage { base: &'a [f64], h: f64 },
}

impl Solve<'_> {
    /// f, or what it is less than the rate that the stage asks for.
    fn rest(&self, k: usize, is_implicit: bool, x: f64, f: f64) -> f64 {
        match self {
            Self::Stage { base, h } if !is_implicit => f - (x - base[k]) / h,
            _ => f,
        }
    }

    /// What besides its values unknown `k` is as large as.
    fn size(&self, k: usize) -> f64 {
        if let Self::Stage { base, .. } = self { base[k].abs() } else { 0.0 }
    }

    fn slope(&self, is_implicit: bool) -> f64 {
        match self {
            Self::Stage { h, .. } if !is_implicit => -1.0 / h,
            _ => 0.0,
        }
    }

    /// What to say where there is no solution.
    fn without(&self) -> &'static str {
        match self {
            Self::Implicit => {
                "no value was found at which `zero` is zero; give a `start` near to it, or look whether one exists"
            }
            Self::Steady => {
                "no value was found at which it stays; look whether one exists (an integral of an error has none by itself)"
            }
            Self::Stage { .. } => {
                "no value was found at the end of the step; take a shorter one, or look whether its equation has a solution"
            }
        }
    }
}

impl Loads {
    /// Sets the values of the unknowns; `states` may be empty where none are known yet.
    pub(crate) fn set_states(&mut self, states: &[f64]) {
        if states.len() == self.states.len() {
            self.states.copy_from_slice(states);
        }
    }

    /// Their values.
    pub(crate) fn states(&self) -> &[f64] {
        &self.states
    }

    /// f of unknown `k` at the point that was evaluated last.
    pub(crate) fn rate(&self, mechanism: &Mechanism, k: usize) -> f64 {
        self.values[mechanism.states[k].program]
    }

    /// Rates of all unknowns at that point, 0 of those with an equation 0 = f.
    pub(crate) fn rates(&self, mechanism: &Mechanism, rates: &mut [f64]) {
        for (k, (rate, state)) in rates.iter_mut().zip(&mechanism.states).enumerate() {
            *rate = if state.implicit { 0.0 } else { self.rate(mechanism, k) };
        }
    }

    /// Derivatives of program `p` at the point that was linearized last.
    pub(crate) fn gradient<'a>(&'a self, mechanism: &'a Mechanism, p: usize) -> Gradient<'a> {
        let bound = &mechanism.programs[p];
        Gradient {
            bodies: &bound.bodies,
            by_bodies: &self.program_gradients[p],
            states: &bound.states,
            by_states: &self.program_by_states[p],
        }
    }

    /// Derivatives of the measures that forces use by the unknowns, each in the order of [`Mechanism::measure_states`]; measures are in the order
    /// of their evaluation.
    pub(super) fn measures_by_states(&mut self, mechanism: &Mechanism) {
        if mechanism.states.is_empty() {
            return;
        }
        for (at, &m) in mechanism.force_measures.iter().enumerate() {
            let mut by = std::mem::take(&mut self.measure_by_states[at]);
            match &mechanism.measures[m].source {
                Source::State(_) => by.fill(1.0),
                Source::Expression(program) if !by.is_empty() => {
                    by.fill(0.0);
                    self.gradient_of(program, mechanism.watched.of_measure(at));
                    let partials = program.slots().iter().zip(&self.partials);
                    self.add_by_states(mechanism, partials, &mechanism.measure_states[at], &mut by);
                }
                _ => {}
            }
            self.measure_by_states[at] = by;
        }
    }

    /// Derivatives of program `p` by the unknowns, those of the measures being known.
    pub(super) fn program_by_states(&mut self, mechanism: &Mechanism, p: usize) {
        let bound = &mechanism.programs[p];
        if bound.states.is_empty() {
            return;
        }
        let mut by = std::mem::take(&mut self.program_by_states[p]);
        by.fill(0.0);
        match &bound.value {
            Value::Program(program) => {
                self.gradient_of(program, mechanism.watched.of_program(p));
                self.add_by_states(mechanism, program.slots().iter().zip(&self.partials), &bound.states, &mut by);
            }
            &Value::Host { element, component } => {
                let host = &mechanism.host_forces[element];
                let partials = self.host_partials[element].iter().skip(component).step_by(host.count);
                self.add_by_states(mechanism, host.slots.iter().zip(partials), &bound.states, &mut by);
            }
            // Depends on the bodies alone.
            Value::Elastic { .. } => {}
        }
        self.program_by_states[p] = by;
    }

    fn add_by_states<'a>(
        &self,
        mechanism: &Mechanism,
        partials: impl Iterator<Item = (&'a usize, &'a f64)>,
        states: &[usize],
        out: &mut [f64],
    ) {
        for (&slot, &partial) in partials {
            let Some(at) = slot.checked_sub(1).and_then(|m| mechanism.force_measure_place(m)) else { continue };
            for (by, gradient) in mechanism.measure_states[at].iter().zip(&self.measure_by_states[at]) {
                if let Ok(k) = states.binary_search(by) {
                    out[k] += partial * gradient;
                }
            }
        }
    }

    /// Solves for the unknowns that `solve` names, from the values that they have, by Newton's iteration with steps that are halved until what
    /// is left of the next one is less (Deuflhard, Newton Methods for Nonlinear Problems, 2004, section 3.3).
    ///
    /// # Errors
    /// [`EvalError::Recoverable`] naming an unknown whose equation has no solution in reach.
    pub(crate) fn settle(
        &mut self,
        mechanism: &Mechanism,
        t: f64,
        poses: &[Pose],
        tracked: &[Tracked],
        solve: Solve<'_>,
    ) -> Result<(), EvalError> {
        let all = !matches!(solve, Solve::Implicit);
        let sought: Vec<usize> = (0..mechanism.states.len()).filter(|&k| all || mechanism.states[k].implicit).collect();
        if sought.is_empty() {
            return Ok(());
        }
        self.evaluate(mechanism, t, poses, tracked)?;
        for _ in 0..ITERATIONS {
            let lu = self.jacobian_of(mechanism, &sought, solve).lu();
            let step = |own: &Self| lu.solve(&own.rests(mechanism, &sought, solve));
            let usable = |step: &DVector<f64>| step.iter().all(|value| value.is_finite());
            let Some(first) = step(self).filter(usable) else { break };
            let before = self.states.clone();
            let size = |own: &Self, step: &DVector<f64>| {
                let parts = step
                    .iter()
                    .zip(&sought)
                    .map(|(step, &k)| step.abs() / own.states[k].abs().max(before[k].abs()).max(solve.size(k)));
                // Of an unknown that is zero and stays so there is nothing left.
                parts.filter(|part| !part.is_nan()).fold(0.0, f64::max)
            };
            let mut factor = 1.0;
            let mut found = false;
            for _ in 0..HALVINGS {
                for (&k, step) in sought.iter().zip(first.iter()) {
                    self.states[k] = before[k] - factor * step;
                }
                let evaluated = self.evaluate(mechanism, t, poses, tracked).is_ok();
                let left = step(self).filter(usable);
                found = evaluated && left.is_some_and(|left| left.norm() <= (1.0 - 0.25 * factor) * first.norm());
                let moved = size(self, &(&first * factor));
                if moved <= SETTLED {
                    return self.evaluate(mechanism, t, poses, tracked);
                }
                if found {
                    break;
                }
                factor *= 0.5;
            }
            if !found {
                break;
            }
        }
        let names: Vec<String> = sought.iter().map(|&k| format!("\"{}\"", mechanism.states[k].name)).collect();
        Err(EvalError::Recoverable {
            element: format!("state {}", names.join(", ")),
            time: t,
            reason: solve.without().to_owned(),
        })
    }

    /// What is to be zero of the unknowns in `sought`.
    fn rests(&self, mechanism: &Mechanism, sought: &[usize], solve: Solve<'_>) -> DVector<f64> {
        let rest = |&k: &usize| solve.rest(k, mechanism.states[k].implicit, self.states[k], self.rate(mechanism, k));
        DVector::from_iterator(sought.len(), sought.iter().map(rest))
    }

    /// Its derivatives by the unknowns in `sought`, at the point that was evaluated last.
    fn jacobian_of(&mut self, mechanism: &Mechanism, sought: &[usize], solve: Solve<'_>) -> DMatrix<f64> {
        self.measures_by_states(mechanism);
        let mut matrix = DMatrix::zeros(sought.len(), sought.len());
        for (row, &k) in sought.iter().enumerate() {
            let p = mechanism.states[k].program;
            self.program_by_states(mechanism, p);
            for (by, value) in mechanism.programs[p].states.iter().zip(&self.program_by_states[p]) {
                if let Ok(column) = sought.binary_search(by) {
                    matrix[(row, column)] = *value;
                }
            }
            matrix[(row, row)] += solve.slope(mechanism.states[k].implicit);
        }
        matrix
    }
}
