//! What happened at contacts.

use std::ffi::c_char;

use fourbar::simulation::{Event, EventKind};

use super::simulation::{fourbar_simulation, with};
use crate::abi::options::{self, Grows};
use crate::abi::status::fourbar_status;
use crate::abi::view;
use crate::model::mechanism::check_index;

/// Kinds of events.
#[allow(non_camel_case_types)]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(i32)]
pub enum fourbar_event_kind {
    /// A kind that the header does not know yet.
    FOURBAR_EVENT_OTHER = 0,
    /// A contact closed with a velocity, and an impulse ended it.
    FOURBAR_EVENT_IMPACT = 1,
    /// A contact stays closed from now on.
    FOURBAR_EVENT_CLOSED = 2,
    /// A contact opens.
    FOURBAR_EVENT_OPENED = 3,
    /// Friction stopped slipping.
    FOURBAR_EVENT_STUCK = 4,
    /// Friction began to slip.
    FOURBAR_EVENT_SLIPPED = 5,
    /// Infinitely many impacts, passed in closed form; the contact rests from here on.
    FOURBAR_EVENT_ACCUMULATION = 6,
    /// A sliding contact jammed: an impulse without collision.
    FOURBAR_EVENT_PAINLEVE_SHOCK = 7,
}

/// An event.
#[allow(non_camel_case_types)]
#[derive(Debug, Clone, Copy)]
#[repr(C)]
pub struct fourbar_contact_event {
    /// sizeof(fourbar_contact_event).
    pub struct_size: usize,
    /// Time \[s\].
    pub time: f64,
    /// A value of `fourbar_event_kind`.
    pub kind: i32,
    /// Contact, an index of FOURBAR_PART_CONTACT.
    pub contact: u32,
    /// Which of its features, such as the corner of a box.
    pub feature: u64,
    /// Closing speed before, not negative \[m/s\].
    pub closing_speed: f64,
    /// Normal impulse \[N s\].
    pub impulse: f64,
    /// Change of the kinetic energy by the whole impact \[J\], with the first of its contacts.
    pub energy: f64,
}

// SAFETY: numbers, the size first.
unsafe impl Grows for fourbar_contact_event {
    const NAME: &'static str = "fourbar_contact_event";
    const FIRST: usize = size_of::<Self>();

    fn defaults() -> Self {
        Self {
            struct_size: size_of::<Self>(),
            time: 0.0,
            kind: fourbar_event_kind::FOURBAR_EVENT_OTHER as i32,
            contact: 0,
            feature: 0,
            closing_speed: 0.0,
            impulse: 0.0,
            energy: 0.0,
        }
    }
}

fn read(event: &Event) -> fourbar_contact_event {
    use fourbar_event_kind as K;
    let kind = match event.kind {
        EventKind::Impact(_) => K::FOURBAR_EVENT_IMPACT,
        EventKind::Closed => K::FOURBAR_EVENT_CLOSED,
        EventKind::Opened => K::FOURBAR_EVENT_OPENED,
        EventKind::Stuck(_) => K::FOURBAR_EVENT_STUCK,
        EventKind::Slipped(_) => K::FOURBAR_EVENT_SLIPPED,
        EventKind::Accumulation => K::FOURBAR_EVENT_ACCUMULATION,
        EventKind::PainleveShock => K::FOURBAR_EVENT_PAINLEVE_SHOCK,
    };
    fourbar_contact_event {
        time: event.time,
        kind: kind as i32,
        contact: event.contact.pair,
        feature: event.contact.feature,
        closing_speed: event.closing_speed,
        impulse: event.impulse,
        energy: event.energy,
        ..fourbar_contact_event::defaults()
    }
}

/// The number of events since `fourbar_simulation_clear_events`; 0 where contacts are not followed event by event.
///
/// Errors: `FOURBAR_NULL`.
///
/// # Safety
/// `simulation` is NULL or alive; `count` is NULL or valid.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fourbar_simulation_event_count(
    simulation: *const fourbar_simulation,
    count: *mut usize,
) -> fourbar_status {
    // SAFETY: by contract.
    unsafe { with(simulation, |simulation| view::write(count, simulation.events().len(), "count")) }
}

/// Event `index`, in the order of time; `size` is sizeof(fourbar_contact_event).
///
/// Errors: `FOURBAR_NULL`, `FOURBAR_STRUCT_SIZE`, `FOURBAR_INVALID` for an index beyond the last.
///
/// # Safety
/// `simulation` is NULL or alive; `out` is NULL or has `size` bytes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fourbar_simulation_event(
    simulation: *const fourbar_simulation,
    index: usize,
    out: *mut fourbar_contact_event,
    size: usize,
) -> fourbar_status {
    // SAFETY: by contract.
    unsafe {
        with(simulation, |simulation| {
            check_index(index, simulation.events().len(), "events")?;
            options::write(out, size, &read(&simulation.events()[index]))
        })
    }
}

/// What touches in event `index`, for people; buffers as for `fourbar_mechanism_name`.
///
/// Errors: `FOURBAR_NULL`, `FOURBAR_LENGTH`, `FOURBAR_INVALID` for an index beyond the last.
///
/// # Safety
/// `simulation` is NULL or alive; `buffer` is NULL or has `size` bytes; `needed` is NULL or valid.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fourbar_simulation_event_text(
    simulation: *const fourbar_simulation,
    index: usize,
    buffer: *mut c_char,
    size: usize,
    needed: *mut usize,
) -> fourbar_status {
    // SAFETY: by contract.
    unsafe {
        with(simulation, |simulation| {
            check_index(index, simulation.events().len(), "events")?;
            let contact = simulation.events()[index].contact;
            let text = simulation.compiled().contacts().map_or(String::new(), |contacts| contacts.describe(contact));
            view::copy_text(&text, buffer, size, needed)
        })
    }
}

/// Forgets the events.
///
/// Errors: `FOURBAR_NULL`.
///
/// # Safety
/// `simulation` is NULL or alive.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn fourbar_simulation_clear_events(simulation: *mut fourbar_simulation) -> fourbar_status {
    // SAFETY: by contract.
    unsafe {
        with(simulation, |simulation| {
            simulation.clear_events();
            Ok(())
        })
    }
}
