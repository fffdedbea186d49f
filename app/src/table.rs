//! The table of a run on disk, in the format that the name of its file asks for.

use crate::exit::Failure;
use crate::files::ends_in;
use fourbar::coupling::application::OutputFile;
use fourbar::results::CsvWriter;
#[cfg(feature = "parquet")]
use fourbar::results::ParquetWriter;
use fourbar::run::Observer;
use std::io::{self, BufWriter};
use std::path::Path;

/// A table under way.
pub(crate) enum TableFile {
    Csv(CsvWriter<BufWriter<OutputFile>>),
    #[cfg(feature = "parquet")]
    Parquet(ParquetWriter, OutputFile),
}

/// Endings of tables.
const TABLES: &[&str] = &["csv", "txt", "parquet"];

/// Refuses a name that asks for a format which this program does not write. Pipes and devices may have any name.
pub(crate) fn check(path: &Path) -> Result<(), Failure> {
    if !path.exists() || path.is_file() {
        ends_in("--out", path, TABLES)?;
    }
    if is_parquet(path) && cfg!(not(feature = "parquet")) {
        let text = format!(
            "--out {}: this program was built without Apache Parquet; build it with `--features parquet`, or write a .csv file",
            path.display()
        );
        return Err(Failure::Usage(text));
    }
    Ok(())
}

fn is_parquet(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("parquet"))
}

impl TableFile {
    /// Begins the file beside its place.
    pub(crate) fn create(path: &Path) -> Result<Self, Failure> {
        check(path)?;
        let file = OutputFile::create(path).map_err(Failure::write(path))?;
        #[cfg(feature = "parquet")]
        if is_parquet(path) {
            let handle = file.handle().map_err(Failure::write(path))?;
            return Ok(Self::Parquet(ParquetWriter::new(handle), file));
        }
        Ok(Self::Csv(CsvWriter::new(BufWriter::new(file))))
    }

    pub(crate) fn observer(&mut self) -> &mut dyn Observer {
        match self {
            Self::Csv(writer) => writer,
            #[cfg(feature = "parquet")]
            Self::Parquet(writer, _) => writer,
        }
    }

    /// Writes what is left and puts the file to its place.
    pub(crate) fn finish(self) -> io::Result<()> {
        match self {
            Self::Csv(writer) => writer.finish()?.into_inner().map_err(io::IntoInnerError::into_error)?.finish(),
            #[cfg(feature = "parquet")]
            Self::Parquet(writer, file) => writer.finish().and_then(|()| file.finish()),
        }
    }
}
