//! The rows of touching contacts at a configuration, which of them are independent, and what is decided about them.

use super::groups;
use super::mode::{Closed, Friction};
use crate::configuration::{Configuration, Delassus};
use crate::error::Error;
use crate::unilateral::{ContactId, Unilateral};
use nalgebra::DMatrix;

/// Accelerations and forces that are round-off, as part of the largest.
pub(super) const ROUND_OFF: f64 = 1e-10;
/// Pivot of W below which a row depends on those before, as part of its diagonal.
const DEPENDENT: f64 = 1e-9;
/// The same, of rows that are chosen first: three corners nearly on a line come after others that are not.
const WELL: f64 = 1e-3;
/// Diagonal of W that is round-off, where joints hold all motion along a row, as part of the largest of its kind.
const HELD: f64 = 1e-13;

/// What was decided.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Decision {
    /// The contacts that stay closed, sorted by id, and whether all their rows could be imposed.
    Modes(Vec<Closed>, bool),
    /// No finite forces: a Painlevé shock at this contact, and the impulses of all rows that end it.
    Shock(ContactId, Vec<f64>),
}

/// The rows of the touching contacts at a configuration: W, velocities and free accelerations.
pub(super) struct Rows {
    pub(super) delassus: Delassus,
    pub(super) rates: Vec<f64>,
    pub(super) free: Vec<f64>,
}

impl Rows {
    /// With the free accelerations `u`.
    pub(super) fn new(configuration: &mut Configuration, touching: &[Unilateral], u: &[f64]) -> Result<Self, Error> {
        let mut delassus = Delassus::default();
        delassus.assemble(configuration, touching, |c| c.surface.friction_rows())?;
        let count = delassus.row_count();
        let (mut rates, mut free) = (vec![0.0; count], vec![0.0; count]);
        delassus.rates(touching, configuration.poses(), &mut rates);
        delassus.accelerations(touching, u, &mut free);
        Ok(Self { delassus, rates, free })
    }

    pub(super) fn first(&self, c: usize) -> usize {
        self.delassus.first()[c]
    }

    fn count(&self, c: usize) -> usize {
        self.delassus.first()[c + 1] - self.first(c)
    }

    /// Entries of group `g` of contact `c`.
    pub(super) fn pair(&self, c: usize, g: usize, values: &[f64]) -> [f64; 2] {
        let mut pair = [0.0; 2];
        for (p, row) in pair.iter_mut().zip(groups::rows(g).filter(|row| *row < self.count(c))) {
            *p = values[self.first(c) + row];
        }
        pair
    }

    pub(super) fn scale(&self) -> f64 {
        self.free.iter().fold(f64::MIN_POSITIVE, |a, b| a.max(b.abs()))
    }

    /// An empty basis of rows. Rows of turning have another unit than those of sliding.
    pub(super) fn basis(&self) -> Basis<'_> {
        let (w, first) = (self.delassus.matrix(), self.delassus.first());
        let turns = |i: usize| i - first[first.partition_point(|f| *f <= i) - 1] > 2;
        let mut largest = [0.0_f64; 2];
        for i in 0..w.nrows() {
            let kind = &mut largest[usize::from(turns(i))];
            *kind = kind.max(w[(i, i)]);
        }
        let held = (0..w.nrows()).map(|i| HELD * largest[usize::from(turns(i))]).collect();
        Basis::new(w, held)
    }

    /// Whether the forces that hold `count` contacts with the groups that stick are unique.
    pub(super) fn unique(&self, count: usize, friction: &[[Friction; 3]]) -> bool {
        let mut basis = self.basis();
        let mut rows = (0..count).flat_map(|c| {
            let sticks = (0..3).filter(move |&g| friction[c][g] == Friction::Stick).flat_map(groups::rows);
            std::iter::once(0).chain(sticks).map(move |row| self.first(c) + row)
        });
        rows.all(|row| basis.admit(row))
    }

    /// Closed contacts with as many rows as are independent, the heavier loaded first, and whether these are all.
    pub(super) fn impose(
        &self,
        touching: &[Unilateral],
        chosen: &[(usize, [Friction; 3], f64)],
    ) -> (Vec<Closed>, bool) {
        let mut order: Vec<usize> = (0..chosen.len()).collect();
        order.sort_by(|a, b| chosen[*b].2.total_cmp(&chosen[*a].2).then(a.cmp(b)));
        let mut basis = self.basis();
        let mut closed: Vec<Closed> = chosen
            .iter()
            .map(|(c, friction, _)| Closed { id: touching[*c].id, friction: *friction, imposed: [false; 6] })
            .collect();
        let mut whole = true;
        for least in [WELL, DEPENDENT] {
            for &k in &order {
                closed[k].imposed[0] = closed[k].imposed[0] || basis.admit_from(self.first(chosen[k].0), least);
            }
        }
        whole &= closed.iter().all(|closed| closed.imposed[0]);
        for &k in &order {
            let friction = closed[k].friction;
            for g in (0..3).filter(|&g| friction[g] == Friction::Stick) {
                for row in groups::rows(g) {
                    closed[k].imposed[row] = basis.admit(self.first(chosen[k].0) + row);
                    whole &= closed[k].imposed[row];
                }
            }
        }
        closed.sort_by_key(|c| c.id);
        (closed, whole)
    }
}

/// Rows admitted so far and the Cholesky factor of W over them.
pub(super) struct Basis<'a> {
    w: &'a DMatrix<f64>,
    /// Diagonals that are round-off.
    held: Vec<f64>,
    pub(super) rows: Vec<usize>,
    factor: Vec<Vec<f64>>,
}

impl<'a> Basis<'a> {
    fn new(w: &'a DMatrix<f64>, held: Vec<f64>) -> Self {
        Self { w, held, rows: Vec::new(), factor: Vec::new() }
    }

    pub(super) fn admit(&mut self, row: usize) -> bool {
        self.admit_from(row, DEPENDENT)
    }

    /// Admits a row whose pivot is above `least` of its diagonal.
    fn admit_from(&mut self, row: usize, least: f64) -> bool {
        if !(self.w[(row, row)] > self.held[row]) {
            return false;
        }
        let mut line = Vec::with_capacity(self.rows.len() + 1);
        for (i, &other) in self.rows.iter().enumerate() {
            let sum: f64 = (0..i).map(|k| line[k] * self.factor[i][k]).sum();
            line.push((self.w[(row, other)] - sum) / self.factor[i][i]);
        }
        let diagonal = self.w[(row, row)];
        let rest = diagonal - line.iter().map(|x| x * x).sum::<f64>();
        let independent = rest > least * diagonal;
        if independent {
            line.push(rest.sqrt());
            self.factor.push(line);
            self.rows.push(row);
        }
        independent
    }
}
