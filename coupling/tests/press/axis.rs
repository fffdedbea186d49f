//! One hydraulic axis: position servo, spool, valve with null leakage, line, two chambers, relief valve, seal friction.

/// Number of states: spool, its velocity, p at the valve, q in the line, p in the chambers A and B.
pub(crate) const STATES: usize = 6;

/// Data of an axis, SI units.
#[derive(Clone, Copy)]
pub(crate) struct Axis {
    pub(crate) area: [f64; 2],
    pub(crate) stroke: f64,
    pub(crate) dead: [f64; 2],
    pub(crate) e_max: f64,
    pub(crate) p_supply: f64,
    pub(crate) valve: f64,
    pub(crate) omega: f64,
    pub(crate) zeta: f64,
    pub(crate) leak: f64,
    pub(crate) relief: f64,
    pub(crate) k_relief: f64,
    pub(crate) pipe: [f64; 3],
    pub(crate) coulomb: f64,
    pub(crate) viscous: f64,
    pub(crate) gain: f64,
}

const P_MAX: f64 = 28e6;
const P_TANK: f64 = 2e5;
const CD: f64 = 0.62;
const RHO: f64 = 860.0;
const DP_LAMINAR: f64 = 1e5;
const EPS: f64 = 0.01;
const D_RELIEF: f64 = 5e4;
const V_SEAL: f64 = 0.02;

pub(crate) const PRESS_AREAS: [f64; 2] = [0.090_792_027_6, 0.045_553_093_5];

pub(crate) fn press_axis(dead_a: f64, pipe: [f64; 3]) -> Axis {
    Axis {
        area: PRESS_AREAS,
        stroke: 0.8,
        dead: [dead_a, 0.003],
        e_max: 1.8e9,
        p_supply: 25e6,
        valve: 0.0012,
        omega: 80.0 * 2.0 * std::f64::consts::PI,
        zeta: 0.8,
        leak: 2e-12,
        relief: 30e6,
        k_relief: 2e-8,
        pipe,
        coulomb: 8000.0,
        viscous: 40_000.0,
        gain: 12.0,
    }
}

pub(crate) const ARM_AREAS: [f64; 2] = [0.003_117_2, 0.002_155_1];

pub(crate) fn arm_axis() -> Axis {
    Axis {
        area: ARM_AREAS,
        stroke: 0.4,
        dead: [3e-4, 3e-4],
        e_max: 1.6e9,
        p_supply: 16e6,
        valve: 6e-5,
        omega: 120.0 * 2.0 * std::f64::consts::PI,
        zeta: 0.7,
        leak: 5e-13,
        relief: 20e6,
        k_relief: 1e-9,
        pipe: [2e-4, 4e7, 5e8],
        coulomb: 150.0,
        viscous: 1500.0,
        gain: 7.0,
    }
}

fn smooth_positive(z: f64, width: f64) -> f64 {
    0.5 * (z + (z * z + width * width).sqrt())
}

impl Axis {
    fn bulk_modulus(&self, p: f64) -> f64 {
        0.5 * self.e_max * (90.0 * p / P_MAX + 3.0).log10()
    }

    fn orifice(&self, opening: f64, dp: f64) -> f64 {
        CD * self.valve * opening * (2.0 / RHO).sqrt() * dp / (dp * dp + DP_LAMINAR * DP_LAMINAR).sqrt().sqrt()
    }

    /// Derivatives of the states `s` for rod position x and velocity v and the reference (r, r').
    pub(crate) fn rhs(&self, s: &[f64], x: f64, v: f64, (r, dr): (f64, f64), ds: &mut [f64]) {
        let [spool, spool_v, pv, q, pa, pb] = [s[0], s[1], s[2], s[3], s[4], s[5]];
        let u = self.gain * (r - x) + 0.6 * dr;
        let (open, shut) = (smooth_positive(spool, EPS), smooth_positive(-spool, EPS));
        let qa = self.orifice(open, self.p_supply - pv) - self.orifice(shut, pv - P_TANK);
        let qb = self.orifice(shut, self.p_supply - pb) - self.orifice(open, pb - P_TANK);
        let relief = self.k_relief * smooth_positive(pa - self.relief, D_RELIEF);
        let leak = self.leak * (pa - pb);
        let [volume, inertance, resistance] = self.pipe;
        ds[0] = spool_v;
        ds[1] = self.omega * self.omega * (u - spool) - 2.0 * self.zeta * self.omega * spool_v;
        ds[2] = self.bulk_modulus(pv) / volume * (qa - q);
        ds[3] = (pv - pa - resistance * q) / inertance;
        let [a, b] = self.area;
        ds[4] = self.bulk_modulus(pa) / (self.dead[0] + a * x) * (q - a * v - leak - relief);
        ds[5] = self.bulk_modulus(pb) / (self.dead[1] + b * (self.stroke - x)) * (qb + b * v + leak);
    }

    /// Force on the rod.
    pub(crate) fn force(&self, s: &[f64], v: f64) -> f64 {
        self.area[0] * s[4] - self.area[1] * s[5] - self.coulomb * (v / V_SEAL).tanh() - self.viscous * v
    }
}
