//! What the command line accepts. Values outside their range are usage errors that name flag, value and range.

use clap::builder::PossibleValuesParser;
use clap::{Args, Parser, Subcommand};
use fourbar::coupled::AlgorithmName;
use fourbar::linalg::text::printable;
use fourbar::linear::MethodName;
use fourbar::mechanism::ContactMethod;
use fourbar::multibody::INTEGRATORS;
use fourbar::multibody::formulation::Formulation;
use fourbar::run::Overrides;
use std::path::PathBuf;

pub(crate) use crate::linear::LinearArguments;

const EXIT_CODES: &str = "Exit codes:
  0    done
  2    usage: an unknown option, a value outside its range, an option of another kind of model
  3    the model is not valid, or does not assemble
  4    the run did not converge; results up to there are written
  5    a file cannot be read or written
  6    with --strict: done, with warnings
  70   internal error
  130  stopped by Ctrl-C, SIGTERM or SIGHUP; results up to there are written";

/// Simulates machines described in model files.
#[derive(Debug, Parser)]
#[command(name = "fourbar", version, after_help = EXIT_CODES)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    pub(crate) verb: Verb,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Verb {
    /// Simulate a model over time
    Run(Box<RunArguments>),
    /// Steer and watch a coupled model on a local page
    #[cfg(feature = "serve")]
    Serve(ServeArguments),
    /// Say what a model contains and whether it assembles
    Check(CheckArguments),
    /// Poles, responses and sampled matrices of a linear system, as comma-separated values on standard output
    Linear(LinearArguments),
    /// Host a shared library for the run that starts this
    #[command(hide = true)]
    HostPartner,
}

/// Settings given here take precedence over those of the model file.
#[derive(Debug, Args)]
pub(crate) struct RunArguments {
    /// Model file
    pub(crate) model: PathBuf,

    /// Integrator of a mechanism; another one than the file's comes without the file's formulation and largest order
    #[arg(long, value_name = "NAME", value_parser = PossibleValuesParser::new(INTEGRATORS), ignore_case = true)]
    integrator: Option<String>,

    /// Formulation of the equations of motion of a mechanism
    #[arg(long, value_name = "NAME", value_parser = formulations(), ignore_case = true)]
    formulation: Option<String>,

    /// Relative tolerance of the local error of a mechanism (event-driven, with contacts) or circuit, of a step of a sparse linear system, or of the
    /// iteration of coupled simulators, 1e-14 to 0.1
    #[arg(long, value_name = "NUMBER", value_parser = tolerance, allow_hyphen_values = true)]
    tolerance: Option<f64>,

    /// End time [s]
    #[arg(long, value_name = "SECONDS", value_parser = positive, allow_hyphen_values = true)]
    end: Option<f64>,

    /// Time between outputs [s]
    #[arg(long, value_name = "SECONDS", value_parser = positive, allow_hyphen_values = true)]
    output_step: Option<f64>,

    /// Largest step of a mechanism or circuit [s]
    #[arg(long, value_name = "SECONDS", value_parser = positive, allow_hyphen_values = true)]
    max_step: Option<f64>,

    /// Largest order of the integrator of a mechanism or circuit, 1 to 6
    #[arg(long, value_name = "NUMBER", value_parser = clap::value_parser!(u8).range(1..=6), allow_hyphen_values = true)]
    max_order: Option<u8>,

    /// Most steps the run of a mechanism or circuit may take
    #[arg(long, value_name = "NUMBER", value_parser = clap::value_parser!(u64).range(1..), allow_hyphen_values = true)]
    max_steps: Option<u64>,

    /// How contacts of a mechanism are followed
    #[arg(long, value_name = "NAME", value_parser = contacts(), ignore_case = true)]
    contacts: Option<String>,

    /// Step of a linear system, or of contacts with fixed steps; communication step of coupled simulators [s]
    #[arg(long, value_name = "SECONDS", value_parser = positive, allow_hyphen_values = true)]
    step: Option<f64>,

    /// Method of a linear system
    #[arg(long, value_name = "NAME", value_parser = methods(), ignore_case = true)]
    method: Option<String>,

    /// Order of the method of a linear system, 0 to 20; degree of the inputs of coupled simulators, 0 to 2
    #[arg(long, value_name = "NUMBER", value_parser = clap::value_parser!(u8).range(0..=20), allow_hyphen_values = true)]
    order: Option<u8>,

    /// Algorithm of coupled simulators
    #[arg(long, value_name = "NAME", value_parser = algorithms(), ignore_case = true)]
    algorithm: Option<String>,

    /// Write the measures over time to this file, as comma-separated values; as Apache Parquet if its name ends in .parquet and the program
    /// was built with it
    #[arg(long, value_name = "FILE.csv")]
    pub(crate) out: Option<PathBuf>,

    /// Write a report to this file, a page with plots that opens offline
    #[arg(long, value_name = "FILE.html")]
    pub(crate) report: Option<PathBuf>,

    /// Write the summary to this file, as one JSON object with the settings of the run and the version
    #[arg(long, value_name = "FILE.json")]
    pub(crate) summary: Option<PathBuf>,

