//! The integration tests of this crate, one binary: a module for each subject.

mod abam;
mod allocation;
mod andrews;
mod consistent_start;
mod contract;
#[path = "../../tests/support/counts.rs"]
mod count_file;
#[path = "../../tests/support/counting.rs"]
mod counting;
mod counts;
mod family;
mod fixed;
mod hht;
mod layers;
#[path = "../../tests/support/layers.rs"]
mod layers_of;
mod order;
mod rkf45;
mod roots;
mod stiff;
mod support;
