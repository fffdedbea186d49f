//! Strong coupling by repetition, Aitken's relaxation and Broyden's method: the sheet's numbers of sweeps and errors.

use fourbar_coupling::{Acceleration, Algorithm, Options, Order};

use crate::press::machine::{Machine, file};
use crate::press::measure::{Errors, measure};

fn run(order: Order, acceleration: Acceleration, h: f64, order_reduction: bool) -> Errors {
    let algorithm = Algorithm::Iterated {
        order,
        sequence: vec!["mech".into(), "hyd".into()],
        acceleration,
        tolerance: 1e-8,
        max_sweeps: 60,
    };
    measure(Machine::Press, &Options { order_reduction, ..Options::new(2.0, h, algorithm) })
}

#[test]
fn sweeps_and_errors_are_those_of_the_sheet() {
    let newton = file("newton");
    for (h, order, name) in [
        (0.001, Order::Quadratic, "H=0.001 order=2"),
        (0.005, Order::Linear, "H=0.005 order=1"),
        (0.005, Order::Quadratic, "H=0.005 order=2"),
    ] {
        for (method, acceleration) in
            [("fixed", Acceleration::FixedPoint), ("aitken", Acceleration::Aitken), ("broyden", Acceleration::Broyden)]
        {
            let expected = &newton[format!("{name} {method}")];
            let errors = run(order, acceleration, h, false);
            let sweeps = errors.statistics.sweeps as f64 / errors.statistics.steps as f64;
            let (ev, per_step) = (expected["ev"].as_f64().unwrap(), expected["sweeps_per_step"].as_f64().unwrap());
            println!(
                "{name} {method}: {:.4e} (sheet {ev:.4e}), {sweeps:.3} sweeps (sheet {per_step:.3})",
                errors.velocity
            );
            assert_eq!(errors.statistics.unconverged, 0);
            assert!((errors.velocity / ev - 1.0).abs() < 0.01, "{name} {method}: {:e}, sheet {ev:e}", errors.velocity);
            // The methods leave freedoms (first guess, measure of convergence): fewer sweeps are welcome.
            assert!(sweeps < 1.1 * per_step, "{name} {method}: {sweeps} sweeps a step, sheet {per_step}");
        }
    }
}

#[test]
fn at_20_ms_broyden_with_straight_lines_is_stable_where_repetition_fails() {
    let errors = run(Order::Linear, Acceleration::Broyden, 0.02, false);
    println!("{:.4}, {} sweeps, most {}", errors.velocity, errors.statistics.sweeps, errors.statistics.most_sweeps);
    assert!(errors.velocity < 0.11 && errors.statistics.unconverged == 0, "{}", errors.velocity);
    assert!(run(Order::Linear, Acceleration::FixedPoint, 0.01, false).statistics.unconverged > 10);
}

#[test]
fn order_reduction_keeps_parabolas_where_they_serve_and_gives_them_up_where_they_do_not() {
    let parabolas = |h, reduction| run(Order::Quadratic, Acceleration::Broyden, h, reduction);
    assert!(parabolas(0.01, false).velocity > 1.0);
    let reduced = parabolas(0.01, true);
    println!("reduced at 10 ms: {:.4}, {} reductions", reduced.velocity, reduced.statistics.order_reductions);
    assert!(reduced.velocity < 0.15 && reduced.statistics.order_reductions > 0, "{}", reduced.velocity);
    let (plain, kept) = (parabolas(0.001, false), parabolas(0.001, true));
    println!("kept at 1 ms: {:.4e} against {:.4e}", kept.velocity, plain.velocity);
    assert!(kept.velocity < 1.05 * plain.velocity);
}
