//! A library loaded into this process, and an instance of it.

use std::ffi::{OsStr, c_char, c_void};
use std::path::Path;

use super::{Functions, Instance, WORDS, abi, created, describe};
use crate::function::Description;
use crate::partner::library::machine::foreign_machine;
use crate::partner::library::{LibraryError, LibraryOptions};

/// A loaded library. Dropping it unloads it.
struct Loaded {
    path: String,
    describe: abi::Describe,
    create: abi::Create,
    functions: Functions,
    library: libloading::Library,
}

impl Loaded {
    fn open(path: &Path) -> Result<Self, LibraryError> {
        let library = path.display().to_string();
        let unreadable =
            |error: std::io::Error| LibraryError::File { library: library.clone(), reason: error.to_string() };
        // A path without a slash would be sought in the folders of the system.
        let path = path.canonicalize().map_err(unreadable)?;
        if let Some(found) = foreign_machine(&path).map_err(unreadable)? {
            return Err(LibraryError::Machine { library, found, expected: std::env::consts::ARCH });
        }
        let refused = |error: libloading::Error| {
            let reason = std::error::Error::source(&error).map_or_else(|| error.to_string(), ToString::to_string);
            LibraryError::Load { library: library.clone(), reason }
        };
        let handle = load(path.as_os_str()).map_err(refused)?;
        let describe = symbol(&handle, &library, "fourbar_partner_describe")?;
        let create = symbol(&handle, &library, "fourbar_partner_create")?;
        let functions = Functions {
            exchange: symbol(&handle, &library, "fourbar_partner_exchange")?,
            state: Some(symbol(&handle, &library, "fourbar_partner_state")?),
            destroy: Some(symbol(&handle, &library, "fourbar_partner_destroy")?),
        };
        Ok(Self { path: library, describe, create, functions, library: handle })
    }

    fn describe(&self) -> Result<Description, LibraryError> {
        // SAFETY: the symbol has the signature the header gives it; it takes nothing.
        let pointer = unsafe { (self.describe)() };
        // SAFETY: what the function returns is, by the header, NULL or a description that stays as long as the library does.
        unsafe { describe::read(pointer, &self.path) }
    }
}

/// Loads with all symbols resolved at once, where the system can: one that is missing is an error here and not a crash later.
fn load(path: &OsStr) -> Result<libloading::Library, libloading::Error> {
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

fn symbol<T: Copy>(handle: &libloading::Library, library: &str, name: &'static str) -> Result<T, LibraryError> {
    // SAFETY: T is the function type that the header gives to this name, and lives in `Loaded` beside the library.
    let found = unsafe { handle.get::<T>(name.as_bytes()) };
    found.map(|symbol| *symbol).map_err(|_| LibraryError::Symbol { library: library.to_owned(), symbol: name })
}

impl Instance {
    /// Loads a library, reads its description, creates an instance.
    pub(in crate::partner::library) fn open(
        path: &Path,
        options: &LibraryOptions,
    ) -> Result<(Self, Description), LibraryError> {
        let library = Loaded::open(path)?;
        let description = library.describe()?;
        Ok((Self::create(library, options)?, description))
    }

    fn create(library: Loaded, options: &LibraryOptions) -> Result<Self, LibraryError> {
        let Loaded { path, create, functions, library, .. } = library;
        // SAFETY: the symbol has the signature the header gives it, and the arguments are as it states.
        let call = |raw: *const abi::Options, pointer: *mut *mut c_void, words: *mut c_char| unsafe {
            create(raw, pointer, words, WORDS)
        };
        let (pointer, words) = created(&path, options, "fourbar_partner_create", call)?;
        Ok(Self { pointer, words, functions, _library: Some(library) })
    }
}
