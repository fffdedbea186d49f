//! A mechanism as equations on partitioned coordinates.

use super::{Equations, Start};
use crate::fmi::motion::{Polynomials, mechanism_variables};
use crate::simulation::CompiledModel;
use crate::{Document, Error};
use fourbar_coupling::Variable;
use fourbar_multibody::analysis::Sampler;
use fourbar_multibody::formulation::Partitioned;
use fourbar_multibody::host::HostFunctions;
use fourbar_multibody::ode::Ode;
use fourbar_multibody::{Inputs, State};
use std::sync::Arc;

/// Units of the coordinates of a body, three of each.
const UNITS: [&str; 4] = ["m", "rad", "m/s", "rad/s"];

pub(in crate::fmi) struct MechanismEquations {
    compiled: Arc<CompiledModel>,
    equations: Partitioned,
    sampler: Sampler,
    state: State,
    inputs: Inputs,
}

impl MechanismEquations {
    /// At `start`, or at the start of the mechanism if none is given.
    pub(in crate::fmi) fn begin(
        compiled: &Arc<CompiledModel>,
        start: Option<&State>,
        inputs: &Polynomials,
    ) -> Result<Start, Error> {
        let mechanism = compiled.mechanism();
        let refuse = |reason| Err(Error::NoEquations { kind: "mechanism", reason });
        if compiled.contacts().is_some() {
            return refuse("impacts and friction of contacts are no y' = f(t, y); export it for co-simulation");
        }
        if mechanism.has_switches() {
            return refuse(
                "sensors and `active` make another mechanism of it while it runs; export it for co-simulation",
            );
        }
        if mechanism.user_states().iter().any(|state| state.implicit) {
            return refuse(
                "a state with an equation `zero` has no rate; give it a `rate`, or export it for co-simulation",
            );
        }
        let state = start.unwrap_or(mechanism.start()).clone();
        let mut equations = Partitioned::new(Arc::clone(mechanism), &state)?;
        let mut y = vec![0.0; equations.dimension()];
        let given = match inputs {
            [] => mechanism.inputs().iter().map(|input| [input.start, 0.0, 0.0]).collect(),
            inputs => inputs.to_vec(),
        };
        let mut own = Inputs::start(mechanism);
        set(&mut own, compiled, state.time, &given)?;
        equations.inputs_mut().clone_from(&own);
        equations.write(&state, &mut y)?;
        let mut sampler = Sampler::new(mechanism, &state)?;
        sampler.set_inputs(&own);
        let time = state.time;
        let own = Self { compiled: Arc::clone(compiled), equations, sampler, state, inputs: own };
        Ok(Start { equations: Box::new(own), time, y, inputs: given })
    }
}

fn set(inputs: &mut Inputs, compiled: &CompiledModel, t: f64, given: &Polynomials) -> Result<(), Error> {
    let set = inputs.set(compiled.mechanism(), t, given.iter().copied());
    Ok(set.map_err(fourbar_multibody::Error::from)?)
}

impl Equations for MechanismEquations {
    fn ode(&self) -> &dyn Ode {
        &self.equations
    }

    fn ode_mut(&mut self) -> &mut dyn Ode {
        &mut self.equations
    }

    fn variables(&self) -> (Vec<Variable>, Vec<Variable>) {
        mechanism_variables(&self.compiled)
    }

    fn units(&self) -> Vec<String> {
        let bodies = UNITS.len() * 3 * self.compiled.mechanism().bodies().len();
        let unit = |i: usize| if i < bodies { UNITS[i / 3 % UNITS.len()] } else { "" };
        (0..self.equations.dimension()).map(|i| unit(i).to_owned()).collect()
    }

    /// Forces change velocities; these alone move bodies.
    fn is_driven(&self, i: usize) -> bool {
        i >= UNITS.len() * 3 * self.compiled.mechanism().bodies().len() || UNITS[i / 3 % UNITS.len()].ends_with("/s")
    }

    fn drive(&mut self, t: f64, inputs: &Polynomials) -> Result<(), Error> {
        set(&mut self.inputs, &self.compiled, t, inputs)?;
        self.equations.continuous_inputs_mut().clone_from(&self.inputs);
        self.sampler.set_inputs(&self.inputs);
        Ok(())
    }

    fn observe(&mut self, t: f64, y: &[f64], values: &mut [f64]) -> Result<(), Error> {
        self.equations.read(t, y, &mut self.state)?;
        Ok(self.sampler.sample(self.compiled.mechanism(), &mut self.state, values)?)
    }

    fn retuned(&mut self, document: &Document, t: f64, y: &[f64], inputs: &Polynomials) -> Result<Start, Error> {
        let Some(model) = document.mechanism() else {
            return Err(Error::NotForKind { setting: "other parameters", kind: document.kind() });
        };
        self.equations.read(t, y, &mut self.state)?;
        let compiled = Arc::new(CompiledModel::new(model, &HostFunctions::default())?);
        let mut own = Inputs::start(compiled.mechanism());
        set(&mut own, &compiled, t, inputs)?;
        let state = compiled.mechanism().consistent(&self.state, &own)?;
        Self::begin(&compiled, Some(&state), inputs)
    }

    fn compiled(&self) -> Option<Arc<CompiledModel>> {
        Some(Arc::clone(&self.compiled))
    }

    fn open(&mut self) -> Option<&mut Partitioned> {
        Some(&mut self.equations)
    }
}
