//! Dense factorizations within fixed memory: blocked Cholesky and LU that allocate nothing once their buffers have grown.
//!
//! The active-set methods factor another principal submatrix in every iteration; this is where their time goes. Matrices are column by
//! column in one slice. Blocks of [`BLOCK`] columns are factored plainly, what remains is updated by one packed product (as in LAPACK).

mod band;
mod cholesky;
mod kernel;
mod least_norm;
mod lu;
mod product;

pub(crate) use band::BandLu;
pub(crate) use cholesky::Cholesky;
use kernel::{BLOCK, axpy};
pub(crate) use kernel::{detect_simd, dot, resize, subtract_four};
pub(crate) use least_norm::LeastNorm;
pub(crate) use lu::Lu;
