//! The wheelset of the IVP test set (Simeon, Fuehrer and Rentrop 1991): two rigid wheels on an axle roll on two rails at 30 m/s, with creep forces
//! after Kalker. Index 2, 17 unknowns; the names are those of the test set.
//!
//! | unknowns | meaning |
//! |---|---|
//! | x, y, z, theta, phi | place and turn of the axle \[m, rad\] |
//! | their rates, beta' | beta' is the deviation of the spin \[rad/s\] |
//! | psi, xi of each side | where wheel and rail touch: angle and place across the wheel |
//! | e1, e2 | contact forces of the left and of the right wheel \[N\] |

use super::{Build, FLOOR, System, full};
use crate::accuracy::references::Column;
use fourbar_multibody::dae::{Dae, Differences, EvalError, Kind, Unknown};
use fourbar_multibody::formulation::{Formulation, kinds};
use nalgebra_sparse::pattern::SparsityPattern;

const UNKNOWNS: usize = 17;
const MASS: f64 = 16.08;
const GRAVITY: f64 = 9.81;
const SPEED: f64 = 30.0;
const RADIUS: f64 = 0.1;
/// Moments of inertia about the axle and across it.
const I1: f64 = 0.0605;
const I2: f64 = 0.366;
const FRICTION: f64 = 0.12;
/// Half the distance of the springs.
const XL: f64 = 0.19;
const STIFFNESS: f64 = 6400.0;
const E: f64 = 1.353_795_6;
const GG: f64 = 0.711_521_8;
const POISSON: f64 = 0.28;
const SHEAR: f64 = 7.92e10;
/// Kalker's coefficients.
const C11: f64 = 4.727_721_97;
const C22: f64 = 4.275_269_87;
const C23: f64 = 1.972_035_05;
/// Cone of the wheels.
const D0: f64 = 0.0262;
const AR: f64 = 0.1506;
/// Radius of the rail's head.
const RS: f64 = 0.06;
/// With the digits of the test set.
#[allow(clippy::approx_constant)]
const PI: f64 = 3.141_592_6;
const SPIN: f64 = SPEED / RADIUS;

const START: [f64; 5] = [0.14941e-2, 0.40089e-6, 0.11241e-5, -0.28573e-3, 0.26459e-3];
/// psi, xi of the left, then of the right wheel.
const TOUCH: [f64; 4] =
    [7.563_440_639_517_294e-6, 0.149_063_571_473_381_9, -7.412_238_035_766_713_9e-6, -0.152_136_429_612_124_8];
const RATES: [f64; 6] = [
    -1.975_257_159_220_563_7,
    -0.001_066_580_003_725_694_4,
    0.078_839_404_363_404_6,
    -5.533_373_066_752_624,
    -0.349_802_661_050_772_73,
    -2.132_552_025_127_694,
];
const FORCES: [f64; 2] = [-83.591_840_189_592_56, -74.145_528_406_821_78];

pub(in crate::accuracy) const WHEELSET: Build = Build {
    columns,
    formulated: true,
    // Constraints of velocities alone: its own form is that of index 2.
    system: |name| (Formulation::from_name(name)? == Formulation::Si2).then(|| Box::new(Wheelset::new()) as _),
};

fn columns() -> Vec<Column> {
    let names = [("x", "m"), ("y", "m"), ("z", "m"), ("theta", "rad"), ("phi", "rad"), ("beta", "rad")];
    let of = |prefix: &'static str, rate: &'static str| {
        names.map(|(name, unit)| Column::new(format!("{prefix}{name}"), &format!("{unit}{rate}")))
    };
    let forces = ["e1", "e2"].map(|name| Column::new(name, "N"));
    of("", "").into_iter().take(5).chain(of("v_", "/s")).chain(of("a_", "/s²")).chain(forces).collect()
}

/// Sines and cosines of the turns of the axle.
struct Turn {
    s: f64,
    c: f64,
    sp: f64,
    cp: f64,
}

