//! Equations by expressions as an explicit system: it ends steps where rates jump in time, holds conditions over each step, and says what errors
//! are measured against.
//!
//! | symbol | meaning |
//! |---|---|
//! | way | largest distance of a state from its start so far: what its errors are relative to |
//! | reach | largest magnitude of a state so far |
//! | noise | round-off of a rate: eps (abs(f) + sum of abs(df/ds s)) over the variables that it uses, or its constants: the larger of both |
//!
//! The absolute tolerance is what round-off makes of a step: that of the state itself, h times that of its rate, and what those of other states
//! do to its rate. Nothing in it has a unit of its own.

use fourbar_coupling::partner::DrivenOde;
use fourbar_coupling::{Signal, Variable};
use fourbar_dae::integrator::{Direction, RootEvent};
use fourbar_dae::ode::Ode;
use fourbar_dae::{ErrorWeights, EvalError, Kind, Unknown};
use fourbar_expression::break_state::BreakState;
use fourbar_expression::{Conditions, GradientStack, Program, Stack};
use jumps::Jumps;
pub(super) use jumps::jumps_at;
use std::ops::Range;
use time_defect::Timed;

mod jumps;
mod time_defect;

/// Part of the way that errors are relative to, as for mechanisms: of an oscillation released from rest the amplitude is half the way, and local
/// errors add up besides.
const SHARE: f64 = 0.4;
/// Roundings that a step may make of a value: its six stages and their sum, each of a few.
const ROUND_OFF: f64 = 32.0 * f64::EPSILON;
/// How far round-off is followed from one state to the next: a velocity moves a position, an acceleration both.
const LINKS: usize = 3;
/// Steps for which sizes of terms stand, unless a state has gone twice as far since: they cost as much as two of the seven evaluations of a step.
const STANDING: usize = 8;

/// Slot of the time.
pub(super) const TIME: usize = 0;

/// A rate, and the conditions in it with their places among all.
struct Rate {
    name: String,
    source: String,
    program: Program,
    conditions: Conditions,
    places: Range<usize>,
}

impl Rate {
    /// Its value at `slots`, with its conditions among these held.
    fn value(&self, slots: &[f64], sides: &mut [f64], arguments: &mut [f64], stack: &mut Stack<f64>) -> f64 {
        if self.places.is_empty() {
            return self.program.evaluate_with(|slot| slots[slot], stack);
        }
        let mut held = self.conditions.hold(&mut sides[self.places.clone()], &mut arguments[self.places.clone()]);
        self.program.evaluate_held(|slot| slots[slot], &mut held, stack)
    }
}

/// The equations at work.
pub(in crate::coupled) struct System {
    variables: Vec<Variable>,
    unknowns: Vec<Unknown>,
    rates: Vec<Rate>,
    outputs: Vec<Program>,
    break_state: BreakState,
    /// Inputs and the time at which they were set \[s\]; none before the first exchange.
    signals: Vec<Signal>,
    set: Option<f64>,
    /// Time, inputs, states, constants of rates.
    slots: Vec<f64>,
    stack: Stack<f64>,
    gradients: GradientStack,
    partials: Vec<f64>,
    sides: Vec<f64>,
    arguments: Vec<f64>,
    /// Rates that are of no interest.
    aside: Vec<f64>,
    start: Vec<f64>,
    way: Vec<f64>,
    reach: Vec<f64>,
    scales: Scales,
    timed: Timed,
    jumps: Jumps,
}

/// What round-off does, at a point not long ago: it follows from the sizes of terms, which few steps change.
struct Scales {
    /// Steps until they are made anew.
    left: usize,
    /// The ways for which they were made.
    way: Vec<f64>,
    noise: Vec<f64>,
    /// abs(df_i/dx_j), rows of n entries.
    slopes: Vec<f64>,
    /// Longest step over which slopes carry round-off on \[s\]: beyond it the method would not be stable.
    longest: f64,
}

/// A rate that is to be followed.
pub(super) struct Law {
    pub(super) name: String,
    pub(super) source: String,
    pub(super) program: Program,
}

