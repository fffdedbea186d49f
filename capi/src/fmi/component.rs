//! An instance behind the pointer of the importer, and the way of an error from it to the logger.

use super::intermediate::Intermediate;
use super::logger::Logger;
use crate::abi::error::{Failure, remembered};
use crate::abi::guard;
use crate::abi::handle::{self, Exclusive};
use crate::abi::status::fourbar_status;
use crate::abi::view;
use fourbar::fmi::{Contents, Error, FmuInterface, Instance, LIBRARY_MARK, State};
use std::cell::Cell;
use std::ffi::{c_char, c_int};
use std::path::Path;

/// `fmi2OK`, `fmi3OK`.
pub(super) const OK: c_int = 0;
/// `fmi2Discard`, `fmi3Discard`.
pub(super) const DISCARD: c_int = 2;
/// `fmi2Error`, `fmi3Error`.
pub(super) const ERROR: c_int = 3;

/// What an importer has a pointer to.
pub struct Component {
    instance: Exclusive<Instance>,
    logger: Logger,
    pub(super) intermediate: Intermediate,
}

/// A state that an importer has a pointer to.
pub(super) type FmuState = *mut State;

/// As a failure of the C ABI; the status does not reach the importer.
pub(super) fn failure(error: impl ToString) -> Failure {
    Failure::new(fourbar_status::FOURBAR_INVALID, error)
}

impl Component {
    /// A new instance; NULL where there can be none, with the reason to the logger.
    pub(super) fn create(
        logger: Logger,
        intermediate: Intermediate,
        make: impl FnOnce() -> Result<Instance, Failure>,
    ) -> *mut Self {
        let mut made = None;
        let made_well = guard::run(|| {
            made = Some(make()?);
            Ok(())
        });
        match (made, made_well) {
            (Some(instance), Ok(())) => {
                Box::into_raw(Box::new(Self { instance: Exclusive::new(instance), logger, intermediate }))
            }
            (_, Err(failure)) => {
                logger.tell(ERROR, failure.text());
                std::ptr::null_mut()
            }
            (None, Ok(())) => std::ptr::null_mut(),
        }
    }
}

/// The instance of the unit whose resources are in `folder`, which has `token`, with this interface.
///
/// # Safety
/// `token` is NULL or ends with a NUL.
pub(super) unsafe fn open(
    folder: &Path,
    token: *const c_char,
    name: &str,
    interface: FmuInterface,
) -> Result<Instance, Failure> {
    // By this an export knows the library and its version.
    std::hint::black_box(LIBRARY_MARK);
    let contents = Contents::read(folder).map_err(failure)?;
    // SAFETY: by contract.
    contents.check(unsafe { view::text(token, name)? }).map_err(failure)?;
    Instance::with(contents, interface).map_err(failure)
}

/// Runs a call of the importer on its instance.
///
/// # Safety
/// `component` is NULL or alive.
pub(super) unsafe fn call(component: *mut Component, call: impl FnOnce(&mut Instance) -> Result<(), Failure>) -> c_int {
    // SAFETY: by contract.
    unsafe { call_noting(component, &Cell::new(ERROR), call) }
}

/// As [`call`], with the status of a failure that the call may change.
///
/// # Safety
/// `component` is NULL or alive.
pub(super) unsafe fn call_noting(
    component: *mut Component,
    status: &Cell<c_int>,
    call: impl FnOnce(&mut Instance) -> Result<(), Failure>,
) -> c_int {
    // SAFETY: by contract.
    let Some(component) = (unsafe { component.as_ref() }) else { return ERROR };
    match component.instance.with("the instance", call) {
        fourbar_status::FOURBAR_OK => OK,
        _ => {
            component.logger.tell(status.get(), &remembered());
            status.get()
        }
    }
}

/// Tells the logger of something that is no error of a call.
///
/// # Safety
/// `component` is NULL or alive.
pub(super) unsafe fn tell(component: *mut Component, status: c_int, text: &str) {
    // SAFETY: by contract.
    if let Some(component) = unsafe { component.as_ref() } {
        component.logger.tell(status, text);
    }
}

/// A call that this library does not offer.
///
/// # Safety
/// `component` is NULL or alive.
pub(super) unsafe fn unsupported(component: *mut Component, what: &'static str) -> c_int {
    let reason = "its description does not claim it";
    // SAFETY: by contract.
    unsafe { call(component, |_| Err(failure(Error::Unsupported { what, reason }))) }
}

