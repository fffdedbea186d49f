//! What is measured of a run: columns over time reduced to one number each, and statistics of its summary.

use super::plan::{Output, Reduction};
use crate::observer::{Column, Observer};
use crate::results::Summary;
use std::io;

/// The columns of a run reduced as it goes: nothing of it is kept.
#[derive(Debug, Default)]
pub(super) struct Measured {
    /// The column of each output and its reduction; none for statistics.
    reduced: Vec<Option<(usize, Reduced)>>,
    times: usize,
    last_time: f64,
    start: f64,
}

/// A column on the way to one number.
#[derive(Debug, Clone, Copy)]
struct Reduced {
    reduction: Reduction,
    level: f64,
    /// The value at the output before.
    before: f64,
    /// The number so far; of means the integral.
    number: f64,
    /// The time of the least or the largest.
    time: f64,
}

impl Measured {
    /// For outputs whose columns stand at `places`.
    pub(super) fn new(outputs: &[Output], places: &[Option<usize>]) -> Self {
        let reduced = |(output, place): (&Output, &Option<usize>)| {
            let own = Reduced {
                reduction: output.reduction(),
                level: output.level.unwrap_or(0.0),
                before: f64::NAN,
                number: f64::NAN,
                time: f64::NAN,
            };
            place.map(|place| (place, own))
        };
        Self { reduced: outputs.iter().zip(places).map(reduced).collect(), ..Self::default() }
    }

    /// The numbers of all outputs at the end of a run; an error names a statistic that the run does not have.
    pub(super) fn numbers(&self, outputs: &[Output], summary: &Summary) -> Result<Vec<f64>, UnknownStatistic> {
        let length = self.last_time - self.start;
        let needs_summary = outputs.iter().any(|output| output.statistic.is_some());
        let object =
            if needs_summary { serde_json::to_value(summary).unwrap_or_default() } else { serde_json::Value::Null };
        let number = |(output, reduced): (&Output, &Option<(usize, Reduced)>)| match (reduced, &output.statistic) {
            (Some((_, reduced)), _) => Ok(reduced.end(length)),
            (None, Some(name)) => statistic(&object, name),
            (None, None) => Ok(f64::NAN),
        };
        outputs.iter().zip(&self.reduced).map(number).collect()
    }
}

impl Observer for Measured {
    fn begin(&mut self, _: &[Column]) -> io::Result<()> {
        Ok(())
    }

    fn output(&mut self, time: f64, values: &[f64]) -> io::Result<()> {
        if self.times == 0 {
            self.start = time;
        }
        for (place, reduced) in self.reduced.iter_mut().flatten() {
            reduced.take(self.times, self.last_time, time, values.get(*place).copied().unwrap_or(f64::NAN));
        }
        self.last_time = time;
        self.times += 1;
        Ok(())
    }
}

impl Reduced {
    fn take(&mut self, count: usize, time_before: f64, time: f64, value: f64) {
        let first = count == 0;
        match self.reduction {
            Reduction::Final => self.number = value,
            Reduction::Min | Reduction::TimeOfMin => self.extreme(first, time, value, |value, least| value < least),
            Reduction::Max | Reduction::TimeOfMax => self.extreme(first, time, value, |value, largest| value > largest),
            Reduction::Mean | Reduction::Rms => {
                let of = |value: f64| if self.reduction == Reduction::Rms { value * value } else { value };
                let piece = (time - time_before) * (of(self.before) + of(value)) / 2.0;
                self.number = if first { 0.0 } else { self.number + piece };
            }
            Reduction::FirstCrossing => {
                let (a, b) = (self.before - self.level, value - self.level);
                let is_open = self.number.is_nan();
                if is_open && b == 0.0 {
                    self.number = time;
                } else if is_open && !first && a * b < 0.0 {
                    self.number = time_before + (time - time_before) * (a / (a - b));
                }
            }
        }
        self.before = value;
    }

    /// A value that is no number makes the whole no number: whether it was the largest is not known.
    fn extreme(&mut self, first: bool, time: f64, value: f64, is_beyond: fn(f64, f64) -> bool) {
        if first || value.is_nan() || is_beyond(value, self.number) {
            (self.number, self.time) = if value.is_nan() { (value, value) } else { (value, time) };
        }
    }

    /// The number over a run of this length \[s\].
    fn end(&self, length: f64) -> f64 {
        // At a single output a mean is its value.
        let single = !(length > 0.0);
        match self.reduction {
            Reduction::Mean if single => self.before,
            Reduction::Mean => self.number / length,
            Reduction::Rms if single => self.before.abs(),
            Reduction::Rms => (self.number / length).sqrt(),
            Reduction::TimeOfMin | Reduction::TimeOfMax => self.time,
            _ => self.number,
        }
    }
}

/// A statistic that a run does not have.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct UnknownStatistic {
    pub(super) name: String,
    /// Those that it has.
    pub(super) known: Vec<String>,
}

