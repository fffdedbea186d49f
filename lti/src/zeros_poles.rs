//! Zeros, poles and gain, made into a chain of sections.

use nalgebra::{Complex, DMatrix};

use crate::error::all_finite;
use crate::{Error, StateSpace, TransferFunction, TransferMatrix};

/// Relative error of the response of a chain up to which no other one is looked for: that of long chains is a few hundred units of round-off.
const RIGHT: f64 = 1e-12;

/// Frequencies per decade at which chains are compared.
const PER_DECADE: f64 = 4.0;

/// H(s) = gain prod_i (s - z_i) / prod_i (s - p_i).
///
/// Becomes a chain of sections of first and second order, which keeps poles of any spread to the last digit. Where that loses digits of H, as a
/// section does whose zeros lie far below its poles, zeros go to the poles nearest to them, in sections of higher order if need be.
#[derive(Debug, Clone, PartialEq)]
pub struct ZerosPolesGain {
    /// Zeros \[1/s\], complex ones with their conjugates.
    pub zeros: Vec<Complex<f64>>,
    /// Poles \[1/s\], complex ones with their conjugates.
    pub poles: Vec<Complex<f64>>,
    /// Ratio of the leading coefficients.
    pub gain: f64,
}

impl ZerosPolesGain {
    /// The chain of sections in state space.
    ///
    /// # Errors
    /// [`Error::NotFinite`], [`Error::NoConjugate`], [`Error::Improper`], [`Error::Overflow`] for products of two roots beyond the range of
    /// f64.
    pub fn to_state_space(&self) -> Result<StateSpace, Error> {
        all_finite("gain", [&self.gain])?;
        if self.zeros.len() > self.poles.len() {
            return Err(Error::Improper {
                name: "zeros and poles",
                numerator: self.zeros.len(),
                denominator: self.poles.len(),
            });
        }
        let (zeros, poles) = (factors("zero", &self.zeros)?, factors("pole", &self.poles)?);
        let chain = self.chain(&in_turn(paired(zeros.clone()), paired(poles.clone())))?;
        let error = self.error(&chain);
        if error <= RIGHT {
            return Ok(chain);
        }
        match self.chain(&nearest(zeros, poles)) {
            Ok(other) if self.error(&other) < error => Ok(other),
            _ => Ok(chain),
        }
    }

    fn chain(&self, sections: &[Section]) -> Result<StateSpace, Error> {
        let mut system = StateSpace::gain(DMatrix::from_element(1, 1, self.gain))?;
        for section in sections {
            let (numerator, denominator) = (polynomial(&section.zeros)?, polynomial(&section.poles)?);
            system = system.series(&TransferFunction { numerator, denominator }.to_state_space()?)?;
        }
        Ok(system)
    }

    /// The largest relative error of the response of `system`, at rest and at frequencies from below all roots to above them.
    fn error(&self, system: &StateSpace) -> f64 {
        let sizes = || self.zeros.iter().chain(&self.poles).map(|z| z.norm()).filter(|size| *size > 0.0);
        let (least, most) = (sizes().fold(f64::INFINITY, f64::min), sizes().fold(0.0, f64::max));
        if most == 0.0 {
            return 0.0;
        }
        let (from, decades) = (0.01 * least, (most / least).log10() + 4.0);
        let points = (PER_DECADE * decades).ceil();
        let grid = (0..=points as usize).map(|k| from * 10f64.powf(decades * k as f64 / points));
        let transfer = TransferMatrix::new(system);
        let mut largest = 0.0_f64;
        for w in std::iter::once(0.0).chain(grid) {
            let s = Complex::new(0.0, w);
            let exact = self.at(s);
            // Zeros and poles on the axis, and what leaves the range, are compared nowhere.
            if exact.norm() > 0.0 && exact.norm().is_finite() {
                let found = transfer.at(s).map_or(Complex::new(f64::INFINITY, 0.0), |h| h[0]);
                largest = largest.max((found - exact).norm() / exact.norm());
            }
        }
        largest
    }

    /// H(s) as a product, zeros and poles in turn so that it keeps in range.
    fn at(&self, s: Complex<f64>) -> Complex<f64> {
        let mut h = Complex::new(self.gain, 0.0);
        for k in 0..self.poles.len() {
            h *= self.zeros.get(k).map_or(Complex::ONE, |z| s - z) / (s - self.poles[k]);
        }
        h
    }
}

