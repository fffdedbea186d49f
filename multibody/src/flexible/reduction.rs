//! Finite elements reduced to modes (Craig and Bampton, AIAA Journal 6 (1968) 1313).

use fourbar_linalg::large_symmetric_eigen;
use nalgebra::{Cholesky, DMatrix};

/// Squared frequencies of the six rigid-body motions over the lowest of the others, at most: what rounding leaves of zero.
const RIGID: f64 = 1e-3;
/// Part by which squared frequencies may differ that count as equal: figures from drawings have six digits.
const EQUAL: f64 = 1e-6;
/// Part by which the loads of the last interface unknown count less than those of the first: it parts what is alike, and outweighs nothing else.
const EARLIER: f64 = 1e-2;

/// A free body of finite elements, and what is to be left of it. Matrices are full: for bodies of up to some two thousand unknowns.
#[derive(Debug, Clone)]
pub struct CraigBampton<'a> {
    /// Mass matrix, symmetric, n x n.
    pub mass: &'a DMatrix<f64>,
    /// Stiffness matrix, symmetric, n x n, with the six motions of the whole free.
    pub stiffness: &'a DMatrix<f64>,
    /// Unknowns of the nodes to which joints and forces are attached, all six of each.
    pub interface: &'a [usize],
    /// Modes with these fixed that are kept, the lowest ones.
    pub modes: usize,
}

/// Modes that are orthogonal to each other and to rigid-body motions, by mass and by stiffness.
#[derive(Debug, Clone, PartialEq)]
pub struct Modes {
    /// Shapes, n x modes, of unit modal mass.
    pub shapes: DMatrix<f64>,
    /// Circular frequencies, ascending [rad/s].
    pub frequencies: Vec<f64>,
}

/// Why a body cannot be reduced.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum ReductionError {
    /// Sizes that do not fit.
    #[error(
        "mass is {mass:?}, stiffness {stiffness:?}, and unknown {unknown} is asked for: give square matrices of one size, and unknowns within"
    )]
    Shape {
        /// Rows and columns of the mass matrix.
        mass: (usize, usize),
        /// Rows and columns of the stiffness matrix.
        stiffness: (usize, usize),
        /// The largest unknown asked for.
        unknown: usize,
    },
    /// A matrix that must be positive definite.
    #[error("{what} is not positive definite: {remedy}")]
    Indefinite {
        /// The matrix.
        what: &'static str,
        /// What to do.
        remedy: &'static str,
    },
    /// A body that is not free.
    #[error(
        "the sixth squared frequency is {sixth:e} 1/s^2, the seventh {seventh:e}: the elements must be free to move as a whole; leave out supports"
    )]
    Held {
        /// The sixth squared frequency [1/s^2].
        sixth: f64,
        /// The seventh.
        seventh: f64,
    },
}

