//! Communication steps end at the events of partners that return early, or know when their next event comes.

use fourbar_coupling::management::View;
use fourbar_coupling::partner::Ode;
use fourbar_coupling::{
    Adaptive, Algorithm, Capabilities, Connection, Description, Error, Failure, Master, Observer, Options, Order,
    Partner, Proceed, Signal, Simulator, Snapshot, Variable,
};

/// Communication step \[s\].
const H: f64 = 0.01;

/// A rate that changes its sign at the multiples of a period that is no multiple of H.
struct Switch {
    period: f64,
    /// Periods that have passed.
    passed: u32,
    capabilities: Capabilities,
}

impl Switch {
    fn early(period: f64) -> Self {
        Self { period, passed: 0, capabilities: Capabilities::FULL.early_return(true) }
    }

    fn timed(period: f64) -> Self {
        Self { period, passed: 0, capabilities: Capabilities::FULL.event_times(true) }
    }

    fn next(&self) -> f64 {
        f64::from(self.passed + 1) * self.period
    }
}

impl Simulator for Switch {
    fn describe(&self) -> Description {
        let variables = vec![Variable::output("rate", "m/s").nominal(1.0)];
        Description { variables, solver_step: None, capabilities: self.capabilities }
    }
    fn set_inputs(&mut self, _: &[Signal]) -> Result<(), Failure> {
        Ok(())
    }
    fn step(&mut self, t: f64, h: f64) -> Result<f64, Failure> {
        let end = t + h;
        while self.next() <= end + 1e-12 {
            let event = self.next();
            self.passed += 1;
            if self.capabilities.early_return && event < end {
                return Ok(event);
            }
        }
        Ok(end)
    }
    fn outputs(&mut self, values: &mut [f64]) -> Result<(), Failure> {
        values[0] = if self.passed.is_multiple_of(2) { 1.0 } else { -1.0 };
        Ok(())
    }
    fn next_event(&mut self) -> Option<f64> {
        Some(self.next())
    }
    fn save(&mut self, snapshot: &mut Snapshot) -> Result<(), Failure> {
        *snapshot.content_mut() = self.passed;
        Ok(())
    }
    fn restore(&mut self, snapshot: &Snapshot) -> Result<(), Failure> {
        self.passed = *snapshot.content()?;
        Ok(())
    }
}

fn tank(rates: usize) -> impl Simulator {
    let inputs = (0..rates)
        .fold(Ode::new([0.0], |_, _: &[f64], u: &[f64], dx: &mut [f64]| dx[0] = u.iter().sum()), |tank, k| {
            tank.input(Variable::input(format!("rate{k}"), "m/s"))
        });
    inputs.output(Variable::output("level", "m"), |_, x, _| x[0])
}

/// The integral of the rate over 1 s.
fn exact(period: f64) -> f64 {
    let whole = (1.0 / period).floor() as u32;
    let sign = |k: u32| if k.is_multiple_of(2) { 1.0 } else { -1.0 };
    (0..whole).map(|k| sign(k) * period).sum::<f64>() + sign(whole) * (1.0 - f64::from(whole) * period)
}

/// What so many events may leave: each has its point less than a tick behind it, until which a rate is wrong by 2 m/s.
fn wrong(events: u32) -> f64 {
    2.0 * f64::from(events) * H / f64::from(1 << 20) + 1e-12
}

#[derive(Default)]
struct Times(Vec<f64>);

impl Observer for Times {
    fn exchanged(&mut self, view: &View<'_>) -> Proceed {
        self.0.push(view.time());
        Proceed::Continue
    }
}

fn run(switches: Vec<Switch>, options: &Options) -> (f64, Vec<f64>) {
    let count = switches.len();
    let connection = |k: usize| Connection::new(format!("switch{k}.rate"), format!("tank.rate{k}"));
    let connections: Vec<_> = (0..count).map(connection).collect();
    let mut partners = vec![Partner::new("tank", tank(count))];
    let switches = switches.into_iter().enumerate();
    partners.extend(switches.map(|(k, switch)| Partner::new(format!("switch{k}"), switch)));
    let mut times = Times::default();
    let mut master = Master::new(partners, &connections, options).unwrap();
    master.run(&mut times).unwrap();
    (master.output("tank.level").unwrap(), times.0)
}

fn options(algorithm: Algorithm) -> Options {
    Options { events: true, ..Options::new(1.0, H, algorithm) }
}

/// All algorithms, of all orders; one after the other with those first that have events, as by default, and last.
fn algorithms() -> Vec<Algorithm> {
    let sequence = |names: &[&str]| names.iter().map(|&name| name.to_owned()).collect();
    let of = |order| {
        [
            Algorithm::Jacobi { order },
            Algorithm::GaussSeidel { order, sequence: sequence(&["tank", "switch0"]) },
            Algorithm::GaussSeidel { order, sequence: vec![] },
            Algorithm::iterated(order),
        ]
    };
    let orders = [Order::Hold, Order::Linear, Order::Quadratic];
    std::iter::once(Algorithm::JacobiDelayed).chain(orders.into_iter().flat_map(of)).collect()
}

