//! Layers: fluids and components know no circuit, a model nothing of what is made of it.

use crate::layers_of::rests_on;

#[test]
fn fluids_components_and_models_know_no_circuit() {
    for (room, allowed) in [
        ("fluid", &[][..]),
        ("model", &[]),
        ("element", &["fluid"]),
        ("compile", &["Variable", "circuit", "element", "error", "fluid", "model"]),
    ] {
        rests_on(env!("CARGO_MANIFEST_DIR"), room, allowed);
    }
}
