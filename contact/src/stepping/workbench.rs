//! What the schemes share: the state, the factored configuration, the contacts within reach and the contact problem of a step.

use super::gyration::spun;
use super::{ContactRecord, StepRecord, TimeStepping};
use crate::configuration::{Configuration, Delassus};
use crate::error::Error;
use crate::law::cone::ConeSolver;
use crate::projection::{Projection, Projector};
use crate::unilateral::{Contacts, Surface, Unilateral};
use fourbar_multibody::space::{Pose, V3, rotation};
use fourbar_multibody::{Mechanism, State};
use std::sync::Arc;

/// Gap below which a contact counts as closed when a step has ended \[m, rad\].
pub(super) const CLOSED: f64 = 1e-10;

/// How a contact closes within a step.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub(super) struct Bounce {
    /// Closing speed [m/s].
    pub(super) approach: f64,
    /// Velocity it must at least have after the step [m/s].
    pub(super) rebound: f64,
}

#[derive(Debug, Clone)]
pub(super) struct Workbench<C> {
    pub(super) state: State,
    pub(super) configuration: Configuration,
    pub(super) contacts: C,
    pub(super) found: Vec<Unilateral>,
    /// Whether `found` are the contacts within reach of the state, as the end of a step leaves them.
    fresh: bool,
    pub(super) delassus: Delassus,
    /// Velocities of the contact rows at the beginning of the step, without impulses, and after.
    pub(super) before: Vec<f64>,
    pub(super) free: Vec<f64>,
    pub(super) impulses: Vec<f64>,
    pub(super) contacts_done: Vec<ContactRecord>,
    /// Velocity after the step asked of each contact done.
    pub(super) rebounds: Vec<f64>,
    /// Whether each contact done touches at the end of the step.
    touched: Vec<bool>,
    pub(super) record: StepRecord,
    pub(super) h: f64,
    projector: Projector,
    projection: Projection,
    given_reach: Option<f64>,
    /// Gap up to which contacts matter in this step.
    pub(super) reach: f64,
    /// Distance of the farthest point of a body from its centre of mass, a guess from its inertia \[m\].
    extents: Vec<f64>,
    surfaces: Vec<Surface>,
    q: Vec<f64>,
    solver: ConeSolver,
    /// Applied forces of the last [`Workbench::push`], six a body.
    pub(super) force: Vec<f64>,
    top: Vec<f64>,
    bottom: Vec<f64>,
    /// Change of the velocities in the step without impulses.
    change: Vec<f64>,
    saved: State,
}

impl<C: Contacts> Workbench<C> {
    pub(super) fn new(
        options: &TimeStepping,
        mechanism: &Arc<Mechanism>,
        contacts: C,
        start: &State,
    ) -> Result<Self, Error> {
        let configuration = Configuration::new(mechanism, start)?;
        let (n, m) = (configuration.dimension(), configuration.row_count());
        // Radius of gyration times sqrt(5), the corner of a slender rod or box.
        let extents = mechanism.bodies().iter().map(|b| (5.0 * b.inertia.trace() / b.mass).sqrt()).collect();
        let mut bench = Self {
            state: start.clone(),
            configuration,
            contacts,
            found: Vec::new(),
            fresh: false,
            delassus: Delassus::default(),
            before: Vec::new(),
            free: Vec::new(),
            impulses: Vec::new(),
            contacts_done: Vec::new(),
            rebounds: Vec::new(),
            touched: Vec::new(),
            record: StepRecord::default(),
            h: options.step,
            projector: Projector::default(),
            projection: options.projection,
            given_reach: options.reach,
            reach: 0.0,
            extents,
            surfaces: Vec::new(),
            q: Vec::new(),
            solver: ConeSolver::default(),
            force: vec![0.0; n],
            top: vec![0.0; n],
            bottom: vec![0.0; m],
            change: vec![0.0; n],
            saved: start.clone(),
        };
        bench.reach = bench.farthest();
        bench.project_positions()?;
        bench.project_velocities()?;
        bench.account()?;
        Ok(bench)
    }

    /// Notes the state at the beginning of a step, to be taken back after an error.
    pub(super) fn begin(&mut self) -> StepRecord {
        self.saved.clone_from(&self.state);
        self.contacts_done.clear();
        self.reach = self.farthest();
        std::mem::take(&mut self.record)
    }

