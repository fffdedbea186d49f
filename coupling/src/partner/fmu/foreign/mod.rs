//! The calls into the shared library of an FMU.
//!
//! What can be checked is checked before it is used. That the library is what its symbols promise and does not crash is the contract of
//! the standard; an FMU that is not trusted to keep it belongs into a process of its own.
#![allow(unsafe_code)]

mod differential;
mod functions;
mod intermediate;
mod load;
mod log;
mod once;
mod state;
mod step;
mod values;

use super::archive::Unpacked;
use super::error::FmuError;
use super::model::{FmuDescription, FmuInterface};
use crate::function::Failure;
use functions::{Callbacks2, Component, FATAL, OK, Status, WARNING};
use intermediate::Intermediate;
use load::{Api, Loaded};
use log::Log;
use once::Once;
use std::ffi::{CString, c_void};
use std::path::{MAIN_SEPARATOR, Path};
use std::ptr::{NonNull, null_mut};
use std::sync::Mutex;

pub(super) use state::Kept;
pub(super) use step::Stepped;
pub(super) use values::Group;

/// What the callbacks of an instance see of it.
struct Environment {
    log: Log,
    /// What is handed over within a step; of FMI 3.0.
    intermediate: Mutex<Option<Intermediate>>,
}

/// How an instance is created.
pub(super) struct Recipe<'a> {
    /// The file, for messages.
    pub(super) fmu: &'a str,
    /// Name of the instance.
    pub(super) name: &'a str,
    /// Whether fourbar solves its equations.
    pub(super) solved: bool,
    /// Value references of inputs that are set within a step.
    pub(super) intermediate: &'a [u32],
}

/// What the standard allows after the last call.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Health {
    Good,
    /// After an error: returning to a saved state, and freeing.
    Failed,
    /// After a fatal error: nothing.
    Dead,
}

/// An instance of an FMU. Fields are dropped after `drop` in their order: the library after the instance, the folder after the library.
pub(super) struct Instance {
    component: NonNull<c_void>,
    api: Api,
    health: Health,
    /// Whether it was initialized, and so must be terminated.
    initialized: bool,
    /// Whether it has asked for the end of the simulation.
    ended: bool,
    /// Whether it tells of events between steps, and whether it refused to.
    events: bool,
    refused_events: bool,
    states: state::States,
    environment: Box<Environment>,
    /// FMI 2.0 keeps a pointer to them.
    _callbacks: Option<Box<Callbacks2>>,
    _library: libloading::Library,
    _unpacked: Unpacked,
    _once: Option<Once>,
}

// SAFETY: the standard has no instance bound to a thread; `&mut self` orders its calls. The pointers are to this instance's own boxes.
unsafe impl Send for Instance {}

unsafe extern "C" {
    fn calloc(count: usize, size: usize) -> *mut c_void;
    fn free(pointer: *mut c_void);
}

impl Instance {
    /// Loads the library and creates the instance.
    pub(super) fn new(unpacked: Unpacked, description: &FmuDescription, recipe: &Recipe<'_>) -> Result<Self, FmuError> {
        let interface = if recipe.solved { &description.model_exchange } else { &description.co_simulation };
        let Some(interface) = interface else {
            return Err(FmuError::Unsupported {
                fmu: recipe.fmu.to_owned(),
                problem: format!("it has no {}", if recipe.solved { "model exchange" } else { "co-simulation" }),
                remedy: "choose the other interface",
            });
        };
        let once = interface.only_once_per_process.then(|| Once::take(recipe.fmu, &description.token)).transpose()?;
        let identifier = &interface.model_identifier;
        let Loaded { api, library } =
            Loaded::open(recipe.fmu, unpacked.folder(), description.version, identifier, recipe.solved)?;
        let environment = Box::new(Environment { log: Log::default(), intermediate: Mutex::new(None) });
        let callbacks = matches!(api, Api::Two(_)).then(|| {
            Box::new(Callbacks2 {
                logger: log::log2,
                allocate: calloc,
                free,
                step_finished: None,
                environment: std::ptr::from_ref(&*environment).cast_mut().cast(),
            })
        });
        let mut events = Events::of(interface, &api);
        let texts = Texts::new(recipe, &description.token, unpacked.folder(), &api)?;
        // SAFETY: the texts, the callbacks and the environment live; the types are those of the standard.
        let create = |events| unsafe { instantiate(&api, &texts, recipe, &environment, callbacks.as_deref(), events) };
        let mut component = create(events);
        let mut refused_events = interface.has_event_mode && !events.used && !recipe.solved;
        if component.is_null() && events.used && !recipe.solved {
            events = Events { used: false, early: false };
            refused_events = true;
            component = create(events);
        }
        let Some(component) = NonNull::new(component) else {
            let said = environment.log.error();
            let said = if said.is_empty() { "it gives no reason".to_owned() } else { said };
            let mut words = format!("it creates no instance {:?}: {said}", recipe.name);
            if interface.needs_execution_tool {
                words += &format!("; it needs its tool installed ({})", description.generation_tool);
            }
            return Err(FmuError::Call { fmu: recipe.fmu.to_owned(), words });
        };
        Ok(Self {
            component,
            api,
            health: Health::Good,
            initialized: false,
            ended: false,
            events: events.used,
            refused_events,
            states: state::States::default(),
            environment,
            _callbacks: callbacks,
            _library: library,
            _unpacked: unpacked,
            _once: once,
        })
    }

