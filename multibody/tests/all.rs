//! The integration tests of this crate, one binary: a module for each subject.

mod analyses;
mod blocks;
mod brakes;
mod breaks;
mod chains;
mod change_points;
mod consistent_start;
mod contract;
#[path = "../../tests/support/counts.rs"]
mod count_file;
#[path = "../../tests/support/counting.rs"]
mod counting;
mod counts;
mod couplers;
mod elastic;
mod far_starts;
mod gears;
mod general_forces;
mod integrator_abam;
mod integrator_allocation;
mod integrator_family;
mod integrator_fixed;
mod integrator_hht;
mod integrator_mechanism;
mod integrator_order;
mod integrator_rkf45;
mod integrator_roots;
mod integrator_stiff;
mod joint_starts;
mod layers;
#[path = "../../tests/support/layers.rs"]
mod layers_of;
mod long_runs;
mod measures;
mod mechanism_starts;
mod multiplier_integrals;
mod newton_condition;
mod partitioned;
mod partitioned_accelerations;
mod planes;
mod point_motions;
mod redundant_rows;
mod rolling;
mod rolling_analyses;
mod rotors;
mod scales;
mod screws;
mod shafts;
mod solids;
mod start_warnings;
mod steered;
mod support;
mod time_bells;
mod user_states;
mod windows;
