//! Layers: how an order is found, how it is replayed, the solvers above both.

use crate::layers_of::rests_on;

#[test]
fn orders_and_streams_know_no_solver() {
    for (room, allowed) in [
        ("text", &[][..]),
        ("checkpoint", &[]),
        ("components", &[]),
        ("error", &["text"]),
        ("newton", &["error"]),
        ("scaling", &["error"]),
        ("fill", &["error"]),
        ("markowitz", &["Interrupt", "error", "fill"]),
        ("column_lu", &["fill"]),
        ("stream", &["error", "fill", "scaling"]),
        ("ordering", &["Interrupt", "column_lu", "error", "fill", "markowitz", "scaling"]),
        ("harwell", &["error", "markowitz", "scaling"]),
        ("phi", &["Interrupt", "balance", "components", "text"]),
    ] {
        rests_on(env!("CARGO_MANIFEST_DIR"), room, allowed);
    }
}
