//! What the middleware promises, requirement by requirement (R3 to R38 of the patent's description).

mod adaptive;
mod derivatives;
mod events;
mod exchange;
mod faults;
mod layers;
mod pacing;
pub(crate) mod parameters;
pub(crate) mod partners;
mod rates;
mod setup;
mod stiff;
mod threads;
