//! Coefficients of a step, from its length and those before (Shampine, Gordon, chapter 5).
//!
//! Entry i - 1 of an array is what the formulas call number i.

/// Highest order of the predictor.
pub const ABAM_ORDER_MAX: usize = 12;

/// Points of which history is kept: those of the highest order, and one that tells of the next.
pub(super) const POINTS: usize = ABAM_ORDER_MAX + 1;

/// Magnitudes of gamma*_1 to gamma*_13: the error constants of the correctors of order 1 to 13 in powers of the backward difference.
pub(super) const ERROR: [f64; POINTS] = error_constants();

/// gamma*_0 = 1, sum over i of gamma*_i/(m + 1 - i) = 0 (the generating function -t/log(1 - t)).
const fn error_constants() -> [f64; POINTS] {
    let mut signed = [0.0; POINTS + 1];
    signed[0] = 1.0;
    let mut out = [0.0; POINTS];
    let mut m = 1;
    while m <= POINTS {
        let mut i = 0;
        while i < m {
            signed[m] -= signed[i] / (m + 1 - i) as f64;
            i += 1;
        }
        out[m - 1] = -signed[m];
        m += 1;
    }
    out
}

/// Those of a step. Equal steps need no case of their own: the sums of their lengths are the same, and each beta then is exactly 1.
#[derive(Debug, Clone, Default)]
pub(super) struct Coefficients {
    /// psi_i at the end of the step \[s\].
    pub(super) psi: [f64; POINTS],
    pub(super) beta: [f64; POINTS],
    pub(super) g: [f64; POINTS],
    pub(super) sigma: [f64; POINTS],
}

impl Coefficients {
    /// For a step of length `h` \[s\] and order `k`; `before` are psi_i at its start, 0 where there is no point.
    pub(super) fn set(&mut self, h: f64, k: usize, before: &[f64; POINTS]) {
        self.psi[0] = h;
        for i in 1..POINTS {
            self.psi[i] = before[i - 1] + h;
        }
        self.beta.fill(0.0);
        (self.beta[0], self.sigma[0]) = (1.0, 1.0);
        for i in 1..=k {
            if before[i - 1] > 0.0 {
                self.beta[i] = self.beta[i - 1] * self.psi[i - 1] / before[i - 1];
            }
            self.sigma[i] = i as f64 * (h / self.psi[i - 1]) * self.sigma[i - 1];
        }
        // g_{1,q} = 1/q, g_{i,q} = g_{i-1,q} - alpha_{i-1} g_{i-1,q+1}, alpha_i = h/psi_i.
        let mut w: [f64; POINTS] = std::array::from_fn(|q| 1.0 / (q + 1) as f64);
        self.g[0] = 1.0;
        for i in 1..=k {
            let alpha = h / self.psi[i - 1];
            for q in 0..=k - i {
                w[q] -= alpha * w[q + 1];
            }
            self.g[i] = w[0];
        }
    }
}

/// g_i and rho_i of the polynomial of degree `count` through the history that ends `ahead` \[s\] before the time asked for (negative: behind):
/// y + ahead sum g_i phi_i and its slope sum rho_i phi_i.
pub(super) fn extension(ahead: f64, psi: &[f64; POINTS], count: usize) -> ([f64; POINTS], [f64; POINTS]) {
    let (mut g, mut rho) = ([0.0; POINTS], [0.0; POINTS]);
    let mut w: [f64; POINTS] = std::array::from_fn(|q| 1.0 / (q + 1) as f64);
    (g[0], rho[0]) = (1.0, 1.0);
    let mut passed = 0.0;
    for j in 1..count {
        let (gamma, eta) = ((ahead + passed) / psi[j - 1], ahead / psi[j - 1]);
        for q in 0..count - j {
            w[q] = gamma * w[q] - eta * w[q + 1];
        }
        (g[j], rho[j]) = (w[0], gamma * rho[j - 1]);
        passed = psi[j - 1];
    }
    (g, rho)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Hairer, Norsett, Wanner I, table III.1.2, with the sign of the corrector's constants left out.
    #[test]
    fn error_constants_are_those_of_moulton() {
        let known = [1.0 / 2.0, 1.0 / 12.0, 1.0 / 24.0, 19.0 / 720.0, 3.0 / 160.0, 863.0 / 60480.0, 275.0 / 24192.0];
        for (own, known) in ERROR.iter().zip(known) {
            assert!((own - known).abs() < 1e-16, "{own} {known}");
        }
    }

    /// Of equal steps g_i are the constants of Bashforth, beta and sigma are 1.
    #[test]
    fn equal_steps_have_the_constants_of_bashforth() {
        let h = 0.3;
        let mut before = [0.0; POINTS];
        let mut sum = 0.0;
        for psi in &mut before {
            sum += h;
            *psi = sum;
        }
        let mut own = Coefficients::default();
        own.set(h, ABAM_ORDER_MAX, &before);
        let known = [1.0, 1.0 / 2.0, 5.0 / 12.0, 3.0 / 8.0, 251.0 / 720.0, 95.0 / 288.0, 19087.0 / 60480.0];
        for (i, known) in known.into_iter().enumerate() {
            assert!((own.g[i] - known).abs() < 1e-15, "g {}: {} {known}", i + 1, own.g[i]);
        }
        assert!(own.beta.iter().all(|beta| *beta == 1.0) && own.sigma.iter().all(|s| (s - 1.0).abs() < 1e-14));
    }
}
