//! Transfer functions and simple blocks, made into state space.

use nalgebra::DMatrix;

use crate::error::{all_finite, positive};
use crate::{Error, StateSpace};

/// H(s) = numerator(s)/denominator(s), coefficients in descending powers of s \[1/s\].
///
/// ```
/// use fourbar_lti::TransferFunction;
///
/// // The source's example: 4/(s+1) + 2000/(s+10000).
/// let h = TransferFunction { numerator: vec![2004.0, 42000.0], denominator: vec![1.0, 10001.0, 10000.0] };
/// let system = h.to_state_space()?;
/// let (gain, _) = system.frequency_response(0.0, 0.0).unwrap();
/// assert!((gain[0] - 4.2).abs() < 1e-14);
/// # Ok::<(), fourbar_lti::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct TransferFunction {
    /// Coefficients of the numerator, highest power first; leading zeros are ignored.
    pub numerator: Vec<f64>,
    /// Coefficients of the denominator, highest power first; leading zeros are ignored.
    pub denominator: Vec<f64>,
}

impl TransferFunction {
    /// The controllable canonical form, its time scaled by a power of two so that its entries are of one size. Poles far apart are
    /// better given as [`ZerosPolesGain`](crate::ZerosPolesGain), since the roots of a polynomial depend badly on its coefficients.
    ///
    /// # Errors
    /// [`Error::NotFinite`], [`Error::ZeroPolynomial`] for the denominator, [`Error::Improper`], [`Error::Overflow`] for poles or gains beyond
    /// the range of f64.
    pub fn to_state_space(&self) -> Result<StateSpace, Error> {
        all_finite("numerator", &self.numerator)?;
        all_finite("denominator", &self.denominator)?;
        let trim = |p: &[f64]| p.iter().copied().skip_while(|&c| c == 0.0).collect::<Vec<_>>();
        let (numerator, denominator) = (trim(&self.numerator), trim(&self.denominator));
        let Some((&leading, lower)) = denominator.split_first() else {
            return Err(Error::ZeroPolynomial { name: "denominator" });
        };
        let n = lower.len();
        if numerator.len() > n + 1 {
            let (numerator, denominator) = (numerator.len() - 1, n);
            return Err(Error::Improper { name: "transfer function", numerator, denominator });
        }
        // s = scale p: the coefficients of p^(n-i) are those of s^(n-i) / scale^i after division by the leading one.
        let with = |scale: f64, c: f64, i: usize| (0..i).fold(c / leading, |c, _| c / scale);
        let missing = n + 1 - numerator.len();
        let finite = |scale: &f64| numerator.iter().enumerate().all(|(i, &c)| with(*scale, c, i + missing).is_finite());
        let scale = Some(time_scale(leading, lower)).filter(finite).unwrap_or(1.0);
        let in_p = |c: f64, i: usize| with(scale, c, i);
        let a: Vec<f64> = (0..n).map(|i| in_p(lower[i], i + 1)).collect();
        let b = |i: usize| if i < missing { 0.0 } else { in_p(numerator[i - missing], i) };
        let direct = b(0);
        let companion = |i: usize, j: usize| match i {
            0 => -a[j],
            _ if j + 1 == i => 1.0,
            _ => 0.0,
        };
        let overflow = |_| Error::Overflow { what: "ratio of the coefficients of a transfer function" };
        StateSpace::new(
            DMatrix::from_fn(n, n, companion) * scale,
            DMatrix::from_fn(n, 1, |i, _| if i == 0 { scale } else { 0.0 }),
            DMatrix::from_fn(1, n, |_, j| b(j + 1) - a[j] * direct),
            DMatrix::from_element(1, 1, direct),
        )
        .map_err(overflow)
    }
}

