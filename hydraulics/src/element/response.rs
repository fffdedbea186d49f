//! What a component answers to its variables.

use fourbar_expression::Scalar;
use num_dual::DualSVec64;

/// Most variables of a component.
pub(crate) const VARIABLES: usize = 8;
/// Most ports of a component.
pub(crate) const PORTS: usize = 4;
/// Most states of a component.
pub(crate) const STATES: usize = 2;
/// Most observed values of a component.
pub(crate) const OBSERVED: usize = 2;
/// A number with its derivatives by all variables of a component.
pub(crate) type Wide = DualSVec64<VARIABLES>;

/// What a component answers.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Response<T> {
    /// Flow into the node at each port [m^3/s].
    pub(crate) flow: [T; PORTS],
    /// Volume added to the node at each port [m^3].
    pub(crate) volume: [T; PORTS],
    /// Time derivative of each state.
    pub(crate) rate: [T; STATES],
    /// Observed values, as [`Element::observed`] names them.
    pub(crate) observed: [T; OBSERVED],
}

impl<T: Scalar> Response<T> {
    pub(crate) fn zero() -> Self {
        let zero = T::from(0.0);
        Self { flow: [zero; PORTS], volume: [zero; PORTS], rate: [zero; STATES], observed: [zero; OBSERVED] }
    }

    /// `q` from the first port to the second.
    pub(super) fn pass(&mut self, q: T) {
        self.flow[0] = -q;
        self.flow[1] = q;
        self.observed[0] = q;
    }
}
