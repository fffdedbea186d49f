//! Mechanisms and runs that several tests share.
#![allow(dead_code)] // every test binary uses its own part

pub(crate) mod chains;
pub(crate) mod closed_chains;
pub(crate) mod linkages;
pub(crate) mod matrix;
pub(crate) mod planes;
pub(crate) mod runs;
pub(crate) mod shafts;
