//! The calls into a shared library: the only unsafe code of this crate.
//!
//! What can be checked is checked before it is used. What cannot (that the library's code is what its symbols promise, that it writes
//! within the arrays it is given, that it does not crash) is the contract of `include/fourbar_partner.h`; a library that is not trusted to
//! keep it runs in a [`Process`](crate::partner::Process).
#![allow(unsafe_code)]

mod describe;
#[cfg(feature = "library")]
mod load;
mod table;

use std::ffi::{CString, c_char, c_void};
use std::ptr::NonNull;

use super::abi;
use super::error::LibraryError;
use super::front::{Exchange, Line};
use super::options::LibraryOptions;
use crate::function::{Description, Failure};
use crate::partner::{ExchangeFunction, FunctionTable};

/// Bytes for the words of an error.
const WORDS: usize = 1024;

/// What is called of an instance that is there. Without `state` it cannot be saved, without `destroy` nothing ends it.
#[derive(Clone, Copy)]
struct Functions {
    exchange: abi::Exchange,
    state: Option<abi::State>,
    destroy: Option<abi::Destroy>,
}

/// An instance, in its library or in this program. The library is unloaded after the instance is destroyed: fields are dropped after `drop`.
pub(crate) struct Instance {
    pointer: NonNull<c_void>,
    words: Box<[u8; WORDS]>,
    functions: Functions,
    #[cfg(feature = "library")]
    _library: Option<libloading::Library>,
}

// SAFETY: the header asks that calls for one instance may come from any thread, one after the other, and `&mut self` orders them.
unsafe impl Send for Instance {}

impl Instance {
    /// An instance of functions in this program, and its description.
    ///
    /// # Safety
    /// The functions are as [`FunctionTable`] says.
    unsafe fn of_table(table: &FunctionTable, options: &LibraryOptions) -> Result<(Self, Description), LibraryError> {
        let place = format!("the functions of {}", options.name);
        // SAFETY: by contract.
        let mut description = unsafe { describe::read(table.description.cast(), &place) }?;
        description.capabilities =
            description.capabilities.rollback(table.state.is_some() && description.capabilities.rollback);
        let (pointer, words) = match table.create {
            Some(create) => {
                // SAFETY: by contract; the arguments are as the header states.
                let call = |raw: *const abi::Options, pointer: *mut *mut c_void, words: *mut c_char| unsafe {
                    create(table.user, raw.cast(), pointer, words, WORDS)
                };
                created(&place, options, "create", call)?
            }
            None => {
                let user = NonNull::new(table.user).ok_or_else(|| LibraryError::Create {
                    library: place,
                    instance: options.name.clone(),
                    reason: "without a function `create` the pointer `user` is the instance, and it is NULL".into(),
                })?;
                (user, Box::new([0; WORDS]))
            }
        };
        // SAFETY: the same function type, whose structure is opaque in the table.
        let exchange = unsafe { std::mem::transmute::<ExchangeFunction, abi::Exchange>(table.exchange) };
        let functions = Functions { exchange, state: table.state, destroy: table.destroy };
        let instance = Self {
            pointer,
            words,
            functions,
            #[cfg(feature = "library")]
            _library: None,
        };
        Ok((instance, description))
    }

    /// One call of fourbar_partner_state: its status and the size it wrote.
    fn state(&mut self, action: i32, bytes: *mut u8, mut size: usize) -> (i32, usize) {
        self.words[0] = 0;
        let words = self.words.as_mut_ptr().cast::<c_char>();
        let Some(state) = self.functions.state else { return (abi::UNSUPPORTED, size) };
        // SAFETY: the instance lives; the caller passes `size` bytes that may be written (saving) or read (restoring).
        let status = unsafe { state(self.pointer.as_ptr(), action, bytes.cast(), &mut size, words, WORDS) };
        (status, size)
    }

    fn done(&self, function: &str, status: i32) -> Result<(), Failure> {
        if status == abi::OK {
            return Ok(());
        }
        Err(Failure::new(reason(function, status, &self.words)))
    }
}

impl Line for Instance {
    type State = Vec<u8>;

    fn exchange(&mut self, exchange: &mut Exchange) -> Result<(), Failure> {
        exchange.forget_outputs();
        self.words[0] = 0;
        let [inputs, input_rates, input_curvatures] = exchange.inputs.each_ref().map(|values| values.as_ptr());
        let has_rates = !exchange.rates.is_empty();
        let mut data = abi::Data {
            struct_size: size_of::<abi::Data>(),
            time: exchange.time,
            step: exchange.step,
            inputs,
            input_rates,
            input_curvatures,
            reached: f64::NAN,
            outputs: exchange.outputs.as_mut_ptr(),
            output_rates: if has_rates { exchange.rates.as_mut_ptr() } else { std::ptr::null_mut() },
        };
        let words = self.words.as_mut_ptr().cast::<c_char>();
        // SAFETY: the instance lives; every array has one entry per variable of its direction, as described by this library.
        let status = unsafe { (self.functions.exchange)(self.pointer.as_ptr(), &mut data, words, WORDS) };
        exchange.reached = data.reached;
        self.done("fourbar_partner_exchange", status)
    }

