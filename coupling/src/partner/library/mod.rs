//! A plain C shared library as a partner (R47 to R49): the five functions of `include/fourbar_partner.h`.

mod abi;
mod error;
pub mod exported;
mod foreign;
mod front;
#[cfg(feature = "library")]
mod machine;
mod options;

use std::path::Path;

#[cfg(all(unix, feature = "process"))]
use crate::function::Description;

pub use error::LibraryError;
pub use options::LibraryOptions;

use foreign::Instance;
#[cfg(any(feature = "fmi", all(unix, feature = "process")))]
pub(super) use front::{Exchange, Line};
pub(super) use front::{Front, is_its_front};

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
    /// function, describes itself wrongly, or refuses the options; or this build has no loader, without the feature `library`.
    pub fn open(path: impl AsRef<Path>, options: &LibraryOptions) -> Result<Self, LibraryError> {
        #[cfg(feature = "library")]
        {
            let (instance, description) = Instance::open(path.as_ref(), options)?;
            Ok(Self { front: Front::new(instance, description, options.start) })
        }
        #[cfg(not(feature = "library"))]
        {
            let (library, instance) = (path.as_ref().display().to_string(), &options.name);
            let reason = format!("this build has no loader for \"{instance}\": enable the feature `library`");
            Err(LibraryError::Load { library, reason })
        }
    }

    /// The description and the instance itself.
    #[cfg(all(unix, feature = "process"))]
    pub(super) fn open_line(
        path: &Path,
        options: &LibraryOptions,
    ) -> Result<(impl Line<State = Vec<u8>> + use<>, Description), LibraryError> {
        Instance::open(path, options)
    }
}

is_its_front!(Library);

#[cfg(all(test, not(feature = "library")))]
mod tests {
    use super::{Library, LibraryOptions};

    #[test]
    fn a_library_is_refused_with_the_feature_that_loads_it() {
        let refused = Library::open("pump.so", &LibraryOptions { name: "left".into(), ..LibraryOptions::default() });
        let text = refused.err().map(|error| error.to_string()).unwrap_or_default();
        assert!(text.contains("pump.so") && text.contains("left") && text.contains("feature `library`"), "{text}");
    }
}
