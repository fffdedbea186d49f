//! From the instantiation to the end.

use crate::abi::view;
use crate::fmi::component::{self, Component, call, failure, open, unsupported};
use crate::fmi::intermediate::{Intermediate, IntermediateUpdate};
use crate::fmi::logger::{Logger, Logger3};
use fourbar::fmi::FmuInterface;
use std::ffi::{c_char, c_int, c_void};
use std::path::Path;

/// `fmi3GetVersion`.
#[unsafe(no_mangle)]
pub extern "C" fn fmi3GetVersion() -> *const c_char {
    c"3.0".as_ptr()
}

/// `fmi3InstantiateCoSimulation`; NULL where it fails, with the reason to the logger.
///
/// # Safety
/// Texts are NULL or end with a NUL; functions and environment are valid as long as the instance.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi3InstantiateCoSimulation(
    name: *const c_char,
    token: *const c_char,
    resources: *const c_char,
    _visible: u8,
    _logging_on: u8,
    event_mode_used: u8,
    early_return_allowed: u8,
    _required_intermediate_variables: *const u32,
    _required_intermediate_variable_count: usize,
    environment: *mut c_void,
    log_message: Option<Logger3>,
    intermediate_update: Option<IntermediateUpdate>,
) -> *mut Component {
    let intermediate = Intermediate::new(intermediate_update, environment, early_return_allowed != 0);
    let logger = (log_message, environment);
    // SAFETY: by contract.
    unsafe {
        if event_mode_used != 0 {
            let refused = || Err(failure("co-simulation has no event mode here; instantiate it without"));
            return Component::create(Logger::of_version_3(log_message, environment, ""), intermediate, refused);
        }
        instantiate(name, token, resources, logger, intermediate, FmuInterface::CoSimulation)
    }
}

/// An instance with this interface.
///
/// # Safety
/// Texts are NULL or end with a NUL; functions and environment are valid as long as the instance.
unsafe fn instantiate(
    name: *const c_char,
    token: *const c_char,
    resources: *const c_char,
    (log_message, environment): (Option<Logger3>, *mut c_void),
    intermediate: Intermediate,
    interface: FmuInterface,
) -> *mut Component {
    // SAFETY: by contract.
    unsafe {
        let shown = view::text(name, "instanceName").unwrap_or_default();
        let logger = Logger::of_version_3(log_message, environment, shown);
        Component::create(logger, intermediate, || {
            if view::text(name, "instanceName")?.is_empty() {
                return Err(failure("an instance needs a name"));
            }
            let folder = view::text(resources, "resourcePath")?;
            open(Path::new(folder), token, "instantiationToken", interface)
        })
    }
}

/// `fmi3InstantiateModelExchange`; NULL where it fails, with the reason to the logger.
///
/// # Safety
/// Texts are NULL or end with a NUL; functions and environment are valid as long as the instance.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi3InstantiateModelExchange(
    name: *const c_char,
    token: *const c_char,
    resources: *const c_char,
    _visible: u8,
    _logging_on: u8,
    environment: *mut c_void,
    log_message: Option<Logger3>,
) -> *mut Component {
    let logger = (log_message, environment);
    // SAFETY: by contract.
    unsafe { instantiate(name, token, resources, logger, Intermediate::none(), FmuInterface::ModelExchange) }
}

/// `fmi3InstantiateScheduledExecution`: there is none.
///
/// # Safety
/// Functions and environment are valid.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi3InstantiateScheduledExecution(
    _name: *const c_char,
    _token: *const c_char,
    _resources: *const c_char,
    _visible: u8,
    _logging_on: u8,
    environment: *mut c_void,
    log_message: Option<Logger3>,
    _clock_update: *const c_void,
    _lock_preemption: *const c_void,
    _unlock_preemption: *const c_void,
) -> *mut Component {
    let logger = Logger::of_version_3(log_message, environment, "");
    let refused = || Err(failure("the unit has no scheduled execution; instantiate it for co-simulation"));
    Component::create(logger, Intermediate::none(), refused)
}

/// `fmi3FreeInstance`.
///
/// # Safety
/// `component` is NULL or alive, and is not used any more.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi3FreeInstance(component: *mut Component) {
    // SAFETY: by contract.
    unsafe { component::free(component) }
}

entries! {
    /// `fmi3SetDebugLogging`: errors are always told, and nothing else is.
    fmi3SetDebugLogging(_logging_on: u8, count: usize, categories: *const *const c_char) =>
        |component, _, count, categories| call(component, |_| view::texts(view::slice(categories, count, "categories")?, "categories").map(drop));
}

/// `fmi3EnterInitializationMode`.
///
/// # Safety
/// pointers are NULL or valid as the standard says.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi3EnterInitializationMode(
    component: *mut Component,
    tolerance_defined: u8,
    tolerance: f64,
    start: f64,
    stop_defined: u8,
    stop: f64,
) -> c_int {
    // SAFETY: by contract.
    unsafe {
        let (stop, tolerance) = ((stop_defined != 0).then_some(stop), (tolerance_defined != 0).then_some(tolerance));
        call(component, |instance| {
            instance.set_up(start, stop, tolerance).map_err(failure)?;
            instance.enter_initialization().map_err(failure)
        })
    }
}

entries! {
    /// `fmi3ExitInitializationMode`.
    fmi3ExitInitializationMode() => |component| call(component, |instance| instance.exit_initialization().map_err(failure));

    /// `fmi3Terminate`.
    fmi3Terminate() => |component| call(component, |instance| instance.terminate().map_err(failure));
}

/// `fmi3Reset`.
///
/// # Safety
/// pointers are NULL or valid as the standard says.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi3Reset(component: *mut Component) -> c_int {
    // SAFETY: by contract.
    unsafe {
        call(component, |instance| {
            instance.reset();
            Ok(())
        })
    }
}

entries! {
    /// `fmi3EnterConfigurationMode`: of units with residuals.
    fmi3EnterConfigurationMode() => |component| call(component, |instance| instance.enter_configuration().map_err(failure));

    /// `fmi3ExitConfigurationMode`: of units with residuals.
    fmi3ExitConfigurationMode() => |component| call(component, |instance| instance.exit_configuration().map_err(failure));

    /// `fmi3EnterEventMode`: of model exchange.
    fmi3EnterEventMode() => |component| call(component, |instance| instance.enter_event().map_err(failure));

    /// `fmi3EnterStepMode`: not claimed.
    fmi3EnterStepMode() => |component| unsupported(component, "the event mode");

    /// `fmi3EvaluateDiscreteStates`: there are no discrete variables.
    fmi3EvaluateDiscreteStates() => |component| call(component, |_| Ok(()));
}
