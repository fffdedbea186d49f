//! The slider crank with an elastic connecting rod of the IVP test set (Simeon 1996): phi1, phi2, x3 and four elastic coordinates, driven at a
//! constant rate. Its start is projected onto the constraints, and pi has the digits of the test set.
//!
//! Matrices of the rod carry the names of the test set: MQ, KQ, BQ, c1, c2, c12, c21.

use super::Build;
use super::constrained::{Constrained, Law, Rows};
use crate::accuracy::references::Column;

/// With the digits of the test set, which matter at 1e-8.
#[allow(clippy::approx_constant)]
const PI: f64 = 3.141_592_7;
const CRANK_INERTIA: f64 = 0.002_727;
const ROD_MASS: f64 = 0.151_104;
const ROD_INERTIA: f64 = 0.004_533_925_9;
const SLIDER_MASS: f64 = 0.075_552;
const CRANK: f64 = 0.15;
const ROD: f64 = 0.30;
const RATE: f64 = 150.0;
const DENSITY: f64 = 7870.0;
const WIDTH: f64 = 0.008;
const FM: f64 = DENSITY * WIDTH * WIDTH * ROD;
const FK: f64 = 2e11 * WIDTH * WIDTH / ROD;
const FB: f64 = WIDTH * WIDTH * ROD;
const PI4: f64 = PI * PI * PI * PI;
const SLENDER: f64 = (WIDTH / ROD) * (WIDTH / ROD);

type Four = [f64; 4];

const MQ: [Four; 4] =
    [[0.5 * FM, 0.0, 0.0, 0.0], [0.0, 0.5 * FM, 0.0, 0.0], [0.0, 0.0, 8.0 * FM, FM], [0.0, 0.0, FM, 2.0 * FM]];
const KQ: [Four; 4] = [
    [FK * PI4 / 24.0 * SLENDER, 0.0, 0.0, 0.0],
    [0.0, FK * 2.0 / 3.0 * PI4 * SLENDER, 0.0, 0.0],
    [0.0, 0.0, FK * 16.0 / 3.0, -FK * 8.0 / 3.0],
    [0.0, 0.0, -FK * 8.0 / 3.0, FK * 7.0 / 3.0],
];
const B13: f64 = -16.0 * FB / (PI * PI * PI);
const B14: f64 = FB * (8.0 / (PI * PI * PI) - 1.0 / PI);
const B24: f64 = 0.5 * FB / PI;
const BQ: [Four; 4] = [[0.0, 0.0, B13, B14], [0.0, 0.0, 0.0, B24], [-B13, 0.0, 0.0, 0.0], [-B14, -B24, 0.0, 0.0]];
const C1: Four = [0.0, 0.0, 2.0 / 3.0 * FB, FB / 6.0];
const C2: Four = [2.0 / PI * FB, 0.0, 0.0, 0.0];
const C12: Four = [0.0, 0.0, ROD * FB / 3.0, ROD * FB / 6.0];
const C21: Four = [ROD * FB / PI, -ROD * FB / (2.0 * PI), 0.0, 0.0];

pub(in crate::accuracy) const SLIDER_CRANK: Build =
    Build { columns, formulated: true, system: Constrained::<SliderCrank>::boxed };

fn columns() -> Vec<Column> {
    let names = ["phi1", "phi2", "x3", "q1", "q2", "q3", "q4"];
    let of = |prefix: &'static str, rate: &'static str| {
        names.map(|name| {
            let length = if name.starts_with("phi") { "rad" } else { "m" };
            Column::new(format!("{prefix}{name}"), &format!("{length}{rate}"))
        })
    };
    let multipliers = ["lambda1", "lambda2", "lambda3"].map(|name| Column::new(name, "N"));
    of("", "").into_iter().chain(of("v_", "/s")).chain(of("a_", "/s²")).chain(multipliers).collect()
}

struct SliderCrank;

fn dot(a: &Four, b: &Four) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

fn times(matrix: &[Four; 4], x: &Four) -> Four {
    matrix.map(|row| dot(&row, x))
}

/// Row vector times matrix.
fn transposed(matrix: &[Four; 4], x: &Four) -> Four {
    [0, 1, 2, 3].map(|j| (0..4).map(|i| x[i] * matrix[i][j]).sum())
}

fn elastic(of: &[f64]) -> Four {
    [of[3], of[4], of[5], of[6]]
}

impl Law for SliderCrank {
    const COORDINATES: usize = 7;
    const ROWS: usize = 3;

