//! Partners in C: functions of the host, and shared libraries.

use std::ffi::{c_char, c_void};
use std::path::Path;
use std::time::Duration;

use fourbar::coupling::Partner;
use fourbar::coupling::partner::{FunctionTable, Library, LibraryOptions};

use super::building::fourbar_coupling;
use super::failure::of_library;
use super::stage::with_building;
use crate::abi::error::Failure;
use crate::abi::options::{self, Grows};
use crate::abi::status::fourbar_status;
use crate::abi::{guard, view};

/// What a partner says of itself: see fourbar_partner.h.
#[allow(non_camel_case_types)]
#[repr(C)]
pub struct fourbar_partner_description {
    _opaque: [u8; 0],
}

/// What an instance is created with: see fourbar_partner.h.
#[allow(non_camel_case_types)]
#[repr(C)]
pub struct fourbar_partner_options {
    _opaque: [u8; 0],
}

/// One exchange: see fourbar_partner.h.
#[allow(non_camel_case_types)]
#[repr(C)]
pub struct fourbar_partner_data {
    _opaque: [u8; 0],
}

/// Makes an instance: as `fourbar_partner_create`, with the `user` pointer of the table first.
#[allow(non_camel_case_types)]
pub type fourbar_partner_create_function = Option<
    unsafe extern "C" fn(
        user: *mut c_void,
        options: *const fourbar_partner_options,
        instance: *mut *mut c_void,
        error: *mut c_char,
        error_size: usize,
    ) -> i32,
>;

/// Takes inputs, steps, gives outputs: as `fourbar_partner_exchange`.
#[allow(non_camel_case_types)]
pub type fourbar_partner_exchange_function = Option<
    unsafe extern "C" fn(
        instance: *mut c_void,
        data: *mut fourbar_partner_data,
        error: *mut c_char,
        error_size: usize,
    ) -> i32,
>;

/// Saves and restores: as `fourbar_partner_state`.
#[allow(non_camel_case_types)]
pub type fourbar_partner_state_function = Option<
    unsafe extern "C" fn(
        instance: *mut c_void,
        action: i32,
        bytes: *mut c_void,
        size: *mut usize,
        error: *mut c_char,
        error_size: usize,
    ) -> i32,
>;

/// Ends an instance: as `fourbar_partner_destroy`.
#[allow(non_camel_case_types)]
pub type fourbar_partner_destroy_function = Option<unsafe extern "C" fn(instance: *mut c_void)>;

/// A partner within the host: what a shared library exports by fourbar_partner.h, as a table of functions with a pointer of the host; set by
/// `fourbar_partner_functions_init` first. The functions are called from the thread that steps the coupling, or from the partner's own; they
/// get `FOURBAR_BUSY` where they call back into the coupling.
#[allow(non_camel_case_types)]
#[derive(Debug, Clone, Copy)]
#[repr(C)]
pub struct fourbar_partner_functions {
    /// sizeof(fourbar_partner_functions).
    pub struct_size: usize,
    /// Variables and abilities; copied.
    pub description: *const fourbar_partner_description,
    /// Passed to `create`; the instance itself where `create` is NULL. Has to live until `fourbar_coupling_free` has returned.
    pub user: *mut c_void,
    /// NULL: `user` is the instance.
    pub create: fourbar_partner_create_function,
    /// Takes inputs, steps, gives outputs.
    pub exchange: fourbar_partner_exchange_function,
    /// NULL: the partner cannot be saved.
    pub state: fourbar_partner_state_function,
    /// NULL: nothing is to be done at the end.
    pub destroy: fourbar_partner_destroy_function,
}

// SAFETY: pointers, the size first; a function pointer that is not NULL is one by contract.
unsafe impl Grows for fourbar_partner_functions {
    const NAME: &'static str = "fourbar_partner_functions";
    const FIRST: usize = size_of::<Self>();

    fn defaults() -> Self {
        Self {
            struct_size: size_of::<Self>(),
            description: std::ptr::null(),
            user: std::ptr::null_mut(),
            create: None,
            exchange: None,
            state: None,
            destroy: None,
        }
    }
}

