//! x' = f(t, x, u), y = g(t, x, u) as a partner, by the classical Runge-Kutta method with a fixed step.

use super::{load_numbers, store_numbers};
use crate::function::{Capabilities, Description, Failure, Signal, Simulator, Snapshot, Variable, end_of_step};

type Output = Box<dyn FnMut(f64, &[f64], &[f64]) -> f64 + Send>;

/// An explicit system from closures; without states, a function of time and inputs.
///
/// A communication step is divided into equal solver steps not longer than the one asked for: where H is no multiple of it they are a
/// little shorter (R28). Method: Hairer, Norsett, Wanner, Solving Ordinary Differential Equations I, table II.1.2, "the" Runge-Kutta
/// method, order 4.
pub struct Ode<F> {
    rhs: F,
    state: Vec<f64>,
    time: f64,
    inputs: Vec<Variable>,
    outputs: Vec<Variable>,
    sampled: Vec<Output>,
    solver_step: Option<f64>,
    signals: Vec<Signal>,
    /// Inputs at a stage.
    u: Vec<f64>,
    /// Four slopes and the point of a stage.
    k: [Vec<f64>; 4],
    point: Vec<f64>,
}

impl<F: FnMut(f64, &[f64], &[f64], &mut [f64]) + Send> Ode<F> {
    /// From the initial state and f(t, x, u, dx), which writes x' to `dx`.
    pub fn new(initial: impl Into<Vec<f64>>, rhs: F) -> Self {
        let state = initial.into();
        let zero = vec![0.0; state.len()];
        Self {
            rhs,
            time: 0.0,
            inputs: Vec::new(),
            outputs: Vec::new(),
            sampled: Vec::new(),
            solver_step: None,
            signals: Vec::new(),
            u: Vec::new(),
            k: std::array::from_fn(|_| zero.clone()),
            point: zero,
            state,
        }
    }

    /// With one more input: the next entry of u.
    #[must_use]
    pub fn input(mut self, variable: Variable) -> Self {
        self.signals.push(Signal::held(variable.start));
        self.u.push(variable.start);
        self.inputs.push(variable);
        self
    }

    /// With one more output y = g(t, x, u). If it makes use of u, the variable must name these inputs as its feedthrough.
    #[must_use]
    pub fn output(mut self, variable: Variable, g: impl FnMut(f64, &[f64], &[f64]) -> f64 + Send + 'static) -> Self {
        self.outputs.push(variable);
        self.sampled.push(Box::new(g));
        self
    }

    /// With a longest solver step \[s\]; without one, a communication step is one solver step.
    #[must_use]
    pub fn solver_step(mut self, step: f64) -> Self {
        self.solver_step = Some(step);
        self
    }

    /// Starting at another time than 0 \[s\].
    #[must_use]
    pub fn start(mut self, time: f64) -> Self {
        self.time = time;
        self
    }

    fn inputs_at(&mut self, s: f64) {
        for (u, signal) in self.u.iter_mut().zip(&self.signals) {
            *u = signal.at(s);
        }
    }

    /// One step from `s` seconds after the inputs were set.
    fn runge_kutta(&mut self, s: f64, h: f64) {
        const NODES: [f64; 4] = [0.0, 0.5, 0.5, 1.0];
        let t = self.time + s;
        for stage in 0..4 {
            let node = NODES[stage] * h;
            for (i, point) in self.point.iter_mut().enumerate() {
                let slope = if stage == 0 { 0.0 } else { self.k[stage - 1][i] };
                *point = self.state[i] + node * slope;
            }
            if stage != 2 {
                self.inputs_at(s + node);
            }
            (self.rhs)(t + node, &self.point, &self.u, &mut self.k[stage]);
        }
        let [k1, k2, k3, k4] = &self.k;
        for (i, x) in self.state.iter_mut().enumerate() {
            *x += h / 6.0 * (k1[i] + 2.0 * (k2[i] + k3[i]) + k4[i]);
        }
    }
}

impl<F: FnMut(f64, &[f64], &[f64], &mut [f64]) + Send> Simulator for Ode<F> {
    fn describe(&self) -> Description {
        Description {
            variables: self.inputs.iter().chain(&self.outputs).cloned().collect(),
            solver_step: self.solver_step,
            capabilities: Capabilities::FULL.written(true).stateless(self.state.is_empty()),
        }
    }

    fn set_inputs(&mut self, inputs: &[Signal]) -> Result<(), Failure> {
        self.signals.copy_from_slice(inputs);
        self.inputs_at(0.0);
        Ok(())
    }

    fn step(&mut self, t: f64, h: f64) -> Result<f64, Failure> {
        self.time = t;
        let solver_steps = self.solver_step.map_or(1.0, |step| (h / step - 1e-9).ceil().max(1.0));
        let solver_step = h / solver_steps;
        for i in 0..solver_steps as u64 {
            self.runge_kutta(i as f64 * solver_step, solver_step);
        }
        self.time = end_of_step(t, h);
        self.inputs_at(h);
        Ok(self.time)
    }

    fn outputs(&mut self, values: &mut [f64]) -> Result<(), Failure> {
        for (value, g) in values.iter_mut().zip(&mut self.sampled) {
            *value = g(self.time, &self.state, &self.u);
        }
        Ok(())
    }

    fn save(&mut self, snapshot: &mut Snapshot) -> Result<(), Failure> {
        let saved: &mut Vec<f64> = snapshot.content_mut();
        saved.clear();
        saved.push(self.time);
        saved.extend_from_slice(&self.state);
        Ok(())
    }

    fn store(&mut self, snapshot: &Snapshot, to: &mut Vec<u8>) -> Result<(), Failure> {
        store_numbers(snapshot, to)
    }

    fn load(&mut self, bytes: &[u8], snapshot: &mut Snapshot) -> Result<(), Failure> {
        load_numbers(bytes, snapshot)
    }

    fn restore(&mut self, snapshot: &Snapshot) -> Result<(), Failure> {
        let saved: &Vec<f64> = snapshot.content()?;
        let [time, state @ ..] = saved.as_slice() else { return Err(Failure::new("the snapshot is empty")) };
        if state.len() != self.state.len() {
            return Err(Failure::new(format!("the snapshot has {} states, not {}", state.len(), self.state.len())));
        }
        self.time = *time;
        self.state.copy_from_slice(state);
        Ok(())
    }
}
