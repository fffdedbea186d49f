//! A unit as an importer sees it: the shared library through the loader, its functions by their names, in both versions of the standard.

use std::ffi::{CStr, CString, c_char, c_int, c_void};
use std::path::Path;
use std::sync::Mutex;

use libloading::Library;

pub(super) const OK: c_int = 0;
pub(super) const ERROR: c_int = 3;

type Component = *mut c_void;

/// An instance, and what its logger was told.
pub(super) struct Unit<'a> {
    library: &'a Library,
    version: u32,
    component: Component,
    told: Box<Mutex<Vec<String>>>,
}

/// `fmi2CallbackFunctions`.
#[repr(C)]
struct Callbacks {
    logger: *const c_void,
    others: [*const c_void; 3],
    environment: *const Mutex<Vec<String>>,
}

fn keep(environment: *const Mutex<Vec<String>>, message: *const c_char) {
    // SAFETY: the environment of the test, and a text that ends with a NUL.
    let (told, text) = unsafe { (&*environment, CStr::from_ptr(message)) };
    told.lock().unwrap().push(text.to_str().unwrap().to_owned());
}

/// The arguments behind the format, of which there are none, are left where they are.
unsafe extern "C" fn logger_2(
    environment: *const Mutex<Vec<String>>,
    _: *const c_char,
    _: c_int,
    _: *const c_char,
    message: *const c_char,
) {
    keep(environment, message);
}

unsafe extern "C" fn logger_3(
    environment: *const Mutex<Vec<String>>,
    _: c_int,
    _: *const c_char,
    message: *const c_char,
) {
    keep(environment, message);
}

/// Calls a function of the library: its name in FMI 3.0, its types.
macro_rules! call {
    ($unit:expr, $name:expr, fn($($type:ty),* $(,)?) -> $result:ty, $($argument:expr),* $(,)?) => {{
        let name = format!("fmi{}{}", $unit.version, $name);
        // SAFETY: the types are those of the header of the standard.
        unsafe {
            let function = $unit.library.get::<unsafe extern "C" fn($($type),*) -> $result>(name.as_bytes()).unwrap();
            function($($argument),*)
        }
    }};
}

impl<'a> Unit<'a> {
    /// An instance of the unit in `folder` for co-simulation; its component is NULL where that fails.
    pub(super) fn new(library: &'a Library, version: u32, folder: &Path, token: &str) -> Self {
        Self::with(library, version, folder, token, false)
    }

    /// As [`Unit::new`], or for model exchange.
    pub(super) fn with(library: &'a Library, version: u32, folder: &Path, token: &str, exchanged: bool) -> Self {
        let told = Box::default();
        let mut unit = Self { library, version, component: std::ptr::null_mut(), told };
        let (name, token) = (c"one", CString::new(token).unwrap());
        let folder = folder.to_str().unwrap();
        let environment: *const Mutex<Vec<String>> = &*unit.told;
        unit.component = if version == 2 {
            let place = CString::new(format!("file://{folder}")).unwrap();
            let callbacks = Callbacks { logger: logger_2 as *const c_void, others: [std::ptr::null(); 3], environment };
            call!(
                unit,
                "Instantiate",
                fn(*const c_char, c_int, *const c_char, *const c_char, *const Callbacks, c_int, c_int) -> Component,
                name.as_ptr(),
                c_int::from(!exchanged),
                token.as_ptr(),
                place.as_ptr(),
                &raw const callbacks,
                0,
                1
            )
        } else if exchanged {
            let place = CString::new(format!("{folder}/")).unwrap();
            call!(
                unit,
                "InstantiateModelExchange",
                fn(
                    *const c_char,
                    *const c_char,
                    *const c_char,
                    bool,
                    bool,
                    *const Mutex<Vec<String>>,
                    *const c_void,
                ) -> Component,
                name.as_ptr(),
                token.as_ptr(),
                place.as_ptr(),
                false,
                true,
                environment,
                logger_3 as *const c_void
            )
        } else {
            let place = CString::new(format!("{folder}/")).unwrap();
            call!(
                unit,
                "InstantiateCoSimulation",
                fn(
                    *const c_char,
                    *const c_char,
                    *const c_char,
                    bool,
                    bool,
                    bool,
                    bool,
                    *const u32,
                    usize,
                    *const Mutex<Vec<String>>,
                    *const c_void,
                    *const c_void,
                ) -> Component,
                name.as_ptr(),
                token.as_ptr(),
                place.as_ptr(),
                false,
                true,
                false,
                false,
                std::ptr::null(),
                0,
                environment,
                logger_3 as *const c_void,
                std::ptr::null()
            )
        };
        unit
    }

