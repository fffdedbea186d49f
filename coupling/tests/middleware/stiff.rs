//! The same linear pair with one partner stepped exactly, by Runge-Kutta, and by the stiff integrator: the same coupled results.

use fourbar_coupling::partner::{DrivenDae, Linear, Ode, Stiff};
use fourbar_coupling::{Algorithm, Connection, Master, Options, Order, Partner, Signal, Simulator, Variable};
use fourbar_dae::integrator::Gstiff;
use fourbar_dae::{Dae, EvalError, Kind, Unknown};
use fourbar_hydraulics::Circuit;
use fourbar_lti::StateSpace;
use nalgebra::dmatrix;
use nalgebra_sparse::pattern::SparsityPattern;
use serde_json::json;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// 1/s.
const RATE: f64 = 2000.0;

/// p' = RATE (u - p), y = p - u/10.
struct Lag {
    unknowns: [Unknown; 1],
    pattern: SparsityPattern,
    since: f64,
    input: Signal,
    residuals: Arc<AtomicU64>,
}

impl Dae for Lag {
    fn dimension(&self) -> usize {
        1
    }
    fn unknowns(&self) -> &[Unknown] {
        &self.unknowns
    }
    fn pattern(&self) -> &SparsityPattern {
        &self.pattern
    }
    fn residual(&mut self, t: f64, y: &[f64], yp: &[f64], residual: &mut [f64]) -> Result<(), EvalError> {
        self.residuals.fetch_add(1, Ordering::Relaxed);
        residual[0] = yp[0] - RATE * (self.input.at(t - self.since) - y[0]);
        Ok(())
    }
    fn jacobian(&mut self, _: f64, _: &[f64], _: &[f64], c: f64, values: &mut [f64]) -> Result<(), EvalError> {
        values[0] = c + RATE;
        Ok(())
    }
}

fn variables() -> Vec<Variable> {
    vec![Variable::input("u", "bar"), Variable::output("y", "bar").depends_on(&["u"])]
}

impl DrivenDae for Lag {
    fn variables(&self) -> Vec<Variable> {
        variables()
    }
    fn drive(&mut self, t: f64, inputs: &[Signal]) {
        self.since = t;
        self.input = inputs[0];
    }
    fn observe(&mut self, t: f64, y: &[f64], _: &[f64], values: &mut [f64]) -> Result<(), EvalError> {
        values[0] = y[0] - 0.1 * self.input.at(t - self.since);
        Ok(())
    }
}

/// z after 1 s, where z' = -3 y, z(0) = 1, and the lag takes z.
fn run(lag: impl Simulator + 'static, algorithm: Algorithm) -> f64 {
    let slow = Ode::new([1.0], |_, _: &[f64], u: &[f64], dx: &mut [f64]| dx[0] = -3.0 * u[0])
        .input(Variable::input("y", "bar"))
        .output(Variable::output("z", "bar"), |_, x, _| x[0])
        .solver_step(1e-3);
    let partners = vec![Partner::new("lag", lag), Partner::new("slow", slow)];
    let connections = [Connection::new("lag.y", "slow.y"), Connection::new("slow.z", "lag.u")];
    let mut master = Master::new(partners, &connections, &Options::new(1.0, 0.01, algorithm)).unwrap();
    master.run(&mut ()).unwrap();
    master.output("slow.z").unwrap()
}

#[test]
fn a_stiff_partner_gives_the_results_of_an_exact_one() {
    let unknown = Unknown { kind: Kind::STATE, error_tested: true, scale_power: 0, typical: 1.0 };
    let pattern = || SparsityPattern::try_from_offsets_and_indices(1, 1, vec![0, 1], vec![0]).unwrap();
    let lag = || Lag {
        unknowns: [unknown],
        pattern: pattern(),
        since: 0.0,
        input: Signal::default(),
        residuals: Arc::default(),
    };
    let stiff = || Stiff::new(&Gstiff::with_tolerance(1e-8), lag(), 0.0, &[0.0], &[0.0]).unwrap();
    let system = StateSpace::new(dmatrix![-RATE], dmatrix![RATE], dmatrix![1.0], dmatrix![-0.1]).unwrap();
    let exact = || Linear::new(system.clone(), variables(), &[0.0]).unwrap();
    let explicit = || {
        Ode::new([0.0], |_, x: &[f64], u: &[f64], dx: &mut [f64]| dx[0] = RATE * (u[0] - x[0]))
            .input(Variable::input("u", "bar"))
            .output(Variable::output("y", "bar").depends_on(&["u"]), |_, x, u| x[0] - 0.1 * u[0])
            .solver_step(2e-5)
    };
    // With rollback as well: the integrator returns to its saved history.
    for algorithm in [Algorithm::Jacobi { order: Order::Linear }, Algorithm::iterated(Order::Quadratic)] {
        let expected = run(exact(), algorithm.clone());
        assert!((run(explicit(), algorithm.clone()) - expected).abs() < 1e-9);
        let found = run(stiff(), algorithm.clone());
        assert!((found - expected).abs() < 1e-6, "{algorithm:?}: {found}, exact {expected}");
        assert_eq!(found, run(stiff(), algorithm));
    }
}

