//! Orientation by 3-1-3 Euler angles in a body-fixed chart that is exchanged before it becomes singular.
//!
//! The rotation of a body is A = E(e) C^T with E = R_z(psi) R_x(theta) R_z(phi) and a constant rotation C, the chart. E is
//! singular where sin(theta) = 0; before that, C is chosen anew. In global axes the angular velocity is omega = G(e) e', whose
//! columns are the global z axis, the line of nodes and the z axis of the chart, whatever C is.
//!
//! A chart is chosen so that the present turning leaves theta alone: with the chart's z axis along omega when omega is far
//! from the global z axis (phi then advances), else horizontal (psi then advances). A body that turns steadily about any
//! axis never changes its chart.

use crate::space::{M3, V3};

/// sin(theta) below which the chart is exchanged.
pub const EXCHANGE_BELOW: f64 = 0.5;

/// An evaluated orientation.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Euler {
    /// E(e).
    pub e: M3,
    /// G(e): omega = G e', global axes.
    pub g: M3,
}

impl Euler {
    /// Evaluates E and G at e = (psi, theta, phi).
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

    /// sin(theta), from the line of nodes and the chart's z axis: their cross product with the vertical.
    #[inline]
    #[must_use]
    pub fn sin_theta(&self) -> f64 {
        self.g[(0, 2)] * self.g[(1, 1)] - self.g[(1, 2)] * self.g[(0, 1)]
    }

    /// Rates e' = G^-1 omega.
    #[must_use]
    pub fn rates(&self, omega: &V3) -> V3 {
        let node = V3::new(self.g[(0, 1)], self.g[(1, 1)], 0.0);
        let axis = V3::new(self.g[(0, 2)], self.g[(1, 2)], self.g[(2, 2)]);
        let across = V3::new(-node.y, node.x, 0.0);
        // axis = cos(theta) z - sin(theta) across.
        let phi = -omega.dot(&across) / self.sin_theta();
        V3::new(omega.z - phi * axis.z, omega.dot(&node), phi)
    }

    /// d(G e')/de at fixed e'.
    #[inline]
    #[must_use]
    pub fn rate_gradient(&self, rates: &[f64]) -> M3 {
        let (cp, sp) = (self.g[(0, 1)], self.g[(1, 1)]);
        let (zx, zy, ct) = (self.g[(0, 2)], self.g[(1, 2)], self.g[(2, 2)]);
        let (theta, phi) = (rates[1], rates[2]);
        let st = self.sin_theta();
        M3::new(
            -theta * sp - phi * zy,
            phi * sp * ct,
            0.0,
            theta * cp + phi * zx,
            -phi * cp * ct,
            0.0,
            0.0,
            -phi * st,
            0.0,
        )
    }
}

/// Angles e of the rotation E, with psi and phi on the branch nearest to `near`.
#[must_use]
pub fn angles(e: &M3, near: &[f64; 3]) -> [f64; 3] {
    let st = e[(0, 2)].hypot(e[(1, 2)]);
    let psi = e[(0, 2)].atan2(-e[(1, 2)]);
    let theta = st.atan2(e[(2, 2)]);
    let phi = e[(2, 0)].atan2(e[(2, 1)]);
    [near[0] + crate::space::wrap(psi - near[0]), theta, near[2] + crate::space::wrap(phi - near[2])]
}

/// Chooses the chart C and the angles e for the rotation `a` of a body turning with `omega` (a direction is enough; zero if it
/// rests and nothing is known).
#[must_use]
pub fn choose_chart(a: &M3, omega: &V3) -> (M3, [f64; 3]) {
    let speed = omega.norm();
    let z = if speed > 0.0 {
        let axis = omega / speed;
        // Perpendicular to a steep axis the chart's z axis stays at least as flat as that axis is steep.
        if axis.z.abs() < 0.7 { axis } else { (V3::x() - axis * axis.x).normalize() }
    } else {
        V3::x()
    };
    let e = [z.x.atan2(-z.y), z.x.hypot(z.y).atan2(z.z), 0.0];
    (a.transpose() * Euler::new(&e).e, e)
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
            let back = angles(&e, &[psi + 0.3, 1.0, phi - 0.3]);
            prop_assert!((back[0] - psi).abs() < 1e-13 && (back[1] - theta).abs() < 1e-13 && (back[2] - phi).abs() < 1e-13);
            prop_assert!((e.transpose() * e - M3::identity()).norm() < 1e-14);
        }

        #[test]
        fn rates_give_the_angular_velocity(psi in -4.0..4.0f64, theta in 0.4..2.7f64, phi in -4.0..4.0f64, d in prop::array::uniform3(-1.0..1.0f64)) {
            // E(e + s d) against exp(s [G d]x) E by a central difference.
            let at = Euler::new(&[psi, theta, phi]);
            let s = 1e-5;
            let plus = Euler::new(&[psi + s * d[0], theta + s * d[1], phi + s * d[2]]);
            let minus = Euler::new(&[psi - s * d[0], theta - s * d[1], phi - s * d[2]]);
            let omega = at.g * V3::from(d);
            prop_assert!(((plus.e - minus.e) / (2.0 * s) - skew(&omega) * at.e).norm() < 1e-9);
            prop_assert!((at.rates(&omega) - V3::from(d)).norm() < 1e-12);
            prop_assert!((at.sin_theta() - theta.sin()).abs() < 1e-15);
            let rate = [0.3, -0.7, 1.1];
            let change = (plus.g - minus.g) * V3::from(rate) / (2.0 * s);
            prop_assert!((change - at.rate_gradient(&rate) * V3::from(d)).norm() < 1e-9);
        }

        #[test]
        fn a_new_chart_is_far_from_singular_and_stays_so(t in prop::array::uniform3(-3.0..3.0f64), w in prop::array::uniform3(-5.0..5.0f64), turn in -6.0..6.0f64) {
            let (a, omega) = (rotation(&V3::from(t)), V3::from(w));
            let (chart, e) = choose_chart(&a, &omega);
            let euler = Euler::new(&e);
            prop_assert!((euler.e * chart.transpose() - a).norm() < 1e-14);
            prop_assert!(euler.sin_theta() > 0.7);
            // Steady turning about omega leaves sin(theta) above the limit of exchange.
            if omega.norm() > 0.1 {
                let turned = rotation(&(omega.normalize() * turn)) * a * chart;
                let later = angles(&turned, &e);
                prop_assert!(later[1].sin() > EXCHANGE_BELOW, "sin theta {}", later[1].sin());
            }
        }
    }
}
