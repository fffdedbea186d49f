//! Semismooth Newton on the Fischer-Burmeister function phi(z_i, w_i) = sqrt(z_i^2 + w_i^2) - z_i - w_i, with a line search.
//!
//! De Luca, Facchinei and Kanzow (Mathematical Programming 75 (1996) 407). The merit 1/2 |phi|^2 is smooth, so steps are searched along the
//! Newton direction, or along its gradient where the former is none. A step of the min map, which solves for the active set outright, is
//! taken instead whenever it halves the natural map. Several starts, since a merit may have minima that are no solutions.

use super::{Outcome, Point, Run, factors::Factors, scaled::Scaled, support::Support};
use crate::{
    dense::dot,
    solution::{MethodName, Status},
};

/// Semismooth Newton with min-map steps.
#[derive(Debug, Clone, PartialEq)]
pub struct Newton {
    /// Residual of the original problem that counts as solved.
    pub tolerance: f64,
    /// Steps at most, over all starts.
    pub max_iterations: usize,
    /// Steps from one start at most.
    pub steps: usize,
    /// Further starts.
    pub restarts: usize,
}

impl Default for Newton {
    fn default() -> Self {
        Self { tolerance: 1e-10, max_iterations: 400, steps: 60, restarts: 8 }
    }
}

/// Share of the predicted decrease that a step must bring.
const ARMIJO: f64 = 1e-4;
/// Natural map that is round-off.
const ENOUGH: f64 = 1e-13;

/// Room of the method.
#[derive(Debug, Clone, Default)]
pub struct Room {
    support: Support,
    zeros: Vec<f64>,
    z: Vec<f64>,
    w: Vec<f64>,
    phi: Vec<f64>,
    /// Diagonals D_a and D_b of the generalized Jacobian D_a + D_b M.
    da: Vec<f64>,
    db: Vec<f64>,
    step: Vec<f64>,
    gradient: Vec<f64>,
    trial: Vec<f64>,
    trial_w: Vec<f64>,
    all: Vec<usize>,
    factors: Factors,
}

impl Run for Newton {
    type Room = Room;
    const NAME: MethodName = MethodName::Newton;
    const POLISHED: bool = true;

    fn tolerance(&self) -> f64 {
        self.tolerance
    }

    fn run(&self, scaled: &Scaled, point: &mut Point, room: &mut Room) -> Outcome {
        let n = scaled.len();
        for vector in [&mut room.zeros, &mut room.w, &mut room.phi, &mut room.trial, &mut room.trial_w] {
            vector.clear();
            vector.resize(n, 0.0);
        }
        room.all.clear();
        room.all.extend(0..n);
        let (mut iterations, mut best) = (0, f64::INFINITY);
        for start in 0..=self.restarts {
            room.z.clear();
            room.z.extend((0..n).map(|i| first_guess(scaled, point, start, i)));
            for _ in 0..self.steps {
                if scaled.meter.is_over() {
                    return Outcome { status: Status::OutOfBudget, iterations };
                }
                if iterations >= self.max_iterations {
                    return Outcome { status: Status::MaxIterations, iterations };
                }
                scaled.w(&room.z, &mut room.w);
                let natural = Scaled::natural(&room.z, &room.w);
                if natural < best {
                    best = natural;
                    point.z.copy_from_slice(&room.z);
                }
                if best <= ENOUGH {
                    return Outcome { status: Status::Solved, iterations };
                }
                iterations += 1;
                if !room.min_map(scaled, natural) && !room.fischer_burmeister(scaled) {
                    break;
                }
            }
            if best <= 1e-11 {
                return Outcome { status: Status::Solved, iterations };
            }
        }
        Outcome { status: Status::NumericalTrouble, iterations }
    }
}

