//! The real Schur form A = Q T Q^T, T upper quasi-triangular: implicit QR with double shifts (Francis 1961, 1962; Golub and Van Loan, *Matrix
//! Computations*, 4th ed., section 7.5).
//!
//! Every tenth iteration on the same block takes other shifts, which break the symmetry of matrices that the ordinary ones leave as they
//! are, cyclic permutations for one.

use crate::balancing_units;
use nalgebra::linalg::Hessenberg;
use nalgebra::{Complex, DMatrix};
use std::ops::Range;

/// Iterations between exceptional shifts (as in LAPACK's DLAHQR).
const EXCEPTIONAL: usize = 10;
/// Iterations for one block, likewise.
const MOST: usize = 300;

/// The eigenvalues of a square matrix, both of each pair; none where an entry is not finite or the iteration does not converge.
///
/// # Panics
/// If the matrix is not square.
#[must_use]
pub fn eigenvalues(matrix: &DMatrix<f64>) -> Option<Vec<Complex<f64>>> {
    let (n, size) = (matrix.nrows(), matrix.amax());
    if !matrix.iter().all(|x| x.is_finite()) {
        return None;
    }
    if size == 0.0 {
        return Some(vec![Complex::new(0.0, 0.0); n]);
    }
    // Of size 1, so that no square leaves the range.
    let unit = size.log2().floor().exp2();
    let units: Vec<f64> = balancing_units(&(matrix / unit)).into_iter().map(|unit| f64::from(unit).exp2()).collect();
    let scaled = DMatrix::from_fn(n, n, |i, j| matrix[(i, j)] / unit / units[i] * units[j]);
    let schur = Schur::new(scaled, false)?;
    let mut all = Vec::with_capacity(n);
    for block in schur.blocks() {
        for value in schur.eigenvalues(&block) {
            all.push(value * unit);
            if value.im != 0.0 {
                all.push(value.conj() * unit);
            }
        }
    }
    Some(all)
}

/// The real Schur form of a matrix.
#[derive(Debug, Clone)]
pub struct Schur {
    /// T, upper quasi-triangular.
    pub t: DMatrix<f64>,
    /// Q; none where the eigenvalues alone are wanted: then only the diagonal blocks of T are right.
    pub q: Option<DMatrix<f64>>,
}

/// Two shifts: real and the same, or a conjugate pair with these imaginary parts.
struct Shifts {
    re: f64,
    im: f64,
}

impl Shifts {
    /// The eigenvalues of [a, b; c, d]; of two real ones that nearer to d, twice (as in LAPACK's DLAHQR).
    fn of(a: f64, b: f64, c: f64, d: f64) -> Self {
        let size = a.abs() + b.abs() + c.abs() + d.abs();
        if size == 0.0 {
            return Self { re: 0.0, im: 0.0 };
        }
        let [a, b, c, d] = [a, b, c, d].map(|x| x / size);
        let middle = 0.5 * (a + d);
        let determinant = (a - middle) * (d - middle) - b * c;
        let root = determinant.abs().sqrt();
        if determinant >= 0.0 {
            return Self { re: middle * size, im: root * size };
        }
        let nearer = if (middle + root - d).abs() <= (middle - root - d).abs() { middle + root } else { middle - root };
        Self { re: nearer * size, im: 0.0 }
    }
}

impl Schur {
    /// Of a square matrix with entries of about 1 and less, with Q if `vectors`; none where the iteration does not converge.
    #[must_use]
    pub fn new(a: DMatrix<f64>, vectors: bool) -> Option<Self> {
        let n = a.nrows();
        let mut schur = if n < 3 {
            Self { t: a, q: vectors.then(|| DMatrix::identity(n, n)) }
        } else {
            let hessenberg = Hessenberg::new(a);
            let q = vectors.then(|| hessenberg.q());
            Self { t: hessenberg.unpack_h(), q }
        };
        schur.iterate().then_some(schur)
    }

    /// The rows of the diagonal blocks, of 1 or 2.
    #[must_use]
    pub fn blocks(&self) -> Vec<Range<usize>> {
        let (n, mut blocks, mut i) = (self.t.nrows(), Vec::new(), 0);
        while i < n {
            let size = if i + 1 < n && self.t[(i + 1, i)] != 0.0 { 2 } else { 1 };
            blocks.push(i..i + size);
            i += size;
        }
        blocks
    }

