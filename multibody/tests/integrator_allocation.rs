//! An accepted step allocates nothing.

mod support;

use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::atomic::{AtomicU64, Ordering};

use fourbar_multibody::integrator::{Gstiff, Integrator, Snapshot, Stop};
use support::andrews::{Andrews, Form};

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

/// One test only: a second one in parallel would be counted too. The steps counted contain rejections, changes of order and
/// step, and new matrices.
#[test]
fn steps_and_repeated_saves_allocate_nothing() {
    let (y, yp) = Andrews::start(Form::Si2);
    let mut run = Gstiff::with_tolerance(1e-6).start(Andrews::system(Form::Si2), 0.0, &y, &yp, 0.03).expect("start");
    for _ in 0..20 {
        run.step().expect("step");
    }
    let mut snapshot = Snapshot::new();
    run.save(&mut snapshot);
    let (before, steps, rejected) =
        (OBTAINED.load(Ordering::Relaxed), run.statistics().steps, run.statistics().rejected_by_error);
    while run.step().expect("step") != Stop::EndTime {
        run.save(&mut snapshot);
    }
    let obtained = OBTAINED.load(Ordering::Relaxed) - before;
    assert!(run.statistics().steps > steps + 300 && run.statistics().rejected_by_error > rejected);
    assert_eq!(obtained, 0, "allocations in {} steps", run.statistics().steps - steps);
}
