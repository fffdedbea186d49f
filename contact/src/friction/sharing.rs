//! Impulses of redundant contacts shared out evenly: of all those within the cones that move the bodies alike, those of least norm.
//!
//! What contacts may change of their impulses without another velocity or another law is B y: a normal impulse where the contact is closed, friction
//! where it sticks, and both along (1, -mu d) where it slips in the direction d. With orthonormal columns B the y of least norm is the projection of y
//! onto the range of B^T W B = L L^T, which is that of L: a Cholesky factorization with pivots, then Gram and Schmidt. Contacts that would pull are left
//! out, one after the other; where friction ends the way there, it ends there.

use super::cone::{Cone, Part, ROWS};
use std::ops::Range;

/// Pivot over its diagonal below which a column depends on those before it.
const DEPENDENT: f64 = 1e-11;
/// Part of its limit by which friction may exceed it: round-off of what is at the limit.
const LIMIT: f64 = 1e-9;
/// Distance from the least norm, as part of the norm, that is none.
const EVEN: f64 = 1e-13;

/// Contacts that act on the same bodies.
pub(crate) struct Redundant<'a> {
    pub(crate) cones: &'a [Cone],
    /// First row of each contact.
    pub(crate) first: &'a [usize],
    /// Velocities with the impulses.
    pub(crate) u: &'a [f64],
    /// Velocity below which a contact is closed, or sticks; those of the impulses change by no more.
    pub(crate) slow: f64,
}

impl Redundant<'_> {
    fn rows(&self, contact: usize) -> Range<usize> {
        self.first[contact]..self.first[contact] + self.cones[contact].size()
    }

    /// Parts of the friction of a contact that may take any direction: those that do not slip.
    fn sticking(&self, contact: usize) -> impl Iterator<Item = Part> {
        let u = &self.u[self.rows(contact)];
        self.cones[contact].parts().filter(move |part| part.mu > 0.0 && length(u, &part.rows) <= self.slow)
    }
}

/// A direction in which the impulses of one contact may change, of length one, and the rows in use.
#[derive(Debug, Clone, Copy)]
struct Column {
    contact: usize,
    along: [f64; ROWS],
    begin: usize,
    end: usize,
}

/// Workspace, kept from step to step.
#[derive(Debug, Clone, Default)]
pub(crate) struct Sharing {
    /// Contacts that do not push.
    open: Vec<bool>,
    columns: Vec<Column>,
    /// B^T W B, row by row.
    gram: Vec<f64>,
    /// Columns of L, one after the other.
    factor: Vec<f64>,
    taken: Vec<bool>,
    left: Vec<f64>,
    y: Vec<f64>,
    change: Vec<f64>,
    step: Vec<[f64; ROWS]>,
}

impl Sharing {
    /// Makes the impulses `s` of `contacts` those of least norm; `w` has the entries of W.
    pub(crate) fn share(&mut self, contacts: &Redundant<'_>, w: impl Fn(usize, usize) -> f64, s: &mut [f64]) {
        let count = contacts.cones.len();
        self.open.clear();
        self.open.extend(contacts.first.iter().map(|&at| !(s[at] > 0.0 || contacts.u[at] <= contacts.slow)));
        // Each time round a contact is left out, or it is the last.
        for _ in 0..=count {
            if !self.improve(contacts, &w, s) {
                return;
            }
        }
    }

    /// Goes towards the least norm as far as the cones allow. Whether a contact was left out on the way.
    fn improve(&mut self, contacts: &Redundant<'_>, w: &impl Fn(usize, usize) -> f64, s: &mut [f64]) -> bool {
        self.take_columns(contacts);
        if self.columns.len() < 2 {
            return false;
        }
        self.assemble(contacts.first, w);
        let rank = self.factorize();
        if rank == self.columns.len() || !self.find_change(contacts.first, rank, s) {
            return false;
        }
        if !(self.velocity_of_change() <= contacts.slow) {
            return false;
        }
        self.step.clear();
        self.step.resize(contacts.cones.len(), [0.0; ROWS]);
        for (column, change) in self.columns.iter().zip(&self.change) {
            (column.begin..column.end).for_each(|row| self.step[column.contact][row] += change * column.along[row]);
        }
        let (part, pulls) = self.farthest(contacts, s);
        for (c, step) in self.step.iter().enumerate() {
            s[contacts.rows(c)].iter_mut().zip(step).for_each(|(s, step)| *s += part * step);
        }
        if let Some(contact) = pulls {
            self.open[contact] = true;
            s[contacts.rows(contact)].fill(0.0);
        }
        pulls.is_some()
    }

    /// The columns of B.
    fn take_columns(&mut self, contacts: &Redundant<'_>) {
        self.columns.clear();
        for (c, cone) in contacts.cones.iter().enumerate().filter(|(c, _)| !self.open[*c]) {
            let u = &contacts.u[contacts.rows(c)];
            let (mut normal, mut end) = ([0.0; ROWS], 1);
            normal[0] = 1.0;
            for part in cone.parts() {
                let speed = length(u, &part.rows);
                if part.mu > 0.0 && speed > contacts.slow {
                    part.rows.clone().for_each(|row| normal[row] = -part.mu * u[row] / speed);
                    end = part.rows.end;
                }
            }
            let size = length(&normal, &(0..ROWS));
            self.columns.push(Column { contact: c, along: normal.map(|x| x / size), begin: 0, end });
            for row in contacts.sticking(c).flat_map(|part| part.rows) {
                let along = std::array::from_fn(|k| if k == row { 1.0 } else { 0.0 });
                self.columns.push(Column { contact: c, along, begin: row, end: row + 1 });
            }
        }
    }

