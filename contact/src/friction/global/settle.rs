//! One island solved: sweeps, the augmented Lagrangian, and Newton on the exact law, in turn.

use super::{
    GlobalCoulomb,
    augmented::{Augmented, Start},
    compiled::Twist,
    dense::Dense,
    island::Island,
    sweep::Many,
};
use crate::{budget::Meter, problem::GlobalFriction};

/// Sweeps between measurements of the residual.
const LOOK: usize = 4;
/// Sweeps end only when they are that much below the tolerance: what they leave is smooth, in velocities far more than its residual,
/// and would be there again in the next time step.
const SETTLED: f64 = 0.01;
/// Residual over the one before, above which an acceleration of s is given up.
const ACCELERATED: f64 = 0.7;
/// Share of the residual that sweeps must leave at most, for factorizations to begin where they ended.
const WORTH: f64 = 0.05;
/// Share of the velocities from which on a residual says that the impulses to start from are those of other velocities: something hit the
/// island, or has just done so. At rest it is below 1e-7, in the steps of a landing 1e-2 to 1.
const HIT: f64 = 1e-2;
/// Share of the residual that the first round from nearby must leave at most, for the next to go on from there.
const NEARBY: f64 = 0.1;
/// Contacts for each body up to which many sweeps come before factorizations: bodies that touch in single points, as spheres do, do not hold each other in
/// many ways at once, and sweeps converge. They creep between faces.
const SINGLE: usize = 3;
/// The most of them, and the residual, as part of the velocities, from which on they are tried behind factorizations too.
const MANY: usize = 300;
const ROUGH: f64 = 1e-5;
/// Rounds after which an island counts as not converged.
const NOT_CONVERGED: usize = 12;

/// What all islands of a solve share.
#[derive(Clone, Copy)]
pub(super) struct Task<'a> {
    pub(super) solver: &'a GlobalCoulomb,
    pub(super) problem: &'a GlobalFriction,
    /// Impulses to start from, and whether the last solve changed those of each body.
    pub(super) contacts: &'a [Twist],
    pub(super) bilateral: &'a [f64],
    pub(super) changed: &'a [bool],
    pub(super) reference: f64,
    pub(super) meter: &'a Meter,
}

/// Workspace for one island after the other.
#[derive(Debug, Clone, Default)]
pub(super) struct Worker {
    augmented: Augmented,
    dense: Dense,
    many: Many,
    /// Impulses of the best point, and of the one where factorizations began.
    best: Vec<f64>,
    first: Vec<f64>,
}

/// How the solve of an island ended.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Outcome {
    pub(super) residual: f64,
    pub(super) sweeps: usize,
    pub(super) factorizations: usize,
    /// Whether it took factorizations.
    pub(super) factored: bool,
    /// The contact that misses its law most, where the residual is above the tolerance.
    pub(super) hardest: Option<usize>,
}

impl Task<'_> {
    /// Solves an island beside its own velocities; the residual is relative to them.
    pub(super) fn solve(&self, island: &mut Island<'_>, worker: &mut Worker) -> Outcome {
        island.fill(self.problem, self.contacts, self.bilateral);
        let speed = island.speed().max(self.reference);
        if speed == 0.0 {
            island.empty();
            return Outcome::default();
        }
        let changed = island.bodies.iter().any(|&body| self.changed.get(body).is_some_and(|changed| *changed));
        let keep = if changed { self.solver.keep_changed } else { self.solver.keep };
        // In there residuals and tolerances are speeds [m/s].
        let solver = GlobalCoulomb { tolerance: self.solver.tolerance * speed, keep: keep * speed, ..*self.solver };
        let mut settling =
            Settling { solver, problem: self.problem, meter: self.meter, worker, speed, outcome: Outcome::default() };
        let residual = settling.settle(island) / speed;
        let hardest = if residual > self.solver.tolerance { island.hardest() } else { None };
        Outcome { residual, hardest, ..settling.outcome }
    }
}

/// An island being solved.
struct Settling<'a> {
    solver: GlobalCoulomb,
    problem: &'a GlobalFriction,
    meter: &'a Meter,
    worker: &'a mut Worker,
    /// Its velocities [m/s].
    speed: f64,
    outcome: Outcome,
}

