//! `fourbar kinematics`: a mechanism that its motions leave no freedom, as a table over time on standard output.

use crate::columns::{table_csv, table_json};
use crate::draw::Filming;
use crate::exit::{Exit, Failure};
use crate::numbers::positive;
use crate::page;
use crate::signals;
use crate::variant::Variant;
use clap::Args;
use fourbar::Error;
use fourbar::analysis::KinematicRun;
use fourbar::linalg::text::printable;
use fourbar::linear::Table;
use std::io::{self, Write as _};
use std::path::PathBuf;

#[derive(Debug, Args)]
pub(crate) struct KinematicsArguments {
    /// Model file of a mechanism
    model: PathBuf,

    #[command(flatten)]
    variant: Variant,

    /// End time [s]; that of the model if absent
    #[arg(long, value_name = "SECONDS", value_parser = positive, allow_hyphen_values = true)]
    end: Option<f64>,

    /// Time between rows [s]; the output step of the model if absent
    #[arg(long, value_name = "SECONDS", value_parser = positive, allow_hyphen_values = true)]
    output_step: Option<f64>,

    /// Columns of all bodies and joints too: positions, velocities, accelerations, reactions
    #[arg(long)]
    all: bool,

    /// Write a page with the curves to this file, which opens offline
    #[arg(long, value_name = "FILE.html")]
    html: Option<PathBuf>,

    /// Leave the bodies in motion out of the page
    #[arg(long, requires = "html")]
    no_3d: bool,

    /// Write the bodies in motion to this file, as glTF
    #[arg(long, value_name = "FILE.glb")]
    gltf: Option<PathBuf>,

    /// Print one JSON object instead of comma-separated values
    #[arg(long)]
    json: bool,
}

pub(crate) fn kinematics(arguments: &KinematicsArguments) -> Result<Exit, Failure> {
    signals::end_at_once();
    let file = arguments.variant.load(&arguments.model)?;
    let model = super::mechanism_of(&file, "kinematics")?;
    page::check(arguments.html.as_deref(), &arguments.model, &file)?;
    let mut filming =
        Filming::new(arguments.gltf.as_deref(), arguments.html.is_some() && !arguments.no_3d, &arguments.model, &file)?;
    let refused = |error: Error| Failure::Model(file.explain_start(error));
    let run = KinematicRun::new(model, arguments.end, arguments.output_step, arguments.all);
    let mut run = run.map_err(refused)?;
    let mut table = Table { columns: run.columns(), rows: Vec::new() };
    let plan = *run.plan();
    let mut failure = None;
    for time in (0..).map_while(|index| plan.output_time(index)) {
        match run.row(time) {
            Ok(row) => {
                table.rows.push(row);
                filming.take(|| run.frame()).map_err(refused)?;
            }
            Err(error) => {
                failure = Some(Failure::Run(file.explain_end(error)));
                break;
            }
        }
    }
    let name = file.document().name();
    let text = if arguments.json { table_json(name, &table) } else { table_csv(&table) };
    io::stdout().write_all(text.as_bytes()).map_err(Failure::Output)?;
    run.warnings().iter().for_each(|warning| say!("fourbar: {}", printable(warning)));
    let film = filming.film()?;
    if let Some(path) = &arguments.html {
        let mut page = page::begin(&file, "Kinematics: the mechanism as its motions drive it");
        page.warnings = run.warnings();
        page.error = failure.as_ref().map(ToString::to_string);
        page.add_curves(&table.columns, &table.rows);
        page.animation = if arguments.no_3d { None } else { page::animation(film.as_ref())? };
        page.settings = arguments.variant.settings().collect();
        page::write(&page, path)?;
    }
    filming.write(film.as_ref())?;
    failure.map_or(Ok(Exit::Done), Err)
}
