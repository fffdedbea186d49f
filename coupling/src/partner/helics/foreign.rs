//! The calls into the C library of HELICS: unsafe code of this crate beside that of shared libraries.
//!
//! Signatures are those of `helics.h`, version 3. Every call that can fail gets a fresh `HelicsError`, whose words are copied before the next call.
#![allow(unsafe_code)]

use std::ffi::{CStr, CString, OsStr, c_char, c_double, c_int, c_void};
use std::mem::ManuallyDrop;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use libloading::Library;

use super::HelicsError;
use super::watch::Watch;
use crate::function::Failure;

/// HELICS_DATA_TYPE_DOUBLE.
const DOUBLE: c_int = 1;
/// HELICS_PROPERTY_TIME_PERIOD.
const TIME_PERIOD: c_int = 140;
/// HELICS_FLAG_UNINTERRUPTIBLE: time is granted where it was asked for, not where a value arrives.
const UNINTERRUPTIBLE: c_int = 1;
/// HELICS_FLAG_TERMINATE_ON_ERROR: a federate that is lost ends the federation instead of letting it wait.
const TERMINATE_ON_ERROR: c_int = 72;

/// HELICS_HANDLE_OPTION_CONNECTION_REQUIRED: an input that nothing feeds ends the federation at its start.
const CONNECTION_REQUIRED: c_int = 397;

type Handle = *mut c_void;

/// `HelicsError`.
#[repr(C)]
struct RawError {
    code: i32,
    message: *const c_char,
}

/// Functions by their names in the header.
macro_rules! functions {
    ($($field:ident = $name:literal: fn($($argument:ty),*) $(-> $result:ty)?;)*) => {
        struct Functions {
            $($field: unsafe extern "C" fn($($argument),*) $(-> $result)?,)*
        }

        impl Functions {
            fn find(library: &Library, path: &str) -> Result<Self, HelicsError> {
                Ok(Self {
                    $($field: {
                        // SAFETY: the symbol of this name has this signature in every version 3 of the header.
                        let symbol = unsafe { library.get($name) };
                        *symbol.map_err(|error| HelicsError::Library { library: path.to_owned(), reason: error.to_string() })?
                    },)*
                })
            }
        }
    };
}

functions! {
    error = b"helicsErrorInitialize\0": fn() -> RawError;
    version = b"helicsGetVersion\0": fn() -> *const c_char;
    info = b"helicsCreateFederateInfo\0": fn() -> Handle;
    free_info = b"helicsFederateInfoFree\0": fn(Handle);
    core = b"helicsFederateInfoSetCoreTypeFromString\0": fn(Handle, *const c_char, *mut RawError);
    core_init = b"helicsFederateInfoSetCoreInitString\0": fn(Handle, *const c_char, *mut RawError);
    time = b"helicsFederateInfoSetTimeProperty\0": fn(Handle, c_int, c_double, *mut RawError);
    flag = b"helicsFederateInfoSetFlagOption\0": fn(Handle, c_int, c_int, *mut RawError);
    create = b"helicsCreateValueFederate\0": fn(*const c_char, Handle, *mut RawError) -> Handle;
    publication = b"helicsFederateRegisterPublication\0": fn(Handle, *const c_char, c_int, *const c_char, *mut RawError) -> Handle;
    input = b"helicsFederateRegisterInput\0": fn(Handle, *const c_char, c_int, *const c_char, *mut RawError) -> Handle;
    target = b"helicsInputAddTarget\0": fn(Handle, *const c_char, *mut RawError);
    option = b"helicsInputSetOption\0": fn(Handle, c_int, c_int, *mut RawError);
    default = b"helicsInputSetDefaultDouble\0": fn(Handle, c_double, *mut RawError);
    initialize = b"helicsFederateEnterInitializingMode\0": fn(Handle, *mut RawError);
    execute = b"helicsFederateEnterExecutingMode\0": fn(Handle, *mut RawError);
    publish = b"helicsPublicationPublishDouble\0": fn(Handle, c_double, *mut RawError);
    get = b"helicsInputGetDouble\0": fn(Handle, *mut RawError) -> c_double;
    request = b"helicsFederateRequestTime\0": fn(Handle, c_double, *mut RawError) -> c_double;
    local_error = b"helicsFederateLocalError\0": fn(Handle, c_int, *const c_char, *mut RawError);
    create_query = b"helicsCreateQuery\0": fn(*const c_char, *const c_char) -> Handle;
    execute_query = b"helicsQueryExecute\0": fn(Handle, Handle, *mut RawError) -> *const c_char;
    free_query = b"helicsQueryFree\0": fn(Handle);
    disconnect = b"helicsFederateDisconnect\0": fn(Handle, *mut RawError);
    free = b"helicsFederateFree\0": fn(Handle);
}