    /// Changes the length of the steps to come.
    pub(super) fn set_step(&mut self, h: f64) {
        (self.h, self.fresh) = (h, false);
    }

    /// Back to the beginning of the step, to take it in another way.
    pub(super) fn begin_again(&mut self) {
        self.take_back(StepRecord::default());
        self.contacts_done.clear();
    }

    pub(super) fn take_back(&mut self, record: StepRecord) {
        self.fresh = false;
        self.state.clone_from(&self.saved);
        self.record = record;
    }

    /// By default what the two fastest bodies may travel in a step, twice.
    fn farthest(&self) -> f64 {
        self.given_reach.unwrap_or_else(|| {
            let fastest = self.state.poses.iter().zip(&self.extents).map(|(p, r)| p.v.norm() + p.w.norm() * r);
            2.0 * self.h * fastest.fold(0.0, f64::max) + 20.0 * self.h * self.h + 1e-6
        })
    }

    /// Contacts within reach at the beginning of a step, where the configuration looks: those that the end of the step before found.
    pub(super) fn find_first(&mut self) -> Result<(), Error> {
        if self.fresh { Ok(()) } else { self.find(self.reach) }
    }

    /// Finds contacts at the positions of the configuration.
    pub(super) fn find(&mut self, margin: f64) -> Result<(), Error> {
        self.fresh = false;
        self.contacts.find(self.state.time, self.configuration.poses(), margin, &mut self.found)
    }

    /// Forces at the configuration, for [`Workbench::solve`].
    fn push(&mut self) -> Result<(), Error> {
        self.configuration.forces(&self.state, &mut self.force)
    }

    /// The same, the gyroscopic torques being those that take a body through its free rotation in the step, in a scheme that moves by
    /// h ((1 - `new`) u + `new` u+) and solves with the masses of the configuration.
    pub(super) fn push_and_spin(&mut self, new: f64) -> Result<(), Error> {
        self.push()?;
        let bodies = self.configuration.mechanism().bodies();
        let poses = self.state.poses.iter().zip(self.configuration.poses());
        for ((body, (begin, now)), force) in bodies.iter().zip(poses).zip(self.force.chunks_exact_mut(6)) {
            let Some(w) = spun(&body.inertia, begin, self.h, new) else { continue };
            let change = Pose { w: (w - begin.w) / self.h, ..*now };
            let torque = now.w.cross(&body.momentum(now)) + body.momentum(&change);
            force[3..].iter_mut().zip(torque.iter()).for_each(|(force, torque)| *force += torque);
        }
        Ok(())
    }

    /// Velocities at the end of the step: the free ones from the forces of [`Workbench::push`] over the time h, then impulses of the
    /// contacts in `found`. `normal`(contact, velocity before, free velocity) is what is added to the free velocity of a normal row.
    /// The configuration must be factored; it takes the new velocities.
    pub(super) fn solve(&mut self, normal: impl Fn(&Unilateral, f64, f64) -> f64) -> Result<(), Error> {
        self.delassus.assemble(&mut self.configuration, &self.found, |c| c.surface.friction_rows())?;
        let rows = self.delassus.row_count();
        self.before.resize(rows, 0.0);
        self.free.resize(rows, 0.0);
        self.delassus.rates(&self.found, self.configuration.poses(), &mut self.before);
        self.top.copy_from_slice(&self.force);
        self.top.iter_mut().for_each(|f| *f *= self.h);
        self.configuration.defect_rates(&mut self.bottom);
        self.bottom.iter_mut().for_each(|b| *b = -*b);
        self.configuration.solve(&mut self.top, &mut self.bottom)?;
        self.configuration.accelerate(&self.top);
        self.change.copy_from_slice(&self.top);
        self.delassus.rates(&self.found, self.configuration.poses(), &mut self.free);
        let (before, free) = (&self.before, &self.free);
        self.q.clone_from(free);
        for (contact, &at) in self.found.iter().zip(self.delassus.first()) {
            self.q[at] += normal(contact, before[at], free[at]);
        }
        self.push_apart()
    }

