//! The circuit as a `Dae`.

use super::evaluate::modulus;
use super::plan::{Place, Plan};
use super::{Circuit, Workspace};
use fourbar_dae::integrator::RootEvent;
use fourbar_dae::interrupt::{self, Interrupt};
use fourbar_dae::{Dae, ErrorWeights, EvalError, History, StepErrors, Unknown};
use fourbar_linalg::text::Brief;
use nalgebra_sparse::pattern::SparsityPattern;

impl Dae for Circuit {
    fn dimension(&self) -> usize {
        self.plan.unknowns.len()
    }

    fn unknowns(&self) -> &[Unknown] {
        &self.plan.unknowns
    }

    fn unknown_name(&self, i: usize) -> String {
        self.plan.names[i].0.clone()
    }

    fn equation_name(&self, i: usize) -> String {
        self.plan.equation_name(i)
    }

    fn pattern(&self) -> &SparsityPattern {
        &self.plan.layout.pattern
    }

    fn residual(&mut self, t: f64, y: &[f64], yp: &[f64], residual: &mut [f64]) -> Result<(), EvalError> {
        interrupt::check(&Interrupt::never(), t)?;
        let (plan, work) = (&self.plan, &mut self.work);
        work.values(plan, t, y)?;
        for (part, response) in plan.parts.iter().zip(&work.responses) {
            for state in 0..part.states {
                let i = part.first_state + state;
                residual[i] = yp[i] - response.rate[state];
            }
        }
        for (node, [flow, volume]) in plan.nodes.iter().zip(&work.balance) {
            if let Place::Unknown(i) = node.place {
                residual[i] = if node.stores { yp[i] - plan.fluid.bulk_modulus(y[i]) / volume * flow } else { *flow };
            }
        }
        plan.check(t, y, residual, &work.signals)
    }

    fn jacobian(&mut self, t: f64, y: &[f64], _: &[f64], c: f64, values: &mut [f64]) -> Result<(), EvalError> {
        let (plan, work) = (&self.plan, &mut self.work);
        work.derivatives(plan, t, y)?;
        values.fill(0.0);
        plan.fill_states(c, values);
        for (node, [flow, volume]) in plan.nodes.iter().zip(&work.balance) {
            if let (Place::Unknown(i), true) = (node.place, node.stores) {
                let [_, slope] = modulus(plan, y[i]);
                values[plan.layout.diagonal[i]] = c - slope * flow / volume;
            }
        }
        work.scatter(plan, |node| stiffness(plan, work, y, node), values);
        match values.iter().all(|value| value.is_finite()) {
            true => Ok(()),
            false => plan.check_signals(t, &work.signals),
        }
    }

    fn weighs(&self) -> bool {
        true
    }

    fn weigh(&self, y: &[f64], weights: &mut ErrorWeights<'_>) {
        self.plan.weigh(y, weights);
    }

    fn first_step(&self, y: &[f64], yp: &[f64], relative: f64) -> f64 {
        self.plan.first_step(y, yp, relative)
    }

    /// Notes cavities, commands, and what leaves the transmission lines.
    fn after_step(&mut self, history: &mut dyn History) -> Result<bool, EvalError> {
        let (plan, work) = (&self.plan, &mut self.work);
        work.watch.note(plan, history);
        work.note_commands(plan, history.time());
        if plan.lines.is_empty() {
            return Ok(false);
        }
        let t = history.time();
        work.waves.tolerance = history.tolerance();
        let mut point = std::mem::take(&mut work.point);
        point.iter_mut().enumerate().for_each(|(i, y)| *y = history.coefficient(i, 0));
        let evaluated = work.values(plan, t, &point);
        work.point = point;
        evaluated?;
        for (k, line) in plan.lines.iter().enumerate() {
            let left = work.leaving(plan, k);
            work.waves.depart(k, line, [t - history.step(), t], left);
        }
        Ok(false)
    }

    /// When signals jump or bend, as far as their expressions tell, stop times, and arrivals of jumps in transmission lines.
    fn next_break(&mut self, t: f64) -> f64 {
        self.break_from(t)
    }

    fn pass_jump(&mut self, t: f64, y: &mut [f64], yp: &mut [f64]) -> Result<bool, EvalError> {
        self.go_on(t, y, yp)
    }

