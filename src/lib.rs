//! An embeddable library that simulates machines.
pub use fourbar_linalg as linalg;
pub use fourbar_multibody as multibody;
