//! One contact with sliding friction, solved exactly: u = W S + q, W symmetric 3 x 3, S and u by the law of Coulomb.
//!
//! Open if q_N >= 0. Otherwise u_N = 0 gives S_N = -(q_N + W_NT S_T)/W_NN, and with lambda >= 0 in u_T = -lambda S_T
//!
//! > (A + lambda I) S_T = -b,  A = W_TT - W_TN W_NT/W_NN,  b = q_T - W_TN q_N/W_NN.
//!
//! lambda = 0 is sticking. If that leaves the cone, |S_T| - mu S_N is positive at 0 and tends to mu q_N/W_NN < 0 as lambda grows: a
//! slip answer always exists, and a bracketed search in one variable finds it. Where W_NN + mu W_NT d <= 0 for a direction d (the
//! shock of Painleve) no slip in that direction is found, since none exists; the answer is then sticking or another direction.

/// The part of the solution that depends on W alone.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub(crate) struct Local {
    /// 1/W_NN; 0 if nothing moves along the normal.
    inverse: f64,
    /// Eigenvalues of A, the larger first.
    a: [f64; 2],
    /// First eigenvector of A; the second is it turned by a quarter.
    axis: [f64; 2],
    /// W_NT/W_NN along the eigenvectors.
    g: [f64; 2],
}

/// Largest number of iterations for lambda; Newton takes 3 to 6, bisection alone would take 60 to 110.
const SEARCH: usize = 120;

impl Local {
    /// From the entries of W: normal, normal-tangential, tangential (11, 12, 22).
    pub(crate) fn new(nn: f64, nt: [f64; 2], tt: [f64; 3]) -> Self {
        if !(nn > 0.0) {
            return Self::default();
        }
        let inverse = 1.0 / nn;
        let (a11, a12, a22) =
            (tt[0] - nt[0] * nt[0] * inverse, tt[1] - nt[0] * nt[1] * inverse, tt[2] - nt[1] * nt[1] * inverse);
        let (mean, half) = (0.5 * (a11 + a22), 0.5 * (a11 - a22));
        let radius = half.hypot(a12);
        // The eigenvector of the larger eigenvalue, from the column of A - (mean - radius) I that does not cancel.
        let (x, y) = if half >= 0.0 { (half + radius, a12) } else { (a12, radius - half) };
        let length = x.hypot(y);
        let axis = if length > 0.0 { [x / length, y / length] } else { [1.0, 0.0] };
        // Rows that hold each other (A singular, or negative by round-off) count as hardly movable.
        let least = f64::EPSILON * (tt[0] + tt[2] + nn);
        let a = [(mean + radius).max(least), (mean - radius).max(least)];
        Self { inverse, a, axis, g: turn(axis, [nt[0] * inverse, nt[1] * inverse]) }
    }

    /// S at the velocity q of the contact without its own impulse.
    #[inline]
    pub(crate) fn solve(&self, q: [f64; 3], mu: f64) -> [f64; 3] {
        if !(q[0] < 0.0) || self.inverse == 0.0 {
            return [0.0; 3];
        }
        let free = -q[0] * self.inverse;
        if mu == 0.0 {
            return [free, 0.0, 0.0];
        }
        let turned = turn(self.axis, [q[1], q[2]]);
        // W_TN q_N / W_NN = g q_N.
        let b = [turned[0] - self.g[0] * q[0], turned[1] - self.g[1] * q[0]];
        let mut t = self.tangential(b, 0.0);
        let mut n = self.normal(free, t);
        if !(norm(t) <= mu * n) {
            t = self.tangential(b, self.slip(b, free, mu));
            n = self.normal(free, t);
            // On the cone to the last digit.
            let length = norm(t);
            if length > 0.0 {
                let onto = mu * n / length;
                t = [t[0] * onto, t[1] * onto];
            }
        }
        [n, self.axis[0] * t[0] - self.axis[1] * t[1], self.axis[1] * t[0] + self.axis[0] * t[1]]
    }

    #[inline]
    fn tangential(&self, b: [f64; 2], lambda: f64) -> [f64; 2] {
        [-b[0] / (self.a[0] + lambda), -b[1] / (self.a[1] + lambda)]
    }

    #[inline]
    fn normal(&self, free: f64, t: [f64; 2]) -> f64 {
        free - self.g[0] * t[0] - self.g[1] * t[1]
    }

    /// The lambda at which |S_T| = mu S_N, by Newton on 1/|S_T| - 1/(mu S_N), nearly linear in lambda, kept in a bracket.
    fn slip(&self, b: [f64; 2], free: f64, mu: f64) -> f64 {
        // |S_T| <= |b|/lambda: beyond this S_N is positive and |S_T| < mu S_N.
        let (mut low, mut high) = (0.0, norm(b) * (1.0 + mu * norm(self.g)) / (mu * free));
        let mut lambda = 0.0;
        for _ in 0..SEARCH {
            let t = self.tangential(b, lambda);
            let (length, n) = (norm(t), self.normal(free, t));
            if length > mu * n {
                low = lambda;
            } else {
                high = lambda;
            }
            if length == mu * n || high - low <= 4.0 * f64::EPSILON * high {
                break;
            }
            let rates = [-t[0] / (self.a[0] + lambda), -t[1] / (self.a[1] + lambda)];
            let length_rate = (t[0] * rates[0] + t[1] * rates[1]) / length;
            let n_rate = -(self.g[0] * rates[0] + self.g[1] * rates[1]);
            // (1/|S_T| - 1/(mu S_N)) over its derivative, multiplied through by |S_T|^2 mu S_N^2.
            let newton =
                lambda - length * n * (mu * n - length) / (length * length * n_rate - mu * n * n * length_rate);
            let next = if n > 0.0 && newton > low && newton < high { newton } else { 0.5 * (low + high) };
            if (next - lambda).abs() <= f64::EPSILON * lambda {
                break;
            }
            lambda = next;
        }
        lambda
    }
}

