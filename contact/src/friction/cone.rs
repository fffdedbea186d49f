//! The cone K of admissible impulses of one contact, its projection and the derivative of that.
//!
//! An impulse S = (S_N, S_T, S_spin, S_roll) is admissible if |S_k| <= mu_k S_N for each part k of its friction. With
//! u~ = (u_N + sum_k mu_k |u_k|, u_T, u_spin, u_roll) the law of Coulomb reads K contains S _|_ u~ in the dual cone (De Saxce and
//! Feng, Mathl. Comput. Modelling 28 (1998) 225), for sliding, spinning and rolling alike.

use std::ops::Range;

use serde::{Deserialize, Serialize};

use crate::surface::Surface;

/// Number of rows of the largest contact.
pub const ROWS: usize = 6;

/// Rows of the parts of friction: sliding, spinning, rolling.
const PARTS: [(usize, usize); 3] = [(1, 3), (3, 4), (4, 6)];

/// Which rows a contact has.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "usize", into = "usize")]
pub enum Rows {
    /// The normal alone.
    Normal,
    /// Normal and two tangential rows.
    Sliding,
    /// Normal, two tangential, one of spinning, two of rolling.
    Rolling,
}

impl Rows {
    /// 1, 3 or 6.
    #[inline]
    #[must_use]
    pub fn count(self) -> usize {
        match self {
            Self::Normal => 1,
            Self::Sliding => 3,
            Self::Rolling => 6,
        }
    }
}

impl TryFrom<usize> for Rows {
    type Error = String;

    fn try_from(count: usize) -> Result<Self, String> {
        match count {
            1 => Ok(Self::Normal),
            3 => Ok(Self::Sliding),
            6 => Ok(Self::Rolling),
            other => Err(format!("a contact has 1, 3 or 6 rows, not {other}")),
        }
    }
}

impl From<Rows> for usize {
    fn from(rows: Rows) -> Self {
        rows.count()
    }
}

/// Cone of the impulses of a contact. Coefficients are finite and at least 0: problems check that where they are made.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Cone {
    /// Rows of the contact.
    pub rows: Rows,
    /// Coefficient of friction mu of the tangential rows.
    pub friction: f64,
    /// Largest spinning torque over normal force \[m\].
    pub spinning: f64,
    /// Largest rolling torque over normal force \[m\].
    pub rolling: f64,
}

/// One part of the friction of a contact: its rows and its coefficient.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Part {
    pub(crate) rows: Range<usize>,
    pub(crate) mu: f64,
}

impl Cone {
    /// A contact without friction: one row.
    #[must_use]
    pub fn smooth() -> Self {
        Self { rows: Rows::Normal, friction: 0.0, spinning: 0.0, rolling: 0.0 }
    }

    /// Friction against sliding: three rows.
    #[must_use]
    pub fn coulomb(mu: f64) -> Self {
        Self { rows: Rows::Sliding, friction: mu, spinning: 0.0, rolling: 0.0 }
    }

    /// Friction against sliding, spinning and rolling: six rows. The last two coefficients are lengths \[m\].
    #[must_use]
    pub fn rolling(friction: f64, spinning: f64, rolling: f64) -> Self {
        Self { rows: Rows::Rolling, friction, spinning, rolling }
    }

    /// The cone of a surface, with as many rows as [`Surface::friction_rows`] says.
    #[must_use]
    pub fn of(surface: &Surface) -> Self {
        match surface.friction_rows() {
            0 => Self::smooth(),
            2 => Self::coulomb(surface.friction),
            _ => Self::rolling(surface.friction, surface.spinning, surface.rolling),
        }
    }

    /// Number of rows.
    #[inline]
    #[must_use]
    pub fn size(&self) -> usize {
        self.rows.count()
    }

