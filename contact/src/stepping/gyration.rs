//! The free rotation of a step, so that a spinning body keeps its energy.
//!
//! The gyroscopic torque of a step's begin, held over the step, feeds a fast spin without bound. What it does in a step is known apart from
//! everything else: Euler's equations in body axes by the implicit midpoint rule, which keeps energy and angular momentum of each
//! such step (both are quadratic in the angular velocity).

use fourbar_multibody::space::{M3, Pose, V3, rotation};

/// Iterations of either loop; a few are enough where a step turns a body by less than a radian.
const ITERATIONS: usize = 30;

/// The angular velocity (global axes) after a step `h` \[s\] of free rotation from `pose`, for a scheme that turns the body by
/// h ((1 - `new`) w + `new` w+): then w+ is, in the axes of the turned body, what the midpoint rule gives. None where the iteration
/// does not converge.
pub(super) fn spun(inertia: &M3, pose: &Pose, h: f64, new: f64) -> Option<V3> {
    let begin = pose.a.tr_mul(&pose.w);
    let end = pose.a * midpoint(inertia, begin, h)?;
    if new == 1.0 {
        // Turning about w+ leaves w+ where it is.
        return Some(end);
    }
    let mut w = end;
    for _ in 0..ITERATIONS {
        let next = rotation(&((pose.w * (1.0 - new) + w * new) * h)) * end;
        let change = (next - w).norm();
        w = next;
        if change <= 1e-15 * end.norm() {
            return Some(w);
        }
    }
    None
}

/// I (x - w) + h m x I m = 0 with m = (w + x)/2, by Newton's method.
fn midpoint(inertia: &M3, w: V3, h: f64) -> Option<V3> {
    let mut x = w;
    let size = (inertia * w).norm();
    for _ in 0..ITERATIONS {
        let m = 0.5 * (w + x);
        let momentum = inertia * m;
        let residual = inertia * (x - w) + h * m.cross(&momentum);
        if residual.norm() <= 1e-15 * size {
            return Some(x);
        }
        let jacobian = inertia + 0.5 * h * (m.cross_matrix() * inertia - momentum.cross_matrix());
        let step = jacobian.lu().solve(&residual)?;
        x -= step;
        if step.norm() <= 1e-16 * w.norm() {
            return Some(x);
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Energy and size of the momentum are kept at any step; without a gyroscopic torque nothing changes at all.
    #[test]
    fn rotation_keeps_energy_and_momentum() {
        let inertia = M3::from_diagonal(&V3::new(3e-5, 2e-5, 5e-5));
        let energy = |w: &V3| 0.5 * w.dot(&(inertia * w));
        let mut w = V3::new(5.0, 1.0, 200.0);
        let (e, l) = (energy(&w), (inertia * w).norm());
        for _ in 0..10_000 {
            w = midpoint(&inertia, w, 1e-3).unwrap();
        }
        assert!((energy(&w) / e - 1.0).abs() < 1e-11);
        assert!(((inertia * w).norm() / l - 1.0).abs() < 1e-11);
        let axis = V3::new(0.0, 0.0, 7.0);
        assert_eq!(midpoint(&inertia, axis, 0.1), Some(axis));
    }
}
