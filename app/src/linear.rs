//! `fourbar linear`: what a linear system of a model file is and answers, as tables on standard output.

use crate::args::positive;
use crate::exit::{Exit, Failure};
use crate::signals;
use clap::{Args, Subcommand, ValueEnum};
use fourbar::Error;
use fourbar::file::ModelFile;
use fourbar::linalg::text::Brief;
use fourbar::linear::{LinearAnalysis, NamedDelays, Table};
use fourbar::lti::{Delays, Hold, SampledSystem};
use nalgebra::DMatrix;
use serde_json::{Value, json};
use std::f64::consts::TAU;
use std::fmt::Write as _;
use std::io::{self, Write as _};
use std::path::PathBuf;

#[derive(Debug, Args)]
pub(crate) struct LinearArguments {
    /// Model file of the kind "linear"
    model: PathBuf,

    #[command(subcommand)]
    what: Analysis,

    /// Print one JSON object instead of comma-separated values
    #[arg(long, global = true)]
    json: bool,
}

#[derive(Debug, Subcommand)]
enum Analysis {
    /// Poles with natural frequency and damping ratio
    Poles,
    /// Outputs after a step of each input from 0 to 1
    Step(Times),
    /// Outputs after an impulse of each input
    Impulse(Times),
    /// Outputs that the start state leaves without input
    Initial(Times),
    /// Gain and phase over frequency
    Frequency(Frequencies),
    /// Matrices A_d, B_d, C_d, D_d of x(k+1) = A_d x(k) + B_d u(k), y(k) = C_d x(k) + D_d u(k)
    Sampled(Sampling),
}

#[derive(Debug, Args)]
struct Times {
    /// Time between samples [s]; the output step of the model if absent
    #[arg(long, value_name = "SECONDS", value_parser = positive, allow_hyphen_values = true)]
    step: Option<f64>,

    /// Last time [s]; that of the model if absent
    #[arg(long, value_name = "SECONDS", value_parser = positive, allow_hyphen_values = true)]
    end: Option<f64>,
}

#[derive(Debug, Args)]
struct Frequencies {
    /// Smallest frequency [Hz]
    #[arg(long, value_name = "HERTZ", value_parser = positive, allow_hyphen_values = true)]
    from: f64,

    /// Largest frequency [Hz]
    #[arg(long, value_name = "HERTZ", value_parser = positive, allow_hyphen_values = true)]
    to: f64,

    /// Number of frequencies, their logarithms equally spaced
    #[arg(long, value_name = "NUMBER", default_value_t = 200, value_parser = clap::value_parser!(u32).range(2..=1_000_000))]
    points: u32,
}

#[derive(Debug, Args)]
struct Sampling {
    /// Step T [s]
    #[arg(long, value_name = "SECONDS", value_parser = positive, allow_hyphen_values = true)]
    step: f64,

    /// What the input does between samples
    #[arg(long, value_enum, default_value_t = HoldName::Zoh)]
    hold: HoldName,

    /// With tustin: the frequency that stays as it is [Hz], below 1/(2 T)
    #[arg(long, value_name = "HERTZ", value_parser = positive, allow_hyphen_values = true)]
    prewarp: Option<f64>,

    /// Delay of an input [s]; may be given for several
    #[arg(long, value_name = "NAME=SECONDS", value_parser = delay)]
    input_delay: Vec<(String, f64)>,

    /// Delay of an output [s]; may be given for several
    #[arg(long, value_name = "NAME=SECONDS", value_parser = delay)]
    output_delay: Vec<(String, f64)>,
}

#[derive(Debug, Clone, Copy, PartialEq, ValueEnum)]
enum HoldName {
    /// Zero-order hold
    Zoh,
    /// First-order hold (triangle)
    Foh,
    /// Impulse invariant
    Impulse,
    /// Bilinear
    Tustin,
}

fn delay(text: &str) -> Result<(String, f64), String> {
    let (name, seconds) = text.split_once('=').ok_or("write it as NAME=SECONDS")?;
    let value: f64 = seconds.trim().parse().map_err(|_| format!("{seconds:?} is no number of seconds"))?;
    if value >= 0.0 && value.is_finite() {
        Ok((name.trim().to_owned(), value))
    } else {
        Err(format!("a delay of {value} s is none; give 0 s or more"))
    }
}

