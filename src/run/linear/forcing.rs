//! What the inputs are over a step: generators with their coefficients where they are sums of exponentials, samples where they are not.

use super::inputs::Inputs;
use crate::run::schedule::{Instant, two_sum};
use fourbar_lti::{Generator, Shape};
use fourbar_multibody::expression::{ExponentialSum, Term};
use nalgebra::Complex;

/// Where inputs that are not generated are sampled in a step, and how many coefficients tell what that leaves out.
#[derive(Debug, Clone, Copy)]
pub(super) struct Sampling<'a> {
    pub(super) nodes: &'a [f64],
    pub(super) further: usize,
}

/// The largest growth exponent of an input over a step: beyond it e^x leaves the range of numbers soon, whatever it is multiplied by.
const LARGEST_GROWTH: f64 = 500.0;

/// The generators of a step, and which inputs are interpolated.
#[derive(Debug, Clone, PartialEq, Default)]
pub(super) struct Layout {
    pub(super) generators: Vec<Generator>,
    pub(super) interpolated: Vec<bool>,
}

impl Layout {
    /// For steps up to `length` \[s\]. `refused` tells laws that cannot be generated.
    pub(super) fn new(
        inputs: &Inputs,
        length: f64,
        sampling: Sampling<'_>,
        mut refused: impl FnMut(usize, &ExponentialSum) -> bool,
    ) -> Self {
        let mut layout = Self::default();
        for input in 0..inputs.len() {
            let grows = |term: &Term| term.rate.re * length > LARGEST_GROWTH;
            let law = inputs.law(input).map(|(law, _)| law);
            let law = law.filter(|law| !law.terms().iter().any(grows) && !refused(input, law));
            layout.interpolated.push(law.is_none());
            let shapes = law.map_or_else(|| interpolation(sampling), generated);
            layout.generators.extend(shapes.into_iter().map(|shape| Generator { input, shape }));
        }
        layout
    }

    /// Whether any input is interpolated.
    pub(super) fn interpolates(&self) -> bool {
        self.interpolated.contains(&true)
    }

    /// Writes what a step that begins `begin` \[s\] after an instant takes: the coefficients of the laws, the `samples` of interpolated inputs (m values a node).
    pub(super) fn coefficients(&self, inputs: &Inputs, from: &Instant, begin: f64, samples: &[f64], v: &mut Vec<f64>) {
        v.clear();
        let m = inputs.len();
        for Generator { input, shape } in &self.generators {
            match shape {
                Shape::Samples { nodes } => v.extend((0..nodes.len()).map(|node| samples[node * m + input])),
                Shape::Remainder { degree, .. } => v.extend(std::iter::repeat_n(0.0, degree + 1)),
                Shape::Exponential { rate, degree } => {
                    if let Some((law, origin)) = inputs.law(*input) {
                        let (passed, rest) = two_sum(from.time, -origin);
                        let (elapsed, more) = two_sum(passed, begin);
                        about(law, *rate, *degree, [elapsed, rest + more + from.rest], v);
                    }
                }
            }
        }
    }

    /// The same for the estimated error: `remainder` holds, for each input, the coefficients of what the interpolation leaves out.
    pub(super) fn remainders(&self, remainder: &[f64], v: &mut Vec<f64>) {
        v.clear();
        for generator in &self.generators {
            match generator.shape {
                Shape::Remainder { degree, .. } => {
                    let begin = generator.input * (degree + 1);
                    v.extend(&remainder[begin..=begin + degree]);
                }
                _ => v.extend(std::iter::repeat_n(0.0, generator.coefficients())),
            }
        }
    }
}

fn interpolation(Sampling { nodes, further }: Sampling<'_>) -> Vec<Shape> {
    let degree = further - 1;
    vec![Shape::Samples { nodes: nodes.to_vec() }, Shape::Remainder { nodes: nodes.to_vec(), degree }]
}

/// A shape for every rate of the law. All laws have room for straight lines, so that steps, tables and ramps share their matrices.
fn generated(law: &ExponentialSum) -> Vec<Shape> {
    let mut shapes = vec![(Complex::ZERO, 1)];
    for term in law.terms() {
        let degree = term.degree as usize;
        match shapes.iter_mut().find(|(rate, _)| *rate == term.rate) {
            Some((_, highest)) => *highest = degree.max(*highest),
            None => shapes.push((term.rate, degree)),
        }
    }
    shapes.into_iter().map(|(rate, degree)| Shape::Exponential { rate, degree }).collect()
}

/// The coefficients of the terms of one rate about a time, the sum of two numbers: e^(rate elapsed) sum_d binom(d, k) elapsed^(d-k) c_d.
fn about(law: &ExponentialSum, rate: Complex<f64>, degree: usize, [elapsed, rest]: [f64; 2], v: &mut Vec<f64>) {
    // The product is the sum of two numbers as well: steps that follow each other agree in the phase between them to round-off, however
    // many times the input has turned.
    let product = |factor: f64| {
        let high = factor * elapsed;
        (high, factor.mul_add(elapsed, -high) + factor * rest)
    };
    let (angle, angle_rest) = product(rate.im);
    let (growth, growth_rest) = product(rate.re);
    let factor = if rate == Complex::ZERO {
        Complex::ONE
    } else {
        Complex::cis(angle) * Complex::cis(angle_rest) * (growth.exp() * growth_rest.exp())
    };
    for k in 0..=degree {
        let mut sum = Complex::ZERO;
        for term in law.terms().iter().filter(|term| term.rate == rate && term.degree as usize >= k) {
            let above = term.degree as usize - k;
            let binomial = (1..=k).fold(1.0, |product, i| product * (above + i) as f64 / i as f64);
            sum += term.coefficient * (binomial * elapsed.powi(above as i32));
        }
        sum *= factor;
        v.push(sum.re);
        if rate.im != 0.0 {
            v.push(sum.im);
        }
    }
}