/// The power of two nearest to the geometric mean of the poles' magnitudes (of those that are not 0).
fn time_scale(leading: f64, lower: &[f64]) -> f64 {
    let last = lower.iter().enumerate().rev().find(|(_, c)| **c != 0.0);
    let mean = |(i, c): (usize, &f64)| (c.abs().log2() - leading.abs().log2()) / (i + 1) as f64;
    last.map_or(1.0, |last| mean(last).round().clamp(-1000.0, 1000.0).exp2())
}

/// 1/s.
#[must_use]
pub fn integrator() -> StateSpace {
    first_order(0.0, 1.0)
}

/// gain/(1 + s T) with the time constant T \[s\].
///
/// # Errors
/// [`Error::NotPositive`] for the time constant, [`Error::NotFinite`] for the gain.
pub fn lag(gain: f64, time_constant: f64) -> Result<StateSpace, Error> {
    positive("time constant", time_constant)?;
    all_finite("gain", [&gain, &(gain / time_constant), &(1.0 / time_constant)])?;
    Ok(first_order(-1.0 / time_constant, gain / time_constant))
}

fn first_order(pole: f64, input: f64) -> StateSpace {
    let scalar = |x: f64| DMatrix::from_element(1, 1, x);
    StateSpace::from_checked(scalar(pole), scalar(input), scalar(1.0), scalar(0.0))
}

/// y = sum of signs_i u_i.
///
/// # Errors
/// [`Error::NotFinite`].
pub fn summing_junction(signs: &[f64]) -> Result<StateSpace, Error> {
    StateSpace::gain(DMatrix::from_row_slice(1, signs.len(), signs))
}

#[cfg(test)]
mod tests {
    use super::*;
    use nalgebra::Complex;

    fn response(system: &StateSpace, im: f64) -> Complex<f64> {
        let (re, imaginary) = system.frequency_response(0.0, im).unwrap();
        Complex::new(re[0], imaginary[0])
    }

    fn close(a: Complex<f64>, b: Complex<f64>) {
        assert!((a - b).norm() <= 1e-13 * b.norm(), "{a} {b}");
    }

    #[test]
    fn a_transfer_function_responds_as_its_polynomials() {
        let h = TransferFunction { numerator: vec![0.0, 2.0, -1.0, 3.0], denominator: vec![4.0, 1.0, 500.0, 0.0] };
        let system = h.to_state_space().unwrap();
        for w in [0.1, 3.0, 70.0] {
            let s = Complex::new(0.0, w);
            close(response(&system, w), (s * s * 2.0 - s + 3.0) / (s * s * s * 4.0 + s * s + s * 500.0));
        }
        // As many zeros as poles: direct feedthrough.
        let lead =
            TransferFunction { numerator: vec![3.0, 6.0], denominator: vec![1.0, 30.0] }.to_state_space().unwrap();
        assert_eq!(lead.d()[0], 3.0);
        close(response(&lead, 5.0), Complex::new(6.0, 15.0) / Complex::new(30.0, 5.0));
        let constant = TransferFunction { numerator: vec![3.0], denominator: vec![2.0] }.to_state_space().unwrap();
        assert_eq!((constant.states(), constant.d()[0]), (0, 1.5));
    }

    #[test]
    fn impossible_functions_are_refused() {
        let of = |numerator: &[f64], denominator: &[f64]| {
            TransferFunction { numerator: numerator.to_vec(), denominator: denominator.to_vec() }
                .to_state_space()
                .unwrap_err()
        };
        assert!(matches!(of(&[1.0, 0.0], &[0.0, 2.0]), Error::Improper { numerator: 1, denominator: 0, .. }));
        assert!(matches!(of(&[1.0], &[0.0]), Error::ZeroPolynomial { .. }));
        assert!(matches!(of(&[f64::NAN], &[1.0]), Error::NotFinite { .. }));
        assert!(matches!(lag(1.0, 0.0), Err(Error::NotPositive { .. })));
        assert!(matches!(of(&[1.0], &[1e-308, 1e308]), Error::Overflow { .. }));
    }
}
