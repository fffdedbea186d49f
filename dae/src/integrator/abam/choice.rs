//! Order and step of the next step, or of the next attempt (Shampine, Gordon, chapter 7; errors in tolerances).

use super::history::History;
use crate::integrator::explicit::OUT_OF_DOMAIN;

/// Part of the tolerance at which the next step aims.
const AIM: f64 = 0.5;
/// Bounds of the ratio where a step shrinks after success.
const SHRINKING: [f64; 2] = [0.5, 0.9];
/// Ratio of the next attempt to one that failed.
const FAILED: f64 = 0.5;
/// Failures of one step from which the history is not trusted: the next attempt is of order 1.
const DISTRUST: u32 = 3;

/// Errors estimated for an attempt of order k, had it been taken with equal steps of its length, at orders k, k - 1 and k - 2.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Errors {
    pub(super) own: f64,
    pub(super) lower: f64,
    pub(super) lowest: f64,
}

impl Errors {
    /// Whether order k - 1 promises more than k.
    fn lowers(&self, k: usize) -> bool {
        match k {
            1 => false,
            2 => self.lower <= 0.5 * self.own,
            _ => self.lower.max(self.lowest) <= self.own,
        }
    }
}

impl History {
    /// Sets the order behind an accepted step of order k; `higher` estimates the error at order k + 1. Returns the ratio of the next step.
    pub(super) fn choose(&mut self, errors: &Errors, order_max: usize, higher: impl FnOnce() -> f64) -> f64 {
        let k = self.order;
        let lowers = errors.lowers(k);
        if lowers || k == order_max {
            self.starting = false;
        }
        let mut error = errors.own;
        if self.starting {
            self.order = k + 1;
            return 2.0;
        }
        if lowers {
            (self.order, error) = (k - 1, errors.lower);
        } else if self.equal > k {
            let higher = higher();
            let raises = k < order_max && higher < if k == 1 { 0.5 * error } else { error };
            if k > 1 && errors.lower <= error.min(higher) {
                (self.order, error) = (k - 1, errors.lower);
            } else if raises {
                (self.order, error) = (k + 1, higher);
            }
        }
        let power = self.order as i32 + 1;
        if error * 2.0_f64.powi(power) <= AIM {
            2.0
        } else if error <= AIM {
            1.0
        } else {
            (AIM / error).powf(1.0 / f64::from(power)).clamp(SHRINKING[0], SHRINKING[1])
        }
    }

    /// Sets the order of the next attempt; returns its ratio to the last one, the `rejections`-th that failed, with `errors` if it could be
    /// evaluated. Tells whether history is given up.
    pub(super) fn choose_again(&mut self, errors: Option<&Errors>, rejections: u32) -> (f64, bool) {
        self.starting = false;
        if rejections >= DISTRUST {
            let given_up = self.order > 1;
            self.order = 1;
            let ratio = match errors {
                Some(errors) if rejections > DISTRUST && errors.own > 2.0 => (AIM / errors.own).sqrt(),
                _ => FAILED,
            };
            return (ratio, given_up);
        }
        match errors {
            Some(errors) => {
                self.order -= usize::from(errors.lowers(self.order));
                (FAILED, false)
            }
            None => (OUT_OF_DOMAIN, false),
        }
    }
}
