//! What a simulation has cost.

use fourbar::simulation::Simulation;

use super::simulation::{fourbar_simulation, with};
use crate::abi::options::{self, Grows};
use crate::abi::status::fourbar_status;

/// Counts of a simulation since it began or was set to a state. Of fixed steps the number of steps alone.
#[allow(non_camel_case_types)]
#[derive(Debug, Clone, Copy)]
#[repr(C)]
pub struct fourbar_simulation_statistics {
    /// sizeof(fourbar_simulation_statistics).
    pub struct_size: usize,
    /// Accepted steps of the method.
    pub steps: u64,
    /// Attempts rejected by the error test.
    pub rejected_by_error: u64,
    /// Attempts rejected because the corrector did not converge.
    pub rejected_by_newton: u64,
    /// Attempts rejected because a force or motion could not be evaluated.
    pub rejected_by_evaluation: u64,
    /// Evaluations of the equations.
    pub residual_evaluations: u64,
    /// Evaluations of their derivatives.
    pub jacobian_evaluations: u64,
    /// Factorizations.
    pub factorizations: u64,
    /// Iterations of the corrector.
    pub newton_iterations: u64,
    /// Times the method fell back to order 1.
    pub restarts: u64,
    /// Smallest accepted step \[s\]; 0 before the first.
    pub step_smallest: f64,
    /// Largest accepted step \[s\].
    pub step_largest: f64,
    /// Last accepted step \[s\].
    pub step_last: f64,
}

// SAFETY: numbers, the size first.
unsafe impl Grows for fourbar_simulation_statistics {
    const NAME: &'static str = "fourbar_simulation_statistics";
    const FIRST: usize = size_of::<Self>();

    fn defaults() -> Self {
        Self {
            struct_size: size_of::<Self>(),
            steps: 0,
            rejected_by_error: 0,
            rejected_by_newton: 0,
            rejected_by_evaluation: 0,
            residual_evaluations: 0,
            jacobian_evaluations: 0,
            factorizations: 0,
            newton_iterations: 0,
            restarts: 0,
            step_smallest: 0.0,
            step_largest: 0.0,
            step_last: 0.0,
        }
    }
}

fn read(simulation: &Simulation) -> fourbar_simulation_statistics {
    let none = fourbar_simulation_statistics { steps: simulation.steps(), ..fourbar_simulation_statistics::defaults() };
    let Some(own) = simulation.statistics() else { return none };
    fourbar_simulation_statistics {
        rejected_by_error: own.rejected_by_error,
        rejected_by_newton: own.rejected_by_newton,
        rejected_by_evaluation: own.rejected_by_evaluation,
        residual_evaluations: own.residual_evaluations,
        jacobian_evaluations: own.jacobian_evaluations,
        factorizations: own.factorizations.total(),
        newton_iterations: own.newton_iterations,
        restarts: own.restarts,
        step_smallest: own.step_smallest,
        step_largest: own.step_largest,
        step_last: own.step_last,
        ..none
    }
}

/// What the simulation has cost; `size` is sizeof(fourbar_simulation_statistics).
///
/// Errors: `FOURBAR_NULL`, `FOURBAR_STRUCT_SIZE`.
///
/// # Safety
/// `simulation` is NULL or alive; `out` is NULL or has `size` bytes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fourbar_simulation_get_statistics(
    simulation: *const fourbar_simulation,
    out: *mut fourbar_simulation_statistics,
    size: usize,
) -> fourbar_status {
    // SAFETY: by contract.
    unsafe { with(simulation, |simulation| options::write(out, size, &read(simulation))) }
}
