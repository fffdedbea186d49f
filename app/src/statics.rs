//! `fourbar statics`: where a mechanism stays at rest, at one time or over time.

use crate::columns::{table_csv, table_json};
use crate::draw::Filming;
use crate::exit::{Exit, Failure};
use crate::numbers::{not_negative, positive};
use crate::page;
use crate::signals;
use crate::text::{DIGITS, heading, number, two_columns};
use crate::variant::Variant;
use clap::Args;
use fourbar::Error;
use fourbar::analysis::{QuasiStatics, Statics};
use fourbar::file::ModelFile;
use fourbar::linalg::text::printable;
use fourbar::linear::Table;
use fourbar::results::AnalysisPage;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use serde_json::json;
use std::io::{self, IsTerminal, Write as _};
use std::path::PathBuf;
use std::time::Duration;

/// Time between two drawings of the progress.
const PAUSE: Duration = Duration::from_millis(100);

#[derive(Debug, Args)]
pub(crate) struct StaticsArguments {
    /// Model file of a mechanism
    model: PathBuf,

    #[command(flatten)]
    variant: Variant,

    /// Time [s] at which motions and forces are taken; 0 if absent
    #[arg(long, value_name = "SECONDS", value_parser = not_negative, allow_hyphen_values = true, conflicts_with = "over_time")]
    at: Option<f64>,

    /// Quasi-statics: an equilibrium at each output time of the model, as comma-separated values of the measures and of the efforts of motions
    #[arg(long)]
    over_time: bool,

    /// With --over-time: end time [s]; that of the model if absent
    #[arg(long, value_name = "SECONDS", value_parser = positive, allow_hyphen_values = true, requires = "over_time")]
    end: Option<f64>,

    /// With --over-time: time between rows [s]; the output step of the model if absent
    #[arg(long, value_name = "SECONDS", value_parser = positive, allow_hyphen_values = true, requires = "over_time")]
    output_step: Option<f64>,

    /// With --over-time: write a page with the curves to this file, which opens offline
    #[arg(long, value_name = "FILE.html", requires = "over_time")]
    html: Option<PathBuf>,

    /// Leave the bodies in motion out of the page
    #[arg(long, requires = "html")]
    no_3d: bool,

