//! The contact problem of a step in reduced form: the rows of the contacts found, their velocities, and the impulses on them.

use super::StepRecord;
use super::account::Account;
use super::shares::Shares;
use crate::budget::Budget;
use crate::configuration::{Configuration, Delassus, gather, scatter};
use crate::error::Error;
use crate::law::cone::ConeSolver;
use crate::scene_scales::SceneScales;
use crate::unilateral::{Surface, Unilateral};
use fourbar_multibody::space::Pose;
use nalgebra::DMatrix;
use std::ops::Range;

/// Rows, velocities, impulses, and the solver for them.
#[derive(Debug, Clone)]
pub(super) struct Impulses {
    delassus: Delassus,
    /// Velocities of the rows at the beginning of the step, and without impulses.
    before: Vec<f64>,
    free: Vec<f64>,
    /// What joints change the displacement of rows of friction by, over h; empty where they do not.
    closing: Vec<f64>,
    impulses: Vec<f64>,
    surfaces: Vec<Surface>,
    q: Vec<f64>,
    solver: ConeSolver,
    shares: Shares,
    /// Whether a problem of the step has no solution.
    contradict: bool,
    /// Impulses to start from in the first problem of the step, if there are any.
    guess: Vec<f64>,
}

impl Impulses {
    pub(super) fn new() -> Self {
        Self {
            delassus: Delassus::default(),
            before: Vec::new(),
            free: Vec::new(),
            closing: Vec::new(),
            impulses: Vec::new(),
            surfaces: Vec::new(),
            q: Vec::new(),
            solver: ConeSolver::stepping(),
            shares: Shares::default(),
            contradict: false,
            guess: Vec::new(),
        }
    }

    pub(super) fn set_scales(&mut self, scales: &SceneScales, budget: &Budget) {
        self.solver.reference = scales.speed;
        self.solver.set_budget(budget);
    }

    /// A step begins.
    pub(super) fn begin_step(&mut self) {
        self.contradict = false;
    }

    /// Whether a problem of the step is proved to have no solution.
    pub(super) fn contradict(&self) -> bool {
        self.contradict
    }

    /// Takes the rows of contacts at a factored configuration.
    pub(super) fn assemble(&mut self, configuration: &mut Configuration, found: &[Unilateral]) -> Result<(), Error> {
        self.delassus.assemble(configuration, found, |c| c.surface.friction_rows())?;
        let rows = self.delassus.row_count();
        self.before.resize(rows, 0.0);
        self.free.resize(rows, 0.0);
        self.closing.clear();
        self.surfaces.clear();
        self.surfaces.extend(found.iter().map(|c| c.surface));
        Ok(())
    }

    /// Takes the velocities at the beginning of the step.
    pub(super) fn take_before(&mut self, found: &[Unilateral], poses: &[Pose]) {
        self.delassus.rates(found, poses, &mut self.before);
    }

    /// Takes those without impulses.
    pub(super) fn take_free(&mut self, found: &[Unilateral], poses: &[Pose]) {
        self.delassus.rates(found, poses, &mut self.free);
    }

    /// Takes what joints will change displacements by, over h: friction acts on what is left of slip then. Gaps find it in the next step.
    pub(super) fn take_closing(&mut self, found: &[Unilateral], change: &[f64]) {
        self.closing.resize(self.free.len(), 0.0);
        for (contact, first) in found.iter().zip(self.delassus.first()) {
            self.closing[*first] = 0.0;
            for k in 1..=contact.surface.friction_rows() {
                self.closing[first + k] = gather(&(contact.bodies, contact.rows[k]), change);
            }
        }
    }

    /// First row of each contact.
    pub(super) fn first(&self) -> &[usize] {
        self.delassus.first()
    }

    fn rows(&self, contact: usize) -> Range<usize> {
        self.delassus.first()[contact]..self.delassus.first()[contact + 1]
    }

    pub(super) fn matrix(&self) -> &DMatrix<f64> {
        self.delassus.matrix()
    }

    pub(super) fn before(&self) -> &[f64] {
        &self.before
    }

    pub(super) fn free(&self) -> &[f64] {
        &self.free
    }

    /// Impulses of a contact, zero on rows that it has not.
    pub(super) fn of(&self, contact: usize) -> [f64; 6] {
        let (mut impulse, rows) = ([0.0; 6], self.rows(contact));
        impulse[..rows.len()].copy_from_slice(&self.impulses[rows]);
        impulse
    }

