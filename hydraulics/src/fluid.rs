//! The compiled fluid: E(p), the orifice law, and the smooth switches that valves are made of.

use fourbar_expression::Scalar;

/// A magnitude for pressures and waves: what is small beside it is small beside an atmosphere \[Pa\].
pub(crate) const PRESSURE: f64 = 1e5;

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

/// Part of the modulus of evaporation that is left of the distance to the vapour pressure: it bounds the cavity that is told from larger ones, to
/// pi/2 over this node volumes. A pressure that the error test has let fall below the vapour pressure comes back.
const REST: f64 = 1e-3;

/// A cavity of the volume D V in a node of the volume V has the pressure pv + m/(1 + D): -dp/dD = (p - pv)^2/m. It tends to the vapour pressure
/// pv while the cavity grows, and tells its size until it is closed.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Evaporation {
    /// pv.
    pub(crate) pressure: f64,
    /// Width of the transition to the law of the liquid, above pv + m.
    pub(crate) band: f64,
    /// m.
    pub(crate) modulus: f64,
}

impl Evaporation {
    /// Pressure below which a cavity is open.
    pub(crate) fn onset(&self) -> f64 {
        self.pressure + self.modulus
    }

    /// Distance from pv that is left of the modulus below it.
    pub(crate) fn rest(&self) -> f64 {
        REST * self.modulus
    }

    fn modulus<T: Scalar>(&self, p: T) -> T {
        let above = if p.re() < self.pressure { T::from(0.0) } else { p - self.pressure };
        let rest = self.rest();
        (above * above + rest * rest) / self.modulus
    }
}

/// Material data of the fluid, SI units.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Fluid {
    pub(crate) density: f64,
    pub(crate) viscosity: f64,
    pub(crate) modulus: Modulus,
    pub(crate) evaporation: Evaporation,
}

impl Fluid {
    /// E(p); NaN where the law has no value.
    pub(crate) fn bulk_modulus<T: Scalar>(&self, p: T) -> T {
        let vapor = &self.evaporation;
        let above = (p - vapor.onset()) / vapor.band;
        if above.re() >= 1.0 {
            self.modulus.at(p)
        } else if above.re() <= 0.0 {
            vapor.modulus(p)
        } else {
            // Cubic blend: E is differentiable, and exactly the law above the band.
            let cavity = vapor.modulus(p);
            (self.modulus.at(p) - cavity) * ramp(above) + cavity
        }
    }
}

impl Fluid {
    /// Impedance Z = rho c/A of a pipe of the area A at the pressure p, c = sqrt(E/rho) in the liquid, with the air in it but without vapour [Pa s/m^3].
    pub(crate) fn impedance<T: Scalar>(&self, p: T, area: f64) -> T {
        let lowest = self.evaporation.onset();
        let p = if p.re() < lowest { T::from(lowest) } else { p };
        (self.modulus.at(p) * self.density).sqrt() / area
    }
}

/// Pieces of the band above the vapour over which the modulus is integrated.
const PIECES: usize = 1000;

impl Fluid {
    /// Pressure at which the liquid alone, expanded as much, would be at the vapour pressure: below it a cavity is open, above it the modulus of the band lets the
    /// pressure fall less than that of the liquid would.
    pub(crate) fn opening(&self) -> f64 {
        let vapor = &self.evaporation;
        let (onset, full) = (vapor.onset(), vapor.onset() + vapor.band);
        let expansion = |from: f64, to: f64, modulus: &dyn Fn(f64) -> f64| {
            let h = (to - from) / PIECES as f64;
            (0..PIECES).map(|k| h / modulus(from + (k as f64 + 0.5) * h)).sum::<f64>()
        };
        // A law that has no value there, as that of air below the vacuum, bears any expansion.
        let borne = expansion(vapor.pressure, full, &|p| self.modulus.at(p));
        let h = vapor.band / PIECES as f64;
        let mut sum = 0.0;
        for k in 0..PIECES {
            let p = full - (k as f64 + 0.5) * h;
            sum += h / self.bulk_modulus(p);
            if sum >= borne {
                return p;
            }
        }
        onset
    }

    /// Volume of the cavity beside a node volume of 1 at the pressure p.
    pub(crate) fn cavity(&self, p: f64) -> f64 {
        let vapor = &self.evaporation;
        (vapor.modulus / (p - vapor.pressure).max(REST * vapor.modulus) - 1.0).max(0.0)
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

    const VAPOR: Evaporation = Evaporation { pressure: 3e3, band: 1e4, modulus: 1e3 };

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
        let fluid = Fluid { density: 860.0, viscosity: 0.04, modulus, evaporation: VAPOR };
        let p: f64 = 8e5;
        let volume = 0.97 * (-(p - 1e5) / 1.6e9).exp() + 0.03 * (1e5 / p).powf(1.0 / 1.4);
        assert!((compression(&fluid, 1e5, p) - volume.ln()).abs() < 1e-9);
    }

    #[test]
    fn the_modulus_is_continuous_into_the_vapour() {
        let modulus = Modulus::Logarithmic(1.8e9, 28e6);
        let fluid = Fluid { density: 860.0, viscosity: 0.04, modulus, evaporation: VAPOR };
        assert!((fluid.bulk_modulus(4e3) / 1e3 - 1.0).abs() < 2e-6);
        assert_eq!(fluid.bulk_modulus(3e3), 1e-3);
        assert_eq!(fluid.bulk_modulus(-5e3), 1e-3);
        let law = 0.9e9 * (90.0 * 1.4e4 / 28e6 + 3.0_f64).log10();
        assert_eq!(fluid.bulk_modulus(1.4e4), law);
        assert!((fluid.bulk_modulus(1.4e4 - 1e-3) - law).abs() < 1.0);
        for p in [3e3, 4e3, 1.4e4] {
            let [below, above] = [-1e-6, 1e-6].map(|h| fluid.bulk_modulus(p + h));
            assert!((above - below).abs() < 1e-2, "{below} {above}");
        }
    }

    #[test]
    fn a_cavity_has_the_pressure_of_its_size() {
        let fluid = Fluid { density: 860.0, viscosity: 0.04, modulus: Modulus::Constant(1.4e9), evaporation: VAPOR };
        for size in [0.1, 1.0, 10.0] {
            assert!((compression(&fluid, 4e3, 3e3 + 1e3 / (1.0 + size)) - size).abs() < 1e-4 * size);
        }
    }

    /// Beyond the opening the liquid alone would be below the vapour pressure.
    #[test]
    fn the_opening_of_a_cavity_is_where_the_liquid_would_have_come_to_the_vapour_pressure() {
        for value in [1e6, 1.4e9] {
            let fluid =
                Fluid { density: 860.0, viscosity: 0.04, modulus: Modulus::Constant(value), evaporation: VAPOR };
            let opening = fluid.opening();
            assert!((4e3..1.4e4).contains(&opening), "{opening}");
            assert!((compression(&fluid, 1.4e4, opening) / (1.1e4 / value) - 1.0).abs() < 1e-2, "{opening}");
        }
    }

    #[test]
    fn an_edge_follows_bernoulli_far_above_the_laminar_range() {
        let edge = Edge { area: 1e-4, gain: 0.62 * (2.0_f64 / 860.0).sqrt(), laminar: 1e3 };
        let expected = 0.62 * 1e-4 * (2.0 * 1e7 / 860.0_f64).sqrt();
        assert!((edge.flow(1.0, 1e7) / expected - 1.0).abs() < 1e-8);
        assert_eq!(edge.flow(1.0, -1e7), -edge.flow(1.0, 1e7));
    }
}
