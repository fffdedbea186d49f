//! Measured efficiencies of pumps and motors over speed and pressure difference.

use fourbar_expression::Scalar;

/// Part of the last point of an axis below which losses turn to the other sign.
const TURN: f64 = 1e-3;

/// Rows by speed, columns by pressure difference; empty for 1.
#[derive(Debug, Clone)]
pub(crate) struct EfficiencyMap {
    pub(crate) speed: Vec<f64>,
    pub(crate) pressure: Vec<f64>,
    pub(crate) volumetric: Vec<Vec<f64>>,
    pub(crate) mechanical: Vec<Vec<f64>>,
}

/// Efficiencies at a point, and the signs of pressure difference and speed, rounded about 0.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Efficiencies<T> {
    pub(crate) volumetric: T,
    pub(crate) mechanical: T,
    pub(crate) pressure_sign: T,
    pub(crate) speed_sign: T,
}

impl EfficiencyMap {
    pub(crate) fn at<T: Scalar>(&self, speed: T, dp: T) -> Efficiencies<T> {
        let (row, column) = (place(&self.speed, speed.abs()), place(&self.pressure, dp.abs()));
        let read = |table: &[Vec<f64>]| if table.is_empty() { T::from(1.0) } else { between(table, row, column) };
        let last = |axis: &[f64]| TURN * axis.last().copied().unwrap_or(1.0);
        Efficiencies {
            volumetric: read(&self.volumetric),
            mechanical: read(&self.mechanical),
            pressure_sign: sign(dp / last(&self.pressure)),
            speed_sign: sign(speed / last(&self.speed)),
        }
    }
}

/// The interval of a growing axis in which x lies, and where in it, from 0 to 1.
fn place<T: Scalar>(axis: &[f64], x: T) -> (usize, T) {
    let above = axis.partition_point(|point| *point <= x.re());
    if above == 0 {
        (0, T::from(0.0))
    } else if above == axis.len() {
        (above - 1, T::from(0.0))
    } else {
        (above - 1, (x - axis[above - 1]) / (axis[above] - axis[above - 1]))
    }
}

fn between<T: Scalar>(table: &[Vec<f64>], (row, down): (usize, T), (column, right): (usize, T)) -> T {
    let along = |row: &[f64]| {
        let next = row[(column + 1).min(row.len() - 1)];
        right * (next - row[column]) + row[column]
    };
    let (first, second) = (along(&table[row]), along(&table[(row + 1).min(table.len() - 1)]));
    first + down * (second - first)
}

/// z (3 - z^2)/2 between -1 and 1, the sign of z beyond.
fn sign<T: Scalar>(z: T) -> T {
    if z.re().abs() >= 1.0 { T::from(z.re().signum()) } else { z * (-z * z + 3.0) * 0.5 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_are_linear_between_their_points_and_constant_beyond() {
        let map = EfficiencyMap {
            speed: vec![100.0, 200.0],
            pressure: vec![0.0, 1e7, 3e7],
            volumetric: vec![vec![1.0, 0.9, 0.8], vec![1.0, 0.94, 0.9]],
            mechanical: vec![],
        };
        let volumetric = |speed: f64, dp: f64| map.at(speed, dp).volumetric;
        assert_eq!([volumetric(100.0, 1e7), volumetric(200.0, 3e7)], [0.9, 0.9]);
        assert!((volumetric(150.0, 2e7) - 0.5 * (0.85 + 0.92)).abs() < 1e-15);
        assert_eq!([volumetric(10.0, 1e7), volumetric(-900.0, -9e7)], [0.9, 0.9]);
        assert_eq!(map.at(150.0, 2e7).mechanical, 1.0);
        let signs = map.at(-1.0, 1e5);
        assert_eq!([signs.speed_sign, signs.pressure_sign], [-1.0, 1.0]);
        assert_eq!([map.at(0.0, 0.0).speed_sign, map.at(0.0, 0.0).pressure_sign], [0.0, 0.0]);
    }
}
