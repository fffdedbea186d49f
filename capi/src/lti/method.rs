//! How the input is interpolated over a step.

use fourbar::lti::{Method, Precision};

use crate::abi::error::Failure;
use crate::abi::options::{self, Grows};
use crate::abi::status::fourbar_status;
use crate::abi::{guard, view};

/// The families of holds.
#[allow(non_camel_case_types)]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(i32)]
pub enum fourbar_method {
    /// One-step, samples at t + i T/l for i = 0 .. l; order l >= 0. Order 1 is the first-order hold.
    FOURBAR_METHOD_ALGORITHM_1 = 1,
    /// Multistep, samples at t + T, t, t - T, ...: one new sample a step; order l >= 0.
    FOURBAR_METHOD_ALGORITHM_2 = 2,
    /// Algorithm 1 without the sample at the end of the step; order l >= 1.
    FOURBAR_METHOD_ALGORITHM_1_REAL_TIME = 3,
    /// Algorithm 2 without the sample at the end of the step; order l >= 0. Order 0 is the zero-order hold.
    FOURBAR_METHOD_ALGORITHM_2_REAL_TIME = 4,
    /// Samples at `nodes`, ascending, in units of the step.
    FOURBAR_METHOD_NODES = 5,
    /// The classical one-step method of order 4, for comparison.
    FOURBAR_METHOD_MTM_4 = 6,
    /// The classical multistep method of order 4, for comparison.
    FOURBAR_METHOD_QAM_4 = 7,
}

/// The arithmetic in which the matrices of a step are computed; they are rounded to double in the end.
#[allow(non_camel_case_types)]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(i32)]
pub enum fourbar_precision {
    /// Extended up to 256 states and for holds of high order, double for the rest.
    FOURBAR_PRECISION_AUTOMATIC = 0,
    /// Double throughout.
    FOURBAR_PRECISION_WORKING = 1,
    /// Double-double arithmetic: every entry accurate to working precision, at about ten times the time.
    FOURBAR_PRECISION_EXTENDED = 2,
}

/// A family of holds and its order; set by `fourbar_hold_init` first.
#[allow(non_camel_case_types)]
#[derive(Debug, Clone, Copy)]
#[repr(C)]
pub struct fourbar_hold {
    /// sizeof(fourbar_hold).
    pub struct_size: usize,
    /// A value of `fourbar_method`; `FOURBAR_METHOD_ALGORITHM_1` by default.
    pub method: i32,
    /// l; 1 by default. Not used by `FOURBAR_METHOD_NODES` and the classical methods.
    pub order: u32,
    /// For `FOURBAR_METHOD_NODES`: `nodes_length` times in units of the step; else NULL.
    pub nodes: *const f64,
    /// Number of `nodes`.
    pub nodes_length: usize,
    /// A value of `fourbar_precision`; `FOURBAR_PRECISION_AUTOMATIC` by default. The classical methods do not use it.
    pub precision: i32,
    /// Set by the init function to 0, and left so.
    pub reserved: i32,
}

// SAFETY: numbers and a pointer, the size first.
unsafe impl Grows for fourbar_hold {
    const NAME: &'static str = "fourbar_hold";
    // The first header had no precision.
    const FIRST: usize = std::mem::offset_of!(Self, precision);

    fn defaults() -> Self {
        let method = fourbar_method::FOURBAR_METHOD_ALGORITHM_1 as i32;
        let precision = fourbar_precision::FOURBAR_PRECISION_AUTOMATIC as i32;
        let (struct_size, nodes) = (size_of::<Self>(), std::ptr::null());
        Self { struct_size, method, order: 1, nodes, nodes_length: 0, precision, reserved: 0 }
    }

    fn reserved(&self) -> u32 {
        self.reserved.cast_unsigned()
    }
}

/// Sets the defaults (first-order hold); `size` is sizeof(fourbar_hold).
///
/// Errors: `FOURBAR_NULL`, `FOURBAR_STRUCT_SIZE`.
///
/// # Safety
/// `hold` is NULL or has `size` bytes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fourbar_hold_init(hold: *mut fourbar_hold, size: usize) -> fourbar_status {
    // SAFETY: by contract.
    guard::guard(|| unsafe { options::write(hold, size, &fourbar_hold::defaults()) })
}

/// # Safety
/// `hold` is NULL or a struct of the size it says, with as many nodes as it says.
pub(crate) unsafe fn method_of(hold: *const fourbar_hold) -> Result<(Method, Precision), Failure> {
    // SAFETY: by contract.
    unsafe {
        let hold = options::read(hold)?;
        Ok((family_of(&hold)?, precision_of(hold.precision)?))
    }
}

fn precision_of(number: i32) -> Result<Precision, Failure> {
    use fourbar_precision as P;
    match number {
        x if x == P::FOURBAR_PRECISION_AUTOMATIC as i32 => Ok(Precision::Automatic),
        x if x == P::FOURBAR_PRECISION_WORKING as i32 => Ok(Precision::Working),
        x if x == P::FOURBAR_PRECISION_EXTENDED as i32 => Ok(Precision::Extended),
        x => {
            let text = format!("precision is {x}, which is no fourbar_precision: set the struct by fourbar_hold_init");
            Err(Failure::new(fourbar_status::FOURBAR_INVALID, text))
        }
    }
}

/// # Safety
/// `hold` has as many nodes as it says.
unsafe fn family_of(hold: &fourbar_hold) -> Result<Method, Failure> {
    use fourbar_method as M;
    let order = hold.order as usize;
    let is = |method: M| method as i32 == hold.method;
    if is(M::FOURBAR_METHOD_ALGORITHM_1) {
        Ok(Method::Algorithm1 { order })
    } else if is(M::FOURBAR_METHOD_ALGORITHM_2) {
        Ok(Method::Algorithm2 { order })
    } else if is(M::FOURBAR_METHOD_ALGORITHM_1_REAL_TIME) {
        Ok(Method::Algorithm1RealTime { order })
    } else if is(M::FOURBAR_METHOD_ALGORITHM_2_REAL_TIME) {
        Ok(Method::Algorithm2RealTime { order })
    } else if is(M::FOURBAR_METHOD_NODES) {
        // SAFETY: by contract.
        Ok(Method::Nodes(unsafe { view::slice(hold.nodes, hold.nodes_length, "nodes") }?.to_vec()))
    } else if is(M::FOURBAR_METHOD_MTM_4) {
        Ok(Method::Mtm4)
    } else if is(M::FOURBAR_METHOD_QAM_4) {
        Ok(Method::Qam4)
    } else {
        let text = format!("method is {}, which is no fourbar_method", hold.method);
        Err(Failure::new(fourbar_status::FOURBAR_INVALID, text))
    }
}
