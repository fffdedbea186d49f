//! Orientation by 3-1-3 Euler angles in a body-fixed chart that is exchanged before it becomes singular.
//!
//! The rotation of a body is A = D E(e) C^T with E = R_z(psi) R_x(theta) R_z(phi) and two constant rotations, the chart: C in
//! the body, and D, which tells from which global axis theta is measured, the pole. E is singular where sin(theta) = 0; before
//! that, the chart is chosen anew. In global axes the angular velocity is omega = G(e) e', whose columns are the pole, the line
//! of nodes and the z axis of C, whatever C is.
//!
//! A chart is chosen so that the present turning leaves theta alone. A body that spins about its axis of symmetry has the z axis
//! of C there: phi takes the spin, and psi and theta follow the precession alone. Else the z axis lies along omega when omega is
//! far from the pole (phi then advances), or across the pole (psi then advances). A body that turns steadily about any axis
//! never changes its chart.

use crate::space::{M3, V3};

/// sin(theta) below which the chart is exchanged.
pub const EXCHANGE_BELOW: f64 = 0.5;
/// Cosine between axis and pole above which the axis is steep. Its sine, 0.71, is far above [`EXCHANGE_BELOW`].
const STEEP: f64 = 0.7;
/// Half turns of phi beyond which whole turns are taken off: less often than each step where the body turns slowly.
const COUNTED: f64 = 64.0;

/// An evaluated orientation.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Euler {
    /// D E(e).
    pub e: M3,
    /// G(e): omega = G e', global axes.
    pub g: M3,
}

impl Euler {
    /// Evaluates E and G at e = (psi, theta, phi), with z as the pole.
    #[inline]
    #[must_use]
    pub fn new(angles: &[f64]) -> Self {
        let (sp, cp) = angles[0].sin_cos();
        let (st, ct) = angles[1].sin_cos();
        let (sf, cf) = angles[2].sin_cos();
        let (spct, cpct) = (sp * ct, cp * ct);
        let z = V3::new(sp * st, -cp * st, ct);
        let e = M3::new(
            cp * cf - spct * sf,
            -cp * sf - spct * cf,
            z.x,
            sp * cf + cpct * sf,
            -sp * sf + cpct * cf,
            z.y,
            st * sf,
            st * cf,
            z.z,
        );
        let g = M3::new(0.0, cp, z.x, 0.0, sp, z.y, 1.0, 0.0, z.z);
        Self { e, g }
    }

    fn axes(&self) -> [V3; 3] {
        [0, 1, 2].map(|k| self.g.column(k).into_owned())
    }

    /// sin(theta), from the line of nodes and the z axis of C: their cross product along the pole.
    #[inline]
    #[must_use]
    pub fn sin_theta(&self) -> f64 {
        let [pole, node, axis] = self.axes();
        axis.cross(&node).dot(&pole)
    }

    /// Rates e' = G^-1 omega.
    #[must_use]
    pub fn rates(&self, omega: &V3) -> V3 {
        let [pole, node, axis] = self.axes();
        // axis = cos(theta) pole - sin(theta) across.
        let phi = -omega.dot(&pole.cross(&node)) / self.sin_theta();
        V3::new(omega.dot(&pole) - phi * axis.dot(&pole), omega.dot(&node), phi)
    }

    /// d(G e')/de at fixed e'.
    #[inline]
    #[must_use]
    pub fn rate_gradient(&self, rates: &[f64]) -> M3 {
        let [pole, node, axis] = self.axes();
        let spin = axis * rates[2];
        M3::from_columns(&[pole.cross(&(node * rates[1] + spin)), node.cross(&spin), V3::zeros()])
    }
}

/// The constant rotations C and D of a body.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Chart {
    /// C^T.
    pub body: M3,
    /// The global axis from which theta is measured: 0, 1, 2 for x, y, z.
    pub pole: usize,
}

impl Chart {
    /// The chart of the global axes themselves.
    pub const PLAIN: Self = Self { body: M3::new(1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0), pole: 2 };

    /// Chooses chart and angles for the rotation `a` of a body turning with `omega` (a direction is enough; zero if it rests and
    /// nothing is known) that spins about `spin`, a unit vector in global axes, if it does.
    #[must_use]
    pub fn choose(a: &M3, omega: &V3, spin: Option<V3>) -> (Self, [f64; 3]) {
        let (z, pole) = spin.map_or_else(|| (axis(omega), 2), |axis| (axis, pole(&axis)));
        let local = lowered(&z, pole);
        let e = [local.x.atan2(-local.y), local.x.hypot(local.y).atan2(local.z), 0.0];
        let plain = Self { body: M3::identity(), pole };
        (Self { body: (a.transpose() * plain.euler(&e).e).transpose(), pole }, e)
    }

    /// D E and G at the angles e.
    #[inline]
    #[must_use]
    pub fn euler(&self, angles: &[f64]) -> Euler {
        let Euler { e, g } = Euler::new(angles);
        match self.pole {
            0 => Euler { e: raised(&e, [2, 0, 1]), g: raised(&g, [2, 0, 1]) },
            1 => Euler { e: raised(&e, [1, 2, 0]), g: raised(&g, [1, 2, 0]) },
            _ => Euler { e, g },
        }
    }

