//! Columns by name, rows as they come.

use std::ffi::c_char;
use std::path::Path;

use fourbar::coupling::application::OutputFile;
use fourbar::results::{Column, CsvWriter};
use fourbar::run::Observer;

use crate::abi::error::Failure;
use crate::abi::handle::{self, Exclusive};
use crate::abi::status::fourbar_status;
use crate::abi::view;

/// A file that is written row by row. `None` once it is closed.
struct Csv {
    path: String,
    columns: usize,
    writer: Option<CsvWriter<OutputFile>>,
}

impl Csv {
    /// Puts the file to its place.
    fn close(&mut self) -> Result<(), Failure> {
        let Some(writer) = self.writer.take() else {
            return Err(Failure::new(fourbar_status::FOURBAR_STATE, format!("{} is closed", self.path)));
        };
        writer.finish().and_then(OutputFile::finish).map_err(|error| unwritable(&self.path, &error))
    }
}

impl Drop for Csv {
    fn drop(&mut self) {
        // Nobody is left to be told.
        let _ = self.close();
    }
}

/// A file of comma-separated values: `time [s]` and columns by name with their units, one row for each time. Used by one thread at a time.
#[allow(non_camel_case_types)]
pub struct fourbar_csv {
    own: Exclusive<Csv>,
}

/// # Safety
/// `csv` is NULL or alive.
unsafe fn with(csv: *const fourbar_csv, call: impl FnOnce(&mut Csv) -> Result<(), Failure>) -> fourbar_status {
    // SAFETY: by contract.
    match unsafe { csv.as_ref() } {
        Some(csv) => csv.own.with("csv", call),
        None => handle::null("csv"),
    }
}

pub(super) fn unwritable(path: &str, error: &std::io::Error) -> Failure {
    Failure::new(fourbar_status::FOURBAR_FILE, format!("cannot write {path}: {error}"))
}

/// Begins the file that is to stand at `path`, and writes its header: `count` names and units (NULL or "": a pure number; `units` NULL: all
/// of them). It is written beside its place, hidden, under the same name with `.part` at the end, and put there by `fourbar_csv_close`: until then a file of
/// before stays as it is. Links are followed; devices, pipes and standard streams are written directly. The header is in the hands of the
/// operating system when the function returns.
///
/// Errors: `FOURBAR_NULL`, `FOURBAR_TEXT`; `FOURBAR_FILE` with the answer of the operating system.
///
/// # Safety
/// Texts end with a NUL; `names` is NULL or has `count` texts, `units` is NULL or has `count` of them; `out` is NULL or valid.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fourbar_csv_new(
    path: *const c_char,
    names: *const *const c_char,
    units: *const *const c_char,
    count: usize,
    out: *mut *mut fourbar_csv,
) -> fourbar_status {
    // SAFETY: by contract.
    unsafe {
        handle::give(out, "out", || {
            let path = view::text(path, "path")?.to_owned();
            let names = view::slice(names, count, "names")?;
            let units = if units.is_null() { &[] } else { view::slice(units, count, "units")? };
            let column = |(i, name): (usize, String)| {
                let unit = units.get(i).copied().filter(|unit| !unit.is_null());
                let unit = unit.map_or(Ok(""), |unit| view::text(unit, &format!("units[{i}]")))?;
                Ok(Column { name, unit: unit.to_owned() })
            };
            let columns = view::texts(names, "names")?.into_iter().enumerate().map(column);
            let columns = columns.collect::<Result<Vec<_>, Failure>>()?;
            let file = OutputFile::create(Path::new(&path)).map_err(|error| unwritable(&path, &error))?;
            let mut writer = CsvWriter::new(file);
            writer.begin(&columns).map_err(|error| unwritable(&path, &error))?;
            let csv = Csv { path, columns: columns.len(), writer: Some(writer) };
            Ok(fourbar_csv { own: Exclusive::new(csv) })
        })
    }
}

/// Writes a row: a time \[s\] and `length` values, as many as there are columns. Numbers have the fewest digits that give the same double back,
/// NaN and infinity are written as `NaN` and `inf`. The row is in the hands of the operating system when the function returns.
///
/// Errors: `FOURBAR_NULL`, `FOURBAR_LENGTH`; `FOURBAR_STATE` once the file is closed; `FOURBAR_FILE`.
///
/// # Safety
/// `values` is NULL or has `length` values; `csv` is NULL or alive.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fourbar_csv_write(
    csv: *mut fourbar_csv,
    time: f64,
    values: *const f64,
    length: usize,
) -> fourbar_status {
    // SAFETY: by contract.
    unsafe {
        with(csv, |csv| {
            let values = view::slice(values, length, "values")?;
            if length != csv.columns {
                let text = format!("'values' has length {length}, but the file has {} columns", csv.columns);
                return Err(Failure::new(fourbar_status::FOURBAR_LENGTH, text));
            }
            let Some(writer) = &mut csv.writer else {
                return Err(Failure::new(fourbar_status::FOURBAR_STATE, format!("{} is closed", csv.path)));
            };
            writer.output(time, values).map_err(|error| unwritable(&csv.path, &error))
        })
    }
}

/// Puts the file, which is whole now, to its place; what follows is only to free the handle.
///
/// Errors: `FOURBAR_NULL`; `FOURBAR_STATE` when it is closed already; `FOURBAR_FILE` where the last bytes cannot be written.
///
/// # Safety
/// `csv` is NULL or alive.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fourbar_csv_close(csv: *mut fourbar_csv) -> fourbar_status {
    // SAFETY: by contract.
    unsafe { with(csv, Csv::close) }
}

/// The text of the last failure on this handle, empty before the first: valid as long as the handle.
///
/// # Safety
/// `csv` is NULL or alive; no other thread uses it.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fourbar_csv_error(csv: *const fourbar_csv) -> *const c_char {
    // SAFETY: by contract.
    unsafe { csv.as_ref() }.map_or(c"".as_ptr(), |csv| csv.own.message())
}

/// Closes the file as `fourbar_csv_close` does if it is open, whatever becomes of its last bytes, and frees the handle. NULL is allowed.
///
/// # Safety
/// `csv` is NULL or alive, and not used afterwards.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fourbar_csv_free(csv: *mut fourbar_csv) {
    // SAFETY: by contract.
    unsafe { handle::free(csv) }
}
