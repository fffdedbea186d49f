//! Which integrator, and its options.

use fourbar::dae::integrator::Method;
use fourbar::dae::integrator::{
    Abam, Absolute, ConstantBdf, Damping, Dstiff, Gstiff, Hht, KindTable, NewtonOptions, Rkf45, StepLimits, Tolerance,
    Wstiff,
};

use crate::abi::error::Failure;
use crate::abi::options::{self, Grows};
use crate::abi::status::fourbar_status;
use crate::abi::view::check_length;
use crate::abi::{guard, view};

/// Integrators.
#[allow(non_camel_case_types)]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(i32)]
pub enum fourbar_integrator {
    /// Gear's backward differentiation formulas, order 1 to 6, with a Nordsieck array: for stiff systems and algebraic equations of any index.
    /// With `fixed_step`, those of constant step and order.
    FOURBAR_INTEGRATOR_GSTIFF = 1,
    /// Fehlberg's explicit method of order 4(5): for equations y' = f(t, y) that are not stiff.
    FOURBAR_INTEGRATOR_RKF45 = 2,
    /// The formulas of Adams, Bashforth and Moulton of order 1 to 12 in variable step: for equations y' = f(t, y) that are smooth and not stiff.
    FOURBAR_INTEGRATOR_ABAM = 3,
    /// Backward differentiation with variable coefficients: as GSTIFF, for steps that change often and far.
    FOURBAR_INTEGRATOR_WSTIFF = 4,
    /// Backward differentiation with a fixed leading coefficient (DASSL): as GSTIFF, between the two.
    FOURBAR_INTEGRATOR_DSTIFF = 5,
    /// Backward differentiation with the constant step `fixed_step` and order `fixed_order`, without error test.
    FOURBAR_INTEGRATOR_CONSTANT_BDF = 6,
    /// HHT-alpha and generalized-alpha, of order 2: what is too fast for the step is damped by `alpha` or `rho_infinity`. With `fixed_step` of that step,
    /// without error test.
    FOURBAR_INTEGRATOR_HHT = 7,
}

/// An integrator and its options; set by `fourbar_integration_options_init` first.
#[allow(non_camel_case_types)]
#[derive(Debug, Clone, Copy)]
#[repr(C)]
pub struct fourbar_integration_options {
    /// sizeof(fourbar_integration_options).
    pub struct_size: usize,
    /// A value of `fourbar_integrator`; `FOURBAR_INTEGRATOR_GSTIFF` by default.
    pub integrator: i32,
    /// Highest order: of GSTIFF, WSTIFF and DSTIFF 1 to 6, of ABAM 1 to 12; 0 (the default): 5 and 12.
    pub order_max: u32,
    /// Relative tolerance, 1e-14 to 0.1; 1e-6 by default. The local error of an unknown may be `relative` times its magnitude plus the absolute
    /// tolerance; the largest of all decides.
    pub relative: f64,
    /// Absolute tolerance in units of each unknown's `typical` magnitude; 0 (the default): the relative one.
    pub absolute: f64,
    /// n absolute tolerances in the units of the unknowns, instead of `absolute`; NULL by default.
    pub absolutes: *const f64,
    /// Number of `absolutes`.
    pub absolutes_length: usize,
    /// First step \[s\]; 0 (the default): chosen.
    pub first_step: f64,
    /// Smallest step \[s\]; 0 (the default): sixteen units in the last place of t.
    pub smallest_step: f64,
    /// Largest step \[s\]; 0 (the default): no limit.
    pub largest_step: f64,
    /// Largest number of accepted steps; 0 (the default): no limit.
    pub max_steps: u64,
    /// A constant step \[s\] without error test, of CONSTANT_BDF, HHT and RKF45; 0 by default: none.
    pub fixed_step: f64,
    /// Order with a constant step, 1 to 6; 2 by default. Of CONSTANT_BDF alone.
    pub fixed_order: u32,
    /// Largest number of corrector iterations with one matrix, 2 to 20; 4 by default. Of methods for F(t, y, y') = 0.
    pub newton_iterations: u32,
    /// Remaining iteration error allowed as a fraction of the tolerance, above 0 to 0.33; 0.03 by default. Of methods for F(t, y, y') = 0.
    pub newton_fraction: f64,
    /// Steps after which the matrix is renewed at the latest, from 1; 20 by default. Of methods for F(t, y, y') = 0.
    pub matrix_age: u32,
    /// 0: the solution of order 4 goes on, the error estimate being its own, not that of order 5; 1 by default. Of RKF45 alone.
    pub local_extrapolation: i32,
    /// Numerical damping as HHT-alpha, -1/3 (most) to 0 (none); -0.3 by default. Of HHT alone.
    pub alpha: f64,
    /// Numerical damping as generalized-alpha, in place of `alpha`: the spectral radius at infinity, 0 (most) to 1 (none); -1 (the default): not given. Of
    /// HHT alone.
    pub rho_infinity: f64,
}

// SAFETY: numbers and a pointer, the size first.
unsafe impl Grows for fourbar_integration_options {
    const NAME: &'static str = "fourbar_integration_options";
    const FIRST: usize = size_of::<Self>();

