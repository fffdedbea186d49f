//! The method of Nelder and Mead (1965, The Computer Journal 7, 308-313) on the unit cube.

use super::search::Over;

/// Reflection is by 1, expansion by 2, contraction and shrinking by a half, as in the source.
const EXPANSION: f64 = 2.0;
const CONTRACTION: f64 = 0.5;
/// Longest edge of a simplex at the end: costs at its corners may be alike far from a minimum.
const SMALL: f64 = 1e-4;
/// First edge behind a restart over that of the start. The simplex may have shrunk onto no minimum (McKinnon 1998).
const AGAIN: f64 = 0.3;
/// Restarts that may make the cost smaller.
const RESTARTS: usize = 5;

/// A corner and its cost, infinite where the run failed.
type Corner = (Vec<f64>, f64);

/// How costs are found.
type Cost<'a> = &'a mut dyn FnMut(&[f64]) -> Result<f64, Over>;

/// Makes the cost small from a simplex with a corner at `start`, whose cost is known, and edges of this length. Whether corners differ by no more
/// than `tolerance` at the end, in a small simplex and after a restart that gained no more.
pub(super) fn minimize(start: Corner, edge: f64, tolerance: f64, cost: Cost<'_>) -> Result<bool, Over> {
    let mut best = shrink_onto(start, edge, tolerance, cost)?;
    for _ in 0..RESTARTS {
        if !best.1.is_finite() {
            return Ok(false);
        }
        let again = shrink_onto(best.clone(), AGAIN * edge, tolerance, cost)?;
        let gained = best.1 - again.1;
        best = again;
        if gained <= tolerance {
            return Ok(true);
        }
    }
    Ok(false)
}

/// The best corner of the last simplex.
fn shrink_onto(start: Corner, edge: f64, tolerance: f64, cost: Cost<'_>) -> Result<Corner, Over> {
    let n = start.0.len();
    let mut corners = vec![start];
    for k in 0..n {
        let mut corner = corners[0].0.clone();
        corner[k] += if corner[k] > 0.5 { -edge } else { edge };
        let value = cost(&corner)?;
        corners.push((corner, value));
    }
    loop {
        corners.sort_by(|a, b| a.1.total_cmp(&b.1));
        let spread = corners[n].1 - corners[0].1;
        let is_level = spread <= tolerance || corners[0].1.is_infinite();
        if is_level && longest(&corners) <= SMALL {
            return Ok(corners.swap_remove(0));
        }
        step(&mut corners, cost)?;
    }
}

/// The longest way from the best corner to another one along an axis.
fn longest(corners: &[Corner]) -> f64 {
    let ways = corners.iter().flat_map(|(corner, _)| corner.iter().zip(&corners[0].0).map(|(a, b)| (a - b).abs()));
    ways.fold(0.0, f64::max)
}

/// Takes the worst of the sorted corners through the middle of the others, or all of them nearer to the best.
fn step(corners: &mut [Corner], cost: Cost<'_>) -> Result<(), Over> {
    let n = corners.len() - 1;
    let middle: Vec<f64> =
        (0..n).map(|k| corners[..n].iter().map(|(corner, _)| corner[k]).sum::<f64>() / n as f64).collect();
    let worst = corners[n].clone();
    let mut beyond = |factor: f64| -> Result<Corner, Over> {
        let place: Vec<f64> = middle.iter().zip(&worst.0).map(|(m, w)| m + factor * (m - w)).collect();
        let value = cost(&place)?;
        Ok((place, value))
    };
    let reflected = beyond(1.0)?;
    if reflected.1 < corners[0].1 {
        let expanded = beyond(EXPANSION)?;
        corners[n] = if expanded.1 < reflected.1 { expanded } else { reflected };
        return Ok(());
    }
    if reflected.1 < corners[n - 1].1 {
        corners[n] = reflected;
        return Ok(());
    }
    let outside = reflected.1 < worst.1;
    let contracted = beyond(if outside { CONTRACTION } else { -CONTRACTION })?;
    if contracted.1 < reflected.1.min(worst.1) {
        corners[n] = contracted;
        return Ok(());
    }
    let (best, others) = corners.split_at_mut(1);
    for (corner, value) in others {
        corner.iter_mut().zip(&best[0].0).for_each(|(x, b)| *x = b + CONTRACTION * (*x - b));
        *value = cost(corner)?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(start: &[f64], f: impl Fn(&[f64]) -> f64) -> (Vec<f64>, bool, usize) {
        let (mut best, mut runs) = ((start.to_vec(), f(start)), 1);
        let converged = minimize(best.clone(), 0.1, 1e-9, &mut |x| {
            runs += 1;
            let value = f(x);
            if value < best.1 {
                best = (x.to_vec(), value);
            }
            if runs < 2000 { Ok(value) } else { Err(Over) }
        });
        (best.0, converged.unwrap_or(false), runs)
    }

    #[test]
    fn corners_of_one_height_are_no_minimum() {
        for n in 1..4 {
            let (x, converged, _) = found(&vec![0.5; n], |x| 1.0 + x.iter().map(|x| (x - 0.55).powi(2)).sum::<f64>());
            assert!(converged && x.iter().all(|x| (x - 0.55).abs() < 1e-4), "{x:?}");
        }
    }

    #[test]
    fn valleys_and_kinks_are_followed() {
        let valley = |x: &[f64]| {
            let [a, b] = [4.0 * x[0] - 2.0, 4.0 * x[1] - 2.0];
            100.0 * (b - a * a).powi(2) + (1.0 - a).powi(2)
        };
        let (x, converged, runs) = found(&[0.2, 0.8], valley);
        assert!(converged && (x[0] - 0.75).abs() < 1e-4 && (x[1] - 0.75).abs() < 1e-4, "{x:?} after {runs}");
        let (x, converged, _) = found(&[0.5, 0.5], |x| (x[0] - 0.3).abs() + 2.0 * (x[1] - 0.9).abs());
        assert!(converged && (x[0] - 0.3).abs() < 1e-4 && (x[1] - 0.9).abs() < 1e-4, "{x:?}");
    }

    #[test]
    fn failed_runs_are_bad_values() {
        let half = |x: &[f64]| if x[0] > 0.52 { f64::INFINITY } else { (x[0] - 0.5).powi(2) + (x[1] - 0.4).powi(2) };
        let (x, converged, _) = found(&[0.3, 0.3], half);
        assert!(converged && (x[0] - 0.5).abs() < 1e-3 && (x[1] - 0.4).abs() < 1e-3, "{x:?}");
        let (_, converged, runs) = found(&[0.3, 0.3], |_| f64::INFINITY);
        assert!(!converged && runs < 200, "{runs}");
    }
}
