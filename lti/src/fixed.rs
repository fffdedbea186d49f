//! The stepper with dimensions fixed at compile time: plain arrays, no allocator, no standard library; f32 or f64.
//!
//! The coefficients are computed on a host and compiled into the firmware, or copied from a discretization where there is one.

use num_traits::float::FloatCore;

/// What a [`FixedStepper`] multiplies: N states, M inputs, Q outputs, K samples of each input in a step. All matrices by columns.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct FixedCoefficients<T, const N: usize, const M: usize, const Q: usize, const K: usize> {
    /// e^{AT}: `exp[j][i]` is row i, column j.
    pub exp: [[T; N]; N],
    /// Phi_k of each sample k: `inputs[k][j][i]` is row i, column j.
    pub inputs: [[[T; N]; M]; K],
    /// C: `outputs[j][i]` is row i, column j.
    pub outputs: [[T; Q]; N],
    /// D times the weight of sample k in the input at the end of the step: `direct[k][j][i]`.
    pub direct: [[[T; Q]; M]; K],
    /// For each sample the later one that was taken at the same time in the step before; None for a new sample.
    pub retained: [Option<usize>; K],
}

/// Why a [`FixedStepper`] refused.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum FixedError {
    /// The number of samples given is not the number of new samples of a step, or of retained ones for a history.
    SampleCount,
    /// A value is NaN or infinite.
    NotFinite,
    /// A retained sample refers to none, or to one that is not later.
    Retained,
    /// A sample of the past is needed first: `set_history`.
    EmptyHistory,
}

impl core::fmt::Display for FixedError {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str(match self {
            Self::SampleCount => {
                "wrong number of input samples: give one array per new (or, as history, retained) sample"
            }
            Self::NotFinite => "a value is NaN or infinite: check the sensor or the coefficients",
            Self::Retained => "a retained sample must refer to a later sample of the step",
            Self::EmptyHistory => "the input history is empty: give the earlier samples before the first step",
        })
    }
}

impl core::error::Error for FixedError {}

/// The recurrence of [`FixedCoefficients`] with its state and input history.
///
/// ```
/// use fourbar_lti::{FixedCoefficients, FixedStepper};
///
/// // x(k+1) = 0.5 x(k) + 0.5 u(k), y = x: a lag under a zero-order hold, in single precision.
/// let lag = FixedCoefficients::<f32, 1, 1, 1, 1> {
///     exp: [[0.5]], inputs: [[[0.5]]], outputs: [[1.0]], direct: [[[0.0]]], retained: [None],
/// };
/// let mut stepper = FixedStepper::new(lag)?;
/// let mut y = [0.0];
/// stepper.step(&[[1.0]], &mut y)?;
/// stepper.step(&[[1.0]], &mut y)?;
/// assert_eq!(y, [0.75]);
/// # Ok::<(), fourbar_lti::FixedError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct FixedStepper<T, const N: usize, const M: usize, const Q: usize, const K: usize> {
    coefficients: FixedCoefficients<T, N, M, Q, K>,
    x: [T; N],
    samples: [[T; M]; K],
    history_known: bool,
}

impl<T: FloatCore, const N: usize, const M: usize, const Q: usize, const K: usize> FixedStepper<T, N, M, Q, K> {
    /// In the state 0, the input history empty.
    ///
    /// # Errors
    /// [`FixedError::NotFinite`], [`FixedError::Retained`].
    pub fn new(coefficients: FixedCoefficients<T, N, M, Q, K>) -> Result<Self, FixedError> {
        let FixedCoefficients { exp, inputs, outputs, direct, retained } = &coefficients;
        let state = exp.as_flattened().iter().chain(inputs.as_flattened().as_flattened());
        let output = outputs.as_flattened().iter().chain(direct.as_flattened().as_flattened());
        finite(state.chain(output))?;
        let later = |(to, from): (usize, &Option<usize>)| from.is_none_or(|from| to < from && from < K);
        if !retained.iter().enumerate().all(later) {
            return Err(FixedError::Retained);
        }
        Ok(Self {
            history_known: retained.iter().all(Option::is_none),
            x: [T::zero(); N],
            samples: [[T::zero(); M]; K],
            coefficients,
        })
    }

    /// x.
    #[must_use]
    pub fn state(&self) -> &[T; N] {
        &self.x
    }

    /// Puts the system into the state `x`.
    ///
    /// # Errors
    /// [`FixedError::NotFinite`].
    pub fn set_state(&mut self, x: &[T; N]) -> Result<(), FixedError> {
        finite(x)?;
        self.x = *x;
        Ok(())
    }

