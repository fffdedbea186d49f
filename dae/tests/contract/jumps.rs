//! Systems that change: coordinates after a step, jumps that are known and others.

use super::{failure, finish, is_fixed, methods_with};
use crate::support::{Equations, ProtheroRobinson, STATE, System};
use fourbar_dae::integrator::Family;
use fourbar_dae::integrator::{Bdf, Error, Integrator, Snapshot, StepLimits};
use fourbar_dae::{Dae, EvalError, History, Kind, Unknown};
use nalgebra_sparse::pattern::SparsityPattern;
use num_dual::DualNum;

/// The methods for F(t, y, y') = 0, their names, and whether their steps are constant.
fn implicit(relative: f64) -> Vec<(&'static str, bool, Bdf)> {
    let methods = methods_with(StepLimits::default(), relative).into_iter();
    let bdf = methods.map(|method| (method.name(), is_fixed(&method), method.family()));
    bdf.filter_map(|(name, fixed, family)| if let Family::Bdf(bdf) = family { Some((name, fixed, bdf)) } else { None })
        .collect()
}

/// A phase that grows at the rate 1 + sin(phase)/2 and is set back by a full turn after the step in which it passes one.
struct Phase {
    inner: System<Growth>,
    turns: f64,
}

struct Growth;

impl Equations for Growth {
    fn residual<T: DualNum<Primitive = f64> + Copy>(&self, _: T, y: &[T], yp: &[T], r: &mut [T]) {
        r[0] = yp[0] - y[0].sin() * 0.5 - 1.0;
    }
}

impl Dae for Phase {
    fn dimension(&self) -> usize {
        1
    }
    fn unknowns(&self) -> &[Unknown] {
        self.inner.unknowns()
    }
    fn pattern(&self) -> &SparsityPattern {
        self.inner.pattern()
    }
    fn residual(&mut self, t: f64, y: &[f64], yp: &[f64], r: &mut [f64]) -> Result<(), EvalError> {
        self.inner.residual(t, y, yp, r)
    }
    fn jacobian(&mut self, t: f64, y: &[f64], yp: &[f64], c: f64, values: &mut [f64]) -> Result<(), EvalError> {
        self.inner.jacobian(t, y, yp, c, values)
    }
    fn after_step(&mut self, history: &mut dyn History) -> Result<bool, EvalError> {
        let phase = history.coefficient(0, 0);
        if phase < std::f64::consts::TAU {
            return Ok(false);
        }
        self.turns += 1.0;
        history.set_coefficient(0, 0, phase - std::f64::consts::TAU);
        Ok(true)
    }
    fn save(&self, store: &mut Vec<f64>) {
        store.push(self.turns);
    }
    fn restore(&mut self, store: &[f64]) -> Result<(), EvalError> {
        self.turns = store[0];
        Ok(())
    }
}

/// A system may change its coordinates after a step: order and step survive, snapshots take its own state along.
#[test]
fn the_system_may_change_its_coordinates() {
    for (name, fixed, method) in implicit(1e-8) {
        let phase = Phase { inner: System::new(vec![STATE], Growth), turns: 0.0 };
        let mut run = method.start(phase, 0.0, &[0.0], &[1.0], 50.0).expect("start");
        let mut snapshot = Snapshot::new();
        while run.time() < 20.0 {
            let _ = run.step().expect("step");
        }
        run.save(&mut snapshot);
        let turns = run.dae().turns;
        finish(&mut run);
        let (end, all_turns) = (run.state()[0], run.dae().turns);
        // tan(phase/2) = (sqrt(3) tan(w t + b) - 1)/2 with w = sqrt(3)/4, b = pi/6: the period is 2 pi / sqrt(3/4) / ... = pi / w.
        let w = 3f64.sqrt() / 4.0;
        let half = (3f64.sqrt() * (w * 50.0 + std::f64::consts::FRAC_PI_6).tan() - 1.0) / 2.0;
        let exact = (2.0 * half.atan()).rem_euclid(std::f64::consts::TAU);
        // The first step of constant ones is of order 1, and order 2 adds up some thousand tolerances.
        let allowed = if fixed || name == "hht" { 2e-4 } else { 1e-5 };
        assert!((end - exact).abs() < allowed, "{name}: {end} against {exact}");
        let s = *run.statistics();
        // Where the matrix is new anyway, that is its reason.
        assert!(
            all_turns == 6.0 && s.factorizations.chart_exchange <= 6 && s.restarts == 0,
            "{name}: {all_turns} {s:?}"
        );
        run.restore(&snapshot).expect("own snapshot");
        assert_eq!(run.dae().turns, turns);
        finish(&mut run);
        assert_eq!((run.state()[0].to_bits(), run.dae().turns), (end.to_bits(), all_turns), "{name}");
    }
}

