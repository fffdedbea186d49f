//! Lemke's method: along w - M z - d z0 = q from large z0 to z0 = 0, by complementary pivots.
//!
//! Cottle, Pang and Stone, The Linear Complementarity Problem (1992), algorithm 4.4.5, with the lexicographic rule of section 4.9, so that no
//! basis repeats. It solves whatever P, semidefinite, copositive-plus or strictly copositive problems have a solution. On any other it may
//! end on a ray; then the path starts again, from other covering vectors and from other bases (which is what solves games).

use super::{Outcome, Point, Run, dictionary::Dictionary, scaled::Scaled};
use crate::solution::{MethodName, Status};

/// Lemke's method with lexicographic rule and restarts.
#[derive(Debug, Clone, PartialEq)]
pub struct Lemke {
    /// Residual of the original problem that counts as solved.
    pub tolerance: f64,
    /// Pivots at most, over all starts.
    pub max_iterations: usize,
    /// Further starts after a ray.
    pub restarts: usize,
}

impl Default for Lemke {
    fn default() -> Self {
        Self { tolerance: 1e-10, max_iterations: 1 << 18, restarts: 24 }
    }
}

/// Entries of a column below this share of the largest are no pivots.
const NO_PIVOT: f64 = 1e-11;
/// Ratios this close, relative to the least, are tied.
const TIE: f64 = 1e-12;
/// Pivots between checks of accuracy.
const CHECK: usize = 32;
/// Sum of two entries, as part of one, up to which they are opposite: they may have been scaled by different roundings.
const OPPOSITE: f64 = 1e-12;

/// Workspace of the method.
#[derive(Debug, Clone, Default)]
pub struct Workspace {
    dictionary: Dictionary,
    active: Vec<bool>,
    cover: Vec<f64>,
    tied: Vec<usize>,
    ray: Vec<f64>,
    /// Pivots, over all starts, at which the present path is given up.
    limit: usize,
}

/// Pivots of a restart, in pairs, times its place in Luby's sequence.
const UNIT: usize = 4;

/// 1 1 2 1 1 2 4 ..: restarts of these lengths take little longer than those of the best length would (Luby, Sinclair and Zuckerman 1993).
fn luby(i: usize) -> usize {
    let bits = usize::BITS - i.leading_zeros();
    if i + 1 == 1 << bits { 1 << (bits - 1) } else { luby(i + 1 - (1 << (bits - 1))) }
}

/// How one path ended.
enum Path {
    Solved,
    Ray,
    Exhausted,
    Trouble,
}

impl Run for Lemke {
    type Workspace = Workspace;
    const NAME: MethodName = MethodName::Lemke;
    const POLISHED: bool = true;

    fn tolerance(&self) -> f64 {
        self.tolerance
    }

    fn run(&self, scaled: &Scaled, point: &mut Point, workspace: &mut Workspace) -> Outcome {
        let (mut iterations, mut worst) = (0, Status::NumericalTrouble);
        for start in 0..=self.restarts {
            if scaled.meter.is_over() {
                return Outcome { status: Status::OutOfBudget, iterations };
            }
            workspace.choose(scaled, start, point);
            // The first path is the one that theory knows of; others may be exponentially long where the next one is short.
            let share = if start == 0 { self.max_iterations / 2 } else { UNIT * scaled.len() * luby(start) };
            workspace.limit = (iterations + share.max(1)).min(self.max_iterations);
            if !workspace.dictionary.start(scaled, &workspace.active, &workspace.cover) {
                continue;
            }
            match self.path(scaled, workspace, &mut iterations) {
                Path::Solved => {
                    workspace.dictionary.z(&mut point.z);
                    return Outcome { status: Status::Solved, iterations };
                }
                Path::Ray => {
                    worst = Status::Ray;
                    if scaled.certifies(&mut workspace.ray) {
                        point.ray.clone_from(&workspace.ray);
                        return Outcome { status: Status::Infeasible, iterations };
                    }
                }
                Path::Trouble => {}
                Path::Exhausted if iterations < self.max_iterations && self.restarts > 0 => {}
                Path::Exhausted => {
                    let status = if worst == Status::Ray { worst } else { Status::MaxIterations };
                    return Outcome { status, iterations };
                }
            }
        }
        Outcome { status: worst, iterations }
    }
}

