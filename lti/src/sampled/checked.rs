//! A sampled system from its matrices.

use crate::{Error, StateSpace};
use nalgebra::DMatrix;

pub(super) fn checked(a: DMatrix<f64>, b: DMatrix<f64>, c: DMatrix<f64>, d: DMatrix<f64>) -> Result<StateSpace, Error> {
    StateSpace::new(a, b, c, d).map_err(|_| Error::Overflow { what: "sampled system" })
}
