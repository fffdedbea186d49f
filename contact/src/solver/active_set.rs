//! Block principal pivoting: guess which z are positive, solve for them, flip every pair of the wrong sign.
//!
//! After Judice and Pires (Computers and Operations Research 21 (1994) 587): all wrong pairs flip together while their number keeps falling
//! within a few tries, else the last wrong one alone (Murty's rule, finite for P matrices). A singular M_aa gets a small shift, which
//! makes a semidefinite problem strictly monotone; the shift is then taken back by proximal steps, z_k+1 solving LCP(M + eps I, q - eps z_k),
//! and if no solution exists these steps tend to a proof of that.
//!
//! Under a Z matrix (no positive entry off the diagonal: obstacles, bearings, options) all wrong pairs flip every time. From no pairs at all
//! that is Chandrasekaran's method in blocks (Opsearch 7 (1970) 263), whose z only grows; from all of an M matrix it is Howard's iteration
//! (Bokanowski, Maroso and Zidani, SIAM J. Numer. Anal. 47 (2009) 3001), whose z is monotone after the first flip: both end within n + 1.

use super::{
    Outcome, Point, Run,
    scaled::Scaled,
    support::{SHIFT, Support},
};
use crate::solution::{MethodName, Status};

/// Block principal pivoting with safeguard, from a guess of the active set.
#[derive(Debug, Clone, PartialEq)]
pub struct ActiveSet {
    /// Residual of the original problem that counts as solved.
    pub tolerance: f64,
    /// Factorizations at most.
    pub max_iterations: usize,
    /// Block flips without a new least number of wrong pairs before single flips begin.
    pub patience: usize,
    /// Single flips at most; each costs a factorization.
    pub max_single: usize,
}

impl Default for ActiveSet {
    fn default() -> Self {
        Self { tolerance: 1e-10, max_iterations: 400, patience: 10, max_single: 100 }
    }
}

/// Proximal steps at most.
const PROXIMAL: usize = 12;
/// Shifts on the way to none.
const CONTINUATION: [f64; 7] = [1.0, 0.3, 0.1, 1e-2, 1e-3, 1e-5, 1e-7];
/// Shift times change of z, a residual of the scaled problem, below which the proximal steps have arrived.
const STANDING: f64 = 1e-13;
/// Shift times z above which they seem to go to infinity.
const DIVERGING: f64 = 1e-3;
/// Pairs up to which single flips are tried from the first guess already.
const EAGER: usize = 48;

/// Room of the method.
#[derive(Debug, Clone, Default)]
pub struct Room {
    support: Support,
    anchor: Vec<f64>,
    w: Vec<f64>,
    active: Vec<bool>,
    wrong: Vec<usize>,
    /// Factorizations at which the present guess is given up.
    limit: usize,
    /// The shift of the factors in `support`, if there are any.
    factored: Option<f64>,
}

/// Where flips begin: at the given support (none, if there is no start); at all pairs, which is what resting stacks want; at the support
/// of problems with larger shifts, which are well conditioned and change little from one to the next.
#[derive(Clone, Copy, PartialEq)]
enum Guess {
    Given,
    All,
    Continued,
}

/// How far the flips came.
enum Flips {
    Done,
    Singular,
    Exhausted,
}

impl Run for ActiveSet {
    type Room = Room;
    const NAME: MethodName = MethodName::ActiveSet;
    const POLISHED: bool = true;

    fn tolerance(&self) -> f64 {
        self.tolerance
    }

    fn run(&self, scaled: &Scaled, point: &mut Point, room: &mut Room) -> Outcome {
        let n = scaled.len();
        room.w.resize(n, 0.0);
        room.factored = None;
        let (mut iterations, mut shift, mut status) = (0, 0.0, Status::MaxIterations);
        let mut guesses = [Guess::Given, Guess::All, Guess::Continued];
        if scaled.repelling && !point.warm {
            guesses.swap(0, 1);
        }
        for (share, guess) in guesses.into_iter().enumerate() {
            room.limit = (share + 1) * self.max_iterations / 3;
            room.active.clear();
            room.active.extend(point.z.iter().map(|&zi| match guess {
                Guess::Given => point.warm && zi > 0.0,
                Guess::All => true,
                Guess::Continued => false,
            }));
            room.anchor.clear();
            room.anchor.resize(n, 0.0);
            let singles = if guess == Guess::Given && n > EAGER { 0 } else { self.max_single };
            if guess == Guess::Continued {
                for larger in CONTINUATION {
                    self.flip(scaled, larger, singles, &mut point.z, room, &mut iterations);
                }
            }
            status = self.pursue(scaled, &mut shift, singles, point, room, &mut iterations);
            if matches!(status, Status::Solved | Status::Infeasible) {
                break;
            }
        }
        Outcome { status, iterations }
    }
}

