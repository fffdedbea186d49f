//! The car axis of the IVP test set: two wheels, the right one on a bump that goes up and down, two springs, an axis of fixed length.
//!
//! | symbol | meaning |
//! |---|---|
//! | q = (xl, yl, xr, yr) | ends of the axis \[m\] |
//! | (xb, yb) | right wheel: yb = r sin(w t), at distance L from the left one |
//! | k = M eps^2/2 | mass in units of the test set |

use super::Build;
use super::constrained::{Constrained, Law, Rows};
use crate::accuracy::references::Column;

const LENGTH: f64 = 1.0;
const FREE: f64 = 0.5;
const MASS: f64 = 5e-4;
const BUMP: f64 = 0.1;
const RATE: f64 = 10.0;

pub(in crate::accuracy) const CAR_AXIS: Build =
    Build { columns, formulated: true, system: Constrained::<CarAxis>::boxed };

fn columns() -> Vec<Column> {
    let names = ["xl", "yl", "xr", "yr"];
    let of = |prefix: &'static str, unit: &'static str| names.map(|name| Column::new(format!("{prefix}{name}"), unit));
    let multipliers = ["lambda1", "lambda2"].map(|name| Column::new(name, "N"));
    of("", "m").into_iter().chain(of("v_", "m/s")).chain(of("a_", "m/s²")).chain(multipliers).collect()
}

struct CarAxis;

/// The right wheel and its velocity.
fn wheel(t: f64) -> [f64; 4] {
    let (sin, cos) = (RATE * t).sin_cos();
    let (y, rate) = (BUMP * sin, BUMP * RATE * cos);
    let x = (LENGTH * LENGTH - y * y).sqrt();
    [x, y, -y * rate / x, rate]
}

impl Law for CarAxis {
    const COORDINATES: usize = 4;
    const ROWS: usize = 2;

    fn start() -> [Vec<f64>; 4] {
        [vec![0.0, 0.5, 1.0, 0.5], vec![-0.5, 0.0, -0.5, 0.0], vec![0.0, -1.0, 0.0, -1.0], vec![0.0; 2]]
    }

    fn dynamics(t: f64, q: &[f64], _: &[f64], a: &[f64], residual: &mut [f64]) {
        let [xb, yb, ..] = wheel(t);
        let spring = |x: f64, y: f64| {
            let length = x.hypot(y);
            let force = (FREE - length) / length;
            [force * x, force * y]
        };
        let [left, right] = [spring(q[0], q[1]), spring(q[2] - xb, q[3] - yb)];
        for (i, force) in [left[0], left[1] - MASS, right[0], right[1] - MASS].into_iter().enumerate() {
            residual[i] = MASS * a[i] - force;
        }
    }

    /// 0 = xb xl + yb yl, 0 = |axis|^2 - L^2.
    fn constraints(t: f64, q: &[f64], rows: &mut Rows) {
        let [xb, yb, vx, vy] = wheel(t);
        let [dx, dy] = [q[0] - q[2], q[1] - q[3]];
        rows.value.copy_from_slice(&[xb * q[0] + yb * q[1], dx * dx + dy * dy - LENGTH * LENGTH]);
        rows.gradient.copy_from_slice(&[xb, yb, 0.0, 0.0, 2.0 * dx, 2.0 * dy, -2.0 * dx, -2.0 * dy]);
        rows.drift.copy_from_slice(&[vx * q[0] + vy * q[1], 0.0]);
    }
}
