//! Copies the description of a library out of its memory, checking every pointer, count and text on the way.

use std::ffi::c_char;
use std::mem::MaybeUninit;

use super::super::abi;
use super::super::error::LibraryError;
use crate::function::{Capabilities, Causality, Description, Variable};

/// Longest name or unit \[bytes\].
const LONGEST: usize = 255;
/// More variables than this are taken for a mistake.
const MOST: u32 = 1 << 20;

/// Copies a structure whose writer knew `size` bytes of it; what lies beyond is zero.
///
/// # Safety
/// `pointer` must lead to `size` readable bytes, and T must allow all-zero bytes.
unsafe fn copy<T: Copy>(pointer: *const T, size: usize) -> T {
    let mut value = MaybeUninit::<T>::zeroed();
    // SAFETY: `size` bytes can be read, those of T written; byte by byte, so that the source need not be aligned.
    unsafe {
        let length = size.min(size_of::<T>());
        std::ptr::copy_nonoverlapping(pointer.cast::<u8>(), value.as_mut_ptr().cast::<u8>(), length);
        value.assume_init()
    }
}

/// The description at `pointer`.
///
/// # Safety
/// `pointer` must be NULL or lead to a description as `fourbar_partner.h` has it.
pub(super) unsafe fn read(pointer: *const abi::Description, library: &str) -> Result<Description, LibraryError> {
    let wrong = |what: String| LibraryError::Description { library: library.to_owned(), what };
    if pointer.is_null() {
        return Err(wrong("fourbar_partner_describe returns NULL".into()));
    }
    // SAFETY: every version of the description begins with its size.
    let size: usize = unsafe { copy(pointer.cast(), size_of::<usize>()) };
    let least = std::mem::offset_of!(abi::Description, capabilities);
    if !(least..=1 << 16).contains(&size) {
        return Err(wrong(format!("its struct_size is {size}; it must be sizeof(fourbar_partner_description)")));
    }
    // SAFETY: the library says that it wrote so many bytes.
    let raw: abi::Description = unsafe { copy(pointer, size) };
    if raw.version != abi::VERSION {
        let library = library.to_owned();
        return Err(LibraryError::Version { library, found: raw.version, expected: abi::VERSION });
    }
    // SAFETY: the pointer to the variables is checked, the rest is the contract of the caller.
    let variables = unsafe { variables(&raw) }.map_err(wrong)?;
    check_names(&variables).map_err(wrong)?;
    // A description without it means any step.
    let solver_step = if raw.solver_step == 0.0 { None } else { Some(raw.solver_step) };
    if raw.input_order > 2 {
        return Err(wrong(format!("its input_order is {}; it must be 0, 1 or 2", raw.input_order)));
    }
    let capabilities = Capabilities::PLAIN
        .rollback(raw.capabilities & abi::CAN_RESTORE != 0)
        .written(raw.capabilities & abi::CAN_RESTORE != 0)
        .output_derivatives(raw.capabilities & abi::HAS_OUTPUT_RATES != 0)
        .input_order(raw.input_order as usize);
    Ok(Description { variables, solver_step, capabilities })
}

/// # Safety
/// As [`read`].
unsafe fn variables(raw: &abi::Description) -> Result<Vec<Variable>, String> {
    let count = raw.variable_count;
    if count == 0 {
        return Ok(Vec::new());
    }
    if count > MOST {
        return Err(format!("its variable_count is {count}; at most {MOST} are taken"));
    }
    if raw.variables.is_null() {
        return Err(format!("it has {count} variables, and `variables` is NULL"));
    }
    // SAFETY: the first variable begins with the size of all.
    let size: usize = unsafe { copy(raw.variables.cast(), size_of::<usize>()) };
    if !(size_of::<abi::Variable>()..=1 << 16).contains(&size) {
        return Err(format!(
            "the struct_size of its first variable is {size}; it must be sizeof(fourbar_partner_variable)"
        ));
    }
    let first = raw.variables.cast::<u8>();
    // SAFETY: the library says that there are `count` variables of `size` bytes.
    let at = |i: u32| unsafe { copy(first.add(i as usize * size).cast::<abi::Variable>(), size) };
    let raws: Vec<abi::Variable> = (0..count).map(at).collect();
    let mut variables = Vec::with_capacity(raws.len());
    for (i, raw) in raws.iter().enumerate() {
        // SAFETY: as for the whole description.
        variables.push(unsafe { variable(i, raw) }?);
    }
    let inputs: Vec<String> = of(&variables, Causality::Input);
    for (variable, raw) in variables.iter_mut().zip(&raws) {
        // SAFETY: likewise.
        variable.feedthrough = unsafe { feedthrough(&variable.name, raw, &inputs) }?;
    }
    Ok(variables)
}