    pub(super) fn version(&self) -> u32 {
        self.version
    }

    pub(super) fn is_null(&self) -> bool {
        self.component.is_null()
    }

    /// The last message.
    pub(super) fn told(&self) -> String {
        self.told.lock().unwrap().last().cloned().unwrap_or_default()
    }

    pub(super) fn enter(&self, stop: f64) -> c_int {
        if self.version == 3 {
            return call!(
                self,
                "EnterInitializationMode",
                fn(Component, bool, f64, f64, bool, f64) -> c_int,
                self.component,
                false,
                0.0,
                0.0,
                true,
                stop
            );
        }
        let set_up = call!(
            self,
            "SetupExperiment",
            fn(Component, c_int, f64, f64, c_int, f64) -> c_int,
            self.component,
            0,
            0.0,
            0.0,
            1,
            stop
        );
        if set_up == OK { self.plain("EnterInitializationMode") } else { set_up }
    }

    /// A function without further arguments.
    pub(super) fn plain(&self, name: &str) -> c_int {
        call!(self, name, fn(Component) -> c_int, self.component)
    }

    pub(super) fn get(&self, references: &[u32], values: *mut f64) -> c_int {
        let (pointer, count) = (references.as_ptr(), references.len());
        if self.version == 3 {
            let types = "GetFloat64";
            return call!(
                self,
                types,
                fn(Component, *const u32, usize, *mut f64, usize) -> c_int,
                self.component,
                pointer,
                count,
                values,
                count
            );
        }
        call!(
            self,
            "GetReal",
            fn(Component, *const u32, usize, *mut f64) -> c_int,
            self.component,
            pointer,
            count,
            values
        )
    }

    pub(super) fn set(&self, reference: u32, value: f64) -> c_int {
        let (references, values) = ([reference], [value]);
        if self.version == 3 {
            return call!(
                self,
                "SetFloat64",
                fn(Component, *const u32, usize, *const f64, usize) -> c_int,
                self.component,
                references.as_ptr(),
                1,
                values.as_ptr(),
                1
            );
        }
        call!(
            self,
            "SetReal",
            fn(Component, *const u32, usize, *const f64) -> c_int,
            self.component,
            references.as_ptr(),
            1,
            values.as_ptr()
        )
    }

    /// A truth value of FMI 3.0: the status, and what it is.
    pub(super) fn truth(&self, reference: u32) -> (c_int, bool) {
        let mut value = false;
        let types = "GetBoolean";
        let status = call!(
            self,
            types,
            fn(Component, *const u32, usize, *mut bool, usize) -> c_int,
            self.component,
            &raw const reference,
            1,
            &raw mut value,
            1
        );
        (status, value)
    }

    pub(super) fn set_truth(&self, reference: u32, value: bool) -> c_int {
        call!(
            self,
            "SetBoolean",
            fn(Component, *const u32, usize, *const bool, usize) -> c_int,
            self.component,
            &raw const reference,
            1,
            &raw const value,
            1
        )
    }

    pub(super) fn step(&self, time: f64, step: f64) -> c_int {
        if self.version == 2 {
            return call!(self, "DoStep", fn(Component, f64, f64, c_int) -> c_int, self.component, time, step, 0);
        }
        let (mut flags, mut reached) = ([false; 3], 0.0);
        let [event, terminate, early] = &mut flags;
        call!(
            self,
            "DoStep",
            fn(Component, f64, f64, bool, *mut bool, *mut bool, *mut bool, *mut f64) -> c_int,
            self.component,
            time,
            step,
            false,
            event,
            terminate,
            early,
            &mut reached
        )
    }

    /// A function of an array that is written.
    pub(super) fn read(&self, name: &str, values: *mut f64, count: usize) -> c_int {
        call!(self, name, fn(Component, *mut f64, usize) -> c_int, self.component, values, count)
    }

    pub(super) fn set_states(&self, states: &[f64]) -> c_int {
        let (states, count) = (states.as_ptr(), states.len());
        call!(self, "SetContinuousStates", fn(Component, *const f64, usize) -> c_int, self.component, states, count)
    }

