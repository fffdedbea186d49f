//! A simulator in Rust behind the five functions of `include/fourbar_partner.h`: [`partner_library!`](crate::partner_library) writes them.
//!
//! A panic of the simulator leaves none of them: it becomes a failure with its words, and the instance is of no use but to be destroyed.
#![allow(unsafe_code)]

use super::abi;
use super::options::LibraryOptions;
use crate::function::{Causality, Failure, Signal, Simulator};
use std::ffi::{CStr, CString, c_char, c_void};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::OnceLock;

/// A simulator that can be in a library: its state, where it has [`Capabilities::rollback`](crate::Capabilities), becomes bytes.
pub trait LibrarySimulator: Simulator {
    /// Everything on which the further run depends, without pointers: another instance goes on from it, also in another process.
    ///
    /// # Errors
    /// [`Failure`].
    fn to_bytes(&mut self) -> Result<Vec<u8>, Failure> {
        Err(Failure::Unsupported("saving its state"))
    }

    /// Goes back to what [`LibrarySimulator::to_bytes`] gave; what follows is then what followed before, bit for bit.
    ///
    /// # Errors
    /// [`Failure`].
    fn restore_bytes(&mut self, _bytes: &[u8]) -> Result<(), Failure> {
        Err(Failure::Unsupported("returning to a saved state"))
    }
}

/// Makes an instance; parameters that are not known are to be refused by their names.
pub type Make = fn(&LibraryOptions) -> Result<Box<dyn LibrarySimulator>, Failure>;

/// What the library says of itself, for as long as it is loaded.
pub struct Said {
    description: abi::Description,
    _variables: Vec<abi::Variable>,
    _texts: Vec<CString>,
    _feedthrough: Vec<Vec<u32>>,
}

// SAFETY: its pointers lead to its own heap memory, which nothing changes.
unsafe impl Send for Said {}
// SAFETY: as above.
unsafe impl Sync for Said {}

/// An instance of the library.
struct Made {
    simulator: Box<dyn LibrarySimulator>,
    inputs: Vec<Signal>,
    outputs: usize,
    is_broken: bool,
}

/// Runs a call into the simulator; a panic becomes a failure.
fn guarded<T>(call: impl FnOnce() -> Result<T, Failure>) -> Result<T, (i32, String)> {
    match catch_unwind(AssertUnwindSafe(call)) {
        Ok(Ok(value)) => Ok(value),
        Ok(Err(Failure::Unsupported(what))) => Err((abi::UNSUPPORTED, Failure::Unsupported(what).to_string())),
        Ok(Err(failure)) => Err((abi::FAILED, failure.to_string())),
        Err(payload) => {
            let words = payload.downcast_ref::<&str>().map(ToString::to_string);
            let words = words.or_else(|| payload.downcast_ref::<String>().cloned());
            // A payload may panic as it is dropped.
            std::mem::forget(payload);
            let words = words.unwrap_or_else(|| "nothing is known of it".to_owned());
            Err((PANICKED, format!("the simulator panicked: {words}; the instance can only be destroyed")))
        }
    }
}

/// Becomes [`abi::FAILED`]; the instance is broken besides.
const PANICKED: i32 = -1;

/// Ends a function: the status, and words on failure.
///
/// # Safety
/// `error` is NULL or has room for `size` bytes.
unsafe fn ended(result: Result<(), (i32, String)>, error: *mut c_char, size: usize) -> i32 {
    let Err((status, words)) = result else { return abi::OK };
    if !error.is_null() && size > 0 {
        let words = words.replace('\0', "");
        let mut length = words.len().min(size - 1);
        while !words.is_char_boundary(length) {
            length -= 1;
        }
        // SAFETY: there is room for `size` bytes, of which these and the zero behind them are some.
        unsafe {
            std::ptr::copy_nonoverlapping(words.as_ptr(), error.cast(), length);
            error.add(length).write(0);
        }
    }
    if status == PANICKED { abi::FAILED } else { status }
}

/// `fourbar_partner_describe`: by an instance without parameters. NULL where there can be none.
#[must_use]
pub fn describe(said: &'static OnceLock<Option<Said>>, make: Make) -> *const c_void {
    let found = said.get_or_init(|| guarded(|| say(make)).ok());
    found.as_ref().map_or(std::ptr::null(), |said| (&raw const said.description).cast())
}

