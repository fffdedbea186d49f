//! The ring by direct calls: each instance from a copy of the library of its own, as an importer loads it.

use libloading::Library;
use std::ffi::{c_char, c_int, c_void};
use std::path::Path;

type Pointer = *mut c_void;
type Logger2 = extern "C" fn(Pointer, *const c_char, c_int, *const c_char, *const c_char);
type Logger3 = extern "C" fn(Pointer, c_int, *const c_char, *const c_char);

#[repr(C)]
struct Callbacks {
    logger: Logger2,
    allocate: unsafe extern "C" fn(usize, usize) -> Pointer,
    free: unsafe extern "C" fn(Pointer),
    finished: Option<extern "C" fn(Pointer, c_int)>,
    environment: Pointer,
}

unsafe extern "C" {
    fn calloc(count: usize, size: usize) -> Pointer;
    fn free(pointer: Pointer);
}

extern "C" fn log2(_: Pointer, _: *const c_char, _: c_int, _: *const c_char, _: *const c_char) {}
extern "C" fn log3(_: Pointer, _: c_int, _: *const c_char, _: *const c_char) {}

const INPUT: u32 = 7;
const OUTPUT: u32 = 8;

type Set2 = unsafe extern "C" fn(Pointer, *const u32, usize, *const f64) -> c_int;
type Get2 = unsafe extern "C" fn(Pointer, *const u32, usize, *mut f64) -> c_int;
type Step2 = unsafe extern "C" fn(Pointer, f64, f64, c_int) -> c_int;
type Set3 = unsafe extern "C" fn(Pointer, *const u32, usize, *const f64, usize) -> c_int;
type Get3 = unsafe extern "C" fn(Pointer, *const u32, usize, *mut f64, usize) -> c_int;
type Step3 = unsafe extern "C" fn(Pointer, f64, f64, bool, *mut bool, *mut bool, *mut bool, *mut f64) -> c_int;

#[derive(Clone, Copy)]
enum Calls {
    Two(Set2, Step2, Get2),
    Three(Set3, Step3, Get3),
}

/// Instances and the values between them.
pub(super) struct Ring {
    units: Vec<(Pointer, Calls)>,
    values: Vec<f64>,
    steps: u64,
    _libraries: Vec<(Library, Option<Box<Callbacks>>)>,
}

/// A function of a library.
fn function<T: Copy>(library: &Library, name: &str) -> T {
    // SAFETY: `model.c` has this function with the type that is asked for.
    unsafe { *library.get::<T>(name.as_bytes()).unwrap() }
}

impl Ring {
    pub(super) fn new(version: u32, library: &Path, count: usize) -> Self {
        let mut ring = Self { units: Vec::new(), values: vec![0.0; count], steps: 0, _libraries: Vec::new() };
        for i in 0..count {
            let copy = library.with_file_name(format!("direct-{version}-{}-{i}.so", std::process::id()));
            std::fs::copy(library, &copy).unwrap();
            // SAFETY: it has no initialisers.
            let library = unsafe { Library::new(&copy) }.unwrap();
            std::fs::remove_file(copy).unwrap();
            let (unit, callbacks) = if version == 2 { two(&library) } else { (three(&library), None) };
            ring.units.push(unit);
            ring._libraries.push((library, callbacks));
        }
        ring
    }

    /// Every instance takes what the one before it gave, steps and gives.
    pub(super) fn step(&mut self) -> bool {
        let (t, h) = (self.steps as f64 * 1e-3, 1e-3);
        self.steps += 1;
        let last = self.values.len() - 1;
        let mut carried = self.values[last];
        let mut good = true;
        for ((instance, calls), value) in self.units.iter().zip(&mut self.values) {
            let taken = std::mem::replace(&mut carried, *value);
            // SAFETY: the instances live, and the places are there.
            good &= unsafe {
                match calls {
                    Calls::Two(set, step, get) => {
                        set(*instance, &INPUT, 1, &taken) | step(*instance, t, h, 1) | get(*instance, &OUTPUT, 1, value)
                    }
                    Calls::Three(set, step, get) => {
                        let (mut flags, mut reached) = ([false; 3], 0.0);
                        let [event, end, early] = &mut flags;
                        set(*instance, &INPUT, 1, &taken, 1)
                            | step(*instance, t, h, true, event, end, early, &mut reached)
                            | get(*instance, &OUTPUT, 1, value, 1)
                    }
                }
            } == 0;
        }
        good
    }
}

fn two(library: &Library) -> ((Pointer, Calls), Option<Box<Callbacks>>) {
    type Create = unsafe extern "C" fn(
        *const c_char,
        c_int,
        *const c_char,
        *const c_char,
        *const Callbacks,
        c_int,
        c_int,
    ) -> Pointer;
    type Setup = unsafe extern "C" fn(Pointer, c_int, f64, f64, c_int, f64) -> c_int;
    type Mode = unsafe extern "C" fn(Pointer) -> c_int;
    let callbacks =
        Callbacks { logger: log2, allocate: calloc, free, finished: None, environment: std::ptr::null_mut() };
    let callbacks = Box::new(callbacks);
    let texts = [c"unit", c"{token}", c"file:///tmp"].map(|text| text.as_ptr());
    let create: Create = function(library, "fmi2Instantiate");
    let (setup, enter, exit): (Setup, Mode, Mode) = (
        function(library, "fmi2SetupExperiment"),
        function(library, "fmi2EnterInitializationMode"),
        function(library, "fmi2ExitInitializationMode"),
    );
    // SAFETY: the types are those of the standard, and texts and callbacks live.
    let instance = unsafe {
        let instance = create(texts[0], 1, texts[1], texts[2], &*callbacks, 0, 0);
        assert_eq!(setup(instance, 0, 0.0, 0.0, 0, 0.0) | enter(instance) | exit(instance), 0);
        instance
    };
    let calls =
        Calls::Two(function(library, "fmi2SetReal"), function(library, "fmi2DoStep"), function(library, "fmi2GetReal"));
    ((instance, calls), Some(callbacks))
}

fn three(library: &Library) -> (Pointer, Calls) {
    type Create = unsafe extern "C" fn(
        *const c_char,
        *const c_char,
        *const c_char,
        bool,
        bool,
        bool,
        bool,
        *const u32,
        usize,
        Pointer,
        Logger3,
        Pointer,
    ) -> Pointer;
    type Enter = unsafe extern "C" fn(Pointer, bool, f64, f64, bool, f64) -> c_int;
    type Mode = unsafe extern "C" fn(Pointer) -> c_int;
    let null = std::ptr::null_mut();
    let texts = [c"unit", c"{token}", c"/tmp/"].map(|text| text.as_ptr());
    let create: Create = function(library, "fmi3InstantiateCoSimulation");
    let enter: Enter = function(library, "fmi3EnterInitializationMode");
    let exit: Mode = function(library, "fmi3ExitInitializationMode");
    // SAFETY: as above.
    let instance = unsafe {
        let instance =
            create(texts[0], texts[1], texts[2], false, false, false, false, std::ptr::null(), 0, null, log3, null);
        assert_eq!(enter(instance, false, 0.0, 0.0, false, 0.0) | exit(instance), 0);
        instance
    };
    let calls = Calls::Three(
        function(library, "fmi3SetFloat64"),
        function(library, "fmi3DoStep"),
        function(library, "fmi3GetFloat64"),
    );
    (instance, calls)
}