    fn pointer(&self) -> Component {
        self.component.as_ptr()
    }

    /// Whether a call may be made.
    #[inline]
    fn ready(&self) -> Result<(), Failure> {
        if self.is_good() { Ok(()) } else { Err(self.unwell()) }
    }

    #[cold]
    fn unwell(&self) -> Failure {
        Failure::new(match self.health {
            Health::Dead => "it reported a fatal error before and cannot be called again",
            Health::Good | Health::Failed => "it reported an error before and cannot go on; start it anew",
        })
    }

    /// Takes note of a status.
    #[inline]
    fn done(&mut self, function: &'static str, status: Status) -> Result<(), Failure> {
        if status == OK || status == WARNING { Ok(()) } else { Err(self.refused(function, status)) }
    }

    #[cold]
    fn refused(&mut self, function: &'static str, status: Status) -> Failure {
        let word = match status {
            functions::DISCARD => "discard".to_owned(),
            functions::ERROR => "error".to_owned(),
            FATAL => "fatal error".to_owned(),
            other => format!("status {other}, which is not expected"),
        };
        self.health = match status {
            functions::DISCARD => self.health,
            FATAL => Health::Dead,
            _ => Health::Failed,
        };
        let said = self.environment.log.error();
        let said = if said.is_empty() { "it gives no reason".to_owned() } else { said };
        Failure::new(format!("{function} returned {word}: {said}"))
    }

    /// Whether the last call left it whole.
    #[inline]
    pub(super) fn is_good(&self) -> bool {
        self.health == Health::Good
    }

    /// Whether it tells of events between steps.
    pub(super) fn has_events(&self) -> bool {
        self.events
    }

    /// Whether it says that it does, and refused to.
    pub(super) fn refused_events(&self) -> bool {
        self.refused_events
    }

    /// What it warned of so far.
    pub(super) fn warnings(&self) -> Vec<String> {
        self.environment.log.warnings()
    }

    /// Enters the mode in which structural parameters are set; of FMI 3.0.
    pub(super) fn configure(&mut self, enter: bool) -> Result<(), Failure> {
        let Api::Three(api, _) = &self.api else { return Ok(()) };
        let (function, name) = if enter {
            (api.enter_configuration, "fmi3EnterConfigurationMode")
        } else {
            (api.exit_configuration, "fmi3ExitConfigurationMode")
        };
        let function = function.ok_or(Failure::Unsupported(name))?;
        // SAFETY: the instance lives.
        let status = unsafe { function(self.pointer()) };
        self.done(name, status)
    }

    /// Begins the initialization at `start` \[s\].
    pub(super) fn enter_initialization(
        &mut self,
        start: f64,
        stop: Option<f64>,
        tolerance: Option<f64>,
    ) -> Result<(), Failure> {
        let pointer = self.pointer();
        let (stop, stops) = (stop.unwrap_or(0.0), stop.is_some());
        let (accuracy, tested) = (tolerance.unwrap_or(0.0), tolerance.is_some());
        match &self.api {
            Api::Two(api) => {
                let setup = api.setup.ok_or(Failure::Unsupported("fmi2SetupExperiment"))?;
                let enter = api.enter_initialization.ok_or(Failure::Unsupported("fmi2EnterInitializationMode"))?;
                // SAFETY: the instance lives.
                let status = unsafe { setup(pointer, tested.into(), accuracy, start, stops.into(), stop) };
                self.done("fmi2SetupExperiment", status)?;
                // SAFETY: as above.
                let status = unsafe { enter(pointer) };
                self.done("fmi2EnterInitializationMode", status)
            }
            Api::Three(api, _) => {
                let enter = api.enter_initialization.ok_or(Failure::Unsupported("fmi3EnterInitializationMode"))?;
                // SAFETY: as above.
                let status = unsafe { enter(pointer, tested, accuracy, start, stops, stop) };
                self.done("fmi3EnterInitializationMode", status)
            }
        }
    }

    /// Ends the initialization.
    pub(super) fn exit_initialization(&mut self) -> Result<(), Failure> {
        self.ready()?;
        let function = match &self.api {
            Api::Two(api) => api.exit_initialization,
            Api::Three(api, _) => api.exit_initialization,
        };
        let function = function.ok_or(Failure::Unsupported("ExitInitializationMode"))?;
        // SAFETY: the instance lives.
        let status = unsafe { function(self.pointer()) };
        self.done("ExitInitializationMode", status)?;
        self.initialized = true;
        Ok(())
    }
}

