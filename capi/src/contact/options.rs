//! Which method solves, and how exactly.

use crate::abi::guard;
use crate::abi::options::{self, Grows};
use crate::abi::status::fourbar_status;

/// Methods.
#[allow(non_camel_case_types)]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(i32)]
pub enum fourbar_contact_method {
    /// Picks, falls back, says what it did; for every kind of problem.
    FOURBAR_CONTACT_AUTOMATIC = 0,
    /// Block principal pivoting; for P and semidefinite matrices. For LCP and mixed problems.
    FOURBAR_CONTACT_ACTIVE_SET = 1,
    /// Lemke's complementary pivots. For LCP and mixed problems.
    FOURBAR_CONTACT_LEMKE = 2,
    /// Interior points. For LCP and mixed problems.
    FOURBAR_CONTACT_INTERIOR_POINT = 3,
    /// Nonsmooth Newton. For friction in reduced form.
    FOURBAR_CONTACT_NEWTON = 4,
    /// As an answer alone: the augmented Lagrangian of global problems.
    FOURBAR_CONTACT_AUGMENTED_LAGRANGIAN = 5,
    /// Gauss-Seidel, or SOR with a relaxation other than 1: projected, or block by block with the exact law of each contact. For every kind.
    FOURBAR_CONTACT_GAUSS_SEIDEL = 6,
    /// Enumeration of complementary bases; for a handful of pairs. For LCP and mixed problems.
    FOURBAR_CONTACT_ENUMERATION = 7,
    /// Interior point, then fixed point over second-order cone problems. For friction in reduced form.
    FOURBAR_CONTACT_FIXED_POINT = 8,
    /// As an answer alone: there was nothing to do.
    FOURBAR_CONTACT_TRIVIAL = 9,
    /// As an answer alone: the search for a proof that no solution exists.
    FOURBAR_CONTACT_FEASIBILITY = 10,
    /// As an answer alone: continuation in contact compliance.
    FOURBAR_CONTACT_CONTINUATION = 11,
    /// As an answer alone: block by block, where the matrix is block triangular in some order of the pairs.
    FOURBAR_CONTACT_BLOCK_TRIANGULAR = 12,
}

/// A method and its options; set by `fourbar_contact_options_init` first.
#[allow(non_camel_case_types)]
#[derive(Debug, Clone, Copy)]
#[repr(C)]
pub struct fourbar_contact_options {
    /// sizeof(fourbar_contact_options).
    pub struct_size: usize,
    /// A value of `fourbar_contact_method`; `FOURBAR_CONTACT_AUTOMATIC` by default.
    pub method: i32,
    /// Iterations, pivots or sweeps at most; 0 (the default): that of the method. Not used by the automatic method and the fixed point; the largest
    /// number of pairs of the enumeration.
    pub max_iterations: u32,
    /// Residual that counts as solved, `fourbar_contact_result.residual`; 0 (the default): 1e-10, with friction 1e-8.
    pub tolerance: f64,
    /// Relaxation of Gauss-Seidel, above 0, below 2; 1 by default. Not used for friction in reduced form.
    pub relaxation: f64,
    /// Work that a solve may take, in multiplications, about: the same problem ends at the same point on every machine; 0 (the default): without
    /// limit. Then the best point until there is the answer, with `FOURBAR_CONTACT_OUT_OF_BUDGET`.
    pub work_max: u64,
    /// Wall-clock time that a solve may take \[s\]; 0 (the default): without limit. Answers then depend on the machine and its load.
    pub time_max: f64,
}

// SAFETY: numbers, the size first.
unsafe impl Grows for fourbar_contact_options {
    const NAME: &'static str = "fourbar_contact_options";
    const FIRST: usize = std::mem::offset_of!(Self, work_max);

    fn defaults() -> Self {
        Self {
            struct_size: size_of::<Self>(),
            method: fourbar_contact_method::FOURBAR_CONTACT_AUTOMATIC as i32,
            max_iterations: 0,
            tolerance: 0.0,
            relaxation: 1.0,
            work_max: 0,
            time_max: 0.0,
        }
    }
}

/// Sets the defaults; `size` is sizeof(fourbar_contact_options).
///
/// Errors: `FOURBAR_NULL`, `FOURBAR_STRUCT_SIZE`.
///
/// # Safety
/// `options` is NULL or has `size` bytes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fourbar_contact_options_init(
    options: *mut fourbar_contact_options,
    size: usize,
) -> fourbar_status {
    // SAFETY: by contract.
    guard::guard(|| unsafe { options::write(options, size, &fourbar_contact_options::defaults()) })
}
