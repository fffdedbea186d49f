//! A global problem laid out for sweeps: islands one after the other, in each the contacts with everything a visit reads side by side.
//!
//! An island is what contacts and bilateral rows connect through bodies that move; islands do not know of each other, and share nothing:
//! each has its own copy of the ground and of other bodies that stand still.

use super::{
    island::{Bounds, Island, Islands},
    node::moves,
};
use crate::{
    friction::{block::Block, cone::Cone},
    ordering::root,
    problem::GlobalFriction,
    surface::{Row, V3},
};

/// Velocity and angular velocity, or linear and angular momentum.
pub(crate) type Twist = [f64; 6];

/// One row: gradients, and the angular velocities that a unit impulse gives.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct CompiledRow {
    pub(crate) g: [f64; 3],
    pub(crate) gi: [f64; 3],
    pub(crate) gj: [f64; 3],
    /// Inverse inertia times gradient.
    pub(crate) mi: [f64; 3],
    pub(crate) mj: [f64; 3],
}

/// A contact, or a bilateral row.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Unit {
    /// Places of its bodies in the island.
    pub(crate) bodies: [usize; 2],
    /// First of its rows in the island.
    pub(crate) first: usize,
    pub(crate) size: usize,
    /// Its cone, in the units of the problem; `None` for a bilateral row.
    pub(crate) cone: Option<Cone>,
    /// Where it came from: index among the contacts or among the bilateral rows.
    pub(crate) source: usize,
    /// Mean diagonal of W of its translational rows, and of its rotational ones.
    pub(crate) mean: [f64; 2],
    pub(crate) inverse_mass: [f64; 2],
    pub(crate) block: Block,
}

impl Unit {
    /// D of row i: 1/sqrt of the mean diagonal.
    #[inline]
    pub(crate) fn unit(&self, i: usize) -> f64 {
        1.0 / self.mean[usize::from(i >= 3)].sqrt()
    }

    /// What the rate of a bilateral row weighs as a velocity: one, or of an angle the radius at which the bodies weigh as they turn.
    #[inline]
    pub(crate) fn bilateral_weight(&self, row: &CompiledRow) -> f64 {
        let mass = self.inverse_mass[0] + self.inverse_mass[1];
        if row.g == [0.0; 3] && mass > 0.0 { (mass / self.mean[0]).sqrt() } else { 1.0 }
    }

    /// The cone in these units.
    #[inline]
    pub(crate) fn scaled_cone(&self) -> Option<Cone> {
        self.cone.map(|cone| cone.in_units(self.unit(0), self.unit(3)))
    }
}

/// The problem laid out. Reused from solve to solve.
#[derive(Debug, Clone, Default)]
pub(crate) struct Compiled {
    units: Vec<Unit>,
    rows: Vec<CompiledRow>,
    bias: Vec<f64>,
    /// Impulses, row by row.
    s: Vec<f64>,
    /// The bodies of each island, their velocities, and those without impulses.
    bodies: Vec<usize>,
    v: Vec<Twist>,
    free: Vec<Twist>,
    /// Where each island begins, and where the last one ends.
    bounds: Vec<Bounds>,
    /// Union-find parents, then the island of each body that moves.
    parent: Vec<usize>,
    /// Island and source of each unit, sorted.
    order: Vec<(usize, usize)>,
    /// The last island of each body, counted from one, and its place there.
    places: Vec<(usize, usize)>,
}

