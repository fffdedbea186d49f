//! Block principal pivoting: guess which z are positive, solve for them, flip every pair of the wrong sign.
//!
//! After Judice and Pires (Computers and Operations Research 21 (1994) 587): all wrong pairs flip together while their number keeps falling
//! within a few tries, else the last wrong one alone (Murty's rule, finite for P matrices). A singular M_aa gets a small shift, which
//! makes a semidefinite problem strictly monotone; the shift is then taken back by proximal steps, z_k+1 solving LCP(M + eps I, q - eps z_k),
//! and if no solution exists these steps tend to a proof of that.

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
        Self { tolerance: 1e-10, max_iterations: 200, patience: 10, max_single: 100 }
    }
}

/// Proximal steps at most.
const PROXIMAL: usize = 12;

/// Room of the method.
#[derive(Debug, Clone, Default)]
pub struct Room {
    support: Support,
    anchor: Vec<f64>,
    w: Vec<f64>,
    active: Vec<bool>,
    wrong: Vec<usize>,
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
        room.active.clear();
        room.active.extend(point.z.iter().map(|&zi| point.warm && zi > 0.0));
        room.w.resize(n, 0.0);
        room.anchor.clear();
        room.anchor.resize(n, 0.0);
        let mut iterations = 0;
        let mut shift = 0.0;
        let flips = self.flip(scaled, shift, &mut point.z, room, &mut iterations);
        let mut status = verdict(&flips);
        if matches!(flips, Flips::Singular) {
            shift = SHIFT;
            status = self.proximal(scaled, shift, point, room, &mut iterations);
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
    /// Proximal steps with a shifted matrix until the anchor stands still.
    fn proximal(
        &self,
        scaled: &Scaled,
        shift: f64,
        point: &mut Point,
        room: &mut Room,
        iterations: &mut usize,
    ) -> Status {
        for _ in 0..PROXIMAL {
            let flips = self.flip(scaled, shift, &mut point.z, room, iterations);
            if !matches!(flips, Flips::Done) {
                return verdict(&flips);
            }
            let size = point.z.iter().fold(0.0, |size: f64, zi| size.max(zi.abs()));
            let moved = point.z.iter().zip(&room.anchor).fold(0.0, |moved: f64, (zi, ai)| moved.max((zi - ai).abs()));
            if shift * moved <= 1e-14 {
                return Status::Solved;
            }
            if shift * size > 1e-3 {
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
    fn flip(&self, scaled: &Scaled, shift: f64, z: &mut [f64], room: &mut Room, iterations: &mut usize) -> Flips {
        let n = scaled.len();
        let (mut fewest, mut patience, mut singles) = (n + 1, self.patience, 0);
        while *iterations < self.max_iterations {
            *iterations += 1;
            let active = &room.active;
            room.support.select(n, |i| active[i]);
            if !room.support.factor(scaled, shift) {
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
                (fewest, patience) = (wrong, self.patience);
            } else if patience > 0 {
                patience -= 1;
            } else if singles < self.max_single {
                singles += 1;
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