#[test]
fn what_events_switch_is_integrated_up_to_them() {
    let period = 0.137_31;
    for algorithm in algorithms() {
        for switch in [Switch::early as fn(f64) -> Switch, Switch::timed] {
            let (level, times) = run(vec![switch(period)], &options(algorithm.clone()));
            assert!((level - exact(period)).abs() < wrong(7), "{algorithm:?}: {level}, {}", exact(period));
            for k in 1..=7 {
                let event = f64::from(k) * period;
                let point = times.iter().find(|time| **time >= event - 1e-12).unwrap();
                assert!(point - event < 1e-6 * H, "{algorithm:?}: the event at {event} s has its point at {point} s");
            }
            // Between events the points are those of the grid.
            for k in 0..=100 {
                let grid = f64::from(k) * H;
                assert!(times.iter().any(|time| (time - grid).abs() < 1e-12), "{algorithm:?}: {grid} s");
            }
            assert_eq!(times.len(), 101 + 7);
        }
    }
}

/// What follows an output without delay jumps with it.
#[test]
fn events_pass_through_what_follows_without_delay() {
    let period = 0.137_31;
    for algorithm in algorithms() {
        if matches!(&algorithm, Algorithm::GaussSeidel { sequence, .. } if !sequence.is_empty())
            || algorithm == Algorithm::JacobiDelayed
        {
            continue;
        }
        for switch in [Switch::early as fn(f64) -> Switch, Switch::timed] {
            let gain = Ode::new([], |_, _: &[f64], _: &[f64], _: &mut [f64]| {})
                .input(Variable::input("rate", "m/s"))
                .output(Variable::output("twice", "m/s").depends_on(&["rate"]), |_, _, u| 2.0 * u[0]);
            let partners = vec![
                Partner::new("tank", tank(1)),
                Partner::new("gain", gain),
                Partner::new("switch0", switch(period)),
            ];
            let connections =
                [Connection::new("switch0.rate", "gain.rate"), Connection::new("gain.twice", "tank.rate0")];
            let mut master = Master::new(partners, &connections, &options(algorithm.clone())).unwrap();
            master.run(&mut ()).unwrap();
            let level = master.output("tank.level").unwrap();
            assert!(
                (level - 2.0 * exact(period)).abs() < 2.0 * wrong(7),
                "{algorithm:?}: {level}, {}",
                2.0 * exact(period)
            );
        }
    }
}

#[test]
fn events_of_several_partners_take_back_who_stepped_beyond() {
    let periods = [0.137_31, 0.0931];
    let expected: f64 = periods.into_iter().map(exact).sum();
    let (order, sequence) = (Order::Hold, ["tank", "switch0", "switch1"].map(str::to_owned).into());
    for algorithm in [Algorithm::Jacobi { order }, Algorithm::GaussSeidel { order, sequence }] {
        let (level, times) = run(periods.map(Switch::early).into(), &options(algorithm.clone()));
        assert_eq!(times.len(), 101 + 7 + 10, "{algorithm:?}");
        assert!((level - expected).abs() < wrong(17), "{algorithm:?}: {level}, {expected}");
    }
}

#[test]
fn iterations_and_adaptive_steps_end_at_events_too() {
    let period = 0.137_31;
    let adaptive = Adaptive { tolerance: 1e-3, first: H, shortest: 0.1 * H, rollback: true };
    for algorithm in algorithms().into_iter().filter(|algorithm| *algorithm != Algorithm::JacobiDelayed) {
        let iterated = matches!(algorithm, Algorithm::Iterated { .. });
        let options = Options { adaptive: Some(adaptive.clone()).filter(|_| !iterated), ..options(algorithm) };
        let (level, times) = run(vec![Switch::early(period)], &options);
        assert!((level - exact(period)).abs() < wrong(7), "{level}, {}: {options:?}", exact(period));
        for k in 1..=7 {
            let event = f64::from(k) * period;
            assert!(times.iter().any(|time| (0.0..1e-6 * H).contains(&(time - event))), "{event} s: {options:?}");
        }
    }
}

#[test]
fn without_the_setting_a_partner_goes_on_to_the_communication_point() {
    let plain = Options { events: false, ..options(Algorithm::Jacobi { order: Order::Hold }) };
    let (level, times) = run(vec![Switch::early(0.137_31)], &plain);
    assert_eq!(times.len(), 101);
    assert!((level - exact(0.137_31)).abs() < 8.0 * 2.0 * H);
}

#[test]
fn who_cannot_step_to_an_event_is_named() {
    let refused = |partners: Vec<Partner>, algorithm: Algorithm| {
        let error = Master::new(partners, &[], &options(algorithm)).err().unwrap();
        let Error::Capability { partner, capability, .. } = error else { panic!("{error}") };
        (partner, capability)
    };
    let bare = |capabilities| Switch { capabilities, ..Switch::early(1.0) };
    let fixed = bare(Capabilities::FULL.fixed_step(true));
    let partners = vec![Partner::new("switch", Switch::early(0.3)), Partner::new("fixed", fixed)];
    let jacobi = Algorithm::Jacobi { order: Order::Hold };
    assert_eq!(refused(partners, jacobi.clone()), ("fixed".to_owned(), "steps of different lengths"));
    let partners = vec![
        Partner::new("switch", Switch::early(0.3)),
        Partner::new("other", bare(Capabilities::PLAIN.early_return(true))),
    ];
    assert_eq!(refused(partners, jacobi).0, "other");
    let sequence = vec!["plain".to_owned(), "switch".to_owned()];
    let partners = vec![Partner::new("switch", Switch::early(0.3)), Partner::new("plain", bare(Capabilities::PLAIN))];
    assert_eq!(refused(partners, Algorithm::GaussSeidel { order: Order::Hold, sequence }).0, "plain");
}
