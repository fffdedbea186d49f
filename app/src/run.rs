//! `fourbar run`: a model file to results.

use crate::args::{FederateArguments, RunArguments};
use crate::draw;
use crate::exit::{Exit, Failure};
use crate::files;
use crate::progress::Progress;
use crate::signals::{self, Asked};
use crate::sinks::{Sinks, whole};
use crate::table::TableFile;
use crate::text::{DIGITS, number, two_columns};
use crate::watch;
use fourbar::Error;
use fourbar::coupling::Error as CouplingError;
use fourbar::coupling::application::OutputFile;
use fourbar::file::ModelFile;
use fourbar::hydraulics::Error as CircuitError;
use fourbar::linalg::Interrupt;
use fourbar::linalg::text::printable;
use fourbar::multibody::{Error as MechanismError, ModelError};
use fourbar::results::{Cell, Column, DetailTable, FaultReport, Report, Status, Summary, Table, with_problem};
use fourbar::run::{Observer, Outcome, Run};
use fourbar::scene::{Curtain, Film, Recorder, Stage, glb, is_hidden};
use std::io::{self, Write};
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

/// Faults printed at most.
const FAULTS_SHOWN: usize = 20;

pub(crate) fn run(arguments: &RunArguments) -> Result<Exit, Failure> {
    let stop = Stop::watch(arguments.watch);
    if arguments.watch {
        return watch::repeat(&arguments.model, |read| {
            let loaded = arguments.variant.load(&arguments.model);
            let done = loaded.and_then(|file| {
                *read = file.files();
                once(arguments, &file, &stop)
            });
            if stop.release() {
                return Ok(Exit::Interrupted);
            }
            if let (Err(failure @ Failure::Model(error)), Some(report)) = (&done, &arguments.report)
                && !matches!(error, Error::Write { .. })
            {
                tell(report, &failure.shown());
            }
            done
        });
    }
    once(arguments, &arguments.variant.load(&arguments.model)?, &stop)
}

/// One run of a model in a federation.
pub(crate) fn federate(arguments: &FederateArguments) -> Result<Exit, Failure> {
    let stop = Stop::watch(false);
    let run = &arguments.run;
    let mut file = run.variant.load(&run.model)?;
    let done = file.federate(&arguments.federate(), &run.overrides());
    done.map_err(|error| refused(run, &file, error))?;
    once(run, &file, &stop)
}