    fn start() -> [Vec<f64>; 4] {
        [
            vec![0.0, 0.0, 0.450_016_932_839_657_9, 0.0, 0.0, 1.033_398_095_526_315_8e-5, 1.693_283_965_789_473e-5],
            vec![
                150.0,
                -74.995_767_029_006_26,
                -2.689_386_72e-6,
                0.444_896_110_540_155_5,
                0.004_634_340_339_950_220_6,
                -1.785_910_76e-6,
                -2.689_386_72e-6,
            ],
            vec![
                0.0,
                -0.001_344_541_576_337_070_2,
                -5_062.210_598_616_052,
                -6.829_725_365_867_432e-5,
                0.0,
                -4.261_473_202_661_192,
                0.194_159_536_588_053_96,
            ],
            vec![-6.552_748_083_448_934e-8, 382.460_135_146_64, -4.635_935_548_371_781e-9],
        ]
    }

    fn dynamics(_: f64, q: &[f64], v: &[f64], a: &[f64], residual: &mut [f64]) {
        let (sin, cos) = (q[0] - q[1]).sin_cos();
        let (x, xd, xdd) = (elastic(q), elastic(v), elastic(a));
        let (v1, v2) = (v[0], v[1]);
        let mass = times(&MQ, &x);
        let (c1, c2, c12) = (dot(&C1, &x), dot(&C2, &x), dot(&C12, &x));
        let m12 = 0.5 * CRANK * ROD * ROD_MASS * cos + DENSITY * CRANK * (sin * c2 + cos * c1);
        let m22 = ROD_INERTIA + dot(&x, &mass) + 2.0 * DENSITY * c12;
        let row1: Four = [0, 1, 2, 3].map(|i| DENSITY * CRANK * (-sin * C1[i] + cos * C2[i]));
        let turned = transposed(&BQ, &x);
        let row2: Four = [0, 1, 2, 3].map(|i| DENSITY * (C21[i] + turned[i]));
        let f1 = -0.5 * CRANK * ROD * ROD_MASS * v2 * v2 * sin + DENSITY * CRANK * v2 * v2 * (-sin * c1 + cos * c2)
            - 2.0 * DENSITY * CRANK * v2 * (cos * dot(&C1, &xd) + sin * dot(&C2, &xd));
        let gyroscopic = times(&BQ, &xd);
        let f2 = 0.5 * CRANK * ROD * ROD_MASS * v1 * v1 * sin + DENSITY * CRANK * v1 * v1 * (sin * c1 - cos * c2)
            - 2.0 * DENSITY * v2 * dot(&C12, &xd)
            - 2.0 * v2 * dot(&xd, &mass)
            - DENSITY * dot(&xd, &gyroscopic);
        residual[0] = (CRANK_INERTIA + ROD_MASS * CRANK * CRANK) * a[0] + m12 * a[1] + dot(&row1, &xdd) - f1;
        residual[1] = m12 * a[0] + m22 * a[1] + dot(&row2, &xdd) - f2;
        residual[2] = SLIDER_MASS * a[2];
        let (inertia, stiffness) = (times(&MQ, &xdd), times(&KQ, &x));
        for i in 0..4 {
            let force = v2 * v2 * mass[i]
                + DENSITY
                    * (v2 * v2 * C12[i] + CRANK * v1 * v1 * (cos * C1[i] + sin * C2[i]) + 2.0 * v2 * gyroscopic[i])
                - stiffness[i];
            residual[3 + i] = row1[i] * a[0] + row2[i] * a[1] + inertia[i] - force;
        }
    }

    /// 0 = L1 sin phi1 + (L2 + q4) sin phi2, 0 = x3 - L1 cos phi1 - (L2 + q4) cos phi2, 0 = phi1 - w t.
    fn constraints(t: f64, q: &[f64], rows: &mut Rows) {
        let ((sin1, cos1), (sin2, cos2)) = (q[0].sin_cos(), q[1].sin_cos());
        let reach = ROD + q[6];
        rows.value.copy_from_slice(&[CRANK * sin1 + reach * sin2, q[2] - CRANK * cos1 - reach * cos2, q[0] - RATE * t]);
        rows.gradient.fill(0.0);
        for (place, value) in [
            (0, CRANK * cos1),
            (1, reach * cos2),
            (6, sin2),
            (7, CRANK * sin1),
            (8, reach * sin2),
            (9, 1.0),
            (13, -cos2),
            (14, 1.0),
        ] {
            rows.gradient[place] = value;
        }
        rows.drift.copy_from_slice(&[0.0, 0.0, -RATE]);
    }
}
