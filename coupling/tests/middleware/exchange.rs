//! R3, R20 to R26, R30 to R33: order and stamps of an exchange; consistent first values; algebraic loops; steering.

use fourbar_coupling::management::View;
use fourbar_coupling::partner::Ode;
use fourbar_coupling::{
    Algorithm, Connection, Error, Fault, Master, Observer, Options, Order, Partner, Proceed, RunState, Variable,
};

use crate::middleware::partners::{Integrator, Witness, fed};

#[test]
fn the_loop_of_the_patent_steps_then_samples_then_writes() {
    let tank = Integrator::healthy();
    let log = tank.log.clone();
    let (partners, connections) = fed(Partner::new("tank", tank));
    let mut master = Master::new(partners, &connections, &Options::new(0.5, 0.25, Algorithm::JacobiDelayed)).unwrap();
    master.run(&mut ()).unwrap();
    // At the start whoever has got its inputs is sampled again, before the first step takes them.
    let expected = [
        "sample 1",
        "write 2",
        "sample 1",
        "write 2",
        "step 0 0.25",
        "sample 1.5",
        "write 2",
        "step 0.25 0.25",
        "sample 2",
    ];
    assert_eq!(*log.lock().unwrap(), expected);
}

struct Stamps;

impl Observer for Stamps {
    fn exchanged(&mut self, view: &View<'_>) -> Proceed {
        for i in 0..view.partners() {
            assert_eq!(view.received(i).unwrap().stamp, view.stamp(), "{:?}", view.name(i));
            let sent = view.sent(i).unwrap().stamp;
            assert!(view.stamp() == 0 || sent == view.stamp() || sent + 1 == view.stamp(), "{sent}");
        }
        Proceed::Continue
    }
}

/// Two lags that drive each other: x' = -x + u, y = x; the second with feedthrough y = x + u/2.
fn pair() -> (Vec<Partner>, Vec<Connection>) {
    let lag = || {
        Ode::new([1.0], |_, x: &[f64], u: &[f64], dx: &mut [f64]| dx[0] = u[0] - x[0]).input(Variable::input("u", "V"))
    };
    let plain = lag().output(Variable::output("y", "V"), |_, x, _| x[0]);
    let direct = lag().output(Variable::output("y", "V").depends_on(&["u"]), |_, x, u| x[0] + 0.5 * u[0]);
    let partners = vec![Partner::new("direct", direct), Partner::new("plain", plain)];
    (partners, vec![Connection::new("plain.y", "direct.u"), Connection::new("direct.y", "plain.u")])
}

#[test]
fn every_packet_carries_the_time_of_its_values() {
    for algorithm in
        [Algorithm::JacobiDelayed, Algorithm::Jacobi { order: Order::Linear }, Algorithm::iterated(Order::Linear)]
    {
        let (partners, connections) = pair();
        let mut master = Master::new(partners, &connections, &Options::new(1.0, 0.1, algorithm)).unwrap();
        assert_eq!(master.run(&mut Stamps), Ok(RunState::Finished));
    }
}

#[test]
fn the_first_exchange_is_consistent() {
    let (partners, connections) = pair();
    let mut master =
        Master::new(partners, &connections, &Options::new(1.0, 0.1, Algorithm::Jacobi { order: Order::Hold })).unwrap();
    master.initialize(&mut ()).unwrap();
    // The direct partner is named first, yet sees the value of the plain one.
    assert_eq!(master.output("direct.y").unwrap(), 1.5);
    // In the patent's loop its input is late from the first step on.
    let (partners, connections) = pair();
    let mut master = Master::new(partners, &connections, &Options::new(1.0, 0.1, Algorithm::JacobiDelayed)).unwrap();
    master.initialize(&mut ()).unwrap();
    assert_eq!(master.output("direct.y").unwrap(), 1.5);
}

/// y = 2 - 3 u and z = 1 + y^3/50, u = z: a loop with one solution.
fn looped() -> (Vec<Partner>, Vec<Connection>) {
    let function = |g: fn(f64) -> f64| {
        Ode::new([], |_, _: &[f64], _: &[f64], _: &mut [f64]| {})
            .input(Variable::input("u", ""))
            .output(Variable::output("y", "").depends_on(&["u"]), move |_, _, u| g(u[0]))
    };
    let partners =
        vec![Partner::new("a", function(|u| 2.0 - 3.0 * u)), Partner::new("b", function(|u| 1.0 + u.powi(3) / 50.0))];
    (partners, vec![Connection::new("a.y", "b.u"), Connection::new("b.y", "a.u")])
}

#[test]
fn algebraic_loops_are_found_named_and_solved() {
    let (partners, connections) = looped();
    let mut options = Options::new(1.0, 0.5, Algorithm::Jacobi { order: Order::Hold });
    let mut master = Master::new(partners, &connections, &options).unwrap();
    assert_eq!(master.algebraic_loops().len(), 1);
    master.run(&mut ()).unwrap();
    let (y, z) = (master.output("a.y").unwrap(), master.output("b.y").unwrap());
    assert!((y - (2.0 - 3.0 * z)).abs() < 1e-10 && (z - (1.0 + y.powi(3) / 50.0)).abs() < 1e-10, "{y}, {z}");

    options.solve_loops = false;
    let (partners, connections) = looped();
    let Some(Error::AlgebraicLoop(path)) = Master::new(partners, &connections, &options).err() else { panic!() };
    assert_eq!(path.len(), 2);
    assert!(path.contains(&"a.y".to_string()) && path.contains(&"b.y".to_string()));
}

