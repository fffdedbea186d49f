//! The circuit as y' = f(t, y), for integrators of others: y are the pressures of volumes and the states of components. The pressures of junctions,
//! where flows balance, follow from y at each evaluation.

use super::steady::JUNCTIONS;
use super::{Circuit, Point};
use crate::error::Error;
use fourbar_dae::ode::Ode;
use fourbar_dae::{Dae, EvalError, Kind, RootEvent, Unknown};

/// A circuit without transmission lines as an explicit system; the waves of these come from the past, which y does not hold.
#[derive(Debug, Clone)]
pub struct ExplicitCircuit {
    circuit: Circuit,
    /// The unknowns that y holds, among those of the circuit.
    chosen: Vec<usize>,
    unknowns: Vec<Unknown>,
    /// All unknowns where f was evaluated last.
    point: Vec<f64>,
    /// All unknowns at the last accepted point: junction pressures are sought from there, so that f is a function of y.
    guess: Vec<f64>,
    rates: Vec<f64>,
    still: Vec<f64>,
}

impl ExplicitCircuit {
    /// Begins at `start`, as [`Circuit::steady`], [`Circuit::start`] or [`Circuit::complete`] give it.
    ///
    /// # Errors
    /// [`Error::Delayed`] for a circuit with a transmission line.
    pub fn new(circuit: Circuit, start: &Point) -> Result<Self, Error> {
        if let Some((component, _)) = circuit.shortest_line() {
            return Err(Error::Delayed { component: component.to_owned() });
        }
        let differential = |i: &usize| circuit.plan.unknowns[*i].kind != Kind::ALGEBRAIC;
        let chosen: Vec<usize> = (0..start.y.len()).filter(differential).collect();
        Ok(Self {
            unknowns: chosen.iter().map(|&i| circuit.plan.unknowns[i]).collect(),
            chosen,
            point: start.y.clone(),
            guess: start.y.clone(),
            rates: vec![0.0; start.y.len()],
            still: vec![0.0; start.y.len()],
            circuit,
        })
    }

    /// The circuit.
    #[must_use]
    pub fn circuit(&self) -> &Circuit {
        &self.circuit
    }

    /// The unknowns of the circuit that y holds, in the order of y.
    #[must_use]
    pub fn chosen(&self) -> &[usize] {
        &self.chosen
    }

    /// Unit of entry i of y.
    #[must_use]
    pub fn unknown_unit(&self, i: usize) -> &'static str {
        self.chosen.get(i).map_or("", |&i| self.circuit.plan.names[i].1)
    }

    /// As [`Circuit::set_inputs`]; conditions stay on their sides.
    ///
    /// # Errors
    /// As [`Circuit::set_inputs`].
    pub fn set_inputs(&mut self, t: f64, inputs: impl ExactSizeIterator<Item = [f64; 3]> + Clone) -> Result<(), Error> {
        self.circuit.set_inputs(t, inputs)
    }

    /// All unknowns of the circuit at (t, y).
    ///
    /// # Errors
    /// [`EvalError`] when the point cannot be evaluated, or junction pressures do not balance there.
    pub fn all(&mut self, t: f64, y: &[f64]) -> Result<&[f64], EvalError> {
        self.place(t, y)?;
        Ok(&self.point)
    }

    /// Writes the outputs at (t, y), in the order of [`Circuit::outputs`].
    ///
    /// # Errors
    /// As [`ExplicitCircuit::all`].
    pub fn observe(&mut self, t: f64, y: &[f64], values: &mut [f64]) -> Result<(), EvalError> {
        self.place(t, y)?;
        self.circuit.observe(t, &self.point, values)
    }

    /// Finds all unknowns at (t, y).
    fn place(&mut self, t: f64, y: &[f64]) -> Result<(), EvalError> {
        self.point.copy_from_slice(&self.guess);
        for (&i, y) in self.chosen.iter().zip(y) {
            self.point[i] = *y;
        }
        if self.chosen.len() == self.point.len() {
            return Ok(());
        }
        let fixed = self.point.clone();
        self.circuit.balance(t, &mut self.point, JUNCTIONS, Some(&fixed)).map_err(|error| match error {
            Error::Evaluation(error) => error,
            other => EvalError::Recoverable { element: JUNCTIONS.to_owned(), time: t, reason: other.to_string() },
        })
    }
}

impl Ode for ExplicitCircuit {
    fn dimension(&self) -> usize {
        self.chosen.len()
    }

    fn unknowns(&self) -> &[Unknown] {
        &self.unknowns
    }

    fn unknown_name(&self, i: usize) -> String {
        self.chosen.get(i).map_or_else(String::new, |&i| self.circuit.unknown_name(i))
    }

    fn rhs(&mut self, t: f64, y: &[f64], yp: &mut [f64]) -> Result<(), EvalError> {
        self.place(t, y)?;
        let Self { circuit, point, still, rates, chosen, .. } = self;
        // F = y' - f(t, y) of what y holds, evaluated at y' = 0.
        circuit.residual(t, point, still, rates)?;
        yp.iter_mut().zip(chosen.iter()).for_each(|(yp, &i)| *yp = -rates[i]);
        Ok(())
    }

    fn next_break(&mut self, t: f64) -> f64 {
        self.circuit.next_break(t)
    }

    fn pass_break(&mut self, t: f64, y: &mut [f64]) -> Result<bool, EvalError> {
        if !self.circuit.work.break_state.is_next(t) {
            return Ok(false);
        }
        self.place(t, y)?;
        // Slopes alone may change there: whoever integrates is to begin anew in any case.
        self.circuit.passes(t, &self.point)?;
        Ok(true)
    }

    fn before_step(&mut self, t: f64, y: &mut [f64]) -> Result<bool, EvalError> {
        self.place(t, y)?;
        self.guess.copy_from_slice(&self.point);
        Ok(false)
    }

    fn watched_count(&self) -> usize {
        self.circuit.watched_count()
    }

    fn watched_name(&self, k: usize) -> String {
        self.circuit.watched_name(k)
    }

    fn watched_function(&self, k: usize) -> usize {
        self.circuit.watched_function(k)
    }

    fn watch(&mut self, t: f64, y: &[f64], arguments: &mut [f64]) -> Result<(), EvalError> {
        self.place(t, y)?;
        self.circuit.watch(t, &self.point, arguments)
    }

    fn expected_sign(&self, k: usize) -> Option<i8> {
        self.circuit.expected_sign(k)
    }

    fn choose_sides(&mut self, t: f64, y: &[f64]) -> Result<(), EvalError> {
        self.place(t, y)?;
        self.circuit.choose_sides(t, &self.point)
    }

    fn switch(&mut self, _: f64, _: &mut [f64], events: &[RootEvent]) -> Result<bool, EvalError> {
        let Circuit { plan, work, .. } = &mut self.circuit;
        Ok(work.turn(plan, events))
    }

    fn save(&self, store: &mut Vec<f64>) {
        store.extend_from_slice(&self.guess);
        self.circuit.save(store);
    }

    fn restore(&mut self, store: &[f64]) -> Result<(), EvalError> {
        let Some((guess, rest)) = store.split_at_checked(self.guess.len()) else {
            return self.circuit.restore(&[]);
        };
        self.circuit.restore(rest)?;
        let holding = &mut self.circuit.work.holding;
        holding.on = !holding.sides.is_empty();
        self.guess.copy_from_slice(guess);
        Ok(())
    }
}
