//! Values with the time at which they were produced.

/// Values of one direction of one interface (R19 to R21, R23): `f64` for those sampled from a simulator, [`Signal`](super::Signal)
/// for those sent to it.
#[derive(Debug, Clone, PartialEq)]
pub struct Packet<T> {
    /// Communication point at which the values were produced, in ticks of the clock since the start.
    pub stamp: u64,
    /// The values, in the order of the description.
    pub values: Vec<T>,
}

impl<T> Packet<T> {
    pub(crate) fn new(values: Vec<T>) -> Self {
        Self { stamp: 0, values }
    }
}
