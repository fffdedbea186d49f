//! Forces and torques of a model.

use std::ffi::{c_char, c_void};
use std::sync::Arc;

use fourbar::multibody::expression::Expression;
use fourbar::multibody::host;
use fourbar::multibody::model::{
    AxialTorque, Force, GeneralForce, LineForce, MarkerRef, SpringDamper, TorsionSpringDamper, VectorForce,
};

use super::callback::HostForce;
use super::joint::{choose, expression};
use super::model::{fourbar_model, number, with};
use crate::abi::callback::User;
use crate::abi::error::Failure;
use crate::abi::options::{self, Grows};
use crate::abi::status::fourbar_status;
use crate::abi::{guard, view};

/// Kinds of forces.
#[allow(non_camel_case_types)]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(i32)]
pub enum fourbar_force_kind {
    /// preload - stiffness (l - free) - damping dl/dt along the line between two origins, pushing them apart where positive.
    FOURBAR_FORCE_SPRING_DAMPER = 1,
    /// preload - stiffness (a - free) - damping da/dt on I about z of J, of the angle a of I against J.
    FOURBAR_FORCE_TORSION_SPRING_DAMPER = 2,
    /// `value[0]` along the line between two origins, pushing them apart where positive \[N\].
    FOURBAR_FORCE_LINE = 3,
    /// `value[0]` on the body of I about z of J, the opposite on the body of J \[N m\].
    FOURBAR_FORCE_AXIAL_TORQUE = 4,
    /// Three components at the origin of I, the opposite on the body `reaction` at the same point \[N\].
    FOURBAR_FORCE_VECTOR = 5,
    /// Three components of a torque on the body of I, the opposite on the body `reaction` \[N m\].
    FOURBAR_FORCE_TORQUE = 6,
    /// Three components of a force, `value`, and three of a torque, `torque`, at the origin of I, the opposites on the body `reaction` at the
    /// same point \[N, N m\].
    FOURBAR_FORCE_GENERAL = 7,
}

/// A force; set by `fourbar_force_init` first. Texts and numbers are copied.
#[allow(non_camel_case_types)]
#[derive(Debug, Clone, Copy)]
#[repr(C)]
pub struct fourbar_force {
    /// sizeof(fourbar_force).
    pub struct_size: usize,
    /// Name, unique among forces.
    pub name: *const c_char,
    /// A value of `fourbar_force_kind`.
    pub kind: i32,
    /// Not used; 0.
    pub reserved: i32,
    /// Marker I: the name of a marker or of a body.
    pub i: *const c_char,
    /// Marker J; not of FOURBAR_FORCE_VECTOR, FOURBAR_FORCE_TORQUE and FOURBAR_FORCE_GENERAL.
    pub j: *const c_char,
    /// Of these: the body that takes the reaction; NULL (the default): the ground.
    pub reaction: *const c_char,
    /// Of these: the marker in whose axes the components are written; NULL (the default): the global frame.
    pub frame: *const c_char,
    /// Expressions of `time`, measures, inputs and parameters, one or three; NULL (the default) where a function is given
    /// (`fourbar_model_set_force_function`) or for 0.
    pub value: [*const c_char; 3],
    /// Of springs \[N/m, N m/rad\]; 0 by default.
    pub stiffness: f64,
    /// Of springs \[N s/m, N m s/rad\]; 0 by default.
    pub damping: f64,
    /// Of springs: length or angle without force \[m, rad\]; NaN (the default): that at the start.
    pub free: f64,
    /// Of springs: force at the free length or angle \[N, N m\]; 0 by default.
    pub preload: f64,
    /// Of FOURBAR_FORCE_GENERAL: expressions of the torque, as `value`.
    pub torque: [*const c_char; 3],
}

// SAFETY: numbers and pointers, the size first.
unsafe impl Grows for fourbar_force {
    const NAME: &'static str = "fourbar_force";
    const FIRST: usize = size_of::<Self>();

    fn defaults() -> Self {
        let none = std::ptr::null();
        Self {
            struct_size: size_of::<Self>(),
            name: none,
            kind: 0,
            reserved: 0,
            i: none,
            j: none,
            reaction: none,
            frame: none,
            value: [none; 3],
            stiffness: 0.0,
            damping: 0.0,
            free: f64::NAN,
            preload: 0.0,
            torque: [none; 3],
        }
    }

    fn reserved(&self) -> u32 {
        self.reserved.cast_unsigned()
    }
}

