//! The source's scheme: gaps and joints linearized over the step, (4) to (7), then restitution.

use super::step_workspace::Workbench;
use crate::error::Error;
use crate::unilateral::Contacts;

/// One step from a projected state:
///
/// ```text
/// M (u+ - u) = h Q + Phi_q^T .. + J^T S,   Phi_q u+ + Phi_t = 0,   0 <= S_N _|_ g_N/h + u_N+ >= 0,   q+ = q + h u+
/// ```
///
/// then positions and velocities projected. Where contacts that closed are to rebound, their impact takes the place of S in the
/// velocities ([`super::impact`]).
pub(super) fn step<C: Contacts>(bench: &mut Workbench<C>) -> Result<(), Error> {
    let h = bench.h;
    bench.configuration.look(&bench.state);
    bench.push_and_spin()?;
    bench.find_first()?;
    bench.configuration.advance(&mut bench.state, h)?;
    bench.configuration.factor()?;
    bench.fly()?;
    bench.hold_gaps(|contact| contact.gap / h)?;
    while bench.turns_otherwise()? {
        bench.hold_gaps(|contact| contact.gap / h)?;
    }
    bench.note(|contact, _, after| contact.gap + h * after);
    bench.configuration.drift(h);
    bench.close_joints()?;
    bench.configuration.store(&mut bench.state);
    bench.put_back()?;
    bench.project_velocities()?;
    bench.rebound(false)
}