impl System {
    /// From variables (inputs, then outputs), the start of each state, its law, and the programs of outputs.
    pub(super) fn new(variables: Vec<Variable>, start: Vec<f64>, laws: Vec<Law>, outputs: Vec<Program>) -> Self {
        let n = start.len();
        let inputs = variables.len() - outputs.len();
        let breaks: Vec<_> = laws.iter().flat_map(|law| law.program.breaks(TIME)).collect();
        let mut count = 0;
        let (first, mut constants) = (1 + inputs + n, Vec::new());
        let rates: Vec<Rate> = laws
            .into_iter()
            .map(|Law { name, source, program }| {
                let conditions = program.conditions(TIME);
                let places = count..count + conditions.count();
                count = places.end;
                let program = program.with_constants_in_slots(first, &mut constants);
                Rate { name, source, program, conditions, places }
            })
            .collect();
        let programs = rates.iter().map(|rate| &rate.program);
        let unknown = Unknown { kind: Kind::STATE, error_tested: true, scale_power: 0, typical: 1.0 };
        Self {
            timed: Timed::new(rates.iter().map(|rate| rate.program.slots())),
            unknowns: vec![unknown; n],
            stack: Stack::for_programs(programs.clone().chain(&outputs)),
            gradients: GradientStack::new(programs.clone().map(Program::depth).max().unwrap_or(0)),
            partials: vec![0.0; programs.map(|program| program.slots().len()).max().unwrap_or(0)],
            break_state: BreakState::new(breaks.into()),
            jumps: Jumps::new(&outputs),
            signals: variables[..inputs].iter().map(|input| Signal::held(input.start)).collect(),
            set: None,
            slots: [vec![0.0; first], constants].concat(),
            sides: vec![f64::NAN; count],
            arguments: vec![0.0; count],
            aside: vec![0.0; n],
            way: vec![0.0; n],
            reach: start.iter().map(|x| x.abs()).collect(),
            scales: Scales {
                left: 0,
                way: vec![0.0; n],
                noise: vec![0.0; n],
                slopes: vec![0.0; n * n],
                longest: f64::INFINITY,
            },
            start,
            variables,
            rates,
            outputs,
        }
    }

    fn fill(&mut self, t: f64, time: f64, x: &[f64]) {
        let s = t - self.set.unwrap_or(t);
        self.slots[TIME] = time;
        for (slot, signal) in self.slots[1..].iter_mut().zip(&self.signals) {
            *slot = signal.at(s);
        }
        let first = 1 + self.signals.len();
        self.slots[first..][..x.len()].copy_from_slice(x);
    }

    /// Rates at (t, x), with conditions held.
    fn evaluate(&mut self, t: f64, x: &[f64], dx: &mut [f64]) -> Result<(), EvalError> {
        if self.set.is_none() {
            // Nothing is known of the inputs yet, and nothing asked of the rates.
            dx.fill(0.0);
            return Ok(());
        }
        self.fill(t, self.break_state.sided(t), x);
        let Self { rates, slots, stack, sides, arguments, .. } = self;
        for (rate, dx) in rates.iter().zip(dx) {
            *dx = rate.value(slots, sides, arguments, stack);
            if !dx.is_finite() {
                let element = format!("the rate of state \"{}\", {},", rate.name, rate.source);
                return Err(EvalError::Recoverable { element, time: t, reason: format!("its value is {dx}") });
            }
        }
        Ok(())
    }

    /// Evaluates for the sake of the conditions alone.
    fn try_out(&mut self, t: f64, x: &[f64]) -> Result<(), EvalError> {
        let mut aside = std::mem::take(&mut self.aside);
        let evaluated = self.evaluate(t, x, &mut aside);
        self.aside = aside;
        evaluated
    }

