//! x' = A x + B u, y = C x + D u as a partner, stepped without any error of integration.

use fourbar_lti::{GMatrices, StateSpace};
use nalgebra::{DMatrix, DVector};

use super::{load_numbers, store_numbers};
use crate::Error;
use crate::function::{Capabilities, Causality, Description, Failure, Signal, Simulator, Snapshot, Variable};

/// A linear system. Over a step its inputs are polynomials, whose answer is a sum of matrices: x(t+h) = e^{Ah} x(t) + sum_j h^j G_j B c_j
/// with u = sum_j c_j s^j (the G_j of the crate `fourbar-lti`).
pub struct Linear {
    system: StateSpace,
    variables: Vec<Variable>,
    state: DVector<f64>,
    next: DVector<f64>,
    signals: Vec<Signal>,
    /// Present inputs.
    u: DVector<f64>,
    y: DVector<f64>,
    transition: Option<Transition>,
}

/// The matrices of one step.
struct Transition {
    step: f64,
    exp: DMatrix<f64>,
    /// h^j G_j B / j!, which take the j-th derivatives of the inputs.
    inputs: [DMatrix<f64>; 3],
}

impl Transition {
    fn new(system: &StateSpace, step: f64) -> Result<Self, Failure> {
        let g = GMatrices::new(system.a(), step, 2).map_err(|error| Failure::new(error.to_string()))?;
        let factors = [1.0, step, 0.5 * step * step];
        let inputs = std::array::from_fn(|j| g.g(j) * system.b() * factors[j]);
        Ok(Self { step, exp: g.exp().clone(), inputs })
    }
}

impl Linear {
    /// A system with its variables, inputs and outputs each in the order of B's columns and C's rows, and its initial state. The feedthrough
    /// of the outputs follows from D and replaces what the variables say of it.
    ///
    /// # Errors
    /// [`Error::Value`] if the numbers of inputs, outputs or states differ from those of the system.
    pub fn new(system: StateSpace, mut variables: Vec<Variable>, initial: &[f64]) -> Result<Self, Error> {
        let of = |causality| variables.iter().filter(move |v| v.causality == causality).map(|v| v.name.clone());
        let inputs: Vec<String> = of(Causality::Input).collect();
        for (what, given, needed) in [
            ("inputs", inputs.len(), system.inputs()),
            ("outputs", of(Causality::Output).count(), system.outputs()),
            ("states", initial.len(), system.states()),
        ] {
            if given != needed {
                let name = format!("the number of {what} of a linear system");
                let remedy = "it must match the matrices A, B, C and D";
                return Err(Error::Value { name, value: given as f64, remedy });
            }
        }
        let outputs = variables.iter_mut().filter(|v| v.causality == Causality::Output);
        for (row, output) in outputs.enumerate() {
            let present = |&j: &usize| system.d()[(row, j)] != 0.0;
            output.feedthrough = (0..inputs.len()).filter(present).map(|j| inputs[j].clone()).collect();
        }
        let starts: Vec<f64> = variables.iter().filter(|v| v.causality == Causality::Input).map(|v| v.start).collect();
        Ok(Self {
            state: DVector::from_column_slice(initial),
            next: DVector::zeros(initial.len()),
            signals: starts.iter().map(|&start| Signal::held(start)).collect(),
            u: DVector::from_vec(starts),
            y: DVector::zeros(system.outputs()),
            transition: None,
            system,
            variables,
        })
    }
}

impl Simulator for Linear {
    fn describe(&self) -> Description {
        Description {
            variables: self.variables.clone(),
            solver_step: None,
            capabilities: Capabilities::FULL.written(true).stateless(self.state.is_empty()),
        }
    }

    fn set_inputs(&mut self, inputs: &[Signal]) -> Result<(), Failure> {
        self.signals.copy_from_slice(inputs);
        self.u.iter_mut().zip(inputs).for_each(|(u, signal)| *u = signal.value);
        Ok(())
    }

    fn step(&mut self, t: f64, h: f64) -> Result<f64, Failure> {
        let transition = match self.transition.take() {
            Some(transition) if transition.step == h => transition,
            _ => Transition::new(&self.system, h)?,
        };
        self.next.gemv(1.0, &transition.exp, &self.state, 0.0);
        for (j, matrix) in transition.inputs.iter().enumerate() {
            for (u, signal) in self.u.iter_mut().zip(&self.signals) {
                *u = [signal.value, signal.first, signal.second][j];
            }
            self.next.gemv(1.0, matrix, &self.u, 1.0);
        }
        std::mem::swap(&mut self.state, &mut self.next);
        self.u.iter_mut().zip(&self.signals).for_each(|(u, signal)| *u = signal.at(h));
        self.transition = Some(transition);
        Ok(t + h)
    }

    fn outputs(&mut self, values: &mut [f64]) -> Result<(), Failure> {
        self.y.gemv(1.0, self.system.c(), &self.state, 0.0);
        self.y.gemv(1.0, self.system.d(), &self.u, 1.0);
        values.copy_from_slice(self.y.as_slice());
        Ok(())
    }

    fn save(&mut self, snapshot: &mut Snapshot) -> Result<(), Failure> {
        let saved: &mut Vec<f64> = snapshot.content_mut();
        saved.clear();
        saved.extend_from_slice(self.state.as_slice());
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
        if saved.len() != self.state.len() {
            return Err(Failure::new(format!("the snapshot has {} states, not {}", saved.len(), self.state.len())));
        }
        self.state.copy_from_slice(saved);
        Ok(())
    }
}
