//! The resources of a unit: the files of the model, and a list of them with the parameters that were set when it was exported.

use super::Error;
use crate::file::ModelFile;
use fourbar_linalg::checkpoint::Fingerprint;
use fourbar_multibody::expression::Expression;
use serde::Deserialize;
use std::collections::BTreeMap;
#[cfg(feature = "fmi-export")]
use std::path::PathBuf;
use std::path::{Component, Path};

/// The list, in the folder of the resources.
pub(super) const LIST: &str = "fourbar.toml";
/// What a library of this version holds, so that an export can tell it from others.
pub const LIBRARY_MARK: &str = concat!("fourbar library of units, version ", env!("CARGO_PKG_VERSION"), ";");
/// The list is read whole: a longer one is none of this library.
const LONGEST_LIST: u64 = 1 << 20;

/// What the list says.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct List {
    /// The model file, from the folder of the resources, with `/` between folders.
    pub(super) model: String,
    /// All files, likewise.
    pub(super) files: Vec<String>,
    /// Parameters that have other values than the file gives.
    #[serde(default)]
    pub(super) parameters: BTreeMap<String, String>,
    /// How it can be simulated.
    #[serde(default)]
    pub(super) interfaces: Interfaces,
}

/// An interface of a unit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FmuInterface {
    /// It steps with a solver of its own.
    CoSimulation,
    /// Its equations are solved by the importer.
    ModelExchange,
}

/// The interfaces that a unit has.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Interfaces {
    /// Co-simulation alone.
    #[default]
    CoSimulation,
    /// Model exchange alone.
    ModelExchange,
    /// Both.
    Both,
    /// Both, and in model exchange the residuals of a mechanism by the layered standard FMI-LS-DAE.
    Dae,
}

impl Interfaces {
    /// Their name in lists and on the command line.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::CoSimulation => "co-simulation",
            Self::ModelExchange => "model-exchange",
            Self::Both => "both",
            Self::Dae => "dae",
        }
    }

    /// As messages name them.
    pub(super) fn words(self) -> &'static str {
        match self {
            Self::CoSimulation => "co-simulation",
            Self::ModelExchange => "model exchange",
            Self::Both => "co-simulation and model exchange",
            Self::Dae => "co-simulation and model exchange with residuals",
        }
    }

    /// Whether `one` is among them.
    #[must_use]
    pub fn have(self, one: FmuInterface) -> bool {
        match self {
            Self::CoSimulation => one == FmuInterface::CoSimulation,
            Self::ModelExchange => one == FmuInterface::ModelExchange,
            Self::Both | Self::Dae => true,
        }
    }

    /// Whether residuals are handed out.
    #[must_use]
    pub fn have_residuals(self) -> bool {
        self == Self::Dae
    }
}

/// A model with the token of its unit.
#[derive(Debug, Clone, PartialEq)]
pub struct Contents {
    pub(super) file: ModelFile,
    pub(super) interfaces: Interfaces,
    token: String,
}

impl Contents {
    /// Reads the resources in `folder`.
    ///
    /// # Errors
    /// [`Error::Resources`] if they are not those of a unit; [`Error::Model`] for what is wrong in the model.
    pub fn read(folder: &Path) -> Result<Self, Error> {
        let path = folder.join(LIST);
        let refuse = |problem: String| Error::Resources { path: path.clone(), problem };
        let size = path.metadata().map_err(|error| refuse(error.to_string()))?.len();
        if size > LONGEST_LIST {
            return Err(refuse(format!("it has {size} bytes, more than a list of files needs")));
        }
        let text = std::fs::read_to_string(&path).map_err(|error| refuse(error.to_string()))?;
        let list: List = toml::from_str(&text).map_err(|error| refuse(error.message().to_owned()))?;
        let inside = |name: &str| Path::new(name).components().all(|part| matches!(part, Component::Normal(_)));
        if let Some(name) = list.files.iter().chain([&list.model]).find(|name| !inside(name)) {
            return Err(refuse(format!("\"{name}\" does not lie among the resources")));
        }
        let bytes = |name: &String| {
            let path = folder.join(name);
            let problem = |error: std::io::Error| Error::Resources { path: path.clone(), problem: error.to_string() };
            Ok((name.clone(), std::fs::read(&path).map_err(problem)?))
        };
        let files = list.files.iter().map(bytes).collect::<Result<Vec<_>, Error>>()?;
        let token = token(&list, &files);
        let mut file = ModelFile::load(folder.join(&list.model))?;
        for (name, text) in &list.parameters {
            match Expression::parse(text) {
                Ok(value) => file
                    .set_parameter(name, value)
                    .map_err(|error| Error::Model(fourbar_multibody::Error::Model(error).into()))?,
                // A text of an FMU within.
                Err(_) if file.set_text(name, text) => {}
                Err(error) => return Err(refuse(format!("parameter \"{name}\": {error}"))),
            }
        }
        Ok(Self { file, interfaces: list.interfaces, token })
    }

    /// The resources that are about to be written.
    #[cfg(feature = "fmi-export")]
    pub(super) fn of(file: ModelFile, interfaces: Interfaces, token: String) -> Self {
        Self { file, interfaces, token }
    }

    /// The interfaces of the unit.
    #[must_use]
    pub fn interfaces(&self) -> Interfaces {
        self.interfaces
    }

    /// The model.
    #[must_use]
    pub fn file(&self) -> &ModelFile {
        &self.file
    }

    /// The token that description and resources share, the `guid` of FMI 2.0: {8-4-4-4-12} hexadecimal digits.
    #[must_use]
    pub fn token(&self) -> &str {
        &self.token
    }

    /// Refuses the token of another unit.
    ///
    /// # Errors
    /// [`Error::Token`].
    pub fn check(&self, token: &str) -> Result<(), Error> {
        if token == self.token {
            return Ok(());
        }
        Err(Error::Token { given: token.to_owned(), own: self.token.clone() })
    }
}

/// Tells units apart: the version of the library, the names and bytes of all files, and the parameters.
pub(super) fn token(list: &List, files: &[(String, Vec<u8>)]) -> String {
    let sum = |salt: &[u8]| {
        let start = Fingerprint::default().bytes(salt).bytes(env!("CARGO_PKG_VERSION").as_bytes()).data(list);
        let add = |sum: Fingerprint, (name, bytes): &(String, Vec<u8>)| sum.data(name).data(&bytes.len()).bytes(bytes);
        files.iter().fold(start, add).value()
    };
    let digits = format!("{:016x}{:016x}", sum(b"first"), sum(b"second"));
    let parts = [&digits[..8], &digits[8..12], &digits[12..16], &digits[16..20], &digits[20..]];
    format!("{{{}}}", parts.join("-"))
}

/// `path` from the folder `root`, with `/` between folders.
#[cfg(feature = "fmi-export")]
pub(super) fn relative(path: &Path, root: &Path) -> Option<String> {
    let parts = path.strip_prefix(root).ok()?.components();
    let names: Option<Vec<&str>> = parts.map(|part| part.as_os_str().to_str()).collect();
    names.map(|names| names.join("/"))
}

/// The folder that holds all of `paths`, which are absolute.
#[cfg(feature = "fmi-export")]
pub(super) fn common_folder(paths: &[PathBuf]) -> Option<PathBuf> {
    let mut folders = paths.iter().filter_map(|path| path.parent());
    let first = folders.next()?.to_path_buf();
    Some(folders.fold(first, |common, folder| {
        let same = common.components().zip(folder.components()).take_while(|(one, other)| one == other);
        same.map(|(part, _)| part.as_os_str()).collect()
    }))
}
