//! The source's scheme: gaps and joints linearized over the step, (4) to (7), then restitution.

use super::workbench::{Bounce, Workbench};
use crate::error::Error;
use crate::unilateral::{Contacts, Unilateral};

/// One step from a projected state:
///
/// ```text
/// M (u+ - u) = h Q + Phi_q^T .. + J^T S,   Phi_q u+ + Phi_t = 0,   0 <= S_N _|_ g_N/h + u_N+ >= 0,   q+ = q + h u+
/// ```
///
/// then positions and velocities projected, and contacts that closed rebound ([`bounce`]).
pub(super) fn step<C: Contacts>(bench: &mut Workbench<C>) -> Result<(), Error> {
    let h = bench.h;
    bench.configuration.look(&bench.state);
    bench.push_and_spin(1.0)?;
    bench.find_first()?;
    bench.configuration.advance(&mut bench.state, h);
    bench.configuration.factor()?;
    bench.solve(|contact, _, _| contact.gap / h)?;
    bench.note(|contact, _, after| contact.gap + h * after, |contact, before, free| bounce(contact, before, free, h));
    bench.configuration.drift(h);
    bench.configuration.store(&mut bench.state);
    bench.project_positions()?;
    bench.project_velocities()?;
    bench.rebound(false)
}

/// Speed at which a gap closes and speed of the rebound, from the velocities at the begin of the step and without impulses.
///
/// With u+ = u + a h, q+ = q + h u+ a velocity is that of half a step before its position. So the contact, with |u_N| + |a| h/2 at
/// g_N, meets the wall at v with v^2 = (|u_N| + |a| h/2)^2 + 2 |a| g_N, and leaves it with e v, written down as e v + |a| h/2: with
/// e = 1 a ball keeps its energy. A rebound whose flight would not last a step, 2 e v/|a| <= h, is not resolved: the contact rests.
pub(super) fn bounce(contact: &Unilateral, before: f64, free: f64, h: f64) -> Bounce {
    let acceleration = (free - before) / h;
    let half = 0.5 * h * acceleration;
    let closing = before + half;
    let square = closing * closing - 2.0 * acceleration * contact.gap.max(0.0);
    if !(closing < 0.0 || acceleration < 0.0) || square <= 0.0 {
        return Bounce::default();
    }
    let approach = square.sqrt();
    let rebound = contact.surface.restitution * approach;
    let rests = rebound <= -half;
    Bounce { approach, rebound: if rests { 0.0 } else { (rebound - half).max(0.0) } }
}
