//! Checkpoints of a simulation.

use super::method::integrator;
use super::motion::SavedMotion;
use super::{CompiledModel, Simulation};
use crate::Error;
use fourbar_linalg::checkpoint::{CheckpointError, Header, Stored};
use fourbar_multibody::Inputs;
use fourbar_multibody::integrator::Error as IntegratorError;
use std::sync::Arc;

/// A checkpoint of a simulation: everything on which the further steps depend.
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
    /// The bytes of a checkpoint, from which [`Simulation::checkpoint_from_bytes`] makes it again, in this process or another.
    ///
    /// # Errors
    /// [`Error::Multibody`] for a checkpoint of another compiled model; [`Error::Checkpoint`] for a mechanism with sensors or `active`, of whose
    /// checkpoints there are no bytes.
    pub fn checkpoint_to_bytes(&self, saved: &Saved) -> Result<Vec<u8>, Error> {
        self.check_own(saved)?;
        if self.compiled.mechanism().has_switches() {
            return Err(CheckpointError::InProcess { what: "a mechanism with sensors or `active`" }.into());
        }
        Ok(self.header().write(|to| {
            saved.motion.store(to);
            saved.inputs.store(to);
            saved.polynomials.store(to);
        }))
    }

    /// The checkpoint whose bytes these are: [`Simulation::restore`] goes there, and the further steps are those that followed it, bit for
    /// bit. It was written by a simulation of the same model with the same settings, followed in the same way; functions of the
    /// host are taken to be the same. This simulation stays where it is.
    ///
    /// # Errors
    /// [`Error::Checkpoint`] for bytes that are damaged, of another model, settings or method, or of another version of this library.
    pub fn checkpoint_from_bytes(&self, bytes: &[u8]) -> Result<Saved, Error> {
        let mut from = self.header().read(bytes)?;
        let motion = self.motion.load(&mut from)?;
        let (inputs, polynomials) = (self.inputs.clone(), self.polynomials.clone());
        let mut saved = Saved { compiled: Arc::clone(&self.compiled), motion, inputs, polynomials };
        saved.inputs.load(&mut from)?;
        saved.polynomials.load(&mut from)?;
        from.finish()?;
        Ok(saved)
    }

    fn header(&self) -> Header {
        Header { kind: "a simulation", fingerprint: self.compiled.fingerprint().data(&self.method).value() }
    }

    fn check_own(&self, saved: &Saved) -> Result<(), Error> {
        if saved.is_of(self) { Ok(()) } else { Err(self.foreign()) }
    }

    fn foreign(&self) -> Error {
        let dimension = 13 * self.compiled.mechanism().bodies().len();
        integrator(IntegratorError::ForeignSnapshot { dimension })
    }

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

    /// Returns to a checkpoint of this simulation, or of another one of the same compiled model followed in the same way; the further
    /// steps are those that followed it, bit for bit.
    ///
    /// # Errors
    /// [`Error::Multibody`] for a checkpoint of another model or method: nothing has changed then.
    pub fn restore(&mut self, saved: &Saved) -> Result<(), Error> {
        if !saved.is_of(self) || !self.motion.restore(&saved.motion)? {
            return Err(self.foreign());
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