    /// Write the bodies in equilibrium to this file, as glTF
    #[arg(long, value_name = "FILE.glb")]
    gltf: Option<PathBuf>,

    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

pub(crate) fn statics(arguments: &StaticsArguments) -> Result<Exit, Failure> {
    signals::end_at_once();
    let file = arguments.variant.load(&arguments.model)?;
    let model = super::mechanism_of(&file, "statics")?;
    page::check(arguments.html.as_deref(), &arguments.model, &file)?;
    let refused = |error: Error| Failure::Model(file.explain_start(error));
    let mut statics = QuasiStatics::new(model, arguments.end, arguments.output_step).map_err(refused)?;
    let bar = spinner();
    let shown = bar.clone();
    statics.watched_by(move |projections| {
        shown.set_message(format!("dividing forces among contacts, {projections} projections"))
    });
    let mut filming =
        Filming::new(arguments.gltf.as_deref(), arguments.html.is_some() && !arguments.no_3d, &arguments.model, &file)?;
    let (text, page, failure) = if arguments.over_time {
        over_time(&file, &mut statics, arguments, &mut filming, &bar)?
    } else {
        let found = statics.at(arguments.at.unwrap_or(0.0));
        bar.finish_and_clear();
        let found = found.map_err(|error| Failure::of_analysis(&file, error))?;
        found.warnings.iter().for_each(|warning| say!("fourbar: {}", printable(warning)));
        filming.take(|| Ok(found.frame())).map_err(refused)?;
        (if arguments.json { as_json(&file, &found) } else { as_text(&file, &found) }, None, None)
    };
    io::stdout().write_all(text.as_bytes()).map_err(Failure::Output)?;
    let shown = filming.film()?;
    if let (Some(path), Some(mut page)) = (&arguments.html, page) {
        page.animation = if arguments.no_3d { None } else { page::animation(shown.as_ref())? };
        page::write(&page, path)?;
    }
    filming.write(shown.as_ref())?;
    failure.map_or(Ok(Exit::Done), Err)
}

/// Turns on standard error while an equilibrium is sought, if that is a terminal.
fn spinner() -> ProgressBar {
    let target = if io::stderr().is_terminal() { ProgressDrawTarget::stderr() } else { ProgressDrawTarget::hidden() };
    let style = ProgressStyle::with_template("{spinner} {elapsed} {prefix} {msg}");
    let bar = ProgressBar::with_draw_target(None, target);
    let bar = bar
        .with_style(style.unwrap_or_else(|_| ProgressStyle::default_spinner()))
        .with_message("seeking the equilibrium");
    bar.enable_steady_tick(PAUSE);
    bar
}

fn over_time(
    file: &ModelFile,
    statics: &mut QuasiStatics,
    arguments: &StaticsArguments,
    filming: &mut Filming<'_>,
    bar: &ProgressBar,
) -> Result<(String, Option<AnalysisPage>, Option<Failure>), Failure> {
    let plan = statics.plan().map_err(|error| Failure::Model(file.explain_start(error)))?;
    let mut table = Table { columns: vec!["time [s]".to_owned()], rows: Vec::new() };
    let (mut failure, mut warnings) = (None, Vec::new());
    for time in (0..).map_while(|index| plan.output_time(index)) {
        bar.set_prefix(format!("t = {} of {} s", number(time, 4), number(plan.end, 4)));
        let found = match statics.at(time) {
            Ok(found) => found,
            Err(error) => {
                failure = Some(Failure::of_analysis(file, error));
                break;
            }
        };
        filming.take(|| Ok(found.frame())).map_err(|error| Failure::Model(file.explain_end(error)))?;
        // That motions stand still goes without saying over time; what is left out is said once.
        let is_news = |warning: &&String| {
            !warning.contains("stands still") && (table.rows.is_empty() || !warning.contains(" left out: "))
        };
        for warning in found.warnings.iter().filter(is_news) {
            warnings.push(format!("at t = {time} s: {warning}"));
            bar.suspend(|| say!("fourbar: at t = {time} s: {}", printable(warning)));
        }
        if table.rows.is_empty() {
            let heading = |(column, _): &(fourbar::results::Column, f64)| match column.unit.as_str() {
                "" => column.name.clone(),
                unit => format!("{} [{unit}]", column.name),
            };
            table.columns.extend(found.measures.iter().map(heading));
            let driven = found.reactions.iter().filter(|of| of.effort.is_some());
            table.columns.extend(driven.map(|of| format!("{} effort", of.name)));
        }
        let efforts = found.reactions.iter().filter_map(|of| of.effort);
        let measures = found.measures.iter().map(|(_, value)| *value);
        table.rows.push(std::iter::once(time).chain(measures).chain(efforts).collect());
    }
    bar.finish_and_clear();
    let page = arguments.html.is_some().then(|| {
        let mut page = page::begin(file, "Quasi-statics: an equilibrium at each time");
        page.error = failure.as_ref().map(ToString::to_string);
        page.warnings = warnings;
        page.add_curves(&table.columns, &table.rows);
        page.settings = arguments.variant.settings().collect();
        page
    });
    let name = file.document().name();
    Ok((if arguments.json { table_json(name, &table) } else { table_csv(&table) }, page, failure))
}

fn as_json(file: &ModelFile, found: &Statics) -> String {
    let vector = |v: &nalgebra::Vector3<f64>| [v.x, v.y, v.z];
    let bodies: serde_json::Map<_, _> = found
        .places
        .iter()
        .map(|place| {
            let value = json!({
                "position": vector(&place.position),
                "quaternion": place.quaternion,
                "moved": place.moved,
                "turned": place.turned,
            });
            (place.body.clone(), value)
        })
        .collect();
    let reactions: serde_json::Map<_, _> = found
        .reactions
        .iter()
        .map(|of| {
            let mut value = json!({ "force": vector(&of.wrench.force), "torque": vector(&of.wrench.torque) });
            if let Some(effort) = of.effort {
                value["effort"] = json!(effort);
            }
            (of.name.clone(), value)
        })
        .collect();
    let contact = |of: &fourbar::analysis::ContactForce| {
        json!({
            "name": of.name,
            "sticks": of.sticks,
            "normal": of.normal,
            "friction": of.friction,
            "force": vector(&of.force),
            "point": of.point.as_ref().map(vector),
        })
    };
    let contacts: Vec<_> = found.contacts.iter().map(contact).collect();
    let measures: serde_json::Map<_, _> =
        found.measures.iter().map(|(column, value)| (column.name.clone(), json!(value))).collect();
    let mut object = json!({
        "model": file.document().name(),
        "time": found.time,
        "stable": found.equilibrium.stable,
        "neutral": found.equilibrium.neutral,
        "iterations": found.equilibrium.iterations,
        "residual": found.equilibrium.residual,
        "measures": measures,
        "bodies": bodies,
        "reactions": reactions,
        "contacts": contacts,
        "warnings": found.warnings,
    });
    if !found.modes.is_empty() {
        object["modes"] = found.modes.iter().map(|(name, value)| (name.clone(), json!(value))).collect();
    }
    format!("{object}\n")
}

fn as_text(file: &ModelFile, found: &Statics) -> String {
    let document = file.document();
    let mut text = heading(document.name(), document.description());
    let stable = found.equilibrium.stability();
    let time = number(found.time, DIGITS);
    text += &format!("\n{stable} equilibrium at t = {time} s, after {} iterations\n", found.equilibrium.iterations);
    let vector = |v: &nalgebra::Vector3<f64>| v.iter().map(|part| number(*part, DIGITS)).collect::<Vec<_>>().join(", ");
    let measure = |(column, value): &(fourbar::results::Column, f64)| {
        (column.name.clone(), format!("{} {}", number(*value, DIGITS), column.unit))
    };
    text += "measures\n";
    text += &two_columns(&found.measures.iter().map(measure).collect::<Vec<_>>());
    text += "bodies: origin [m], way from the start [m], turn from the start [rad]\n";
    let place = |place: &fourbar::analysis::Place| {
        let (moved, turned) = (number(place.moved, 4), number(place.turned, 4));
        (place.body.clone(), format!("{}; {moved}; {turned}", vector(&place.position)))
    };
    text += &two_columns(&found.places.iter().map(place).collect::<Vec<_>>());
    if !found.modes.is_empty() {
        text += "modal coordinates of flexible bodies [m]\n";
        let coordinate = |(name, value): &(String, f64)| (name.clone(), number(*value, DIGITS));
        text += &two_columns(&found.modes.iter().map(coordinate).collect::<Vec<_>>());
    }
    text += "reactions on the body of marker I: force [N]; torque about its origin [N m]\n";
    let wrench = |of: &fourbar::analysis::NamedWrench| {
        (of.name.clone(), format!("{}; {}", vector(&of.wrench.force), vector(&of.wrench.torque)))
    };
    text += &two_columns(&found.reactions.iter().map(wrench).collect::<Vec<_>>());
    text + &contacts(found)
}

/// What closed contacts carry; nothing without contacts.
fn contacts(found: &Statics) -> String {
    if found.contacts.is_empty() {
        return String::new();
    }
    let contact = |of: &fourbar::analysis::ContactForce| {
        let how = if of.sticks { "sticks" } else { "may slide" };
        (of.name.clone(), format!("{}; {}; {how}", number(of.normal, DIGITS), number(of.friction, DIGITS)))
    };
    "closed contacts: normal force [N]; friction [N]\n".to_owned()
        + &two_columns(&found.contacts.iter().map(contact).collect::<Vec<_>>())
}
