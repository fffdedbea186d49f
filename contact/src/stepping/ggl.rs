//! Positions and velocities both satisfied, after Gear, Gupta and Leimkuhler.
//!
//! Splitting of O. Bruls, V. Acary, A. Cardona, Computer Methods in Applied Mechanics and Engineering 281 (2014) 131: a smooth
//! prediction, a correction of positions 0 <= mu _|_ g_N >= 0 and one of velocities 0 <= S _|_ u_N+ + e u_N- >= 0, each with
//! multipliers of its own.

use super::workspace::StepWorkspace;
use crate::error::Error;
use crate::unilateral::Contacts;

/// One step, matrices but J at q + h u/2:
///
/// ```text
/// M (u~ - u) = h Q(midpoint) + Phi_q^T ..,   Phi_q (u + u~)/2 + Phi_t = 0,
/// M (u^0 - u~) = J^T mu + Phi_q^T ..,        0 <= mu_N _|_ g_N + h (u_N + u_N^0)/2 >= 0,   q+ = q + h (u + u^0)/2, projected;
/// M (u+ - u~) = J^T S + Phi_q^T ..,          0 <= S_N _|_ u_N+ - e (closing speed) >= 0 where g_N+ = 0
/// ```
///
/// Forces at the midpoint of the flight without contact make free flight second order. Friction acts in both problems, in that of
/// positions on the displacement, so that what sticks does not creep. Impulses are those of the velocities, S, at the positions q+ ([`super::impact`]).
pub(super) fn step<C: Contacts>(step: &mut StepWorkspace<C>) -> Result<(), Error> {
    let h = step.motion.h();
    step.motion.apply_midpoint_forces()?;
    step.nearby.widen(&step.motion);
    step.motion.look();
    step.motion.go_to_middle();
    step.motion.look();
    step.motion.advance()?;
    step.nearby.find_within_reach(&step.motion)?;
    step.motion.configuration_mut().drift(0.5 * h);
    loop {
        step.motion.factor()?;
        step.fly()?;
        // Gaps are those at the end of the step with the positions at its begin: what the walls do in it is in them already, and is
        // taken out of the velocities.
        step.hold_gaps(|contact| contact.gap / h - contact.gap_rate)?;
        if !step.rubs_otherwise()? {
            break;
        }
    }
    step.note(|contact, before, after| contact.gap + h * (0.5 * (before + after) - contact.gap_rate));
    step.motion.displace();
    step.put_back()?;
    step.project_velocities()?;
    step.rebound(true)
}
