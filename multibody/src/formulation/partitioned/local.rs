//! Local coordinates of a body: (x, p) with A = exp([p]x) A_0, a rotation vector p from a reference orientation A_0.
//!
//! omega = T(p) p' in global axes, and a virtual rotation is T(p) dp, with the left Jacobian of the rotation group
//! T = I + (1 - cos a)/a^2 [p]x + (a - sin a)/a^3 [p]x^2, a = abs(p) (Chirikjian, Stochastic Models, Information Theory, and Lie Groups 2,
//! section 10.7).

use crate::space::{M3, Pose, V3, rotation, rotation_vector};

/// Coordinates of a body: x, p, V, omega.
pub(super) const PER_BODY: usize = 12;
/// abs(p) from which the reference is moved on \[rad\].
const FAR: f64 = 0.7;
/// abs(p) up to which an earlier point is written from a new reference \[rad\]: p' has a pole at 2 pi.
const FARTHEST: f64 = 4.5;
/// Square of the angle up to which series replace the closed forms: that of `FAR`, so that steps hardly ever call sine and cosine.
const NEAR: f64 = 0.5;

/// (1 - cos a)/a^2 and (a - sin a)/a^3 of `square` = a^2. The first term left out of the series is below 1e-16 of their sum.
fn coefficients(square: f64) -> [f64; 2] {
    /// The series of a power: the factor of each term to the one before it, with (a^2) left out.
    fn series(square: f64, first: f64, divisors: [f64; 7]) -> f64 {
        first * divisors.iter().rev().fold(1.0, |sum, divisor| 1.0 - square * (1.0 / divisor) * sum)
    }
    if square <= NEAR {
        let second = series(square, 0.5, [12.0, 30.0, 56.0, 90.0, 132.0, 182.0, 240.0]);
        let third = series(square, 1.0 / 6.0, [20.0, 42.0, 72.0, 110.0, 156.0, 210.0, 272.0]);
        return [second, third];
    }
    let angle = square.sqrt();
    let (sine, cosine) = angle.sin_cos();
    [(1.0 - cosine) / square, (angle - sine) / (square * angle)]
}

/// I f + \[p\]x g + p p^T h.
#[inline]
fn about(p: &V3, f: f64, g: f64, h: f64) -> M3 {
    let (x, y, z) = (p.x, p.y, p.z);
    let (xy, xz, yz) = (x * y * h, x * z * h, y * z * h);
    let (gx, gy, gz) = (g * x, g * y, g * z);
    M3::new(f + x * x * h, xy - gz, xz + gy, xy + gz, f + y * y * h, yz - gx, xz - gy, yz + gx, f + z * z * h)
}

/// T(p).
pub(super) fn tangent(p: &V3) -> M3 {
    let square = p.norm_squared();
    let [second, third] = coefficients(square);
    about(p, 1.0 - square * third, second, third)
}

/// exp([p]x) = I + (sin a/a) [p]x + (1 - cos a)/a^2 [p]x^2, with \[p\]x^2 = p p^T - a^2 I.
fn turn(p: &V3) -> M3 {
    let square = p.norm_squared();
    let [second, third] = coefficients(square);
    about(p, 1.0 - square * second, 1.0 - square * third, second)
}

/// p' of omega: T(p)^-1 omega = omega - p x omega/2 + (1 - (a/2) cot(a/2))/a^2 p x (p x omega).
pub(super) fn rates(p: &V3, omega: &V3) -> V3 {
    /// |B_2k|/(2k)!, k from 1 on, with the numbers of Bernoulli: the series of (1 - x cot x)/(2 x)^2 at x = a/2.
    const SERIES: [f64; 9] = [
        1.0 / 12.0,
        1.0 / 720.0,
        1.0 / 30_240.0,
        1.0 / 1_209_600.0,
        1.0 / 47_900_160.0,
        691.0 / 1_307_674_368_000.0,
        1.0 / 74_724_249_600.0,
        3617.0 / 10_670_622_842_880_000.0,
        43_867.0 / 5_109_094_217_170_944_000.0,
    ];
    let square = p.norm_squared();
    let factor = if square <= NEAR {
        SERIES.iter().rev().fold(0.0, |sum, term| sum * square + term)
    } else {
        let half = 0.5 * square.sqrt();
        (1.0 - half / half.tan()) / square
    };
    let turned = p.cross(omega);
    omega - turned * 0.5 + p.cross(&turned) * factor
}

/// The body whose coordinates are `y` (twelve numbers), from the reference orientation.
pub(super) fn pose(y: &[f64], reference: &M3) -> Pose {
    let at = |k: usize| V3::new(y[k], y[k + 1], y[k + 2]);
    Pose { x: at(0), a: turn(&at(3)) * reference, v: at(6), w: at(9) }
}