    fn defaults() -> Self {
        let newton = NewtonOptions::default();
        Self {
            struct_size: size_of::<Self>(),
            integrator: fourbar_integrator::FOURBAR_INTEGRATOR_GSTIFF as i32,
            order_max: 0,
            relative: Tolerance::default().relative,
            absolute: 0.0,
            absolutes: std::ptr::null(),
            absolutes_length: 0,
            first_step: 0.0,
            smallest_step: 0.0,
            largest_step: 0.0,
            max_steps: 0,
            fixed_step: 0.0,
            fixed_order: 2,
            newton_iterations: newton.iterations as u32,
            newton_fraction: newton.fraction,
            matrix_age: newton.matrix_age,
            local_extrapolation: 1,
            alpha: -0.3,
            rho_infinity: -1.0,
        }
    }
}

/// Sets the defaults; `size` is sizeof(fourbar_integration_options).
///
/// Errors: `FOURBAR_NULL`, `FOURBAR_STRUCT_SIZE`.
///
/// # Safety
/// `options` is NULL or has `size` bytes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fourbar_integration_options_init(
    options: *mut fourbar_integration_options,
    size: usize,
) -> fourbar_status {
    // SAFETY: by contract.
    guard::guard(|| unsafe { options::write(options, size, &fourbar_integration_options::defaults()) })
}

/// A method as the crates know it.
/// # Safety
/// `given` is NULL or a struct of the size it says, with as many tolerances as it says; the unknowns are n.
pub(crate) unsafe fn method_of(given: *const fourbar_integration_options, n: usize) -> Result<Method, Failure> {
    // SAFETY: by contract.
    let (given, tolerance) = unsafe {
        let given = options::read(given)?;
        (given, tolerance(&given, n)?)
    };
    let step = limits(&given);
    let fixed = (given.fixed_step != 0.0).then_some(given.fixed_step);
    let order_max = |own: usize| if given.order_max == 0 { own } else { given.order_max as usize };
    let newton = NewtonOptions {
        fraction: given.newton_fraction,
        iterations: given.newton_iterations as usize,
        matrix_age: given.matrix_age,
    };
    let chosen = |one: fourbar_integrator| given.integrator == one as i32;
    let variable = [
        fourbar_integrator::FOURBAR_INTEGRATOR_GSTIFF,
        fourbar_integrator::FOURBAR_INTEGRATOR_WSTIFF,
        fourbar_integrator::FOURBAR_INTEGRATOR_DSTIFF,
        fourbar_integrator::FOURBAR_INTEGRATOR_ABAM,
    ];
    if let Some(step) = fixed.filter(|_| variable.into_iter().any(chosen)) {
        let text = format!(
            "fixed_step is {step}, and this integrator controls its steps: leave it 0, or take CONSTANT_BDF, HHT or RKF45"
        );
        return Err(Failure::new(fourbar_status::FOURBAR_UNSUPPORTED, text));
    }
    if chosen(fourbar_integrator::FOURBAR_INTEGRATOR_GSTIFF) {
        let order_max = order_max(Gstiff::default().order_max);
        return Ok(Gstiff { order_max, tolerance, step, newton }.into());
    }
    if chosen(fourbar_integrator::FOURBAR_INTEGRATOR_WSTIFF) {
        let order_max = order_max(Wstiff::default().order_max);
        return Ok(Wstiff { order_max, tolerance, step, newton }.into());
    }
    if chosen(fourbar_integrator::FOURBAR_INTEGRATOR_DSTIFF) {
        let order_max = order_max(Dstiff::default().order_max);
        return Ok(Dstiff { order_max, tolerance, step, newton }.into());
    }
    if chosen(fourbar_integrator::FOURBAR_INTEGRATOR_CONSTANT_BDF) {
        let order = given.fixed_order as usize;
        let method = ConstantBdf { step: given.fixed_step, order, tolerance, limits: step, newton };
        return Ok(method.into());
    }
    if chosen(fourbar_integrator::FOURBAR_INTEGRATOR_HHT) {
        let given_radius = given.rho_infinity != -1.0;
        let damping =
            if given_radius { Damping::SpectralRadius(given.rho_infinity) } else { Damping::Alpha(given.alpha) };
        return Ok(Hht { damping, tolerance, step, newton, fixed }.into());
    }
    if chosen(fourbar_integrator::FOURBAR_INTEGRATOR_RKF45) {
        let local_extrapolation = given.local_extrapolation != 0;
        return Ok(Method::Rkf45(Rkf45 { tolerance, step, local_extrapolation, fixed }));
    }
    if chosen(fourbar_integrator::FOURBAR_INTEGRATOR_ABAM) {
        return Ok(Method::Abam(Abam { order_max: order_max(Abam::default().order_max), tolerance, step }));
    }
    let text = format!("integrator is {}, which is no fourbar_integrator", given.integrator);
    Err(Failure::new(fourbar_status::FOURBAR_INVALID, text))
}

/// # Safety
/// As [`method_of`].
unsafe fn tolerance(given: &fourbar_integration_options, n: usize) -> Result<Tolerance, Failure> {
    // SAFETY: by contract.
    let own = unsafe { view::slice(given.absolutes, given.absolutes_length, "absolutes") }?;
    let absolute = if !own.is_empty() {
        check_length("absolutes", own.len(), n)?;
        Absolute::Unknown(own.to_vec())
    } else if given.absolute == 0.0 {
        Absolute::Typical(KindTable::uniform(1.0))
    } else {
        Absolute::Kind(KindTable::uniform(given.absolute))
    };
    Ok(Tolerance { relative: given.relative, absolute })
}

fn limits(given: &fourbar_integration_options) -> StepLimits {
    StepLimits {
        first: given.first_step,
        smallest: given.smallest_step,
        largest: if given.largest_step == 0.0 { f64::INFINITY } else { given.largest_step },
        limit: if given.max_steps == 0 { u64::MAX } else { given.max_steps },
    }
}