/// The loaded library. Its threads outlive the federate, so it stays loaded until the process ends.
pub(super) struct Helics {
    functions: Functions,
    _library: ManuallyDrop<Library>,
}

impl Helics {
    pub(super) fn load(path: &OsStr) -> Result<Arc<Self>, HelicsError> {
        let name = path.to_string_lossy().into_owned();
        // SAFETY: the initialisers of the library run; that they may is what loading it means.
        let library = unsafe { Library::new(path) };
        let library = library.map_err(|error| {
            let reason = std::error::Error::source(&error).map_or_else(|| error.to_string(), ToString::to_string);
            HelicsError::Library { library: name.clone(), reason }
        })?;
        let functions = Functions::find(&library, &name)?;
        let loaded = Self { functions, _library: ManuallyDrop::new(library) };
        let version = loaded.version();
        if !version.starts_with("3.") {
            return Err(HelicsError::Library { library: name, reason: format!("it is version {version}, not 3") });
        }
        Ok(Arc::new(loaded))
    }

    fn version(&self) -> String {
        // SAFETY: the function takes nothing and gives a text that stays.
        unsafe { text((self.functions.version)()) }
    }

    /// One call with its error.
    fn checked<T>(&self, call: impl FnOnce(&Functions, *mut RawError) -> T) -> Result<T, String> {
        // SAFETY: the function takes nothing.
        let mut error = unsafe { (self.functions.error)() };
        let result = call(&self.functions, &raw mut error);
        if error.code == 0 {
            return Ok(result);
        }
        // SAFETY: the message stays until the next call.
        Err(unsafe { text(error.message) })
    }
}

/// A C text; empty if there is none.
///
/// # Safety
/// NULL, or a text with an end.
unsafe fn text(pointer: *const c_char) -> String {
    if pointer.is_null() {
        return String::new();
    }
    // SAFETY: by contract.
    unsafe { CStr::from_ptr(pointer) }.to_string_lossy().into_owned()
}

fn c_text(text: &str) -> Result<CString, String> {
    CString::new(text).map_err(|_| format!("{text:?} has a zero byte in it"))
}

/// What a watch calls beside a federate that waits.
#[derive(Clone)]
pub(super) struct Handles {
    helics: Arc<Helics>,
    federate: Handle,
}

// SAFETY: as of `Member`.
unsafe impl Send for Handles {}

impl Handles {
    /// Ends what the federate waits for: the call returns with an error.
    pub(super) fn give_up(&self) {
        // SAFETY: the watch ends before its federate is freed, and the words are a text with an end.
        let call = |f: &Functions, error| unsafe { (f.local_error)(self.federate, 1, c"given up".as_ptr(), error) };
        // Whoever is gone already waits no more.
        let _ = self.helics.checked(call);
    }

    /// The times of all federates, as the broker knows them.
    pub(super) fn global_time(&self) -> Option<serde_json::Value> {
        // SAFETY: texts with an end; the query is freed once, after its answer is copied; a federate that is freed meanwhile is refused by HELICS.
        unsafe {
            let query = (self.helics.functions.create_query)(c"root".as_ptr(), c"global_time".as_ptr());
            let answer = self.helics.checked(|f, error| text((f.execute_query)(query, self.federate, error)));
            (self.helics.functions.free_query)(query);
            serde_json::from_str(&answer.ok()?).ok()
        }
    }
}

/// A federate of the federation, with its publications and inputs.
pub(super) struct Member {
    helics: Arc<Helics>,
    federate: Handle,
    publications: Vec<Handle>,
    inputs: Vec<Handle>,
    /// Ended before the federate is freed.
    watch: Option<Watch>,
}

// SAFETY: functions of HELICS may be called from any thread (its user guide, "Thread safety"); `&mut self` orders those for this federate.
unsafe impl Send for Member {}

impl Member {
    /// Connects to the broker.
    pub(super) fn create(
        helics: Arc<Helics>,
        name: &str,
        core: &str,
        core_init: &str,
        period: f64,
        limit: Duration,
    ) -> Result<Self, String> {
        let own = name.to_owned();
        let (name, core, core_init) = (c_text(name)?, c_text(core)?, c_text(core_init)?);
        // SAFETY: it takes nothing.
        let info = unsafe { (helics.functions.info)() };
        // SAFETY: `info` is alive until it is freed below, and the texts until the calls return.
        let created = unsafe {
            helics
                .checked(|f, error| (f.core)(info, core.as_ptr(), error))
                .and_then(|()| helics.checked(|f, error| (f.core_init)(info, core_init.as_ptr(), error)))
                .and_then(|()| helics.checked(|f, error| (f.time)(info, TIME_PERIOD, period, error)))
                .and_then(|()| helics.checked(|f, error| (f.flag)(info, UNINTERRUPTIBLE, 1, error)))
                .and_then(|()| helics.checked(|f, error| (f.flag)(info, TERMINATE_ON_ERROR, 1, error)))
                .and_then(|()| helics.checked(|f, error| (f.create)(name.as_ptr(), info, error)))
        };
        // SAFETY: freed once.
        unsafe { (helics.functions.free_info)(info) };
        let federate = created?;
        if federate.is_null() {
            return Err("no federate was created".to_owned());
        }
        let watch = Watch::start(Handles { helics: Arc::clone(&helics), federate }, own, limit);
        let mut member = Self { helics, federate, publications: Vec::new(), inputs: Vec::new(), watch: None };
        member.watch = Some(watch.map_err(|error| error.to_string())?);
        Ok(member)
    }

