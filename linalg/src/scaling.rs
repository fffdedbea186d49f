//! Equilibration: powers of two r_i, c_j that bring the largest entry of every row and column of r_i a_ij c_j near one.
//!
//! A mechanism's matrix mixes metres, kilograms and 1/h; pivots are comparable only after such a scaling. Powers of two
//! leave every rounding error of the elimination unchanged. Method: alternate scaling of rows and columns by the inverse
//! square root of their largest entry (Ruiz, RAL-TR-2001-034), then one pass that brings every row to [1, 2).

use crate::error::Error;

/// Most sweeps of the alternate scaling. Each halves the distance to equilibrium in powers of two, which is at most 2^11.
const SWEEPS: usize = 16;

/// Row and column exponents of an equilibration: entry (i, j) is multiplied by 2^(row[i] + column[j]).
#[derive(Debug, Clone)]
pub(crate) struct Scaling {
    row: Vec<i32>,
    column: Vec<i32>,
}

impl Scaling {
    /// Equilibrates the matrix with the given finite entries; zero rows and columns keep the factor one.
    pub(crate) fn new<I>(rows: usize, columns: usize, entries: I) -> Self
    where
        I: Iterator<Item = (usize, usize, f64)> + Clone,
    {
        let mut scaling = Self { row: vec![0; rows], column: vec![0; columns] };
        let mut row_max = vec![i32::MIN; rows];
        let mut column_max = vec![i32::MIN; columns];
        for _ in 0..SWEEPS {
            row_max.fill(i32::MIN);
            column_max.fill(i32::MIN);
            for (i, j, value) in entries.clone() {
                if value != 0.0 {
                    let size = exponent(value) + scaling.row[i] + scaling.column[j];
                    row_max[i] = row_max[i].max(size);
                    column_max[j] = column_max[j].max(size);
                }
            }
            let moved = halve(&mut scaling.row, &row_max) | halve(&mut scaling.column, &column_max);
            if !moved {
                break;
            }
        }
        row_max.fill(i32::MIN);
        for (i, j, value) in entries {
            if value != 0.0 {
                row_max[i] = row_max[i].max(exponent(value) + scaling.column[j]);
            }
        }
        for (exponent, &max) in scaling.row.iter_mut().zip(&row_max) {
            *exponent = if max == i32::MIN { 0 } else { -max };
        }
        scaling
    }

    /// The scaled entry (i, j).
    pub(crate) fn apply(&self, i: usize, j: usize, value: f64) -> f64 {
        scale(value, self.row[i] + self.column[j])
    }

    /// 2^power of row i.
    pub(crate) fn row_power(&self, i: usize) -> i32 {
        self.row[i]
    }

    /// 2^power of column j.
    pub(crate) fn column_power(&self, j: usize) -> i32 {
        self.column[j]
    }
}

/// Takes half of the largest entry's power from each line; says whether any moved.
fn halve(exponents: &mut [i32], max: &[i32]) -> bool {
    let mut moved = false;
    for (exponent, &max) in exponents.iter_mut().zip(max) {
        if max != i32::MIN {
            *exponent -= max.div_euclid(2);
            moved |= max.div_euclid(2) != 0;
        }
    }
    moved
}

/// floor(log2 |value|) of a finite nonzero number.
pub(crate) fn exponent(value: f64) -> i32 {
    let biased = ((value.to_bits() >> 52) & 0x7ff) as i32;
    if biased == 0 {
        exponent(value * 2f64.powi(64)) - 64 // subnormal
    } else {
        biased - 1023
    }
}

/// value * 2^power without spurious overflow in between.
pub(crate) fn scale(value: f64, power: i32) -> f64 {
    if (-1000..=1000).contains(&power) {
        value * f64::from_bits(((1023 + i64::from(power)) as u64) << 52)
    } else {
        let half = power / 2;
        value * 2f64.powi(half) * 2f64.powi(power - half)
    }
}

/// Refuses NaN and infinity among the entries of a matrix.
pub(crate) fn check_matrix<I>(matrix: &'static str, mut entries: I) -> Result<(), Error>
where
    I: Iterator<Item = (usize, usize, f64)>,
{
    match entries.find(|e| !e.2.is_finite()) {
        None => Ok(()),
        Some((row, column, value)) => Err(Error::NotFinite { matrix, row, column, value }),
    }
}
