//! Steps of a large sparse system with generated inputs.
//!
//! Krylov projection takes forcings that are polynomials of the step. An exponential that is slow beside the step is one to the last
//! digit. For a faster one the particular solution Re c e^(lambda t) (lambda I - A)^{-1} b is taken out of the state before the projection and
//! put back behind it: one sparse solution, and no step is too long for any frequency.

use super::super::forcing::Layout;
use super::super::grid::Grid;
use super::super::rows::Rows;
use crate::linear::{SparseSystem, Stepping};
use fourbar_lti::{
    Error, Generator, Krylov, KrylovEffort, KrylovOptions, Method, Propagator, Shape, particular_solution,
};
use fourbar_multibody::expression::ExponentialSum;
use nalgebra::Complex;

/// |lambda h| up to which an exponential is expanded over a step: sixteen terms reach round-off.
const SLOW: f64 = 1.0;
/// How much larger than all that the input moves in a step a particular solution may be: what is taken out and put back costs as many digits.
/// Normal matrices that dissipate stay below 1 under sines; a decay that meets an eigenvalue has none.
const LARGEST: f64 = 1e3;

/// The state, its estimated error, and particular solutions.
#[derive(Debug, Clone)]
pub(super) struct Sparse {
    system: SparseSystem,
    propagator: Krylov,
    x: Vec<f64>,
    error: Vec<f64>,
    particular: Vec<Particular>,
    forcing: Vec<f64>,
    next: Vec<f64>,
}

/// (lambda I - A)^{-1} b for an input and a rate.
#[derive(Debug, Clone)]
struct Particular {
    input: usize,
    rate: Complex<f64>,
    /// None where there is no good one.
    solution: Option<Vec<Complex<f64>>>,
}

impl Particular {
    fn is_of(&self, input: usize, rate: Complex<f64>) -> bool {
        self.input == input && self.rate == rate
    }
}

impl Sparse {
    pub(super) fn new(system: &SparseSystem, initial: &[f64], grid: Grid, stepping: &Stepping) -> Result<Self, Error> {
        let options = KrylovOptions { tolerance: stepping.krylov_tolerance(), ..KrylovOptions::default() };
        Ok(Self {
            system: system.clone(),
            propagator: Krylov::new(&system.a, &options, grid.step, grid.steps)?,
            x: initial.to_vec(),
            error: vec![0.0; initial.len()],
            particular: Vec::new(),
            forcing: Vec::new(),
            next: Vec::new(),
        })
    }

    pub(super) fn rows(&self) -> usize {
        self.system.probes.len()
    }

    /// The state and its estimated error.
    pub(super) fn states(&mut self) -> [&mut Vec<f64>; 2] {
        [&mut self.x, &mut self.error]
    }

    /// Whether a law has a fast term that no particular solution serves over `length` \[s\]; finds those that do.
    pub(super) fn refuses(&mut self, input: usize, law: &ExponentialSum, length: f64) -> bool {
        law.terms().iter().any(|term| {
            let fast = term.rate.norm() * length > SLOW;
            if !fast {
                return term.degree as usize + slow_terms(term.rate, length) > Method::MAX_ORDER;
            }
            if term.degree > 0 {
                return true;
            }
            if !self.particular.iter().any(|particular| particular.is_of(input, term.rate)) {
                let solution = self.solve(input, term.rate, length);
                self.particular.push(Particular { input, rate: term.rate, solution });
            }
            self.find(input, term.rate).is_none()
        })
    }

    fn solve(&self, input: usize, rate: Complex<f64>, length: f64) -> Option<Vec<Complex<f64>>> {
        let mut b = vec![0.0; self.x.len()];
        let column = self.system.b.col(input);
        column.row_indices().iter().zip(column.values()).for_each(|(row, value)| b[*row] = *value);
        let solution = particular_solution(&self.system.a, rate, &b).ok()?;
        let size = |values: &mut dyn Iterator<Item = f64>| values.fold(0.0, f64::max);
        let (found, forced) = (size(&mut solution.iter().map(|z| z.norm())), size(&mut b.iter().map(|b| b.abs())));
        (found <= LARGEST * length * forced).then_some(solution)
    }

    fn find(&self, input: usize, rate: Complex<f64>) -> Option<&[Complex<f64>]> {
        self.particular.iter().find(|particular| particular.is_of(input, rate))?.solution.as_deref()
    }

    /// One step of the state, and one of its estimated error.
    pub(super) fn step(
        &mut self,
        length: f64,
        layout: &Layout,
        v: &[f64],
        error: Option<&[f64]>,
    ) -> Result<KrylovEffort, Error> {
        let mut next = std::mem::take(&mut self.next);
        next.clone_from(&self.x);
        let effort = self.carry(length, layout, v, &mut next)?;
        std::mem::swap(&mut self.x, &mut next);
        if let Some(error) = error {
            next.clone_from(&self.error);
            self.carry(length, layout, error, &mut next)?;
            std::mem::swap(&mut self.error, &mut next);
        }
        self.next = next;
        Ok(effort)
    }

