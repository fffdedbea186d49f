//! Evaluation of all components, into a workspace that is built once.

use super::break_state::BreakState;
use super::cavity::Watch;
use super::commands::Excess;
use super::holding::Holding;
use super::plan::{Part, Plan, Row, Variable};
use super::timed::Timed;
use super::waves::Waves;
use crate::element::{Response, VARIABLES, Wide};
use fourbar_dae::EvalError;
use fourbar_expression::{GRADIENT_WIDTH, Scalar, Stack};
use fourbar_linalg::text::Brief;
use num_dual::{Dual64, DualSVec64};

/// What an evaluation needs and leaves.
#[derive(Debug, Clone)]
pub(super) struct Workspace {
    /// Time at which the polynomials of the inputs begin \[s\].
    since: f64,
    /// Value and derivatives of each input.
    inputs: Vec<[f64; 3]>,
    /// Time, inputs, unknowns.
    slots: Vec<f64>,
    stack: Stack<f64>,
    gradient_stack: Stack<DualSVec64<GRADIENT_WIDTH>>,
    pub(super) signals: Vec<f64>,
    /// Derivatives of the signals by their slots.
    partials: Vec<f64>,
    pub(super) responses: Vec<Response<f64>>,
    derivatives: Vec<Response<Wide>>,
    /// Sum of the flows into each node [m^3/s] and its volume [m^3].
    pub(super) balance: Vec<[f64; 2]>,
    pub(super) waves: Waves,
    pub(super) break_state: BreakState,
    pub(super) watch: Watch,
    pub(super) excess: Excess,
    pub(super) holding: Holding,
    pub(super) timed: Timed,
    /// Unknowns at the end of a step.
    pub(super) point: Vec<f64>,
}

impl Workspace {
    pub(super) fn new(plan: &Plan) -> Self {
        Self {
            since: 0.0,
            inputs: plan.inputs.iter().map(|input| [input.start, 0.0, 0.0]).collect(),
            slots: vec![0.0; 1 + plan.inputs.len() + plan.unknowns.len()],
            stack: Stack::for_programs(&plan.signals),
            gradient_stack: Stack::for_programs(&plan.signals),
            signals: vec![0.0; plan.signals.len()],
            partials: vec![0.0; plan.layout.gradient_starts.last().copied().unwrap_or(0)],
            responses: vec![Response::zero(); plan.parts.len()],
            derivatives: vec![Response::zero(); plan.parts.len()],
            balance: vec![[0.0; 2]; plan.nodes.len()],
            waves: Waves::new(&plan.lines),
            break_state: BreakState::new(plan),
            watch: Watch::new(plan),
            excess: Excess::new(plan),
            holding: Holding::new(plan),
            timed: Timed::new(plan),
            point: vec![0.0; plan.unknowns.len()],
        }
    }

    pub(super) fn drive(&mut self, t: f64, inputs: impl Iterator<Item = [f64; 3]>) {
        self.since = t;
        self.waves.driven = Some(t);
        for (input, given) in self.inputs.iter_mut().zip(inputs) {
            *input = given;
        }
    }

    /// Time, inputs and unknowns into the slots, the waves that arrive into theirs.
    fn prepare(&mut self, plan: &Plan, t: f64, y: &[f64]) -> Result<(), EvalError> {
        self.fill_slots(t, y);
        if self.waves.steady {
            return Ok(());
        }
        let sided = self.break_state.sided(t);
        self.waves.arrive(&plan.lines, sided).map_err(|k| {
            let line = &plan.lines[k];
            let element = format!("component \"{}\"", plan.parts[line.part].name);
            let reason = format!(
                "the step is longer than half of the {} s that waves travel; set a largest step",
                Brief(line.travel)
            );
            EvalError::Recoverable { element, time: t, reason }
        })
    }

    /// What leaves line k: w = p + (Z - R) q at both ends, after [`Workspace::values`].
    pub(super) fn leaving(&self, plan: &Plan, k: usize) -> [f64; 2] {
        let line = &plan.lines[k];
        let pressures = self.variables(&plan.parts[line.part]);
        let flows = self.responses[line.part].observed;
        [0, 1].map(|end| pressures[end] + (line.impedance - line.resistance) * flows[end])
    }

