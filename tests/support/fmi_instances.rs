//! Instances of units of the Functional Mock-up Interface, as an importer has them.

use fourbar::file::ModelFile;
use fourbar::fmi::{Causality, Export, FmiVersion, Instance};

/// A model of this text in a file of the folder.
pub(crate) fn written(folder: &tempfile::TempDir, name: &str, text: &str) -> ModelFile {
    let path = folder.path().join(name);
    std::fs::write(&path, text).unwrap();
    ModelFile::load(&path).unwrap()
}

/// Of a unit for co-simulation.
pub(crate) fn instance(file: &ModelFile) -> Instance {
    Export::new(file, FmiVersion::V3).unwrap().into_instance()
}

pub(crate) fn initialized(mut instance: Instance, end: Option<f64>, tolerance: Option<f64>) -> Instance {
    instance.set_up(0.0, end, tolerance).unwrap();
    instance.enter_initialization().unwrap();
    instance.exit_initialization().unwrap();
    instance
}

/// A unit for co-simulation before its first step.
pub(crate) fn begun(file: &ModelFile, end: f64) -> Instance {
    initialized(instance(file), Some(end), None)
}

pub(crate) fn reference(instance: &Instance, name: &str) -> u32 {
    let found = instance.variables().all().iter().position(|own| own.name == name);
    found.unwrap_or_else(|| panic!("no variable {name}")) as u32
}

pub(crate) fn outputs(instance: &mut Instance) -> Vec<f64> {
    let references: Vec<u32> = instance.variables().with(Causality::Output).map(|(reference, _)| reference).collect();
    references.into_iter().map(|reference| instance.get(reference).unwrap()).collect()
}
