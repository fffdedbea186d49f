//! The methods.

use crate::Error;

/// How dx/dt = A x + F(t, x) is stepped by h, and the orders of the global error:
///
/// | method | order | bounded F | driven | F per step | n x n blocks per step | F latest at |
/// |---|---|---|---|---|---|---|
/// | `Adams` p | p | p | p | 2 | 2 (p + 1) | t + h |
/// | `AdamsRealTime` p | p | p | p | 1 | p + 1 | t |
/// | `MidpointRealTime` | 2 | 2 | 1 | 2 | 5 | t + h/2 |
/// | `Etdrk2` | 2 | 2 | 1 | 2 | 5 | t + h |
/// | `Etdrk4` | 4 | 2 | 1 | 4 | 13 | t + h |
/// | `Krogstad` | 4 | 3 | 2 | 4 | 14 | t + h |
/// | `HochbruckOstermann` | 4 | 4 | 4 | 5 | 20 | t + h |
///
/// *Bounded F*: ||A|| h >> 1, F and its derivatives do not grow with A; the order is what theory guarantees (Hochbruck and Ostermann, SIAM J. Numer.
/// Anal. 43 (2005) 1069), often exceeded. *Driven*: in the fast components F is as large as A x, as where a reference enters a stiff
/// servo; a stage that holds F misses them by O(h), and only methods whose stages interpolate keep their order.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum ExponentialMethod {
    /// Exponential Adams predictor and corrector, order 1 to 4: F at theta = 0, -1, ..., 1-p predicts x(t + h), F there and at
    /// theta = 1, 0, ..., 2-p corrects it, and is evaluated once more where the next step begins.
    Adams {
        /// p.
        order: usize,
    },
    /// Exponential Adams-Bashforth, order 1 (exponential Euler) to 4 (Nørsett, Lect. Notes Math. 109 (1969) 214; Hochbruck and
    /// Ostermann, BIT 51 (2011) 889): F at theta = 0, -1, ..., 1-p. The new state is known before its time has come.
    AdamsRealTime {
        /// p.
        order: usize,
    },
    /// The exponential midpoint rule: F at the beginning and the middle of the step, none at its end, no history.
    MidpointRealTime,
    /// Order 2 (Cox and Matthews, J. Comput. Phys. 176 (2002) 430, eq. 22).
    Etdrk2,
    /// Order 4 (Cox and Matthews, eq. 26 to 29). Loses up to two orders where the system is stiff.
    Etdrk4,
    /// Order 4 (Krogstad, J. Comput. Phys. 203 (2005) 72, eq. 51). Loses up to one order where the system is stiff.
    Krogstad,
    /// Order 4 at any stiffness, with five stages (Hochbruck and Ostermann, SIAM J. Numer. Anal. 43 (2005) 1069, eq. 5.19).
    HochbruckOstermann,
}

impl ExponentialMethod {
    /// The highest order of the Adams methods.
    pub const MAX_ADAMS_ORDER: usize = 4;

    /// Order of the global error while the system is not stiff.
    #[must_use]
    pub fn order(&self) -> usize {
        match *self {
            Self::Adams { order } | Self::AdamsRealTime { order } => order,
            Self::MidpointRealTime | Self::Etdrk2 => 2,
            Self::Etdrk4 | Self::Krogstad | Self::HochbruckOstermann => 4,
        }
    }

    /// The one-step method that makes the first steps of a multistep one: of its order or a higher one, where the system is stiff too.
    #[must_use]
    pub fn startup(&self) -> Option<Self> {
        match *self {
            Self::Adams { order: 2 } => Some(Self::Etdrk2),
            Self::AdamsRealTime { order: 2 } => Some(Self::MidpointRealTime),
            Self::Adams { order } | Self::AdamsRealTime { order } if order > 2 => Some(Self::HochbruckOstermann),
            _ => None,
        }
    }

    pub(super) fn check(&self) -> Result<(), Error> {
        match *self {
            Self::Adams { order } | Self::AdamsRealTime { order } if !(1..=Self::MAX_ADAMS_ORDER).contains(&order) => {
                Err(Error::OrderOutOfRange { order, smallest: 1, largest: Self::MAX_ADAMS_ORDER })
            }
            _ => Ok(()),
        }
    }
}
