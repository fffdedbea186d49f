//! The integration tests of this crate, one binary: a module for each subject.

mod accuracy;
mod allocation;
mod analyses;
mod analyses_contacts;
mod analyses_statics;
mod animation;
mod checkpoints;
mod constants;
mod contact;
mod contact_joint_friction;
mod contact_scales;
mod contact_states;
mod contact_steps;
#[path = "support/counting.rs"]
mod counting;
mod coupled;
mod documents;
mod flexible;
mod fmi;
mod fmi_exchange;
#[path = "support/fmi_importer.rs"]
mod fmi_importer;
#[path = "support/fmi_instances.rs"]
mod fmi_instances;
mod fmi_residuals;
mod fmi_tuning;
#[path = "support/glb.rs"]
mod glb;
mod includes;
mod invariance;
mod launch;
mod layers;
mod linear;
mod live_samples;
#[path = "support/machines.rs"]
mod machines;
#[path = "support/matrices.rs"]
#[allow(dead_code, unreachable_pub, reason = "the benchmarks use the rest")]
mod matrices;
mod matrix;
mod mechanism;
mod mode_shapes;
mod models;
mod pictures;
mod robustness;
#[path = "support/running.rs"]
mod running;
mod scene;
mod scene_bent;
mod scene_depths;
mod scene_scales;
mod scene_ways;
mod sensors;
mod settings;
mod shorthand;
mod simulation;
mod splines;
mod ssp;
mod statics_borders;
mod stepped_over;
mod sweeps;
mod unheld;
mod units;
