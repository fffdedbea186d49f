//! What is in this library.

use crate::abi::guard;
use crate::abi::options::{self, Grows};
use crate::abi::status::fourbar_status;
use crate::abi::version::FOURBAR_ABI_VERSION;

/// Linear systems and their steppers.
pub const FOURBAR_HAS_LINEAR: u64 = 1 << 0;
/// Mechanisms, their analyses and simulations.
pub const FOURBAR_HAS_MECHANISM: u64 = 1 << 1;
/// Contacts in mechanisms.
pub const FOURBAR_HAS_CONTACT: u64 = 1 << 2;
/// Models from TOML text and files.
pub const FOURBAR_HAS_TOML: u64 = 1 << 3;
/// Forces and motions by functions of the host.
pub const FOURBAR_HAS_CALLBACKS: u64 = 1 << 4;
/// The host's own equations under the integrators.
pub const FOURBAR_HAS_EQUATIONS: u64 = 1 << 5;
/// Co-simulation.
pub const FOURBAR_HAS_COUPLING: u64 = 1 << 6;
/// Whole runs, CSV files and reports.
pub const FOURBAR_HAS_RESULTS: u64 = 1 << 7;
/// Problems with known solutions: a library built with the feature `accuracy`.
pub const FOURBAR_HAS_ACCURACY: u64 = 1 << 8;

/// What the library has.
#[allow(non_camel_case_types)]
#[derive(Debug, Clone, Copy)]
#[repr(C)]
pub struct fourbar_capability_list {
    /// sizeof(fourbar_capability_list).
    pub struct_size: usize,
    /// Bits FOURBAR_HAS_...
    pub features: u64,
    /// As `fourbar_abi_version`.
    pub abi_version: u32,
    /// Bytes of a pointer.
    pub pointer_bytes: u32,
    /// Highest order of GSTIFF.
    pub order_max: u32,
    /// Not used; 0.
    pub reserved: u32,
}

// SAFETY: numbers, the size first.
unsafe impl Grows for fourbar_capability_list {
    const NAME: &'static str = "fourbar_capability_list";
    const FIRST: usize = size_of::<Self>();

    fn defaults() -> Self {
        Self {
            struct_size: size_of::<Self>(),
            features: FOURBAR_HAS_LINEAR
                | FOURBAR_HAS_MECHANISM
                | FOURBAR_HAS_CONTACT
                | FOURBAR_HAS_TOML
                | FOURBAR_HAS_CALLBACKS
                | FOURBAR_HAS_EQUATIONS
                | FOURBAR_HAS_COUPLING
                | FOURBAR_HAS_RESULTS
                | if cfg!(feature = "accuracy") { FOURBAR_HAS_ACCURACY } else { 0 },
            abi_version: FOURBAR_ABI_VERSION,
            pointer_bytes: size_of::<usize>() as u32,
            order_max: fourbar::dae::integrator::ORDER_MAX as u32,
            reserved: 0,
        }
    }
}

/// What the library has; `size` is sizeof(fourbar_capability_list). Fields that this library does not know become 0.
///
/// Errors: `FOURBAR_NULL`, `FOURBAR_STRUCT_SIZE`.
///
/// # Safety
/// `out` is NULL or has `size` bytes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fourbar_capabilities(out: *mut fourbar_capability_list, size: usize) -> fourbar_status {
    // SAFETY: by contract.
    guard::guard(|| unsafe { options::write(out, size, &fourbar_capability_list::defaults()) })
}
