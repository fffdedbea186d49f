//! What a run tells those who watch it.

use crate::run::Frame;
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
