//! No step of a nonlinear stepper allocates: counted by an allocator that counts.

use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::atomic::{AtomicU64, Ordering};

use fourbar_lti::{ExponentialMethod, NonlinearStepper};
use nalgebra::DMatrix;

struct Counting;

static ALLOCATIONS: AtomicU64 = AtomicU64::new(0);

// SAFETY: every call goes to the system allocator unchanged.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        ALLOCATIONS.fetch_add(1, Ordering::Relaxed);
        // SAFETY: the caller's promises are those that `System` asks for.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        // SAFETY: as above.
        unsafe { System.dealloc(pointer, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// One test, so that no other thread allocates meanwhile. Start-up, steps and restarts are counted.
#[test]
fn steps_allocate_nothing() {
    let n = 20;
    let a = DMatrix::from_fn(n, n, |i, j| if i == j { -2.0 } else { 1.0 / (1 + i + j) as f64 });
    let adams =
        (1..=4).flat_map(|order| [ExponentialMethod::Adams { order }, ExponentialMethod::AdamsRealTime { order }]);
    let others = [
        ExponentialMethod::MidpointRealTime,
        ExponentialMethod::Etdrk2,
        ExponentialMethod::Etdrk4,
        ExponentialMethod::Krogstad,
        ExponentialMethod::HochbruckOstermann,
    ];
    for method in adams.chain(others) {
        let mut stepper = NonlinearStepper::new(&a, 0.01, method).unwrap();
        stepper.set_state(&vec![0.5; n]).unwrap();
        let mut saved = stepper.save();
        let before = ALLOCATIONS.load(Ordering::Relaxed);
        for k in 0..100 {
            if k % 25 == 0 {
                stepper.restart();
            }
            stepper.step(|t, x, f| f.iter_mut().zip(x).for_each(|(f, x)| *f = t - x * x)).unwrap();
        }
        stepper.save_into(&mut saved);
        stepper.restore(&saved).unwrap();
        assert_eq!(ALLOCATIONS.load(Ordering::Relaxed), before, "{method:?}");
    }
}
