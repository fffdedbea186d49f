//! Layers: a model knows nothing of what is made of it, and only the mechanism that is made calls the compiler.

use crate::layers_of::rests_on;

#[test]
fn models_know_no_mechanism() {
    for (room, allowed) in [
        ("space", &[][..]),
        ("model", &["expression"]),
        ("orientation", &["space"]),
        ("state", &["space"]),
        ("host", &["dae"]),
        ("drive", &["expression", "host"]),
        ("constraint", &["model", "space"]),
        ("measure", &["expression", "model", "space", "state"]),
        (
            "force",
            &["constraint", "dae", "expression", "input", "measure", "mechanism", "break_state", "space", "state"],
        ),
        (
            "formulation",
            &[
                "analysis",
                "constraint",
                "dae",
                "drive",
                "error",
                "expression",
                "force",
                "input",
                "integrator",
                "interrupt",
                "mechanism",
                "ode",
                "orientation",
                "samples",
                "space",
                "state",
            ],
        ),
    ] {
        rests_on(env!("CARGO_MANIFEST_DIR"), room, allowed);
    }
}
