//! How a model is run, settled: numbers only.

use crate::Error;
use fourbar_multibody::integrator::{Gstiff, StepLimits};
use fourbar_multibody::model::{Model, Settings};
use fourbar_multibody::{DynamicsOptions, Simulation};

/// Outputs of a run without an output step.
const OUTPUTS: f64 = 1000.0;
/// More outputs than this are taken for a slip of the pen.
const MOST_OUTPUTS: f64 = 1e9;
/// Part of an output step below which two output times are one.
const SAME: f64 = 1e-9;

/// How a model is run.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Plan {
    /// End time \[s\].
    pub end: f64,
    /// Time between outputs \[s\].
    pub output_step: f64,
    /// Integrator by name.
    pub integrator: &'static str,
    /// Formulation, method, end and stop times.
    pub dynamics: DynamicsOptions,
}

impl Plan {
    /// The settings of `model`, or those of `overrides` where given, with defaults for the rest.
    ///
    /// # Errors
    /// [`Error::Multibody`] for a setting out of range, [`Error::NoEnd`], [`Error::TooManyOutputs`].
    pub fn new(model: &Model, overrides: &Settings) -> Result<Self, Error> {
        let Simulation { end, output_step, integrator, dynamics } = Simulation::new(model, overrides)?;
        let end = end.ok_or(Error::NoEnd)?;
        let output_step = output_step.unwrap_or(end / OUTPUTS);
        if end / output_step > MOST_OUTPUTS {
            return Err(Error::TooManyOutputs { end, output_step, limit: MOST_OUTPUTS });
        }
        Ok(Self { end, output_step, integrator, dynamics })
    }

    /// Time of output `index` from 0 on \[s\]: the multiples of the output step, then the end; none after the end.
    #[must_use]
    pub fn output_time(&self, index: u64) -> Option<f64> {
        let whole = (self.end / self.output_step + SAME).floor();
        let left = self.end - whole * self.output_step;
        let last = if left > SAME * self.output_step { whole + 1.0 } else { whole };
        let index = index as f64;
        if index < last { Some(index * self.output_step) } else { (index == last).then_some(self.end) }
    }

    /// The plan as pairs of name and value, for a report.
    #[must_use]
    pub fn describe(&self) -> Vec<(String, String)> {
        let Gstiff { order_max, tolerance, step: StepLimits { first, smallest, largest, limit }, .. } =
            &self.dynamics.method;
        let seconds = |value: &f64, otherwise: &str| match *value {
            value if value > 0.0 && value.is_finite() => format!("{value} s"),
            _ => otherwise.to_owned(),
        };
        let limit = if *limit == u64::MAX { "none".to_owned() } else { limit.to_string() };
        [
            ("end time", format!("{} s", self.end)),
            ("output step", format!("{} s", self.output_step)),
            ("integrator", self.integrator.to_owned()),
            ("formulation", self.dynamics.formulation.name().to_owned()),
            ("relative tolerance", format!("{:e}", tolerance.relative)),
            ("largest order", order_max.to_string()),
            ("first step", seconds(first, "automatic")),
            ("smallest step", seconds(smallest, "round-off")),
            ("largest step", seconds(largest, "none")),
            ("most steps", limit),
        ]
        .map(|(name, value)| (name.to_owned(), value))
        .to_vec()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use fourbar_multibody::expression::Expression;

    fn plan(end: f64, output_step: Option<f64>) -> Result<Plan, Error> {
        let settings = Settings {
            end: Some(Expression::constant(end)),
            output_step: output_step.map(Expression::constant),
            ..Settings::default()
        };
        Plan::new(&Model::default(), &settings)
    }

    fn times(plan: &Plan) -> Vec<f64> {
        (0..).map_while(|index| plan.output_time(index)).collect()
    }

    #[test]
    fn outputs_are_multiples_of_the_step_and_the_end() {
        assert_eq!(times(&plan(0.3, Some(0.1)).unwrap()), [0.0, 0.1, 0.2, 0.3]);
        assert_eq!(times(&plan(0.25, Some(0.1)).unwrap()), [0.0, 0.1, 0.2, 0.25]);
        assert_eq!(times(&plan(0.05, Some(0.1)).unwrap()), [0.0, 0.05]);
        assert_eq!(times(&plan(7.0, None).unwrap()).len(), 1001);
    }

    #[test]
    fn a_run_needs_an_end_and_a_sensible_number_of_outputs() {
        assert!(matches!(Plan::new(&Model::default(), &Settings::default()), Err(Error::NoEnd)));
        assert!(matches!(plan(1.0, Some(1e-12)), Err(Error::TooManyOutputs { .. })));
    }
}
