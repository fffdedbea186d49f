//! An island of moderate size in reduced form, W = J M^-1 J^T after all, for contacts that slip and turn each other's normal forces:
//! nonsmooth Newton on the exact law from where the augmented Lagrangian stopped, then the interior point with the exact law, then the fixed point over second-order cone problems, then
//! continuation in contact compliance.
//!
//! Bilateral rows are eliminated first, the one with the largest pivot next: what then is left of redundant ones is round-off, and they
//! take no impulse.

use super::{
    compiled::{CompiledRow, Unit, dot, velocity},
    island::Island,
};
use crate::budget::Meter;
use crate::friction::{
    block::Block,
    continuation, fixed_point,
    newton::{self, Effort},
    scaled::{Iterate, Scaled},
};

/// Newton iterations before the others have their turn.
const ITERATIONS: usize = 30;
/// Rounds of the fixed point where these iterations fail.
const ROUNDS: usize = 5;
/// Curves of the continuation after that, and factorizations of each.
const CURVES: (usize, usize) = (3, 1200);
/// Rows up to which the continuation is worth its time: a point of a curve costs n^3, and islands are solved in each step of a motion.
const FOLLOWED: usize = 120;
/// Pivot over the diagonal (one, in scaled units) below which a bilateral row depends on those before it.
const REDUNDANT: f64 = 1e-11;

/// Workspace of the method.
#[derive(Debug, Clone, Default)]
pub(crate) struct Dense {
    problem: Scaled,
    x: Iterate,
    newton: newton::Workspace,
    fixed_point: fixed_point::Workspace,
    continuation: continuation::Workspace,
    /// W' and q' of all rows: those of the contacts first, then the bilateral ones.
    full: Vec<f64>,
    free: Vec<f64>,
    /// First row of each unit in there.
    place: Vec<usize>,
    /// Bilateral rows in the order of their elimination.
    eliminated: Vec<usize>,
    /// Impulses of all these rows.
    s: Vec<f64>,
}

impl Dense {
    /// Solves an island of at most `limit` rows from its impulses, which become the answer, to `tolerance` [m/s]. Returns the iterations,
    /// 0 if it is not for this method.
    pub(crate) fn solve(&mut self, island: &mut Island<'_>, tolerance: f64, limit: usize, meter: &Meter) -> usize {
        let units = &*island.units;
        let rows: usize = units.iter().map(|unit| unit.size).sum();
        if rows > limit {
            return 0;
        }
        self.problem.meter.begin_under(meter);
        self.problem.meter.spend(rows * rows * rows / 3);
        let contacts = self.arrange(units);
        self.assemble(island, rows);
        self.eliminate(contacts, rows);
        self.reduce(units, contacts, rows);
        self.x.s.clear();
        for unit in units.iter().filter(|unit| unit.cone.is_some()) {
            self.x.s.extend((0..unit.size).map(|i| island.s[unit.first + i] / unit.unit(i)));
        }
        self.problem.refresh(&mut self.x);
        // The largest scale of a velocity decides how small the measure must be.
        let unit = units.iter().map(|unit| unit.unit(0)).fold(f64::INFINITY, f64::min);
        let target = 0.1 * tolerance * unit / self.problem.size.max(f64::MIN_POSITIVE);
        let mut done =
            newton::newton(&self.problem, &mut self.x, ITERATIONS, target, Effort::Patient, &mut self.newton);
        if self.problem.measure(&self.x) > target {
            let (workspace, newton) = (&mut self.fixed_point, &mut self.newton);
            done += fixed_point::exact_path(&self.problem, &mut self.x, target, workspace, newton);
            done += fixed_point::fixed_point(&self.problem, &mut self.x, (target, target), ROUNDS, workspace, newton);
        }
        if self.problem.n <= FOLLOWED && self.problem.measure(&self.x) > target {
            let workspace = &mut self.continuation;
            done += continuation::follow(&self.problem, &mut self.x, target, CURVES, workspace, &mut self.newton);
        }
        meter.charge(&self.problem.meter);
        self.recover(contacts, rows);
        for (unit, &place) in island.units.iter().zip(&self.place) {
            for i in 0..unit.size {
                island.s[unit.first + i] = self.s[place + i] * unit.unit(i);
            }
            if let Some(cone) = unit.cone {
                cone.project(&mut island.s[unit.first..unit.first + unit.size]);
            }
        }
        done.max(1)
    }

    /// Gives each unit its place; returns the number of rows of contacts.
    fn arrange(&mut self, units: &[Unit]) -> usize {
        let contacts = units.iter().filter(|unit| unit.cone.is_some()).map(|unit| unit.size).sum();
        let (mut contact, mut bilateral) = (0, contacts);
        self.place.clear();
        for unit in units {
            let next = if unit.cone.is_some() { &mut contact } else { &mut bilateral };
            self.place.push(*next);
            *next += unit.size;
        }
        contacts
    }