    /// Print one JSON object on standard output, everything else on standard error
    #[arg(long)]
    pub(crate) json: bool,

    /// Print no progress and no summary; warnings are still printed, on standard error
    #[arg(long, short)]
    pub(crate) quiet: bool,

    /// End with exit code 6 if there are warnings
    #[arg(long)]
    pub(crate) strict: bool,
}

/// The page is on this machine alone; its address carries a token.
#[cfg(feature = "serve")]
#[derive(Debug, Args)]
pub(crate) struct ServeArguments {
    /// Model file of the kind "coupled"
    pub(crate) model: PathBuf,

    /// Port to listen on; a free one if it is 0
    #[arg(long, value_name = "NUMBER", default_value_t = 0)]
    pub(crate) port: u16,

    /// Do not open the page in a browser
    #[arg(long)]
    pub(crate) no_open: bool,

    /// Write every run to disk while it goes on: a CSV file (or .parquet), and a JSON file of the same stem; later runs get a number
    #[arg(long, value_name = "FILE.csv")]
    pub(crate) out: Option<PathBuf>,

    /// With --out: write every n-th communication point
    #[arg(long, value_name = "NUMBER", default_value_t = 1, value_parser = clap::value_parser!(u64).range(1..))]
    pub(crate) out_every: u64,
}

#[derive(Debug, Args)]
pub(crate) struct CheckArguments {
    /// Model file
    pub(crate) model: PathBuf,

    /// Print one JSON object on standard output
    #[arg(long)]
    pub(crate) json: bool,
}

impl Arguments {
    /// Those of this process; otherwise says what is wrong with them, or helps, and ends it.
    pub(crate) fn of_process() -> Self {
        Self::try_parse().unwrap_or_else(|error| {
            // The message quotes the arguments: once more, with what would act on the terminal escaped.
            let shown = std::env::args_os().map(|word| printable(&word.to_string_lossy()).into_owned());
            match error.use_stderr() {
                true => Self::try_parse_from(shown).err().unwrap_or(error).exit(),
                false => error.exit(),
            }
        })
    }
}

impl RunArguments {
    /// The settings given on the command line.
    pub(crate) fn overrides(&self) -> Overrides {
        Overrides {
            end: self.end,
            output_step: self.output_step,
            tolerance: self.tolerance,
            integrator: self.integrator.clone(),
            formulation: self.formulation.clone(),
            max_step: self.max_step,
            max_order: self.max_order,
            max_steps: self.max_steps,
            contacts: self.contacts.as_deref().and_then(ContactMethod::from_name),
            step: self.step,
            method: self.method.as_deref().and_then(MethodName::from_name),
            order: self.order,
            algorithm: self.algorithm.as_deref().and_then(AlgorithmName::from_name),
        }
    }

    /// Whether the command line gives this setting of the simulation, by its name in files.
    pub(crate) fn gives(&self, setting: &str) -> bool {
        match setting {
            "end" => self.end.is_some(),
            "output_step" => self.output_step.is_some(),
            "tolerance" => self.tolerance.is_some(),
            "integrator" => self.integrator.is_some(),
            "formulation" => self.formulation.is_some(),
            "max_step" => self.max_step.is_some(),
            "max_order" => self.max_order.is_some(),
            "max_steps" => self.max_steps.is_some(),
            "step" => self.step.is_some(),
            "method" => self.method.is_some(),
            "order" => self.order.is_some(),
            "algorithm" => self.algorithm.is_some(),
            _ => false,
        }
    }

    /// Whether the times of steps and outputs are those of the command line rather than the model's.
    pub(crate) fn sets_times(&self) -> bool {
        self.output_step.is_some() || self.end.is_some() || self.step.is_some()
    }
}

fn methods() -> PossibleValuesParser {
    PossibleValuesParser::new(MethodName::NAMES.map(|(name, _)| name))
}

fn algorithms() -> PossibleValuesParser {
    PossibleValuesParser::new(AlgorithmName::NAMES.map(|(name, _)| name))
}

fn contacts() -> PossibleValuesParser {
    PossibleValuesParser::new(ContactMethod::NAMES.map(|(name, _)| name))
}

fn formulations() -> PossibleValuesParser {
    PossibleValuesParser::new(Formulation::NAMES.map(|(name, _)| name))
}

fn number(text: &str) -> Result<f64, String> {
    text.parse().map_err(|_| "write a number, as in 0.5 or 1e-3".to_owned())
}

pub(crate) fn positive(text: &str) -> Result<f64, String> {
    number(text).and_then(|value| {
        if value > 0.0 && value.is_finite() { Ok(value) } else { Err("write a finite number above 0".to_owned()) }
    })
}

fn tolerance(text: &str) -> Result<f64, String> {
    number(text).and_then(|value| {
        if (1e-14..=0.1).contains(&value) { Ok(value) } else { Err("write a number from 1e-14 to 0.1".to_owned()) }
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    #[test]
    fn the_definition_is_consistent() {
        Arguments::command().debug_assert();
    }
}
