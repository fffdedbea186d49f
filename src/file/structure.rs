//! Structures of SSP as model files.

use super::ModelFile;
use crate::ssp::{Structure, load};
use crate::{Document, Error};
use std::path::Path;

impl ModelFile {
    /// The structure at `path`, an archive or a description.
    pub(super) fn load_structure(path: &Path) -> Result<Self, Error> {
        let (model, text, structure) = load(path)?;
        let document = Document::Coupled(Box::new(model));
        let structure = Some(Box::new(structure));
        Ok(Self { name: path.display().to_string(), text, document, structure, ..Self::empty() })
    }

    /// What a structure of SSP says beside its model; none of other files.
    #[must_use]
    pub fn structure(&self) -> Option<&Structure> {
        self.structure.as_deref()
    }
}
