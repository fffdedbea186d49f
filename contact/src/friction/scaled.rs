//! A frictional problem in units in which all its contacts are alike: S = a D S', u' = D u / a, W' = D W D.
//!
//! D holds one number for the translational rows of a contact and one for its rotational rows, 1/sqrt of the mean diagonal of W, so
//! that cones stay cones. Impulses and velocities then have one unit, the square root of energy, and S - u makes sense. The law is homogeneous:
//! an answer times a is one of a q. So contacts that act on each other, an island, have their own a, a power of two that brings |q'|, or what
//! it may be round-off of, near one: what is solved is the same in whatever units an island is written, beside whatever other islands.

use pulp::Arch;

use super::{
    block::Block,
    cone::{Cone, worst},
};
use crate::{
    budget::Meter,
    dense::subtract_four,
    ordering::Graph,
    problem::FrictionProblem,
    solution::{Residual, Solution, Status},
};

/// Entry of W' below which rows do not act on each other.
const UNCOUPLED: f64 = 1e-14;
/// Residual that is acceptable: what round-off alone may hide of the velocities must stay below it, too. A part of |q'|, without a unit.
pub(crate) const ACCEPTED: f64 = 1e-8;

/// The problem of a solve, scaled. Reused from solve to solve.
#[derive(Debug, Clone, Default)]
pub(crate) struct Scaled {
    /// Order.
    pub(crate) n: usize,
    /// W', column by column.
    pub(crate) w: Vec<f64>,
    pub(crate) q: Vec<f64>,
    pub(crate) cones: Vec<Cone>,
    /// First row of each contact, and the number of rows.
    pub(crate) offsets: Vec<usize>,
    pub(crate) blocks: Vec<Block>,
    /// Which contacts act on each other.
    pub(crate) graph: Graph,
    /// Row of the problem of each row: those of contacts without any friction are left out.
    rows: Vec<usize>,
    /// Diagonal of D, of all rows of the problem.
    unit: Vec<f64>,
    /// a of each contact.
    scale: Vec<f64>,
    /// Workspace of the search for islands: contacts still to be visited.
    open: Vec<usize>,
    /// Beside what the miss of each contact is measured: the largest entry of q' of its island, or what the reference of the problem is in these
    /// units where that is larger; and the least of them.
    beside: Vec<f64>,
    least: f64,
    /// Largest entry of q'.
    pub(crate) size: f64,
    /// What may still be spent.
    pub(crate) meter: Meter,
    /// The contact that misses its law most at the point last reported.
    pub(crate) hardest: usize,
}

/// Impulses and the velocities u = W S + q that go with them, scaled.
#[derive(Debug, Clone, Default)]
pub(crate) struct Iterate {
    pub(crate) s: Vec<f64>,
    pub(crate) u: Vec<f64>,
}

impl Iterate {
    pub(crate) fn copy_from(&mut self, other: &Self) {
        self.s.clone_from(&other.s);
        self.u.clone_from(&other.u);
    }
}

impl Scaled {
    /// Takes a problem.
    pub(crate) fn assign(&mut self, problem: &FrictionProblem) {
        self.scale(problem);
        let n = self.rows.len();
        self.n = n;
        self.w.clear();
        for &j in &self.rows {
            let column = problem.w().column(j);
            self.w.extend(self.rows.iter().map(|&i| self.unit[i] * column[i] * self.unit[j]));
        }
        self.q.clear();
        self.q.extend(self.rows.iter().map(|&i| self.unit[i] * problem.q()[i]));
        self.blocks.clear();
        for c in 0..self.cones.len() {
            let first = self.offsets[c];
            let block = Block::new(&self.cones[c], |i, j| self.w[(first + j) * n + first + i]);
            self.blocks.push(block);
        }
        self.couple();
        self.weigh_islands(problem);
    }