    /// Impulses for the q in the workspace, applied to the velocities of the configuration.
    fn push_apart(&mut self) -> Result<(), Error> {
        self.surfaces.clear();
        self.surfaces.extend(self.found.iter().map(|c| c.surface));
        let (impulses, residual) = self.solver.solve(self.delassus.matrix(), &self.surfaces, &self.q)?;
        self.impulses.clear();
        self.impulses.extend_from_slice(impulses);
        self.record.residual = self.record.residual.max(residual);
        self.top.fill(0.0);
        self.delassus.apply(&self.impulses, &mut self.top, &mut []);
        self.configuration.accelerate(&self.top);
        Ok(())
    }

    /// Forces h Q for the step at the midpoint of its flight without contact, where the velocity is that of a half step of Euler.
    pub(super) fn midpoint_forces(&mut self) -> Result<(), Error> {
        self.configuration.evaluate(&self.state)?;
        self.configuration.free_acceleration(&self.state, &mut self.top, &mut self.bottom)?;
        self.configuration.drift(0.5 * self.h);
        self.top.iter_mut().for_each(|a| *a *= 0.5 * self.h);
        self.configuration.accelerate(&self.top);
        self.push()
    }

    /// q+ = q + h (`old` u + `new` u+), q and u those at the beginning of the step, u+ those of the configuration; stores both.
    pub(super) fn displace(&mut self, old: f64, new: f64) {
        let poses = self.configuration.poses();
        for (pose, after) in self.state.poses.iter_mut().zip(poses) {
            let (v, w) = (pose.v * old + after.v * new, pose.w * old + after.w * new);
            pose.x += v * self.h;
            pose.a = rotation(&(w * self.h)) * pose.a;
            (pose.v, pose.w) = (after.v, after.w);
        }
        self.configuration.look(&self.state);
        self.configuration.store(&mut self.state);
    }

    /// Takes the impulses of the step back: velocities become those without them; which contacts touched stays noted.
    pub(super) fn forget_impulses(&mut self) {
        for ((pose, before), d) in self.state.poses.iter_mut().zip(&self.saved.poses).zip(self.change.chunks_exact(6)) {
            pose.v = before.v + V3::new(d[0], d[1], d[2]);
            pose.w = before.w + V3::new(d[3], d[4], d[5]);
        }
        let mut k = 0;
        self.rebounds.retain(|_| (self.touched[k], k += 1).0);
        let mut k = 0;
        self.contacts_done.retain(|_| (self.touched[k], k += 1).0);
        self.contacts_done.iter_mut().for_each(|c| c.impulse = [0.0; 6]);
    }

    /// Writes down the contacts of the step with their impulses. Those that touch bounce as `bounce`(contact, before, free) says: those
    /// with an impulse, and those whose gap at the end, `end`(contact, before, after), closes by itself.
    pub(super) fn note(
        &mut self,
        end: impl Fn(&Unilateral, f64, f64) -> f64,
        bounce: impl Fn(&Unilateral, f64, f64) -> Bounce,
    ) {
        self.contacts_done.clear();
        self.rebounds.clear();
        self.touched.clear();
        for (c, contact) in self.found.iter().enumerate() {
            let rows = self.delassus.first()[c]..self.delassus.first()[c + 1];
            let (before, free) = (self.before[rows.start], self.free[rows.start]);
            let mut impulse = [0.0; 6];
            impulse[..rows.len()].copy_from_slice(&self.impulses[rows]);
            let after = contact.rate(self.configuration.poses());
            let touches = impulse[0] > 0.0 || end(contact, before, after) <= CLOSED;
            let bounce = if touches { bounce(contact, before, free) } else { Bounce::default() };
            self.contacts_done.push(ContactRecord {
                id: contact.id,
                gap: contact.gap,
                approach: bounce.approach,
                impulse,
            });
            self.rebounds.push(bounce.rebound);
            self.touched.push(touches);
        }
    }

    /// Velocity after the step asked of a contact, if it took part.
    pub(super) fn asked(&self, contact: &Unilateral) -> Option<f64> {
        self.contacts_done.binary_search_by_key(&contact.id, |r| r.id).ok().map(|k| self.rebounds[k])
    }