fn say(make: Make) -> Result<Said, Failure> {
    let own = make(&LibraryOptions::default())?.describe();
    let text = |text: &str| CString::new(text).map_err(|_| Failure::new("a name has a zero byte"));
    let inputs: Vec<&str> = own.with(Causality::Input).map(|input| input.name.as_str()).collect();
    let (mut texts, mut feedthrough, mut variables) = (Vec::new(), Vec::new(), Vec::new());
    for variable in &own.variables {
        let place = |name: &String| inputs.iter().position(|input| input == name).map(|k| k as u32);
        let fed: Vec<u32> = variable.feedthrough.iter().filter_map(place).collect();
        let (name, unit) = (text(&variable.name)?, text(&variable.unit)?);
        variables.push(abi::Variable {
            struct_size: size_of::<abi::Variable>(),
            name: name.as_ptr(),
            unit: unit.as_ptr(),
            start: variable.start,
            nominal: variable.nominal,
            feedthrough: if fed.is_empty() { std::ptr::null() } else { fed.as_ptr() },
            feedthrough_count: fed.len() as u32,
            causality: if variable.causality == Causality::Input { abi::INPUT } else { abi::OUTPUT },
        });
        texts.extend([name, unit]);
        feedthrough.push(fed);
    }
    let restores = if own.capabilities.rollback { abi::CAN_RESTORE } else { 0 };
    let rates = if own.capabilities.output_derivatives { abi::HAS_OUTPUT_RATES } else { 0 };
    let description = abi::Description {
        struct_size: size_of::<abi::Description>(),
        version: abi::VERSION,
        capabilities: restores | rates,
        input_order: own.capabilities.input_order.min(2) as u32,
        variable_count: variables.len() as u32,
        variables: variables.as_ptr(),
        solver_step: own.solver_step.unwrap_or(0.0),
    };
    Ok(Said { description, _variables: variables, _texts: texts, _feedthrough: feedthrough })
}

/// `fourbar_partner_create`.
///
/// # Safety
/// Pointers are as the header says.
pub unsafe fn create(
    make: Make,
    options: *const c_void,
    instance: *mut *mut c_void,
    error: *mut c_char,
    size: usize,
) -> i32 {
    let made = || {
        // SAFETY: by contract.
        let options = unsafe { read_options(options.cast()) }?;
        let simulator = make(&options)?;
        let own = simulator.describe();
        let (inputs, outputs) = (own.with(Causality::Input).count(), own.with(Causality::Output).count());
        Ok(Made { simulator, inputs: vec![Signal::default(); inputs], outputs, is_broken: false })
    };
    let result = guarded(made).map(|made| {
        // SAFETY: by contract it is valid.
        unsafe { instance.write(Box::into_raw(Box::new(made)).cast()) };
    });
    // SAFETY: by contract.
    unsafe { ended(result, error, size) }
}

/// # Safety
/// `options` is NULL or valid.
unsafe fn read_options(options: *const abi::Options) -> Result<LibraryOptions, Failure> {
    // SAFETY: by contract; names end with a zero.
    unsafe {
        let Some(raw) = options.as_ref() else { return Ok(LibraryOptions::default()) };
        let text = |text: *const c_char| {
            if text.is_null() { String::new() } else { CStr::from_ptr(text).to_string_lossy().into_owned() }
        };
        let count = if raw.parameters.is_null() { 0 } else { raw.parameter_count as usize };
        let parameter = |k: usize| {
            let own = &*raw.parameters.add(k);
            (text(own.name), own.value)
        };
        Ok(LibraryOptions { name: text(raw.name), start: raw.start, parameters: (0..count).map(parameter).collect() })
    }
}

/// Calls the instance, unless it is broken.
///
/// # Safety
/// `instance` is NULL or alive; `error` is NULL or has room for `size` bytes.
unsafe fn with(
    instance: *mut c_void,
    error: *mut c_char,
    size: usize,
    call: impl FnOnce(&mut Made) -> Result<(), Failure>,
) -> i32 {
    // SAFETY: by contract, and calls for one instance come one after the other.
    let Some(made) = (unsafe { instance.cast::<Made>().as_mut() }) else { return abi::INVALID };
    let result = if made.is_broken {
        Err((abi::FAILED, "the simulator panicked in an earlier call".to_owned()))
    } else {
        guarded(|| call(made))
    };
    made.is_broken |= matches!(result, Err((PANICKED, _)));
    // SAFETY: by contract.
    unsafe { ended(result, error, size) }
}

