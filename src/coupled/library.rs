//! A shared library as a simulator: the five functions of `include/fourbar_partner.h`.

use crate::Error;
use fourbar_coupling::Simulator;
use fourbar_coupling::partner::{Library, LibraryOptions};
use fourbar_multibody::expression::Expression;
use fourbar_multibody::{Location, Parameters};
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::time::Duration;

/// A shared library, which whoever runs the model trusts: its code runs.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct LibraryModel {
    /// The library; without an extension, with that of the operating system.
    pub path: PathBuf,
    /// Whether it runs in a process of its own, where a crash ends nothing else.
    pub process: bool,
    /// Parameters of the library that have other values than its own.
    pub parameters: BTreeMap<String, Expression>,
}

impl LibraryModel {
    /// The file that is loaded: `path`, without an extension with that of the operating system.
    #[must_use]
    pub fn file(&self) -> PathBuf {
        let mut path = self.path.clone();
        if path.extension().is_none() {
            path.set_extension(std::env::consts::DLL_EXTENSION);
        }
        path
    }

    /// An instance under the name it has in the run, which begins at `start` \[s\]; in a process of its own it answers within `limit`.
    pub(super) fn simulator(
        &self,
        name: &str,
        limit: Option<Duration>,
        start: f64,
    ) -> Result<Box<dyn Simulator>, Error> {
        let parameters = Parameters::of_any_names(&self.parameters, &[]).map_err(Error::CoupledModel)?;
        let place =
            |field: &str| Location { section: "parameters", index: 0, name: String::new(), field: field.to_owned() };
        let value = |(name, value): (&String, &Expression)| {
            let value = parameters.number(value, &place(name)).map_err(Error::CoupledModel)?;
            Ok::<_, Error>((name.clone(), value))
        };
        let parameters = self.parameters.iter().map(value).collect::<Result<_, _>>()?;
        let options = LibraryOptions { name: name.to_owned(), start, parameters };
        let path = self.file();
        if self.process {
            return apart(path, &options, limit);
        }
        let library = Library::open(path, &options).map_err(fourbar_coupling::Error::from)?;
        Ok(Box::new(library))
    }
}

#[cfg(all(unix, feature = "process"))]
fn apart(path: PathBuf, options: &LibraryOptions, limit: Option<Duration>) -> Result<Box<dyn Simulator>, Error> {
    use fourbar_coupling::partner::{Process, ProcessOptions};
    let mut process = ProcessOptions::default();
    process.time_limit = limit.or(process.time_limit);
    let library = Process::open(path, options, &process).map_err(fourbar_coupling::Error::from)?;
    Ok(Box::new(library))
}

#[cfg(not(all(unix, feature = "process")))]
fn apart(path: PathBuf, _: &LibraryOptions, _: Option<Duration>) -> Result<Box<dyn Simulator>, Error> {
    no_process(&path)
}

/// Refuses a process where there is none.
#[cfg(not(all(unix, feature = "process")))]
pub(super) fn no_process(path: &std::path::Path) -> Result<Box<dyn Simulator>, Error> {
    let error = fourbar_coupling::partner::LibraryError::Process {
        library: path.display().to_string(),
        program: "fourbar".to_owned(),
        reason: "libraries have processes of their own on Unix systems with the feature `process`: remove `process`, or enable it"
            .to_owned(),
    };
    Err(fourbar_coupling::Error::from(error).into())
}
