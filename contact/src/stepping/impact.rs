//! The impact of a step: with which velocities contacts that closed in it leave, and what becomes of the energy.
//!
//! A scheme that moves by q+ = q + h (theta u+ + (1 - theta) u) has the velocities u^ = u + (theta - 1/2) h a at its positions, a the
//! acceleration of the step: with them free flight under constant forces keeps its energy exactly. At the end of a step, at the new
//! positions, u~ are the velocities without impulses and p how deep flight without impulses would have got. A contact then met at
//!
//! ```text
//! v^2 = u^_N^2 + 2 a p   and is to leave with   u^_N+ = e v,      0 <= S_N _|_ u_N+ - (e v - (theta - 1/2) h a) >= 0   (Newton)
//! ```
//!
//! Gaps, normals and velocities are those of one and the same configuration, as otherwise spheres that meet obliquely would gain with h.
//! A rebound whose flight would not last a step, 2 e v/|a| <= h, is not resolved: the contact rests. The account of a step is
//!
//! ```text
//! E = S^T ((u+ + u~)/2 + (theta - 1/2) h a) - Q^T dq,
//! ```
//!
//! dq what contacts moved the bodies. Newton's law can make it positive, with friction, or where a contact opens as others collide.
//! Then one contact alone follows Routh's path with the energetic law ([`crate::law`]); of several at once all rebounds are lowered
//! ([`super::account`]).

use super::nearby::Nearby;
use super::{ContactRecord, joints::Joints, motion::Motion};
use crate::configuration::gather;
use crate::unilateral::{Contacts, Unilateral};
use fourbar_multibody::space::Pose;

/// Part of a flight of a step, that it must be longer to be resolved: with e = 1 what rests is at the limit.
const RESTS: f64 = 1e-6;
/// Rebound that is none, as part of what forces change a velocity by in the step: bodies at rest on one another fall alike, so that nothing ends
/// what round-off leaves between them.
const SLOWEST: f64 = 1e-4;

/// What the impact of a step is made of, kept from step to step for its memory.
#[derive(Debug, Clone, Default)]
pub(super) struct Impact {
    /// Velocity asked of each contact found after the impact [m/s], and the speed with which it closed.
    asked: Vec<f64>,
    closing_speeds: Vec<f64>,
    /// Whether each contact of the record touches at the end of the step, and whether one of these may rebound.
    touched: Vec<bool>,
    elastic: bool,
    /// Energy that contacts gave the bodies by moving them \[J\].
    lifted: f64,
    /// What contacts moved the bodies, six numbers a body.
    moved: Vec<f64>,
    /// Energy that bodies were given in earlier steps and that no impact has taken back yet \[J\], negative if they lost it.
    debt: f64,
    /// The same when the step began.
    debt_before: f64,
    /// Velocities at the begin of the step, bodies and the ground.
    begin: Vec<Pose>,
}

// The energy that bodies were given; the rest is of one step.
fourbar_linalg::stored!(struct Impact { debt, debt_before });

impl Impact {
    /// A step begins.
    pub(super) fn begin_step(&mut self) {
        self.clear();
        self.debt_before = self.debt;
    }

    /// The step is taken back.
    pub(super) fn take_back(&mut self) {
        self.clear();
        self.debt = self.debt_before;
    }

    pub(super) fn clear(&mut self) {
        self.asked.clear();
        self.closing_speeds.clear();
        self.touched.clear();
        (self.elastic, self.lifted) = (false, 0.0);
    }

    /// Notes whether the next contact of the record touches.
    pub(super) fn note(&mut self, contact: &Unilateral, touches: bool) {
        self.touched.push(touches);
        self.elastic |= touches && contact.surface.restitution > 0.0;
    }

    /// Notes what contacts moved the bodies, and the energy that gave them.
    pub(super) fn note_moved(&mut self, moved: impl Iterator<Item = f64>, lifted: f64) {
        self.moved.clear();
        self.moved.extend(moved);
        self.lifted = lifted;
    }

    /// Asks the next contact found for a velocity after the impact.
    pub(super) fn ask(&mut self, [closing_speed, asked]: [f64; 2]) {
        self.asked.push(asked);
        self.closing_speeds.push(closing_speed);
    }