/// Values of a type that no variable has.
///
/// # Safety
/// `component` is NULL or alive; `references` is NULL or has `count` values.
pub(super) unsafe fn no_such(
    component: *mut Component,
    references: *const u32,
    count: usize,
    kind: &'static str,
) -> c_int {
    // SAFETY: by contract.
    unsafe {
        call(component, |_| match view::slice(references, count, "valueReferences")?.first() {
            None => Ok(()),
            Some(&reference) => Err(failure(Error::Reference { kind, reference })),
        })
    }
}

/// Reads values, each by `get`.
///
/// # Safety
/// `component` is NULL or alive; arrays are NULL or have the number of values that is given with them.
unsafe fn read<T>(
    component: *mut Component,
    (references, count): (*const u32, usize),
    (values, value_count): (*mut T, usize),
    get: impl Fn(&mut Instance, u32) -> Result<T, Error>,
) -> c_int {
    // SAFETY: by contract.
    unsafe {
        call(component, |instance| {
            view::check_length("values", value_count, count)?;
            let references = view::slice(references, count, "valueReferences")?;
            let values = view::slice_mut(values, count, "values")?;
            for (value, reference) in values.iter_mut().zip(references) {
                *value = get(instance, *reference).map_err(failure)?;
            }
            Ok(())
        })
    }
}

/// Sets values, all by `set`.
///
/// # Safety
/// As [`read`].
unsafe fn write<T>(
    component: *mut Component,
    (references, count): (*const u32, usize),
    (values, value_count): (*const T, usize),
    set: impl FnOnce(&mut Instance, &[u32], &[T]) -> Result<(), Error>,
) -> c_int {
    // SAFETY: by contract.
    unsafe {
        call(component, |instance| {
            view::check_length("values", value_count, count)?;
            let references = view::slice(references, count, "valueReferences")?;
            set(instance, references, view::slice(values, count, "values")?).map_err(failure)
        })
    }
}

/// Reads reals.
///
/// # Safety
/// `component` is NULL or alive; arrays are NULL or have the number of values that is given with them.
pub(super) unsafe fn get_reals(
    component: *mut Component,
    references: *const u32,
    count: usize,
    values: *mut f64,
    value_count: usize,
) -> c_int {
    // SAFETY: by contract.
    unsafe { read(component, (references, count), (values, value_count), Instance::get) }
}

/// Sets reals.
///
/// # Safety
/// As [`get_reals`].
pub(super) unsafe fn set_reals(
    component: *mut Component,
    references: *const u32,
    count: usize,
    values: *const f64,
    value_count: usize,
) -> c_int {
    // SAFETY: by contract.
    unsafe { write(component, (references, count), (values, value_count), Instance::set_all) }
}

/// Reads truth values.
///
/// # Safety
/// As [`get_reals`].
pub(super) unsafe fn get_truths(
    component: *mut Component,
    references: *const u32,
    count: usize,
    values: *mut u8,
    value_count: usize,
) -> c_int {
    let get = |instance: &mut Instance, reference| instance.truth(reference).map(u8::from);
    // SAFETY: by contract.
    unsafe { read(component, (references, count), (values, value_count), get) }
}

/// Sets truth values.
///
/// # Safety
/// As [`get_reals`].
pub(super) unsafe fn set_truths(
    component: *mut Component,
    references: *const u32,
    count: usize,
    values: *const u8,
    value_count: usize,
) -> c_int {
    let set = |instance: &mut Instance, references: &[u32], values: &[u8]| {
        references.iter().zip(values).try_for_each(|(reference, value)| instance.set_truth(*reference, *value != 0))
    };
    // SAFETY: by contract.
    unsafe { write(component, (references, count), (values, value_count), set) }
}

/// Ends an instance.
///
/// # Safety
/// `component` is NULL or alive, and is not used any more.
pub(super) unsafe fn free(component: *mut Component) {
    // SAFETY: by contract; it came from a box.
    unsafe { handle::free(component) }
}

