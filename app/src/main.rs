//! The `fourbar` command.
fn main() {}
