//! Saved points of a simulation.

use super::motion::{SavedMotion, integrator};
use super::{CompiledModel, Simulation};
use crate::Error;
use fourbar_multibody::Inputs;
use fourbar_multibody::integrator::Error as IntegratorError;
use std::sync::Arc;

/// A saved point of a simulation: everything on which the further steps depend.
pub struct Saved {
    compiled: Arc<CompiledModel>,
    motion: SavedMotion,
    inputs: Inputs,
    polynomials: Vec<[f64; 3]>,
}

impl Saved {
    /// Whether it was saved on the compiled model of this simulation. Another compilation of the same model is another one.
    #[must_use]
    pub fn is_of(&self, simulation: &Simulation) -> bool {
        Arc::ptr_eq(&self.compiled, &simulation.compiled)
    }
}

impl Simulation {
    /// Saves everything on which the further steps depend, the list of events included.
    #[must_use]
    pub fn save(&self) -> Saved {
        Saved {
            compiled: Arc::clone(&self.compiled),
            motion: self.motion.save(),
            inputs: self.inputs.clone(),
            polynomials: self.polynomials.clone(),
        }
    }

    /// Returns to a saved point of this simulation, or of another one of the same compiled model followed in the same way; the further
    /// steps are those that followed it, bit for bit.
    ///
    /// # Errors
    /// [`Error::Multibody`] for a point of another model or method: nothing has changed then.
    pub fn restore(&mut self, saved: &Saved) -> Result<(), Error> {
        if !saved.is_of(self) || !self.motion.restore(&saved.motion)? {
            let dimension = 13 * self.compiled.mechanism().bodies().len();
            return Err(integrator(IntegratorError::ForeignSnapshot { dimension }));
        }
        self.inputs.clone_from(&saved.inputs);
        self.polynomials.clone_from(&saved.polynomials);
        self.solved.forget();
        self.solved.set_inputs(&self.inputs);
        if let Some(watch) = &mut self.watch {
            watch.set_inputs(&self.inputs);
        }
        Ok(())
    }
}