impl Compiled {
    /// Lays out the bilateral rows and the `selected` contacts of a problem that was checked; [`Island::fill`] does the rest.
    pub(crate) fn assign(&mut self, problem: &GlobalFriction, selected: &[bool]) {
        self.find_islands(problem, selected);
        self.units.clear();
        self.bodies.clear();
        self.bounds.clear();
        self.places.clear();
        self.places.resize(problem.bodies.len() + 1, (0, 0));
        let mut rows = 0;
        let mut current = None;
        for index in 0..self.order.len() {
            let (island, source) = self.order[index];
            if current != Some(island) {
                current = Some(island);
                self.bounds.push(Bounds { unit: index, row: rows, body: self.bodies.len() });
            }
            let count = problem.contacts.len();
            let (pair, cone, source) = match problem.contacts.get(source) {
                Some(contact) => (contact.bodies, Some(contact.cone.without_idle_rows()), source),
                None => (problem.bilateral[source - count].bodies, None, source - count),
            };
            let first = rows - self.bounds.last().map_or(0, |bounds| bounds.row);
            let size = cone.map_or(1, |cone| cone.size());
            rows += size;
            let bodies = pair.map(|body| self.place(body));
            self.units.push(Unit { bodies, first, size, cone, source, ..Unit::default() });
        }
        self.bounds.push(Bounds { unit: self.units.len(), row: rows, body: self.bodies.len() });
        self.rows.resize(rows, CompiledRow::default());
        self.bias.resize(rows, 0.0);
        self.s.resize(rows, 0.0);
        self.v.resize(self.bodies.len(), [0.0; 6]);
        self.free.resize(self.bodies.len(), [0.0; 6]);
    }

    /// Place of a body in the island being laid out.
    fn place(&mut self, body: usize) -> usize {
        let (island, first) = (self.bounds.len(), self.bounds.last().map_or(0, |bounds| bounds.body));
        if self.places[body].0 != island {
            self.places[body] = (island, self.bodies.len() - first);
            self.bodies.push(body);
        }
        self.places[body].1
    }

    /// Sorts selected contacts (and after the number of contacts the bilateral rows) by island.
    fn find_islands(&mut self, problem: &GlobalFriction, selected: &[bool]) {
        let moves = |body: usize| problem.bodies.get(body).is_some_and(moves);
        self.parent.clear();
        self.parent.extend(0..=problem.bodies.len());
        let pairs = || {
            let all = problem.contacts.iter().map(|c| c.bodies).chain(problem.bilateral.iter().map(|r| r.bodies));
            all.enumerate().filter(|&(source, _)| selected.get(source).copied().unwrap_or(true))
        };
        for (_, [i, j]) in pairs().filter(|&(_, [i, j])| moves(i) && moves(j)) {
            let (a, b) = (root(&mut self.parent, i), root(&mut self.parent, j));
            // The smaller index stays: islands come in the order of their first bodies.
            self.parent[a.max(b)] = a.min(b);
        }
        self.order.clear();
        for (source, [i, j]) in pairs() {
            let body = if moves(i) { i } else { j };
            let island = root(&mut self.parent, body);
            self.order.push((island, source));
        }
        self.order.sort_unstable();
    }

    /// All islands.
    pub(crate) fn islands(&mut self) -> Islands<'_> {
        let Self { bounds, units, rows, bias, s, bodies, v, free, .. } = self;
        Islands { bounds, units, rows, bias, s, bodies, v, free }
    }
}

impl Unit {
    /// Takes its rows (of gradients and their bias) between bodies given by index.
    fn fill(&mut self, problem: &GlobalFriction, pair: [usize; 2], rows: &mut [CompiledRow]) {
        let [a, b] = pair.map(|body| problem.bodies.get(body));
        for row in &mut *rows {
            row.mi = a.map_or([0.0; 3], |body| (body.inverse_inertia * V3::from(row.gi)).into());
            row.mj = b.map_or([0.0; 3], |body| (body.inverse_inertia * V3::from(row.gj)).into());
        }
        self.inverse_mass = [a, b].map(|body| body.map_or(0.0, |body| body.inverse_mass));
        let mass = self.inverse_mass[0] + self.inverse_mass[1];
        let entry = |i: usize, j: usize| {
            mass * dot(&rows[i].g, &rows[j].g) + dot(&rows[i].gi, &rows[j].mi) + dot(&rows[i].gj, &rows[j].mj)
        };
        self.block = Block::new(&self.cone.unwrap_or_else(Cone::smooth), entry);
        let mean = |rows: std::ops::Range<usize>| {
            let (count, sum) = (rows.len() as f64, rows.map(|i| entry(i, i)).sum::<f64>());
            if sum > 0.0 { sum / count } else { 1.0 }
        };
        self.mean = [mean(0..self.size.min(3)), if self.size > 3 { mean(3..6) } else { 1.0 }];
    }
}

