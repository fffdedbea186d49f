//! Moreau and Jean's scheme: impacts and forces on velocity level, the contacts chosen at the midpoint.

use super::step_workspace::Workbench;
use crate::error::Error;
use crate::unilateral::Contacts;

/// One step, all matrices at q_m = q + h u/2:
///
/// ```text
/// M (u+ - u) = h Q + Phi_q^T .. + J^T S,   Phi_q (theta u+ + (1 - theta) u) + Phi_t = 0,
/// 0 <= S_N _|_ u_N+ + e min(u_N, 0) >= 0 where g_N(q_m) <= 0,   q+ = q + h (theta u+ + (1 - theta) u)
/// ```
///
/// A contact that closes with no more than what its acceleration gives it in one and a half steps rests: e = 0. Otherwise it would
/// rebound for ever with about a h/(1 + e). The contacts do the work S^T (u + u+)/2; what the projection of positions then lifts is
/// taken from the next impact.
pub(super) fn step<C: Contacts>(bench: &mut Workbench<C>) -> Result<(), Error> {
    let h = bench.h;
    bench.configuration.look(&bench.state);
    bench.go_to_middle();
    bench.push_and_spin()?;
    bench.configuration.advance(&mut bench.state, h)?;
    bench.configuration.factor()?;
    bench.find_closed_in_middle()?;
    bench.fly()?;
    loop {
        ask(bench);
        bench.collide(-0.5, bench.impact.debt)?;
        if !bench.turns_otherwise()? {
            break;
        }
    }
    bench.note_impact();
    bench.displace();
    bench.put_back()?;
    bench.impact.debt -= bench.pushed_out();
    bench.project_velocities()
}

/// The velocities that contacts are to leave with.
fn ask<C: Contacts>(bench: &mut Workbench<C>) {
    bench.impact.asked.clear();
    bench.impact.closing_speeds.clear();
    for (contact, &at) in bench.found.iter().zip(bench.delassus.first()) {
        let closing_speed = closing_speed(bench.before[at], bench.free[at]);
        bench.impact.asked.push(contact.surface.restitution * closing_speed);
        bench.impact.closing_speeds.push(closing_speed);
    }
}

/// Closing speed before the step, zero where it is what a resting contact picks up.
fn closing_speed(before: f64, free: f64) -> f64 {
    let picked_up = (before - free).max(0.0);
    if -before > 1.5 * picked_up { -before } else { 0.0 }
}