impl Lemke {
    /// One path from the dictionary's start.
    fn path(&self, scaled: &Scaled, workspace: &mut Workspace, iterations: &mut usize) -> Path {
        let n = scaled.len();
        let z0 = 2 * n;
        let Some(mut row) = workspace.first_row() else { return Path::Solved };
        let mut entering = z0;
        let mut since = 0;
        loop {
            scaled.meter.spend(n * (n + 1));
            if *iterations >= workspace.limit || scaled.meter.is_over() {
                return Path::Exhausted;
            }
            *iterations += 1;
            since += 1;
            let leaving = workspace.dictionary.pivot(row, entering);
            if leaving == z0 {
                return Path::Solved;
            }
            if since >= CHECK {
                since = 0;
                if !workspace.dictionary.accurate(scaled) && !workspace.dictionary.refresh(scaled) {
                    return Path::Trouble;
                }
            }
            entering = if leaving < n { leaving + n } else { leaving - n };
            match workspace.leaving_row(entering, z0) {
                Some(found) => row = found,
                None => {
                    workspace.dictionary.ray(entering, &mut workspace.ray);
                    return Path::Ray;
                }
            }
        }
    }
}

impl Workspace {
    /// Basis and covering vector of a start: the given active set or none and ones; a pure pair of strategies as in a game; then, from a
    /// fixed stream of numbers, vectors and bases.
    fn choose(&mut self, scaled: &Scaled, start: usize, point: &Point) {
        let n = scaled.len();
        let mut state = 0x9e37_79b9_7f4a_7c15_u64.wrapping_mul(start as u64 + 1);
        let mut random = || {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            (state >> 11) as f64 / (1_u64 << 53) as f64
        };
        self.active.clear();
        self.cover.clear();
        match start {
            0 => self.active.extend(point.z.iter().map(|&zi| point.warm && zi > 0.0)),
            _ => self.active.resize(n, false),
        }
        self.cover.resize(n, 1.0);
        if start % 2 == 1 && self.pure_strategies(scaled, ((random() * n as f64) as usize).min(n - 1)) {
            return;
        }
        if start <= 2 {
            self.spare_bounds(scaled, start);
        }
        if start >= 1 {
            self.cover.iter_mut().for_each(|d| *d *= 0.05 + random());
        }
        // Every third start keeps the basis of nothing, from which semidefinite and copositive-plus problems end on no ray.
        if start >= 3 && !start.is_multiple_of(3) {
            self.pair_up(scaled, start, &mut random);
        }
    }

    /// In the conditions of a program over a bounded set, w = [H -A^T; A 0] (x, y) + (c, -b), rows of A that hold at x = 0 are not covered.
    /// Along a ray x stays as it is, the set being bounded; were z0 to grow there, covered x_i > 0 would need y_i < 0, and were it not, y would
    /// grow on rows that x = 0 does not touch. So for a box the path ends on no ray even where H is indefinite.
    fn spare_bounds(&mut self, scaled: &Scaled, start: usize) {
        let n = scaled.len();
        let opposite = |a: f64, b: f64| (a + b).abs() <= OPPOSITE * a.abs();
        let bound = |r: usize| scaled.q[r] > 0.0 && (0..n).all(|j| opposite(scaled.column(j)[r], scaled.column(r)[j]));
        // The first start of a semidefinite problem needs no such care.
        let indefinite = (0..n).any(|i| scaled.column(i)[i] < 0.0);
        if start == 0 && !indefinite {
            return;
        }
        for r in 0..n {
            if bound(r) {
                self.cover[r] = 0.0;
            }
        }
    }

