//! The modal form: coordinates in which A is real and block-diagonal, a step costs O(n), and each mode can be looked at.

use nalgebra::{Complex, DMatrix, DVector, Schur};

use crate::error::{length, positive};
use crate::{Error, StateSpace};

/// A mode of a system.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Mode {
    /// A real eigenvalue \[1/s\].
    Real(f64),
    /// A pair of eigenvalues re +- i im \[1/s\], im > 0.
    Pair {
        /// Real part \[1/s\].
        re: f64,
        /// Imaginary part \[1/s\].
        im: f64,
    },
}

/// A system in modal coordinates z, x = V z: A becomes blocks \[a\] and \[a b; -b a\].
///
/// A [`Stepper`](crate::Stepper) of [`ModalForm::system`] recognises the blocks (from 48 states on) and steps in O(n). The price is the
/// conditioning of V: its square is about what a rounding error may grow by, so it is checked.
///
/// ```
/// use fourbar_lti::{ModalForm, Mode, StateSpace};
/// use nalgebra::dmatrix;
///
/// let oscillator = StateSpace::with_state_outputs(dmatrix![0.0, 1.0; -25.0, -6.0], dmatrix![0.0; 1.0])?;
/// let modal = ModalForm::new(&oscillator, 1e6)?;
/// let [Mode::Pair { re, im }] = modal.modes() else { panic!() };
/// assert!((re + 3.0).abs() < 1e-13 && (im - 4.0).abs() < 1e-13);
/// # Ok::<(), fourbar_lti::Error>(())
/// ```
#[derive(Debug, Clone)]
pub struct ModalForm {
    system: StateSpace,
    modes: Vec<Mode>,
    /// V, n x n.
    vectors: DMatrix<f64>,
    /// V^{-1}.
    inverse: DMatrix<f64>,
    condition: f64,
}

impl ModalForm {
    /// Transforms `system`, if its eigenvectors are independent enough.
    ///
    /// # Errors
    /// [`Error::IllConditionedModes`] when the 2-norm condition number of V exceeds `condition_limit` (a defective matrix always
    /// does), [`Error::Eigenvalues`] when they do not converge, [`Error::NotPositive`] for the limit.
    pub fn new(system: &StateSpace, condition_limit: f64) -> Result<Self, Error> {
        positive("condition limit", condition_limit)?;
        let n = system.states();
        let (modes, vectors) = real_modes(system.a())?;
        let condition = condition_number(&vectors);
        let inverse = vectors.clone().try_inverse().filter(|_| condition <= condition_limit);
        let Some(inverse) = inverse else {
            return Err(Error::IllConditionedModes { condition, limit: condition_limit });
        };
        Ok(Self {
            system: StateSpace::new(
                block_diagonal(&modes, n),
                &inverse * system.b(),
                system.c() * &vectors,
                system.d().clone(),
            )?,
            modes,
            vectors,
            inverse,
            condition,
        })
    }

    /// The system in modal coordinates; its inputs and outputs are those of the original.
    #[must_use]
    pub fn system(&self) -> &StateSpace {
        &self.system
    }

    /// The modes, in the order of the coordinates.
    #[must_use]
    pub fn modes(&self) -> &[Mode] {
        &self.modes
    }

    /// Condition number of V in the 2-norm.
    #[must_use]
    pub fn condition(&self) -> f64 {
        self.condition
    }

    /// z = V^{-1} x.
    ///
    /// # Errors
    /// [`Error::Length`].
    pub fn to_modal(&self, x: &[f64]) -> Result<DVector<f64>, Error> {
        length("state", x.len(), self.inverse.ncols())?;
        Ok(&self.inverse * DVector::from_column_slice(x))
    }

    /// x = V z.
    ///
    /// # Errors
    /// [`Error::Length`].
    pub fn from_modal(&self, z: &[f64]) -> Result<DVector<f64>, Error> {
        length("modal state", z.len(), self.vectors.ncols())?;
        Ok(&self.vectors * DVector::from_column_slice(z))
    }
}

fn block_diagonal(modes: &[Mode], n: usize) -> DMatrix<f64> {
    let mut a = DMatrix::zeros(n, n);
    let mut i = 0;
    for mode in modes {
        match *mode {
            Mode::Real(value) => {
                a[(i, i)] = value;
                i += 1;
            }
            Mode::Pair { re, im } => {
                a[(i, i)] = re;
                a[(i, i + 1)] = im;
                a[(i + 1, i)] = -im;
                a[(i + 1, i + 1)] = re;
                i += 2;
            }
        }
    }
    a
}

/// Largest over smallest singular value; infinite for a singular matrix.
fn condition_number(matrix: &DMatrix<f64>) -> f64 {
    if matrix.is_empty() {
        return 1.0;
    }
    let values = matrix.singular_values();
    values.max() / values.min()
}

