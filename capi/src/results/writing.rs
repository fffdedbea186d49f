//! Results of a run: read as arrays, written as CSV, JSON and as a report.

use std::ffi::c_char;
use std::io::{self, BufWriter, IntoInnerError};
use std::path::Path;

use fourbar::coupling::application::{OutputFile, same};
use fourbar::file::ModelFile;
use fourbar::results::{CsvWriter, Report};
use fourbar::run::Observer;

use super::bodies::Bodies;
use super::csv::unwritable;
use super::run::{Whole, column, fourbar_run, with_results};
use crate::abi::error::Failure;
use crate::abi::status::fourbar_status;
use crate::abi::view;
use crate::coupling::of_model;

/// The output times \[s\], `length` = number of rows.
///
/// Errors: `FOURBAR_NULL`, `FOURBAR_LENGTH`; `FOURBAR_STATE` before the run is executed.
///
/// # Safety
/// `times` is NULL or has `length` values; `run` is NULL or alive.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fourbar_run_times(run: *const fourbar_run, times: *mut f64, length: usize) -> fourbar_status {
    // SAFETY: by contract.
    unsafe { with_results(run, |_, table, _| view::copy(table.times(), times, length, "times")) }
}

/// The values of column `i` at the output times, in its unit, `length` = number of rows.
///
/// Errors: `FOURBAR_NULL`, `FOURBAR_LENGTH`; `FOURBAR_INVALID` where there is no such column; `FOURBAR_STATE` before the run is executed.
///
/// # Safety
/// `values` is NULL or has `length` values; `run` is NULL or alive.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fourbar_run_series(
    run: *const fourbar_run,
    i: usize,
    values: *mut f64,
    length: usize,
) -> fourbar_status {
    // SAFETY: by contract.
    unsafe {
        with_results(run, |whole, table, _| {
            column(whole, i)?;
            let series: Vec<f64> = table.series(i).collect();
            view::copy(&series, values, length, "values")
        })
    }
}

/// The summary as a JSON text: model, status, end time, last values, statistics, warnings, error; into `buffer` as `fourbar_run_column_name` does.
///
/// Errors: `FOURBAR_NULL`, `FOURBAR_LENGTH`; `FOURBAR_STATE` before the run is executed.
///
/// # Safety
/// `buffer` is NULL or has `size` bytes; the others are NULL or valid.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fourbar_run_summary(
    run: *const fourbar_run,
    buffer: *mut c_char,
    size: usize,
    needed: *mut usize,
) -> fourbar_status {
    // SAFETY: by contract.
    unsafe {
        with_results(run, |_, _, summary| {
            let text = serde_json::to_string(summary);
            let text = text.map_err(|error| Failure::new(fourbar_status::FOURBAR_INVALID, error))?;
            view::copy_text(&text, buffer, size, needed)
        })
    }
}

/// Writes the table as CSV to the file at `path`: a header `time [s],tip.x [m],..`, then one line for each output time. The file is written beside its
/// place and put there when it is whole: a file of before stays as it is until then.
///
/// Errors: `FOURBAR_NULL`, `FOURBAR_TEXT`; `FOURBAR_FILE`; `FOURBAR_INVALID` for a file that the run reads; `FOURBAR_STATE` before the run is executed.
///
/// # Safety
/// `path` is NULL or ends with a NUL; `run` is NULL or alive.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fourbar_run_write_csv(run: *const fourbar_run, path: *const c_char) -> fourbar_status {
    // SAFETY: by contract.
    unsafe {
        with_results(run, |whole, table, _| {
            to_file(whole, view::text(path, "path")?, |file| {
                let mut csv = CsvWriter::new(file);
                csv.begin(table.columns())?;
                let mut row = vec![0.0; table.columns().len()];
                let mut series: Vec<_> = (0..row.len()).map(|i| table.series(i)).collect();
                for time in table.times() {
                    for (value, column) in row.iter_mut().zip(&mut series) {
                        *value = column.next().unwrap_or(f64::NAN);
                    }
                    csv.output(*time, &row)?;
                }
                csv.finish().map(|_| ())
            })
        })
    }
}

/// Writes the report as one HTML page, with plots, that needs nothing else, to the file at `path`.
///
/// Errors: as `fourbar_run_write_csv`.
///
/// # Safety
/// As `fourbar_run_write_csv`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fourbar_run_write_report(run: *const fourbar_run, path: *const c_char) -> fourbar_status {
    // SAFETY: by contract.
    unsafe {
        with_results(run, |whole, table, summary| {
            let settings = whole.run.settings();
            let animation = whole.bodies.as_ref().map(Bodies::animation).transpose();
            let animation = animation.map_err(|error| of_model(&error))?;
            let animation = animation.as_ref();
            let report = Report { description: &whole.description, settings: &settings, summary, table, animation };
            to_file(whole, view::text(path, "path")?, |file| report.write(file))
        })
    }
}

fn to_file(
    whole: &Whole,
    path: &str,
    write: impl FnOnce(&mut BufWriter<OutputFile>) -> io::Result<()>,
) -> Result<(), Failure> {
    let files = whole.file.as_ref().map_or_else(Vec::new, ModelFile::files);
    if let Some(read) = files.iter().find(|read| same(Path::new(path), read)) {
        let text = format!("{path} is {}, which the run reads; give another name", read.display());
        return Err(Failure::new(fourbar_status::FOURBAR_INVALID, text));
    }
    let written = OutputFile::create(Path::new(path)).and_then(|file| {
        let mut file = BufWriter::new(file);
        write(&mut file)?;
        file.into_inner().map_err(IntoInnerError::into_error)?.finish()
    });
    written.map_err(|error| unwritable(path, &error))
}