/// Saves the state: into a new one, or in place of that which `state` points to.
///
/// # Safety
/// `component` is NULL or alive; `state` is NULL, or points to NULL or a state.
pub(super) unsafe fn get_state(component: *mut Component, state: *mut FmuState) -> c_int {
    // SAFETY: by contract.
    unsafe {
        call(component, |instance| {
            let before = *view::reference(state, "FMUState")?;
            let saved = Box::into_raw(Box::new(instance.save().map_err(failure)?));
            state.write(saved);
            handle::free(before);
            Ok(())
        })
    }
}

/// Returns to a state.
///
/// # Safety
/// `component` is NULL or alive; `state` is NULL or a state.
pub(super) unsafe fn set_state(component: *mut Component, state: FmuState) -> c_int {
    // SAFETY: by contract.
    unsafe { call(component, |instance| instance.restore(view::reference(state, "FMUState")?).map_err(failure)) }
}

/// Frees a state.
///
/// # Safety
/// `component` is NULL or alive; `state` is NULL, or points to NULL or a state.
pub(super) unsafe fn free_state(component: *mut Component, state: *mut FmuState) -> c_int {
    // SAFETY: by contract.
    unsafe {
        call(component, |_| {
            if !state.is_null() {
                handle::free(state.replace(std::ptr::null_mut()));
            }
            Ok(())
        })
    }
}

/// How many bytes a state takes.
///
/// # Safety
/// `component` is NULL or alive; `state` is NULL or a state; `size` is NULL or valid.
pub(super) unsafe fn state_size(component: *mut Component, state: FmuState, size: *mut usize) -> c_int {
    // SAFETY: by contract.
    unsafe {
        call(component, |instance| {
            let bytes = instance.state_to_bytes(view::reference(state, "FMUState")?).map_err(failure)?;
            view::write(size, bytes.len(), "size")
        })
    }
}

/// The bytes of a state.
///
/// # Safety
/// `component` is NULL or alive; `state` is NULL or a state; `bytes` is NULL or has `size` bytes.
pub(super) unsafe fn store_state(component: *mut Component, state: FmuState, bytes: *mut u8, size: usize) -> c_int {
    // SAFETY: by contract.
    unsafe {
        call(component, |instance| {
            let stored = instance.state_to_bytes(view::reference(state, "FMUState")?).map_err(failure)?;
            view::check_length("serializedState", size, stored.len())?;
            view::slice_mut(bytes, size, "serializedState")?.copy_from_slice(&stored);
            Ok(())
        })
    }
}

/// A state from its bytes.
///
/// # Safety
/// `component` is NULL or alive; `bytes` is NULL or has `size` bytes; `state` is NULL, or points to NULL or a state.
pub(super) unsafe fn load_state(
    component: *mut Component,
    bytes: *const u8,
    size: usize,
    state: *mut FmuState,
) -> c_int {
    // SAFETY: by contract.
    unsafe {
        call(component, |instance| {
            let before = *view::reference(state, "FMUState")?;
            let bytes = view::slice(bytes, size, "serializedState")?;
            let loaded = Box::into_raw(Box::new(instance.state_from_bytes(bytes).map_err(failure)?));
            state.write(loaded);
            handle::free(before);
            Ok(())
        })
    }
}

/// Arrays of a directional derivative.
pub(super) struct Direction {
    pub(super) unknowns: (*const u32, usize),
    pub(super) knowns: (*const u32, usize),
    pub(super) seed: (*const f64, usize),
    pub(super) sensitivity: (*mut f64, usize),
}

/// A directional derivative.
///
/// # Safety
/// `component` is NULL or alive; arrays are NULL or have the number of values that is given with them.
pub(super) unsafe fn directional_derivative(component: *mut Component, of: &Direction) -> c_int {
    // SAFETY: by contract.
    unsafe {
        call(component, |instance| {
            view::check_length("seed", of.seed.1, of.knowns.1)?;
            view::check_length("sensitivity", of.sensitivity.1, of.unknowns.1)?;
            let unknowns = view::slice(of.unknowns.0, of.unknowns.1, "unknowns")?;
            let knowns = view::slice(of.knowns.0, of.knowns.1, "knowns")?;
            let seed = view::slice(of.seed.0, of.seed.1, "seed")?;
            let sensitivity = view::slice_mut(of.sensitivity.0, of.sensitivity.1, "sensitivity")?;
            let found = instance.directional_derivative(unknowns, knowns, seed).map_err(failure)?;
            sensitivity.copy_from_slice(&found);
            Ok(())
        })
    }
}
