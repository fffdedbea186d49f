//! Numerical damping of generalized-alpha: its weights and coefficients (symbols: [`Hht`](super::Hht)).

use super::error::Error;
use super::options::within;

/// How much a step of [`Hht`](super::Hht) damps what is far faster than the step.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Damping {
    /// HHT-alpha, from -1/3 (most damping) to 0 (none): alpha_m = 0, alpha_f = -alpha. Fast parts are multiplied by alpha/(1 + alpha) in each step.
    Alpha(f64),
    /// Generalized-alpha by the spectral radius at infinity, from 0 (fast parts are gone after a step or two) to 1 (none is damped).
    SpectralRadius(f64),
}

impl Default for Damping {
    /// HHT-alpha with -0.3, as in Adams.
    fn default() -> Self {
        Self::Alpha(-0.3)
    }
}

impl Damping {
    /// alpha_m and alpha_f.
    fn weights(self) -> [f64; 2] {
        match self {
            Self::Alpha(alpha) => [0.0, -alpha],
            Self::SpectralRadius(rho) => [(3.0 * rho - 1.0) / (2.0 + 2.0 * rho), rho / (1.0 + rho)],
        }
    }

    /// l_1 and l_2: what y - y_p adds to h y' and to z_2; and y - y_p per local error.
    pub(super) fn coefficients(self) -> [f64; 3] {
        let [m, f] = self.weights();
        let gamma = 0.5 - m + f;
        let (first, second) = ((1.0 - m) / (gamma * (1.0 - f)), 0.5 / (gamma * (1.0 - f)));
        // On y = t^3/6 in steps of 1: a = y' + (m - f) y'' + kappa; y_{n+1} is off by `error`, and y - y_p is 1/(2 l_2), whose sum z_2 is t/2.
        let middle = 0.5 + m - f;
        let kappa = 0.5 * (1.0 - f) - (1.0 - m) * middle;
        let error = (1.0 / 6.0 - kappa - gamma * middle).abs();
        [first, second, 0.5 / second / error]
    }

    /// Checks the range.
    pub(super) fn validate(self) -> Result<(), Error> {
        match self {
            Self::Alpha(alpha) => within("alpha", alpha, (-1.0 / 3.0..=0.0).contains(&alpha), "from -1/3 to 0"),
            Self::SpectralRadius(rho) => {
                within("spectral radius at infinity", rho, (0.0..=1.0).contains(&rho), "from 0 to 1")
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// At the ends of their ranges the coefficients are those of known formulas, and so are the errors: BDF2's is 1/3 and the trapezoidal rule's 1/12 of
    /// h^3 y'''. In between rho alone says them.
    #[test]
    fn coefficients_are_those_of_known_formulas() {
        for i in 0..=10 {
            let rho = f64::from(i) / 10.0;
            let found = Damping::SpectralRadius(rho).coefficients();
            let second = (1.0 + rho) * (1.0 + rho) / 2.0;
            let expected = [(3.0 - rho) * (1.0 + rho) / 2.0, second, 3.0 / (1.0 - rho + rho * rho)];
            for (found, expected) in found.into_iter().zip(expected) {
                assert!((found - expected).abs() < 1e-14, "rho = {rho}: {found} for {expected}");
            }
        }
        for (undamped, error) in [(Damping::Alpha(0.0), 6.0), (Damping::SpectralRadius(1.0), 3.0)] {
            assert!((undamped.coefficients()[2] - error).abs() < 1e-14, "{undamped:?}");
        }
    }
}