    /// The coefficients, by name.
    pub(crate) fn coefficients(&self) -> [(&'static str, f64); 3] {
        [("friction", self.friction), ("spinning", self.spinning), ("rolling", self.rolling)]
    }

    /// The cone of impulses of which those of translation are measured in `translation`, those of rotation in `rotation`.
    pub(crate) fn in_units(&self, translation: f64, rotation: f64) -> Self {
        let length = translation / rotation;
        Self { spinning: self.spinning * length, rolling: self.rolling * length, ..*self }
    }

    /// The cone of a contact of which nothing but the normal impulse can act: without any friction one row is enough.
    pub(crate) fn without_idle_rows(self) -> Self {
        let idle = self.friction == 0.0 && self.spinning == 0.0 && self.rolling == 0.0;
        if idle { Self::smooth() } else { self }
    }

    /// Parts of the friction.
    #[inline]
    pub(crate) fn parts(&self) -> impl Iterator<Item = Part> + use<> {
        let count = match self.rows {
            Rows::Normal => 0,
            Rows::Sliding => 1,
            Rows::Rolling => 3,
        };
        let mu = [self.friction, self.spinning, self.rolling];
        (0..count).map(move |k| Part { rows: PARTS[k].0..PARTS[k].1, mu: mu[k] })
    }

    /// De Saxcé correction sum_k mu_k |u_k|: what the law adds to the normal velocity.
    #[inline]
    #[must_use]
    pub fn correction(&self, u: &[f64]) -> f64 {
        self.parts().map(|part| part.mu * norm(&u[part.rows])).sum()
    }

    /// By how much S leaves the cone: max(-S_N, |S_k| - mu_k S_N), at least 0.
    #[must_use]
    pub fn violation(&self, s: &[f64]) -> f64 {
        self.parts().map(|part| norm(&s[part.rows]) - part.mu * s[0]).fold((-s[0]).max(0.0), f64::max)
    }

    /// The nearest point of K, in place: y_N = n minimizes (n - y_N)^2 + sum_k (|y_k| - mu_k n)_+^2 over n >= 0.
    #[inline]
    pub fn project(&self, y: &mut [f64]) {
        let n = self.nearest_normal(y);
        if !(n > 0.0) {
            y[..self.size()].fill(0.0);
            return;
        }
        for part in self.parts() {
            let (radius, length) = (part.mu * n, norm(&y[part.rows.clone()]));
            if length > radius {
                y[part.rows].iter_mut().for_each(|value| *value *= radius / length);
            }
        }
        y[0] = n;
    }

    /// The minimizing n, the zero of f(n) = n - y_N - sum_k mu_k (|y_k| - mu_k n)_+, which grows with n: part k is outside there
    /// exactly if f is positive where it would come inside, at |y_k|/mu_k.
    #[inline]
    fn nearest_normal(&self, y: &[f64]) -> f64 {
        let lengths: [f64; 3] = match self.rows {
            Rows::Normal => return y[0].max(0.0),
            Rows::Sliding => [norm(&y[1..3]), 0.0, 0.0],
            Rows::Rolling => [norm(&y[1..3]), y[3].abs(), norm(&y[4..6])],
        };
        let mu = [self.friction, self.spinning, self.rolling];
        let count = if self.rows == Rows::Sliding { 1 } else { 3 };
        let (mut top, mut bottom) = (y[0], 1.0);
        for k in 0..count {
            let inside_at = lengths[k] / mu[k];
            let pull: f64 = (0..count).map(|j| mu[j] * (lengths[j] - mu[j] * inside_at).max(0.0)).sum();
            if inside_at - y[0] > pull {
                top += mu[k] * lengths[k];
                bottom += mu[k] * mu[k];
            }
        }
        (top / bottom).max(0.0)
    }

    /// The projection p of y, and its derivative dp/dy (symmetric, `size` x `size`, row by row in `derivative`).
    pub(crate) fn project_with_derivative(&self, y: &[f64], p: &mut [f64], derivative: &mut [[f64; ROWS]; ROWS]) {
        let size = self.size();
        p[..size].copy_from_slice(&y[..size]);
        self.project(p);
        *derivative = [[0.0; ROWS]; ROWS];
        let n = p[0];
        if !(n > 0.0) {
            return;
        }
        // dn = g . dy / weight with g = (1, mu_k d_k of the parts outside), weight = |g|^2.
        let mut g = [0.0; ROWS];
        g[0] = 1.0;
        let mut weight = 1.0;
        for part in self.parts() {
            let length = norm(&y[part.rows.clone()]);
            if length > part.mu * n {
                weight += part.mu * part.mu;
                for i in part.rows {
                    g[i] = part.mu * y[i] / length;
                }
            }
        }
        // dp_k = mu_k d_k dn + mu_k n/|y_k| (I - d_k d_k^T) dy_k of a part outside, mu_k d_k = g_k; dp_k = dy_k of one inside.
        for i in 0..size {
            for j in 0..size {
                derivative[i][j] = g[i] * g[j] / weight;
            }
        }
        for part in self.parts() {
            let length = norm(&y[part.rows.clone()]);
            let outside = length > part.mu * n;
            for i in part.rows.clone() {
                for j in part.rows.clone() {
                    let identity = if i == j { 1.0 } else { 0.0 };
                    derivative[i][j] += if outside {
                        part.mu * n / length * (identity - y[i] * y[j] / (length * length))
                    } else {
                        identity
                    };
                }
            }
        }
    }

    /// The natural map, and by how much the contact closes: at impulses so large that u vanishes beside them the map alone would be
    /// blind.
    #[inline]
    pub(crate) fn residual(&self, s: &[f64], u: &[f64], round_off: f64) -> f64 {
        worst(self.natural_map(s, u, round_off), -u[0])
    }

    /// Natural map S - P_K(S - u~) of the law, for impulses and velocities in units in which they compare: its largest entry. Slip up to
    /// the round-off of u corrects nothing: at a coefficient of 1e10 what no sum can tell from zero would open a contact that sticks.
    #[inline]
    pub(crate) fn natural_map(&self, s: &[f64], u: &[f64], round_off: f64) -> f64 {
        let size = self.size();
        let mut y = [0.0; ROWS];
        for i in 0..size {
            y[i] = s[i] - u[i];
        }
        y[0] -= self.parts().map(|part| part.mu * (norm(&u[part.rows]) - round_off).max(0.0)).sum::<f64>();
        self.project(&mut y);
        (0..size).map(|i| (s[i] - y[i]).abs()).fold(0.0, worst)
    }
}

/// Euclidean length of one or two numbers.
#[inline]
pub(crate) fn norm(x: &[f64]) -> f64 {
    match *x {
        [a] => a.abs(),
        [a, b] => (a * a + b * b).sqrt(),
        _ => x.iter().map(|a| a * a).sum::<f64>().sqrt(),
    }
}

/// The larger of two sizes; what is not a number is the largest.
#[inline]
pub(crate) fn worst(a: f64, b: f64) -> f64 {
    if a.is_nan() || a > b { a } else { b }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn cone() -> impl Strategy<Value = Cone> {
        (0.0..2.0, 0.0..2.0, 0.0..2.0, 0..3).prop_map(|(a, b, c, kind)| match kind {
            0 => Cone::smooth(),
            1 => Cone::coulomb(a),
            _ => Cone::rolling(a, b, c),
        })
    }

    proptest! {
        /// p is the projection of y on a convex cone exactly if p is in it, y - p in the polar cone, and p . (y - p) = 0 (Moreau).
        #[test]
        fn projections_decompose(cone in cone(), y in prop::array::uniform6(-3.0..3.0_f64)) {
            let size = cone.size();
            let mut p = y;
            cone.project(&mut p);
            prop_assert!(cone.violation(&p) < 1e-12);
            let rest: Vec<f64> = (0..size).map(|i| y[i] - p[i]).collect();
            let dot: f64 = (0..size).map(|i| p[i] * rest[i]).sum();
            prop_assert!(dot.abs() < 1e-12);
            prop_assert!(rest[0] + cone.correction(&rest) < 1e-12);
        }

        #[test]
        fn derivatives_are_those_of_the_projection(cone in cone(), y in prop::array::uniform6(-3.0..3.0_f64), dy in prop::array::uniform6(-1.0..1.0_f64)) {
            let (mut p, mut derivative) = ([0.0; ROWS], [[0.0; ROWS]; ROWS]);
            cone.project_with_derivative(&y, &mut p, &mut derivative);
            let h = 1e-6;
            let (mut ahead, mut behind) = (y, y);
            for i in 0..ROWS {
                ahead[i] += h * dy[i];
                behind[i] -= h * dy[i];
            }
            // The two one-sided quotients tell a kink, where there is nothing to compare.
            let (mut a, mut b) = (ahead, behind);
            cone.project(&mut a);
            cone.project(&mut b);
            for i in 0..cone.size() {
                let (forward, backward) = ((a[i] - p[i]) / h, (p[i] - b[i]) / h);
                prop_assume!((forward - backward).abs() < 1e-4);
                let exact: f64 = (0..cone.size()).map(|j| derivative[i][j] * dy[j]).sum();
                prop_assert!((exact - 0.5 * (forward + backward)).abs() < 1e-4);
            }
        }
    }
}
