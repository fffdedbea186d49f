//! The families of holds: at which times of a step the input is sampled and how it is continued between the samples.

use fourbar_linalg::phi::{DoubleDouble, PhiScalar};

use crate::Error;
use crate::interpolation::lagrange_coefficients;

/// How the input is interpolated over a step from t_k to t_k + T; theta = (t - t_k)/T. Equation numbers are the source's.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum Method {
    /// One-step, samples at theta = i/l, i = 0..l (16). Order l >= 0; exact for inputs that are polynomials of degree l.
    /// Even l > 0 gain an order while ||A|| T is small, and lose it again where the system is stiff.
    Algorithm1 {
        /// l.
        order: usize,
    },
    /// Multistep, samples at theta = 1, 0, -1, ..., 1-l (24): one new sample a step.
    Algorithm2 {
        /// l.
        order: usize,
    },
    /// As Algorithm 1 without the sample at the end of the step (34), so that the new state is known before t_{k+1}.
    /// Order l >= 1, exact for polynomials of degree l-1.
    Algorithm1RealTime {
        /// l.
        order: usize,
    },
    /// As Algorithm 2 without the sample at the end of the step (36): theta = 0, -1, ..., -l.
    Algorithm2RealTime {
        /// l.
        order: usize,
    },
    /// Samples at any distinct times, ascending, in units of the step: for non-uniform grids and odd samplers.
    Nodes(Vec<f64>),
    /// The classical one-step method of order 4: Simpson's rule on e^{A(t_{k+1}-t)} B u(t) as a whole. For comparison only: it is
    /// accurate where ||A|| T is small.
    Mtm4,
    /// The classical multistep method of order 4 (Adams-Moulton on the same product). For comparison only.
    Qam4,
}

impl Method {
    /// The highest degree of interpolation: beyond it, equally spaced interpolation amplifies rounding errors of the samples by more than 10^4.
    pub const MAX_ORDER: usize = 20;

    /// The input stays at u(t_k) over the step: (38).
    pub const ZERO_ORDER_HOLD: Self = Self::Algorithm2RealTime { order: 0 };

    /// The input runs straight from u(t_k) to u(t_{k+1}): (18).
    pub const FIRST_ORDER_HOLD: Self = Self::Algorithm1 { order: 1 };

    /// The times theta of the samples in units of the step, ascending.
    ///
    /// # Errors
    /// [`Error::OrderTooHigh`] for more than [`Method::MAX_ORDER`] + 1 nodes; [`Error::Nodes`] for an empty set or one that is not ascending
    /// (real-time Algorithm 1 of order 0 has no sample).
    pub fn nodes(&self) -> Result<Vec<f64>, Error> {
        Ok(self.exact_nodes()?.into_iter().map(PhiScalar::to_f64).collect())
    }

    /// c_ij: how much of G_j B goes into the matrix of the sample at node i (rows as [`Method::nodes`]).
    ///
    /// None for the classical methods, which do not interpolate the input.
    ///
    /// # Errors
    /// As [`Method::nodes`].
    pub fn coefficients(&self) -> Result<Option<Vec<Vec<f64>>>, Error> {
        let nodes = self.exact_nodes()?;
        if self.is_classical() {
            return Ok(None);
        }
        let round = |row: Vec<DoubleDouble>| row.into_iter().map(PhiScalar::to_f64).collect();
        Ok(Some(lagrange_coefficients(&nodes).into_iter().map(round).collect()))
    }

    /// The one-step method that fills the history of this multistep one; None where none is needed (or known).
    #[must_use]
    pub fn startup(&self) -> Option<Self> {
        match *self {
            Self::Algorithm2 { order } if order >= 2 => Some(Self::Algorithm1 { order }),
            Self::Algorithm2RealTime { order } if order >= 1 => {
                Some(Self::Algorithm1RealTime { order: order.saturating_add(1) })
            }
            Self::Qam4 => Some(Self::Mtm4),
            _ => None,
        }
    }

    pub(crate) fn is_classical(&self) -> bool {
        matches!(self, Self::Mtm4 | Self::Qam4)
    }

    pub(crate) fn exact_nodes(&self) -> Result<Vec<DoubleDouble>, Error> {
        let fractions = |count: usize, order: usize| {
            let denominator = DoubleDouble::from(order.max(1) as f64);
            (0..count).map(|i| DoubleDouble::from(i as f64) / denominator).collect()
        };
        let integers = |first: i32, last: i32| (first..=last).map(|i| DoubleDouble::from(f64::from(i))).collect();
        let order = match self {
            Self::Algorithm1 { order } | Self::Algorithm2 { order } | Self::Algorithm2RealTime { order } => *order,
            Self::Algorithm1RealTime { order } => order.saturating_sub(1),
            Self::Nodes(nodes) => nodes.len().saturating_sub(1),
            Self::Mtm4 | Self::Qam4 => 3,
        };
        if order > Self::MAX_ORDER {
            return Err(Error::OrderTooHigh { order, limit: Self::MAX_ORDER });
        }
        let nodes: Vec<DoubleDouble> = match self {
            Self::Algorithm1 { order } => fractions(order + 1, *order),
            Self::Algorithm2 { order } => integers(1 - *order as i32, 1),
            Self::Algorithm1RealTime { order } => fractions(*order, *order),
            Self::Algorithm2RealTime { order } => integers(-(*order as i32), 0),
            Self::Nodes(nodes) => nodes.iter().copied().map(DoubleDouble::from).collect(),
            Self::Mtm4 => fractions(3, 2),
            Self::Qam4 => integers(-2, 1),
        };
        let rounded: Vec<f64> = nodes.iter().map(|x| x.to_f64()).collect();
        let usable = rounded.iter().all(|x| x.is_finite()) && rounded.windows(2).all(|w| w[0] < w[1]);
        if nodes.is_empty() || !usable {
            return Err(Error::Nodes { nodes: rounded });
        }
        Ok(nodes)
    }
}
