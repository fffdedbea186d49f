//! x(k+1) = e^{AT} x(k) + sum_i Phi_i u(t_k + theta_i T), with Phi_i = sum_j c_ij G_j B: a system and a step made into matrices.

use fourbar_linalg::phi::PhiError;
use nalgebra::{DMatrix, DVector};

use crate::error::{all_finite, length, positive};
use crate::interpolation::{divided_difference_weight, lagrange_coefficients, nodal_polynomial};
use crate::{Error, GMatrices, Method, Precision, StateSpace, classical};

/// The transition matrices of one system, one step and one family.
///
/// ```
/// use fourbar_lti::{Discretization, Method, StateSpace};
/// use nalgebra::dmatrix;
///
/// let lag = StateSpace::with_state_outputs(dmatrix![-2.0], dmatrix![2.0])?;
/// let held = Discretization::new(&lag, 0.1, Method::ZERO_ORDER_HOLD)?;
/// assert_eq!(held.nodes(), &[0.0]);
/// assert!((held.input_matrix(0)[0] - (1.0 - (-0.2f64).exp())).abs() < 1e-16);
/// # Ok::<(), fourbar_lti::Error>(())
/// ```
#[derive(Debug, Clone)]
pub struct Discretization {
    method: Method,
    step: f64,
    exp: DMatrix<f64>,
    /// theta_i, ascending.
    nodes: Vec<f64>,
    /// Phi_i, n x m \[s\] times the unit of B.
    inputs: Vec<DMatrix<f64>>,
    /// W of the leading error; None for the classical methods.
    error: Option<DMatrix<f64>>,
}

impl Discretization {
    /// Matrices for the step `step` \[s\].
    ///
    /// # Errors
    /// [`Error::NotPositive`] for the step, [`Error::OrderTooHigh`] or [`Error::Nodes`] for the method,
    /// [`Error::Transition`] when e^{AT} overflows, [`Error::Overflow`] when a product with B does.
    pub fn new(system: &StateSpace, step: f64, method: Method) -> Result<Self, Error> {
        Self::with_precision(system, step, method, Precision::Automatic)
    }

    /// As [`Discretization::new`], with the arithmetic chosen; the classical methods know one alone.
    ///
    /// # Errors
    /// As [`Discretization::new`].
    pub fn with_precision(system: &StateSpace, step: f64, method: Method, precision: Precision) -> Result<Self, Error> {
        positive("step", step)?;
        if method.is_classical() {
            let (transition, inputs) = classical::matrices(system, step, &method)?;
            return Self::from_matrices(method, step, transition, inputs);
        }
        let g = GMatrices::with_precision(system.a(), step, method.exact_nodes()?.len(), precision)?;
        Self::from_g_matrices(&g, system.b(), method)
    }

    /// From G matrices already known, up to index N = number of nodes of the method, and B (n x m).
    ///
    /// # Errors
    /// As [`Discretization::new`]; [`Error::MatrixShape`] for B; [`Error::Length`] when G_N is missing.
    pub fn from_g_matrices(g: &GMatrices, b: &DMatrix<f64>, method: Method) -> Result<Self, Error> {
        let nodes = method.exact_nodes()?;
        crate::error::shape("B", b, (g.exp().nrows(), b.ncols()))?;
        positive("step", g.step())?;
        if g.order() < nodes.len() {
            return Err(Error::Length { name: "set of G matrices", length: g.order() + 1, expected: nodes.len() + 1 });
        }
        let inputs = lagrange_coefficients(&nodes).iter().map(|row| g.combination(row) * b).collect();
        let inputs = within_range(inputs)?;
        Ok(Self {
            nodes: method.nodes()?,
            method,
            step: g.step(),
            exp: g.exp().clone(),
            inputs,
            error: Some(g.combination(&nodal_polynomial(&nodes)) * b),
        })
    }

    pub(crate) fn from_matrices(
        method: Method,
        step: f64,
        exp: DMatrix<f64>,
        inputs: Vec<DMatrix<f64>>,
    ) -> Result<Self, Error> {
        Ok(Self { nodes: method.nodes()?, method, step, exp, inputs: within_range(inputs)?, error: None })
    }

    /// The family and order.
    #[must_use]
    pub fn method(&self) -> &Method {
        &self.method
    }

    /// T \[s\].
    #[must_use]
    pub fn step(&self) -> f64 {
        self.step
    }

    /// e^{AT}, n x n.
    #[must_use]
    pub fn exp(&self) -> &DMatrix<f64> {
        &self.exp
    }

    /// Number of states n.
    #[must_use]
    pub fn states(&self) -> usize {
        self.exp.nrows()
    }

    /// Number of inputs m.
    #[must_use]
    pub fn inputs(&self) -> usize {
        self.inputs[0].ncols()
    }

    /// The times theta_i of the input samples in units of the step, ascending.
    #[must_use]
    pub fn nodes(&self) -> &[f64] {
        &self.nodes
    }

