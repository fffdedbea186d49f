//! The source's scheme: gaps and joints linearized over the step, (4) to (7), then restitution.

use super::workbench::Workbench;
use crate::error::Error;
use crate::unilateral::{Contacts, Unilateral};

/// One step from a projected state:
///
/// ```text
/// M (u+ - u) = h Q + Phi_q^T .. + J^T S,   Phi_q u+ + Phi_t = 0,   0 <= S_N _|_ g_N/h + u_N+ >= 0,   q+ = q + h u+
/// ```
///
/// then positions and velocities projected. A contact that closed then rebounds with e times the speed with which it would have
/// met the wall inside the step, sqrt(u_N^2 - 2 a_N g_N): with e = 1 a ball keeps its energy, and one that rests has no speed to
/// rebound with, so that no threshold tells rest from impact.
pub(super) fn step<C: Contacts>(bench: &mut Workbench<C>) -> Result<(), Error> {
    let h = bench.h;
    bench.configuration.look(&bench.state);
    bench.push()?;
    bench.find(bench.reach)?;
    bench.configuration.advance(&mut bench.state, h);
    bench.configuration.factor()?;
    bench.solve(|contact, _, _| contact.gap / h)?;
    bench.note(|contact, before, free| approach(contact, before, free, h));
    bench.configuration.drift(h);
    bench.configuration.store(&mut bench.state);
    bench.project_positions()?;
    bench.project_velocities()?;
    bench.rebound(false)
}

/// Speed at which the gap closes under the acceleration of the step, from the velocities at its begin and without impulses.
pub(super) fn approach(contact: &Unilateral, before: f64, free: f64, h: f64) -> f64 {
    let acceleration = (free - before) / h;
    let square = before * before - 2.0 * acceleration * contact.gap.max(0.0);
    if before < 0.0 || acceleration < 0.0 { square.max(0.0).sqrt() } else { 0.0 }
}
