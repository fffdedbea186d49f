//! The course of a solution: its history, the step that was accepted last, and what was corrected in it.

use crate::dae::History;
use crate::integrator::coefficients::{Coefficients, FACTORIAL, Formula};
use crate::integrator::copying::clone_in_place;
use crate::integrator::knots::Knots;
use crate::integrator::lanes::{Vector, largest_difference};
use crate::integrator::nordsieck::{Nordsieck, Trial};
use crate::integrator::targets::Plan;
use crate::integrator::weights::Weights;

/// See the module.
#[derive(Debug)]
pub(super) struct Course {
    coefficients: Coefficients,
    time: f64,
    /// Start of the last accepted step.
    previous: f64,
    history: Nordsieck,
    yp: Vector,
    /// y - y_p of the last accepted step and of the one before.
    delta: Vector,
    delta_before: Vector,
    /// Whether those two steps are alike: of the same order, and of the same length where the coefficients are those of equal steps.
    deltas_match: bool,
    knots: Knots,
    /// Order of the last step; 0 at a start.
    order: usize,
    /// What a divided difference of k + 2 values is worth at the end of the last step, against the one before.
    growth: f64,
}

clone_in_place!(Course {
    coefficients,
    time,
    previous,
    history,
    yp,
    delta,
    delta_before,
    deltas_match,
    knots,
    order,
    growth
});
// The coefficients are the method's.
fourbar_linalg::stored!(struct Course { time, previous, history, yp, delta, delta_before, deltas_match, knots, order, growth });

impl Course {
    /// From y and y' at `time` on, with room for orders up to `order_max`.
    pub(super) fn new(coefficients: Coefficients, time: f64, y: &[f64], yp: &[f64], order_max: usize) -> Self {
        Self {
            coefficients,
            time,
            previous: time,
            history: Nordsieck::new(y, yp, 1.0, order_max),
            yp: Vector::padded(yp, 0.0),
            delta: Vector::zeros(y.len()),
            delta_before: Vector::zeros(y.len()),
            deltas_match: false,
            knots: Knots::default(),
            order: 0,
            growth: 1.0,
        }
    }

    /// Begins anew at order 1.
    pub(super) fn begin(&mut self, time: f64, y: &[f64], yp: &[f64]) {
        (self.time, self.previous) = (time, time);
        self.yp.as_mut_slice().copy_from_slice(yp);
        self.history.restart(y, yp, 1.0);
        self.knots.restart();
        self.order = 0;
        self.deltas_match = false;
    }

    /// Takes over second derivatives where the method begins.
    pub(super) fn bend(&mut self, ypp: &[f64]) {
        let half = 0.5 * self.history.step * self.history.step;
        self.history.column_mut(2).iter_mut().zip(ypp).for_each(|(z, ypp)| *z = half * ypp);
        self.history.order = 2;
    }

    /// Takes over a known history: `columns[j]` = h^j y^(j)/j! with h = `step`.
    pub(super) fn fill(&mut self, columns: &[&[f64]], step: f64) {
        for (j, column) in columns.iter().enumerate() {
            self.history.column_mut(j).copy_from_slice(column);
        }
        (self.history.step, self.history.order) = (step, columns.len() - 1);
        self.order = self.history.order;
        self.knots.equal(step);
    }

    pub(super) fn coefficients(&self) -> Coefficients {
        self.coefficients
    }

    /// The formula of order `k` for a step of length `h`.
    pub(super) fn formula(&self, k: usize, h: f64) -> Formula {
        self.coefficients.formula(k, h, &self.knots)
    }

    /// Brings the history to order `k`, where it goes through the ends of steps.
    pub(super) fn adapt(&mut self, k: usize) {
        let order = self.history.order;
        if k == order || !self.coefficients.follow_steps() {
            return;
        }
        let xi = self.knots.behind(self.history.step);
        if k == order + 1 {
            self.history.raise(&xi, &self.delta);
        } else if k + 1 == order {
            self.history.lower(&xi);
        } else {
            // What is left is the tangent.
            self.history.order = k;
            self.knots.restart();
        }
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

    /// Whether no step was taken since the method began.
    pub(super) fn is_new(&self) -> bool {
        self.order == 0
    }

    /// Order of the last step; 1 at a start.
    pub(super) fn order(&self) -> usize {
        self.order.max(1)
    }

    /// Length of the last step.
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
        k == self.order.max(1) && (h / self.history.step - 1.0).abs() < 1e-9
    }

    /// Takes the trial into the history.
    pub(super) fn accept(&mut self, k: usize, plan: Plan, trial: &mut Trial) {
        let same = if self.coefficients.follow_steps() { k == self.order } else { self.continues(k, plan.h) };
        self.history.accept(k, plan.h, trial, &self.formula(k, plan.h));
        if same {
            self.growth = self.knots.growth(k, plan.h);
        }
        self.knots.take(plan.h);
        self.order = k;
        std::mem::swap(&mut self.delta_before, &mut self.delta);
        std::mem::swap(&mut self.delta, &mut trial.delta);
        std::mem::swap(&mut self.yp, &mut trial.yp);
        self.deltas_match = same;
        (self.previous, self.time) = (self.time, plan.t);
    }

    /// Makes room for the next higher order; a history through the ends of steps is raised when the step is taken ([`Self::adapt`]).
    pub(super) fn rise(&mut self) {
        if !self.coefficients.follow_steps() {
            self.history.append(&self.delta);
        }
    }

    /// Error at order k - 1 over the last step: (k-1)! ||z_k||, or ||z_k|| prod_{i=1..k-1} xi_i.
    pub(super) fn lower_error(&self, k: usize, weights: &Weights) -> f64 {
        let factor = if self.coefficients.follow_steps() {
            self.knots.behind(self.history.step).product(k - 1)
        } else {
            FACTORIAL[k - 1]
        };
        factor * self.history.column_norm(k, &weights.error)
    }

    /// Error at order k + 1 from the corrections of two steps that were alike; none where they were not. A divided difference of k + 3 values
    /// is the difference of two of k + 2 values, which the corrections are but for a factor.
    pub(super) fn higher_error(&self, k: usize, weights: &Weights) -> Option<f64> {
        self.deltas_match.then(|| {
            let (factor, divisor) = if self.coefficients.follow_steps() {
                (self.growth, self.knots.behind(self.history.step).get(k + 2))
            } else {
                (1.0, (k + 2) as f64)
            };
            largest_difference(&self.delta.lanes, factor, &self.delta_before.lanes, &weights.error.lanes) / divisor
        })
    }

    /// y and y' at `time` from the history; at the present time exactly as they were accepted.
    pub(super) fn interpolate(&self, time: f64, y: &mut [f64], yp: &mut [f64]) {
        if time == self.time {
            y.copy_from_slice(self.y());
            yp.copy_from_slice(self.yp.as_slice());
        } else {
            let s = (time - self.time) / self.history.step;
            self.history.evaluate(s, y, yp);
            if let Some([square, cube]) = self.coefficients.closing(self.history.order) {
                let (value, slope) =
                    (s * s * (square + cube * s), s * (2.0 * square + 3.0 * cube * s) / self.history.step);
                for ((y, yp), delta) in y.iter_mut().zip(yp).zip(self.delta.as_slice()) {
                    (*y, *yp) = (*y + value * delta, *yp + slope * delta);
                }
            }
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
        if self.coefficients.closing(self.history.order).is_some() {
            // Of coordinates that are others now.
            self.delta.as_mut_slice().fill(0.0);
        }
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

#[cfg(test)]
mod tests;
