//! Positions and velocities both satisfied, after Gear, Gupta and Leimkuhler.
//!
//! Splitting of O. Bruls, V. Acary, A. Cardona, Computer Methods in Applied Mechanics and Engineering 281 (2014) 131: a smooth
//! prediction, a correction of positions 0 <= mu _|_ g_N >= 0 and one of velocities 0 <= S _|_ u_N+ + e u_N- >= 0, each with
//! multipliers of its own.

use super::workbench::{Bounce, Workbench};
use crate::error::Error;
use crate::unilateral::{Contacts, Unilateral};

/// One step:
///
/// ```text
/// M (u~ - u) = h Q(midpoint) + Phi_q^T ..,   M (u^0 - u~) = J^T mu + Phi_q^T ..,   0 <= mu_N _|_ g_N + h (u_N + u_N^0)/2 >= 0
/// q+ = q + h (u + u^0)/2, projected;         M (u+ - u~) = J^T S + Phi_q^T ..,     0 <= S_N _|_ u_N+ - e (approach) >= 0 where g_N+ = 0
/// ```
///
/// Forces at the midpoint of the flight without contact make free flight second order. Friction acts in both problems, so that
/// what sticks does not creep. Impulses are those of the velocities, S.
pub(super) fn step<C: Contacts>(bench: &mut Workbench<C>) -> Result<(), Error> {
    let h = bench.h;
    bench.midpoint_forces()?;
    bench.configuration.look(&bench.state);
    bench.configuration.advance(&mut bench.state, h);
    bench.configuration.factor()?;
    bench.find(bench.reach)?;
    // Gaps are those at the end of the step with the positions at its begin: what the walls do in it is in them already, and is
    // taken out of both velocities.
    bench.solve(|contact, before, _| before + 2.0 * (contact.gap / h - contact.gap_rate))?;
    let end = |contact: &Unilateral, before, after| contact.gap + h * (0.5 * (before + after) - contact.gap_rate);
    bench.note(end, |contact, before, free| bounce(contact, before, free, h));
    bench.displace(0.5, 0.5);
    bench.forget_impulses();
    bench.project_positions()?;
    bench.project_velocities()?;
    bench.rebound(true)
}

/// Speed at which the gap closes under the acceleration of the step, and of the rebound; 0 where its flight would not last a step.
fn bounce(contact: &Unilateral, before: f64, free: f64, h: f64) -> Bounce {
    let acceleration = (free - before) / h;
    let gap = contact.gap - h * contact.gap_rate;
    let square = before * before - 2.0 * acceleration * gap.max(0.0);
    if !(before < 0.0 || acceleration < 0.0) || square <= 0.0 {
        return Bounce::default();
    }
    let approach = square.sqrt();
    let rebound = contact.surface.restitution * approach;
    Bounce { approach, rebound: if rebound <= -0.5 * h * acceleration { 0.0 } else { rebound } }
}
