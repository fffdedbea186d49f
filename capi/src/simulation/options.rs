//! How a mechanism is followed in time.

use fourbar::mechanism::ContactMethod;
use fourbar::multibody::{Formulation, Method};
use fourbar::run::Overrides;
use fourbar::{Error, contact, multibody};

use crate::abi::error::Failure;
use crate::abi::guard;
use crate::abi::options::{self, Grows, unless_zero};
use crate::abi::status::fourbar_status;
use crate::problem::options::{fourbar_integration_options, method_of};
use crate::simulation::formulation::fourbar_formulation;

/// How contacts are followed.
#[allow(non_camel_case_types)]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(i32)]
pub enum fourbar_following {
    /// As the model says.
    FOURBAR_FOLLOWING_MODEL = 0,
    /// Event by event: for few contacts, accurate.
    FOURBAR_FOLLOWING_EVENT = 1,
    /// Fixed steps with gaps linearized: for many contacts.
    FOURBAR_FOLLOWING_GAP_LCP = 2,
    /// Fixed steps, impacts on velocities.
    FOURBAR_FOLLOWING_MOREAU_JEAN = 3,
    /// Fixed steps, positions and velocities both satisfied.
    FOURBAR_FOLLOWING_GGL = 4,
}

/// Options of a simulation, which take precedence over the settings of the model; set by `fourbar_simulation_options_init` first. A zero says "as the
/// model has it". What the method does not have is refused.
#[allow(non_camel_case_types)]
#[derive(Debug, Clone, Copy)]
#[repr(C)]
pub struct fourbar_simulation_options {
    /// sizeof(fourbar_simulation_options).
    pub struct_size: usize,
    /// A value of `fourbar_integrator`; 0 by default. Not with contacts.
    pub integrator: i32,
    /// A value of `fourbar_formulation`; 0 by default. Not of RKF45 and ABAM.
    pub formulation: i32,
    /// A value of `fourbar_following`; 0 by default. With contacts alone.
    pub following: i32,
    /// Highest order: of GSTIFF, WSTIFF, DSTIFF and CONSTANT_BDF 1 to 6, of ABAM 1 to 12; 0 by default. Not of RKF45 and HHT.
    pub order_max: u32,
    /// Relative tolerance of the local error, 1e-14 to 0.1; 0 by default. Not of fixed steps.
    pub tolerance: f64,
    /// Longest step \[s\]; 0 by default. Not of fixed steps.
    pub largest_step: f64,
    /// Step of the methods with fixed steps \[s\]; 0 by default. A way that it does not divide is made in equal shorter steps.
    pub fixed_step: f64,
    /// Most steps; 0 by default. Not with contacts.
    pub max_steps: u64,
    /// The integrator with all its options, in place of what the model and the fields above say of it: `integrator`, `order_max`, `tolerance`, `largest_step` and
    /// `max_steps` are 0 then. NULL by default. Its `absolutes` are those of the unknowns of the formulation. Not with contacts.
    pub integration: *const fourbar_integration_options,
}

// SAFETY: numbers and a pointer, the size first.
unsafe impl Grows for fourbar_simulation_options {
    const NAME: &'static str = "fourbar_simulation_options";
    const FIRST: usize = std::mem::offset_of!(Self, integration);

    fn defaults() -> Self {
        Self {
            struct_size: size_of::<Self>(),
            integrator: 0,
            formulation: 0,
            following: 0,
            order_max: 0,
            tolerance: 0.0,
            largest_step: 0.0,
            fixed_step: 0.0,
            max_steps: 0,
            integration: std::ptr::null(),
        }
    }
}

/// Sets the defaults: all as the model says; `size` is sizeof(fourbar_simulation_options).
///
/// Errors: `FOURBAR_NULL`, `FOURBAR_STRUCT_SIZE`.
///
/// # Safety
/// `options` is NULL or has `size` bytes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fourbar_simulation_options_init(
    options: *mut fourbar_simulation_options,
    size: usize,
) -> fourbar_status {
    // SAFETY: by contract.
    guard::guard(|| unsafe { options::write(options, size, &fourbar_simulation_options::defaults()) })
}

