//! `fourbar sweep`: a plan to a table, over the cores of this machine or as a shard of a job array.

use crate::exit::{Exit, Failure};
use crate::files;
use crate::signals::{self, Asked};
use crate::text::{number, two_columns};
use clap::{Args, Subcommand};
use fourbar::linalg::text::printable;
use fourbar::sweep::{
    Found, MemberFailure, Options, PlanFile, Progress, Results, SearchEnd, Shard, Sweep, failures_beside,
    journal_beside, merge, write_report,
};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::io::{self, IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// Significant digits of what is printed of a search.
const DIGITS: usize = 10;

/// A sweep that is stopped goes on with the same command: what is done stands in the journal FILE.csv.journal.
#[derive(Debug, Args)]
#[command(args_conflicts_with_subcommands = true, subcommand_negates_reqs = true)]
pub(crate) struct SweepArguments {
    #[command(subcommand)]
    verb: Option<SweepVerb>,

    /// Plan of the sweep
    #[arg(required = true)]
    plan: Option<PathBuf>,

    /// Write one row a member to this file, as comma-separated values; as Apache Parquet if its name ends in .parquet and the program was
    /// built with it. Members that fail are told in FILE.csv.failed.csv
    #[arg(long, short, value_name = "FILE.csv", required = true)]
    out: Option<PathBuf>,

    /// Write a page with scatter and parallel-coordinate plots, which opens offline
    #[arg(long, value_name = "FILE.html")]
    report: Option<PathBuf>,

    /// Runs at the same time; one on each core unless it is given
    #[arg(long, short, value_name = "NUMBER", default_value_t = 0, hide_default_value = true)]
    jobs: usize,

    /// Run only the i-th of n parts of the sweep; `fourbar sweep merge` puts their tables together
    #[arg(long, value_name = "I/N", value_parser = shard, default_value = "1/1", hide_default_value = true)]
    shard: Shard,

    /// Print no progress and no summary; failures are still told, on standard error
    #[arg(long, short)]
    quiet: bool,

    /// End with exit code 6 if a member failed
    #[arg(long)]
    strict: bool,
}

fn shard(text: &str) -> Result<Shard, String> {
    text.parse()
}

#[derive(Debug, Subcommand)]
enum SweepVerb {
    /// Put the tables of all shards together
    Merge {
        /// Tables of all shards, in any order
        #[arg(required = true)]
        tables: Vec<PathBuf>,
        /// Write the whole table to this file
        #[arg(long, short, value_name = "FILE.csv")]
        out: PathBuf,
    },
}

pub(crate) fn sweep(arguments: &SweepArguments) -> Result<Exit, Failure> {
    if let Some(SweepVerb::Merge { tables, out }) = &arguments.verb {
        signals::end_at_once();
        files::named("--out", out)?;
        if let Some(read) = tables.iter().find(|table| fourbar::coupling::application::same(table, out)) {
            return Err(Failure::Overwrites { option: "--out", path: out.clone(), read: read.clone() });
        }
        let members = merge(tables, out).map_err(Failure::Sweep)?;
        writeln!(io::stdout(), "{members} members to {}", printable(&out.display().to_string()))
            .map_err(Failure::Output)?;
        return Ok(Exit::Done);
    }
    // clap has seen to it that both are given.
    let (Some(path), Some(out)) = (&arguments.plan, &arguments.out) else {
        return Err(Failure::Usage("give a plan, and a table with --out".to_owned()));
    };
    let stop = Arc::new(AtomicBool::new(false));
    watch(&stop);
    let sweep =
        PlanFile::load(path).map_err(Failure::Model).and_then(|plan| Sweep::new(plan).map_err(Failure::Sweep))?;
    check(arguments, path, out, &sweep)?;
    let bar = bar(arguments.quiet);
    let options = Options { jobs: arguments.jobs, shard: arguments.shard, journal: Some(journal_beside(out)) };
    let (results, found) = carry_out(&sweep, &options, &stop, |progress| show(&bar, progress))?;
    bar.finish_and_clear();
    if !results.complete {
        let (done, journal) = (results.rows.len(), journal_beside(out));
        let kept = format!("{done} runs are kept in {}; the same command goes on with them", journal.display());
        eprintln!("fourbar: stopped; {}", printable(&kept));
        return Ok(Exit::Interrupted);
    }
    results.write(out).map_err(Failure::Sweep)?;
    if let Some(report) = &arguments.report {
        write_report(report, &sweep, &results, found.as_ref()).map_err(Failure::Sweep)?;
    }
    tell(arguments, out, &results, found.as_ref())?;
    end(arguments, &results, found.as_ref())
}

fn carry_out(
    sweep: &Sweep,
    options: &Options,
    stop: &Arc<AtomicBool>,
    mut progress: impl FnMut(Progress),
) -> Result<(Results, Option<Found>), Failure> {
    match sweep.search(options, stop, &mut progress).map_err(Failure::Sweep)? {
        Some(found) => Ok((found.results.clone(), Some(found))),
        None => sweep.execute(options, stop, progress).map(|results| (results, None)).map_err(Failure::Sweep),
    }
}

fn check(arguments: &SweepArguments, plan: &Path, out: &Path, sweep: &Sweep) -> Result<(), Failure> {
    let outputs = [("--out", Some(out)), ("--report", arguments.report.as_deref())];
    for (option, path) in outputs.into_iter().filter_map(|(option, path)| Some((option, path?))) {
        files::named(option, path)?;
        files::spare(option, path, plan, sweep.model())?;
    }
    crate::table::check(out)?;
    if let Some(report) = arguments.report.as_deref().filter(|report| fourbar::coupling::application::same(report, out))
    {
        return Err(Failure::TwoOutputs { options: ["--out", "--report"], path: report.to_owned() });
    }
    if sweep.plan().optimize.is_some() && arguments.shard != Shard::default() {
        return Err(Failure::Usage("--shard: the runs of a search follow one another; leave it out".to_owned()));
    }
    Ok(())
}

/// The first signal ends the sweep after what is done; a second Ctrl-C ends the process, and the journal stands all the same.
fn watch(stop: &Arc<AtomicBool>) {
    let flag = Arc::clone(stop);
    let asked = move |asked| {
        if flag.swap(true, Ordering::SeqCst) && asked == Asked::ByHand {
            std::process::exit(i32::from(Exit::Interrupted as u8));
        }
    };
    if let Err(error) = signals::on_end(asked) {
        eprintln!("fourbar: Ctrl-C will end the sweep at once: {error}; its journal stands");
    }
}

fn bar(quiet: bool) -> ProgressBar {
    let visible = !quiet && io::stderr().is_terminal();
    let target = if visible { ProgressDrawTarget::stderr() } else { ProgressDrawTarget::hidden() };
    let style = ProgressStyle::with_template("{bar:30} {pos} of {len} {msg}, {eta} left");
    ProgressBar::with_draw_target(Some(1), target).with_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()))
}

