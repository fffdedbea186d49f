//! What earlier iterations tell about the convergence rate of the next one, before it has begun.
//!
//! With the matrix of time t_m and a first correction d_1 the rate is modelled as rho = kappa |d_1| + delta (t - t_m): a new
//! matrix differs from the one at the solution by the correction itself, an old one by the way the system has gone since. Both
//! factors are measured whenever an iteration makes two corrections. A rate that is merely remembered, as if a matrix did not
//! age, was tried: on Andrews' mechanism the velocity violation rose tenfold and below 1e-5 the error test failed for good.

/// Factors of the model; part of a snapshot.
#[derive(Debug, Clone, Copy)]
pub(super) struct Forecast {
    /// kappa: rate of a new matrix per unit of the first correction. NaN until measured.
    curvature: f64,
    /// delta: rate per second of age \[1/s\]. NaN until measured.
    drift: f64,
    /// Iterations since the last measurement.
    unmeasured: u32,
}

fourbar_linalg::stored!(struct Forecast { curvature, drift, unmeasured });

/// The forecast is taken this much larger than measured: the next correction has another direction.
const SAFETY: f64 = 3.0;
/// Iterations after which a measurement is due.
const UNMEASURED_MAX: u32 = 10;

impl Forecast {
    pub(super) fn new() -> Self {
        Self { curvature: f64::NAN, drift: f64::NAN, unmeasured: 0 }
    }

    /// Rate to expect after a first correction of norm `first` with a matrix `age` seconds old (0: new). NaN if unknown.
    pub(super) fn rate(&self, first: f64, age: f64) -> f64 {
        if self.unmeasured >= UNMEASURED_MAX {
            return f64::NAN;
        }
        let drift = if age > 0.0 { self.drift * age } else { 0.0 };
        SAFETY * (self.curvature * first + drift)
    }

    /// Notes that an iteration stopped after its first correction.
    pub(super) fn trust(&mut self) {
        self.unmeasured += 1;
    }

    /// Notes the rate measured between the first two corrections.
    pub(super) fn measure(&mut self, rate: f64, first: f64, age: f64) {
        self.unmeasured = 0;
        if age > 0.0 {
            self.drift = rate / age;
        } else {
            self.curvature = rate / first;
        }
    }
}
