//! Measures of a model: results by name.

use std::ffi::c_char;

use fourbar::mechanism::{ContactMeasure, ContactQuantity};
use fourbar::multibody::model::{
    Component, EnergyMeasure, ExpressionMeasure, MarkerRef, Measure, MeasureKind, PairMeasure, Quantity,
    ReactionMeasure, VectorMeasure,
};

use super::force::optional;
use super::joint::{choose, expression};
use super::model::{fourbar_model, with};
use crate::abi::error::Failure;
use crate::abi::options::{self, Grows};
use crate::abi::status::fourbar_status;
use crate::abi::{guard, view};

/// What is measured.
#[allow(non_camel_case_types)]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(i32)]
pub enum fourbar_measure_kind {
    /// Vector from the origin of J to that of I \[m\].
    FOURBAR_MEASURE_POSITION = 1,
    /// Velocity of the origin of I against that of J \[m/s\].
    FOURBAR_MEASURE_VELOCITY = 2,
    /// Acceleration of the origin of I against that of J \[m/s^2\].
    FOURBAR_MEASURE_ACCELERATION = 3,
    /// Angular velocity of I against J \[rad/s\].
    FOURBAR_MEASURE_ANGULAR_VELOCITY = 4,
    /// Angular acceleration of I against J \[rad/s^2\].
    FOURBAR_MEASURE_ANGULAR_ACCELERATION = 5,
    /// Angle from x of J to x of I about z of J, full turns counted \[rad\].
    FOURBAR_MEASURE_ANGLE = 6,
    /// Distance of the origins \[m\].
    FOURBAR_MEASURE_DISTANCE = 7,
    /// Rate of their distance \[m/s\].
    FOURBAR_MEASURE_DISTANCE_RATE = 8,
    /// Force of the joint `owner` on the body of its marker I \[N\].
    FOURBAR_MEASURE_JOINT_FORCE = 9,
    /// Torque of the joint `owner` on the body of its marker I, about its origin \[N m\].
    FOURBAR_MEASURE_JOINT_TORQUE = 10,
    /// Force of the motion `owner` \[N\].
    FOURBAR_MEASURE_MOTION_FORCE = 11,
    /// Torque of the motion `owner` \[N m\].
    FOURBAR_MEASURE_MOTION_TORQUE = 12,
    /// Kinetic energy \[J\].
    FOURBAR_MEASURE_KINETIC_ENERGY = 13,
    /// Potential energy of gravity and springs \[J\].
    FOURBAR_MEASURE_POTENTIAL_ENERGY = 14,
    /// Sum of both \[J\].
    FOURBAR_MEASURE_TOTAL_ENERGY = 15,
    /// `expression` of `time`, other measures, inputs and parameters.
    FOURBAR_MEASURE_EXPRESSION = 16,
    /// Gap of the contact `owner` \[m\].
    FOURBAR_MEASURE_CONTACT_GAP = 17,
    /// Speed with which its gap closes \[m/s\].
    FOURBAR_MEASURE_CONTACT_CLOSING_SPEED = 18,
    /// Its normal force \[N\].
    FOURBAR_MEASURE_CONTACT_NORMAL_FORCE = 19,
    /// Size of its sliding friction \[N\].
    FOURBAR_MEASURE_CONTACT_FRICTION_FORCE = 20,
    /// Its normal impulse since the measures were read before \[N s\].
    FOURBAR_MEASURE_CONTACT_NORMAL_IMPULSE = 21,
}

/// Components of a vector.
#[allow(non_camel_case_types)]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(i32)]
pub enum fourbar_component {
    /// Three measures: "name.x", "name.y", "name.z".
    FOURBAR_COMPONENT_ALL = 0,
    /// The first.
    FOURBAR_COMPONENT_X = 1,
    /// The second.
    FOURBAR_COMPONENT_Y = 2,
    /// The third.
    FOURBAR_COMPONENT_Z = 3,
    /// The length.
    FOURBAR_COMPONENT_MAGNITUDE = 4,
}

