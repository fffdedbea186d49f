//! Joints and motions of a model.

use std::ffi::{c_char, c_void};
use std::sync::Arc;

use fourbar::multibody::expression::{Expression, nearest_name};
use fourbar::multibody::model::{InitialConditions, Joint, JointKind, MarkerRef, Motion, MotionDirection};

use super::callback::HostMotion;
use super::model::{fourbar_model, number, with};
use crate::abi::callback::User;
use crate::abi::error::Failure;
use crate::abi::options::{self, Grows};
use crate::abi::status::fourbar_status;
use crate::abi::{guard, view};

/// Kinds of joints. In brackets the degrees of freedom that they take away. Axes are those of the marker J.
#[allow(non_camel_case_types)]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(i32)]
pub enum fourbar_joint_kind {
    /// Turning about z \[5\].
    FOURBAR_JOINT_REVOLUTE = 1,
    /// Sliding along z without turning \[5\].
    FOURBAR_JOINT_PRISMATIC = 2,
    /// Sliding along z and turning about it \[4\].
    FOURBAR_JOINT_CYLINDRICAL = 3,
    /// Origins coincide \[3\].
    FOURBAR_JOINT_SPHERICAL = 4,
    /// Origins coincide, z of I is perpendicular to z of J \[4\].
    FOURBAR_JOINT_UNIVERSAL = 5,
    /// The origin of I stays in the x-y plane of J, z axes are parallel \[3\].
    FOURBAR_JOINT_PLANAR = 6,
    /// Nothing moves \[6\].
    FOURBAR_JOINT_FIXED = 7,
    /// The origin of I stays on the z axis of J \[2\].
    FOURBAR_JOINT_INLINE = 8,
    /// The origin of I stays in the x-y plane of J \[1\].
    FOURBAR_JOINT_INPLANE = 9,
    /// z axes are parallel \[2\].
    FOURBAR_JOINT_PARALLEL_AXES = 10,
    /// z axes are perpendicular \[1\].
    FOURBAR_JOINT_PERPENDICULAR = 11,
    /// All axes are parallel \[3\].
    FOURBAR_JOINT_ORIENTATION = 12,
    /// Origins keep their distance \[1\].
    FOURBAR_JOINT_DISTANCE = 13,
    /// Turning about z and sliding along it by the pitch a turn \[5\].
    FOURBAR_JOINT_SCREW = 14,
    /// Origins coincide, I turns about its z axis as fast as J about its own \[4\].
    FOURBAR_JOINT_CONSTANT_VELOCITY = 15,
    /// Origins coincide, x of I is perpendicular to y of J \[4\].
    FOURBAR_JOINT_HOOKE = 16,
}

fn joint_kind(value: i32) -> Result<JointKind, Failure> {
    use JointKind as K;
    let kinds = [
        K::Revolute,
        K::Prismatic,
        K::Cylindrical,
        K::Spherical,
        K::Universal,
        K::Planar,
        K::Fixed,
        K::Inline,
        K::Inplane,
        K::ParallelAxes,
        K::Perpendicular,
        K::Orientation,
        K::Distance,
        K::Screw,
        K::ConstantVelocity,
        K::Hooke,
    ];
    choose("kind", "fourbar_joint_kind", value, &kinds)
}

/// The value of number `value`, counted from 1.
pub(crate) fn choose<T: Copy>(name: &str, of: &str, value: i32, all: &[T]) -> Result<T, Failure> {
    let index = usize::try_from(value).ok().and_then(|value| value.checked_sub(1));
    index
        .and_then(|index| all.get(index))
        .copied()
        .ok_or_else(|| Failure::new(fourbar_status::FOURBAR_INVALID, format!("{name} is {value}, which is no {of}")))
}

/// Adds a joint of a `kind` (a value of `fourbar_joint_kind`) between the markers `i` and `j`, each the name of a marker or of a body, or
/// "ground". Reactions are reported as acting on the body of I. `length` is the distance of a FOURBAR_JOINT_DISTANCE \[m\], 0 for that
/// at the start, or the pitch of a FOURBAR_JOINT_SCREW [m in a turn], negative for a left-handed thread; for the other kinds it is 0.
///
/// Errors: `FOURBAR_NULL`, `FOURBAR_TEXT`, `FOURBAR_NOT_FINITE`, `FOURBAR_INVALID` for an unknown kind.
///
/// # Safety
/// `model` is NULL or alive; texts are NULL or end with a NUL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fourbar_model_add_joint(
    model: *mut fourbar_model,
    name: *const c_char,
    kind: i32,
    i: *const c_char,
    j: *const c_char,
    length: f64,
) -> fourbar_status {
    // SAFETY: by contract.
    unsafe {
        with(model, |draft| {
            let size = (number(length, "length")? != 0.0).then(|| Expression::constant(length));
            let kind = joint_kind(kind)?;
            let (length, pitch) = if kind == JointKind::Screw { (None, size) } else { (size, None) };
            let joint = Joint {
                name: view::text(name, "name")?.to_owned(),
                kind,
                i: view::text(i, "i")?.into(),
                j: view::text(j, "j")?.into(),
                length,
                pitch,
                initial: InitialConditions::default(),
            };
            draft.change().model.joints.push(joint);
            Ok(())
        })
    }
}

