//! Counts of what an integration cost, by cause.

use fourbar_linalg::stored;
use serde::{Deserialize, Serialize};

/// What an integration has cost so far.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Statistics {
    /// Accepted steps.
    pub steps: u64,
    /// Attempts rejected by the error test.
    pub rejected_by_error: u64,
    /// Attempts rejected because the corrector did not converge, its matrix being new.
    pub rejected_by_newton: u64,
    /// Attempts rejected because an evaluation failed or was not finite.
    pub rejected_by_evaluation: u64,
    /// Steps taken back because a condition of the equations switched within them.
    #[serde(default)]
    pub rejected_by_switch: u64,
    /// Evaluations of F(t, y, y') or f(t, y).
    pub residual_evaluations: u64,
    /// Evaluations of dF/dy + c dF/dy'.
    pub jacobian_evaluations: u64,
    /// Factorizations by cause.
    pub factorizations: Factorizations,
    /// Corrector iterations.
    pub newton_iterations: u64,
    /// Smallest accepted step \[s\]; 0 before the first.
    pub step_smallest: f64,
    /// Largest accepted step \[s\].
    pub step_largest: f64,
    /// Last accepted step \[s\].
    pub step_last: f64,
    /// Accepted steps of order 1 to 12; of `Abam`, by the order of the predictor.
    pub orders: [u64; 12],
    /// Times the method fell back to order 1.
    pub restarts: u64,
    /// Steps accepted above the error tolerance because the error did not depend on the step: the state accepted before
    /// violated an algebraic equation by up to a hundred tolerances, and the step brought it back.
    pub consistency_corrections: u64,
    /// Jumps of the equations behind which the method began anew, at order 1, from a consistent point.
    #[serde(default)]
    pub jumps: u64,
    /// Those of them that nothing announced: they were found where no step was short enough.
    #[serde(default)]
    pub jumps_found: u64,
    /// Times the pivots of the iteration matrix were chosen: once at the start, and again where they had become stale.
    #[serde(default)]
    pub pivotings: u64,
    /// Steps of `Abam` taken while those of order at most 4 were fifty more than those above: where there are many, the equations are stiff.
    #[serde(default)]
    pub stiff_steps: u64,
    /// Fixed steps of `ConstantBdf` whose equations could not be solved, so that shorter ones were taken in their place.
    #[serde(default)]
    pub divided_steps: u64,
    /// Times other rows of redundant constraints were kept, since those kept before came to depend on each other.
    #[serde(default)]
    pub row_choices: u64,
}

/// Surplus of steps of low order from which the equations count as stiff (Shampine, Gordon, chapter 8).
pub(super) const STIFF_RUN: u64 = 50;

impl Statistics {
    /// What a reader of the results should know: jumps that nothing announced, or equations that are stiff.
    #[must_use]
    pub fn warning(&self) -> Option<String> {
        let found = self.jumps_found;
        let jumps = (found > 0).then(|| {
            format!(
                "{found} jumps of the equations were found only where no step was short enough; name their times in `stop_times`, or let \
                 what jumps change over some time"
            )
        });
        jumps.or_else(|| self.stiff())
    }

    /// These counts and those of an integrator that went on from there.
    #[must_use]
    pub fn followed_by(&self, later: &Self) -> Self {
        let mut orders = self.orders;
        orders.iter_mut().zip(later.orders).for_each(|(sum, count)| *sum += count);
        let smallest = [self, later].into_iter().filter(|part| part.steps > 0).map(|part| part.step_smallest);
        Self {
            steps: self.steps + later.steps,
            rejected_by_error: self.rejected_by_error + later.rejected_by_error,
            rejected_by_newton: self.rejected_by_newton + later.rejected_by_newton,
            rejected_by_evaluation: self.rejected_by_evaluation + later.rejected_by_evaluation,
            rejected_by_switch: self.rejected_by_switch + later.rejected_by_switch,
            residual_evaluations: self.residual_evaluations + later.residual_evaluations,
            jacobian_evaluations: self.jacobian_evaluations + later.jacobian_evaluations,
            factorizations: self.factorizations.plus(&later.factorizations),
            newton_iterations: self.newton_iterations + later.newton_iterations,
            step_smallest: smallest.reduce(f64::min).unwrap_or(0.0),
            step_largest: self.step_largest.max(later.step_largest),
            step_last: if later.steps > 0 { later.step_last } else { self.step_last },
            orders,
            restarts: self.restarts + later.restarts,
            consistency_corrections: self.consistency_corrections + later.consistency_corrections,
            jumps: self.jumps + later.jumps,
            jumps_found: self.jumps_found + later.jumps_found,
            pivotings: self.pivotings + later.pivotings,
            stiff_steps: self.stiff_steps + later.stiff_steps,
            divided_steps: self.divided_steps + later.divided_steps,
            row_choices: self.row_choices + later.row_choices,
        }
    }