impl Island<'_> {
    /// Takes the rows of the problem, and impulses to start from (zero if absent).
    pub(crate) fn fill(&mut self, problem: &GlobalFriction, contacts: &[Twist], bilateral: &[f64]) {
        for ((v, free), &body) in self.v.iter_mut().zip(&mut *self.free).zip(self.bodies) {
            let twist = problem.bodies.get(body).map_or([0.0; 6], |body| {
                let (v, w) = (body.velocity, body.spin);
                [v.x, v.y, v.z, w.x, w.y, w.z]
            });
            (*v, *free) = (twist, twist);
        }
        for unit in &mut *self.units {
            let range = unit.first..unit.first + unit.size;
            let (rows, s) = (&mut self.rows[range.clone()], &mut self.s[range.clone()]);
            let (given, bias, start): (&[Row], &[f64], Twist) = if unit.cone.is_some() {
                let contact = &problem.contacts[unit.source];
                (&contact.rows, &contact.bias, contacts.get(unit.source).copied().unwrap_or_default())
            } else {
                let row = &problem.bilateral[unit.source];
                let start = bilateral.get(unit.source).copied().unwrap_or_default();
                (std::slice::from_ref(&row.row), std::slice::from_ref(&row.bias), [start, 0.0, 0.0, 0.0, 0.0, 0.0])
            };
            for (to, row) in rows.iter_mut().zip(given) {
                (to.g, to.gi, to.gj) = (row.g.into(), row.gi.into(), row.gj.into());
            }
            self.bias[range].copy_from_slice(&bias[..unit.size]);
            s.copy_from_slice(&start[..unit.size]);
            if let Some(cone) = unit.cone {
                cone.project(s);
            }
            unit.fill(problem, unit.bodies.map(|place| self.bodies[place]), rows);
        }
        self.refresh();
    }
}

#[inline]
pub(crate) fn dot(a: &[f64; 3], b: &[f64; 3]) -> f64 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

/// u = J v + bias of a unit.
#[inline]
pub(crate) fn velocity(unit: &Unit, rows: &[CompiledRow], bias: &[f64], v: &[Twist]) -> [f64; 6] {
    let (a, b) = (&v[unit.bodies[0]], &v[unit.bodies[1]]);
    let mut u = [0.0; 6];
    let range = unit.first..unit.first + unit.size;
    for (u, (row, bias)) in u.iter_mut().zip(rows[range.clone()].iter().zip(&bias[range])) {
        let mut sum = *bias;
        for k in 0..3 {
            sum += row.g[k] * (a[k] - b[k]) + row.gi[k] * a[3 + k] + row.gj[k] * b[3 + k];
        }
        *u = sum;
    }
    u
}

/// v += M^-1 J^T of changes of the impulses of a unit.
#[inline]
pub(crate) fn apply(unit: &Unit, rows: &[CompiledRow], change: &[f64; 6], v: &mut [Twist]) {
    let (mut force, mut turn_a, mut turn_b) = ([0.0; 3], [0.0; 3], [0.0; 3]);
    for (row, ds) in rows[unit.first..unit.first + unit.size].iter().zip(change) {
        for k in 0..3 {
            force[k] += row.g[k] * ds;
            turn_a[k] += row.mi[k] * ds;
            turn_b[k] += row.mj[k] * ds;
        }
    }
    let [a, b] = unit.bodies;
    for k in 0..3 {
        v[a][k] += unit.inverse_mass[0] * force[k];
        v[a][3 + k] += turn_a[k];
        v[b][k] -= unit.inverse_mass[1] * force[k];
        v[b][3 + k] += turn_b[k];
    }
}
