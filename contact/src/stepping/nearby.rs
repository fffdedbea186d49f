//! The contacts within reach of a step: how far it looks, and what it finds.

use super::StepRecord;
use super::motion::Motion;
use crate::error::Error;
use crate::scene_scales::{SceneScales, is_angle};
use crate::unilateral::{Contacts, Unilateral};
use fourbar_multibody::Mechanism;
use fourbar_multibody::space::V3;

/// Gap below which a contact counts as closed when a step has ended, as part of the length of the scene ([`SceneScales`]).
const CLOSED: f64 = 1e-10;
/// Gap within which contacts are looked at however slow bodies are, as part of the length, and falls of a step from which they are.
const NEAR: f64 = 1e-6;
const FALLS: f64 = 2.0;
/// Acceleration from which on a step looks farther, over that of the scene: what weighs alone does not change, but for round-off.
const WIDER: f64 = 1.01;
/// Part of the speed of bodies that overlap with which they may be pushed apart.
const PUSHES: f64 = 0.1;

/// The collision detector, and the contacts found last.
#[derive(Debug, Clone)]
pub(super) struct Nearby<C> {
    detector: C,
    found: Vec<Unilateral>,
    /// Contacts at the end of a step with the positions at its begin.
    later: Vec<Unilateral>,
    /// Whether `found` are the contacts within reach of the state, as the end of a step leaves them.
    fresh: bool,
    /// Whether walls within reach move at the begin of a step, and whether they jump or bend in it.
    walls_move: bool,
    walls_break: bool,
    given_reach: Option<f64>,
    scales: SceneScales,
    /// Gap up to which contacts matter in this step.
    reach: f64,
    /// Distance of the farthest point of a body from its centre of mass, a guess from its inertia \[m\].
    extents: Vec<f64>,
}

impl<C: Contacts> Nearby<C> {
    pub(super) fn new(detector: C, mechanism: &Mechanism, given_reach: Option<f64>, scales: SceneScales) -> Self {
        // Radius of gyration times sqrt(5), the corner of a slender rod or box.
        let extents = mechanism.bodies().iter().map(|b| (5.0 * b.inertia.trace() / b.mass).sqrt()).collect();
        let (found, later) = (Vec::new(), Vec::new());
        let (fresh, walls_move, walls_break) = (false, true, false);
        Self { detector, found, later, fresh, walls_move, walls_break, given_reach, scales, reach: 0.0, extents }
    }

    /// Length, mass and speed of the scene.
    pub(super) fn scales(&self) -> &SceneScales {
        &self.scales
    }

    pub(super) fn set_scales(&mut self, scales: SceneScales) {
        self.scales = scales;
    }

    pub(super) fn detector(&self) -> &C {
        &self.detector
    }

    pub(super) fn detector_mut(&mut self) -> &mut C {
        &mut self.detector
    }

    /// The contacts found last.
    pub(super) fn found(&self) -> &[Unilateral] {
        &self.found
    }

    pub(super) fn reach(&self) -> f64 {
        self.reach
    }

    /// Those found are no longer the ones within reach of the state.
    pub(super) fn forget(&mut self) {
        self.fresh = false;
    }

    /// Begins a step from the state of `motion`.
    pub(super) fn begin_step(&mut self, motion: &Motion) {
        // Until a break contacts are found as before it.
        self.walls_break = self.detector.next_break(motion.state().time) < motion.state().time + motion.h();
        self.set_reach(motion);
    }

    /// Looks as far as the bodies of the state may come in a step.
    pub(super) fn set_reach(&mut self, motion: &Motion) {
        self.reach = self.farthest(motion, self.scales.acceleration);
    }

    /// By default what the two fastest bodies may travel in a step, twice, under an acceleration.
    fn farthest(&self, motion: &Motion, acceleration: f64) -> f64 {
        self.given_reach.unwrap_or_else(|| {
            let h = motion.h();
            let bodies = motion.state().poses.iter().zip(&self.extents);
            let fastest = bodies.map(|(p, r)| p.v.norm() + p.w.norm() * r).fold(0.0, f64::max);
            2.0 * h * fastest + FALLS * h * h * acceleration + NEAR * self.scales.length
        })
    }

    /// Looks farther where the forces of the step push harder than those of the scene as it began: a contact that is not seen is passed through.
    pub(super) fn widen(&mut self, motion: &Motion) {
        let bodies = motion.configuration().mechanism().bodies().iter().zip(motion.force().chunks_exact(6));
        let pushed = bodies.map(|(body, force)| V3::from_column_slice(&force[..3]).norm() / body.mass);
        let strongest = pushed.fold(0.0, f64::max);
        if strongest > WIDER * self.scales.acceleration {
            let reach = self.farthest(motion, strongest);
            self.fresh &= reach <= self.reach;
            self.reach = self.reach.max(reach);
        }
    }