/// A measure; set by `fourbar_measure_init` first. Texts are copied.
#[allow(non_camel_case_types)]
#[derive(Debug, Clone, Copy)]
#[repr(C)]
pub struct fourbar_measure {
    /// sizeof(fourbar_measure).
    pub struct_size: usize,
    /// Name, unique among measures: letters, digits, _ and ., beginning with a letter.
    pub name: *const c_char,
    /// A value of `fourbar_measure_kind`.
    pub kind: i32,
    /// Of vectors: a value of `fourbar_component`; `FOURBAR_COMPONENT_ALL` by default.
    pub component: i32,
    /// Marker I: the name of a marker or of a body.
    pub i: *const c_char,
    /// Marker J; NULL (the default): the global frame.
    pub j: *const c_char,
    /// Of vectors: the marker in whose axes the components are written; NULL (the default): the global frame.
    pub frame: *const c_char,
    /// The joint, motion or contact that is measured.
    pub owner: *const c_char,
    /// Of FOURBAR_MEASURE_EXPRESSION.
    pub expression: *const c_char,
    /// Its unit; NULL (the default): a bare number.
    pub unit: *const c_char,
}

// SAFETY: numbers and pointers, the size first.
unsafe impl Grows for fourbar_measure {
    const NAME: &'static str = "fourbar_measure";
    const FIRST: usize = size_of::<Self>();

    fn defaults() -> Self {
        let none = std::ptr::null();
        Self {
            struct_size: size_of::<Self>(),
            name: none,
            kind: 0,
            component: fourbar_component::FOURBAR_COMPONENT_ALL as i32,
            i: none,
            j: none,
            frame: none,
            owner: none,
            expression: none,
            unit: none,
        }
    }
}

/// Sets the defaults; `size` is sizeof(fourbar_measure).
///
/// Errors: `FOURBAR_NULL`, `FOURBAR_STRUCT_SIZE`.
///
/// # Safety
/// `measure` is NULL or has `size` bytes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fourbar_measure_init(measure: *mut fourbar_measure, size: usize) -> fourbar_status {
    // SAFETY: by contract.
    guard::guard(|| unsafe { options::write(measure, size, &fourbar_measure::defaults()) })
}

/// Adds a measure.
///
/// Errors: `FOURBAR_NULL`, `FOURBAR_STRUCT_SIZE`, `FOURBAR_TEXT`, `FOURBAR_INVALID` for an unknown kind or component or an expression with an error.
///
/// # Safety
/// `model` is NULL or alive; `measure` is NULL or a struct of the size it says, its texts NULL or ending with a NUL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fourbar_model_add_measure(
    model: *mut fourbar_model,
    measure: *const fourbar_measure,
) -> fourbar_status {
    // SAFETY: by contract.
    unsafe {
        with(model, |draft| {
            view::reference(measure, "measure")?;
            let given = options::read(measure)?;
            let name = view::text(given.name, "name")?.to_owned();
            match quantity(given.kind) {
                Some(quantity) => {
                    let contact = view::text(given.owner, "owner")?.to_owned();
                    draft.change().measures.push(ContactMeasure { name, contact, quantity });
                }
                None => {
                    let kind = of_mechanism(&given)?;
                    draft.change().model.measures.push(Measure { name, kind });
                }
            }
            Ok(())
        })
    }
}

/// What of a contact is measured, if it is one.
fn quantity(kind: i32) -> Option<ContactQuantity> {
    use fourbar_measure_kind as K;
    let all = [
        (K::FOURBAR_MEASURE_CONTACT_GAP, ContactQuantity::Gap),
        (K::FOURBAR_MEASURE_CONTACT_CLOSING_SPEED, ContactQuantity::ClosingSpeed),
        (K::FOURBAR_MEASURE_CONTACT_NORMAL_FORCE, ContactQuantity::NormalForce),
        (K::FOURBAR_MEASURE_CONTACT_FRICTION_FORCE, ContactQuantity::FrictionForce),
        (K::FOURBAR_MEASURE_CONTACT_NORMAL_IMPULSE, ContactQuantity::NormalImpulse),
    ];
    all.iter().find(|(own, _)| *own as i32 == kind).map(|(_, quantity)| *quantity)
}

