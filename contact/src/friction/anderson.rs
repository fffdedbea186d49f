//! Acceleration of fixed points x = g(x) after Anderson (J. ACM 12 (1965) 547; Walker and Ni, SIAM J. Numer. Anal. 49 (2011) 1715).

/// Square of what a difference must add to those after it, as part of its own: five digits of it.
const NEW: f64 = 1e-10;

/// What the last iterations, so many, tell of the slope of g - x.
#[derive(Debug, Clone)]
pub(crate) struct Anderson<const DEPTH: usize = 5> {
    /// g and g - x of the last iteration.
    g: Vec<f64>,
    f: Vec<f64>,
    /// Differences of both, newest last; the first `kept` count.
    dg: [Vec<f64>; DEPTH],
    df: [Vec<f64>; DEPTH],
    kept: usize,
    begun: bool,
}

impl<const DEPTH: usize> Default for Anderson<DEPTH> {
    fn default() -> Self {
        let none = || std::array::from_fn(|_| Vec::new());
        Self { g: Vec::new(), f: Vec::new(), dg: none(), df: none(), kept: 0, begun: false }
    }
}

impl<const DEPTH: usize> Anderson<DEPTH> {
    /// Forgets.
    pub(crate) fn restart(&mut self) {
        self.kept = 0;
        self.begun = false;
    }

    /// Whether the last iteration was accelerated.
    pub(crate) fn active(&self) -> bool {
        self.kept > 0
    }

    /// Replaces `g` = g(x) by a better next x.
    pub(crate) fn accelerate(&mut self, x: &[f64], g: &mut [f64]) {
        if self.begun {
            if self.kept == DEPTH {
                self.dg.rotate_left(1);
                self.df.rotate_left(1);
                self.kept -= 1;
            }
            let k = self.kept;
            self.dg[k].clear();
            self.df[k].clear();
            self.dg[k].extend(g.iter().zip(&self.g).map(|(new, old)| new - old));
            self.df[k].extend(g.iter().zip(x).zip(&self.f).map(|((g, x), old)| g - x - old));
            self.kept += 1;
        }
        self.begun = true;
        self.g.clear();
        self.g.extend_from_slice(g);
        self.f.clear();
        self.f.extend(g.iter().zip(x).map(|(g, x)| g - x));
        let weights = self.weights();
        for (difference, weight) in self.dg[..self.kept].iter().zip(weights) {
            g.iter_mut().zip(difference).for_each(|(g, d)| *g -= weight * d);
        }
    }

    /// Least squares of f by the differences df: normal equations of a few unknowns, by elimination; a difference that adds
    /// nothing new is left out.
    fn weights(&self) -> [f64; DEPTH] {
        let m = self.kept;
        let dot = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f64>();
        let (mut a, mut weights) = ([[0.0; DEPTH]; DEPTH], [0.0; DEPTH]);
        for i in 0..m {
            for j in 0..m {
                a[i][j] = dot(&self.df[i], &self.df[j]);
            }
            weights[i] = dot(&self.df[i], &self.f);
        }
        let mut left_out = [false; DEPTH];
        for k in (0..m).rev() {
            let full = dot(&self.df[k], &self.df[k]);
            left_out[k] = !(a[k][k] > NEW * full);
            if left_out[k] {
                weights[k] = 0.0;
                continue;
            }
            for i in 0..k {
                let factor = a[i][k] / a[k][k];
                for j in 0..k {
                    a[i][j] -= factor * a[k][j];
                }
                weights[i] -= factor * weights[k];
            }
        }
        // The newest was eliminated first, so the oldest comes out first.
        for k in 0..m {
            if !left_out[k] {
                let known: f64 = (0..k).map(|j| a[k][j] * weights[j]).sum();
                weights[k] = (weights[k] - known) / a[k][k];
            }
        }
        weights
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// On linear maps of four variables the fixed point is exact after five accelerated steps.
    #[test]
    fn linear_fixed_points_end() {
        let slope = [[0.9, 0.1, 0.0, 0.05], [-0.2, 0.7, 0.1, 0.0], [0.0, 0.3, -0.8, 0.2], [0.1, 0.0, 0.1, 0.5]];
        let g =
            |x: &[f64]| -> Vec<f64> { (0..4).map(|i| 1.0 + (0..4).map(|j| slope[i][j] * x[j]).sum::<f64>()).collect() };
        let (mut x, mut anderson) = (vec![0.0; 4], Anderson::<5>::default());
        for _ in 0..6 {
            let mut next = g(&x);
            anderson.accelerate(&x, &mut next);
            x = next;
        }
        for (x, g) in x.iter().zip(g(&x)) {
            assert!((x - g).abs() < 1e-9, "{x} {g}");
        }
    }
}
