//! Two systems in series, in parallel and in a loop.

use nalgebra::DMatrix;

use super::{BlockId, Diagram, InputId};
use crate::{Error, StateSpace};

impl StateSpace {
    /// This system's outputs led into `next`'s inputs.
    ///
    /// # Errors
    /// [`Error::Length`] when the numbers of signals differ.
    pub fn series(&self, next: &Self) -> Result<Self, Error> {
        crate::error::length("inputs of the next system", next.inputs(), self.outputs())?;
        let mut diagram = Diagram::new();
        let (first, second) = (diagram.add("first", self.clone()), diagram.add("second", next.clone()));
        diagram.feed_all(first, 1.0)?;
        diagram.connect_all(first, second, 1.0)?;
        diagram.tap_all(second)?;
        diagram.to_state_space()
    }

    /// The sum of both systems' outputs under the same inputs.
    ///
    /// # Errors
    /// [`Error::Length`] when the numbers of inputs or outputs differ.
    pub fn parallel(&self, other: &Self) -> Result<Self, Error> {
        crate::error::length("inputs of the other system", other.inputs(), self.inputs())?;
        crate::error::length("outputs of the other system", other.outputs(), self.outputs())?;
        let q = self.outputs();
        let mut diagram = Diagram::new();
        let (first, second) = (diagram.add("first", self.clone()), diagram.add("second", other.clone()));
        let sum = diagram.add("sum", Self::gain(DMatrix::identity(q, q))?);
        diagram.feed_all(first, 1.0)?;
        for input in 0..other.inputs() {
            diagram.feed(InputId(input), (second, input), 1.0)?;
        }
        diagram.connect_all(first, sum, 1.0)?;
        diagram.connect_all(second, sum, 1.0)?;
        diagram.tap_all(sum)?;
        diagram.to_state_space()
    }

    /// The closed loop u = r + `sign` times `back` y: -1 for negative feedback.
    ///
    /// # Errors
    /// [`Error::Length`] when the numbers of signals differ, [`Error::AlgebraicLoop`], [`Error::NotFinite`].
    pub fn feedback(&self, back: &Self, sign: f64) -> Result<Self, Error> {
        crate::error::length("inputs of the feedback", back.inputs(), self.outputs())?;
        crate::error::length("outputs of the feedback", back.outputs(), self.inputs())?;
        let mut diagram = Diagram::new();
        let (forward, back) = (diagram.add("forward path", self.clone()), diagram.add("feedback", back.clone()));
        diagram.feed_all(forward, 1.0)?;
        diagram.connect_all(forward, back, 1.0)?;
        diagram.connect_all(back, forward, sign)?;
        diagram.tap_all(forward)?;
        diagram.to_state_space()
    }
}

impl Diagram {
    /// An external input for each input of a block.
    fn feed_all(&mut self, to: BlockId, gain: f64) -> Result<(), Error> {
        for index in 0..self.block(to)?.system.inputs() {
            let input = self.add_input();
            self.feed(input, (to, index), gain)?;
        }
        Ok(())
    }

    /// Each output of a block to the input of the same number of another.
    fn connect_all(&mut self, from: BlockId, to: BlockId, gain: f64) -> Result<(), Error> {
        (0..self.block(from)?.system.outputs()).try_for_each(|i| self.connect((from, i), (to, i), gain))
    }

    fn tap_all(&mut self, from: BlockId) -> Result<(), Error> {
        (0..self.block(from)?.system.outputs()).try_for_each(|i| self.add_output((from, i)))
    }
}
