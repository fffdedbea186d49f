//! Results as text, CSV and JSON.

use super::equal::AtEqualError;
use super::errors::Errors;
use super::record::{Machine, Measured, Record, Results, Work};
use super::summary::{
    Formulated, GOAL_MULTIPLIER, GOAL_POSITION, GOAL_TOLERANCE, Goals, QUANTITIES, formulations, goals,
};
use fourbar_linalg::text::{Brief, printable};
use serde::Serialize;
use std::io::{self, Write};

/// Columns of the CSV file, in their order. Errors and violations are empty where there are none.
pub const CSV_COLUMNS: [&str; 26] = [
    "problem",
    "program",
    "integrator",
    "formulation",
    "tolerance",
    "step [s]",
    "steps",
    "rejected",
    "evaluations",
    "jacobians",
    "factorizations",
    "iterations",
    "seconds [s]",
    "error_state",
    "error_position",
    "error_velocity",
    "error_acceleration",
    "error_multiplier",
    "error_energy",
    "violation_position [m]",
    "violation_orientation [rad]",
    "violation_velocity [m/s]",
    "violation_angular_velocity [rad/s]",
    "digits",
    "repeats",
    "failure",
];

/// Writes a line for each record.
///
/// # Errors
/// The error of the sink.
pub fn write_csv(results: &Results, sink: impl Write) -> io::Result<()> {
    let mut writer = csv::Writer::from_writer(sink);
    writer.write_record(CSV_COLUMNS)?;
    for record in &results.records {
        writer.write_record(fields(record, results.repeats))?;
    }
    writer.flush()
}

fn fields(record: &Record, repeats: usize) -> Vec<String> {
    let number = |value: f64| format!("{value:?}");
    let mut fields =
        [&record.problem, &record.program, &record.integrator, &record.formulation].map(Clone::clone).to_vec();
    fields.extend([record.control.tolerance(), record.control.step()].map(|own| own.map_or(String::new(), number)));
    match &record.outcome {
        Ok(Measured { work, errors }) => {
            let Work { steps, rejected, evaluations, jacobians, factorizations, iterations, seconds } = *work;
            let counts = [steps, rejected, evaluations, jacobians, factorizations, iterations];
            fields.extend(counts.map(|count| count.to_string()));
            fields.push(number(seconds));
            fields.extend(listed(errors).map(|error| error.map_or(String::new(), number)));
            fields.extend([repeats.to_string(), String::new()]);
        }
        Err(failure) => {
            fields.resize(CSV_COLUMNS.len() - 2, String::new());
            fields.extend([repeats.to_string(), failure.clone()]);
        }
    }
    fields
}

/// Errors and violations in the order of the columns.
fn listed(errors: &Errors) -> [Option<f64>; 11] {
    [
        errors.state,
        errors.position,
        errors.velocity,
        errors.acceleration,
        errors.multiplier,
        errors.energy,
        errors.violation_position,
        errors.violation_orientation,
        errors.violation_velocity,
        errors.violation_angular_velocity,
        errors.digits,
    ]
}

#[derive(Serialize)]
struct Written<'a> {
    machine: &'a Machine,
    repeats: usize,
    complete: bool,
    problems: &'a [super::record::About],
    records: Vec<WrittenRecord<'a>>,
    at_equal_error: Vec<AtEqualError>,
}

#[derive(Serialize)]
struct WrittenRecord<'a> {
    problem: &'a str,
    program: &'a str,
    integrator: &'a str,
    formulation: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    tolerance: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    step: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    work: Option<&'a Work>,
    #[serde(skip_serializing_if = "Option::is_none")]
    errors: Option<&'a Errors>,
    #[serde(skip_serializing_if = "Option::is_none")]
    failure: Option<&'a str>,
}

impl<'a> WrittenRecord<'a> {
    fn of(record: &'a Record) -> Self {
        let Record { problem, program, integrator, formulation, control, outcome } = record;
        let measured = outcome.as_ref().ok();
        Self {
            problem,
            program,
            integrator,
            formulation,
            tolerance: control.tolerance(),
            step: control.step(),
            work: measured.map(|own| &own.work),
            errors: measured.map(|own| &own.errors),
            failure: outcome.as_ref().err().map(String::as_str),
        }
    }
}

