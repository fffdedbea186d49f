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
use super::federates::Federates;
use super::received::Received;
use super::watch::Watch;
use crate::function::Failure;

/// HELICS_DATA_TYPE_DOUBLE.
const DOUBLE: c_int = 1;
/// HELICS_DATA_TYPE_ANY: HELICS converts nothing.
const ANY: c_int = 25262;
/// HELICS_PROPERTY_TIME_PERIOD.
const TIME_PERIOD: c_int = 140;
/// HELICS_FLAG_UNINTERRUPTIBLE: time is granted where it was asked for, not where a value arrives.
const UNINTERRUPTIBLE: c_int = 1;
/// HELICS_FLAG_TERMINATE_ON_ERROR: a federate that is lost ends the federation instead of letting it wait.
const TERMINATE_ON_ERROR: c_int = 72;

/// HELICS_HANDLE_OPTION_CONNECTION_REQUIRED: an input that nothing feeds ends the federation at its start.
const CONNECTION_REQUIRED: c_int = 397;
/// HELICS_HANDLE_OPTION_SINGLE_CONNECTION_ONLY: so does one that several publications feed.
const SINGLE_CONNECTION_ONLY: c_int = 407;

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
    initialize = b"helicsFederateEnterInitializingMode\0": fn(Handle, *mut RawError);
    execute = b"helicsFederateEnterExecutingMode\0": fn(Handle, *mut RawError);
    publish = b"helicsPublicationPublishDouble\0": fn(Handle, c_double, *mut RawError);
    kind = b"helicsInputGetPublicationType\0": fn(Handle) -> *const c_char;
    unit = b"helicsInputGetInjectionUnits\0": fn(Handle) -> *const c_char;
    is_updated = b"helicsInputIsUpdated\0": fn(Handle) -> c_int;
    size = b"helicsInputGetVectorSize\0": fn(Handle) -> c_int;
    updated = b"helicsInputLastUpdateTime\0": fn(Handle) -> c_double;
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

    /// What the broker, or the federate of the name `target`, answers.
    pub(super) fn query(&self, target: &str, what: &str) -> Option<serde_json::Value> {
        let (target, what) = (c_text(target).ok()?, c_text(what).ok()?);
        // SAFETY: texts with an end; the query is freed once, after its answer is copied; a federate that is freed meanwhile is refused by HELICS.
        let answer = unsafe {
            let query = (self.helics.functions.create_query)(target.as_ptr(), what.as_ptr());
            let answer = self.helics.checked(|f, error| text((f.execute_query)(query, self.federate, error)));
            (self.helics.functions.free_query)(query);
            answer.ok()?
        };
        // Words come without quotes.
        Some(serde_json::from_str(&answer).unwrap_or(serde_json::Value::String(answer)))
    }
}

/// An input of a federate.
struct Input {
    handle: Handle,
    /// The federate whose publication feeds it, if that is known here.
    source: Option<String>,
}

/// A federate of the federation, with its publications and inputs.
pub(super) struct Member {
    helics: Arc<Helics>,
    federate: Handle,
    name: String,
    publications: Vec<Handle>,
    inputs: Vec<Input>,
    /// Known once values of the start are exchanged.
    others: Federates,
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
        let watch = Watch::start(Handles { helics: Arc::clone(&helics), federate }, own.clone(), limit);
        let (publications, inputs, others) = (Vec::new(), Vec::new(), Federates::default());
        let mut member = Self { helics, federate, name: own, publications, inputs, others, watch: None };
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
    pub(super) fn input(&mut self, key: &str, target: Option<&str>) -> Result<(), String> {
        let key = c_text(key)?;
        let federate = self.federate;
        // SAFETY: the federate is alive, and so are the texts.
        let call = |f: &Functions, error| unsafe { (f.input)(federate, key.as_ptr(), ANY, c"".as_ptr(), error) };
        let input = self.helics.checked(call)?;
        // SAFETY: as above.
        self.helics.checked(|f, error| unsafe { (f.option)(input, SINGLE_CONNECTION_ONLY, 1, error) })?;
        let source = target.map(|target| target.split('/').next().unwrap_or(target).to_owned());
        if let Some(target) = target {
            if let (Some(watch), Some(source)) = (&self.watch, &source) {
                watch.source(source);
            }
            // SAFETY: as above.
            self.helics.checked(|f, error| unsafe { (f.option)(input, CONNECTION_REQUIRED, 1, error) })?;
            let target = c_text(target)?;
            // SAFETY: as above.
            self.helics.checked(|f, error| unsafe { (f.target)(input, target.as_ptr(), error) })?;
        }
        self.inputs.push(Input { handle: input, source });
        Ok(())
    }

