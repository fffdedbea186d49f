//! The run in the shared state as files: table, what goes with it, report.

use super::{AppState, film};
use fourbar::Error;
use fourbar::coupling::application::{CommandError, SessionState};
use fourbar::results::{Column, CoupledDetails, Details, FaultReport, Report, Status, Summary, Table};
use fourbar::run::Observer;
use fourbar::scene::is_hidden;

/// Digits of parameters: all that a person gave.
const DIGITS: usize = 12;

/// The table as CSV.
pub(super) fn csv(app: &AppState) -> std::io::Result<Vec<u8>> {
    let mut text = Vec::new();
    app.session.record().1.write_csv(&mut text)?;
    Ok(text)
}

/// The report of the run as a page that opens offline; None before the first run, or if its master is lost.
pub(super) fn report(app: &AppState) -> Result<Option<Vec<u8>>, Error> {
    let (Some(settings), (status, record)) = (app.session.begun(), app.session.record()) else { return Ok(None) };
    let faults: Vec<FaultReport> = record.incidents().iter().map(FaultReport::from).collect();
    let options = settings.options.clone();
    let details = app.session.inspect(move |master| CoupledDetails::new(master, &options, faults));
    let unanswered = |error: CommandError| Error::Write { time: status.time, source: std::io::Error::other(error) };
    let Some(details) = details.map_err(unanswered)? else { return Ok(None) };
    let names = record.names().iter().zip(record.units());
    let columns: Vec<Column> = names.map(|(name, unit)| Column { name: name.clone(), unit: unit.clone() }).collect();
    let write = |source| Error::Write { time: status.time, source };
    let seen = |k: &usize| !is_hidden(&columns[*k].name);
    let seen: Vec<usize> = (0..columns.len()).filter(seen).collect();
    let of = |values: &[f64]| seen.iter().map(|&k| values[k]).collect::<Vec<f64>>();
    let listed: Vec<Column> = seen.iter().map(|&k| columns[k].clone()).collect();
    let mut table = Table::default();
    table.begin(&listed).map_err(write)?;
    record.rows().try_for_each(|(time, values)| table.output(time, &of(values))).map_err(write)?;
    let (now, present) = record.present();
    let animation = film::animation(app, &record)?;
    let algorithm = details.statistics.algorithm.clone();
    let summary = Summary {
        model: app.model.name.clone(),
        status: match status.state {
            SessionState::Finished => Status::Done,
            SessionState::Failed => Status::Failed,
            _ => Status::Interrupted,
        },
        error: status.failure.clone(),
        warnings: [details.warnings(), status.warnings, Vec::from_iter(status.recording_failure)].concat(),
        end_time: now,
        last: listed.iter().cloned().zip(of(present)).collect(),
        details: Details::Coupled(details),
        wall_seconds: status.wall.as_secs_f64(),
    };
    let options = &settings.options;
    let mut given =
        vec![("communication step".to_owned(), format!("{} s", options.step)), ("algorithm".to_owned(), algorithm)];
    given.extend(options.pacing.map(|pacing| ("real-time factor".to_owned(), pacing.real_time_factor.to_string())));
    let connection = |c: &fourbar::coupling::Connection| {
        (format!("{} to {}", c.from, c.to), format!("gain {}, offset {}", c.gain, c.offset))
    };
    let changes = app.values.changes(DIGITS).pop().map(|last| last.changes).unwrap_or_default();
    given.extend(changes.into_iter().map(|(name, value)| (format!("parameter {name}"), value)));
    given.extend(settings.connections.iter().map(connection));
    let report = Report {
        description: &app.model.description,
        settings: &given,
        summary: &summary,
        table: &table,
        animation: animation.as_ref(),
    };
    let mut page = Vec::new();
    report.write(&mut page).map_err(write)?;
    Ok(Some(page))
}
