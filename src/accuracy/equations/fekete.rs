//! Fekete's problem of the IVP test set (de Swart 1998): points on the unit sphere that repel one another and are damped come to rest where the
//! product of their distances is largest. 20 points, q = (p1, .., p20), one constraint each.

use super::Build;
use super::constrained::{Constrained, Law, Rows};
use crate::accuracy::references::Column;
use std::f64::consts::PI;

const POINTS: usize = 20;
const COORDINATES: usize = 3 * POINTS;
/// Damping \[N s/m\]; masses are 1 kg.
const DAMPING: f64 = 0.5;
/// Rings of points at the start: their number, the number of the first one, the parts of pi by which the ring is turned, its latitude in parts of pi.
const RINGS: [(usize, usize, f64, f64); 4] = [
    (3, 1, 1.0 / 13.0, 3.0 / 8.0),
    (7, 1, 1.0 / 29.0, 1.0 / 8.0),
    (6, 1, 1.0 / 7.0, -2.0 / 15.0),
    (4, 0, 1.0 / 17.0, -0.3),
];

pub(in crate::accuracy) const FEKETE: Build = Build { columns, formulated: true, system: Constrained::<Fekete>::boxed };

fn columns() -> Vec<Column> {
    let of = |prefix: &'static str, unit: &'static str| {
        (0..COORDINATES).map(move |i| Column::new(format!("{prefix}p{}.{}", i / 3 + 1, ["x", "y", "z"][i % 3]), unit))
    };
    let multipliers = (1..=POINTS).map(|k| Column::new(format!("lambda{k}"), "N"));
    of("", "m").chain(of("v_", "m/s")).chain(of("a_", "m/s²")).chain(multipliers).collect()
}

struct Fekete;

/// Adds to each point the force (p_i - p_j)/|p_i - p_j|^2 of each other one, times `sign`.
fn repel(q: &[f64], sign: f64, to: &mut [f64]) {
    for i in 0..POINTS {
        for j in 0..i {
            let apart = [0, 1, 2].map(|k| q[3 * i + k] - q[3 * j + k]);
            let square = apart.iter().map(|own| own * own).sum::<f64>();
            for k in 0..3 {
                let force = sign * apart[k] / square;
                to[3 * i + k] += force;
                to[3 * j + k] -= force;
            }
        }
    }
}

impl Law for Fekete {
    const COORDINATES: usize = COORDINATES;
    const ROWS: usize = POINTS;

    /// At rest: a + 2 p lambda is the force, and p a = 0.
    fn start() -> [Vec<f64>; 4] {
        let ring = |&(count, first, turn, latitude): &(usize, usize, f64, f64)| {
            (first..first + count).flat_map(move |k| {
                let angle = 2.0 * PI * k as f64 / count as f64 + PI * turn;
                let (up, out) = (PI * latitude).sin_cos();
                [angle.cos() * out, angle.sin() * out, up]
            })
        };
        let q: Vec<f64> = RINGS.iter().flat_map(ring).collect();
        let mut a = vec![0.0; COORDINATES];
        repel(&q, 1.0, &mut a);
        let mut multipliers = vec![0.0; POINTS];
        for (k, multiplier) in multipliers.iter_mut().enumerate() {
            let own = 3 * k..3 * k + 3;
            *multiplier = 0.5 * q[own.clone()].iter().zip(&a[own.clone()]).map(|(p, f)| p * f).sum::<f64>();
            own.for_each(|i| a[i] -= 2.0 * *multiplier * q[i]);
        }
        [q, vec![0.0; COORDINATES], a, multipliers]
    }

    fn dynamics(_: f64, q: &[f64], v: &[f64], a: &[f64], residual: &mut [f64]) {
        (0..COORDINATES).for_each(|i| residual[i] = a[i] + DAMPING * v[i]);
        repel(q, -1.0, residual);
    }

    /// 0 = |p|^2 - 1 of each point.
    fn constraints(_: f64, q: &[f64], rows: &mut Rows) {
        rows.gradient.fill(0.0);
        for k in 0..POINTS {
            let own = 3 * k..3 * k + 3;
            rows.value[k] = q[own.clone()].iter().map(|p| p * p).sum::<f64>() - 1.0;
            own.for_each(|i| rows.gradient[k * COORDINATES + i] = 2.0 * q[i]);
        }
        rows.drift.fill(0.0);
    }
}