    /// Adds the impulses as loads on the bodies, six numbers a body, to `load`.
    pub(super) fn load(&self, found: &[Unilateral], load: &mut [f64]) {
        for (c, contact) in found.iter().enumerate() {
            for (row, impulse) in contact.rows.iter().zip(&self.impulses[self.rows(c)]) {
                scatter(&(contact.bodies, *row), *impulse, load);
            }
        }
    }

    /// Sets the impulses of all rows.
    pub(super) fn set(&mut self, impulses: &[f64]) {
        self.impulses.clear();
        self.impulses.extend_from_slice(impulses);
    }

    /// The impulses from which the first problem of the step starts.
    pub(super) fn guess_mut(&mut self) -> &mut Vec<f64> {
        &mut self.guess
    }

    pub(super) fn guess(&self) -> &[f64] {
        &self.guess
    }

    /// Adds what answers to the impulses to `change`, six numbers a body.
    pub(super) fn apply(&self, change: &mut [f64]) {
        self.delassus.apply(&self.impulses, change);
    }

    /// Impulses with which Signorini's and Coulomb's laws hold for the displacement of the step over h, theta u+ + (1 - theta) u, to which
    /// `normal`(contact) is added on a normal row and what joints close on others; the residual.
    pub(super) fn hold_gaps(
        &mut self,
        found: &[Unilateral],
        theta: f64,
        normal: impl Fn(&Unilateral) -> f64,
        record: &mut StepRecord,
    ) -> Result<f64, Error> {
        self.q.clear();
        self.q.extend(self.free.iter().zip(&self.before).map(|(free, before)| theta * free + (1.0 - theta) * before));
        for (contact, &at) in found.iter().zip(self.delassus.first()) {
            self.q[at] += normal(contact);
        }
        self.q.iter_mut().zip(&self.closing).for_each(|(q, closing)| *q += closing);
        let residual = self.solve(found, record)?;
        self.impulses.iter_mut().for_each(|s| *s /= theta);
        Ok(residual)
    }

    /// Impulses with which normal velocities reach what is `asked` times `factor`; the residual.
    pub(super) fn attempt(
        &mut self,
        found: &[Unilateral],
        asked: &[f64],
        factor: f64,
        record: &mut StepRecord,
    ) -> Result<f64, Error> {
        self.q.clone_from(&self.free);
        for (asked, &at) in asked.iter().zip(self.delassus.first()) {
            self.q[at] -= factor * asked;
        }
        self.solve(found, record)
    }

    /// Impulses for q; their residual.
    fn solve(&mut self, found: &[Unilateral], record: &mut StepRecord) -> Result<f64, Error> {
        let guess = (self.guess.len() == self.q.len()).then_some(self.guess.as_slice());
        let (impulses, residual) = self.solver.solve_from(self.delassus.matrix(), &self.surfaces, &self.q, guess)?;
        self.impulses.clear();
        self.impulses.extend_from_slice(impulses);
        let (u, slow) = self.solver.velocities();
        self.shares.reduced(found, self.delassus.first(), (self.delassus.matrix(), u, slow), &mut self.impulses);
        self.guess.clear();
        record.out_of_budget |= self.solver.out_of_budget();
        self.contradict |= self.solver.contradicts();
        if residual > record.residual
            && let Some(contact) = found.get(self.solver.hardest())
        {
            record.hardest = contact.id;
        }
        Ok(residual)
    }

    /// The account of the impulses.
    pub(super) fn account(&self, shift: f64, lifted: f64) -> Account {
        let (w, mut account) = (self.delassus.matrix(), Account::new(lifted));
        for (i, s) in self.impulses.iter().enumerate().filter(|(_, s)| **s != 0.0) {
            let change: f64 = self.impulses.iter().enumerate().map(|(j, s)| w[(j, i)] * s).sum();
            let is_friction = self.first().binary_search(&i).is_err();
            account.add(*s, [self.before[i], self.free[i], self.free[i] + change], shift, is_friction);
        }
        account
    }

    /// Energy that the impulses gave the bodies by what they moved them, at the weight `theta` of the velocity after the step \[J\].
    pub(super) fn lifted(&self, theta: f64) -> f64 {
        let works = self.impulses.iter().zip(self.free.iter().zip(&self.before));
        -theta * works.map(|(s, (free, before))| s * (free - before)).sum::<f64>()
    }

    /// Whether there is any impulse.
    pub(super) fn push(&self) -> bool {
        self.impulses.iter().any(|s| *s != 0.0)
    }
}
