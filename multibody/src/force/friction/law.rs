//! How the coefficient of friction depends on the velocity of sliding.
//!
//! ```text
//! mu(v) = mu_d tanh(4 v/v_t) + (mu_s - mu_d) (v/v_t) / ((v/v_t)^2/4 + 3/4)^2
//! ```
//!
//! (Brown, McPhee, A continuous velocity-based friction model for dynamics and control with physically meaningful parameters, J. Comput.
//! Nonlinear Dyn. 11 (2016) 054502.) It is smooth, reaches mu_s at the velocity of transition v_t but for 0.07 % of mu_d, and falls to mu_d beyond:
//! the second term is 0.015 (mu_s - mu_d) at 10 v_t.

/// A law of friction.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct FrictionLaw {
    /// mu_s: largest coefficient, at the velocity of transition.
    pub at_rest: f64,
    /// mu_d: that of fast sliding.
    pub sliding: f64,
    /// v_t: velocity of the surfaces at which friction is largest [m/s].
    pub transition: f64,
    /// Force a velocity of the surfaces, whatever presses them [N s/m].
    pub viscous: f64,
}

/// v/v_t below which the slope of tanh is its series: its difference loses half of its digits at 1e-5, the series is exact to 1e-12 at 1e-2.
const SMALL: f64 = 1e-2;

impl FrictionLaw {
    /// mu(v)/v at the velocity `v`, zero or positive [s/m].
    #[must_use]
    pub fn over_velocity(&self, v: f64) -> f64 {
        let x = v / self.transition;
        let hump = (0.25 * x * x + 0.75).powi(-2);
        (self.sliding * ramp(x) + (self.at_rest - self.sliding) * hump) / self.transition
    }

    /// The derivative of mu(v)/v, over v [s^3/m^3].
    #[must_use]
    pub fn slope_over_velocity(&self, v: f64) -> f64 {
        let x = v / self.transition;
        let hump = -(0.25 * x * x + 0.75).powi(-3);
        (self.sliding * ramp_slope(x) + (self.at_rest - self.sliding) * hump) / self.transition.powi(3)
    }
}

/// tanh(4 x)/x.
fn ramp(x: f64) -> f64 {
    if x < SMALL {
        let s = 16.0 * x * x;
        return 4.0 * (1.0 + s * (-1.0 / 3.0 + s * (2.0 / 15.0 + s * (-17.0 / 315.0 + s * (62.0 / 2835.0)))));
    }
    (4.0 * x).tanh() / x
}

/// Its derivative over x.
fn ramp_slope(x: f64) -> f64 {
    if x < SMALL {
        let s = 16.0 * x * x;
        return 64.0 * (-2.0 / 3.0 + s * (8.0 / 15.0 + s * (-102.0 / 315.0 + s * (496.0 / 2835.0))));
    }
    let tanh = (4.0 * x).tanh();
    (4.0 * (1.0 - tanh * tanh) - tanh / x) / (x * x)
}

#[cfg(test)]
mod tests {
    use super::*;

    const LAW: FrictionLaw = FrictionLaw { at_rest: 0.3, sliding: 0.2, transition: 1e-3, viscous: 0.0 };

    fn mu(v: f64) -> f64 {
        LAW.over_velocity(v) * v
    }

    #[test]
    fn it_is_largest_at_the_transition_and_falls_to_that_of_sliding() {
        let largest = mu(1e-3);
        assert!((largest - 0.3).abs() < 1.4e-4, "{largest}");
        assert!((1..2000).all(|k| mu(1e-5 * f64::from(k)) <= largest + 1.4e-4));
        assert!((mu(1e-2) - (0.2 + 0.015 * 0.1)).abs() < 1e-4, "{}", mu(1e-2));
        assert!((mu(1.0) - 0.2).abs() < 1e-8);
        // Creeping: mu_d 4 + (mu_s - mu_d) 16/9 a velocity of transition.
        approx::assert_relative_eq!(LAW.over_velocity(0.0), (0.8 + 0.1 * 16.0 / 9.0) / 1e-3, max_relative = 1e-14);
    }

    #[test]
    fn its_slope_is_the_derivative_and_goes_on_through_the_series() {
        for v in [1e-7, 3e-6, 0.99e-5, 1.01e-5, 1e-4, 7e-4, 1e-3, 4e-3, 2e-2] {
            let h = 1e-3 * v;
            let stencil = [(-2.0, 1.0), (-1.0, -8.0), (1.0, 8.0), (2.0, -1.0)];
            let slope: f64 = stencil.iter().map(|(k, f)| f * LAW.over_velocity(v + k * h)).sum::<f64>() / (12.0 * h);
            // Round-off of the values over the step.
            let round_off = 1e-15 * LAW.over_velocity(v) / h;
            approx::assert_relative_eq!(
                LAW.slope_over_velocity(v) * v,
                slope,
                max_relative = 1e-8,
                epsilon = 10.0 * round_off
            );
        }
        let [below, above] = [SMALL * (1.0 - 1e-9), SMALL * (1.0 + 1e-9)];
        approx::assert_relative_eq!(ramp(below), ramp(above), max_relative = 1e-11);
        approx::assert_relative_eq!(ramp_slope(below), ramp_slope(above), max_relative = 1e-9);
    }
}
