//! A communication step of a ring of 100 FMUs that pass their input on, in this process; beside it a loop that calls their functions directly, with
//! nothing between. Prints the shortest of many batches, which other programs disturb least. `cargo bench --bench fmu -- count CASE STEPS` makes so many
//! steps of one case alone, for tools that count instructions.

#[cfg(unix)]
#[path = "../tests/fmu/build.rs"]
#[allow(dead_code)]
mod build;

#[cfg(unix)]
#[path = "fmu/direct.rs"]
mod direct;

#[cfg(unix)]
mod ring {
    use super::{build, direct};
    use fourbar_coupling::partner::{Fmu, FmuInterfaceKind, FmuOptions};
    use fourbar_coupling::{Algorithm, Connection, Master, Options, Partner};
    use std::time::Instant;

    const N: usize = 100;
    /// Steps of a batch: less than a millisecond, so that many batches are not interrupted.
    const BATCH: u32 = 100;
    const BATCHES: u32 = 3000;
    const CASES: [(u32, &str); 6] = [
        (2, "direct"),
        (2, "co-simulation"),
        (2, "model-exchange"),
        (3, "direct"),
        (3, "co-simulation"),
        (3, "model-exchange"),
    ];

    /// What makes one step; none where there is no C compiler.
    fn stepping(version: u32, kind: &str) -> Option<Box<dyn FnMut()>> {
        let which = (version, build::Model::Pass);
        if kind == "direct" {
            let mut ring = direct::Ring::new(version, &build::library(which)?, N);
            return Some(Box::new(move || assert!(ring.step())));
        }
        let path = build::with(which, build::usual(version))?;
        let interface = match kind {
            "co-simulation" => FmuInterfaceKind::CoSimulation,
            _ => FmuInterfaceKind::ModelExchange,
        };
        let options = FmuOptions { interface: Some(interface), ..FmuOptions::default() };
        let partners = (0..N).map(|i| Partner::new(format!("p{i}"), Fmu::open(&path, &options).unwrap()));
        let connections: Vec<Connection> =
            (0..N).map(|i| Connection::new(format!("p{i}.y"), format!("p{}.u", (i + 1) % N))).collect();
        // In model exchange outputs follow at once, and a ring of them has no solution but by a delay.
        let options = Options::new(f64::INFINITY, 1e-3, Algorithm::JacobiDelayed);
        let mut master = Master::new(partners.collect(), &connections, &options).unwrap();
        Some(Box::new(move || assert!(master.step(&mut ()).is_ok())))
    }

    fn measure(version: u32, kind: &str) {
        let Some(mut step) = stepping(version, kind) else { return };
        let batches = if kind == "model-exchange" { BATCHES / 30 } else { BATCHES };
        let batch = |_| {
            let begun = Instant::now();
            (0..BATCH).for_each(|_| step());
            begun.elapsed().as_secs_f64() / f64::from(BATCH)
        };
        let shortest = (0..batches).map(batch).fold(f64::INFINITY, f64::min);
        println!("FMI {version} {kind:<16}{:8.3} us", 1e6 * shortest);
    }

    pub(super) fn main() {
        let arguments: Vec<String> = std::env::args().skip(1).collect();
        let Some(at) = arguments.iter().position(|argument| argument == "count") else {
            // Twice, one after the other: what a loaded machine does to one it seldom does to both.
            (0..2).for_each(|_| CASES.iter().for_each(|(version, kind)| measure(*version, kind)));
            return;
        };
        let number = |k: usize| arguments.get(at + k).and_then(|text| text.parse::<usize>().ok());
        let (Some(case), Some(steps)) = (number(1).filter(|case| *case < CASES.len()), number(2)) else {
            println!("count CASE STEPS, where CASE is the place in {CASES:?}");
            return;
        };
        let (version, kind) = CASES[case];
        if let Some(mut step) = stepping(version, kind) {
            (0..steps).for_each(|_| step());
        }
    }
}

fn main() {
    #[cfg(unix)]
    ring::main();
}