    /// Phi_i, n x m: what the input at node i adds to the next state.
    ///
    /// # Panics
    /// If there is no node `i`, as an index beyond the end of a slice does.
    #[must_use]
    pub fn input_matrix(&self, i: usize) -> &DMatrix<f64> {
        &self.inputs[i]
    }

    /// The times of the samples that a step needs anew, as offsets from its beginning \[s\], ascending. The others were
    /// samples of the step before.
    #[must_use]
    pub fn sample_offsets(&self) -> Vec<f64> {
        let new = self.retained().into_iter().zip(&self.nodes).filter(|(from, _)| from.is_none());
        new.map(|(_, theta)| theta * self.step).collect()
    }

    /// For each node the node of the step before that lay at the same time, if any.
    pub(crate) fn retained(&self) -> Vec<Option<usize>> {
        let same = |a: f64, b: f64| (a - b).abs() < 1e-9;
        let earlier = |theta: f64| self.nodes.iter().position(|&other| same(other, theta + 1.0));
        self.nodes.iter().map(|&theta| earlier(theta)).collect()
    }

    /// W = sum_j w_j G_j B, n x m, of the leading term of the local error (exact minus computed): E = W T^N/N! u^(N), where N is
    /// the number of nodes and w their nodal polynomial. Valid at any stiffness. None for the classical methods.
    #[must_use]
    pub fn error_matrix(&self) -> Option<&DMatrix<f64>> {
        self.error.as_ref()
    }

    /// The leading term of the local error of a step where the N-th derivatives of the inputs are `derivatives` (m values, unit of
    /// the input per s^N). None for the classical methods.
    ///
    /// # Errors
    /// [`Error::Length`], [`Error::NotFinite`].
    pub fn leading_error(&self, derivatives: &[f64]) -> Result<Option<DVector<f64>>, Error> {
        length("derivatives", derivatives.len(), self.inputs())?;
        all_finite("derivatives", derivatives)?;
        let divided = (1..=self.nodes.len()).fold(1.0, |factor, i| factor * self.step / i as f64);
        let input = DVector::from_column_slice(derivatives) * divided;
        Ok(self.error.as_ref().map(|w| w * input))
    }

    /// The weights with which samples at the nodes and at one more time theta form the divided difference T^N/N! u^(N).
    pub(crate) fn difference_weights(&self, extra: f64) -> Result<Vec<f64>, Error> {
        use fourbar_linalg::phi::{DoubleDouble, PhiScalar};
        let mut nodes = self.method.exact_nodes()?;
        nodes.push(DoubleDouble::from(extra));
        let weights = (0..nodes.len()).map(|i| divided_difference_weight(&nodes, i).to_f64());
        Ok(weights.collect())
    }
}

/// The matrices of the samples, if all their entries are finite.
fn within_range(inputs: Vec<DMatrix<f64>>) -> Result<Vec<DMatrix<f64>>, Error> {
    let finite = inputs.iter().all(|phi| phi.iter().all(|x| x.is_finite()));
    if finite { Ok(inputs) } else { Err(Error::Overflow { what: "response to the input over a step" }) }
}

/// The largest step up to `largest` \[s\], found by shrinking, whose leading local error stays within `tolerance` (largest
/// absolute value over the states) where the N-th derivatives of the inputs reach `derivatives`.
///
/// # Errors
/// [`Error::ToleranceTooTight`] when no step down to 1e-12 of `largest` suffices; else as [`Discretization::new`] and
/// [`Discretization::leading_error`]. The classical methods have no such estimate and are refused with [`Error::NoEstimate`].
pub fn suggest_step(
    system: &StateSpace,
    method: &Method,
    derivatives: &[f64],
    tolerance: f64,
    largest: f64,
) -> Result<f64, Error> {
    positive("tolerance", tolerance)?;
    positive("largest step", largest)?;
    let mut step = largest;
    while step > 1e-12 * largest {
        let discretization = match Discretization::new(system, step, method.clone()) {
            // An unstable system over too long a time: only a shorter one can tell.
            Err(Error::Transition(PhiError::Overflow { .. }) | Error::Overflow { .. }) => {
                step *= 0.1;
                continue;
            }
            other => other?,
        };
        let Some(error) = discretization.leading_error(derivatives)? else {
            return Err(Error::NoEstimate);
        };
        let error = error.amax();
        if error <= tolerance {
            return Ok(step);
        }
        if !error.is_finite() {
            step *= 0.1;
            continue;
        }
        // The error falls as T^(N+1) where the system is not stiff and as T^N where it is: the first exponent undershoots never.
        let order = discretization.nodes().len() as f64 + 1.0;
        step *= (tolerance / error).powf(1.0 / order).clamp(0.1, 0.98);
    }
    Err(Error::ToleranceTooTight { tolerance, smallest: 1e-12 * largest })
}
