//! States of an FMU, saved, returned to, and written as bytes.

use super::functions::{Component, OK, Status, WARNING};
use super::{Api, Health, Instance};
use crate::function::Failure;
use std::ffi::c_void;
use std::ptr::null_mut;
use std::sync::{Arc, Mutex, PoisonError};

/// A state that an instance keeps. Dropped, it is freed by the instance when that saves the next one, or ends.
#[derive(Debug)]
pub(crate) struct Kept {
    slot: usize,
    returned: Arc<Mutex<Vec<usize>>>,
}

impl Drop for Kept {
    fn drop(&mut self) {
        self.returned.lock().unwrap_or_else(PoisonError::into_inner).push(self.slot);
    }
}

/// All states of an instance.
#[derive(Default)]
pub(super) struct States {
    slots: Vec<*mut c_void>,
    /// Slots whose [`Kept`] was dropped: their states may be written over.
    returned: Arc<Mutex<Vec<usize>>>,
}

impl States {
    fn place(&mut self) -> Kept {
        let free = self.returned.lock().unwrap_or_else(PoisonError::into_inner).pop();
        let slot = free.unwrap_or_else(|| {
            self.slots.push(null_mut());
            self.slots.len() - 1
        });
        Kept { slot, returned: Arc::clone(&self.returned) }
    }
}

type GetState = unsafe extern "C" fn(Component, *mut *mut c_void) -> Status;
type SetState = unsafe extern "C" fn(Component, *mut c_void) -> Status;

impl Instance {
    fn getter(&self) -> Result<GetState, Failure> {
        let found = match &self.api {
            Api::Two(api) => api.get_state,
            Api::Three(api, _) => api.get_state,
        };
        found.ok_or(Failure::Unsupported("saving its state"))
    }

    /// Saves the state, into `kept` if that holds one of this instance.
    pub(crate) fn save(&mut self, kept: &mut Option<Kept>) -> Result<(), Failure> {
        self.ready()?;
        let get = self.getter()?;
        let mine = kept.take().filter(|kept| Arc::ptr_eq(&kept.returned, &self.states.returned));
        let held = mine.unwrap_or_else(|| self.states.place());
        let pointer = self.pointer();
        // SAFETY: the instance lives; the place holds NULL or a state of this instance, which is then written over (FMI 3.0, section 2.2.10).
        let status = unsafe { get(pointer, &mut self.states.slots[held.slot]) };
        *kept = Some(held);
        self.done("GetFMUState", status)
    }

    /// Returns to a state; that mends what an error broke.
    pub(crate) fn restore(&mut self, kept: Option<&Kept>) -> Result<(), Failure> {
        if self.health == Health::Dead {
            self.ready()?;
        }
        let kept = kept.filter(|kept| Arc::ptr_eq(&kept.returned, &self.states.returned));
        let kept = kept.ok_or_else(|| Failure::new("the snapshot was not written by this simulator"))?;
        let state = self.states.slots[kept.slot];
        self.set_state(state)
    }

    fn set_state(&mut self, state: *mut c_void) -> Result<(), Failure> {
        let set: Option<SetState> = match &self.api {
            Api::Two(api) => api.set_state,
            Api::Three(api, _) => api.set_state,
        };
        let set = set.ok_or(Failure::Unsupported("returning to a saved state"))?;
        // SAFETY: the instance lives and wrote the state.
        let status = unsafe { set(self.pointer(), state) };
        if status == OK || status == WARNING {
            self.health = Health::Good;
            self.ended = false;
        }
        self.done("SetFMUState", status)
    }

    /// Appends the bytes of a saved state to `bytes`.
    pub(crate) fn serialize(&mut self, kept: &Kept, bytes: &mut Vec<u8>) -> Result<(), Failure> {
        self.ready()?;
        let unsupported = Failure::Unsupported("writing its state");
        let (size, write) = match &self.api {
            Api::Two(api) => (api.state_size, api.serialize),
            Api::Three(api, _) => (api.state_size, api.serialize),
        };
        let (Some(size), Some(write)) = (size, write) else { return Err(unsupported) };
        let (pointer, state) = (self.pointer(), self.states.slots[kept.slot]);
        let mut length = 0;
        // SAFETY: the instance lives and wrote the state.
        let status = unsafe { size(pointer, state, &mut length) };
        self.done("SerializedFMUStateSize", status)?;
        if length > LARGEST_STATE {
            return Err(Failure::new(format!("SerializedFMUStateSize says {length} bytes, more than {LARGEST_STATE}")));
        }
        let from = bytes.len();
        bytes.resize(from + length, 0);
        // SAFETY: as above; there are `length` bytes.
        let status = unsafe { write(pointer, state, bytes[from..].as_mut_ptr(), length) };
        self.done("SerializeFMUState", status)
    }

    /// Keeps the state whose bytes these are; [`Instance::restore`] returns to it.
    pub(crate) fn deserialize(&mut self, bytes: &[u8]) -> Result<Kept, Failure> {
        if self.health == Health::Dead {
            self.ready()?;
        }
        let read = match &self.api {
            Api::Two(api) => api.deserialize,
            Api::Three(api, _) => api.deserialize,
        };
        let read = read.ok_or(Failure::Unsupported("reading its state"))?;
        let held = self.states.place();
        self.free_slot(held.slot);
        let pointer = self.pointer();
        // SAFETY: the instance lives; the place holds NULL.
        let status = unsafe { read(pointer, bytes.as_ptr(), bytes.len(), &mut self.states.slots[held.slot]) };
        self.done("DeserializeFMUState", status)?;
        Ok(held)
    }

    fn free_slot(&mut self, slot: usize) {
        let free = match &self.api {
            Api::Two(api) => api.free_state,
            Api::Three(api, _) => api.free_state,
        };
        let pointer = self.pointer();
        let state = &mut self.states.slots[slot];
        if let (Some(free), false) = (free, state.is_null()) {
            // SAFETY: the instance lives and wrote the state. A status leaves nothing to do.
            unsafe { free(pointer, state) };
        }
        *state = null_mut();
    }

    /// Frees all states, before the instance itself.
    pub(super) fn free_states(&mut self) {
        (0..self.states.slots.len()).for_each(|slot| self.free_slot(slot));
    }
}

/// A state larger than this is taken for a mistake \[bytes\].
const LARGEST_STATE: usize = 1 << 34;
