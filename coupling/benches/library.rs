//! Seconds per communication step of a partner in a shared library, in this process and in one of its own; its own work is a few flops.

use criterion::{Criterion, criterion_group, criterion_main};

#[cfg(unix)]
#[path = "../tests/library/compile.rs"]
#[allow(dead_code)]
mod compile;

#[cfg(unix)]
fn communication_step(criterion: &mut Criterion) {
    use fourbar_coupling::partner::{Library, LibraryOptions, Process};
    use fourbar_coupling::{Algorithm, Master, Options, Partner};

    let Some(path) = compile::troubled(&[]) else { return };
    let options = LibraryOptions::default();
    let mut group = criterion.benchmark_group("library");
    for (name, partner) in [
        ("here", Partner::new("tank", Library::open(&path, &options).unwrap())),
        ("process", Partner::new("tank", Process::open(&path, &options, &compile::hosted()).unwrap())),
    ] {
        let mut master =
            Master::new(vec![partner], &[], &Options::new(f64::INFINITY, 1e-3, Algorithm::JacobiDelayed)).unwrap();
        group.bench_function(name, |bencher| bencher.iter(|| master.step(&mut ()).is_ok()));
    }
    group.finish();
}

#[cfg(not(unix))]
fn communication_step(_: &mut Criterion) {}

criterion_group!(benches, communication_step);
criterion_main!(benches);
