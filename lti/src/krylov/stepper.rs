//! Large sparse systems dx/dt = A x + B u(t) with the input holds of the crate.

use fourbar_linalg::CscMatrix;

use super::operator::multiply_add;
use super::propagator::{KrylovEffort, Propagator};
use crate::error::{all_finite, fingerprint, length, positive};
use crate::{Error, Method};

/// Advances dx/dt = A x + B u(t) by steps T, the input interpolated as `method` says: the large sparse counterpart of [`Stepper`](crate::Stepper).
///
/// ```
/// use fourbar_linalg::CscMatrix;
/// use fourbar_lti::{KrylovOptions, Method, RationalKrylov, SparseStepper};
/// use nalgebra_sparse::CooMatrix;
///
/// // A rod of 1000 cells, insulated at the far end, heated at the near one; its energy grows as the input's integral.
/// let n = 1000;
/// let (mut a, mut b) = (CooMatrix::new(n, n), CooMatrix::new(n, 1));
/// let conductance = (n * n) as f64;
/// for i in 0..n - 1 {
///     for (row, column, sign) in [(i, i, -1.0), (i + 1, i + 1, -1.0), (i, i + 1, 1.0), (i + 1, i, 1.0)] {
///         a.push(row, column, sign * conductance);
///     }
/// }
/// b.push(0, 0, n as f64);
/// let rod = RationalKrylov::new(&CscMatrix::from(&a), &KrylovOptions::default())?;
/// let mut stepper = SparseStepper::new(rod, &CscMatrix::from(&b), 0.01, Method::FIRST_ORDER_HOLD)?;
/// for _ in 0..10 {
///     stepper.step(|t, u| u[0] = 2.0 * t)?;
/// }
/// let energy: f64 = stepper.state().iter().sum::<f64>() / n as f64;
/// assert!((energy - 0.01).abs() < 1e-12);
/// # Ok::<(), fourbar_lti::Error>(())
/// ```
#[derive(Debug, Clone)]
pub struct SparseStepper<P> {
    propagator: P,
    b: CscMatrix<f64>,
    step: f64,
    /// theta_i, and c_ij of the interpolation.
    nodes: Vec<f64>,
    coefficients: Vec<Vec<f64>>,
    x: Vec<f64>,
    /// u at one node.
    sample: Vec<f64>,
    /// a_j of the input sum_j a_j theta^j, m values each.
    polynomial: Vec<f64>,
    /// B a_j, n values each.
    forcing: Vec<f64>,
    /// C and D.
    outputs: Option<[CscMatrix<f64>; 2]>,
    /// The time from which the steps count \[s\].
    begin: f64,
    steps: u64,
    origin: u64,
}

/// Everything that changes as a [`SparseStepper`] advances.
#[derive(Debug, Clone, PartialEq)]
pub struct SparseState {
    /// Of the dimensions, the step and the method.
    origin: u64,
    x: Vec<f64>,
    begin: f64,
    steps: u64,
    /// Of the propagator: where its next search for substeps begins.
    pace: f64,
}

impl<P: Propagator> SparseStepper<P> {
    /// At t = 0 in the state 0; `b` n x m, `step` T \[s\].
    ///
    /// # Errors
    /// [`Error::NotPositive`], [`Error::MatrixShape`] and [`Error::NotFinite`] for B, [`Error::OrderTooHigh`], [`Error::Nodes`], [`Error::Classical`].
    pub fn new(propagator: P, b: &CscMatrix<f64>, step: f64, method: Method) -> Result<Self, Error> {
        positive("step", step)?;
        let (n, m) = (propagator.dimension(), b.ncols());
        if b.nrows() != n {
            let (expected_rows, expected_columns) = (n, m);
            return Err(Error::MatrixShape { name: "B", rows: b.nrows(), columns: m, expected_rows, expected_columns });
        }
        all_finite("B", b.values())?;
        let coefficients = method.coefficients()?.ok_or(Error::Classical)?;
        let terms = coefficients.len();
        let origin = fingerprint(&[n, m], step, &method);
        Ok(Self {
            propagator,
            b: b.clone(),
            step,
            nodes: method.nodes()?,
            coefficients,
            x: vec![0.0; n],
            sample: vec![0.0; m],
            polynomial: vec![0.0; m * terms],
            forcing: vec![0.0; n * terms],
            outputs: None,
            begin: 0.0,
            steps: 0,
            origin,
        })
    }

