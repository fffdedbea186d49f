//! The integration tests of the crate in one binary: one module a topic, what they share once.
//!
//! `cargo test -p fourbar-contact --test all friction::` runs one topic. Tests that are ignored measure, and take minutes.

// The allocator of all of them; it counts by thread.
#[path = "../../tests/support/counts.rs"]
mod count_file;
#[path = "../../tests/support/counting.rs"]
mod counting;
#[path = "piles/scenes.rs"]
mod pile_scenes;
mod piles;
mod support;

mod bins_stepping;
mod breaks;
mod closed_forms;
mod closed_forms_events;
mod closed_loops;
mod column_events;
mod counts;
mod cups_events;
mod curves_events;
mod cylinder_events;
mod eccentric_events;
mod edges_events;
mod energy_stepping;
mod four_bar_events;
mod four_bar_stepping;
mod friction;
mod friction_allocation;
mod friction_collection;
mod friction_events;
mod friction_global;
mod friction_hard;
mod friction_stepping;
mod gaps;
mod gaps_allocation;
mod grips_stepping;
mod groove_events;
mod gyroscopic_stepping;
mod impact_laws;
mod interrupted_events;
mod joints_stepping;
mod kicks_stepping;
mod lasting_allocation;
mod layers;
mod lcp_allocation;
mod lcp_cases;
mod lcp_families;
mod lcp_literature;
mod lcp_mixed;
mod lcp_scaled;
mod lcp_turning;
mod masses_events;
mod mixed_events;
mod model_events;
mod painleve_events;
mod pile_allocation;
#[cfg(feature = "parallel")]
mod pile_parallel;
mod pile_stepping;
mod projection;
mod relays_events;
mod rest_stepping;
mod rocking_events;
mod rolls_off_stepping;
mod scaled_stepping;
mod scales_events;
mod seams_stepping;
mod shapes_events;
mod sharing_stepping;
mod slow_slip_events;
mod spins_flat_events;
mod starts_events;
mod stepping_allocation;
mod thrown_events;
mod tumbling_events;
mod units;
mod walls;