/// Writes one JSON object: machine, problems, records, work at equal error.
///
/// # Errors
/// The error of the sink.
pub fn write_json(results: &Results, machine: &Machine, mut sink: impl Write) -> io::Result<()> {
    let written = Written {
        machine,
        repeats: results.repeats,
        complete: results.complete,
        problems: &results.problems,
        records: results.records.iter().map(WrittenRecord::of).collect(),
        at_equal_error: results.at_equal_error(),
    };
    serde_json::to_writer_pretty(&mut sink, &written)?;
    writeln!(sink)?;
    sink.flush()
}

/// Writes a table for each problem, as Markdown, and its work at equal error.
///
/// # Errors
/// The error of the sink.
pub fn write_text(results: &Results, machine: &Machine, mut sink: impl Write) -> io::Result<()> {
    writeln!(sink, "{}", printable(&machine.line()))?;
    let equal = results.at_equal_error();
    for about in &results.problems {
        let records: Vec<&Record> = results.of(&about.name).collect();
        writeln!(sink, "\n{}: {}, to t = {} s\n", about.name, printable(&about.title), Brief(about.end))?;
        sink.write_all(aligned(&rows(&records)).as_bytes())?;
        for record in &records {
            if let Err(failure) = &record.outcome {
                let (series, control) = (record.series(), record.control);
                writeln!(sink, "\n{}, {control}: {}", printable(&series), printable(failure))?;
            }
        }
        let at: Vec<&AtEqualError> = equal.iter().filter(|at| at.problem == about.name).collect();
        if !at.is_empty() {
            writeln!(sink, "\n{}: work at equal error\n", about.name)?;
            sink.write_all(aligned(&equal_rows(&at)).as_bytes())?;
        }
    }
    write_summary(results, &mut sink)?;
    sink.flush()
}

/// What the study comes to, where it has several formulations or a run at the tolerance of the goals.
fn write_summary(results: &Results, sink: &mut impl Write) -> io::Result<()> {
    let formulated = formulations(results);
    if !formulated.is_empty() {
        writeln!(sink, "\nformulations: geometric means over the problems that all of them solve\n")?;
        let row = |own: &Formulated| {
            let mut row = vec![own.series.clone(), format!("{:.0e}", own.tolerance), own.problems.to_string()];
            row.extend(own.errors.map(|error| format!("{error:.1e}")));
            row.push(format!("{:.0}", own.evaluations));
            row
        };
        let mut head = ["method", "tolerance", "problems"].map(str::to_owned).to_vec();
        head.extend(QUANTITIES.map(|quantity| quantity.name().to_owned()));
        head.push("evaluations".to_owned());
        let rows: Vec<_> = std::iter::once(head).chain(formulated.iter().map(row)).collect();
        sink.write_all(aligned(&rows).as_bytes())?;
    }
    let goals = goals(results);
    if !goals.is_empty() {
        writeln!(
            sink,
            "\ngoals at {GOAL_TOLERANCE:.0e}: positions or states to {GOAL_POSITION:.0e}, reactions to {GOAL_MULTIPLIER:.0e}\n"
        )?;
        // Without padding: lists of some are ten times as long as those of others.
        writeln!(sink, "| problem | met by | missed by | fails, unlike at looser tolerances |\n|---|---|---|---|")?;
        for Goals { problem, met, missed, failed } in &goals {
            let lists = [met, missed, failed].map(|list| printable(&list.join("; ")).to_string());
            writeln!(sink, "| {} | {} |", printable(problem), lists.join(" | "))?;
        }
        let open: Vec<&str> = goals.iter().filter(|own| own.met.is_empty()).map(|own| own.problem.as_str()).collect();
        let met = goals.len() - open.len();
        let rest = if open.is_empty() { String::new() } else { format!("; not of {}", open.join(", ")) };
        writeln!(sink, "\nreferences met by at least one method: {met} of {}{rest}", goals.len())?;
    }
    Ok(())
}

