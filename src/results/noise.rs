//! Round-off in curves: what stays below what the numbers behind it leave, is zero.

use super::{Cell, Column, DetailTable};
use fourbar_linalg::unit::{Dimension, Unit};
use std::collections::BTreeMap;

/// A curve that never exceeds this part of the size of what it comes from is round-off: sums and differences of numbers of that size leave as much
/// after some thousand operations. No unit is in it: it is a multiple of the spacing of doubles.
const ROUND_OFF: f64 = 4096.0 * f64::EPSILON;

/// The place of time among dimensions, and dimensions of a length, its rate and an angle.
const TIME: usize = 2;
const LENGTH: Dimension = [0, 1, 0, 0, 0, 0, 0, 0];
const SPEED: Dimension = [0, 1, -1, 0, 0, 0, 0, 0];
const ANGLE: Dimension = [0, 0, 0, 0, 0, 0, 0, 1];

/// The sizes of quantities in a table, in SI units.
pub(super) struct Noise {
    sizes: BTreeMap<Dimension, f64>,
    /// Time between outputs \[s\]; none where the variable is none.
    step: Option<f64>,
    /// Size of the model \[m\], where it is known.
    length: Option<f64>,
}

impl Noise {
    /// Of curves with these largest sizes, over time with `step` between outputs or over another variable, of a model of the size `length`.
    pub(super) fn of(columns: &[Column], magnitudes: &[f64], step: Option<f64>, length: Option<f64>) -> Self {
        // An angle has a natural size: it comes from sines and cosines, which are of the size of one.
        let mut sizes = BTreeMap::from([(ANGLE, 1.0)]);
        for (column, magnitude) in columns.iter().zip(magnitudes) {
            let Ok(unit) = Unit::parse(&column.unit) else { continue };
            let size: &mut f64 = sizes.entry(unit.dimension).or_default();
            *size = size.max(unit.factor * magnitude);
        }
        let known = |value: &f64| *value > 0.0 && value.is_finite();
        Self { sizes, step: step.filter(known), length: length.filter(known) }
    }

    /// What lengths, and their rates between outputs, come from where no curve is as large as the model: gaps and violations alone are all round-off.
    ///
    /// Accelerations are not measured by it: with outputs close to each other they would be much larger than what a solver leaves of them.
    fn of_model(&self, dimension: &Dimension) -> f64 {
        let size = match *dimension {
            LENGTH => self.length,
            SPEED => self.length.zip(self.step).map(|(length, step)| length / step),
            _ => None,
        };
        size.unwrap_or_default()
    }

    /// What round-off amounts to of curves in this unit, which have `own` as their largest value.
    ///
    /// They come from quantities of their dimension, from those whose rates or rates of rates between outputs they are, and from products of two: a torque from
    /// forces and lengths.
    pub(super) fn in_unit(&self, unit: &str, own: f64) -> f64 {
        let Ok(unit) = Unit::parse(unit) else { return ROUND_OFF * own };
        let known = |dimension: &Dimension| self.sizes.get(dimension).copied().unwrap_or_default();
        let rates = (0..=2_i32).map(|n| {
            let mut dimension = unit.dimension;
            dimension[TIME] += n;
            let slower = if n == 0 { Some(1.0) } else { self.step.map(|step| step.powi(-n)) };
            slower.map_or(0.0, |factor| known(&dimension) * factor)
        });
        let products = self.sizes.iter().map(|(dimension, size)| {
            let other: Dimension = std::array::from_fn(|k| unit.dimension[k] - dimension[k]);
            let is_plain = [*dimension, other].iter().any(|one| one.iter().all(|power| *power == 0) || *one == ANGLE);
            if is_plain { 0.0 } else { size * known(&other) }
        });
        ROUND_OFF * rates.chain(products).fold(self.of_model(&unit.dimension), f64::max) / unit.factor
    }

    /// What round-off amounts to of single values of curves in this unit that are more than it, and have `own` as their largest value.
    ///
    /// Here the largest of their dimension counts alone: rates between outputs come from a solver, which knows them better than differences do.
    pub(super) fn of_values(&self, unit: &str, own: f64) -> f64 {
        let Ok(unit) = Unit::parse(unit) else { return ROUND_OFF * own };
        let known = self.sizes.get(&unit.dimension).copied().unwrap_or_default();
        let of_model = if unit.dimension == LENGTH { self.of_model(&LENGTH) } else { 0.0 };
        ROUND_OFF * (known.max(of_model) / unit.factor).max(own)
    }
}

