//! Fixed points x = G(x) of sweeps over the partners: repetition, Aitken's relaxation, Broyden's quasi-Newton method.

use super::options::Acceleration;

/// A search for x = G(x) with n unknowns. Scalar products measure the unknowns in units of `scale`, so that forces and lengths weigh alike.
pub(super) struct FixedPoint {
    method: Acceleration,
    /// Sizes of the unknowns, those of the points of this search counted in; 0 for one that was nothing but 0.
    scale: Vec<f64>,
    /// Last point and last residual G(x) - x; valid if `steps` > 0.
    x: Vec<f64>,
    r: Vec<f64>,
    /// Differences to them.
    dx: Vec<f64>,
    dr: Vec<f64>,
    steps: usize,
    /// Aitken's factor.
    omega: f64,
    /// Approximate inverse of d(G(x) - x)/dx, row by row; -I at first.
    inverse: Vec<f64>,
    work: [Vec<f64>; 2],
}

fourbar_linalg::stored!(struct FixedPoint { scale, x, r, dx, dr, steps, omega, inverse });

impl FixedPoint {
    pub(super) fn new(method: Acceleration, n: usize) -> Self {
        let zero = vec![0.0; n];
        let mut inverse = vec![0.0; n * n];
        (0..n).for_each(|i| inverse[i * n + i] = -1.0);
        Self {
            method,
            x: zero.clone(),
            r: zero.clone(),
            dx: zero.clone(),
            dr: zero.clone(),
            work: [zero.clone(), zero.clone()],
            scale: zero,
            steps: 0,
            omega: 1.0,
            inverse,
        }
    }

    /// Begins at a new step with unknowns of these sizes; Broyden's matrix stays.
    pub(super) fn begin(&mut self, scale: impl Iterator<Item = f64>) {
        self.scale.iter_mut().zip(scale).for_each(|(own, scale)| *own = scale);
        self.steps = 0;
        self.omega = 1.0;
    }

    /// The last point.
    pub(super) fn point(&self) -> &[f64] {
        &self.x
    }

    /// Turns `x`, whose image is `image`, into the next point.
    pub(super) fn next(&mut self, x: &mut [f64], image: &[f64]) {
        for k in 0..x.len() {
            let (point, residual) = (x[k], image[k] - x[k]);
            self.scale[k] = self.scale[k].max(point.abs()).max(image[k].abs());
            self.dx[k] = point - self.x[k];
            self.dr[k] = residual - self.r[k];
            self.x[k] = point;
            self.r[k] = residual;
        }
        let moved = self.steps > 0;
        self.steps += 1;
        match self.method {
            Acceleration::FixedPoint => x.copy_from_slice(image),
            Acceleration::Aitken => self.aitken(x, moved),
            Acceleration::Broyden => self.broyden(x, moved),
        }
    }

    /// omega <- -omega r_old . dr / |dr|^2, x <- x + omega r.
    fn aitken(&mut self, x: &mut [f64], moved: bool) {
        let square = dot(&self.scale, &self.dr, &self.dr);
        if moved && square > 0.0 {
            let old_dot = dot(&self.scale, &self.r, &self.dr) - square;
            self.omega *= -old_dot / square;
        }
        for k in 0..x.len() {
            x[k] += self.omega * self.r[k];
        }
    }

    /// B <- B + (dx - B dr) dx^T W B / (dx^T W B dr), x <- x - B r, with the weights W = 1/scale^2: the method in scaled unknowns, its matrix
    /// kept in those of the partners, so that it stays right when a scale grows.
    fn broyden(&mut self, x: &mut [f64], moved: bool) {
        let n = x.len();
        let [column, row] = &mut self.work;
        if moved {
            for i in 0..n {
                column[i] = product(&self.inverse[i * n..(i + 1) * n], &self.dr);
            }
            for i in 0..n {
                row[i] = (0..n).map(|k| weighted(self.scale[k], self.dx[k], self.inverse[k * n + i])).sum();
            }
            let denominator = dot(&self.scale, &self.dx, column);
            // A vanishing denominator would make the matrix singular: it stays as it is.
            if denominator.abs() > 1e-8 * dot(&self.scale, &self.dx, &self.dx) {
                for i in 0..n {
                    let factor = (self.dx[i] - column[i]) / denominator;
                    for k in 0..n {
                        self.inverse[i * n + k] += factor * row[k];
                    }
                }
            }
        }
        for i in 0..n {
            x[i] -= product(&self.inverse[i * n..(i + 1) * n], &self.r);
        }
    }
}

fn product(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

/// a b / scale^2; what has no size is 0 all along.
fn weighted(scale: f64, a: f64, b: f64) -> f64 {
    if scale > 0.0 { (a / scale) * (b / scale) } else { 0.0 }
}

fn dot(scale: &[f64], a: &[f64], b: &[f64]) -> f64 {
    scale.iter().zip(a).zip(b).map(|((scale, a), b)| weighted(*scale, *a, *b)).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Sweeps to x = G(x) for a linear G, None if they do not get there.
    fn sweeps(method: Acceleration, matrix: [[f64; 2]; 2]) -> Option<usize> {
        let g = |x: &[f64]| [0, 1].map(|i| matrix[i][0] * x[0] + matrix[i][1] * x[1] + 1.0);
        let mut search = FixedPoint::new(method, 2);
        search.begin([1.0, 100.0].into_iter());
        let mut x = [0.3, -40.0];
        for k in 0..60 {
            let image = g(&x);
            if (0..2).all(|i| (image[i] - x[i]).abs() < 1e-10) {
                return Some(k);
            }
            search.next(&mut x, &image);
        }
        None
    }

    #[test]
    fn a_linear_map_is_solved_by_broyden_in_twice_its_dimension() {
        // Gay (SIAM J. Numer. Anal. 16, 1979, 623): at most 2 n steps on linear equations, where repetition diverges.
        let expanding = [[0.4, 0.02], [-150.0, -1.7]];
        assert!(sweeps(Acceleration::Broyden, expanding).is_some_and(|k| k <= 5));
        assert_eq!(sweeps(Acceleration::FixedPoint, expanding), None);
        let contracting = [[0.2, 0.001], [-10.0, 0.3]];
        assert!(sweeps(Acceleration::FixedPoint, contracting).is_some());
    }

    #[test]
    fn aitken_is_exact_for_one_unknown() {
        let g = |x: f64| -3.0 * x + 8.0;
        let mut search = FixedPoint::new(Acceleration::Aitken, 1);
        search.begin([0.0].into_iter());
        let mut x = [0.0];
        for _ in 0..2 {
            let image = [g(x[0])];
            search.next(&mut x, &image);
        }
        assert!((x[0] - 2.0).abs() < 1e-14);
    }
}
