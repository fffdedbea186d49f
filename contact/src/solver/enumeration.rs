//! All supports, one after the other: the last resort for a handful of pairs, which finds a solution of any matrix if there is one.
//!
//! A regular M_aa leaves one point to look at; the singular ones, which take longer, come after all others.

use super::{Outcome, Point, Run, scaled::Scaled, singular::Singular, support::Support};
use crate::solution::{MethodName, Status};

/// Tries all 2^n supports of a problem of few pairs.
#[derive(Debug, Clone, PartialEq)]
pub struct Enumeration {
    /// Residual of the original problem that counts as solved.
    pub tolerance: f64,
    /// Pairs at most; larger problems are left alone.
    pub max_pairs: usize,
}

impl Default for Enumeration {
    fn default() -> Self {
        Self { tolerance: 1e-10, max_pairs: 14 }
    }
}

/// Pairs up to which singular supports, of which there may be as many as supports, are looked into.
const SINGULAR: usize = 12;

/// Room of the method.
#[derive(Debug, Clone, Default)]
pub struct Room {
    support: Support,
    zeros: Vec<f64>,
    z: Vec<f64>,
    w: Vec<f64>,
    /// Supports with singular M_aa, and the search in one of them.
    skipped: Vec<usize>,
    singular: Singular,
}

impl Run for Enumeration {
    type Room = Room;
    const NAME: MethodName = MethodName::Enumeration;
    const POLISHED: bool = true;

    fn tolerance(&self) -> f64 {
        self.tolerance
    }

    fn run(&self, scaled: &Scaled, point: &mut Point, room: &mut Room) -> Outcome {
        let n = scaled.len();
        if n > self.max_pairs.min(usize::BITS as usize - 1) {
            return Outcome { status: Status::MaxIterations, iterations: 0 };
        }
        for vector in [&mut room.zeros, &mut room.z, &mut room.w] {
            vector.clear();
            vector.resize(n, 0.0);
        }
        room.skipped.clear();
        let (mut best, enough) = (f64::INFINITY, 0.01 * self.tolerance);
        for mask in 0..1_usize << n {
            if scaled.meter.is_over() {
                return Outcome { status: Status::OutOfBudget, iterations: mask };
            }
            room.support.select(n, |i| mask >> i & 1 == 1);
            if !room.support.factor(scaled, 0.0) {
                room.skipped.push(mask);
                continue;
            }
            room.z.fill(0.0);
            room.support.correct(scaled, 0.0, &room.zeros, &mut room.z);
            scaled.w(&room.z, &mut room.w);
            let natural = Scaled::natural(&room.z, &room.w);
            if natural < best {
                best = natural;
                point.z.copy_from_slice(&room.z);
            }
            if best <= enough {
                return Outcome { status: Status::Solved, iterations: mask + 1 };
            }
        }
        let mut iterations = 1 << n;
        for &mask in room.skipped.iter().filter(|_| n <= SINGULAR) {
            iterations += 1;
            scaled.meter.spend(n * n * n);
            if scaled.meter.is_over() {
                return Outcome { status: Status::OutOfBudget, iterations };
            }
            let natural = room.singular.search(scaled, |i| mask >> i & 1 == 1, &mut room.z);
            if natural < best {
                best = natural;
                point.z.copy_from_slice(&room.z);
            }
            if best <= enough {
                return Outcome { status: Status::Solved, iterations };
            }
        }
        Outcome { status: Status::NumericalTrouble, iterations }
    }
}