impl CraigBampton<'_> {
    /// Shapes with a unit displacement of one interface unknown, and with all of these fixed; made orthogonal, without the six rigid-body motions.
    ///
    /// With i the inner and b the interface unknowns, the first are -`K_ii`^-1 `K_ib` beside I; the second solve `K_ii` x = w^2 `M_ii` x. On their span T the
    /// eigenvectors of T^T K T z = w^2 T^T M T z are what is given back.
    ///
    /// # Errors
    /// [`ReductionError`].
    pub fn reduce(&self) -> Result<Modes, ReductionError> {
        let n = self.mass.nrows();
        let unknown = self.interface.iter().copied().max().unwrap_or(0);
        let (mass, stiffness) = (self.mass.shape(), self.stiffness.shape());
        if mass != (n, n) || stiffness != (n, n) || unknown >= n {
            return Err(ReductionError::Shape { mass, stiffness, unknown });
        }
        let inner: Vec<usize> = (0..n).filter(|k| !self.interface.contains(k)).collect();
        let kept = self.modes.min(inner.len());
        let count = self.interface.len() + kept;
        let mut span = DMatrix::zeros(n, count);
        self.interface.iter().enumerate().for_each(|(k, &row)| span[(row, k)] = 1.0);
        if !inner.is_empty() {
            let part = |of: &DMatrix<f64>, columns: &[usize]| of.select_rows(&inner).select_columns(columns);
            let held = Cholesky::new(part(self.stiffness, &inner)).ok_or(ReductionError::Indefinite {
                what: "the stiffness with the interface fixed",
                remedy: "name interface unknowns that hold every part of the body",
            })?;
            let followed = -held.solve(&part(self.stiffness, self.interface));
            let moved = self.moved(&inner, &followed);
            let fixed = lowest(&held, &part(self.mass, &inner), &moved, kept);
            for (k, &row) in inner.iter().enumerate() {
                span.view_mut((row, 0), (1, self.interface.len())).copy_from(&followed.row(k));
                span.view_mut((row, self.interface.len()), (1, kept)).copy_from(&fixed.row(k));
            }
        }
        self.orthogonal(span)
    }

    /// Inertia loads on the inner unknowns where one interface unknown at a time is accelerated and the inner ones follow, by the root of the mass that
    /// moves with it, so that no unit is in their quotients. Earlier unknowns weigh a little more, so that no two weigh the same.
    fn moved(&self, inner: &[usize], followed: &DMatrix<f64>) -> DMatrix<f64> {
        let part = |rows: &[usize], columns: &[usize]| self.mass.select_rows(rows).select_columns(columns);
        let (to_held, to_inner) = (part(inner, self.interface), part(inner, inner));
        let mut loads = &to_held + &to_inner * followed;
        for (k, mut load) in loads.column_iter_mut().enumerate() {
            let shape = followed.column(k);
            let held = self.mass[(self.interface[k], self.interface[k])];
            let mass = held + shape.dot(&(&load + to_held.column(k)));
            let weight = 1.0 - EARLIER * k as f64 / self.interface.len() as f64;
            load *= weight / mass.max(f64::MIN_POSITIVE).sqrt();
        }
        loads
    }

    fn orthogonal(&self, mut span: DMatrix<f64>) -> Result<Modes, ReductionError> {
        // Columns of one size: turns and displacements differ by a length.
        for mut column in span.column_iter_mut() {
            let size = column.dot(&(self.mass * &column)).sqrt();
            column /= size;
        }
        let mass = span.transpose() * self.mass * &span;
        let stiffness = span.transpose() * self.stiffness * &span;
        let cholesky = Cholesky::new(mass).ok_or(ReductionError::Indefinite {
            what: "the mass of the modes",
            remedy: "give the nodes mass and inertia, or keep fewer modes",
        })?;
        let l = cholesky.l();
        let one = DMatrix::identity(l.nrows(), l.nrows());
        let inverse = l.solve_lower_triangular(&one).unwrap_or(one);
        let reduced = &inverse * stiffness * inverse.transpose();
        let eigen = large_symmetric_eigen(&((&reduced + reduced.transpose()) * 0.5));
        let mut order: Vec<usize> = (0..eigen.eigenvalues.len()).collect();
        order.sort_by(|&a, &b| eigen.eigenvalues[a].total_cmp(&eigen.eigenvalues[b]));
        let (sixth, seventh) = match order.as_slice() {
            [.., _] if order.len() > 6 => (eigen.eigenvalues[order[5]], eigen.eigenvalues[order[6]]),
            _ => (0.0, 0.0),
        };
        if !(sixth.abs() < RIGID * seventh) {
            return Err(ReductionError::Held { sixth, seventh });
        }
        let shapes = span * inverse.transpose() * eigen.eigenvectors;
        let kept = &order[6..];
        let frequencies = kept.iter().map(|&k| eigen.eigenvalues[k].sqrt()).collect();
        Ok(Modes { shapes: shapes.select_columns(kept), frequencies })
    }
}

/// The lowest eigenvectors of K x = w^2 M x: with K = L L^T those of L^-1 M L^-T of the largest eigenvalues. Of those with the same frequency the ones
/// that the loads `moved` excite most come first, so that round-off does not choose.
fn lowest(
    stiffness: &Cholesky<f64, nalgebra::Dyn>,
    mass: &DMatrix<f64>,
    moved: &DMatrix<f64>,
    count: usize,
) -> DMatrix<f64> {
    let l = stiffness.l();
    let n = l.nrows();
    if count == 0 {
        return DMatrix::zeros(n, 0);
    }
    let half = l.solve_lower_triangular(mass).unwrap_or_else(|| DMatrix::zeros(n, n));
    let flexibility = l.solve_lower_triangular(&half.transpose()).unwrap_or_else(|| DMatrix::zeros(n, n));
    let eigen = large_symmetric_eigen(&((&flexibility + flexibility.transpose()) * 0.5));
    let mut order: Vec<usize> = (0..n).collect();
    order.sort_by(|&a, &b| eigen.eigenvalues[b].total_cmp(&eigen.eigenvalues[a]));
    let last = eigen.eigenvalues[order[count - 1]];
    let equal = |k: &usize| (eigen.eigenvalues[*k] - last).abs() <= EQUAL * last;
    let first = order.iter().position(equal).unwrap_or(count - 1);
    let behind = first + order[first..].iter().take_while(|k| equal(k)).count();
    let shapes = |places: &[usize]| {
        let vectors = eigen.eigenvectors.select_columns(places);
        l.tr_solve_lower_triangular(&vectors).unwrap_or_else(|| DMatrix::zeros(n, places.len()))
    };
    let mut all = shapes(&order[..count]);
    if behind > count {
        let chosen = most_excited(shapes(&order[first..behind]), moved, count - first);
        all.columns_mut(first, count - first).copy_from(&chosen);
    }
    all
}

/// Of shapes with the same frequency the combinations that the loads excite most.
fn most_excited(alike: DMatrix<f64>, loads: &DMatrix<f64>, count: usize) -> DMatrix<f64> {
    let excited = alike.tr_mul(loads);
    let eigen = large_symmetric_eigen(&(&excited * excited.transpose()));
    let mut order: Vec<usize> = (0..alike.ncols()).collect();
    order.sort_by(|&a, &b| eigen.eigenvalues[b].total_cmp(&eigen.eigenvalues[a]));
    alike * eigen.eigenvectors.select_columns(&order[..count])
}
