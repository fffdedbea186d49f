//! Eigenvalues and eigenvectors of a real matrix, real and in pairs, for the modal form.

use fourbar_linalg::{Schur, balancing_units};
use nalgebra::{Complex, DMatrix, DVector};

use crate::{Error, Mode};

type Vector = DVector<Complex<f64>>;

/// The modes and V: the eigenvector of a real eigenvalue, or real and imaginary part of one of a pair, each column of length 1.
///
/// From the real Schur form of the balanced matrix, in which pairs are 2 x 2 blocks: no threshold has to tell a pair from two real
/// eigenvalues.
pub(crate) fn real_modes(a: &DMatrix<f64>) -> Result<(Vec<Mode>, DMatrix<f64>), Error> {
    let n = a.nrows();
    let size = a.amax();
    if size == 0.0 {
        return Ok((vec![Mode::Real(0.0); n], DMatrix::identity(n, n)));
    }
    // Of size 1, so that no square leaves the range.
    let unit = size.log2().floor().exp2();
    let order = isolate(a);
    let permuted = DMatrix::from_fn(n, n, |i, j| a[(order[i], order[j])] / unit);
    let units: Vec<f64> = balancing_units(&permuted).into_iter().map(|unit| f64::from(unit).exp2()).collect();
    let scaled = DMatrix::from_fn(n, n, |i, j| permuted[(i, j)] / units[i] * units[j]);
    let schur = Schur::new(scaled, true).ok_or(Error::Eigenvalues { n })?;
    let q = schur.q.as_ref().map_or_else(DMatrix::default, |q| q.map(|x| Complex::new(x, 0.0)));
    let (t, blocks) = (&schur.t, schur.blocks());
    let tiny = f64::EPSILON * t.amax().max(f64::MIN_POSITIVE / f64::EPSILON);
    let (mut modes, mut columns) = (Vec::new(), Vec::new());
    for (k, block) in blocks.iter().enumerate() {
        for value in schur.eigenvalues(block) {
            let permuted = &q * null_vector(t, &blocks[..=k], value, tiny);
            let mut vector = Vector::zeros(n);
            for (i, &row) in order.iter().enumerate() {
                vector[row] = permuted[i] * units[i];
            }
            if !vector.iter().all(|v| v.re.is_finite() && v.im.is_finite()) {
                return Err(Error::Eigenvalues { n });
            }
            vector /= Complex::new(vector.camax(), 0.0);
            // Turned so that its largest component is real.
            let turn = vector[vector.icamax()].conj();
            let vector = vector.map(|z| z * turn);
            let length = vector.norm();
            let (re, im) = (vector.map(|z| z.re), vector.map(|z| z.im));
            if value.im == 0.0 {
                modes.push(Mode::Real(value.re * unit));
                columns.push(re.normalize());
            } else {
                modes.push(Mode::Pair { re: value.re * unit, im: value.im * unit });
                columns.extend([re / length, im / length]);
            }
        }
    }
    Ok((modes, DMatrix::from_columns(&columns)))
}

/// An order of rows and columns in which the matrix is triangular at both ends, as far as it can be: what remains in the middle is all that
/// an iteration must find eigenvalues of. A chain of integrators leaves nothing.
fn isolate(a: &DMatrix<f64>) -> Vec<usize> {
    let mut rest: Vec<usize> = (0..a.nrows()).collect();
    let (mut front, mut back) = (Vec::new(), Vec::new());
    loop {
        let alone = |entry: &dyn Fn(usize, usize) -> f64| {
            rest.iter().position(|&i| rest.iter().all(|&j| i == j || entry(i, j) == 0.0))
        };
        if let Some(at) = alone(&|i, j| a[(i, j)]) {
            back.push(rest.remove(at));
        } else if let Some(at) = alone(&|i, j| a[(j, i)]) {
            front.push(rest.remove(at));
        } else {
            break;
        }
    }
    front.extend(rest);
    front.extend(back.into_iter().rev());
    front
}

/// y with (T - value I) y = 0, by block back substitution from the last of `blocks`, to which the eigenvalue belongs. A determinant below
/// `tiny` (a repeated eigenvalue) is replaced by it.
fn null_vector(t: &DMatrix<f64>, blocks: &[std::ops::Range<usize>], value: Complex<f64>, tiny: f64) -> Vector {
    let mut y = Vector::zeros(t.nrows());
    let Some((own, before)) = blocks.split_last() else { return y };
    let entry = |i: usize, j: usize| Complex::new(t[(i, j)], 0.0) - if i == j { value } else { Complex::default() };
    let i = own.start;
    if own.len() == 1 {
        y[i] = Complex::new(1.0, 0.0);
    } else {
        // Orthogonal to the larger row of the singular block.
        let first = entry(i, i).norm() + entry(i, i + 1).norm() >= entry(i + 1, i).norm() + entry(i + 1, i + 1).norm();
        let row = if first { i } else { i + 1 };
        (y[i], y[i + 1]) = (entry(row, i + 1), -entry(row, i));
    }
    let guarded = |x: Complex<f64>, tiny: f64| if x.norm() < tiny { Complex::new(tiny, 0.0) } else { x };
    for block in before.iter().rev() {
        let known = |i: usize| -(block.end..own.end).map(|j| y[j] * t[(i, j)]).sum::<Complex<f64>>();
        let i = block.start;
        if block.len() == 1 {
            y[i] = known(i) / guarded(entry(i, i), tiny);
        } else {
            let (r, s) = (known(i), known(i + 1));
            let (a, b, c, d) = (entry(i, i), entry(i, i + 1), entry(i + 1, i), entry(i + 1, i + 1));
            let determinant = guarded(a * d - b * c, tiny * (a.norm() + d.norm()));
            (y[i], y[i + 1]) = ((r * d - b * s) / determinant, (a * s - c * r) / determinant);
        }
        let largest = y.camax();
        if largest > 1e100 {
            y /= Complex::new(largest, 0.0);
        }
    }
    y
}
