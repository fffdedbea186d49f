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
mod island;
mod node;
mod settle;
mod solution;
mod spread;
mod sweep;

pub use solution::GlobalSolution;

use self::{
    compiled::Compiled,
    node::moves,
    settle::{Outcome, Task, Worker},
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
    /// The same for islands of bodies whose impulses the last solve changed ([`GlobalSolution::changed`]).
    pub keep_changed: f64,
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
        let (tolerance, keep, keep_changed) = (1e-8, 1e-8, 1e-8);
        Self { tolerance, keep, keep_changed, sweeps: 12, relaxation: 1.0, rounds: 40, reduced_rows: 1000 }
    }
}

impl GlobalCoulomb {
    /// For time steps of many bodies, where the next step corrects this one: 1e-8, 12 sweeps, 15 minimizations, reduced form up to
    /// 60 rows. Impulses that changed velocities are not yet those of the next step: kept within the tolerance, they would change the velocities
    /// once more, and so on for ever. So less is kept where the last solve changed anything.
    #[must_use]
    pub fn stepping() -> Self {
        Self { keep_changed: 1e-10, rounds: 15, reduced_rows: 60, ..Self::default() }
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
    workers: Vec<Worker>,
    outcomes: Vec<Outcome>,
    /// Contacts that take part: what is far from closing neither costs nor connects.
    selected: Vec<bool>,
    /// Bodies of islands whose impulses this solve changed.
    changed: Vec<bool>,
}

/// Part of the tolerance, at the largest velocity, by which contacts that take no part may close.
const CLOSING: f64 = 0.01;
/// Over the tolerance, of the largest velocity: speed of opening without impulses beyond which a contact is left out until it closes after all.
const FAR: f64 = 100.0;
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
        workspace.changed.clear();
        workspace.changed.resize(problem.bodies.len(), false);
        (solution.sweeps, solution.factorizations) = (0, 0);
        loop {
            let over = workspace.solve_islands(self, problem, solution);
            workspace.report(self.tolerance, problem, solution);
            solution.out_of_budget = over && solution.residual > self.tolerance;
            let closing = -CLOSING * self.tolerance * speed;
            if solution.out_of_budget || !workspace.select_closing(problem, &solution.velocities, closing) {
                std::mem::swap(&mut solution.changed, &mut workspace.changed);
                return Ok(());
            }
        }
    }
}

impl GlobalWorkspace {
    /// Workspace in which solves keep to a budget.
    #[must_use]
    pub fn within(budget: Budget) -> Self {
        Self { budget, ..Self::default() }
    }

    /// Solves all islands from the impulses of the solution. Whether the budget ended any of that.
    fn solve_islands(&mut self, solver: &GlobalCoulomb, problem: &GlobalFriction, solution: &GlobalSolution) -> bool {
        let Self { compiled, workers, outcomes, selected, reference, meter, .. } = self;
        compiled.assign(problem, selected);
        let (contacts, bilateral, changed) = (&solution.impulses, &solution.bilateral, &solution.changed);
        let task = Task { solver, problem, contacts, bilateral, changed, reference: *reference, meter };
        let before = meter.spent();
        spread::solve(&task, compiled.islands(), workers, outcomes);
        if meter.is_spent() && workers.len() > 1 {
            // Which island went without depends on the threads, unless each waits for the one before it.
            meter.set_spent(before);
            spread::each(&task, compiled.islands(), workers, outcomes);
        }
        meter.is_over()
    }

    /// Writes velocities and impulses in the order of the problem, and how the islands ended.
    fn report(&mut self, tolerance: f64, problem: &GlobalFriction, solution: &mut GlobalSolution) {
        (solution.residual, solution.islands, solution.hardest) = (0.0, [self.outcomes.len(), 0], None);
        solution.velocities.clear();
        solution.velocities.extend(problem.bodies.iter().map(|body| {
            let (v, w) = (body.velocity, body.spin);
            [v.x, v.y, v.z, w.x, w.y, w.z]
        }));
        solution.impulses.clear();
        solution.impulses.resize(problem.contacts.len(), [0.0; 6]);
        solution.bilateral.clear();
        solution.bilateral.resize(problem.bilateral.len(), 0.0);
        let (mut outcomes, changed) = (self.outcomes.iter(), &mut self.changed);
        self.compiled.islands().for_each(|island| {
            let outcome = outcomes.next().copied().unwrap_or_default();
            solution.add(tolerance, &outcome);
            for (v, &body) in island.v.iter().zip(island.bodies) {
                if problem.bodies.get(body).is_some_and(moves) {
                    solution.velocities[body] = *v;
                    changed[body] |= outcome.sweeps > 0;
                }
            }
            for unit in &*island.units {
                let s = &island.s[unit.first..unit.first + unit.size];
                match unit.cone {
                    Some(_) => solution.impulses[unit.source][..s.len()].copy_from_slice(s),
                    None => solution.bilateral[unit.source] = s[0],
                }
            }
        });
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