/// Roots of a real factor: one real root, two of them, a conjugate pair, or several of these.
type Factor = Vec<Complex<f64>>;

/// A link of the chain.
struct Section {
    zeros: Factor,
    poles: Factor,
}

/// Conjugate pairs, the last given first, then real roots by size.
fn factors(name: &'static str, roots: &[Complex<f64>]) -> Result<Vec<Factor>, Error> {
    let parts: Vec<f64> = roots.iter().flat_map(|z| [z.re, z.im]).collect();
    all_finite(name, &parts)?;
    let mut rest: Vec<_> = roots.iter().copied().filter(|z| z.im != 0.0).collect();
    let mut factors = Vec::new();
    while let Some(z) = rest.pop() {
        let close = |w: &Complex<f64>| (w - z.conj()).norm() <= 1e-9 * z.norm();
        let Some(partner) = rest.iter().position(close) else {
            return Err(Error::NoConjugate { name, re: z.re, im: z.im });
        };
        rest.remove(partner);
        factors.push(vec![z, z.conj()]);
    }
    let mut real: Vec<_> = roots.iter().copied().filter(|z| z.im == 0.0).collect();
    real.sort_by(|a, b| a.re.abs().total_cmp(&b.re.abs()));
    factors.extend(real.into_iter().map(|z| vec![z]));
    Ok(factors)
}

/// With real roots next in size in pairs, so that one factor at most, the last, is of first degree.
fn paired(factors: Vec<Factor>) -> Vec<Factor> {
    let (mut pairs, real): (Vec<Factor>, Vec<Factor>) = factors.into_iter().partition(|factor| factor.len() > 1);
    pairs.extend(real.chunks(2).map(<[Factor]>::concat));
    pairs
}

/// Each pole factor with the first zero factor that fits: there are as many quadratic ones of poles as of zeros or more.
fn in_turn(mut zeros: Vec<Factor>, poles: Vec<Factor>) -> Vec<Section> {
    let section = |poles: Factor| {
        let fits = zeros.iter().position(|zeros| zeros.len() <= poles.len());
        Section { zeros: fits.map_or(Vec::new(), |k| zeros.remove(k)), poles }
    };
    poles.into_iter().map(section).collect()
}

/// Each zero factor with the pole factor nearest to it that has room; where none has, the two nearest sections with room become one.
fn nearest(mut zeros: Vec<Factor>, poles: Vec<Factor>) -> Vec<Section> {
    let mut sections: Vec<Section> = poles.into_iter().map(|poles| Section { zeros: Vec::new(), poles }).collect();
    loop {
        let mut best: Option<(f64, usize, usize)> = None;
        for (z, factor) in zeros.iter().enumerate() {
            for (k, section) in sections.iter().enumerate() {
                let way = distance(factor, &section.poles);
                if room(section) >= factor.len() && best.is_none_or(|(least, ..)| way < least) {
                    best = Some((way, z, k));
                }
            }
        }
        if let Some((_, z, k)) = best {
            sections[k].zeros.extend(zeros.remove(z));
        } else if let Some(left) = zeros.first() {
            let mut with_room: Vec<usize> = (0..sections.len()).filter(|&k| room(&sections[k]) > 0).collect();
            with_room
                .sort_by(|&a, &b| distance(left, &sections[a].poles).total_cmp(&distance(left, &sections[b].poles)));
            let [a, b] = [with_room[0].min(with_room[1]), with_room[0].max(with_room[1])];
            let other = sections.remove(b);
            sections[a].zeros.extend(other.zeros);
            sections[a].poles.extend(other.poles);
        } else {
            return sections;
        }
    }
}

fn room(section: &Section) -> usize {
    section.poles.len() - section.zeros.len()
}

/// Between the two nearest roots, relative to the larger of them.
fn distance(a: &[Complex<f64>], b: &[Complex<f64>]) -> f64 {
    let way = |z: &Complex<f64>, w: &Complex<f64>| (z - w).norm() / z.norm().max(w.norm()).max(f64::MIN_POSITIVE);
    let ways = a.iter().flat_map(|z| b.iter().map(move |w| way(z, w)));
    ways.fold(f64::INFINITY, f64::min)
}

