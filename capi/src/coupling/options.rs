//! How partners are stepped.

use fourbar::coupling::management::Pacing;
use fourbar::coupling::{Acceleration, Adaptive, Algorithm, Options, Order};

use crate::abi::error::Failure;
use crate::abi::guard;
use crate::abi::options::{self, Grows, at_least_zero};
use crate::abi::status::fourbar_status;

/// How the partners are stepped from one communication point to the next.
#[allow(non_camel_case_types)]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(i32)]
pub enum fourbar_algorithm {
    /// All at the same time with held inputs, values assigned crosswise afterwards (patent CN101908089A, figure 6).
    FOURBAR_ALGORITHM_JACOBI_DELAYED = 1,
    /// All at the same time, inputs extrapolated.
    FOURBAR_ALGORITHM_JACOBI = 2,
    /// One after the other: inputs from those that have stepped are interpolated, the others extrapolated.
    FOURBAR_ALGORITHM_GAUSS_SEIDEL = 3,
    /// Sweeps repeated from saved states until the inputs at the end of the step reproduce themselves. All partners must be able to restore.
    FOURBAR_ALGORITHM_ITERATED = 4,
}

/// How the fixed point of the iterated algorithm is sought.
#[allow(non_camel_case_types)]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(i32)]
pub enum fourbar_acceleration {
    /// Plain repetition.
    FOURBAR_ACCELERATION_NONE = 0,
    /// Relaxation with Aitken's factor.
    FOURBAR_ACCELERATION_AITKEN = 1,
    /// Broyden's quasi-Newton method.
    FOURBAR_ACCELERATION_BROYDEN = 2,
}

/// Settings of a co-simulation; set by `fourbar_coupling_options_init` first.
#[allow(non_camel_case_types)]
#[derive(Debug, Clone, Copy)]
#[repr(C)]
pub struct fourbar_coupling_options {
    /// sizeof(fourbar_coupling_options).
    pub struct_size: usize,
    /// A value of `fourbar_algorithm`; `FOURBAR_ALGORITHM_JACOBI` by default.
    pub algorithm: i32,
    /// Order of the polynomials that continue inputs over a step: 0 held, 1 straight lines, 2 parabolas (the default). Not used by the patent's. For
    /// the iterated algorithm set 1 where the step times the angular frequency of what is exchanged exceeds 1.
    pub order: u32,
    /// Start time \[s\]; 0 by default.
    pub start: f64,
    /// End time \[s\], a whole number of communication steps from the start; infinity by default.
    pub end: f64,
    /// Communication step \[s\], the longest one if it is adaptive; 1e-3 by default.
    pub step: f64,
    /// Of the iterated algorithm: a value of `fourbar_acceleration`; `FOURBAR_ACCELERATION_BROYDEN` by default.
    pub acceleration: i32,
    /// Of the iterated algorithm: sweeps at most; 20 by default.
    pub max_sweeps: u32,
    /// Of the iterated algorithm: largest relative change of an input over a sweep; 1e-8 by default.
    pub tolerance: f64,
    /// Relative tolerance of an adaptive communication step; 0 (the default): the step is constant.
    pub adaptive_tolerance: f64,
    /// First step of an adaptive communication step \[s\]; 0 (the default): a hundredth of `step`.
    pub adaptive_first: f64,
    /// Shortest adaptive communication step \[s\]; 0 (the default): 1e-6 of `step`.
    pub adaptive_shortest: f64,
    /// Simulated seconds per second of the wall clock; 0 (the default): as fast as possible.
    pub real_time_factor: f64,
    /// Not 0: algebraic loops among the outputs are solved; 1 by default.
    pub solve_loops: i32,
    /// Not 0: communication steps end at events of partners that return early or know them beforehand; 0 by default.
    pub events: i32,
}

// SAFETY: numbers, the size first.
unsafe impl Grows for fourbar_coupling_options {
    const NAME: &'static str = "fourbar_coupling_options";
    const FIRST: usize = size_of::<Self>();

