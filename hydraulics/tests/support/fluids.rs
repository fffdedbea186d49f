//! Any fluid.

use proptest::prelude::*;
use serde_json::{Value, json};

/// `[fluid]` with every law of the bulk modulus, with and without a vapour pressure of its own.
pub(crate) fn fluid() -> impl Strategy<Value = Value> {
    prop_oneof![
        Just(json!({})),
        (5e8..3e9).prop_map(|e| json!({ "bulk_modulus": { "type": "constant", "value": e } })),
        (1e9..2e9, 1e7..5e7).prop_map(|(maximum, reference)| {
            json!({ "bulk_modulus": { "type": "logarithmic", "maximum": maximum, "reference": reference } })
        }),
        (1e9..2e9, 0.0..0.05, 1.0..1.4).prop_map(|(liquid, fraction, exponent)| {
            json!({ "bulk_modulus": { "type": "entrained_air", "liquid": liquid, "fraction": fraction, "exponent": exponent } })
        }),
        (1e2..3e4, 1e3..3e4, 3e2..3e3).prop_map(|(pressure, band, modulus)| {
            json!({ "vapor": { "pressure": pressure, "band": band, "modulus": modulus } })
        }),
    ]
}
