//! Measures that are sampled but drive no force: accelerations, what one body has, wrenches of force elements, quaternions.

use crate::error::Error;
use crate::flexible::FlexibleBody;
use crate::force::{FrictionLoads, Loads};
use crate::measure::{BodyQuantity, Energy, Load, component};
use crate::mechanism::Mechanism;
use crate::model::Quantity;
use crate::space::{FixedFrame, M3, Pose, V3};
use crate::state::State;

/// Linear or angular acceleration of I against J, seen from a third frame, global axes.
///
/// With r, v, w the differences of I and J seen from the global frame, and omega, alpha those of the third: the second derivative of r in
/// that frame is r" - alpha x r - 2 omega x (v - omega x r) - omega x (omega x r), the first of w is w' - omega x w.
pub(super) fn acceleration(angular: bool, [i, j, seen_from]: [&FixedFrame; 3], state: &State, poses: &[Pose]) -> V3 {
    let of = |frame: &FixedFrame| state.accelerations.get(frame.body).copied().unwrap_or_default();
    let omega = poses[seen_from.body].w;
    if angular {
        return of(i)[1] - of(j)[1] - omega.cross(&(poses[i.body].w - poses[j.body].w));
    }
    let at = |frame: &FixedFrame| {
        let ([a, alpha], arm, w) = (of(frame), frame.arm(poses), poses[frame.body].w);
        a + alpha.cross(&arm) + w.cross(&w.cross(&arm))
    };
    let r = i.origin(poses) - j.origin(poses);
    let carried = omega.cross(&r);
    let v = i.velocity(poses) - j.velocity(poses) - carried;
    at(i) - at(j) - of(seen_from)[1].cross(&r) - 2.0 * omega.cross(&v) - omega.cross(&carried)
}

/// What one body has.
pub(super) fn of_body(mechanism: &Mechanism, body: usize, quantity: &BodyQuantity, poses: &[Pose]) -> f64 {
    if let Some(flexible) = mechanism.flexible.iter().find(|flexible| flexible.body == body) {
        return of_flexible(mechanism, flexible, quantity, poses);
    }
    let (rigid, pose) = (&mechanism.bodies[body], &poses[body]);
    let potential = || -rigid.mass * mechanism.gravity.dot(&pose.x);
    let (vector, projection) = match quantity {
        BodyQuantity::Energy(Energy::Kinetic) => return rigid.kinetic_energy(pose),
        BodyQuantity::Energy(Energy::Potential) => return potential(),
        BodyQuantity::Energy(Energy::Total) => return rigid.kinetic_energy(pose) + potential(),
        BodyQuantity::Momentum(projection) => (pose.v * rigid.mass, projection),
        BodyQuantity::AngularMomentum(projection) => (rigid.momentum(pose), projection),
    };
    component(&vector, &projection.frame.axes(poses), projection.component)
}

/// What a flexible body has, with its nodes and modes; its angular momentum is about its centre of mass.
fn of_flexible(mechanism: &Mechanism, flexible: &FlexibleBody, quantity: &BodyQuantity, poses: &[Pose]) -> f64 {
    let parts = || flexible.parts().map(|b| (&mechanism.bodies[b], &poses[b]));
    let kinetic = || flexible.kinetic_energy(poses) + parts().map(|(b, pose)| b.kinetic_energy(pose)).sum::<f64>();
    let potential = || {
        let weights = parts().map(|(b, pose)| -b.mass * mechanism.gravity.dot(&pose.x)).sum::<f64>();
        weights + flexible.potential_energy(poses, &mechanism.gravity)
    };
    let [momentum, angular] = flexible.momenta(&mechanism.bodies[flexible.body], poses);
    let (vector, projection) = match quantity {
        BodyQuantity::Energy(Energy::Kinetic) => return kinetic(),
        BodyQuantity::Energy(Energy::Potential) => return potential(),
        BodyQuantity::Energy(Energy::Total) => return kinetic() + potential(),
        BodyQuantity::Momentum(projection) => (momentum, projection),
        BodyQuantity::AngularMomentum(projection) => (angular, projection),
    };
    component(&vector, &projection.frame.axes(poses), projection.component)
}

/// A component of the wrench of a force element.
pub(super) fn load(
    mechanism: &Mechanism,
    loads: &mut Loads,
    load: &Load,
    state: &State,
    poses: &[Pose],
) -> Result<f64, Error> {
    loads.set_states(mechanism.states_in(&state.drives));
    let [force, torque] = match mechanism.is_friction(load) {
        true => FrictionLoads::wrench_of(mechanism, &load.force, poses, &state.multipliers),
        false => {
            loads.wrench_of(mechanism, &load.force, (state.time, poses, &state.angles)).map_err(Error::Evaluation)?
        }
    };
    let vector = if load.quantity == Quantity::Force { force } else { torque };
    Ok(component(&vector, &load.projection.frame.axes(poses), load.projection.component))
}

/// The unit quaternion that turns the axes `j` into the axes `i`, scalar first, of the two signs the one nearer to `last`.
pub(super) fn quaternion(i: &M3, j: &M3, last: &[f64; 4]) -> [f64; 4] {
    let rotation = nalgebra::Rotation3::from_matrix_unchecked(j.tr_mul(i));
    let q = nalgebra::UnitQuaternion::from_rotation_matrix(&rotation);
    let q = [q.w, q.i, q.j, q.k];
    let nearness: f64 = q.iter().zip(last).map(|(a, b)| a * b).sum();
    if nearness < 0.0 { q.map(|e| -e) } else { q }
}
