//! The functions of FMI 2.0.5 and FMI 3.0.2, co-simulation and model exchange: with them the library is the binary of any unit that this project exports.
//!
//! What they do is in [`fourbar::fmi`]; here are the types of the two headers of the standard, pointers that are checked, and texts of errors on
//! their way to the logger of the importer. No panic leaves a function: it becomes the status "error", and the instance can only be freed.
//!
//! These functions are not in `fourbar.h`: importers have the headers of the standard.

/// Functions of the standard that hand their arguments on: name and arguments behind the component, and what takes them all.
macro_rules! entries {
    ($($(#[$doc:meta])* $name:ident($($argument:ident: $type:ty),* $(,)?) => $call:expr;)*) => {$(
        $(#[$doc])*
        ///
        /// # Safety
        /// pointers are NULL or valid as the standard says.
        #[unsafe(no_mangle)]
        pub unsafe extern "C" fn $name(component: *mut Component, $($argument: $type),*) -> c_int {
            // SAFETY: by contract.
            unsafe { ($call)(component, $($argument),*) }
        }
    )*};
}

mod component;
mod exchange;
mod intermediate;
mod logger;
mod resources;
pub mod version2;
pub mod version3;
