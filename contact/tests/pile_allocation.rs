//! Steps of a pile that came to rest allocate nothing, finding its contacts included.

mod piles;
#[path = "piles/scenes.rs"]
mod scenes;

use fourbar_contact::stepping::TimeStepping;
use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::atomic::{AtomicU64, Ordering};

/// Counts the calls that obtain memory.
struct Counting;

static OBTAINED: AtomicU64 = AtomicU64::new(0);

// SAFETY: every call is passed on unchanged to the system's allocator; only a counter is touched besides.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        OBTAINED.fetch_add(1, Ordering::Relaxed);
        // SAFETY: the caller's guarantees are those of this method.
        unsafe { System.alloc(layout) }
    }
    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        // SAFETY: as above.
        unsafe { System.dealloc(pointer, layout) }
    }
    unsafe fn realloc(&self, pointer: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        OBTAINED.fetch_add(1, Ordering::Relaxed);
        // SAFETY: as above.
        unsafe { System.realloc(pointer, layout, size) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// One test only: a second one in parallel would be counted too.
#[test]
fn steps_allocate_nothing_after_the_landing() {
    let bricks = scenes::layers(4, 3, 0.21, 0.05);
    let (mechanism, contacts) = scenes::compile(&bricks, 0.5);
    let options = TimeStepping { step: 5e-3, ..TimeStepping::default() };
    let mut stepper = options.start(&mechanism, contacts, mechanism.start()).expect("a start");
    while stepper.time() < 0.6 {
        stepper.step().expect("a step");
    }
    let before = OBTAINED.load(Ordering::Relaxed);
    for _ in 0..100 {
        let record = stepper.step().expect("a step");
        assert!(record.active > 36, "{} contacts carry", record.active);
    }
    assert_eq!(OBTAINED.load(Ordering::Relaxed) - before, 0);
}
