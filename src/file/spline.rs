//! Curves in files of columns, which the `[[spline]]` and `[[curve]]` entries of a model name: numbers in rows, separated by commas, semicolons, tabs or
//! blanks. The first row may name the columns; empty lines and those that begin with `#` do not count.

use super::LARGEST;
use super::issue::{Issue, Segment};
use fourbar_multibody::expression::Expression;
use fourbar_multibody::model::SourceFile;
use fourbar_multibody::model::{Column, Curve, Ordinates, Spline};
use serde::de::Error as _;
use std::fs::File;
use std::io::Read;
use std::path::Path;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

/// Reads the files that `splines` name, which lie in `folder`; `file` is the table in which they are written.
pub(super) fn read(splines: &mut [Spline], file: &DeTable<'_>, folder: &Path) -> Result<(), Issue> {
    for (index, spline) in splines.iter_mut().enumerate() {
        entry(file, "spline", index, &mut |entry| check(spline, entry).and_then(|()| read_file(spline, folder)))?;
    }
    Ok(())
}

/// As [`read`], of `[[curve]]` entries.
pub(super) fn read_curves(curves: &mut [Curve], file: &DeTable<'_>, folder: &Path) -> Result<(), Issue> {
    for (index, curve) in curves.iter_mut().enumerate() {
        entry(file, "curve", index, &mut |entry| read_points(curve, entry, folder))?;
    }
    Ok(())
}