/// The statistic of an output, if a run with this summary does not have it.
pub(super) fn unknown_statistic(output: &Output, summary: &Summary) -> Option<UnknownStatistic> {
    let object = serde_json::to_value(summary).unwrap_or_default();
    statistic(&object, output.statistic.as_deref()?).err()
}

/// The number called `name` in a summary: of its statistics, or of its other parts by their path.
fn statistic(summary: &serde_json::Value, name: &str) -> Result<f64, UnknownStatistic> {
    let of = |root: &serde_json::Value| name.split('.').try_fold(root.clone(), |at, key| at.get(key).cloned());
    let statistics = summary.get("statistics").cloned().unwrap_or_default();
    // How long a run took differs from run to run: a table of it would not come out twice.
    let found = (!is_clock(name)).then(|| of(&statistics).or_else(|| of(summary))).flatten();
    found.as_ref().and_then(serde_json::Value::as_f64).ok_or_else(|| {
        let mut known = Vec::new();
        numbers_in(&statistics, "", &mut known);
        if let Some(violation) = summary.get("violation") {
            numbers_in(violation, "violation.", &mut known);
        }
        UnknownStatistic { name: name.to_owned(), known }
    })
}

fn is_clock(name: &str) -> bool {
    name == "wall_seconds" || name.starts_with("real_time")
}

fn numbers_in(value: &serde_json::Value, path: &str, found: &mut Vec<String>) {
    for (key, value) in value.as_object().into_iter().flatten() {
        if value.is_number() && !is_clock(key) {
            found.push(format!("{path}{key}"));
        } else if !is_clock(key) {
            numbers_in(value, &format!("{path}{key}."), found);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn reduced(reduction: Reduction, level: f64, rows: &[(f64, f64)]) -> f64 {
        let output = Output {
            name: String::new(),
            column: Some("a".into()),
            reduce: Some(reduction),
            level: Some(level),
            statistic: None,
            target: None,
            weight: None,
        };
        let mut measured = Measured::new(&[output], &[Some(0)]);
        for (time, value) in rows {
            measured.output(*time, &[*value]).unwrap();
        }
        let (_, own) = measured.reduced[0].unwrap();
        own.end(measured.last_time - measured.start)
    }

    #[test]
    fn a_column_becomes_the_number_that_is_asked_for() {
        // Unequal steps: means are those over time, not over rows.
        let rows = [(0.0, 1.0), (1.0, 3.0), (3.0, -1.0), (4.0, 3.0)];
        let cases = [
            (Reduction::Final, 3.0),
            (Reduction::Min, -1.0),
            (Reduction::Max, 3.0),
            (Reduction::TimeOfMin, 3.0),
            (Reduction::TimeOfMax, 1.0),
            (Reduction::Mean, (2.0 + 2.0 + 1.0) / 4.0),
            (Reduction::Rms, ((5.0 + 10.0 + 5.0) / 4.0f64).sqrt()),
        ];
        for (reduction, expected) in cases {
            assert!((reduced(reduction, 0.0, &rows) - expected).abs() < 1e-15, "{reduction:?}");
        }
        assert_eq!(reduced(Reduction::FirstCrossing, 2.0, &rows), 0.5);
        assert_eq!(reduced(Reduction::FirstCrossing, 1.0, &rows), 0.0);
        assert_eq!(reduced(Reduction::FirstCrossing, 0.0, &rows), 2.5);
        assert!(reduced(Reduction::FirstCrossing, 4.0, &rows).is_nan());
    }

    #[test]
    fn a_single_output_is_its_own_mean() {
        assert_eq!(reduced(Reduction::Mean, 0.0, &[(0.0, -2.0)]), -2.0);
        assert_eq!(reduced(Reduction::Rms, 0.0, &[(0.0, -2.0)]), 2.0);
    }

    #[test]
    fn what_is_no_number_is_not_passed_over() {
        let rows = [(0.0, 1.0), (1.0, f64::NAN), (2.0, 2.0)];
        for reduction in [Reduction::Min, Reduction::Max, Reduction::TimeOfMax, Reduction::Mean, Reduction::Rms] {
            assert!(reduced(reduction, 0.0, &rows).is_nan(), "{reduction:?}");
        }
        assert_eq!(reduced(Reduction::Final, 0.0, &rows), 2.0);
    }

    #[test]
    fn statistics_are_found_by_their_path_and_times_of_the_clock_are_not() {
        let summary = serde_json::json!({
            "statistics": { "steps": 12, "factorizations": { "first": 1 } },
            "violation": { "position": 1e-9 },
            "wall_seconds": 0.1,
        });
        assert_eq!(statistic(&summary, "steps"), Ok(12.0));
        assert_eq!(statistic(&summary, "factorizations.first"), Ok(1.0));
        assert_eq!(statistic(&summary, "violation.position"), Ok(1e-9));
        let unknown = statistic(&summary, "wall_seconds").unwrap_err();
        assert_eq!(unknown.known, ["factorizations.first", "steps", "violation.position"]);
    }
}
