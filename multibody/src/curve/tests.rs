//! Curves in closed form: circles, their order of convergence; derivatives against differences; what is refused.

use super::*;
use proptest::prelude::*;
use std::f64::consts::TAU;

/// A circle of `count` points, shifted, clockwise if `back`.
fn circle(radius: f64, count: usize, center: [f64; 2], back: bool) -> Curve {
    let point = |k: usize| {
        let turn = TAU * (k % count) as f64 / count as f64 * if back { -1.0 } else { 1.0 };
        V3::new(center[0] + radius * turn.cos(), center[1] + radius * turn.sin(), 0.0)
    };
    Curve::new(&(0..=count).map(point).collect::<Vec<_>>(), true, true).expect("a circle")
}

fn closed(points: &[[f64; 3]], plane: bool) -> Result<Curve, CurveError> {
    let mut points: Vec<V3> = points.iter().map(|p| V3::from(*p)).collect();
    points.push(points[0]);
    Curve::new(&points, true, plane)
}

#[test]
fn a_circle_converges_with_the_fourth_order() {
    let worst = |count| {
        let curve = circle(2.0, count, [0.3, -0.1], false);
        let off = |k: usize| {
            let place = curve.at(curve.length() * k as f64 / 997.0);
            (V3::new(place.position.x - 0.3, place.position.y + 0.1, 0.0).norm() - 2.0).abs()
        };
        (0..997).map(off).fold(0.0, f64::max)
    };
    for count in [16, 32, 64] {
        let order = (worst(count) / worst(2 * count)).log2();
        assert!((order - 4.0).abs() < 0.2, "{count}: {order}");
    }
    assert!(worst(256) < 2e-9, "{}", worst(256));
}

#[test]
fn a_closed_curve_has_no_seam() {
    let curve = circle(1.0, 24, [0.0; 2], true);
    let l = curve.length();
    for (below, above) in [(l - 1e-9, 1e-9), (3.0 * l - 1e-9, -7.0 * l + 1e-9)] {
        let (a, b) = (curve.at(below), curve.at(above));
        assert!((a.position - b.position).norm() < 3e-9 && (a.first - b.first).norm() < 1e-8);
        assert!((a.second - b.second).norm() < 1e-7);
    }
}

#[test]
fn two_points_are_a_line_that_goes_on() {
    let line = Curve::new(&[V3::new(-1.0, 2.0, 0.0), V3::new(2.0, 6.0, 0.0)], false, true).expect("a line");
    assert!((line.length() - 5.0).abs() < 1e-15);
    let (beside, s) = line.beside_point(&V3::new(-1.0, 2.0 + 5.0, 0.0), 0);
    assert!((beside.value - 3.0).abs() < 1e-14 && (s - 4.0).abs() < 1e-14, "{beside:?} {s}");
    let s = line.nearest(&V3::new(5.0, 10.0, 0.0));
    assert!((s - 10.0).abs() < 1e-13 && (line.beyond(s) - 5.0).abs() < 1e-13, "{s}");
    assert!((line.beyond(-0.5) - 0.5).abs() < 1e-15 && line.beyond(4.9) == 0.0);
}

/// What is off where `f` is differenced in each of its arguments.
fn check<const N: usize>(
    f: &dyn Fn(&[f64; N]) -> Expansion<N>,
    at: &[f64; N],
    scale: f64,
) -> Result<(), TestCaseError> {
    let here = f(at);
    let h = 1e-5 * scale;
    for k in 0..N {
        let moved = |by: f64| {
            let mut z = *at;
            z[k] += by;
            f(&z)
        };
        let (plus, minus) = (moved(h), moved(-h));
        let slope = (plus.value - minus.value) / (2.0 * h);
        prop_assert!((slope - here.gradient[k]).abs() < 1e-7, "{k}: {slope} {:?}", here.gradient);
        for r in 0..N {
            let slope = (plus.gradient[r] - minus.gradient[r]) / (2.0 * h);
            let off = (slope - here.hessian[r][k]).abs();
            prop_assert!(off * scale < 1e-4, "{r} {k}: {slope} {:?}", here.hessian);
            prop_assert!((here.hessian[r][k] - here.hessian[k][r]).abs() * scale < 1e-10, "{:?}", here.hessian);
        }
    }
    Ok(())
}

/// A wavy closed curve, in space if `high` is not zero, its points unevenly spaced.
fn wavy(amplitude: f64, high: f64, phase: f64) -> Curve {
    let point = |k: usize| {
        let turn = TAU * (k as f64 / 40.0 + 0.01 * (k as f64 * 1.7).sin());
        let radius = 1.0 + amplitude * (3.0 * turn + phase).cos();
        [radius * turn.cos(), radius * turn.sin(), high * (2.0 * turn).sin()]
    };
    closed(&(0..40).map(point).collect::<Vec<_>>(), high == 0.0).expect("a curve")
}

