//! One contact of any kind, solved with the impulses of all others held: the step of the Gauss-Seidel methods.

use super::{
    cone::{Cone, ROWS, Rows},
    local::Local,
};

/// Rounds between the parts of the friction of a rolling contact.
const ROUNDS: usize = 40;
/// Relative change of the friction at which these rounds end.
const SETTLED: f64 = 1e-15;

/// Diagonal block W_cc of a contact, ready to be solved.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub(crate) struct Block {
    /// Normal and sliding.
    local: Local,
    /// Rolling: as a contact whose normal impulse is given, with friction 1.
    roll: Local,
    /// Lower triangle, row by row.
    w: [f64; ROWS * (ROWS + 1) / 2],
}

impl Block {
    /// From entry (i, j), j <= i, of W_cc.
    pub(crate) fn new(cone: &Cone, entry: impl Fn(usize, usize) -> f64) -> Self {
        let mut w = [0.0; ROWS * (ROWS + 1) / 2];
        for i in 0..cone.size() {
            for j in 0..=i {
                w[place(i, j)] = entry(i, j);
            }
        }
        let at = |i, j| w[place(i, j)];
        let local = Local::new(at(0, 0), [at(1, 0), at(2, 0)], [at(1, 1), at(2, 1), at(2, 2)]);
        let roll = Local::new(1.0, [0.0; 2], [at(4, 4), at(5, 4), at(5, 5)]);
        Self { local, roll, w }
    }

    /// W_NN.
    #[inline]
    pub(crate) fn normal(&self) -> f64 {
        self.w[0]
    }

    /// Changes of the impulses s that solve this contact, at velocities u with s in them.
    #[inline]
    pub(crate) fn solve(&self, cone: &Cone, s: &[f64], u: &[f64]) -> [f64; ROWS] {
        let mut change = [0.0; ROWS];
        match cone.rows {
            Rows::Normal => {
                if self.w[0] > 0.0 {
                    change[0] = (-u[0] / self.w[0]).max(-s[0]);
                }
            }
            Rows::Sliding => {
                let mut q = [u[0], u[1], u[2]];
                self.without(&mut q, s, 0);
                let found = self.local.solve(q, cone.friction);
                for i in 0..3 {
                    change[i] = found[i] - s[i];
                }
            }
            Rows::Rolling => change = self.solve_rolling(cone, s, u),
        }
        change
    }

    /// Parts of the friction in turn, each exactly, until none moves any more.
    fn solve_rolling(&self, cone: &Cone, before: &[f64], u: &[f64]) -> [f64; ROWS] {
        let (mut s, mut now) = ([0.0; ROWS], [0.0; ROWS]);
        s.copy_from_slice(before);
        now.copy_from_slice(u);
        for _ in 0..ROUNDS {
            let mut moved = 0.0_f64;
            let mut q = [now[0], now[1], now[2]];
            self.without(&mut q, &s, 0);
            let sliding = self.local.solve(q, cone.friction);
            let spin = if self.w[place(3, 3)] > 0.0 {
                let bound = cone.spinning * sliding[0];
                let drift = (0..3).map(|i| self.w[place(3, i)] * (sliding[i] - s[i])).sum::<f64>();
                (s[3] - (now[3] + drift) / self.w[place(3, 3)]).clamp(-bound, bound)
            } else {
                0.0
            };
            let mut target = [sliding[0], sliding[1], sliding[2], spin, s[4], s[5]];
            let mut torque = [now[4], now[5]];
            self.without(&mut torque, &s[4..], 4);
            for (i, value) in torque.iter_mut().enumerate() {
                *value += (0..4).map(|j| self.w[place(4 + i, j)] * (target[j] - s[j])).sum::<f64>();
            }
            let radius = cone.rolling * sliding[0];
            if radius > 0.0 {
                let found = self.roll.solve([-radius, torque[0], torque[1]], 1.0);
                target[4..].copy_from_slice(&found[1..]);
            } else {
                target[4..].fill(0.0);
            }
            let change: [f64; ROWS] = std::array::from_fn(|i| target[i] - s[i]);
            for i in 0..ROWS {
                now[i] += (0..ROWS).map(|j| self.w[place(i.max(j), i.min(j))] * change[j]).sum::<f64>();
                moved = moved.max(change[i].abs() - SETTLED * target[i].abs());
            }
            s = target;
            if moved <= SETTLED * s[0] {
                break;
            }
        }
        std::array::from_fn(|i| s[i] - before[i])
    }

    /// q - W s of the rows of q, which begin at `first`; s begins there too.
    #[inline]
    fn without(&self, q: &mut [f64], s: &[f64], first: usize) {
        for i in 0..q.len() {
            for j in 0..q.len() {
                let (i_row, j_row) = (first + i, first + j);
                q[i] -= self.w[place(i_row.max(j_row), i_row.min(j_row))] * s[j];
            }
        }
    }
}

#[inline]
const fn place(i: usize, j: usize) -> usize {
    i * (i + 1) / 2 + j
}

#[cfg(test)]
mod tests {
    use nalgebra::Matrix6;
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn a_rolling_contact_obeys_its_law(factor in prop::collection::vec(-1.0..1.0_f64, 36), q in prop::array::uniform6(-2.0..2.0_f64),
                                           mu in prop::array::uniform3(0.0..0.5_f64)) {
            let factor = Matrix6::from_row_slice(&factor);
            let w = 0.1 * factor * factor.transpose() + Matrix6::identity();
            let cone = Cone::rolling(mu[0], mu[1], mu[2]);
            let block = Block::new(&cone, |i, j| w[(i, j)]);
            let s = block.solve(&cone, &[0.0; 6], &q);
            let u: Vec<f64> = (0..6).map(|i| q[i] + (0..6).map(|j| w[(i, j)] * s[j]).sum::<f64>()).collect();
            prop_assert!(cone.natural_map(&s, &u, 0.0) < 1e-12);
        }
    }
}
