//! A mode of a system.

/// A mode of a system.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Mode {
    /// A real eigenvalue \[1/s\].
    Real(f64),
    /// A pair of eigenvalues re +- i im \[1/s\], im > 0.
    Pair {
        /// Real part \[1/s\].
        re: f64,
        /// Imaginary part \[1/s\].
        im: f64,
    },
}
