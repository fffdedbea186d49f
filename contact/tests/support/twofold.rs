//! Residuals in twice the digits of double precision, scaled row by row by the sizes of the terms that make them up: a measure of its own,
//! which shares neither arithmetic nor scales with the solvers.

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

/// max_i |min(z_i, w_i)| over max(1, |q|), for problems in plain units; a negative z_i counts fully.
pub(crate) fn natural_error(lcp: &Lcp, z: &[f64]) -> f64 {
    let size = lcp.q().iter().fold(1.0, |size: f64, q| size.max(q.abs()));
    (0..lcp.len()).fold(0.0, |worst: f64, i| {
        let mut w = Twofold::default();
        w.add(lcp.q()[i], 1.0);
        (0..lcp.len()).for_each(|j| w.add(lcp.column(j)[i], z[j]));
        let missed = if z[i] < 0.0 { f64::INFINITY } else { z[i].min(w.value()).abs() };
        worst.max(missed / size)
    })
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

/// A number of twice the digits.
#[derive(Clone, Copy, Default, Debug)]
pub(crate) struct Twice(f64, f64);

impl Twice {
    fn sum(a: f64, b: f64) -> Self {
        let sum = a + b;
        let part = sum - a;
        Self(sum, (a - (sum - part)) + (b - part))
    }
    fn plus(self, other: Self) -> Self {
        let high = Self::sum(self.0, other.0);
        Self::sum(high.0, high.1 + self.1 + other.1)
    }
    fn times(self, other: Self) -> Self {
        let product = self.0 * other.0;
        let error = self.0.mul_add(other.0, -product);
        Self::sum(product, error + self.0 * other.1 + self.1 * other.0)
    }
    fn over(self, other: Self) -> Self {
        let first = self.0 / other.0;
        let rest = self.plus(Self(-first, 0.0).times(other));
        let second = rest.0 / other.0;
        let rest = rest.plus(Self(-second, 0.0).times(other));
        Self::sum(first, second).plus(Self(rest.0 / other.0, 0.0))
    }
    fn size(self) -> f64 {
        self.0.abs()
    }
}

/// What all supports of a small problem tell.
pub(crate) struct Supports {
    /// Solutions of regular supports, signs decided in twice the digits.
    pub(crate) solutions: Vec<Vec<f64>>,
    /// Whether a support was singular, or a sign too close to call.
    pub(crate) doubtful: bool,
}

/// Solves M_aa z_a = -q_a for every support a, rows scaled, pivots chosen in the whole matrix.
pub(crate) fn supports(lcp: &Lcp) -> Supports {
    const ROUND_OFF: f64 = 1e-22;
    let n = lcp.len();
    let mut found = Supports { solutions: Vec::new(), doubtful: false };
    for mask in 0..1_usize << n {
        let active: Vec<usize> = (0..n).filter(|i| mask >> i & 1 == 1).collect();
        let Some(part) = solve_twice(lcp, &active, ROUND_OFF) else {
            found.doubtful = true;
            continue;
        };
        let (mut negative, mut close) = (false, false);
        for i in 0..n {
            let term = |place: usize| Twice(lcp.column(active[place])[i], 0.0).times(part[place]);
            let size = (0..active.len()).fold(lcp.q()[i].abs(), |size, place| size + term(place).size());
            match active.iter().position(|&j| j == i) {
                Some(place) => negative |= part[place].0 < 0.0,
                None => {
                    let w = (0..active.len()).fold(Twice(lcp.q()[i], 0.0), |sum, place| sum.plus(term(place)));
                    close |= w.0 < 0.0 && w.size() <= ROUND_OFF.sqrt() * size;
                    negative |= w.0 < 0.0;
                }
            }
        }
        found.doubtful |= negative && close;
        if !negative {
            let mut z = vec![0.0; n];
            active.iter().zip(&part).for_each(|(&i, value)| z[i] = value.0);
            found.solutions.push(z);
        }
    }
    found
}

fn solve_twice(lcp: &Lcp, active: &[usize], round_off: f64) -> Option<Vec<Twice>> {
    let k = active.len();
    let mut rows: Vec<Vec<Twice>> = active
        .iter()
        .map(|&i| {
            let size = active.iter().fold(0.0, |size: f64, &j| size.max(lcp.column(j)[i].abs()));
            let scale = if size > 0.0 { size.log2().round().exp2() } else { 1.0 };
            let entries = active.iter().map(|&j| lcp.column(j)[i]).chain([-lcp.q()[i]]);
            entries.map(|entry| Twice(entry / scale, 0.0)).collect()
        })
        .collect();
    // Columns are brought to size one too; z_j is then its value over the scale.
    let scales: Vec<f64> = (0..k)
        .map(|j| rows.iter().fold(0.0, |size: f64, row| size.max(row[j].size())))
        .map(|size| if size > 0.0 { size.log2().round().exp2() } else { 1.0 })
        .collect();
    rows.iter_mut().for_each(|row| (0..k).for_each(|j| row[j] = row[j].times(Twice(1.0 / scales[j], 0.0))));
    let mut column_of: Vec<usize> = (0..k).collect();
    for step in 0..k {
        let largest = (step..k).flat_map(|i| (step..k).map(move |j| (i, j)));
        let (i, j) = largest.max_by(|a, b| rows[a.0][a.1].size().total_cmp(&rows[b.0][b.1].size()))?;
        if rows[i][j].size() <= round_off {
            return None;
        }
        rows.swap(step, i);
        rows.iter_mut().for_each(|row| row.swap(step, j));
        column_of.swap(step, j);
        let pivot = rows[step].clone();
        for row in rows.iter_mut().skip(step + 1) {
            let factor = row[step].over(pivot[step]).times(Twice(-1.0, 0.0));
            (step..=k).for_each(|c| row[c] = row[c].plus(factor.times(pivot[c])));
        }
    }
    let mut z = vec![Twice::default(); k];
    for step in (0..k).rev() {
        let known = (step + 1..k)
            .fold(rows[step][k], |sum, c| sum.plus(rows[step][c].times(z[column_of[c]]).times(Twice(-1.0, 0.0))));
        z[column_of[step]] = known.over(rows[step][step]);
    }
    for (value, scale) in z.iter_mut().zip(&scales) {
        *value = value.times(Twice(1.0 / scale, 0.0));
    }
    Some(z)
}
