//! What a simulation shows: measures, bodies, reactions.

use std::ffi::c_char;

use fourbar::multibody::space::Pose;
use nalgebra::{Rotation3, UnitQuaternion};

use super::simulation::{fourbar_simulation, read};
use crate::abi::error::Failure;
use crate::abi::options::{self, Grows};
use crate::abi::status::fourbar_status;
use crate::abi::view;
use crate::model::failure;
use crate::model::mechanism::{check_index, fourbar_part, place, set_of};

/// All measures of now, in the order of FOURBAR_PART_MEASURE; `length` is their number.
///
/// Errors: `FOURBAR_NULL`, `FOURBAR_LENGTH`; `FOURBAR_NUMERICAL`, `FOURBAR_CALLBACK` where forces cannot be evaluated.
///
/// # Safety
/// `simulation` is NULL or alive; `values` is NULL or has `length` values.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fourbar_simulation_measures(
    simulation: *mut fourbar_simulation,
    values: *mut f64,
    length: usize,
) -> fourbar_status {
    // SAFETY: by contract.
    unsafe {
        read(simulation, |simulation| {
            let values = view::slice_mut(values, length, "values")?;
            failure::run(|| simulation.measures(values))
        })
    }
}

/// The measure of that name now; of a vector its components, "name.x". To read several, `fourbar_simulation_measures` costs as much as this for one.
///
/// Errors: `FOURBAR_NULL`, `FOURBAR_TEXT`, `FOURBAR_NO_SUCH_NAME`; else as `fourbar_simulation_measures`.
///
/// # Safety
/// `simulation` is NULL or alive; `name` is NULL or ends with a NUL; `value` is NULL or valid.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fourbar_simulation_measure(
    simulation: *mut fourbar_simulation,
    name: *const c_char,
    value: *mut f64,
) -> fourbar_status {
    // SAFETY: by contract.
    unsafe {
        read(simulation, |simulation| {
            let part = fourbar_part::FOURBAR_PART_MEASURE;
            let index = place(simulation.compiled(), part, "measure", view::text(name, "name")?)?;
            let mut values = vec![0.0; simulation.compiled().columns().len()];
            failure::run(|| simulation.measures(&mut values))?;
            view::write(value, values[index], "value")
        })
    }
}

/// Where a body is and how it moves; all vectors in the global frame.
#[allow(non_camel_case_types)]
#[derive(Debug, Clone, Copy)]
#[repr(C)]
pub struct fourbar_body_state {
    /// sizeof(fourbar_body_state).
    pub struct_size: usize,
    /// Centre of mass \[m\].
    pub center_of_mass: [f64; 3],
    /// Origin of the body frame \[m\].
    pub origin: [f64; 3],
    /// Orientation of the body frame: w, x, y, z, with w >= 0.
    pub quaternion: [f64; 4],
    /// The same as Euler angles psi, theta, phi \[rad\]: turns about z, the new x, the new z; phi is 0 where theta is 0 or pi to 1e-8.
    pub euler_313: [f64; 3],
    /// Velocity of the centre of mass \[m/s\].
    pub velocity: [f64; 3],
    /// Angular velocity \[rad/s\].
    pub angular_velocity: [f64; 3],
    /// Acceleration of the centre of mass \[m/s^2\].
    pub acceleration: [f64; 3],
    /// Angular acceleration \[rad/s^2\].
    pub angular_acceleration: [f64; 3],
}

// SAFETY: numbers, the size first.
unsafe impl Grows for fourbar_body_state {
    const NAME: &'static str = "fourbar_body_state";
    const FIRST: usize = size_of::<Self>();

    fn defaults() -> Self {
        Self {
            struct_size: size_of::<Self>(),
            center_of_mass: [0.0; 3],
            origin: [0.0; 3],
            quaternion: [1.0, 0.0, 0.0, 0.0],
            euler_313: [0.0; 3],
            velocity: [0.0; 3],
            angular_velocity: [0.0; 3],
            acceleration: [0.0; 3],
            angular_acceleration: [0.0; 3],
        }
    }
}

