//! Order and length planned for the next step, and when they may change.

use crate::integrator::coefficients::Coefficients;
use crate::integrator::controller::{Choice, Growth};

/// Growth of the step allowed at the very first change, when the step was only guessed.
const GROWTH_AT_START: f64 = 1e4;
/// Halvings of a fixed step: one a thousandth as long that fails too, fails at what it meets there and not by its length.
const HALVINGS_MAX: u32 = 10;
/// Round-off beside a singular position that is let pass, in tolerances: constraints determine the point itself once it lies behind, so that nothing of it
/// stays but in differences. As large as an inconsistency that a step may repair.
const ROUND_OFF: f64 = 100.0;
/// So many times as much as the differences of such a point may come to.
const HELD: f64 = 2.0;
/// Steps until the next look when a change was not worthwhile.
const HOLD_AGAIN: usize = 2;

/// See the module.
#[derive(Debug, Clone)]
pub(super) struct Schedule {
    coefficients: Coefficients,
    order: usize,
    /// Length planned \[s\]; 0 where it is chosen when the step is taken.
    step: f64,
    /// Accepted steps to wait before the next change.
    hold: usize,
    /// Before the first change of the step.
    starting: bool,
    growth: Growth,
    /// Where the fixed step that was divided ends \[s\], infinite where none is, and how often it was halved.
    grid: f64,
    halvings: u32,
    /// Steps beside a singular position that are still to go with the step as it is.
    coasting: usize,
}

// The coefficients are the method's.
fourbar_linalg::stored!(struct Schedule { order, step, hold, starting, growth, grid, halvings, coasting });

impl Schedule {
    pub(super) fn new(coefficients: Coefficients) -> Self {
        let (growth, grid) = (Growth::default(), f64::INFINITY);
        Self { coefficients, order: 1, step: 0.0, hold: 2, starting: true, growth, grid, halvings: 0, coasting: 0 }
    }

    pub(super) fn order(&self) -> usize {
        self.order
    }

    pub(super) fn step(&self) -> f64 {
        self.step
    }

    pub(super) fn set_step(&mut self, step: f64) {
        self.step = step;
    }

    /// Begins anew at order 1 with a step of this length.
    pub(super) fn begin(&mut self, step: f64) {
        (self.order, self.step, self.hold, self.starting) = (1, step, 2, true);
        (self.grid, self.halvings) = (f64::INFINITY, 0);
    }

    /// Begins anew at order 2 with a step of this length. Its error is above round-off, so that growth is limited.
    pub(super) fn begin_at_order_2(&mut self, step: f64) {
        (self.order, self.step, self.hold, self.starting) = (2, step, 3, false);
        self.growth = Growth::at_order_2();
    }

    /// Goes on at an order with a step that are known to be right.
    pub(super) fn go_on(&mut self, order: usize, step: f64) {
        (self.order, self.step, self.hold, self.starting) = (order, step, order + 1, false);
    }

    /// A step of length `h` was taken, `same` as the one before or not. Returns the length that was planned.
    pub(super) fn take(&mut self, h: f64, same: bool) -> f64 {
        if !same {
            self.hold = self.order + 1;
        }
        std::mem::replace(&mut self.step, h)
    }

    /// The step that was taken stays.
    pub(super) fn pass(&mut self) {
        self.hold = self.hold.saturating_sub(1);
        self.coasting = self.coasting.saturating_sub(1);
        self.growth.passed();
    }

    /// Whether an error of so many tolerances is the round-off of a point `beside` a singular position, or of one that the history still holds. Step and order
    /// stay then until that point has left the history.
    pub(super) fn coasts(&mut self, error: f64, beside: bool) -> bool {
        if self.coasting > 0 {
            return error <= HELD * ROUND_OFF;
        }
        let begins = beside && error <= ROUND_OFF;
        if begins {
            self.coasting = self.order + 2;
            self.hold = self.hold.max(self.order + 2);
        }
        begins
    }

    /// Whether nothing may change yet.
    pub(super) fn holds(&self) -> bool {
        self.hold > 0
    }

    /// Whether a growth failed not long ago.
    pub(super) fn is_limited(&self) -> bool {
        self.growth.is_limited()
    }

    /// A change was not worthwhile: the next look comes later.
    pub(super) fn wait(&mut self) {
        self.hold = HOLD_AGAIN;
    }

    /// Where the fixed step that was divided ends \[s\]; infinite where none is.
    pub(super) fn grid(&self) -> f64 {
        self.grid
    }

    /// The corrector failed over a fixed step of length `h`, or a part of one, that ends at `end` \[s\]: it is halved, up to the end of the whole
    /// one. Falls back to order 1 where a history with a jump may be what fails. Returns whether it may be halved once more.
    pub(super) fn halve(&mut self, h: f64, end: f64) -> bool {
        if self.grid.is_infinite() {
            self.grid = end;
        }
        self.halvings += 1;
        self.step = 0.5 * h;
        if self.halvings >= 3 {
            self.order = 1;
        }
        self.halvings <= HALVINGS_MAX
    }

    /// Behind a step to `time` \[s\] with fixed steps, of which `planned` was the length: the next has that length within a divided step, and that
    /// of the `whole` one elsewhere. Returns it.
    pub(super) fn keep(&mut self, time: f64, planned: f64, whole: f64) -> f64 {
        if time >= self.grid {
            (self.grid, self.halvings) = (f64::INFINITY, 0);
        }
        self.step = if self.grid.is_finite() { planned } else { whole };
        self.step
    }

    /// Carries out a choice; the step grows up to `largest`, or stays where none is given.
    pub(super) fn change(&mut self, choice: Choice, largest: Option<f64>) {
        self.order = choice.order;
        self.hold = self.order + 1;
        if let Some(largest) = largest {
            let limit = if self.starting { GROWTH_AT_START } else { self.growth.limit(self.order, self.coefficients) };
            let ratio = choice.ratio.min(limit);
            self.growth.tried(ratio);
            self.step = (self.step * ratio).min(largest);
            self.starting = false;
        }
    }

    /// An attempt of length `h` failed its error test: the next is shorter by `ratio` at another order.
    pub(super) fn shorten(&mut self, h: f64, Choice { order, ratio }: Choice) {
        self.growth.failed();
        self.starting = false;
        (self.order, self.step, self.hold) = (order, h * ratio, order + 1);
    }

    /// The next attempt has this length, and the same order.
    pub(super) fn leap(&mut self, step: f64) {
        self.growth.failed();
        self.starting = false;
        (self.step, self.hold) = (step, self.order + 1);
    }

    /// The corrector failed over a step of length `h`. Returns whether this falls back to order 1, as it shall where `often`.
    pub(super) fn shorten_after_newton(&mut self, h: f64, often: bool) -> bool {
        self.starting = false;
        self.step = 0.25 * h;
        let falls = often && self.order > 1;
        if falls {
            self.order = 1;
        }
        self.hold = self.order + 1;
        falls
    }
}
