//! Equilibration: powers of two r_i, c_j that take the units out of a matrix.
//!
//! A mechanism's matrix mixes metres, kilograms and 1/h; pivots are comparable only after a scaling. The one that does not
//! depend on the units given minimizes the sum of (log |a_ij| + r_i + c_j)^2 over the entries (Curtis and Reid, J. Inst. Maths
//! Applics 10 (1972) 118); it is found by sweeps over rows and columns in turn. A last pass brings the largest entry of every row to
//! [1, 2). Powers of two leave every rounding error of the elimination unchanged.
//!
//! Logarithms weigh the round-off of a zero, 1e-240 say, more than all real entries together. Which entries are none is decided beforehand,
//! in the scaling that makes the largest entry of every row and column one (Ruiz, A scaling algorithm to equilibrate both rows and
//! columns norms in matrices, RAL-TR-2001-034): small entries do not move it. Entries negligible there are left out of the fit.

use crate::error::Error;

/// Most sweeps: neighbouring units are settled long before; what distant parts of a long chain use matters less.
const SWEEPS: usize = 20;

/// A sweep that moves no power by more than this was the last.
const SETTLED: f64 = 0.25;

/// log2 of what is left out of the fit, beside the largest entries of its row and of its column: about 1e-12, where also the choice of pivots
/// sees the round-off of a zero. Entries of one equation are seldom as far apart; if they are, they are no pivots.
const NEGLIGIBLE: f64 = -40.0;

/// Row and column exponents of an equilibration: entry (i, j) is multiplied by 2^(row[i] + column[j]).
#[derive(Debug, Clone)]
pub(crate) struct Scaling {
    row: Vec<i32>,
    column: Vec<i32>,
    /// Exponents that bring the largest entry of every column of the equilibrated matrix to [1, 2) too.
    size: Vec<i32>,
}

/// Powers of two of rows and columns that bring the largest entry of every row and column of `a` near one (Ruiz 2001); those of zero rows and columns
/// are 0. Entries that are not finite are refused by nobody: they have the powers of the largest number.
#[must_use]
pub fn equilibrating_powers(a: &nalgebra::DMatrix<f64>) -> [Vec<i32>; 2] {
    let (rows, columns) = a.shape();
    let entries = logarithms((0..columns).flat_map(|j| (0..rows).map(move |i| (i, j, a[(i, j)]))));
    let mut fit = Fit { row: vec![0.0; rows], column: vec![0.0; columns] };
    fit.level(&entries);
    [fit.row, fit.column].map(|powers| powers.into_iter().map(|power| power.round() as i32).collect())
}

/// (row, column, log2 of the magnitude)
type Logarithm = (u32, u32, i32);

impl Scaling {
    /// Equilibrates the matrix with the given finite entries; zero rows and columns keep the factor one.
    pub(crate) fn new(rows: usize, columns: usize, entries: impl Iterator<Item = (usize, usize, f64)>) -> Self {
        let entries = logarithms(entries);
        let mut fit = Fit { row: vec![0.0; rows], column: vec![0.0; columns] };
        fit.level(&entries);
        fit.centre(&fit.without_negligible(&entries));
        Self::behind(fit.column.iter().map(|power| power.round() as i32).collect(), rows, &entries)
    }

    /// Scales the rows alone, which brings the largest entry of each to [1, 2): for columns in one unit.
    pub(crate) fn of_rows(rows: usize, columns: usize, entries: impl Iterator<Item = (usize, usize, f64)>) -> Self {
        Self::behind(vec![0; columns], rows, &logarithms(entries))
    }

    /// With these powers of the columns, the last pass.
    fn behind(column: Vec<i32>, rows: usize, entries: &[Logarithm]) -> Self {
        let columns = column.len();
        let row = minus_largest(rows, entries.iter().map(|&(i, j, e)| (i, e + column[j as usize])));
        let size = minus_largest(columns, entries.iter().map(|&(i, j, e)| (j, e + row[i as usize])));
        Self { row, column, size }
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

    /// 2^power: natural size of unknown j beside the others, such that no column of the equilibrated matrix is small as a whole.
    pub(crate) fn size_power(&self, j: usize) -> i32 {
        self.size[j]
    }
}

/// Logarithms of all entries but zeros.
fn logarithms(entries: impl Iterator<Item = (usize, usize, f64)>) -> Vec<Logarithm> {
    entries.filter(|e| e.2 != 0.0).map(|(i, j, value)| (i as u32, j as u32, exponent(value))).collect()
}

/// Powers of two of rows and columns that are being fitted.
struct Fit {
    row: Vec<f64>,
    column: Vec<f64>,
}

impl Fit {
    /// log2 of an entry as scaled so far.
    fn log(&self, &(i, j, e): &Logarithm) -> f64 {
        f64::from(e) + self.row[i as usize] + self.column[j as usize]
    }

