//! Sums of c t^k e^(lambda t): what solves a linear differential equation with constant coefficients by itself.

use nalgebra::Complex;

/// The real part of `coefficient` t^`degree` e^(`rate` t).
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Term {
    /// c; real where the rate is.
    pub coefficient: Complex<f64>,
    /// k.
    pub degree: u32,
    /// lambda \[1/s\], its imaginary part at least 0.
    pub rate: Complex<f64>,
}

/// A sum of [`Term`]s, no two of the same degree and rate: constants, ramps, polynomials, sines, exponentials, and their sums and products.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct ExponentialSum {
    terms: Vec<Term>,
}

/// Longer sums are left to whoever evaluates the formula: each term costs states of a system that generates it.
const MOST_TERMS: usize = 24;
/// The same for powers of the time.
const HIGHEST_DEGREE: u32 = 12;
/// A coefficient below this, far from the least normal number, is taken for one that underflowed.
const UNDERFLOW: f64 = 1e-280;

impl ExponentialSum {
    /// a.
    #[must_use]
    pub fn constant(a: f64) -> Self {
        Self::ramp(a, 0.0)
    }

    /// a + b t.
    #[must_use]
    pub fn ramp(a: f64, b: f64) -> Self {
        Self::polynomial(&[a, b])
    }

    /// sum_k c_k t^k.
    #[must_use]
    pub fn polynomial(coefficients: &[f64]) -> Self {
        let mut sum = Self::default();
        for (degree, value) in (0..).zip(coefficients) {
            sum.add_term(Term { coefficient: Complex::new(*value, 0.0), degree, rate: Complex::ZERO });
        }
        sum
    }

    /// offset + amplitude sin(phase + omega t).
    #[must_use]
    pub fn sine(offset: f64, amplitude: f64, phase: f64, omega: f64) -> Self {
        // sin(x) = Re(-i e^(ix)), and the real part stays under conjugation, which makes the frequency positive.
        let (sign, omega) = if omega < 0.0 { (-1.0, -omega) } else { (1.0, omega) };
        if omega == 0.0 {
            return Self::constant(offset + amplitude * phase.sin());
        }
        let mut sum = Self::constant(offset);
        let coefficient = Complex::new(phase.sin(), -sign * phase.cos()) * amplitude;
        sum.add_term(Term { coefficient, degree: 0, rate: Complex::new(0.0, omega) });
        sum
    }

    /// e^(a + b t); none where e^a leaves the range of numbers.
    pub(super) fn exponential(a: f64, b: f64) -> Option<Self> {
        let value = a.exp();
        if !value.is_finite() {
            return None;
        }
        if value < UNDERFLOW {
            // It stays nothing, or rises out of nothing, which no coefficient tells.
            return (b <= 0.0).then(Self::default);
        }
        let mut sum = Self::default();
        sum.add_term(Term { coefficient: Complex::new(value, 0.0), degree: 0, rate: Complex::new(b, 0.0) });
        Some(sum)
    }

    /// The terms.
    #[must_use]
    pub fn terms(&self) -> &[Term] {
        &self.terms
    }

    /// The value at t.
    #[must_use]
    pub fn value(&self, t: f64) -> f64 {
        self.terms.iter().map(|term| term.value(t)).sum()
    }

    /// The sum of the absolute values of the terms at t: what round-off of the value is relative to.
    pub(super) fn size(&self, t: f64) -> f64 {
        let size = |term: &Term| t.abs().powi(term.degree as i32) * (term.rate.re * t).exp() * term.coefficient.norm();
        self.terms.iter().map(size).sum()
    }

    /// The value, if it is the same at all times.
    #[must_use]
    pub fn is_constant(&self) -> Option<f64> {
        self.is_ramp().filter(|(_, b)| *b == 0.0).map(|(a, _)| a)
    }

    /// a and b, if it is a + b t.
    pub(super) fn is_ramp(&self) -> Option<(f64, f64)> {
        let mut ramp = [0.0; 2];
        for term in &self.terms {
            if term.rate != Complex::ZERO {
                return None;
            }
            *ramp.get_mut(term.degree as usize)? = term.coefficient.re;
        }
        Some((ramp[0], ramp[1]))
    }

    /// offset, c and omega, if it is offset + Re(c e^(i omega t)) with one omega above 0.
    pub(super) fn is_sine(&self) -> Option<(f64, Complex<f64>, f64)> {
        let mut offset = 0.0;
        let mut wave = None;
        for term in &self.terms {
            match (term.degree, term.rate.re == 0.0, term.rate.im == 0.0) {
                (0, true, true) => offset = term.coefficient.re,
                (0, true, false) if wave.is_none() => wave = Some((term.coefficient, term.rate.im)),
                _ => return None,
            }
        }
        wave.map(|(c, omega)| (offset, c, omega))
    }

    /// The derivative, if it is a polynomial.
    pub(super) fn polynomial_derivative(&self) -> Option<Self> {
        let mut sum = Self::default();
        for term in &self.terms {
            if term.rate != Complex::ZERO {
                return None;
            }
            if term.degree > 0 {
                let coefficient = term.coefficient * f64::from(term.degree);
                sum.add_term(Term { coefficient, degree: term.degree - 1, rate: term.rate });
            }
        }
        Some(sum)
    }

