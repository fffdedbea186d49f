//! The shared library of an FMU: where it lies in the archive, and its functions.

use super::functions::{Functions2, Functions3, Number3};
use crate::partner::fmu::error::FmuError;
use crate::partner::fmu::model::{FmiVersion, FmuType};
use std::path::{Path, PathBuf};

/// The functions of an instance by the version of the standard.
pub(super) enum Api {
    Two(Box<Functions2>),
    Three(Box<Functions3>, Box<Numbers>),
}

/// Getters and setters of FMI 3.0, at the places of their types.
pub(super) struct Numbers([Number3; FmuType::Clock as usize + 1]);

impl Numbers {
    fn find(library: &libloading::Library) -> Self {
        use FmuType::{
            Boolean, Enumeration64, Float32, Float64, Int8, Int16, Int32, Int64, UInt8, UInt16, UInt32, UInt64,
        };
        let mut found = [Number3 { get: None, set: None }; FmuType::Clock as usize + 1];
        for kind in [Float64, Float32, Int8, UInt8, Int16, UInt16, Int32, UInt32, Int64, UInt64, Boolean] {
            found[kind as usize] = Number3::find(library, kind.name());
        }
        // Enumerations are read and written as Int64 (FMI 3.0, section 2.2.6.2).
        found[Enumeration64 as usize] = found[Int64 as usize];
        Self(found)
    }

    #[inline]
    pub(super) fn of(&self, kind: FmuType) -> Number3 {
        self.0[kind as usize]
    }
}

const NEEDED2: [&str; 8] = [
    "fmi2Instantiate",
    "fmi2FreeInstance",
    "fmi2SetupExperiment",
    "fmi2EnterInitializationMode",
    "fmi2ExitInitializationMode",
    "fmi2Terminate",
    "fmi2GetReal",
    "fmi2SetReal",
];
const NEEDED3: [&str; 4] =
    ["fmi3FreeInstance", "fmi3EnterInitializationMode", "fmi3ExitInitializationMode", "fmi3Terminate"];
const STEPPED2: [&str; 1] = ["fmi2DoStep"];
const STEPPED3: [&str; 2] = ["fmi3InstantiateCoSimulation", "fmi3DoStep"];
const SOLVED2: [&str; 7] = [
    "fmi2SetTime",
    "fmi2SetContinuousStates",
    "fmi2GetContinuousStates",
    "fmi2GetDerivatives",
    "fmi2EnterEventMode",
    "fmi2NewDiscreteStates",
    "fmi2EnterContinuousTimeMode",
];
const SOLVED3: [&str; 8] = [
    "fmi3InstantiateModelExchange",
    "fmi3SetTime",
    "fmi3SetContinuousStates",
    "fmi3GetContinuousStates",
    "fmi3GetContinuousStateDerivatives",
    "fmi3EnterEventMode",
    "fmi3UpdateDiscreteStates",
    "fmi3EnterContinuousTimeMode",
];

/// What to do where an FMU that runs Python does not find it: such libraries expect that whoever loads them is a Python.
const PYTHON: &str = "it runs Python, whose library must be there before: LD_PRELOAD=libpython3.N.so fourbar run .., of the version that it was made with";

/// The library of an FMU, which its functions live in.
pub(super) struct Loaded {
    pub(super) api: Api,
    pub(super) library: libloading::Library,
}

impl Loaded {
    /// Loads the library of `identifier` from the unpacked archive; `solved` for model exchange.
    pub(super) fn open(
        fmu: &str,
        folder: &Path,
        version: FmiVersion,
        identifier: &str,
        solved: bool,
    ) -> Result<Self, FmuError> {
        let path = folder.join("binaries").join(platform(version)).join(identifier);
        // A name may hold a dot: the extension is added, not replaced.
        let path = PathBuf::from(format!("{}.{}", path.display(), std::env::consts::DLL_EXTENSION));
        let within = path.strip_prefix(folder).unwrap_or(&path).display().to_string();
        let refused =
            |reason: String, remedy| FmuError::Load { fmu: fmu.to_owned(), library: within.clone(), reason, remedy };
        if !path.is_file() {
            let reason = format!("it is not there; the archive has {}", present(folder));
            return Err(refused(reason, "export the FMU for this system"));
        }
        let library = open(&path).map_err(|error| {
            let reason = std::error::Error::source(&error).map_or_else(|| error.to_string(), ToString::to_string);
            let remedy = match ["symbol: Py", "symbol: _Py", "libpython"].iter().any(|text| reason.contains(text)) {
                true => PYTHON,
                false => "install what it needs, or export the FMU for this system",
            };
            refused(reason, remedy)
        })?;
        let (api, missing) = match version {
            FmiVersion::Two => {
                let functions = Functions2::find(&library);
                let rest: &[&str] = if solved { &SOLVED2 } else { &STEPPED2 };
                (Api::Two(Box::new(functions)), functions.missing(&[&NEEDED2, rest].concat()))
            }
            FmiVersion::Three => {
                let functions = Functions3::find(&library);
                let rest: &[&str] = if solved { &SOLVED3 } else { &STEPPED3 };
                let missing = functions.missing(&[&NEEDED3, rest].concat());
                (Api::Three(Box::new(functions), Box::new(Numbers::find(&library))), missing)
            }
        };
        if let Some(missing) = missing {
            return Err(refused(format!("it has no function {missing}"), "export the FMU again"));
        }
        Ok(Self { api, library })
    }
}

/// The folder of binaries: FMI 2.0, section 2.3; FMI 3.0, section 2.5.1.4.
fn platform(version: FmiVersion) -> String {
    use std::env::consts::{ARCH, OS};
    match version {
        FmiVersion::Two => {
            let system = match OS {
                "macos" => "darwin",
                "windows" => "win",
                other => other,
            };
            format!("{system}{}", usize::BITS)
        }
        FmiVersion::Three => {
            let system = if OS == "macos" { "darwin" } else { OS };
            format!("{ARCH}-{system}")
        }
    }
}

/// For which systems there are binaries.
fn present(folder: &Path) -> String {
    let entries = std::fs::read_dir(folder.join("binaries")).into_iter().flatten().flatten();
    let mut names: Vec<String> = entries.map(|entry| entry.file_name().to_string_lossy().into_owned()).collect();
    names.sort();
    if names.is_empty() { "no binaries at all".to_owned() } else { format!("those of {}", names.join(", ")) }
}

fn open(path: &Path) -> Result<libloading::Library, libloading::Error> {
    #[cfg(unix)]
    {
        use libloading::os::unix::{Library, RTLD_LOCAL, RTLD_NOW};
        // SAFETY: the initialisers of the library run; that they may is what loading it means.
        unsafe { Library::open(Some(path), RTLD_NOW | RTLD_LOCAL) }.map(Into::into)
    }
    #[cfg(not(unix))]
    {
        // SAFETY: as above.
        unsafe { libloading::Library::new(path) }
    }
}
