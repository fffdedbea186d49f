//! An orthonormal basis of a Krylov space and the Hessenberg matrix of its operator, built vector by vector.

use nalgebra::DMatrix;

/// v_1, ..., v_{m+1} and H with `operator` [v_1 .. v_m] = [v_1 .. v_{m+1}] H (Saad, *Iterative methods for sparse linear systems*, 2nd ed.,
/// algorithm 6.2, orthogonalized again where digits cancelled).
#[derive(Debug, Clone)]
pub(super) struct Arnoldi {
    length: usize,
    largest: usize,
    /// The vectors, one after the other.
    vectors: Vec<f64>,
    /// Columns made so far: m.
    m: usize,
    /// H, (largest + 1) x largest.
    h: DMatrix<f64>,
    /// Norm of the starting vector.
    beta: f64,
}

/// What became of a new vector.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Extended {
    /// The space grew.
    Grown,
    /// The space is invariant: functions of the operator are exact in it.
    Invariant,
    /// The operator gave a value that is not finite.
    NotFinite,
}

/// The operator's result is within the space when this part of it, relatively, is left outside: round-off of the orthogonalization.
const INVARIANT: f64 = 16.0 * f64::EPSILON;

impl Arnoldi {
    /// For vectors of at most `longest` values, and at most `largest` columns.
    pub(super) fn new(longest: usize, largest: usize) -> Self {
        let vectors = vec![0.0; longest * (largest + 1)];
        Self { length: 0, largest, vectors, m: 0, h: DMatrix::zeros(largest + 1, largest), beta: 0.0 }
    }

    /// Begins with v_1 = `start` / beta; returns beta, its norm. A start of 0 makes no basis.
    pub(super) fn begin(&mut self, start: &[f64]) -> f64 {
        self.m = 0;
        self.length = start.len();
        self.h.fill(0.0);
        // Scaled by the largest component, so that the square does not leave the range.
        let largest = start.iter().fold(0.0f64, |a, b| a.max(b.abs()));
        let v = &mut self.vectors[..self.length];
        if largest > 0.0 && largest.is_finite() {
            v.iter_mut().zip(start).for_each(|(v, x)| *v = x / largest);
            let norm = dot(v, v).sqrt();
            v.iter_mut().for_each(|v| *v /= norm);
            self.beta = largest * norm;
        } else {
            self.beta = largest;
        }
        self.beta
    }

    /// Number m of columns.
    pub(super) fn dimension(&self) -> usize {
        self.m
    }

    pub(super) fn is_full(&self) -> bool {
        self.m == self.largest
    }

    /// The size of H in the Frobenius norm.
    pub(super) fn size(&self) -> f64 {
        self.h.norm()
    }

    /// h_ij, from 0.
    pub(super) fn h(&self, i: usize, j: usize) -> f64 {
        self.h[(i, j)]
    }

    /// Adds a column; `operator(v, w)` writes the operator times v into w.
    pub(super) fn extend(&mut self, operator: impl FnOnce(&[f64], &mut [f64])) -> Extended {
        let (m, length) = (self.m, self.length);
        let (basis, rest) = self.vectors.split_at_mut((m + 1) * length);
        let w = &mut rest[..length];
        operator(&basis[m * length..], w);
        let before = dot(w, w).sqrt();
        if !before.is_finite() {
            return Extended::NotFinite;
        }
        let mut norm = before;
        for _ in 0..2 {
            let last = norm;
            for (j, v) in basis.chunks_exact(length).enumerate() {
                let projection = dot(v, w);
                self.h[(j, m)] += projection;
                add_scaled(-projection, v, w);
            }
            norm = dot(w, w).sqrt();
            // Daniel, Gragg, Kaufman, Stewart, Math. Comp. 30 (1976) 772: enough when less than half of the vector cancelled.
            if norm > 0.7 * last {
                break;
            }
        }
        self.m += 1;
        if norm <= INVARIANT * before || m + 1 == length {
            return Extended::Invariant;
        }
        self.h[(m + 1, m)] = norm;
        w.iter_mut().for_each(|w| *w /= norm);
        Extended::Grown
    }

    /// What is missing in `w` after [`Extended::NotFinite`]: the first value that is not finite.
    pub(super) fn not_finite(&self) -> (usize, f64) {
        let w = &self.vectors[(self.m + 1) * self.length..][..self.length];
        w.iter().enumerate().find(|(_, w)| !w.is_finite()).map_or((0, f64::INFINITY), |(i, &w)| (i, w))
    }

    /// `out` = beta sum_j coefficients_j v_j.
    pub(super) fn combine(&self, coefficients: &[f64], out: &mut [f64]) {
        out.fill(0.0);
        for (v, c) in self.vectors.chunks_exact(self.length).zip(coefficients) {
            add_scaled(self.beta * c, v, out);
        }
    }
}

/// The 2-norm, whose squares do not leave the range.
pub(super) fn norm(x: &[f64]) -> f64 {
    let largest = x.iter().fold(0.0f64, |a, b| a.max(b.abs()));
    if largest == 0.0 || !largest.is_finite() {
        return largest;
    }
    largest * x.iter().map(|x| (x / largest) * (x / largest)).sum::<f64>().sqrt()
}

/// Eight sums, so that they may be vectorized.
pub(super) fn dot(a: &[f64], b: &[f64]) -> f64 {
    let ((a, a_rest), (b, b_rest)) = (a.as_chunks::<8>(), b.as_chunks::<8>());
    let mut sums = [0.0; 8];
    for (a, b) in a.iter().zip(b) {
        for i in 0..8 {
            sums[i] += a[i] * b[i];
        }
    }
    sums.iter().sum::<f64>() + a_rest.iter().zip(b_rest).map(|(a, b)| a * b).sum::<f64>()
}

fn add_scaled(factor: f64, v: &[f64], w: &mut [f64]) {
    for (w, v) in w.iter_mut().zip(v) {
        *w += factor * v;
    }
}
