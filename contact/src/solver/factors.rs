//! Factors of the matrices that the methods solve with: M_aa + D, D diagonal, a some or all of the pairs.
//!
//! Cholesky where the problem is symmetric and the matrix definite, else LU; within the band where the pattern has one.

use super::scaled::Scaled;
use crate::dense::{BandLu, Cholesky, Lu};

/// Which factors are there.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
enum Kind {
    #[default]
    Lu,
    Cholesky,
    Band,
}

/// Factors of one matrix, and their workspace.
#[derive(Debug, Clone, Default)]
pub(crate) struct Factors {
    kind: Kind,
    cholesky: Cholesky,
    lu: Lu,
    band: BandLu,
    /// Place of each pair in the list of members, if it is one.
    member: Vec<Option<usize>>,
    /// Members in the order of the band, and the place of each in that order.
    order: Vec<usize>,
    place: Vec<usize>,
    x: Vec<f64>,
}

impl Factors {
    /// Factors M_aa + diagonal(i) over the pairs `active`, ascending. False if no pivot of a column is above `smallest`.
    pub(crate) fn factor(
        &mut self,
        scaled: &Scaled,
        active: &[usize],
        smallest: f64,
        diagonal: impl Fn(usize) -> f64,
    ) -> bool {
        if scaled.pattern.banded {
            return self.factor_band(scaled, active, smallest, diagonal);
        }
        let k = active.len();
        scaled.meter.spend(k * k * k / 3);
        let fill = |lower: bool| {
            let diagonal = &diagonal;
            move |entries: &mut [f64]| {
                for (place, &j) in active.iter().enumerate() {
                    let (from, to) = (scaled.column(j), &mut entries[place * k..(place + 1) * k]);
                    let first = if lower { place } else { 0 };
                    to[first..].iter_mut().zip(&active[first..]).for_each(|(entry, &i)| *entry = from[i]);
                    to[place] += diagonal(j);
                }
            }
        };
        let definite = scaled.symmetric && self.cholesky.factor(k, smallest, fill(true));
        self.kind = if definite { Kind::Cholesky } else { Kind::Lu };
        definite || self.lu.factor(k, smallest, fill(false))
    }

    fn factor_band(
        &mut self,
        scaled: &Scaled,
        active: &[usize],
        smallest: f64,
        diagonal: impl Fn(usize) -> f64,
    ) -> bool {
        let (k, pattern) = (active.len(), &scaled.pattern);
        scaled.meter.spend(k * pattern.lower * (pattern.lower + pattern.upper));
        self.kind = Kind::Band;
        self.member.clear();
        self.member.resize(scaled.len(), None);
        for (place, &i) in active.iter().enumerate() {
            self.member[i] = Some(place);
        }
        self.order.clear();
        self.place.clear();
        self.place.resize(k, 0);
        for &i in &pattern.graph.order {
            if let Some(member) = self.member[i] {
                self.place[member] = self.order.len();
                self.order.push(member);
            }
        }
        self.band.start(k, pattern.lower.min(k), pattern.upper.min(k));
        for (member, &j) in active.iter().enumerate() {
            let column = self.place[member];
            for (i, value) in pattern.column(j) {
                if let Some(row) = self.member[i] {
                    *self.band.entry(self.place[row], column) = value;
                }
            }
            *self.band.entry(column, column) += diagonal(j);
        }
        self.band.factor(smallest)
    }

    /// x becomes the inverse times x, one entry a member, by the last factors.
    pub(crate) fn solve(&mut self, x: &mut [f64]) {
        match self.kind {
            Kind::Cholesky => self.cholesky.solve(x),
            Kind::Lu => self.lu.solve(x),
            Kind::Band => {
                self.x.clear();
                self.x.extend(self.order.iter().map(|&member| x[member]));
                self.band.solve(&mut self.x);
                self.order.iter().zip(&self.x).for_each(|(&member, &value)| x[member] = value);
            }
        }
    }
}