    /// Restitution at the end of a step, at its positions (factored): contacts that closed rebound with e times their approach,
    /// those that are closed stay so. Without approach there is nothing to do unless `always`.
    pub(super) fn rebound(&mut self, always: bool) -> Result<(), Error> {
        if !always && self.rebounds.iter().all(|r| *r == 0.0) {
            return Ok(());
        }
        self.find(self.reach)?;
        let mut found = std::mem::take(&mut self.found);
        found.retain(|c| c.gap <= CLOSED || self.asked(c).is_some_and(|asked| asked > 0.0 || always));
        self.found = found;
        self.delassus.assemble(&mut self.configuration, &self.found, |c| c.surface.friction_rows())?;
        self.free.resize(self.delassus.row_count(), 0.0);
        self.delassus.rates(&self.found, self.configuration.poses(), &mut self.free);
        self.q.clone_from(&self.free);
        for (contact, &at) in self.found.iter().zip(self.delassus.first()) {
            let known = self.contacts_done.binary_search_by_key(&contact.id, |r| r.id);
            self.q[at] -= known.map_or(0.0, |k| self.rebounds[k]);
        }
        self.push_apart()?;
        for (c, contact) in self.found.iter().enumerate() {
            let rows = self.delassus.first()[c]..self.delassus.first()[c + 1];
            if let Ok(k) = self.contacts_done.binary_search_by_key(&contact.id, |r| r.id) {
                for (sum, s) in self.contacts_done[k].impulse.iter_mut().zip(&self.impulses[rows]) {
                    *sum += s;
                }
            }
        }
        self.configuration.store(&mut self.state);
        Ok(())
    }

    /// Projects positions if asked to.
    pub(super) fn project_positions(&mut self) -> Result<(), Error> {
        let done = self.projector.positions(
            &self.projection,
            &mut self.configuration,
            &mut self.contacts,
            self.reach,
            &mut self.state,
        )?;
        self.record.violation = [done.before, done.after];
        self.record.projections = done.iterations;
        self.record.residual = self.record.residual.max(done.residual);
        Ok(())
    }

    /// Projects velocities if asked to; leaves the configuration factored at the state.
    pub(super) fn project_velocities(&mut self) -> Result<(), Error> {
        self.configuration.evaluate(&self.state)?;
        self.configuration.defect_rates(&mut self.bottom);
        self.record.rate_violation[0] = largest(&self.bottom);
        if self.projection.velocities {
            self.find(CLOSED)?;
            self.projector.velocities(&mut self.configuration, &self.found, &mut self.state)?;
        }
        Ok(())
    }

    /// Gap, energy and violation at the end of the step.
    fn account(&mut self) -> Result<(), Error> {
        let mechanism = Arc::clone(self.configuration.mechanism());
        self.configuration.look(&self.state);
        self.reach = self.farthest();
        self.find(self.reach)?;
        self.fresh = true;
        let record = &mut self.record;
        record.time = self.state.time;
        record.gap = self.found.iter().fold(f64::INFINITY, |a, c| a.min(c.gap));
        record.contacts = self.contacts_done.len();
        record.active = self.contacts_done.iter().filter(|c| c.impulse[0] > 0.0).count();
        record.impulse = self.contacts_done.iter().map(|c| c.impulse[0]).sum();
        record.kinetic = mechanism.kinetic_energy(&self.state.poses);
        record.potential = mechanism.potential_energy(&self.state, self.configuration.poses());
        self.configuration.defects(&mut self.bottom);
        record.violation[1] = largest(&self.bottom);
        self.configuration.defect_rates(&mut self.bottom);
        record.rate_violation[1] = largest(&self.bottom);
        Ok(())
    }

    pub(super) fn finish(&mut self) -> Result<(), Error> {
        self.account()
    }

    /// Refuses a step whose contact problem has a larger residual than `allowed`, or none that is a number.
    pub(super) fn solved(&self, allowed: f64) -> Result<(), Error> {
        let (time, residual) = (self.state.time, self.record.residual);
        if residual <= allowed { Ok(()) } else { Err(Error::Unsolved { time, residual, allowed }) }
    }
}

fn largest(values: &[f64]) -> f64 {
    values.iter().fold(0.0, |a, b| a.max(b.abs()))
}
