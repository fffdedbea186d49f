//! Inputs of a mechanism while it runs: polynomials of second degree about the time at which they were set.

mod info;

pub use info::InputInfo;

use crate::integrator::Error;
use crate::mechanism::Mechanism;

/// Values of all inputs over time: v + v' s + v'' s^2/2 with s = t - t_0, one polynomial an input.
#[derive(Debug, PartialEq, Default)]
pub struct Inputs {
    since: f64,
    polynomials: Vec<[f64; 3]>,
}

fourbar_linalg::stored!(struct Inputs { since, polynomials });

impl Clone for Inputs {
    fn clone(&self) -> Self {
        Self { since: self.since, polynomials: self.polynomials.clone() }
    }

    /// In the memory it has: a co-simulation keeps a copy at each communication step.
    fn clone_from(&mut self, source: &Self) {
        self.since = source.since;
        self.polynomials.clone_from(&source.polynomials);
    }
}

impl Inputs {
    /// The start values of `mechanism`, held.
    #[must_use]
    pub fn start(mechanism: &Mechanism) -> Self {
        let polynomials = mechanism.inputs().iter().map(|input| [input.start, 0.0, 0.0]).collect();
        Self { since: mechanism.start().time, polynomials }
    }

    /// Number of inputs.
    #[must_use]
    pub fn len(&self) -> usize {
        self.polynomials.len()
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.polynomials.is_empty()
    }

    /// Value, first and second derivative of each about the time at which they were set.
    #[must_use]
    pub fn polynomials(&self) -> &[[f64; 3]] {
        &self.polynomials
    }

    /// Whether all inputs stay as they are until others are set.
    #[must_use]
    pub fn are_held(&self) -> bool {
        self.polynomials.iter().all(|[_, first, second]| *first == 0.0 && *second == 0.0)
    }

    /// From now on the inputs are these polynomials (value, first and second derivative, one an input) about `since` \[s\].
    ///
    /// # Errors
    /// [`Error::Length`] for another number of them, [`Error::NotFinite`]; the inputs then stay as they were.
    pub fn set(
        &mut self,
        mechanism: &Mechanism,
        since: f64,
        polynomials: impl ExactSizeIterator<Item = [f64; 3]> + Clone,
    ) -> Result<(), Error> {
        let (given, needed) = (polynomials.len(), self.polynomials.len());
        if given != needed {
            return Err(Error::Length { what: "inputs", given, needed });
        }
        if !since.is_finite() {
            return Err(Error::NotFinite { what: "time", name: "the inputs".into(), value: since });
        }
        for (polynomial, info) in polynomials.clone().zip(mechanism.inputs()) {
            if let Some(&value) = polynomial.iter().find(|value| !value.is_finite()) {
                return Err(Error::NotFinite { what: "input", name: info.name.clone(), value });
            }
        }
        self.since = since;
        self.polynomials.iter_mut().zip(polynomials).for_each(|(own, given)| *own = given);
        Ok(())
    }

    /// Input `k` has this value from now on.
    pub(crate) fn hold(&mut self, k: usize, value: f64) {
        if let Some(polynomial) = self.polynomials.get_mut(k) {
            *polynomial = [value, 0.0, 0.0];
        }
    }

    /// Value of input `k` at time `t` \[s\]; NaN if there is none.
    #[inline]
    #[must_use]
    pub fn value(&self, k: usize, t: f64) -> f64 {
        let s = t - self.since;
        self.polynomials.get(k).map_or(f64::NAN, |[value, first, second]| value + s * (first + 0.5 * s * second))
    }

    /// Rate of input `k` at time `t` [unit/s]; NaN if there is none.
    #[inline]
    #[must_use]
    pub fn rate(&self, k: usize, t: f64) -> f64 {
        self.polynomials.get(k).map_or(f64::NAN, |[_, first, second]| first + (t - self.since) * second)
    }

    /// Writes the values at `t` to `slots`.
    #[inline]
    pub(crate) fn write(&self, t: f64, slots: &mut [f64]) {
        for (k, slot) in slots.iter_mut().enumerate() {
            *slot = self.value(k, t);
        }
    }
}