pub(crate) fn linear(arguments: &LinearArguments) -> Result<Exit, Failure> {
    signals::end_at_once();
    let file = ModelFile::load(&arguments.model).map_err(Failure::Model)?;
    let Some(model) = file.document().linear() else {
        let kind = file.document().kind();
        let text = format!(
            "{} is a model of the kind \"{kind}\"; `fourbar linear` takes one of the kind \"linear\"",
            file.name()
        );
        return Err(Failure::Usage(text));
    };
    let refused = |error: Error| Failure::Model(file.explain_start(error));
    let analysis = LinearAnalysis::new(model).map_err(refused)?;
    let name = file.document().name();
    let text = match &arguments.what {
        Analysis::Sampled(sampling) => {
            let sampled = sampling.of(&analysis)?.map_err(refused)?;
            if arguments.json { matrices_json(name, &analysis, &sampled) } else { matrices_csv(&sampled) }
        }
        what => {
            let table = what.table(&analysis)?.map_err(refused)?;
            if arguments.json { table_json(name, &table) } else { table_csv(&table) }
        }
    };
    io::stdout().write_all(text.as_bytes()).map_err(Failure::Output)?;
    Ok(Exit::Done)
}

impl Analysis {
    fn table(&self, analysis: &LinearAnalysis) -> Result<Result<Table, Error>, Failure> {
        Ok(match self {
            Self::Poles | Self::Sampled(_) => analysis.poles(),
            Self::Step(times) => times.of(analysis).map(|[step, end]| analysis.step_response(step, end))?,
            Self::Impulse(times) => times.of(analysis).map(|[step, end]| analysis.impulse_response(step, end))?,
            Self::Initial(times) => times.of(analysis).map(|[step, end]| analysis.initial_response(step, end))?,
            Self::Frequency(grid) => {
                let Frequencies { from, to, points } = *grid;
                if from >= to {
                    let text = format!("--from {from} --to {to}: write the smaller frequency first");
                    return Err(Failure::Usage(text));
                }
                analysis.frequency_response(from, to, points as usize)
            }
        })
    }
}

impl Times {
    /// Step and end: of the command line, else of the model.
    fn of(&self, analysis: &LinearAnalysis) -> Result<[f64; 2], Failure> {
        let [step, end] = analysis.times();
        let given = |own: Option<f64>, model: Option<f64>, option: &str| {
            let text = || Failure::Usage(format!("the model gives no time for it; give {option}"));
            own.or(model).ok_or_else(text)
        };
        let end = given(self.end, end, "--end")?;
        let step = given(self.step, step, "--step")?;
        let most = LinearAnalysis::MOST_SAMPLES;
        if (self.step.is_some() || self.end.is_some()) && !(end / step <= most) {
            let text = format!(
                "--end {end} in steps of --step {step} are {:.1e} samples, at most {most:e} are given; end earlier, or take a longer step",
                end / step,
                end = Brief(end),
                step = Brief(step)
            );
            return Err(Failure::Usage(text));
        }
        Ok([step, end])
    }
}

impl Sampling {
    fn of(&self, analysis: &LinearAnalysis) -> Result<Result<SampledSystem, Error>, Failure> {
        if self.prewarp.is_some() && self.hold != HoldName::Tustin {
            return Err(Failure::Usage("--prewarp goes with --hold tustin; leave one of them out".to_owned()));
        }
        let below = 0.5 / self.step;
        if let Some(frequency) = self.prewarp.filter(|frequency| !(*frequency < below)) {
            let text = format!(
                "--prewarp {frequency}: with --step {} it lies below {below} Hz, half the sampling rate; choose a lower frequency or a shorter step",
                self.step
            );
            return Err(Failure::Usage(text));
        }
        self.check_delays("input", &self.input_delay, analysis.inputs())?;
        self.check_delays("output", &self.output_delay, analysis.outputs())?;
        let hold = match self.hold {
            HoldName::Zoh => Hold::ZeroOrder,
            HoldName::Foh => Hold::FirstOrder,
            HoldName::Impulse => Hold::Impulse,
            HoldName::Tustin => Hold::Tustin { prewarped_at: self.prewarp.map(|frequency| TAU * frequency) },
        };
        let inputs: Vec<(&str, f64)> = self.input_delay.iter().map(|(name, delay)| (name.as_str(), *delay)).collect();
        let outputs: Vec<(&str, f64)> = self.output_delay.iter().map(|(name, delay)| (name.as_str(), *delay)).collect();
        Ok(analysis.sampled(self.step, hold, &NamedDelays { inputs: &inputs, outputs: &outputs }))
    }
}

