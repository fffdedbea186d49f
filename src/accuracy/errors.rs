//! Errors against a reference, for each quantity.
//!
//! The error of a quantity is the largest of |y - r|/s over its columns and all times of the reference. s is the largest magnitude of the
//! column in the reference, or a thousandth of the largest of its unit where that is larger. The digits are those of the IVP test set (scd):
//! -log10 of the largest |y - r|/|r| of positions and states at the last time (Mazzia and Magherini 2008).

use super::references::{Column, Quantity, Reference};
use serde::Serialize;

/// Part of the largest magnitude of a unit that counts for columns which hardly move: the threshold of the IFToMM library.
const THRESHOLD: f64 = 1e-3;
/// Part of the scale of a column below which a value at the end counts as zero: no relative error is taken there.
const ZERO: f64 = 1e-9;

/// Relative errors of a run; none of what the reference does not have or the run does not tell.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize)]
pub struct Errors {
    /// Of states.
    pub state: Option<f64>,
    /// Of positions and angles.
    pub position: Option<f64>,
    /// Of their rates.
    pub velocity: Option<f64>,
    /// Of accelerations.
    pub acceleration: Option<f64>,
    /// Of reactions and multipliers.
    pub multiplier: Option<f64>,
    /// Largest error of the energy balance over the steps, of the largest kinetic energy.
    pub energy: Option<f64>,
    /// Largest violation of the constraints over the steps: lengths \[m\], or what the equations hold.
    pub violation_position: Option<f64>,
    /// Of angles \[rad\].
    pub violation_orientation: Option<f64>,
    /// Of rates of lengths \[m/s\].
    pub violation_velocity: Option<f64>,
    /// Of rates of angles \[rad/s\].
    pub violation_angular_velocity: Option<f64>,
    /// Significant correct digits at the end.
    pub digits: Option<f64>,
}

impl Errors {
    /// Of `values` at the times of the reference.
    pub(super) fn against(reference: &Reference, columns: &[Column], values: &[Vec<f64>]) -> Self {
        let scales = scales(reference, columns);
        let mut errors = Self::default();
        for (y, r) in values.iter().zip(&reference.values) {
            for (k, column) in columns.iter().enumerate() {
                let error = larger(errors.of(column.quantity), (y[k] - r[k]).abs() / scales[k]);
                errors.set(column.quantity, error);
            }
        }
        if let (Some(y), Some(r)) = (values.last(), reference.values.last()) {
            errors.digits = digits(columns, &scales, y, r);
        }
        errors
    }

    /// That of a quantity.
    #[must_use]
    pub fn of(&self, quantity: Quantity) -> Option<f64> {
        match quantity {
            Quantity::State => self.state,
            Quantity::Position => self.position,
            Quantity::Velocity => self.velocity,
            Quantity::Acceleration => self.acceleration,
            Quantity::Multiplier => self.multiplier,
        }
    }

    fn set(&mut self, quantity: Quantity, error: f64) {
        *match quantity {
            Quantity::State => &mut self.state,
            Quantity::Position => &mut self.position,
            Quantity::Velocity => &mut self.velocity,
            Quantity::Acceleration => &mut self.acceleration,
            Quantity::Multiplier => &mut self.multiplier,
        } = Some(error);
    }

    /// The error by which runs are ranked: that of positions, else of states, else of what there is first.
    #[must_use]
    pub fn main(&self) -> Option<f64> {
        let others = Quantity::ALL.iter().find_map(|quantity| self.of(*quantity));
        self.position.or(self.state).or(others)
    }
}

/// The larger one; a value that is no number is the largest.
fn larger(so_far: Option<f64>, value: f64) -> f64 {
    let so_far = so_far.unwrap_or(0.0);
    if so_far.is_nan() || value <= so_far { so_far } else { value }
}

