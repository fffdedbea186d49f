//! Nested and flat.

use super::{H, flat, jacobi, nested, nested_twice, options, values};
use fourbar_coupling::{Acceleration, Adaptive, Algorithm, Error, Master, Order};

/// All outputs at all points.
fn run(mut master: fourbar_coupling::Master, steps: usize) -> Vec<Vec<(String, u64)>> {
    master.initialize(&mut ()).unwrap();
    let mut rows = vec![values(&master)];
    for _ in 0..steps {
        master.step(&mut ()).unwrap();
        rows.push(values(&master));
    }
    rows
}

#[test]
fn the_press_has_the_same_bits_nested_and_flat() {
    let order = [Order::Hold, Order::Linear, Order::Quadratic];
    let mut algorithms: Vec<Algorithm> = order.map(|order| Algorithm::Jacobi { order }).into();
    algorithms.push(Algorithm::JacobiDelayed);
    for algorithm in algorithms {
        let options = options(algorithm.clone());
        let expected = run(flat(&options), 200);
        for (what, master) in [("once", nested(&options, &options)), ("twice", nested_twice(&options))] {
            for (k, (row, expected)) in run(master, 200).iter().zip(&expected).enumerate() {
                assert_eq!(row, expected, "nested {what}, {algorithm:?}, point {k}");
            }
        }
    }
}

#[test]
fn one_after_the_other_inside_and_outside_is_one_after_the_other() {
    let sequence = |names: &[&str]| names.iter().map(|&name| name.to_owned()).collect();
    let order = Order::Quadratic;
    let of = |names: &[&str]| options(Algorithm::GaussSeidel { order, sequence: sequence(names) });
    let expected = run(flat(&of(&["mech", "hose", "gauge", "hyd"])), 200);
    let found = run(nested(&of(&["mech", "hose", "gauge"]), &of(&["in", "hyd"])), 200);
    for (k, (row, expected)) in found.iter().zip(&expected).enumerate() {
        assert_eq!(row, expected, "point {k}");
    }
}

#[test]
fn an_iteration_takes_a_nested_run_back_and_finds_what_one_over_all_partners_finds() {
    let iterated = |tolerance| {
        options(Algorithm::Iterated {
            order: Order::Linear,
            sequence: vec![],
            acceleration: Acceleration::Broyden,
            tolerance,
            max_sweeps: 40,
        })
    };
    let outer = iterated(1e-12);
    let super::Parts { mech, hyd, hose, gauge } = super::parts();
    let within = |end: &str| end.starts_with("mech") || end.starts_with("gauge");
    let all = super::connections(|end| if within(end) { format!("in.{end}") } else { end.to_owned() });
    let inner = super::nest("in", vec![mech, gauge], &[], &options(jacobi()));
    let mut master = Master::new(vec![inner, hose, hyd], &all, &outer).unwrap();
    let mut reference = flat(&outer);
    for _ in 0..100 {
        master.step(&mut ()).unwrap();
        reference.step(&mut ()).unwrap();
    }
    assert_eq!(master.statistics().unconverged, 0);
    for (name, largest) in [("mech.x1", 0.3), ("mech.v1", 0.5)] {
        let (own, other) = (master.output(&format!("in.{name}")).unwrap(), reference.output(name).unwrap());
        assert!((own - other).abs() < 1e-7 * largest, "{name}: {own}, {other}");
    }
}

#[test]
fn shorter_steps_inside_lead_to_the_limit_of_short_steps() {
    let short = |parts: u32| fourbar_coupling::Options::new(f64::INFINITY, H / f64::from(parts), jacobi());
    let mut exact = flat(&short(16));
    (0..16 * 100).for_each(|_| assert!(exact.step(&mut ()).is_ok()));
    let expected = exact.output("gauge.shown").unwrap();
    let error = |inner: u32| {
        let mut master = nested(&short(inner), &options(jacobi()));
        (0..100).for_each(|_| assert!(master.step(&mut ()).is_ok()));
        (master.output("in.gauge.shown").unwrap() - expected).abs() / expected.abs()
    };
    let errors = [1, 4].map(error);
    // What is exchanged inside comes four times as often; what passes outside is as it was.
    assert!(errors[1] < errors[0] && errors[0] < 2e-3, "{errors:?}");
}

#[test]
fn steps_that_do_not_fit_are_refused_by_name() {
    let odd = fourbar_coupling::Options::new(f64::INFINITY, 0.7 * H, jacobi());
    let error = nested(&odd, &options(jacobi())).run(&mut ()).unwrap_err().to_string();
    assert!(error.contains("\"in\"") && error.contains("does not go into 0.001 s"), "{error}");
    let adaptive = fourbar_coupling::Options {
        adaptive: Some(Adaptive { tolerance: 1e-4, first: 2.0 * H, shortest: H, rollback: true }),
        step: 4.0 * H,
        ..options(Algorithm::GaussSeidel { order: Order::Quadratic, sequence: vec![] })
    };
    let super::Parts { mech, hyd, hose, gauge } = super::parts();
    let within =
        super::nest("in", vec![mech, hyd, hose, gauge], &super::connections(str::to_owned), &options(jacobi()));
    let refused = fourbar_coupling::Master::new(vec![within], &[], &adaptive).err().unwrap();
    assert!(matches!(&refused, Error::Capability { partner, .. } if partner == "in"), "{refused}");
}