/// The modes and V: the eigenvector of a real eigenvalue, or real and imaginary part of one of a pair, each column of length 1.
fn real_modes(a: &DMatrix<f64>) -> Result<(Vec<Mode>, DMatrix<f64>), Error> {
    let n = a.nrows();
    if n == 0 {
        return Ok((Vec::new(), DMatrix::zeros(0, 0)));
    }
    let not_converged = Error::Eigenvalues { n };
    let complex = a.map(|x| Complex::new(x, 0.0));
    let schur = Schur::try_new(complex, f64::EPSILON, 1_000 * n).ok_or_else(|| not_converged.clone())?;
    let (q, t) = schur.unpack();
    let size = a.norm();
    let (mut modes, mut columns) = (Vec::new(), Vec::new());
    for k in 0..n {
        let value = t[(k, k)];
        if value.im < -1e-13 * size {
            continue; // the partner of a pair
        }
        let vector = &q * triangular_eigenvector(&t, k, f64::EPSILON * size);
        // Turned so that its largest component is real: the vector of a real eigenvalue then is real.
        let turn = vector[vector.icamax()].conj();
        let vector = vector.map(|z| z * turn);
        let (re, im) = (vector.map(|z| z.re), vector.map(|z| z.im));
        if value.im <= 1e-13 * size {
            modes.push(Mode::Real(value.re));
            columns.push(re.normalize());
        } else {
            modes.push(Mode::Pair { re: value.re, im: value.im });
            let length = vector.norm();
            columns.extend([re / length, im / length]);
        }
    }
    // Rounding may split a defective pair unevenly: then there is no basis of modes.
    if columns.len() != n {
        return Err(not_converged);
    }
    Ok((modes, DMatrix::from_columns(&columns)))
}

/// y with (T - t_kk I) y = 0 for upper triangular T, y_k = 1, by back substitution. A pivot below `tiny` (a repeated eigenvalue)
/// is replaced by it.
fn triangular_eigenvector(t: &DMatrix<Complex<f64>>, k: usize, tiny: f64) -> DVector<Complex<f64>> {
    let mut y = DVector::zeros(t.nrows());
    y[k] = Complex::new(1.0, 0.0);
    for i in (0..k).rev() {
        let known: Complex<f64> = (i + 1..=k).map(|j| t[(i, j)] * y[j]).sum();
        let pivot = t[(k, k)] - t[(i, i)];
        let pivot = if pivot.norm() < tiny { Complex::new(tiny, 0.0) } else { pivot };
        y[i] = known / pivot;
    }
    y
}

#[cfg(test)]
mod tests {
    use nalgebra::dmatrix;

    use super::*;
    use crate::{Method, Stepper};

    /// A chain of masses and springs with one damper: every kind of mode, repeated structure.
    fn chain(masses: usize) -> StateSpace {
        let n = 2 * masses;
        let stiffness = |i: usize, j: usize| match i.abs_diff(j) {
            0 => -200.0,
            1 => 100.0,
            _ => 0.0,
        };
        let a = DMatrix::from_fn(n, n, |i, j| match (i < masses, j < masses) {
            (true, false) if j - masses == i => 1.0,
            (false, true) => stiffness(i - masses, j),
            (false, false) if i == j => -0.3 - 0.05 * (i - masses) as f64,
            _ => 0.0,
        });
        let b = DMatrix::from_fn(n, 1, |i, _| f64::from(u8::from(i == masses)));
        let c = DMatrix::from_fn(2, n, |i, j| f64::from(u8::from(j == i + masses / 2)));
        StateSpace::new(a, b, c, DMatrix::zeros(2, 1)).unwrap()
    }

    #[test]
    fn modal_steps_give_the_outputs_of_full_steps() {
        let system = chain(24);
        let modal = ModalForm::new(&system, 1e6).unwrap();
        assert!(modal.condition() < 1e3, "{}", modal.condition());
        let method = Method::Algorithm1 { order: 2 };
        let mut full = Stepper::new(&system, 0.05, method.clone()).unwrap();
        let mut fast = Stepper::new(modal.system(), 0.05, method).unwrap();
        assert!(fast.is_block_diagonal() && !full.is_block_diagonal());
        let x: Vec<f64> = (0..48).map(|i| (i as f64).cos()).collect();
        full.set_state(&x).unwrap();
        fast.set_state(modal.to_modal(&x).unwrap().as_slice()).unwrap();
        let (mut y, mut z) = ([0.0; 2], [0.0; 2]);
        full.set_input(&[0.0]).unwrap();
        fast.set_input(&[0.0]).unwrap();
        for k in 0..200 {
            let u = [(k as f64 * 0.05).sin(), (k as f64 * 0.05 + 0.025).sin()];
            full.step(&u, &mut y).unwrap();
            fast.step(&u, &mut z).unwrap();
            assert!((y[0] - z[0]).abs() < 1e-12 && (y[1] - z[1]).abs() < 1e-12, "step {k}");
        }
        let back = modal.from_modal(fast.state()).unwrap();
        assert!(back.iter().zip(full.state()).all(|(a, b)| (a - b).abs() < 1e-12));
    }

    #[test]
    fn repeated_eigenvalues_with_a_full_basis_are_no_obstacle() {
        let rotated = dmatrix![2.0, 1.0, 0.0; 1.0, 2.0, 0.0; 1.0, 1.0, 1.0]; // 1, 1, 3
        let system = StateSpace::with_state_outputs(rotated, DMatrix::zeros(3, 0)).unwrap();
        let modal = ModalForm::new(&system, 100.0).unwrap();
        assert_eq!(modal.modes().len(), 3);
        let rebuilt = &modal.vectors * modal.system().a() * &modal.inverse;
        assert!((rebuilt - system.a()).abs().max() < 1e-13);
        let empty = StateSpace::gain(dmatrix![1.0]).unwrap();
        assert!(ModalForm::new(&empty, 10.0).unwrap().modes().is_empty());
    }

    #[test]
    fn a_defective_matrix_is_refused() {
        let jordan = StateSpace::with_state_outputs(dmatrix![-1.0, 1.0; 0.0, -1.0], dmatrix![0.0; 1.0]).unwrap();
        assert!(matches!(ModalForm::new(&jordan, 1e8), Err(Error::IllConditionedModes { .. })));
    }
}