/// One run of the model in `file`.
fn once(arguments: &RunArguments, file: &ModelFile, stop: &Stop) -> Result<Exit, Failure> {
    files::check(arguments, file)?;
    let filmed = arguments.report.is_some() && !arguments.no_3d;
    let stage = match filmed {
        _ if arguments.gltf.is_some() || arguments.poses => Some(draw::stage(file)?),
        // A report goes without bodies where there are none.
        true => draw::stage_if_any(file)?,
        false => None,
    };
    let with_poses = stage.as_ref().filter(|_| arguments.poses).map(Stage::with_poses);
    let staged = with_poses.as_ref().or(stage.as_ref().map(|stage| &stage.document));
    let document = staged.unwrap_or(file.document());
    let run = Run::new(document, &arguments.overrides()).map_err(|error| refused(arguments, file, error))?;
    let mut progress = Progress::new(run.plan().end, arguments.quiet);
    let mut table = Table::default();
    let mut sinks = Sinks::new(arguments);
    let mut observers: Vec<&mut dyn Observer> = vec![&mut progress];
    if arguments.report.is_some() {
        observers.push(&mut table);
    }
    let mut settings = run.settings();
    settings.extend(arguments.variant.settings());
    stop.begin(run.interrupt());
    let mut recorder = if arguments.gltf.is_some() { Recorder::default() } else { Recorder::for_page() };
    let outcome = match &stage {
        Some(stage) if arguments.poses => {
            let mut curtain = Curtain::new(stage, observers, &mut recorder).before(&mut sinks);
            run.execute(&mut [&mut curtain], &run.interrupt())
        }
        Some(stage) => {
            observers.push(&mut sinks);
            run.execute(&mut [&mut Curtain::new(stage, observers, &mut recorder)], &run.interrupt())
        }
        None => {
            observers.push(&mut sinks);
            run.execute(&mut observers, &run.interrupt())
        }
    };
    progress.clear();
    if matches!(&outcome, Err(error) if stop.is_asked() && !matches!(error, Error::Write { .. })) {
        signals::stopped("the run had not begun, and nothing was written");
    }
    let Sinks { out, report, gltf, sidecar, refused, .. } = sinks;
    let Outcome { mut summary, failure } = outcome.map_err(|error| match (refused, error, &arguments.out) {
        (Some(failure), ..) => failure,
        // The table is the only observer that writes.
        (_, Error::Write { source, .. }, Some(path)) => Failure::Write { path: path.clone(), source },
        (_, error, _) => Failure::Model(file.explain_start(error)),
    })?;

    summary.last.retain(|(column, _)| !is_hidden(&column.name));
    let description = file.document().description();
    let film = stage.as_ref().map(|stage| stage.film(recorder)).transpose().map_err(Failure::Model)?;
    let animation = film.as_ref().filter(|_| filmed).map(Film::animation).transpose().map_err(Failure::Output)?;
    let animation = animation.as_ref();
    let page = Report { description, settings: &settings, summary: &summary, table: &table, animation };
    // Each comes to its place even if another cannot be written.
    let written = [
        (&arguments.out, out.map(TableFile::finish)),
        (&arguments.report, report.map(|file| whole(file, |sink| write_report(sink, &page, arguments.watch)))),
        (&arguments.gltf, gltf.zip(film.as_ref()).map(|(file, film)| write_film(file, film))),
        (&arguments.summary, sidecar.map(|file| whole(file, |sink| write_sidecar(sink, &settings, &summary)))),
    ];
    let unwritten =
        written.into_iter().find_map(|(path, written)| Some(Failure::write(path.as_deref()?)(written?.err()?)));
    if let (Some(_), Some(error)) = (&unwritten, &failure) {
        say!("fourbar: {}", printable(&error.to_string()));
    }
    unwritten.map_or(Ok(()), Err)?;
    print(arguments, &summary)?;
    match (failure, summary.status) {
        (Some(error), _) => Err(Failure::Run(file.explain_end(error))),
        (None, Status::Interrupted) => Ok(Exit::Interrupted),
        (None, _) if arguments.strict && !remarks(&summary).is_empty() => Ok(Exit::Warned),
        (None, _) => Ok(Exit::Done),
    }
}

/// Lets a report of the last run say why there is no newer one. It is an addition to what the terminal says: a page that cannot be written stays as it is.
fn tell(report: &Path, problem: &str) {
    // Only a file can be read again.
    let page = report.is_file().then(|| std::fs::read_to_string(report).ok()).flatten();
    if let Some(page) = page.and_then(|page| with_problem(&page, problem)) {
        let _ = OutputFile::create(report).map(|file| whole(file, |sink| sink.write_all(page.as_bytes())));
    }
}

/// Writes the report; one that is `watched` follows its file, by the time of this run.
fn write_report(sink: &mut dyn Write, page: &Report<'_>, watched: bool) -> io::Result<()> {
    if !watched {
        return page.write(sink);
    }
    let since = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap_or_default();
    page.write_followed(sink, since.as_nanos() as u64)
}

