//! The integration tests of this crate, one binary: a module for each subject.

mod coefficients;
mod convergence;
#[path = "../../tests/support/counts.rs"]
mod count_file;
#[path = "../../tests/support/counting.rs"]
mod counting;
mod counts;
#[path = "../examples/source_tables/example.rs"]
mod example;
mod g_oracle;
mod krylov;
mod krylov_errors;
mod krylov_hard;
mod layers;
#[path = "../../tests/support/layers.rs"]
mod layers_of;
mod no_allocation;
mod nonlinear;
mod nonlinear_allocation;
mod poles;
mod range;
mod responses;
mod sampled;
mod scaling;
mod source_tables;
mod stepper;
mod transition;
