//! The assembly of a program with constants folded.
use super::code::{Binary, Op};
use super::error::Problem;
use super::machine::{Free, execute};
use super::spline::Surface;
use std::sync::Arc;

/// Assembles operations; replaces an operation on constants by its value.
#[derive(Debug, Default)]
pub(super) struct Builder {
    code: Vec<Op>,
    places: Vec<usize>,
    /// Constants before this index belong to another branch of a conditional: they are no arguments.
    floor: usize,
    depth: usize,
    deepest: usize,
    /// The splines, once they are known.
    pub(super) surfaces: Vec<Arc<Surface>>,
}

impl Builder {
    /// Appends an operation written at the byte `place`.
    pub(super) fn emit(&mut self, op: Op, place: usize) -> Result<(), Problem> {
        self.check_interval(op)?;
        let count = op.arguments();
        let known = !matches!(op, Op::Spline { .. }) || !self.surfaces.is_empty();
        if count > 0 && known && self.trailing_constants(count) == count {
            let start = self.code.len() - count;
            let place = self.places[start];
            self.code.push(op);
            let value = execute(&self.code[start..], &self.surfaces, |_| f64::NAN, &mut vec![0.0; count], &mut Free);
            self.truncate(start);
            self.depth -= count;
            self.push(Op::Constant(value), place);
        } else if let (Op::Binary(Binary::Power), Some(exponent)) = (op, self.constant()) {
            self.pop();
            self.push(Op::PowerConstant(exponent), place);
        } else {
            self.push(op, place);
        }
        Ok(())
    }

    /// Opens a conditional on the value on top; returns the branch, for [`Self::join`].
    pub(super) fn branch(&mut self, place: usize) -> usize {
        let (otherwise, end) = (0, 0);
        self.push(Op::Branch { otherwise, end }, place);
        self.floor = self.code.len();
        self.code.len() - 1
    }

    /// Ends the first branch of a conditional; returns the jump, for [`Self::join`].
    pub(super) fn jump(&mut self, place: usize) -> usize {
        self.push(Op::Jump(0), place);
        // The second branch finds the stack without the value of the first.
        self.depth -= 1;
        self.floor = self.code.len();
        self.code.len() - 1
    }

    /// Ends a conditional.
    pub(super) fn join(&mut self, branch: usize, jump: usize) {
        let end = self.code.len();
        let otherwise = jump + 1;
        self.code[branch] = Op::Branch { otherwise, end };
        self.code[jump] = Op::Jump(end);
        self.floor = end;
    }

    /// The value on top, if it is a constant.
    pub(super) fn constant(&self) -> Option<f64> {
        match self.code[self.floor..].last() {
            Some(Op::Constant(value)) => Some(*value),
            _ => None,
        }
    }

    /// Takes the constant on top away.
    pub(super) fn pop(&mut self) {
        self.truncate(self.code.len() - 1);
        self.depth -= 1;
    }

    /// The operations, where each is written, and the splines.
    pub(super) fn into_parts(self) -> (Vec<Op>, Vec<usize>, Vec<Arc<Surface>>) {
        (self.code, self.places, self.surfaces)
    }

    /// How many values the operations stack at most.
    pub(super) fn deepest(&self) -> usize {
        self.deepest
    }

    fn push(&mut self, op: Op, place: usize) {
        self.depth = self.depth + op.results() - op.arguments();
        self.deepest = self.deepest.max(self.depth);
        self.code.push(op);
        self.places.push(place);
    }

    fn truncate(&mut self, length: usize) {
        self.code.truncate(length);
        self.places.truncate(length);
    }

    /// How many of the last operations are constants of this branch, counted up to `limit`.
    fn trailing_constants(&self, limit: usize) -> usize {
        let constant = |op: &&Op| matches!(op, Op::Constant(_));
        let tail = self.code[self.floor..].iter().rev();
        tail.take(limit).take_while(constant).count()
    }

    /// A step or sweep over a constant interval that is empty or runs backwards is a mistake of the model.
    fn check_interval(&self, op: Op) -> Result<(), Problem> {
        use Op::Constant;
        match (op, &self.code[self.floor..]) {
            (Op::Blend(_), &[.., Constant(x0), Constant(_), Constant(x1), Constant(_)]) if x0 >= x1 => {
                Err(Problem::StepInterval { x0, x1 })
            }
            (Op::Sweep, &[.., Constant(dx)]) if dx <= 0.0 => Err(Problem::SweepRise { dx }),
            (Op::Sweep, &[.., Constant(x0), Constant(_), Constant(x1), Constant(_), Constant(_)]) if x0 >= x1 => {
                Err(Problem::SweepInterval { x0, x1 })
            }
            _ => Ok(()),
        }
    }
}
