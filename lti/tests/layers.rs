//! Layers: systems know nothing of how they are discretized or stepped.

use crate::layers_of::rests_on;

#[test]
fn systems_know_no_stepper() {
    for (room, allowed) in [
        ("interpolation", &[][..]),
        ("mode", &[]),
        ("state_space", &["Error", "error"]),
        ("frequency", &["Error", "StateSpace", "error"]),
        ("method", &["Error", "interpolation"]),
        ("eigen", &["Error", "Mode"]),
        ("krylov", &["Error", "Method", "error"]),
        ("classical", &["Error", "Method", "StateSpace"]),
        ("diagram", &["Error", "StateSpace", "error"]),
    ] {
        rests_on(env!("CARGO_MANIFEST_DIR"), room, allowed);
    }
}
