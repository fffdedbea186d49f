//! What the master algorithms take for the press: communication steps, sweeps, rejected steps.

use crate::count_file::compare;
use crate::press::machine::Machine;
use fourbar_coupling::{Acceleration, Adaptive, Algorithm, Master, Options, Order, Recorder};

const END: f64 = 0.5;

fn cases() -> Vec<(&'static str, Options)> {
    let iterated = |acceleration| Algorithm::Iterated {
        order: Order::Quadratic,
        sequence: vec![],
        acceleration,
        tolerance: 1e-8,
        max_sweeps: 40,
    };
    let sequence = vec!["hyd".into(), "mech".into()];
    let adaptive = Adaptive { tolerance: 1e-4, first: 3.4e-5, shortest: 2.5e-5, rollback: true };
    vec![
        ("iterated, fixed point", Options::new(END, 1e-3, iterated(Acceleration::FixedPoint))),
        ("iterated, Broyden", Options::new(END, 1e-3, iterated(Acceleration::Broyden))),
        (
            "adaptive, quadratic",
            Options {
                adaptive: Some(adaptive),
                ..Options::new(END, 0.02, Algorithm::GaussSeidel { order: Order::Quadratic, sequence })
            },
        ),
    ]
}

#[test]
fn reference_runs_take_no_more_than_they_did() {
    let mut found = Vec::new();
    for (name, options) in cases() {
        let (partners, connections) = Machine::Press.partners();
        let mut master = Master::new(partners, &connections, &options).unwrap();
        master.run(&mut Recorder::new(2)).unwrap();
        let s = master.statistics();
        let counts = vec![
            ("steps", s.steps),
            ("rejected", s.rejected),
            ("sweeps", s.sweeps),
            ("most sweeps", s.most_sweeps),
            ("unconverged", s.unconverged),
        ];
        found.push((format!("press, {name}"), counts));
    }
    compare(env!("CARGO_MANIFEST_DIR"), &found);
}