    pub(super) fn set_time(&self, time: f64) -> c_int {
        call!(self, "SetTime", fn(Component, f64) -> c_int, self.component, time)
    }

    /// Handles an event: the status, whether states changed, and the next event.
    pub(super) fn update(&self) -> (c_int, bool, Option<f64>) {
        if self.version == 2 {
            #[repr(C)]
            struct Info([c_int; 5], f64);
            let mut told = Info([0; 5], f64::NAN);
            let status = call!(self, "NewDiscreteStates", fn(Component, *mut Info) -> c_int, self.component, &mut told);
            let Info(flags, next) = told;
            return (status, flags[3] != 0, (flags[4] != 0).then_some(next));
        }
        let (mut flags, mut next) = ([false; 5], f64::NAN);
        let [need, terminate, nominals, values, defined] = &mut flags;
        let status = call!(
            self,
            "UpdateDiscreteStates",
            fn(Component, *mut bool, *mut bool, *mut bool, *mut bool, *mut bool, *mut f64) -> c_int,
            self.component,
            need,
            terminate,
            nominals,
            values,
            defined,
            &mut next
        );
        (status, flags[3], flags[4].then_some(next))
    }

    /// Whether an event is to be handled after a step.
    pub(super) fn completed(&self) -> (c_int, bool) {
        if self.version == 2 {
            let (mut enter, mut terminate) = (0, 0);
            let types = "CompletedIntegratorStep";
            let status = call!(
                self,
                types,
                fn(Component, c_int, *mut c_int, *mut c_int) -> c_int,
                self.component,
                0,
                &mut enter,
                &mut terminate
            );
            return (status, enter != 0);
        }
        let (mut enter, mut terminate) = (false, false);
        let status = call!(
            self,
            "CompletedIntegratorStep",
            fn(Component, bool, *mut bool, *mut bool) -> c_int,
            self.component,
            false,
            &mut enter,
            &mut terminate
        );
        (status, enter)
    }

    /// The name of a function of states, which FMI 2.0 writes otherwise.
    fn of_state(&self, before: &str, after: &str) -> String {
        format!("{before}{}{after}", if self.version == 2 { "FMUstate" } else { "FMUState" })
    }

    pub(super) fn save(&self) -> *mut c_void {
        let mut state = std::ptr::null_mut();
        let name = self.of_state("Get", "");
        assert_eq!(
            call!(self, name, fn(Component, *mut *mut c_void) -> c_int, self.component, &mut state),
            OK,
            "{}",
            self.told()
        );
        state
    }

    pub(super) fn restore(&self, state: *mut c_void) -> c_int {
        let name = self.of_state("Set", "");
        call!(self, name, fn(Component, *mut c_void) -> c_int, self.component, state)
    }

    pub(super) fn free_state(&self, mut state: *mut c_void) {
        let name = self.of_state("Free", "");
        assert_eq!(call!(self, name, fn(Component, *mut *mut c_void) -> c_int, self.component, &mut state), OK);
        assert!(state.is_null());
    }

    pub(super) fn bytes(&self, state: *mut c_void) -> Vec<u8> {
        let mut size = 0;
        let name = self.of_state("Serialized", "Size");
        assert_eq!(
            call!(self, name, fn(Component, *mut c_void, *mut usize) -> c_int, self.component, state, &mut size),
            OK,
            "{}",
            self.told()
        );
        let mut bytes = vec![0; size];
        let name = self.of_state("Serialize", "");
        assert_eq!(
            call!(
                self,
                name,
                fn(Component, *mut c_void, *mut u8, usize) -> c_int,
                self.component,
                state,
                bytes.as_mut_ptr(),
                size
            ),
            OK
        );
        bytes
    }

    pub(super) fn state_of(&self, bytes: &[u8]) -> Option<*mut c_void> {
        let mut state = std::ptr::null_mut();
        let name = self.of_state(if self.version == 2 { "DeSerialize" } else { "Deserialize" }, "");
        let status = call!(
            self,
            name,
            fn(Component, *const u8, usize, *mut *mut c_void) -> c_int,
            self.component,
            bytes.as_ptr(),
            bytes.len(),
            &mut state
        );
        (status == OK).then_some(state)
    }
}

impl Drop for Unit<'_> {
    fn drop(&mut self) {
        call!(self, "FreeInstance", fn(Component) -> (), self.component);
    }
}