/// All NULL; `size` is sizeof(fourbar_partner_functions).
///
/// Errors: `FOURBAR_NULL`, `FOURBAR_STRUCT_SIZE`.
///
/// # Safety
/// `functions` is NULL or has `size` bytes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fourbar_partner_functions_init(
    functions: *mut fourbar_partner_functions,
    size: usize,
) -> fourbar_status {
    // SAFETY: by contract.
    guard::guard(|| unsafe { options::write(functions, size, &fourbar_partner_functions::defaults()) })
}

/// How a partner takes part; set by `fourbar_partner_place_init` first.
#[allow(non_camel_case_types)]
#[derive(Debug, Clone, Copy)]
#[repr(C)]
pub struct fourbar_partner_place {
    /// sizeof(fourbar_partner_place).
    pub struct_size: usize,
    /// It takes part in each so many-th communication point; 1 by default.
    pub every: u64,
    /// Time within which it must answer \[s\], on a thread of its own; 0 (the default): no limit. A late call is not broken off: where the
    /// partner is functions of the host, `fourbar_coupling_free` waits for it; where it is a library, that is left to itself.
    pub time_limit: f64,
    /// Not 0: it has a thread of its own; 0 by default.
    pub thread: i32,
    /// Number of parameters.
    pub parameter_count: u32,
    /// Names of the parameters that its instance is created with; NULL by default.
    pub parameter_names: *const *const c_char,
    /// Their values, in the units that the partner states.
    pub parameter_values: *const f64,
}

// SAFETY: numbers and pointers, the size first.
unsafe impl Grows for fourbar_partner_place {
    const NAME: &'static str = "fourbar_partner_place";
    const FIRST: usize = size_of::<Self>();

    fn defaults() -> Self {
        Self {
            struct_size: size_of::<Self>(),
            every: 1,
            time_limit: 0.0,
            thread: 0,
            parameter_count: 0,
            parameter_names: std::ptr::null(),
            parameter_values: std::ptr::null(),
        }
    }
}

/// Sets the defaults; `size` is sizeof(fourbar_partner_place).
///
/// Errors: `FOURBAR_NULL`, `FOURBAR_STRUCT_SIZE`.
///
/// # Safety
/// `place` is NULL or has `size` bytes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fourbar_partner_place_init(place: *mut fourbar_partner_place, size: usize) -> fourbar_status {
    // SAFETY: by contract.
    guard::guard(|| unsafe { options::write(place, size, &fourbar_partner_place::defaults()) })
}

/// # Safety
/// The place is as it says.
unsafe fn library_options(place: &fourbar_partner_place, name: &str, start: f64) -> Result<LibraryOptions, Failure> {
    let count = place.parameter_count as usize;
    // SAFETY: by contract.
    unsafe {
        let names = view::slice(place.parameter_names, count, "parameter_names")?;
        let values = view::slice(place.parameter_values, count, "parameter_values")?;
        let names = view::texts(names, "parameter_names")?;
        let parameters = names.into_iter().zip(values.iter().copied()).collect();
        Ok(LibraryOptions { name: name.to_owned(), start, parameters })
    }
}

fn placed(partner: Partner, place: &fourbar_partner_place) -> Result<Partner, Failure> {
    let partner = partner.every(place.every);
    if place.time_limit != 0.0 {
        let limit = Duration::try_from_secs_f64(place.time_limit).map_err(|error| {
            let text = format!("time_limit is {} s: {error}", place.time_limit);
            Failure::new(fourbar_status::FOURBAR_INVALID, text)
        })?;
        return Ok(partner.time_limit(limit));
    }
    Ok(if place.thread != 0 { partner.on_thread() } else { partner })
}

