//! Which curves share a plot: those of one unit, and of like magnitude.

use super::noise::Noise;
use super::{Column, VIOLATIONS};
use serde::Serialize;

/// Curves of one unit share a plot while their magnitudes differ by no more than this factor.
const SPREAD: f64 = 8.0;

/// Curves that share a plot.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[non_exhaustive]
pub struct CurveGroup {
    /// Their columns, ascending.
    pub columns: Vec<usize>,
    /// Of each of them, what its values amount to that are round-off, to be shown as zero: all of them if the column is nothing else.
    pub noise: Vec<f64>,
    /// Whether they tell how good the numbers are, and nothing of the machine.
    pub is_diagnostic: bool,
}

/// Groups columns into plots: by unit in order of first appearance, the components of one vector together, and within a unit by
/// magnitude, so that small curves are not flattened by large ones. What is zero, but for round-off, stands with the largest of its unit.
/// Violations of constraints stand apart from what they are of, and last.
///
/// `magnitudes` are the largest sizes of the columns; `step` is the time between outputs \[s\], none where they are not over time; `length` stands for the
/// size of the model \[m\], where it is known.
#[must_use]
pub fn curve_groups(columns: &[Column], magnitudes: &[f64], step: Option<f64>, length: Option<f64>) -> Vec<CurveGroup> {
    let mut found = Vec::new();
    let mut left = quantities(columns, magnitudes);
    let noise = Noise::of(columns, magnitudes, step, length);
    while let Some(first) = left.first() {
        let (unit, is_diagnostic) = (first.unit, first.is_diagnostic);
        let is_like = |one: &Quantity<'_>| one.unit == unit && one.is_diagnostic == is_diagnostic;
        let largest = left.iter().filter(|one| is_like(one)).map(|one| one.magnitude).fold(0.0, f64::max);
        let (silence, of_values) = (noise.in_unit(unit, largest), noise.of_values(unit, largest));
        let (chosen, rest): (Vec<_>, Vec<_>) = left
            .into_iter()
            .partition(|one| is_like(one) && (one.magnitude * SPREAD >= largest || one.magnitude <= silence));
        let mut columns: Vec<usize> = chosen.into_iter().flat_map(|one| one.columns).collect();
        columns.sort_unstable();
        let size = |&column: &usize| magnitudes.get(column).copied().unwrap_or_default();
        // Not the size so far: a run that goes on may make more of the same.
        let noise = |size: f64| if size <= silence { silence } else { of_values };
        let noise = columns.iter().map(size).map(noise).collect();
        found.push(CurveGroup { columns, noise, is_diagnostic });
        left = rest;
    }
    found.sort_by_key(|group| group.is_diagnostic);
    found
}

/// Whether a column is a violation of constraints; of a part of a coupled model it has the name of the part before it.
fn is_violation(name: &str) -> bool {
    let own = name.rsplit_once('.').map_or(name, |(_, own)| own);
    VIOLATIONS.contains(&own)
}

/// A scalar measure, or the components of a vector.
struct Quantity<'a> {
    unit: &'a str,
    columns: Vec<usize>,
    magnitude: f64,
    is_diagnostic: bool,
}

fn quantities<'a>(columns: &'a [Column], magnitudes: &[f64]) -> Vec<Quantity<'a>> {
    let stem = |column: &'a Column| match column.name.rsplit_once('.') {
        Some((stem, "x" | "y" | "z")) => stem,
        _ => &column.name,
    };
    let mut found: Vec<Quantity<'_>> = Vec::new();
    let mut last_stem = None;
    for (index, column) in columns.iter().enumerate() {
        let magnitude = magnitudes.get(index).copied().unwrap_or_default();
        let this = Some(stem(column));
        match found.last_mut() {
            Some(one) if this == last_stem && one.unit == column.unit => {
                one.columns.push(index);
                one.magnitude = one.magnitude.max(magnitude);
            }
            _ => found.push(Quantity {
                unit: &column.unit,
                columns: vec![index],
                magnitude,
                is_diagnostic: is_violation(&column.name),
            }),
        }
        last_stem = this;
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    fn groups(columns: &[(&str, &str, f64)]) -> Vec<CurveGroup> {
        let magnitudes: Vec<f64> = columns.iter().map(|(_, _, magnitude)| *magnitude).collect();
        let named = |(name, unit, _): &(&str, &str, f64)| Column { name: (*name).into(), unit: (*unit).into() };
        curve_groups(&columns.iter().map(named).collect::<Vec<_>>(), &magnitudes, Some(0.01), None)
    }

    fn places(columns: &[(&str, &str, f64)]) -> Vec<Vec<usize>> {
        groups(columns).into_iter().map(|group| group.columns).collect()
    }

    #[test]
    fn curves_share_a_plot_by_unit_and_magnitude_and_vectors_stay_together() {
        let columns = [
            ("a", "rad", 16.0),
            ("p.x", "m", 1.0),
            ("p.y", "m", 0.01),
            ("p.z", "m", 0.0),
            ("b", "rad", 0.5),
            ("c", "rad", 9.0),
        ];
        assert_eq!(places(&columns), [vec![0, 5], vec![1, 2, 3], vec![4]]);
    }

    #[test]
    fn curves_that_are_zero_throughout_are_drawn_too() {
        assert_eq!(places(&[("zero", "", 0.0), ("one", "", 1.0)]), [[0, 1]]);
        assert_eq!(places(&[("zero", "", 0.0)]), [[0]]);
        assert!(places(&[]).is_empty());
    }

    #[test]
    fn small_curves_stand_apart_and_round_off_goes_with_its_size() {
        for size in [1e-9, 1.0, 1e9] {
            let found = groups(&[("x", "m", size), ("gap", "m", 1e-9 * size), ("w", "m", 1e-193 * size)]);
            let columns: Vec<_> = found.iter().map(|group| group.columns.clone()).collect();
            assert_eq!(columns, [vec![0, 2], vec![1]], "{size}");
            // Of single values what is small beside the largest, whatever the step; of round-off all, and what more of it may come.
            let [x, w, gap] = [found[0].noise[0], found[0].noise[1], found[1].noise[0]].map(|noise| noise / size);
            assert!(x > 1e-14 && x < 1e-11 && x == gap, "{size}: {x} {gap}");
            assert!(w >= x && w < 1e-11, "{size}: {w}");
        }
    }

    #[test]
    fn violations_stand_apart_from_positions_however_large() {
        let columns = [
            ("arm.violation", "m", 1.0),
            ("x", "m", 1.0),
            ("violation_rate", "m/s", 0.0),
            ("violation", "m", 0.5),
            ("v", "m/s", 1.0),
        ];
        let found = groups(&columns);
        let found: Vec<_> = found.iter().map(|group| (group.columns.as_slice(), group.is_diagnostic)).collect();
        assert_eq!(found, [(&[1][..], false), (&[4], false), (&[0, 3], true), (&[2], true)]);
    }
}