    /// The sum of self and `factor` times the other; none where it has too many terms.
    pub(super) fn plus(&self, factor: f64, other: &Self) -> Option<Self> {
        let mut sum = self.clone();
        for term in &other.terms {
            sum.add_term(Term { coefficient: term.coefficient * factor, ..*term });
        }
        sum.checked()
    }

    /// The product; none where it has too many terms.
    pub(super) fn times(&self, other: &Self) -> Option<Self> {
        let mut sum = Self::default();
        for a in &self.terms {
            for b in &other.terms {
                let degree = a.degree + b.degree;
                if a.rate.im == 0.0 || b.rate.im == 0.0 {
                    sum.add_term(Term { coefficient: a.coefficient * b.coefficient, degree, rate: a.rate + b.rate });
                    continue;
                }
                // Re(x) Re(y) = (Re(x y) + Re(x conj(y)))/2.
                for [c, rate] in [[b.coefficient, b.rate], [b.coefficient.conj(), b.rate.conj()]] {
                    sum.add_term(Term { coefficient: a.coefficient * c * 0.5, degree, rate: a.rate + rate });
                }
            }
        }
        sum.checked()
    }

    /// 1 over it, if it is a constant or one exponential.
    pub(super) fn inverse(&self) -> Option<Self> {
        let [Term { coefficient, degree: 0, rate }] = self.terms[..] else { return None };
        if rate.im != 0.0 {
            return None;
        }
        let mut sum = Self::default();
        sum.add_term(Term { coefficient: Complex::new(1.0 / coefficient.re, 0.0), degree: 0, rate: -rate });
        sum.checked()
    }

    fn add_term(&mut self, mut term: Term) {
        if term.rate.im < 0.0 {
            (term.rate, term.coefficient) = (term.rate.conj(), term.coefficient.conj());
        }
        if term.rate.im == 0.0 {
            // The real part alone counts; -0 is 0.
            (term.rate.im, term.coefficient.im) = (0.0, 0.0);
        }
        term.rate.re += 0.0;
        match self.terms.iter_mut().find(|other| other.degree == term.degree && other.rate == term.rate) {
            Some(other) => other.coefficient += term.coefficient,
            None => self.terms.push(term),
        }
        self.terms.retain(|term| term.coefficient != Complex::ZERO);
    }

    fn checked(self) -> Option<Self> {
        let finite = |z: Complex<f64>| z.re.is_finite() && z.im.is_finite();
        let usable = |term: &Term| term.degree <= HIGHEST_DEGREE && finite(term.coefficient) && finite(term.rate);
        (self.terms.len() <= MOST_TERMS && self.terms.iter().all(usable)).then_some(self)
    }
}

impl Term {
    /// The value at t.
    #[must_use]
    pub fn value(&self, t: f64) -> f64 {
        let power = if self.degree == 0 { 1.0 } else { t.powi(self.degree as i32) };
        let Complex { re: sigma, im: omega } = self.rate;
        let growth = if sigma == 0.0 { 1.0 } else { (sigma * t).exp() };
        if omega == 0.0 {
            return power * growth * self.coefficient.re;
        }
        let (sin, cos) = (omega * t).sin_cos();
        power * growth * (self.coefficient.re * cos - self.coefficient.im * sin)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sums_and_products_are_those_of_the_values() {
        let wave = ExponentialSum::sine(1.0, 2.0, 0.3, -5.0);
        let decay = ExponentialSum::exponential(0.2, -0.7).unwrap();
        let ramp = ExponentialSum::ramp(-1.0, 0.5);
        let all = wave.times(&decay).unwrap().times(&ramp).unwrap().plus(-3.0, &wave.times(&wave).unwrap()).unwrap();
        for t in [0.0_f64, 0.4, 2.0] {
            let (w, d, r) = (1.0 + 2.0 * (0.3 - 5.0 * t).sin(), (0.2 - 0.7 * t).exp(), -1.0 + 0.5 * t);
            // A dozen terms of up to 27, each with round-off of its phase.
            assert!((all.value(t) - (w * d * r - 3.0 * w * w)).abs() < 1e-13, "at {t}");
        }
        assert_eq!(wave.plus(-1.0, &wave).unwrap().is_constant(), Some(0.0));
        assert_eq!(ramp.times(&ExponentialSum::constant(2.0)).unwrap().is_ramp(), Some((-2.0, 1.0)));
        assert!((decay.inverse().unwrap().value(0.3) * decay.value(0.3) - 1.0).abs() < 1e-15);
    }

    #[test]
    fn what_rises_out_of_nothing_is_no_sum() {
        assert_eq!(ExponentialSum::exponential(-5e4, 1e3), None);
        assert_eq!(ExponentialSum::exponential(1e3, -1.0), None);
        assert_eq!(ExponentialSum::exponential(-5e4, -1e3), Some(ExponentialSum::default()));
    }
}
