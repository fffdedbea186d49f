//! A model file of any type, run from its start to its end.

use std::ffi::c_char;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use fourbar::file::ModelFile;
use fourbar::multibody::host::HostFunctions;
use fourbar::results::{Column, Status, Summary, Table};
use fourbar::run::{Overrides, RUN_SETTINGS, Run};

use crate::abi::error::Failure;
use crate::abi::handle::{self, Exclusive};
use crate::abi::options;
use crate::abi::status::fourbar_status;
use crate::abi::{guard, view};
use crate::coupling::of_model;
use crate::results::bodies::Bodies;
use crate::results::options::fourbar_run_options;

/// How a run ended.
#[allow(non_camel_case_types)]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(i32)]
pub enum fourbar_outcome {
    /// At the end time.
    FOURBAR_OUTCOME_DONE = 1,
    /// By `fourbar_run_interrupt` or `fourbar_interrupt_raise`, at an accepted step.
    FOURBAR_OUTCOME_INTERRUPTED = 2,
    /// With an error; the results up to the last accepted step stand.
    FOURBAR_OUTCOME_FAILED = 3,
}

/// A run and its results.
pub(super) struct Whole {
    /// Where errors have lines; None for a model that was built call by call.
    pub(super) file: Option<ModelFile>,
    pub(super) description: String,
    pub(super) run: Run,
    /// What it keeps of its bodies, if it was asked to.
    pub(super) bodies: Option<Bodies>,
    /// Once it has been executed.
    pub(super) results: Option<(Table, Summary)>,
}

impl Whole {
    /// The columns of the table: what is kept of bodies travels beside them.
    fn columns(&self) -> impl Iterator<Item = &Column> {
        self.run.columns().iter().filter(|column| !Bodies::is_hidden(&column.name))
    }
}

/// A model that is run as a whole, and the results of its last run. Used by one thread at a time, but for `fourbar_run_interrupt`.
#[allow(non_camel_case_types)]
pub struct fourbar_run {
    own: Exclusive<Whole>,
    stop: Arc<AtomicBool>,
}

/// # Safety
/// `run` is NULL or alive.
pub(super) unsafe fn with(
    run: *const fourbar_run,
    call: impl FnOnce(&mut Whole) -> Result<(), Failure>,
) -> fourbar_status {
    // SAFETY: by contract.
    match unsafe { run.as_ref() } {
        Some(run) => run.own.with("run", call),
        None => handle::null("run"),
    }
}

/// # Safety
/// `run` is NULL or alive.
pub(super) unsafe fn with_results(
    run: *const fourbar_run,
    call: impl FnOnce(&Whole, &Table, &Summary) -> Result<(), Failure>,
) -> fourbar_status {
    // SAFETY: by contract.
    unsafe {
        with(run, |whole| match &whole.results {
            Some((table, summary)) => call(whole, table, summary),
            None => {
                let text = "there are no results yet: call fourbar_run_execute first";
                Err(Failure::new(fourbar_status::FOURBAR_STATE, text))
            }
        })
    }
}

/// # Safety
/// The options are NULL or as they say.
unsafe fn run_of(
    file: Result<ModelFile, fourbar::Error>,
    given: *const fourbar_run_options,
) -> Result<fourbar_run, Failure> {
    // SAFETY: by contract.
    let given = unsafe { options::read(given) }?;
    let file = file.map_err(|error| of_model(&error))?;
    // SAFETY: by contract.
    let overrides = unsafe { given.overrides() }?;
    let bodies = given.kept(file.document(), &HostFunctions::default())?;
    let document = bodies.as_ref().map_or(file.document(), Bodies::document);
    let run = Run::new(document, &overrides).map_err(|error| refused(&file, &overrides, error))?;
    let description = file.document().description().to_owned();
    Ok(fourbar_run::new(run, bodies, Some(file), description))
}