    /// W' and q' of all n rows.
    fn assemble(&mut self, island: &Island<'_>, n: usize) {
        let units = &*island.units;
        self.full.clear();
        self.full.resize(n * n, 0.0);
        self.free.clear();
        self.free.resize(n, 0.0);
        for (k, b) in units.iter().enumerate() {
            let column = self.place[k];
            self.free[column..column + b.size].copy_from_slice(&free_velocity(island, b)[..b.size]);
            for (a, &row) in units[k..].iter().zip(&self.place[k..]) {
                if !a.bodies.iter().any(|body| b.bodies.contains(body)) {
                    continue;
                }
                for i in 0..a.size {
                    for j in 0..b.size {
                        let w = coupling(island.rows, (a, i), (b, j)) * a.unit(i) * b.unit(j);
                        self.full[(column + j) * n + row + i] = w;
                        self.full[(row + i) * n + column + j] = w;
                    }
                }
            }
        }
    }

    /// Takes the bilateral rows, those from `contacts` on, out of all others: u_b = 0 gives S_b.
    fn eliminate(&mut self, contacts: usize, n: usize) {
        self.eliminated.clear();
        self.s.clear();
        // Marks the rows that are gone: these stay as they are from then on.
        self.s.resize(n, 0.0);
        loop {
            let left = (contacts..n).filter(|&b| self.s[b] == 0.0);
            let Some(b) = left.max_by(|&a, &b| self.full[a * n + a].total_cmp(&self.full[b * n + b])) else { return };
            let pivot = self.full[b * n + b];
            if !(pivot > REDUNDANT) {
                return;
            }
            self.s[b] = 1.0;
            self.eliminated.push(b);
            for j in (0..n).filter(|&j| self.s[j] == 0.0) {
                let factor = self.full[b * n + j] / pivot;
                if factor != 0.0 {
                    for i in (0..n).filter(|&i| self.s[i] == 0.0) {
                        self.full[j * n + i] -= self.full[b * n + i] * factor;
                    }
                    self.free[j] -= self.free[b] * factor;
                }
            }
        }
    }

    /// The problem of the contacts alone.
    fn reduce(&mut self, units: &[Unit], contacts: usize, n: usize) {
        let problem = &mut self.problem;
        problem.reset(contacts);
        for (to, from) in problem.w.chunks_exact_mut(contacts.max(1)).zip(self.full.chunks_exact(n.max(1))) {
            to.copy_from_slice(&from[..contacts]);
        }
        for (unit, &first) in units.iter().zip(&self.place) {
            let Some(cone) = unit.scaled_cone() else { continue };
            let block = Block::new(&cone, |i, j| problem.w[(first + j) * contacts + first + i]);
            problem.push(cone, block, &self.free[first..first + unit.size]);
        }
        problem.couple();
    }

    /// Impulses of all rows from those of the contacts: the last row eliminated knows the fewest others.
    fn recover(&mut self, contacts: usize, n: usize) {
        self.s.clear();
        self.s.extend_from_slice(&self.x.s);
        self.s.resize(n, 0.0);
        debug_assert_eq!(self.x.s.len(), contacts);
        for &b in self.eliminated.iter().rev() {
            let row = &self.full[b * n..(b + 1) * n];
            let u = self.free[b] + crate::dense::dot(row, &self.s);
            self.s[b] = -u / row[b];
        }
    }
}

/// u' of a unit without any impulse.
fn free_velocity(island: &Island<'_>, unit: &Unit) -> [f64; 6] {
    let mut u = velocity(unit, island.rows, island.bias, island.free);
    for (i, u) in u.iter_mut().enumerate().take(unit.size) {
        *u *= unit.unit(i);
    }
    u
}

/// Entry of J M^-1 J^T of two rows.
fn coupling(rows: &[CompiledRow], (a, i): (&Unit, usize), (b, j): (&Unit, usize)) -> f64 {
    let (x, y) = (&rows[a.first + i], &rows[b.first + j]);
    let mut sum = 0.0;
    for (side, body) in a.bodies.iter().enumerate() {
        for (other, shared) in b.bodies.iter().enumerate() {
            if body != shared {
                continue;
            }
            let sign = if side == other { 1.0 } else { -1.0 };
            sum += sign * a.inverse_mass[side] * dot(&x.g, &y.g);
            sum += dot(if side == 0 { &x.gi } else { &x.gj }, if other == 0 { &y.mi } else { &y.mj });
        }
    }
    sum
}
