//! What happens between two steps: angles counted on, charts exchanged before they become singular.

use super::equations::{Equations, at};
use crate::dae::History;
use crate::orientation::{Chart, whole_turns};
use crate::space::{Pose, V3};
use crate::state::Tracked;

/// Highest order of a history polynomial that can be carried over (Adams methods reach 12).
const MAX_ORDER: usize = 12;

impl Equations {
    /// Follows the tracked angles to the accepted state; exchanges charts that come near their singularity. Returns whether
    /// any chart changed.
    pub(super) fn continue_charts(&mut self, history: &mut dyn History) -> bool {
        self.sizes.prescribe(&self.mechanism, &self.drives);
        if let Some(plane) = self.plane.clone() {
            self.place_history(&plane, history);
            (0..self.layout.bodies).for_each(|b| self.sizes.follow(b, &self.poses[b]));
            self.follow_angles(history);
            self.follow_history(history);
            self.follow_states(history);
            return false;
        }
        let l = self.layout;
        let mut changed = false;
        for b in 0..l.bodies {
            let e = coefficients(history, l.e(b), 0);
            let euler = self.charts[b].euler(&e);
            let vector = |first: usize| at(&coefficients(history, first, 0), 0);
            let a = euler.e * self.charts[b].body;
            self.sizes.follow(b, &Pose { x: vector(l.x(b)), a, v: vector(l.v(b)), w: vector(l.w(b)) });
            let omega = vector(l.w(b));
            let half = self.mechanism.bodies[b].tumbles(&a, &omega)
                && Chart::may_take_half_turns(omega.norm(), history.step(), history.order());
            if euler.is_worn() || half && !self.charts[b].has_half_turns() {
                let next = if half {
                    Chart::of_half_turns(&a, &omega)
                } else {
                    Chart::choose(&a, &omega, self.mechanism.bodies[b].spin_axis(&a, &omega))
                };
                self.exchange(b, next, &omega, history);
                changed = true;
            } else if !self.charts[b].has_half_turns() {
                history.set_coefficient(l.e(b) + 2, 0, e[2] - whole_turns(e[2]));
            }
        }
        self.follow_angles(history);
        self.follow_history(history);
        self.follow_states(history);
        changed
    }

    fn follow_angles(&mut self, history: &dyn History) {
        if self.tracked.is_empty() {
            return;
        }
        let l = self.layout;
        let t = history.time();
        for k in 0..self.tracked.len() {
            let (i, j) = self.mechanism.tracked_bodies(k);
            for b in [i, j] {
                if b < l.bodies && self.plane.is_none() {
                    let pose = &mut self.poses[b];
                    pose.a = self.charts[b].euler(&coefficients(history, l.e(b), 0)).e * self.charts[b].body;
                    pose.w = at(&coefficients(history, l.w(b), 0), 0);
                }
            }
            let [raw, rate] = self.mechanism.tracked_angle(k, &self.poses);
            let angle = self.tracked[k].continued(raw, rate, t);
            self.tracked[k] = Tracked { time: t, angle, rate };
        }
    }

    /// Gives body `b` the chart `chart`, where it has the angles `e0` now, and carries its history over: the polynomial of the old angles is evaluated at s = 0, -1, ..,
    /// each orientation is written in the new chart, and the polynomial through these values, with the rate e' = G^-1 omega at
    /// s = 0, replaces the old one. Order and step survive. Between two samples a body may make many turns: the mean of the rates
    /// at both tells which branch is meant.
    fn exchange(&mut self, b: usize, (chart, e0): (Chart, [f64; 3]), omega: &V3, history: &mut dyn History) {
        let first = self.layout.e(b);
        let order = history.order().min(MAX_ORDER);
        let old = self.charts[b];
        let rates = chart.euler(&e0).rates(omega) * history.step();
        let mut samples = [[0.0; 3]; MAX_ORDER];
        let (mut near, mut rate) = (e0, rates);
        for (k, sample) in samples.iter_mut().enumerate().take(order).skip(1) {
            let (past, slope) = evaluate(history, first, order, -(k as f64));
            let past = old.euler(&past);
            let a = past.e * old.body;
            let there = chart.euler(&chart.angles(&a, &near)).rates(&(past.g * V3::from(slope)));
            let expected = [0, 1, 2].map(|c| near[c] - 0.5 * (rate[c] + there[c]));
            near = chart.angles(&a, &expected);
            rate = there;
            *sample = near;
        }
        for c in 0..3 {
            let mut polynomial = [0.0; MAX_ORDER + 1];
            polynomial[0] = e0[c];
            polynomial[1] = rates[c];
            fit_tail(order, |k| samples[k][c], &mut polynomial);
            for (power, &value) in polynomial.iter().enumerate().take(order + 1) {
                history.set_coefficient(first + c, power, value);
            }
        }
        self.charts[b] = chart;
    }
}

fn coefficients(history: &dyn History, first: usize, power: usize) -> [f64; 3] {
    [0, 1, 2].map(|c| history.coefficient(first + c, power))
}

/// The polynomial of three unknowns and its derivative at s.
fn evaluate(history: &dyn History, first: usize, order: usize, s: f64) -> ([f64; 3], [f64; 3]) {
    let (mut value, mut slope) = ([0.0; 3], [0.0; 3]);
    for c in 0..3 {
        for power in (0..=order).rev() {
            slope[c] = slope[c] * s + value[c];
            value[c] = value[c] * s + history.coefficient(first + c, power);
        }
    }
    (value, slope)
}

/// Coefficients 2 ..= order such that the polynomial, with its first two coefficients given, takes `value(k)` at s = -k for
/// k = 1 .. order. The remainder q(s) = (p(s) - p_0 - p_1 s)/s^2 is interpolated by divided differences.
fn fit_tail(order: usize, value: impl Fn(usize) -> f64, p: &mut [f64]) {
    let n = order.saturating_sub(1);
    let mut d = [0.0; MAX_ORDER];
    for k in 1..=n {
        let s = -(k as f64);
        d[k - 1] = (value(k) - p[0] - p[1] * s) / (s * s);
    }
    for level in 1..n {
        for k in (level..n).rev() {
            // Nodes -1, -2, ..: s_k - s_(k-level) = -level.
            d[k] = (d[k] - d[k - 1]) / -(level as f64);
        }
    }
    // Newton form to powers of s, innermost first.
    let mut q = [0.0; MAX_ORDER];
    for k in (0..n).rev() {
        let node = -((k + 1) as f64);
        for power in (1..n).rev() {
            q[power] = q[power - 1] - node * q[power];
        }
        q[0] = d[k] - node * q[0];
    }
    p[2..2 + n].copy_from_slice(&q[..n]);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_polynomial_is_fitted_exactly() {
        for order in 1..=MAX_ORDER.min(7) {
            let exact: Vec<f64> = (0..=order).map(|k| 1.0 / (1.0 + k as f64) - 0.3).collect();
            let at = |s: f64| exact.iter().rev().fold(0.0, |sum, c| sum * s + c);
            let mut p = [0.0; MAX_ORDER + 1];
            p[0] = exact[0];
            p[1] = exact[1];
            fit_tail(order, |k| at(-(k as f64)), &mut p);
            for (k, e) in exact.iter().enumerate() {
                assert!((p[k] - e).abs() < 1e-11, "order {order}, power {k}: {} against {e}", p[k]);
            }
        }
    }
}