/// A column of the text: its head, and what it shows of a run.
type Shown = (&'static str, fn(&Measured) -> Option<String>);

fn error(value: Option<f64>) -> Option<String> {
    value.map(|value| if value == 0.0 { "0".to_owned() } else { format!("{value:.1e}") })
}

/// The larger of both, whatever their units.
fn larger(a: Option<f64>, b: Option<f64>) -> Option<f64> {
    [a, b].into_iter().flatten().reduce(f64::max)
}

const SHOWN: [Shown; 14] = [
    ("state", |own| error(own.errors.state)),
    ("position", |own| error(own.errors.position)),
    ("velocity", |own| error(own.errors.velocity)),
    ("acceleration", |own| error(own.errors.acceleration)),
    ("multiplier", |own| error(own.errors.multiplier)),
    ("digits", |own| own.errors.digits.map(|digits| format!("{digits:.1}"))),
    ("energy", |own| error(own.errors.energy)),
    ("violation", |own| error(larger(own.errors.violation_position, own.errors.violation_orientation))),
    ("of rates", |own| error(larger(own.errors.violation_velocity, own.errors.violation_angular_velocity))),
    ("steps", |own| Some(own.work.steps.to_string())),
    ("evaluations", |own| Some(own.work.evaluations.to_string())),
    ("jacobians", |own| Some(own.work.jacobians.to_string())),
    ("factorizations", |own| Some(own.work.factorizations.to_string())),
    ("ms", |own| Some(format!("{:.3}", own.work.seconds * 1e3))),
];

/// A row for each record under a head; columns that none has are left out.
fn rows(records: &[&Record]) -> Vec<Vec<String>> {
    let has = |(_, show): &&Shown| records.iter().any(|own| own.outcome.as_ref().is_ok_and(|own| show(own).is_some()));
    let shown: Vec<&Shown> = SHOWN.iter().filter(has).collect();
    let stepped = records.iter().any(|own| own.control.step().is_some());
    let control = if stepped { "tolerance or step" } else { "tolerance" };
    let mut head = vec!["method".to_owned(), control.to_owned()];
    head.extend(shown.iter().map(|(name, _)| (*name).to_owned()));
    // A study that failed altogether still has a table.
    if shown.is_empty() {
        head.push("steps".to_owned());
    }
    let width = head.len();
    let row = |record: &&Record| {
        let mut row = vec![record.series(), record.control.to_string()];
        match &record.outcome {
            Ok(measured) => row.extend(shown.iter().map(|(_, show)| show(measured).unwrap_or_default())),
            Err(_) => row.push("failed".to_owned()),
        }
        row.resize(width, String::new());
        row
    };
    std::iter::once(head).chain(records.iter().map(row)).collect()
}

fn equal_rows(at: &[&AtEqualError]) -> Vec<Vec<String>> {
    let mut errors: Vec<f64> = at.iter().map(|at| at.error).collect();
    errors.sort_by(|a, b| b.total_cmp(a));
    errors.dedup();
    let mut series: Vec<&str> = at.iter().map(|at| at.series.as_str()).collect();
    series.dedup();
    let head = ["error".to_owned()].into_iter().chain(series.iter().map(|name| format!("{name} [ms (evaluations)]")));
    let row = |error: f64| {
        let cell = |name: &&str| {
            let own = at.iter().find(|at| at.error == error && at.series == **name);
            own.map_or(String::new(), |own| format!("{:.3} ({:.0})", own.seconds * 1e3, own.evaluations))
        };
        [format!("{error:.0e}")].into_iter().chain(series.iter().map(cell)).collect()
    };
    std::iter::once(head.collect()).chain(errors.into_iter().map(row)).collect()
}

/// A Markdown table; the first row is its head.
fn aligned(rows: &[Vec<String>]) -> String {
    let width = |k: usize| rows.iter().map(|row| row[k].chars().count()).max().unwrap_or(0);
    let widths: Vec<usize> = (0..rows.first().map_or(0, Vec::len)).map(width).collect();
    let line = |row: &Vec<String>| {
        let cell = |(k, cell): (usize, &String)| {
            let (cell, width) = (printable(cell), widths[k]);
            if k == 0 { format!("{cell:width$}") } else { format!("{cell:>width$}") }
        };
        format!("| {} |\n", row.iter().enumerate().map(cell).collect::<Vec<_>>().join(" | "))
    };
    let rule: Vec<String> = widths
        .iter()
        .enumerate()
        .map(|(k, width)| if k == 0 { "-".repeat(*width) } else { format!("{}:", "-".repeat(width.saturating_sub(1))) })
        .collect();
    let mut text = rows.first().map_or(String::new(), line);
    text += &line(&rule);
    text.extend(rows.iter().skip(1).map(line));
    text
}
