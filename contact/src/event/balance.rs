//! Multipliers that give the rows that hold what they ask for: the only ones, or those of least norm.

use crate::dense::{LeastNorm, Lu};
use nalgebra::{DMatrix, DVector};

/// Factors of some rows of a square matrix over some of its columns, and the memory to make them.
#[derive(Debug, Clone, Default)]
pub(super) struct Balance {
    lu: Lu,
    least: LeastNorm,
    /// The columns that push, and how many there are.
    push: Vec<usize>,
    columns: usize,
    pushed: Vec<f64>,
    state: Factors,
}

/// What has been factored.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
enum Factors {
    #[default]
    None,
    /// All rows, independent of each other.
    Whole,
    /// Fewer rows than columns, which reach every right-hand side.
    Least,
    /// Nothing that solves.
    Singular,
}

impl Balance {
    /// Factors the rows `hold` of the square `matrix`, column by column, over its columns `push`. False where these do not reach every right-hand
    /// side.
    pub(super) fn factor(&mut self, matrix: &[f64], hold: &[usize], push: &[usize]) -> bool {
        let r = matrix.len().isqrt();
        self.columns = r;
        self.push.clear();
        self.push.extend_from_slice(push);
        let entry = |i: usize, j: usize| matrix[push[j] * r + hold[i]];
        self.state = if hold.len() == r && push.len() == r {
            let whole = self.lu.factor(r, 0.0, |to| to.copy_from_slice(matrix));
            if whole { Factors::Whole } else { Factors::Singular }
        } else {
            let reach = self.least.factor(hold.len(), push.len(), entry);
            if reach { Factors::Least } else { Factors::Singular }
        };
        self.state != Factors::Singular
    }

    pub(super) fn is_factored(&self) -> bool {
        self.state != Factors::None
    }

    /// The factors belong to another matrix from now on.
    pub(super) fn forget(&mut self) {
        self.state = Factors::None;
    }

    /// Determinant of the whole matrix, zero if it is singular.
    pub(super) fn determinant(&self) -> f64 {
        if self.state == Factors::Whole { self.lu.determinant() } else { 0.0 }
    }

    /// Multipliers `x` of all columns, of which those that push give the `target`. False if there are none.
    pub(super) fn solve(&mut self, target: &[f64], x: &mut Vec<f64>) -> bool {
        x.clear();
        match self.state {
            Factors::Whole => {
                x.extend_from_slice(target);
                self.lu.solve(x);
            }
            Factors::Least => {
                let Self { push, pushed, columns, .. } = self;
                pushed.clear();
                pushed.resize(push.len(), 0.0);
                self.least.solve(target, pushed);
                x.resize(*columns, 0.0);
                push.iter().zip(pushed).for_each(|(&column, value)| x[column] = *value);
            }
            Factors::None | Factors::Singular => return false,
        }
        x.iter().all(|x| x.is_finite())
    }

    /// Multipliers that come nearest to the `target`, of least norm, where rows `hold` of `matrix` depend on others: pivots, or else singular
    /// values, below the square root of round-off of the largest count as zero.
    pub(super) fn nearest(&mut self, matrix: &[f64], hold: &[usize], target: &[f64], x: &mut Vec<f64>) -> bool {
        let r = matrix.len().isqrt();
        let smallest = f64::EPSILON.sqrt();
        self.columns = r;
        if hold.len() == r && self.lu.factor(r, 0.0, |to| to.copy_from_slice(matrix)) {
            let (least, largest) = self.lu.pivots();
            if least > smallest * largest {
                self.state = Factors::Whole;
                return self.solve(target, x);
            }
        }
        self.state = Factors::Singular;
        let rows = DMatrix::from_fn(hold.len(), r, |i, j| matrix[j * r + hold[i]]);
        let Some(values) = fourbar_linalg::SingularValues::new(&rows) else { return false };
        let solution = values.solve(&DVector::from_column_slice(target), smallest * values.largest());
        x.clear();
        x.extend_from_slice(solution.as_slice());
        x.iter().all(|x| x.is_finite())
    }
}
