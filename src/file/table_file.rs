//! Files of tables other than models: text with places, so that a fault of any of them is told with its line.

use super::explain::explain;
use super::locate::locate;
use super::value::Table;
use super::{Diagnostic, section, syntax};
use crate::Error;
use fourbar_multibody::Location;
use serde::de::DeserializeOwned;
use std::path::Path;
use toml::de::DeTable;

/// A text in TOML with the name of its file.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct TableFile {
    pub(crate) name: String,
    text: String,
}

impl TableFile {
    pub(crate) fn load(path: &Path) -> Result<Self, Error> {
        let text = std::fs::read_to_string(path).map_err(|source| Error::Read { path: path.to_owned(), source })?;
        Ok(Self { name: path.display().to_string(), text })
    }

    pub(crate) fn parse(name: String, text: String) -> Self {
        Self { name, text }
    }

    /// What the file holds, with the line of the first fault.
    pub(crate) fn read<T: DeserializeOwned>(&self) -> Result<T, Error> {
        let table = DeTable::parse(&self.text).map_err(|error| Error::model(syntax(&self.name, &self.text, &error)))?;
        let read = section::unique_names(table.get_ref()).and_then(|()| {
            T::deserialize(Table { table: table.get_ref(), span: 0..self.text.len().min(1), without: &[] })
        });
        read.map_err(|issue| Error::model(explain(issue, &self.name, &self.text, table.get_ref())))
    }

    /// A fault of what `location` names.
    pub(crate) fn fault(&self, location: &Location, problem: String, remedy: String) -> Error {
        let span = DeTable::parse(&self.text).map_or(0..0, |table| locate(table.get_ref(), location));
        Error::model(Diagnostic::new(&self.name, &self.text, span, problem, remedy))
    }
}