/// Sets the defaults; `size` is sizeof(fourbar_force).
///
/// Errors: `FOURBAR_NULL`, `FOURBAR_STRUCT_SIZE`.
///
/// # Safety
/// `force` is NULL or has `size` bytes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fourbar_force_init(force: *mut fourbar_force, size: usize) -> fourbar_status {
    // SAFETY: by contract.
    guard::guard(|| unsafe { options::write(force, size, &fourbar_force::defaults()) })
}

/// Adds a force.
///
/// Errors: `FOURBAR_NULL`, `FOURBAR_STRUCT_SIZE`, `FOURBAR_TEXT`, `FOURBAR_NOT_FINITE`, `FOURBAR_INVALID` for an unknown kind, an expression with
/// an error, or three expressions for a force of one number.
///
/// # Safety
/// `model` is NULL or alive; `force` is NULL or a struct of the size it says, its texts NULL or ending with a NUL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fourbar_model_add_force(
    model: *mut fourbar_model,
    force: *const fourbar_force,
) -> fourbar_status {
    // SAFETY: by contract.
    unsafe {
        with(model, |draft| {
            view::reference(force, "force")?;
            let force = read_force(&options::read(force)?)?;
            draft.change().model.forces.push(force);
            Ok(())
        })
    }
}

fn kind(value: i32) -> Result<fourbar_force_kind, Failure> {
    use fourbar_force_kind as K;
    let kinds = [
        K::FOURBAR_FORCE_SPRING_DAMPER,
        K::FOURBAR_FORCE_TORSION_SPRING_DAMPER,
        K::FOURBAR_FORCE_LINE,
        K::FOURBAR_FORCE_AXIAL_TORQUE,
        K::FOURBAR_FORCE_VECTOR,
        K::FOURBAR_FORCE_TORQUE,
        K::FOURBAR_FORCE_GENERAL,
    ];
    choose("kind", "fourbar_force_kind", value, &kinds)
}

/// # Safety
/// The texts of `given` are NULL or end with a NUL.
unsafe fn read_force(given: &fourbar_force) -> Result<Force, Failure> {
    use fourbar_force_kind as K;
    // SAFETY: by contract.
    let (name, i) = unsafe { (view::text(given.name, "name")?.to_owned(), view::text(given.i, "i")?.into()) };
    let j = || -> Result<MarkerRef, Failure> {
        // SAFETY: by contract.
        Ok(unsafe { view::text(given.j, "j") }?.into())
    };
    let constant = |value: f64, name: &str| number(value, name).map(Expression::constant);
    // SAFETY: by contract.
    let parsed = |text: *const c_char, name: &str| match text.is_null() {
        true => Ok(Expression::constant(0.0)),
        false => unsafe { expression(text, name) },
    };
    let value = |k: usize| parsed(given.value[k], "value");
    let free = || (!given.free.is_nan()).then(|| constant(given.free, "free")).transpose();
    let (stiffness, damping) = (constant(given.stiffness, "stiffness")?, constant(given.damping, "damping")?);
    let preload = constant(given.preload, "preload")?;
    let of = kind(given.kind)?;
    check_values(of, given)?;
    Ok(match of {
        K::FOURBAR_FORCE_SPRING_DAMPER => {
            Force::SpringDamper(SpringDamper { name, i, j: j()?, stiffness, damping, free_length: free()?, preload })
        }
        K::FOURBAR_FORCE_TORSION_SPRING_DAMPER => Force::TorsionSpringDamper(TorsionSpringDamper {
            name,
            i,
            j: j()?,
            stiffness,
            damping,
            free_angle: free()?,
            preload,
        }),
        K::FOURBAR_FORCE_LINE => Force::LineForce(LineForce { name, i, j: j()?, value: value(0)? }),
        K::FOURBAR_FORCE_AXIAL_TORQUE => Force::AxialTorque(AxialTorque { name, i, j: j()?, value: value(0)? }),
        K::FOURBAR_FORCE_VECTOR | K::FOURBAR_FORCE_TORQUE | K::FOURBAR_FORCE_GENERAL => {
            // SAFETY: by contract.
            let (reaction, frame) = unsafe { (optional(given.reaction, "reaction")?, optional(given.frame, "frame")?) };
            let (reaction, frame) = (reaction.map(str::to_owned), frame.map(MarkerRef::from));
            let value = [value(0)?, value(1)?, value(2)?];
            if of == K::FOURBAR_FORCE_GENERAL {
                let torque = |k: usize| parsed(given.torque[k], "torque");
                let torque = [torque(0)?, torque(1)?, torque(2)?];
                let both = GeneralForce { name, i, reaction, frame, force: value, torque };
                return Ok(Force::Gforce(Box::new(both)));
            }
            let force = VectorForce { name, i, reaction, frame, value };
            if of == K::FOURBAR_FORCE_VECTOR { Force::Force(force) } else { Force::Torque(force) }
        }
    })
}