    /// Round-off of rates at the present point, and how it is carried on.
    fn scale(&mut self, t: f64, x: &[f64]) {
        self.fill(t, self.break_state.sided(t), x);
        let (n, first) = (x.len(), 1 + self.signals.len());
        let Self { rates, slots, gradients, partials, sides, arguments, scales, .. } = self;
        scales.slopes.fill(0.0);
        for (i, rate) in rates.iter().enumerate() {
            let mut held = rate.conditions.hold(&mut sides[rate.places.clone()], &mut arguments[rate.places.clone()]);
            let value = rate.program.gradient_held(slots, &mut held, partials, gradients);
            // Where terms cancel, variables and constants carry the same.
            let [mut variable, mut constant] = [0.0, 0.0];
            for (&slot, partial) in rate.program.slots().iter().zip(partials.iter()) {
                // Where a slope is infinite (the root of 0) its part is left to the error test.
                let slope = if partial.is_finite() { partial.abs() } else { 0.0 };
                let side = if slot < first + n { &mut variable } else { &mut constant };
                *side += slope * slots[slot].abs();
                if (first..first + n).contains(&slot) {
                    scales.slopes[i * n + slot - first] = slope;
                }
            }
            scales.noise[i] = ROUND_OFF * (value.abs() + f64::max(variable, constant));
        }
        let slope = |i: usize, j: usize| scales.slopes[i * n + j];
        let pairs = (0..n).flat_map(|i| (0..=i).map(move |j| (i, j)));
        let fastest = pairs.fold(0.0_f64, |max, (i, j)| max.max((slope(i, j) * slope(j, i)).sqrt()));
        scales.longest = if fastest > 0.0 { 1.0 / fastest } else { f64::INFINITY };
        scales.left = STANDING;
        scales.way.copy_from_slice(&self.way);
    }

    /// Whether the sizes of terms may be others by now.
    fn is_scale_due(&self) -> bool {
        let Scales { left, way, .. } = &self.scales;
        *left == 0 || self.way.iter().zip(way).any(|(now, then)| *now > 2.0 * then)
    }
}

impl Ode for System {
    fn dimension(&self) -> usize {
        self.unknowns.len()
    }

    fn unknowns(&self) -> &[Unknown] {
        &self.unknowns
    }

    fn unknown_name(&self, i: usize) -> String {
        format!("state \"{}\" with the rate {}", self.rates[i].name, self.rates[i].source)
    }

    fn rhs(&mut self, t: f64, y: &[f64], yp: &mut [f64]) -> Result<(), EvalError> {
        self.evaluate(t, y, yp)
    }

    fn next_break(&mut self, t: f64) -> f64 {
        self.break_state.from(t)
    }

    fn pass_break(&mut self, t: f64, _: &mut [f64]) -> Result<bool, EvalError> {
        let known = self.break_state.is_at(t);
        if known {
            self.break_state.pass(t);
            self.scales.left = 0;
        }
        Ok(known)
    }

    fn before_step(&mut self, t: f64, y: &mut [f64]) -> Result<bool, EvalError> {
        for (i, y) in y.iter().enumerate() {
            self.way[i] = self.way[i].max((y - self.start[i]).abs());
            self.reach[i] = self.reach[i].max(y.abs());
        }
        if self.is_scale_due() {
            self.scale(t, y);
        }
        self.scales.left -= 1;
        Ok(false)
    }

    fn weighs(&self) -> bool {
        true
    }

    fn weigh(&self, y: &[f64], weights: &mut ErrorWeights<'_>) {
        let (n, Scales { noise, slopes, longest, .. }) = (y.len(), &self.scales);
        let h = weights.step.min(*longest);
        for i in 0..n {
            weights.sizes[i] = SHARE * self.way[i];
            weights.absolute[i] = ROUND_OFF * self.reach[i] + h * noise[i];
        }
        for _ in 1..LINKS {
            for i in 0..n {
                let others = (0..n).filter(|&j| j != i);
                let carried: f64 = others.map(|j| slopes[i * n + j] * weights.absolute[j]).sum();
                weights.absolute[i] = weights.absolute[i].max(h * carried);
            }
        }
    }

    fn defect(&mut self, t: f64, h: f64, y: &[f64], errors: &mut [f64]) {
        self.defect_of_time(t, h, y, errors);
    }

    fn watched_count(&self) -> usize {
        self.sides.len()
    }

    fn watched_name(&self, k: usize) -> String {
        match self.rates.iter().find(|rate| rate.places.contains(&k)) {
            Some(rate) => {
                let what = rate.conditions.name(k - rate.places.start);
                format!("{what} in the rate of state \"{}\", {},", rate.name, rate.source)
            }
            None => format!("condition {k}"),
        }
    }

