//! What a step costs through C beyond its cost in Rust: a stepper, a four-bar under `Gstiff`, the same on a wall in fixed steps. The loops in
//! C are compiled here by `cc` and linked to the shared library, so that a call takes the way it takes in a host.

#[path = "../tests/compile/mod.rs"]
mod compile;

use std::cell::RefCell;
use std::ffi::{CString, c_char, c_int};
use std::hint::black_box;
use std::process::Command;
use std::rc::Rc;
use std::sync::Arc;
use std::time::{Duration, Instant};

use criterion::{Criterion, criterion_group, criterion_main};
use fourbar::file::ModelFile;
use fourbar::lti::{Method, StateSpace, Stepper};
use fourbar::mechanism::ContactMethod;
use fourbar::run::Overrides;
use fourbar::simulation::{CompiledModel, Progress, Simulation};
use fourbar_capi::lti::stepper::fourbar_stepper;
use fourbar_capi::simulation::saving::fourbar_simulation_state;
use fourbar_capi::simulation::simulation::fourbar_simulation;
use libloading::{Library, Symbol};
use nalgebra::DMatrix;

/// Steps of a mechanism that are timed in one go, always the same ones.
const WINDOW: u64 = 200;
/// Steps before them, over which the order settles.
const WARM_UP: u64 = 40;

/// Turns of Rust and C, and the shortest time of one.
const TURNS: usize = 300;
const TURN: Duration = Duration::from_millis(1);

/// The functions of `overhead.c`.
fn loops() -> Library {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("loops.so");
    let mut command = Command::new("cc");
    command.args(["-std=c99", "-O2", "-shared", "-fPIC", "-I"]).arg(compile::root().join("include"));
    // By its path, so that no other build of the library is found.
    command
        .arg(compile::root().join("capi/benches/overhead.c"))
        .arg(compile::library_folder().join("libfourbar_capi.so"))
        .arg(format!("-Wl,-rpath,{}", compile::library_folder().display()));
    assert!(command.arg("-o").arg(&path).status().unwrap().success());
    // SAFETY: nothing runs when it is loaded.
    unsafe { Library::new(path) }.unwrap()
}

/// # Safety
/// The function in C has the type `T`.
unsafe fn function<'a, T>(library: &'a Library, name: &str) -> Symbol<'a, T> {
    // SAFETY: by contract.
    unsafe { library.get(name) }.unwrap()
}

/// What is timed: `back` returns to the start, untimed, `steps` takes so many steps from there.
struct Side<'a> {
    back: Box<dyn FnMut() + 'a>,
    steps: Box<dyn FnMut(u64) + 'a>,
    /// Most steps from one start.
    window: u64,
}

impl Side<'_> {
    fn time(&mut self, count: u64) -> Duration {
        let (mut elapsed, mut left) = (Duration::ZERO, count);
        while left > 0 {
            (self.back)();
            let now = left.min(self.window);
            let begun = Instant::now();
            (self.steps)(now);
            elapsed += begun.elapsed();
            left -= now;
        }
        elapsed
    }
}

/// The two beside each other: each by itself, then in turns, so that what the machine does beside concerns both.
fn compare<'a>(criterion: &mut Criterion, name: &str, mut rust: Side<'a>, mut c: Side<'a>) {
    let mut group = criterion.benchmark_group(name);
    group.bench_function("rust", |bencher| bencher.iter_custom(|steps| rust.time(steps)));
    group.bench_function("c", |bencher| bencher.iter_custom(|steps| c.time(steps)));
    group.finish();
    let mut each = [Vec::with_capacity(TURNS), Vec::with_capacity(TURNS)];
    let mut count = 1;
    while rust.time(count) < TURN {
        count *= 2;
    }
    for _ in 0..TURNS {
        for (side, times) in [&mut rust, &mut c].into_iter().zip(&mut each) {
            times.push(side.time(count).as_secs_f64() * 1e9 / count as f64);
        }
    }
    let middle = |mut values: Vec<f64>| {
        values.sort_by(f64::total_cmp);
        values[values.len() / 2]
    };
    let more = middle(each[0].iter().zip(&each[1]).map(|(rust, c)| c - rust).collect());
    let [[least_rust, rust], [least_c, c]] =
        each.map(|times| [times.iter().copied().fold(f64::INFINITY, f64::min), middle(times)]);
    println!(
        "{name} in turns: Rust {rust:.1} ns (least {least_rust:.1}), C {c:.1} ns (least {least_c:.1}), C more by {more:.1} ns"
    );
}

