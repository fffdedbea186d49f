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
        let left = self.max_iterations.saturating_sub(self.count);
        // error falls by rho with each further correction
        let needed = ((self.tolerance / error).ln() / rate.ln()).ceil().max(1.0) as usize;
        if needed > left { Rate::Slow { rate, needed } } else { Rate::Continue { rate } }
    }
}
