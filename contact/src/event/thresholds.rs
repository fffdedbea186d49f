//! What counts as nothing, at events and between them.
//!
//! Each threshold is a part without a unit of a scale of the scene ([`SceneScales`]), so that a scene drawn in micrometres or kilometres, in
//! slow or in quick motion has the same events. Speeds of slip are those of a group of friction rows: a turn has the unit 1/time.

use super::groups;
use crate::scene_scales::SceneScales;
use crate::unilateral::Unilateral;

/// Gap that touches, of the length: above what projections leave of a gap (1e-14), below any gap that matters.
const TOUCHING: f64 = 1e-10;
/// Gap of an open contact that has entered, of the length: above round-off of gaps, below what touches.
const ENTERED: f64 = 1e-12;
/// Gap of a closed contact that has entered, of the length: a redundant row may drift by what touches, and by that a hundred times.
const PENETRATED: f64 = 1e-8;
/// Overlap of a start that counts as round-off, of the length: numbers of a file are written with six digits, places of a few bodies.
const START: f64 = 4e-6;
/// Rate of a gap and speed of slip that are none, of the speed: half the digits, which a velocity behind an impact has.
const STOPPED: f64 = 1e-9;
/// Slip backwards that has stopped, of the speed: above its round-off.
const BACK: f64 = 1e-14;
/// Time for which a decision holds, of the time: round-off of the forces that reached a limit.
const GRACE: f64 = 1e-9;
/// Time in which events are counted, of the time: falls of a body by its own size.
const PERIOD: f64 = 10.0;
/// Pace, the mean length of steps and events, of the time: what else ends steps, the onset of slip and poles, passes by it.
const PACE: f64 = 1e-8;
/// Closing speed from which accumulations are passed, of the speed: four digits below the motion; the rebound then left has
/// 1e-8 of its energy.
const ACCUMULATES: f64 = 1e-4;
/// Errors of places, of the length; those of turns and speeds are 1: the size of a scene of a few bodies.
const PLACES: f64 = 4.0;

/// The thresholds of a scene.
#[derive(Debug, Clone, Copy)]
pub(super) struct Thresholds {
    pub(super) scales: SceneScales,
}

impl Thresholds {
    /// Whether a contact touches.
    pub(super) fn touches(&self, contact: &Unilateral) -> bool {
        contact.gap <= self.touching(contact)
    }

    /// Gap up to which a contact touches [m, rad].
    pub(super) fn touching(&self, contact: &Unilateral) -> f64 {
        self.scales.of_gap(contact, TOUCHING)
    }

    /// Whether an open contact has entered the material.
    pub(super) fn entered(&self, contact: &Unilateral) -> bool {
        contact.gap < -self.scales.of_gap(contact, ENTERED)
    }

    /// Whether a closed contact has entered the material, as one whose redundant row is not held may.
    pub(super) fn penetrated(&self, contact: &Unilateral) -> bool {
        contact.gap < -self.scales.of_gap(contact, PENETRATED)
    }

    /// Overlap that counts as round-off of the numbers that describe a start [m, rad].
    pub(super) fn overlap(&self, contact: &Unilateral) -> f64 {
        self.scales.of_gap(contact, START)
    }

    /// Rate of a gap that is none [m/s, rad/s].
    pub(super) fn rate(&self, contact: &Unilateral) -> f64 {
        self.scales.of_rate(contact, STOPPED)
    }

    /// Rate of a gap that is round-off [m/s, rad/s].
    pub(super) fn round_off(&self, contact: &Unilateral) -> f64 {
        self.scales.of_rate(contact, BACK)
    }

    /// Speed of slip of group `g` that is none [m/s, rad/s]; below it a direction is taken from before.
    pub(super) fn slip(&self, g: usize) -> f64 {
        STOPPED * self.speed(g)
    }

    /// Speed backwards at which slip of group `g` has stopped: above round-off, so that one that begins from rest is not stopped by it
    /// [m/s, rad/s].
    pub(super) fn back(&self, g: usize) -> f64 {
        BACK * self.speed(g)
    }

    fn speed(&self, g: usize) -> f64 {
        if groups::slides(g) { self.scales.speed } else { 1.0 / self.scales.time() }
    }

    /// Time for which a decision holds unasked \[s\]: where a force has just reached its limit, round-off may say at once that it no longer
    /// does, and a root function that begins on the wrong side would never change its sign.
    pub(super) fn grace(&self) -> f64 {
        GRACE * self.scales.time()
    }

    /// Time in which events are counted \[s\].
    pub(super) fn period(&self) -> f64 {
        PERIOD * self.scales.time()
    }

    /// Mean length of steps and events below which a motion makes no progress \[s\].
    pub(super) fn pace(&self) -> f64 {
        PACE * self.scales.time()
    }

    /// Closing speed below which a sequence of impacts is passed in closed form [m/s, rad/s], where the fastest before was `fastest`.
    pub(super) fn accumulates(&self, contact: &Unilateral, fastest: f64) -> f64 {
        ACCUMULATES * fastest.max(self.scales.of_rate(contact, 1.0))
    }

    /// Sizes of places, speeds and rates of turn against which errors of the integrator are measured.
    pub(super) fn typical(&self) -> [f64; 3] {
        [PLACES * self.scales.length, self.scales.speed, 1.0 / self.scales.time()]
    }
}