    /// Asks for nothing yet.
    pub(super) fn ask_anew(&mut self) {
        self.asked.clear();
        self.closing_speeds.clear();
    }

    pub(super) fn asked(&self) -> &[f64] {
        &self.asked
    }

    pub(super) fn closing_speed(&self, contact: usize) -> f64 {
        self.closing_speeds[contact]
    }

    /// Whether any rebound is asked for.
    pub(super) fn asks(&self) -> bool {
        self.asked.iter().any(|asked| *asked > 0.0)
    }

    /// Whether a rebound is asked for that forces, which change velocities by `fall`, do not end within half a step: those of bodies at rest on one
    /// another, which fall alike and so keep whatever velocity round-off has left between them, are too slow for it to matter which law they follow.
    pub(super) fn throws(&self, fall: f64) -> bool {
        self.asked.iter().any(|asked| *asked > 0.5 * fall)
    }

    /// Whether a contact that touches may rebound.
    pub(super) fn is_elastic(&self) -> bool {
        self.elastic
    }

    pub(super) fn lifted(&self) -> f64 {
        self.lifted
    }

    pub(super) fn debt(&self) -> f64 {
        self.debt
    }

    pub(super) fn set_debt(&mut self, debt: f64) {
        self.debt = debt;
    }

    /// Bodies with the velocities they had when the step began.
    pub(super) fn begin(&mut self, poses: &[Pose]) -> &[Pose] {
        self.begin.clear();
        self.begin.extend(poses.iter().copied().chain([Pose::ground()]));
        &self.begin
    }

    /// Keeps those found that touched or are closed, and works out what is asked of them, from the velocities without impulses that the
    /// configuration has.
    pub(super) fn ask_all<C: Contacts>(
        &mut self,
        motion: &Motion,
        nearby: &mut Nearby<C>,
        joints: &Joints,
        record: &[ContactRecord],
    ) {
        let touched = |contact: &Unilateral| place(record, contact).is_some_and(|k| self.touched[k]);
        let scales = *nearby.scales();
        nearby.retain(|contact| super::nearby::is_closed(&scales, contact, contact.gap) || touched(contact));
        let (theta, h) = (motion.theta(), motion.h());
        self.ask_anew();
        self.begin(motion.begin());
        let noise = SLOWEST * motion.fall();
        for contact in nearby.found() {
            let row = (contact.bodies, contact.rows[0]);
            let moved = gather(&row, &self.moved) + gather(&row, joints.pushed());
            let meeting = Meeting {
                before: contact.rate(&self.begin),
                free: contact.rate(motion.configuration().poses()),
                gap: contact.gap - moved,
                restitution: contact.surface.restitution,
            };
            let touched = place(record, contact).is_some_and(|k| self.touched[k]);
            let [closing_speed, asked] = if touched { meeting.bounce(theta, h) } else { [0.0; 2] };
            self.ask([closing_speed, if asked <= noise { 0.0 } else { asked }]);
        }
    }
}

/// Which of the contacts of the record `contact` is.
pub(super) fn place(record: &[ContactRecord], contact: &Unilateral) -> Option<usize> {
    record.binary_search_by_key(&contact.id, |r| r.id).ok()
}

/// A normal row at the end of a step.
#[derive(Debug, Clone, Copy)]
struct Meeting {
    /// Velocity before the step and at its end without impulses [m/s].
    before: f64,
    free: f64,
    /// Gap that flight without impulses would have had \[m\].
    gap: f64,
    restitution: f64,
}

impl Meeting {
    /// Speed with which the contact closed, and velocity to ask of it after the step [m/s].
    fn bounce(&self, theta: f64, h: f64) -> [f64; 2] {
        let gained = self.free - self.before;
        let shift = (theta - 0.5) * gained;
        let there = self.free + shift;
        let square = there * there + 2.0 * gained / h * (-self.gap).max(0.0);
        if there >= 0.0 || square <= 0.0 {
            return [0.0; 2];
        }
        let closing_speed = square.sqrt();
        let rebound = self.restitution * closing_speed;
        let rests = rebound <= -0.5 * gained * (1.0 + RESTS);
        [closing_speed, if rests { 0.0 } else { (rebound - shift).max(0.0) }]
    }
}
