//! Checkpoints of an instance, in the process or as bytes.

use super::Error;
use super::instance::{Instance, Phase};
use super::motion::{Experiment, Point};
use crate::simulation::CompiledModel;
use fourbar_linalg::checkpoint::{Fingerprint, Header, Source, Stored};
use std::sync::Arc;

/// A checkpoint of an instance: everything on which the further calls depend.
pub struct State {
    phase: Phase,
    time: f64,
    inputs: Vec<[f64; 3]>,
    parameters: Vec<f64>,
    experiment: Experiment,
    /// Whether the importer solves for the algebraic variables.
    solves: bool,
    /// The mechanism of these parameters, on which the point stands.
    compiled: Option<Arc<CompiledModel>>,
    point: Kept,
}

/// Where the model stands.
enum Kept {
    /// At its start, not compiled yet.
    Start,
    Point(Point),
    Bytes(Vec<u8>),
}

impl Instance {
    fn header(&self) -> Header {
        let fingerprint = Fingerprint::default().data(&self.token()).data(&self.interface());
        Header { kind: "an FMU state", fingerprint: fingerprint.value() }
    }

    /// Saves everything on which the further calls depend.
    ///
    /// # Errors
    /// [`Error::Model`] for a sparse linear system, which keeps no checkpoints.
    pub fn save(&mut self) -> Result<State, Error> {
        if self.phase == Phase::WithinStep {
            return Err(Error::State {
                call: "saving the state",
                state: "within a step",
                allowed: "allowed between steps",
            });
        }
        let point = match &mut self.motion {
            Some(motion) => Kept::Point(motion.save()?),
            None => Kept::Start,
        };
        Ok(State {
            phase: self.phase,
            time: self.time,
            inputs: self.inputs.clone(),
            parameters: self.parameters.clone(),
            experiment: self.experiment,
            solves: self.solves,
            compiled: self.compiled.clone(),
            point,
        })
    }

    /// Returns to a checkpoint of this instance, or of another one of the same unit by its bytes; what follows is then what followed it, bit for bit.
    ///
    /// # Errors
    /// [`Error::Foreign`], [`Error::Model`] for one of another unit.
    pub fn restore(&mut self, state: &State) -> Result<(), Error> {
        let fits = state.inputs.len() == self.inputs.len() && state.parameters.len() == self.parameters.len();
        if !fits {
            return Err(Error::Foreign);
        }
        let keeps = self.abilities().keeps_parameters && self.motion.is_some() && state.experiment == self.experiment;
        if keeps && !matches!(state.point, Kept::Start) {
            self.parameters.clone_from(&state.parameters);
        } else {
            self.become_like(&state.parameters, state.experiment);
        }
        self.become_solved(state.solves);
        if let Some(compiled) = &state.compiled
            && !self.compiled.as_ref().is_some_and(|own| Arc::ptr_eq(own, compiled))
        {
            (self.motion, self.compiled) = (None, Some(Arc::clone(compiled)));
        }
        self.inputs.clone_from(&state.inputs);
        self.forget_outputs();
        (self.phase, self.time, self.begun) = (state.phase, state.time, state.time);
        let restored = match &state.point {
            Kept::Start => {
                self.motion = None;
                true
            }
            Kept::Point(point) => self.motion()?.restore(&**point)?,
            Kept::Bytes(bytes) => {
                let point = self.motion()?.load(bytes)?;
                self.motion()?.restore(&*point)?
            }
        };
        if restored { Ok(()) } else { Err(Error::Foreign) }
    }

    /// The bytes of a checkpoint, from which [`Instance::state_from_bytes`] makes it again, in this process or another.
    ///
    /// # Errors
    /// [`Error::Foreign`], [`Error::Model`] for one of another unit; [`Error::Unsupported`] where what sensors did stays in the process.
    pub fn state_to_bytes(&mut self, state: &State) -> Result<Vec<u8>, Error> {
        if !self.abilities().bytes {
            let reason =
                "what sensors and switches made of a mechanism, and a sparse linear system, stay in the process";
            return Err(Error::Unsupported { what: "a state as bytes", reason });
        }
        let mut point = Vec::new();
        match &state.point {
            Kept::Start => {}
            Kept::Bytes(bytes) => point.clone_from(bytes),
            Kept::Point(kept) => {
                if !self.motion()?.store(&**kept, &mut point)? {
                    return Err(Error::Foreign);
                }
            }
        }
        Ok(self.header().write(|to| {
            (state.phase as u8).store(to);
            state.time.store(to);
            state.inputs.store(to);
            state.parameters.store(to);
            state.experiment.start.store(to);
            state.experiment.end.store(to);
            state.experiment.tolerance.unwrap_or(f64::NAN).store(to);
            state.solves.store(to);
            matches!(state.point, Kept::Start).store(to);
            to.extend_from_slice(&point);
        }))
    }

    /// A checkpoint from bytes that [`Instance::state_to_bytes`] made of an instance of the same unit.
    ///
    /// # Errors
    /// [`Error::Model`] for bytes that are damaged, of another unit, or of another version of this library.
    pub fn state_from_bytes(&self, bytes: &[u8]) -> Result<State, Error> {
        let mut from = self.header().read(bytes)?;
        let phase = Phase::of_number(from.value()?).ok_or_else(|| from.refuse("the phase of an instance"))?;
        let time = from.value()?;
        let (mut inputs, mut parameters) = (self.inputs.clone(), self.parameters.clone());
        inputs.load(&mut from)?;
        parameters.load(&mut from)?;
        let start = from.value()?;
        let (end, tolerance): (f64, f64) = from.value()?;
        let experiment = Experiment { start, end, tolerance: Some(tolerance).filter(|value| !value.is_nan()) };
        let solves = from.value()?;
        let point = if from.value()? { Kept::Start } else { Kept::Bytes(rest(&mut from)?) };
        from.finish()?;
        Ok(State { phase, time, inputs, parameters, experiment, solves, compiled: None, point })
    }
}

/// What is left.
fn rest(from: &mut Source<'_>) -> Result<Vec<u8>, Error> {
    let left = from.left();
    Ok(from.take(left)?.to_vec())
}
