//! The integration tests of this crate, one binary: a module for each subject.

mod allocation;
#[path = "../../coupling/tests/press/axis.rs"]
mod axis;
mod cavities;
mod closed_forms;
#[path = "../../tests/support/counts.rs"]
mod count_file;
#[path = "../../tests/support/counting.rs"]
mod counting;
mod counts;
mod fronts;
mod jacobian;
mod jumps;
mod layers;
#[path = "../../tests/support/layers.rs"]
mod layers_of;
mod machines;
mod pipe;
mod press;
mod relief;
mod remarks;
mod signals;
mod signs;
mod steady;
mod support;
mod transmission_line;
mod usual_circuits;
mod valves;