/// Components along the axis and along it turned by a quarter.
#[inline]
fn turn(axis: [f64; 2], x: [f64; 2]) -> [f64; 2] {
    [axis[0] * x[0] + axis[1] * x[1], axis[0] * x[1] - axis[1] * x[0]]
}

#[inline]
fn norm(x: [f64; 2]) -> f64 {
    (x[0] * x[0] + x[1] * x[1]).sqrt()
}

#[cfg(test)]
mod tests {
    use nalgebra::{Matrix3, Vector3};
    use proptest::prelude::*;

    use super::*;
    use crate::friction::cone::Cone;

    fn solve(w: &Matrix3<f64>, q: &Vector3<f64>, mu: f64) -> ([f64; 3], [f64; 3]) {
        let local = Local::new(w[(0, 0)], [w[(0, 1)], w[(0, 2)]], [w[(1, 1)], w[(1, 2)], w[(2, 2)]]);
        let s = local.solve([q.x, q.y, q.z], mu);
        let u = w * Vector3::from(s) + q;
        (s, u.into())
    }

    proptest! {
        /// Any positive definite W, also far beyond the friction at which Painleve's paradox begins.
        #[test]
        fn the_law_holds(factor in prop::array::uniform9(-1.0..1.0_f64), q in prop::array::uniform3(-2.0..2.0_f64), mu in 0.0..5.0_f64) {
            let factor = Matrix3::from_row_slice(&factor);
            let w = factor * factor.transpose() + 1e-3 * Matrix3::identity();
            let (s, u) = solve(&w, &Vector3::from(q), mu);
            let size = 1.0 + s[0] * w.norm();
            prop_assert!(Cone::coulomb(mu).natural_map(&s, &u, 0.0) < 1e-11 * size, "S = {s:?}, u = {u:?}");
        }
    }

    /// Sticking leaves no tangential velocity but round-off, slip opposes u_T exactly.
    #[test]
    fn stick_and_slip_on_a_diagonal_matrix() {
        let w = Matrix3::from_diagonal(&Vector3::new(2.0, 3.0, 3.0));
        let (s, u) = solve(&w, &Vector3::new(-4.0, 0.6, -0.3), 0.5);
        assert_eq!(s[0], 2.0);
        assert!(u.iter().all(|u| u.abs() < 1e-15));
        let (s, _) = solve(&w, &Vector3::new(-4.0, 3.0, -4.0), 0.2);
        for (s, expected) in s.into_iter().zip([2.0, -0.24, 0.32]) {
            approx::assert_abs_diff_eq!(s, expected, epsilon = 1e-15);
        }
    }

    /// Rod at 45 degrees sliding away from its centre of mass with mu = 2 > 5/3 (contact-tests, Painleve): no slip answer, the
    /// impulse p_n = (3m/4) sin cos |v_t|, p_t = (m/4)(1 + 3 cos^2) |v_t| stops the tip.
    #[test]
    fn the_rod_of_painleve_jams() {
        let (m, v) = (1.5, -0.8);
        let (sin, cos) = std::f64::consts::FRAC_PI_4.sin_cos();
        let (nn, tt, nt) = ((1.0 + 3.0 * cos * cos) / m, (1.0 + 3.0 * sin * sin) / m, -3.0 * sin * cos / m);
        let w = Matrix3::new(nn, nt, 0.0, nt, tt, 0.0, 0.0, 0.0, 1.0 / m);
        // The gap closes at a speed far below any other.
        let (s, u) = solve(&w, &Vector3::new(-1e-12, v, 0.0), 2.0);
        approx::assert_relative_eq!(s[0], -0.75 * m * sin * cos * v, max_relative = 1e-10);
        approx::assert_relative_eq!(s[1], -0.25 * m * (1.0 + 3.0 * cos * cos) * v, max_relative = 1e-10);
        assert!(u.iter().all(|u| u.abs() < 1e-14));
    }

    #[test]
    fn rows_that_hold_each_other_are_ordinary() {
        let j = Matrix3::new(1.0, 0.5, 0.0, 1.0, 0.5, 0.0, 0.0, 0.0, 0.0);
        let w = j.transpose() * j;
        let (s, u) = solve(&w, &Vector3::new(-1.0, -0.5, 0.0), 0.3);
        assert!(Cone::coulomb(0.3).natural_map(&s, &u, 0.0) < 1e-12);
    }
}
