//! Partners in shared libraries (R47 to R50), in this process and in one of their own: what is refused, the same results as in Rust, faults.
#![cfg(unix)]

pub(crate) mod compile;
mod cylinder;
mod faults;
mod header;
mod instance;
mod killed;
mod process;
mod refused;

use crate::middleware::partners;
use crate::press::{axis, machine};
