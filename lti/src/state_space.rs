//! dx/dt = A x + B u, y = C x + D u: the four matrices, checked.

use nalgebra::DMatrix;

use crate::Error;
use crate::error::{all_finite, shape};

/// A linear time-invariant system with n states, m inputs and q outputs.
///
/// ```
/// use fourbar_lti::StateSpace;
/// use nalgebra::dmatrix;
///
/// // A mass of 2 kg on a spring of 50 N/m, its position as output.
/// let system = StateSpace::new(
///     dmatrix![0.0, 1.0; -25.0, 0.0],
///     dmatrix![0.0; 0.5],
///     dmatrix![1.0, 0.0],
///     dmatrix![0.0],
/// )?;
/// assert_eq!((system.states(), system.inputs(), system.outputs()), (2, 1, 1));
/// # Ok::<(), fourbar_lti::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct StateSpace {
    a: DMatrix<f64>,
    b: DMatrix<f64>,
    c: DMatrix<f64>,
    d: DMatrix<f64>,
}

impl StateSpace {
    /// From A (n x n, 1/s), B (n x m), C (q x n) and D (q x m); n, m and q may be 0.
    ///
    /// # Errors
    /// [`Error::MatrixShape`], or [`Error::NotFinite`] for an entry that is NaN or infinite.
    pub fn new(a: DMatrix<f64>, b: DMatrix<f64>, c: DMatrix<f64>, d: DMatrix<f64>) -> Result<Self, Error> {
        let n = a.nrows();
        shape("A", &a, (n, n))?;
        shape("B", &b, (n, b.ncols()))?;
        shape("C", &c, (c.nrows(), n))?;
        shape("D", &d, (c.nrows(), b.ncols()))?;
        for (name, matrix) in [("A", &a), ("B", &b), ("C", &c), ("D", &d)] {
            all_finite(name, matrix.iter())?;
        }
        Ok(Self { a, b, c, d })
    }

    /// From matrices known to fit and to be finite.
    pub(crate) fn from_checked(a: DMatrix<f64>, b: DMatrix<f64>, c: DMatrix<f64>, d: DMatrix<f64>) -> Self {
        Self { a, b, c, d }
    }

    /// With the states themselves as outputs: C = I, D = 0.
    ///
    /// # Errors
    /// As [`StateSpace::new`].
    pub fn with_state_outputs(a: DMatrix<f64>, b: DMatrix<f64>) -> Result<Self, Error> {
        let (n, m) = b.shape();
        Self::new(a, b, DMatrix::identity(n, n), DMatrix::zeros(n, m))
    }

    /// Without states: y = D u.
    ///
    /// # Errors
    /// [`Error::NotFinite`].
    pub fn gain(d: DMatrix<f64>) -> Result<Self, Error> {
        let (q, m) = d.shape();
        Self::new(DMatrix::zeros(0, 0), DMatrix::zeros(0, m), DMatrix::zeros(q, 0), d)
    }

    /// A, n x n.
    #[must_use]
    pub fn a(&self) -> &DMatrix<f64> {
        &self.a
    }

    /// B, n x m.
    #[must_use]
    pub fn b(&self) -> &DMatrix<f64> {
        &self.b
    }

    /// C, q x n.
    #[must_use]
    pub fn c(&self) -> &DMatrix<f64> {
        &self.c
    }

    /// D, q x m.
    #[must_use]
    pub fn d(&self) -> &DMatrix<f64> {
        &self.d
    }

    /// n.
    #[must_use]
    pub fn states(&self) -> usize {
        self.a.nrows()
    }

    /// m.
    #[must_use]
    pub fn inputs(&self) -> usize {
        self.b.ncols()
    }

    /// q.
    #[must_use]
    pub fn outputs(&self) -> usize {
        self.c.nrows()
    }
}

#[cfg(test)]
mod tests {
    use nalgebra::dmatrix;

    use super::*;

    #[test]
    fn wrong_shapes_and_values_are_named() {
        let zeros = DMatrix::zeros;
        let named = |result: Result<StateSpace, Error>| result.unwrap_err().to_string();
        assert!(named(StateSpace::new(zeros(2, 3), zeros(2, 1), zeros(1, 2), zeros(1, 1))).starts_with("A is 2 x 3"));
        assert!(named(StateSpace::new(zeros(2, 2), zeros(3, 1), zeros(1, 2), zeros(1, 1))).starts_with("B is 3 x 1"));
        assert!(named(StateSpace::new(zeros(2, 2), zeros(2, 1), zeros(1, 3), zeros(1, 1))).starts_with("C is 1 x 3"));
        assert!(named(StateSpace::new(zeros(2, 2), zeros(2, 1), zeros(1, 2), zeros(2, 1))).starts_with("D is 2 x 1"));
        assert!(named(StateSpace::gain(dmatrix![1.0, f64::NAN])).starts_with("D[1] is NaN"));
    }

    #[test]
    fn response_without_states_is_d() {
        let gain = StateSpace::gain(dmatrix![2.0, -3.0]).unwrap();
        assert_eq!(gain.frequency_response(0.0, 7.0).unwrap(), (gain.d().clone(), DMatrix::zeros(1, 2)));
        let nothing = StateSpace::gain(DMatrix::zeros(0, 0)).unwrap();
        assert_eq!(nothing.frequency_response(1.0, 0.0).unwrap().0.shape(), (0, 0));
        let no_inputs = StateSpace::with_state_outputs(dmatrix![-1.0], DMatrix::zeros(1, 0)).unwrap();
        assert_eq!(no_inputs.frequency_response(0.0, 1.0).unwrap().0.shape(), (1, 0));
        let no_outputs = StateSpace::new(dmatrix![-1.0], dmatrix![1.0], DMatrix::zeros(0, 1), DMatrix::zeros(0, 1));
        assert_eq!(no_outputs.unwrap().frequency_response(0.0, 1.0).unwrap().0.shape(), (0, 1));
    }

    #[test]
    fn response_of_a_lag_at_its_corner() {
        let lag = StateSpace::new(dmatrix![-3.0], dmatrix![3.0], dmatrix![1.0], dmatrix![0.0]).unwrap();
        let (re, im) = lag.frequency_response(0.0, 3.0).unwrap();
        assert!((re[0] - 0.5).abs() < 1e-15 && (im[0] + 0.5).abs() < 1e-15);
        assert!(lag.frequency_response(-3.0, 0.0).is_none());
    }
}
