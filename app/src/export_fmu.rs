//! `fourbar export-fmu`: a model as a functional mock-up unit.

use crate::exit::{Exit, Failure};
use crate::files::{named, spare};
use crate::signals;
use crate::sinks::whole;
use crate::variant::Variant;
use clap::Args;
use fourbar::coupling::application::OutputFile;
use fourbar::fmi::{Error, Export, FmiVersion, Interfaces, LibraryFile};
use std::io::Cursor;
use std::path::PathBuf;

/// Parameters, inputs and outputs become variables of the unit; `--set` gives other start values.
#[derive(Debug, Args)]
pub(crate) struct ExportFmuArguments {
    /// Model file
    model: PathBuf,

    #[command(flatten)]
    variant: Variant,

    /// Write the unit to this file; beside the model, with its name, if absent
    #[arg(long, short, value_name = "FILE.fmu")]
    out: Option<PathBuf>,

    /// Version of the standard: 3 for FMI 3.0, 2 for FMI 2.0
    #[arg(long, value_name = "NUMBER", default_value_t = 3, value_parser = clap::value_parser!(u8).range(2..=3), allow_hyphen_values = true)]
    fmi: u8,

    /// How the unit is simulated: with a solver of its own, or by that of the importer; "dae" is both, with the residuals of a mechanism (FMI-LS-DAE)
    #[arg(long, value_name = "INTERFACE", default_value = "co-simulation", value_parser = ["co-simulation", "model-exchange", "both", "dae"])]
    interface: String,

    /// The shared library that goes into the unit; if absent, that beside this program
    #[arg(long, value_name = "FILE")]
    library: Option<PathBuf>,
}

pub(crate) fn export_fmu(arguments: &ExportFmuArguments) -> Result<Exit, Failure> {
    signals::end_at_once();
    let file = arguments.variant.load(&arguments.model)?;
    let out = arguments.out.clone().unwrap_or_else(|| arguments.model.with_extension("fmu"));
    named("--out", &out)?;
    spare("--out", &out, &arguments.model, &file)?;
    let library = match &arguments.library {
        Some(path) => LibraryFile::at(path),
        None => LibraryFile::find(),
    };
    let refused = |error: Error| match error {
        Error::Model(error) => Failure::Model(file.explain_start(error)),
        other => Failure::Fmu(other),
    };
    let library = library.map_err(refused)?;
    let version = if arguments.fmi == 2 { FmiVersion::V2 } else { FmiVersion::V3 };
    let interfaces = match arguments.interface.as_str() {
        "model-exchange" => Interfaces::ModelExchange,
        "both" => Interfaces::Both,
        "dae" => Interfaces::Dae,
        _ => Interfaces::CoSimulation,
    };
    let export = Export::with(&file, version, interfaces).map_err(refused)?;
    let mut archive = Cursor::new(Vec::new());
    export.write(&library, &mut archive).map_err(refused)?;
    let to = OutputFile::create(&out).map_err(Failure::write(&out))?;
    whole(to, |sink| sink.write_all(archive.get_ref())).map_err(Failure::write(&out))?;
    Ok(Exit::Done)
}
