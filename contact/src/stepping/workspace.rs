//! What the schemes share: the parts of a step, and the moves in which they meet.

use super::account::{Account, Rebounds, collide};
use super::impact::{Impact, place};
use super::impulses::Impulses;
use super::joints::Joints;
use super::motion::Motion;
use super::nearby::{Nearby, is_closed};
use super::options::TimeStepping;
use super::{ContactRecord, StepRecord};
use crate::budget::Budget;
use crate::configuration::Configuration;
use crate::error::Error;
use crate::law::{Restitution, routh};
use crate::scene_scales::SceneScales;
use crate::unilateral::{Contacts, Unilateral};
use fourbar_linalg::checkpoint::{CheckpointError, Source, Stored, store_list};
use fourbar_multibody::{Mechanism, State};
use nalgebra::{Matrix3, Vector3};
use std::sync::Arc;

/// Multiplications that a solve of a step may take: what thousands of iterations on a few dozen contacts do, or a few factorizations of
/// thousands, a second or so. A problem that has not converged by then would stop the motion as hosts see it; the next step has another.
pub(super) const WORK: u64 = 2_000_000_000;
/// Energy that is round-off, as part of the work of all impulses.
const ROUND_OFF: f64 = 1e-11;
/// Residual of the contact problem that ends the motion, far above what its solver leaves, as part of the larger of its velocities and the speed of
/// the scene, as all residuals here.
pub(super) const UNSOLVED: f64 = 1e-5;

/// The parts of a step.
#[derive(Debug, Clone)]
pub(super) struct StepWorkspace<C> {
    pub(super) motion: Motion,
    pub(super) nearby: Nearby<C>,
    pub(super) joints: Joints,
    pub(super) impulses: Impulses,
    pub(super) impact: Impact,
    pub(super) record: StepRecord,
    /// The contacts of the step, sorted by id.
    pub(super) contacts: Vec<ContactRecord>,
    /// What each solve of a step may cost.
    budget: Budget,
}

impl<C: Contacts> StepWorkspace<C> {
    pub(super) fn new(
        options: &TimeStepping,
        mechanism: &Arc<Mechanism>,
        mut contacts: C,
        start: &State,
    ) -> Result<Self, Error> {
        let mut configuration = Configuration::new(mechanism, start)?;
        let scales = SceneScales::new(&mut configuration, &mut contacts, start)?;
        let h = if options.step.is_infinite() { scales.step(mechanism) } else { options.step };
        let mut workspace = Self {
            motion: Motion::new(configuration, start, [h, options.scheme.theta()]),
            nearby: Nearby::new(contacts, mechanism, options.reach, scales),
            joints: Joints::new(options.projection),
            impulses: Impulses::new(),
            impact: Impact::default(),
            record: StepRecord::of_nothing(),
            contacts: Vec::new(),
            budget: Budget { work: Some(WORK), ..Budget::default() },
        };
        workspace.set_scales(scales);
        let Self { motion, nearby, joints, record, .. } = &mut workspace;
        nearby.set_reach(motion);
        joints.project_positions(motion, nearby, record)?;
        workspace.project_velocities()?;
        workspace.end_step()?;
        Ok(workspace)
    }

    /// Lets solvers and projections know the scales and the budget.
    pub(super) fn set_scales(&mut self, scales: SceneScales) {
        self.nearby.set_scales(scales);
        self.impulses.set_scales(&scales, &self.budget);
        self.joints.set_scales(&scales, &self.budget);
    }

    pub(super) fn set_budget(&mut self, budget: Budget) {
        self.budget = budget;
        self.set_scales(*self.nearby.scales());
    }

    /// Changes the length of the steps to come.
    pub(super) fn set_step(&mut self, h: f64) {
        self.motion.set_step(h);
        self.nearby.forget();
    }

    /// Begins a step, behind the jumps of prescribed rates in it; the record of the one before.
    pub(super) fn begin_step(&mut self) -> StepRecord {
        self.motion.begin_step();
        self.contacts.clear();
        self.impact.begin_step();
        self.impulses.begin_step();
        self.joints.begin_step();
        self.nearby.begin_step(&self.motion);
        std::mem::replace(&mut self.record, StepRecord::of_nothing())
    }

    /// Crosses the jumps of prescribed rates in the step: contacts are to be found again, as far as bodies reach then.
    pub(super) fn cross_jumps(&mut self) -> Result<(), Error> {
        if self.motion.cross_jumps()? {
            self.nearby.forget();
            self.nearby.set_reach(&self.motion);
        }
        Ok(())
    }

