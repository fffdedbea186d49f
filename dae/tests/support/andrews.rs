//! Andrews' squeezing mechanism in its seven angles (Hairer and Wanner II, section VII.7), as an index-3 and as a
//! stabilized index-2 and index-1 system.
//!
//! Every point is a sum of vectors that turn with a sum of angles, so its Jacobian and the quadratic velocity terms are exact by
//! construction; dF/dy + c dF/dy' comes from dual numbers.

use fourbar_dae::Unknown;
use num_dual::DualNum;

use super::{Equations, System, kinds};

/// How the mechanism becomes F(t, y, y') = 0.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Form {
    /// y = (q, u, lambda).
    I3,
    /// y = (q, u, lambda, mu), after Gear, Gupta and Leimkuhler.
    Si2,
    /// y = (q, u, eta, xi), lambda = eta', mu = xi'.
    Si1,
}

/// A vector (x, y) that turns with the sum of the angles listed.
type Arm = (&'static [usize], f64, f64);

const Q: usize = 7;
const ROWS: usize = 6;
const A: [f64; 2] = [-0.06934, -0.00227];
const B: [f64; 2] = [-0.03635, 0.03273];
const C: [f64; 2] = [0.014, 0.072];
const STIFFNESS: f64 = 4530.0;
const FREE_LENGTH: f64 = 0.07785;
const TORQUE: f64 = 0.033;
const BETA: &[usize] = &[0];
const BETA_THETA: &[usize] = &[0, 1];
const GAMMA: &[usize] = &[2];
const DELTA: &[usize] = &[4];
const PHI_DELTA: &[usize] = &[3, 4];
const EPSILON: &[usize] = &[6];
const OMEGA_EPSILON: &[usize] = &[5, 6];

/// Mass, moment of inertia, angle and centre of mass of a body.
struct Body(f64, f64, &'static [usize], [f64; 2], &'static [Arm]);

const BODIES: [Body; 7] = [
    Body(0.04325, 2.194e-6, BETA, [0.0; 2], &[(BETA, 0.00092, 0.0)]),
    Body(0.00365, 4.410e-7, BETA_THETA, [0.0; 2], &[(BETA, 0.007, 0.0), (BETA_THETA, -0.0115, 0.0)]),
    Body(0.02373, 5.255e-6, GAMMA, B, &[(GAMMA, 0.01043, -0.01874)]),
    Body(0.00706, 5.667e-7, PHI_DELTA, A, &[(DELTA, 0.04, 0.0), (PHI_DELTA, 0.0, -(0.02 - 0.01421))]),
    Body(0.07050, 1.169e-5, DELTA, A, &[(DELTA, 0.02308, 0.00916)]),
    Body(0.00706, 5.667e-7, OMEGA_EPSILON, A, &[(EPSILON, 0.0, -0.04), (OMEGA_EPSILON, 0.02 - 0.01421, 0.0)]),
    Body(0.05498, 1.912e-5, EPSILON, A, &[(EPSILON, -0.00449, -0.01228)]),
];

/// Where the spring grips body 3.
const GRIP: (&[f64; 2], &[Arm]) = (&B, &[(GAMMA, 0.02, -0.018)]);
/// Point E as part of body 2.
const E: &[Arm] = &[(BETA, 0.007, 0.0), (BETA_THETA, -0.028, 0.0)];
/// Point E as part of bodies 3, 4 and 6.
const CLOSURES: [(&[f64; 2], &[Arm]); 3] = [
    (&B, &[(GAMMA, 0.0, -0.035)]),
    (&A, &[(DELTA, 0.04, 0.0), (PHI_DELTA, 0.0, -0.02)]),
    (&A, &[(EPSILON, 0.0, -0.04), (OMEGA_EPSILON, 0.02, 0.0)]),
];

/// A point with its Jacobian and the part of its acceleration that is quadratic in u.
struct Point<T> {
    at: [T; 2],
    jacobian: [[T; Q]; 2],
    quadratic: [T; 2],
}

fn sum<T: DualNum<Primitive = f64> + Copy>(angles: &[usize], of: &[T]) -> T {
    angles.iter().fold(T::from(0.0), |total, &i| total + of[i])
}

fn point<T: DualNum<Primitive = f64> + Copy>(ground: &[f64; 2], arms: &[Arm], q: &[T], u: &[T]) -> Point<T> {
    let zero = T::from(0.0);
    let mut p = Point { at: [T::from(ground[0]), T::from(ground[1])], jacobian: [[zero; Q]; 2], quadratic: [zero; 2] };
    for &(angles, x, y) in arms {
        let (sin, cos) = sum(angles, q).sin_cos();
        let arm = [cos * x - sin * y, sin * x + cos * y];
        let turn = sum(angles, u);
        for d in 0..2 {
            p.at[d] += arm[d];
            p.quadratic[d] -= arm[d] * turn * turn;
            let slope = if d == 0 { -arm[1] } else { arm[0] };
            angles.iter().for_each(|&i| p.jacobian[d][i] += slope);
        }
    }
    p
}

/// The mechanism's equations.
pub(crate) struct Andrews(pub(crate) Form);

impl Andrews {
    /// The system with its unknowns; increments of lambda and mu are compared times h beta_0 (SI2) or its square (I3).
    pub(crate) fn system(form: Form) -> System<Self> {
        let unknown = |kind, error_tested, scale_power| Unknown { kind, error_tested, scale_power, typical: 1.0 };
        let index3 = form == Form::I3;
        let integral = form == Form::Si1;
        let mut unknowns = vec![unknown(kinds::ORIENTATION, true, 0); Q];
        unknowns.extend([unknown(kinds::ANGULAR_VELOCITY, !index3, u8::from(index3)); Q]);
        if integral {
            unknowns.extend([unknown(kinds::MULTIPLIER_INTEGRAL, true, 0); ROWS]);
            unknowns.extend([unknown(kinds::STABILIZER_INTEGRAL, true, 0); ROWS]);
        } else {
            unknowns.extend([unknown(kinds::MULTIPLIER, false, if index3 { 2 } else { 1 }); ROWS]);
        }
        if form == Form::Si2 {
            unknowns.extend([unknown(kinds::STABILIZER, false, 1); ROWS]);
        }
        System::new(unknowns, Self(form))
    }

    /// Consistent start at rest: y and y'.
    pub(crate) fn start(form: Form) -> (Vec<f64>, Vec<f64>) {
        let n = if form == Form::I3 { 2 * Q + ROWS } else { 2 * Q + 2 * ROWS };
        let mut y = vec![0.0; n];
        y[..Q].copy_from_slice(&[
            -0.061_713_890_014_276_45,
            0.0,
            0.455_279_819_163_070_4,
            0.222_668_390_165_885_88,
            0.487_364_979_543_842_55,
            -0.222_668_390_165_885_88,
            1.230_547_444_549_821_2,
        ]);
        let mut yp = vec![0.0; n];
        let multipliers = if form == Form::Si1 { &mut yp } else { &mut y };
        multipliers[14] = 98.566_870_396_241_09;
        multipliers[15] = -6.122_688_344_255_663;
        yp[7] = 14_222.443_919_995_414;
        yp[8] = -10_666.832_939_965_585;
        (y, yp)
    }

    /// Largest |Phi| \[m\] and |Phi_q u| \[m/s\].
    pub(crate) fn violations(y: &[f64]) -> (f64, f64) {
        let (q, u) = (&y[..Q], &y[Q..2 * Q]);
        let e = point(&[0.0; 2], E, q, u);
        let (mut position, mut velocity): (f64, f64) = (0.0, 0.0);
        for (ground, arms) in CLOSURES {
            let p = point(ground, arms, q, u);
            for d in 0..2 {
                position = position.max((e.at[d] - p.at[d]).abs());
                let rate: f64 = (0..Q).map(|i| (e.jacobian[d][i] - p.jacobian[d][i]) * u[i]).sum();
                velocity = velocity.max(rate.abs());
            }
        }
        (position, velocity)
    }
}

/// F(t, y, y') for every form.
fn residual<T: DualNum<Primitive = f64> + Copy>(form: Form, y: &[T], yp: &[T], r: &mut [T]) {
    let (q, u, a) = (&y[..Q], &y[Q..2 * Q], &yp[Q..2 * Q]);
    let (lambda, mu) = if form == Form::Si1 { yp } else { y }[2 * Q..].split_at(ROWS);
    for i in 0..Q {
        r[i] = yp[i] - u[i];
        r[Q + i] = T::from(0.0);
    }
    for Body(mass, inertia, angle, ground, arms) in BODIES {
        let p = point(&ground, arms, q, u);
        for d in 0..2 {
            let acceleration = (0..Q).fold(p.quadratic[d], |s, i| s + p.jacobian[d][i] * a[i]);
            (0..Q).for_each(|i| r[Q + i] += p.jacobian[d][i] * acceleration * mass);
        }
        let spin = sum(angle, a) * inertia;
        angle.iter().for_each(|&i| r[Q + i] += spin);
    }
    let grip = point(GRIP.0, GRIP.1, q, u);
    let pull = [grip.at[0] - C[0], grip.at[1] - C[1]];
    let length = (pull[0] * pull[0] + pull[1] * pull[1]).sqrt();
    let tension = (length - FREE_LENGTH) / length * STIFFNESS;
    for i in 0..Q {
        r[Q + i] += (grip.jacobian[0][i] * pull[0] + grip.jacobian[1][i] * pull[1]) * tension;
    }
    r[Q] -= TORQUE;
    let e = point(&[0.0; 2], E, q, u);
    for (k, (ground, arms)) in CLOSURES.into_iter().enumerate() {
        let p = point(ground, arms, q, u);
        for d in 0..2 {
            let row = 2 * k + d;
            r[2 * Q + row] = e.at[d] - p.at[d];
            let mut rate = T::from(0.0);
            for i in 0..Q {
                let slope = e.jacobian[d][i] - p.jacobian[d][i];
                rate += slope * u[i];
                r[Q + i] += slope * lambda[row];
                if form != Form::I3 {
                    r[i] += slope * mu[row];
                }
            }
            if form != Form::I3 {
                r[2 * Q + ROWS + row] = rate;
            }
        }
    }
}

impl Equations for Andrews {
    fn residual<T: DualNum<Primitive = f64> + Copy>(&self, _: T, y: &[T], yp: &[T], r: &mut [T]) {
        residual(self.0, y, yp, r);
    }
}