/// Adds a partner within the host under `name`, without a dot; `place` NULL means the defaults. Its instance is created at once.
///
/// Errors: `FOURBAR_NULL` (also where neither `create` nor `user` is given), `FOURBAR_STRUCT_SIZE`, `FOURBAR_TEXT`; `FOURBAR_STATE` once the run has begun; `FOURBAR_INVALID` for a name that
/// is there already or has a dot, `every` 0, and a description that cannot be used;
/// `FOURBAR_CALLBACK` where `create` fails.
///
/// # Safety
/// Texts end with a NUL; the structs are as they say, the functions as fourbar_partner.h says; pointers are NULL or valid.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fourbar_coupling_add_functions(
    coupling: *mut fourbar_coupling,
    name: *const c_char,
    functions: *const fourbar_partner_functions,
    place: *const fourbar_partner_place,
) -> fourbar_status {
    // SAFETY: by contract.
    unsafe {
        with_building(coupling, |building| {
            let name = view::text(name, "name")?;
            view::reference(functions, "functions")?;
            let functions = options::read(functions)?;
            view::reference(functions.description, "description")?;
            let exchange = functions.exchange.ok_or_else(|| Failure::null("exchange"))?;
            if functions.create.is_none() && functions.user.is_null() {
                return Err(Failure::null("create' or 'user"));
            }
            let place = options::read(place)?;
            building.admit(name, place.every)?;
            let options = library_options(&place, name, building.options.start)?;
            let table = FunctionTable {
                description: functions.description.cast(),
                user: functions.user,
                create: functions.create.map(untyped),
                exchange: untyped_exchange(exchange),
                state: functions.state,
                destroy: functions.destroy,
            };
            let library = Library::of_table(&table, &options).map_err(|error| of_library(&error))?;
            #[cfg(debug_assertions)]
            let library = crate::abi::provoke::Provocable(library);
            // The host takes back what belongs to it when the coupling is freed.
            building.add(name, placed(Partner::new(name, library).joined(), &place)?);
            Ok(())
        })
    }
}

type Create =
    unsafe extern "C" fn(*mut c_void, *const fourbar_partner_options, *mut *mut c_void, *mut c_char, usize) -> i32;
type Exchange = unsafe extern "C" fn(*mut c_void, *mut fourbar_partner_data, *mut c_char, usize) -> i32;

fn untyped(create: Create) -> fourbar::coupling::partner::CreateFunction {
    // SAFETY: the types differ in what a pointer points to alone.
    unsafe { std::mem::transmute::<Create, fourbar::coupling::partner::CreateFunction>(create) }
}

fn untyped_exchange(exchange: Exchange) -> fourbar::coupling::partner::ExchangeFunction {
    // SAFETY: the types differ in what a pointer points to alone.
    unsafe { std::mem::transmute::<Exchange, fourbar::coupling::partner::ExchangeFunction>(exchange) }
}

/// Adds a partner from the shared library at `path`, which exports the five functions of fourbar_partner.h and is loaded into this process,
/// under `name`, without a dot; `place` NULL means the defaults.
///
/// Errors: `FOURBAR_NULL`, `FOURBAR_STRUCT_SIZE`, `FOURBAR_TEXT`; `FOURBAR_STATE` once the run has begun; `FOURBAR_FILE` where it cannot be read or loaded;
/// `FOURBAR_INVALID` where it is no such library; `FOURBAR_CALLBACK` where it creates no instance.
///
/// # Safety
/// Texts end with a NUL; the place is as it says; the library keeps to fourbar_partner.h; pointers are NULL or valid.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fourbar_coupling_add_library(
    coupling: *mut fourbar_coupling,
    name: *const c_char,
    path: *const c_char,
    place: *const fourbar_partner_place,
) -> fourbar_status {
    // SAFETY: by contract.
    unsafe {
        with_building(coupling, |building| {
            let (name, path) = (view::text(name, "name")?, view::text(path, "path")?);
            let place = options::read(place)?;
            building.admit(name, place.every)?;
            let options = library_options(&place, name, building.options.start)?;
            let library = Library::open(Path::new(path), &options).map_err(|error| of_library(&error))?;
            building.add(name, placed(Partner::new(name, library), &place)?);
            Ok(())
        })
    }
}