    /// Back to the beginning of the step, behind the jumps, to take it in another way.
    pub(super) fn begin_again(&mut self) {
        self.nearby.forget();
        self.impact.take_back();
        self.impulses.begin_step();
        self.motion.begin_again();
        self.record = StepRecord::of_nothing();
        self.contacts.clear();
    }

    /// Back to the end of the step before.
    pub(super) fn take_back(&mut self, record: StepRecord) {
        self.begin_again();
        self.motion.take_back();
        self.record = record;
    }

    /// Applies the forces where the configuration is, and looks as far as they ask for.
    pub(super) fn apply_forces(&mut self) -> Result<(), Error> {
        self.motion.apply_forces()?;
        self.nearby.widen(&self.motion);
        Ok(())
    }

    /// Velocities at the end of the step without impulses, which the configuration takes, and those of the rows of the contacts found.
    pub(super) fn fly(&mut self) -> Result<(), Error> {
        let Self { motion, nearby, impulses, .. } = self;
        impulses.assemble(motion.configuration_mut(), nearby.found())?;
        impulses.take_before(nearby.found(), motion.configuration().poses());
        motion.fly()?;
        impulses.take_free(nearby.found(), motion.configuration().poses());
        Ok(())
    }

    /// Whether joints will change displacements on which friction acts.
    pub(super) fn closes_under_friction(&self) -> bool {
        let rubs = |contact: &Unilateral| contact.surface.friction_rows() > 0;
        self.motion.is_jointed() && self.joints.put_back_positions() && self.nearby.found().iter().any(rubs)
    }

    /// Lets friction know, after [`StepWorkspace::fly`], where joints will be at the end of the step.
    pub(super) fn foresee_closing(&mut self) -> Result<(), Error> {
        if self.closes_under_friction() {
            let Self { motion, nearby, impulses, .. } = self;
            impulses.take_closing(nearby.found(), motion.foresee_closing(false)?);
        }
        Ok(())
    }

    /// Impulses that hold the gaps of the contacts found open ([`Impulses::hold_gaps`]), applied to the velocities of [`StepWorkspace::fly`].
    pub(super) fn hold_gaps(&mut self, normal: impl Fn(&Unilateral) -> f64) -> Result<(), Error> {
        let Self { motion, nearby, impulses, record, .. } = self;
        let residual = impulses.hold_gaps(nearby.found(), motion.theta(), normal, record)?;
        record.residual = record.residual.max(residual);
        motion.push(|change| impulses.apply(change));
        Ok(())
    }

    /// Whether velocities after the step ask for another gyroscopic impulse: then the rows have the velocities without impulses that are so.
    pub(super) fn turns_otherwise(&mut self) -> Result<bool, Error> {
        let turns = self.motion.turns_otherwise()?;
        if turns {
            self.impulses.take_free(self.nearby.found(), self.motion.configuration().poses());
        }
        Ok(turns)
    }

    /// Whether velocities after the step ask for other friction at joints: then the step is to be taken again from its begin.
    pub(super) fn rubs_otherwise(&mut self) -> Result<bool, Error> {
        let Self { motion, nearby, impulses, .. } = self;
        motion.rubs_otherwise(|load| impulses.load(nearby.found(), load))
    }

    /// Writes down the contacts of the step with the impulses that hold their gaps. Those touch that have an impulse or whose gap at the
    /// end, `end`(contact, velocity before, after), closes by itself.
    pub(super) fn note(&mut self, end: impl Fn(&Unilateral, f64, f64) -> f64) {
        let Self { motion, nearby, impulses, impact, record, contacts, .. } = self;
        contacts.clear();
        impact.clear();
        for (c, contact) in nearby.found().iter().enumerate() {
            let impulse = impulses.of(c);
            let after = contact.rate(motion.configuration().poses());
            let gap = end(contact, impulses.before()[impulses.first()[c]], after);
            impact.note(contact, impulse[0] > 0.0 || is_closed(nearby.scales(), contact, gap));
            contacts.push(ContactRecord { id: contact.id, gap: contact.gap, closing_speed: 0.0, impulse });
        }
        let (far, lifted) = (motion.theta() * motion.h(), impulses.lifted(motion.theta()));
        impact.note_moved(motion.last_change().iter().map(|d| far * d), lifted);
        record.take_energy(&impulses.account(motion.theta() - 0.5, lifted));
    }