/// `fourbar_partner_exchange`.
///
/// # Safety
/// Pointers are as the header says.
pub unsafe fn exchange(instance: *mut c_void, data: *mut c_void, error: *mut c_char, size: usize) -> i32 {
    // SAFETY: by contract.
    let Some(data) = (unsafe { data.cast::<abi::Data>().as_mut() }) else { return abi::INVALID };
    let call = |made: &mut Made| {
        for (k, input) in made.inputs.iter_mut().enumerate() {
            // SAFETY: the host gives an entry for each input.
            let at = |values: *const f64| unsafe { values.add(k).read() };
            *input = Signal { value: at(data.inputs), first: at(data.input_rates), second: at(data.input_curvatures) };
        }
        made.simulator.set_inputs(&made.inputs)?;
        data.reached = if data.step > 0.0 { made.simulator.step(data.time, data.step)? } else { data.time };
        if made.outputs > 0 {
            // SAFETY: the host gives room for each output.
            made.simulator.outputs(unsafe { std::slice::from_raw_parts_mut(data.outputs, made.outputs) })?;
        }
        if made.outputs > 0 && !data.output_rates.is_null() {
            // SAFETY: likewise.
            let rates = unsafe { std::slice::from_raw_parts_mut(data.output_rates, made.outputs) };
            made.simulator.output_derivatives(rates)?;
        }
        Ok(())
    };
    // SAFETY: by contract.
    unsafe { with(instance, error, size, call) }
}

/// `fourbar_partner_state`.
///
/// # Safety
/// Pointers are as the header says.
pub unsafe fn state(
    instance: *mut c_void,
    action: i32,
    bytes: *mut c_void,
    length: *mut usize,
    error: *mut c_char,
    size: usize,
) -> i32 {
    // SAFETY: by contract.
    let Some(length) = (unsafe { length.as_mut() }) else { return abi::INVALID };
    let mut too_small = false;
    let call = |made: &mut Made| {
        if action == abi::RESTORE {
            // SAFETY: the host gives so many bytes.
            return made.simulator.restore_bytes(unsafe { std::slice::from_raw_parts(bytes.cast(), *length) });
        }
        let saved = made.simulator.to_bytes()?;
        too_small = saved.len() > *length;
        if !too_small {
            // SAFETY: the host has room for them.
            unsafe { std::ptr::copy_nonoverlapping(saved.as_ptr(), bytes.cast(), saved.len()) };
        }
        *length = saved.len();
        Ok(())
    };
    // SAFETY: by contract.
    let status = unsafe { with(instance, error, size, call) };
    if status == abi::OK && too_small { abi::TOO_SMALL } else { status }
}

/// `fourbar_partner_destroy`.
///
/// # Safety
/// `instance` is NULL or alive, and is not used any more.
pub unsafe fn destroy(instance: *mut c_void) {
    if !instance.is_null() {
        let _ = guarded(|| {
            // SAFETY: it came from a box.
            drop(unsafe { Box::from_raw(instance.cast::<Made>()) });
            Ok(())
        });
    }
}

