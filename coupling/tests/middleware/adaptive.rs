//! The adaptive communication step: tolerance met, end met, ticks kept, missed tolerances reported.

use fourbar_coupling::management::{Handling, View};
use fourbar_coupling::partner::Ode;
use fourbar_coupling::{
    Adaptive, Algorithm, Connection, Level, Master, Observer, Options, Order, Partner, Proceed, RunState, Variable,
};

use crate::middleware::partners::Witness;

/// x' = v, v' = -(1 + 99 exp(-(t - 3)^2)) x: slow, fast around t = 3, slow again.
fn master(adaptive: Adaptive, algorithm: Algorithm) -> Master {
    let position = Ode::new([1.0], |_, _: &[f64], u: &[f64], dx: &mut [f64]| dx[0] = u[0])
        .input(Variable::input("v", "m/s"))
        .output(Variable::output("x", "m"), |_, x, _| x[0])
        .solver_step(1e-4);
    let velocity = Ode::new([0.0], |t: f64, _: &[f64], u: &[f64], dx: &mut [f64]| {
        dx[0] = -(1.0 + 99.0 * (-(t - 3.0) * (t - 3.0)).exp()) * u[0];
    })
    .input(Variable::input("x", "m"))
    .output(Variable::output("v", "m/s"), |_, x, _| x[0])
    .solver_step(1e-4);
    let partners = vec![Partner::new("position", position), Partner::new("velocity", velocity)];
    let connections = [Connection::new("position.x", "velocity.x"), Connection::new("velocity.v", "position.v")];
    let options = Options { adaptive: Some(adaptive), ..Options::new(6.0, 0.25, algorithm) };
    Master::new(partners, &connections, &options).unwrap()
}

/// Times of the communication points; none may lie before the one before.
#[derive(Default)]
struct Times(Vec<f64>);

impl Observer for Times {
    fn exchanged(&mut self, view: &View<'_>) -> Proceed {
        self.0.push(view.time());
        Proceed::Continue
    }
}

#[test]
fn the_step_follows_the_signals_and_ends_on_time() {
    let sequential = Algorithm::GaussSeidel { order: Order::Quadratic, sequence: vec![] };
    let jacobi = Algorithm::Jacobi { order: Order::Quadratic };
    for algorithm in [sequential, jacobi, Algorithm::iterated(Order::Linear)] {
        let run = |tolerance| {
            let adaptive = Adaptive { tolerance, first: 1e-3, shortest: 1e-4, rollback: true };
            let mut master = master(adaptive, algorithm.clone());
            let mut times = Times::default();
            assert_eq!(master.run(&mut times), Ok(RunState::Finished));
            (master.output("position.x").unwrap(), times.0, master.clock().tick())
        };
        let (reference, ..) = run(1e-7);
        let (coarse, times, tick) = run(1e-3);
        let (fine, ..) = run(1e-5);
        assert!((fine - reference).abs() < 0.2 * (coarse - reference).abs(), "{coarse}, {fine}, {reference}");
        assert_eq!(*times.last().unwrap(), 6.0);
        // Every point is a whole number of ticks, a power-of-two fraction of the longest step.
        assert_eq!((0.25 / tick).log2().fract(), 0.0);
        assert!(times.iter().all(|t| (t / tick).fract() == 0.0));
        // Around t = 3 the signals are ten times as fast.
        let count = |from: f64, to: f64| times.iter().filter(|&&t| t > from && t < to).count();
        assert!(count(2.5, 3.5) > 2 * count(5.0, 6.0), "{} and {}", count(2.5, 3.5), count(5.0, 6.0));
    }
}

#[test]
fn a_tolerance_that_cannot_be_met_is_reported() {
    for rollback in [true, false] {
        let adaptive = Adaptive { tolerance: 1e-4, first: 0.125, shortest: 0.125, rollback };
        let mut master = master(adaptive, Algorithm::Jacobi { order: Order::Linear });
        let mut witness = Witness::default();
        assert_eq!(master.run(&mut witness), Ok(RunState::Finished));
        assert!(witness.faults.iter().all(|fault| (fault.1, fault.2) == (Level::Warn, Handling::Warned)));
        assert!(witness.faults.len() > 10 && witness.faults[0].0.contains("at the shortest communication step"));
        assert_eq!(master.statistics().rejected, 0);
    }
}
