//! Residuals in twice the digits of double precision, scaled row by row by the sizes of the terms that make them up: a measure of its own,
//! which shares neither arithmetic nor scales with the solvers.

#![allow(dead_code)]

use fourbar_contact::problem::{Lcp, MixedLcp};
use nalgebra::DMatrix;

/// A sum kept as two numbers (Dekker 1971; Ogita, Rump and Oishi 2005: products by fused multiply-add).
#[derive(Clone, Copy, Default)]
pub(crate) struct Twofold {
    high: f64,
    low: f64,
    /// Sum of the sizes of the terms.
    size: f64,
}

impl Twofold {
    pub(crate) fn add(&mut self, a: f64, b: f64) {
        let product = a * b;
        let error = a.mul_add(b, -product);
        let sum = self.high + product;
        let part = sum - self.high;
        let lost = (self.high - (sum - part)) + (product - part);
        self.high = sum;
        self.low += lost + error;
        self.size += product.abs();
    }
    pub(crate) fn value(&self) -> f64 {
        self.high + self.low
    }
}

/// Share of the terms of a row that is left of it.
fn share(row: &Twofold) -> f64 {
    if row.size > 0.0 { row.value() / row.size } else { 0.0 }
}

/// By how much z_i misses 0 <= z_i _|_ w_i >= 0: w_i counts beside the terms that make it up, z_i by the largest share it has in any row.
fn pair(z: f64, w: &Twofold, entries: impl Iterator<Item = (f64, f64)>) -> f64 {
    if z < 0.0 {
        return f64::INFINITY;
    }
    let part = |(entry, size): (f64, f64)| if entry == 0.0 { 0.0 } else { (entry * z).abs() / size };
    let felt = entries.map(part).fold(0.0, f64::max);
    let w = share(w);
    if w < 0.0 || (z > 0.0 && felt == 0.0) { w.abs() } else { w.min(felt) }
}

/// Worst pair of an LCP.
pub(crate) fn lcp_error(lcp: &Lcp, z: &[f64]) -> f64 {
    let n = lcp.len();
    let rows: Vec<_> = (0..n)
        .map(|i| {
            let mut w = Twofold::default();
            w.add(lcp.q()[i], 1.0);
            (0..n).for_each(|j| w.add(lcp.column(j)[i], z[j]));
            w
        })
        .collect();
    let entries = |i: usize| lcp.column(i).iter().zip(&rows).map(|(entry, row)| (*entry, row.size));
    (0..n).fold(0.0, |worst: f64, i| worst.max(pair(z[i], &rows[i], entries(i))))
}

/// Worst row of a mixed problem, equations beside the sizes of their terms, or `floor` where those are all smaller.
pub(crate) fn mixed_error(mixed: &MixedLcp, u: &[f64], z: &[f64], floor: f64) -> f64 {
    let row = |left: &DMatrix<f64>, right: &DMatrix<f64>, i: usize, constant: f64| {
        let mut sum = Twofold::default();
        sum.add(constant, 1.0);
        (0..u.len()).for_each(|j| sum.add(left[(i, j)], u[j]));
        (0..z.len()).for_each(|j| sum.add(right[(i, j)], z[j]));
        sum.size = sum.size.max(floor);
        sum
    };
    let equations: Vec<_> = (0..u.len()).map(|i| row(mixed.a(), mixed.b(), i, mixed.a_vec()[i])).collect();
    let pairs: Vec<_> = (0..z.len()).map(|i| row(mixed.c(), mixed.d(), i, mixed.b_vec()[i])).collect();
    let worst = equations.iter().fold(0.0, |worst: f64, sum| worst.max(share(sum).abs()));
    (0..z.len()).fold(worst, |worst, i| {
        let above = equations.iter().enumerate().map(|(k, sum)| (mixed.b()[(k, i)], sum.size));
        let beside = pairs.iter().enumerate().map(|(k, sum)| (mixed.d()[(k, i)], sum.size));
        worst.max(pair(z[i], &pairs[i], above.chain(beside)))
    })
}
