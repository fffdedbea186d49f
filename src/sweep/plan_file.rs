//! Plans in files, with the places of their faults.

use super::check::check;
use super::plan::Plan;
use crate::Error;
use crate::file::table_file::TableFile;
use fourbar_multibody::Location;
use std::path::{Path, PathBuf};

/// A plan and the text it was read from.
#[derive(Debug, Clone, PartialEq)]
pub struct PlanFile {
    pub(super) file: TableFile,
    pub(super) plan: Plan,
}

impl PlanFile {
    /// Reads the plan at `path`.
    ///
    /// # Errors
    /// [`Error::Read`] if the file cannot be read, [`Error::Model`] with the line of the first fault.
    pub fn load(path: impl AsRef<Path>) -> Result<Self, Error> {
        Self::checked(TableFile::load(path.as_ref())?)
    }

    /// Reads `text`; `name` stands for the file in messages, and the model lies in its folder.
    ///
    /// # Errors
    /// [`Error::Model`] with the line of the first fault.
    pub fn parse(name: impl Into<String>, text: impl Into<String>) -> Result<Self, Error> {
        Self::checked(TableFile::parse(name.into(), text.into()))
    }

    /// What the file says.
    #[must_use]
    pub fn plan(&self) -> &Plan {
        &self.plan
    }

    /// The file as the caller named it.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.file.name
    }

    /// Where a file that the plan names lies.
    #[must_use]
    pub fn beside(&self, path: &Path) -> PathBuf {
        Path::new(&self.file.name).parent().unwrap_or(Path::new("")).join(path)
    }

    fn checked(file: TableFile) -> Result<Self, Error> {
        let plan: Plan = file.read()?;
        let read = Self { file, plan };
        check(&read.plan)
            .map_err(|fault| read.fault(fault.section, fault.index, fault.field, fault.problem, fault.remedy))?;
        Ok(read)
    }

    /// A fault of a field, by its line.
    pub(super) fn fault(
        &self,
        section: &'static str,
        index: usize,
        field: &str,
        problem: String,
        remedy: String,
    ) -> Error {
        let location = Location { section, index, name: String::new(), field: field.to_owned() };
        self.file.fault(&location, problem, remedy)
    }
}
