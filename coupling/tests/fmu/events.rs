//! Communication steps that end at the events of FMUs: early return of FMI 3.0, and events in time of model exchange.

use super::build::{Model, usual, with};
use fourbar_coupling::management::View;
use fourbar_coupling::partner::{Fmu, FmuInterfaceKind, FmuOptions, Ode};
use fourbar_coupling::{Algorithm, Connection, Master, Observer, Options, Order, Partner, Proceed, Variable};

/// Communication step \[s\].
const H: f64 = 0.8;
/// A point lies less than this behind its event \[s\].
const TICK: f64 = H / (1 << 20) as f64;

#[derive(Default)]
struct Seen {
    times: Vec<f64>,
    values: Vec<Vec<f64>>,
}

impl Observer for Seen {
    fn exchanged(&mut self, view: &View<'_>) -> Proceed {
        self.times.push(view.time());
        let received = (0..view.partners()).filter_map(|i| view.received(i));
        self.values.push(received.flat_map(|packet| packet.values.clone()).collect());
        Proceed::Continue
    }
}

fn unit(model: Model, interface: FmuInterfaceKind) -> Option<Fmu> {
    let early = format!("{} hasEventMode=\"true\" mightReturnEarlyFromDoStep=\"true\"", usual(3));
    let options = FmuOptions { interface: Some(interface), tolerance: Some(1e-8), ..FmuOptions::default() };
    Some(Fmu::open(with((3, model), &early)?, &options).unwrap())
}

/// The integral of what it gets.
fn sum() -> Partner {
    let sum = Ode::new([0.0], |_, _: &[f64], u: &[f64], dx: &mut [f64]| dx[0] = u[0]);
    let sum = sum.input(Variable::input("u", "")).output(Variable::output("x", ""), |_, x, _| x[0]);
    Partner::new("sum", sum)
}

fn options(events: bool, sequential: bool) -> Options {
    of_order(events, sequential, Order::Hold)
}

fn of_order(events: bool, sequential: bool, order: Order) -> Options {
    let algorithm =
        if sequential { Algorithm::GaussSeidel { order, sequence: vec![] } } else { Algorithm::Jacobi { order } };
    Options { events, ..Options::new(3.2, H, algorithm) }
}

fn assert_close(seen: &[f64], expected: &[f64], what: &str) {
    let close = seen.len() == expected.len()
        && seen.iter().zip(expected).all(|(a, b)| (0.0..TICK + 1e-9).contains(&(a - b + 1e-12)));
    assert!(close, "{what}: {seen:?} is not {expected:?}");
}

/// It counts the seconds: 0, 1, 2 and 3 make 3.6 in 3.2 s.
#[test]
fn a_step_ends_where_an_fmu_returns_early_or_has_an_event_in_time() {
    for interface in [FmuInterfaceKind::CoSimulation, FmuInterfaceKind::ModelExchange] {
        for sequential in [false, true] {
            let run = |events| {
                let stair = Partner::new("stair", unit(Model::Stair, interface)?);
                let connections = [Connection::new("stair.count", "sum.u")];
                let own = options(events, sequential);
                let mut master = Master::new(vec![sum(), stair], &connections, &own).unwrap();
                let mut seen = Seen::default();
                master.run(&mut seen).unwrap();
                Some((master.output("sum.x").unwrap(), seen))
            };
            let what = format!("{interface:?}, sequential: {sequential}");
            let Some((x, seen)) = run(true) else { return };
            assert_close(&seen.times, &[0.0, 0.8, 1.0, 1.6, 2.0, 2.4, 3.0, 3.2], &what);
            let counts: Vec<f64> = seen.values.iter().map(|values| values[1]).collect();
            assert_eq!(counts, [0.0, 0.0, 1.0, 1.0, 2.0, 2.0, 3.0, 3.0], "{what}");
            let expected = 3.6;
            assert!((x - expected).abs() < 3.0 * TICK + 1e-9, "{what}: {x}");
            // Without the setting the points are those of the grid, and the jumps are heard late or early.
            let Some((x, seen)) = run(false) else { return };
            assert_eq!(seen.times.len(), 5, "{what}");
            assert!(sequential || (x - expected).abs() > 0.1, "{what}: {x}");
        }
    }
}

/// An event at a communication point is one like others: 0, 1 and 2 from second to second, two steps each, make 3.
#[test]
fn events_at_communication_points_are_events() {
    for interface in [FmuInterfaceKind::CoSimulation, FmuInterfaceKind::ModelExchange] {
        for (sequential, order) in [false, true]
            .into_iter()
            .flat_map(|sequential| [Order::Hold, Order::Linear, Order::Quadratic].map(|order| (sequential, order)))
        {
            let Some(stair) = unit(Model::Stair, interface) else { return };
            let own = Options { step: 0.5, end: 3.0, ..of_order(true, sequential, order) };
            let partners = vec![sum(), Partner::new("stair", stair)];
            let mut master = Master::new(partners, &[Connection::new("stair.count", "sum.u")], &own).unwrap();
            master.run(&mut ()).unwrap();
            let x = master.output("sum.x").unwrap();
            assert!((x - 3.0).abs() < 1e-9, "{interface:?}, sequential: {sequential}, {order:?}: {x}");
        }
    }
}

/// Who has stepped beyond the event of another returns to its saved state: the ball bounces as it does alone.
#[test]
fn two_fmus_with_events_meet_at_the_earliest() {
    let run = |both: bool, sequential: bool| {
        let mut partners = vec![Partner::new("ball", unit(Model::Ball, FmuInterfaceKind::CoSimulation)?)];
        if both {
            partners.push(Partner::new("stair", unit(Model::Stair, FmuInterfaceKind::CoSimulation)?));
        }
        let mut master = Master::new(partners, &[], &options(true, sequential)).unwrap();
        let mut seen = Seen::default();
        master.run(&mut seen).unwrap();
        Some((master.output("ball.bounces").unwrap(), master.output("ball.h").unwrap(), seen))
    };
    for sequential in [false, true] {
        let Some((bounces, height, alone)) = run(false, sequential) else { return };
        assert!(bounces > 2.0 && alone.times.len() as f64 == 5.0 + bounces, "{bounces} {:?}", alone.times);
        // Each bounce is a point of its own: from one to the next the count goes up by one.
        assert!(alone.values.windows(2).all(|pair| pair[1][2] - pair[0][2] <= 1.0), "{:?}", alone.values);
        let Some((again, other, seen)) = run(true, sequential) else { return };
        assert_eq!(again, bounces);
        assert_eq!(seen.times.len(), alone.times.len() + 3, "{:?}", seen.times);
        // Its own solver steps once more at each point of the other.
        assert!((other - height).abs() < 1e-2, "{other} {height}");
    }
}