    /// Angles e of the rotation `a`, with psi and phi on the branch nearest to `near`.
    #[must_use]
    pub fn angles(&self, a: &M3, near: &[f64; 3]) -> [f64; 3] {
        let e = a * self.body.transpose();
        let z = lowered(&e.column(2).into_owned(), self.pole);
        let psi = z.x.atan2(-z.y);
        let theta = z.x.hypot(z.y).atan2(z.z);
        let phi = e[(self.pole, 0)].atan2(e[(self.pole, 1)]);
        [near[0] + crate::space::wrap(psi - near[0]), theta, near[2] + crate::space::wrap(phi - near[2])]
    }
}

/// Rows `order` of `m`.
#[inline]
fn raised(m: &M3, order: [usize; 3]) -> M3 {
    M3::from_fn(|r, c| m[(order[r], c)])
}

/// `v` in the axes D, whose z axis is the pole.
fn lowered(v: &V3, pole: usize) -> V3 {
    V3::new(v[(pole + 1) % 3], v[(pole + 2) % 3], v[pole])
}

/// The z axis of a chart for a body turning with `omega`, with z as the pole.
fn axis(omega: &V3) -> V3 {
    let speed = omega.norm();
    if speed == 0.0 {
        return V3::x();
    }
    let axis = omega / speed;
    // Perpendicular to a steep axis the chart's z axis stays at least as flat as that axis is steep.
    if axis.z.abs() < STEEP { axis } else { (V3::x() - axis * axis.x).normalize() }
}

/// The pole for a chart with its z axis along `axis`: z, about which a heavy body precesses, if that is far enough.
fn pole(axis: &V3) -> usize {
    if axis.z.abs() < STEEP {
        2
    } else if axis.x.abs() < axis.y.abs() {
        0
    } else {
        1
    }
}

/// Whole turns to take off phi, so that a spin of long duration costs no digits; 0 while they are few.
#[must_use]
pub fn whole_turns(phi: f64) -> f64 {
    if phi.abs() < COUNTED * std::f64::consts::PI {
        0.0
    } else {
        (phi / std::f64::consts::TAU).round() * std::f64::consts::TAU
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::space::{rotation, skew};
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn angles_invert_e(psi in -9.0..9.0f64, theta in 0.4..2.7f64, phi in -9.0..9.0f64) {
            let e = Euler::new(&[psi, theta, phi]).e;
            let back = Chart::PLAIN.angles(&e, &[psi + 0.3, 1.0, phi - 0.3]);
            prop_assert!((back[0] - psi).abs() < 1e-13 && (back[1] - theta).abs() < 1e-13 && (back[2] - phi).abs() < 1e-13);
            prop_assert!((e.transpose() * e - M3::identity()).norm() < 1e-14);
        }

        #[test]
        fn rates_give_the_angular_velocity(pole in 0usize..3, psi in -4.0..4.0f64, theta in 0.4..2.7f64, phi in -4.0..4.0f64, d in prop::array::uniform3(-1.0..1.0f64)) {
            // E(e + s d) against exp(s [G d]x) E by a central difference.
            let chart = Chart { pole, ..Chart::PLAIN };
            let at = chart.euler(&[psi, theta, phi]);
            let s = 1e-5;
            let plus = chart.euler(&[psi + s * d[0], theta + s * d[1], phi + s * d[2]]);
            let minus = chart.euler(&[psi - s * d[0], theta - s * d[1], phi - s * d[2]]);
            let omega = at.g * V3::from(d);
            prop_assert!(((plus.e - minus.e) / (2.0 * s) - skew(&omega) * at.e).norm() < 1e-9);
            prop_assert!((at.rates(&omega) - V3::from(d)).norm() < 1e-12);
            prop_assert!((at.sin_theta() - theta.sin()).abs() < 1e-15);
            let rate = [0.3, -0.7, 1.1];
            let change = (plus.g - minus.g) * V3::from(rate) / (2.0 * s);
            prop_assert!((change - at.rate_gradient(&rate) * V3::from(d)).norm() < 1e-9);
        }

        #[test]
        fn a_new_chart_is_far_from_singular_and_stays_so(t in prop::array::uniform3(-3.0..3.0f64), w in prop::array::uniform3(-5.0..5.0f64), turn in -6.0..6.0f64, spins in any::<bool>()) {
            let (a, omega) = (rotation(&V3::from(t)), V3::from(w));
            let spin = (spins && omega.norm() > 0.1).then(|| omega.normalize());
            let (chart, e) = Chart::choose(&a, &omega, spin);
            let euler = chart.euler(&e);
            prop_assert!((euler.e * chart.body - a).norm() < 1e-14);
            prop_assert!(euler.sin_theta() > 0.7);
            if let Some(axis) = spin {
                prop_assert!((euler.g.column(2) - axis).norm() < 1e-14);
            }
            // Steady turning about omega leaves sin(theta) above the limit of exchange.
            if omega.norm() > 0.1 {
                let turned = rotation(&(omega.normalize() * turn)) * a;
                let later = chart.angles(&turned, &e);
                prop_assert!((chart.euler(&later).e * chart.body - turned).norm() < 1e-13);
                prop_assert!(later[1].sin() > EXCHANGE_BELOW, "sin theta {}", later[1].sin());
                if spin.is_some() {
                    prop_assert!((later[0] - e[0]).abs() + (later[1] - e[1]).abs() < 1e-13);
                    prop_assert!(crate::space::wrap(later[2] - e[2] - turn).abs() < 1e-13);
                }
            }
        }

        #[test]
        fn whole_turns_leave_the_orientation(phi in -1e6..1e6f64) {
            let rest = phi - whole_turns(phi);
            prop_assert!(rest.abs() <= COUNTED * std::f64::consts::PI);
            prop_assert!((rest.sin() - phi.sin()).abs() < 1e-9);
        }
    }
}
