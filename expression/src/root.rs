//! The next zero of a function of the time: in closed form where it is a straight line or a single sine, by bisection elsewhere.

use super::code::Op;
use super::exponential::ExponentialSum;
use super::machine::execute;
use super::spline::Surface;
use std::f64::consts::{PI, TAU};
use std::sync::Arc;

/// A function of the time whose zeros end what was settled at a time.
pub(super) struct Switch {
    /// The function, t counted from [`Search::from`]; none if it is not such a sum.
    pub(super) law: Option<ExponentialSum>,
    /// The operations that compute it; none where the law does.
    pub(super) code: Vec<Op>,
    /// Its sign until its next zero, where that was settled; else as it is at the time of settling.
    pub(super) sign: Option<f64>,
}

impl Switch {
    /// Its sign until its next zero.
    fn sign(&self, search: &Search<'_>, stack: &mut Vec<f64>) -> f64 {
        self.sign.unwrap_or_else(|| self.value(search, search.at, stack).signum())
    }

    /// The function at a time.
    fn value(&self, search: &Search<'_>, time: f64, stack: &mut Vec<f64>) -> f64 {
        match (self.code.is_empty(), &self.law) {
            (true, Some(law)) => law.value(time - search.from),
            _ => search.evaluate(&self.code, time, stack),
        }
    }
}

/// From when to when a zero is looked for.
#[derive(Clone, Copy)]
pub(super) struct Search<'a> {
    /// Splines of the program.
    pub(super) surfaces: &'a [Arc<Surface>],
    /// Slot of the time.
    pub(super) time: usize,
    /// From where laws count \[s\].
    pub(super) from: f64,
    /// The time at which everything was settled \[s\].
    pub(super) at: f64,
    /// Where a search without a closed form ends \[s\].
    pub(super) horizon: f64,
}

/// Places at which a function without a closed form is looked at, at least and at most, evenly spread up to the horizon. Eight for each
/// half period of its fastest known sine, where they are told by a law.
const PLACES: [f64; 2] = [64.0, 4096.0];
/// How many neighbouring numbers round-off may carry a zero in closed form from that of the program, as a power of two.
const NEAR: u32 = 20;

impl Search<'_> {
    /// The value of operations at a time.
    pub(super) fn evaluate(&self, code: &[Op], time: f64, stack: &mut Vec<f64>) -> f64 {
        stack.resize(stack.len().max(code.len()), 0.0);
        execute(
            code,
            self.surfaces,
            |slot| if slot == self.time { time } else { f64::NAN },
            stack,
            &mut super::machine::Free,
        )
    }

    /// The first zero after the time of settling, and up to where it was looked for.
    pub(super) fn first_zero(&self, switch: &Switch, stack: &mut Vec<f64>) -> (f64, f64) {
        let closed = switch.law.as_ref().and_then(|law| self.in_closed_form(law));
        match closed {
            Some(zero) if zero.is_finite() => (self.on_the_flip(switch, zero, stack), f64::INFINITY),
            Some(zero) => (zero, f64::INFINITY),
            None => (self.by_looking(switch, stack), self.horizon),
        }
    }

    /// The zero of a straight line or of a constant and one sine; infinite if there is none.
    fn in_closed_form(&self, law: &ExponentialSum) -> Option<f64> {
        let elapsed = self.at - self.from;
        if let Some((a, b)) = law.is_ramp() {
            let zero = -a / b;
            return Some(if b != 0.0 && zero > elapsed { self.from + zero } else { f64::INFINITY });
        }
        let (offset, c, omega) = law.is_sine()?;
        let (radius, phase) = (c.norm(), c.arg());
        // |c| cos(omega t + phase) = -offset.
        if offset.abs() > radius {
            return Some(f64::INFINITY);
        }
        let angle = (-offset / radius).acos();
        let next = |angle: f64| {
            let turns = ((omega * elapsed + phase - angle) / TAU).ceil();
            let zeros = [turns, turns + 1.0].map(|turns| (angle + TAU * turns - phase) / omega);
            zeros.into_iter().find(|zero| *zero > elapsed).unwrap_or(f64::INFINITY)
        };
        Some(self.from + next(angle).min(next(-angle)))
    }

    /// The number near `zero` at which the sign that the program computes changes; `zero` itself if there is none.
    fn on_the_flip(&self, switch: &Switch, zero: f64, stack: &mut Vec<f64>) -> f64 {
        let sign = switch.sign(self, stack);
        let mut same = |time: f64| switch.value(self, time, stack) * sign > 0.0;
        let spacing = zero.abs().max(f64::MIN_POSITIVE) * f64::EPSILON;
        for reach in (0..=NEAR).map(|k| f64::from(1u32 << k) * spacing) {
            let (before, after) = ((zero - reach).max(self.at), zero + reach);
            if same(before) && !same(after) {
                return bisect(before, after, same);
            }
        }
        zero
    }

    /// The first change of sign between places up to the horizon.
    fn by_looking(&self, switch: &Switch, stack: &mut Vec<f64>) -> f64 {
        let span = self.horizon - self.at;
        let sign = switch.sign(self, stack);
        if !(span > 0.0) || sign.is_nan() {
            return f64::INFINITY;
        }
        let fastest = switch.law.iter().flat_map(|law| law.terms()).map(|term| term.rate.im).fold(0.0, f64::max);
        let places = (span * fastest * 8.0 / PI).clamp(PLACES[0], PLACES[1]).ceil();
        let mut same = |time: f64| switch.value(self, time, stack) * sign > 0.0;
        let mut before = self.at;
        for i in 1..=places as u32 {
            let after = self.at + span * (f64::from(i) / places);
            if !same(after) {
                return bisect(before, after, same);
            }
            before = after;
        }
        f64::INFINITY
    }
}

/// The first of two neighbouring numbers that is not the `same` as the one before it.
fn bisect(mut before: f64, mut after: f64, mut same: impl FnMut(f64) -> bool) -> f64 {
    loop {
        let middle = before + 0.5 * (after - before);
        if !(before < middle && middle < after) {
            return after;
        }
        if same(middle) { before = middle } else { after = middle }
    }
}
