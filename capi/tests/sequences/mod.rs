//! Any sequence of calls that keeps to the documented contract (pointers NULL or valid, handles alive) comes back with a status. Bytes are
//! played as calls on a small world of handles.
#![allow(dead_code, unreachable_pub)]

mod bytes;
mod contact;
mod coupling;
mod linear;
mod mechanism;
mod problem;

use fourbar_capi::abi::status::fourbar_status;

pub use bytes::{Bytes, ROOM};

/// Handles of one kind; calls take one of them, or NULL.
pub struct Handles<T> {
    alive: Vec<*mut T>,
    free: unsafe extern "C" fn(*mut T),
}

impl<T> Handles<T> {
    pub fn new(free: unsafe extern "C" fn(*mut T)) -> Self {
        Self { alive: Vec::new(), free }
    }

    pub fn any(&self, bytes: &mut Bytes) -> *mut T {
        if self.alive.is_empty() || bytes.byte() % 16 == 15 {
            return std::ptr::null_mut();
        }
        self.alive[bytes.below(self.alive.len())]
    }

    /// Keeps what a call made; `null` is what its out-parameter was before.
    pub fn keep(&mut self, handle: *mut T, status: fourbar_status) {
        let made = status == fourbar_status::FOURBAR_OK;
        assert_eq!(made, !handle.is_null(), "a handle comes with success and with nothing else: {status:?}");
        if made {
            self.alive.push(handle);
        }
        if self.alive.len() > 4 {
            self.drop_one(0);
        }
    }

    pub fn drop_any(&mut self, bytes: &mut Bytes) {
        if self.alive.is_empty() {
            // SAFETY: NULL is allowed.
            unsafe { (self.free)(std::ptr::null_mut()) };
        } else {
            let at = bytes.below(self.alive.len());
            self.drop_one(at);
        }
    }

    fn drop_one(&mut self, at: usize) {
        let handle = self.alive.remove(at);
        // SAFETY: made by the library, freed once.
        unsafe { (self.free)(handle) };
    }
}

impl<T> Drop for Handles<T> {
    fn drop(&mut self) {
        while !self.alive.is_empty() {
            self.drop_one(self.alive.len() - 1);
        }
    }
}

/// Nothing inside may panic, whatever the calls are.
pub fn check(status: fourbar_status) -> fourbar_status {
    use fourbar_status as S;
    assert!(!matches!(status, S::FOURBAR_PANIC | S::FOURBAR_POISONED), "{}", last_error());
    status
}

/// Any status will do.
pub fn ignore(_: fourbar_status) {}

fn last_error() -> String {
    // SAFETY: never NULL, ends with a NUL.
    unsafe { std::ffi::CStr::from_ptr(fourbar_capi::abi::error::fourbar_last_error()) }.to_string_lossy().into_owned()
}

/// Plays all of `bytes`.
pub fn play(bytes: &[u8]) {
    let mut bytes = Bytes::new(bytes);
    let mut linear = linear::World::new();
    let mut mechanism = mechanism::World::new();
    let mut problem = problem::World::new();
    let mut contact = contact::World::new();
    let mut coupling = coupling::World::new();
    // Sequences tend to stay with one part, so that they get somewhere.
    let mut part = bytes.byte();
    while !bytes.is_empty() {
        if bytes.byte() % 8 == 7 {
            part = bytes.byte();
        }
        match part % 5 {
            0 => linear.call(&mut bytes),
            1 => mechanism.call(&mut bytes),
            2 => problem.call(&mut bytes),
            3 => contact.call(&mut bytes),
            _ => coupling.call(&mut bytes),
        }
    }
}
