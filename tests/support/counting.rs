//! An allocator that counts, for tests that a loop allocates nothing. A test binary that holds this module runs on it.

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

thread_local! {
    // Of each thread its own, so that tests beside it are not counted.
    static OBTAINED: Cell<u64> = const { Cell::new(0) };
}

/// Calls of this thread, up to now, that obtained memory.
pub(crate) fn obtained() -> u64 {
    OBTAINED.get()
}

struct Counting;

// SAFETY: every call is passed on unchanged to the system's allocator; only a counter is touched besides.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        OBTAINED.set(OBTAINED.get() + 1);
        // SAFETY: the caller's guarantees are those of this method.
        unsafe { System.alloc(layout) }
    }
    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        // SAFETY: as above.
        unsafe { System.dealloc(pointer, layout) }
    }
    unsafe fn realloc(&self, pointer: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        OBTAINED.set(OBTAINED.get() + 1);
        // SAFETY: as above.
        unsafe { System.realloc(pointer, layout, size) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

#[test]
fn the_counter_counts() {
    let before = obtained();
    drop(std::hint::black_box(vec![1.0]));
    assert_eq!(obtained(), before + 1);
}
