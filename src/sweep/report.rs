//! A sweep as one HTML page with a scatter plot and parallel coordinates; nothing is loaded.

use super::error::SweepError;
use super::plan::Choice;
use super::prepared::Sweep;
use super::search::Found;
use super::table::{Results, Row, number, whole};
use fourbar_coupling::application::remove_leftovers;
use fourbar_linalg::text::counted;
use std::path::Path;

const PAGE: &str = include_str!("page/sweep.html");
const STYLE: &str = include_str!("page/sweep.css");
const SCRIPT: &str = include_str!("page/sweep.js");

/// Members that a page draws: more lines than a browser moves at once hide each other anyway. Of more every second, third, .. is drawn.
const MOST_DRAWN: usize = 2000;
/// Failures that a page tells; all stand in the file beside the table.
const MOST_FAILURES: usize = 50;

#[derive(serde::Serialize)]
struct Data {
    version: &'static str,
    title: String,
    description: String,
    counts: String,
    warnings: Vec<String>,
    /// Number of columns that are parameters; they come first.
    parameters: usize,
    columns: Vec<String>,
    /// What is not finite is `null`.
    rows: Vec<Vec<f64>>,
    /// Numbers of the members of the rows.
    members: Vec<usize>,
    /// Parameters of members that failed, and their numbers.
    failed_rows: Vec<Vec<f64>>,
    failed_members: Vec<usize>,
    search: Vec<[String; 2]>,
    failure_heads: Vec<String>,
    failures: Vec<Vec<String>>,
    settings: Vec<[String; 2]>,
}

/// Writes the page to `path`.
///
/// # Errors
/// [`SweepError::File`].
pub fn write_report(path: &Path, sweep: &Sweep, results: &Results, found: Option<&Found>) -> Result<(), SweepError> {
    let failed = |source| SweepError::File { path: path.to_owned(), source };
    let data = serde_json::to_string(&data(sweep, results, found)).map_err(|error| failed(error.into()))?;
    // Inside a script element only "</" and "<!" could end or change it.
    let data = data.replace('<', "\\u003c");
    // The data come last: nothing in them is taken for a marker.
    let page =
        PAGE.replace("{{style}}", STYLE.trim_end()).replace("{{script}}", SCRIPT.trim_end()).replace("{{data}}", &data);
    remove_leftovers(path);
    whole(path, |sink| sink.write_all(page.as_bytes())).map_err(failed)
}

fn data(sweep: &Sweep, results: &Results, found: Option<&Found>) -> Data {
    let plan = sweep.plan();
    let done: Vec<(&Row, &Vec<f64>)> =
        results.rows.iter().filter_map(|row| Some((row, row.result.as_ref().ok()?))).collect();
    let stride = done.len().div_ceil(MOST_DRAWN).max(1);
    let row = |(row, numbers): &(&Row, &Vec<f64>)| row.values.iter().chain(*numbers).copied().collect();
    let mut counts = format!("{}, {} failed", counted(results.rows.len(), "member"), results.failed());
    if stride > 1 {
        counts += &format!("; one of {stride} is drawn");
    }
    let failed: Vec<&Row> = results.rows.iter().filter(|row| row.result.is_err()).step_by(stride).collect();
    let title = if plan.name.is_empty() { sweep.model().document().name() } else { &plan.name };
    let heads = ["member".to_owned()].into_iter().chain(results.parameters.iter().cloned());
    Data {
        version: env!("CARGO_PKG_VERSION"),
        title: title.to_owned(),
        description: plan.description.clone(),
        counts,
        warnings: warnings(results, found),
        parameters: results.parameters.len(),
        columns: results.parameters.iter().chain(&results.outputs).cloned().collect(),
        rows: done.iter().step_by(stride).map(row).collect(),
        members: done.iter().step_by(stride).map(|(row, _)| row.member).collect(),
        failed_rows: failed.iter().map(|row| row.values.clone()).collect(),
        failed_members: failed.iter().map(|row| row.member).collect(),
        search: found.map_or(Vec::new(), |found| search(found, results)),
        failure_heads: heads.chain(["error", "place", "remedy"].map(str::to_owned)).collect(),
        failures: failures(results),
        settings: settings(sweep),
    }
}

fn warnings(results: &Results, found: Option<&Found>) -> Vec<String> {
    let mut texts = Vec::new();
    if results.failed() > MOST_FAILURES {
        texts.push(format!("{} members failed; the first {MOST_FAILURES} are told here.", results.failed()));
    }
    texts.extend(results.warnings().iter().map(ToString::to_string));
    texts.extend(found.and_then(Found::doubt));
    texts
}

fn search(found: &Found, results: &Results) -> Vec<[String; 2]> {
    let mut rows = vec![["end".to_owned(), found.to_string()]];
    let Some(best) = found.best.and_then(|best| results.rows.get(best)) else { return rows };
    rows.push(["best run".to_owned(), best.member.to_string()]);
    rows.push(["cost".to_owned(), number(found.cost)]);
    let outputs = best.result.as_deref().unwrap_or_default();
    let names = results.parameters.iter().zip(&best.values).chain(results.outputs.iter().zip(outputs));
    rows.extend(names.map(|(name, value)| [name.clone(), number(*value)]));
    rows
}

fn failures(results: &Results) -> Vec<Vec<String>> {
    let failed = results.rows.iter().filter_map(|row| Some((row, row.result.as_ref().err()?)));
    let cells = |(row, failure): (&Row, &super::MemberFailure)| {
        let values = row.values.iter().map(|value| number(*value));
        let told = [&failure.error, &failure.place, &failure.remedy].map(String::clone);
        [row.member.to_string()].into_iter().chain(values).chain(told).collect()
    };
    failed.take(MOST_FAILURES).map(cells).collect()
}

fn settings(sweep: &Sweep) -> Vec<[String; 2]> {
    let plan = sweep.plan();
    let mut rows = vec![["model".to_owned(), plan.model.display().to_string()]];
    if let Some(members) = &plan.members {
        let choice = match members.choose {
            Choice::Grid => "grid".to_owned(),
            Choice::Random => format!("random, seed {}", members.seed.unwrap_or(0)),
            Choice::LatinHypercube => format!("Latin hypercube, seed {}", members.seed.unwrap_or(0)),
            Choice::List => "list".to_owned(),
        };
        rows.push(["members".to_owned(), choice]);
    }
    let overrides = &plan.settings;
    let given =
        crate::run::RUN_SETTINGS.iter().filter_map(|own| Some([own.name.to_owned(), overrides.text(own.name)?]));
    rows.extend(given);
    rows
}
