//! Orientation by three coordinates in a chart that is exchanged before it becomes singular: 3-1-3 Euler angles, or half a turn.
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
//!
//! A free body that tumbles never turns steadily. Its angles bend sharply where sin(theta) is small, and errors grow there. It
//! has the vector part q of a unit quaternion instead, with D E(e) = R(q): the scalar part s = sqrt(1 - |q|^2) is positive. q goes
//! half as fast as the body, and bends nowhere. From q' and s' = -q.q'/s follows omega = 2 (s q' - s' q + q x q') = G(q) q'.

use crate::space::{M3, V3, skew};

/// sin(theta) below which the chart is exchanged.
pub const EXCHANGE_BELOW: f64 = 0.5;
/// Cosine between axis and pole above which the axis is steep. Its sine, 0.71, is far above [`EXCHANGE_BELOW`].
const STEEP: f64 = 0.7;
/// Half turns of phi beyond which whole turns are taken off: less often than each step where the body turns slowly.
const COUNTED: f64 = 64.0;
/// A new chart of half turns begins at this half angle behind its reference \[rad\], 60 degrees of turning ..
const BEHIND: f64 = std::f64::consts::FRAC_PI_6;
/// .. and is exchanged where the scalar part falls below this, 110 degrees ahead of it. 70 degrees are left for the step that passes it.
const SCALAR_BELOW: f64 = 0.57;
/// Least scalar part that is evaluated. A step that comes here turns the body by 69 degrees at once, and fails the error test.
const SCALAR_MIN: f64 = 0.01;
/// A chart of half turns serves a body that turns by less than this within the steps that its history spans \[rad\]: all of them lie within it.
const WITHIN: f64 = 1.0;

/// An evaluated orientation.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Euler {
    /// D E(e).
    pub e: M3,
    /// G(e): omega = G e', global axes.
    pub g: M3,
    /// q and s, in a chart of half turns.
    half: Option<(V3, f64)>,
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
        Self { e, g, half: None }
    }

    /// Evaluates R and G at q, the vector part of a unit quaternion.
    #[inline]
    fn half_turn(q: V3) -> Self {
        let s = (1.0 - q.norm_squared()).max(SCALAR_MIN * SCALAR_MIN).sqrt();
        let (cross, outer) = (skew(&q), q * q.transpose());
        let e = M3::identity() * (s * s - q.norm_squared()) + outer * 2.0 + cross * (2.0 * s);
        let g = (M3::identity() * s + outer / s + cross) * 2.0;
        Self { e, g, half: Some((q, s)) }
    }

    /// Whether its chart must be exchanged.
    #[inline]
    #[must_use]
    pub fn is_worn(&self) -> bool {
        self.half.map_or_else(|| self.sin_theta().abs() < EXCHANGE_BELOW, |(_, s)| s < SCALAR_BELOW)
    }

    fn axes(&self) -> [V3; 3] {
        [0, 1, 2].map(|k| self.g.column(k).into_owned())
    }

    /// sin(theta) of Euler angles, from the line of nodes and the z axis of C: their cross product along the pole.
    #[inline]
    #[must_use]
    pub fn sin_theta(&self) -> f64 {
        let [pole, node, axis] = self.axes();
        axis.cross(&node).dot(&pole)
    }

    /// Rates e' = G^-1 omega.
    #[must_use]
    pub fn rates(&self, omega: &V3) -> V3 {
        if let Some((q, s)) = self.half {
            return (omega * s + omega.cross(&q)) * 0.5;
        }
        let [pole, node, axis] = self.axes();
        // axis = cos(theta) pole - sin(theta) across.
        let phi = -omega.dot(&pole.cross(&node)) / self.sin_theta();
        V3::new(omega.dot(&pole) - phi * axis.dot(&pole), omega.dot(&node), phi)
    }

    /// d(G e')/de at fixed e'.
    #[inline]
    #[must_use]
    pub fn rate_gradient(&self, rates: &[f64]) -> M3 {
        if let Some((q, s)) = self.half {
            let u = V3::new(rates[0], rates[1], rates[2]);
            let along = q.dot(&u) / s;
            let scalar = (q * (along / s) - u) * (q / s).transpose();
            return (scalar + M3::identity() * along + q * (u / s).transpose() - skew(&u)) * 2.0;
        }
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
    /// The global axis from which theta is measured: 0, 1, 2 for x, y, z. None in a chart of half turns.
    pub pole: Option<usize>,
}

impl Chart {
    /// The chart of the global axes themselves.
    pub const PLAIN: Self = Self { body: M3::new(1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0), pole: Some(2) };