    /// Logarithms of the largest entries of rows and columns as scaled so far.
    fn largest(&self, entries: &[Logarithm]) -> [Vec<f64>; 2] {
        let mut largest = [vec![f64::NEG_INFINITY; self.row.len()], vec![f64::NEG_INFINITY; self.column.len()]];
        for entry in entries {
            let log = self.log(entry);
            for (largest, line) in largest.iter_mut().zip([entry.0, entry.1]) {
                largest[line as usize] = largest[line as usize].max(log);
            }
        }
        largest
    }

    /// Brings the largest entry of every row and column to about one: each pass halves the logarithms of both.
    fn level(&mut self, entries: &[Logarithm]) {
        for _ in 0..SWEEPS {
            let mut off: f64 = 0.0;
            let largest = self.largest(entries);
            for (powers, largest) in [&mut self.row, &mut self.column].into_iter().zip(largest) {
                for (power, largest) in powers.iter_mut().zip(largest).filter(|line| line.1.is_finite()) {
                    *power -= 0.5 * largest;
                    off = off.max(largest.abs());
                }
            }
            if off < 1.0 {
                break;
            }
        }
    }

    /// The entries that are not small beside others of their row and of their column. The largest of every line remains.
    fn without_negligible(&self, entries: &[Logarithm]) -> Vec<Logarithm> {
        let [row, column] = self.largest(entries);
        let least = |entry: &Logarithm| row[entry.0 as usize].min(column[entry.1 as usize]) + NEGLIGIBLE;
        entries.iter().filter(|entry| self.log(entry) >= least(entry)).copied().collect()
    }

    /// Least squares of the logarithms.
    fn centre(&mut self, entries: &[Logarithm]) {
        let Self { row, column } = self;
        let mut work = vec![(0.0, 0.0); row.len().max(column.len())];
        for _ in 0..SWEEPS {
            centre(row, &mut work, entries.iter().map(|&(i, j, e)| (i, f64::from(e) + column[j as usize])));
            let logs = entries.iter().map(|&(i, j, e)| (j, f64::from(e) + row[i as usize]));
            if centre(column, &mut work, logs) < SETTLED {
                break;
            }
        }
    }
}

/// Sets each line's power to minus the mean of its (line, log2) entries; returns the largest change.
fn centre(power: &mut [f64], work: &mut [(f64, f64)], entries: impl Iterator<Item = (u32, f64)>) -> f64 {
    work.fill((0.0, 0.0));
    for (line, log) in entries {
        let (sum, count) = &mut work[line as usize];
        (*sum, *count) = (*sum + log, *count + 1.0);
    }
    let mut moved: f64 = 0.0;
    for (power, &(sum, count)) in power.iter_mut().zip(&*work).filter(|line| line.1.1 > 0.0) {
        moved = moved.max((*power + sum / count).abs());
        *power = -sum / count;
    }
    moved
}

/// Minus the largest exponent of each line's (line, exponent) entries; zero for a line without any.
fn minus_largest(lines: usize, entries: impl Iterator<Item = (u32, i32)>) -> Vec<i32> {
    let mut largest = vec![i32::MIN; lines];
    for (line, e) in entries {
        let max = &mut largest[line as usize];
        *max = (*max).max(e);
    }
    largest.into_iter().map(|max| if max == i32::MIN { 0 } else { -max }).collect()
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn exponents_of_normal_and_subnormal_numbers() {
        for power in [-1074, -1050, -1022, -3, 0, 1, 1023] {
            assert_eq!(exponent(-(2f64.powi(power / 2) * 2f64.powi(power - power / 2)) * 1.0), power);
        }
        assert_eq!(scale(scale(1.5, -900), 1800), scale(1.5, 900));
        assert_eq!(scale(2f64.powi(-1000), 2000), 2f64.powi(1000));
    }

    /// Entries near one hidden behind units of 2^+-60 come out near one, and every row's largest in [1, 2).
    #[test]
    fn units_are_recovered() {
        let unit = |k: usize| (k as i32 * 37) % 120 - 60;
        let entries: Vec<_> = (0..6)
            .flat_map(|i| (0..6).map(move |j| (i, j)))
            .filter(|(i, j)| (i * 3 + j * 5) % 4 != 0)
            .map(|(i, j)| (i, j, scale(1.0 + (i + j) as f64 / 16.0, unit(i) + unit(j + 3))))
            .collect();
        let scaling = Scaling::new(6, 6, entries.iter().copied());
        for i in 0..6 {
            let row = || entries.iter().filter(|e| e.0 == i).map(|&(i, j, value)| scaling.apply(i, j, value));
            let largest = row().fold(0.0, f64::max);
            assert!((1.0..2.0).contains(&largest), "{largest}");
            assert!(row().all(|value| value > 0.1), "{:?}", row().collect::<Vec<_>>());
        }
    }
}
