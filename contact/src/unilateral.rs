//! What the solvers see of a contact: its gap and a few rows over the velocities of two bodies.
//!
//! Whatever touches (a sphere and a plane, two hulls, a rope at its full length, a joint at its stop), the time-stepping and
//! event-driven methods know it as a [`Unilateral`]: one normal row, the gradient of the gap, and the rows along which friction acts.
//! The impulses S push along the rows: M dv = J^T S, S_N >= 0 opens the gap.

pub use crate::contact_id::ContactId;
pub use crate::surface::{Row, Surface};
use fourbar_multibody::space::{Pose, V3};

impl Row {
    /// J u of the bodies I and J [m/s, rad/s].
    #[inline]
    #[must_use]
    pub fn rate(&self, i: &Pose, j: &Pose) -> f64 {
        self.g.dot(&(i.v - j.v)) + self.gi.dot(&i.w) + self.gj.dot(&j.w)
    }
}

/// A contact at one configuration.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Unilateral {
    /// Which one.
    pub id: ContactId,
    /// Bodies I and J; the number of bodies of the mechanism stands for the ground.
    pub bodies: [usize; 2],
    /// Gap g_N: positive apart, negative overlapping [m, rad].
    pub gap: f64,
    /// Explicit rate of the gap with time, dg/dt at fixed positions (a wall moved as a function of time) [m/s, rad/s].
    pub gap_rate: f64,
    /// Its time derivative along the motion, d/dt of `gap_rate` [m/s^2, rad/s^2].
    pub gap_rate_drift: f64,
    /// Normal row, then two tangential ones (orthonormal), one of spinning, two of rolling; [`Surface::friction_rows`] are in use
    /// beside the first.
    pub rows: [Row; 6],
    /// Where it is, global frame \[m\]: halfway between the nearest points; `None` for a gap without a place (a joint's stop).
    pub point: Option<V3>,
    /// Its surface.
    pub surface: Surface,
}

impl Unilateral {
    /// Rate of the gap, phi_N^T u + phi~_N [m/s, rad/s].
    #[must_use]
    pub fn rate(&self, poses: &[Pose]) -> f64 {
        self.rows[0].rate(&poses[self.bodies[0]], &poses[self.bodies[1]]) + self.gap_rate
    }
}

/// A collision detector: finds the contacts of a configuration.
pub trait Contacts {
    /// Clears `found` and fills it with the contacts whose gap is at most `margin` \[m or rad\], in an order that depends on the
    /// configuration alone (sorted by id). `poses` hold the bodies and, last, the ground. Allocates only while `found` and the workspace grow.
    ///
    /// # Errors
    /// [`Error`](crate::Error) naming a pair whose gap cannot be evaluated.
    fn find(&mut self, time: f64, poses: &[Pose], margin: f64, found: &mut Vec<Unilateral>)
    -> Result<(), crate::Error>;

    /// Raises `reaches`, one a body, to how far what may touch on it reaches from its centre of mass \[m\], as far as that is known and bounded.
    fn reaches(&self, reaches: &mut [f64]) {
        let _ = reaches;
    }

    /// Size of the smaller of what touches in a contact \[m\], its least width; infinite where that is not known.
    fn width(&self, id: ContactId) -> f64 {
        let _ = id;
        f64::INFINITY
    }

    /// Whether any gap is an angle \[rad\].
    fn has_angles(&self) -> bool {
        false
    }

    /// Prepares for events, before each [`Contacts::find`]: `closed`, sorted, are to be found wherever their features are, also a little
    /// outside of the region in which these touch. True if contacts come and go at their regions.
    fn follow(&mut self, closed: &mut dyn Iterator<Item = ContactId>) -> bool {
        let _ = closed;
        false
    }

    /// How far a closed contact was from leaving the region in which its features touch, when it was last found \[m\]; negative behind.
    /// `None`, by its id alone, if it has no bounds.
    fn region(&self, id: ContactId) -> Option<f64> {
        let _ = id;
        None
    }

    /// The first time from `time` \[s\] on at which what contacts are given as functions of time jumps or bends, and behind which
    /// [`Contacts::pass_break`] has not gone; infinite if there is none. Until then contacts are found as before it.
    fn next_break(&mut self, time: f64) -> f64 {
        let _ = time;
        f64::INFINITY
    }

    /// Goes on behind the break at `time` \[s\], if [`Contacts::next_break`] gave one there.
    fn pass_break(&mut self, time: f64) {
        let _ = time;
    }

    /// Where the motion stands among these breaks, for a checkpoint.
    fn break_state(&self) -> [f64; 3] {
        [f64::INFINITY; 3]
    }

    /// Goes back to where it stood.
    fn set_break_state(&mut self, state: [f64; 3]) {
        let _ = state;
    }

    /// Whether events can follow these contacts: each gap is a smooth function of the configuration as long as it is near zero, under one id.
    ///
    /// # Errors
    /// [`Error::Unfollowed`](crate::Error::Unfollowed) naming a pair of which that is not true.
    fn check_events(&self) -> Result<(), crate::Error> {
        Ok(())
    }

    /// Why a contact that was closed may not be found any more, and what to do so that it is, for people.
    fn lost(&self, id: ContactId) -> String {
        let _ = id;
        "its bodies touch at another place; end the motion before".to_owned()
    }

    /// Name of a contact for people.
    fn describe(&self, id: ContactId) -> String {
        format!("{} of pair {}", id.feature, id.pair)
    }
}
