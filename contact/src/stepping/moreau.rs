//! Moreau and Jean's scheme: impacts and forces on velocity level, the contacts chosen at the midpoint.

use super::workspace::StepWorkspace;
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
pub(super) fn step<C: Contacts>(step: &mut StepWorkspace<C>) -> Result<(), Error> {
    step.motion.look();
    step.motion.go_to_middle();
    step.apply_forces()?;
    step.motion.advance()?;
    step.nearby.find_closed_in_middle(&step.motion)?;
    loop {
        step.motion.factor()?;
        step.fly()?;
        loop {
            ask(step);
            step.collide(-0.5, step.impact.debt())?;
            if !step.turns_otherwise()? {
                break;
            }
        }
        if !step.rubs_otherwise()? {
            break;
        }
    }
    step.note_impact();
    step.motion.displace();
    step.put_back()?;
    step.impact.set_debt(step.impact.debt() - step.joints.pushed_out(&step.motion));
    step.project_velocities()
}

/// The velocities that contacts are to leave with.
fn ask<C: Contacts>(step: &mut StepWorkspace<C>) {
    step.impact.ask_anew();
    for (contact, &at) in step.nearby.found().iter().zip(step.impulses.first()) {
        let speed = closing_speed(step.impulses.before()[at], step.impulses.free()[at]);
        step.impact.ask([speed, contact.surface.restitution * speed]);
    }
}

/// Closing speed before the step, zero where it is what a resting contact picks up.
fn closing_speed(before: f64, free: f64) -> f64 {
    let picked_up = (before - free).max(0.0);
    if -before > 1.5 * picked_up { -before } else { 0.0 }
}