fn show(bar: &ProgressBar, Progress { members, done, failed }: Progress) {
    bar.set_length(members as u64);
    bar.set_position(done as u64);
    if failed > 0 {
        bar.set_message(format!("({failed} failed)"));
    }
}

fn tell(arguments: &SweepArguments, out: &Path, results: &Results, found: Option<&Found>) -> Result<(), Failure> {
    let first = results.rows.iter().find_map(|row| Some((row.member, row.result.as_ref().err()?)));
    if let Some((member, MemberFailure { error, place, remedy })) = first {
        let (failed, beside) = (results.failed(), failures_beside(out));
        let text =
            format!("{failed} members failed, first {member}: {place}: {error}; {remedy}; all: {}", beside.display());
        eprintln!("fourbar: warning: {}", printable(&text));
    }
    if arguments.quiet {
        return Ok(());
    }
    let (number_of, table) = (results.rows.len(), out.display().to_string());
    let text = format!("{number_of} runs, {} failed, to {}\n", results.failed(), printable(&table));
    let text = text + &found.map_or(String::new(), |found| search_text(found, results));
    write!(io::stdout(), "{text}").map_err(Failure::Output)
}

/// How a search ended, and its best run.
fn search_text(found: &Found, results: &Results) -> String {
    let mut text = format!("search {}\n", found.end);
    let Some(row) = found.best.and_then(|best| results.rows.get(best)) else { return text };
    let outputs = row.result.as_deref().unwrap_or_default();
    let names = results.parameters.iter().zip(&row.values).chain(results.outputs.iter().zip(outputs));
    let rows: Vec<_> = names.map(|(name, value)| (name.clone(), number(*value, DIGITS))).collect();
    text += &format!("\nbest, run {}\n{}", row.member, two_columns(&rows));
    if !found.at_bounds.is_empty() {
        text += &format!("at an end of its range: {}\n", found.at_bounds.join(", "));
    }
    text
}

fn end(arguments: &SweepArguments, results: &Results, found: Option<&Found>) -> Result<Exit, Failure> {
    let converged = found.is_none_or(|found| matches!(found.end, SearchEnd::Converged(_)));
    let all_failed = !results.rows.is_empty() && results.failed() == results.rows.len();
    Ok(match (converged && !all_failed, arguments.strict && results.failed() > 0) {
        (false, _) => Exit::NotConverged,
        (true, true) => Exit::Warned,
        (true, false) => Exit::Done,
    })
}