/// Writes the five functions of `include/fourbar_partner.h` into the crate around it, a `cdylib`: its library is then a simulator of coupled models, and
/// of units of FMI around them. The argument is a [`Make`]. The crate allows unsafe code, since it exports symbols.
#[macro_export]
macro_rules! partner_library {
    ($make:expr) => {
        const _: () = {
            use ::std::ffi::{c_char, c_void};
            use $crate::partner::exported;

            const MAKE: exported::Make = $make;

            #[unsafe(no_mangle)]
            extern "C" fn fourbar_partner_describe() -> *const c_void {
                static SAID: ::std::sync::OnceLock<Option<exported::Said>> = ::std::sync::OnceLock::new();
                exported::describe(&SAID, MAKE)
            }

            #[unsafe(no_mangle)]
            unsafe extern "C" fn fourbar_partner_create(
                options: *const c_void,
                instance: *mut *mut c_void,
                error: *mut c_char,
                size: usize,
            ) -> i32 {
                // SAFETY: the host keeps to the header.
                unsafe { exported::create(MAKE, options, instance, error, size) }
            }

            #[unsafe(no_mangle)]
            unsafe extern "C" fn fourbar_partner_exchange(
                instance: *mut c_void,
                data: *mut c_void,
                error: *mut c_char,
                size: usize,
            ) -> i32 {
                // SAFETY: the host keeps to the header.
                unsafe { exported::exchange(instance, data, error, size) }
            }

            #[unsafe(no_mangle)]
            unsafe extern "C" fn fourbar_partner_state(
                instance: *mut c_void,
                action: i32,
                bytes: *mut c_void,
                length: *mut usize,
                error: *mut c_char,
                size: usize,
            ) -> i32 {
                // SAFETY: the host keeps to the header.
                unsafe { exported::state(instance, action, bytes, length, error, size) }
            }

            #[unsafe(no_mangle)]
            unsafe extern "C" fn fourbar_partner_destroy(instance: *mut c_void) {
                // SAFETY: the host keeps to the header.
                unsafe { exported::destroy(instance) }
            }
        };
    };
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::function::{Capabilities, Description, Variable};

    /// The sum of all inputs so far; 13 is no number for it.
    struct Sum(f64, f64);

    impl Simulator for Sum {
        fn describe(&self) -> Description {
            let output = Variable::output("sum", "m").depends_on(&["more"]);
            let variables = vec![Variable::input("more", "m"), output];
            Description { variables, solver_step: None, capabilities: Capabilities::PLAIN.rollback(true) }
        }
        fn set_inputs(&mut self, inputs: &[Signal]) -> Result<(), Failure> {
            self.1 = inputs[0].value;
            Ok(())
        }
        fn step(&mut self, t: f64, h: f64) -> Result<f64, Failure> {
            assert!(self.1 != 13.0, "unlucky");
            self.0 += self.1;
            Ok(t + h)
        }
        fn outputs(&mut self, values: &mut [f64]) -> Result<(), Failure> {
            values[0] = self.0;
            Ok(())
        }
    }

    impl LibrarySimulator for Sum {
        fn to_bytes(&mut self) -> Result<Vec<u8>, Failure> {
            Ok(self.0.to_le_bytes().to_vec())
        }
        fn restore_bytes(&mut self, bytes: &[u8]) -> Result<(), Failure> {
            self.0 = f64::from_le_bytes(bytes.try_into().map_err(|_| Failure::new("eight bytes"))?);
            Ok(())
        }
    }

    const MAKE: Make = |options| match options.parameters.first() {
        Some((name, _)) => Err(Failure::new(format!("there is no parameter \"{name}\""))),
        None => Ok(Box::new(Sum(0.0, 0.0))),
    };

    struct Called(*mut c_void, [u8; 256]);

    impl Called {
        fn step(&mut self, more: f64) -> (i32, f64) {
            let (inputs, zero, mut output) = ([more], [0.0], [f64::NAN]);
            let mut data = abi::Data {
                struct_size: size_of::<abi::Data>(),
                time: 0.0,
                step: 1.0,
                inputs: inputs.as_ptr(),
                input_rates: zero.as_ptr(),
                input_curvatures: zero.as_ptr(),
                reached: f64::NAN,
                outputs: output.as_mut_ptr(),
                output_rates: std::ptr::null_mut(),
            };
            let words = self.1.as_mut_ptr().cast();
            // SAFETY: arrays as the header asks for.
            let status = unsafe { exchange(self.0, (&raw mut data).cast(), words, 256) };
            (status, output[0])
        }
        fn state(&mut self, action: i32, bytes: &mut [u8]) -> (i32, usize) {
            let mut length = bytes.len();
            let words = self.1.as_mut_ptr().cast();
            // SAFETY: as above.
            let status = unsafe { state(self.0, action, bytes.as_mut_ptr().cast(), &raw mut length, words, 256) };
            (status, length)
        }
        fn words(&self) -> String {
            CStr::from_bytes_until_nul(&self.1).unwrap().to_string_lossy().into_owned()
        }
    }

    #[test]
    fn a_simulator_is_called_through_the_functions_and_its_panics_stay_inside() {
        static SAID: OnceLock<Option<Said>> = OnceLock::new();
        // SAFETY: what `describe` gives is a description, here of this module.
        let said = unsafe { &*describe(&SAID, MAKE).cast::<abi::Description>() };
        assert_eq!((said.variable_count, said.capabilities), (2, abi::CAN_RESTORE));
        // SAFETY: there are two.
        let sum = unsafe { &*said.variables.add(1) };
        assert_eq!((sum.causality, sum.feedthrough_count), (abi::OUTPUT, 1));
        let mut called = Called(std::ptr::null_mut(), [0; 256]);
        // SAFETY: pointers as the header asks for.
        let status = unsafe { create(MAKE, std::ptr::null(), &raw mut called.0, std::ptr::null_mut(), 0) };
        assert_eq!((status, called.step(2.0), called.step(3.0)), (abi::OK, (abi::OK, 2.0), (abi::OK, 5.0)));
        assert_eq!(called.state(abi::SAVE, &mut [0; 4]), (abi::TOO_SMALL, 8));
        let mut bytes = [0; 8];
        assert_eq!(called.state(abi::SAVE, &mut bytes), (abi::OK, 8));
        assert_eq!(called.step(1.0), (abi::OK, 6.0));
        assert_eq!(called.state(abi::RESTORE, &mut bytes), (abi::OK, 8));
        assert_eq!(called.step(1.0), (abi::OK, 6.0));
        assert_eq!(called.step(13.0).0, abi::FAILED);
        assert!(called.words().contains("unlucky"), "{}", called.words());
        assert_eq!(called.step(1.0).0, abi::FAILED);
        assert!(called.words().contains("an earlier call"), "{}", called.words());
        // SAFETY: alive, and used no more.
        unsafe { destroy(called.0) };
    }
}
