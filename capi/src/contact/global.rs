//! Friction in global form: bodies, contacts, bilateral rows.

use fourbar::contact::friction::Cone;
use fourbar::contact::friction::cone::ROWS;
use fourbar::contact::problem::{FreeBody, GlobalBilateral, GlobalContact, GlobalFriction};
use fourbar::contact::unilateral::Row;
use fourbar::multibody::space::{M3, V3};

use super::failure::of_contact;
use super::problem::{Problem, fourbar_contact_problem, rows_of};
use crate::abi::error::Failure;
use crate::abi::options::check_reserved;
use crate::abi::status::fourbar_status;
use crate::abi::{handle, view};

/// A body. This struct keeps its size for ever.
#[allow(non_camel_case_types)]
#[derive(Debug, Clone, Copy)]
#[repr(C)]
pub struct fourbar_free_body {
    /// 1/m \[1/kg\]; 0 for a body that nothing moves.
    pub inverse_mass: f64,
    /// Inverse inertia about the centre of mass in the frame of the rows \[1/(kg m^2)\], symmetric, 3 x 3.
    pub inverse_inertia: [f64; 9],
    /// Velocity of the centre of mass \[m/s\] and angular velocity \[rad/s\] without impulses.
    pub velocity: [f64; 6],
}

/// A contact between two bodies. This struct keeps its size for ever.
#[allow(non_camel_case_types)]
#[derive(Debug, Clone, Copy)]
#[repr(C)]
pub struct fourbar_global_contact {
    /// Bodies I and J by index; the number of bodies stands for the ground.
    pub bodies: [usize; 2],
    /// Coefficient of friction.
    pub mu: f64,
    /// Largest spinning torque over normal force \[m\].
    pub spinning: f64,
    /// Largest rolling torque over normal force \[m\].
    pub rolling: f64,
    /// Rows in use: 1, 3 or 6, the normal, two tangential, one of spinning, two of rolling.
    pub count: u32,
    /// 0.
    pub reserved: u32,
    /// J v = g . (v_I - v_J) + g_I . omega_I + g_J . omega_J, row by row: g, g_I, g_J.
    pub rows: [[f64; 9]; 6],
    /// Added to J v, row by row \[m/s\]: restitution times velocity, or gap over step.
    pub bias: [f64; 6],
}

/// A row between two bodies on which J v + bias = 0. This struct keeps its size for ever.
#[allow(non_camel_case_types)]
#[derive(Debug, Clone, Copy)]
#[repr(C)]
pub struct fourbar_global_bilateral {
    /// Bodies I and J by index; the number of bodies stands for the ground.
    pub bodies: [usize; 2],
    /// g, g_I, g_J as in `fourbar_global_contact`.
    pub row: [f64; 9],
    /// Added to J v \[m/s\].
    pub bias: f64,
}

/// The problem with friction in global form: M (v - v_free) = J^T S, u = J v + bias, the law of Coulomb at each contact, u = 0 on bilateral
/// rows. Arrays without entries may be NULL.
///
/// Errors: `FOURBAR_NULL`; `FOURBAR_NOT_FINITE`; `FOURBAR_INVALID` for a body that does not exist, a contact of a body with itself, other numbers of
/// rows, coefficients below 0, a `reserved` that is not 0.
///
/// # Safety
/// The arrays are NULL or have as many entries as said; `out` is NULL or valid.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fourbar_global_friction_new(
    bodies: *const fourbar_free_body,
    body_count: usize,
    contacts: *const fourbar_global_contact,
    contact_count: usize,
    bilaterals: *const fourbar_global_bilateral,
    bilateral_count: usize,
    out: *mut *mut fourbar_contact_problem,
) -> fourbar_status {
    // SAFETY: by contract.
    unsafe {
        handle::give(out, "out", || {
            let bodies = view::slice(bodies, body_count, "bodies")?;
            let contacts = view::slice(contacts, contact_count, "contacts")?;
            let bilaterals = view::slice(bilaterals, bilateral_count, "bilaterals")?;
            let problem = GlobalFriction {
                bodies: bodies.iter().map(body).collect(),
                contacts: contacts.iter().enumerate().map(contact).collect::<Result<_, _>>()?,
                bilateral: bilaterals
                    .iter()
                    .map(|own| GlobalBilateral { bodies: own.bodies, row: row(&own.row), bias: own.bias })
                    .collect(),
            };
            problem.check().map_err(|error| of_contact(&error))?;
            Ok(Problem::Global(problem).into())
        })
    }
}

fn body(own: &fourbar_free_body) -> FreeBody {
    FreeBody {
        inverse_mass: own.inverse_mass,
        inverse_inertia: M3::from_column_slice(&own.inverse_inertia),
        velocity: V3::from_column_slice(&own.velocity[..3]),
        spin: V3::from_column_slice(&own.velocity[3..]),
    }
}

fn contact((i, own): (usize, &fourbar_global_contact)) -> Result<GlobalContact, Failure> {
    check_reserved(&format!("contact {i} (fourbar_global_contact)"), own.reserved)?;
    let cone = Cone { rows: rows_of(own.count, i)?, friction: own.mu, spinning: own.spinning, rolling: own.rolling };
    let (mut rows, mut bias) = ([Row::zero(); ROWS], [0.0; ROWS]);
    for k in 0..cone.size() {
        (rows[k], bias[k]) = (row(&own.rows[k]), own.bias[k]);
    }
    Ok(GlobalContact { bodies: own.bodies, cone, rows, bias })
}

fn row(x: &[f64; 9]) -> Row {
    let at = |k: usize| V3::new(x[k], x[k + 1], x[k + 2]);
    Row { g: at(0), gi: at(3), gj: at(6), drift: 0.0 }
}
