//! Partners on threads of their own give the same results to the bit; two runs give the same results to the bit.

use fourbar_coupling::partner::Ode;
use fourbar_coupling::{Acceleration, Algorithm, Connection, Master, Options, Order, Partner, Recorder, Variable};

/// Five oscillators in a ring, each pulled by its neighbours.
fn curves(on_threads: bool, reversed: bool, algorithm: &Algorithm) -> Vec<Vec<f64>> {
    let n = 5;
    let oscillator = |i: usize| {
        Ode::new([i as f64 * 0.3, 1.0], move |t, x: &[f64], u: &[f64], dx: &mut [f64]| {
            dx[0] = x[1];
            dx[1] = -(1.0 + i as f64) * x[0].sin() + 0.3 * (u[0] + u[1] - 2.0 * x[0]) + 0.1 * t.cos();
        })
        .input(Variable::input("left", "m"))
        .input(Variable::input("right", "m"))
        .output(Variable::output("x", "m"), |_, x, _| x[0])
        .solver_step(2e-3)
    };
    let partner = |i: usize| {
        let partner = Partner::new(format!("p{i}"), oscillator(i));
        if on_threads { partner.on_thread() } else { partner }
    };
    let connections: Vec<Connection> = (0..n)
        .flat_map(|i| {
            let left = Connection::new(format!("p{i}.x"), format!("p{}.left", (i + 1) % n));
            [left, Connection::new(format!("p{i}.x"), format!("p{}.right", (i + n - 1) % n))]
        })
        .collect();
    let options = Options::new(2.0, 0.01, algorithm.clone());
    let mut partners: Vec<Partner> = (0..n).map(partner).collect();
    if reversed {
        partners.reverse();
    }
    let mut master = Master::new(partners, &connections, &options).unwrap();
    let mut recorder = Recorder::new(1000);
    master.run(&mut recorder).unwrap();
    (0..n).map(|i| recorder.column(&format!("p{i}.x")).unwrap()).collect()
}

#[test]
fn threads_change_no_bit() {
    let iterated = Algorithm::Iterated {
        order: Order::Linear,
        sequence: vec![],
        acceleration: Acceleration::Aitken,
        tolerance: 1e-9,
        max_sweeps: 30,
    };
    for algorithm in [Algorithm::JacobiDelayed, Algorithm::Jacobi { order: Order::Quadratic }, iterated] {
        let alone = curves(false, false, &algorithm);
        assert_eq!(alone, curves(true, false, &algorithm), "{algorithm:?}");
        assert_eq!(alone, curves(false, false, &algorithm), "{algorithm:?}");
    }
}

#[test]
fn side_by_side_the_order_of_the_partners_changes_no_bit() {
    for algorithm in [Algorithm::JacobiDelayed, Algorithm::Jacobi { order: Order::Linear }] {
        assert_eq!(curves(false, false, &algorithm), curves(false, true, &algorithm), "{algorithm:?}");
    }
}
