//! The source's scheme: gaps and joints linearized over the step, (4) to (7), then restitution.

use super::workspace::StepWorkspace;
use crate::error::Error;
use crate::unilateral::Contacts;

/// One step from a projected state:
///
/// ```text
/// M (u+ - u) = h Q + Phi_q^T .. + J^T S,   Phi_q u+ + Phi_t = 0,   0 <= S_N _|_ g_N/h + u_N+ >= 0,   q+ = q + h u+
/// ```
///
/// then positions and velocities projected. Friction acts on the displacement with what joints then change it by, so that what sticks to a body that is
/// driven goes where that one goes. Where contacts that closed are to rebound, their impact takes the place of S in the
/// velocities ([`super::impact`]).
pub(super) fn step<C: Contacts>(step: &mut StepWorkspace<C>) -> Result<(), Error> {
    let h = step.motion.h();
    step.motion.look();
    step.apply_forces()?;
    step.nearby.find_first(&step.motion)?;
    step.motion.advance()?;
    loop {
        step.motion.factor()?;
        step.fly()?;
        step.foresee_closing()?;
        step.hold_gaps(|contact| contact.gap / h)?;
        while step.turns_otherwise()? {
            step.hold_gaps(|contact| contact.gap / h)?;
        }
        if !step.rubs_otherwise()? {
            break;
        }
    }
    step.note(|contact, _, after| contact.gap + h * after);
    step.motion.drift();
    step.close_joints()?;
    step.motion.store();
    step.put_back()?;
    step.project_velocities()?;
    step.rebound(false)
}
