//! A plain C shared library as a partner (R47 to R49): the five functions of `include/fourbar_partner.h`.

mod abi;
mod error;
mod foreign;
mod front;
mod machine;

use std::path::Path;

use crate::function::Description;

pub use error::LibraryError;
use foreign::Instance;
pub(super) use front::{Exchange, Front, Line, is_its_front};

/// What an instance is created with.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct LibraryOptions {
    /// Name of the instance, for its own messages.
    pub name: String,
    /// Time at which it starts \[s\].
    pub start: f64,
    /// Parameters by name, in the units that the library states.
    pub parameters: Vec<(String, f64)>,
}

/// A simulator in a shared library, loaded into this process: as fast as a call, and as safe as the library. One that crashes ends the
/// program; see [`Process`](super::Process).
///
/// It takes derivatives of inputs, gives derivatives of outputs and returns to saved states as far as the library says it can.
pub struct Library {
    front: Front<Instance>,
}

impl Library {
    /// Loads the library at `path` and creates an instance.
    ///
    /// # Errors
    /// [`LibraryError`]: the file cannot be read or loaded, was built for another machine or another version of the interface, lacks a
    /// function, describes itself wrongly, or refuses the options.
    pub fn open(path: impl AsRef<Path>, options: &LibraryOptions) -> Result<Self, LibraryError> {
        let (instance, description) = Instance::open(path.as_ref(), options)?;
        Ok(Self { front: Front::new(instance, description, options.start) })
    }

    /// The description and the instance itself.
    pub(super) fn open_line(
        path: &Path,
        options: &LibraryOptions,
    ) -> Result<(impl Line + use<>, Description), LibraryError> {
        Instance::open(path, options)
    }
}

is_its_front!(Library);
