//! The integration tests of this crate, one binary: a module for each subject.

mod cli;
mod page;
#[path = "support/pages.rs"]
mod pages;
#[path = "support/signals.rs"]
mod signals;