    /// Fills a of each contact, divides q' by it, and takes its size.
    fn weigh_islands(&mut self, problem: &FrictionProblem) {
        let contacts = self.cones.len();
        self.scale.clear();
        self.scale.resize(contacts, 0.0);
        self.beside.clear();
        self.beside.resize(contacts, 0.0);
        (self.size, self.least) = (0.0, f64::INFINITY);
        for first in 0..contacts {
            if self.scale[first] > 0.0 {
                continue;
            }
            // Marked as met with one; the members stay in the list.
            self.open.clear();
            self.open.push(first);
            self.scale[first] = 1.0;
            let (mut next, mut size, mut reference) = (0, 0.0_f64, 0.0_f64);
            while next < self.open.len() {
                let c = self.open[next];
                size = size.max(largest(&self.q[self.offsets[c]..self.offsets[c + 1]]));
                reference = reference.max(problem.reference() * self.unit[problem.offsets()[c]]);
                for &other in self.graph.neighbours(c) {
                    if self.scale[other] == 0.0 {
                        self.scale[other] = 1.0;
                        self.open.push(other);
                    }
                }
                next += 1;
            }
            // What is round-off of the reference stays as small as that beside other islands.
            let most = size.max(reference);
            let scale = if most > 0.0 { most.log2().round().clamp(-1000.0, 1000.0).exp2() } else { 1.0 };
            for &c in &self.open {
                (self.scale[c], self.beside[c]) = (scale, most / scale);
            }
            self.size = self.size.max(size / scale);
        }
        // An island without any q has the answer zero, and is measured beside the largest of the others.
        let known = (0..contacts).filter(|&c| self.beside[c] > 0.0).map(|c| self.scale[c]).fold(0.0, f64::max);
        for (beside, scale) in self.beside.iter_mut().zip(&mut self.scale).filter(|(beside, _)| **beside == 0.0) {
            (*beside, *scale) = (1.0, if known > 0.0 { known } else { 1.0 });
        }
        self.least = self.beside.iter().copied().fold(f64::INFINITY, f64::min);
        for c in 0..contacts {
            let scale = self.scale[c];
            self.q[self.offsets[c]..self.offsets[c + 1]].iter_mut().for_each(|q| *q /= scale);
        }
    }

    /// Finds which contacts act on each other, beyond round-off: W' has ones on its diagonal.
    pub(crate) fn couple(&mut self) {
        let (n, w, offsets) = (self.n, &self.w, &self.offsets);
        self.graph.assign(self.cones.len(), |a, b| {
            let rows = offsets[b]..offsets[b + 1];
            (offsets[a]..offsets[a + 1]).any(|j| w[j * n..][rows.clone()].iter().any(|w| w.abs() > UNCOUPLED))
        });
    }

    /// Fills D and the cones in its units. Rotational rows that nothing turns have the unit in which their coefficient of friction is one.
    fn scale(&mut self, problem: &FrictionProblem) {
        self.unit.clear();
        self.cones.clear();
        self.rows.clear();
        self.offsets.clear();
        self.offsets.push(0);
        let mean = |first: usize, count: usize| {
            let sum: f64 = (first..first + count).map(|i| problem.w()[(i, i)]).sum();
            (sum > 0.0).then(|| (count as f64 / sum).sqrt())
        };
        for (cone, &first) in problem.cones().iter().zip(problem.offsets()) {
            let size = cone.size();
            // A contact that nothing moves is an island of its own, in the unit of its own q.
            let translation = mean(first, size.min(3)).unwrap_or(1.0);
            let length = Some(cone.spinning.max(cone.rolling)).filter(|length| *length > 0.0).unwrap_or(1.0);
            let rotation = if size > 3 { mean(first + 3, 3).unwrap_or(translation * length) } else { 1.0 };
            self.unit.extend((0..size).map(|i| if i < 3 { translation } else { rotation }));
            let kept = cone.without_idle_rows();
            self.rows.extend(first..first + kept.size());
            self.offsets.push(self.rows.len());
            self.cones.push(kept.in_units(translation, rotation));
        }
    }

    /// An empty problem of n rows, W' zero, to be filled by hand.
    pub(crate) fn reset(&mut self, n: usize) {
        self.n = n;
        self.w.clear();
        self.w.resize(n * n, 0.0);
        self.q.clear();
        self.cones.clear();
        self.blocks.clear();
        self.offsets.clear();
        self.offsets.push(0);
        self.scale.clear();
        self.beside.clear();
        self.size = 0.0;
    }

    /// Adds a contact that is scaled already: cone, diagonal block, q'.
    pub(crate) fn push(&mut self, cone: Cone, block: Block, q: &[f64]) {
        self.cones.push(cone);
        self.blocks.push(block);
        self.q.extend_from_slice(q);
        self.offsets.push(self.q.len());
        self.size = q.iter().fold(self.size, |size: f64, q| size.max(q.abs()));
    }

