//! What all functions share.

pub mod callback;
pub(crate) mod checkpoint;
pub(crate) mod environment;
pub mod error;
pub(crate) mod guard;
pub(crate) mod handle;
mod helgrind;
pub mod interrupt;
pub(crate) mod memory;
pub(crate) mod options;
mod panic;
#[cfg(debug_assertions)]
pub mod provoke;
pub mod status;
pub mod version;
pub(crate) mod view;
