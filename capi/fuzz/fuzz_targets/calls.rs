//! Bytes become calls; see `capi/tests/sequences`.
#![no_main]

#[path = "../../tests/sequences/mod.rs"]
mod sequences;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| sequences::play(bytes));
