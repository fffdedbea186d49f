//! Friction in global form: solved in the velocities of the bodies, island by island, W = J M^-1 J^T never formed.
//!
//! Sweeps (block Gauss-Seidel with the exact solution of each contact) settle what is nearly settled and flat; an augmented Lagrangian
//! with a sparse factorization of the bodies takes over where they creep: heavy on light, high stacks. Bilateral rows (joints) take part
//! everywhere, redundant ones too. Contacts without friction make this a mixed linear complementarity problem; with `rounds: 0` the
//! sweeps alone are projected Gauss-Seidel or SOR on it, in O(rows) each.

mod augmented;
mod blocks;
mod compiled;
mod dense;
mod node;
mod solution;
mod sweep;

pub use solution::GlobalSolution;

use self::{
    augmented::{Augmented, Start},
    compiled::{Compiled, apply},
    dense::Dense,
};
use crate::surface::V3;
use crate::{
    Error,
    budget::{Budget, Meter},
    problem::{GlobalContact, GlobalFriction},
};

/// Options of the solver.
#[derive(Debug, Clone, Copy, PartialEq)]
#[doc(alias("augmented Lagrangian", "projected Gauss-Seidel", "global form"))]
pub struct GlobalCoulomb {
    /// Largest residual that counts as solved: natural map of the law, as a velocity of a contact, over the largest velocity of the contacts
    /// without impulses or [`GlobalWorkspace::reference`], whichever is larger, of each island by itself.
    pub tolerance: f64,
    /// Residual up to which an island keeps the impulses it starts from; no more than the tolerance counts.
    pub keep: f64,
    /// Sweeps over an island before the factorization, at most.
    pub sweeps: usize,
    /// Relaxation of the sweeps, between 0 and 2: 1 is projected Gauss-Seidel, other values projected SOR.
    pub relaxation: f64,
    /// Minimizations by factorization of an island, at most; 0 for sweeps alone.
    pub rounds: usize,
    /// Islands of at most so many rows that have not converged are solved in reduced form, which may take long; 0 for never.
    pub reduced_rows: usize,
}

impl Default for GlobalCoulomb {
    /// 1e-8, 12 sweeps, 40 minimizations, reduced form up to 1000 rows: every digit, whatever it takes.
    fn default() -> Self {
        Self { tolerance: 1e-8, keep: 1e-8, sweeps: 12, relaxation: 1.0, rounds: 40, reduced_rows: 1000 }
    }
}

impl GlobalCoulomb {
    /// For time steps of many bodies, where the next step corrects this one: 1e-8, 12 sweeps, 15 minimizations, reduced form up to
    /// 60 rows.
    #[must_use]
    pub fn stepping() -> Self {
        Self { tolerance: 1e-8, keep: 1e-8, sweeps: 12, relaxation: 1.0, rounds: 15, reduced_rows: 60 }
    }
}

/// Workspace of the solver, kept from solve to solve.
#[derive(Debug, Clone, Default)]
pub struct GlobalWorkspace {
    /// What a solve may cost; without limit by default.
    pub budget: Budget,
    /// Speed beside which the velocities of a problem may be round-off [m/s], that of the scene in time steps; 0 by default: its own velocities
    /// alone say how large they are.
    pub reference: f64,
    meter: Meter,
    compiled: Compiled,
    augmented: Augmented,
    dense: Dense,
    /// Contacts that take part: what is far from closing neither costs nor connects.
    selected: Vec<bool>,
    /// Impulses of the best point of an island.
    best: Vec<f64>,
}

/// Over the tolerance, of the largest velocity: speed of opening without impulses beyond which a contact is left out until it closes after all.
const FAR: f64 = 100.0;
/// Sweeps between measurements of the residual.
const LOOK: usize = 4;
/// Sweeps end only when they are that much below the tolerance: what they leave is smooth, in velocities far more than its residual,
/// and would be there again in the next time step.
const SETTLED: f64 = 0.01;
/// Residual over the one before, above which an acceleration of s is given up.
const ACCELERATED: f64 = 0.7;
/// Share of the residual that sweeps must leave at most, for factorizations to begin where they ended.
const WORTH: f64 = 0.05;
/// Share of the residual that the first round from nearby must leave at most, for the next to go on from there.
const NEARBY: f64 = 0.1;
/// Rounds after which an island counts as not converged.
const NOT_CONVERGED: usize = 12;

