//! The plan of a sweep as data: which model, which parameters, how its members are chosen, what is measured of each run.

use crate::coupled::AlgorithmName;
use crate::linear::MethodName;
use crate::mechanism::ContactMethod;
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
    pub settings: PlanSettings,
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
    /// How values lie between `from` and `to`.
    #[serde(default)]
    pub scale: Scale,
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

/// Settings of all runs of a sweep, as the section `[simulation]` of models has them.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields, default)]
pub struct PlanSettings {
    /// End time \[s\].
    pub end: Option<f64>,
    /// Time between outputs \[s\].
    pub output_step: Option<f64>,
    /// Relative tolerance.
    pub tolerance: Option<f64>,
    /// Integrator of a mechanism.
    pub integrator: Option<String>,
    /// Formulation of a mechanism.
    pub formulation: Option<String>,
    /// Largest step \[s\].
    pub max_step: Option<f64>,
    /// Largest order.
    pub max_order: Option<u8>,
    /// Numerical damping of `hht`.
    pub alpha: Option<f64>,
    /// Numerical damping of `hht` as the spectral radius at infinity.
    pub rho_infinity: Option<f64>,
    /// Most steps of a run.
    pub max_steps: Option<u64>,
    /// How contacts of a mechanism are followed.
    pub contacts: Option<String>,
    /// Step of linear systems, contacts with fixed steps and coupled simulators \[s\].
    pub step: Option<f64>,
    /// Method of a linear system.
    pub method: Option<String>,
    /// Order of the method of a linear system; degree of the inputs of coupled simulators.
    pub order: Option<u8>,
    /// Algorithm of coupled simulators.
    pub algorithm: Option<String>,
}

impl PlanSettings {
    /// As the settings of a run; words have been checked.
    #[must_use]
    pub fn overrides(&self) -> Overrides {
        Overrides {
            end: self.end,
            output_step: self.output_step,
            tolerance: self.tolerance,
            integrator: self.integrator.clone(),
            formulation: self.formulation.clone(),
            max_step: self.max_step,
            max_order: self.max_order,
            alpha: self.alpha,
            rho_infinity: self.rho_infinity,
            max_steps: self.max_steps,
            contacts: self.contacts.as_deref().and_then(ContactMethod::from_name),
            step: self.step,
            method: self.method.as_deref().and_then(MethodName::from_name),
            order: self.order,
            algorithm: self.algorithm.as_deref().and_then(AlgorithmName::from_name),
        }
    }

    /// The number given for a setting.
    pub(super) fn number(&self, setting: &str) -> Option<f64> {
        match setting {
            "end" => self.end,
            "output_step" => self.output_step,
            "tolerance" => self.tolerance,
            "max_step" => self.max_step,
            "max_order" => self.max_order.map(f64::from),
            "alpha" => self.alpha,
            "rho_infinity" => self.rho_infinity,
            "max_steps" => self.max_steps.map(|steps| steps as f64),
            "step" => self.step,
            "order" => self.order.map(f64::from),
            _ => None,
        }
    }

    /// The word given for a setting.
    pub(super) fn word(&self, setting: &str) -> Option<&str> {
        match setting {
            "integrator" => self.integrator.as_deref(),
            "formulation" => self.formulation.as_deref(),
            "contacts" => self.contacts.as_deref(),
            "method" => self.method.as_deref(),
            "algorithm" => self.algorithm.as_deref(),
            _ => None,
        }
    }
}