    fn save(&mut self, bytes: &mut Vec<u8>) -> Result<(), Failure> {
        // What was enough last time, and once more with what the library asks for.
        bytes.resize(bytes.capacity().max(64), 0);
        for _ in 0..2 {
            let (status, size) = self.state(abi::SAVE, bytes.as_mut_ptr(), bytes.len());
            if status == abi::TOO_SMALL && size > bytes.len() && size as u64 <= LARGEST_STATE {
                bytes.resize(size, 0);
                continue;
            }
            self.done("fourbar_partner_state", status)?;
            if size > bytes.len() {
                return Err(Failure::new(format!(
                    "fourbar_partner_state says it saved {size} bytes where there is room for {}",
                    bytes.len()
                )));
            }
            bytes.truncate(size);
            return Ok(());
        }
        Err(Failure::new("fourbar_partner_state asks for more room each time"))
    }

    fn store(&mut self, state: &Vec<u8>, to: &mut Vec<u8>) -> Result<(), Failure> {
        to.extend_from_slice(state);
        Ok(())
    }

    fn load(&mut self, bytes: &[u8], state: &mut Vec<u8>) -> Result<(), Failure> {
        state.clear();
        state.extend_from_slice(bytes);
        Ok(())
    }

    fn restore(&mut self, bytes: &Vec<u8>) -> Result<(), Failure> {
        // The header has the library only read here; the cast is for the one signature of both actions.
        let (status, _) = self.state(abi::RESTORE, bytes.as_ptr().cast_mut(), bytes.len());
        self.done("fourbar_partner_state", status)
    }
}

/// A state larger than this is taken for a mistake \[bytes\].
const LARGEST_STATE: u64 = 1 << 34;

impl Drop for Instance {
    fn drop(&mut self) {
        if let Some(destroy) = self.functions.destroy {
            // SAFETY: the instance lives and is not used again.
            unsafe { destroy(self.pointer.as_ptr()) }
        }
    }
}

/// Lets `call` create an instance with the options; `function` is its name in messages.
fn created(
    library: &str,
    options: &LibraryOptions,
    function: &str,
    call: impl FnOnce(*const abi::Options, *mut *mut c_void, *mut c_char) -> i32,
) -> Result<(NonNull<c_void>, Box<[u8; WORDS]>), LibraryError> {
    let string = |name: &str| {
        let refused = |_| LibraryError::Name { library: library.to_owned(), name: name.to_owned() };
        CString::new(name).map_err(refused)
    };
    let names = options.parameters.iter().map(|(name, _)| string(name)).collect::<Result<Vec<_>, _>>()?;
    let name = string(&options.name)?;
    let values = options.parameters.iter().map(|(_, value)| *value);
    let parameters: Vec<abi::Parameter> =
        names.iter().zip(values).map(|(name, value)| abi::Parameter { name: name.as_ptr(), value }).collect();
    let raw = abi::Options {
        struct_size: size_of::<abi::Options>(),
        version: abi::VERSION,
        // More than 2^32 parameters do not fit into memory.
        parameter_count: parameters.len() as u32,
        parameters: parameters.as_ptr(),
        name: name.as_ptr(),
        start: options.start,
    };
    let (mut pointer, mut words) = (std::ptr::null_mut(), Box::new([0u8; WORDS]));
    let status = call(&raw, &mut pointer, words.as_mut_ptr().cast::<c_char>());
    let refuse = |reason| {
        let (library, instance) = (library.to_owned(), options.name.clone());
        LibraryError::Create { library, instance, reason }
    };
    if status != abi::OK {
        return Err(refuse(reason(function, status, &words)));
    }
    match NonNull::new(pointer) {
        Some(pointer) => Ok((pointer, words)),
        None => Err(refuse(format!("{function} says it is done and gives NULL"))),
    }
}

/// The words of a library on a status other than OK.
fn reason(function: &str, status: i32, words: &[u8; WORDS]) -> String {
    let length = words.iter().position(|&byte| byte == 0).unwrap_or(WORDS);
    let words = String::from_utf8_lossy(&words[..length]);
    let words = words.trim();
    let status = match status {
        abi::FAILED if !words.is_empty() => return words.to_owned(),
        abi::FAILED => "FAILED".to_owned(),
        abi::INVALID => "INVALID".to_owned(),
        abi::UNSUPPORTED => "UNSUPPORTED".to_owned(),
        abi::TOO_SMALL => "TOO_SMALL".to_owned(),
        unknown => format!("{unknown}, which is no status of this interface"),
    };
    let words = if words.is_empty() { "it gives no reason" } else { words };
    format!("{function} returned {status}: {words}")
}