/// y' = z, 0 = z - f(t), where f jumps by 1 at `known` and at `unknown`, and the system goes on behind both.
struct Switched {
    inner: System<ProtheroRobinson>,
    unknowns: [Unknown; 2],
    known: f64,
    unknown: f64,
    passed: f64,
    answers: bool,
}

impl Switched {
    fn new(answers: bool) -> Self {
        let state = Unknown { kind: Kind::STATE, error_tested: true, scale_power: 0, typical: 1.0 };
        let unknowns = [state, Unknown { kind: Kind::ALGEBRAIC, ..state }];
        let inner = ProtheroRobinson::system(2.0);
        Self { inner, unknowns, known: 0.3, unknown: 0.7, passed: f64::NEG_INFINITY, answers }
    }

    fn drive(&self, t: f64) -> f64 {
        // A step that ends at the known jump sees the value before it.
        let behind_known = t > self.known || (t == self.known && self.passed == self.known);
        1.0 + f64::from(u8::from(behind_known)) + f64::from(u8::from(t >= self.unknown))
    }
}

impl Dae for Switched {
    fn dimension(&self) -> usize {
        2
    }
    fn unknowns(&self) -> &[Unknown] {
        &self.unknowns
    }
    fn pattern(&self) -> &SparsityPattern {
        self.inner.pattern()
    }
    fn residual(&mut self, t: f64, y: &[f64], yp: &[f64], r: &mut [f64]) -> Result<(), EvalError> {
        (r[0], r[1]) = (yp[0] - y[1], y[1] - self.drive(t));
        Ok(())
    }
    fn jacobian(&mut self, _: f64, _: &[f64], _: &[f64], c: f64, values: &mut [f64]) -> Result<(), EvalError> {
        values.copy_from_slice(&[c, 0.0, -1.0, 1.0]);
        Ok(())
    }
    fn next_break(&mut self, t: f64) -> f64 {
        if t > self.known || self.passed == self.known { f64::INFINITY } else { self.known }
    }
    fn pass_jump(&mut self, t: f64, y: &mut [f64], yp: &mut [f64]) -> Result<bool, EvalError> {
        self.passed = t;
        let z = self.drive(t);
        let jumped = self.answers && z != y[1];
        if jumped {
            (y[1], yp[0]) = (z, z);
        }
        Ok(jumped)
    }
}

#[test]
fn a_system_goes_on_behind_its_jumps_and_no_further_than_it_says() {
    for (name, fixed, method) in implicit(1e-8) {
        let start =
            |answers| method.clone().start(Switched::new(answers), 0.0, &[0.0, 1.0], &[1.0, 0.0], 1.0).expect("start");
        let mut run = start(true);
        finish(&mut run);
        let s = *run.statistics();
        // z is 1 up to 0.3, 2 up to 0.7, 3 to the end. Constant steps look for no jump that nothing announces.
        let allowed = if fixed { super::STEP } else { 1e-8 };
        assert!(
            (run.state()[0] - (0.3 + 0.8 + 0.9)).abs() < allowed && run.state()[1] == 3.0,
            "{name}: {:?}",
            run.state()
        );
        assert_eq!((s.jumps, s.jumps_found), if fixed { (1, 0) } else { (2, 1) }, "{name}");
        if fixed {
            continue;
        }
        let mut run = start(false);
        let error = failure(&mut run);
        assert!(matches!(error, Error::SmallestStep { .. }), "{name}: {error}");
        assert!((0.3..0.300001).contains(&run.time()), "{name}: {error}");
        assert_eq!(run.statistics().jumps, 0, "{name}");
    }
}