/// A wheel on its rail: sine and cosine of psi, xi, radii, slopes.
struct Side {
    s: f64,
    c: f64,
    xi: f64,
    r: f64,
    /// dr/dxi.
    rp: f64,
    /// Slope and curvature of the rail.
    gp: f64,
    gpp: f64,
    /// Contact angle.
    angle: f64,
    /// Row of the velocity constraint.
    row: [f64; 5],
}

impl Side {
    fn new(p: &[f64], turn: &Turn, psi: f64, xi: f64, left: bool) -> Self {
        let Turn { s: st, c: ct, sp, cp } = *turn;
        let (s, c) = psi.sin_cos();
        let slope = D0.tan();
        let (r, rp) = (RADIUS + slope * (AR - xi.abs()), -xi.signum() * slope);
        let place = p[0] + xi * ct * cp + r * (ct * sp * c - st * s);
        let across = place.abs() - AR - RS * D0.sin();
        let root = (RS * RS - across * across).sqrt();
        let (gp, gpp) = (-place.signum() * across / root, -RS * RS / root.powi(3));
        let side = if left { -1.0 } else { 1.0 };
        let angle = (((rp * cp - sp * c) * ct + s * st) / (side * (rp * sp + c * cp))).atan();
        let row = [
            gp,
            -1.0,
            0.0,
            gp * (r * (-ct * s - c * sp * st) - cp * st * xi),
            -c * r * sp - cp * xi + gp * (cp * c * ct * r - ct * sp * xi),
        ];
        Self { s, c, xi, r, rp, gp, gpp, angle, row }
    }

    /// Both normals are parallel where wheel and rail touch.
    fn touch(&self, turn: &Turn) -> [f64; 2] {
        let Turn { s: st, c: ct, sp, cp } = *turn;
        let Self { s, c, rp, gp, .. } = *self;
        [gp * (rp * sp + cp * c) + rp * ct * cp - ct * sp * c + st * s, rp * st * cp - st * sp * c - ct * s]
    }

    fn constraint(&self, v: &[f64]) -> f64 {
        self.row.iter().zip(v).map(|(row, v)| row * v).sum()
    }

    /// The creep force after Kalker under the normal force `normal`, no larger than friction allows.
    fn creep(&self, turn: &Turn, theta: f64, v: &[f64], normal: f64, left: bool) -> [f64; 3] {
        let Turn { sp, cp, .. } = *turn;
        let Self { s, c, xi, r, rp, gp, gpp, angle, .. } = *self;
        let side = if left { 1.0 } else { -1.0 };
        let (sd, cd) = angle.sin_cos();
        let (st, ct) = (theta / cd).sin_cos();
        let o = SPIN + v[5];
        let (vx, vy, vz, vt, vp) = (v[0], v[1], v[2], v[3], v[4]);
        let [a, b] = [0.5 / (r * (1.0 + rp * rp).sqrt()), 0.5 * -gpp / (1.0 + gp * gp).powf(1.5)];
        let ellipse = (3.0 * normal.abs() * (1.0 - POISSON) * E / (2.0 * PI * (a + b) * SHEAR * GG.sqrt())).cbrt();
        let k1 = -o * r * (st * c + ct * sp * s) + vx
            - vt * r * (st * sp * c + ct * s)
            - vt * xi * st * cp
            - vp * ct * (xi * sp - r * cp * c);
        let k2 = o * r * cp * s + vy + vp * (xi * cp + r * sp * c);
        let k3 = -o * r * (ct * c - st * sp * s) + SPEED + vz - vt * (xi * ct * cp + r * (ct * sp * c - st * s))
            + vp * st * (xi * sp - r * cp * c);
        let w =
            0.5 * ((k1 - 2.0 * vx).powi(2) + (k2 - 2.0 * vy).powi(2) + (k3 - 2.0 * vz - 2.0 * SPEED).powi(2)).sqrt();
        let nx = (st * k1 + ct * k3) / w;
        let ny = (ct * cd * k1 + side * sd * k2 - st * cd * k3) / w;
        let spin = (-side * sd * o + cd * vt) / w;
        let most = FRICTION * normal;
        let mut tx = -most * (SHEAR * ellipse * ellipse * C11 * nx / most).tanh();
        let pull = SHEAR * ellipse * ellipse * C22 * ny / most + SHEAR * ellipse.powi(3) * C23 * spin / most;
        let mut ty = -most * pull.tanh();
        let size = tx.hypot(ty);
        if size > most.abs() {
            (tx, ty) = (tx * most.abs() / size, ty * most.abs() / size);
        }
        [st * tx + ct * cd * ty, side * sd * ty, ct * tx - st * cd * ty]
    }
}

