//! FMUs that are Python within: those of PythonFMU hold modules under their plain names, and the interpreter of a process knows one of each name.

use super::error::FmuError;
use std::collections::HashMap;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::Path;
use std::sync::{Mutex, PoisonError};

/// The file in which PythonFMU names its module.
const MARK: &str = "slavemodule.txt";

/// Modules that this process has loaded: their content, and the FMU that brought them. An interpreter keeps them to its end.
static LOADED: Mutex<Option<HashMap<String, (u64, String)>>> = Mutex::new(None);

/// Takes note of the modules in the unpacked archive; refuses one of a name that another FMU has brought with another content.
pub(super) fn take(fmu: &str, folder: &Path) -> Result<(), FmuError> {
    let resources = folder.join("resources");
    if !resources.join(MARK).is_file() {
        return Ok(());
    }
    let mut guard = LOADED.lock().unwrap_or_else(PoisonError::into_inner);
    let loaded = guard.get_or_insert_default();
    let mut own = Vec::new();
    for entry in std::fs::read_dir(&resources).into_iter().flatten().flatten() {
        let name = entry.file_name().to_string_lossy().into_owned();
        let (true, Ok(bytes)) = (name.ends_with(".py"), std::fs::read(entry.path())) else { continue };
        let mut hasher = DefaultHasher::new();
        bytes.hash(&mut hasher);
        let sum = hasher.finish();
        match loaded.get(&name) {
            Some((other, from)) if *other != sum => {
                return Err(FmuError::Unsupported {
                    fmu: fmu.to_owned(),
                    problem: format!(
                        "its Python module \"{name}\" is another one than that of \"{from}\" in this process"
                    ),
                    remedy: "run one of them in a process of its own (`process = true`), or rename its module",
                });
            }
            Some(_) => {}
            None => own.push((name, (sum, fmu.to_owned()))),
        }
    }
    loaded.extend(own);
    Ok(())
}
