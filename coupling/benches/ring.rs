//! Seconds per communication step of the master: a ring of N pass-through simulators, whose own work is two copies.

use criterion::{Criterion, criterion_group, criterion_main};
use fourbar_coupling::{
    Algorithm, Capabilities, Connection, Description, Failure, Master, Options, Order, Partner, Signal, Simulator,
    Variable,
};

struct PassThrough {
    taken: Signal,
    given: f64,
}

impl Simulator for PassThrough {
    fn describe(&self) -> Description {
        let variables = vec![Variable::input("in", "V"), Variable::output("out", "V")];
        Description { variables, solver_step: None, capabilities: Capabilities::PLAIN.input_order(2) }
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
}

fn ring(n: usize, algorithm: Algorithm) -> Master {
    let partner = |i: usize| Partner::new(format!("p{i}"), PassThrough { taken: Signal::default(), given: 1.0 });
    let connections: Vec<Connection> =
        (0..n).map(|i| Connection::new(format!("p{i}.out"), format!("p{}.in", (i + 1) % n))).collect();
    Master::new((0..n).map(partner).collect(), &connections, &Options::new(f64::INFINITY, 1e-3, algorithm)).unwrap()
}

fn communication_step(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("ring");
    for n in [2, 10, 100] {
        let algorithms = [
            ("jacobi_delayed", Algorithm::JacobiDelayed),
            ("jacobi_2", Algorithm::Jacobi { order: Order::Quadratic }),
            ("gauss_seidel_0", Algorithm::GaussSeidel { order: Order::Hold, sequence: vec![] }),
            ("gauss_seidel_2", Algorithm::GaussSeidel { order: Order::Quadratic, sequence: vec![] }),
        ];
        for (name, algorithm) in algorithms {
            let mut master = ring(n, algorithm);
            group.bench_function(format!("{name}/{n}"), |bencher| bencher.iter(|| master.step(&mut ()).is_ok()));
        }
    }
    group.finish();
}

criterion_group!(benches, communication_step);
criterion_main!(benches);
