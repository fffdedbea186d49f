//! What the command line accepts. Values outside their range are usage errors that name flag, value and range.

use clap::builder::PossibleValuesParser;
use clap::{Args, Parser, Subcommand};
use fourbar::coupled::AlgorithmName;
use fourbar::linalg::text::printable;
use fourbar::linear::MethodName;
use fourbar::mechanism::ContactMethod;
use fourbar::run::{Allowed, Overrides, RunSetting};
use std::path::PathBuf;

pub(crate) use crate::accuracy::AccuracyArguments;
pub(crate) use crate::draw::DrawArguments;
pub(crate) use crate::export_fmu::ExportFmuArguments;
pub(crate) use crate::export_ssp::ExportSspArguments;
pub(crate) use crate::federate::FederateArguments;
pub(crate) use crate::info::InfoArguments;
pub(crate) use crate::kinematics::KinematicsArguments;
pub(crate) use crate::linear::LinearArguments;
pub(crate) use crate::new::NewArguments;
use crate::numbers::{positive, whole, within};
pub(crate) use crate::statics::StaticsArguments;
pub(crate) use crate::sweep::SweepArguments;
use crate::variant::Variant;
pub(crate) use crate::view::ViewArguments;

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
    /// Steer and watch a model on a local page
    #[cfg(feature = "serve")]
    Serve(ServeArguments),
    /// Write a first model of a kind, with comments, to begin from
    New(NewArguments),
    /// Show the results of an earlier run as a page
    View(ViewArguments),
    /// Say what a model contains and whether it assembles
    Check(CheckArguments),
    /// Draw a picture of a mechanism
    Draw(DrawArguments),
    /// Positions, velocities, accelerations and motor efforts of a mechanism whose motions leave it no freedom
    Kinematics(KinematicsArguments),
    /// Where a mechanism stays at rest, and what its joints carry there
    Statics(StaticsArguments),
    /// Poles, modes, responses, sampled matrices and firmware of a linear system or a linearized mechanism
    Linear(LinearArguments),
    /// Run a model many times with other parameters, on all cores or as shards of a job array; optimize parameters
    Sweep(SweepArguments),
    /// Compare integrators, formulations and tolerances on problems with known solutions: errors and work
    Accuracy(Box<AccuracyArguments>),
    /// Run a model as a federate of HELICS, beside simulators of others
    Federate(Box<FederateArguments>),
    /// Serve the simulators of a coupled model to runs on other computers
    Host(HostArguments),
    /// Write a model as a functional mock-up unit (FMI), for tools that import such
    ExportFmu(ExportFmuArguments),
    /// Write a coupled model as a system structure (SSP), for tools that import such
    ExportSsp(ExportSspArguments),
    /// Say what a functional mock-up unit (FMU) is: its interfaces, variables and units; or a system structure (SSP): its components and connections
    Info(InfoArguments),
    /// Host a shared library for the run that starts this
    #[command(hide = true)]
    HostPartner,
}

/// Settings given here take precedence over those of the model file.
#[derive(Debug, Args)]
pub(crate) struct RunArguments {
    /// Model file
    pub(crate) model: PathBuf,

    #[command(flatten)]
    pub(crate) variant: Variant,

    #[arg(long, help = help("end"), value_name = "SECONDS", value_parser = positive, allow_hyphen_values = true)]
    end: Option<f64>,

    #[arg(long, help = help("output_step"), value_name = "SECONDS", value_parser = positive, allow_hyphen_values = true)]
    output_step: Option<f64>,

    #[arg(long, help = help("tolerance"), value_name = "NUMBER", value_parser = within("tolerance"), allow_hyphen_values = true)]
    tolerance: Option<f64>,

    #[arg(long, help = help("integrator"), value_name = "NAME", value_parser = words("integrator"), ignore_case = true)]
    integrator: Option<String>,

    #[arg(long, help = help("formulation"), value_name = "NAME", value_parser = words("formulation"), ignore_case = true)]
    formulation: Option<String>,

    #[arg(long, help = help("max_step"), value_name = "SECONDS", value_parser = positive, allow_hyphen_values = true)]
    max_step: Option<f64>,

    #[arg(long, help = help("max_order"), value_name = "NUMBER", value_parser = whole::<u8>("max_order"), allow_hyphen_values = true)]
    max_order: Option<u8>,

    #[arg(long, help = help("alpha"), value_name = "NUMBER", value_parser = within("alpha"), allow_hyphen_values = true)]
    alpha: Option<f64>,

    #[arg(long, help = help("rho_infinity"), value_name = "NUMBER", value_parser = within("rho_infinity"), allow_hyphen_values = true)]
    rho_infinity: Option<f64>,

    #[arg(long, help = help("max_steps"), value_name = "NUMBER", value_parser = whole::<u64>("max_steps"), allow_hyphen_values = true)]
    max_steps: Option<u64>,

    #[arg(long, help = help("contacts"), value_name = "NAME", value_parser = words("contacts"), ignore_case = true)]
    contacts: Option<String>,