    /// Waits for all federates, after which values of the start may be published.
    pub(super) fn initialize(&mut self) -> Result<(), Failure> {
        // SAFETY: the federate is alive.
        self.waits(|f, federate, error| unsafe { (f.initialize)(federate, error) })
    }

    /// Waits for all federates; time is 0 then.
    pub(super) fn execute(&mut self) -> Result<(), Failure> {
        self.others = Federates::of(&self.handles());
        // SAFETY: the federate is alive.
        self.waits(|f, federate, error| unsafe { (f.execute)(federate, error) })
    }

    fn waits<T>(&self, call: impl FnOnce(&Functions, Handle, *mut RawError) -> T) -> Result<T, Failure> {
        let act = || self.helics.checked(|f, error| call(f, self.federate, error));
        match &self.watch {
            Some(watch) => watch.over(act)?,
            None => act(),
        }
        .map_err(|words| Failure::Reported(self.others.named(&words)))
    }

    fn handles(&self) -> Handles {
        Handles { helics: Arc::clone(&self.helics), federate: self.federate }
    }

    /// Federates that have ended while time went on to `now` \[s\], with the time of their last values \[s\].
    pub(super) fn ended(&self, now: f64) -> Vec<(String, f64)> {
        // SAFETY: inputs live as long as their federate.
        let updated = |input: &Input| unsafe { (self.helics.functions.updated)(input.handle) };
        // Times are whole nanoseconds there.
        let is_old = |time: f64| time < now - 1e-9;
        if !self.inputs.iter().map(updated).any(is_old) {
            return Vec::new();
        }
        let last = |federate: String| {
            let own = self.inputs.iter().filter(|input| input.source.as_ref().is_none_or(|source| *source == federate));
            let time = own.map(updated).fold(f64::NEG_INFINITY, f64::max);
            // One that never sent a value has those of its start.
            Some((federate, time.max(0.0))).filter(|(_, time)| is_old(*time))
        };
        self.others.ended(&self.handles(), &self.name).into_iter().filter_map(last).collect()
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

    /// Takes type and unit of all publications, and the values that have arrived.
    pub(super) fn read(&mut self, received: &mut [Received]) -> Result<(), Failure> {
        let told = |error: HelicsError| Failure::Reported(error.to_string());
        let functions = &self.helics.functions;
        for (input, own) in self.inputs.iter().zip(received) {
            // SAFETY: inputs live as long as their federate.
            let is_updated = unsafe { (functions.is_updated)(input.handle) } != 0;
            if !own.is_known() {
                // SAFETY: as above; the texts are copied at once.
                let [kind, unit] =
                    unsafe { [text((functions.kind)(input.handle)), text((functions.unit)(input.handle))] };
                own.learn(&kind, &unit, is_updated).map_err(told)?;
            }
            if is_updated {
                // SAFETY: as above.
                let size = unsafe { (functions.size)(input.handle) };
                // SAFETY: as above.
                let value = self.helics.checked(|f, error| unsafe { (f.get)(input.handle, error) });
                own.take(value.map_err(Failure::Reported)?, usize::try_from(size).unwrap_or(0)).map_err(told)?;
            }
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