    /// Finds the contacts at the end of a step, from its velocities without impulses, and asks for their rebounds; whether there are any.
    pub(super) fn ask(&mut self) -> Result<bool, Error> {
        self.nearby.find_within_reach(&self.motion)?;
        self.motion.fly_on()?;
        self.impact.ask_all(&self.motion, &mut self.nearby, &self.joints, &self.contacts);
        Ok(self.impact.asks())
    }

    /// The impact at the end of a step, at its positions (factored): contacts that touched leave with what is asked of them, those that
    /// are closed stay so. If none rebounds there is nothing to do unless `always`.
    pub(super) fn rebound(&mut self, always: bool) -> Result<(), Error> {
        if !(always || self.impact.is_elastic()) {
            return Ok(());
        }
        if !self.ask()? && !always {
            self.motion.look();
            return Ok(());
        }
        let Self { motion, nearby, impulses, impact, .. } = self;
        impulses.assemble(motion.configuration_mut(), nearby.found())?;
        impulses.take_free(nearby.found(), motion.configuration().poses());
        impulses.take_before(nearby.found(), impact.begin(motion.begin()));
        let lifted = impact.lifted() - self.joints.pushed_out(&self.motion);
        self.collide(self.motion.theta() - 0.5, lifted)?;
        let impulses = &self.impulses;
        record_impact(&mut self.contacts, self.nearby.found(), &self.impact, |c| impulses.of(c));
        self.motion.store();
        self.motion.leave_impact();
        Ok(())
    }

    /// Impulses of the contacts found that give them the velocities asked for, or lower ones where these would create energy, applied
    /// to the velocities of the configuration. `shift` is theta - 1/2, `lifted` the energy of what contacts moved the bodies.
    pub(super) fn collide(&mut self, shift: f64, lifted: f64) -> Result<(), Error> {
        let Self { motion, nearby, impulses, impact, record, .. } = self;
        let mut reduced = Reduced { impulses, found: nearby.found(), impact, record, shift, lifted };
        let (residual, replaced) = collide(&mut reduced, impact.asks())?;
        record.replaced |= replaced && impact.throws(motion.fall());
        record.residual = record.residual.max(residual);
        record.take_energy(&impulses.account(shift, lifted));
        motion.push(|change| impulses.apply(change));
        Ok(())
    }

    /// Writes down the contacts of an impact that is all there is of them, and what it leaves of the debt.
    pub(super) fn note_impact(&mut self) {
        if self.impulses.push() {
            self.impact.set_debt(self.record.impact_energy.max(0.0));
        }
        for (c, contact) in self.nearby.found().iter().enumerate() {
            let impulse = self.impulses.of(c);
            let closing_speed = if impulse[0] > 0.0 { self.impact.closing_speed(c) } else { 0.0 };
            self.contacts.push(ContactRecord { id: contact.id, gap: contact.gap, closing_speed, impulse });
        }
    }

    /// Puts the configuration, which has drifted with its velocities, on the joints.
    pub(super) fn close_joints(&mut self) -> Result<(), Error> {
        self.joints.close(&mut self.motion, &mut self.record)
    }

    /// Projects the positions of a step if asked to.
    pub(super) fn put_back(&mut self) -> Result<(), Error> {
        self.joints.put_back(&mut self.motion, &mut self.nearby, &mut self.record)
    }

    /// Projects velocities if asked to; leaves the configuration factored at the state.
    pub(super) fn project_velocities(&mut self) -> Result<(), Error> {
        self.joints.project_velocities(&mut self.motion, &mut self.nearby, &mut self.record)
    }

    /// Records contacts, energy and violation at the end of the step.
    pub(super) fn end_step(&mut self) -> Result<(), Error> {
        let Self { motion, nearby, record, contacts, .. } = self;
        motion.look();
        motion.advance_states()?;
        nearby.end_step(motion, record)?;
        record.time = motion.state().time;
        record.contacts = contacts.len();
        record.active = contacts.iter().filter(|c| c.impulse[0] > 0.0).count();
        record.impulse = contacts.iter().map(|c| c.impulse[0]).sum();
        let mechanism = motion.mechanism();
        record.kinetic = mechanism.kinetic_energy(&motion.state().poses);
        record.potential = mechanism.potential_energy(motion.state(), motion.configuration().poses());
        [record.violation[1], record.rate_violation[1]] = motion.violations();
        Ok(())
    }

    /// At the end of a step that is accepted: refuses rows of joints that have opened, and goes on with others where those kept do not suit. Whether
    /// they are others.
    pub(super) fn keep_rows(&mut self) -> Result<bool, Error> {
        let closed = self.joints.closes(&self.record);
        self.motion.keep_rows(closed)
    }