impl GlobalCoulomb {
    /// Solves from the impulses in `solution` (shorter lists count as zeros), and answers there. Allocates only while workspace grows.
    ///
    /// # Errors
    /// Those of [`GlobalFriction::check`]; a tolerance that is no positive number, a relaxation beyond 0 to 2. Not to converge is none: see
    /// [`GlobalSolution::status`].
    pub fn solve(
        &self,
        problem: &GlobalFriction,
        workspace: &mut GlobalWorkspace,
        solution: &mut GlobalSolution,
    ) -> Result<(), Error> {
        if !(self.tolerance > 0.0) {
            let remedy = "give a positive number such as 1e-8";
            return Err(Error::Coefficient {
                what: "tolerance",
                place: "solver",
                index: 0,
                value: self.tolerance,
                remedy,
            });
        }
        if !(self.relaxation > 0.0 && self.relaxation < 2.0) {
            let (value, remedy) = (self.relaxation, "give a number between 0 and 2, 1 for Gauss-Seidel");
            return Err(Error::Coefficient { what: "relaxation", place: "solver", index: 0, value, remedy });
        }
        problem.check()?;
        workspace.meter.begin(&workspace.budget);
        let speed = workspace.speed(problem);
        workspace.select(problem, &solution.impulses, FAR * self.tolerance * speed);
        (solution.sweeps, solution.factorizations) = (0, 0);
        loop {
            workspace.compiled.assign(problem, &workspace.selected, &solution.impulses, &solution.bilateral);
            (solution.residual, solution.islands) = (0.0, [workspace.compiled.islands.len() - 1, 0]);
            solution.hardest = None;
            for island in 0..solution.islands[0] {
                let residual = self.solve_island(problem, workspace, island, solution);
                if residual > self.tolerance.max(solution.residual) {
                    solution.hardest = workspace.compiled.hardest(island);
                }
                solution.residual = if residual.is_nan() { f64::INFINITY } else { solution.residual.max(residual) };
            }
            workspace.compiled.report(problem, solution);
            solution.out_of_budget = workspace.meter.is_over() && solution.residual > self.tolerance;
            let closing = -SETTLED * self.tolerance * speed;
            if solution.out_of_budget || !workspace.select_closing(problem, &solution.velocities, closing) {
                return Ok(());
            }
        }
    }

    /// An island beside its own velocities: in here residuals and tolerances are speeds [m/s].
    fn solve_island(
        &self,
        problem: &GlobalFriction,
        workspace: &mut GlobalWorkspace,
        island: usize,
        solution: &mut GlobalSolution,
    ) -> f64 {
        let speed = workspace.compiled.speed(island).max(workspace.reference);
        if speed == 0.0 {
            workspace.compiled.empty(island);
            return 0.0;
        }
        let own = Self { tolerance: self.tolerance * speed, keep: self.keep * speed, ..*self };
        own.settle(problem, workspace, island, solution) / speed
    }

