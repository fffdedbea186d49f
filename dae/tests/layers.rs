//! Layers: equations know no integrators.

use crate::layers_of::rests_on;

#[test]
fn equations_know_no_integrators() {
    for (room, allowed) in [
        ("samples", &[][..]),
        ("dae", &[]),
        ("ode", &["dae"]),
        ("interrupt", &["dae"]),
        ("integrator", &["dae", "ode"]),
    ] {
        rests_on(env!("CARGO_MANIFEST_DIR"), room, allowed);
    }
}
