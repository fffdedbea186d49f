//! `fourbar export-ssp`: a coupled model as a system structure with units.

use crate::exit::{Exit, Failure};
use crate::files::{named, spare};
use crate::signals;
use crate::sinks::whole;
use crate::variant::Variant;
use clap::Args;
use fourbar::coupling::application::OutputFile;
use fourbar::fmi::{FmiVersion, LibraryFile};
use fourbar::ssp::{Archive, WriteError};
use std::io::Cursor;
use std::path::PathBuf;

/// Simulators become units of FMI, their connections a structure, their parameters a set of values.
#[derive(Debug, Args)]
pub(crate) struct ExportSspArguments {
    /// Coupled model
    model: PathBuf,

    #[command(flatten)]
    variant: Variant,

    /// Write the archive to this file; beside the model, with its name, if absent
    #[arg(long, short, value_name = "FILE.ssp")]
    out: Option<PathBuf>,

    /// Version of the standard of the units: 2 for FMI 2.0, which knows derivatives of inputs, 3 for FMI 3.0
    #[arg(long, value_name = "NUMBER", default_value_t = 2, value_parser = clap::value_parser!(u8).range(2..=3), allow_hyphen_values = true)]
    fmi: u8,

    /// The shared library that goes into the units; if absent, that beside this program
    #[arg(long, value_name = "FILE")]
    library: Option<PathBuf>,
}

pub(crate) fn export_ssp(arguments: &ExportSspArguments) -> Result<Exit, Failure> {
    signals::end_at_once();
    let file = arguments.variant.load(&arguments.model)?;
    let out = arguments.out.clone().unwrap_or_else(|| arguments.model.with_extension("ssp"));
    named("--out", &out)?;
    spare("--out", &out, &arguments.model, &file)?;
    let library = match &arguments.library {
        Some(path) => LibraryFile::at(path),
        None => LibraryFile::find(),
    };
    let library = library.map_err(Failure::Fmu)?;
    let version = if arguments.fmi == 2 { FmiVersion::V2 } else { FmiVersion::V3 };
    let refused = |error: WriteError| match error {
        WriteError::Model(error) => Failure::Model(file.explain_start(error)),
        WriteError::Unit { name, source } => match *source {
            fourbar::fmi::Error::Model(source) => {
                Failure::Model(file.explain_start(fourbar::Error::Simulator { name, source: Box::new(source) }))
            }
            source => Failure::Ssp(WriteError::Unit { name, source: Box::new(source) }),
        },
        other => Failure::Ssp(other),
    };
    let archive = Archive::new(&file, version, &library).map_err(refused)?;
    let mut bytes = Cursor::new(Vec::new());
    archive.write(&mut bytes).map_err(Failure::Ssp)?;
    let to = OutputFile::create(&out).map_err(Failure::write(&out))?;
    whole(to, |sink| sink.write_all(bytes.get_ref())).map_err(Failure::write(&out))?;
    Ok(Exit::Done)
}
