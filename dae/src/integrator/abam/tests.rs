//! Orders at constant order and step, from an exact history; the history itself.

use super::adams::Adams;
use super::coefficients::{ABAM_ORDER_MAX, POINTS};
use super::history::History;
use super::method::Abam;
use crate::dae::{EvalError, Kind, Unknown};
use crate::integrator::explicit::Formula;
use crate::integrator::explicit::course::{Course, Scratch};
use crate::integrator::explicit::weighing::Weighing;
use crate::integrator::targets::Plan;
use crate::ode::Ode;

const STATE: Unknown = Unknown { kind: Kind::STATE, error_tested: true, scale_power: 0, typical: 1.0 };

#[derive(Clone, Copy)]
enum Problem {
    /// y1' = y2, y2' = -y1.
    Oscillator,
    /// y1' = y2, y2' = -y1 - (y1^2 - cos(t)^2)/5.
    AlmostLinear,
}

impl Problem {
    fn solution(t: f64) -> [f64; 2] {
        [t.cos(), -t.sin()]
    }

    fn slope(self, t: f64, y: &[f64]) -> [f64; 2] {
        let bent = match self {
            Self::Oscillator => 0.0,
            Self::AlmostLinear => (y[0] * y[0] - t.cos().powi(2)) / 5.0,
        };
        [y[1], -y[0] - bent]
    }
}

impl Ode for Problem {
    fn dimension(&self) -> usize {
        2
    }
    fn unknowns(&self) -> &[Unknown] {
        &[STATE; 2]
    }
    fn rhs(&mut self, t: f64, y: &[f64], yp: &mut [f64]) -> Result<(), EvalError> {
        yp.copy_from_slice(&self.slope(t, y));
        Ok(())
    }
}

/// Points of the exact solution at the times -psi_i.
fn exact(problem: Problem, psi: &[f64], order: usize) -> History {
    let mut history = History::new(2);
    for (i, back) in std::iter::once(0.0).chain(psi.iter().copied()).enumerate() {
        let y = Problem::solution(-back);
        history.y[i].copy_from_slice(&y);
        history.slopes[i].copy_from_slice(&problem.slope(-back, &y));
    }
    (history.count, history.order, history.starting) = (psi.len() + 1, order, false);
    history.psi[..psi.len()].copy_from_slice(psi);
    history.keep(POINTS);
    history
}

/// Errors of y1 at `end` at order k and `steps` equal steps, and of the dense output, largest in all steps, beyond the error at the end.
fn errors(problem: Problem, k: usize, end: f64, steps: u32) -> [f64; 2] {
    let mut ode = problem;
    let h = end / f64::from(steps);
    let mut formula = Adams::new(Abam { order_max: k, ..Abam::with_tolerance(0.1) }, 2);
    let psi: Vec<f64> = (1..POINTS).map(|i| i as f64 * h).collect();
    *formula.history_mut() = exact(problem, &psi, k);
    let weighing = Weighing::new(&Abam::with_tolerance(0.1).tolerance, ode.unknowns(), false);
    let mut course = Course::new(0.0, weighing);
    course.leg.y.copy_from_slice(&Problem::solution(0.0));
    let mut scratch = Scratch::new(2);
    let (mut y, mut yp, mut between) = ([0.0; 2], [0.0; 2], 0.0_f64);
    for step in 1..=steps {
        formula.history_mut().order = k;
        let plan = Plan { h, t: f64::from(step) * h };
        let error = formula.attempt(&mut ode, &mut course, &mut scratch, plan).expect("no error").expect("no failure");
        formula.accept(&mut course, &mut scratch, plan, error, false);
        std::mem::swap(&mut course.leg.start, &mut course.leg.y);
        course.leg.y.copy_from_slice(&scratch.trial);
        (course.leg.previous, course.leg.time) = (course.leg.time, plan.t);
        let at_end = course.leg.y[0] - plan.t.cos();
        for part in [0.25, 0.5, 0.75] {
            let t = plan.t - part * h;
            formula.interpolate(&course.leg, t, &mut y, &mut yp);
            between = between.max((y[0] - t.cos() - at_end).abs());
        }
    }
    [(course.leg.y[0] - end.cos()).abs(), between]
}

/// With local extrapolation the error at the end is of order k + 1. The step of each order leaves errors between round-off and 1e-3.
#[test]
fn each_order_converges_with_its_own() {
    for problem in [Problem::Oscillator, Problem::AlmostLinear] {
        for k in 1..=ABAM_ORDER_MAX {
            let (end, steps) = (3.0, [200, 100, 60, 50, 40, 32, 28, 24, 24, 24, 20, 18][k - 1]);
            let [coarse, fine] = [steps, 2 * steps].map(|steps| errors(problem, k, end, steps));
            let [order, between] = [0, 1].map(|i| (coarse[i] / fine[i]).log2());
            let expected = k as f64 + 1.0;
            assert!(
                order > expected - 0.6 && between > expected - 0.6,
                "order {k}: {order} at the end, {between} between"
            );
            assert!(k > 6 || order < expected + 0.6, "order {k}: {order}");
        }
    }
}

/// What differences say of a history of any steps, they say again when it is formed anew; the polynomial meets its slopes.
#[test]
fn differences_belong_to_their_points() {
    let psi = [0.1, 0.25, 0.3, 0.5, 0.55, 0.9];
    let mut history = exact(Problem::Oscillator, &psi, 6);
    let (mut y, mut yp) = ([0.0; 2], [0.0; 2]);
    for (i, back) in psi.into_iter().enumerate() {
        history.last.moved.fill(0.0);
        history.last.extend((7, &history.psi), back, &history.y[0], &mut y, &mut yp);
        assert!((yp[0] - history.slopes[i + 1][0]).abs() < 1e-13, "{i}: {} {}", yp[0], history.slopes[i + 1][0]);
    }
    history.leave_out();
    assert_eq!(history.count, 6);
    assert_eq!(history.psi[..5], psi[1..]);
    history.last.extend((6, &history.psi), psi[1], &history.y[0], &mut y, &mut yp);
    assert!((yp[0] - Problem::solution(-psi[1])[1]).abs() < 1e-13);
}