    /// Gives the system the outputs y = C x + D u; `c` q x n, `d` q x m.
    ///
    /// # Errors
    /// [`Error::MatrixShape`], [`Error::NotFinite`].
    pub fn set_outputs(&mut self, c: &CscMatrix<f64>, d: &CscMatrix<f64>) -> Result<(), Error> {
        let q = c.nrows();
        for (name, matrix, columns) in [("C", c, self.x.len()), ("D", d, self.sample.len())] {
            let (rows, given) = (matrix.nrows(), matrix.ncols());
            if (rows, given) != (q, columns) {
                let (expected_rows, expected_columns) = (q, columns);
                return Err(Error::MatrixShape { name, rows, columns: given, expected_rows, expected_columns });
            }
            all_finite(name, matrix.values())?;
        }
        self.outputs = Some([c.clone(), d.clone()]);
        Ok(())
    }

    /// y = C x + D u for the present state and the inputs `u` (m values) at the present time; without [`SparseStepper::set_outputs`] there are
    /// none.
    ///
    /// # Errors
    /// [`Error::Length`], [`Error::NotFinite`].
    pub fn output(&self, u: &[f64], y: &mut [f64]) -> Result<(), Error> {
        length("input", u.len(), self.sample.len())?;
        all_finite("input", u)?;
        length("output", y.len(), self.outputs.as_ref().map_or(0, |[c, _]| c.nrows()))?;
        y.fill(0.0);
        if let Some([c, d]) = &self.outputs {
            multiply_add(c, &self.x, y);
            multiply_add(d, u, y);
        }
        Ok(())
    }

    /// Sets the clock to `t` \[s\]; the state stays.
    ///
    /// # Errors
    /// [`Error::NotFinite`].
    pub fn set_time(&mut self, t: f64) -> Result<(), Error> {
        all_finite("time", [&t])?;
        (self.begin, self.steps) = (t, 0);
        Ok(())
    }

    /// A copy of everything that changes.
    #[must_use]
    pub fn save(&self) -> SparseState {
        let Self { origin, begin, steps, .. } = *self;
        SparseState { origin, x: self.x.clone(), begin, steps, pace: self.propagator.pace() }
    }

    /// Back to a saved state. What follows is bitwise the same, unless the rational projection had to choose other pivots in between.
    ///
    /// # Errors
    /// [`Error::ForeignState`] when it is that of other dimensions, another step or method.
    pub fn restore(&mut self, saved: &SparseState) -> Result<(), Error> {
        if saved.origin != self.origin || saved.x.len() != self.x.len() {
            let m = self.sample.len();
            return Err(Error::ForeignState { saved: (saved.x.len(), m), own: (self.x.len(), m) });
        }
        self.x.copy_from_slice(&saved.x);
        (self.begin, self.steps) = (saved.begin, saved.steps);
        self.propagator.set_pace(saved.pace);
        Ok(())
    }

    /// x, n values.
    #[must_use]
    pub fn state(&self) -> &[f64] {
        &self.x
    }

    /// Puts the system into the state `x` (n values).
    ///
    /// # Errors
    /// [`Error::Length`], [`Error::NotFinite`].
    pub fn set_state(&mut self, x: &[f64]) -> Result<(), Error> {
        length("state", x.len(), self.x.len())?;
        all_finite("state", x)?;
        self.x.copy_from_slice(x);
        Ok(())
    }

    /// The present time \[s\].
    #[must_use]
    pub fn time(&self) -> f64 {
        self.begin + self.steps as f64 * self.step
    }

    /// One step; `u(t, out)` writes the m inputs at a time \[s\] and is asked for them at t + theta T for all nodes of the method: those of
    /// Algorithm 2 reach into the past, before t = 0 in the first steps.
    ///
    /// # Errors
    /// [`Error::NotFinite`] for an input, and as [`Propagator::advance`]. The state is then that before the step.
    pub fn step(&mut self, mut u: impl FnMut(f64, &mut [f64])) -> Result<KrylovEffort, Error> {
        let (t, n, m) = (self.time(), self.x.len(), self.sample.len());
        self.polynomial.fill(0.0);
        for (theta, weights) in self.nodes.iter().zip(&self.coefficients) {
            u(t + theta * self.step, &mut self.sample);
            all_finite("input", &self.sample)?;
            for (j, weight) in weights.iter().enumerate() {
                for (a, u) in self.polynomial[j * m..(j + 1) * m].iter_mut().zip(&self.sample) {
                    *a += weight * u;
                }
            }
        }
        self.forcing.fill(0.0);
        for j in 0..self.coefficients.len() {
            let (a, out) = (&self.polynomial[j * m..(j + 1) * m], &mut self.forcing[j * n..(j + 1) * n]);
            multiply_add(&self.b, a, out);
        }
        let effort = self.propagator.advance(self.step, &mut self.x, &self.forcing)?;
        self.steps += 1;
        Ok(effort)
    }
}