/// That the library has no such function.
#[cold]
fn absent(function: &'static str) -> Failure {
    Failure::Unsupported(function)
}

impl Drop for Instance {
    fn drop(&mut self) {
        if self.health == Health::Dead {
            return;
        }
        self.free_states();
        let pointer = self.pointer();
        let (terminate, free) = match &self.api {
            Api::Two(api) => (api.terminate, api.free),
            Api::Three(api, _) => (api.terminate, api.free),
        };
        if let Some(terminate) = terminate.filter(|_| self.initialized && self.health == Health::Good) {
            // SAFETY: the instance lives and is in a mode that may be terminated.
            let status = unsafe { terminate(pointer) };
            if status == FATAL {
                return;
            }
        }
        if let Some(free) = free {
            // SAFETY: the instance lives and is not used again.
            unsafe { free(pointer) }
        }
    }
}

/// The texts that an instance is created with.
struct Texts {
    name: CString,
    token: CString,
    resources: CString,
}

impl Texts {
    fn new(recipe: &Recipe<'_>, token: &str, folder: &Path, api: &Api) -> Result<Self, FmuError> {
        let text = |text: &str| {
            CString::new(text).map_err(|_| FmuError::Call {
                fmu: recipe.fmu.to_owned(),
                words: format!("{text:?} holds a zero byte: remove it"),
            })
        };
        let resources = folder.join("resources");
        let resources = match api {
            // A URI (FMI 2.0, section 2.1.5).
            Api::Two(_) => file_uri(&resources),
            // A path that ends with a separator (FMI 3.0, section 2.3.1).
            Api::Three(..) => format!("{}{MAIN_SEPARATOR}", resources.display()),
        };
        Ok(Self { name: text(recipe.name)?, token: text(token)?, resources: text(&resources)? })
    }
}

/// A path as a URI: RFC 8089; bytes that are not unreserved are written as percent signs and numbers (RFC 3986, section 2.1).
fn file_uri(path: &Path) -> String {
    let text = path.display().to_string().replace('\\', "/");
    let mut uri = String::from(if text.starts_with('/') { "file://" } else { "file:///" });
    for byte in text.bytes() {
        let plain = byte.is_ascii_alphanumeric() || b"-._~/:".contains(&byte);
        if plain {
            uri.push(char::from(byte));
        } else {
            uri += &format!("%{byte:02X}");
        }
    }
    uri
}

/// How an FMU with a solver of its own tells of events; of FMI 3.0.
#[derive(Clone, Copy)]
struct Events {
    /// Between steps.
    used: bool,
    /// By ending a step early: the rest of it has another length.
    early: bool,
}

impl Events {
    /// What an FMU says of itself, as far as its library has the functions for it.
    fn of(interface: &FmuInterface, api: &Api) -> Self {
        let has = match api {
            Api::Two(_) => false,
            Api::Three(api, _) => {
                api.enter_event.is_some() && api.update_discrete.is_some() && api.enter_step.is_some()
            }
        };
        let used = interface.has_event_mode && has;
        Self { used, early: used && interface.can_handle_variable_step }
    }
}

/// # Safety
/// Everything outlives the instance but the texts, which the FMU copies.
unsafe fn instantiate(
    api: &Api,
    texts: &Texts,
    recipe: &Recipe<'_>,
    environment: &Environment,
    callbacks: Option<&Callbacks2>,
    events: Events,
) -> Component {
    let (name, token, resources) = (texts.name.as_ptr(), texts.token.as_ptr(), texts.resources.as_ptr());
    let environment: *mut c_void = std::ptr::from_ref(environment).cast_mut().cast();
    match api {
        Api::Two(api) => match (api.instantiate, callbacks) {
            // SAFETY: by contract. fmi2ModelExchange is 0, fmi2CoSimulation 1.
            (Some(create), Some(callbacks)) => unsafe {
                create(name, i32::from(!recipe.solved), token, resources, callbacks, 0, 0)
            },
            _ => null_mut(),
        },
        Api::Three(api, _) if recipe.solved => match api.instantiate_model_exchange {
            // SAFETY: by contract.
            Some(create) => unsafe { create(name, token, resources, false, false, environment, log::log3) },
            None => null_mut(),
        },
        Api::Three(api, _) => match api.instantiate_co_simulation {
            // SAFETY: by contract.
            Some(create) => unsafe {
                let wanted = recipe.intermediate;
                let update = (!wanted.is_empty()).then_some(intermediate::update as functions::Intermediate3);
                let (list, count) = (wanted.as_ptr(), wanted.len());
                let (events, early) = (events.used, events.early);
                create(name, token, resources, false, false, events, early, list, count, environment, log::log3, update)
            },
            None => null_mut(),
        },
    }
}

#[cfg(test)]
mod tests {
    use super::file_uri;
    use std::path::Path;

    #[test]
    fn paths_become_uris() {
        assert_eq!(file_uri(Path::new("/tmp/a b/\u{e4}#")), "file:///tmp/a%20b/%C3%A4%23");
    }
}
