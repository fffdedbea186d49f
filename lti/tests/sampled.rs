//! Sampled systems for every hold, with delays, against closed forms and against each other.

use fourbar_lti::{Delays, Error, Hold, SampledSystem, StateSpace, TransferMatrix, integrator, lag};
use nalgebra::{Complex, DMatrix, dmatrix};
use proptest::prelude::*;

const HOLDS: [Hold; 5] = [
    Hold::ZeroOrder,
    Hold::FirstOrder,
    Hold::Impulse,
    Hold::Tustin { prewarped_at: None },
    Hold::Tustin { prewarped_at: Some(2.0) },
];

fn close(value: f64, exact: f64) {
    assert!((value - exact).abs() <= 1e-14 * (1.0 + exact.abs()), "{value:e} {exact:e}");
}

/// What a sampled system answers to samples, from rest: `u[k]` at step k, m values each.
fn run(system: &SampledSystem, u: &[Vec<f64>]) -> Vec<Vec<f64>> {
    let mut z = vec![0.0; system.states()];
    let mut outputs = Vec::new();
    for u in u {
        let mut y = vec![0.0; system.c().nrows()];
        system.advance(&mut z, u, &mut y).unwrap();
        outputs.push(y);
    }
    outputs
}

#[test]
fn matrices_of_a_lag() {
    let (tau, step) = (0.5, 0.1);
    let system = lag(1.0, tau).unwrap();
    let p = (-step / tau).exp();
    let of = |hold| system.sampled(step, hold).unwrap();
    let zero = of(Hold::ZeroOrder);
    close(zero.a()[0], p);
    close(zero.b()[0], 1.0 - p);
    assert_eq!((zero.c()[0], zero.d()[0], zero.step()), (1.0, 0.0, step));
    // First-order hold: H = 1 - tau/T (1-p) at once, the rest by the pole.
    let first = of(Hold::FirstOrder);
    let direct = 1.0 - tau / step * (1.0 - p);
    close(first.a()[0], p);
    close(first.c()[0] * first.b()[0], direct * p + tau / step * (1.0 - p) - p);
    close(first.d()[0], direct);
    let impulse = of(Hold::Impulse);
    close(impulse.a()[0], p);
    close(impulse.c()[0] * impulse.b()[0], step / tau * p);
    close(impulse.d()[0], step / tau);
    let tustin = of(Hold::Tustin { prewarped_at: None });
    close(tustin.a()[0], (1.0 - step / 2.0 / tau) / (1.0 + step / 2.0 / tau));
    close(tustin.d()[0], step / 2.0 / (tau + step / 2.0));
}

#[test]
fn matrices_of_a_double_integrator() {
    let system = StateSpace::new(dmatrix![0.0, 1.0; 0.0, 0.0], dmatrix![0.0; 1.0], dmatrix![1.0, 0.0], dmatrix![0.0]);
    let (system, t) = (system.unwrap(), 0.25);
    let zero = system.sampled(t, Hold::ZeroOrder).unwrap();
    assert_eq!((zero.a(), zero.b()), (&dmatrix![1.0, t; 0.0, 1.0], &dmatrix![t * t / 2.0; t]));
    let first = system.sampled(t, Hold::FirstOrder).unwrap();
    assert_eq!((first.b(), first.d()[0]), (&dmatrix![t * t; t], t * t / 6.0));
    // (T^2/4) (z+1)^2/(z-1)^2.
    let tustin = system.sampled(t, Hold::Tustin { prewarped_at: None }).unwrap();
    let z = Complex::from_polar(1.0, 0.7);
    let exact = (z + 1.0).powi(2) / (z - 1.0).powi(2) * (t * t / 4.0);
    assert!((tustin.at(z).unwrap()[0] - exact).norm() < 1e-14 * exact.norm());
}

/// The bilinear transformation is a change of variable; prewarped it leaves one frequency as it is.
#[test]
fn tustin_is_the_continuous_response_at_another_frequency() {
    let system = StateSpace::new(
        dmatrix![-1.0, 4.0; -4.0, -1.0],
        dmatrix![1.0, 0.5; 2.0, 0.0],
        dmatrix![1.0, -1.0],
        dmatrix![0.25, 0.0],
    )
    .unwrap();
    let (step, w) = (0.3, 2.0);
    let continuous = TransferMatrix::new(&system);
    for hold in [Hold::Tustin { prewarped_at: None }, Hold::Tustin { prewarped_at: Some(w) }] {
        let z = Complex::from_polar(1.0, w * step);
        let s = match hold {
            Hold::Tustin { prewarped_at: None } => (z - 1.0) / (z + 1.0) * (2.0 / step),
            _ => Complex::new(0.0, w),
        };
        let (value, exact) = (system.sampled(step, hold).unwrap().at(z).unwrap(), continuous.at(s).unwrap());
        assert!((value - exact).map(Complex::norm).amax() < 1e-14, "{hold:?}");
    }
}