/// The integrator with all its options, if it is given.
///
/// # Safety
/// `given` is NULL or a struct of the size it says.
pub(super) unsafe fn integrator(given: *const fourbar_simulation_options) -> Result<Option<Method>, Failure> {
    // SAFETY: by contract.
    let given = unsafe { options::read(given) }?;
    if given.integration.is_null() {
        return Ok(None);
    }
    let others = [
        ("integrator", given.integrator != 0),
        ("order_max", given.order_max != 0),
        ("tolerance", given.tolerance != 0.0),
        ("largest_step", given.largest_step != 0.0),
        ("max_steps", given.max_steps != 0),
    ];
    if let Some((name, _)) = others.iter().find(|(_, set)| *set) {
        let text = format!("'integration' is given, and {name} too: leave {name} 0, or set it in 'integration' alone");
        return Err(Failure::new(fourbar_status::FOURBAR_INVALID, text));
    }
    // SAFETY: by contract. That there is a tolerance for each unknown is looked at where the integrator begins.
    unsafe {
        let unknowns = options::read(given.integration)?.absolutes_length;
        method_of(given.integration, unknowns).map(Some)
    }
}

/// # Safety
/// `given` is NULL or a struct of the size it says.
pub(super) unsafe fn overrides(given: *const fourbar_simulation_options) -> Result<Overrides, Failure> {
    // SAFETY: by contract.
    let given = unsafe { options::read(given) }?;
    let choice = |name: &str, value: i32, all: &[&'static str]| match usize::try_from(value) {
        Ok(0) => Ok(None),
        Ok(value) if value <= all.len() => Ok(Some(all[value - 1])),
        _ => {
            let text = format!("{name} is {value}; it must be from 0 to {}", all.len());
            Err(Failure::new(fourbar_status::FOURBAR_INVALID, text))
        }
    };
    let contacts = choice("following", given.following, &["event", "gap_lcp", "moreau_jean", "ggl"])?;
    let order = u8::try_from(given.order_max).map_err(|_| {
        let text = format!("order_max is {}; it must be from 1 to 12, or 0", given.order_max);
        Failure::new(fourbar_status::FOURBAR_INVALID, text)
    })?;
    Ok(Overrides {
        integrator: choice(
            "integrator",
            given.integrator,
            &["gstiff", "rkf45", "abam", "wstiff", "dstiff", "constant_bdf", "hht"],
        )?
        .map(str::to_owned),
        formulation: formulation(given.formulation)?,
        contacts: contacts.and_then(ContactMethod::from_name),
        tolerance: unless_zero("tolerance", given.tolerance)?,
        max_step: unless_zero("largest_step", given.largest_step)?,
        step: unless_zero("fixed_step", given.fixed_step)?,
        max_order: (order != 0).then_some(order),
        max_steps: (given.max_steps != 0).then_some(given.max_steps),
        ..Overrides::default()
    })
}

/// The name of a value of `fourbar_formulation` that simulations take.
fn formulation(value: i32) -> Result<Option<String>, Failure> {
    use fourbar_formulation as F;
    if value == F::FOURBAR_FORMULATION_MODEL as i32 {
        return Ok(None);
    }
    let known = [
        (F::FOURBAR_FORMULATION_I3, Formulation::I3),
        (F::FOURBAR_FORMULATION_SI2, Formulation::Si2),
        (F::FOURBAR_FORMULATION_SI1, Formulation::Si1),
    ];
    match known.iter().find(|(number, _)| *number as i32 == value) {
        Some((_, formulation)) => Ok(Some(formulation.name().to_owned())),
        None => {
            let text = format!("formulation is {value}; it must be 0, 1, 2 or 4");
            Err(Failure::new(fourbar_status::FOURBAR_INVALID, text))
        }
    }
}

/// An error over the options `given`, which names them as the struct does and not as settings of a model file.
pub(super) fn named_as_given(error: Error, given: &Overrides) -> Error {
    let names = [
        ("contacts", "following", given.contacts.is_some()),
        ("tolerance", "tolerance", given.tolerance.is_some()),
        ("max_step", "largest_step", given.max_step.is_some()),
        ("step", "fixed_step", given.step.is_some()),
        ("max_order", "order_max", given.max_order.is_some()),
        ("max_steps", "max_steps", given.max_steps.is_some()),
        ("formulation", "formulation", given.formulation.is_some()),
    ];
    let name = |own: &str| names.iter().find(|(known, _, given)| *given && *known == own).map(|(_, name, _)| *name);
    match error {
        Error::NotForKind { setting, kind } => Error::NotForKind { setting: name(setting).unwrap_or(setting), kind },
        Error::Multibody(multibody::Error::Model(mut model)) if model.location.section == "simulation" => {
            if let Some(name) = name(&model.location.field) {
                (model.location.section, model.location.field) = ("options of the simulation,", name.to_owned());
            }
            Error::Multibody(multibody::Error::Model(model))
        }
        Error::Contact(contact::Error::Option { name: own, value, remedy }) => {
            Error::Contact(contact::Error::Option { name: name(own).unwrap_or(own), value, remedy })
        }
        error => error,
    }
}
