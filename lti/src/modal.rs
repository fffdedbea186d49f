//! The modal form: coordinates in which A is real and block-diagonal, a step costs O(n), and each mode can be looked at.

use nalgebra::{DMatrix, DVector};

use crate::eigen::real_modes;
use crate::error::{length, positive};
use crate::{Error, Mode, StateSpace};

/// A system in modal coordinates z, x = V z: A becomes blocks \[a\] and \[a b; -b a\].
///
/// A [`Stepper`](crate::Stepper) of [`ModalForm::system`] recognises the blocks (from 48 states on) and steps in O(n). The price is accuracy:
/// eigenvalues are those of a matrix within a few units of round-off of A after balancing, in norm. The conditioning of V, which is checked, is what
/// that may grow by; but in a stiff system the norm is that of the fast modes, and slow ones coupled to them may be off by as many units of
/// it: e^{AT} of a servo with modes at 1e8 1/s to 1e-9 at T = 1 s, with V of condition 26. Where that matters, step the full form.
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
    /// does), [`Error::Eigenvalues`] when they do not converge, [`Error::Overflow`] when they or the new B and C leave the range of f64,
    /// [`Error::NotPositive`] for the limit.
    pub fn new(system: &StateSpace, condition_limit: f64) -> Result<Self, Error> {
        positive("condition limit", condition_limit)?;
        let n = system.states();
        let (modes, vectors) = real_modes(system.a())?;
        let condition = condition_number(&vectors);
        let inverse = vectors.clone().try_inverse().filter(|_| condition <= condition_limit);
        let Some(inverse) = inverse else {
            return Err(Error::IllConditionedModes { condition, limit: condition_limit });
        };
        let (a, b, c) = (block_diagonal(&modes, n), &inverse * system.b(), system.c() * &vectors);
        if ![&a, &b, &c].iter().all(|m| m.iter().all(|x| x.is_finite())) {
            return Err(Error::Overflow { what: "system in modal coordinates" });
        }
        Ok(Self { system: StateSpace::from_checked(a, b, c, system.d().clone()), modes, vectors, inverse, condition })
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
    let svd = fourbar_linalg::SingularValues::new(matrix);
    svd.map_or(f64::INFINITY, |svd| svd.largest() / svd.values.min())
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

    fn modes(a: DMatrix<f64>) -> Result<Vec<Mode>, Error> {
        let inputs = DMatrix::from_element(a.nrows(), 1, 1.0);
        let form = ModalForm::new(&StateSpace::with_state_outputs(a, inputs).unwrap(), 1e8)?;
        Ok(form.modes().to_vec())
    }

    /// Zero matrices, entries at both ends of the range, a slow oscillator beside a mode so fast that its round-off is larger than the
    /// oscillator's frequency.
    #[test]
    fn matrices_of_any_size_have_modes() {
        for n in [1, 2, 4, 7] {
            assert_eq!(modes(DMatrix::zeros(n, n)).unwrap(), vec![Mode::Real(0.0); n]);
        }
        for size in [1e-300, 1e-200, 1e200, 1e307] {
            let all = modes(dmatrix![-size, size; -size, -size]).unwrap();
            let [Mode::Pair { re, im }] = all[..] else { panic!("{all:?}") };
            assert!((re / size + 1.0).abs() < 1e-15 && (im / size - 1.0).abs() < 1e-15, "{all:?}");
        }
        let beside = modes(dmatrix![-1e13, 0.0, 0.0; 0.0, -0.01, 0.5; 0.0, -0.5, -0.01]).unwrap();
        assert!(
            beside.contains(&Mode::Real(-1e13)) && beside.contains(&Mode::Pair { re: -0.01, im: 0.5 }),
            "{beside:?}"
        );
        let huge = modes(dmatrix![1e308, 1e308; 1e308, 1e308]);
        assert!(matches!(huge, Err(Error::Overflow { .. })), "{huge:?}");
    }

    #[test]
    fn a_defective_matrix_is_refused() {
        let integrators = modes(dmatrix![0.0, 0.0, 0.0; 1.0, 0.0, 0.0; 0.0, 1.0, 0.0]);
        assert!(matches!(integrators, Err(Error::IllConditionedModes { .. })), "{integrators:?}");
        let long_chain =
            modes(DMatrix::from_fn(48, 48, |i, j| if i == j { -1.0 } else { f64::from(u8::from(j == i + 1)) }));
        assert!(matches!(long_chain, Err(Error::IllConditionedModes { .. })), "{long_chain:?}");
        let jordan = StateSpace::with_state_outputs(dmatrix![-1.0, 1.0; 0.0, -1.0], dmatrix![0.0; 1.0]).unwrap();
        assert!(matches!(ModalForm::new(&jordan, 1e8), Err(Error::IllConditionedModes { .. })));
    }
}