/// Of three expressions given to a force of one number two would be lost.
fn check_values(of: fourbar_force_kind, given: &fourbar_force) -> Result<(), Failure> {
    use fourbar_force_kind as K;
    if of != K::FOURBAR_FORCE_GENERAL && given.torque.iter().any(|text| !text.is_null()) {
        let text = "torque is given, but only a force of the kind FOURBAR_FORCE_GENERAL has both: leave it NULL, or take that kind";
        return Err(Failure::new(fourbar_status::FOURBAR_INVALID, text.to_owned()));
    }
    let value = &given.value;
    let room = match of {
        K::FOURBAR_FORCE_LINE | K::FOURBAR_FORCE_AXIAL_TORQUE => 1,
        _ => 3,
    };
    match value[room..].iter().position(|text| !text.is_null()) {
        None => Ok(()),
        Some(k) => {
            let text = format!(
                "value[{}] is given, but a force of this kind is one number: leave it NULL, or take FOURBAR_FORCE_VECTOR or _TORQUE",
                room + k
            );
            Err(Failure::new(fourbar_status::FOURBAR_INVALID, text))
        }
    }
}

/// A text, or none for NULL.
///
/// # Safety
/// `text` is NULL or ends with a NUL.
pub(super) unsafe fn optional<'a>(text: *const c_char, name: &str) -> Result<Option<&'a str>, Failure> {
    // SAFETY: by contract.
    (!text.is_null()).then(|| unsafe { view::text(text, name) }).transpose()
}

/// Writes a force at `time` \[s\] to `value`: one number for FOURBAR_FORCE_LINE and FOURBAR_FORCE_AXIAL_TORQUE, six for FOURBAR_FORCE_GENERAL
/// (the force, then the torque), else three \[N, N m\]. `arguments` are
/// the `count` measures and inputs that it was given for. Returns 0; a positive number where the point lies outside of its domain, so
/// that a shorter step may avoid it; a negative one to stop the run (`fourbar_callback_error` says why). A NaN counts as outside of the
/// domain. Threads that share the mechanism call it at the same time; it must not call back into the handle that is at work, must not throw
/// or jump out, and gives the same for the same arguments.
#[allow(non_camel_case_types)]
pub type fourbar_force_function = Option<
    unsafe extern "C" fn(user: *mut c_void, time: f64, arguments: *const f64, count: usize, value: *mut f64) -> i32,
>;

/// Writes the partial derivatives of a force by its arguments to `partials`: by the first argument one number, three or six, then by the second, ...
/// Returns as `fourbar_force_function`.
#[allow(non_camel_case_types)]
pub type fourbar_force_partials = Option<
    unsafe extern "C" fn(user: *mut c_void, time: f64, arguments: *const f64, count: usize, partials: *mut f64) -> i32,
>;

pub(super) type CForce = unsafe extern "C" fn(*mut c_void, f64, *const f64, usize, *mut f64) -> i32;
pub(super) type CPartials = CForce;

/// Lets a force of the model (of any kind but springs) be computed by `function` in place of its expressions, of the `count` `arguments`: names of
/// measured scalars (positions, velocities, angles, distances and their rates) and inputs. `partials` (NULL: they are differenced) are its
/// derivatives. With `function` NULL the expressions are in force again.
///
/// Errors: `FOURBAR_NULL`, `FOURBAR_TEXT`. A force or an argument that the model does not have is an error of `fourbar_model_compile`.
///
/// # Safety
/// `model` is NULL or alive; texts are NULL or end with a NUL; `arguments` is NULL or has `count` of them; the functions may be called with `user`
/// as long as anything compiled from the model lives.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fourbar_model_set_force_function(
    model: *mut fourbar_model,
    name: *const c_char,
    arguments: *const *const c_char,
    count: usize,
    function: fourbar_force_function,
    partials: fourbar_force_partials,
    user: *mut c_void,
) -> fourbar_status {
    // SAFETY: by contract.
    unsafe {
        with(model, |draft| {
            let name = view::text(name, "name")?;
            let Some(value) = function else {
                draft.functions.forces.remove(name);
                return Ok(());
            };
            let arguments = view::slice(arguments, count, "arguments")?;
            let arguments = view::texts(arguments, "arguments")?;
            let element = format!("force \"{name}\"");
            let function = Arc::new(HostForce { element, value, partials, user: User(user) });
            draft.functions.forces.insert(name.to_owned(), host::HostForce { arguments, function });
            Ok(())
        })
    }
}
