//! The integration tests of this crate, one binary: a module for each subject.

mod allocation;
mod calahan;
mod checkpoint;
#[path = "../../tests/support/counting.rs"]
mod counting;
mod harwell;
mod kkt;
mod layers;
#[path = "../../tests/support/layers.rs"]
mod layers_of;
mod negligible_entries;
mod newton;
mod support;