    /// The eigenvalues of a diagonal block: of a pair that with a positive imaginary part.
    #[must_use]
    pub fn eigenvalues(&self, block: &Range<usize>) -> Vec<Complex<f64>> {
        let (t, i) = (&self.t, block.start);
        if block.len() == 1 {
            return vec![Complex::new(t[(i, i)], 0.0)];
        }
        of_two_by_two(t[(i, i)], t[(i, i + 1)], t[(i + 1, i)], t[(i + 1, i + 1)])
    }

    fn iterate(&mut self) -> bool {
        let (mut end, mut iterations) = (self.t.nrows(), 0);
        while end > 0 {
            let begin = self.split(end);
            if end - begin <= 2 {
                (end, iterations) = (begin, 0);
            } else if iterations == MOST {
                return false;
            } else {
                iterations += 1;
                let shifts = self.shifts(begin..end, iterations);
                self.sweep(begin..end, &shifts);
            }
        }
        true
    }

    /// Where the last irreducible block before `end` begins: behind a subdiagonal entry that is round-off of its neighbours.
    fn split(&mut self, end: usize) -> usize {
        let t = &mut self.t;
        for i in (1..end).rev() {
            let entry = t[(i, i - 1)].abs();
            let (above, own) = (t[(i - 1, i - 1)].abs(), t[(i, i)].abs());
            // Ahues and Tisseur (1997): also what the product with the entry beside it leaves is round-off.
            let (larger, smaller) = (entry.max(t[(i - 1, i)].abs()), entry.min(t[(i - 1, i)].abs()));
            let gap = (t[(i - 1, i - 1)] - t[(i, i)]).abs();
            let (most, least) = (own.max(gap), own.min(gap));
            let small = entry <= f64::EPSILON * (above + own)
                && larger * (smaller / (larger + most)) <= f64::EPSILON * least * (most / (larger + most));
            if entry <= f64::MIN_POSITIVE || small {
                t[(i, i - 1)] = 0.0;
                return i;
            }
        }
        0
    }

    /// The eigenvalues of the last two rows, now and then others of about their size.
    fn shifts(&self, active: Range<usize>, iteration: usize) -> Shifts {
        let (t, last, first) = (&self.t, active.end - 1, active.start);
        let exceptional = |size: f64, corner: f64| {
            let diagonal = 0.75 * size + corner;
            Shifts::of(diagonal, -0.4375 * size, size, diagonal)
        };
        if iteration.is_multiple_of(2 * EXCEPTIONAL) {
            return exceptional(t[(last, last - 1)].abs() + t[(last - 1, last - 2)].abs(), t[(last, last)]);
        }
        if iteration.is_multiple_of(EXCEPTIONAL) {
            return exceptional(t[(first + 1, first)].abs() + t[(first + 2, first + 1)].abs(), t[(first, first)]);
        }
        Shifts::of(t[(last - 1, last - 1)], t[(last - 1, last)], t[(last, last - 1)], t[(last, last)])
    }

    /// The first column of (H - s_1 I)(H - s_2 I) at row m, over its size. From the differences to the shifts: where an eigenvalue repeats, these are
    /// round-off, and their products are not to be lost in the cancellation of squares.
    fn first_column(&self, m: usize, shifts: &Shifts) -> [f64; 3] {
        let t = &self.t;
        let (a, b, c, d) = (t[(m, m)], t[(m, m + 1)], t[(m + 1, m)], t[(m + 1, m + 1)]);
        let near = a - shifts.re;
        let unit = near.abs() + shifts.im.abs() + c.abs();
        if unit == 0.0 {
            return [0.0; 3];
        }
        let (own, below) = (near * (near / unit) + shifts.im * (shifts.im / unit), c / unit);
        let column = [below * b + own, below * (near + (d - shifts.re)), below * t[(m + 2, m + 1)]];
        let size = column.iter().map(|x| x.abs()).sum::<f64>();
        if size > 0.0 { column.map(|x| x / size) } else { column }
    }

