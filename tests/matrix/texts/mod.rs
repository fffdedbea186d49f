//! The sections of the models: bodies that several rows share, and the elements that they try.

mod bodies;
mod contacts;
mod forces;
mod relations;

pub(crate) use bodies::*;
pub(crate) use contacts::*;
pub(crate) use forces::*;
pub(crate) use relations::*;