/// The real polynomial with these roots, conjugate ones next to each other, highest power first.
fn polynomial(roots: &[Complex<f64>]) -> Result<Vec<f64>, Error> {
    let mut product = vec![1.0];
    let mut k = 0;
    while k < roots.len() {
        let z = roots[k];
        let factor = if z.im != 0.0 { vec![1.0, -2.0 * z.re, z.norm_sqr()] } else { vec![1.0, -z.re] };
        k += factor.len() - 1;
        let mut next = vec![0.0; product.len() + factor.len() - 1];
        for (i, a) in product.iter().enumerate() {
            for (j, b) in factor.iter().enumerate() {
                next[i + j] += a * b;
            }
        }
        product = next;
    }
    if product.iter().all(|c| c.is_finite()) {
        Ok(product)
    } else {
        Err(Error::Overflow { what: "product of two zeros or poles" })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn response(system: &StateSpace, im: f64) -> Complex<f64> {
        let (re, imaginary) = system.frequency_response(0.0, im).unwrap();
        Complex::new(re[0], imaginary[0])
    }

    fn close(a: Complex<f64>, b: Complex<f64>) {
        assert!((a - b).norm() <= 1e-13 * b.norm(), "{a} {b}");
    }

    /// The zeros' pair lies a million times below the poles' pair, where a pole of first order is: 5.618e-7 at rest, by the product.
    #[test]
    fn zeros_go_to_the_poles_near_them() {
        let c = Complex::new;
        let zpk = ZerosPolesGain {
            zeros: vec![c(-1e-4, 2e-4), c(-1e-4, -2e-4), c(-1000.0, 0.0)],
            poles: vec![c(-500.0, 800.0), c(-500.0, -800.0), c(-1e-4, 0.0)],
            gain: 1.0,
        };
        let system = zpk.to_state_space().unwrap();
        assert_eq!(system.states(), 3);
        for w in [0.0, 1e-5, 3e-4, 1.0, 700.0, 1e5] {
            let (found, exact) = (response(&system, w), zpk.at(c(0.0, w)));
            assert!((found - exact).norm() <= 1e-9 * exact.norm(), "{w}: {found} {exact}");
        }
    }

    #[test]
    fn zeros_and_poles_respond_as_their_products() {
        let c = Complex::new;
        let zpk = ZerosPolesGain {
            zeros: vec![c(-2.0, 3.0), c(-2.0, -3.0), c(5.0, 0.0)],
            poles: vec![c(-1.0, 0.0), c(-1e6, 0.0), c(-10.0, 40.0), c(-10.0, -40.0), c(-300.0, 0.0)],
            gain: -7.0,
        };
        let system = zpk.to_state_space().unwrap();
        assert_eq!(system.states(), 5);
        for w in [0.0, 0.5, 41.0, 2e5] {
            let s = c(0.0, w);
            let product = |roots: &[Complex<f64>]| roots.iter().map(|z| s - z).product::<Complex<f64>>();
            close(response(&system, w), product(&zpk.zeros) / product(&zpk.poles) * zpk.gain);
        }
    }

    #[test]
    fn impossible_roots_are_refused() {
        let lonely = ZerosPolesGain { zeros: vec![], poles: vec![Complex::new(-1.0, 2.0)], gain: 1.0 };
        assert!(matches!(lonely.to_state_space(), Err(Error::NoConjugate { .. })));
        let improper = ZerosPolesGain { zeros: vec![Complex::new(1.0, 0.0)], poles: vec![], gain: 1.0 };
        assert!(matches!(improper.to_state_space(), Err(Error::Improper { .. })));
        let huge = vec![Complex::new(-1e200, 0.0), Complex::new(-1e200, 0.0)];
        let zpk = ZerosPolesGain { zeros: vec![], poles: huge, gain: 1.0 }.to_state_space();
        assert!(matches!(zpk, Err(Error::Overflow { .. })), "{zpk:?}");
    }

    /// Poles so slow that their product underflows are integrators at all times that f64 resolves.
    #[test]
    fn poles_near_the_end_of_the_range() {
        let slow = ZerosPolesGain { zeros: vec![], poles: vec![Complex::new(-1e-200, 0.0); 2], gain: 1.0 };
        let system = slow.to_state_space().unwrap();
        close(response(&system, 2.0), Complex::new(-0.25, 0.0));
    }
}