/// Moves the reference to the body if that has turned far from it, or in any case. Returns whether it did.
pub(super) fn move_reference(y: &mut [f64], reference: &mut M3, in_any_case: bool) -> bool {
    let p = V3::new(y[3], y[4], y[5]);
    if p.norm() <= FAR && !in_any_case {
        return false;
    }
    let a = rotation(&p) * *reference;
    // One step of Newton's iteration for the nearest orthogonal matrix takes out what round-off adds each time.
    *reference = a * (M3::identity() * 1.5 - a.transpose() * a * 0.5);
    y[3..6].fill(0.0);
    true
}

/// Writes coordinates and their slopes, both from the reference `former`, from `reference` instead, with the rotation vector that goes on from that of
/// the `newer` point. Returns whether that is short enough.
pub(super) fn rewrite(newer: &[f64], y: &mut [f64], slope: &mut [f64], former: &M3, reference: &M3) -> bool {
    let at = |y: &[f64], k: usize| V3::new(y[k], y[k + 1], y[k + 2]);
    let p = rotation_vector(&(rotation(&at(y, 3)) * former * reference.transpose()));
    let near = at(newer, 3);
    let angle = p.norm();
    // The same turn the other way round.
    let other = if angle > 0.0 { p * (1.0 - std::f64::consts::TAU / angle) } else { p };
    let p = if (other - near).norm() < (p - near).norm() { other } else { p };
    y[3..6].copy_from_slice(p.as_slice());
    slope[3..6].copy_from_slice(rates(&p, &at(y, 9)).as_slice());
    p.norm() <= FARTHEST
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::space::skew;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn rates_invert_the_tangent(p in prop::array::uniform3(-1.5..1.5f64), w in prop::array::uniform3(-2.0..2.0f64), size in -8..1i32) {
            let (p, w) = (V3::from(p) * 10.0_f64.powi(size.min(0)), V3::from(w));
            prop_assert!((tangent(&p) * rates(&p, &w) - w).norm() < 1e-13);
        }

        /// Another reference leaves the body where it is and as fast as it turns, also beyond half a turn.
        #[test]
        fn a_rewritten_point_is_the_same(
            axis in prop::array::uniform3(-1.0..1.0f64), turns in prop::array::uniform2(-2.0..2.0f64), w in prop::array::uniform3(-2.0..2.0f64),
        ) {
            let axis = V3::from(axis);
            prop_assume!(axis.norm() > 0.1);
            let [own, moved] = turns.map(|turn| axis / axis.norm() * turn);
            let former = rotation(&V3::new(0.3, -0.2, 0.5));
            let reference = rotation(&moved) * former;
            let (mut y, mut slope) = ([0.0; PER_BODY], [0.0; PER_BODY]);
            y[3..6].copy_from_slice(own.as_slice());
            y[9..12].copy_from_slice(&w);
            let before = pose(&y, &former);
            // The newer point is near the one that is asked for: of the two rotation vectors it tells which goes on.
            let mut newer = [0.0; PER_BODY];
            newer[3..6].copy_from_slice(((own - moved) * 0.9).as_slice());
            prop_assert!(rewrite(&newer, &mut y, &mut slope, &former, &reference));
            let p = V3::new(y[3], y[4], y[5]);
            prop_assert!((pose(&y, &reference).a - before.a).norm() < 1e-13);
            prop_assert!((p - (own - moved)).norm() < 1e-6, "{p:?} {:?}", own - moved);
            prop_assert!((tangent(&p) * V3::new(slope[3], slope[4], slope[5]) - V3::from(w)).norm() < 1e-12);
        }

        /// Series and closed forms.
        #[test]
        fn turns_are_rotations(p in prop::array::uniform3(-1.5..1.5f64), size in -8..1i32) {
            let p = V3::from(p) * 10.0_f64.powi(size.min(0));
            prop_assert!((turn(&p) - rotation(&p)).norm() < 1e-15 * 3.0, "{}", (turn(&p) - rotation(&p)).norm());
        }

        #[test]
        fn tangent_is_the_derivative_of_the_rotation(p in prop::array::uniform3(-1.0..1.0f64), d in prop::array::uniform3(-1.0..1.0f64)) {
            let (p, d, h) = (V3::from(p), V3::from(d), 1e-5);
            let difference = (rotation(&(p + d * h)) - rotation(&(p - d * h))) / (2.0 * h);
            prop_assert!((difference - skew(&(tangent(&p) * d)) * rotation(&p)).norm() < 1e-9);
        }
    }
}