/// Kinds of measures of a mechanism, in the order of their numbers.
const OF_MECHANISM: [fourbar_measure_kind; 16] = {
    use fourbar_measure_kind as K;
    [
        K::FOURBAR_MEASURE_POSITION,
        K::FOURBAR_MEASURE_VELOCITY,
        K::FOURBAR_MEASURE_ACCELERATION,
        K::FOURBAR_MEASURE_ANGULAR_VELOCITY,
        K::FOURBAR_MEASURE_ANGULAR_ACCELERATION,
        K::FOURBAR_MEASURE_ANGLE,
        K::FOURBAR_MEASURE_DISTANCE,
        K::FOURBAR_MEASURE_DISTANCE_RATE,
        K::FOURBAR_MEASURE_JOINT_FORCE,
        K::FOURBAR_MEASURE_JOINT_TORQUE,
        K::FOURBAR_MEASURE_MOTION_FORCE,
        K::FOURBAR_MEASURE_MOTION_TORQUE,
        K::FOURBAR_MEASURE_KINETIC_ENERGY,
        K::FOURBAR_MEASURE_POTENTIAL_ENERGY,
        K::FOURBAR_MEASURE_TOTAL_ENERGY,
        K::FOURBAR_MEASURE_EXPRESSION,
    ]
};

/// # Safety
/// The texts of `given` are NULL or end with a NUL.
unsafe fn of_mechanism(given: &fourbar_measure) -> Result<MeasureKind, Failure> {
    use MeasureKind as K;
    use fourbar_measure_kind as N;
    // SAFETY: by contract.
    unsafe {
        let component = component(given.component)?;
        let marker =
            |text, name| -> Result<Option<MarkerRef>, Failure> { Ok(optional(text, name)?.map(MarkerRef::from)) };
        let (j, frame) = (marker(given.j, "j")?, marker(given.frame, "frame")?);
        let i = || -> Result<MarkerRef, Failure> { Ok(view::text(given.i, "i")?.into()) };
        let vector = || -> Result<_, Failure> {
            Ok(VectorMeasure { i: i()?, j: j.clone(), frame: frame.clone(), component, seen_from: None })
        };
        let pair = || -> Result<_, Failure> { Ok(PairMeasure { i: i()?, j: j.clone() }) };
        let reaction = |motion: bool, quantity| -> Result<_, Failure> {
            let owner = Some(view::text(given.owner, "owner")?.to_owned());
            let (joint, motion) = if motion { (None, owner) } else { (owner, None) };
            Ok(K::Reaction(ReactionMeasure {
                joint,
                motion,
                quantity,
                frame: frame.clone(),
                component,
                force: None,
                coupler: None,
                gear: None,
                rack_and_pinion: None,
                point_on_curve: None,
                curve_on_curve: None,
                constraint: None,
            }))
        };
        Ok(match choose("kind", "fourbar_measure_kind", given.kind, &OF_MECHANISM)? {
            N::FOURBAR_MEASURE_POSITION => K::Position(vector()?),
            N::FOURBAR_MEASURE_VELOCITY => K::Velocity(vector()?),
            N::FOURBAR_MEASURE_ACCELERATION => K::Acceleration(vector()?),
            N::FOURBAR_MEASURE_ANGULAR_VELOCITY => K::AngularVelocity(vector()?),
            N::FOURBAR_MEASURE_ANGULAR_ACCELERATION => K::AngularAcceleration(vector()?),
            N::FOURBAR_MEASURE_ANGLE => K::Angle(pair()?),
            N::FOURBAR_MEASURE_DISTANCE => K::Distance(pair()?),
            N::FOURBAR_MEASURE_DISTANCE_RATE => K::DistanceRate(pair()?),
            N::FOURBAR_MEASURE_JOINT_FORCE => reaction(false, Quantity::Force)?,
            N::FOURBAR_MEASURE_JOINT_TORQUE => reaction(false, Quantity::Torque)?,
            N::FOURBAR_MEASURE_MOTION_FORCE => reaction(true, Quantity::Force)?,
            N::FOURBAR_MEASURE_MOTION_TORQUE => reaction(true, Quantity::Torque)?,
            N::FOURBAR_MEASURE_KINETIC_ENERGY => K::KineticEnergy(EnergyMeasure::default()),
            N::FOURBAR_MEASURE_POTENTIAL_ENERGY => K::PotentialEnergy(EnergyMeasure::default()),
            N::FOURBAR_MEASURE_TOTAL_ENERGY => K::TotalEnergy(EnergyMeasure::default()),
            // An expression is what is left.
            _ => K::Expression(ExpressionMeasure {
                expression: expression(given.expression, "expression")?,
                unit: optional(given.unit, "unit")?.unwrap_or_default().to_owned(),
            }),
        })
    }
}

fn component(value: i32) -> Result<Option<Component>, Failure> {
    if value == 0 {
        return Ok(None);
    }
    let all = [Component::X, Component::Y, Component::Z, Component::Magnitude];
    choose("component", "fourbar_component", value, &all).map(Some)
}