    /// The retained samples before the first step, oldest first.
    ///
    /// # Errors
    /// [`FixedError::SampleCount`], [`FixedError::NotFinite`].
    pub fn set_history(&mut self, samples: &[[T; M]]) -> Result<(), FixedError> {
        let sources = || self.coefficients.retained.iter().flatten();
        if sources().count() != samples.len() {
            return Err(FixedError::SampleCount);
        }
        finite(samples.as_flattened())?;
        for (&from, sample) in sources().zip(samples) {
            self.samples[from] = *sample;
        }
        self.history_known = true;
        Ok(())
    }

    /// One step: `new` holds its new samples in the order of time, `y` receives the outputs at its end.
    ///
    /// # Errors
    /// [`FixedError::SampleCount`], [`FixedError::NotFinite`], [`FixedError::EmptyHistory`]; nothing has changed then.
    #[inline]
    pub fn step(&mut self, new: &[[T; M]], y: &mut [T; Q]) -> Result<(), FixedError> {
        let FixedCoefficients { exp, inputs, outputs, direct, retained } = &self.coefficients;
        if !self.history_known {
            return Err(FixedError::EmptyHistory);
        }
        if retained.iter().filter(|from| from.is_none()).count() != new.len() {
            return Err(FixedError::SampleCount);
        }
        finite(new.as_flattened())?;
        let mut fresh = new.iter();
        for (to, from) in retained.iter().enumerate() {
            let sample = from.map_or_else(|| fresh.next().copied(), |from| Some(self.samples[from]));
            self.samples[to] = sample.unwrap_or([T::zero(); M]);
        }
        let mut x = [T::zero(); N];
        *y = [T::zero(); Q];
        add_columns(&mut x, exp, &self.x);
        for k in 0..K {
            add_columns(&mut x, &inputs[k], &self.samples[k]);
            add_columns(y, &direct[k], &self.samples[k]);
        }
        add_columns(y, outputs, &x);
        self.x = x;
        Ok(())
    }
}

/// `out` += matrix (by columns) times `vector`.
#[inline]
fn add_columns<T: FloatCore, const R: usize, const C: usize>(out: &mut [T; R], columns: &[[T; R]; C], vector: &[T; C]) {
    for (column, &factor) in columns.iter().zip(vector) {
        for i in 0..R {
            out[i] = out[i] + column[i] * factor;
        }
    }
}

fn finite<'a, T: FloatCore + 'a>(values: impl IntoIterator<Item = &'a T>) -> Result<(), FixedError> {
    if values.into_iter().all(|x| x.is_finite()) { Ok(()) } else { Err(FixedError::NotFinite) }
}

#[cfg(feature = "std")]
impl<T: FloatCore, const N: usize, const M: usize, const Q: usize, const K: usize> FixedCoefficients<T, N, M, Q, K> {
    /// The coefficients of a discretization, rounded to T.
    ///
    /// # Errors
    /// [`Error::Length`](crate::Error::Length) when a dimension is not the one of the type; [`Error::NotFinite`](crate::Error::NotFinite)
    /// when a value exceeds the range of T.
    pub fn from_discretization(
        system: &crate::StateSpace,
        discretization: &crate::Discretization,
    ) -> Result<Self, crate::Error> {
        use crate::error::length;
        let nodes = discretization.nodes();
        length("states of the fixed stepper", N, system.states())?;
        length("states of the discretization", discretization.states(), system.states())?;
        length("inputs of the fixed stepper", M, system.inputs())?;
        length("inputs of the discretization", discretization.inputs(), system.inputs())?;
        length("outputs of the fixed stepper", Q, system.outputs())?;
        length("samples of the fixed stepper", K, nodes.len())?;
        let weights = crate::interpolation::end_weights(nodes);
        let links = discretization.retained();
        let (exp, c, d) = (discretization.exp(), system.c(), system.d());
        let entry = |value: f64| T::from(value).filter(|x| x.is_finite());
        let mut overflow = None;
        let mut round = |value: f64| {
            entry(value).unwrap_or_else(|| {
                overflow = Some(value);
                T::zero()
            })
        };
        let result = Self {
            exp: core::array::from_fn(|j| core::array::from_fn(|i| round(exp[(i, j)]))),
            inputs: core::array::from_fn(|k| {
                core::array::from_fn(|j| core::array::from_fn(|i| round(discretization.input_matrix(k)[(i, j)])))
            }),
            outputs: core::array::from_fn(|j| core::array::from_fn(|i| round(c[(i, j)]))),
            direct: core::array::from_fn(|k| {
                core::array::from_fn(|j| core::array::from_fn(|i| round(d[(i, j)] * weights[k])))
            }),
            retained: core::array::from_fn(|k| links[k]),
        };
        match overflow {
            Some(value) => Err(crate::Error::NotFinite { name: "coefficient in the target format", index: 0, value }),
            None => Ok(result),
        }
    }
}