/// Two orifices in a row from 200 bar to 1 bar, the second one opened by the input.
fn divider() -> Circuit {
    let orifice = |name: &str, from: &str, to: &str, opening: &str| json!({ "type": "orifice", "name": name, "from": from, "to": to, "area": 1e-5, "opening": opening, "laminar_below": 1.0 });
    let model = json!({ "input": [{ "name": "u", "start": 1 }],
        "node": [ { "type": "pressure", "name": "p", "pressure": 2e7 }, { "type": "volume", "name": "a" },
            { "type": "tank", "name": "t", "pressure": 1e5 } ],
        "component": [ orifice("one", "p", "a", "1"), orifice("two", "a", "t", "u") ] });
    Circuit::compile(&serde_json::from_value(model).unwrap()).unwrap()
}

#[test]
fn a_command_that_jumps_between_communication_steps_sets_a_junction_anew() {
    for algorithm in [Algorithm::JacobiDelayed, Algorithm::iterated(Order::Hold)] {
        let mut circuit = divider();
        let start = circuit.steady(0.0).unwrap();
        let stiff = Stiff::new(&Gstiff::with_tolerance(1e-7), circuit, 0.0, &start.y, &start.yp).unwrap();
        let command = Ode::new([0.0], |_, _: &[f64], _: &[f64], dx: &mut [f64]| dx[0] = 0.0)
            .output(Variable::output("u", "1"), |t, _, _| if t < 0.495 { 1.0 } else { 0.1 })
            .solver_step(0.01);
        let partners = vec![Partner::new("command", command), Partner::new("circuit", stiff)];
        let connections = [Connection::new("command.u", "circuit.u")];
        let mut master = Master::new(partners, &connections, &Options::new(1.0, 0.01, algorithm)).unwrap();
        master.run(&mut ()).unwrap();
        // The same flow through both: (p - a) = u^2 (a - t).
        let (expected, found) = ((2e7 + 0.01 * 1e5) / 1.01, master.output("circuit.a.pressure").unwrap());
        assert!((found / expected - 1.0).abs() < 1e-7, "{found:e}, {expected:e}");
    }
}

/// The counts of a partner's solver are what its equations were asked; a method without counts has none.
#[test]
fn costs_of_partners_are_what_they_were_asked() {
    for thread in [false, true] {
        let unknown = Unknown { kind: Kind::STATE, error_tested: true, scale_power: 0, typical: 1.0 };
        let pattern = SparsityPattern::try_from_offsets_and_indices(1, 1, vec![0, 1], vec![0]).unwrap();
        let residuals = Arc::new(AtomicU64::new(0));
        let lag = Lag {
            unknowns: [unknown],
            pattern,
            since: 0.0,
            input: Signal::default(),
            residuals: Arc::clone(&residuals),
        };
        let lag = Stiff::new(&Gstiff::with_tolerance(1e-8), lag, 0.0, &[0.0], &[0.0]).unwrap();
        let slow = Ode::new([1.0], |_, _: &[f64], u: &[f64], dx: &mut [f64]| dx[0] = -3.0 * u[0])
            .input(Variable::input("y", "bar"))
            .output(Variable::output("z", "bar"), |_, x, _| x[0])
            .solver_step(1e-3);
        let lag = Partner::new("lag", lag);
        let partners = vec![if thread { lag.on_thread() } else { lag }, Partner::new("slow", slow)];
        let connections = [Connection::new("lag.y", "slow.y"), Connection::new("slow.z", "lag.u")];
        let algorithm = Algorithm::Jacobi { order: Order::Hold };
        let mut master = Master::new(partners, &connections, &Options::new(1.0, 0.01, algorithm)).unwrap();
        master.run(&mut ()).unwrap();
        let costs = master.partner_costs();
        let names: Vec<&str> = costs.iter().map(|cost| cost.name.as_str()).collect();
        assert_eq!(names, ["lag", "slow"]);
        let counts = costs[0].solver.unwrap();
        assert_eq!(counts.evaluations, residuals.load(Ordering::Relaxed), "{counts:?}");
        assert!(counts.steps >= 100 && counts.evaluations >= counts.steps + counts.rejected, "{counts:?}");
        assert_eq!(costs[1].solver, None);
        assert!(costs.iter().all(|cost| cost.seconds > 0.0), "{costs:?}");
    }
}