/// F(t, y, y') of the wheelset.
fn residual(y: &[f64], yp: &[f64], residual: &mut [f64]) {
    let (p, v, touch, e) = (&y[..5], &y[5..11], &y[11..15], &y[15..]);
    let turn = Turn { s: p[3].sin(), c: p[3].cos(), sp: p[4].sin(), cp: p[4].cos() };
    let sides = [Side::new(p, &turn, touch[0], touch[1], true), Side::new(p, &turn, touch[2], touch[3], false)];
    let normals = normals(&sides, e);
    let forces = [0, 1].map(|k| sides[k].creep(&turn, p[3], v, normals[k], k == 0));
    (0..5).for_each(|i| residual[i] = yp[i] - v[i]);
    residual[5..11].copy_from_slice(&motion(p, v, &yp[5..11], &turn, &sides, &forces, e));
    for (k, side) in sides.iter().enumerate() {
        residual[11 + 2 * k..13 + 2 * k].copy_from_slice(&side.touch(&turn));
        residual[15 + k] = side.constraint(v);
    }
}

fn normals(sides: &[Side; 2], e: &[f64]) -> [f64; 2] {
    let [left, right] = sides;
    let w = [0, 1].map(|i| left.row[i] * e[0] + right.row[i] * e[1]);
    let ((sl, cl), (sr, cr)) = (left.angle.sin_cos(), right.angle.sin_cos());
    let d = -sl * cr - sr * cl;
    [(cr * w[0] - sr * w[1]) / d, (-cl * w[0] - sl * w[1]) / d]
}

/// The six equations of motion, mass times acceleration less force.
fn motion(
    p: &[f64],
    v: &[f64],
    a: &[f64],
    turn: &Turn,
    sides: &[Side; 2],
    forces: &[[f64; 3]; 2],
    e: &[f64],
) -> [f64; 6] {
    let Turn { s: st, c: ct, sp, cp } = *turn;
    let (vt, vp, o) = (v[3], v[4], SPIN + v[5]);
    let mut force = [
        -2.0 * STIFFNESS * p[0],
        -MASS * GRAVITY,
        -2.0 * STIFFNESS * p[2],
        I2 * vt * vp * sp - I1 * o * vp - (I1 - I2) * vt * vp * sp - 2.0 * XL * XL * STIFFNESS * p[3] * cp,
        I1 * o * vt * cp + (I1 - I2) * vt * vt * sp * cp,
        -I1 * vt * vp * cp - 2.0 * XL * XL * STIFFNESS * p[3] * sp,
    ];
    for ((side, t), e) in sides.iter().zip(forces).zip(e) {
        let Side { s, c, xi, r, row, .. } = side;
        force[0] += t[0];
        force[1] += t[1];
        force[2] += t[2];
        force[3] += -(xi * st + r * s * ct * cp) * t[0] - r * s * sp * t[1] + (-xi * ct + r * s * st * cp) * t[2];
        force[4] += -(xi * ct * sp - r * c * ct * cp) * t[0]
            + (xi * cp + r * c * sp) * t[1]
            + (xi * st * sp - r * c * st * cp) * t[2];
        force[5] += -r * (c * st + s * ct * sp) * t[0] + r * s * cp * t[1] - r * (c * ct - s * st * sp) * t[2];
        (0..5).for_each(|i| force[i] += row[i] * e);
    }
    let inertia = [MASS * a[0], MASS * a[1], MASS * a[2], I2 * cp * a[3], I2 * a[4], I1 * (sp * a[3] + a[5])];
    [0, 1, 2, 3, 4, 5].map(|i| inertia[i] - force[i])
}

