//! The equations of the unknowns of the user: x' - f = 0 or f = 0, f of the time, bodies and these unknowns.

use super::emit::Sink;
use super::equations::Equations;
use super::kinds;
use crate::dae::{History, Kind, Unknown};
use crate::mechanism::Mechanism;
use crate::space::V3;
use std::sync::Arc;

/// What they are to an integrator.
pub(super) fn unknowns(mechanism: &Mechanism) -> impl Iterator<Item = Unknown> + '_ {
    mechanism.user_states().iter().map(|state| Unknown {
        kind: if state.implicit { kinds::IMPLICIT_STATE } else { Kind::STATE },
        error_tested: !state.implicit,
        scale_power: 0,
        typical: state.size,
    })
}

impl Equations {
    /// Their residuals, forces being evaluated.
    pub(super) fn state_rows(&self, yp: &[f64], r: &mut [f64]) {
        let first = self.layout.state();
        for (k, state) in self.mechanism.states.iter().enumerate() {
            let f = self.loads.rate(&self.mechanism, k);
            r[first + k] = if state.implicit { f } else { yp[first + k] - f };
        }
    }

    /// Their rows of the matrix, forces being linearized.
    pub(super) fn emit_states(&self, c: f64, sink: &mut impl Sink) {
        let l = self.layout;
        for (k, state) in self.mechanism.states.iter().enumerate() {
            let row = l.state() + k;
            let sign = if state.implicit { 1.0 } else { -1.0 };
            // Of an equation 0 = f the place stands free for pivots.
            sink.add(row, row, if state.implicit { 0.0 } else { c });
            let gradient = self.loads.gradient(&self.mechanism, state.program);
            for (&by, value) in gradient.states.iter().zip(gradient.by_states) {
                sink.add(row, l.state() + by, sign * value);
            }
            for (&by, parts) in gradient.bodies.iter().zip(gradient.by_bodies).filter(|(by, _)| **by != l.bodies) {
                self.emit_state_row(row, by, &parts.map(|part| part * sign), sink);
            }
        }
    }

    fn emit_state_row(&self, row: usize, by: usize, [x, turn, v, w]: &[V3; 4], sink: &mut impl Sink) {
        let l = self.layout;
        match &self.plane {
            Some(plane) => plane.emit_gradient(row, [l.x(by), l.e(by), l.v(by), l.w(by)], [x, turn, v, w], sink),
            None => {
                sink.row(row, l.x(by), x);
                sink.row(row, l.e(by), &self.eulers[by].g.tr_mul(turn));
                sink.row(row, l.v(by), v);
                sink.row(row, l.w(by), w);
            }
        }
    }

    /// Writes their rates at a point that has just been written, and takes note of their second derivatives as far as bodies and unknowns make
    /// them. Where forces cannot be evaluated the integrator will be told so at its first evaluation.
    pub(super) fn write_state_rates(&mut self, t: f64, y: &[f64], yp: &mut [f64]) {
        if self.mechanism.states.is_empty() {
            return;
        }
        self.place(y);
        let mechanism = Arc::clone(&self.mechanism);
        if self.loads.linearize(&mechanism, t, &self.poses, &self.tracked).is_err() {
            return;
        }
        let l = self.layout;
        self.loads.rates(&mechanism, &mut yp[l.state()..]);
        for k in 0..l.states {
            let program = mechanism.states[k].program;
            self.seconds[k] = self.second(&mechanism, program, yp);
            self.state_sizes.follow(k, y[l.state() + k], yp[l.state() + k]);
        }
        self.weigh_terms();
    }

    /// Takes note of the terms of their rates, forces being evaluated.
    fn weigh_terms(&mut self) {
        let Self { mechanism, loads, poses, state_sizes, .. } = self;
        state_sizes.weigh_terms(|terms| loads.rate_terms(mechanism, poses, terms));
    }

    /// What f changes by in a unit of time, accelerations being those in y'.
    fn second(&self, mechanism: &Mechanism, program: usize, yp: &[f64]) -> f64 {
        let l = self.layout;
        let gradient = self.loads.gradient(mechanism, program);
        let states = gradient.states.iter().zip(gradient.by_states);
        let mut second: f64 = states.map(|(by, value)| value * yp[l.state() + by]).sum();
        for (&by, [x, turn, v, w]) in gradient.bodies.iter().zip(gradient.by_bodies).filter(|(by, _)| **by != l.bodies)
        {
            let [a, alpha] = match &self.plane {
                Some(plane) => plane.in_space(&yp[l.v(by)..], l.linear),
                None => [super::equations::at(yp, l.v(by)), super::equations::at(yp, l.w(by))],
            };
            let pose = &self.poses[by];
            second += x.dot(&pose.v) + turn.dot(&pose.w) + v.dot(&a) + w.dot(&alpha);
        }
        second
    }

    /// Takes note of them at an accepted step.
    pub(super) fn follow_states(&mut self, history: &dyn History) {
        let first = self.layout.state();
        for k in 0..self.layout.states {
            let [x, step] = [0, 1].map(|power| history.coefficient(first + k, power));
            self.state_sizes.follow(k, x, step / history.step());
        }
        self.weigh_terms();
    }

    /// As [`Equations::jump`]: the rates of unknowns jump by these, those with an equation 0 = f themselves.
    pub(super) fn jump_states(&self, changes: &[f64], history: &mut dyn History) {
        let first = self.layout.state();
        for (k, (change, state)) in changes.iter().zip(&self.mechanism.states).enumerate() {
            let (power, unit) = if state.implicit { (0, 1.0) } else { (1, history.step()) };
            let old = history.coefficient(first + k, power);
            history.set_coefficient(first + k, power, old + change * unit);
        }
    }
}
