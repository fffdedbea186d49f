//! Convergence rate of a modified Newton iteration, from the sizes of its corrections alone.
//!
//! After m corrections d_1 .. d_m the rate is rho = (|d_m| / |d_1|)^(1/(m-1)), and the error that remains is at most about
//! rho/(1 - rho) |d_m|: the test of DASSL (Brenan, Campbell, Petzold: Numerical Solution of IVPs in DAEs, section 5.2.2).

/// What the corrections so far say.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Rate {
    /// Go on; nothing can be said or the error is still too large. `rate` is 0 after the first correction.
    Continue {
        /// rho, less than one.
        rate: f64,
    },
    /// The remaining error is below the tolerance.
    Converged {
        /// rho, 0 when the first correction was already negligible.
        rate: f64,
        /// rho/(1 - rho) |d_m|, in the unit of the norms given.
        error: f64,
    },
    /// The corrections do not shrink.
    Diverged {
        /// rho, one or more.
        rate: f64,
    },
    /// They shrink, but at this rate the iterations allowed do not suffice.
    Slow {
        /// rho, less than one.
        rate: f64,
        /// Iterations still needed at this rate.
        needed: usize,
    },
    /// A correction is NaN or infinite.
    NotFinite,
}

/// Follows the corrections of one Newton iteration; no allocation, may be reused by [`RateMonitor::start`].
#[derive(Debug, Clone, PartialEq)]
pub struct RateMonitor {
    tolerance: f64,
    max_iterations: usize,
    count: usize,
    first: f64,
}

impl RateMonitor {
    /// A first correction this much smaller than the tolerance is convergence although no rate is known yet
    /// (DASSL uses 100 units of round-off, which a scaled norm never meets at the tolerances in use).
    const NEGLIGIBLE: f64 = 1e-3;

    /// A monitor that stops at a remaining error below `tolerance` (in the unit of the norms) or when more than `max_iterations`
    /// corrections would be needed.
    pub fn new(tolerance: f64, max_iterations: usize) -> Self {
        Self { tolerance, max_iterations, count: 0, first: 0.0 }
    }

    /// Begins a new iteration.
    pub fn start(&mut self) {
        self.count = 0;
    }

    /// Corrections seen since [`RateMonitor::start`].
    pub fn count(&self) -> usize {
        self.count
    }

    /// Takes the norm |d_m| >= 0 of the next correction.
    pub fn observe(&mut self, norm: f64) -> Rate {
        self.count += 1;
        if !norm.is_finite() {
            return Rate::NotFinite;
        }
        if self.count == 1 {
            self.first = norm;
            return if norm <= Self::NEGLIGIBLE * self.tolerance {
                Rate::Converged { rate: 0.0, error: norm }
            } else {
                Rate::Continue { rate: 0.0 }
            };
        }
        let rate = (norm / self.first).powf(1.0 / (self.count - 1) as f64);
        if !(rate < 1.0) {
            return Rate::Diverged { rate };
        }
        let error = rate / (1.0 - rate) * norm;
        if error < self.tolerance {
            return Rate::Converged { rate, error };
        }
        match self.needed(rate, norm) {
            Some(needed) if needed > self.max_iterations.saturating_sub(self.count) => Rate::Slow { rate, needed },
            _ => Rate::Continue { rate },
        }
    }

    /// Corrections still needed after one of size `norm` at this rate: the error falls by rho with each. None without a rate in (0, 1).
    pub(super) fn needed(&self, rate: f64, norm: f64) -> Option<usize> {
        if !(rate > 0.0 && rate < 1.0) {
            return None;
        }
        let error = rate / (1.0 - rate) * norm;
        Some(((self.tolerance / error).ln() / rate.ln()).ceil().max(1.0) as usize)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Corrections of an iteration that converges like 0.1^m: |d_m| = 0.9 0.1^(m-1), error after d_m is 0.1^m.
    #[test]
    fn linear_convergence_is_measured_exactly() {
        let mut monitor = RateMonitor::new(2e-4, 10);
        for m in 1..=3 {
            let Rate::Continue { rate } = monitor.observe(0.9 * 0.1f64.powi(m - 1)) else { panic!("stopped at {m}") };
            assert!(if m == 1 { rate == 0.0 } else { (rate - 0.1).abs() < 1e-15 });
        }
        let Rate::Converged { rate, error } = monitor.observe(0.9e-3) else { panic!("error 1e-4 is below 2e-4") };
        assert!((rate - 0.1).abs() < 1e-15 && (error - 1e-4).abs() < 1e-18);
    }

    #[test]
    fn a_rate_too_slow_for_the_iterations_left_is_seen_early() {
        let mut monitor = RateMonitor::new(1e-6, 5);
        assert_eq!(monitor.observe(1.0), Rate::Continue { rate: 0.0 });
        // the error 1 falls below 1e-6 after 20 halvings
        assert_eq!(monitor.observe(0.5), Rate::Slow { rate: 0.5, needed: 19 });
    }

    #[test]
    fn growth_and_nan_are_told_apart() {
        let mut monitor = RateMonitor::new(1e-6, 5);
        let _ = monitor.observe(1.0);
        assert_eq!(monitor.observe(3.0), Rate::Diverged { rate: 3.0 });
        assert_eq!(monitor.observe(f64::NAN), Rate::NotFinite);
        monitor.start();
        assert_eq!(monitor.observe(f64::INFINITY), Rate::NotFinite);
    }

    #[test]
    fn a_negligible_first_correction_is_enough() {
        let mut monitor = RateMonitor::new(1e-6, 5);
        assert_eq!(monitor.observe(1e-9), Rate::Converged { rate: 0.0, error: 1e-9 });
        monitor.start();
        assert_eq!(monitor.observe(0.0), Rate::Converged { rate: 0.0, error: 0.0 });
    }
}
