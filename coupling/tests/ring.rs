//! The cost of the master in memory: a ring of pass-through simulators allocates nothing while it runs.

use crate::counting;

use counting::obtained;
use fourbar_coupling::{
    Algorithm, Capabilities, Connection, Description, Failure, Master, Options, Order, Partner, Signal, Simulator,
    Snapshot, Variable,
};

/// Gives after a step what it took before it.
struct PassThrough {
    taken: Signal,
    given: f64,
}

impl Simulator for PassThrough {
    fn describe(&self) -> Description {
        let variables = vec![Variable::input("in", "V"), Variable::output("out", "V").start(self.given)];
        Description { variables, solver_step: None, capabilities: Capabilities::FULL }
    }
    fn set_inputs(&mut self, inputs: &[Signal]) -> Result<(), Failure> {
        self.taken = inputs[0];
        Ok(())
    }
    fn step(&mut self, t: f64, h: f64) -> Result<f64, Failure> {
        self.given = self.taken.at(h);
        Ok(t + h)
    }
    fn outputs(&mut self, values: &mut [f64]) -> Result<(), Failure> {
        values[0] = self.given;
        Ok(())
    }
    fn save(&mut self, snapshot: &mut Snapshot) -> Result<(), Failure> {
        *snapshot.content_mut() = self.given;
        Ok(())
    }
    fn restore(&mut self, snapshot: &Snapshot) -> Result<(), Failure> {
        self.given = *snapshot.content()?;
        Ok(())
    }
}

fn ring(n: usize, algorithm: Algorithm, on_threads: bool) -> Master {
    let partner = |i: usize| {
        let partner = Partner::new(format!("p{i}"), PassThrough { taken: Signal::default(), given: i as f64 });
        if on_threads { partner.on_thread() } else { partner }
    };
    let connections: Vec<Connection> =
        (0..n).map(|i| Connection::new(format!("p{i}.out"), format!("p{}.in", (i + 1) % n))).collect();
    Master::new((0..n).map(partner).collect(), &connections, &Options::new(f64::INFINITY, 1e-3, algorithm)).unwrap()
}

fn allocations(master: &mut Master, steps: usize) -> u64 {
    // Histories fill, saved states find their place, channels their first waiting.
    (0..200).for_each(|_| assert!(master.step(&mut ()).is_ok()));
    let before = obtained();
    for _ in 0..steps {
        master.step(&mut ()).unwrap();
    }
    obtained() - before
}

#[test]
fn a_communication_step_allocates_nothing() {
    for n in [2, 100] {
        for order in [Order::Hold, Order::Quadratic] {
            let sequential = Algorithm::GaussSeidel { order, sequence: vec![] };
            for algorithm in
                [Algorithm::JacobiDelayed, Algorithm::Jacobi { order }, sequential, Algorithm::iterated(order)]
            {
                assert_eq!(allocations(&mut ring(n, algorithm.clone(), false), 300), 0, "{n} partners, {algorithm:?}");
            }
        }
    }
    // A channel makes room for its waiters the first time one waits: once for each of the eight.
    let on_threads = allocations(&mut ring(4, Algorithm::JacobiDelayed, true), 1000);
    assert!(on_threads <= 8, "{on_threads} allocations in 1000 steps on threads");
}

#[test]
fn values_wander_around_the_ring_one_partner_a_step() {
    let mut master = ring(5, Algorithm::JacobiDelayed, false);
    for k in 1..=12 {
        master.step(&mut ()).unwrap();
        assert_eq!(master.output("p0.out").unwrap(), ((5 - k % 5) % 5) as f64);
    }
    assert_eq!((master.clock().stamp(), master.clock().time()), (12, 12e-3));
}

/// Pages of memory of this process, the second number of /proc/self/statm; 0 on systems without it.
fn resident_pages() -> u64 {
    let statm = std::fs::read_to_string("/proc/self/statm").unwrap_or_default();
    statm.split_whitespace().nth(1).map_or(0, |pages| pages.parse().unwrap())
}

/// A day of milliseconds and more: 10^8 communication steps hold their memory and their time.
#[test]
#[ignore = "takes 10 s"]
fn a_hundred_million_steps_hold_memory_and_time() {
    let mut master = ring(2, Algorithm::JacobiDelayed, false);
    assert_eq!(allocations(&mut master, 1_000_000 - 200), 0);
    let resident = resident_pages();
    assert_eq!(allocations(&mut master, 99_000_000 - 200), 0);
    // Less than a megabyte, whatever runs beside.
    assert!(resident_pages() <= resident + 250, "{} pages, then {}", resident, resident_pages());
    assert_eq!((master.clock().stamp(), master.clock().time()), (100_000_000, 1e8 * 1e-3));
    assert_eq!((master.output("p0.out").unwrap(), master.output("p1.out").unwrap()), (0.0, 1.0));
}