/// Reads one entry of a section; what is wrong is told at its field.
fn entry(
    file: &DeTable<'_>,
    section: &str,
    index: usize,
    read: &mut dyn FnMut(Option<&DeValue<'_>>) -> Result<(), Fault>,
) -> Result<(), Issue> {
    let entry = file.get(section).and_then(|section| section.get_ref().get(index));
    read(entry.map(Spanned::get_ref)).map_err(|(field, message)| {
        let value = entry.and_then(|entry| entry.get_ref().get(field)).or(entry);
        let issue = Issue::custom(message).at(value.map_or(0..0, Spanned::span));
        issue
            .within(Segment::Key(field.to_owned()))
            .within(Segment::Index(index))
            .within(Segment::Key(section.to_owned()))
    })
}

/// Points of a curve, two or three columns.
fn read_points(curve: &mut Curve, entry: Option<&DeValue<'_>>, folder: &Path) -> Result<(), Fault> {
    let has_points = entry.is_some_and(|entry| entry.get("points").is_some());
    let Some(name) = curve.file.clone() else {
        return match (has_points, curve.columns.is_empty()) {
            (_, false) => Err(("columns", "there is no file with columns; name it by `file`".to_owned())),
            (false, true) => Err(("points", "the curve has no points; write `points`, or `file`".to_owned())),
            (true, true) => Ok(()),
        };
    };
    if has_points {
        return Err(("file", "points are given in the model and in a file; remove one of them".to_owned()));
    }
    if !matches!(curve.columns.len(), 0 | 2 | 3) {
        let message = format!("{} columns for points; name those of x and y, or of x, y and z", curve.columns.len());
        return Err(("columns", message));
    }
    let path = folder.join(&name);
    let text = text_of(&path)?;
    let columns = columns(&text, &curve.columns, curve.columns.len().max(2) - 1, &name)?;
    let point = |k: usize| columns.iter().map(|column| Expression::constant(column[k])).collect();
    curve.points = (0..columns[0].len()).map(point).collect();
    curve.columns.clear();
    (curve.file, curve.source) = (None, Some(SourceFile::new(path)));
    Ok(())
}

fn text_of(path: &Path) -> Result<String, Fault> {
    let cannot = |error: &dyn std::fmt::Display| ("file", format!("cannot read {}: {error}", path.display()));
    let mut text = String::new();
    File::open(path).and_then(|file| file.take(LARGEST + 1).read_to_string(&mut text)).map_err(|e| cannot(&e))?;
    if text.len() as u64 > LARGEST {
        return Err(cannot(&format!("it is larger than {} MiB; write fewer points", LARGEST >> 20)));
    }
    Ok(text)
}

/// The field at fault, and what is wrong.
type Fault = (&'static str, String);

/// Points are written in the model, or in a file.
fn check(spline: &Spline, entry: Option<&DeValue<'_>>) -> Result<(), Fault> {
    let has = |field: &str| entry.is_some_and(|entry| entry.get(field).is_some());
    match &spline.file {
        None if !spline.columns.is_empty() => {
            Err(("columns", "there is no file with columns; name it by `file`".to_owned()))
        }
        None if !has("x") => Err(("x", "the spline has no points; write `x` and `y`, or `file`".to_owned())),
        None if !has("y") => Err(("y", "the spline has no values; write `y`, one for each `x`".to_owned())),
        Some(_) if has("x") || has("y") => {
            Err(("file", "points are given in the model and in a file; remove one of them".to_owned()))
        }
        _ => Ok(()),
    }
}

fn read_file(spline: &mut Spline, folder: &Path) -> Result<(), Fault> {
    let Some(name) = spline.file.take() else { return Ok(()) };
    let path = folder.join(&name);
    let text = text_of(&path)?;
    let curves = spline.z.len().max(1);
    if !spline.columns.is_empty() && spline.columns.len() != curves + 1 {
        let message = format!("{} columns for x and {curves} of y; name {}", spline.columns.len(), curves + 1);
        return Err(("columns", message));
    }
    let columns = columns(&text, &spline.columns, curves, &name)?;
    let mut columns = columns.into_iter();
    spline.x = columns.next().unwrap_or_default();
    spline.y = Ordinates(columns.collect());
    spline.columns.clear();
    spline.source = Some(SourceFile::new(path));
    Ok(())
}

/// The columns wanted: that of x and those of the curves.
fn columns(text: &str, wanted: &[Column], curves: usize, file: &str) -> Result<Vec<Vec<f64>>, Fault> {
    let lines = (1..).zip(text.trim_start_matches('\u{feff}').lines().map(str::trim));
    let mut rows = lines.filter(|(_, line)| !line.is_empty() && !line.starts_with('#')).peekable();
    let is_header = |line: &str| cells(line).any(|cell| cell.parse::<f64>().is_err());
    let header: Vec<&str> = match rows.next_if(|(_, line)| is_header(line)) {
        Some((_, line)) => cells(line).map(|cell| cell.trim_matches('"')).collect(),
        None => Vec::new(),
    };
    let place = |column: &Column| match column {
        Column::Number(0) => Err(("columns", format!("there is no column 0 in {file}; columns count from 1"))),
        Column::Number(number) => Ok(number - 1),
        Column::Name(name) => header.iter().position(|known| known == name).ok_or_else(|| {
            let known = if header.is_empty() { "it has no line with names".to_owned() } else { header.join(", ") };
            ("columns", format!("no column of {file} is named \"{name}\"; its columns: {known}"))
        }),
    };
    let places = match wanted {
        [] => (0..=curves).collect(),
        wanted => wanted.iter().map(place).collect::<Result<Vec<_>, _>>()?,
    };
    let mut columns = vec![Vec::new(); places.len()];
    for (line, row) in rows {
        let row: Vec<&str> = cells(row).collect();
        for (column, &place) in columns.iter_mut().zip(&places) {
            let cell = row.get(place).ok_or_else(|| {
                ("file", format!("line {line} of {file} has {} columns; column {} is wanted", row.len(), place + 1))
            })?;
            let value = cell.parse::<f64>().ok().filter(|value| value.is_finite());
            let fault =
                || ("file", format!("line {line} of {file}: `{cell}` in column {} is no finite number", place + 1));
            column.push(value.ok_or_else(fault)?);
        }
    }
    Ok(columns)
}

/// The cells of a row.
fn cells(line: &str) -> impl Iterator<Item = &str> {
    let separator = [';', ',', '\t'].into_iter().find(|separator| line.contains(*separator));
    let separated = line.split(move |c: char| separator.map_or(c.is_whitespace(), |separator| c == separator));
    separated.map(str::trim).filter(move |cell| separator.is_some() || !cell.is_empty())
}