    /// Whether no contact has friction.
    pub(crate) fn smooth(&self) -> bool {
        self.cones.iter().all(|cone| cone.size() == 1)
    }

    /// Column j of W'.
    #[inline]
    pub(crate) fn column(&self, j: usize) -> &[f64] {
        &self.w[j * self.n..(j + 1) * self.n]
    }

    /// Entry of the diagonal of D of row i of the problem.
    pub(crate) fn unit(&self, i: usize) -> f64 {
        self.unit[i]
    }

    /// a of a contact; one in a problem filled by hand.
    pub(crate) fn scale_of(&self, contact: usize) -> f64 {
        self.scale.get(contact).copied().unwrap_or(1.0)
    }

    /// Beside what the miss of a contact is measured; q' in a problem filled by hand.
    fn beside(&self, contact: usize) -> f64 {
        self.beside.get(contact).copied().unwrap_or(self.size)
    }

    /// y += W' x.
    pub(crate) fn add_product(&self, x: &[f64], y: &mut [f64]) {
        self.meter.spend(self.n * x.len());
        let mut filled = x.iter().enumerate().filter(|(_, x)| **x != 0.0).map(|(j, &x)| (x, self.column(j)));
        Arch::new().dispatch(
            #[inline(always)]
            || {
                // Four at a time: y is read and written once for all of them.
                while let Some((a, column)) = filled.next() {
                    let mut next = || filled.next().unwrap_or((0.0, column));
                    let (factors, columns): ([f64; 4], [&[f64]; 4]) = {
                        let four = [(a, column), next(), next(), next()];
                        (four.map(|(x, _)| -x), four.map(|(_, column)| column))
                    };
                    subtract_four(y, factors, columns);
                }
            },
        );
    }

    /// u = W' S + q'.
    pub(crate) fn refresh(&self, x: &mut Iterate) {
        x.u.clone_from(&self.q);
        self.add_product(&x.s, &mut x.u);
    }

    /// Begins at a guess in the units of the problem, or at zero. Without q the answer is no impulse.
    pub(crate) fn start(&self, guess: Option<&[f64]>, x: &mut Iterate) {
        x.s.clear();
        match guess.filter(|_| self.size > 0.0) {
            Some(guess) => x.s.extend(self.rows.iter().map(|&row| guess[row] / self.unit[row])),
            None => x.s.resize(self.n, 0.0),
        }
        for c in 0..self.cones.len() {
            let (rows, scale) = (self.offsets[c]..self.offsets[c + 1], self.scale_of(c));
            x.s[rows.clone()].iter_mut().for_each(|s| *s /= scale);
            self.cones[c].project(&mut x.s[rows]);
        }
        self.refresh(x);
    }

    /// Largest entry of the natural map over that of q': free of units, the same for the same problem in grams or in tonnes, and for each
    /// island by itself.
    pub(crate) fn measure(&self, x: &Iterate) -> f64 {
        let (mut largest, round_off) = (0.0, round_off(&x.s));
        for c in 0..self.cones.len() {
            let rows = self.offsets[c]..self.offsets[c + 1];
            let miss = self.cones[c].residual(&x.s[rows.clone()], &x.u[rows], round_off);
            largest = worst(largest, relative(miss, self.beside(c)));
        }
        worst(largest, self.hidden(&x.s, round_off))
    }

    /// What round-off may hide of u = W S + q: the largest entry of eps |W| |S| beside q', where that is above what is acceptable,
    /// else 0. At impulses so large that q vanishes beside W S, any velocity may come out as zero.
    fn hidden(&self, s: &[f64], round_off: f64) -> f64 {
        // Most problems need no product.
        let least = if self.beside.is_empty() { self.size } else { self.least };
        if round_off <= ACCEPTED * least {
            return 0.0;
        }
        let row = |i: usize| s.iter().enumerate().map(|(j, s)| (self.w[j * self.n + i] * s).abs()).sum::<f64>();
        let contact = |c: usize| {
            let largest = (self.offsets[c]..self.offsets[c + 1]).map(row).fold(0.0, worst);
            relative(0.5 * f64::EPSILON * largest, self.beside(c))
        };
        let largest = (0..self.cones.len()).map(contact).fold(0.0, worst);
        if largest <= ACCEPTED { 0.0 } else { largest }
    }