fn of(variables: &[Variable], causality: Causality) -> Vec<String> {
    variables.iter().filter(|variable| variable.causality == causality).map(|variable| variable.name.clone()).collect()
}

/// # Safety
/// As [`read`].
unsafe fn variable(i: usize, raw: &abi::Variable) -> Result<Variable, String> {
    // SAFETY: names and units are NULL or end with a zero byte.
    let (name, unit) = unsafe { (text(raw.name), text(raw.unit)) };
    let name = name.map_err(|why| format!("the name of its variable {i} {why}"))?;
    let name = name.filter(|name| !name.is_empty()).ok_or_else(|| format!("its variable {i} has no name"))?;
    let unit = unit.map_err(|why| format!("the unit of its variable \"{name}\" {why}"))?.unwrap_or_default();
    let variable = match raw.causality {
        abi::INPUT => Variable::input(name, unit),
        abi::OUTPUT => Variable::output(name, unit),
        other => {
            let known = "it must be FOURBAR_PARTNER_INPUT or FOURBAR_PARTNER_OUTPUT";
            return Err(format!("the causality of its variable \"{name}\" is {other}; {known}"));
        }
    };
    Ok(variable.start(raw.start).nominal(raw.nominal))
}

/// # Safety
/// As [`read`].
unsafe fn feedthrough(name: &str, raw: &abi::Variable, inputs: &[String]) -> Result<Vec<String>, String> {
    let count = raw.feedthrough_count as usize;
    if count == 0 {
        return Ok(Vec::new());
    }
    if raw.causality != abi::OUTPUT || raw.feedthrough.is_null() || count > inputs.len() {
        return Err(format!(
            "its variable \"{name}\" has {count} entries of feedthrough; outputs may have as many as there are inputs ({})",
            inputs.len()
        ));
    }
    let entry = |k: usize| {
        // SAFETY: the pointer is not NULL, and the library says that there are `count` entries.
        let index = unsafe { raw.feedthrough.add(k).read_unaligned() };
        let input = inputs.get(index as usize).cloned();
        input.ok_or_else(|| {
            format!("the feedthrough of its variable \"{name}\" names input {index} of {}", inputs.len())
        })
    };
    (0..count).map(entry).collect()
}

/// The text at `pointer`; None for NULL.
///
/// # Safety
/// `pointer` must be NULL or lead to a text that ends with a zero byte.
unsafe fn text(pointer: *const c_char) -> Result<Option<String>, String> {
    if pointer.is_null() {
        return Ok(None);
    }
    let mut bytes = Vec::new();
    loop {
        // SAFETY: no byte before this one was the zero at the end.
        let byte = unsafe { pointer.add(bytes.len()).cast::<u8>().read() };
        if byte == 0 {
            break;
        }
        if bytes.len() == LONGEST {
            return Err(format!("is longer than {LONGEST} bytes"));
        }
        bytes.push(byte);
    }
    String::from_utf8(bytes)
        .map(Some)
        .map_err(|error| format!("is no UTF-8: {:?}", String::from_utf8_lossy(error.as_bytes())))
}

fn check_names(variables: &[Variable]) -> Result<(), String> {
    match variables.iter().find(|variable| variable.name.contains('.')) {
        Some(variable) => Err(format!(
            "the name of its variable \"{}\" has a dot, which separates partner and variable",
            variable.name
        )),
        None => Ok(()),
    }
}
