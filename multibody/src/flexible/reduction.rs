//! Finite elements reduced to modes (Craig and Bampton, AIAA Journal 6 (1968) 1313).

use nalgebra::{Cholesky, DMatrix, DVector};

/// Squared frequencies of the six rigid-body motions over the lowest of the others, at most: what rounding leaves of zero.
const RIGID: f64 = 1e-3;

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
            let fixed = lowest(&held, &part(self.mass, &inner), kept);
            for (k, &row) in inner.iter().enumerate() {
                span.view_mut((row, 0), (1, self.interface.len())).copy_from(&followed.row(k));
                span.view_mut((row, self.interface.len()), (1, kept)).copy_from(&fixed.row(k));
            }
        }
        self.orthogonal(span)
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
        let eigen = ((&reduced + reduced.transpose()) * 0.5).symmetric_eigen();
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

/// The lowest eigenvectors of K x = w^2 M x: with K = L L^T those of L^-1 M L^-T of the largest eigenvalues.
fn lowest(stiffness: &Cholesky<f64, nalgebra::Dyn>, mass: &DMatrix<f64>, count: usize) -> DMatrix<f64> {
    let l = stiffness.l();
    let n = l.nrows();
    let half = l.solve_lower_triangular(mass).unwrap_or_else(|| DMatrix::zeros(n, n));
    let flexibility = l.solve_lower_triangular(&half.transpose()).unwrap_or_else(|| DMatrix::zeros(n, n));
    let eigen = ((&flexibility + flexibility.transpose()) * 0.5).symmetric_eigen();
    let mut order: Vec<usize> = (0..n).collect();
    order.sort_by(|&a, &b| eigen.eigenvalues[b].total_cmp(&eigen.eigenvalues[a]));
    let columns: Vec<DVector<f64>> = order[..count]
        .iter()
        .map(|&k| {
            l.tr_solve_lower_triangular(&eigen.eigenvectors.column(k).into_owned()).unwrap_or_else(|| DVector::zeros(n))
        })
        .collect();
    if columns.is_empty() { DMatrix::zeros(n, 0) } else { DMatrix::from_columns(&columns) }
}