/// Loops without a solution: of gain 1, of a parabola, and one that runs out of range.
#[test]
fn a_loop_without_solution_ends_the_run_at_its_start_and_names_its_connections() {
    for g in [|u: f64| u + 1.0, |u: f64| u * u + 1.0, |u: f64| 1.0 + (u * u).exp()] {
        let partner = |g: fn(f64) -> f64| {
            Ode::new([], |_, _: &[f64], _: &[f64], _: &mut [f64]| {})
                .input(Variable::input("u", ""))
                .output(Variable::output("y", "").depends_on(&["u"]), move |_, _, u| g(u[0]))
        };
        let partners = vec![Partner::new("a", partner(g)), Partner::new("b", partner(|u| u))];
        let connections = [Connection::new("a.y", "b.u"), Connection::new("b.y", "a.u")];
        let options = Options::new(1.0, 0.5, Algorithm::Jacobi { order: Order::Hold });
        let mut master = Master::new(partners, &connections, &options).unwrap();
        let mut witness = Witness::default();
        let Err(Error::Stopped(fault)) = master.run(&mut witness) else { panic!("{}", g(2.0)) };
        let message = fault.to_string();
        if let Fault::AlgebraicLoop { connections, .. } = &*fault {
            let mut named = connections.clone();
            named.sort();
            assert_eq!(named, ["a.y -> b.u", "b.y -> a.u"], "{message}");
            assert!(message.contains("open it at one of these connections") && !message.contains("step"), "{message}");
        } else {
            // Its value left the range of numbers before the search ended.
            assert!(matches!(*fault, Fault::Sampling { .. }), "{message}");
        }
        assert!(witness.times.is_empty() && witness.states == [RunState::Running, RunState::Failed]);
    }
}

#[test]
fn feedthrough_back_and_forth_without_a_loop_is_followed_to_its_end() {
    // a.y = 2 u, b.y = v + 1, a.z = 10 w: through "a" twice, yet nothing depends on itself.
    let a = Ode::new([], |_, _: &[f64], _: &[f64], _: &mut [f64]| {})
        .input(Variable::input("w", ""))
        .input(Variable::input("u", "").start(3.0))
        .output(Variable::output("z", "").depends_on(&["w"]), |_, _, u| 10.0 * u[0])
        .output(Variable::output("y", "").depends_on(&["u"]), |_, _, u| 2.0 * u[1]);
    let b = Ode::new([], |_, _: &[f64], _: &[f64], _: &mut [f64]| {})
        .input(Variable::input("v", ""))
        .output(Variable::output("y", "").depends_on(&["v"]), |_, _, u| u[0] + 1.0);
    let partners = vec![Partner::new("a", a), Partner::new("b", b)];
    let connections = [Connection::new("a.y", "b.v"), Connection::new("b.y", "a.w")];
    let options =
        Options { solve_loops: false, ..Options::new(1.0, 0.5, Algorithm::Jacobi { order: Order::Quadratic }) };
    let mut master = Master::new(partners, &connections, &options).unwrap();
    assert!(master.algebraic_loops().is_empty());
    master.initialize(&mut ()).unwrap();
    assert_eq!(master.output("a.z").unwrap(), 70.0);
    // A value set from outside passes through in one exchange.
    master.set_input("a.u", -0.5).unwrap();
    master.step(&mut ()).unwrap();
    assert_eq!(master.output("a.z").unwrap(), 0.0);
}

#[test]
fn the_order_of_stepping_extrapolates_the_fewest_inputs() {
    // Three inputs from "many" to "few", one back: "many" steps first.
    let few = Ode::new([0.0], |_, _: &[f64], u: &[f64], dx: &mut [f64]| dx[0] = u.iter().sum())
        .input(Variable::input("u1", ""))
        .input(Variable::input("u2", ""))
        .input(Variable::input("u3", ""))
        .output(Variable::output("y", ""), |_, x, _| x[0]);
    let mut many =
        Ode::new([0.0], |_, _: &[f64], u: &[f64], dx: &mut [f64]| dx[0] = 1.0 - u[0]).input(Variable::input("u", ""));
    let mut connections = vec![Connection::new("few.y", "many.u")];
    for k in 1..=3 {
        many = many.output(Variable::output(format!("y{k}"), ""), |_, x, _| x[0]);
        connections.push(Connection::new(format!("many.y{k}"), format!("few.u{k}")));
    }
    let partners = vec![Partner::new("few", few), Partner::new("many", many)];
    let master =
        Master::new(partners, &connections, &Options::new(1.0, 0.1, Algorithm::iterated(Order::Linear))).unwrap();
    assert_eq!(master.sequence().collect::<Vec<_>>(), ["many", "few"]);
}

struct PauseAt(f64);

impl Observer for PauseAt {
    fn exchanged(&mut self, view: &View<'_>) -> Proceed {
        if view.time() == self.0 { Proceed::Pause } else { Proceed::Continue }
    }
}

#[test]
fn a_run_is_paused_steered_and_resumed() {
    let partners = vec![Partner::new("tank", Integrator::healthy())];
    let mut master = Master::new(partners, &[], &Options::new(1.0, 0.25, Algorithm::JacobiDelayed)).unwrap();
    assert_eq!(master.run(&mut PauseAt(0.5)), Ok(RunState::Paused));
    assert_eq!((master.clock().time(), master.output("tank.y").unwrap()), (0.5, 1.0));
    master.set_input("tank.u", 4.0).unwrap();
    assert!(master.set_input("tank.v", 4.0).is_err() && master.set_input("tank.u", f64::NAN).is_err());
    let mut witness = Witness::default();
    assert_eq!(master.run(&mut witness), Ok(RunState::Finished));
    assert_eq!(witness.values, [2.0, 3.0]);
    assert_eq!(witness.states, [RunState::Running, RunState::Finished]);
    assert_eq!(master.step(&mut ()), Ok(RunState::Finished));
}
