//! A history that follows the steps goes through the ends of past steps, whatever they and the orders were.

use super::Course;
use crate::integrator::coefficients::Coefficients;
use crate::integrator::nordsieck::Trial;
use crate::integrator::targets::Plan;

/// Steps and orders as a run might choose them: an order is held until it has ends of its own to go through.
const STEPS: [(f64, usize); 16] = [
    (0.1, 1),
    (0.13, 1),
    (0.13, 2),
    (0.3, 2),
    (0.05, 2),
    (0.07, 3),
    (0.2, 3),
    (0.21, 3),
    (0.1, 3),
    (0.4, 4),
    (0.09, 4),
    (0.1, 3),
    (0.1, 3),
    (0.33, 2),
    (0.2, 2),
    (0.2, 3),
];

fn follows(coefficients: Coefficients) {
    let value = |i: usize| (1.3 * i as f64).sin();
    let mut course = Course::new(coefficients, 0.0, &[value(0)], &[0.4], 5);
    let mut trial = Trial::new(1);
    let mut ends = vec![(0.0, value(0))];
    for (i, (h, k)) in STEPS.into_iter().enumerate() {
        course.adapt(k);
        let t = course.time() + h;
        course.predict(k, h, &mut trial);
        let formula = course.formula(k, h);
        let delta = value(i + 1) - trial.y.as_slice()[0];
        trial.y.as_mut_slice()[0] += delta;
        trial.yp.as_mut_slice()[0] += delta / (h * formula.beta0);
        trial.delta.as_mut_slice()[0] = delta;
        course.accept(k, Plan { h, t }, &mut trial);
        ends.push((t, value(i + 1)));
        let (mut y, mut yp) = ([0.0], [0.0]);
        for &(t, expected) in ends.iter().rev().take(k + 1) {
            course.interpolate(t, &mut y, &mut yp);
            assert!((y[0] - expected).abs() < 1e-10, "step {i}, order {k}, t = {t}: {} for {expected}", y[0]);
        }
    }
}

#[test]
fn histories_go_through_the_ends_of_steps() {
    follows(Coefficients::Variable);
    follows(Coefficients::FixedLeading);
}

/// y' of the formula with variable coefficients is the slope of its polynomial.
#[test]
fn variable_coefficients_take_the_slope_of_the_polynomial() {
    let mut course = Course::new(Coefficients::Variable, 0.0, &[1.0], &[0.0], 5);
    let mut trial = Trial::new(1);
    for (i, (h, k)) in STEPS.into_iter().enumerate() {
        course.adapt(k);
        course.predict(k, h, &mut trial);
        let formula = course.formula(k, h);
        let delta = 0.1 * (i as f64).cos();
        trial.y.as_mut_slice()[0] += delta;
        trial.yp.as_mut_slice()[0] += delta / (h * formula.beta0);
        trial.delta.as_mut_slice()[0] = delta;
        let t = course.time() + h;
        course.accept(k, Plan { h, t }, &mut trial);
        let (mut y, mut yp) = ([0.0], [0.0]);
        course.history.evaluate(0.0, &mut y, &mut yp);
        assert!((yp[0] - course.slope().as_slice()[0]).abs() < 1e-10);
    }
}
