//! Rotations that bring one direction onto another.

use fourbar_multibody::space::{M3, V3};

/// Two directions whose sum is shorter point against each other: rounding leaves that sum less than half of its digits of direction.
const OPPOSITE: f64 = 1.490_116_119_384_765_6e-8; // sqrt(f64::EPSILON)

/// The least rotation that brings `from` onto `to`, both of unit length; none where they are opposite, where many are the least.
///
/// I - 2 s s^T + 2 to from^T, where s points along the sum of both. No angle is asked for, whose cosine rounding may carry beyond one.
pub(super) fn least(from: &V3, to: &V3) -> Option<M3> {
    let s = (from + to).try_normalize(OPPOSITE)?;
    let turn = M3::identity() - 2.0 * s * s.transpose() + 2.0 * to * from.transpose();
    // Near opposite directions s has lost digits: what `from` misses `to` by goes.
    Some(turn - (turn * from - to) * from.transpose())
}

/// Axes turned by the least that brings their z to `z`, which has unit length.
pub(super) fn carried(axes: M3, z: &V3) -> M3 {
    let from = axes.column(2).into_owned();
    let x = axes.column(0).into_owned();
    // Turned right round: about x of its own.
    let moved = least(&from, z).map_or(x, |turn| turn * x);
    // Round-off does not add up from frame to frame.
    let y = z.cross(&moved).normalize();
    M3::from_columns(&[y.cross(z), y, *z])
}

/// Axes whose z points along `direction`, turned from those of the ground by the least; straight down, about x.
pub(super) fn towards(direction: &V3) -> M3 {
    carried(M3::identity(), &direction.normalize())
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn direction() -> impl Strategy<Value = V3> {
        prop::array::uniform3(-1.0..1.0f64).prop_filter_map("no length", |r| V3::from(r).try_normalize(1e-3))
    }

    fn assert_rotation(turn: &M3, z: &V3) {
        assert!((turn.tr_mul(turn) - M3::identity()).amax() < 1e-15 * 8.0, "{turn}");
        assert!((turn.determinant() - 1.0).abs() < 1e-15 * 8.0, "{turn}");
        assert!((turn.column(2) - z).amax() < 1e-15, "{turn}");
    }

    proptest! {
        /// Directions that differ by as little as rounding, by nothing, and by half a turn.
        #[test]
        fn axes_are_carried_to_any_direction(from in direction(), to in direction(), exponent in -18..1i32, sign in prop::bool::ANY) {
            let near = (from + to * 10f64.powi(exponent)).normalize();
            let near = if sign { near } else { -near };
            let axes = towards(&from);
            assert_rotation(&axes, &from);
            assert_rotation(&carried(axes, &near), &near);
        }

        /// Of all rotations from one direction to the other, that about their normal.
        #[test]
        fn the_least_rotation_keeps_the_normal(from in direction(), to in direction()) {
            let normal = from.cross(&to);
            prop_assume!(normal.norm() > 1e-2);
            let turn = least(&from, &to).unwrap();
            prop_assert!((turn * from - to).amax() < 1e-14);
            prop_assert!((turn * normal - normal).amax() < 1e-13);
        }
    }

    #[test]
    fn ten_thousand_steps_add_no_round_off() {
        let mut axes = M3::identity();
        for k in 0..10_000 {
            let z = V3::new((f64::from(k) * 0.37).sin(), 0.3, (f64::from(k) * 0.37).cos()).normalize();
            axes = carried(axes, &z);
            // The same direction, with other rounding.
            axes = carried(axes, &(z * 3.0).normalize());
            assert_rotation(&axes, &(z * 3.0).normalize());
        }
    }
}
