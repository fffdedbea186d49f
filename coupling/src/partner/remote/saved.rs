//! Saved states stay at the host; here are their places.

use std::sync::{Arc, Mutex, PoisonError};

/// Places for saved states at the host.
#[derive(Debug, Default)]
pub(super) struct Places {
    free: Vec<u64>,
    used: u64,
}

/// What a snapshot of a [`Remote`] holds: the place of the state at the host, free again when the snapshot is dropped.
#[derive(Default)]
pub(super) struct Saved {
    pub(super) place: Option<u64>,
    pub(super) places: Arc<Mutex<Places>>,
}

impl Drop for Saved {
    fn drop(&mut self) {
        if let Some(place) = self.place {
            self.places.lock().unwrap_or_else(PoisonError::into_inner).free.push(place);
        }
    }
}

impl Saved {
    /// Its place among those of this simulator.
    pub(super) fn place(&mut self, places: &Arc<Mutex<Places>>) -> u64 {
        if !Arc::ptr_eq(&self.places, places) {
            *self = Self { place: None, places: Arc::clone(places) };
        }
        *self.place.get_or_insert_with(|| {
            let mut places = places.lock().unwrap_or_else(PoisonError::into_inner);
            places.free.pop().unwrap_or_else(|| {
                places.used += 1;
                places.used - 1
            })
        })
    }
}
