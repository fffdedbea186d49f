//! An accepted step of a mechanism allocates nothing.

use fourbar::multibody::integrator::{Gstiff, Stop};
use fourbar::multibody::{Dynamics, DynamicsOptions, Formulation, Mechanism};
use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

struct Counting;

static OBTAINED: AtomicU64 = AtomicU64::new(0);

// SAFETY: every call goes on to the system's allocator unchanged.
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

/// One test only: a second one in parallel would be counted too. Andrews has redundant rows, a spring and a torque by an
/// expression; sampling its measures and accounts counts as well. Fresh pivots, the one thing that allocates, are chosen once, while
/// the step grows from 5e-9 s by four decades; counting begins after that.
#[test]
fn accepted_steps_allocate_nothing() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/models/andrews.toml");
    let file = fourbar::file::ModelFile::load(path).expect("the model loads");
    for formulation in [Formulation::Si2, Formulation::I3] {
        let mechanism = Arc::new(
            Mechanism::compile(&file.document().mechanism().expect("a mechanism").model).expect("it compiles"),
        );
        let method = Gstiff::with_tolerance(1e-7).into();
        let options = DynamicsOptions { formulation, method, end: 0.03, stop_times: Vec::new() };
        let mut dynamics = Dynamics::new(&mechanism, &options).expect("the run starts");
        let mut values = vec![0.0; mechanism.measures().len()];
        for _ in 0..60 {
            dynamics.step().expect("a step");
            dynamics.account_energy().expect("energy");
        }
        let before = OBTAINED.load(Ordering::Relaxed);
        let mut steps = 0;
        while dynamics.step().expect("a step") == Stop::Step {
            dynamics.account_energy().expect("energy");
            dynamics.violation().expect("violation");
            dynamics.measures_at(dynamics.time(), &mut values).expect("measures");
            steps += 1;
        }
        assert!(steps > 200);
        assert_eq!(OBTAINED.load(Ordering::Relaxed) - before, 0, "{formulation:?}: allocations in {steps} steps");
    }
}
