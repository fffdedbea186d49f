//! What sensors and elements with `active` did.

use std::ffi::c_char;

use fourbar::multibody::{SwitchEvent, SwitchKind};

use super::simulation::{fourbar_simulation, with};
use crate::abi::options::{self, Grows};
use crate::abi::status::fourbar_status;
use crate::abi::view;
use crate::model::mechanism::check_index;

/// What happened.
#[allow(non_camel_case_types)]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(i32)]
pub enum fourbar_switch_kind {
    /// A kind that the header does not know yet.
    FOURBAR_SWITCH_OTHER = 0,
    /// A sensor's expression rose through its value.
    FOURBAR_SWITCH_ROSE = 1,
    /// It fell through its value.
    FOURBAR_SWITCH_FELL = 2,
    /// A joint or motion began to hold.
    FOURBAR_SWITCH_LOCKED = 3,
    /// A joint or motion let go.
    FOURBAR_SWITCH_RELEASED = 4,
    /// A force began to act.
    FOURBAR_SWITCH_ACTIVATED = 5,
    /// A force ceased.
    FOURBAR_SWITCH_DEACTIVATED = 6,
    /// A parameter or input took another value.
    FOURBAR_SWITCH_SET = 7,
    /// A sensor ended the run: `fourbar_simulation_advance` goes no further.
    FOURBAR_SWITCH_STOPPED = 8,
}

/// An event of a sensor or of an element with `active`.
#[allow(non_camel_case_types)]
#[derive(Debug, Clone, Copy)]
#[repr(C)]
pub struct fourbar_switch_event {
    /// sizeof(fourbar_switch_event).
    pub struct_size: usize,
    /// Time \[s\].
    pub time: f64,
    /// A value of `fourbar_switch_kind`.
    pub kind: i32,
    /// Number of values that a sensor printed, or that were set.
    pub value_count: u32,
    /// Of a joint or motion that locked, the size of its impulse \[N s\].
    pub impulse: f64,
    /// Of such a one, the size of its angular impulse about the origin of marker I \[N m s\].
    pub angular_impulse: f64,
    /// Change of kinetic and potential energy by all that was switched at once \[J\], with the first.
    pub energy: f64,
}

// SAFETY: numbers, the size first.
unsafe impl Grows for fourbar_switch_event {
    const NAME: &'static str = "fourbar_switch_event";
    const FIRST: usize = size_of::<Self>();

    fn defaults() -> Self {
        Self {
            struct_size: size_of::<Self>(),
            time: 0.0,
            kind: fourbar_switch_kind::FOURBAR_SWITCH_OTHER as i32,
            value_count: 0,
            impulse: 0.0,
            angular_impulse: 0.0,
            energy: 0.0,
        }
    }
}

fn read(event: &SwitchEvent) -> fourbar_switch_event {
    use fourbar_switch_kind as K;
    let kind = match event.kind {
        SwitchKind::Rose => K::FOURBAR_SWITCH_ROSE,
        SwitchKind::Fell => K::FOURBAR_SWITCH_FELL,
        SwitchKind::Locked => K::FOURBAR_SWITCH_LOCKED,
        SwitchKind::Released => K::FOURBAR_SWITCH_RELEASED,
        SwitchKind::Activated => K::FOURBAR_SWITCH_ACTIVATED,
        SwitchKind::Deactivated => K::FOURBAR_SWITCH_DEACTIVATED,
        SwitchKind::Set => K::FOURBAR_SWITCH_SET,
        SwitchKind::Stopped => K::FOURBAR_SWITCH_STOPPED,
        _ => K::FOURBAR_SWITCH_OTHER,
    };
    fourbar_switch_event {
        time: event.time,
        kind: kind as i32,
        value_count: event.values.len() as u32,
        impulse: event.impulse,
        angular_impulse: event.angular_impulse,
        energy: event.energy,
        ..fourbar_switch_event::defaults()
    }
}

/// The number of events of sensors and elements with `active` so far, at most 10,000.
///
/// Errors: `FOURBAR_NULL`.
///
/// # Safety
/// `simulation` is NULL or alive; `count` is NULL or valid.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fourbar_simulation_switch_count(
    simulation: *const fourbar_simulation,
    count: *mut usize,
) -> fourbar_status {
    // SAFETY: by contract.
    unsafe { with(simulation, |simulation| view::write(count, simulation.switch_events().len(), "count")) }
}

/// Event `index`, in the order of time; `size` is sizeof(fourbar_switch_event). Its values go to `values`, as many as `length` has room for; NULL where
/// `length` is 0.
///
/// Errors: `FOURBAR_NULL`, `FOURBAR_STRUCT_SIZE`, `FOURBAR_INVALID` for an index beyond the last.
///
/// # Safety
/// `simulation` is NULL or alive; `out` is NULL or has `size` bytes; `values` is NULL or has `length` values.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fourbar_simulation_switch(
    simulation: *const fourbar_simulation,
    index: usize,
    out: *mut fourbar_switch_event,
    size: usize,
    values: *mut f64,
    length: usize,
) -> fourbar_status {
    // SAFETY: by contract.
    unsafe {
        with(simulation, |simulation| {
            check_index(index, simulation.switch_events().len(), "events")?;
            let event = &simulation.switch_events()[index];
            let values = view::slice_mut(values, length, "values")?;
            values.iter_mut().zip(&event.values).for_each(|(out, value)| *out = value.value);
            options::write(out, size, &read(event))
        })
    }
}

/// The sensor or element of event `index`, as `joint "clutch"`; buffers as for `fourbar_mechanism_name`.
///
/// Errors: `FOURBAR_NULL`, `FOURBAR_LENGTH`, `FOURBAR_INVALID` for an index beyond the last.
///
/// # Safety
/// `simulation` is NULL or alive; `buffer` is NULL or has `size` bytes; `needed` is NULL or valid.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fourbar_simulation_switch_text(
    simulation: *const fourbar_simulation,
    index: usize,
    buffer: *mut c_char,
    size: usize,
    needed: *mut usize,
) -> fourbar_status {
    // SAFETY: by contract.
    unsafe {
        with(simulation, |simulation| {
            check_index(index, simulation.switch_events().len(), "events")?;
            view::copy_text(&simulation.switch_events()[index].element, buffer, size, needed)
        })
    }
}