/// w, x, y, z of a rotation, w not negative.
pub(super) fn quaternion(pose: &Pose) -> [f64; 4] {
    let q = UnitQuaternion::from_rotation_matrix(&Rotation3::from_matrix_unchecked(pose.a));
    let sign = if q.w < 0.0 { -1.0 } else { 1.0 };
    [q.w, q.i, q.j, q.k].map(|value| sign * value)
}

/// Sine of theta below which psi and phi are turns about one axis.
const STRAIGHT: f64 = 1e-8;

/// psi, theta, phi of A = Rz(psi) Rx(theta) Rz(phi).
fn euler_313(pose: &Pose) -> [f64; 3] {
    let a = &pose.a;
    let sine = a[(0, 2)].hypot(a[(1, 2)]);
    let theta = sine.atan2(a[(2, 2)]);
    if sine < STRAIGHT {
        return [a[(1, 0)].atan2(a[(0, 0)]), theta, 0.0];
    }
    [a[(0, 2)].atan2(-a[(1, 2)]), theta, a[(2, 0)].atan2(a[(2, 1)])]
}

/// The body of index `body` (FOURBAR_PART_BODY) now; `size` is sizeof(fourbar_body_state).
///
/// Errors: `FOURBAR_NULL`, `FOURBAR_STRUCT_SIZE`, `FOURBAR_INVALID` for another index; `FOURBAR_NUMERICAL`, `FOURBAR_CALLBACK` where forces cannot be evaluated.
///
/// # Safety
/// `simulation` is NULL or alive; `out` is NULL or has `size` bytes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fourbar_simulation_body(
    simulation: *mut fourbar_simulation,
    body: usize,
    out: *mut fourbar_body_state,
    size: usize,
) -> fourbar_status {
    // SAFETY: by contract.
    unsafe {
        read(simulation, |simulation| {
            let bodies = simulation.compiled().mechanism().bodies();
            check_index(body, bodies.len(), "bodies")?;
            let center = bodies[body].center_of_mass();
            let state = failure::run(|| simulation.state())?;
            let (pose, [acceleration, angular]) = (&state.poses[body], state.accelerations[body]);
            let read = fourbar_body_state {
                struct_size: size_of::<fourbar_body_state>(),
                center_of_mass: pose.x.into(),
                origin: (pose.x - pose.a * center).into(),
                quaternion: quaternion(pose),
                euler_313: euler_313(pose),
                velocity: pose.v.into(),
                angular_velocity: pose.w.into(),
                acceleration: acceleration.into(),
                angular_acceleration: angular.into(),
            };
            options::write(out, size, &read)
        })
    }
}

/// What the joint or motion of index `index` (`part` is FOURBAR_PART_JOINT or FOURBAR_PART_MOTION) does to the body of its marker I: `wrench` receives six
/// values, the force \[N\] and the torque about the origin of I \[N m\], global frame. Where joints are redundant, the smallest reactions that
/// hold the mechanism.
///
/// Errors: `FOURBAR_NULL`; `FOURBAR_INVALID` for another part or index; `FOURBAR_NUMERICAL`, `FOURBAR_CALLBACK`.
///
/// # Safety
/// `simulation` is NULL or alive; `wrench` is NULL or has six values.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fourbar_simulation_reaction(
    simulation: *mut fourbar_simulation,
    part: i32,
    index: usize,
    wrench: *mut f64,
) -> fourbar_status {
    // SAFETY: by contract.
    unsafe {
        read(simulation, |simulation| {
            let set = set_of(simulation.compiled(), part, index)?;
            let out = view::slice_mut(wrench, 6, "wrench")?;
            let Some(found) = failure::run(|| simulation.reaction(set))? else {
                return Err(Failure::new(
                    fourbar_status::FOURBAR_INVALID,
                    format!("the index is {index}: there is no such part"),
                ));
            };
            out[..3].copy_from_slice(found.force.as_slice());
            out[3..].copy_from_slice(found.torque.as_slice());
            Ok(())
        })
    }
}