struct Wheelset {
    unknowns: Vec<Unknown>,
    pattern: SparsityPattern,
    differences: Differences,
}

impl Wheelset {
    fn new() -> Self {
        let unknown = |kind, error_tested, scale_power, typical| Unknown { kind, error_tested, scale_power, typical };
        // The axle moves by millimetres across the rails and turns by as many hundredths; it hardly rises.
        let mut unknowns: Vec<Unknown> =
            [1e-2, 1e-5, 1e-4, 1e-2, 1e-3].into_iter().map(|size| unknown(kinds::POSITION, true, 0, size)).collect();
        unknowns.extend([unknown(kinds::VELOCITY, true, 0, 0.1); 6]);
        unknowns.extend([unknown(Kind::ALGEBRAIC, false, 0, 1e-2); 4]);
        unknowns.extend([unknown(kinds::MULTIPLIER, false, 1, 100.0); 2]);
        let pattern = full(UNKNOWNS);
        let floors: Vec<f64> = unknowns.iter().map(|own| FLOOR * own.typical).collect();
        Self { differences: Differences::new(&pattern, &floors), unknowns, pattern }
    }
}

impl Dae for Wheelset {
    fn dimension(&self) -> usize {
        UNKNOWNS
    }
    fn unknowns(&self) -> &[Unknown] {
        &self.unknowns
    }
    fn pattern(&self) -> &SparsityPattern {
        &self.pattern
    }
    fn residual(&mut self, _: f64, y: &[f64], yp: &[f64], values: &mut [f64]) -> Result<(), EvalError> {
        residual(y, yp, values);
        Ok(())
    }
    fn jacobian(&mut self, _: f64, y: &[f64], yp: &[f64], c: f64, values: &mut [f64]) -> Result<(), EvalError> {
        self.differences.evaluate(&self.pattern, y, yp, c, values, |y, yp, values| {
            residual(y, yp, values);
            Ok(())
        })
    }
}

impl System for Wheelset {
    fn start(&self) -> [Vec<f64>; 2] {
        let y = [&START[..], &[0.0; 6], &TOUCH, &FORCES].concat();
        let yp = [&[0.0; 5][..], &RATES, &[0.0; 6]].concat();
        [y, yp]
    }
    /// p, v, v', e: the last two as the integrator has them.
    fn values(&mut self, _: f64, y: &[f64], yp: &[f64], values: &mut [f64]) {
        values[..11].copy_from_slice(&y[..11]);
        values[11..17].copy_from_slice(&yp[5..11]);
        values[17..].copy_from_slice(&y[15..]);
    }
    /// Of the contact conditions, and of the constraints of velocities.
    fn violation(&mut self, _: f64, y: &[f64]) -> Option<[f64; 2]> {
        let mut values = [0.0; UNKNOWNS];
        residual(y, &[0.0; UNKNOWNS], &mut values);
        let largest = |range: &[f64]| range.iter().fold(0.0_f64, |worst, value| worst.max(value.abs()));
        Some([largest(&values[11..15]), largest(&values[15..])])
    }
    fn dae(&mut self) -> &mut dyn Dae {
        self
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_start_satisfies_the_equations() {
        let [y, yp] = Wheelset::new().start();
        let mut values = [0.0; UNKNOWNS];
        residual(&y, &yp, &mut values);
        // Forces have some 150 N.
        for (k, value) in values.iter().enumerate() {
            assert!(value.abs() < 1e-9, "equation {k}: {value:e}");
        }
    }
}
