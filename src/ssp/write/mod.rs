//! A coupled model as an archive: its simulators as units, the structure, the parameters.

mod error;
mod structure;
mod unit;
mod values;

pub use error::WriteError;

use crate::Document;
use crate::file::ModelFile;
use crate::fmi::{FmiVersion, LibraryFile};
use fourbar_multibody::Parameters;
use std::collections::BTreeSet;
use std::io::{Seek, Write};
use unit::Unit;
use zip::write::{SimpleFileOptions, ZipWriter};

/// The file of the parameters in the archive.
const VALUES: &str = "resources/parameters.ssv";

/// An archive that is ready to be written.
pub struct Archive {
    structure: String,
    values: String,
    units: Vec<Unit>,
}

impl Archive {
    /// Exports the simulators of the model in `file` as units of `version` with `library`, and describes how they are connected.
    ///
    /// # Errors
    /// [`WriteError`].
    pub fn new(file: &ModelFile, version: FmiVersion, library: &LibraryFile) -> Result<Self, WriteError> {
        let Document::Coupled(model) = file.document() else {
            return Err(WriteError::Kind { kind: file.document().kind() });
        };
        // What does not fit together is told before anything is exported.
        model.master(&crate::coupled::CoupledSettings::default())?;
        let parameters = Parameters::new(&model.parameters).map_err(crate::Error::CoupledModel)?;
        let mut sources = BTreeSet::new();
        let mut units = Vec::new();
        for (index, simulator) in model.simulators.iter().enumerate() {
            let mut unit = unit::unit(file, index, simulator, &parameters, (version, library))?;
            if !sources.insert(unit.source.clone()) {
                unit.source = format!("{}-{index}.fmu", unit.source.trim_end_matches(".fmu"));
                sources.insert(unit.source.clone());
            }
            units.push(unit);
        }
        let stem = std::path::Path::new(file.name()).file_stem().map(|stem| stem.to_string_lossy().into_owned());
        let structure = structure::text(model, &units, &parameters, &stem.unwrap_or_default())?;
        Ok(Self { structure, values: values::text(&units), units })
    }

    /// `SystemStructure.ssd`.
    #[must_use]
    pub fn structure(&self) -> &str {
        &self.structure
    }

    /// The parameters of all units.
    #[must_use]
    pub fn values(&self) -> &str {
        &self.values
    }

    /// Writes the archive.
    ///
    /// # Errors
    /// [`WriteError::Write`].
    pub fn write(&self, to: impl Write + Seek) -> Result<(), WriteError> {
        let mut zip = ZipWriter::new(to);
        let mut add = |name: &str, bytes: &[u8]| -> Result<(), WriteError> {
            // Without times, so that the same model has the same bytes.
            zip.start_file(name, SimpleFileOptions::default()).map_err(std::io::Error::from)?;
            Ok(zip.write_all(bytes)?)
        };
        add("SystemStructure.ssd", self.structure.as_bytes())?;
        add(VALUES, self.values.as_bytes())?;
        for unit in &self.units {
            add(&unit.source, &unit.bytes)?;
        }
        zip.finish().map_err(std::io::Error::from)?;
        Ok(())
    }
}