/// A model that cannot be run: by its own fault, or by that of the options.
fn refused(arguments: &RunArguments, file: &ModelFile, error: Error) -> Failure {
    let option = |name: &str| format!("--{}", name.replace('_', "-"));
    match error {
        Error::NotForKind { setting, kind } => Failure::Usage(format!(
            "{} is no option for {}, which is a model of the kind \"{kind}\"; leave it out",
            option(setting),
            file.name()
        )),
        Error::TooManyOutputs { .. } | Error::TooManySteps { .. } | Error::OutputsBetweenSteps { .. }
            if arguments.sets_times() =>
        {
            let names = ["output_step", "step"].map(|name| (format!("`{name}`"), option(name)));
            Failure::Usage(names.iter().fold(error.to_string(), |text, (field, option)| text.replace(field, option)))
        }
        Error::Coupling(CouplingError::EndBetweenPoints { .. } | CouplingError::StepTooShort { .. })
            if arguments.sets_times() =>
        {
            let given = arguments.overrides();
            let options = ["end", "step"].into_iter().filter(|name| given.gives(name)).map(option);
            Failure::Usage(format!("{}: {error}", options.collect::<Vec<_>>().join(", ")))
        }
        error => {
            let given = setting(&error).filter(|at| arguments.overrides().gives(&at.location.field));
            let text = |at: &ModelError| format!("{}: {}; {}", option(&at.location.field), at.problem, at.remedy);
            match given.map(text) {
                Some(text) => Failure::Usage(text),
                None => Failure::Model(file.explain_start(error)),
            }
        }
    }
}

/// What is wrong with a setting of the simulation, if that is what an error is about.
fn setting(error: &Error) -> Option<&ModelError> {
    let at = match error {
        Error::Multibody(MechanismError::Model(at)) | Error::LinearModel(at) | Error::CoupledModel(at) => at,
        Error::Circuit(CircuitError::Model(at)) => at,
        _ => return None,
    };
    (at.location.section == "simulation").then_some(at)
}

/// The bodies in motion.
fn write_film(file: OutputFile, film: &Film) -> io::Result<()> {
    let bytes = glb(film)?;
    whole(file, |sink| sink.write_all(&bytes))
}

/// What a table of numbers does not say: how they came about.
fn write_sidecar(mut sink: impl Write, settings: &[(String, String)], summary: &Summary) -> io::Result<()> {
    let settings: serde_json::Map<_, _> =
        settings.iter().map(|(name, value)| (name.clone(), value.clone().into())).collect();
    let units: serde_json::Map<_, _> =
        summary.last.iter().map(|(column, _)| (column.name.clone(), column.unit.clone().into())).collect();
    let object = serde_json::json!({
        "fourbar": env!("CARGO_PKG_VERSION"),
        "settings": settings,
        "units": units,
        "summary": summary,
    });
    serde_json::to_writer_pretty(&mut sink, &object)?;
    writeln!(sink)?;
    sink.flush()
}

/// What the first Ctrl-C, SIGTERM or SIGHUP asks for: while a model is prepared there is nothing to write, and the process ends; from then on the
/// run ends at its next step or evaluation, with its results. A further Ctrl-C ends the process. Between the runs of `--watch` any of them does.
struct Stop {
    /// The flag of the run under way.
    run: Arc<Mutex<Option<Arc<AtomicBool>>>>,
}

impl Stop {
    fn watch(repeated: bool) -> Self {
        let run: Arc<Mutex<Option<Arc<AtomicBool>>>> = Arc::default();
        let flag = Arc::clone(&run);
        let asked = move |asked| {
            // Nothing that panics holds the lock.
            match &*flag.lock().unwrap_or_else(PoisonError::into_inner) {
                None if repeated => signals::stopped("results of the last run stand"),
                None => signals::stopped("the run had not begun, and nothing was written"),
                Some(flag) if flag.swap(true, Ordering::SeqCst) && asked == Asked::ByHand => {
                    std::process::exit(i32::from(Exit::Interrupted as u8));
                }
                Some(_) => {}
            }
        };
        if let Err(error) = signals::on_end(asked) {
            say!("fourbar: Ctrl-C will not write partial results: {error}");
        }
        Self { run }
    }

    /// From now on `flag` is raised, which ends what this thread computes as well.
    fn begin(&self, flag: Arc<AtomicBool>) {
        Interrupt::from(Arc::clone(&flag)).watch();
        *self.run.lock().unwrap_or_else(PoisonError::into_inner) = Some(flag);
    }

