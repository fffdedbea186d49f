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

/// Largest error of y' = -2 (y - cos t) - sin t, y = cos t, over [0, 4] at order k, with steps h and 2 h two by two. The first steps are exact.
fn error_with_changing_steps(coefficients: Coefficients, k: usize, h: f64) -> f64 {
    let mut course = Course::new(coefficients, 0.0, &[1.0], &[0.0], 5);
    let mut trial = Trial::new(1);
    let mut worst: f64 = 0.0;
    for i in 0.. {
        let h = if i % 4 < 2 { h } else { 2.0 * h };
        let t = course.time() + h;
        if t > 4.0 {
            break;
        }
        let (order, starting) = ((i + 1).min(k), i <= k);
        course.adapt(order);
        course.predict(order, h, &mut trial);
        let c = 1.0 / (h * course.formula(order, h).beta0);
        let (y, yp) = (trial.y.as_slice()[0], trial.yp.as_slice()[0]);
        let delta = if starting { t.cos() - y } else { -(yp + 2.0 * (y - t.cos()) + t.sin()) / (c + 2.0) };
        trial.y.as_mut_slice()[0] += delta;
        trial.yp.as_mut_slice()[0] += c * delta;
        trial.delta.as_mut_slice()[0] = delta;
        course.accept(order, Plan { h, t }, &mut trial);
        worst = worst.max((course.y()[0] - t.cos()).abs());
    }
    worst
}

/// Where every second step changes by 2 or 1/2, both keep their order; with a fixed leading coefficient up to order 4, beyond which such steps are unstable
/// ([`Growth`](crate::integrator::controller::Growth)).
#[test]
fn orders_hold_while_steps_change() {
    for (coefficients, highest) in [(Coefficients::Variable, 5), (Coefficients::FixedLeading, 4)] {
        for k in 1..=highest {
            // A hundred steps or so: errors lie between the asymptotic range and round-off.
            let [coarse, fine] = [0.02, 0.01].map(|h| error_with_changing_steps(coefficients, k, h));
            let measured = (coarse / fine).log2();
            assert!((measured - k as f64).abs() < 0.3, "{coefficients:?}, order {k}: measured {measured}");
        }
    }
}
