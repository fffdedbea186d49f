//! Matrices from rows of expressions.

use super::fault::{at, fault, numerical};
use crate::linear::StateSpaceModel;
use fourbar_lti::StateSpace;
use fourbar_multibody::expression::Expression;
use fourbar_multibody::{Location, ModelError, Parameters};
use nalgebra::DMatrix;

/// Reads the matrices of one system, whose fields stand at `place(field)`.
pub(super) struct Reader<'a, P> {
    pub(super) parameters: &'a Parameters<'a>,
    pub(super) place: P,
}

/// The rows of the four matrices and the start state, as they are written.
pub(super) struct Written<'a> {
    pub(super) a: &'a [Vec<Expression>],
    pub(super) b: &'a [Vec<Expression>],
    pub(super) c: &'a [Vec<Expression>],
    pub(super) d: &'a [Vec<Expression>],
    pub(super) initial: &'a [Expression],
}

impl<P: Fn(&str) -> Location> Reader<'_, P> {
    /// The system with `inputs` inputs, and its start state.
    pub(super) fn system(
        &self,
        written: &Written<'_>,
        inputs: usize,
    ) -> Result<(StateSpace, Vec<f64>), Box<ModelError>> {
        let n = written.a.len();
        let others = [written.b.len(), written.c.len(), written.initial.len()];
        if n == 0 && (others != [0; 3] || written.d.is_empty()) {
            let problem =
                "A is empty: a system without states has no B, no C and no start state, and needs D for its outputs";
            let remedy = "write the rows of A, or leave the others out and give D";
            return Err(fault((self.place)("a"), problem.to_owned(), remedy));
        }
        let columns_of_a = (n, "as many as A has rows");
        let columns_of_b = (inputs, "one for each input");
        let a = self.matrix("a", written.a, n, columns_of_a)?;
        let b = match written.b {
            [] if inputs == 0 || n == 0 => DMatrix::zeros(n, inputs),
            rows => self.matrix("b", rows, n, columns_of_b)?,
        };
        let c = match written.c {
            [] if n == 0 => DMatrix::zeros(written.d.len(), 0),
            [] => DMatrix::identity(n, n),
            rows => self.matrix("c", rows, rows.len(), columns_of_a)?,
        };
        let d = match written.d {
            [] => DMatrix::zeros(c.nrows(), inputs),
            rows => self.matrix("d", rows, c.nrows(), columns_of_b)?,
        };
        let initial = match written.initial {
            [] => vec![0.0; n],
            values if values.len() == n => self.vector("initial", values)?,
            values => {
                let problem = format!("the start state has {} entries, the system has {n} states", values.len());
                return Err(fault((self.place)("initial"), problem, "write a number for each state"));
            }
        };
        let system = StateSpace::new(a, b, c, d).map_err(|error| numerical((self.place)("a"), &error))?;
        Ok((system, initial))
    }

    pub(super) fn number(&self, field: &str, expression: &Expression) -> Result<f64, Box<ModelError>> {
        self.parameters.number(expression, &(self.place)(field))
    }

    pub(super) fn vector(&self, field: &str, values: &[Expression]) -> Result<Vec<f64>, Box<ModelError>> {
        let number = |(i, value)| self.number(&format!("{field}.{i}"), value);
        values.iter().enumerate().map(number).collect()
    }

    fn matrix(
        &self,
        field: &str,
        rows: &[Vec<Expression>],
        row_count: usize,
        (column_count, why): (usize, &str),
    ) -> Result<DMatrix<f64>, Box<ModelError>> {
        let name = field.to_uppercase();
        if rows.len() != row_count {
            let problem = format!("{name} has {} rows, {row_count} are needed", rows.len());
            return Err(fault((self.place)(field), problem, "write each row as an array in brackets"));
        }
        let mut matrix = DMatrix::zeros(row_count, column_count);
        for (i, row) in rows.iter().enumerate() {
            if row.len() != column_count {
                let problem = format!("row {} of {name} has {} entries", i + 1, row.len());
                let remedy = format!("write {column_count} entries, {why}");
                return Err(fault((self.place)(&format!("{field}.{i}")), problem, remedy));
            }
            for (j, value) in self.vector(&format!("{field}.{i}"), row)?.into_iter().enumerate() {
                matrix[(i, j)] = value;
            }
        }
        Ok(matrix)
    }
}

/// The system of `[state_space]`.
pub(super) fn state_space(
    model: &StateSpaceModel,
    inputs: usize,
    parameters: &Parameters<'_>,
) -> Result<(StateSpace, Vec<f64>), Box<ModelError>> {
    let StateSpaceModel { a, b, c, d, initial } = model;
    let reader = Reader { parameters, place: |field: &str| at("state_space", 0, "", field) };
    reader.system(&Written { a, b, c, d, initial }, inputs)
}
