//! A simulator of functions in this program.

use super::Instance;
use crate::partner::FunctionTable;
use crate::partner::library::front::Front;
use crate::partner::library::{Library, LibraryError, LibraryOptions};

impl Library {
    /// A simulator of functions in this program.
    ///
    /// # Errors
    /// [`LibraryError`]: it describes itself wrongly or refuses the options.
    ///
    /// # Safety
    /// The description and the functions are as `fourbar_partner.h` says, and the functions stay as long as the simulator lives: on a thread
    /// that does not answer it outlives its master, unless its partner is [`joined`](crate::Partner::joined).
    pub unsafe fn of_table(table: &FunctionTable, options: &LibraryOptions) -> Result<Self, LibraryError> {
        // SAFETY: by contract.
        let (instance, description) = unsafe { Instance::of_table(table, options) }?;
        Ok(Self { front: Front::new(instance, description, options.start) })
    }
}