    /// One implicit double step on the active rows, from where two small subdiagonal entries in a row let it begin.
    fn sweep(&mut self, active: Range<usize>, shifts: &Shifts) {
        let (begin, last) = (active.start, active.end - 1);
        let mut m = last - 2;
        let mut column = self.first_column(m, shifts);
        while m > begin {
            let t = &self.t;
            let neighbours = t[(m - 1, m - 1)].abs() + t[(m, m)].abs() + t[(m + 1, m + 1)].abs();
            let passed = t[(m, m - 1)].abs() * (column[1].abs() + column[2].abs());
            if passed <= f64::EPSILON * column[0].abs() * neighbours {
                break;
            }
            m -= 1;
            column = self.first_column(m, shifts);
        }
        for k in m..last {
            let wide = if k + 2 <= last { 3 } else { 2 };
            if k > m {
                column = [0, 1, 2].map(|r| if r < wide { self.t[(k + r, k - 1)] } else { 0.0 });
            }
            let Some((v, tau, norm)) = reflector(column) else { continue };
            if k > m {
                self.t[(k, k - 1)] = norm;
                for r in 1..wide {
                    self.t[(k + r, k - 1)] = 0.0;
                }
            } else if m > begin {
                self.t[(k, k - 1)] *= 1.0 - tau;
            }
            self.reflect(k, wide, &v, tau, &active);
        }
    }

    /// T <- P T P and Q <- Q P, P = I - tau v v^T in rows k, ..., k + wide - 1.
    fn reflect(&mut self, k: usize, wide: usize, v: &[f64; 3], tau: f64, active: &Range<usize>) {
        let n = self.t.nrows();
        let whole = self.q.is_some();
        for j in k..if whole { n } else { active.end } {
            let sum = tau * (0..wide).map(|r| v[r] * self.t[(k + r, j)]).sum::<f64>();
            (0..wide).for_each(|r| self.t[(k + r, j)] -= sum * v[r]);
        }
        let from_right = |matrix: &mut DMatrix<f64>, rows: Range<usize>| {
            for i in rows {
                let sum = tau * (0..wide).map(|r| v[r] * matrix[(i, k + r)]).sum::<f64>();
                (0..wide).for_each(|r| matrix[(i, k + r)] -= sum * v[r]);
            }
        };
        from_right(&mut self.t, if whole { 0 } else { active.start }..(k + 4).min(active.end));
        if let Some(q) = &mut self.q {
            from_right(q, 0..n);
        }
    }
}

/// v, tau and what remains of a column under I - tau v v^T, its other entries being 0; none where they are already.
fn reflector(column: [f64; 3]) -> Option<([f64; 3], f64, f64)> {
    let size = column.iter().fold(0.0_f64, |size, x| size.max(x.abs()));
    if column[1] == 0.0 && column[2] == 0.0 {
        return None;
    }
    let [x, y, z] = column.map(|x| x / size);
    let beta = -(x * x + y * y + z * z).sqrt().copysign(x);
    Some(([1.0, y / (x - beta), z / (x - beta)], (beta - x) / beta, beta * size))
}

/// The eigenvalues of [a, b; c, d], of a pair that with a positive imaginary part, without the cancellation of the smaller one.
fn of_two_by_two(a: f64, b: f64, c: f64, d: f64) -> Vec<Complex<f64>> {
    let half = 0.5 * (a - d);
    // Of size 1, so that nothing underflows that counts.
    let size = half.abs().max(b.abs().max(c.abs()));
    if size == 0.0 {
        return vec![Complex::new(a, 0.0), Complex::new(d, 0.0)];
    }
    let (p, unit) = (half / size, size);
    // Large times small over the unit: neither square leaves the range.
    let product = (b.abs().max(c.abs()) / unit) * (b.abs().min(c.abs()) / unit) * b.signum() * c.signum();
    let discriminant = p * p + product;
    if discriminant < 0.0 {
        return vec![Complex::new(0.5 * (a + d), unit * (-discriminant).sqrt())];
    }
    let z = p + discriminant.sqrt().copysign(p);
    if z == 0.0 {
        return vec![Complex::new(a, 0.0), Complex::new(d, 0.0)];
    }
    vec![Complex::new(d + unit * z, 0.0), Complex::new(d - unit * (product / z), 0.0)]
}
