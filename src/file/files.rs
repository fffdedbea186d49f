//! The files that a model consists of.

use super::ModelFile;
use crate::Document;
use crate::coupled::SimulatorKind;
use std::path::{Path, PathBuf};

impl ModelFile {
    /// A file of which nothing is read.
    pub(super) fn empty() -> Self {
        Self {
            name: String::new(),
            text: String::new(),
            document: Document::Coupled(Box::default()),
            set: Vec::new(),
            simulators: Vec::new(),
            includes: Vec::new(),
            is_part: false,
            #[cfg(feature = "ssp")]
            structure: None,
        }
    }

    /// The text of a part of another file.
    #[cfg(feature = "fmi-export")]
    pub(crate) fn part_text(&self) -> Option<&str> {
        self.is_part.then_some(self.text.as_str())
    }

    /// Every file that a run of the model reads: this one, those of its simulators, splines, curves, flexible bodies and meshes, and shared libraries.
    #[must_use]
    pub fn files(&self) -> Vec<PathBuf> {
        let mut files = vec![PathBuf::from(&self.name)];
        files.extend(
            self.document.splines().iter().filter_map(|spline| spline.source.as_deref().map(Path::to_path_buf)),
        );
        let displays = self.document.mechanism().map_or(&[][..], |model| &model.displays);
        files.extend(displays.iter().filter_map(|display| display.source.as_deref().map(Path::to_path_buf)));
        let curves = self.document.mechanism().map_or(&[][..], |mechanism| &mechanism.model.curves);
        files.extend(curves.iter().filter_map(|curve| curve.source.as_deref().map(Path::to_path_buf)));
        if let Some(mechanism) = self.document.mechanism() {
            files.extend(
                mechanism.model.flexible.iter().filter_map(|body| body.source.as_deref().map(Path::to_path_buf)),
            );
        }
        files.extend(self.simulators.iter().flat_map(|(_, file)| file.files()));
        files.extend(self.includes.iter().flat_map(Self::files));
        let simulators = self.document.coupled().map_or(&[][..], |model| &model.simulators);
        files.extend(simulators.iter().filter_map(|simulator| match &simulator.kind {
            SimulatorKind::Library(library) => Some(library.file()),
            // What lies in an archive is unpacked, and that is named already.
            SimulatorKind::Fmu(fmu) => fmu.kept.is_none().then(|| fmu.path.clone()),
            _ => None,
        }));
        for simulator in simulators.iter().filter(|simulator| simulator.file.is_none()) {
            files.extend(
                simulator.kind.splines().iter().filter_map(|spline| spline.source.as_deref().map(Path::to_path_buf)),
            );
        }
        files
    }
}
