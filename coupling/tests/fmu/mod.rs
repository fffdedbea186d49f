//! Functional mock-up units, made here of `model.c`: FMI 2.0 and 3.0, co-simulation and model exchange.
#![cfg(unix)]

mod apart;
mod archive;
mod build;
mod child;
mod cycles;
mod events;
mod fuzz;
mod refused;
mod residuals;
mod running;
mod solved;
mod stepped;
mod stiff;
mod texts;
mod units;
mod whole;