    /// Chooses chart and angles for the rotation `a` of a body turning with `omega` (a direction is enough; zero if it rests and
    /// nothing is known) that spins about `spin`, a unit vector in global axes, if it does.
    #[must_use]
    pub fn choose(a: &M3, omega: &V3, spin: Option<V3>) -> (Self, [f64; 3]) {
        let (z, pole) = spin.map_or_else(|| (axis(omega), 2), |axis| (axis, pole(&axis)));
        let local = lowered(&z, pole);
        let e = [local.x.atan2(-local.y), local.x.hypot(local.y).atan2(local.z), 0.0];
        let plain = Self { body: M3::identity(), pole: Some(pole) };
        (Self { body: (a.transpose() * plain.euler(&e).e).transpose(), ..plain }, e)
    }

    /// A chart of half turns for the rotation `a` of a body turning with `omega`, with q.
    #[must_use]
    pub fn of_half_turns(a: &M3, omega: &V3) -> (Self, [f64; 3]) {
        let q = omega.try_normalize(0.0).map_or_else(V3::zeros, |axis| axis * -BEHIND.sin());
        (Self { body: Euler::half_turn(q).e.tr_mul(a), pole: None }, q.into())
    }

    /// Whether such a chart serves a body that turns at `speed` [rad/s], with a history of `order` steps of length `step`.
    #[must_use]
    pub fn may_take_half_turns(speed: f64, step: f64, order: usize) -> bool {
        speed * step * (order as f64) < WITHIN
    }

    /// Whether it is a chart of half turns.
    #[inline]
    #[must_use]
    pub fn has_half_turns(&self) -> bool {
        self.pole.is_none()
    }

    /// D E and G at the angles e, or at q.
    #[inline]
    #[must_use]
    pub fn euler(&self, angles: &[f64]) -> Euler {
        let Some(pole) = self.pole else {
            return Euler::half_turn(V3::new(angles[0], angles[1], angles[2]));
        };
        let euler = Euler::new(angles);
        let order = match pole {
            0 => [2, 0, 1],
            1 => [1, 2, 0],
            _ => return euler,
        };
        Euler { e: raised(&euler.e, order), g: raised(&euler.g, order), half: None }
    }

    /// Angles e of the rotation `a`, with psi and phi on the branch nearest to `near`; q where the chart has half turns.
    #[must_use]
    pub fn angles(&self, a: &M3, near: &[f64; 3]) -> [f64; 3] {
        let e = a * self.body.transpose();
        let Some(pole) = self.pole else {
            let turn = nalgebra::Rotation3::from_matrix_unchecked(e);
            let turn = nalgebra::UnitQuaternion::from_rotation_matrix(&turn);
            return (turn.imag() * turn.w.signum()).into();
        };
        let z = lowered(&e.column(2).into_owned(), pole);
        let psi = z.x.atan2(-z.y);
        let theta = z.x.hypot(z.y).atan2(z.z);
        let phi = e[(pole, 0)].atan2(e[(pole, 1)]);
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
    use crate::space::rotation;
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
            let chart = Chart { pole: Some(pole), ..Chart::PLAIN };
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
        fn half_turns_give_rotation_and_angular_velocity(t in prop::array::uniform3(-3.0..3.0f64), w in prop::array::uniform3(-5.0..5.0f64), at in prop::array::uniform3(-0.5..0.5f64), d in prop::array::uniform3(-1.0..1.0f64)) {
            let (a, omega) = (rotation(&V3::from(t)), V3::from(w));
            let (chart, q) = Chart::of_half_turns(&a, &omega);
            let start = chart.euler(&q);
            prop_assert!((start.e * chart.body - a).norm() < 1e-14);
            prop_assert!((start.g * start.rates(&omega) - omega).norm() < 1e-13 && !start.is_worn());
            let s = 1e-6;
            let near = |k: f64| chart.euler(&[at[0] + k * d[0], at[1] + k * d[1], at[2] + k * d[2]]);
            let (here, plus, minus) = (near(0.0), near(s), near(-s));
            prop_assert!((here.e.tr_mul(&here.e) - M3::identity()).norm() < 1e-14);
            let omega = here.g * V3::from(d);
            prop_assert!(((plus.e - minus.e) / (2.0 * s) - skew(&omega) * here.e).norm() < 1e-9);
            prop_assert!((here.rates(&omega) - V3::from(d)).norm() < 1e-13);
            let back = V3::from(chart.angles(&(here.e * chart.body), &[0.0; 3]));
            prop_assert!((back - V3::from(at)).norm() < 1e-13);
            let rate = [0.3, -0.7, 1.1];
            let change = (plus.g - minus.g) * V3::from(rate) / (2.0 * s);
            prop_assert!((change - here.rate_gradient(&rate) * V3::from(d)).norm() < 1e-8);
        }

        #[test]
        fn whole_turns_leave_the_orientation(phi in -1e6..1e6f64) {
            let rest = phi - whole_turns(phi);
            prop_assert!(rest.abs() <= COUNTED * std::f64::consts::PI);
            prop_assert!((rest.sin() - phi.sin()).abs() < 1e-9);
        }
    }
}
