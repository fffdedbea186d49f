//! The files of a run, opened as it begins: a long run shall not end with a file that cannot be written, and one that cannot begin shall
//! leave none. They come to their places when they are whole.

use crate::args::RunArguments;
use crate::exit::Failure;
use crate::table::TableFile;
use fourbar::coupling::application::OutputFile;
use fourbar::results::Column;
use fourbar::run::{Observer, Step};
use std::io::{self, BufWriter, Write};
use std::path::Path;

/// What the arguments ask for, and what is open of it.
pub(crate) struct Sinks<'a> {
    arguments: &'a RunArguments,
    pub(crate) out: Option<TableFile>,
    pub(crate) report: Option<OutputFile>,
    pub(crate) gltf: Option<OutputFile>,
    pub(crate) sidecar: Option<OutputFile>,
    /// Why one could not be opened.
    pub(crate) refused: Option<Failure>,
}

impl<'a> Sinks<'a> {
    /// Opens none yet.
    pub(crate) fn new(arguments: &'a RunArguments) -> Self {
        Self { arguments, out: None, report: None, gltf: None, sidecar: None, refused: None }
    }

    fn open(&mut self) -> Result<(), Failure> {
        let RunArguments { out, report, gltf, summary, .. } = self.arguments;
        self.out = out.as_deref().map(TableFile::create).transpose()?;
        self.report = report.as_deref().map(create).transpose()?;
        self.gltf = gltf.as_deref().map(create).transpose()?;
        self.sidecar = summary.as_deref().map(create).transpose()?;
        Ok(())
    }
}

fn create(path: &Path) -> Result<OutputFile, Failure> {
    OutputFile::create(path).map_err(Failure::write(path))
}

/// Writes a whole file by `write` and puts it to its place.
pub(crate) fn whole(file: OutputFile, write: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> io::Result<()> {
    let mut file = BufWriter::new(file);
    write(&mut file)?;
    file.into_inner().map_err(io::IntoInnerError::into_error)?.finish()
}

impl Observer for Sinks<'_> {
    fn begin(&mut self, columns: &[Column]) -> io::Result<()> {
        if let Err(failure) = self.open() {
            self.refused = Some(failure);
            return Err(io::Error::other("a file cannot be opened"));
        }
        self.out.as_mut().map_or(Ok(()), |out| out.observer().begin(columns))
    }

    fn output(&mut self, time: f64, values: &[f64]) -> io::Result<()> {
        self.out.as_mut().map_or(Ok(()), |out| out.observer().output(time, values))
    }

    fn step(&mut self, step: &Step) -> io::Result<()> {
        self.out.as_mut().map_or(Ok(()), |out| out.observer().step(step))
    }
}
