//! `fourbar accuracy`: work and precision of integrators on problems with known solutions.

use crate::exit::{Exit, Failure};
use crate::files;
use crate::numbers::{positive, within};
use crate::signals::{self, Asked};
use crate::sinks::whole;
use clap::Args;
use fourbar::accuracy::{
    AccuracyError, Machine, Partner, Problem, Record, Results, Selection, Study, names, write_csv, write_html,
    write_json, write_text,
};
use fourbar::coupling::application::{OutputFile, same};
use fourbar::linalg::Interrupt;
use fourbar::linalg::text::printable;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// Runs that fail have their errors in the table.
#[derive(Debug, Args)]
pub(crate) struct AccuracyArguments {
    /// Problems by name; --list names them
    problems: Vec<String>,

    /// Take all problems that come with the program
    #[arg(long, conflicts_with = "problems")]
    all: bool,

    /// Name the problems and end
    #[arg(long)]
    list: bool,

    /// Integrators, methods of linear systems and schemes of contacts, separated by commas; all of them if it is left out
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    integrator: Vec<String>,

    /// Formulations, separated by commas; all of them if it is left out
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    formulation: Vec<String>,

    /// Relative tolerances, separated by commas
    #[arg(long, value_name = "NUMBERS", value_delimiter = ',', value_parser = within("tolerance"),
          default_value = TOLERANCES)]
    tolerance: Vec<f64>,

    /// Lengths of steps [s], separated by commas, of methods without a tolerance: of linear systems, and of contacts
    #[arg(long, value_name = "SECONDS", value_delimiter = ',', value_parser = positive,
          default_value = STEPS)]
    step: Vec<f64>,

    /// Runs of which the median time is told
    #[arg(long, value_name = "NUMBER", default_value_t = Study::default().repeats as u64, value_parser = clap::value_parser!(u64).range(1..=1000))]
    repeats: u64,

    /// Most steps of a run
    #[arg(long, value_name = "NUMBER", default_value_t = Study::default().max_steps, value_parser = clap::value_parser!(u64).range(1..))]
    max_steps: u64,

    /// A mechanism or linear system of your own, with --reference
    #[arg(long, value_name = "FILE.toml", requires = "reference")]
    model: Option<PathBuf>,

    /// Its solution: measures over time, as CSV or JSON
    #[arg(long, value_name = "FILE", requires = "model")]
    reference: Option<PathBuf>,

    /// A program that solves problems too: it reads one as JSON on standard input and answers as JSON; may be given for several
    #[arg(long, value_name = "PROGRAM")]
    with: Vec<PathBuf>,

    /// Write the results to this file, as one JSON object
    #[arg(long, value_name = "FILE.json")]
    json: Option<PathBuf>,

    /// Write the results to this file, as comma-separated values
    #[arg(long, value_name = "FILE.csv")]
    csv: Option<PathBuf>,

    /// Write work-precision diagrams to this file, a page that opens offline
    #[arg(long, value_name = "FILE.html")]
    html: Option<PathBuf>,

    /// Print no progress
    #[arg(long, short)]
    quiet: bool,
}

/// The tolerances and the steps of [`Study::default`], as people write them.
const TOLERANCES: &str = "1e-4,1e-6,1e-8,1e-10";
const STEPS: &str = "1e-2,1e-3,1e-4";

/// The commit of this program, where the build knew it.
const COMMIT: &str = match option_env!("FOURBAR_COMMIT") {
    Some(commit) => commit,
    None => "",
};

pub(crate) fn accuracy(arguments: &AccuracyArguments) -> Result<Exit, Failure> {
    if arguments.list {
        return list();
    }
    arguments.check_files()?;
    let study = arguments.study()?;
    let selection =
        Selection { integrators: arguments.integrator.clone(), formulations: arguments.formulation.clone() };
    let flag = Arc::new(AtomicBool::new(false));
    watch(&flag);
    let interrupt = Interrupt::from(Arc::clone(&flag)).watch();
    let progress = |record: &Record| {
        if !arguments.quiet {
            tell(record);
        }
    };
    let results = study.run(&selection, &interrupt, progress).map_err(failure)?;
    arguments.write(&results, &Machine::here(COMMIT))?;
    Ok(if results.complete { Exit::Done } else { Exit::Interrupted })
}

