//! The poles of a system: the eigenvalues of A, of any A.

use fourbar_linalg::{Schur, balancing_units, strong_components, times_two_to};
use nalgebra::{Complex, DMatrix};

use crate::eigen::real_modes;
use crate::{Error, Mode, StateSpace};

impl StateSpace {
    /// The poles \[1/s\], n of them: the eigenvalues of A, in the order of falling real parts, then of rising imaginary ones in size, each
    /// pair side by side with the positive imaginary part first.
    ///
    /// Each strong component of the pattern of A has its own, so that couplings in one direction change no digit of them: the poles of a
    /// triangular matrix are its diagonal. Within a component they are those of a matrix within a few units of round-off of A after balancing
    /// by powers of two, in norm. A pole that counts k times in a component is good to the k-th root of round-off, as with any method.
    ///
    /// ```
    /// use fourbar_lti::StateSpace;
    /// use nalgebra::{Complex, dmatrix};
    ///
    /// let oscillator = StateSpace::with_state_outputs(dmatrix![0.0, 1.0; -25.0, -6.0], dmatrix![0.0; 1.0])?;
    /// let poles = oscillator.poles()?;
    /// assert!((poles[0] - Complex::new(-3.0, 4.0)).norm() < 1e-14 && poles[1] == poles[0].conj());
    /// # Ok::<(), fourbar_lti::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Overflow`] for a pole beyond the range of f64, [`Error::Eigenvalues`] when the iteration does not converge.
    pub fn poles(&self) -> Result<Vec<Complex<f64>>, Error> {
        let mut modes = modes(self.a())?;
        let key = |mode: &Mode| match *mode {
            Mode::Real(re) => (re, 0.0),
            Mode::Pair { re, im } => (re, im),
        };
        modes.sort_by(|a, b| {
            let ((a, a_im), (b, b_im)) = (key(a), key(b));
            b.total_cmp(&a).then(a_im.total_cmp(&b_im))
        });
        let pair = |mode: Mode| match mode {
            Mode::Real(re) => vec![Complex::new(re, 0.0)],
            Mode::Pair { re, im } => vec![Complex::new(re, im), Complex::new(re, -im)],
        };
        Ok(modes.into_iter().flat_map(pair).collect())
    }

    /// The modes of A with its eigenvectors: a column of length 1 for each real eigenvalue, real and imaginary part for each pair. Vectors of a
    /// defective matrix depend on each other.
    ///
    /// # Errors
    /// [`Error::Eigenvalues`] if they do not converge.
    pub fn eigenvectors(&self) -> Result<(Vec<Mode>, DMatrix<f64>), Error> {
        real_modes(self.a())
    }
}

/// Eigenvalues, component by component.
fn modes(a: &DMatrix<f64>) -> Result<Vec<Mode>, Error> {
    let n = a.nrows();
    let successors: Vec<Vec<usize>> =
        (0..n).map(|i| (0..n).filter(|j| *j != i && a[(i, *j)] != 0.0).collect()).collect();
    let mut modes = Vec::with_capacity(n);
    for component in strong_components(&successors) {
        if let [i] = component[..] {
            // Plus 0: no negative zeros.
            modes.push(Mode::Real(a[(i, i)] + 0.0));
        } else {
            of_component(&a.select_rows(&component).select_columns(&component), n, &mut modes)?;
        }
    }
    Ok(modes)
}

/// Eigenvalues of an irreducible matrix, balanced and brought to size 1.
fn of_component(a: &DMatrix<f64>, n: usize, modes: &mut Vec<Mode>) -> Result<(), Error> {
    let units = balancing_units(a);
    let k = a.nrows();
    let log = |i: usize, j: usize| a[(i, j)].abs().log2() + f64::from(units[j] - units[i]);
    let largest = (0..k * k).map(|at| log(at % k, at / k)).fold(f64::NEG_INFINITY, f64::max);
    let size = largest.ceil() as i32;
    // Large rows first: the reduction then leaves small eigenvalues the digits that round-off of large ones would take.
    let mut order: Vec<usize> = (0..k).collect();
    let row = |i: usize| (0..k).map(|j| log(i, j)).fold(f64::NEG_INFINITY, f64::max);
    order.sort_by(|i, j| row(*j).total_cmp(&row(*i)));
    let scaled = DMatrix::from_fn(k, k, |i, j| {
        let (i, j) = (order[i], order[j]);
        times_two_to(a[(i, j)], units[j] - units[i] - size)
    });
    let schur = Schur::new(scaled, false).ok_or(Error::Eigenvalues { n })?;
    for block in schur.blocks() {
        for value in schur.eigenvalues(&block) {
            let [re, im] = [value.re, value.im].map(|x| times_two_to(x, size) + 0.0);
            if !re.is_finite() || !im.is_finite() {
                return Err(Error::Overflow { what: "size of a pole" });
            }
            modes.push(if im == 0.0 { Mode::Real(re) } else { Mode::Pair { re, im } });
            if value.im != 0.0 && im == 0.0 {
                // A pair whose imaginary part is below the range.
                modes.push(Mode::Real(re));
            }
        }
    }
    Ok(())
}
