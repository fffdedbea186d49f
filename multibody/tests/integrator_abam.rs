//! scratch
use fourbar_multibody::integrator::{Abam, Rkf45, Integrator, Stop};
use fourbar_multibody::dae::{EvalError, Kind, Unknown};
use fourbar_multibody::ode::Ode;
const STATE: Unknown = Unknown { kind: Kind::STATE, error_tested: true, scale_power: 0, typical: 1.0 };
struct P;
impl Ode for P {
    fn dimension(&self) -> usize { 2 }
    fn unknowns(&self) -> &[Unknown] { &[STATE;2] }
    fn rhs(&mut self, t: f64, y: &[f64], yp: &mut [f64]) -> Result<(), EvalError> {
    yp.copy_from_slice(&[y[1], -y[0] + 3.0 * (2.0 * t).sin()]); Ok(()) }
}
fn sol(t: f64) -> [f64; 2] {
    [t.cos() + 2.0 * t.sin() - (2.0 * t).sin(), -t.sin() + 2.0 * t.cos() - 2.0 * (2.0 * t).cos()]
}
fn go(run: &mut dyn Integrator) -> (f64, f64) {
    let (mut e, mut b) = (0.0_f64, 0.0_f64);
    let mut from = 0.0;
    let (mut y, mut yp) = ([0.0; 2], [0.0; 2]);
    loop {
        let stop = run.step().unwrap();
        e = e.max((run.state()[0] - sol(run.time())[0]).abs());
        for part in [0.0, 0.2, 0.5, 0.8] {
            let t = from + part*(run.time()-from);
            run.interpolate(t, &mut y, &mut yp).unwrap();
            b = b.max((y[0]-sol(t)[0]).abs());
        }
        from = run.time();
        if stop == Stop::EndTime { return (e, b); }
    }
}
#[test]
fn look() {
    for x in 2..=13 {
        let tol = 10f64.powi(-x);
        let mut a = Abam::with_tolerance(tol).start(P, 0.0, &sol(0.0), 30.0).unwrap();
        let e = go(&mut a);
        let mut r = Rkf45::with_tolerance(tol).start(P, 0.0, &sol(0.0), 30.0).unwrap();
        let f = go(&mut r);
        let (s, q) = (a.statistics(), r.statistics());
        println!("1e-{x}: abam {:?} {} steps {} rej {} evals {:?} stiff {}| rkf {:?} {} evals", e, s.steps, s.rejected_by_error, s.residual_evaluations, s.orders, s.stiff_steps, f, q.residual_evaluations);
    }
}
