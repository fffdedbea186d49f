//! H(s) = C (s I - A)^{-1} B + D at many frequencies: A is reduced to Hessenberg form once, each frequency then costs O(n^2) (Laub, IEEE Trans.
//! Autom. Control 26 (1981) 407).
//!
//! Orthogonal reductions leave round-off of the norm of A, which is that of its fast modes. So each solution is refined with A itself until
//! every row holds to round-off of its own terms (Skeel, Math. Comp. 35 (1980) 817); where that does not converge, s I - A is factored anew with rows
//! and columns equilibrated for this s: at low frequencies the states of a companion form lie 1e30 apart in any fixed units.

use fourbar_linalg::{equilibrating_powers, invariant_units, times_two_to};
use nalgebra::linalg::Hessenberg;
use nalgebra::{Complex, DMatrix};

use crate::error::all_finite;
use crate::{Error, StateSpace};

type Matrix = DMatrix<Complex<f64>>;

/// Refinements before a system is factored anew, or called singular.
const REFINEMENTS: usize = 6;

/// The transfer function of a system, q x m, ready to be evaluated anywhere.
///
/// ```
/// use fourbar_lti::{TransferMatrix, lag};
/// use nalgebra::Complex;
///
/// let h = TransferMatrix::new(&lag(2.0, 0.1)?);
/// let corner = h.at(Complex::new(0.0, 10.0)).expect("no pole")[0];
/// assert!((corner - Complex::new(1.0, -1.0)).norm() < 1e-15);
/// # Ok::<(), fourbar_lti::Error>(())
/// ```
#[derive(Debug, Clone)]
pub struct TransferMatrix {
    /// In balanced units.
    a: DMatrix<f64>,
    b: DMatrix<f64>,
    c: DMatrix<f64>,
    d: DMatrix<f64>,
    /// A = Q H Q^T; none for fewer than three states.
    hessenberg: Option<(DMatrix<f64>, DMatrix<f64>)>,
}

impl TransferMatrix {
    /// Reduces A; O(n^3).
    #[must_use]
    pub fn new(system: &StateSpace) -> Self {
        let mut transfer = Self::unreduced(system);
        if system.states() > 2 {
            transfer.hessenberg = Some(Hessenberg::new(transfer.a.clone()).unpack());
        }
        transfer
    }

    /// For a single frequency.
    pub(crate) fn unreduced(system: &StateSpace) -> Self {
        let (a, b, c) = (system.a(), system.b(), system.c());
        // States in units that inputs and outputs know as well: [A B 0; 0 0 0; C 0 0] says what acts on what.
        let (n, m, q) = (system.states(), system.inputs(), system.outputs());
        let mut graph = DMatrix::zeros(n + m + q, n + m + q);
        graph.view_mut((0, 0), (n, n)).copy_from(a);
        graph.view_mut((0, n), (n, m)).copy_from(b);
        graph.view_mut((n + m, 0), (q, n)).copy_from(c);
        let units = invariant_units(&graph);
        Self {
            a: DMatrix::from_fn(a.nrows(), a.ncols(), |i, j| times_two_to(a[(i, j)], units[j] - units[i])),
            b: DMatrix::from_fn(b.nrows(), b.ncols(), |i, j| times_two_to(b[(i, j)], -units[i])),
            c: DMatrix::from_fn(c.nrows(), c.ncols(), |i, j| times_two_to(c[(i, j)], units[j])),
            d: system.d().clone(),
            hessenberg: None,
        }
    }

    /// H(s), s \[1/s\], q x m; none at a pole (to working precision), where s is not finite, and where H leaves the range of f64. O(n^2 m).
    #[must_use]
    pub fn at(&self, s: Complex<f64>) -> Option<Matrix> {
        let mut h = self.d.map(|x| Complex::new(x, 0.0));
        if !s.re.is_finite() || !s.im.is_finite() {
            return None;
        }
        if !self.a.is_empty() && !h.is_empty() {
            h += of_real(&self.c, &self.resolvent(s)?);
        }
        h.iter().all(|z| z.re.is_finite() && z.im.is_finite()).then_some(h)
    }

    /// (s I - A)^{-1} B.
    fn resolvent(&self, s: Complex<f64>) -> Option<Matrix> {
        if let Some((q, h)) = &self.hessenberg {
            let factors = HessenbergFactors::new(h, s);
            let (turned, back) = (q.transpose(), q);
            let solution = factors.and_then(|factors| {
                self.refined(s, &vec![0; h.nrows()], |right| {
                    let mut x = of_real(&turned, right);
                    factors.solve(&mut x);
                    of_real(back, &x)
                })
            });
            if solution.is_some() {
                return solution;
            }
        }
        let n = self.a.nrows();
        let shifted =
            Matrix::from_fn(n, n, |i, j| if i == j { s - self.a[(i, j)] } else { Complex::new(-self.a[(i, j)], 0.0) });
        let [rows, columns] = equilibrating_powers(&shifted.map(Complex::norm));
        let factors = Matrix::from_fn(n, n, |i, j| scaled(shifted[(i, j)], rows[i] + columns[j])).lu();
        if !factors.is_invertible() {
            return None;
        }
        self.refined(s, &columns, |right| {
            let right = Matrix::from_fn(n, right.ncols(), |i, k| scaled(right[(i, k)], rows[i]));
            let x = factors.solve(&right).unwrap_or_else(|| right.map(|_| Complex::new(f64::NAN, 0.0)));
            Matrix::from_fn(n, x.ncols(), |i, k| scaled(x[(i, k)], columns[i]))
        })
    }

