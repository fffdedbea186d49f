//! What a run tells those who watch it.

use fourbar_multibody::analysis::Wrench;
use fourbar_multibody::force::ElementLoad;
use fourbar_multibody::space::{Pose, V3};
use std::io;

/// What one number of a row is.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
pub struct Column {
    /// Name of the measure, with its component if it has several (`tip.x`).
    pub name: String,
    /// Its unit, empty for a pure number.
    pub unit: String,
}

/// Whoever wants to know what happens during a run. An error ends the run.
pub trait Observer {
    /// Called once, before the first output, with the names and units of the measures.
    ///
    /// # Errors
    /// Whatever keeps the observer from its work.
    fn begin(&mut self, _columns: &[Column]) -> io::Result<()> {
        Ok(())
    }

    /// Called at each output time \[s\] with the measures, in the order of the columns.
    ///
    /// # Errors
    /// Whatever keeps the observer from its work.
    fn output(&mut self, _time: f64, _values: &[f64]) -> io::Result<()> {
        Ok(())
    }

    /// Whether [`Observer::frame`] is to be called.
    fn wants_frames(&self) -> bool {
        false
    }

    /// Called at each output time, after [`Observer::output`], with the bodies of a mechanism and what acts on them. Coupled models have none.
    ///
    /// # Errors
    /// Whatever keeps the observer from its work.
    fn frame(&mut self, _frame: &Frame) -> io::Result<()> {
        Ok(())
    }

    /// Called after each accepted step.
    ///
    /// # Errors
    /// Whatever keeps the observer from its work.
    fn step(&mut self, _step: &Step) -> io::Result<()> {
        Ok(())
    }
}

/// An accepted step.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Step {
    /// Its end \[s\].
    pub time: f64,
    /// Its length \[s\].
    pub size: f64,
    /// Order of the method.
    pub order: usize,
}

/// A mechanism at an output.
#[derive(Debug, Clone, Default)]
pub struct Frame {
    /// Time \[s\].
    pub time: f64,
    /// Bodies in the order of the model, then the ground.
    pub poses: Vec<Pose>,
    /// What each joint, motion and relation does to the body of its marker I, in the order of
    /// [`Mechanism::constraint_sets`](fourbar_multibody::Mechanism::constraint_sets); empty where that is not known, as at a singular position.
    pub reactions: Vec<Wrench>,
    /// What the force elements do; empty where one cannot be evaluated.
    pub forces: Vec<ElementLoad>,
    /// Contacts that press.
    pub contacts: Vec<ContactLoad>,
}

/// What a contact does.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ContactLoad {
    /// The contact of the model, as an index.
    pub pair: usize,
    /// Where, global \[m\].
    pub point: V3,
    /// Force on the body of I, friction included, global \[N\].
    pub force: V3,
}
