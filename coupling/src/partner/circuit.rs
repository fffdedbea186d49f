//! A hydraulic circuit as a partner: positions and velocities of rods, speeds of shafts and commands in; forces, torques and pressures out
//! (R47, R49).

use fourbar_dae::{Dae, EvalError};
use fourbar_hydraulics::Circuit;

use super::stiff::DrivenDae;
use crate::function::{Signal, Variability, Variable};

impl DrivenDae for Circuit {
    /// Inputs as [`Circuit::inputs`], outputs as [`Circuit::outputs`] with the feedthrough of [`Circuit::feedthrough`].
    fn variables(&self) -> Vec<Variable> {
        let inputs = self.inputs();
        let input = |v: &fourbar_hydraulics::Variable| Variable::input(&v.name, &v.unit).start(v.start);
        let output = |(k, v): (usize, fourbar_hydraulics::Variable)| {
            let feedthrough: Vec<&str> = self.feedthrough(k).into_iter().map(|i| inputs[i].name.as_str()).collect();
            // Output k is unknown k as long as there are unknowns.
            let nominal = self.unknowns().get(k).map_or(0.0, |unknown| unknown.typical);
            let variability = Variability::where_inputs(|inputs| self.changes(k, inputs));
            Variable::output(v.name, v.unit).nominal(nominal).depends_on(&feedthrough).changing(variability)
        };
        inputs.iter().map(input).chain(self.outputs().into_iter().enumerate().map(output)).collect()
    }

    fn drive(&mut self, t: f64, inputs: &[Signal]) {
        // Refused are a wrong number of inputs and values that are not finite: the interface hands over neither.
        let _ = self.set_inputs(t, inputs.iter().map(|signal| [signal.value, signal.first, signal.second]));
    }

    fn observe(&mut self, t: f64, y: &[f64], _: &[f64], values: &mut [f64]) -> Result<(), EvalError> {
        Self::observe(self, t, y, values)
    }

    fn warnings(&self) -> Vec<String> {
        Self::warnings(self)
    }
}