    fn assemble(&mut self, first: &[usize], w: &impl Fn(usize, usize) -> f64) {
        let count = self.columns.len();
        self.gram.clear();
        self.gram.resize(count * count, 0.0);
        for (i, a) in self.columns.iter().enumerate() {
            for (j, b) in self.columns[..=i].iter().enumerate() {
                let mut sum = 0.0;
                for row in a.begin..a.end {
                    for column in b.begin..b.end {
                        sum += a.along[row] * b.along[column] * w(first[a.contact] + row, first[b.contact] + column);
                    }
                }
                (self.gram[i * count + j], self.gram[j * count + i]) = (sum, sum);
            }
        }
    }

    /// L with as many columns as are independent, the largest pivot over its diagonal next; their number.
    fn factorize(&mut self) -> usize {
        let Self { gram, factor, taken, left, .. } = self;
        let count = self.columns.len();
        let diagonal = |i: usize| gram[i * count + i];
        left.clear();
        left.extend((0..count).map(diagonal));
        taken.clear();
        taken.resize(count, false);
        factor.clear();
        for k in 0..count {
            let part = |i: usize| if diagonal(i) > 0.0 { left[i] / diagonal(i) } else { 0.0 };
            let rest = (0..count).filter(|&i| !taken[i]);
            let Some(pivot) = rest.max_by(|&a, &b| part(a).total_cmp(&part(b))) else { return k };
            if !(part(pivot) > DEPENDENT) {
                return k;
            }
            factor.extend_from_slice(&gram[pivot * count..(pivot + 1) * count]);
            let (before, column) = factor.split_at_mut(k * count);
            for before in before.chunks_exact(count) {
                let weight = before[pivot];
                column.iter_mut().zip(before).for_each(|(x, before)| *x -= weight * before);
            }
            let root = left[pivot].sqrt();
            for i in 0..count {
                column[i] = if taken[i] { 0.0 } else { column[i] / root };
                left[i] -= column[i] * column[i];
            }
            column[pivot] = root;
            taken[pivot] = true;
        }
        count
    }

    /// The change of y to the least norm; false if there is none that counts.
    fn find_change(&mut self, first: &[usize], rank: usize, s: &[f64]) -> bool {
        let Self { columns, factor, y, change, .. } = self;
        let count = columns.len();
        y.clear();
        y.extend(columns.iter().map(|column| {
            let s = &s[first[column.contact]..];
            (column.begin..column.end).map(|row| column.along[row] * s[row]).sum::<f64>()
        }));
        // Twice is enough.
        for k in 0..rank {
            let (before, column) = factor[..(k + 1) * count].split_at_mut(k * count);
            for _ in 0..2 {
                before.chunks_exact(count).for_each(|before| take_away(before, column));
            }
            let size = dot(column, column).sqrt();
            column.iter_mut().for_each(|x| *x /= size);
        }
        change.clear();
        change.extend(y.iter().map(|y| -y));
        for column in factor.chunks_exact(count) {
            let part = dot(column, y);
            change.iter_mut().zip(column).for_each(|(change, x)| *change += part * x);
        }
        let moved = dot(change, change);
        moved.is_finite() && moved > EVEN * EVEN * dot(y, y)
    }

    /// Largest velocity that the change gives.
    fn velocity_of_change(&self) -> f64 {
        let rows = self.gram.chunks_exact(self.columns.len().max(1));
        rows.map(|row| dot(row, &self.change).abs()).fold(0.0, f64::max)
    }

    /// How much of the step the cones allow, and the contact that pulls behind that, if it is one that pulls.
    fn farthest(&self, contacts: &Redundant<'_>, s: &[f64]) -> (f64, Option<usize>) {
        let (mut part, mut pulls) = (1.0, None);
        for c in (0..contacts.cones.len()).filter(|&c| !self.open[c]) {
            let (s, step) = (&s[contacts.rows(c)], &self.step[c]);
            if s[0] + part * step[0] < 0.0 {
                (part, pulls) = ((s[0] / -step[0]).max(0.0), Some(c));
            }
            for friction in contacts.sticking(c) {
                let allowed = within(&friction, s, step);
                if allowed < part {
                    (part, pulls) = (allowed, None);
                }
            }
        }
        (part, pulls)
    }
}

/// How far along `step`, at most one, friction stays within its limit: |T + t dT| <= mu (N + t dN).
fn within(part: &Part, s: &[f64], step: &[f64]) -> f64 {
    let mu = part.mu * (1.0 + LIMIT);
    let product =
        |a: &[f64], b: &[f64]| part.rows.clone().map(|row| a[row] * b[row]).sum::<f64>() - mu * mu * a[0] * b[0];
    let (a, b, c) = (product(step, step), product(s, step), product(s, s));
    if a + 2.0 * b + c <= 0.0 {
        return 1.0;
    }
    if c >= 0.0 {
        return 0.0;
    }
    // Inside here, outside there: one zero in between, in the form that does not cancel.
    let root = (b * b - a * c).max(0.0).sqrt();
    let t = if b > 0.0 { -c / (b + root) } else { (root - b) / a };
    if t.is_finite() { t.clamp(0.0, 1.0) } else { 0.0 }
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

/// Takes what is along `unit` away from a vector.
fn take_away(unit: &[f64], vector: &mut [f64]) {
    let part = dot(unit, vector);
    vector.iter_mut().zip(unit).for_each(|(x, unit)| *x -= part * unit);
}

fn length(u: &[f64], rows: &Range<usize>) -> f64 {
    u[rows.clone()].iter().map(|u| u * u).sum::<f64>().sqrt()
}
