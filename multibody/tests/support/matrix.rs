//! dF/dy + c dF/dy' of a mechanism against differences.

use fourbar_multibody::dae::Dae;
use fourbar_multibody::formulation::Equations;
use fourbar_multibody::{Formulation, Mechanism};
use std::sync::Arc;

/// Along a direction without a pattern, at a point off the start.
pub(crate) fn derivative(mechanism: &Arc<Mechanism>, formulation: Formulation) {
    off_start(mechanism, formulation, 0.3);
}

/// As [`derivative`], so far off the start.
pub(crate) fn off_start(mechanism: &Arc<Mechanism>, formulation: Formulation, far: f64) {
    let mut equations = Equations::fewest(Arc::clone(mechanism), formulation, mechanism.start());
    let n = equations.dimension();
    let (mut y, mut yp) = (vec![0.0; n], vec![0.0; n]);
    equations.write(mechanism.start(), &mut y, &mut yp);
    let golden = |k: usize, seed: f64| 2.0 * ((k as f64 + seed) * 0.618_033_988_75).fract() - 1.0;
    // The multipliers of velocity rows vanish in every solution: the matrix has nothing of their products.
    let stabilizer = |k: usize| ["mu", "xi"].iter().any(|name| equations.unknown_name(k).contains(name));
    let moves: Vec<usize> = (0..n).filter(|&k| !stabilizer(k)).collect();
    moves.into_iter().for_each(|k| (y[k], yp[k]) = (y[k] + far * golden(k, 1.0), yp[k] + golden(k, 7.5)));
    let (c, step) = (3.0, 1e-6);
    let mut at = |sign: f64| {
        let moved = |values: &[f64], factor: f64| -> Vec<f64> {
            values.iter().enumerate().map(|(k, v)| v + sign * step * factor * golden(k, 3.2)).collect()
        };
        let mut r = vec![0.0; n];
        equations.residual(0.0, &moved(&y, 1.0), &moved(&yp, c), &mut r).expect("a residual");
        r
    };
    let (plus, minus) = (at(1.0), at(-1.0));
    let mut values = vec![0.0; equations.pattern().nnz()];
    equations.jacobian(0.0, &y, &yp, c, &mut values).expect("the matrix");
    let mut product = vec![0.0; n];
    for ((column, row), value) in equations.pattern().entries().zip(&values) {
        product[row] += value * golden(column, 3.2);
    }
    let largest = product.iter().fold(1.0_f64, |a, b| a.max(b.abs()));
    for i in 0..n {
        let difference = (plus[i] - minus[i]) / (2.0 * step);
        let off = (product[i] - difference).abs();
        assert!(off < 1e-7 * largest, "{}: {} {difference}", equations.equation_name(i), product[i]);
    }
}
