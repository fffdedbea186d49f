//! A circuit as equations: junction pressures follow from the states.

use super::{Equations, Start, failed};
use crate::circuit::{CircuitModel, CircuitSettings, CompiledCircuit};
use crate::fmi::motion::{Polynomials, circuit_variables};
use crate::{Document, Error};
use fourbar_coupling::Variable;
use fourbar_hydraulics::{Circuit, ExplicitCircuit};
use fourbar_multibody::ode::Ode;

pub(in crate::fmi) struct CircuitEquations(ExplicitCircuit);

impl CircuitEquations {
    pub(super) fn begin(model: &CircuitModel, inputs: &Polynomials, at: f64) -> Result<Start, Error> {
        let mut compiled = CompiledCircuit::new(model, &CircuitSettings::default())?;
        let given = given(&compiled.circuit, inputs);
        compiled.circuit.set_inputs(at, given.iter().copied())?;
        let (circuit, point) = compiled.begin_at(at)?;
        Self::of(ExplicitCircuit::new(circuit, &point)?, at, &point.y, given)
    }

    /// The circuit where its unknowns are `y`, junction pressures being found anew.
    pub(in crate::fmi) fn at(
        mut circuit: Circuit,
        time: f64,
        y: Vec<f64>,
        inputs: &Polynomials,
    ) -> Result<Start, Error> {
        circuit.set_inputs(time, inputs.iter().copied())?;
        let point = circuit.complete(time, y)?;
        Self::of(ExplicitCircuit::new(circuit, &point)?, time, &point.y, inputs.to_vec())
    }

    fn of(circuit: ExplicitCircuit, time: f64, all: &[f64], inputs: Vec<[f64; 3]>) -> Result<Start, Error> {
        let y = circuit.chosen().iter().map(|&i| all[i]).collect();
        Ok(Start { equations: Box::new(Self(circuit)), time, y, inputs })
    }
}

/// `inputs`, or their start values if none are given.
fn given(circuit: &Circuit, inputs: &Polynomials) -> Vec<[f64; 3]> {
    match inputs {
        [] => circuit.inputs().iter().map(|input| [input.start, 0.0, 0.0]).collect(),
        inputs => inputs.to_vec(),
    }
}

impl Equations for CircuitEquations {
    fn ode(&self) -> &dyn Ode {
        &self.0
    }

    fn ode_mut(&mut self) -> &mut dyn Ode {
        &mut self.0
    }

    fn variables(&self) -> (Vec<Variable>, Vec<Variable>) {
        circuit_variables(self.0.circuit())
    }

    fn units(&self) -> Vec<String> {
        (0..self.0.dimension()).map(|i| self.0.unknown_unit(i).to_owned()).collect()
    }

    fn drive(&mut self, t: f64, inputs: &Polynomials) -> Result<(), Error> {
        Ok(self.0.set_inputs(t, inputs.iter().copied())?)
    }

    fn observe(&mut self, t: f64, y: &[f64], values: &mut [f64]) -> Result<(), Error> {
        self.0.observe(t, y, values).map_err(failed)
    }

    fn retuned(&mut self, document: &Document, t: f64, y: &[f64], inputs: &Polynomials) -> Result<Start, Error> {
        let Some(model) = document.circuit() else {
            return Err(Error::NotForKind { setting: "other parameters", kind: document.kind() });
        };
        let all = self.0.all(t, y).map_err(failed)?.to_vec();
        let compiled = CompiledCircuit::new(model, &CircuitSettings::default())?;
        Self::at(compiled.circuit, t, all, inputs)
    }
}