    /// Pressures at the ends of line k, after [`Workspace::values`].
    pub(super) fn ends(&self, plan: &Plan, k: usize) -> [f64; 2] {
        let pressures = self.variables(&plan.parts[plan.lines[k].part]);
        [pressures[0], pressures[1]]
    }

    /// Value of unknown i in the slots.
    pub(super) fn unknown(&self, i: usize) -> f64 {
        self.slots[1 + self.inputs.len() + i]
    }

    /// Whether inputs change with the time.
    pub(super) fn inputs_move(&self) -> bool {
        self.inputs.iter().any(|[_, first, second]| *first != 0.0 || *second != 0.0)
    }

    pub(super) fn fill_slots(&mut self, t: f64, y: &[f64]) {
        self.fill_head(t);
        let first = 1 + self.inputs.len();
        self.slots[first..].copy_from_slice(y);
    }

    /// Time and inputs into the slots.
    fn fill_head(&mut self, t: f64) {
        let s = t - self.since;
        let head = &mut self.slots[..=self.inputs.len()];
        head[0] = self.break_state.sided(t);
        for (slot, [value, first, second]) in head[1..].iter_mut().zip(&self.inputs) {
            *slot = value + s * (first + 0.5 * s * second);
        }
    }

    /// The signals `which` and what the parts `driven` answer at another time, the unknowns and the waves being those of the last evaluation.
    pub(super) fn drive_parts(&mut self, plan: &Plan, t: f64, which: &[usize], driven: &[usize]) {
        self.fill_head(t);
        for &i in which {
            self.evaluate_signal(plan, i);
        }
        for &index in driven {
            let part = &plan.parts[index];
            let x = self.variables(part);
            part.element.respond(&x, &mut self.responses[index]);
        }
    }

    pub(super) fn evaluate_signals(&mut self, plan: &Plan) {
        for i in 0..self.signals.len() {
            self.evaluate_signal(plan, i);
        }
    }

    fn evaluate_signal(&mut self, plan: &Plan, i: usize) {
        let (program, watched) = (&plan.signals[i], &plan.watched[i]);
        let Self { slots, stack, holding, signals, .. } = self;
        signals[i] = if !holding.on || watched.places.is_empty() {
            program.evaluate(slots, stack)
        } else {
            let (sides, arguments) = (&mut holding.sides, &mut holding.arguments);
            let places = watched.places.clone();
            let mut held = watched.conditions.hold(&mut sides[places.clone()], &mut arguments[places]);
            program.evaluate_held(|slot| slots[slot], &mut held, stack)
        };
    }

    /// As [`Workspace::evaluate_signals`], with their derivatives.
    fn derive_signals(&mut self, plan: &Plan) {
        let Self { slots, gradient_stack, holding, signals, partials, .. } = self;
        let starts = plan.layout.gradient_starts.windows(2);
        for (((value, program), watched), range) in signals.iter_mut().zip(&plan.signals).zip(&plan.watched).zip(starts)
        {
            let partials = &mut partials[range[0]..range[1]];
            *value = if !holding.on || watched.places.is_empty() {
                program.gradient(slots, partials, gradient_stack)
            } else {
                let (sides, arguments) = (&mut holding.sides, &mut holding.arguments);
                let places = watched.places.clone();
                let mut held = watched.conditions.hold(&mut sides[places.clone()], &mut arguments[places]);
                program.gradient_held(slots, &mut held, partials, gradient_stack)
            };
        }
    }

    /// Responses and node balances at (t, y).
    pub(super) fn values(&mut self, plan: &Plan, t: f64, y: &[f64]) -> Result<(), EvalError> {
        self.prepare(plan, t, y)?;
        self.evaluate_signals(plan);
        for (index, part) in plan.parts.iter().enumerate() {
            let x = self.variables(part);
            part.element.respond(&x, &mut self.responses[index]);
        }
        self.add_up(plan, t, |work, part| work.responses[part])
    }

