//! `fourbar sweep`: a plan to a table, over the cores of this machine or as a shard of a job array.

use crate::exit::{Exit, Failure};
use crate::files;
use crate::signals::{self, Asked};
use crate::text::{DIGITS, number, two_columns};
use clap::{Args, Subcommand};
use fourbar::linalg::text::{counted, printable};
use fourbar::sweep::{
    Found, MemberFailure, Options, Output, PlanFile, Progress, Results, SearchEnd, Shard, Sweep, failures_beside,
    journal_beside, merge, side_beside, write_report,
};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::io::{self, IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// Warnings printed at most; all stand in the file beside the table.
const WARNINGS_SHOWN: usize = 20;

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
    /// built with it. Beside it FILE.csv.json tells of which sweep it is and what members warn of, FILE.csv.failed.csv which failed
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

    /// Print no progress and no summary; failures and warnings are still told, on standard error
    #[arg(long, short)]
    quiet: bool,

    /// End with exit code 6 if a member failed or warns, or if a search ends at an end of a range
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
        /// Tables of all shards, in any order; FILE.csv.json must lie beside each
        #[arg(required = true)]
        tables: Vec<PathBuf>,
        /// Write the whole table to this file
        #[arg(long, short, value_name = "FILE.csv")]
        out: PathBuf,
    },
}

pub(crate) fn sweep(arguments: &SweepArguments) -> Result<Exit, Failure> {
    if let Some(SweepVerb::Merge { tables, out }) = &arguments.verb {
        return merge_tables(tables, out);
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
        let kept = format!("{} kept in {}; the same command goes on", counted(done, "run"), journal.display());
        say!("fourbar: stopped; {}", printable(&kept));
        return Ok(Exit::Interrupted);
    }
    results.write(out).map_err(Failure::Sweep)?;
    if let Some(report) = &arguments.report {
        write_report(report, &sweep, &results, found.as_ref()).map_err(Failure::Sweep)?;
    }
    let remarks = remarks(out, &results, found.as_ref());
    for text in &remarks {
        say!("fourbar: warning: {}", printable(text));
    }
    if !arguments.quiet {
        let text = summary(out, &results)
            + &found.as_ref().map_or(String::new(), |found| search_text(found, &results, &sweep.plan().outputs));
        write!(io::stdout(), "{text}").map_err(Failure::Output)?;
    }
    Ok(end(arguments.strict, &results, found.as_ref(), !remarks.is_empty()))
}

fn merge_tables(tables: &[PathBuf], out: &Path) -> Result<Exit, Failure> {
    signals::end_at_once();
    files::named("--out", out)?;
    let read: Vec<PathBuf> = tables.iter().flat_map(|table| [table.clone(), side_beside(table)]).collect();
    for (option, path) in written(out).into_iter().filter(|(option, _)| *option != JOURNAL) {
        files::spare_of(option, &path, &read)?;
    }
    let members = merge(tables, out).map_err(Failure::Sweep)?;
    let text = format!("{} to {}", counted(members, "member"), printable(&out.display().to_string()));
    writeln!(io::stdout(), "{text}").map_err(Failure::Output)?;
    Ok(Exit::Done)
}

const JOURNAL: &str = "the journal of --out";

/// What comes to lie at a table and beside it.
fn written(out: &Path) -> [(&'static str, PathBuf); 4] {
    [
        ("--out", out.to_owned()),
        (JOURNAL, journal_beside(out)),
        ("the file beside --out", side_beside(out)),
        ("the failed members of --out", failures_beside(out)),
    ]
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
    files::named("--out", out)?;
    let read: Vec<PathBuf> = [plan.to_owned()].into_iter().chain(sweep.files()).collect();
    let written = written(out);
    for (option, path) in &written {
        files::spare_of(option, path, &read)?;
    }
    crate::table::check(out)?;
    if let Some(report) = arguments.report.as_deref() {
        files::spare_of("--report", report, &read)?;
        if let Some((other, _)) = written.iter().find(|(_, path)| fourbar::coupling::application::same(report, path)) {
            return Err(Failure::TwoOutputs { options: [*other, "--report"], path: report.to_owned() });
        }
        files::ends_in("--report", report, files::PAGES)?;
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
        say!("fourbar: Ctrl-C will end the sweep at once: {error}; its journal stands");
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

fn summary(out: &Path, results: &Results) -> String {
    let (runs, table) = (counted(results.rows.len(), "run"), out.display().to_string());
    format!("{runs}, {} failed, to {}\n", results.failed(), printable(&table))
}

/// What a script that takes no result on trust refuses, each thing once.
fn remarks(out: &Path, results: &Results, found: Option<&Found>) -> Vec<String> {
    let mut texts = Vec::new();
    let first = results.rows.iter().find_map(|row| Some((row.member, row.result.as_ref().err()?)));
    if let Some((member, MemberFailure { error, place, remedy })) = first {
        let (failed, beside) = (counted(results.failed(), "member"), failures_beside(out));
        texts.push(format!("{failed} failed, first {member}: {place}: {error}; {remedy}; all: {}", beside.display()));
    }
    let warnings = results.warnings();
    texts.extend(warnings.iter().take(WARNINGS_SHOWN).map(ToString::to_string));
    if warnings.len() > WARNINGS_SHOWN {
        let more = counted(warnings.len() - WARNINGS_SHOWN, "more warning");
        texts.push(format!("{more}; all: {}", side_beside(out).display()));
    }
    texts.extend(found.and_then(Found::doubt));
    texts
}

/// How a search ended, and its best run.
fn search_text(found: &Found, results: &Results, outputs: &[Output]) -> String {
    let mut text = format!("search {found}\n");
    let Some(row) = found.best.and_then(|best| results.rows.get(best)) else { return text };
    let number = |value: f64| number(value, DIGITS);
    let mut rows: Vec<(String, String)> =
        results.parameters.iter().zip(&row.values).map(|(name, value)| (name.clone(), number(*value))).collect();
    let numbers = row.result.as_deref().unwrap_or_default();
    rows.extend(results.outputs.iter().zip(numbers).zip(outputs).map(|((name, value), output)| {
        let wanted = output.target.map(|target| format!(" (target {})", number(target)));
        (name.clone(), number(*value) + &wanted.unwrap_or_default())
    }));
    text += &format!("\nbest, run {}\n{}", row.member, two_columns(&rows));
    text
}

fn end(is_strict: bool, results: &Results, found: Option<&Found>, has_remarks: bool) -> Exit {
    let converged = found.is_none_or(|found| matches!(found.end, SearchEnd::Converged(_)));
    let all_failed = !results.rows.is_empty() && results.failed() == results.rows.len();
    match (converged && !all_failed, is_strict && has_remarks) {
        (false, _) => Exit::NotConverged,
        (true, true) => Exit::Warned,
        (true, false) => Exit::Done,
    }
}