impl Sampling {
    /// Refuses delays of what is not there, and those that the sampled system cannot have.
    fn check_delays(&self, what: &str, delays: &[(String, f64)], known: &[String]) -> Result<(), Failure> {
        let whole = matches!(self.hold, HoldName::Impulse | HoldName::Tustin);
        for (name, delay) in delays {
            let refused = |problem: String| Err(Failure::Usage(format!("--{what}-delay {name}={delay}: {problem}")));
            let (steps, step) = (delay / self.step, self.step);
            if !known.contains(name) {
                return refused(format!("there is no {what} \"{name}\"; there are: {}", known.join(", ")));
            }
            if !(steps <= Delays::MOST_STEPS as f64) {
                let longest = Delays::MOST_STEPS as f64 * step;
                return refused(format!(
                    "with --step {step} a delay lies from 0 s to {longest} s, {} steps; take a longer step",
                    Delays::MOST_STEPS
                ));
            }
            // Round-off of a quotient makes no part of a step.
            if whole && (steps - steps.round()).abs() > 4.0 * f64::EPSILON * steps.max(1.0) {
                return refused(format!(
                    "with --hold impulse and --hold tustin a delay is a whole number of steps of {step} s; take --hold zoh or foh, or another \
                     --step"
                ));
            }
        }
        Ok(())
    }
}

/// A field of comma-separated values, quoted where it must be.
fn field(text: &str) -> String {
    if text.contains(['"', ',', '\n', '\r']) { format!("\"{}\"", text.replace('"', "\"\"")) } else { text.to_owned() }
}

fn table_csv(table: &Table) -> String {
    let mut text = table.columns.iter().map(|name| field(name)).collect::<Vec<_>>().join(",") + "\n";
    for row in &table.rows {
        text += &(row.iter().map(|value| format!("{value:?}")).collect::<Vec<_>>().join(",") + "\n");
    }
    text
}

fn table_json(model: &str, table: &Table) -> String {
    format!("{}\n", json!({ "model": model, "columns": table.columns, "rows": table.rows }))
}

/// The matrices with their names.
fn named(sampled: &SampledSystem) -> [(&'static str, &DMatrix<f64>); 5] {
    [("A_d", sampled.a()), ("B_d", sampled.b()), ("C_d", sampled.c()), ("D_d", sampled.d()), ("shift", sampled.shift())]
}

/// An entry a line, rows and columns counted from 1.
fn matrices_csv(sampled: &SampledSystem) -> String {
    let mut text = "matrix,row,column,value\n".to_owned();
    for (name, matrix) in named(sampled) {
        for i in 0..matrix.nrows() {
            for j in 0..matrix.ncols() {
                // Writing to a String cannot fail.
                let _ = writeln!(text, "{name},{},{},{:?}", i + 1, j + 1, matrix[(i, j)]);
            }
        }
    }
    text
}

fn matrices_json(model: &str, analysis: &LinearAnalysis, sampled: &SampledSystem) -> String {
    let rows = |matrix: &DMatrix<f64>| {
        (0..matrix.nrows()).map(|i| matrix.row(i).iter().copied().collect::<Vec<f64>>()).collect::<Vec<_>>()
    };
    let mut object = json!({
        "model": model,
        "hold": sampled.hold().name(),
        "step": sampled.step(),
        "inputs": analysis.inputs(),
        "outputs": analysis.outputs(),
    });
    if let Hold::Tustin { prewarped_at: Some(w) } = sampled.hold() {
        object["prewarp"] = json!(w / TAU);
    }
    for (name, matrix) in named(sampled) {
        object[name] = Value::from(rows(matrix));
    }
    format!("{object}\n")
}
