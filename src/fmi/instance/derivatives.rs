//! Derivatives of outputs by inputs.

use super::{Instance, Phase};
use crate::fmi::Error;

impl Instance {
    /// Sums of the derivatives of outputs by inputs, times `seed`, at the state of now: one number for each of `unknowns`.
    ///
    /// # Errors
    /// [`Error::Unsupported`] where they are not known; [`Error::Reference`], [`Error::NotSettable`] for other variables; [`Error::State`].
    pub fn directional_derivative(
        &mut self,
        unknowns: &[u32],
        knowns: &[u32],
        seed: &[f64],
    ) -> Result<Vec<f64>, Error> {
        self.check("a directional derivative", &[Phase::Stepping], "allowed between steps")?;
        if !self.abilities.derivatives {
            let reason = "only mechanisms without contacts are linearized";
            return Err(Error::Unsupported { what: "a directional derivative", reason });
        }
        let state = self.phase.words();
        let place = |reference: u32, found: Option<usize>, reason| {
            let name = self.variable(reference)?.name.clone();
            found.ok_or(Error::NotSettable { name, state, reason })
        };
        let rows = unknowns.iter().map(|&r| place(r, self.variables.output(r), "derivatives are those of outputs"));
        let rows = rows.collect::<Result<Vec<usize>, Error>>()?;
        let columns = knowns.iter().map(|&r| place(r, self.variables.input(r), "derivatives are by inputs"));
        let columns = columns.collect::<Result<Vec<usize>, Error>>()?;
        let (inputs, width) = (self.inputs.clone(), self.inputs.len());
        let motion = self.motion()?;
        motion.set_inputs(&inputs)?;
        let all = motion.derivatives()?;
        let sum = |&row: &usize| columns.iter().zip(seed).map(|(&column, seed)| all[row * width + column] * seed).sum();
        Ok(rows.iter().map(sum).collect())
    }
}