    fn carry(&mut self, length: f64, layout: &Layout, v: &[f64], x: &mut [f64]) -> Result<KrylovEffort, Error> {
        let m = self.system.b.ncols();
        let mut polynomial: Vec<f64> = Vec::new();
        let mut fast: Vec<(usize, Complex<f64>, Complex<f64>)> = Vec::new();
        let mut rest = v;
        for generator in &layout.generators {
            let (own, others) = rest.split_at(generator.coefficients());
            rest = others;
            match &generator.shape {
                Shape::Exponential { rate, .. } if rate.norm() * length > SLOW => {
                    fast.push((generator.input, *rate, Complex::new(own[0], own.get(1).copied().unwrap_or(0.0))));
                }
                _ => expand(generator, own, length, m, &mut polynomial)?,
            }
        }
        // Terms without anything in them would cost solutions.
        while polynomial.len() >= m && m > 0 && polynomial[polynomial.len() - m..].iter().all(|a| *a == 0.0) {
            polynomial.truncate(polynomial.len() - m);
        }
        for (input, rate, c) in &fast {
            self.exchange(*input, *rate, -*c, x);
        }
        let n = x.len();
        let terms = polynomial.len().checked_div(m).unwrap_or(0);
        self.forcing.clear();
        self.forcing.resize(n * terms, 0.0);
        for (row, j, b) in self.system.b.triplet_iter() {
            for k in 0..terms {
                self.forcing[k * n + row] += b * polynomial[k * m + j];
            }
        }
        let effort = self.propagator.advance(length, x, &self.forcing)?;
        for (input, rate, c) in &fast {
            self.exchange(*input, *rate, c * (rate * length).exp(), x);
        }
        Ok(effort)
    }

    /// x += Re c (lambda I - A)^{-1} b.
    fn exchange(&self, input: usize, rate: Complex<f64>, c: Complex<f64>, x: &mut [f64]) {
        if let Some(solution) = self.find(input, rate) {
            x.iter_mut().zip(solution).for_each(|(x, z)| *x += c.re * z.re - c.im * z.im);
        }
    }

    pub(super) fn outputs(&self, rows: &mut Rows) {
        for (i, [(j, a), (k, b)]) in self.system.probes.iter().enumerate() {
            rows.values[i] = a * self.x[*j] + b * self.x[*k];
            rows.errors[i] = a * self.error[*j] + b * self.error[*k];
            rows.terms[i] = (a * self.x[*j]).abs() + (b * self.x[*k]).abs();
        }
    }
}

/// Terms of the series of e^(rate length) before they are below round-off.
fn slow_terms(rate: Complex<f64>, length: f64) -> usize {
    let size = rate.norm() * length;
    let mut term = 1.0;
    (1..)
        .take_while(|k| {
            term *= size / *k as f64;
            term > 0.1 * f64::EPSILON
        })
        .count()
}

/// Adds a generator to the coefficients of theta^k, m values each.
fn expand(generator: &Generator, v: &[f64], length: f64, m: usize, polynomial: &mut Vec<f64>) -> Result<(), Error> {
    let mut add = |k: usize, value: f64| {
        if polynomial.len() < (k + 1) * m {
            polynomial.resize((k + 1) * m, 0.0);
        }
        polynomial[k * m + generator.input] += value;
    };
    match &generator.shape {
        Shape::Exponential { rate, degree } => {
            let wide = if rate.im == 0.0 { 1 } else { 2 };
            for d in 0..=*degree {
                let mut c = Complex::new(v[wide * d], if wide == 2 { v[wide * d + 1] } else { 0.0 });
                c *= length.powi(d as i32);
                for k in 0..=slow_terms(*rate, length) {
                    if k > 0 {
                        c *= rate * (length / k as f64);
                    }
                    add(d + k, c.re);
                }
            }
        }
        Shape::Samples { nodes } => {
            let coefficients = Method::Nodes(nodes.clone()).coefficients()?.ok_or(Error::Classical)?;
            for (row, u) in coefficients.iter().zip(v) {
                row.iter().enumerate().for_each(|(k, weight)| add(k, weight * u));
            }
        }
        Shape::Remainder { nodes, .. } => {
            let mut product = vec![1.0];
            for node in nodes {
                product.insert(0, 0.0);
                for k in 0..product.len() - 1 {
                    product[k] -= node * product[k + 1];
                }
            }
            for (shift, a) in v.iter().enumerate() {
                product.iter().enumerate().for_each(|(k, w)| add(k + shift, a * w));
            }
        }
    }
    Ok(())
}