    /// As [`Workspace::values`], with all derivatives.
    pub(super) fn derivatives(&mut self, plan: &Plan, t: f64, y: &[f64]) -> Result<(), EvalError> {
        self.prepare(plan, t, y)?;
        self.derive_signals(plan);
        for (index, part) in plan.parts.iter().enumerate() {
            let x = self.variables(part);
            let mut wide = x.map(Wide::from);
            for (k, variable) in wide.iter_mut().enumerate().take(part.variables.len()) {
                *variable = variable.derivative(k);
            }
            let response = &mut self.derivatives[index];
            *response = Response::zero();
            part.element.respond(&wide, response);
        }
        self.add_up(plan, t, |work, part| real(&work.derivatives[part]))
    }

    /// The variables of a part.
    pub(super) fn variables(&self, part: &Part) -> [f64; VARIABLES] {
        let mut x = [0.0; VARIABLES];
        for (x, variable) in x.iter_mut().zip(&part.variables) {
            *x = match *variable {
                Variable::Unknown(i) => self.slots[1 + self.inputs.len() + i],
                Variable::Input(i) => self.slots[1 + i],
                Variable::Signal(i) => self.signals[i],
                Variable::Wave(i) => self.waves.arriving[i],
                Variable::Steady => f64::from(u8::from(self.waves.steady)),
            };
        }
        x
    }

    fn add_up(
        &mut self,
        plan: &Plan,
        t: f64,
        response: impl Fn(&Self, usize) -> Response<f64>,
    ) -> Result<(), EvalError> {
        for (balance, node) in self.balance.iter_mut().zip(&plan.nodes) {
            *balance = [0.0, node.volume];
        }
        for (index, part) in plan.parts.iter().enumerate() {
            let response = response(self, index);
            for (port, &node) in part.ports.iter().enumerate() {
                self.balance[node][0] += response.flow[port];
                self.balance[node][1] += response.volume[port];
            }
        }
        for (node, [_, volume]) in plan.nodes.iter().zip(&self.balance) {
            if node.stores && !(*volume > 0.0) {
                let reason = format!("its volume is {volume} m^3; keep the rod within its stroke, or add end stops");
                return Err(EvalError::Recoverable { element: format!("node \"{}\"", node.name), time: t, reason });
            }
        }
        Ok(())
    }

    /// Adds the derivatives of the components to the matrix; `stiffness` gives E/V and E Q/V^2 of a node that stores.
    pub(super) fn scatter(&self, plan: &Plan, stiffness: impl Fn(usize) -> Option<[f64; 2]>, values: &mut [f64]) {
        for (part, response) in plan.parts.iter().zip(&self.derivatives) {
            for term in &part.terms {
                let weight = term.partial.map_or(1.0, |k| self.partials[k]);
                for (row, &place) in part.rows.iter().zip(&term.places) {
                    let slope = |x: &Wide| x.eps.0.map_or(0.0, |eps| eps[term.variable]);
                    values[place] += weight
                        * match *row {
                            Row::State { state, .. } => -slope(&response.rate[state]),
                            Row::Node { port, node, .. } => match stiffness(node) {
                                Some([by_flow, by_volume]) => {
                                    by_volume * slope(&response.volume[port]) - by_flow * slope(&response.flow[port])
                                }
                                None => slope(&response.flow[port]),
                            },
                        };
                }
            }
        }
    }
}

/// E and dE/dp of the fluid at p.
pub(super) fn modulus(plan: &Plan, p: f64) -> [f64; 2] {
    let e = plan.fluid.bulk_modulus(Dual64::from(p).derivative());
    [e.re, e.eps]
}

fn real<T: Scalar>(response: &Response<T>) -> Response<f64> {
    Response {
        flow: response.flow.map(|x| x.re()),
        volume: response.volume.map(|x| x.re()),
        rate: response.rate.map(|x| x.re()),
        observed: response.observed.map(|x| x.re()),
    }
}
