//! Random sequences of calls from fixed seeds. `FOURBAR_SEQUENCES` says how many; the fuzzer in `fuzz/` plays any number of them.

use crate::sequences;

/// Splitmix64 (Steele, Lea, Flood 2014).
fn random(state: &mut u64) -> u64 {
    *state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let mut z = *state;
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

#[test]
fn no_sequence_of_calls_takes_the_library_down() {
    let count = std::env::var("FOURBAR_SEQUENCES").map_or(2_000, |text| text.parse().expect("a number of sequences"));
    for seed in 0..count {
        let mut state: u64 = seed;
        let mut bytes = [0; 512];
        bytes.chunks_exact_mut(8).for_each(|part| part.copy_from_slice(&random(&mut state).to_le_bytes()));
        sequences::play(&bytes);
    }
}
