//! Layers: what all models have rests on expressions, and expressions know nothing of models.

use crate::layers_of::rests_on;

#[test]
fn expressions_know_no_model() {
    for (room, allowed) in [
        ("expression", &[][..]),
        ("binding", &[]),
        ("program", &[]),
        ("parser", &[]),
        ("break_state", &["breaks"]),
        ("model", &["binding", "definitions", "error", "expression", "parser", "program", "spline"]),
    ] {
        rests_on(env!("CARGO_MANIFEST_DIR"), room, allowed);
    }
}