impl fourbar_run {
    /// A run that has not been executed.
    pub(super) fn new(run: Run, bodies: Option<Bodies>, file: Option<ModelFile>, description: String) -> Self {
        let stop = run.interrupt();
        Self { own: Exclusive::new(Whole { file, description, run, bodies, results: None }), stop }
    }
}

/// Why there is no run. What the model alone would not be refused for is laid to the options, not to a line of the model.
fn refused(file: &ModelFile, overrides: &Overrides, error: fourbar::Error) -> Failure {
    let given =
        RUN_SETTINGS.iter().filter_map(|setting| Some(format!("{} = {}", setting.name, overrides.text(setting.name)?)));
    let given: Vec<String> = given.collect();
    if given.is_empty() || Run::new(file.document(), &Overrides::default()).is_err() {
        return of_model(&file.explain(error));
    }
    let told = of_model(&error);
    Failure::new(told.status(), format!("with the options of the run ({}): {}", given.join(", "), told.text()))
}

/// Compiles the model file at `path`, of any type (docs/model-format.md); `options` NULL means those of the model.
///
/// Errors: `FOURBAR_NULL`, `FOURBAR_TEXT`, `FOURBAR_STRUCT_SIZE`; `FOURBAR_FILE`; `FOURBAR_NOT_FINITE`; `FOURBAR_INVALID` with line, column and remedy; `FOURBAR_UNSUPPORTED` for a setting that the type of
/// model does not have.
///
/// # Safety
/// `path` is NULL or ends with a NUL; the options are NULL or as they say; `out` is NULL or valid.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fourbar_run_from_file(
    path: *const c_char,
    options: *const fourbar_run_options,
    out: *mut *mut fourbar_run,
) -> fourbar_status {
    // SAFETY: by contract.
    unsafe { handle::give(out, "out", || run_of(ModelFile::load(view::text(path, "path")?), options)) }
}

/// The same from the text of a model file, UTF-8 with a NUL at its end; `file` is its name in messages, and files that it names are sought in
/// the folder of that; NULL: the present folder.
///
/// Errors: as `fourbar_run_from_file`.
///
/// # Safety
/// Texts are NULL or end with a NUL; the options are NULL or as they say; `out` is NULL or valid.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fourbar_run_from_toml(
    text: *const c_char,
    file: *const c_char,
    options: *const fourbar_run_options,
    out: *mut *mut fourbar_run,
) -> fourbar_status {
    // SAFETY: by contract.
    unsafe {
        handle::give(out, "out", || {
            let text = view::text(text, "text")?;
            let file = if file.is_null() { "model.toml" } else { view::text(file, "file")? };
            run_of(ModelFile::parse(file, text), options)
        })
    }
}

/// Runs from the start to the end, or until `fourbar_run_interrupt`, or until what the thread watches is raised (`fourbar_interrupt_watch`); the results
/// before are replaced. `outcome` receives a value of `fourbar_outcome`: a
/// run that fails half way has results too, and `fourbar_run_summary` says why it failed.
///
/// Errors: `FOURBAR_NULL`; those of a run that cannot begin.
///
/// # Safety
/// Pointers are NULL or valid.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fourbar_run_execute(run: *mut fourbar_run, outcome: *mut i32) -> fourbar_status {
    // SAFETY: by contract.
    unsafe {
        let stop = run.as_ref().map(|run| &run.stop);
        with(run, |whole| {
            view::reference(outcome, "outcome")?;
            let stop = stop.ok_or_else(|| Failure::null("run"))?;
            stop.store(false, Ordering::Relaxed);
            whole.results = None;
            let mut table = Table::default();
            let executed = match &mut whole.bodies {
                Some(bodies) => bodies.execute(&whole.run, &mut table, stop),
                None => whole.run.execute(&mut [&mut table], stop),
            };
            let explain = |error| match &whole.file {
                Some(file) => file.explain(error),
                None => error,
            };
            let executed = executed.map_err(|error| of_model(&explain(error)))?;
            let number = match executed.summary.status {
                Status::Done => fourbar_outcome::FOURBAR_OUTCOME_DONE,
                Status::Interrupted => fourbar_outcome::FOURBAR_OUTCOME_INTERRUPTED,
                Status::Failed => fourbar_outcome::FOURBAR_OUTCOME_FAILED,
            };
            whole.results = Some((table, executed.summary));
            view::write(outcome, number as i32, "outcome")
        })
    }
}