    /// What it should know of equations that are stiff.
    #[must_use]
    pub fn stiff(&self) -> Option<String> {
        let Self { steps, stiff_steps, .. } = self;
        (2 * stiff_steps > *steps).then(|| {
            format!(
                "{stiff_steps} of {steps} steps were of low order, as of stiff equations: the integrator gstiff takes longer ones there"
            )
        })
    }
}

/// Factorizations of the iteration matrix by cause; each count is of successful and failed ones alike.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Factorizations {
    /// No matrix was there.
    pub first: u64,
    /// The step changed.
    pub step_change: u64,
    /// The order changed (with or without the step).
    pub order_change: u64,
    /// The corrector did not converge with an old matrix.
    pub slow_convergence: u64,
    /// The matrix had reached its age.
    pub age: u64,
    /// The equations changed their coordinates.
    pub chart_exchange: u64,
}

impl Factorizations {
    /// All of them.
    #[must_use]
    pub fn total(&self) -> u64 {
        self.first + self.step_change + self.order_change + self.slow_convergence + self.age + self.chart_exchange
    }

    fn plus(&self, later: &Self) -> Self {
        Self {
            first: self.first + later.first,
            step_change: self.step_change + later.step_change,
            order_change: self.order_change + later.order_change,
            slow_convergence: self.slow_convergence + later.slow_convergence,
            age: self.age + later.age,
            chart_exchange: self.chart_exchange + later.chart_exchange,
        }
    }

    pub(super) fn count(&mut self, reason: Renewal) {
        *match reason {
            Renewal::First => &mut self.first,
            Renewal::StepChange => &mut self.step_change,
            Renewal::OrderChange => &mut self.order_change,
            Renewal::SlowConvergence => &mut self.slow_convergence,
            Renewal::Age => &mut self.age,
            Renewal::ChartExchange => &mut self.chart_exchange,
        } += 1;
    }
}

stored!(struct Statistics {
    steps,
    rejected_by_error,
    rejected_by_newton,
    rejected_by_evaluation,
    rejected_by_switch,
    residual_evaluations,
    jacobian_evaluations,
    factorizations,
    newton_iterations,
    step_smallest,
    step_largest,
    step_last,
    orders,
    restarts,
    consistency_corrections,
    jumps,
    jumps_found,
    pivotings,
    stiff_steps,
    divided_steps,
    row_choices,
});
stored!(struct Factorizations { first, step_change, order_change, slow_convergence, age, chart_exchange });

/// Why the iteration matrix is renewed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) enum Renewal {
    #[default]
    First,
    StepChange,
    OrderChange,
    SlowConvergence,
    Age,
    ChartExchange,
}

stored!(
    enum Renewal {
        First = 0,
        StepChange = 1,
        OrderChange = 2,
        SlowConvergence = 3,
        Age = 4,
        ChartExchange = 5,
    }
);

impl Statistics {
    pub(super) fn accept(&mut self, step: f64, order: usize) {
        self.step_smallest = if self.steps == 0 { step } else { self.step_smallest.min(step) };
        self.step_largest = self.step_largest.max(step);
        self.step_last = step;
        self.steps += 1;
        self.orders[order - 1] += 1;
    }
}