    /// Sweeps, then factorizations from where the sweeps began: they leave impulses that suit no method but themselves.
    fn settle(
        &self,
        problem: &GlobalFriction,
        workspace: &mut GlobalWorkspace,
        island: usize,
        solution: &mut GlobalSolution,
    ) -> f64 {
        let compiled = &mut workspace.compiled;
        let mut residual = compiled.residual(island);
        if residual <= self.keep.min(self.tolerance) {
            return residual;
        }
        compiled.save(island, &mut workspace.best);
        let (before, mut sweeps) = (residual, 0);
        while residual > SETTLED * self.tolerance && sweeps < self.sweeps && !workspace.meter.is_over() {
            for _ in 0..LOOK.min(self.sweeps - sweeps) {
                compiled.sweep(island, sweeps % 2 == 0, self.relaxation);
                sweeps += 1;
                workspace.meter.spend(compiled.sweep_work(island));
            }
            residual = compiled.residual(island);
        }
        solution.sweeps = solution.sweeps.max(sweeps);
        if residual > SETTLED * self.tolerance && self.rounds > 0 {
            solution.islands[1] += 1;
            // What sweeps gained is kept only if it is worth more than the point where they began.
            if residual > WORTH * before {
                compiled.restore(island, &workspace.best);
                compiled.refresh(island);
                residual = before;
            }
            residual = self.factorize(problem, workspace, island, residual, solution);
        }
        residual
    }

    /// Rounds of the augmented Lagrangian; Newton on the exact law for islands not converged.
    fn factorize(
        &self,
        problem: &GlobalFriction,
        workspace: &mut GlobalWorkspace,
        island: usize,
        start: f64,
        solution: &mut GlobalSolution,
    ) -> f64 {
        let GlobalWorkspace { compiled, augmented, dense, best, meter, .. } = workspace;
        compiled.save(island, best);
        let (mut least, mut before) = (start, f64::INFINITY);
        let mut nearby = false;
        if compiled.pushes(island) {
            augmented.begin(problem, compiled, island, Start::Nearby);
            let Some((iterations, settled)) = augmented.minimize(compiled, island, SETTLED * self.tolerance, meter)
            else {
                return start;
            };
            solution.factorizations += iterations;
            compiled.refresh(island);
            let residual = compiled.residual(island);
            if residual < least {
                least = residual;
                compiled.save(island, best);
            }
            if least <= SETTLED * self.tolerance {
                return least;
            }
            nearby = settled && residual <= NEARBY.max(self.tolerance / start) * start;
        }
        if !nearby {
            compiled.restore(island, best);
            compiled.refresh(island);
            augmented.begin(problem, compiled, island, Start::Afar);
        }
        for round in 1..=self.rounds {
            if meter.is_over() {
                break;
            }
            let enough = 0.01 * least.max(self.tolerance);
            let Some((iterations, _)) = augmented.minimize(compiled, island, enough, meter) else { break };
            solution.factorizations += iterations;
            // The velocities that belong to the impulses, to the last digit.
            compiled.refresh(island);
            let mut residual = compiled.residual(island);
            // s moves smoothly only where the residual falls: there its acceleration counts, and must show.
            let expected = if augmented.accelerated() { ACCELERATED } else { 1.0 };
            if residual > expected * before {
                augmented.restart();
            }
            before = residual;
            if residual > self.tolerance && self.reduced_rows > 0 && round == NOT_CONVERGED.min(self.rounds) {
                compiled.save(island, augmented.aside());
                solution.factorizations += dense.solve(compiled, island, self.tolerance, self.reduced_rows, meter);
                compiled.refresh(island);
                residual = compiled.residual(island);
                if residual > self.tolerance {
                    compiled.restore(island, augmented.aside());
                    compiled.refresh(island);
                    residual = before;
                }
            }
            if residual < least {
                least = residual;
                compiled.save(island, best);
            }
            // One more round under a harder penalty costs little, and saves the next time steps theirs.
            if least <= SETTLED * self.tolerance || least <= self.tolerance && (!nearby || round > 1) {
                break;
            }
        }
        compiled.restore(island, best);
        compiled.refresh(island);
        compiled.residual(island)
    }
}

impl GlobalWorkspace {
    /// Workspace in which solves keep to a budget.
    #[must_use]
    pub fn within(budget: Budget) -> Self {
        Self { budget, ..Self::default() }
    }

    /// The largest velocity of all contacts without impulses, or the reference [m/s].
    fn speed(&self, problem: &GlobalFriction) -> f64 {
        let free = |b: usize| problem.bodies.get(b).map_or_else(Default::default, |body| (body.velocity, body.spin));
        problem.contacts.iter().fold(self.reference, |speed, c| speed.max(closing(c, c.bodies.map(free)).abs()))
    }