/// Starts: the given point, ones, max(0, -q), then points of alternating size.
fn first_guess(scaled: &Scaled, point: &Point, start: usize, i: usize) -> f64 {
    match start {
        0 if point.warm => point.z[i],
        0 => 0.0,
        1 => 1.0,
        2 => (-scaled.q[i]).max(0.0),
        // Golden-section sequence: even, and the same in every run.
        _ => 10f64.powi(start as i32 / 2 - 2) * (((i + 1) * start) as f64 * 0.618_033_988_749_895).fract(),
    }
}

impl Room {
    /// The solution of the active set {z_i > w_i}, if it halves the natural map.
    fn min_map(&mut self, scaled: &Scaled, natural: f64) -> bool {
        let (z, w) = (&self.z, &self.w);
        self.support.select(scaled.len(), |i| z[i] > w[i]);
        if !self.support.factor(scaled, 0.0) {
            return false;
        }
        self.trial.fill(0.0);
        self.support.correct(scaled, 0.0, &self.zeros, &mut self.trial);
        scaled.w(&self.trial, &mut self.trial_w);
        let taken = Scaled::natural(&self.trial, &self.trial_w) <= 0.5 * natural;
        if taken {
            self.z.copy_from_slice(&self.trial);
        }
        taken
    }

    /// One searched step; false if no direction descends.
    fn fischer_burmeister(&mut self, scaled: &Scaled) -> bool {
        self.linearize(scaled);
        let merit = 0.5 * dot(&self.phi, &self.phi);
        let (da, db) = (&self.da, &self.db);
        let factored = self.factors.factor_weighted(scaled, &self.all, 1e-14, |i| db[i], |i| da[i]);
        if factored {
            self.step.clear();
            self.step.extend(self.phi.iter().map(|phi| -phi));
            self.factors.solve(&mut self.step);
            let slope = dot(&self.step, &self.gradient);
            let length = dot(&self.step, &self.step);
            if slope <= -1e-10 * length && self.search(scaled, merit, slope) {
                return true;
            }
        }
        self.step.clear();
        self.step.extend(self.gradient.iter().map(|g| -g));
        let slope = -dot(&self.gradient, &self.gradient);
        slope < 0.0 && self.search(scaled, merit, slope)
    }

    /// phi, an element of its generalized Jacobian, and the gradient of the merit, H^T phi.
    fn linearize(&mut self, scaled: &Scaled) {
        let n = scaled.len();
        self.da.clear();
        self.db.clear();
        for i in 0..n {
            let (a, b) = (self.z[i], self.w[i]);
            let r = a.hypot(b);
            self.phi[i] = r - a - b;
            // Where both vanish, the element of the direction z + e_i, whose w moves by M_ii: any kink lies between the two branches.
            let (a, b, r) =
                if r > 0.0 { (a, b, r) } else { (1.0, scaled.column(i)[i], 1f64.hypot(scaled.column(i)[i])) };
            self.da.push(a / r - 1.0);
            self.db.push(b / r - 1.0);
        }
        self.trial.clear();
        self.trial.extend(self.db.iter().zip(&self.phi).map(|(b, phi)| b * phi));
        self.gradient.clear();
        self.gradient.extend((0..n).map(|j| self.da[j] * self.phi[j] + dot(scaled.column(j), &self.trial)));
    }

    /// Halves the step until the merit falls as Armijo asks.
    fn search(&mut self, scaled: &Scaled, merit: f64, slope: f64) -> bool {
        let mut length = 1.0;
        while length > 1e-10 {
            for i in 0..self.z.len() {
                self.trial[i] = self.z[i] + length * self.step[i];
            }
            scaled.w(&self.trial, &mut self.trial_w);
            let found: f64 = self.trial.iter().zip(&self.trial_w).map(|(a, b)| (a.hypot(*b) - a - b).powi(2)).sum();
            if 0.5 * found <= merit + ARMIJO * length * slope {
                self.z.copy_from_slice(&self.trial);
                return true;
            }
            length *= 0.5;
        }
        false
    }
}
