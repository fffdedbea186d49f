//! The course of a solution: its history, the step that was accepted last, and what was corrected in it.

use crate::dae::History;
use crate::integrator::coefficients::FACTORIAL;
use crate::integrator::copying::kept;
use crate::integrator::lanes::{Vector, largest_difference};
use crate::integrator::nordsieck::{Nordsieck, Trial};
use crate::integrator::targets::Plan;
use crate::integrator::weights::Weights;

/// See the module.
#[derive(Debug)]
pub(super) struct Course {
    time: f64,
    /// Start of the last accepted step.
    previous: f64,
    history: Nordsieck,
    yp: Vector,
    /// y - y_p of the last accepted step and of the one before.
    delta: Vector,
    delta_before: Vector,
    /// Whether those two steps had the same length and order.
    deltas_match: bool,
}

kept!(Course { time, previous, history, yp, delta, delta_before, deltas_match });

impl Course {
    /// From y and y' at `time` on, with room for orders up to `order_max`.
    pub(super) fn new(time: f64, y: &[f64], yp: &[f64], order_max: usize) -> Self {
        Self {
            time,
            previous: time,
            history: Nordsieck::new(y, yp, 1.0, order_max),
            yp: Vector::padded(yp, 0.0),
            delta: Vector::zeros(y.len()),
            delta_before: Vector::zeros(y.len()),
            deltas_match: false,
        }
    }

    /// Begins anew at order 1.
    pub(super) fn begin(&mut self, time: f64, y: &[f64], yp: &[f64]) {
        (self.time, self.previous) = (time, time);
        self.yp.as_mut_slice().copy_from_slice(yp);
        self.history.restart(y, yp, 1.0);
        self.deltas_match = false;
    }

    /// Takes over a known history: `columns[j]` = h^j y^(j)/j! with h = `step`.
    pub(super) fn fill(&mut self, columns: &[&[f64]], step: f64) {
        for (j, column) in columns.iter().enumerate() {
            self.history.column_mut(j).copy_from_slice(column);
        }
        (self.history.step, self.history.order) = (step, columns.len() - 1);
    }

    pub(super) fn time(&self) -> f64 {
        self.time
    }

    pub(super) fn previous(&self) -> f64 {
        self.previous
    }

    /// The last step began at `previous`, however the present point was come to.
    pub(super) fn reach_back(&mut self, previous: f64) {
        self.previous = previous;
    }

    pub(super) fn y(&self) -> &[f64] {
        self.history.column(0)
    }

    pub(super) fn slope(&self) -> &Vector {
        &self.yp
    }

    /// Order and length of the last step.
    pub(super) fn order(&self) -> usize {
        self.history.order
    }

    pub(super) fn step(&self) -> f64 {
        self.history.step
    }

    /// Columns that there is room for.
    pub(super) fn room(&self) -> usize {
        self.history.room()
    }

    /// y_p and y_p' at the end of a step of length `h` at order `k`.
    pub(super) fn predict(&self, k: usize, h: f64, trial: &mut Trial) {
        self.history.predict(k, h, trial);
    }

    /// Whether a step of length `h` at order `k` is as the last one.
    pub(super) fn continues(&self, k: usize, h: f64) -> bool {
        k == self.history.order && (h / self.history.step - 1.0).abs() < 1e-9
    }

    /// Takes the trial into the history.
    pub(super) fn accept(&mut self, k: usize, plan: Plan, trial: &mut Trial) {
        let same = self.continues(k, plan.h);
        self.history.accept(k, plan.h, trial);
        std::mem::swap(&mut self.delta_before, &mut self.delta);
        std::mem::swap(&mut self.delta, &mut trial.delta);
        std::mem::swap(&mut self.yp, &mut trial.yp);
        self.deltas_match = same;
        (self.previous, self.time) = (self.time, plan.t);
    }

    /// Makes room for the next higher order.
    pub(super) fn rise(&mut self) {
        self.history.append(&self.delta);
    }

    /// D_- = (k-1)! ||z_k|| at the step of the history.
    pub(super) fn lower_error(&self, k: usize, weights: &Weights) -> f64 {
        FACTORIAL[k - 1] * self.history.column_norm(k, &weights.error)
    }

    /// D_+ from the corrections of two steps that were alike; none where they were not.
    pub(super) fn higher_error(&self, k: usize, weights: &Weights) -> Option<f64> {
        self.deltas_match.then(|| {
            let difference = largest_difference(&self.delta.lanes, &self.delta_before.lanes, &weights.error.lanes);
            difference / (k + 2) as f64
        })
    }

    /// y and y' at `time` from the history; at the present time exactly as they were accepted.
    pub(super) fn interpolate(&self, time: f64, y: &mut [f64], yp: &mut [f64]) {
        if time == self.time {
            y.copy_from_slice(self.y());
            yp.copy_from_slice(self.yp.as_slice());
        } else {
            self.history.evaluate((time - self.time) / self.history.step, y, yp);
        }
    }

    /// The history as the system sees it.
    pub(super) fn window(&mut self, tolerance: f64) -> impl History + '_ {
        Window { time: self.time, tolerance, history: &mut self.history }
    }

    /// After a change of the history: y' follows, and corrections tell nothing of it.
    pub(super) fn follow_history(&mut self) {
        let step = self.history.step;
        for (yp, z) in self.yp.as_mut_slice().iter_mut().zip(self.history.column(1)) {
            *yp = z / step;
        }
        self.deltas_match = false;
    }
}

struct Window<'a> {
    time: f64,
    tolerance: f64,
    history: &'a mut Nordsieck,
}

impl History for Window<'_> {
    fn time(&self) -> f64 {
        self.time
    }
    fn step(&self) -> f64 {
        self.history.step
    }
    fn tolerance(&self) -> f64 {
        self.tolerance
    }
    fn order(&self) -> usize {
        self.history.order
    }
    fn coefficient(&self, unknown: usize, power: usize) -> f64 {
        self.history.column(power)[unknown]
    }
    fn set_coefficient(&mut self, unknown: usize, power: usize, value: f64) {
        self.history.column_mut(power)[unknown] = value;
    }
}
