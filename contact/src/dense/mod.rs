//! Dense factorizations within fixed memory: blocked Cholesky and LU that allocate nothing once their buffers have grown.
//!
//! The active-set methods factor another principal submatrix in every iteration; this is where their time goes. Matrices are column by
//! column in one slice. Blocks of [`BLOCK`] columns are factored plainly, what remains is updated by one packed product (as in LAPACK).

mod band;
mod cholesky;
mod lu;
mod product;

pub(crate) use band::BandLu;
pub(crate) use cholesky::Cholesky;
pub(crate) use lu::Lu;

use nalgebra::DMatrix;
use pulp::Arch;

/// Columns factored before the rest of the matrix is updated.
const BLOCK: usize = 32;

/// Asks which SIMD instructions the machine has, as the first factorization would. What is found is kept for all threads: found here, before
/// there are simulations, it is only read by theirs.
pub(crate) fn detect_simd() {
    let _ = Arch::new();
}

/// Makes `matrix` one of zeros of this shape in the memory it has; nalgebra's own resizing gives that back.
pub(crate) fn resize(matrix: &mut DMatrix<f64>, rows: usize, columns: usize) {
    let mut data: Vec<f64> = std::mem::take(matrix).data.into();
    data.clear();
    data.resize(rows * columns, 0.0);
    *matrix = DMatrix::from_vec(rows, columns, data);
}

/// y -= sum of four factors times x each.
#[inline(always)]
pub(crate) fn subtract_four(y: &mut [f64], factors: [f64; 4], [a, b, c, d]: [&[f64]; 4]) {
    for ((((y, a), b), c), d) in y.iter_mut().zip(a).zip(b).zip(c).zip(d) {
        *y -= (factors[0] * a + factors[1] * b) + (factors[2] * c + factors[3] * d);
    }
}

/// y += factor x.
#[inline(always)]
fn axpy(y: &mut [f64], factor: f64, x: &[f64]) {
    for (yi, xi) in y.iter_mut().zip(x) {
        *yi += factor * xi;
    }
}

/// x . y, in four partial sums: the order of additions is fixed, so results repeat bit for bit.
#[inline]
pub(crate) fn dot(x: &[f64], y: &[f64]) -> f64 {
    let ((x4, x_rest), (y4, y_rest)) = (x.as_chunks::<4>(), y.as_chunks::<4>());
    let mut sums = [0.0; 4];
    for (a, b) in x4.iter().zip(y4) {
        for l in 0..4 {
            sums[l] += a[l] * b[l];
        }
    }
    let rest: f64 = x_rest.iter().zip(y_rest).map(|(a, b)| a * b).sum();
    (sums[0] + sums[1]) + (sums[2] + sums[3]) + rest
}
