//! The two-mass oscillator of `tests/reference/oscillator.json`: every figure is the coupling scheme's alone, since both partners
//! step without error. The reference was computed apart, as powers of exact one-step maps.

mod energy;
mod errors;
mod estimate;
mod stability;
mod system;
