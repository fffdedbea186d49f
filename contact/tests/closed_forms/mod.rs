//! The closed forms of dynamics with contacts by time stepping: every scheme, at four steps, on contacts compiled from models.
//!
//! `cargo test -p fourbar-contact --test all closed_forms:: -- --nocapture` prints the errors and the orders fitted to them
//! (docs/contact-tests.md lists them).

mod bounces;
mod polygons;
pub(crate) mod scenes;
mod slides;
mod spins;
mod stands;
pub(crate) mod tools;
