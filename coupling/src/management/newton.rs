//! Damped Newton's method for fixed points x = G(x), with a Jacobian from differences: where a quasi-Newton method finds nothing.
//!
//! A trial at which something is no number is rejected like one whose residual does not fall, and half of the step is tried. The search ends when the
//! step, which is the residual by the gain of the loop, is within the tolerance, or when the residual is what round-off of the unknowns makes of it.
//!
//! Source: Deuflhard, Newton Methods for Nonlinear Problems, 2004, section 3.1.

use crate::Error;
use nalgebra::{DMatrix, DVector};

/// Steps at most: a method that converges quadratically needs few, damping some more.
const STEPS: usize = 60;
/// Halvings of a step: what is left of it then moves nothing.
const HALVINGS: usize = 30;
/// Roundings that an evaluation may make of its image: several operations of each partner along a loop.
const ROUNDINGS: f64 = 16.0;
/// Difference quotients: half of the digits (Dennis and Schnabel 1983, section 5.4).
const DIFFERENCE: f64 = 1.490_116_119_384_765_6e-8;

/// What came of a search.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Found {
    /// The last evaluation was at the solution.
    Solution,
    /// No solution from there; largest relative residual at the best point.
    Nothing { residual: f64, evaluations: usize },
    /// The first point itself gives no number.
    NoNumber,
}

/// A point with its residual.
struct Point {
    x: DVector<f64>,
    r: DVector<f64>,
    image: Vec<f64>,
}

/// Sizes of unknowns, and the evaluations so far.
struct Search<'a, F> {
    sizes: &'a [f64],
    evaluate: F,
    evaluations: usize,
}

impl<F: FnMut(&[f64], &mut [f64]) -> Result<bool, Error>> Search<'_, F> {
    fn at(&mut self, x: DVector<f64>) -> Result<Option<Point>, Error> {
        let mut image = vec![0.0; x.len()];
        self.evaluations += 1;
        if !(x.iter().all(|x| x.is_finite()) && (self.evaluate)(x.as_slice(), &mut image)?) {
            return Ok(None);
        }
        let r = DVector::from_iterator(x.len(), image.iter().zip(&x).map(|(image, x)| image - x));
        Ok(r.iter().all(|r| r.is_finite()).then_some(Point { x, r, image }))
    }

    /// Size of unknown i at a point; 0 only where everything is 0.
    fn size(&self, point: &Point, i: usize) -> f64 {
        self.sizes[i].max(point.x[i].abs()).max(point.image[i].abs())
    }

    /// Largest component, each by its size.
    fn norm(&self, point: &Point, values: &DVector<f64>) -> f64 {
        let one = |(i, value): (usize, &f64)| if *value == 0.0 { 0.0 } else { value.abs() / self.size(point, i) };
        values.iter().enumerate().map(one).fold(0.0, f64::max)
    }

    /// d(G(x) - x)/dx by differences; None where no side of an unknown gives numbers.
    fn jacobian(&mut self, point: &Point) -> Result<Option<DMatrix<f64>>, Error> {
        let n = point.x.len();
        let mut jacobian = DMatrix::zeros(n, n);
        for j in 0..n {
            let size = self.size(point, j);
            let step = DIFFERENCE * if size > 0.0 { size } else { 1.0 };
            let mut column = None;
            for step in [step, -step] {
                let mut x = point.x.clone();
                x[j] += step;
                let moved = x[j] - point.x[j];
                if let Some(beside) = self.at(x)? {
                    column = Some((beside.r - &point.r) / moved);
                    break;
                }
            }
            let Some(column) = column else { return Ok(None) };
            jacobian.set_column(j, &column);
        }
        Ok(Some(jacobian))
    }

    /// Whether the residual is nothing but what round-off of the unknowns makes of it.
    fn is_round_off(&self, point: &Point, jacobian: &DMatrix<f64>) -> bool {
        let n = point.x.len();
        (0..n).all(|i| {
            // The image moves by dG/dx = J + 1.
            let gain = |j: usize| (jacobian[(i, j)] + if i == j { 1.0 } else { 0.0 }).abs();
            let carried: f64 = (0..n).map(|j| gain(j) * point.x[j].abs()).sum();
            point.r[i].abs() <= ROUNDINGS * f64::EPSILON * carried.max(self.size(point, i))
        })
    }
}