proptest! {
    #[test]
    fn distances_have_the_derivatives_of_differences(
        amplitude in 0.0..0.15f64, high in 0.2..0.6f64, phase in 0.0..TAU, along in 0.0..1.0f64, off in prop::array::uniform3(-0.1..0.1f64),
    ) {
        for high in [0.0, high] {
            let curve = wavy(amplitude, high, phase);
            let place = curve.at(curve.length() * along);
            // Differences across a knot have an error of their own: third derivatives jump.
            prop_assume!(curve.knots.iter().all(|knot| (knot - curve.length() * along).abs() > 0.02));
            let across = V3::from(off) - place.first * (place.first.dot(&V3::from(off)) / place.first.norm_squared());
            let p = place.position + if high == 0.0 { V3::new(across.x, across.y, 0.0) } else { across };
            for side in [0, 1] {
                if high == 0.0 && side == 1 {
                    continue;
                }
                check(&|z| curve.beside_point(&V3::from(*z), side).0, &p.into(), 1.0)?;
            }
        }
    }

    #[test]
    fn gaps_have_the_derivatives_of_differences(
        amplitude in 0.0..0.08f64, phase in 0.0..TAU, angle in -7.0..7.0f64, bearing in 0.0..TAU, gap in -0.02..0.3f64, flat in any::<bool>(),
    ) {
        let cam = wavy(amplitude, 0.0, phase);
        let other = if flat {
            Curve::new(&[V3::new(-3.0, 0.1, 0.0), V3::new(4.0, 0.1, 0.0)], false, true).expect("a line")
        } else {
            circle(0.3, 48, [0.05, 0.02], true)
        };
        // Concave places touch a line twice.
        prop_assume!(!flat || amplitude < 0.05);
        let far = if flat { 1.0 } else { 1.3 } + gap;
        let at = if flat { [0.2, 0.1 + far, angle] } else { [far * bearing.cos(), far * bearing.sin(), angle] };
        let (here, parameters) = cam.gap(&other, at);
        prop_assume!(here.value.is_finite());
        let near = |curve: &Curve, s: f64| curve.knots.iter().any(|knot| (knot - s.rem_euclid(curve.length())).abs() < 2e-3);
        prop_assume!(!near(&cam, parameters[0]) && !near(&other, parameters[1]));
        check(&|z| cam.gap(&other, *z).0, &at, 1.0)?;
    }

    #[test]
    fn the_gap_of_circles_is_that_of_their_centres(
        x in -3.0..3.0f64, y in -3.0..3.0f64, angle in -9.0..9.0f64, back in any::<bool>(),
    ) {
        let (one, other) = (circle(0.7, 200, [0.2, 0.1], back), circle(0.4, 200, [0.0, -0.3], !back));
        let (sin, cos) = angle.sin_cos();
        let between = [x + 0.2 * cos - 0.1 * sin, y + 0.2 * sin + 0.1 * cos + 0.3];
        let distance = between[0].hypot(between[1]);
        prop_assume!(distance > 1.08);
        let (gap, _) = one.gap(&other, [x, y, angle]);
        prop_assert!((gap.value.abs() - (distance - 1.1).abs()).abs() < 1e-7, "{} {}", gap.value, distance - 1.1);
    }
}

#[test]
fn points_that_are_no_curve_are_refused() {
    let line = |points: &[[f64; 2]], closed| {
        let points: Vec<V3> = points.iter().map(|p| V3::new(p[0], p[1], 0.0)).collect();
        Curve::new(&points, closed, true)
    };
    let square = [[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0], [0.0, 0.0]];
    assert!(line(&square, true).is_ok());
    assert!(matches!(line(&square, false), Err(CurveError::NotOpen)));
    assert!(matches!(line(&square[..4], true), Err(CurveError::NotClosed { .. })));
    assert!(matches!(line(&square[..1], false), Err(CurveError::Few { needed: 2, .. })));
    assert!(matches!(line(&square[..3], true), Err(CurveError::Few { needed: 4, .. })));
    assert!(matches!(line(&[[0.0, 0.0], [1.0, 0.0], [1.0, 0.0]], false), Err(CurveError::Repeated { index: 2 })));
    assert!(matches!(line(&[[0.0, 0.0], [f64::NAN, 0.0]], false), Err(CurveError::NotFinite { index: 1 })));
    let eight = |k: usize| {
        let turn = TAU * (k % 40) as f64 / 40.0;
        [turn.sin(), turn.sin() * turn.cos()]
    };
    let eight: Vec<[f64; 2]> = (0..=40).map(eight).collect();
    assert!(matches!(line(&eight, true), Err(CurveError::Crossing { .. })));
    assert!(line(&[[0.0, 0.0], [1.0, 0.0], [0.5, 0.0]], false).is_err());
}

/// What is round-off of zero is written by its exponent, and no number with all its digits.
#[test]
fn errors_of_curves_are_short() {
    let distance = 0.1 + 0.2 - 0.3;
    let near = 2.0 / 3.0;
    for error in [CurveError::NotClosed { distance }, CurveError::Crossing { x: distance, y: near, z: 0.0 }] {
        let text = error.to_string();
        assert!(text.contains("e-17") && !text.contains("00000") && !text.contains("66667"), "{text}");
    }
}
