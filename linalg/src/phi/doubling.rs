//! From Z to 2 Z, as often as the scaling took halves.

use nalgebra::DMatrix;

use super::taylor::add_to_diagonal;
use super::{PhiError, PhiFunctions, PhiScalar, go_on, one_norm};

impl<T: PhiScalar> PhiFunctions<T> {
    /// `doublings` times:
    ///
    /// ```text
    /// D     <- D D + 2 D
    /// phi_k <- 2^-k [ D phi_k + 2 phi_k + sum_{j=1..k-1} phi_j / (k-j)! ]
    /// ```
    ///
    /// D = e^Z - I instead of e^Z keeps the slow modes of a stiff matrix, which squaring e^Z would lose among the ones on its
    /// diagonal. Once ||e^Z||_1 < 1/2 all modes have decayed and e^Z is squared itself, to keep its relative accuracy. A format with bits
    /// to spare squares e^Z in its last doublings in any case: each costs one of them, but where modes decay behind a transient that
    /// hides it in the norm, D would have lost them.
    pub(super) fn double_times(&mut self, doublings: i32) -> Result<(), PhiError> {
        let one = T::from(1.0);
        let minus_one = T::from(-1.0);
        let mut decayed = false;
        for left in (0..doublings).rev() {
            let size = one_norm(&self.exp);
            if !size.is_finite() {
                // Nothing finite comes of it any more.
                return Ok(());
            }
            go_on()?;
            decayed = decayed || left < T::SPARE_DOUBLINGS || size < 0.5;
            self.double_phi(size == 0.0);
            if size == 0.0 {
                // e^Z = 0 and D = -I for good.
                set_identity(&mut self.exp_minus_identity, minus_one);
            } else if decayed {
                T::multiply(&mut self.scratch, 0.0, &self.exp, &self.exp);
                std::mem::swap(&mut self.scratch, &mut self.exp);
                self.exp_minus_identity.copy_from(&self.exp);
                add_to_diagonal(&mut self.exp_minus_identity, minus_one);
            } else {
                let d = &self.exp_minus_identity;
                self.scratch.copy_from(d);
                T::multiply(&mut self.scratch, 2.0, d, d);
                std::mem::swap(&mut self.scratch, &mut self.exp_minus_identity);
                self.exp.copy_from(&self.exp_minus_identity);
                add_to_diagonal(&mut self.exp, one);
            }
        }
        Ok(())
    }

    /// The phi functions alone, highest index first, since each needs the old values of the lower ones; without a product where all modes
    /// have vanished.
    fn double_phi(&mut self, vanished: bool) {
        for k in (1..=self.phi.len()).rev() {
            let (lower, upper) = self.phi.split_at_mut(k - 1);
            let phi_k = &mut upper[0];
            self.scratch.copy_from(phi_k);
            if !vanished {
                T::multiply(&mut self.scratch, 2.0, &self.exp_minus_identity, phi_k);
            }
            for (below, phi_j) in lower.iter().enumerate() {
                T::add_scaled(&mut self.scratch, T::inverse_factorial(k - 1 - below), phi_j);
            }
            let power_of_two = T::from(0.5f64.powi(k as i32));
            self.scratch.apply(|s| *s = power_of_two * *s);
            std::mem::swap(&mut self.scratch, phi_k);
        }
    }
}

fn set_identity<T: PhiScalar>(matrix: &mut DMatrix<T>, value: T) {
    matrix.fill(T::default());
    add_to_diagonal(matrix, value);
}
