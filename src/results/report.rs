//! The HTML report: one page with its data, style and scripts inside, so that it opens anywhere without a network.
//!
//! The page draws itself from one JSON object. Plots are uPlot's, about 50 kB where the usual plotting bundles take 1 to 5 MB, and bodies in
//! motion three.js's (both MIT licence, beside the page's parts). Data and scripts are deflated; the browser unpacks them.

use super::grouping::{CurveGroup, curve_groups};
use super::noise::{magnitude, step_of, without_round_off};
use super::pack::{letters, packed};
use super::{Animation, DetailTable, Summary, Table, chart};
use crate::xml::escaped;
use serde::Serialize;
use std::io::{self, Write};

const PAGE: &str = include_str!("page/page.html");
const STYLE: &str = concat!(
    include_str!("page/uplot.min.css"),
    "\n",
    include_str!("page/plots.css"),
    include_str!("page/view.css"),
    include_str!("page/report.css")
);
const SCRIPT: &str = include_str!("page/report.js");
/// Unpacks the others.
const BOOT: &str = include_str!("page/boot.js");
/// Lets a page load itself again.
const FOLLOW: &str = include_str!("page/follow.js");
/// Around what a page that follows its file is told.
const CALL: &str = "follow(";
const CALLED: &str = ");\n";
/// Of what is in pages with bodies in motion.
const LICENSES: &str = concat!(include_str!("page/uplot.LICENSE"), "\n", include_str!("page/three.LICENSE"));
/// What the pages of runs and of analyses share.
const SHARED: &str = concat!(include_str!("page/runs.js"), include_str!("page/common.js"));

/// Most rows that a page carries; of a longer table every second, third, .. row is taken.
const MOST_ROWS: usize = 20_000;

/// A report on one run.
#[derive(Debug, Clone, Copy)]
pub struct Report<'a> {
    /// What the model shows.
    pub description: &'a str,
    /// Settings of the run, as name and value.
    pub settings: &'a [(String, String)],
    /// The end of the run.
    pub summary: &'a Summary,
    /// The measures over time.
    pub table: &'a Table,
    /// The bodies in motion, if the page is to show them.
    pub animation: Option<&'a Animation>,
}

impl Report<'_> {
    /// Writes the page to `sink`.
    ///
    /// # Errors
    /// The error of the sink.
    pub fn write(&self, sink: impl Write) -> io::Result<()> {
        write_page(sink, &self.summary.model, &self.data(), SCRIPT, "", self.animation)
    }

    /// As [`Report::write`], a page that loads itself again while it is open, once the file has another `stamp`.
    ///
    /// # Errors
    /// The error of the sink.
    pub fn write_followed(&self, sink: impl Write, stamp: u64) -> io::Result<()> {
        // A number of JavaScript is exact to 2^53: the stamp goes as text.
        let call = format!("<script>\n{}{CALL}\"{stamp}\"{CALLED}</script>\n", plain(FOLLOW));
        write_page(sink, &self.summary.model, &self.data(), SCRIPT, &call, self.animation)
    }

    fn data(&self) -> Data<'_> {
        let rows = Rows::of(self.table.times().len());
        let steps = self.table.steps();
        let thin_steps = |of: fn(&crate::observer::Step) -> f64| Rows::of(steps.len()).thin(steps.iter().map(of));
        Data {
            version: env!("CARGO_PKG_VERSION"),
            description: self.description,
            settings: self.settings,
            summary: self.summary,
            columns_title: self.summary.details.columns_title(),
            tables: self.summary.details.tables().into_iter().map(without_round_off).collect(),
            units: self.summary.last.iter().map(|(column, _)| column.unit.as_str()).collect(),
            stride: rows.stride,
            times: rows.thin(self.table.times().iter().copied()),
            plots: plots(self.table, rows, true, self.animation.map(|animation| animation.length)),
            steps: match steps.windows(2).all(|pair| nearly(pair[0].size, pair[1].size)) {
                // A line that says nothing.
                true => Steps { times: Vec::new(), sizes: Vec::new() },
                false => Steps { times: thin_steps(|step| step.time), sizes: thin_steps(|step| step.size) },
            },
        }
    }
}

/// A page of [`Report::write_followed`] that says above its run why there is no newer one; nothing for another page.
#[must_use]
pub fn with_problem(page: &str, problem: &str) -> Option<String> {
    let (before, rest) = page.split_once(&["\n", CALL, "\""].concat())?;
    let (told, after) = rest.split_once(CALLED)?;
    let (stamp, _) = told.split_once('"')?;
    // As in JavaScript; no text of it ends the script.
    let problem = serde_json::Value::from(problem).to_string().replace('<', "\\u003c");
    Some([before, "\n", CALL, "\"", stamp, "\", ", &problem, CALLED, after].concat())
}

