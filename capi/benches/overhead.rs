//! What a step costs through C beyond its cost in Rust: a stepper, a four-bar under `Gstiff`, the same on a wall in fixed steps.
//!
//! The loops are compiled by `cc`. They call the functions twice: those linked into this program, compiled with what the loops in Rust call, as
//! in a host that links the static library (`c`), and those of the shared library beside it (`c_shared`). The latter is another compilation of
//! the same code, whose steps may take some percent more or less whoever calls them.

#[path = "../tests/compile/mod.rs"]
mod compile;

use std::cell::RefCell;
use std::ffi::{CString, c_char, c_int};
use std::hint::black_box;
use std::process::Command;
use std::ptr::null_mut;
use std::rc::Rc;
use std::sync::Arc;
use std::time::{Duration, Instant};

use criterion::{Criterion, criterion_group, criterion_main};
use fourbar::file::ModelFile;
use fourbar::lti::{Method, StateSpace, Stepper};
use fourbar::mechanism::ContactMethod;
use fourbar::run::Overrides;
use fourbar::simulation::{CompiledModel, Progress, Simulation};
use fourbar_capi::abi::status::fourbar_status;
use fourbar_capi::lti::method::fourbar_hold;
use fourbar_capi::lti::stepper::{
    fourbar_stepper, fourbar_stepper_new, fourbar_stepper_set_input, fourbar_stepper_step,
};
use fourbar_capi::lti::system::{fourbar_system, fourbar_system_new};
use fourbar_capi::model::compile::fourbar_model_compile;
use fourbar_capi::model::mechanism::fourbar_mechanism;
use fourbar_capi::model::model::{fourbar_model, fourbar_model_from_file};
use fourbar_capi::simulation::options::{fourbar_simulation_options, fourbar_simulation_options_init};
use fourbar_capi::simulation::saving::{fourbar_simulation_restore, fourbar_simulation_save, fourbar_simulation_state};
use fourbar_capi::simulation::simulation::{fourbar_simulation, fourbar_simulation_advance, fourbar_simulation_new};
use libloading::{Library, Symbol};
use nalgebra::DMatrix;

/// Steps of a mechanism that are timed in one go, always the same ones.
const WINDOW: u64 = 200;
/// Steps before them, over which the order settles.
const WARM_UP: u64 = 40;

/// Turns of all sides, and the shortest time of one.
const TURNS: usize = 300;
const TURN: Duration = Duration::from_millis(1);