    /// Selects the contacts that had an impulse, and those that without any open with no more than `speed`.
    fn select(&mut self, problem: &GlobalFriction, impulses: &[[f64; 6]], speed: f64) {
        let free = |b: usize| problem.bodies.get(b).map_or_else(Default::default, |body| (body.velocity, body.spin));
        self.selected.clear();
        self.selected.extend(problem.contacts.iter().enumerate().map(|(c, contact)| {
            let pushed = impulses.get(c).is_some_and(|s| s[0] > 0.0);
            pushed || !(closing(contact, contact.bodies.map(free)) > speed)
        }));
    }

    /// Selects more: those that at `velocities` open with less than `speed`. Says whether there were any.
    fn select_closing(&mut self, problem: &GlobalFriction, velocities: &[[f64; 6]], speed: f64) -> bool {
        let at = |b: usize| {
            velocities
                .get(b)
                .map_or_else(Default::default, |v| (V3::from_column_slice(&v[..3]), V3::from_column_slice(&v[3..])))
        };
        let mut any = false;
        for (contact, selected) in problem.contacts.iter().zip(&mut self.selected) {
            if !*selected && closing(contact, contact.bodies.map(at)) < speed {
                (*selected, any) = (true, true);
            }
        }
        any
    }
}

/// u_N of a contact at the velocities and angular velocities of its bodies.
fn closing(contact: &GlobalContact, [(vi, wi), (vj, wj)]: [(V3, V3); 2]) -> f64 {
    let row = &contact.rows[0];
    row.g.dot(&(vi - vj)) + row.gi.dot(&wi) + row.gj.dot(&wj) + contact.bias[0]
}

impl Compiled {
    fn impulses(&self, island: usize) -> std::ops::Range<usize> {
        let units = self.island(island);
        let row = |unit: usize| self.units.get(unit).map_or(self.rows.len(), |unit| unit.first);
        row(units.start)..row(units.end)
    }

    /// Whether any impulse of an island is known.
    fn pushes(&self, island: usize) -> bool {
        self.s[self.impulses(island)].iter().any(|s| *s != 0.0)
    }

    fn save(&self, island: usize, best: &mut Vec<f64>) {
        best.clear();
        best.extend_from_slice(&self.s[self.impulses(island)]);
    }

    fn restore(&mut self, island: usize, best: &[f64]) {
        let range = self.impulses(island);
        self.s[range].copy_from_slice(best);
    }

    /// No impulses in an island.
    fn empty(&mut self, island: usize) {
        let range = self.impulses(island);
        self.s[range].fill(0.0);
        self.refresh(island);
    }

    /// v = v_f + M^-1 J^T S of the bodies of an island.
    fn refresh(&mut self, island: usize) {
        let units = self.island(island);
        for unit in &self.units[units.clone()] {
            for body in unit.bodies {
                self.v[body] = self.free[body];
            }
        }
        for unit in &self.units[units] {
            let mut s = [0.0; 6];
            s[..unit.size].copy_from_slice(&self.s[unit.first..unit.first + unit.size]);
            apply(unit, &self.rows, &s, &mut self.v);
        }
    }

    /// Writes velocities and impulses in the order of the problem.
    fn report(&self, problem: &GlobalFriction, solution: &mut GlobalSolution) {
        solution.velocities.clear();
        solution.velocities.extend_from_slice(&self.v[..problem.bodies.len()]);
        solution.impulses.clear();
        solution.impulses.resize(problem.contacts.len(), [0.0; 6]);
        solution.bilateral.clear();
        solution.bilateral.resize(problem.bilateral.len(), 0.0);
        for unit in &self.units {
            let s = &self.s[unit.first..unit.first + unit.size];
            match unit.cone {
                Some(_) => solution.impulses[unit.source][..s.len()].copy_from_slice(s),
                None => solution.bilateral[unit.source] = s[0],
            }
        }
    }
}