/// Ends a run that is being executed, after its present step, or, where a step of a mechanism takes long, after the step before. May be called from any thread, at any time; does nothing where none is under way.
///
/// Errors: `FOURBAR_NULL`.
///
/// # Safety
/// `run` is NULL or alive.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fourbar_run_interrupt(run: *const fourbar_run) -> fourbar_status {
    // SAFETY: by contract.
    guard::guard(|| unsafe {
        view::reference(run, "run")?.stop.store(true, Ordering::Relaxed);
        Ok(())
    })
}

/// The numbers of columns (without the time) and of rows; each may be NULL where it is not asked for. There are no rows before the run is
/// executed.
///
/// Errors: `FOURBAR_NULL`.
///
/// # Safety
/// Pointers are NULL or valid.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fourbar_run_size(
    run: *const fourbar_run,
    columns: *mut usize,
    rows: *mut usize,
) -> fourbar_status {
    // SAFETY: by contract.
    unsafe {
        with(run, |whole| {
            if !columns.is_null() {
                columns.write(whole.columns().count());
            }
            if !rows.is_null() {
                rows.write(whole.results.as_ref().map_or(0, |(table, _)| table.times().len()));
            }
            Ok(())
        })
    }
}

/// Column `i` (from 0).
pub(super) fn column(whole: &Whole, i: usize) -> Result<&Column, Failure> {
    whole.columns().nth(i).ok_or_else(|| {
        let text = format!("column {i} was asked for; there are {}, counted from 0", whole.columns().count());
        Failure::new(fourbar_status::FOURBAR_INVALID, text)
    })
}

/// The name of column `i` (from 0) into `buffer` of `size` bytes; `needed` receives the bytes that it takes with its NUL. With `size` 0, `buffer` may be
/// NULL.
///
/// Errors: `FOURBAR_NULL`; `FOURBAR_INVALID` where there is no such column; `FOURBAR_LENGTH` when the buffer is too short.
///
/// # Safety
/// `buffer` is NULL or has `size` bytes; the others are NULL or valid.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fourbar_run_column_name(
    run: *const fourbar_run,
    i: usize,
    buffer: *mut c_char,
    size: usize,
    needed: *mut usize,
) -> fourbar_status {
    // SAFETY: by contract.
    unsafe { with(run, |whole| view::copy_text(&column(whole, i)?.name, buffer, size, needed)) }
}

/// The unit of column `i`, empty for a pure number, as `fourbar_run_column_name` does.
///
/// Errors: as `fourbar_run_column_name`.
///
/// # Safety
/// As `fourbar_run_column_name`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fourbar_run_column_unit(
    run: *const fourbar_run,
    i: usize,
    buffer: *mut c_char,
    size: usize,
    needed: *mut usize,
) -> fourbar_status {
    // SAFETY: by contract.
    unsafe { with(run, |whole| view::copy_text(&column(whole, i)?.unit, buffer, size, needed)) }
}

/// The text of the last failure on this handle, empty before the first: valid as long as the handle.
///
/// # Safety
/// `run` is NULL or alive; no other thread uses it.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fourbar_run_error(run: *const fourbar_run) -> *const c_char {
    // SAFETY: by contract.
    unsafe { run.as_ref() }.map_or(c"".as_ptr(), |run| run.own.message())
}

/// Frees a run and its results. NULL is allowed.
///
/// # Safety
/// `run` is NULL or alive, and not used afterwards.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fourbar_run_free(run: *mut fourbar_run) {
    // SAFETY: by contract.
    unsafe { handle::free(run) }
}