/// The functions of overhead.c.
fn loops() -> Library {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("loops.so");
    let mut command = Command::new("cc");
    command.args(["-std=c99", "-O2", "-shared", "-fPIC", "-I"]).arg(compile::root().join("include"));
    command.arg(compile::root().join("capi/benches/overhead.c"));
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

/// The functions of the ABI that are needed, with their types: of this program and of a library.
macro_rules! calls {
    ($($name:ident: fn($($argument:ty),*);)*) => {
        struct Calls {
            $($name: unsafe extern "C" fn($($argument),*) -> fourbar_status,)*
        }

        impl Calls {
            fn of_this_program() -> Self {
                Self { $($name,)* }
            }

            fn of(library: &Library) -> Self {
                // SAFETY: the functions of this program under the same names have these types.
                unsafe { Self { $($name: *function(library, stringify!($name)),)* } }
            }
        }
    };
}

calls! {
    fourbar_system_new: fn(usize, usize, usize, *const f64, *const f64, *const f64, *const f64, *mut *mut fourbar_system);
    fourbar_stepper_new: fn(*const fourbar_system, f64, *const fourbar_hold, *mut *mut fourbar_stepper);
    fourbar_stepper_set_input: fn(*mut fourbar_stepper, *const f64, usize);
    fourbar_stepper_step: fn(*mut fourbar_stepper, *const f64, usize, *mut f64, usize);
    fourbar_simulation_options_init: fn(*mut fourbar_simulation_options, usize);
    fourbar_model_from_file: fn(*const c_char, *mut *mut fourbar_model);
    fourbar_model_compile: fn(*const fourbar_model, *mut *mut fourbar_mechanism);
    fourbar_simulation_new: fn(*const fourbar_mechanism, *const fourbar_simulation_options, *mut *mut fourbar_simulation);
    fourbar_simulation_advance: fn(*mut fourbar_simulation, f64, *mut i32);
    fourbar_simulation_save: fn(*const fourbar_simulation, *mut *mut fourbar_simulation_state);
    fourbar_simulation_restore: fn(*mut fourbar_simulation, *const fourbar_simulation_state);
}

/// The same functions twice, with their names in the report.
fn both() -> [(&'static str, Calls); 2] {
    let path = compile::library_folder().join("libfourbar_capi.so");
    // Stays until the process ends, as what is made by its functions does.
    // SAFETY: nothing runs when it is loaded.
    let library = Box::leak(Box::new(unsafe { Library::new(path) }.unwrap()));
    [("c", Calls::of_this_program()), ("c_shared", Calls::of(library))]
}

fn ok(status: fourbar_status) {
    assert_eq!(status, fourbar_status::FOURBAR_OK);
}

/// What a function gives through its last argument.
fn made<T>(make: impl FnOnce(*mut *mut T) -> fourbar_status) -> *mut T {
    let mut out = null_mut();
    ok(make(&raw mut out));
    out
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

/// All beside each other: each by itself, then in turns, so that what the machine does beside concerns all. The first is Rust.
fn compare<'a>(criterion: &mut Criterion, name: &str, mut sides: Vec<(&str, Side<'a>)>) {
    let mut group = criterion.benchmark_group(name);
    for (side, timed) in &mut sides {
        group.bench_function(*side, |bencher| bencher.iter_custom(|steps| timed.time(steps)));
    }
    group.finish();
    let mut count = 1;
    while sides[0].1.time(count) < TURN {
        count *= 2;
    }
    let mut times = vec![Vec::with_capacity(TURNS); sides.len()];
    for _ in 0..TURNS {
        for ((_, side), times) in sides.iter_mut().zip(&mut times) {
            times.push(side.time(count).as_secs_f64() * 1e9 / count as f64);
        }
    }
    let rust = middle(times[0].clone());
    println!("{name} in turns: Rust {rust:.1} ns a step");
    for ((side, _), times_c) in sides.iter().zip(&times).skip(1) {
        let more = middle(times[0].iter().zip(times_c).map(|(rust, c)| c - rust).collect());
        println!("{name} in turns: {side} more by {more:.1} ns, {:.2} %", 100.0 * more / rust);
    }
}

fn middle(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}

fn steppers(criterion: &mut Criterion) {
    type Run = unsafe extern "C" fn(
        unsafe extern "C" fn(*mut fourbar_stepper, *const f64, usize, *mut f64, usize) -> fourbar_status,
        *mut fourbar_stepper,
        u64,
    ) -> c_int;
    let library = loops();
    // SAFETY: its type in overhead.c.
    let run = unsafe { function::<Run>(&library, "bench_stepper_steps") };
    for n in [4, 10, 50] {
        let coupling = |i: usize, j: usize| ((i * 37 + j * 17) % 101) as f64 / 101.0 - 0.5;
        let a = DMatrix::from_fn(n, n, |i, j| if i == j { -(1.0 + i as f64) } else { coupling(i, j) / n as f64 });
        let (b, c) = (DMatrix::from_fn(n, 1, |i, _| coupling(i, 3)), DMatrix::from_fn(1, n, |_, j| coupling(5, j)));
        let system = StateSpace::new(a.clone(), b.clone(), c.clone(), DMatrix::zeros(1, 1)).unwrap();
        let mut stepper = Stepper::new(&system, 0.01, Method::FIRST_ORDER_HOLD).unwrap();
        stepper.set_input(&[1.0]).unwrap();
        let mut y = [0.0];
        let in_rust = move |count| {
            for _ in 0..count {
                stepper.step(black_box(&[1.0]), &mut y).unwrap();
                black_box(&y);
            }
        };
        let side = |steps| Side { back: Box::new(|| ()), steps, window: u64::MAX };
        let mut sides = vec![("rust", side(Box::new(in_rust)))];
        for (name, calls) in both() {
            let d = [0.0];
            // SAFETY: the matrices have the sizes that belong to n; nothing is freed before the process ends.
            let handle = unsafe {
                let (a, b, c) = (a.as_ptr(), b.as_ptr(), c.as_ptr());
                let system = made(|out| (calls.fourbar_system_new)(n, 1, 1, a, b, c, d.as_ptr(), out));
                let handle = made(|out| (calls.fourbar_stepper_new)(system, 0.01, std::ptr::null(), out));
                ok((calls.fourbar_stepper_set_input)(handle, [1.0].as_ptr(), 1));
                handle
            };
            let (step, run) = (calls.fourbar_stepper_step, &run);
            // SAFETY: alive.
            sides.push((name, side(Box::new(move |count| assert_eq!(unsafe { run(step, handle, count) }, 0)))));
        }
        compare(criterion, &format!("stepper/{n}"), sides);
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

fn in_c<'a>(case: &'a Case, library: &'a Library, calls: Calls) -> Side<'a> {
    type Advance = unsafe extern "C" fn(*mut fourbar_simulation, f64, *mut i32) -> fourbar_status;
    type Run = unsafe extern "C" fn(Advance, *mut fourbar_simulation, f64, u64) -> c_int;
    // SAFETY: its type in overhead.c.
    let run = unsafe { function::<Run>(library, "bench_simulation_steps") };
    let path = CString::new(compile::root().join(case.file).to_str().unwrap()).unwrap();
    // SAFETY: a text with its NUL, options of their size; nothing is freed before the process ends.
    let handle = unsafe {
        let mut options = std::mem::zeroed::<fourbar_simulation_options>();
        ok((calls.fourbar_simulation_options_init)(&raw mut options, size_of_val(&options)));
        options.following = case.following;
        options.fixed_step = case.fixed_step;
        let model = made(|out| (calls.fourbar_model_from_file)(path.as_ptr(), out));
        let mechanism = made(|out| (calls.fourbar_model_compile)(model, out));
        made(|out| (calls.fourbar_simulation_new)(mechanism, &raw const options, out))
    };
    let advance = calls.fourbar_simulation_advance;
    // SAFETY: alive.
    let steps = move |count| assert_eq!(unsafe { run(advance, handle, case.end, count) }, 0);
    steps(WARM_UP);
    // SAFETY: alive.
    let saved = made(|out| unsafe { (calls.fourbar_simulation_save)(handle, out) });
    // SAFETY: alive.
    let back = move || ok(unsafe { (calls.fourbar_simulation_restore)(handle, saved) });
    Side { back: Box::new(back), steps: Box::new(steps), window: WINDOW }
}

fn mechanisms(criterion: &mut Criterion) {
    let library = loops();
    for case in cases() {
        let mut sides = vec![("rust", in_rust(&case))];
        sides.extend(both().map(|(name, calls)| (name, in_c(&case, &library, calls))));
        compare(criterion, &format!("mechanism/{}", case.name), sides);
    }
}

criterion_group!(benches, steppers, mechanisms);
criterion_main!(benches);