/// Where the coordinates of a joint are at the start, and how fast, of marker I against marker J; set by `fourbar_joint_initial_init` first. NaN
/// (the default of each) leaves a coordinate free.
#[allow(non_camel_case_types)]
#[derive(Debug, Clone, Copy)]
#[repr(C)]
pub struct fourbar_joint_initial {
    /// sizeof(fourbar_joint_initial).
    pub struct_size: usize,
    /// Angle about z of J \[rad\]: revolute, cylindrical, screw, planar, parallel axes.
    pub angle: f64,
    /// Displacement along z of J \[m\]: prismatic, cylindrical, screw, inline.
    pub displacement: f64,
    /// Rate of the angle \[rad/s\].
    pub angular_velocity: f64,
    /// Rate of the displacement \[m/s\].
    pub velocity: f64,
}

// SAFETY: numbers, the size first.
unsafe impl Grows for fourbar_joint_initial {
    const NAME: &'static str = "fourbar_joint_initial";
    const FIRST: usize = size_of::<Self>();

    fn defaults() -> Self {
        let free = f64::NAN;
        let struct_size = size_of::<Self>();
        Self { struct_size, angle: free, displacement: free, angular_velocity: free, velocity: free }
    }
}

/// Sets the defaults; `size` is sizeof(fourbar_joint_initial).
///
/// Errors: `FOURBAR_NULL`, `FOURBAR_STRUCT_SIZE`.
///
/// # Safety
/// `initial` is NULL or has `size` bytes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fourbar_joint_initial_init(
    initial: *mut fourbar_joint_initial,
    size: usize,
) -> fourbar_status {
    // SAFETY: by contract.
    guard::guard(|| unsafe { options::write(initial, size, &fourbar_joint_initial::defaults()) })
}

/// Gives the joint of that name its initial conditions, in place of those it had; NULL: none. Assembly keeps them exactly. Coordinates that the
/// joint does not have, or that motions or other joints determine otherwise, are an error of `fourbar_model_compile`.
///
/// Errors: `FOURBAR_NULL`, `FOURBAR_STRUCT_SIZE`, `FOURBAR_TEXT`, `FOURBAR_NOT_FINITE` for infinity; `FOURBAR_NO_SUCH_NAME` with the nearest name.
///
/// # Safety
/// `model` is NULL or alive; `joint` is NULL or ends with a NUL; `initial` is NULL or a struct of the size it says.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fourbar_model_set_joint_initial(
    model: *mut fourbar_model,
    joint: *const c_char,
    initial: *const fourbar_joint_initial,
) -> fourbar_status {
    // SAFETY: by contract.
    unsafe {
        with(model, |draft| {
            let (name, given) = (view::text(joint, "joint")?, options::read(initial)?);
            let stated = |value: f64, what: &str| {
                if value.is_nan() {
                    Ok(None)
                } else {
                    number(value, what).map(|value| Some(Expression::constant(value)))
                }
            };
            let initial = InitialConditions {
                angle: stated(given.angle, "angle")?,
                displacement: stated(given.displacement, "displacement")?,
                angular_velocity: stated(given.angular_velocity, "angular_velocity")?,
                velocity: stated(given.velocity, "velocity")?,
            };
            let joints = &draft.whole.model.joints;
            let Some(index) = joints.iter().position(|known| known.name == name) else {
                let near = nearest_name(name, joints.iter().map(|known| known.name.as_str()));
                let remedy = near.map_or(String::new(), |near| format!("; did you mean \"{near}\"?"));
                let text = format!("the model has no joint \"{name}\"{remedy}");
                return Err(Failure::new(fourbar_status::FOURBAR_NO_SUCH_NAME, text));
            };
            draft.change().model.joints[index].initial = initial;
            Ok(())
        })
    }
}

