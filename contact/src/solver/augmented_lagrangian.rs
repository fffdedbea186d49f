//! Augmented Lagrangian in its proximal form: 0 <= z _|_ w >= 0 is z = max(0, z - w / rho) for any rho > 0.
//!
//! Alternating directions: x = (M + rho I)^-1 (rho y + l - q), y = max(0, x - l / rho), l += rho (y - x), l the estimate of w. One
//! factorization as long as rho stays; linear convergence for any monotone M (Douglas and Rachford; Eckstein and Bertsekas 1992), after
//! which the active set is solved once. Boyd et al. 2011, section 3.4.1, for the change of rho.

use super::{Outcome, Point, Run, polish::Polish, scaled::Scaled, support::Support};
use crate::solution::{MethodName, Status};

/// Alternating direction method of multipliers.
#[derive(Debug, Clone, PartialEq)]
pub struct AugmentedLagrangian {
    /// Residual of the original problem that counts as solved.
    pub tolerance: f64,
    /// Iterations, one pair of triangular solves each, at most.
    pub max_iterations: usize,
    /// First penalty rho, beside the unit diagonal of the scaled matrix.
    pub penalty: f64,
    /// Over-relaxation, 1 to 2.
    pub relaxation: f64,
    /// Natural map of the scaled problem that the first 25 iterations must fall below, or it gives up.
    pub hopeless: f64,
}

impl Default for AugmentedLagrangian {
    fn default() -> Self {
        Self { tolerance: 1e-10, max_iterations: 20_000, penalty: 0.3, relaxation: 1.6, hopeless: f64::INFINITY }
    }
}

/// Iterations between checks of the natural map and of the balance of rho.
const CHECK: usize = 25;
/// Iterations over which the active set must nearly stand still before it is tried.
const STILL: usize = 10;
/// One over the share of pairs that may have changed; the correction of the active set tells in the end.
const RESTLESS: usize = 100;
/// Natural map of the scaled problem that is round-off.
const ENOUGH: f64 = 1e-12;
/// Changes of rho at most, so that the iteration settles.
const CHANGES: usize = 12;

/// Room of the method.
#[derive(Debug, Clone, Default)]
pub struct Room {
    support: Support,
    x: Vec<f64>,
    y: Vec<f64>,
    l: Vec<f64>,
    w: Vec<f64>,
    old: Vec<f64>,
    /// Which y were positive `STILL` iterations before a check.
    positive: Vec<bool>,
    polish: Polish,
}

impl Run for AugmentedLagrangian {
    type Room = Room;
    const NAME: MethodName = MethodName::AugmentedLagrangian;
    const POLISHED: bool = true;

    fn tolerance(&self) -> f64 {
        self.tolerance
    }

    fn run(&self, scaled: &Scaled, point: &mut Point, room: &mut Room) -> Outcome {
        let n = scaled.len();
        let (mut rho, mut changes) = (self.penalty, 0);
        room.start(scaled, point);
        if !room.support.factor(scaled, rho) {
            return Outcome { status: Status::NumericalTrouble, iterations: 0 };
        }
        for iterations in 1..=self.max_iterations {
            room.iterate(scaled, rho, self.relaxation);
            scaled.meter.spend(n * n);
            if iterations % CHECK == CHECK - STILL {
                room.positive.clear();
                room.positive.extend(room.y.iter().map(|y| *y > 0.0));
            }
            if iterations % CHECK != 0 {
                continue;
            }
            scaled.w(&room.y, &mut room.w);
            point.z.copy_from_slice(&room.y);
            let natural = Scaled::natural(&room.y, &room.w);
            if natural <= 0.1 * self.tolerance {
                return Outcome { status: Status::Solved, iterations };
            }
            if scaled.meter.is_over() {
                return Outcome { status: Status::OutOfBudget, iterations };
            }
            if !natural.is_finite() {
                return Outcome { status: Status::NumericalTrouble, iterations };
            }
            if natural > self.hopeless {
                return Outcome { status: Status::MaxIterations, iterations };
            }
            let flipped = room.y.iter().zip(&room.positive).filter(|(y, positive)| (**y > 0.0) != **positive).count();
            if flipped * RESTLESS <= n && room.polish.improve(scaled, &mut point.z) <= ENOUGH {
                return Outcome { status: Status::Solved, iterations };
            }
            let gap = (0..n).fold(0.0, |gap: f64, i| gap.max((room.x[i] - room.y[i]).abs()));
            let moved = rho * (0..n).fold(0.0, |moved: f64, i| moved.max((room.y[i] - room.old[i]).abs()));
            let change = if gap > 10.0 * moved {
                5.0
            } else if moved > 10.0 * gap {
                0.2
            } else {
                1.0
            };
            if change != 1.0 && changes < CHANGES {
                changes += 1;
                rho *= change;
                if !room.support.factor(scaled, rho) {
                    return Outcome { status: Status::NumericalTrouble, iterations };
                }
            }
        }
        Outcome { status: Status::MaxIterations, iterations: self.max_iterations }
    }
}

impl Room {
    fn start(&mut self, scaled: &Scaled, point: &Point) {
        let n = scaled.len();
        self.support.select(n, |_| true);
        for vector in [&mut self.x, &mut self.y, &mut self.l, &mut self.w, &mut self.old] {
            vector.clear();
            vector.resize(n, 0.0);
        }
        self.y.copy_from_slice(&point.z);
        scaled.w(&point.z, &mut self.l);
        self.l.iter_mut().for_each(|l| *l = l.max(0.0));
    }

    fn iterate(&mut self, scaled: &Scaled, rho: f64, relaxation: f64) {
        for i in 0..self.x.len() {
            self.x[i] = rho * self.y[i] + self.l[i] - scaled.q[i];
        }
        self.support.solve(&mut self.x);
        self.old.copy_from_slice(&self.y);
        for i in 0..self.x.len() {
            let x = relaxation * self.x[i] + (1.0 - relaxation) * self.y[i];
            self.y[i] = (x - self.l[i] / rho).max(0.0);
            self.l[i] += rho * (self.y[i] - x);
        }
    }
}
