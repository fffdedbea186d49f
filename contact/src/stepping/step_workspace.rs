//! What the schemes share: the state, the factored configuration, the contacts within reach, flight and projection of a step.

use super::blow::Blow;
use super::gyroscopic::Turning;
use super::impact::Impact;
use super::{ContactRecord, StepRecord, TimeStepping};
use crate::budget::Budget;
use crate::configuration::{Configuration, Delassus};
use crate::error::Error;
use crate::law::cone::ConeSolver;
use crate::projection::{Projection, Projector};
use crate::scene_scales::{SceneScales, is_angle};
use crate::unilateral::{Contacts, Surface, Unilateral};
use fourbar_multibody::space::{Pose, V3, rotation};
use fourbar_multibody::{Mechanism, State};
use std::sync::Arc;

/// Gap below which a contact counts as closed when a step has ended, as part of the length of the scene ([`SceneScales`]).
const CLOSED: f64 = 1e-10;
/// Gap within which contacts are looked at however slow bodies are, as part of the length, and falls of a step from which they are.
const NEAR: f64 = 1e-6;
const FALLS: f64 = 2.0;
/// Acceleration from which on a step looks farther, over that of the scene: what weighs alone does not change, but for round-off.
const WIDER: f64 = 1.01;
/// Multiplications that a solve of a step may take: what thousands of iterations on a few dozen contacts do, or a few factorizations of
/// thousands, a second or so. A problem that has not converged by then would stop the motion as hosts see it; the next step has another.
pub(super) const WORK: u64 = 2_000_000_000;

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
    /// Contacts at the end of a step with the positions at its begin.
    later: Vec<Unilateral>,
    /// Whether `found` are the contacts within reach of the state, as the end of a step leaves them.
    fresh: bool,
    /// Whether walls within reach move at the begin of a step, and whether they jump or bend in it.
    walls_move: bool,
    walls_break: bool,
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
    pub(super) scales: SceneScales,
    /// What each solve of a step may cost.
    budget: Budget,
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
    /// The blow of motions at the begin of the step.
    pub(super) blow: Blow,
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
        let mut configuration = Configuration::new(mechanism, start)?;
        let mut contacts = contacts;
        let scales = SceneScales::new(&mut configuration, &mut contacts, start)?;
        let (n, m) = (configuration.dimension(), configuration.row_count());
        // Radius of gyration times sqrt(5), the corner of a slender rod or box.
        let extents = mechanism.bodies().iter().map(|b| (5.0 * b.inertia.trace() / b.mass).sqrt()).collect();
        let mut bench = Self {
            state: start.clone(),
            configuration,
            contacts,
            found: Vec::new(),
            later: Vec::new(),
            fresh: false,
            walls_move: true,
            walls_break: false,
            delassus: Delassus::default(),
            before: Vec::new(),
            free: Vec::new(),
            impulses: Vec::new(),
            contacts_done: Vec::new(),
            impact: Impact::default(),
            record: StepRecord::of_nothing(),
            h: if options.step.is_infinite() { scales.step(mechanism) } else { options.step },
            theta: options.scheme.theta(),
            projector: Projector::in_scene(&scales),
            scales,
            budget: Budget { work: Some(WORK), ..Budget::default() },
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
            blow: Blow::new(m),
            closing: vec![0.0; n],
            flown: Vec::new(),
            saved: start.clone(),
        };
        bench.take_scales();
        bench.reach = bench.farthest(bench.scales.acceleration);
        bench.project_positions()?;
        bench.project_velocities()?;
        bench.account()?;
        Ok(bench)
    }

    /// Lets solvers and projections know the scales and the budget.
    pub(super) fn take_scales(&mut self) {
        self.solver.reference = self.scales.speed;
        self.solver.set_budget(&self.budget);
        self.projector = Projector::in_scene(&self.scales);
        self.projector.set_budget(&self.budget);
    }

    pub(super) fn set_budget(&mut self, budget: Budget) {
        self.budget = budget;
        self.take_scales();
    }

    /// Whether a gap of a contact counts as closed.
    pub(super) fn is_closed(&self, contact: &Unilateral, gap: f64) -> bool {
        gap <= self.scales.of_gap(contact, CLOSED)
    }

    /// Contacts that are closed in the middle of the step, at the positions of the configuration; walls are where they are then, with the rates that
    /// they have at the end.
    pub(super) fn find_closed_in_middle(&mut self) -> Result<(), Error> {
        if !(self.walls_move || self.walls_break) {
            return self.find_closed();
        }
        self.find(self.reach)?;
        let mut found = std::mem::take(&mut self.found);
        found.iter_mut().for_each(|contact| contact.gap -= 0.5 * self.h * contact.gap_rate);
        found.retain(|contact| self.is_closed(contact, contact.gap));
        self.found = found;
        Ok(())
    }

    /// Contacts that are closed at the positions of the configuration.
    pub(super) fn find_closed(&mut self) -> Result<(), Error> {
        self.find(self.scales.of_length(CLOSED))
    }

    /// Notes the state at the beginning of a step, to be taken back after an error.
    pub(super) fn begin(&mut self) -> StepRecord {
        self.saved.clone_from(&self.state);
        self.configuration.next_break(self.state.time);
        // Until there contacts are found as before it.
        self.walls_break = self.contacts.next_break(self.state.time) < self.state.time + self.h;
        self.contacts_done.clear();
        self.impact.begin_step();
        self.projector.forget();
        self.reach = self.farthest(self.scales.acceleration);
        std::mem::replace(&mut self.record, StepRecord::of_nothing())
    }

    /// Changes the length of the steps to come.
    pub(super) fn set_step(&mut self, h: f64) {
        (self.h, self.fresh) = (h, false);
    }

    /// Back to the beginning of the step, behind the blow of motions, to take it in another way.
    pub(super) fn begin_again(&mut self) {
        self.fresh = false;
        self.impact.take_back();
        self.state.clone_from(&self.saved);
        self.configuration.next_break(self.state.time);
        self.record = StepRecord::of_nothing();
        self.contacts_done.clear();
    }

    /// Back to the end of the step before.
    pub(super) fn take_back(&mut self, record: StepRecord) {
        self.begin_again();
        self.blow.take_back(&mut self.state.poses);
        self.record = record;
    }

    /// The velocities at the begin of the step have changed: contacts are to be found again, as far as they reach now.
    pub(super) fn begin_struck(&mut self) {
        self.saved.poses.clone_from(&self.state.poses);
        self.fresh = false;
        self.reach = self.farthest(self.scales.acceleration);
    }

    /// By default what the two fastest bodies may travel in a step, twice, under an acceleration.
    fn farthest(&self, acceleration: f64) -> f64 {
        self.given_reach.unwrap_or_else(|| {
            let fastest = self.state.poses.iter().zip(&self.extents).map(|(p, r)| p.v.norm() + p.w.norm() * r);
            let fall = FALLS * self.h * self.h * acceleration;
            2.0 * self.h * fastest.fold(0.0, f64::max) + fall + NEAR * self.scales.length
        })
    }

    /// Looks farther where the forces of the step push harder than those of the scene as it began: a contact that is not seen is passed through.
    pub(super) fn widen(&mut self) {
        let bodies = self.configuration.mechanism().bodies().iter().zip(self.force.chunks_exact(6));
        let pushed = bodies.map(|(body, force)| V3::from_column_slice(&force[..3]).norm() / body.mass);
        let strongest = pushed.fold(0.0, f64::max);
        if strongest > WIDER * self.scales.acceleration {
            let reach = self.farthest(strongest);
            self.fresh &= reach <= self.reach;
            self.reach = self.reach.max(reach);
        }
    }

    /// Contacts within reach at the beginning of a step, where the configuration looks: those that the end of the step before found. Walls that jump
    /// or bend in the step have their mean rate.
    pub(super) fn find_first(&mut self) -> Result<(), Error> {
        if !self.fresh {
            self.find(self.reach)?;
        }
        if self.walls_break { self.take_mean_rates() } else { Ok(()) }
    }

    /// Gives walls the mean rate of the step, from the gaps at its end with the positions at its begin.
    fn take_mean_rates(&mut self) -> Result<(), Error> {
        self.fresh = false;
        let place = (self.state.time + self.h, self.configuration.poses());
        self.scales.find(&mut self.contacts, place, self.reach, &mut self.later)?;
        for contact in &mut self.later {
            let known = self.found.binary_search_by_key(&contact.id, |known| known.id);
            let begin = known.map_or(contact.gap - self.h * contact.gap_rate, |k| self.found[k].gap);
            contact.gap_rate = (contact.gap - begin) / self.h;
            contact.gap = begin;
        }
        std::mem::swap(&mut self.found, &mut self.later);
        Ok(())
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
        let place = (self.state.time, self.configuration.poses());
        self.scales.find(&mut self.contacts, place, margin, &mut self.found)
    }

    /// Goes from the begin of the step to its middle, q + h u/2. Joints that hold there for the mean velocity theta u+ + (1 - theta) u,
    /// whose reactions then do no work, ask of u+ the opposite of what u has: that is noted. Rates that jump in the step have done so.
    pub(super) fn go_to_middle(&mut self) {
        self.configuration.drift(0.5 * self.h);
        self.configuration.violation_rates(&mut self.opening);
        let weight = (1.0 - self.theta) / self.theta;
        self.opening.iter_mut().zip(self.blow.jumps()).for_each(|(rate, jump)| *rate = weight * (*rate + jump));
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
        self.configuration.violation_rates(&mut self.bottom);
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
        self.record.out_of_budget |= self.solver.out_of_budget();
        if residual > self.record.residual
            && let Some(contact) = self.found.get(self.solver.hardest())
        {
            self.record.hardest = contact.id;
        }
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
        self.configuration.violations(&mut self.bottom);
        self.record.violation[0] = largest(&self.bottom);
        // Over what the projection leaves alone.
        self.projector.allow(self.projection.tolerance, &self.configuration);
        let first = self.projector.opening(&self.bottom, &self.configuration);
        let mut open = first;
        for _ in 0..CLOSINGS {
            if open <= 1.0 {
                break;
            }
            self.top.fill(0.0);
            self.bottom.iter_mut().for_each(|b| *b = -*b);
            self.configuration.solve(&mut self.top, &mut self.bottom)?;
            self.configuration.displace(&self.top, 1.0);
            self.closing.iter_mut().zip(&self.top).for_each(|(sum, d)| *sum += d / self.h);
            self.configuration.violations(&mut self.bottom);
            open = self.projector.opening(&self.bottom, &self.configuration);
        }
        if open <= CLOSES * first || open <= 1.0 {
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
        self.configuration.violation_rates(&mut self.bottom);
        self.record.rate_violation[0] = largest(&self.bottom);
        if self.projection.velocities {
            self.find_closed()?;
            self.projector.velocities(&mut self.configuration, &self.found, &mut self.state)?;
        }
        Ok(())
    }

    /// Gap, energy and violation at the end of the step.
    fn account(&mut self) -> Result<(), Error> {
        let mechanism = Arc::clone(self.configuration.mechanism());
        self.configuration.look(&self.state);
        self.reach = self.farthest(self.scales.acceleration);
        self.find(self.reach)?;
        self.fresh = true;
        self.walls_move = self.found.iter().any(|contact| contact.gap_rate != 0.0);
        let record = &mut self.record;
        record.time = self.state.time;
        record.gap = self.found.iter().fold(f64::INFINITY, |a, c| a.min(c.gap));
        for contact in self.found.iter().filter(|contact| contact.gap < 0.0) {
            let own = |body: usize| self.extents.get(body).copied().filter(|size| *size > 0.0).unwrap_or(f64::INFINITY);
            let width = self.contacts.width(contact.id);
            // Points without a size of their own are those of their body.
            let known = if width.is_finite() { width } else { own(contact.bodies[0]).min(own(contact.bodies[1])) };
            let part = if is_angle(contact) { -contact.gap } else { -contact.gap / known };
            if part > record.overlap {
                (record.overlap, record.deepest, record.depth) = (part, contact.id, -contact.gap);
            }
        }
        record.contacts = self.contacts_done.len();
        record.active = self.contacts_done.iter().filter(|c| c.impulse[0] > 0.0).count();
        record.impulse = self.contacts_done.iter().map(|c| c.impulse[0]).sum();
        record.kinetic = mechanism.kinetic_energy(&self.state.poses);
        record.potential = mechanism.potential_energy(&self.state, self.configuration.poses());
        self.configuration.violations(&mut self.bottom);
        record.violation[1] = largest(&self.bottom);
        self.configuration.violation_rates(&mut self.bottom);
        record.rate_violation[1] = largest(&self.bottom);
        Ok(())
    }

    pub(super) fn finish(&mut self) -> Result<(), Error> {
        self.account()
    }

    /// Refuses a step whose contact problem has a larger residual than `allowed`, a part of the speeds, or none that is a number.
    pub(super) fn solved(&self, allowed: f64) -> Result<(), Error> {
        let (time, residual) = (self.state.time, self.record.residual);
        if residual <= allowed { Ok(()) } else { Err(Error::Unsolved { time, residual, allowed }) }
    }
}

fn largest(values: &[f64]) -> f64 {
    values.iter().fold(0.0, |a, b| a.max(b.abs()))
}
