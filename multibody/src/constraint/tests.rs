//! The analytic rows and curvatures against dual numbers: each form is written a second time over hyper-dual scalars, with the
//! bodies turned by exp of a rotation vector, and nothing of the analytic code in it.

use super::*;
use nalgebra::{SMatrix, SVector};
use num_dual::{DualNum, HyperDual64};
use proptest::prelude::*;

type D = HyperDual64;
type Dv = [D; 3];

fn dot(a: &Dv, b: &Dv) -> D {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

fn cross(a: &Dv, b: &Dv) -> Dv {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

fn add(a: &Dv, b: &Dv) -> Dv {
    [a[0] + b[0], a[1] + b[1], a[2] + b[2]]
}

fn sub(a: &Dv, b: &Dv) -> Dv {
    [a[0] - b[0], a[1] - b[1], a[2] - b[2]]
}

/// exp([p]x) v to second order in p, which is all that second derivatives at p = 0 see.
fn turn(p: &Dv, v: &V3) -> Dv {
    let v: Dv = [D::from(v.x), D::from(v.y), D::from(v.z)];
    let pv = cross(p, &v);
    let ppv = cross(p, &pv);
    let half = D::from(0.5);
    [v[0] + pv[0] + ppv[0] * half, v[1] + pv[1] + ppv[1] * half, v[2] + pv[2] + ppv[2] * half]
}

/// Phi of row `row` at displacements z = (dx_i, p_i, dx_j, p_j).
fn phi(c: &Constraint, row: usize, poses: &[Pose], z: &[D; 12]) -> D {
    let (pi, pj) = ([z[3], z[4], z[5]], [z[9], z[10], z[11]]);
    let lift = |v: &V3| -> Dv { [D::from(v.x), D::from(v.y), D::from(v.z)] };
    let (bi, bj) = (&poses[c.i.body], &poses[c.j.body]);
    let point_i = add(&add(&lift(&bi.x), &[z[0], z[1], z[2]]), &turn(&pi, &c.i.arm(poses)));
    let point_j = add(&add(&lift(&bj.x), &[z[6], z[7], z[8]]), &turn(&pj, &c.j.arm(poses)));
    let d = sub(&point_i, &point_j);
    let (axis_i, axis_j) = (|k| turn(&pi, &c.i.axis(poses, k)), |k| turn(&pj, &c.j.axis(poses, k)));
    match c.form {
        Form::Point => d[row],
        Form::LocalPoint => dot(&axis_j(row), &d),
        Form::Dot { i, j } => dot(&axis_i(i), &axis_j(j)),
        Form::AxisVector { axis, offset } => dot(&axis_j(axis), &d) - offset,
        Form::Distance { length } => dot(&d, &d).sqrt() - length,
        Form::Angle => dot(&axis_j(1), &axis_i(0)).atan2(dot(&axis_j(0), &axis_i(0))),
        Form::Screw { lead } => {
            let open = dot(&axis_j(2), &d) - dot(&axis_j(1), &axis_i(0)).atan2(dot(&axis_j(0), &axis_i(0))) * lead;
            let pitch = lead.abs() * std::f64::consts::TAU;
            open - pitch * (open.re / pitch).round()
        }
        // J^T I = Rx(a) Ry(b) Rz(c), whose entries give the angles.
        Form::Cardan { axis: 0 } => (-dot(&axis_j(1), &axis_i(2))).atan2(dot(&axis_j(2), &axis_i(2))),
        Form::Cardan { axis: 1 } => dot(&axis_j(0), &axis_i(2)).asin(),
        Form::Cardan { .. } => (-dot(&axis_j(0), &axis_i(1))).atan2(dot(&axis_j(0), &axis_i(0))),
        Form::Rolling { roller, radius, axis } => {
            assert_eq!(axis, 2, "the others are gradients of nothing");
            let along = dot(&axis_i(2), &axis_j(2));
            let below =
                if roller == Roller::Sphere { D::from(radius) } else { (D::from(1.0) - along * along).sqrt() * radius };
            dot(&axis_j(2), &d) - below
        }
        Form::Along { direction } => {
            let centres = [add(&lift(&bi.x), &[z[0], z[1], z[2]]), add(&lift(&bj.x), &[z[6], z[7], z[8]])];
            dot(&lift(&V3::from(direction)), &sub(&centres[0], &centres[1]))
        }
        Form::Twist => dot(&axis_i(0), &axis_j(1)) - dot(&axis_i(1), &axis_j(0)),
    }
}

/// Row and K in the basis z, from hyper-dual numbers. K z is the change of the gradient in the moving basis of virtual
/// rotations; the Hessian in rotation vectors is its symmetric part.
fn reference(c: &Constraint, row: usize, poses: &[Pose]) -> (f64, SVector<f64, 12>, SMatrix<f64, 12, 12>) {
    let mut gradient = SVector::zeros();
    let mut hessian = SMatrix::zeros();
    let mut value = 0.0;
    for a in 0..12 {
        for b in 0..12 {
            let mut z = [D::from(0.0); 12];
            z[a].eps1 = 1.0;
            z[b].eps2 = 1.0;
            let f = phi(c, row, poses, &z);
            value = f.re;
            gradient[a] = f.eps1;
            hessian[(a, b)] = f.eps1eps2;
        }
    }
    (value, gradient, hessian)
}

fn analytic(c: &Constraint, row: usize, poses: &[Pose]) -> (f64, SVector<f64, 12>, SMatrix<f64, 12, 12>) {
    let mut rows = [Row::zero(); MAX_ROWS];
    c.rows(poses, &mut rows);
    let r = &rows[row];
    let mut gradient = SVector::zeros();
    for k in 0..3 {
        gradient[k] = r.g[k];
        gradient[6 + k] = -r.g[k];
        gradient[3 + k] = r.gi[k];
        gradient[9 + k] = r.gj[k];
    }
    let mut curvature = Curvature::zero();
    c.curvature(row, poses, &mut curvature);
    // Rows g, -g, g_i, g_j and columns x_i, -x_j, p_i, p_j.
    let places = [[(0, 1.0), (6, -1.0)], [(3, 1.0), (3, 0.0)], [(9, 1.0), (9, 0.0)]];
    let mut k = SMatrix::<f64, 12, 12>::zeros();
    for (r, row_places) in places.iter().enumerate() {
        for (col, column_places) in places.iter().enumerate() {
            for &(r0, sign_r) in row_places {
                for &(c0, sign_c) in column_places {
                    let mut block = k.fixed_view_mut::<3, 3>(r0, c0);
                    block += curvature.k[r][col] * (sign_r * sign_c);
                }
            }
        }
    }
    (r.phi, gradient, k)
}

fn unit_frame(body: usize, r: [f64; 3], turn: [f64; 3]) -> FixedFrame {
    FixedFrame { body, r: V3::from(r), c: crate::space::rotation(&V3::from(turn)) }
}

fn pose(x: [f64; 3], turn: [f64; 3]) -> Pose {
    Pose { x: V3::from(x), a: crate::space::rotation(&V3::from(turn)), v: V3::zeros(), w: V3::zeros() }
}

fn triple() -> impl Strategy<Value = [f64; 3]> {
    prop::array::uniform3(-2.0..2.0f64)
}

proptest! {
    #[test]
    fn rows_and_curvatures_agree_with_dual_numbers(
        xi in triple(), ti in triple(), xj in triple(), tj in triple(),
        ri in triple(), ci in triple(), rj in triple(), cj in triple(),
    ) {
        let poses = [pose(xi, ti), pose(xj, tj)];
        let (i, j) = (unit_frame(0, ri, ci), unit_frame(1, rj, cj));
        let forms = [
            Form::Point,
            Form::LocalPoint,
            Form::Dot { i: 2, j: 0 },
            Form::AxisVector { axis: 1, offset: 0.3 },
            Form::Distance { length: 1.1 },
            Form::Angle,
            Form::Cardan { axis: 0 },
            Form::Cardan { axis: 1 },
            Form::Cardan { axis: 2 },
            Form::Rolling { roller: Roller::Sphere, radius: 0.4, axis: 2 },
            Form::Rolling { roller: Roller::Disc, radius: 0.4, axis: 2 },
            Form::Screw { lead: -0.7 },
            Form::Twist,
            Form::Along { direction: [0.3, -2.0, 0.7] },
        ];
        // Distance and angle have no gradient where the points coincide or the axes are parallel.
        let d = i.origin(&poses) - j.origin(&poses);
        let x = i.axis(&poses, 0);
        let r2 = x.dot(&j.axis(&poses, 0)).powi(2) + x.dot(&j.axis(&poses, 1)).powi(2);
        let upright = i.axis(&poses, 2).dot(&j.axis(&poses, 0)).abs().max(i.axis(&poses, 2).dot(&j.axis(&poses, 2)).abs());
        prop_assume!(d.norm() > 0.2 && r2 > 0.05 && upright < 0.95);
        for form in forms {
            let c = Constraint { form, i, j };
            for row in 0..c.row_count() {
                let (v0, g0, h0) = reference(&c, row, &poses);
                let (v1, g1, k1) = analytic(&c, row, &poses);
                prop_assert!((v0 - v1).abs() < 1e-13);
                prop_assert!((g0 - g1).norm() < 1e-12 * (1.0 + g0.norm()), "{form:?} gradient {g0} {g1}");
                let symmetric = (k1 + k1.transpose()) * 0.5;
                let scale = 1.0 + h0.norm();
                prop_assert!((h0 - symmetric).norm() < 1e-11 * scale, "{form:?} {}", h0 - symmetric);
                // The antisymmetric part is that of the turning basis: K - K^T = [g_pi]x for each body, zero across bodies.
                let mut expected = SMatrix::<f64, 12, 12>::zeros();
                for at in [3, 9] {
                    let g = V3::new(g0[at], g0[at + 1], g0[at + 2]);
                    expected.fixed_view_mut::<3, 3>(at, at).copy_from(&-crate::space::skew(&g));
                }
                prop_assert!(((k1 - k1.transpose()) - expected).norm() < 1e-11 * scale, "{form:?} antisymmetric {}", (k1 - k1.transpose()) - expected);
            }
        }
    }

    #[test]
    fn masks_name_every_block_that_is_not_zero(xi in triple(), ti in triple(), xj in triple(), tj in triple()) {
        let poses = [pose(xi, ti), pose(xj, tj)];
        let (i, j) = (unit_frame(0, [0.4, -0.3, 0.9], [0.1, 0.2, 0.3]), unit_frame(1, [-0.7, 0.2, 0.5], [0.5, -0.4, 0.2]));
        for form in [Form::Point, Form::LocalPoint, Form::Dot { i: 0, j: 1 }, Form::AxisVector { axis: 2, offset: 0.0 }, Form::Distance { length: 1.0 }, Form::Angle, Form::Cardan { axis: 0 }, Form::Cardan { axis: 1 }, Form::Cardan { axis: 2 }, Form::Screw { lead: 0.2 }, Form::Twist, Form::Along { direction: [0.3, -2.0, 0.7] }] {
            let c = Constraint { form, i, j };
            let mut curvature = Curvature::zero();
            c.curvature(0, &poses, &mut curvature);
            for r in 0..3 {
                for col in 0..3 {
                    prop_assert!(c.mask() >> (3 * r + col) & 1 == 1 || curvature.k[r][col] == M3::zeros());
                }
            }
        }
    }

    /// Rows that are gradients of nothing: what they do with velocities is the rate at which the points that touch slide, and K is the difference
    /// of rows at poses that are moved.
    #[test]
    fn rows_of_rolling_are_rates_of_sliding_and_curvatures_their_differences(
        xi in triple(), ti in triple(), xj in triple(), tj in triple(), ri in triple(), ci in triple(),
        speeds in prop::array::uniform4(triple()),
    ) {
        let poses = [pose(xi, ti), pose(xj, tj)];
        let (i, j) = (unit_frame(0, ri, ci), unit_frame(1, [-0.7, 0.2, 0.5], [0.5, -0.4, 0.2]));
        let (a, n) = (i.axis(&poses, 2), j.axis(&poses, 2));
        prop_assume!(a.cross(&n).norm() > 0.3);
        let [vi, wi, vj, wj] = speeds.map(V3::from);
        let moved = |h: f64| {
            let one = |p: &Pose, v: V3, w: V3| Pose { x: p.x + v * h, a: crate::space::rotation(&(w * h)) * p.a, ..*p };
            [one(&poses[0], vi, wi), one(&poses[1], vj, wj)]
        };
        for (roller, axis) in [(Roller::Sphere, 0), (Roller::Sphere, 1), (Roller::Disc, 0), (Roller::Disc, 1), (Roller::Disc, 2)] {
            let c = Constraint { form: Form::Rolling { roller, radius: 0.4, axis }, i, j };
            let row = |poses: &[Pose]| {
                let mut rows = [Row::zero(); MAX_ROWS];
                c.rows(poses, &mut rows);
                rows[0]
            };
            // The lowest point of the edge stands across the axis and the level line in the disc.
            let down = if roller == Roller::Sphere { -n } else { a.cross(&a.cross(&n).normalize()) };
            let down = if down.dot(&n) > 0.0 { -down } else { down };
            let at = i.origin(&poses) + down * 0.4;
            let slide = vi + wi.cross(&(at - poses[0].x)) - vj - wj.cross(&(at - poses[1].x));
            let [here, before, after] = [0.0, -1e-5, 1e-5].map(|h| row(&moved(h)));
            let rate = here.g.dot(&(vi - vj)) + here.gi.dot(&wi) + here.gj.dot(&wj);
            prop_assert!((rate - slide.dot(&j.axis(&poses, axis))).abs() < 1e-12 * (1.0 + slide.norm()), "{roller:?} {axis}");
            let mut curvature = Curvature::zero();
            c.curvature(0, &poses, &mut curvature);
            let differences = [after.g - before.g, after.gi - before.gi, after.gj - before.gj];
            for (k, difference) in curvature.k.iter().zip(differences) {
                let change = k[0] * (vi - vj) + k[1] * wi + k[2] * wj;
                prop_assert!((change - difference / 2e-5).norm() < 1e-6 * (1.0 + change.norm()), "{roller:?} {axis} {change} {}", difference / 2e-5);
            }
        }
    }

    /// z^T K z with z = (V, omega) of both bodies.
    #[test]
    fn convective_terms_are_those_of_the_curvature(
        xi in triple(), ti in triple(), xj in triple(), tj in triple(), ri in triple(), ci in triple(), rj in triple(),
        speeds in prop::array::uniform4(triple()),
    ) {
        let mut poses = [pose(xi, ti), pose(xj, tj)];
        for (pose, k) in poses.iter_mut().zip([0, 2]) {
            (pose.v, pose.w) = (V3::from(speeds[k]), V3::from(speeds[k + 1]));
        }
        let (i, j) = (unit_frame(0, ri, ci), unit_frame(1, rj, [0.5, -0.4, 0.2]));
        let x = i.axis(&poses, 0);
        let r2 = x.dot(&j.axis(&poses, 0)).powi(2) + x.dot(&j.axis(&poses, 1)).powi(2);
        let upright = i.axis(&poses, 2).dot(&j.axis(&poses, 0)).abs();
        prop_assume!((i.origin(&poses) - j.origin(&poses)).norm() > 0.2 && r2 > 0.05 && upright < 0.95);
        let z = SVector::<f64, 12>::from_iterator(speeds.into_iter().flatten());
        for form in [Form::Point, Form::LocalPoint, Form::Dot { i: 2, j: 0 }, Form::AxisVector { axis: 1, offset: 0.3 }, Form::Distance { length: 1.1 }, Form::Angle, Form::Cardan { axis: 0 }, Form::Cardan { axis: 1 }, Form::Cardan { axis: 2 }, Form::Screw { lead: 0.2 }, Form::Twist, Form::Along { direction: [0.3, -2.0, 0.7] }] {
            let c = Constraint { form, i, j };
            let found = c.convective(&poses);
            for (row, found) in found.iter().enumerate().take(c.row_count()) {
                let (_, _, k) = analytic(&c, row, &poses);
                let expected = (z.transpose() * k * z)[0];
                prop_assert!((found - expected).abs() < 1e-11 * (1.0 + k.norm() * z.norm_squared()), "{form:?} {found} {expected}");
            }
        }
    }
}