/// Writes the page of `name` with `data`, drawn by `script`; `head` comes first in it. Without a script the name can be read all the same.
pub(super) fn write_page(
    mut sink: impl Write,
    name: &str,
    data: &impl Serialize,
    script: &str,
    head: &str,
    animation: Option<&Animation>,
) -> io::Result<()> {
    let data = packed(&serde_json::to_vec(data)?);
    let [view, modes] = animation
        .map_or([""; 2], |animation| [chart::VIEW, if animation.modes.is_empty() { "" } else { chart::MODES }]);
    let script: String = [chart::PLOTS, SHARED, modes, view, script].into_iter().map(plain).collect();
    let script = packed([chart::SCRIPT, "\n", &script].concat().as_bytes());
    let animation = animation.map(animation_parts).transpose()?.unwrap_or_default();
    let boot = plain(BOOT);
    let title = match name {
        "" => "fourbar report".to_owned(),
        name => escaped(name),
    };
    let mut rest = PAGE;
    while let Some((before, marker, after)) = next_marker(rest) {
        sink.write_all(before.as_bytes())?;
        let part = match marker {
            "title" => &title,
            "follow" => head,
            "style" => STYLE,
            "license" if animation.is_empty() => chart::LICENSE,
            "license" => LICENSES,
            "boot" => &boot,
            "script" => &script,
            "animation" => &animation,
            _ => &data,
        };
        sink.write_all(part.as_bytes())?;
        rest = after;
    }
    sink.write_all(rest.as_bytes())?;
    sink.flush()
}

/// Elements with the bodies in motion, and the library that draws them.
fn animation_parts(animation: &Animation) -> io::Result<String> {
    #[derive(Serialize)]
    struct Still<'a> {
        still: &'a str,
        stride: usize,
        modes: &'a [super::MovingMode],
    }
    let Animation { glb, still, stride, modes, .. } = animation;
    let still = serde_json::to_vec(&Still { still, stride: *stride, modes })?;
    let element =
        |name: &str, text: String| format!("<script type=\"text/plain\" id=\"packed-{name}\">{text}</script>\n");
    let three = ("three", letters(chart::THREE_DEFLATED));
    let parts = [("animation", packed(glb)), ("still", packed(&still)), three];
    Ok(parts.into_iter().map(|(name, text)| element(name, text)).collect())
}

/// A script without its comments and indents. It has no text over several lines, and no `//` at the beginning of a line but for comments.
fn plain(script: &str) -> String {
    let lines = script.lines().map(str::trim_start).filter(|line| !line.is_empty() && !is_comment(line));
    lines.flat_map(|line| [line, "\n"]).collect()
}

fn is_comment(line: &str) -> bool {
    line.starts_with("//") || line.starts_with("/**") || line.starts_with("* ") || line == "*/"
}

/// The text before the first `{{marker}}`, the marker and the text after it.
fn next_marker(text: &str) -> Option<(&str, &str, &str)> {
    let (before, rest) = text.split_once("{{")?;
    let (marker, after) = rest.split_once("}}")?;
    Some((before, marker, after))
}

#[derive(Serialize)]
struct Data<'a> {
    version: &'static str,
    description: &'a str,
    settings: &'a [(String, String)],
    summary: &'a Summary,
    columns_title: &'static str,
    tables: Vec<DetailTable>,
    units: Vec<&'a str>,
    stride: usize,
    times: Vec<f64>,
    plots: Vec<Plot<'a>>,
    steps: Steps,
}

#[derive(Serialize)]
struct Steps {
    times: Vec<f64>,
    sizes: Vec<f64>,
}

#[derive(Serialize)]
pub(super) struct Plot<'a> {
    pub(super) unit: &'a str,
    pub(super) curves: Vec<Curve<'a>>,
    /// Whether it tells of the integration, not of the machine.
    is_diagnostic: bool,
}

#[derive(Serialize)]
pub(super) struct Curve<'a> {
    pub(super) name: &'a str,
    pub(super) values: Vec<f64>,
    /// Values of up to this size are round-off.
    pub(super) noise: f64,
}

/// Which rows of a table the page carries: every `stride`-th, and the last.
#[derive(Clone, Copy)]
pub(super) struct Rows {
    pub(super) stride: usize,
    length: usize,
}

impl Rows {
    pub(super) fn of(length: usize) -> Self {
        Self { stride: length.div_ceil(MOST_ROWS).max(1), length }
    }

    pub(super) fn thin(self, values: impl Iterator<Item = f64>) -> Vec<f64> {
        let kept = |i: usize| i.is_multiple_of(self.stride) || i + 1 == self.length;
        values.enumerate().filter(|(i, _)| kept(*i)).map(|(_, value)| seven_digits(value)).collect()
    }
}