/// Coordinates that a motion can prescribe; a limit of a contact takes the first three.
#[allow(non_camel_case_types)]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(i32)]
pub enum fourbar_direction {
    /// The only one of the joint.
    FOURBAR_DIRECTION_ONLY = 0,
    /// Turning about z of J.
    FOURBAR_DIRECTION_ROTATION = 1,
    /// Sliding along z of J.
    FOURBAR_DIRECTION_TRANSLATION = 2,
    /// Displacement along x of J.
    FOURBAR_DIRECTION_X = 3,
    /// Displacement along y of J.
    FOURBAR_DIRECTION_Y = 4,
    /// Displacement along z of J.
    FOURBAR_DIRECTION_Z = 5,
    /// First of three angles by which J turns to I, about x of J.
    FOURBAR_DIRECTION_ROTATION_X = 6,
    /// Second of them, about y turned by the first; between -90 and 90 degrees.
    FOURBAR_DIRECTION_ROTATION_Y = 7,
    /// Third of them, about z of I.
    FOURBAR_DIRECTION_ROTATION_Z = 8,
}

/// What a motion prescribes.
#[allow(non_camel_case_types)]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(i32)]
pub enum fourbar_motion_law {
    /// The coordinate \[rad, m\].
    FOURBAR_MOTION_DISPLACEMENT = 1,
    /// Its rate.
    FOURBAR_MOTION_VELOCITY = 2,
    /// Its second rate.
    FOURBAR_MOTION_ACCELERATION = 3,
}

/// A prescribed motion of a joint, or of marker `i` against marker `j`; set by `fourbar_motion_init` first. Texts and numbers are copied.
#[allow(non_camel_case_types)]
#[derive(Debug, Clone, Copy)]
#[repr(C)]
pub struct fourbar_motion {
    /// sizeof(fourbar_motion).
    pub struct_size: usize,
    /// Name, unique among motions.
    pub name: *const c_char,
    /// The joint; NULL where markers are given.
    pub joint: *const c_char,
    /// A value of `fourbar_direction`; `FOURBAR_DIRECTION_ONLY`, the default, is for revolute and prismatic joints.
    pub direction: i32,
    /// A value of `fourbar_motion_law`; `FOURBAR_MOTION_DISPLACEMENT` by default.
    pub law: i32,
    /// An expression of `time` and parameters; NULL (the default) where `function` is given.
    pub expression: *const c_char,
    /// Instead of `expression`; NULL by default.
    pub function: fourbar_motion_function,
    /// Passed to `function`.
    pub user: *mut c_void,
    /// With a velocity or an acceleration: the coordinate at the start \[rad, m\]; NaN (the default) as assembled.
    pub initial_displacement: f64,
    /// With an acceleration: the rate at the start \[rad/s, m/s\]; 0 by default.
    pub initial_velocity: f64,
    /// Instead of `joint`: marker I, the name of a marker or of a body, or "ground"; NULL by default.
    pub i: *const c_char,
    /// With `i`: marker J; NULL (the default) for the global frame.
    pub j: *const c_char,
}

/// Writes what a motion prescribes at `time` \[s\] and its first and second derivative with respect to time to `value`, three values. Returns 0,
/// or another number where it has none (`fourbar_callback_error` says why): a run ends where no shorter step avoids it. Threads that share
/// the mechanism call it at the same time.
#[allow(non_camel_case_types)]
pub type fourbar_motion_function = Option<unsafe extern "C" fn(user: *mut c_void, time: f64, value: *mut f64) -> i32>;

pub(super) type CMotion = unsafe extern "C" fn(*mut c_void, f64, *mut f64) -> i32;

// SAFETY: numbers, pointers and a function that may be NULL, the size first.
unsafe impl Grows for fourbar_motion {
    const NAME: &'static str = "fourbar_motion";
    const FIRST: usize = std::mem::offset_of!(Self, i);

    fn defaults() -> Self {
        Self {
            struct_size: size_of::<Self>(),
            name: std::ptr::null(),
            joint: std::ptr::null(),
            direction: fourbar_direction::FOURBAR_DIRECTION_ONLY as i32,
            law: fourbar_motion_law::FOURBAR_MOTION_DISPLACEMENT as i32,
            expression: std::ptr::null(),
            function: None,
            user: std::ptr::null_mut(),
            initial_displacement: f64::NAN,
            initial_velocity: 0.0,
            i: std::ptr::null(),
            j: std::ptr::null(),
        }
    }
}

/// Sets the defaults; `size` is sizeof(fourbar_motion).
///
/// Errors: `FOURBAR_NULL`, `FOURBAR_STRUCT_SIZE`.
///
/// # Safety
/// `motion` is NULL or has `size` bytes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fourbar_motion_init(motion: *mut fourbar_motion, size: usize) -> fourbar_status {
    // SAFETY: by contract.
    guard::guard(|| unsafe { options::write(motion, size, &fourbar_motion::defaults()) })
}