/// The largest finite size.
pub(super) fn magnitude(values: impl Iterator<Item = f64>) -> f64 {
    values.filter(|value| value.is_finite()).fold(0.0, |most: f64, value| most.max(value.abs()))
}

/// The mean time between outputs, of more than one.
pub(super) fn step_of(times: &[f64]) -> Option<f64> {
    times.last().zip(times.first()).map(|(last, first)| (last - first) / (times.len() - 1) as f64)
}

/// A table for a page, where energies are sums and differences of each other: what is round-off beside the largest of them is zero.
pub(super) fn without_round_off(mut table: DetailTable) -> DetailTable {
    let size = |cell: &Cell| if let Cell::Number(value, "J") = cell { Some(*value) } else { None };
    let largest = magnitude(table.rows.iter().filter_map(|(_, cell)| size(cell)));
    for (_, cell) in &mut table.rows {
        if let Cell::Number(value, "J") = cell
            && value.abs() <= ROUND_OFF * largest
        {
            *value = 0.0;
        }
    }
    table
}

#[cfg(test)]
mod tests {
    use super::*;

    fn noise(columns: &[(&str, f64)], step: f64) -> Noise {
        let named = |(unit, _): &(&str, f64)| Column { name: (*unit).into(), unit: (*unit).into() };
        let magnitudes: Vec<f64> = columns.iter().map(|(_, size)| *size).collect();
        Noise::of(&columns.iter().map(named).collect::<Vec<_>>(), &magnitudes, Some(step), None)
    }

    #[test]
    fn lengths_that_are_all_round_off_are_measured_by_the_model() {
        for length in [1e-9, 1e-3, 1.0, 1e9] {
            let column = Column { name: "gap".into(), unit: "mm".into() };
            let found = Noise::of(&[column], &[1e-13 * length], Some(0.1), Some(length));
            for (unit, exact) in
                [("m", length), ("mm", 1e3 * length), ("m/s", 10.0 * length), ("m/s^2", 1e-14 * length)]
            {
                let found = found.in_unit(unit, 0.0) / ROUND_OFF;
                assert!((found / exact - 1.0).abs() < 1e-12, "{unit} of {length} m: {found}");
            }
            assert!((found.of_values("mm", 0.0) / ROUND_OFF / length - 1e3).abs() < 1e-9);
            assert_eq!(found.of_values("m/s", 3.0), 3.0 * ROUND_OFF);
        }
        // A model of no size, or of none that is known, tells nothing.
        for length in [None, Some(0.0), Some(f64::NAN), Some(f64::INFINITY)] {
            assert_eq!(Noise::of(&[], &[], Some(0.1), length).in_unit("m", 1.0), 0.0);
        }
    }

    #[test]
    fn round_off_goes_with_the_units_of_length_time_and_mass() {
        for length in [1e-9, 1e-3, 1.0, 1e9] {
            for step in [1e-6, 1e-2, 1e3] {
                let found = noise(&[("mm", 1e3 * length), ("N", 50.0)], step);
                let near = |unit: &str, exact: f64| {
                    let found = found.in_unit(unit, 0.0) / ROUND_OFF;
                    assert!((found / exact - 1.0).abs() < 1e-12, "{unit} of {length} m in {step} s: {found}");
                };
                near("m", length);
                near("km", 1e-3 * length);
                near("m/s", length / step);
                near("m/s^2", length / step / step);
                near("N mm", 50e3 * length);
                near("deg", 180.0 / std::f64::consts::PI);
                near("rad/s", 1.0 / step);
            }
        }
    }

    #[test]
    fn what_nothing_in_the_table_tells_the_size_of_is_never_noise() {
        let found = noise(&[("m", 1.0), ("", 3.0)], 0.1);
        assert_eq!(["bar", "A", "kg"].map(|unit| found.in_unit(unit, 1e-17)), [0.0; 3]);
        // In units of its own it is measured by the largest of them.
        assert_eq!(found.in_unit("apples", 2.0), 2.0 * ROUND_OFF);
    }

    #[test]
    fn energies_lose_their_round_off_alone() {
        let rows = |values: [f64; 4]| {
            let [kinetic, potential, error, step] = values;
            let joules = |value| Cell::Number(value, "J");
            let cells = [joules(kinetic), joules(potential), joules(error), Cell::Number(step, "s")];
            DetailTable { title: "energy", rows: cells.into_iter().map(|cell| ("of", cell)).collect() }
        };
        for size in [1e-12, 1.0, 1e12] {
            let found = without_round_off(rows([1e-193 * size, -size, 1e-9 * size, 1e-30]));
            assert_eq!(found, rows([0.0, -size, 1e-9 * size, 1e-30]), "{size}");
        }
    }
}
