//! The integration tests of this crate, one binary: a module for each subject.

mod compile;
mod coverage;
#[cfg(feature = "fmi")]
mod fmi;
mod header;
mod ida;
mod partner_panic;
mod programs;
mod random_calls;
mod sequences;
mod traps;
mod valgrind;
