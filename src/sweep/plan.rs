//! The plan of a sweep as data: which model, which parameters, how its members are chosen, what is measured of each run.

use crate::run::Overrides;
use serde::{Deserialize, Serialize};
use std::path::PathBuf;

/// A sweep: runs of one model with other values of its parameters.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Plan {
    /// Title.
    #[serde(default)]
    pub name: String,
    /// What the sweep is for.
    #[serde(default)]
    pub description: String,
    /// The model file; its path starts at the folder of the plan.
    pub model: PathBuf,
    /// Settings of all runs, which take precedence over those of the model.
    #[serde(default)]
    pub settings: Overrides,
    /// The parameters that get other values.
    #[serde(default, rename = "parameter")]
    pub parameters: Vec<Parameter>,
    /// How the members are chosen; without `[optimize]` it is needed.
    pub members: Option<Members>,
    /// What is measured of each run.
    #[serde(default, rename = "output")]
    pub outputs: Vec<Output>,
    /// Searches the parameters instead of going through members.
    pub optimize: Option<Optimize>,
}

/// A parameter of the model, as `--set` takes it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Parameter {
    /// Its name; of a coupled model or an included mechanism `part.name`.
    pub name: String,
    /// Least value.
    pub from: Option<f64>,
    /// Largest value.
    pub to: Option<f64>,
    /// Grid: number of values from `from` to `to`, both included.
    pub points: Option<u64>,
    /// Grid and list: the values themselves.
    pub values: Option<Vec<f64>>,
    /// How values lie between `from` and `to`; linear unless it is given.
    pub scale: Option<Scale>,
    /// Optimization: where it begins; half way between `from` and `to` unless it is given.
    pub start: Option<f64>,
}

/// How values lie within a range.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Scale {
    /// Equal differences.
    #[default]
    Linear,
    /// Equal quotients; the range lies above zero.
    Logarithmic,
}

/// How the members are chosen.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Members {
    /// The way.
    pub choose: Choice,
    /// Random and Latin hypercube: number of members.
    pub number: Option<u64>,
    /// Random and Latin hypercube: the seed; equal seeds give equal members, whatever the number of threads. 0 unless it is given.
    pub seed: Option<u64>,
    /// List: a CSV file with a column for each parameter; its path starts at the folder of the plan.
    pub table: Option<PathBuf>,
}

/// Ways to choose members.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Choice {
    /// Every value of each parameter with every value of all others; the last parameter changes fastest.
    Grid,
    /// Independent uniform values.
    Random,
    /// Each parameter has one value in each of `number` equal parts of its range, in an order of chance.
    LatinHypercube,
    /// The values of `[[parameter]]`, or the rows of `table`, one after another.
    List,
}

/// A number measured of each run: a column over time reduced, or a statistic.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Output {
    /// Its name in the table; made of the rest unless it is given.
    #[serde(default)]
    pub name: String,
    /// A measure of the model, as the header of its results names it.
    pub column: Option<String>,
    /// How the column becomes one number; `final` unless it is given.
    pub reduce: Option<Reduction>,
    /// First crossing: the value that is crossed.
    pub level: Option<f64>,
    /// In place of a column: a number of the summary, as `steps` or `violation.position`.
    pub statistic: Option<String>,
    /// Least squares: the value wanted.
    pub target: Option<f64>,
    /// Least squares: factor of the difference to `target`; 1 unless it is given.
    pub weight: Option<f64>,
}

/// How a column over time becomes one number.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Reduction {
    /// The last output.
    Final,
    /// The least.
    Min,
    /// The largest.
    Max,
    /// The mean over time, by the trapezoidal rule.
    Mean,
    /// The root of the mean square over time, by the trapezoidal rule.
    Rms,
    /// The time of the least, the first of equals \[s\].
    TimeOfMin,
    /// The time of the largest, the first of equals \[s\].
    TimeOfMax,
    /// The first time at which the column reaches or crosses `level`, on lines between outputs \[s\]; NaN where it never does.
    FirstCrossing,
}

impl Reduction {
    /// Its word in plans.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Final => "final",
            Self::Min => "min",
            Self::Max => "max",
            Self::Mean => "mean",
            Self::Rms => "rms",
            Self::TimeOfMin => "time_of_min",
            Self::TimeOfMax => "time_of_max",
            Self::FirstCrossing => "first_crossing",
        }
    }

    /// Whether it is a time.
    #[must_use]
    pub fn is_time(self) -> bool {
        matches!(self, Self::TimeOfMin | Self::TimeOfMax | Self::FirstCrossing)
    }
}

impl Output {
    /// Its name in the table.
    #[must_use]
    pub fn title(&self) -> String {
        match (&self.column, &self.statistic) {
            _ if !self.name.is_empty() => self.name.clone(),
            (Some(column), _) => format!("{column}.{}", self.reduction().name()),
            (None, statistic) => statistic.clone().unwrap_or_default(),
        }
    }

    /// How the column becomes one number.
    #[must_use]
    pub fn reduction(&self) -> Reduction {
        self.reduce.unwrap_or(Reduction::Final)
    }
}

/// A search for the best parameters within their ranges.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Optimize {
    /// The method.
    pub method: SearchMethod,
    /// Nelder-Mead: the output that is to be small.
    pub minimize: Option<String>,
    /// Relative tolerance at which it ends; 1e-6 unless it is given.
    pub tolerance: Option<f64>,
    /// Most runs; 500 unless it is given.
    pub max_runs: Option<u64>,
}

/// Methods of optimization.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum SearchMethod {
    /// The simplex of Nelder and Mead, without derivatives: for one output of any kind.
    NelderMead,
    /// Levenberg-Marquardt on the differences of outputs to their targets.
    LeastSquares,
}