impl AccuracyArguments {
    fn study(&self) -> Result<Study, Failure> {
        let chosen: Vec<&str> = if self.all { names() } else { self.problems.iter().map(String::as_str).collect() };
        let mut problems = chosen.into_iter().map(Problem::shipped).collect::<Result<Vec<_>, _>>().map_err(failure)?;
        if let (Some(model), Some(reference)) = (&self.model, &self.reference) {
            problems.push(Problem::from_files(model, reference).map_err(failure)?);
        }
        Ok(Study {
            problems,
            tolerances: self.tolerance.clone(),
            steps: self.step.clone(),
            repeats: self.repeats as usize,
            max_steps: self.max_steps,
            partners: self.with.iter().map(|path| Partner::new(path)).collect(),
        })
    }

    /// The results that are asked for, by their options.
    fn outputs(&self) -> impl Iterator<Item = (&'static str, &Path)> {
        let files = [("--json", &self.json), ("--csv", &self.csv), ("--html", &self.html)];
        files.into_iter().filter_map(|(option, path)| Some((option, path.as_deref()?)))
    }

    /// Refuses result files that the study reads, or one another.
    fn check_files(&self) -> Result<(), Failure> {
        let outputs: Vec<_> = self.outputs().collect();
        for (k, (option, path)) in outputs.iter().enumerate() {
            files::named(option, path)?;
            if let Some((other, _)) = outputs[..k].iter().find(|(_, other)| same(path, other)) {
                return Err(Failure::TwoOutputs { options: [*other, *option], path: (*path).to_owned() });
            }
            let read = [&self.model, &self.reference].into_iter().flatten().chain(&self.with);
            if let Some(read) = read.into_iter().find(|read| same(path, read)) {
                return Err(Failure::Overwrites { option, path: (*path).to_owned(), read: read.clone() });
            }
        }
        Ok(())
    }

    fn write(&self, results: &Results, machine: &Machine) -> Result<(), Failure> {
        for (option, path) in self.outputs() {
            let file = OutputFile::create(path).map_err(Failure::write(path))?;
            let written = whole(file, |sink| match option {
                "--json" => write_json(results, machine, sink),
                "--csv" => write_csv(results, sink),
                _ => write_html(results, machine, sink),
            });
            written.map_err(Failure::write(path))?;
        }
        write_text(results, machine, io::stdout().lock()).map_err(Failure::Output)
    }
}

fn list() -> Result<Exit, Failure> {
    for name in names() {
        let problem = Problem::shipped(name).map_err(failure)?;
        writeln!(io::stdout(), "{name}: {}", problem.title).map_err(Failure::Output)?;
    }
    Ok(Exit::Done)
}

/// The first Ctrl-C, SIGTERM or SIGHUP ends the study with the runs that it has, a second one ends the process.
fn watch(flag: &Arc<AtomicBool>) {
    let raised = Arc::clone(flag);
    let asked = move |asked| {
        if raised.swap(true, Ordering::SeqCst) && asked == Asked::ByHand {
            std::process::exit(i32::from(Exit::Interrupted as u8));
        }
    };
    if let Err(error) = signals::on_end(asked) {
        say!("fourbar: Ctrl-C will not write partial results: {error}");
    }
}

/// A line for a run that has ended. Nobody waits for it when standard error is closed.
fn tell(record: &Record) {
    let came = match &record.outcome {
        Ok(measured) => {
            let error = measured.errors.main().map_or(String::new(), |error| format!("error {error:.1e}, "));
            format!("{error}{} evaluations, {:.3} ms", measured.work.evaluations, measured.work.seconds * 1e3)
        }
        Err(failure) => format!("failed: {failure}"),
    };
    let line = format!("{} {} {}: {came}", record.problem, record.series(), record.control);
    let _ = writeln!(io::stderr(), "{}", printable(&line));
}

fn failure(error: AccuracyError) -> Failure {
    match error {
        AccuracyError::Model(error) => Failure::Model(error),
        AccuracyError::Read { path, source } => Failure::Model(fourbar::Error::Read { path, source }),
        error => Failure::Usage(error.to_string()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::Parser;

    #[derive(Parser)]
    struct Line {
        #[command(flatten)]
        own: AccuracyArguments,
    }

    #[test]
    fn defaults_are_those_of_a_study() {
        let own = Line::parse_from(["accuracy"]).own;
        let study = Study::default();
        assert_eq!((own.tolerance, own.step), (study.tolerances, study.steps));
        assert_eq!((own.repeats as usize, own.max_steps), (study.repeats, study.max_steps));
    }
}
