//! Seconds per communication step of a ring of 100 FMUs that pass their input on, in this process; beside it a loop that calls their functions
//! directly, with nothing between.

use criterion::{Criterion, criterion_group, criterion_main};

#[cfg(unix)]
#[path = "../tests/fmu/build.rs"]
#[allow(dead_code)]
mod build;

#[cfg(unix)]
#[path = "fmu/direct.rs"]
mod direct;

#[cfg(unix)]
fn communication_step(criterion: &mut Criterion) {
    use fourbar_coupling::partner::{Fmu, FmuInterfaceKind, FmuOptions};
    use fourbar_coupling::{Algorithm, Connection, Master, Options, Partner};

    const N: usize = 100;
    let mut group = criterion.benchmark_group("fmu");
    for version in [2, 3] {
        let which = (version, build::Model::Pass);
        let (Some(path), Some(library)) = (build::with(which, build::usual(version)), build::library(which)) else {
            return;
        };
        let mut ring = direct::Ring::new(version, &library, N);
        group.bench_function(format!("{version}/direct/{N}"), |bencher| bencher.iter(|| ring.step()));
        for (name, interface) in
            [("co_simulation", FmuInterfaceKind::CoSimulation), ("model_exchange", FmuInterfaceKind::ModelExchange)]
        {
            let options = FmuOptions { interface: Some(interface), ..FmuOptions::default() };
            let partners = (0..N).map(|i| Partner::new(format!("p{i}"), Fmu::open(&path, &options).unwrap()));
            let connections: Vec<Connection> =
                (0..N).map(|i| Connection::new(format!("p{i}.y"), format!("p{}.u", (i + 1) % N))).collect();
            // In model exchange outputs follow at once, and a ring of them has no solution but by a delay.
            let options = Options::new(f64::INFINITY, 1e-3, Algorithm::JacobiDelayed);
            let mut master = match Master::new(partners.collect(), &connections, &options) {
                Ok(master) => master,
                Err(_) => continue,
            };
            group.bench_function(format!("{version}/{name}/{N}"), |bencher| {
                bencher.iter(|| master.step(&mut ()).is_ok());
            });
        }
    }
    group.finish();
}

#[cfg(not(unix))]
fn communication_step(_: &mut Criterion) {}

criterion_group!(benches, communication_step);
criterion_main!(benches);