/// Adds a motion.
///
/// Errors: `FOURBAR_NULL` (neither an expression nor a function among them), `FOURBAR_STRUCT_SIZE`, `FOURBAR_TEXT`, `FOURBAR_NOT_FINITE`,
/// `FOURBAR_INVALID` for an unknown direction or law or an expression with an error.
///
/// # Safety
/// `model` is NULL or alive; `motion` is NULL or a struct of the size it says; its function may be called with `user` as long as anything
/// compiled from the model lives.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fourbar_model_add_motion(
    model: *mut fourbar_model,
    motion: *const fourbar_motion,
) -> fourbar_status {
    // SAFETY: by contract.
    unsafe {
        with(model, |draft| {
            view::reference(motion, "motion")?;
            let given = options::read(motion)?;
            let motion = read_motion(&given)?;
            if let Some(value) = given.function {
                let host = host(&motion.name, value, given.user);
                draft.functions.motions.insert(motion.name.clone(), host);
            }
            draft.change().model.motions.push(motion);
            Ok(())
        })
    }
}

const DIRECTIONS: [MotionDirection; 8] = {
    use MotionDirection as D;
    [D::Rotation, D::Translation, D::X, D::Y, D::Z, D::RotationX, D::RotationY, D::RotationZ]
};

/// # Safety
/// The texts of `given` are NULL or end with a NUL.
unsafe fn read_motion(given: &fourbar_motion) -> Result<Motion, Failure> {
    use fourbar_motion_law as L;
    let direction = match given.direction {
        0 => None,
        value => Some(choose("direction", "fourbar_direction", value, &DIRECTIONS)?),
    };
    // SAFETY: by contract.
    let (name, [joint, i, j], expression) = unsafe {
        let name = view::text(given.name, "name")?.to_owned();
        let optional = |text: *const c_char, name: &str| match text.is_null() {
            true => Ok(None),
            false => view::text(text, name).map(|text| Some(text.to_owned())),
        };
        if given.joint.is_null() && given.i.is_null() {
            view::text(given.joint, "joint")?;
        }
        let places = [optional(given.joint, "joint")?, optional(given.i, "i")?, optional(given.j, "j")?];
        // The function is asked, the expression is not.
        let host = given.function.is_some() && given.expression.is_null();
        (name, places, if host { Expression::constant(0.0) } else { expression(given.expression, "expression")? })
    };
    let initial = |value: f64, absent: bool| (!absent).then(|| Expression::constant(value));
    let mut motion = Motion {
        name,
        joint,
        i: i.as_deref().map(MarkerRef::from),
        j: j.as_deref().map(MarkerRef::from),
        direction,
        displacement: None,
        velocity: None,
        acceleration: None,
        initial_displacement: initial(given.initial_displacement, given.initial_displacement.is_nan()),
        initial_velocity: initial(number(given.initial_velocity, "initial_velocity")?, given.initial_velocity == 0.0),
    };
    let laws = [L::FOURBAR_MOTION_DISPLACEMENT, L::FOURBAR_MOTION_VELOCITY, L::FOURBAR_MOTION_ACCELERATION];
    match choose("law", "fourbar_motion_law", given.law, &laws)? {
        L::FOURBAR_MOTION_DISPLACEMENT => motion.displacement = Some(expression),
        L::FOURBAR_MOTION_VELOCITY => motion.velocity = Some(expression),
        L::FOURBAR_MOTION_ACCELERATION => motion.acceleration = Some(expression),
    }
    Ok(motion)
}

fn host(name: &str, value: CMotion, user: *mut c_void) -> Arc<HostMotion> {
    Arc::new(HostMotion { element: format!("motion \"{name}\""), value, user: User(user) })
}

/// Lets a motion of the model be computed by `function` in place of its expression, whatever that is; NULL gives it back.
///
/// Errors: `FOURBAR_NULL`, `FOURBAR_TEXT`. A motion that the model does not have is an error of `fourbar_model_compile`.
///
/// # Safety
/// `model` is NULL or alive; `name` is NULL or ends with a NUL; the function may be called with `user` as long as anything compiled from the
/// model lives.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fourbar_model_set_motion_function(
    model: *mut fourbar_model,
    name: *const c_char,
    function: fourbar_motion_function,
    user: *mut c_void,
) -> fourbar_status {
    // SAFETY: by contract.
    unsafe {
        with(model, |draft| {
            let name = view::text(name, "name")?;
            match function {
                Some(value) => drop(draft.functions.motions.insert(name.to_owned(), host(name, value, user))),
                None => drop(draft.functions.motions.remove(name)),
            }
            Ok(())
        })
    }
}

/// An expression from a text.
///
/// # Safety
/// `text` is NULL or ends with a NUL.
pub(super) unsafe fn expression(text: *const c_char, name: &str) -> Result<Expression, Failure> {
    // SAFETY: by contract.
    let text = unsafe { view::text(text, name) }?;
    Expression::parse(text).map_err(|error| Failure::new(fourbar_status::FOURBAR_INVALID, format!("'{name}': {error}")))
}