    /// Writes the answer in the units of the problem, with velocities and residual from the problem as it was given.
    pub(crate) fn report(&mut self, problem: &FrictionProblem, x: &Iterate, tolerance: f64, solution: &mut Solution) {
        solution.z.fill(0.0);
        for c in 0..self.cones.len() {
            for i in self.offsets[c]..self.offsets[c + 1] {
                let row = self.rows[i];
                solution.z[row] = x.s[i] * self.unit[row] * self.scale_of(c);
            }
        }
        solution.w.copy_from_slice(problem.q().as_slice());
        for (j, &z) in solution.z.iter().enumerate() {
            solution.w.iter_mut().zip(problem.w().column(j).iter()).for_each(|(u, w)| *u += w * z);
        }
        (solution.residual, self.hardest) = self.residual(problem, &x.s, &solution.z, &solution.w);
        if solution.residual.within(tolerance) {
            solution.status = Status::Solved;
        } else if solution.status == Status::Solved {
            solution.status = Status::NumericalTrouble;
        }
    }

    /// Whether impulses and velocities are so large that nothing is to be gained from them.
    pub(crate) fn lost(&self, x: &Iterate) -> bool {
        self.hidden(&x.s, round_off(&x.s)) > 0.0
    }

    /// Unit of the rotational rows of a contact, 1 if it has none.
    fn rotation(&self, problem: &FrictionProblem, c: usize) -> f64 {
        if problem.cones()[c].size() > 3 { self.unit[problem.offsets()[c] + 3] } else { 1.0 }
    }

    /// Residual of impulses z, those in scaled units s, and velocities u in the units of the problem.
    fn residual(&self, problem: &FrictionProblem, s: &[f64], z: &[f64], u: &[f64]) -> (Residual, usize) {
        let (mut most, mut hardest) = (0.0, 0);
        let round_off = round_off(s);
        let natural = self.hidden(s, round_off);
        let mut residual = Residual { natural, complementarity: 0.0, negative_z: 0.0, negative_w: 0.0, mixed: 0.0 };
        for c in 0..self.cones.len() {
            let cone = problem.cones()[c].in_units(self.unit[problem.offsets()[c]], self.rotation(problem, c));
            let (first, size) = (problem.offsets()[c], cone.size());
            let (mut s_unit, mut u_unit) = ([0.0; super::cone::ROWS], [0.0; super::cone::ROWS]);
            for i in 0..size {
                s_unit[i] = z[first + i] / (self.unit[first + i] * self.scale_of(c));
                u_unit[i] = u[first + i] * self.unit[first + i] / self.scale_of(c);
            }
            let miss = relative(cone.residual(&s_unit, &u_unit, round_off), self.beside(c));
            if miss > most {
                (most, hardest) = (miss, c);
            }
            residual.natural = worst(residual.natural, miss);
            residual.complementarity += z[first] * u[first];
            residual.negative_z = residual.negative_z.max(problem.cones()[c].violation(&z[first..first + size]));
            residual.negative_w = residual.negative_w.max(-u[first]);
        }
        residual.complementarity = residual.complementarity.abs();
        (residual, hardest)
    }
}

/// Largest entry.
fn largest(x: &[f64]) -> f64 {
    x.iter().fold(0.0, |size: f64, x| size.max(x.abs()))
}

/// `miss` over the size of the data, without a unit. Of q = 0 the answer is S = 0, exactly, and every miss is all of it.
fn relative(miss: f64, size: f64) -> f64 {
    if miss == 0.0 { 0.0 } else { miss / size }
}

/// What round-off may make of u = W' S: |W'_ij| is at most the largest diagonal of the blocks, 3, in a semidefinite matrix.
fn round_off(s: &[f64]) -> f64 {
    let (fours, rest) = s.as_chunks::<4>();
    // In four sums, none of which waits for another.
    let sums = fours.iter().fold([0.0; 4], |sums: [f64; 4], s| std::array::from_fn(|i| sums[i] + s[i].abs()));
    1.5 * f64::EPSILON * (sums.iter().sum::<f64>() + rest.iter().map(|s| s.abs()).sum::<f64>())
}
