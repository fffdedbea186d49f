//! Results as one HTML page with its style and diagrams inside: nothing is loaded, nothing runs.

use super::equal::AtEqualError;
use super::record::{About, Machine, Measured, Record, Results};
use super::references::Quantity;
use super::svg::{Line, Point, colour, diagram, mark};
use crate::xml::escaped;
use std::fmt::Write as _;
use std::io::{self, Write};

const STYLE: &str = include_str!("page.css");

/// What work is measured by: its name, and its number.
type Measure = (&'static str, fn(&Measured) -> f64);

const WORK: [Measure; 2] = [("evaluations", |own| own.work.evaluations as f64), ("time [s]", |own| own.work.seconds)];

/// Writes the page.
///
/// # Errors
/// The error of the sink.
pub fn write_html(results: &Results, machine: &Machine, mut sink: impl Write) -> io::Result<()> {
    let styles = series(results);
    let mut page = format!(
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<meta name=\"viewport\" content=\"width=device-width\">\n\
         <title>Work and precision</title>\n<style>\n{STYLE}</style>\n</head>\n<body>\n<h1>Work and precision</h1>\n\
         <p class=\"lead\">{}. Repeats: {}, of which the median time is told.</p>\n",
        escaped(&machine.line()),
        results.repeats
    );
    if !results.complete {
        page += "<p class=\"warning\">The study was interrupted: runs are missing.</p>\n";
    }
    page += "<p class=\"hint\">Compare series at equal error, along a horizontal line: what lies further left costs less. A tolerance means \
             another error in each method. Marks name their runs under the pointer.</p>\n";
    page += &legend(&styles);
    let equal = results.at_equal_error();
    for about in &results.problems {
        page += &problem(about, results, &styles, &equal);
    }
    page += "</body>\n</html>\n";
    sink.write_all(page.as_bytes())?;
    sink.flush()
}

/// Names of the series, in the order in which they come; their places are their styles.
fn series(results: &Results) -> Vec<String> {
    let mut names = Vec::new();
    for record in &results.records {
        let name = record.series();
        if !names.contains(&name) {
            names.push(name);
        }
    }
    names
}

fn legend(styles: &[String]) -> String {
    let entry = |(style, name): (usize, &String)| {
        format!(
            "<span><svg viewBox=\"0 0 12 12\"><g fill=\"{}\">{}</g></svg>{}</span>\n",
            colour(style),
            mark(style, [6.0, 6.0]),
            escaped(name)
        )
    };
    format!("<div class=\"legend\">\n{}</div>\n", styles.iter().enumerate().map(entry).collect::<String>())
}

fn problem(about: &About, results: &Results, styles: &[String], equal: &[AtEqualError]) -> String {
    let records: Vec<&Record> = results.of(&about.name).collect();
    let digits = if about.digits > 0 { format!(", {} digits", about.digits) } else { String::new() };
    let mut text = format!(
        "<section class=\"card\">\n<h2>{}: {}, to {} s</h2>\n<p class=\"hint\">Reference{digits}: {}</p>\n<div class=\"diagrams\">\n",
        escaped(&about.name),
        escaped(&about.title),
        about.end,
        escaped(&about.source)
    );
    for quantity in Quantity::ALL {
        for (work, of) in WORK {
            let lines = lines(&records, styles, quantity, of);
            text.extend(diagram(&format!("error of {}", quantity.name()), work, &lines));
        }
    }
    text += "</div>\n";
    text += &equal_table(equal.iter().filter(|at| at.problem == about.name).collect());
    text += &table(&records);
    text + "</section>\n"
}

fn lines(records: &[&Record], styles: &[String], quantity: Quantity, of: fn(&Measured) -> f64) -> Vec<Line> {
    let line = |(style, name): (usize, &String)| {
        let point = |record: &&&Record| {
            let measured = record.outcome.as_ref().ok()?;
            let (work, error) = (of(measured), measured.errors.of(quantity)?);
            let label = format!("{name}, {}: error {error:.2e}, {work:.4}", record.control);
            let label = escaped(&label);
            // Neither a zero nor what is no number has a place.
            (work > 0.0 && error > 0.0 && error.is_finite()).then_some(Point { work, error, label })
        };
        let points = records.iter().filter(|record| record.series() == *name).filter_map(|record| point(&record));
        Line { style, points: points.collect() }
    };
    styles.iter().enumerate().map(line).collect()
}

fn equal_table(at: Vec<&AtEqualError>) -> String {
    if at.is_empty() {
        return String::new();
    }
    let mut errors: Vec<f64> = at.iter().map(|at| at.error).collect();
    errors.sort_by(|a, b| b.total_cmp(a));
    errors.dedup();
    let mut series: Vec<&str> = at.iter().map(|at| at.series.as_str()).collect();
    series.dedup();
    let head: String = errors.iter().map(|error| format!("<th>{error:.0e}</th>")).collect();
    let mut text =
        format!("<table>\n<caption>Time [ms] and evaluations at equal error</caption>\n<tr><th></th>{head}</tr>\n");
    for name in series {
        let cell = |error: &f64| {
            let own = at.iter().find(|at| at.error == *error && at.series == name);
            own.map_or("<td></td>".to_owned(), |own| {
                format!("<td>{:.3}<br><small>{:.0}</small></td>", own.seconds * 1e3, own.evaluations)
            })
        };
        // Writing to a String cannot fail.
        let _ = writeln!(text, "<tr><th>{}</th>{}</tr>", escaped(name), errors.iter().map(cell).collect::<String>());
    }
    text + "</table>\n"
}

/// All runs, folded away; failures with their texts.
fn table(records: &[&Record]) -> String {
    let failed = records.iter().filter(|record| record.outcome.is_err()).count();
    let some = if failed > 0 { format!(", {failed} failed") } else { String::new() };
    let heads =
        ["steps", "evaluations", "jacobians", "factorizations", "ms", "energy", "violation [m]", "of rates [m/s]"];
    let quantities: String = Quantity::ALL.iter().map(|own| format!("<th>{}</th>", own.name())).collect();
    let heads: String = heads.iter().map(|head| format!("<th>{head}</th>")).collect();
    let mut text = format!(
        "<details><summary>All {} runs{some}</summary>\n<table>\n<tr><th></th><th>tolerance or step</th>{quantities}{heads}</tr>\n",
        records.len()
    );
    for record in records {
        let name = escaped(&record.series());
        let cells = match &record.outcome {
            Ok(measured) => cells(measured),
            Err(failure) => format!("<td class=\"failure\" colspan=\"13\">{}</td>", escaped(failure)),
        };
        // Writing to a String cannot fail.
        let _ = writeln!(text, "<tr><th>{name}</th><td>{}</td>{cells}</tr>", record.control);
    }
    text + "</table>\n</details>\n"
}

fn cells(measured: &Measured) -> String {
    let Measured { work, errors } = measured;
    let error = |value: Option<f64>| value.map_or(String::new(), |value| format!("{value:.1e}"));
    let counts = [work.steps, work.evaluations, work.jacobians, work.factorizations].map(|count| count.to_string());
    let cells = Quantity::ALL.map(|quantity| error(errors.of(quantity))).into_iter().chain(counts);
    let cells = cells.chain([format!("{:.3}", work.seconds * 1e3), error(errors.energy)]);
    let cells = cells.chain([error(errors.violation_position), error(errors.violation_velocity)]);
    cells.map(|cell| format!("<td>{cell}</td>")).collect()
}