fn steppers(criterion: &mut Criterion) {
    let library = loops();
    // SAFETY: these are the types in overhead.c.
    let (make, run) = unsafe {
        type Make = unsafe extern "C" fn(usize, *const f64, *const f64, *const f64, f64) -> *mut fourbar_stepper;
        type Run = unsafe extern "C" fn(*mut fourbar_stepper, u64) -> c_int;
        (function::<Make>(&library, "bench_stepper"), function::<Run>(&library, "bench_stepper_steps"))
    };
    for n in [4, 10, 50] {
        let coupling = |i: usize, j: usize| ((i * 37 + j * 17) % 101) as f64 / 101.0 - 0.5;
        let a = DMatrix::from_fn(n, n, |i, j| if i == j { -(1.0 + i as f64) } else { coupling(i, j) / n as f64 });
        let (b, c) = (DMatrix::from_fn(n, 1, |i, _| coupling(i, 3)), DMatrix::from_fn(1, n, |_, j| coupling(5, j)));
        // SAFETY: the matrices have the sizes that belong to n.
        let handle = unsafe { make(n, a.as_ptr(), b.as_ptr(), c.as_ptr(), 0.01) };
        assert!(!handle.is_null());
        let system = StateSpace::new(a, b, c, DMatrix::zeros(1, 1)).unwrap();
        let mut stepper = Stepper::new(&system, 0.01, Method::FIRST_ORDER_HOLD).unwrap();
        stepper.set_input(&[1.0]).unwrap();
        let mut y = [0.0];
        let in_rust = move |count| {
            for _ in 0..count {
                stepper.step(black_box(&[1.0]), &mut y).unwrap();
                black_box(&y);
            }
        };
        // SAFETY: alive. It is never freed: the process ends with it.
        let in_c = |count| assert_eq!(unsafe { run(handle, count) }, 0);
        let side = |steps| Side { back: Box::new(|| ()), steps, window: u64::MAX };
        compare(criterion, &format!("stepper/{n}"), side(Box::new(in_rust)), side(Box::new(in_c)));
    }
}

/// A mechanism and how it is followed; `Overrides` say the same as the values for C.
struct Case {
    name: &'static str,
    file: &'static str,
    overrides: Overrides,
    following: i32,
    fixed_step: f64,
    end: f64,
}

fn cases() -> [Case; 2] {
    let fixed = Overrides { contacts: Some(ContactMethod::GapLcp), step: Some(1e-4), ..Overrides::default() };
    [
        Case {
            name: "gstiff",
            file: "models/four-bar.toml",
            overrides: Overrides::default(),
            following: 0,
            fixed_step: 0.0,
            end: 1e3,
        },
        // FOURBAR_FOLLOWING_GAP_LCP.
        Case {
            name: "gap_lcp",
            file: "models/fourbar-impact.toml",
            overrides: fixed,
            following: 2,
            fixed_step: 1e-4,
            end: 1.0,
        },
    ]
}

fn in_rust(case: &Case) -> Side<'_> {
    let file = ModelFile::load(compile::root().join(case.file)).unwrap();
    let compiled = CompiledModel::new(file.document().mechanism().unwrap(), &Default::default()).unwrap();
    let simulation = Rc::new(RefCell::new(Simulation::new(&Arc::new(compiled), &case.overrides).unwrap()));
    let stepping = simulation.clone();
    let steps = move |count| {
        let mut simulation = stepping.borrow_mut();
        for _ in 0..count {
            assert_eq!(simulation.advance(case.end).unwrap(), Progress::Step);
        }
    };
    steps(WARM_UP);
    let saved = simulation.borrow().save();
    let back = move || simulation.borrow_mut().restore(&saved).unwrap();
    Side { back: Box::new(back), steps: Box::new(steps), window: WINDOW }
}

fn in_c<'a>(case: &'a Case, library: &'a Library) -> Side<'a> {
    type Save = unsafe extern "C" fn(*mut fourbar_simulation, *mut *mut fourbar_simulation_state) -> c_int;
    type Restore = unsafe extern "C" fn(*mut fourbar_simulation, *const fourbar_simulation_state) -> c_int;
    // SAFETY: these are the types in overhead.c and fourbar.h.
    let (make, run, save, restore) = unsafe {
        type Make = unsafe extern "C" fn(*const c_char, i32, f64) -> *mut fourbar_simulation;
        type Run = unsafe extern "C" fn(*mut fourbar_simulation, f64, u64) -> c_int;
        (
            function::<Make>(library, "bench_simulation"),
            function::<Run>(library, "bench_simulation_steps"),
            function::<Save>(library, "fourbar_simulation_save"),
            function::<Restore>(library, "fourbar_simulation_restore"),
        )
    };
    let path = CString::new(compile::root().join(case.file).to_str().unwrap()).unwrap();
    // SAFETY: a text with its NUL.
    let handle = unsafe { make(path.as_ptr(), case.following, case.fixed_step) };
    assert!(!handle.is_null());
    // SAFETY: alive. Neither is freed: the process ends with them.
    let steps = move |count| assert_eq!(unsafe { run(handle, case.end, count) }, 0);
    steps(WARM_UP);
    let mut saved = std::ptr::null_mut();
    // SAFETY: alive, valid.
    assert_eq!(unsafe { save(handle, &raw mut saved) }, 0);
    // SAFETY: alive.
    let back = move || assert_eq!(unsafe { restore(handle, saved) }, 0);
    Side { back: Box::new(back), steps: Box::new(steps), window: WINDOW }
}

fn mechanisms(criterion: &mut Criterion) {
    let library = loops();
    for case in cases() {
        let (rust, c) = (in_rust(&case), in_c(&case, &library));
        compare(criterion, &format!("mechanism/{}", case.name), rust, c);
    }
}

criterion_group!(benches, steppers, mechanisms);
criterion_main!(benches);