/// Step response of a lag behind a delay of any number of steps, whole or not: exact at the samples.
#[test]
fn delays_of_a_lag() {
    let (tau, step) = (0.5, 0.1);
    let system = lag(1.0, tau).unwrap();
    for delay in [0.0, 0.1, 0.3, 0.03, 0.25, 0.299, 0.7] {
        let after = |t: f64| if t < delay - 1e-12 { 0.0 } else { -(-(t - delay).max(0.0) / tau).exp_m1() };
        for delays in [
            Delays { inputs: vec![delay], outputs: vec![] },
            Delays { inputs: vec![], outputs: vec![delay] },
            Delays { inputs: vec![0.4 * delay], outputs: vec![0.6 * delay] },
        ] {
            let sampled = system.sampled_with_delays(step, Hold::ZeroOrder, &delays).unwrap();
            let ones = vec![vec![1.0]; 30];
            for (k, y) in run(&sampled, &ones).iter().enumerate() {
                close(y[0], after(k as f64 * step));
            }
        }
        // Under a ramp, with the first-order hold: t - tau + tau e^(-t/tau).
        let ramp = |t: f64| if t <= 0.0 { 0.0 } else { t + tau * (-t / tau).exp_m1() };
        for delays in [
            Delays { inputs: vec![delay], outputs: vec![] },
            Delays { inputs: vec![], outputs: vec![delay] },
            Delays { inputs: vec![0.7 * delay], outputs: vec![0.3 * delay] },
        ] {
            let sampled = system.sampled_with_delays(step, Hold::FirstOrder, &delays).unwrap();
            let samples: Vec<Vec<f64>> = (0..30).map(|k| vec![f64::from(k) * step]).collect();
            for (k, y) in run(&sampled, &samples).iter().enumerate() {
                close(y[0], ramp(k as f64 * step - delay));
            }
        }
    }
}

/// A delay alone: the samples come back whole, or interpolated by the hold, or held.
#[test]
fn delays_without_states() {
    let gain = StateSpace::gain(dmatrix![1.0]).unwrap();
    let samples: Vec<Vec<f64>> = [3.0, -1.0, 4.0, 1.0, -5.0].map(|u| vec![u]).to_vec();
    for (hold, delay, expected) in [
        (Hold::ZeroOrder, 2.0, [0.0, 0.0, 3.0, -1.0, 4.0]),
        (Hold::ZeroOrder, 1.5, [0.0, 0.0, 3.0, -1.0, 4.0]),
        (Hold::FirstOrder, 1.5, [0.0, 1.5, 1.0, 1.5, 2.5]),
        (Hold::Impulse, 1.0, [0.0, 3.0, -1.0, 4.0, 1.0]),
        (Hold::Tustin { prewarped_at: None }, 3.0, [0.0, 0.0, 0.0, 3.0, -1.0]),
    ] {
        let delays = Delays { inputs: vec![delay], outputs: vec![] };
        let outputs = run(&gain.sampled_with_delays(1.0, hold, &delays).unwrap(), &samples);
        assert_eq!(outputs.concat(), expected, "{hold:?}");
        let delays = Delays { inputs: vec![], outputs: vec![delay] };
        let outputs = run(&gain.sampled_with_delays(1.0, hold, &delays).unwrap(), &samples);
        assert_eq!(outputs.concat(), expected, "{hold:?}, output");
    }
}

#[test]
fn mistakes_are_named() {
    let system = integrator();
    let delays = |delay: f64| Delays { inputs: vec![delay], outputs: vec![] };
    for hold in HOLDS {
        assert!(matches!(system.sampled(0.0, hold), Err(Error::NotPositive { .. })));
        let of = |delays: &Delays| system.sampled_with_delays(0.5, hold, delays);
        assert!(matches!(of(&delays(-1.0)), Err(Error::Setting { name: "delay", .. })));
        assert!(matches!(of(&delays(f64::NAN)), Err(Error::Setting { name: "delay", .. })));
        assert!(matches!(of(&delays(1e9)), Err(Error::Setting { name: "delay", .. })));
        assert!(matches!(of(&Delays { inputs: vec![0.0; 2], outputs: vec![] }), Err(Error::Length { .. })));
    }
    for hold in &HOLDS[2..] {
        let fraction = system.sampled_with_delays(0.5, *hold, &delays(0.3));
        assert!(matches!(fraction, Err(Error::Setting { name: "delay", .. })), "{fraction:?}");
    }
    let beyond = system.sampled(2.0, Hold::Tustin { prewarped_at: Some(2.0) });
    assert!(matches!(beyond, Err(Error::Setting { name: "prewarped_at", .. })), "{beyond:?}");
    let unstable = StateSpace::with_state_outputs(dmatrix![4.0], dmatrix![1.0]).unwrap();
    assert!(matches!(unstable.sampled(0.5, Hold::Tustin { prewarped_at: None }), Err(Error::Bilinear { .. })));
    assert!(matches!(unstable.sampled(1e3, Hold::ZeroOrder), Err(Error::Transition(_))));
}