/// What errors of each column are measured against.
fn scales(reference: &Reference, columns: &[Column]) -> Vec<f64> {
    let own: Vec<f64> = (0..columns.len()).map(|k| reference.scale(k)).collect();
    let of_unit = |unit: &str| {
        let same = columns.iter().zip(&own).filter(|(column, _)| column.unit == unit);
        same.map(|(_, scale)| *scale).fold(0.0, f64::max)
    };
    let scale = |(column, own): (&Column, &f64)| {
        // Unknowns of plain equations may differ by many orders of magnitude.
        let floor = if column.quantity == Quantity::State { 0.0 } else { THRESHOLD * of_unit(&column.unit) };
        match own.max(floor) {
            0.0 => 1.0,
            scale => scale,
        }
    };
    columns.iter().zip(&own).map(scale).collect()
}

fn digits(columns: &[Column], scales: &[f64], y: &[f64], r: &[f64]) -> Option<f64> {
    let mut worst = None;
    for (k, column) in columns.iter().enumerate() {
        let counts = matches!(column.quantity, Quantity::State | Quantity::Position);
        if counts && r[k].abs() > ZERO * scales[k] {
            worst = Some(larger(worst, ((y[k] - r[k]) / r[k]).abs()));
        }
    }
    // Equal to the last bit: the digits of a double.
    worst.map(|worst| -worst.max(f64::EPSILON).log10())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn columns() -> Vec<Column> {
        [("x", "m"), ("still", "m"), ("v", "m/s")].map(|(name, unit)| Column::new(name, unit)).to_vec()
    }

    #[test]
    fn errors_are_measured_against_the_largest_magnitude_of_their_column() {
        let text = "time,x,still,v\n0,0,0,4\n1,2,0,1\n";
        let reference = Reference::parse("test", text).unwrap();
        let errors = Errors::against(&reference, &columns(), &[vec![0.02, 0.0, 4.0], vec![2.0, 1e-5, 1.4]]);
        assert_eq!(errors.position, Some(0.02 / 2.0));
        assert!((errors.velocity.unwrap() - 0.1).abs() < 1e-15);
        assert_eq!((errors.acceleration, errors.multiplier, errors.state), (None, None, None));
        // Positions alone, without those that are zero.
        assert_eq!(errors.digits, Some(-f64::EPSILON.log10()));
        // What hardly moves is measured against a thousandth of the largest length.
        let errors = Errors::against(&reference, &columns(), &[vec![0.0, 0.0, 4.0], vec![2.0, 1e-5, 1.0]]);
        assert!((errors.position.unwrap() - 5e-3).abs() < 1e-12);
    }

    #[test]
    fn what_is_no_number_is_no_small_error() {
        let reference = Reference::parse("test", "time,x,still,v\n0,1,0,1\n1,1,0,1\n").unwrap();
        let errors = Errors::against(&reference, &columns(), &[vec![f64::NAN, 0.0, 1.0], vec![1.0, 0.0, 1.0]]);
        assert!(errors.position.unwrap().is_nan());
    }

    proptest::proptest! {
        /// Errors are relative: other units of length change nothing, as long as they are those of all lengths.
        #[test]
        fn units_do_not_matter(
            rows in proptest::collection::vec((-2.0..2.0_f64, -1e-4..1e-4_f64, -3.0..3.0_f64, -1e-3..1e-3_f64), 2..6),
            unit in -6.0..6.0_f64,
        ) {
            let unit = 10.0_f64.powf(unit);
            let errors = |unit: f64| {
                let reference = Reference {
                    source: String::new(),
                    digits: 0,
                    names: columns().into_iter().map(|column| column.name).collect(),
                    times: (0..rows.len()).map(|k| k as f64).collect(),
                    values: rows.iter().map(|(x, still, v, _)| vec![unit * x, unit * still, *v]).collect(),
                };
                let own = |(x, still, v, error): &(f64, f64, f64, f64)| {
                    vec![unit * (x + error), unit * (still - error), v + error]
                };
                let own: Vec<Vec<f64>> = rows.iter().map(own).collect();
                Errors::against(&reference, &columns(), &own)
            };
            let (here, there) = (errors(1.0), errors(unit));
            let near = |a: Option<f64>, b: Option<f64>| (a.unwrap() - b.unwrap()).abs() <= 1e-9 * a.unwrap();
            proptest::prop_assert!(near(here.position, there.position), "{here:?} {there:?}");
            proptest::prop_assert!(near(here.velocity, there.velocity), "{here:?} {there:?}");
        }
    }
}
