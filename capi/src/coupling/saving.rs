//! The state of a run as bytes, and back.

use fourbar::coupling::{Checkpoint, Error};

use super::building::fourbar_coupling;
use super::failure::of_coupling;
use super::stage::with;
use crate::abi::error::Failure;
use crate::abi::status::fourbar_status;
use crate::abi::view;

fn failure(error: Error) -> Failure {
    match error {
        Error::Checkpoint(error) => error.into(),
        error => of_coupling(&error),
    }
}

/// The state of the run between two communication steps as bytes, to be kept in a file or sent to another process: into `buffer` of `size` bytes;
/// `needed` receives how many they are, also where `size` is 0 and `buffer` NULL. `fourbar_coupling_restore` goes on from them.
///
/// Errors: `FOURBAR_NULL`; `FOURBAR_LENGTH` for a buffer that is too short; `FOURBAR_STATE` for a run that is not set up; `FOURBAR_UNSUPPORTED` where
/// partners cannot be saved, or not written down, with their names; `FOURBAR_CALLBACK` where one fails, or the run has.
///
/// # Safety
/// `coupling` is NULL or alive; `buffer` is NULL or has `size` bytes; `needed` is NULL or valid.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fourbar_coupling_save(
    coupling: *mut fourbar_coupling,
    buffer: *mut u8,
    size: usize,
    needed: *mut usize,
) -> fourbar_status {
    // SAFETY: by contract.
    unsafe {
        with(coupling, |coupling| {
            let (master, _) = coupling.running()?;
            let mut checkpoint = Checkpoint::default();
            master.save(&mut checkpoint).map_err(failure)?;
            let bytes = master.checkpoint_to_bytes(&mut checkpoint).map_err(failure)?;
            view::copy_bytes(&bytes, buffer, size, needed)
        })
    }
}

/// Sets up the run, if that is not done, and goes on from the bytes of `fourbar_coupling_save`, written by a run of the same partners, connections and
/// settings, in this process or another; its end may be another one. The further steps have the bits that followed there. A run that was stopped goes on.
///
/// Errors: `FOURBAR_NULL`; as `fourbar_coupling_start`; `FOURBAR_INVALID` for bytes that are no checkpoint, incomplete or damaged; `FOURBAR_STATE` for
/// one of another run; `FOURBAR_UNSUPPORTED` for one that another version of the library wrote; `FOURBAR_CALLBACK` where a partner refuses its part.
///
/// # Safety
/// `coupling` is NULL or alive; `bytes` is NULL or has `length` bytes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fourbar_coupling_restore(
    coupling: *mut fourbar_coupling,
    bytes: *const u8,
    length: usize,
) -> fourbar_status {
    // SAFETY: by contract.
    unsafe {
        with(coupling, |coupling| {
            let bytes = view::slice(bytes, length, "bytes")?;
            let (master, _) = coupling.started()?;
            let mut checkpoint = master.checkpoint_from_bytes(bytes).map_err(failure)?;
            master.restore(&mut checkpoint).map_err(failure)
        })
    }
}