    /// Refuses a step whose contact problem has a larger residual than `allowed`, a part of the speeds, or none that is a number; if `kept`, only if no
    /// impulses do what its contacts ask for.
    pub(super) fn check_solved(&self, allowed: f64, kept: bool) -> Result<(), Error> {
        let (time, residual) = (self.motion.state().time, self.record.residual);
        let passes = residual <= allowed || kept && residual.is_finite() && !self.impulses.contradict();
        if passes { Ok(()) } else { Err(Error::Unsolved { time, residual, allowed }) }
    }

    /// Makes one step of this one and the one before it, which left `record` and `contacts`.
    pub(super) fn join(&mut self, record: &StepRecord, contacts: &[ContactRecord]) {
        for before in contacts {
            match self.contacts.binary_search_by_key(&before.id, |contact| contact.id) {
                Ok(k) => self.contacts[k].join(before),
                Err(k) => self.contacts.insert(k, *before),
            }
        }
        self.record.join(record);
        self.record.contacts = self.contacts.len();
        self.record.active = self.contacts.iter().filter(|c| c.impulse[0] > 0.0).count();
    }
}

impl<C: Contacts> StepWorkspace<C> {
    /// Appends what the further steps depend on, and the record of the last one.
    pub(super) fn store(&self, to: &mut Vec<u8>) {
        self.motion.store_to(to);
        self.nearby.scales().store(to);
        self.impact.store(to);
        self.record.store(to);
        store_list(&self.contacts, to);
        store_list(self.impulses.guess(), to);
    }

    /// Contacts within reach are found again where it stands.
    pub(super) fn load(&mut self, from: &mut Source<'_>) -> Result<(), CheckpointError> {
        self.motion.load(from)?;
        let mut scales = *self.nearby.scales();
        scales.load(from)?;
        self.set_scales(scales);
        self.nearby.forget();
        self.impact.load(from)?;
        self.record.load(from)?;
        from.list(&mut self.contacts)?;
        from.list(self.impulses.guess_mut())?;
        self.motion.evaluate().map_err(|_| from.refuse("the state"))
    }
}

/// Takes the impulses of the impact at the end of a step, and closing speeds, in the place of those in the step.
pub(super) fn record_impact(
    contacts: &mut [ContactRecord],
    found: &[Unilateral],
    impact: &Impact,
    impulse: impl Fn(usize) -> [f64; 6],
) {
    contacts.iter_mut().for_each(|c| c.impulse = [0.0; 6]);
    for (c, contact) in found.iter().enumerate() {
        if let Some(k) = place(contacts, contact) {
            (contacts[k].impulse, contacts[k].closing_speed) = (impulse(c), impact.closing_speed(c));
        }
    }
}

/// The impact of a step in reduced form.
struct Reduced<'a> {
    impulses: &'a mut Impulses,
    found: &'a [Unilateral],
    impact: &'a Impact,
    record: &'a mut StepRecord,
    shift: f64,
    lifted: f64,
}

impl Rebounds for Reduced<'_> {
    const LEFT: f64 = ROUND_OFF;
    const UNSOLVED: f64 = UNSOLVED;

    fn attempt(&mut self, factor: f64) -> Result<f64, Error> {
        self.impulses.attempt(self.found, self.impact.asked(), factor, self.record)
    }

    fn account(&self) -> Account {
        self.impulses.account(self.shift, self.lifted)
    }

    /// One contact alone with Stronge's law, the coefficient that of the velocities.
    fn follow_path(&mut self) -> bool {
        let (before, free) = (self.impulses.before(), self.impulses.free());
        let ([contact], rows) = (self.found, free.len()) else { return false };
        let there = |i: usize| free[i] + self.shift.max(0.0) * (free[i] - before[i]);
        if rows == 1 || rows > 3 || there(0) >= 0.0 {
            return false;
        }
        let w = self.impulses.matrix();
        let w = Matrix3::from_fn(|i, j| if i < rows && j < rows { w[(i, j)] } else { f64::from(u8::from(i == j)) });
        let rates = Vector3::from_fn(|i, _| if i < rows { there(i) } else { 0.0 });
        let e = (-(self.impact.asked()[0] + there(0) - free[0]) / there(0)).min(1.0);
        let Some(single) = routh::impact(&w, &rates, contact.surface.friction, e, Restitution::Energetic) else {
            return false;
        };
        self.impulses.set(&single.impulse.as_slice()[..rows]);
        true
    }
}
