//! A forging press and a grinding arm on hydraulic axes, as two partners each: the sheet's equations, its monolithic solution and its
//! error tables (`tests/reference/press_*.json`, computed apart with other integrators).

mod adaptive;
pub(crate) mod axis;
mod circuit;
pub(crate) mod machine;
mod measure;
mod mechanism;
mod monolithic;
mod newton;
mod schemes;
mod stop;
