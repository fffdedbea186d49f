//! A linear system of a model file as a simulator: inputs of the type `external` come from its partners, the others are its own.
//!
//! The state is carried without error of integration through inputs that are polynomials: those from outside are such, its own signals
//! become parabolas through three points of each solver step. Where a signal jumps or bends, a solver step ends.

use crate::linear::{Equations, Input, LinearModel, LinearSystem, Side, Stepping, Tap};
use fourbar_coupling::partner::Linear;
use fourbar_coupling::{Capabilities, Description, Failure, Signal, Simulator, Snapshot, Variable};
use fourbar_lti::StateSpace;
use fourbar_multibody::expression::Stack;
use fourbar_multibody::{Location, ModelError};

/// A linear system between two communication points.
pub(super) struct LinearPartner {
    system: LinearSystem,
    inner: Linear,
    variables: Vec<Variable>,
    /// Position among all inputs of each one from outside.
    external: Vec<usize>,
    /// Those inputs about the present time.
    given: Vec<Signal>,
    /// All inputs.
    signals: Vec<Signal>,
    /// Longest solver step \[s\].
    longest: f64,
    /// Times at which signals jump or bend, in order.
    breaks: Vec<f64>,
    time: f64,
    rows: Vec<f64>,
    /// The time, then the columns.
    slots: Vec<f64>,
    stack: Stack<f64>,
}

/// Time and state of the system.
#[derive(Default)]
struct Saved {
    time: f64,
    inner: Snapshot,
}

impl LinearPartner {
    pub(super) fn new(model: &LinearModel) -> Result<Self, Box<ModelError>> {
        let system = LinearSystem::compile(model)?;
        let stepping = Stepping::new(model, &crate::linear::LinearSettings::default())?;
        let Equations::Dense(equations) = &system.equations else {
            let place = Location { section: "diffusion", index: 0, name: String::new(), field: String::new() };
            let remedy = "write it as [state_space] or as [[block]] entries";
            return Err(ModelError::new(place, "a sparse system cannot be coupled", remedy));
        };
        let inputs = model.inputs.iter().enumerate();
        let external: Vec<usize> =
            inputs.filter(|(_, input)| matches!(input, Input::External(_))).map(|(index, _)| index).collect();
        let variables = variables(model, &system, equations, &external);
        let inner = Linear::new(equations.clone(), unnamed(equations), &system.initial)
            .expect("as many variables as the matrices have");
        let mut breaks: Vec<f64> = system.signals.iter().flat_map(crate::linear::Signal::breaks).collect();
        breaks.extend(&stepping.stop_times);
        breaks.sort_by(f64::total_cmp);
        breaks.dedup();
        let formulas = system.taps.iter().filter_map(|tap| match tap {
            Tap::Formula(program) => Some(program),
            _ => None,
        });
        let mut partner = Self {
            inner,
            given: external.iter().map(|&i| Signal::held(held(&system, i))).collect(),
            signals: vec![Signal::default(); system.signals.len()],
            variables,
            external,
            longest: stepping.step.unwrap_or(f64::INFINITY),
            breaks,
            time: 0.0,
            rows: vec![0.0; equations.outputs()],
            slots: vec![0.0; 1 + system.taps.len()],
            stack: Stack::for_programs(formulas.chain(programs(&system))),
            system,
        };
        partner.pass_inputs(0.0, 0.0).expect("held inputs are accepted");
        Ok(partner)
    }

    /// Hands the inputs of [`since`, `since` + `h`] to the system; those from outside were given at the present time.
    fn pass_inputs(&mut self, since: f64, h: f64) -> Result<(), Failure> {
        let (signals, stack) = (&self.system.signals, &mut self.stack);
        for (signal, own) in self.signals.iter_mut().zip(signals) {
            let before = own.value(since, Side::After, stack);
            *signal = if h > 0.0 {
                let (mid, after) =
                    (own.value(since + 0.5 * h, Side::At, stack), own.value(since + h, Side::Before, stack));
                let (first, second) = (4.0 * mid - 3.0 * before - after, 4.0 * (before - 2.0 * mid + after));
                Signal { value: before, first: first / h, second: second / (h * h) }
            } else {
                Signal::held(before)
            };
        }
        let s = since - self.time;
        for (&i, given) in self.external.iter().zip(&self.given) {
            self.signals[i] =
                Signal { value: given.at(s), first: given.first + s * given.second, second: given.second };
        }
        self.inner.set_inputs(&self.signals)
    }

