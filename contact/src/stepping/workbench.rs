//! What the schemes share: the state, the factored configuration, the contacts within reach, flight and projection of a step.

use super::impact::Impact;
use super::turning::Turning;
use super::{ContactRecord, StepRecord, TimeStepping};
use crate::configuration::{Configuration, Delassus};
use crate::error::Error;
use crate::law::cone::ConeSolver;
use crate::projection::{Projection, Projector};
use crate::unilateral::{Contacts, Surface, Unilateral};
use fourbar_multibody::space::{Pose, rotation};
use fourbar_multibody::{Mechanism, State};
use std::sync::Arc;

/// Gap below which a contact counts as closed when a step has ended \[m, rad\].
pub(super) const CLOSED: f64 = 1e-10;

/// Part of the speed of bodies that overlap with which they may be pushed apart.
const PUSHES: f64 = 0.1;

/// Iterations that put the positions of a step on its joints with the gradients at its begin.
const CLOSINGS: usize = 5;
/// Part of the violation that they must leave at most, for the velocities to follow them.
const CLOSES: f64 = 1e-2;

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
    pub(super) impact: Impact,
    pub(super) record: StepRecord,
    pub(super) h: f64,
    /// Weight of the velocity after the step in the displacement.
    pub(super) theta: f64,
    pub(super) projector: Projector,
    projection: Projection,
    given_reach: Option<f64>,
    /// Gap up to which contacts matter in this step.
    pub(super) reach: f64,
    /// Distance of the farthest point of a body from its centre of mass, a guess from its inertia \[m\].
    extents: Vec<f64>,
    pub(super) surfaces: Vec<Surface>,
    pub(super) q: Vec<f64>,
    pub(super) solver: ConeSolver,
    /// Impulses to start from in the first problem of the step, if there are any.
    pub(super) guess: Vec<f64>,
    /// Applied forces of the last [`Workbench::push_and_spin`], six a body.
    pub(super) force: Vec<f64>,
    pub(super) top: Vec<f64>,
    pub(super) bottom: Vec<f64>,
    pub(super) turning: Turning,
    /// Change of the velocities in the step without impulses.
    pub(super) change: Vec<f64>,
    /// Rates of the joints in the middle of the step by the velocity at its begin, weighted by (1 - theta)/theta.
    opening: Vec<f64>,
    /// Change of the velocities with which positions were put on the joints.
    pub(super) closing: Vec<f64>,
    flown: Vec<Pose>,
    pub(super) saved: State,
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
            impact: Impact::default(),
            record: StepRecord::default(),
            h: options.step,
            theta: options.scheme.theta(),
            projector: Projector::default(),
            projection: options.projection,
            given_reach: options.reach,
            reach: 0.0,
            extents,
            surfaces: Vec::new(),
            q: Vec::new(),
            solver: ConeSolver::stepping(),
            guess: Vec::new(),
            force: vec![0.0; n],
            top: vec![0.0; n],
            bottom: vec![0.0; m],
            turning: Turning::default(),
            change: vec![0.0; n],
            opening: vec![0.0; m],
            closing: vec![0.0; n],
            flown: Vec::new(),
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
        self.impact.begin_step();
        self.projector.forget();
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
        self.impact.take_back();
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

    /// Speed with which bodies that overlap at the begin of a step may be pushed apart in it, as they keep it: a part of how fast they
    /// are, and what forces change velocities by, `fall`, twice.
    pub(super) fn push_out(&self, contact: &Unilateral, fall: f64) -> f64 {
        let speed = |body: usize| {
            let pose = self.state.poses.get(body).zip(self.extents.get(body));
            pose.map_or(0.0, |(pose, extent)| pose.v.norm() + pose.w.norm() * extent)
        };
        PUSHES * (speed(contact.bodies[0]) + speed(contact.bodies[1])) + 2.0 * fall
    }

    /// Finds contacts at the positions of the configuration.
    pub(super) fn find(&mut self, margin: f64) -> Result<(), Error> {
        self.fresh = false;
        self.contacts.find(self.state.time, self.configuration.poses(), margin, &mut self.found)
    }

    /// Goes from the begin of the step to its middle, q + h u/2. Joints that hold there for the mean velocity theta u+ + (1 - theta) u,
    /// whose reactions then do no work, ask of u+ the opposite of what u has: that is noted.
    pub(super) fn go_to_middle(&mut self) {
        self.configuration.drift(0.5 * self.h);
        self.configuration.defect_rates(&mut self.opening);
        let weight = (1.0 - self.theta) / self.theta;
        self.opening.iter_mut().for_each(|rate| *rate *= weight);
    }

    /// Velocities at the end of the step without impulses, which the configuration takes; it must be factored. Fills the velocities of
    /// the contact rows in `found` before and so.
    pub(super) fn fly(&mut self) -> Result<(), Error> {
        self.delassus.assemble(&mut self.configuration, &self.found, |c| c.surface.friction_rows())?;
        let rows = self.delassus.row_count();
        self.before.resize(rows, 0.0);
        self.free.resize(rows, 0.0);
        self.delassus.rates(&self.found, self.configuration.poses(), &mut self.before);
        self.top.copy_from_slice(&self.force);
        self.top.iter_mut().for_each(|f| *f *= self.h);
        self.configuration.defect_rates(&mut self.bottom);
        self.bottom.iter_mut().zip(&self.opening).for_each(|(b, opening)| *b = -*b - opening);
        self.configuration.solve(&mut self.top, &mut self.bottom)?;
        self.configuration.accelerate(&self.top);
        self.change.copy_from_slice(&self.top);
        self.delassus.rates(&self.found, self.configuration.poses(), &mut self.free);
        Ok(())
    }

    /// Impulses that hold the gaps of the contacts in `found` open, applied to the velocities of [`Workbench::fly`]: Signorini's and
    /// Coulomb's laws hold for the displacement of the step over h, theta u+ + (1 - theta) u, to which `normal`(contact) is added on
    /// a normal row.
    pub(super) fn hold_gaps(&mut self, normal: impl Fn(&Unilateral) -> f64) -> Result<(), Error> {
        let theta = self.theta;
        self.q.clear();
        self.q.extend(self.free.iter().zip(&self.before).map(|(free, before)| theta * free + (1.0 - theta) * before));
        for (contact, &at) in self.found.iter().zip(self.delassus.first()) {
            self.q[at] += normal(contact);
        }
        let residual = self.solve()?;
        self.record.residual = self.record.residual.max(residual);
        self.impulses.iter_mut().for_each(|s| *s /= theta);
        self.push_apart();
        Ok(())
    }

    /// Impulses for the q in the workspace; their residual.
    pub(super) fn solve(&mut self) -> Result<f64, Error> {
        self.surfaces.clear();
        self.surfaces.extend(self.found.iter().map(|c| c.surface));
        let guess = (self.guess.len() == self.q.len()).then_some(self.guess.as_slice());
        let (impulses, residual) = self.solver.solve_from(self.delassus.matrix(), &self.surfaces, &self.q, guess)?;
        self.impulses.clear();
        self.impulses.extend_from_slice(impulses);
        self.guess.clear();
        Ok(residual)
    }

    /// Applies the impulses to the velocities of the configuration; `top` is the change.
    pub(super) fn push_apart(&mut self) {
        self.top.fill(0.0);
        self.delassus.apply(&self.impulses, &mut self.top, &mut []);
        self.configuration.accelerate(&self.top);
    }

    /// Forces h Q for the step at the midpoint of its flight without contact, where the velocity is that of a half step of Euler.
    pub(super) fn midpoint_forces(&mut self) -> Result<(), Error> {
        self.configuration.evaluate(&self.state)?;
        self.configuration.free_acceleration(&self.state, &mut self.top, &mut self.bottom)?;
        self.configuration.drift(0.5 * self.h);
        self.top.iter_mut().for_each(|a| *a *= 0.5 * self.h);
        self.configuration.accelerate(&self.top);
        self.push_and_spin()
    }

    /// q+ = q + h (theta u+ + (1 - theta) u), q and u those at the beginning of the step, u+ those of the configuration; stores both.
    pub(super) fn displace(&mut self) {
        let (old, new) = (1.0 - self.theta, self.theta);
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

    /// Puts positions that drifted with the velocities of the configuration on the joints, along the gradients at the begin of the step,
    /// whose factors the configuration still has, and lets the velocities follow: q+ = q + h u+ goes on to hold. With velocities
    /// projected at the new positions joints then take no energy (RATTLE: H. C. Andersen, Journal of Computational Physics 52 (1983)
    /// 24). Where that does not converge, as in steps that turn a body by about a radian, all is left to the projection.
    pub(super) fn close_joints(&mut self) -> Result<(), Error> {
        self.closing.fill(0.0);
        if self.bottom.is_empty() || self.projection.iterations == 0 || !self.projection.velocities {
            return Ok(());
        }
        self.flown.clear();
        self.flown.extend_from_slice(self.configuration.poses());
        self.configuration.defects(&mut self.bottom);
        let first = largest(&self.bottom);
        self.record.violation[0] = first;
        let mut open = first;
        for _ in 0..CLOSINGS {
            if open <= self.projection.tolerance {
                break;
            }
            self.top.fill(0.0);
            self.bottom.iter_mut().for_each(|b| *b = -*b);
            self.configuration.solve(&mut self.top, &mut self.bottom)?;
            self.configuration.displace(&self.top, 1.0);
            self.closing.iter_mut().zip(&self.top).for_each(|(sum, d)| *sum += d / self.h);
            self.configuration.defects(&mut self.bottom);
            open = largest(&self.bottom);
        }
        if open <= CLOSES * first || open <= self.projection.tolerance {
            self.configuration.accelerate(&self.closing);
        } else {
            self.closing.fill(0.0);
            self.configuration.place(self.state.time, &self.flown, &self.state.drives);
        }
        Ok(())
    }

    /// Work of the applied forces over what the projection of positions moved the bodies to keep them out of one another \[J\].
    pub(super) fn pushed_out(&self) -> f64 {
        self.projector.pushed().iter().zip(&self.force).map(|(d, f)| d * f).sum()
    }

    /// Projects the positions of a step if asked to; bodies keep their angular momentum.
    pub(super) fn put_back(&mut self) -> Result<(), Error> {
        self.flown.clone_from(&self.state.poses);
        self.project_positions()?;
        self.turning.keep_momentum(self.configuration.mechanism(), &self.flown, &mut self.state.poses);
        Ok(())
    }

    /// Projects positions if asked to.
    fn project_positions(&mut self) -> Result<(), Error> {
        let done = self.projector.positions(
            &self.projection,
            &mut self.configuration,
            &mut self.contacts,
            self.reach,
            &mut self.state,
        )?;
        self.record.violation = [self.record.violation[0].max(done.before), done.after];
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
