//! What a sparse system does under an exponential for good: (lambda I - A)^{-1} b.

use fourbar_linalg::{Calahan, CscMatrix};
use nalgebra::Complex;

use super::operator::LinearOperator;
use super::rational::CHECKS;
use crate::Error;
use crate::error::{all_finite, length};

/// z = (lambda I - A)^{-1} b, so that Re c z e^(lambda t) solves dx/dt = A x + b Re c e^(lambda t); `a` n x n, `rate` lambda \[1/s\].
///
/// A complex system is solved as a real one of twice the size, the two parts of an unknown next to each other.
///
/// # Errors
/// [`Error::MatrixShape`], [`Error::NotFinite`], [`Error::Length`]; [`Error::Factorization`] where lambda is an eigenvalue of A.
pub fn particular_solution(a: &CscMatrix<f64>, rate: Complex<f64>, b: &[f64]) -> Result<Vec<Complex<f64>>, Error> {
    a.check()?;
    let n = a.nrows();
    length("b", b.len(), n)?;
    all_finite("b", b)?;
    all_finite("rate", [&rate.re, &rate.im])?;
    let wide = if rate.im == 0.0 { 1 } else { 2 };
    let shifted = &CscMatrix::identity(n) * rate.re + a * -1.0;
    let matrix = if wide == 1 { shifted } else { complex(&shifted, rate.im) };
    let mut right = vec![0.0; wide * n];
    b.iter().enumerate().for_each(|(i, b)| right[wide * i] = *b);
    let mut solution = vec![0.0; wide * n];
    let mut lu = Calahan::new(matrix.pattern(), matrix.values(), &CHECKS)?;
    lu.solve_checked(matrix.values(), &right, &mut solution)?;
    all_finite("particular solution", &solution)?;
    let part = |i: usize, part: usize| if part < wide { solution[wide * i + part] } else { 0.0 };
    Ok((0..n).map(|i| Complex::new(part(i, 0), part(i, 1))).collect())
}

/// `real` + i `imaginary` as a real matrix of twice the size; `real` has all its diagonal entries.
fn complex(real: &CscMatrix<f64>, imaginary: f64) -> CscMatrix<f64> {
    let n = real.nrows();
    let (mut offsets, mut rows, mut values) = (vec![0], Vec::new(), Vec::new());
    for (j, column) in real.col_iter().enumerate() {
        for part in 0..2 {
            for (&i, &value) in column.row_indices().iter().zip(column.values()) {
                let entries = match (i == j, part) {
                    (true, 0) => [Some((2 * i, value)), Some((2 * i + 1, imaginary))],
                    (true, _) => [Some((2 * i, -imaginary)), Some((2 * i + 1, value))],
                    (false, _) => [Some((2 * i + part, value)), None],
                };
                for (row, value) in entries.into_iter().flatten() {
                    rows.push(row);
                    values.push(value);
                }
            }
            offsets.push(rows.len());
        }
    }
    CscMatrix::try_from_csc_data(2 * n, 2 * n, offsets, rows, values).expect("rows ascend within each column")
}

#[cfg(test)]
mod tests {
    use super::*;
    use nalgebra::{DMatrix, dmatrix};

    #[test]
    fn the_solution_satisfies_its_equation() {
        let dense: DMatrix<f64> = dmatrix![-2.0, 1.0, 0.0; 1.0, -2.0, 1.0; 0.0, 1.0, -1e6];
        let (a, b) = (CscMatrix::from(&dense), [1.0, 0.0, -3.0]);
        for rate in [Complex::new(0.0, 1e3), Complex::new(-0.3, 0.7), Complex::new(5.0, 0.0)] {
            let z = particular_solution(&a, rate, &b).unwrap();
            for i in 0..3 {
                let product: Complex<f64> = (0..3).map(|j| z[j] * dense[(i, j)]).sum();
                assert!((rate * z[i] - product - b[i]).norm() < 1e-14 * b[i].abs().max(1.0), "{rate} {i}");
            }
        }
        let none = CscMatrix::from(&DMatrix::<f64>::zeros(0, 0));
        assert!(particular_solution(&none, Complex::ONE, &[]).unwrap().is_empty());
    }
}