    /// X with (s I - A) X = B row by row to round-off of its terms, from a solver that is roughly right in these units of the states, powers of
    /// two; none if corrections do not fade.
    fn refined(&self, s: Complex<f64>, units: &[i32], solve: impl Fn(&Matrix) -> Matrix) -> Option<Matrix> {
        let right = self.b.map(|x| Complex::new(x, 0.0));
        let mut x = solve(&right);
        let limit = (self.a.nrows() as f64 + 4.0) * f64::EPSILON;
        for _ in 0..REFINEMENTS {
            let rest = &right - &x * s + of_real(&self.a, &x);
            let sizes = self.b.abs() + x.map(Complex::norm) * s.norm() + self.a.abs() * x.map(Complex::norm);
            let correction = solve(&rest);
            let (change, size) = (largest(&correction, units), largest(&x, units));
            // Half of the digits or none: a pole to working precision, which no residual tells.
            if !(change <= 0.5 * size) {
                return (size == 0.0).then_some(x);
            }
            if rest.iter().zip(&sizes).all(|(rest, size)| rest.norm() <= limit * size) {
                return Some(x);
            }
            x += &correction;
            // States that no output shows may stay less exact: those of a companion form are 1e30 times smaller at low frequencies.
            let (moved, shown) = (self.c.abs() * correction.map(Complex::norm), of_real(&self.c, &x));
            let values = shown.iter().zip(&self.d).map(|(shown, direct)| (shown + direct).norm());
            if moved.iter().zip(values).all(|(moved, value)| *moved <= limit * value) {
                return Some(x);
            }
        }
        None
    }
}

impl StateSpace {
    /// H(s) = C (s I - A)^{-1} B + D at the complex frequency s = `re` + i `im` \[1/s\], as its real and imaginary part, each
    /// q x m; None at a pole, and where it leaves the range of f64. Without states it is D. For many frequencies see
    /// [`StateSpace::frequency_grid`].
    #[must_use]
    pub fn frequency_response(&self, re: f64, im: f64) -> Option<(DMatrix<f64>, DMatrix<f64>)> {
        let h = TransferMatrix::unreduced(self).at(Complex::new(re, im))?;
        Some((h.map(|z| z.re), h.map(|z| z.im)))
    }

    /// H(i w) at each of the angular frequencies w \[rad/s\], q x m; none at a pole. O(n^3) once and O(n^2 m) for each.
    ///
    /// # Errors
    /// [`Error::NotFinite`] for a frequency.
    pub fn frequency_grid(&self, frequencies: &[f64]) -> Result<Vec<Option<Matrix>>, Error> {
        all_finite("frequencies", frequencies)?;
        let transfer = TransferMatrix::new(self);
        Ok(frequencies.iter().map(|w| transfer.at(Complex::new(0.0, *w))).collect())
    }
}

/// s I - H = L U by rows, neighbours exchanged where the lower one is larger.
struct HessenbergFactors {
    upper: Matrix,
    /// For each step: whether rows were exchanged, and the factor.
    steps: Vec<(bool, Complex<f64>)>,
}

impl HessenbergFactors {
    /// None where a pivot is 0.
    fn new(h: &DMatrix<f64>, s: Complex<f64>) -> Option<Self> {
        let n = h.nrows();
        let mut upper = h.map(|x| Complex::new(-x, 0.0));
        (0..n).for_each(|i| upper[(i, i)] += s);
        let mut steps = Vec::with_capacity(n - 1);
        for k in 0..n {
            if k + 1 < n {
                let exchange = upper[(k + 1, k)].norm_sqr() > upper[(k, k)].norm_sqr();
                if exchange {
                    upper.swap_rows(k, k + 1);
                }
                let pivot = upper[(k, k)];
                if pivot == Complex::ZERO {
                    return None;
                }
                let factor = upper[(k + 1, k)] / pivot;
                for j in k + 1..n {
                    let above = upper[(k, j)];
                    upper[(k + 1, j)] -= factor * above;
                }
                steps.push((exchange, factor));
            } else if upper[(k, k)] == Complex::ZERO {
                return None;
            }
        }
        Some(Self { upper, steps })
    }

    fn solve(&self, x: &mut Matrix) {
        let n = self.upper.nrows();
        for mut x in x.column_iter_mut() {
            for (k, &(exchange, factor)) in self.steps.iter().enumerate() {
                if exchange {
                    x.swap_rows(k, k + 1);
                }
                let above = x[k];
                x[k + 1] -= factor * above;
            }
            for k in (0..n).rev() {
                x[k] /= self.upper[(k, k)];
                let value = x[k];
                for i in 0..k {
                    x[i] -= self.upper[(i, k)] * value;
                }
            }
        }
    }
}

/// A real matrix times a complex one.
fn of_real(a: &DMatrix<f64>, x: &Matrix) -> Matrix {
    let (re, im) = (a * x.map(|z| z.re), a * x.map(|z| z.im));
    re.zip_map(&im, Complex::new)
}

fn scaled(z: Complex<f64>, power: i32) -> Complex<f64> {
    Complex::new(times_two_to(z.re, power), times_two_to(z.im, power))
}

/// Of the rows in their units.
fn largest(x: &Matrix, units: &[i32]) -> f64 {
    let sizes = x
        .row_iter()
        .zip(units)
        .flat_map(|(row, unit)| row.iter().map(|z| times_two_to(z.norm(), -unit)).collect::<Vec<_>>());
    sizes.fold(0.0, |largest, size| if size > largest || size.is_nan() { size } else { largest })
}
