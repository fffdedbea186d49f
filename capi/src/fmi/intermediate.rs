//! What an importer wants to know within a step of FMI 3.0, and when it wants it back.

use std::ffi::c_void;

/// `fmi3IntermediateUpdateCallback`: environment, time, whether inputs are asked for, whether values may be read, whether a step of the method is
/// finished, whether the step may be left; whether it is to be left, and when.
pub(super) type IntermediateUpdate = unsafe extern "C" fn(*mut c_void, f64, u8, u8, u8, u8, *mut u8, *mut f64);

/// The callback, and whether a step may be left early.
#[derive(Debug)]
pub(super) struct Intermediate {
    function: Option<IntermediateUpdate>,
    environment: *mut c_void,
    pub(super) may_leave: bool,
}

// SAFETY: the environment is handed back to the importer, never read; the standard lets an importer use an instance from any thread.
unsafe impl Send for Intermediate {}
// SAFETY: as above; nothing in it changes.
unsafe impl Sync for Intermediate {}

impl Intermediate {
    pub(super) fn new(function: Option<IntermediateUpdate>, environment: *mut c_void, may_leave: bool) -> Self {
        Self { function, environment, may_leave }
    }

    /// Of importers that have none.
    pub(super) fn none() -> Self {
        Self::new(None, std::ptr::null_mut(), false)
    }

    /// Tells the importer that the method has come to `time` \[s\]; whether it wants the step to end there. It may read values meanwhile.
    pub(super) fn tell(&self, time: f64) -> bool {
        let Some(function) = self.function else { return false };
        let (mut wanted, mut when) = (0, time);
        // SAFETY: the importer's own function and environment, valid as long as the instance; results that live here.
        unsafe {
            let (set, get, finished) = (0, 1, 1);
            let may_leave = u8::from(self.may_leave);
            function(self.environment, time, set, get, finished, may_leave, &raw mut wanted, &raw mut when);
        }
        // A later time is met by the step that leads past it.
        self.may_leave && wanted != 0 && when <= time
    }
}