    /// From `from` to `to` in equal solver steps.
    fn carry(&mut self, from: f64, to: f64) -> Result<(), Failure> {
        let steps = ((to - from) / self.longest - 1e-9).ceil().max(1.0);
        let h = (to - from) / steps;
        for k in 0..steps as u64 {
            let begin = from + k as f64 * h;
            self.pass_inputs(begin, h)?;
            self.inner.step(begin, h)?;
        }
        Ok(())
    }
}

/// The programs of the signals.
fn programs(system: &LinearSystem) -> impl Iterator<Item = &fourbar_multibody::expression::Program> {
    system.signals.iter().filter_map(|signal| match signal {
        crate::linear::Signal::Program(program) => Some(program),
        _ => None,
    })
}

/// Start value of an input from outside.
fn held(system: &LinearSystem, i: usize) -> f64 {
    system.signals[i].value(0.0, Side::At, &mut Stack::new(1))
}

fn unnamed(equations: &StateSpace) -> Vec<Variable> {
    let inputs = (0..equations.inputs()).map(|i| Variable::input(format!("u{i}"), ""));
    inputs.chain((0..equations.outputs()).map(|i| Variable::output(format!("y{i}"), ""))).collect()
}

/// Inputs from outside, and the outputs with their feedthrough from these.
fn variables(model: &LinearModel, system: &LinearSystem, equations: &StateSpace, external: &[usize]) -> Vec<Variable> {
    let mut depends = vec![vec![false; external.len()]; system.taps.len()];
    for &column in &system.order {
        for (k, &input) in external.iter().enumerate() {
            depends[column][k] = match &system.taps[column] {
                Tap::Row(row) => equations.d()[(*row, input)] != 0.0,
                Tap::Input(j) => *j == input,
                // Slot 0 is the time.
                Tap::Formula(program) => program.slots().iter().any(|&slot| slot > 0 && depends[slot - 1][k]),
            };
        }
    }
    let inputs = external.iter().map(|&i| match &model.inputs[i] {
        Input::External(input) => Variable::input(&input.name, &input.unit).start(held(system, i)),
        other => Variable::input(other.name(), ""),
    });
    let outputs = system.columns.iter().zip(&depends).map(|(column, depends)| {
        let used = external.iter().zip(depends).filter(|(_, depends)| **depends);
        let names: Vec<&str> = used.map(|(&i, _)| model.inputs[i].name()).collect();
        Variable::output(&column.name, &column.unit).depends_on(&names)
    });
    inputs.chain(outputs).collect()
}

impl Simulator for LinearPartner {
    fn describe(&self) -> Description {
        let solver_step = self.longest.is_finite().then_some(self.longest);
        Description { variables: self.variables.clone(), solver_step, capabilities: Capabilities::FULL }
    }

    fn set_inputs(&mut self, inputs: &[Signal]) -> Result<(), Failure> {
        self.given.copy_from_slice(inputs);
        self.pass_inputs(self.time, 0.0)
    }

    fn step(&mut self, t: f64, h: f64) -> Result<f64, Failure> {
        let (mut from, end) = (t, t + h);
        let first = self.breaks.partition_point(|&time| time <= t);
        for k in first..self.breaks.len() {
            let time = self.breaks[k];
            if time >= end {
                break;
            }
            self.carry(from, time)?;
            from = time;
        }
        self.carry(from, end)?;
        let moved = end - self.time;
        for given in &mut self.given {
            *given = Signal { value: given.at(moved), first: given.first + moved * given.second, second: given.second };
        }
        self.time = end;
        self.pass_inputs(end, 0.0)?;
        Ok(end)
    }

    fn outputs(&mut self, values: &mut [f64]) -> Result<(), Failure> {
        self.inner.outputs(&mut self.rows)?;
        self.slots[0] = self.time;
        for &column in &self.system.order {
            self.slots[column + 1] = match &self.system.taps[column] {
                Tap::Row(row) => self.rows[*row],
                Tap::Input(input) => self.signals[*input].value,
                Tap::Formula(program) => program.evaluate(&self.slots, &mut self.stack),
            };
        }
        values.copy_from_slice(&self.slots[1..]);
        Ok(())
    }

    fn save(&mut self, snapshot: &mut Snapshot) -> Result<(), Failure> {
        let saved: &mut Saved = snapshot.content_mut();
        saved.time = self.time;
        self.inner.save(&mut saved.inner)
    }

    fn restore(&mut self, snapshot: &Snapshot) -> Result<(), Failure> {
        let saved: &Saved = snapshot.content()?;
        self.time = saved.time;
        self.inner.restore(&saved.inner)
    }
}
