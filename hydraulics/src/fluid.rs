//! The compiled fluid: E(p), the orifice law, and the smooth switches that valves are made of.

use fourbar_multibody::expression::Scalar;

/// E(p) = -V dp/dV of a fluid, by law.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Modulus {
    Constant(f64),
    /// Emax, pmax.
    Logarithmic(f64, f64),
    EntrainedAir {
        liquid: f64,
        fraction: f64,
        reference: f64,
        exponent: f64,
    },
}

/// Vapour pressure, width of the transition, modulus below it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Evaporation {
    pub(crate) pressure: f64,
    pub(crate) band: f64,
    pub(crate) modulus: f64,
}

/// Material data of the fluid, SI units.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Fluid {
    pub(crate) density: f64,
    pub(crate) viscosity: f64,
    pub(crate) modulus: Modulus,
    pub(crate) evaporation: Option<Evaporation>,
}

impl Fluid {
    /// E(p); NaN where the law has no value.
    pub(crate) fn bulk_modulus<T: Scalar>(&self, p: T) -> T {
        let Some(vapor) = self.evaporation else {
            return self.modulus.at(p);
        };
        let above = (p - vapor.pressure) / vapor.band;
        if above.re() >= 1.0 {
            self.modulus.at(p)
        } else if above.re() <= 0.0 {
            T::from(vapor.modulus)
        } else {
            // Quintic blend: E is twice differentiable, and exactly the law above the band.
            let share = above * above * above * (above * (above * 6.0 - 15.0) + 10.0);
            (self.modulus.at(p) - vapor.modulus) * share + vapor.modulus
        }
    }
}

impl Modulus {
    fn at<T: Scalar>(&self, p: T) -> T {
        match *self {
            Self::Constant(value) => T::from(value),
            Self::Logarithmic(maximum, reference) => (p * 90.0 / reference + 3.0).log10() * (0.5 * maximum),
            // V(p) = (1 - a) exp(-(p - p0)/El) + a (p0/p)^(1/n) and E = -V/V'.
            Self::EntrainedAir { liquid, fraction, reference, exponent } => {
                let oil = (-(p - reference) / liquid).exp() * (1.0 - fraction);
                let air = (p / reference).powf(-1.0 / exponent) * fraction;
                (oil + air) / (oil / liquid + air / (p * exponent))
            }
        }
    }
}

/// Q = g A dp / (dp^2 + dpl^2)^(1/4) with g = Cd sqrt(2/rho): Cd A sqrt(2 dp/rho) for dp >> dpl, linear below.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Edge {
    pub(crate) area: f64,
    pub(crate) gain: f64,
    pub(crate) laminar: f64,
}

impl Edge {
    /// Flow through the share `opening` of the area under the pressure difference `dp` \[Pa\], in m^3/s.
    pub(crate) fn flow<T: Scalar>(&self, opening: T, dp: T) -> T {
        opening * (self.area * self.gain) * dp / (dp * dp + self.laminar * self.laminar).sqrt().sqrt()
    }
}

/// (z + sqrt(z^2 + w^2))/2: max(z, 0), rounded over the width w.
pub(crate) fn smooth_positive<T: Scalar>(z: T, width: f64) -> T {
    (z + (z * z + width * width).sqrt()) * 0.5
}

/// 0 up to z = 0, 1 from z = 1 on, 3 z^2 - 2 z^3 between.
pub(crate) fn ramp<T: Scalar>(z: T) -> T {
    // A NaN goes to the last branch and stays one.
    if z.re() <= 0.0 {
        T::from(0.0)
    } else if z.re() >= 1.0 {
        T::from(1.0)
    } else {
        z * z * (z * -2.0 + 3.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// ln of the volume at p2 over that at p1, by Simpson's rule on dp/E.
    fn compression(fluid: &Fluid, p1: f64, p2: f64) -> f64 {
        let (n, h) = (20_000, (p2 - p1) / 20_000.0);
        let weight = |i: usize| if i == 0 || i == n { 1.0 } else { [2.0, 4.0][i % 2] };
        (0..=n).map(|i| -weight(i) * h / 3.0 / fluid.bulk_modulus(p1 + i as f64 * h)).sum()
    }

    #[test]
    fn entrained_air_integrates_to_the_volumes_of_oil_and_air() {
        let (liquid, fraction, reference, exponent) = (1.6e9, 0.03, 1e5, 1.4);
        let modulus = Modulus::EntrainedAir { liquid, fraction, reference, exponent };
        let fluid = Fluid { density: 860.0, viscosity: 0.04, modulus, evaporation: None };
        let p: f64 = 8e5;
        let volume = 0.97 * (-(p - 1e5) / 1.6e9).exp() + 0.03 * (1e5 / p).powf(1.0 / 1.4);
        assert!((compression(&fluid, 1e5, p) - volume.ln()).abs() < 1e-9);
    }

    #[test]
    fn the_modulus_is_continuous_into_the_vapour() {
        let evaporation = Some(Evaporation { pressure: 3e3, band: 1e4, modulus: 1e3 });
        let fluid = Fluid { density: 860.0, viscosity: 0.04, modulus: Modulus::Logarithmic(1.8e9, 28e6), evaporation };
        assert_eq!(fluid.bulk_modulus(3e3), 1e3);
        assert_eq!(fluid.bulk_modulus(-5e3), 1e3);
        let law = 0.9e9 * (90.0 * 1.3e4 / 28e6 + 3.0_f64).log10();
        assert_eq!(fluid.bulk_modulus(1.3e4), law);
        assert!((fluid.bulk_modulus(1.3e4 - 1e-3) - law).abs() < 1.0);
    }

    #[test]
    fn an_edge_follows_bernoulli_far_above_the_laminar_range() {
        let edge = Edge { area: 1e-4, gain: 0.62 * (2.0_f64 / 860.0).sqrt(), laminar: 1e3 };
        let expected = 0.62 * 1e-4 * (2.0 * 1e7 / 860.0_f64).sqrt();
        assert!((edge.flow(1.0, 1e7) / expected - 1.0).abs() < 1e-8);
        assert_eq!(edge.flow(1.0, -1e7), -edge.flow(1.0, 1e7));
    }
}