    fn defaults() -> Self {
        Self {
            struct_size: size_of::<Self>(),
            algorithm: fourbar_algorithm::FOURBAR_ALGORITHM_JACOBI as i32,
            order: 2,
            start: 0.0,
            end: f64::INFINITY,
            step: 1e-3,
            acceleration: fourbar_acceleration::FOURBAR_ACCELERATION_BROYDEN as i32,
            max_sweeps: 20,
            tolerance: 1e-8,
            adaptive_tolerance: 0.0,
            adaptive_first: 0.0,
            adaptive_shortest: 0.0,
            real_time_factor: 0.0,
            solve_loops: 1,
            events: 0,
        }
    }
}

/// Sets the defaults; `size` is sizeof(fourbar_coupling_options).
///
/// Errors: `FOURBAR_NULL`, `FOURBAR_STRUCT_SIZE`.
///
/// # Safety
/// `options` is NULL or has `size` bytes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fourbar_coupling_options_init(
    options: *mut fourbar_coupling_options,
    size: usize,
) -> fourbar_status {
    // SAFETY: by contract.
    guard::guard(|| unsafe { options::write(options, size, &fourbar_coupling_options::defaults()) })
}

/// The options as the crates know them; their ranges are checked at the start of the run.
pub(super) fn options_of(given: &fourbar_coupling_options) -> Result<Options, Failure> {
    let zeros = [
        ("adaptive_tolerance", given.adaptive_tolerance, "fixed steps"),
        ("adaptive_first", given.adaptive_first, "step/100"),
        ("adaptive_shortest", given.adaptive_shortest, "step/1e6"),
        ("real_time_factor", given.real_time_factor, "as fast as it goes"),
    ];
    zeros.iter().try_for_each(|(name, value, zero)| at_least_zero(name, *value, zero))?;
    let or = |value: f64, default: f64| if value == 0.0 { default } else { value };
    let mut own = Options::new(given.end, given.step, algorithm(given)?);
    own.start = given.start;
    own.solve_loops = given.solve_loops != 0;
    own.events = given.events != 0;
    own.adaptive = (given.adaptive_tolerance != 0.0).then(|| Adaptive {
        tolerance: given.adaptive_tolerance,
        first: or(given.adaptive_first, 1e-2 * given.step),
        shortest: or(given.adaptive_shortest, 1e-6 * given.step),
        rollback: true,
    });
    own.pacing = (given.real_time_factor != 0.0).then_some(Pacing { real_time_factor: given.real_time_factor });
    Ok(own)
}

fn algorithm(given: &fourbar_coupling_options) -> Result<Algorithm, Failure> {
    use fourbar_algorithm as A;
    let invalid = |text: String| Err(Failure::new(fourbar_status::FOURBAR_INVALID, text));
    let order = match given.order {
        0 => Order::Hold,
        1 => Order::Linear,
        2 => Order::Quadratic,
        other => return invalid(format!("order is {other}; it must be 0, 1 or 2")),
    };
    let is = |algorithm: A| algorithm as i32 == given.algorithm;
    Ok(if is(A::FOURBAR_ALGORITHM_JACOBI_DELAYED) {
        Algorithm::JacobiDelayed
    } else if is(A::FOURBAR_ALGORITHM_JACOBI) {
        Algorithm::Jacobi { order }
    } else if is(A::FOURBAR_ALGORITHM_GAUSS_SEIDEL) {
        Algorithm::GaussSeidel { order, sequence: Vec::new() }
    } else if is(A::FOURBAR_ALGORITHM_ITERATED) {
        let acceleration = match given.acceleration {
            0 => Acceleration::FixedPoint,
            1 => Acceleration::Aitken,
            2 => Acceleration::Broyden,
            other => return invalid(format!("acceleration is {other}, which is no fourbar_acceleration")),
        };
        let (tolerance, max_sweeps) = (given.tolerance, given.max_sweeps as usize);
        Algorithm::Iterated { order, sequence: Vec::new(), acceleration, tolerance, max_sweeps }
    } else {
        return invalid(format!("algorithm is {}, which is no fourbar_algorithm", given.algorithm));
    })
}
