//! A global problem laid out for sweeps: islands one after the other, in each the contacts with everything a visit reads side by side.
//!
//! An island is what contacts and bilateral rows connect through bodies that move; islands do not know of each other.

use crate::{
    friction::{block::Block, cone::Cone},
    ordering::root,
    problem::GlobalFriction,
    surface::Row,
};

/// Multiplications of a visit of a unit with three rows, about: its velocity, its law, what it changes.
const VISIT: usize = 200;

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
#[derive(Debug, Clone, Copy)]
pub(crate) struct Unit {
    pub(crate) bodies: [usize; 2],
    /// First of its rows.
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
    pub(crate) units: Vec<Unit>,
    pub(crate) rows: Vec<CompiledRow>,
    pub(crate) bias: Vec<f64>,
    /// Impulses, row by row.
    pub(crate) s: Vec<f64>,
    /// Velocities of the bodies, and of the ground.
    pub(crate) v: Vec<Twist>,
    /// The same without impulses.
    pub(crate) free: Vec<Twist>,
    /// First unit of each island, and their number.
    pub(crate) islands: Vec<usize>,
    /// Union-find parents, then the island of each body that moves.
    parent: Vec<usize>,
    /// Island and source of each unit, sorted.
    order: Vec<(usize, usize)>,
}

impl Compiled {
    /// Takes the bilateral rows and the `selected` contacts of a problem that was checked, with impulses to start from (zero if
    /// absent).
    pub(crate) fn assign(
        &mut self,
        problem: &GlobalFriction,
        selected: &[bool],
        contacts: &[Twist],
        bilateral: &[f64],
    ) {
        self.v.clear();
        self.v.extend(problem.bodies.iter().map(|body| {
            let (v, w) = (body.velocity, body.spin);
            [v.x, v.y, v.z, w.x, w.y, w.z]
        }));
        self.v.push([0.0; 6]);
        self.free.clone_from(&self.v);
        self.find_islands(problem, selected);
        self.units.clear();
        self.rows.clear();
        self.bias.clear();
        self.s.clear();
        self.islands.clear();
        let mut current = None;
        for index in 0..self.order.len() {
            let (island, source) = self.order[index];
            if current != Some(island) {
                current = Some(island);
                self.islands.push(self.units.len());
            }
            let count = problem.contacts.len();
            if source < count {
                let contact = &problem.contacts[source];
                let start = contacts.get(source).copied().unwrap_or_default();
                let cone = contact.cone.without_idle_rows();
                self.push(problem, contact.bodies, Some(cone), source, &contact.rows, &contact.bias, &start);
            } else {
                let row = &problem.bilateral[source - count];
                let start = bilateral.get(source - count).copied().unwrap_or_default();
                self.push(problem, row.bodies, None, source - count, &[row.row], &[row.bias], &[start]);
            }
        }
        self.islands.push(self.units.len());
        for unit in 0..self.units.len() {
            self.apply_start(unit);
        }
    }

    /// Sorts selected contacts (and after the number of contacts the bilateral rows) by island.
    fn find_islands(&mut self, problem: &GlobalFriction, selected: &[bool]) {
        let moves = |body: usize| {
            problem.bodies.get(body).is_some_and(|b| b.inverse_mass > 0.0 || b.inverse_inertia.amax() > 0.0)
        };
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

    fn push(
        &mut self,
        problem: &GlobalFriction,
        bodies: [usize; 2],
        cone: Option<Cone>,
        source: usize,
        rows: &[Row],
        bias: &[f64],
        start: &[f64],
    ) {
        let (first, size) = (self.rows.len(), cone.map_or(1, |cone| cone.size()));
        let [a, b] = bodies.map(|body| problem.bodies.get(body));
        for (row, (bias, start)) in rows.iter().zip(bias.iter().zip(start)).take(size) {
            let mut compiled =
                CompiledRow { g: row.g.into(), gi: row.gi.into(), gj: row.gj.into(), ..CompiledRow::default() };
            compiled.mi = a.map_or([0.0; 3], |body| (body.inverse_inertia * row.gi).into());
            compiled.mj = b.map_or([0.0; 3], |body| (body.inverse_inertia * row.gj).into());
            self.rows.push(compiled);
            self.bias.push(*bias);
            self.s.push(*start);
        }
        let inverse_mass = [a, b].map(|body| body.map_or(0.0, |body| body.inverse_mass));
        let rows = &self.rows[first..];
        let mass = inverse_mass[0] + inverse_mass[1];
        let entry = |i: usize, j: usize| {
            mass * dot(&rows[i].g, &rows[j].g) + dot(&rows[i].gi, &rows[j].mi) + dot(&rows[i].gj, &rows[j].mj)
        };
        let block = Block::new(&cone.unwrap_or_else(Cone::smooth), entry);
        let mean = |rows: std::ops::Range<usize>| {
            let (count, sum) = (rows.len() as f64, rows.map(|i| entry(i, i)).sum::<f64>());
            if sum > 0.0 { sum / count } else { 1.0 }
        };
        let mean = [mean(0..size.min(3)), if size > 3 { mean(3..6) } else { 1.0 }];
        self.units.push(Unit { bodies, first, size, cone, source, mean, inverse_mass, block });
    }

    /// Brings the impulses of a unit into its cone and their effect into v.
    fn apply_start(&mut self, index: usize) {
        let unit = &self.units[index];
        let s = &mut self.s[unit.first..unit.first + unit.size];
        if let Some(cone) = unit.cone {
            cone.project(s);
        }
        let mut change = [0.0; 6];
        change[..s.len()].copy_from_slice(s);
        apply(unit, &self.rows, &change, &mut self.v);
    }

    /// Largest velocity of the rows of an island without impulses [m/s].
    pub(crate) fn speed(&self, island: usize) -> f64 {
        let mut largest = 0.0_f64;
        for unit in &self.units[self.island(island)] {
            let u = velocity(unit, &self.rows, &self.bias, &self.free);
            if unit.cone.is_none() {
                largest = largest.max(u[0].abs() * unit.bilateral_weight(&self.rows[unit.first]));
                continue;
            }
            for (i, u) in u.iter().enumerate().take(unit.size) {
                largest = largest.max(u.abs() * unit.unit(i) / unit.unit(0));
            }
        }
        largest
    }

    /// Multiplications of a sweep over an island, about.
    pub(crate) fn sweep_work(&self, island: usize) -> usize {
        VISIT * self.island(island).len()
    }

    /// Units of an island.
    pub(crate) fn island(&self, island: usize) -> std::ops::Range<usize> {
        self.islands[island]..self.islands[island + 1]
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
