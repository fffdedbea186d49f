//! Layers: equations and their integrators know nothing of mechanisms, a model nothing of what is made of it, and only the mechanism that is
//! made calls the compiler.

use crate::layers_of::rests_on;

#[test]
fn integrators_and_models_know_no_mechanism() {
    for (room, allowed) in [
        ("expression", &[][..]),
        ("space", &[]),
        ("samples", &[]),
        ("dae", &[]),
        ("ode", &["dae"]),
        ("integrator", &["dae", "ode"]),
        ("model", &["expression"]),
        ("orientation", &["space"]),
        ("state", &["space"]),
        ("break_state", &["expression"]),
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