    pub(super) fn publication(&mut self, key: &str, unit: &str) -> Result<(), String> {
        let (key, unit) = (c_text(key)?, c_text(unit)?);
        let federate = self.federate;
        // SAFETY: the federate is alive, and so are the texts.
        let call =
            |f: &Functions, error| unsafe { (f.publication)(federate, key.as_ptr(), DOUBLE, unit.as_ptr(), error) };
        self.publications.push(self.helics.checked(call)?);
        Ok(())
    }

    /// An input, with the publication that feeds it if that is known here.
    pub(super) fn input(&mut self, key: &str, unit: &str, start: f64, target: Option<&str>) -> Result<(), String> {
        let (key, unit) = (c_text(key)?, c_text(unit)?);
        let federate = self.federate;
        // SAFETY: the federate is alive, and so are the texts.
        let call = |f: &Functions, error| unsafe { (f.input)(federate, key.as_ptr(), DOUBLE, unit.as_ptr(), error) };
        let input = self.helics.checked(call)?;
        // SAFETY: as above.
        self.helics.checked(|f, error| unsafe { (f.default)(input, start, error) })?;
        if let Some(target) = target {
            if let Some(watch) = &self.watch {
                watch.source(target);
            }
            // SAFETY: as above.
            self.helics.checked(|f, error| unsafe { (f.option)(input, CONNECTION_REQUIRED, 1, error) })?;
            let target = c_text(target)?;
            // SAFETY: as above.
            self.helics.checked(|f, error| unsafe { (f.target)(input, target.as_ptr(), error) })?;
        }
        self.inputs.push(input);
        Ok(())
    }

    /// Waits for all federates, after which values of the start may be published.
    pub(super) fn initialize(&mut self) -> Result<(), Failure> {
        // SAFETY: the federate is alive.
        self.waits(|f, federate, error| unsafe { (f.initialize)(federate, error) })
    }

    /// Waits for all federates; time is 0 then.
    pub(super) fn execute(&mut self) -> Result<(), Failure> {
        // SAFETY: the federate is alive.
        self.waits(|f, federate, error| unsafe { (f.execute)(federate, error) })
    }

    fn waits<T>(&self, call: impl FnOnce(&Functions, Handle, *mut RawError) -> T) -> Result<T, Failure> {
        let act = || self.helics.checked(|f, error| call(f, self.federate, error));
        match &self.watch {
            Some(watch) => watch.over(act)?,
            None => act(),
        }
        .map_err(Failure::Reported)
    }

    pub(super) fn interrupt_by(&self, flag: &Arc<AtomicBool>) {
        if let Some(watch) = &self.watch {
            watch.interrupt_by(flag);
        }
    }

    pub(super) fn publish(&mut self, values: impl Iterator<Item = f64>) -> Result<(), Failure> {
        for (&publication, value) in self.publications.iter().zip(values) {
            // SAFETY: publications live as long as their federate.
            self.helics
                .checked(|f, error| unsafe { (f.publish)(publication, value, error) })
                .map_err(Failure::Reported)?;
        }
        Ok(())
    }

    pub(super) fn read(&mut self, values: &mut [f64]) -> Result<(), Failure> {
        for (&input, value) in self.inputs.iter().zip(values) {
            // SAFETY: inputs live as long as their federate.
            *value = self.helics.checked(|f, error| unsafe { (f.get)(input, error) }).map_err(Failure::Reported)?;
        }
        Ok(())
    }

    /// Waits until this time is granted \[s\], and gives the time that is.
    pub(super) fn request(&mut self, time: f64) -> Result<f64, Failure> {
        // SAFETY: the federate is alive.
        self.waits(|f, federate, error| unsafe { (f.request)(federate, time, error) })
    }
}

impl Drop for Member {
    fn drop(&mut self) {
        self.watch = None;
        // Who cannot say farewell is missed all the same.
        // SAFETY: the federate is alive, and freed once.
        let _ = self.helics.checked(|f, error| unsafe { (f.disconnect)(self.federate, error) });
        // SAFETY: as above.
        unsafe { (self.helics.functions.free)(self.federate) };
    }
}