    #[arg(long, help = help("step"), value_name = "SECONDS", value_parser = positive, allow_hyphen_values = true)]
    step: Option<f64>,

    #[arg(long, help = help("method"), value_name = "NAME", value_parser = words("method"), ignore_case = true)]
    method: Option<String>,

    #[arg(long, help = help("order"), value_name = "NUMBER", value_parser = whole::<u8>("order"), allow_hyphen_values = true)]
    order: Option<u8>,

    #[arg(long, help = help("algorithm"), value_name = "NAME", value_parser = words("algorithm"), ignore_case = true)]
    algorithm: Option<String>,

    /// Write the measures over time to this file, as comma-separated values; as Apache Parquet if its name ends in .parquet and the program
    /// was built with it
    #[arg(long, short, alias = "output", value_name = "FILE.csv")]
    pub(crate) out: Option<PathBuf>,

    /// Write a report to this file, a page with plots that opens offline
    #[arg(long, value_name = "FILE.html")]
    pub(crate) report: Option<PathBuf>,

    /// With --out: write the poses of the bodies too, from which `fourbar view` shows them again
    #[arg(long, requires = "out")]
    pub(crate) poses: bool,

    /// Leave the bodies in motion out of the report
    #[arg(long, requires = "report")]
    pub(crate) no_3d: bool,

    /// Write the bodies in motion to this file, as glTF: any viewer of 3-D scenes plays it
    #[arg(long, value_name = "FILE.glb")]
    pub(crate) gltf: Option<PathBuf>,

    /// Write the summary to this file, as one JSON object with the settings of the run and the version
    #[arg(long, value_name = "FILE.json")]
    pub(crate) summary: Option<PathBuf>,

    /// Print one JSON object on standard output, everything else on standard error
    #[arg(long)]
    pub(crate) json: bool,

    /// Print no progress and no summary; warnings are still printed, on standard error
    #[arg(long, short)]
    pub(crate) quiet: bool,

    /// Run again whenever the model file, or a file that it names, changes; a page written by --report follows. Ctrl-C ends it
    #[arg(long)]
    pub(crate) watch: bool,

    /// End with exit code 6 if there are warnings
    #[arg(long)]
    pub(crate) strict: bool,
}

/// The page is on this machine alone; its address carries a token.
#[cfg(feature = "serve")]
#[derive(Debug, Args)]
pub(crate) struct ServeArguments {
    /// Model file
    pub(crate) model: PathBuf,

    #[command(flatten)]
    pub(crate) variant: Variant,

    /// Port to listen on; a free one if it is 0
    #[arg(long, value_name = "NUMBER", default_value_t = 0)]
    pub(crate) port: u16,

    /// Do not open the page in a browser
    #[arg(long)]
    pub(crate) no_open: bool,

    /// Leave the bodies in motion out of the page
    #[arg(long)]
    pub(crate) no_3d: bool,

    /// Write every run to disk while it goes on: a CSV file (or .parquet), and a JSON file of the same stem; later runs get a number
    #[arg(long, short, alias = "output", value_name = "FILE.csv")]
    pub(crate) out: Option<PathBuf>,

    /// With --out: write every n-th communication point
    #[arg(long, value_name = "NUMBER", default_value_t = 1, value_parser = clap::value_parser!(u64).range(1..))]
    pub(crate) out_every: u64,
}

#[derive(Debug, Args)]
pub(crate) struct CheckArguments {
    /// Model file
    pub(crate) model: PathBuf,

    #[command(flatten)]
    pub(crate) variant: Variant,

    /// Print one JSON object on standard output
    #[arg(long)]
    pub(crate) json: bool,
}

/// A run names the simulator with `--host SIMULATOR=HOST:PORT`, or with `host` in the model file.
#[derive(Debug, Args)]
#[command(after_help = HOSTING)]
pub(crate) struct HostArguments {
    /// Model file, of a coupled model
    pub(crate) model: PathBuf,

    /// Where to listen; 0.0.0.0:PORT for every network of this computer, port 0 for any that is free
    #[arg(long, value_name = "ADDRESS:PORT", default_value = "127.0.0.1:7411")]
    pub(crate) listen: String,
}

const HOSTING: &str = "The environment variable FOURBAR_TOKEN holds a word that hosts and runs know and nobody else. Without it a host listens to
this computer alone. Nothing is encrypted: across a network of others use a tunnel, SSH for example.";

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

    /// Whether the times of steps and outputs are those of the command line rather than the model's.
    pub(crate) fn sets_times(&self) -> bool {
        self.output_step.is_some() || self.end.is_some() || self.step.is_some()
    }
}

/// What a setting of runs means.
fn help(name: &str) -> String {
    RunSetting::find(name).map(RunSetting::description).unwrap_or_default()
}

/// The words that a setting takes.
fn words(name: &str) -> PossibleValuesParser {
    match RunSetting::find(name).map(RunSetting::allowed) {
        Some(Allowed::Word(words)) => PossibleValuesParser::new(words),
        _ => PossibleValuesParser::new([""; 0]),
    }
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
