//! The integration tests of this crate, one binary: a module for each subject.

mod layers;
#[path = "../../tests/support/layers.rs"]
mod layers_of;
