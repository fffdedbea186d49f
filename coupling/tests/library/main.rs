//! Partners in shared libraries (R47 to R50), in this process and in one of their own: what is refused, the same results as in Rust, faults.
#![cfg(unix)]

#[path = "../press/axis.rs"]
mod axis;
mod compile;
mod cylinder;
mod faults;
mod header;
mod instance;
mod killed;
#[path = "../press/machine.rs"]
#[allow(dead_code)]
mod machine;
#[path = "../middleware/partners.rs"]
#[allow(dead_code)]
mod partners;
mod process;
mod refused;