    fn watched_function(&self, k: usize) -> usize {
        self.rates.iter().position(|rate| rate.places.contains(&k)).unwrap_or(k)
    }

    fn watch(&mut self, t: f64, y: &[f64], arguments: &mut [f64]) -> Result<(), EvalError> {
        self.arguments.fill(0.0);
        self.try_out(t, y)?;
        arguments.copy_from_slice(&self.arguments);
        Ok(())
    }

    fn expected_sign(&self, k: usize) -> Option<i8> {
        let rate = self.rates.iter().find(|rate| rate.places.contains(&k))?;
        rate.conditions.expected(k - rate.places.start, self.sides[k])
    }

    fn choose_sides(&mut self, t: f64, y: &[f64]) -> Result<(), EvalError> {
        self.sides.fill(f64::NAN);
        self.try_out(t, y)
    }

    fn switch(&mut self, _: f64, _: &mut [f64], events: &[RootEvent]) -> Result<bool, EvalError> {
        let mut turned = false;
        for event in events {
            let Some(rate) = self.rates.iter().find(|rate| rate.places.contains(&event.index)) else { continue };
            let sides = &mut self.sides[rate.places.clone()];
            let rises = event.direction == Direction::Rising;
            turned |= rate.conditions.turn(event.index - rate.places.start, rises, sides);
        }
        self.scales.left = 0;
        Ok(turned)
    }

    fn save(&self, store: &mut Vec<f64>) {
        store.extend(self.break_state.saved());
        store.push(self.timed.steps());
        let Scales { left, way, noise, slopes, longest } = &self.scales;
        store.extend([*left as f64, *longest]);
        for list in [&self.sides, &self.way, &self.reach, way, noise, slopes] {
            store.extend_from_slice(list);
        }
    }

    fn restore(&mut self, store: &[f64]) -> Result<(), EvalError> {
        let n = self.unknowns.len();
        if store.len() != 6 + self.sides.len() + (4 + n) * n {
            let element = "the equations".to_owned();
            let reason = "what was saved belongs to other equations".to_owned();
            return Err(EvalError::Fatal { element, time: f64::NAN, reason });
        }
        let (numbers, mut rest) = store.split_at(6);
        self.break_state.restore([numbers[0], numbers[1], numbers[2]]);
        self.timed.set_steps(numbers[3]);
        let Scales { left, way, noise, slopes, longest } = &mut self.scales;
        (*left, *longest) = (numbers[4] as usize, numbers[5]);
        for list in [&mut self.sides, &mut self.way, &mut self.reach, way, noise, slopes] {
            let (own, others) = rest.split_at(list.len());
            list.copy_from_slice(own);
            rest = others;
        }
        Ok(())
    }
}

impl DrivenOde for System {
    fn variables(&self) -> Vec<Variable> {
        self.variables.clone()
    }

    fn drive(&mut self, t: f64, inputs: &[Signal]) {
        if inputs.iter().zip(&self.signals).any(|(now, then)| now.value.abs() > 2.0 * then.value.abs()) {
            self.scales.left = 0;
        }
        self.signals.copy_from_slice(inputs);
        self.set = Some(t);
    }

    fn next_jump(&self, t: f64) -> f64 {
        self.jumps.next(t)
    }

    fn follow(&mut self, before: &Self) {
        self.start.clone_from(&before.start);
        self.way.clone_from(&before.way);
        self.reach.clone_from(&before.reach);
        self.scales.left = 0;
    }

    /// Functions of time are looked at before the run.
    fn is_watched(&self, output: usize) -> bool {
        self.outputs[output].slots() != [TIME]
    }

    fn observe(&mut self, t: f64, y: &[f64], values: &mut [f64]) -> Result<(), EvalError> {
        self.fill(t, self.jumps.behind(t), y);
        let Self { outputs, slots, stack, .. } = self;
        for (value, program) in values.iter_mut().zip(outputs) {
            *value = program.evaluate(slots, stack);
        }
        Ok(())
    }
}