    /// In a bimatrix game, w = [0 A; B^T 0] z - 1: one player keeps to strategy j, the other answers best, and the covering vector puts a
    /// price on all other strategies of the first. Equilibria are bounded for every price, so the path to price zero ends on no ray
    /// (unlike that of a vector of ones, which ends on one at once). False where the matrix has no such blocks.
    fn pure_strategies(&mut self, scaled: &Scaled, j: usize) -> bool {
        let own = |r: usize| scaled.column(j)[r] == 0.0 && scaled.column(r)[j] == 0.0;
        let needed = |r: usize| -scaled.q[r] / scaled.column(j)[r];
        let answers = (0..scaled.len()).filter(|&r| scaled.column(j)[r] > 0.0 && scaled.column(r)[j] > 0.0);
        let Some(best) = answers.reduce(|best, r| if needed(r) > needed(best) { r } else { best }) else {
            return false;
        };
        if best == j || needed(best) <= 0.0 || (0..scaled.len()).any(|r| !own(r) && scaled.column(j)[r] <= 0.0) {
            return false;
        }
        (self.active[j], self.active[best]) = (true, true);
        for (r, price) in self.cover.iter_mut().enumerate() {
            *price = f64::from(u8::from(own(r) && r != j));
        }
        true
    }

    /// A random basis that is likely regular: pairs i, j with M_ij and M_ji both large, or single i with a diagonal.
    fn pair_up(&mut self, scaled: &Scaled, start: usize, random: &mut impl FnMut() -> f64) {
        let n = scaled.len();
        let share = if start % 2 == 1 { 1.0 } else { 0.25 * n as f64 };
        for _ in 0..(share.ceil() as usize) {
            let i = ((random() * n as f64) as usize).min(n - 1);
            let first = (random() * n as f64) as usize;
            let partner = (0..n)
                .map(|k| (first + k) % n)
                .find(|&j| !self.active[j] && scaled.column(j)[i].abs() > 0.05 && scaled.column(i)[j].abs() > 0.05);
            if let (false, Some(j)) = (self.active[i], partner) {
                (self.active[i], self.active[j]) = (true, true);
            }
        }
    }

    /// Row that leaves when z0 enters: the least b_i / cover_i, lexicographically; `None` if b >= 0 where the vector covers.
    fn first_row(&mut self) -> Option<usize> {
        let b = &self.dictionary.b;
        let ratios = || b.iter().zip(&self.cover).map(|(b, d)| if *d > 0.0 { b / d } else { 0.0 });
        let least = ratios().fold(0.0, f64::min);
        if least >= 0.0 {
            return None;
        }
        self.tied.clear();
        let limit = least + TIE * least.abs();
        // Written so that a ratio beyond all numbers, whose limit is none, ties and leaves a row.
        self.tied.extend(ratios().enumerate().filter(|(_, ratio)| !(*ratio > limit)).map(|(i, _)| i));
        Some(self.lexicographic(usize::MAX))
    }

    /// Row that leaves when `entering` grows; `None` on a ray.
    fn leaving_row(&mut self, entering: usize, z0: usize) -> Option<usize> {
        let (column, b) = (self.dictionary.column(entering), &self.dictionary.b);
        let largest = column.iter().fold(0.0, |largest: f64, c| largest.max(c.abs()));
        let ratio = |i: usize| b[i].max(0.0) / column[i];
        let candidate = |i: &usize| column[*i] > NO_PIVOT * largest;
        let least = (0..column.len()).filter(candidate).map(ratio).fold(f64::INFINITY, f64::min);
        let limit = least + TIE * (1.0 + least);
        self.tied.clear();
        self.tied.extend((0..column.len()).filter(candidate).filter(|&i| ratio(i) <= limit));
        if let Some(&row) = self.tied.iter().find(|&&i| self.dictionary.basic[i] == z0) {
            return Some(row);
        }
        if self.tied.is_empty() { None } else { Some(self.lexicographic(entering)) }
    }

    /// Among the tied rows the one whose row of B^-1, over its divisor, is lexicographically least. Empties the list down to it.
    fn lexicographic(&mut self, entering: usize) -> usize {
        let dictionary = &self.dictionary;
        let divisor = |i: usize| if entering == usize::MAX { self.cover[i] } else { dictionary.column(entering)[i] };
        let mut j = 0;
        while self.tied.len() > 1 && j < self.cover.len() {
            let value = |i: usize| dictionary.inverse(i, j) / divisor(i);
            let least = self.tied.iter().map(|&i| value(i)).fold(f64::INFINITY, f64::min);
            let limit = least + TIE * (1.0 + least.abs());
            self.tied.retain(|&i| !(value(i) > limit));
            j += 1;
        }
        self.tied[0]
    }
}