/// Whether they are the same to the digits that are shown.
fn nearly(one: f64, other: f64) -> bool {
    seven_digits(one) == seven_digits(other)
}

/// Seven digits are more than any screen resolves, and all that a plot tells of a value.
fn seven_digits(value: f64) -> f64 {
    format!("{value:.6e}").parse().unwrap_or(value)
}

/// The columns in plots as [`curve_groups`] has them, of a model of the size `length` \[m\]; what is round-off throughout is drawn as zero.
pub(super) fn plots(table: &Table, rows: Rows, is_over_time: bool, length: Option<f64>) -> Vec<Plot<'_>> {
    let columns = table.columns();
    let magnitudes: Vec<f64> = (0..columns.len()).map(|column| magnitude(table.series(column))).collect();
    let step = step_of(table.times()).filter(|_| is_over_time);
    let groups = curve_groups(columns, &magnitudes, step, length);
    let plot = |group: CurveGroup| {
        let curve = |(&column, &noise): (&usize, &f64)| {
            let is_noise = magnitudes[column] <= noise;
            let silent = |value: f64| if is_noise && value.is_finite() { 0.0 } else { value };
            let values = rows.thin(table.series(column)).into_iter().map(silent).collect();
            Curve { name: &columns[column].name, values, noise }
        };
        let unit = group.columns.first().map_or("", |&first| &columns[first].unit);
        let curves = group.columns.iter().zip(&group.noise).map(curve).collect();
        Plot { unit, curves, is_diagnostic: group.is_diagnostic }
    };
    groups.into_iter().map(plot).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::observer::{Column, Observer};

    fn table(columns: &[(&str, &str, f64)], rows: usize) -> Table {
        let mut table = Table::default();
        let names: Vec<_> =
            columns.iter().map(|(name, unit, _)| Column { name: (*name).into(), unit: (*unit).into() }).collect();
        table.begin(&names).unwrap();
        for row in 0..rows {
            let values: Vec<_> = columns.iter().map(|(_, _, scale)| scale * (row as f64 * 0.7).cos()).collect();
            table.output(row as f64, &values).unwrap();
        }
        table
    }

    #[test]
    fn round_off_is_zero_beside_what_it_comes_from_in_every_unit_of_length() {
        for size in [1e-9, 1e-3, 1.0, 1e9] {
            let columns =
                [("p.x", "m", size), ("p.y", "m", 4e-17 * size), ("gap", "m", 1e-10 * size), ("w", "m", 3e-16 * size)];
            let table = table(&columns, 5);
            let plots = plots(&table, Rows::of(5), true, None);
            let found: Vec<Vec<&str>> =
                plots.iter().map(|plot| plot.curves.iter().map(|curve| curve.name).collect()).collect();
            assert_eq!(found, [vec!["p.x", "p.y", "w"], vec!["gap"]], "{size}");
            let is_zero = |curve: &Curve<'_>| curve.values.iter().all(|value| *value == 0.0);
            let zero: Vec<bool> = plots.iter().flat_map(|plot| plot.curves.iter().map(is_zero)).collect();
            assert_eq!(zero, [false, true, true, false], "{size}");
        }
    }

    #[test]
    fn scripts_lose_comments_and_indents_alone() {
        let script = "/** What\n * it does. */\nconst a = \"http://b\";\n\n  // Why.\n  call(a); // there\n";
        assert_eq!(plain(script), "const a = \"http://b\";\ncall(a); // there\n");
        for script in [chart::PLOTS, chart::VIEW, chart::MODES, SHARED, SCRIPT, FOLLOW, BOOT] {
            assert!(!plain(script).contains("/**") && plain(script).len() < script.len());
        }
    }

    #[test]
    fn a_page_that_follows_its_file_says_why_there_is_no_newer_run() {
        let page = format!("<title>a</title>\n<script>\n{}{CALL}\"12\"{CALLED}</script>\n<body>", plain(FOLLOW));
        let once = with_problem(&page, "line 3: \"x\"); \n</script>").unwrap();
        assert!(
            once.contains("\nfollow(\"12\", \"line 3: \\\"x\\\"); \\n\\u003c/script>\");\n</script>\n<body>"),
            "{once}"
        );
        // Another one takes its place.
        assert_eq!(with_problem(&once, "b").unwrap(), page.replace("\"12\"", "\"12\", \"b\""));
        assert_eq!(with_problem("<title>follow(</title>", "b"), None);
    }

    #[test]
    fn long_tables_are_thinned_but_keep_both_ends() {
        let length = 2 * MOST_ROWS + 10;
        let rows = Rows::of(length);
        let kept = rows.thin((0..length).map(|i| i as f64));
        assert_eq!((kept[0], kept[1], kept[kept.len() - 1]), (0.0, 3.0, (length - 1) as f64));
        assert!(kept.len() <= MOST_ROWS);
    }
}
