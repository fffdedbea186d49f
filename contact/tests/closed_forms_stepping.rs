//! The closed forms of dynamics with contacts by time stepping: every scheme, at four steps, on contacts compiled from models.
//!
//! `cargo test -p fourbar-contact --test closed_forms_stepping -- --nocapture` prints the errors and the orders fitted to them
//! (docs/contact.md lists them).

mod support;

#[path = "closed_forms/bounces.rs"]
mod bounces;
#[path = "closed_forms/polygons.rs"]
mod polygons;
#[path = "closed_forms/scenes.rs"]
mod scenes;
#[path = "closed_forms/slides.rs"]
mod slides;
#[path = "closed_forms/spins.rs"]
mod spins;
#[path = "closed_forms/stands.rs"]
mod stands;
#[path = "closed_forms/tools.rs"]
mod tools;
