//! The integration tests of this crate, one binary: a module for each subject.

#[path = "../../tests/support/counts.rs"]
mod count_file;
#[path = "../../tests/support/counting.rs"]
mod counting;
mod counts;
mod fmu;
mod library;
mod mechanism;
mod middleware;
mod nested;
mod networks;
mod oscillator;
mod press;
#[cfg(feature = "network")]
mod remote;
mod ring;
mod session;