impl Settling<'_> {
    /// Residual that is well below the tolerance.
    fn settled(&self) -> f64 {
        SETTLED * self.solver.tolerance
    }

    /// Sweeps, then factorizations from where the sweeps began: they leave impulses that suit no method but themselves.
    fn settle(&mut self, island: &mut Island<'_>) -> f64 {
        let mut residual = island.residual();
        if residual <= self.solver.keep.min(self.solver.tolerance) {
            return residual;
        }
        island.save(&mut self.worker.first);
        let (before, mut sweeps) = (residual, 0);
        while residual > self.settled() && sweeps < self.solver.sweeps && !self.meter.is_over() {
            for _ in 0..LOOK.min(self.solver.sweeps - sweeps) {
                island.sweep(sweeps % 2 == 0, self.solver.relaxation);
                sweeps += 1;
                self.meter.spend(island.sweep_work());
            }
            residual = island.residual();
        }
        self.outcome.sweeps = sweeps;
        if residual > self.settled() && self.solver.rounds > 0 {
            self.outcome.factored = true;
            // What sweeps gained is kept only if it is worth more than the point where they began.
            if residual > WORTH * before {
                island.restore(&self.worker.first);
                residual = before;
            } else {
                island.save(&mut self.worker.first);
            }
            let single = island.units.len() <= SINGLE * island.bodies.len();
            if single {
                residual = self.sweep_on(island, residual);
                island.save(&mut self.worker.first);
            }
            if !single || residual > self.solver.tolerance {
                residual = self.factorize(island, residual);
            }
            if !single && residual > ROUGH * self.speed {
                residual = self.sweep_on(island, residual);
            }
        }
        residual
    }

    /// Many sweeps, accelerated, from where the island stands; the residual then, which is no larger.
    fn sweep_on(&mut self, island: &mut Island<'_>, residual: f64) -> f64 {
        let (least, sweeps) = self.worker.many.sweep(island, self.solver.tolerance, MANY, self.meter);
        self.outcome.sweeps += sweeps;
        least.min(residual)
    }

    /// The augmented Lagrangian, from nearby if there are impulses, else or if that is in vain from afar; the best point.
    fn factorize(&mut self, island: &mut Island<'_>, start: f64) -> f64 {
        self.worker.best.clone_from(&self.worker.first);
        let mut least = start;
        let mut nearby = false;
        if island.pushes() {
            if start > HIT * self.speed {
                self.stick(island, &mut least);
            }
            let Some(found) = self.approach(island, &mut least) else { return least };
            if least <= self.settled() {
                return least;
            }
            nearby = found;
        }
        if !nearby {
            island.restore(&self.worker.first);
            self.worker.augmented.begin(self.problem, island, Start::Afar);
        }
        self.rounds(island, least, nearby);
        island.restore(&self.worker.best);
        island.residual()
    }

    /// Starts from the impulses with which all contacts stick, if they are better.
    fn stick(&mut self, island: &mut Island<'_>, least: &mut f64) {
        let Worker { augmented, best, .. } = &mut *self.worker;
        if augmented.stick(self.problem, island, self.meter) {
            island.refresh();
            keep_better(island, least, best);
        }
        self.outcome.factorizations += 1;
        island.restore(best);
    }

    /// A minimization under a hard penalty at once. Whether it came near enough to go on from there; `None` if it broke down.
    fn approach(&mut self, island: &mut Island<'_>, least: &mut f64) -> Option<bool> {
        let (settled, start) = (self.settled(), *least);
        let Worker { augmented, best, .. } = &mut *self.worker;
        augmented.begin(self.problem, island, Start::Nearby);
        let Some((iterations, ended)) = augmented.minimize(island, settled, self.meter) else {
            island.restore(best);
            return None;
        };
        self.outcome.factorizations += iterations;
        island.refresh();
        let residual = keep_better(island, least, best);
        Some(ended && residual <= NEARBY.max(self.solver.tolerance / start) * start)
    }

    /// Rounds of the augmented Lagrangian, in which the best point gets better; Newton on the exact law if they do not converge.
    fn rounds(&mut self, island: &mut Island<'_>, mut least: f64, nearby: bool) {
        let (tolerance, settled) = (self.solver.tolerance, self.settled());
        let mut before = f64::INFINITY;
        for round in 1..=self.solver.rounds {
            if self.meter.is_over() {
                break;
            }
            let augmented = &mut self.worker.augmented;
            let enough = 0.01 * least.max(tolerance);
            let Some((iterations, _)) = augmented.minimize(island, enough, self.meter) else { break };
            self.outcome.factorizations += iterations;
            // The velocities that belong to the impulses, to the last digit.
            island.refresh();
            let mut residual = island.residual();
            // s moves smoothly only where the residual falls: there its acceleration counts, and must show.
            let expected = if augmented.accelerated() { ACCELERATED } else { 1.0 };
            if residual > expected * before {
                augmented.restart();
            }
            before = residual;
            if residual > tolerance && self.solver.reduced_rows > 0 && round == NOT_CONVERGED.min(self.solver.rounds) {
                residual = self.reduce(island, residual);
            }
            if residual < least {
                least = residual;
                island.save(&mut self.worker.best);
            }
            // One more round under a harder penalty costs little, and saves the next time steps theirs.
            if least <= settled || least <= tolerance && (!nearby || round > 1) {
                break;
            }
        }
    }

    /// Newton on the exact law, if that solves the island; the residual then.
    fn reduce(&mut self, island: &mut Island<'_>, before: f64) -> f64 {
        let Worker { augmented, dense, .. } = &mut *self.worker;
        let (tolerance, rows) = (self.solver.tolerance, self.solver.reduced_rows);
        island.save(augmented.aside());
        self.outcome.factorizations += dense.solve(island, tolerance, rows, self.meter);
        island.refresh();
        let residual = island.residual();
        if residual <= tolerance {
            return residual;
        }
        island.restore(augmented.aside());
        before
    }
}

/// Keeps the impulses of an island if they are the best so far; their residual.
fn keep_better(island: &Island<'_>, least: &mut f64, best: &mut Vec<f64>) -> f64 {
    let residual = island.residual();
    if residual < *least {
        *least = residual;
        island.save(best);
    }
    residual
}
