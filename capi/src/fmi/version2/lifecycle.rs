//! From the instantiation to the end.

use super::CallbackFunctions;
use crate::abi::view;
use crate::fmi::component::{self, Component, call, failure, open};
use crate::fmi::intermediate::Intermediate;
use crate::fmi::logger::Logger;
use crate::fmi::resources::folder_of_uri;
use fourbar::fmi::FmuInterface;
use std::ffi::{c_char, c_int};

/// `fmi2ModelExchange` of `fmi2Type`.
const MODEL_EXCHANGE: c_int = 0;

/// `fmi2GetTypesPlatform`: the types of `fmi2TypesPlatform.h`.
#[unsafe(no_mangle)]
pub extern "C" fn fmi2GetTypesPlatform() -> *const c_char {
    c"default".as_ptr()
}

/// `fmi2GetVersion`.
#[unsafe(no_mangle)]
pub extern "C" fn fmi2GetVersion() -> *const c_char {
    c"2.0".as_ptr()
}

/// `fmi2Instantiate`; NULL where it fails, with the reason to the logger.
///
/// # Safety
/// Texts are NULL or end with a NUL; `functions` is NULL or valid, and what it points to as long as the instance.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi2Instantiate(
    name: *const c_char,
    kind: c_int,
    guid: *const c_char,
    resources: *const c_char,
    functions: *const CallbackFunctions,
    _visible: c_int,
    _logging_on: c_int,
) -> *mut Component {
    // SAFETY: by contract.
    unsafe {
        let Some(functions) = functions.as_ref() else { return std::ptr::null_mut() };
        let shown = view::text(name, "instanceName").unwrap_or_default();
        let logger = Logger::of_version_2(functions.logger, functions.component_environment, shown);
        Component::create(logger, Intermediate::none(), || {
            if view::text(name, "instanceName")?.is_empty() {
                return Err(failure("an instance needs a name"));
            }
            let interface =
                if kind == MODEL_EXCHANGE { FmuInterface::ModelExchange } else { FmuInterface::CoSimulation };
            let uri = view::text(resources, "fmuResourceLocation")?;
            let folder = folder_of_uri(uri);
            let folder = folder.ok_or_else(|| failure(format!("`{uri}` is no URI of a folder; give file:///...")))?;
            open(&folder, guid, "fmuGUID", interface)
        })
    }
}

/// `fmi2FreeInstance`.
///
/// # Safety
/// `component` is NULL or alive, and is not used any more.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi2FreeInstance(component: *mut Component) {
    // SAFETY: by contract.
    unsafe { component::free(component) }
}

entries! {
    /// `fmi2SetDebugLogging`: errors are always told, and nothing else is.
    fmi2SetDebugLogging(_logging_on: c_int, count: usize, categories: *const *const c_char) =>
        |component, _, count, categories| call(component, |_| view::texts(view::slice(categories, count, "categories")?, "categories").map(drop));
}

/// `fmi2SetupExperiment`.
///
/// # Safety
/// pointers are NULL or valid as the standard says.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi2SetupExperiment(
    component: *mut Component,
    tolerance_defined: c_int,
    tolerance: f64,
    start: f64,
    stop_defined: c_int,
    stop: f64,
) -> c_int {
    // SAFETY: by contract.
    unsafe {
        let (stop, tolerance) = ((stop_defined != 0).then_some(stop), (tolerance_defined != 0).then_some(tolerance));
        call(component, |instance| instance.set_up(start, stop, tolerance).map_err(failure))
    }
}

entries! {
    /// `fmi2EnterInitializationMode`.
    fmi2EnterInitializationMode() => |component| call(component, |instance| instance.enter_initialization().map_err(failure));

    /// `fmi2ExitInitializationMode`.
    fmi2ExitInitializationMode() => |component| call(component, |instance| instance.exit_initialization().map_err(failure));

    /// `fmi2Terminate`.
    fmi2Terminate() => |component| call(component, |instance| instance.terminate().map_err(failure));
}

/// `fmi2Reset`.
///
/// # Safety
/// pointers are NULL or valid as the standard says.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi2Reset(component: *mut Component) -> c_int {
    // SAFETY: by contract.
    unsafe {
        call(component, |instance| {
            instance.reset();
            Ok(())
        })
    }
}
