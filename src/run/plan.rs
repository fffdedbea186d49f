//! When a run ends and when it gives outputs.

use crate::Error;
use fourbar_linalg::text::Brief;

/// Outputs of a run without an output step.
pub(super) const OUTPUTS: f64 = 1000.0;
/// More outputs than this are refused: no run of them would end within days.
const MOST_OUTPUTS: f64 = 1e9;
/// More equal steps than this are refused, likewise.
pub(super) const MOST_STEPS: f64 = 1e10;
/// Part of a step below which two times are one: what sums of a million steps are off by, a thousand times over.
pub(crate) const SAME: f64 = 1e-9;

/// When a run ends and when it gives outputs.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub struct Plan {
    /// Time at which it begins \[s\].
    pub start: f64,
    /// End time \[s\].
    pub end: f64,
    /// Time between outputs \[s\].
    pub output_step: f64,
}

impl Plan {
    /// A plan that ends at `end` \[s\]; without `output_step` \[s\] with 1000 outputs.
    ///
    /// # Errors
    /// [`Error::NoEnd`], [`Error::TooManyOutputs`].
    pub fn new(end: Option<f64>, output_step: Option<f64>) -> Result<Self, Error> {
        Self::between(0.0, end, output_step)
    }

    /// As [`Plan::new`] of a run that begins at `start` \[s\].
    pub(super) fn between(start: f64, end: Option<f64>, output_step: Option<f64>) -> Result<Self, Error> {
        let end = end.ok_or(Error::NoEnd)?;
        let length = end - start;
        let output_step = Self::output_step(Some(length), output_step).unwrap_or(length);
        if !(length / output_step <= MOST_OUTPUTS) {
            return Err(Error::TooManyOutputs { end: length, output_step, limit: MOST_OUTPUTS });
        }
        Ok(Self { start, end, output_step })
    }

    /// Time between outputs \[s\] where that is known: `output_step`, or a thousandth of the way to the end.
    pub(crate) fn output_step(end: Option<f64>, output_step: Option<f64>) -> Option<f64> {
        output_step.or(end.map(|end| end / OUTPUTS))
    }

    /// Time of output `index` from 0 on \[s\]: multiples of the output step after the start, then the end; none after the end.
    #[must_use]
    pub fn output_time(&self, index: u64) -> Option<f64> {
        let length = self.end - self.start;
        let whole = (length / self.output_step + SAME).floor();
        let left = length - whole * self.output_step;
        let last = if left > SAME * self.output_step { whole + 1.0 } else { whole };
        let index = index as f64;
        if index < last { Some(self.start + index * self.output_step) } else { (index == last).then_some(self.end) }
    }

    /// The plan as pairs of name and value, for a report.
    pub(super) fn describe(&self) -> [(String, String); 2] {
        [
            ("end time".to_owned(), format!("{} s", Brief(self.end))),
            ("output step".to_owned(), format!("{} s", Brief(self.output_step))),
        ]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn times(plan: &Plan) -> Vec<f64> {
        (0..).map_while(|index| plan.output_time(index)).collect()
    }

    #[test]
    fn outputs_are_multiples_of_the_step_and_the_end() {
        let plan = |end, output_step| Plan::new(Some(end), output_step).unwrap();
        assert_eq!(times(&plan(0.3, Some(0.1))), [0.0, 0.1, 0.2, 0.3]);
        assert_eq!(times(&plan(0.25, Some(0.1))), [0.0, 0.1, 0.2, 0.25]);
        assert_eq!(times(&plan(0.05, Some(0.1))), [0.0, 0.05]);
        assert_eq!(times(&plan(7.0, None)).len(), 1001);
        let between = |start, end| times(&Plan::between(start, Some(end), Some(0.5)).unwrap());
        assert_eq!(between(-1.0, 0.25), [-1.0, -0.5, 0.0, 0.25]);
        assert_eq!(between(5.0, 6.0), [5.0, 5.5, 6.0]);
    }

    #[test]
    fn times_are_described_without_round_off() {
        let plan = Plan::new(Some(1e300), Some(7.0 * 1e-4)).unwrap_err();
        assert!(plan.to_string().contains("1e300 s"), "{plan}");
        let plan = Plan::new(Some(3.0), Some(7.0 * 1e-4)).unwrap();
        assert_eq!(plan.describe().map(|(_, text)| text), ["3 s", "0.0007 s"]);
    }

    #[test]
    fn a_run_needs_an_end_and_a_sensible_number_of_outputs() {
        assert!(matches!(Plan::new(None, Some(0.1)), Err(Error::NoEnd)));
        for step in [1e-12, 1e-300] {
            assert!(matches!(Plan::new(Some(1.0), Some(step)), Err(Error::TooManyOutputs { .. })));
        }
    }
}