fn verdict(flips: &Flips) -> Status {
    match flips {
        Flips::Done => Status::Solved,
        Flips::Singular => Status::NumericalTrouble,
        Flips::Exhausted => Status::MaxIterations,
    }
}

impl ActiveSet {
    /// Flips from the active set in `room`; with proximal steps as soon as a matrix was singular.
    fn pursue(
        &self,
        scaled: &Scaled,
        shift: &mut f64,
        singles: usize,
        point: &mut Point,
        room: &mut Room,
        iterations: &mut usize,
    ) -> Status {
        if *shift == 0.0 {
            let flips = self.flip(scaled, *shift, singles, &mut point.z, room, iterations);
            if !matches!(flips, Flips::Singular) {
                return verdict(&flips);
            }
            *shift = SHIFT;
        }
        self.proximal(scaled, *shift, singles, point, room, iterations)
    }

    /// Proximal steps with a shifted matrix until the anchor stands still.
    fn proximal(
        &self,
        scaled: &Scaled,
        shift: f64,
        singles: usize,
        point: &mut Point,
        room: &mut Room,
        iterations: &mut usize,
    ) -> Status {
        for _ in 0..PROXIMAL {
            let flips = self.flip(scaled, shift, singles, &mut point.z, room, iterations);
            if !matches!(flips, Flips::Done) {
                return verdict(&flips);
            }
            let size = point.z.iter().fold(0.0, |size: f64, zi| size.max(zi.abs()));
            let moved = point.z.iter().zip(&room.anchor).fold(0.0, |moved: f64, (zi, ai)| moved.max((zi - ai).abs()));
            if shift * moved <= STANDING {
                return Status::Solved;
            }
            if shift * size > DIVERGING {
                // The solution of the shifted problem grows like 1/shift: the step points along a ray of infeasibility.
                point.ray.clear();
                point.ray.extend(point.z.iter().zip(&room.anchor).map(|(zi, ai)| zi - ai));
                if scaled.certifies(&mut point.ray) {
                    return Status::Infeasible;
                }
            }
            room.anchor.copy_from_slice(&point.z);
        }
        Status::Solved
    }

    /// Flips pairs until z solves LCP(M + shift I, q - shift anchor) up to round-off.
    fn flip(
        &self,
        scaled: &Scaled,
        shift: f64,
        mut singles: usize,
        z: &mut [f64],
        room: &mut Room,
        iterations: &mut usize,
    ) -> Flips {
        let n = scaled.len();
        // Under a Z matrix wrong pairs may stay as many while the free boundary moves row by row, but no pair comes back: see the head.
        let patience_at_first = if scaled.repelling { usize::MAX } else { self.patience };
        let (mut fewest, mut patience) = (n + 1, patience_at_first);
        while *iterations < room.limit && !scaled.meter.is_over() {
            *iterations += 1;
            if !room.factor(scaled, shift) {
                return Flips::Singular;
            }
            z.fill(0.0);
            room.support.correct(scaled, shift, &room.anchor, z);
            room.support.correct(scaled, shift, &room.anchor, z);
            scaled.w(z, &mut room.w);
            room.find_wrong(shift, z);
            let wrong = room.wrong.len();
            if wrong == 0 {
                return Flips::Done;
            }
            if wrong < fewest {
                (fewest, patience) = (wrong, patience_at_first);
            } else if patience > 0 {
                patience -= 1;
            } else if singles > 0 {
                singles -= 1;
                room.wrong.drain(..wrong - 1);
            } else {
                return Flips::Exhausted;
            }
            for &i in &room.wrong {
                room.active[i] = !room.active[i];
            }
        }
        Flips::Exhausted
    }
}

impl Room {
    /// Factors the matrix of the active set, unless that and the shift are still the last ones.
    fn factor(&mut self, scaled: &Scaled, shift: f64) -> bool {
        let members = (0..self.active.len()).filter(|&i| self.active[i]);
        if self.factored == Some(shift) && members.eq(self.support.active.iter().copied()) {
            return true;
        }
        let active = &self.active;
        self.support.select(active.len(), |i| active[i]);
        let done = self.support.factor(scaled, shift);
        self.factored = done.then_some(shift);
        done
    }

    /// The pairs whose z or w is negative beyond round-off.
    fn find_wrong(&mut self, shift: f64, z: &[f64]) {
        let size = z.iter().fold(1.0, |size: f64, zi| size.max(zi.abs()));
        self.wrong.clear();
        for i in 0..z.len() {
            let wrong =
                if self.active[i] { z[i] < -1e-13 * size } else { self.w[i] - shift * self.anchor[i] < -1e-13 * size };
            if wrong {
                self.wrong.push(i);
            }
        }
    }
}