fn system() -> impl Strategy<Value = StateSpace> {
    (1..5usize, 1..4usize, 1..4usize, prop::collection::vec(-1.0..1.0f64, 80)).prop_map(|(n, m, q, entries)| {
        let mut entries = entries.into_iter();
        let mut matrix = |rows, columns, shift: f64| {
            DMatrix::from_fn(rows, columns, |i, j| entries.next().unwrap() - if i == j { shift } else { 0.0 })
        };
        StateSpace::new(matrix(n, n, 1.5), matrix(n, m, 0.0), matrix(q, n, 0.0), matrix(q, m, 0.0)).unwrap()
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, ..ProptestConfig::default() })]

    /// Against a run with steps so short that every delay is a whole number of them.
    #[test]
    fn delays_equal_those_of_finer_steps(
        system in system(),
        delays in prop::collection::vec(0..40u32, 6),
        samples in prop::collection::vec(-1.0..1.0f64, 36),
        first_order in any::<bool>(),
    ) {
        let (m, q, parts) = (system.inputs(), system.outputs(), 16u32);
        let step = 0.5;
        let fine = step / f64::from(parts);
        let of = |count: usize, from: usize| delays[from..from + count].iter().map(|d| f64::from(*d) * fine).collect();
        let delays = Delays { inputs: of(m, 0), outputs: of(q, 3) };
        let hold = if first_order { Hold::FirstOrder } else { Hold::ZeroOrder };
        let coarse: Vec<Vec<f64>> = samples.chunks(3).map(|u| u[..m].to_vec()).collect();
        let outputs = run(&system.sampled_with_delays(step, hold, &delays).unwrap(), &coarse);
        // The same input at the finer times. Before the first sample it is 0: the first-order hold rises to it.
        let before = if first_order { parts as usize } else { 0 };
        let at = |k: i64| if k < 0 { vec![0.0; m] } else { coarse[(k as usize).min(coarse.len() - 1)].clone() };
        let finer: Vec<Vec<f64>> = (0..before + coarse.len() * parts as usize)
            .map(|j| {
                let j = j as i64 - before as i64;
                let (k, part) = (j.div_euclid(i64::from(parts)), j.rem_euclid(i64::from(parts)) as f64 / f64::from(parts));
                let (from, to) = (at(k), at(k + 1));
                (0..m).map(|i| if first_order { from[i] + part * (to[i] - from[i]) } else { from[i] }).collect()
            })
            .collect();
        let exact = run(&system.sampled_with_delays(fine, hold, &delays).unwrap(), &finer);
        if first_order {
            // Both from rest before the first sample.
            let mut with_zero = vec![vec![0.0; m]];
            with_zero.extend(coarse.clone());
            let outputs = run(&system.sampled_with_delays(step, hold, &delays).unwrap(), &with_zero);
            for (k, y) in outputs.iter().enumerate() {
                for (y, exact) in y.iter().zip(&exact[k * parts as usize..][0]) {
                    prop_assert!((y - exact).abs() < 1e-12, "{k}: {y} {exact}");
                }
                if k + 1 == coarse.len() { break; }
            }
        } else {
            for (k, y) in outputs.iter().enumerate() {
                for (y, exact) in y.iter().zip(&exact[k * parts as usize]) {
                    prop_assert!((y - exact).abs() < 1e-12, "{k}: {y} {exact}");
                }
            }
        }
    }
}

#[derive(serde::Deserialize)]
struct Bilinear {
    spread: i32,
    step: f64,
    a: Vec<f64>,
    b: Vec<f64>,
    c: Vec<f64>,
    sampled: [Vec<f64>; 4],
}

#[derive(serde::Deserialize)]
struct Reference {
    cases: Vec<Bilinear>,
}

/// Each entry of the bilinear transformation, against 60 digits, of 232 systems with poles up to 14 decades apart in scaled and in companion form.
#[test]
fn bilinear_matrices_keep_their_digits_where_poles_are_far_apart() {
    let text = include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/../tests/reference/lti/tustin.json"));
    let reference: Reference = serde_json::from_str(text).unwrap();
    assert!(reference.cases.len() > 200);
    for case in &reference.cases {
        let n = case.b.len();
        let rows = |values: &[f64], rows: usize| DMatrix::from_row_slice(rows, values.len() / rows, values);
        let system = StateSpace::new(rows(&case.a, n), rows(&case.b, n), rows(&case.c, 1), dmatrix![0.0]).unwrap();
        let sampled = system.sampled(case.step, Hold::Tustin { prewarped_at: None }).unwrap();
        let found = [sampled.a(), sampled.b(), sampled.c(), sampled.d()];
        for (name, (found, exact)) in ["A", "B", "C", "D"].iter().zip(found.into_iter().zip(&case.sampled)) {
            let exact = rows(exact, found.nrows());
            for (k, (found, exact)) in found.iter().zip(&exact).enumerate() {
                let error = (found - exact).abs();
                assert!(
                    error <= 1e-11 * exact.abs(),
                    "{name} {k} at a spread of 1e{}: {found:e} {exact:e}",
                    case.spread
                );
            }
        }
    }
}