/// Seeks x = G(x) from `x`, where the solution then is. `sizes` are those of the unknowns, 0 where not known; `evaluate` writes G(x), or is false where
/// that is no number.
pub(super) fn solve(
    x: &mut [f64],
    sizes: &[f64],
    tolerance: f64,
    evaluate: impl FnMut(&[f64], &mut [f64]) -> Result<bool, Error>,
) -> Result<Found, Error> {
    let mut search = Search { sizes, evaluate, evaluations: 0 };
    let Some(mut point) = search.at(DVector::from_column_slice(x))? else { return Ok(Found::NoNumber) };
    for _ in 0..STEPS {
        let Some(jacobian) = search.jacobian(&point)? else { break };
        let found = search.is_round_off(&point, &jacobian);
        let Some(step) = jacobian.lu().solve(&point.r).filter(|step| step.iter().all(|dx| dx.is_finite())) else {
            if found {
                return conclude(&mut search, point, x);
            }
            break;
        };
        let found = found || search.norm(&point, &step) <= tolerance;
        let Some(next) = damped(&mut search, &point, &step)? else {
            if found {
                return conclude(&mut search, point, x);
            }
            break;
        };
        point = next;
        if found {
            return conclude(&mut search, point, x);
        }
    }
    let residual = search.norm(&point, &point.r);
    Ok(Found::Nothing { residual, evaluations: search.evaluations })
}

/// The first of x - step, x - step/2, .. that gives numbers and a smaller residual.
fn damped<F: FnMut(&[f64], &mut [f64]) -> Result<bool, Error>>(
    search: &mut Search<'_, F>,
    point: &Point,
    step: &DVector<f64>,
) -> Result<Option<Point>, Error> {
    let before = search.norm(point, &point.r);
    let mut factor = 1.0;
    for _ in 0..HALVINGS {
        let trial = search.at(&point.x - step * factor)?;
        if let Some(trial) = trial.filter(|trial| search.norm(trial, &trial.r) < before) {
            return Ok(Some(trial));
        }
        factor *= 0.5;
    }
    Ok(None)
}

/// Evaluates once more at the solution: partners show the values of the last evaluation.
fn conclude<F: FnMut(&[f64], &mut [f64]) -> Result<bool, Error>>(
    search: &mut Search<'_, F>,
    point: Point,
    x: &mut [f64],
) -> Result<Found, Error> {
    x.copy_from_slice(point.x.as_slice());
    search.at(point.x)?;
    Ok(Found::Solution)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn trials_without_a_number_are_rejected() {
        // c = sqrt(5 - (1.8 - c)^2 - 1.8^2) has two roots.
        for (first, sign) in [(0.5, -1.0), (1.7, 1.0)] {
            let root = (3.6 + sign * 1.12_f64.sqrt()) / 4.0;
            let mut x = [first];
            let found = solve(&mut x, &[0.0], 1e-12, |x, image| {
                image[0] = (5.0 - (1.8 - x[0]).powi(2) - 3.24).sqrt();
                Ok(image[0].is_finite())
            });
            assert_eq!(found.unwrap(), Found::Solution);
            assert!((x[0] - root).abs() < 1e-9 || (1.8 - x[0] - root).abs() < 1e-9, "{x:?}");
            assert!(((1.8 - x[0]).powi(2) + 3.24 + x[0] * x[0] - 5.0).abs() < 1e-12);
        }
    }

    #[test]
    fn high_gains_end_at_round_off() {
        for gain in [1e5, -1e5, 1e9, -3.0, 0.999_999, 1.000_001] {
            let mut x = [100.0];
            let found = solve(&mut x, &[0.0], 1e-12, |x, image| {
                image[0] = gain * (x[0] - 7.0);
                Ok(true)
            });
            assert_eq!(found.unwrap(), Found::Solution, "{gain}");
            let exact = -7.0 * gain / (1.0 - gain);
            assert!((x[0] / exact - 1.0).abs() < 1e-9, "{gain} {x:?} {exact}");
        }
    }

    #[test]
    fn what_has_no_solution_is_none() {
        let found = solve(&mut [1.0], &[0.0], 1e-12, |x, image| {
            image[0] = x[0] + 1.0;
            Ok(true)
        });
        assert!(matches!(found.unwrap(), Found::Nothing { .. }));
        let found = solve(&mut [1.0], &[0.0], 1e-12, |x, image| {
            image[0] = x[0] + x[0] * x[0] + 1.0;
            Ok(true)
        });
        assert!(matches!(found.unwrap(), Found::Nothing { .. }));
    }
}
