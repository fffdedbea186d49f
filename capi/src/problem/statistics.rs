//! What an integration has cost.

use super::integration::{fourbar_integration, with};
use super::stepper::Stepper;
use crate::abi::options::{self, Grows};
use crate::abi::status::fourbar_status;

/// Counts since the integration was made.
#[allow(non_camel_case_types)]
#[derive(Debug, Clone, Copy)]
#[repr(C)]
pub struct fourbar_solver_statistics {
    /// sizeof(fourbar_solver_statistics).
    pub struct_size: usize,
    /// Accepted steps.
    pub steps: u64,
    /// Attempts rejected by the error test.
    pub rejected_by_error: u64,
    /// Attempts rejected because the corrector did not converge with a new matrix.
    pub rejected_by_newton: u64,
    /// Attempts rejected because an evaluation failed or was not finite.
    pub rejected_by_evaluation: u64,
    /// Evaluations of F or f, without those for differences.
    pub residual_evaluations: u64,
    /// Evaluations of F or f for differences, where no matrix is given.
    pub difference_evaluations: u64,
    /// Evaluations of the matrix.
    pub jacobian_evaluations: u64,
    /// Factorizations of the matrix.
    pub factorizations: u64,
    /// Corrector iterations.
    pub newton_iterations: u64,
    /// Times the method fell back to order 1.
    pub restarts: u64,
    /// Steps accepted above the tolerance because they brought algebraic equations back that the step before had violated.
    pub consistency_corrections: u64,
    /// Fixed steps of CONSTANT_BDF and HHT whose equations could not be solved, so that shorter ones were taken in their place.
    pub divided_steps: u64,
    /// Smallest accepted step \[s\]; 0 before the first.
    pub step_smallest: f64,
    /// Largest accepted step \[s\].
    pub step_largest: f64,
    /// Last accepted step \[s\].
    pub step_last: f64,
    /// Accepted steps of order 1 to 12.
    pub orders: [u64; 12],
}

// SAFETY: numbers, the size first.
unsafe impl Grows for fourbar_solver_statistics {
    const NAME: &'static str = "fourbar_solver_statistics";
    const FIRST: usize = size_of::<Self>();

    fn defaults() -> Self {
        Self {
            struct_size: size_of::<Self>(),
            steps: 0,
            rejected_by_error: 0,
            rejected_by_newton: 0,
            rejected_by_evaluation: 0,
            residual_evaluations: 0,
            difference_evaluations: 0,
            jacobian_evaluations: 0,
            factorizations: 0,
            newton_iterations: 0,
            restarts: 0,
            consistency_corrections: 0,
            divided_steps: 0,
            step_smallest: 0.0,
            step_largest: 0.0,
            step_last: 0.0,
            orders: [0; 12],
        }
    }
}

fn read(stepper: &Stepper) -> fourbar_solver_statistics {
    let own = stepper.integrator().statistics();
    fourbar_solver_statistics {
        struct_size: size_of::<fourbar_solver_statistics>(),
        steps: own.steps,
        rejected_by_error: own.rejected_by_error,
        rejected_by_newton: own.rejected_by_newton,
        rejected_by_evaluation: own.rejected_by_evaluation,
        residual_evaluations: own.residual_evaluations,
        difference_evaluations: stepper.differenced(),
        jacobian_evaluations: own.jacobian_evaluations,
        factorizations: own.factorizations.total(),
        newton_iterations: own.newton_iterations,
        restarts: own.restarts,
        consistency_corrections: own.consistency_corrections,
        divided_steps: own.divided_steps,
        step_smallest: own.step_smallest,
        step_largest: own.step_largest,
        step_last: own.step_last,
        orders: own.orders,
    }
}

/// What the integration has cost so far; `size` is sizeof(fourbar_solver_statistics).
///
/// Errors: `FOURBAR_NULL`, `FOURBAR_STRUCT_SIZE`.
///
/// # Safety
/// `statistics` is NULL or has `size` bytes; `integration` is NULL or alive.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fourbar_integration_get_statistics(
    integration: *const fourbar_integration,
    statistics: *mut fourbar_solver_statistics,
    size: usize,
) -> fourbar_status {
    // SAFETY: by contract.
    unsafe { with(integration, |stepper| options::write(statistics, size, &read(stepper))) }
}
