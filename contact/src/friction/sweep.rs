//! Block Gauss-Seidel: contact after contact is solved exactly, the others held (Jean, Comput. Methods Appl. Mech. Eng. 177 (1999)
//! 235).

use super::{
    anderson::Anderson,
    cone::ROWS,
    scaled::{Iterate, Scaled},
};

/// Sweeps from which on the entries of W' between contacts that act on each other are gathered, and the iteration accelerated.
const MANY: usize = 50;
/// Sweeps between accelerations, which cost a product W' S.
const EVERY: usize = 10;

/// The columns of W' of each contact where they are not zero.
#[derive(Debug, Clone, Default)]
struct Links {
    /// First entry of each contact in `targets`, and the end.
    begins: Vec<usize>,
    /// Rows on which each contact acts, its own among them.
    targets: Vec<usize>,
    /// Entries of W' of these rows, one column of the contact after the other.
    values: Vec<f64>,
    /// First of each contact among them.
    columns: Vec<usize>,
}

/// Workspace of many sweeps, kept from solve to solve.
#[derive(Debug, Clone, Default)]
pub(crate) struct Workspace {
    links: Links,
    anderson: Anderson,
    /// Impulses before the sweeps, and what the acceleration makes of those after them.
    start: Vec<f64>,
    next: Vec<f64>,
    best: Iterate,
}

impl Links {
    fn gather(&mut self, problem: &Scaled) {
        self.begins.clear();
        self.targets.clear();
        self.values.clear();
        self.columns.clear();
        self.begins.push(0);
        for c in 0..problem.cones.len() {
            let begin = self.targets.len();
            for &other in problem.graph.neighbours(c).iter().chain([&c]) {
                self.targets.extend(problem.offsets[other]..problem.offsets[other + 1]);
            }
            self.columns.push(self.values.len());
            for row in problem.offsets[c]..problem.offsets[c + 1] {
                let column = problem.column(row);
                self.values.extend(self.targets[begin..].iter().map(|&target| column[target]));
            }
            self.begins.push(self.targets.len());
        }
    }

    /// Adds to u what a change of the impulses of contact c makes of it.
    fn add(&self, c: usize, change: &[f64], u: &mut [f64]) {
        let targets = &self.targets[self.begins[c]..self.begins[c + 1]];
        let values = &self.values[self.columns[c]..];
        for (column, change) in values.chunks_exact(targets.len()).zip(change) {
            for (&target, value) in targets.iter().zip(column) {
                u[target] += value * change;
            }
        }
    }
}

/// One sweep over all contacts; `add` brings what the change of the impulses of a contact makes of u. Returns the largest change of a
/// velocity by a contact's own impulse, over the largest entry of q'.
fn sweep(problem: &Scaled, x: &mut Iterate, add: impl Fn(usize, &[f64], &mut [f64])) -> f64 {
    let mut largest = 0.0_f64;
    for (c, cone) in problem.cones.iter().enumerate() {
        let rows = problem.offsets[c]..problem.offsets[c + 1];
        let change: [f64; ROWS] = problem.blocks[c].solve(cone, &x.s[rows.clone()], &x.u[rows.clone()]);
        let change = &change[..rows.len()];
        if change.iter().all(|change| *change == 0.0) {
            continue;
        }
        for (s, change) in x.s[rows].iter_mut().zip(change) {
            *s += change;
            largest = largest.max(change.abs());
        }
        add(c, change, &mut x.u);
    }
    if problem.size > 0.0 { largest / problem.size } else { largest }
}

/// Sweeps until the measure is at most `target`, at most `limit` times; u is made anew before it is measured. Many of them are accelerated,
/// and end at the best point. Returns the sweeps.
pub(crate) fn sweeps(problem: &Scaled, x: &mut Iterate, limit: usize, target: f64, workspace: &mut Workspace) -> usize {
    if limit >= MANY {
        return accelerated(problem, x, limit, target, workspace);
    }
    let add = |c: usize, change: &[f64], u: &mut [f64]| {
        for (row, change) in (problem.offsets[c]..).zip(change).filter(|(_, change)| **change != 0.0) {
            u.iter_mut().zip(problem.column(row)).for_each(|(u, w)| *u += w * change);
        }
    };
    for done in 0..limit {
        if problem.meter.is_over() {
            problem.refresh(x);
            return done;
        }
        problem.meter.spend(problem.n * problem.n);
        // A small change says little where sweeps creep: the measure decides, and is asked only when the change allows it.
        if sweep(problem, x, add) <= 10.0 * target {
            problem.refresh(x);
            if problem.measure(x) <= target {
                return done + 1;
            }
        }
    }
    problem.refresh(x);
    limit
}

/// Some sweeps as one step of a fixed point, which Anderson's method accelerates, until they move more than before.
fn accelerated(problem: &Scaled, x: &mut Iterate, limit: usize, target: f64, workspace: &mut Workspace) -> usize {
    let Workspace { links, anderson, start, next, best } = workspace;
    links.gather(problem);
    anderson.restart();
    best.copy_from(x);
    let (mut done, mut before, mut least) = (0, f64::INFINITY, problem.measure(x));
    while done < limit && !(least <= target) && !problem.meter.is_over() {
        start.clone_from(&x.s);
        let count = EVERY.min(limit - done);
        for _ in 0..count {
            sweep(problem, x, |c, change, u| links.add(c, change, u));
        }
        done += count;
        problem.meter.spend(count * links.values.len());
        problem.refresh(x);
        let measure = problem.measure(x);
        if measure < least {
            least = measure;
            best.copy_from(x);
        }
        let moved = x.s.iter().zip(&*start).map(|(after, before)| (after - before).powi(2)).sum::<f64>().sqrt();
        // Beyond all range there is no way back.
        if !moved.is_finite() {
            break;
        }
        if moved > before {
            anderson.restart();
        }
        before = moved;
        next.clone_from(&x.s);
        anderson.accelerate(start, next);
        std::mem::swap(&mut x.s, next);
        for (c, cone) in problem.cones.iter().enumerate() {
            cone.project(&mut x.s[problem.offsets[c]..problem.offsets[c + 1]]);
        }
        problem.refresh(x);
    }
    x.copy_from(best);
    done
}