    /// The run is over and its results are written: a signal ends the process from now on. Whether one has come since it began.
    fn release(&self) -> bool {
        let run = self.run.lock().unwrap_or_else(PoisonError::into_inner).take();
        run.is_some_and(|flag| flag.load(Ordering::SeqCst))
    }

    fn is_asked(&self) -> bool {
        let run = self.run.lock().unwrap_or_else(PoisonError::into_inner);
        run.as_ref().is_some_and(|flag| flag.load(Ordering::SeqCst))
    }
}

/// The summary: to standard output, or to standard error when standard output holds the JSON object.
fn print(arguments: &RunArguments, summary: &Summary) -> Result<(), Failure> {
    if arguments.quiet {
        // A run whose warnings nobody sees looks sound. Nobody waits for this text when standard error is closed.
        let _ = write!(io::stderr(), "{}", remarks(summary));
    }
    if arguments.json {
        if !arguments.quiet {
            let _ = write!(io::stderr(), "{}", text(arguments, summary));
        }
        let object = serde_json::to_string_pretty(summary).map_err(|error| Failure::Output(error.into()))?;
        writeln!(io::stdout(), "{object}").map_err(Failure::Output)
    } else if arguments.quiet {
        Ok(())
    } else {
        write!(io::stdout(), "{}", text(arguments, summary)).map_err(Failure::Output)
    }
}

/// Warnings, and faults that are taken for more than information, as lines.
fn remarks(summary: &Summary) -> String {
    let warnings = summary.warnings.iter().map(|warning| format!("fourbar: warning: {warning}\n"));
    warnings.chain([grave_faults(summary)]).collect()
}

/// Faults that are taken for more than information, as lines.
fn grave_faults(summary: &Summary) -> String {
    let grave: Vec<&FaultReport> = summary.grave_faults().collect();
    let mut text: String = grave.iter().take(FAULTS_SHOWN).map(|report| format!("fourbar: {report}\n")).collect();
    if grave.len() > FAULTS_SHOWN {
        text.push_str(&format!("fourbar: {} more faults\n", grave.len() - FAULTS_SHOWN));
    }
    text
}

/// Where all faults stand, if not all are shown.
fn rest_of_faults(arguments: &RunArguments, summary: &Summary) -> Option<String> {
    let count = summary.coupled()?.statistics.counts.faults;
    (count > FAULTS_SHOWN as u64).then(|| match &arguments.summary {
        Some(path) => format!("\nall {count} faults: {}\n", path.display()),
        None => format!("\nall {count} faults are written by --summary FILE\n"),
    })
}

fn text(arguments: &RunArguments, summary: &Summary) -> String {
    let with_unit =
        |value: f64, digits: usize, unit: &str| format!("{} {unit}", number(value, digits)).trim_end().to_owned();
    let ended = match summary.status {
        Status::Done => "simulated",
        Status::Interrupted => "interrupted",
        Status::Failed => "failed",
    };
    let (end, wall) = (number(summary.end_time, DIGITS), number(summary.wall_seconds, 3));
    let model = match summary.model.as_str() {
        "" => String::new(),
        name => format!("{}: ", printable(name)),
    };
    let mut text = format!("{model}{ended} to t = {end} s in {wall} s\n");
    for warning in &summary.warnings {
        text.push_str(&format!("warning: {warning}\n"));
    }
    let mut table = |title: &str, rows: &[(String, String)]| {
        text.push_str(&format!("\n{title}\n{}", two_columns(rows)));
    };
    let last = |(column, value): &(Column, f64)| (column.name.clone(), with_unit(*value, DIGITS, &column.unit));
    table(summary.details.columns_title(), &summary.last.iter().map(last).collect::<Vec<_>>());
    let cell = |cell: &Cell| match cell {
        Cell::Number(value, unit) => with_unit(*value, 3, unit),
        Cell::Text(text) => text.clone(),
    };
    for DetailTable { title, rows } in summary.details.tables() {
        let rows: Vec<_> = rows.iter().map(|(name, value)| ((*name).to_owned(), cell(value))).collect();
        table(title, &rows);
    }
    text.extend(rest_of_faults(arguments, summary));
    text
}