    fn defect(&mut self, t: f64, h: f64, order: usize, errors: &mut dyn StepErrors) -> f64 {
        self.defect_of_time([t, h], order, errors)
    }

    fn watched_count(&self) -> usize {
        self.work.holding.sides.len()
    }

    fn watched_name(&self, k: usize) -> String {
        self.plan.watched_name(k)
    }

    fn watched_function(&self, k: usize) -> usize {
        self.plan.watched_function(k)
    }

    fn watch(&mut self, t: f64, y: &[f64], arguments: &mut [f64]) -> Result<(), EvalError> {
        self.work.watch(&self.plan, t, y, arguments);
        Ok(())
    }

    fn expected_sign(&self, k: usize) -> Option<i8> {
        self.plan.expected_sign(k, &self.work.holding.sides)
    }

    fn choose_sides(&mut self, t: f64, y: &[f64]) -> Result<(), EvalError> {
        self.work.choose_sides(&self.plan, t, y);
        Ok(())
    }

    fn switch(&mut self, t: f64, y: &mut [f64], yp: &mut [f64], events: &[RootEvent]) -> Result<bool, EvalError> {
        self.switch_over(t, y, yp, events)
    }

    fn save(&self, store: &mut Vec<f64>) {
        self.save_jumps(store);
    }

    fn restore(&mut self, store: &[f64]) -> Result<(), EvalError> {
        self.restore_jumps(store).ok_or_else(|| EvalError::Fatal {
            element: "the circuit".to_owned(),
            time: store.first().copied().unwrap_or(f64::NAN),
            reason: "what was saved belongs to another circuit".to_owned(),
        })
    }
}

/// E/V and E Q/V^2 of a node that stores.
fn stiffness(plan: &Plan, work: &Workspace, y: &[f64], node: usize) -> Option<[f64; 2]> {
    let Place::Unknown(i) = plan.nodes[node].place else { return None };
    let [flow, volume] = work.balance[node];
    let [e, _] = modulus(plan, y[i]);
    plan.nodes[node].stores.then(|| [e / volume, e * flow / (volume * volume)])
}

impl Plan {
    /// `c` on the diagonal of the states.
    pub(super) fn fill_states(&self, c: f64, values: &mut [f64]) {
        for part in &self.parts {
            for i in part.first_state..part.first_state + part.states {
                values[self.layout.diagonal[i]] = c;
            }
        }
    }

    /// Name of equation i, for messages.
    pub(super) fn equation_name(&self, i: usize) -> String {
        let node = self.nodes.iter().find(|node| matches!(node.place, Place::Unknown(p) if p == i));
        match node {
            Some(node) if node.stores => format!("volume \"{}\"", node.name),
            Some(node) => format!("junction \"{}\"", node.name),
            None => format!("rate of {}", self.names[i].0),
        }
    }

    /// What to do where nothing determines unknown i at rest.
    pub(super) fn remedy(&self, i: usize) -> &'static str {
        let node = self.nodes.iter().find(|node| matches!(node.place, Place::Unknown(p) if p == i));
        match node {
            Some(node) if node.stores => {
                "what flows into this closed volume has no way out, or nothing flows: give it a relief valve, an orifice or a leak to a known \
                 pressure, or begin with `start = \"values\"`"
            }
            Some(_) => "give the node a volume of its own, or an orifice or a leak to a known pressure",
            None => {
                "let something hold it, as a controller or end stops a position, or begin with `start = \"values\"`"
            }
        }
    }

    /// Refuses values that are not numbers.
    fn check(&self, t: f64, y: &[f64], residual: &[f64], signals: &[f64]) -> Result<(), EvalError> {
        let Some(i) = residual.iter().position(|r| !r.is_finite()) else { return Ok(()) };
        self.check_signals(t, signals)?;
        let reason = format!("{} = {:.6} {} gives no finite value", self.names[i].0, Brief(y[i]), self.names[i].1);
        Err(EvalError::Recoverable { element: self.equation_name(i), time: t, reason })
    }

    /// Names a signal of the model that is no number: where there is one, the equations around it are not what is wrong.
    fn check_signals(&self, t: f64, signals: &[f64]) -> Result<(), EvalError> {
        let Some(k) = signals.iter().position(|value| !value.is_finite()) else { return Ok(()) };
        let reason = format!("its value is {}", signals[k]);
        Err(EvalError::Recoverable { element: self.signal_names[k].clone(), time: t, reason })
    }
}