    /// Finds contacts where the configuration is.
    pub(super) fn find(&mut self, motion: &Motion, margin: f64) -> Result<(), Error> {
        self.fresh = false;
        self.scales.find(&mut self.detector, motion.place(), margin, &mut self.found)
    }

    /// Finds those within reach.
    pub(super) fn find_within_reach(&mut self, motion: &Motion) -> Result<(), Error> {
        self.find(motion, self.reach)
    }

    /// Contacts within reach at the beginning of a step, where the configuration is: those that the end of the step before found. Walls that jump
    /// or bend in the step have their mean rate.
    pub(super) fn find_first(&mut self, motion: &Motion) -> Result<(), Error> {
        if !self.fresh {
            self.find_within_reach(motion)?;
        }
        if self.walls_break { self.take_mean_rates(motion) } else { Ok(()) }
    }

    /// Gives walls the mean rate of the step, from the gaps at its end with the positions at its begin.
    fn take_mean_rates(&mut self, motion: &Motion) -> Result<(), Error> {
        self.fresh = false;
        let (time, poses) = motion.place();
        self.scales.find(&mut self.detector, (time + motion.h(), poses), self.reach, &mut self.later)?;
        for contact in &mut self.later {
            let known = self.found.binary_search_by_key(&contact.id, |known| known.id);
            let begin = known.map_or(contact.gap - motion.h() * contact.gap_rate, |k| self.found[k].gap);
            contact.gap_rate = (contact.gap - begin) / motion.h();
            contact.gap = begin;
        }
        std::mem::swap(&mut self.found, &mut self.later);
        Ok(())
    }

    /// Contacts that are closed in the middle of the step, where the configuration is; walls are where they are then, with the rates that
    /// they have at the end.
    pub(super) fn find_closed_in_middle(&mut self, motion: &Motion) -> Result<(), Error> {
        if !(self.walls_move || self.walls_break) {
            return self.find_closed(motion);
        }
        self.find_within_reach(motion)?;
        self.found.iter_mut().for_each(|contact| contact.gap -= 0.5 * motion.h() * contact.gap_rate);
        let scales = self.scales;
        self.found.retain(|contact| is_closed(&scales, contact, contact.gap));
        Ok(())
    }

    /// Contacts that are closed where the configuration is.
    pub(super) fn find_closed(&mut self, motion: &Motion) -> Result<(), Error> {
        self.find(motion, self.scales.of_length(CLOSED))
    }

    /// Keeps those found of which `is` holds.
    pub(super) fn retain(&mut self, is: impl FnMut(&Unilateral) -> bool) {
        self.found.retain(is);
    }

    /// Speed with which bodies that overlap at the begin of a step may be pushed apart in it, as they keep it: a part of how fast they
    /// are, and what forces change velocities by, `fall`, twice.
    pub(super) fn push_out(&self, motion: &Motion, contact: &Unilateral, fall: f64) -> f64 {
        let speed = |body: usize| {
            let pose = motion.state().poses.get(body).zip(self.extents.get(body));
            pose.map_or(0.0, |(pose, extent)| pose.v.norm() + pose.w.norm() * extent)
        };
        PUSHES * (speed(contact.bodies[0]) + speed(contact.bodies[1])) + 2.0 * fall
    }

    /// Finds the contacts at the end of a step, from which the next begins, and records gap and overlap.
    pub(super) fn end_step(&mut self, motion: &Motion, record: &mut StepRecord) -> Result<(), Error> {
        self.set_reach(motion);
        self.find_within_reach(motion)?;
        self.fresh = true;
        self.walls_move = self.found.iter().any(|contact| contact.gap_rate != 0.0);
        record.gap = self.found.iter().fold(f64::INFINITY, |a, c| a.min(c.gap));
        for contact in self.found.iter().filter(|contact| contact.gap < 0.0) {
            let part = if is_angle(contact) { -contact.gap } else { -contact.gap / self.width(contact) };
            if part > record.overlap {
                (record.overlap, record.deepest, record.depth) = (part, contact.id, -contact.gap);
            }
        }
        Ok(())
    }

    /// Size of the smaller of what touches; points without a size of their own are those of their body \[m\].
    fn width(&self, contact: &Unilateral) -> f64 {
        let own = |body: usize| self.extents.get(body).copied().filter(|size| *size > 0.0).unwrap_or(f64::INFINITY);
        let width = self.detector.width(contact.id);
        if width.is_finite() { width } else { own(contact.bodies[0]).min(own(contact.bodies[1])) }
    }
}

/// Whether a gap of a contact counts as closed.
pub(super) fn is_closed(scales: &SceneScales, contact: &Unilateral, gap: f64) -> bool {
    gap <= scales.of_gap(contact, CLOSED)
}
