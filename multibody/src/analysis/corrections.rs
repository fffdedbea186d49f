//! Corrections of positions and velocities on the independent rows, which a start close to them needs.

use super::assembly::displace;
use super::explain::named;
use super::saddle;
use crate::error::Error;
use crate::mechanism::{Mechanism, Rows, System};
use crate::space::{Pose, V3};
use crate::state::Tracked;
use fourbar_linalg::Kkt;

/// Iterations after the closing one at most: of Newton's method near its solution two or three are enough.
pub(super) const POLISHING: usize = 8;

/// Minimum-norm Newton corrections on the independent rows, to round-off. Returns the largest violation that remains.
/// `drives` and `angles` are those of the state.
pub(super) fn polish(
    mechanism: &Mechanism,
    poses: &mut [Pose],
    (drives, angles): (&[f64], &[Tracked]),
    t: f64,
) -> Result<f64, Error> {
    let mut system = System::new(mechanism, Rows::Independent);
    if system.row_count() == 0 {
        return Ok(0.0);
    }
    let fail = |e| named(mechanism, "assembly", t, e, false);
    system.evaluate_drives(mechanism, t, drives);
    system.count_from(angles);
    system.evaluate_weights(mechanism, 0);
    let (mut phi, mut top) = (vec![0.0; system.row_count()], vec![0.0; 6 * mechanism.bodies.len()]);
    let mut kkt: Option<Kkt> = None;
    let mut best = f64::INFINITY;
    for _ in 0..POLISHING {
        system.defects(mechanism, poses, &mut phi);
        let worst = phi.iter().fold(0.0_f64, |a, b| a.max(b.abs()));
        if !(worst < 0.5 * best) || worst <= f64::EPSILON * mechanism.length {
            return Ok(worst);
        }
        best = worst;
        system.evaluate_phi(mechanism, poses);
        top.fill(0.0);
        phi.iter_mut().for_each(|p| *p = -*p);
        let solver = match &mut kkt {
            Some(solver) => {
                let _ = solver.refactor(system.mass.values(), system.phi.values()).map_err(fail)?;
                solver
            }
            None => kkt.insert(saddle::factored(mechanism, &system).map_err(fail)?),
        };
        solver.solve(&mut top, &mut phi).map_err(fail)?;
        displace(poses, &top, 1.0);
    }
    Ok(best)
}

/// min (u - u0)^T W (u - u0)/2 subject to `Phi_q` u = -`Phi_t`: one linear solve.
pub(super) fn velocities(mechanism: &Mechanism, poses: &mut [Pose], drives: &[f64], t: f64) -> Result<(), Error> {
    let mut system = System::new(mechanism, Rows::Independent);
    system.evaluate_drives(mechanism, t, drives);
    let mut rates = vec![0.0; system.row_count()];
    system.defect_rates(mechanism, poses, &mut rates);
    if rates.iter().all(|r| *r == 0.0) {
        return Ok(());
    }
    system.evaluate_weights(mechanism, 1);
    system.evaluate_phi(mechanism, poses);
    let fail = |e| named(mechanism, "initial velocities", t, e, false);
    let mut top = vec![0.0; 6 * mechanism.bodies.len()];
    rates.iter_mut().for_each(|r| *r = -*r);
    let mut kkt = saddle::factored(mechanism, &system).map_err(fail)?;
    kkt.solve(&mut top, &mut rates).map_err(fail)?;
    for (pose, du) in poses.iter_mut().zip(top.chunks_exact(6)) {
        pose.v += V3::new(du[0], du[1], du[2]);
        pose.w += V3::new(du[3], du[4], du[5]);
    }
    Ok(())
}
