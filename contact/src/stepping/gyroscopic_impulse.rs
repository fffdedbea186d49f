//! The free rotation of a step, so that a spinning body keeps its energy.
//!
//! The gyroscopic torque of a step's begin, held over the step, feeds a fast spin without bound. What it does in a step is known apart from
//! everything else: Euler's equations in body axes by the implicit midpoint rule, which keeps energy and angular momentum of each
//! such step (both are quadratic in the angular velocity).

use fourbar_multibody::space::{M3, Pose, V3, rotation};

/// Iterations of either equation; a few are enough where a step turns a body by less than a radian.
const ITERATIONS: usize = 60;
/// Residual or change that is round-off: a few units of it.
const ROUND_OFF: f64 = 1e-15;
/// Part of a Newton step below which it is taken as it is: ten halvings, of which one mostly is enough.
const SHORTEST: f64 = 1e-3;
/// Parts of a step, at most, where the midpoint rule has no solution near by.
const PARTS: usize = 1 << 16;

/// The angular velocity (global axes) after a step `h` \[s\] of free rotation from `pose`, for a scheme that turns the body by
/// h ((1 - `new`) w + `new` w+): then w+ is, in the axes of the turned body, what the midpoint rule gives.
pub(super) fn spun(inertia: &M3, pose: &Pose, h: f64, new: f64) -> V3 {
    let end = pose.a * rotated(inertia, pose.a.tr_mul(&pose.w), h);
    // Turning about w+ leaves w+ where it is.
    if new == 1.0 { end } else { carried(&end, &pose.w, h, new) }
}

/// The midpoint rule over a step, in as many parts as it takes to converge: parts of a fifth of a radian always do.
fn rotated(inertia: &M3, begin: V3, h: f64) -> V3 {
    let mut parts = 1;
    while parts < PARTS {
        let part = h / parts as f64;
        if let Some(end) = (0..parts).try_fold(begin, |w, _| midpoint(inertia, w, part)) {
            return end;
        }
        parts *= 4;
    }
    begin
}

/// I (x - w) + h m x I m = 0 with m = (w + x)/2, by Newton's method.
fn midpoint(inertia: &M3, w: V3, h: f64) -> Option<V3> {
    let mut x = w;
    let size = (inertia * w).norm();
    for _ in 0..ITERATIONS {
        let m = 0.5 * (w + x);
        let momentum = inertia * m;
        let residual = inertia * (x - w) + h * m.cross(&momentum);
        if residual.norm() <= ROUND_OFF * size {
            return Some(x);
        }
        let jacobian = inertia + 0.5 * h * (m.cross_matrix() * inertia - momentum.cross_matrix());
        let step = jacobian.lu().solve(&residual)?;
        x -= step;
        if step.norm() <= ROUND_OFF * w.norm() {
            return Some(x);
        }
    }
    None
}

/// w = R e with R the turn by p = h ((1 - `new`) `before` + `new` w), by Newton's method with halved steps. R keeps lengths, so that a
/// solution exists (Brouwer).
fn carried(e: &V3, before: &V3, h: f64, new: f64) -> V3 {
    let turned = |w: &V3| rotation(&((before * (1.0 - new) + w * new) * h)) * e;
    let mut w = *e;
    let mut image = turned(&w);
    for _ in 0..ITERATIONS {
        let residual = w - image;
        if residual.norm() <= 2.0 * ROUND_OFF * e.norm() {
            break;
        }
        let p = (before * (1.0 - new) + w * new) * h;
        let jacobian = M3::identity() + h * new * image.cross_matrix() * left_jacobian(&p);
        let step = jacobian.lu().solve(&residual).unwrap_or(residual);
        let mut part = 1.0;
        loop {
            let trial = w - step * part;
            let there = turned(&trial);
            if (trial - there).norm() < residual.norm() || part < SHORTEST {
                (w, image) = (trial, there);
                break;
            }
            part *= 0.5;
        }
    }
    image
}

/// d exp(p) = (L dp) x exp(p), L = 1 + (1 - cos a)/a^2 p x + (a - sin a)/a^3 p x p x, a = |p|.
fn left_jacobian(p: &V3) -> M3 {
    let (a, cross) = (p.norm(), p.cross_matrix());
    // Below this angle the next term of the series is round-off.
    let (first, second) = if a < 1e-4 {
        (0.5 - a * a / 24.0, 1.0 / 6.0 - a * a / 120.0)
    } else {
        ((1.0 - a.cos()) / (a * a), (a - a.sin()) / (a * a * a))
    };
    M3::identity() + first * cross + second * cross * cross
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Energy and size of the momentum are kept at any step; without a gyroscopic torque nothing changes at all.
    #[test]
    fn rotation_keeps_energy_and_momentum() {
        let inertia = M3::from_diagonal(&V3::new(3e-5, 2e-5, 5e-5));
        let energy = |w: &V3| 0.5 * w.dot(&(inertia * w));
        let mut w = V3::new(5.0, 1.0, 200.0);
        let (e, l) = (energy(&w), (inertia * w).norm());
        for _ in 0..10_000 {
            w = rotated(&inertia, w, 1e-3);
        }
        assert!((energy(&w) / e - 1.0).abs() < 1e-11);
        assert!(((inertia * w).norm() / l - 1.0).abs() < 1e-11);
        let axis = V3::new(0.0, 0.0, 7.0);
        assert_eq!(rotated(&inertia, axis, 0.1), axis);
    }

    proptest! {
        /// Steps that turn a body up to half a turn, about any axis, of any inertia that bodies may have: the energy in the axes of the
        /// turned body is that before.
        #[test]
        fn any_spin_keeps_its_energy(
            w in prop::array::uniform3(-1.0..1.0_f64), moments in prop::array::uniform3(0.1..1.0_f64),
            turn in prop::array::uniform3(-3.0..3.0_f64), angle in 1e-3..3.0_f64, new in 0.5..1.0_f64,
        ) {
            let [a, b, c] = moments;
            let inertia = M3::from_diagonal(&V3::new(b + c, c + a, a + b));
            let (w, h) = (V3::from(w), angle / V3::from(w).norm());
            let pose = Pose { x: V3::zeros(), a: rotation(&V3::from(turn)), v: V3::zeros(), w };
            let energy = |w: V3| 0.5 * w.dot(&(inertia * w));
            for new in [new, 0.5, 1.0] {
                let end = spun(&inertia, &pose, h, new);
                let axes = rotation(&((w * (1.0 - new) + end * new) * h)) * pose.a;
                let before = energy(pose.a.tr_mul(&w));
                prop_assert!((energy(axes.tr_mul(&end)) - before).abs() <= 1e-9 * before, "{}", angle);
            }
        }
    }
}
