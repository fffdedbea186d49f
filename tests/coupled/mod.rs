//! Coupled model files and circuits: the machines against themselves at finer steps and against the planar machine, each kind of
//! simulator against a run of its own, and what is said of faults.

mod cases;
mod discrete;
mod equations;
mod estimate;
pub(crate) mod fmu;
mod fmu_names;
mod hydraulic_estimate;
mod machines;
mod nested;
mod partners;
mod refusals;
mod starts;
mod tuning;
mod units;
mod warnings;

use crate::running;
