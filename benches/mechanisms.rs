//! Time of accepted steps: chains of 10, 100 and 1000 rods in space, and Andrews' mechanism to an accuracy of 1e-6 in all angles.

use criterion::{Criterion, criterion_group, criterion_main};
use fourbar::multibody::integrator::Stop;
use fourbar::multibody::{Dynamics, Formulation, Mechanism};
use fourbar_benches::{andrews, chain, ladder, start};
use std::hint::black_box;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// Time of one accepted step divided by the number of bodies, so that the figures of all sizes stand side by side.
fn per_body_and_step(c: &mut Criterion, name: &str, mut make: impl FnMut() -> Dynamics, steps_max: u64) {
    c.bench_function(name, |bench| {
        bench.iter_custom(|iterations| {
            let mut elapsed = Duration::ZERO;
            let mut left = iterations;
            let mut bodies = 1;
            while left > 0 {
                let mut dynamics = make();
                bodies = dynamics.mechanism().bodies().len() as u32;
                let now = left.min(steps_max);
                let begun = Instant::now();
                for _ in 0..now {
                    let stop = dynamics.step().expect("a step");
                    assert!(stop == Stop::Step);
                }
                elapsed += begun.elapsed();
                left -= now;
            }
            elapsed / bodies
        });
    });
}

fn chains(c: &mut Criterion) {
    for formulation in [Formulation::Si2, Formulation::I3] {
        for n in [10, 100, 1000] {
            let mechanism = Arc::new(Mechanism::compile(&chain(n)).expect("it compiles"));
            let name = format!("chain {n} {} per body and step", formulation.name());
            per_body_and_step(c, &name, || start(&mechanism, formulation, 1e-6, f64::INFINITY, 40), 400);
        }
    }
    let mechanism = Arc::new(Mechanism::compile(&ladder(50)).expect("it compiles"));
    per_body_and_step(
        c,
        "ladder 101 si2 per body and step",
        || start(&mechanism, Formulation::Si2, 1e-6, 0.65, 15),
        25,
    );
}

/// Angles at t = 0.03, re-computed by five ways that agree to 1e-13; the model's first seven measures.
const ANDREWS_END: [f64; 7] = [
    15.810_771_195_153_7,
    -15.756_371_058_411_83,
    0.040_822_240_119_645_734,
    -0.534_730_116_342_079_7,
    0.524_409_965_879_954,
    0.534_730_116_342_079_7,
    1.048_080_741_041_938,
];

fn andrews_run(c: &mut Criterion) {
    let mechanism = Arc::new(Mechanism::compile(&andrews()).expect("it compiles"));
    for (formulation, tolerance) in [(Formulation::Si2, 1e-8), (Formulation::Si2, 3e-8), (Formulation::I3, 1e-10)] {
        let mut error = 0.0;
        c.bench_function(&format!("andrews {} {tolerance:e}", formulation.name()), |bench| {
            bench.iter(|| {
                let mut dynamics = start(&mechanism, formulation, tolerance, 0.03, 0);
                while dynamics.step().expect("a step") != Stop::EndTime {}
                let mut values = vec![0.0; mechanism.measures().len()];
                dynamics.measures_at(0.03, &mut values).expect("measures");
                let relative = values.iter().zip(ANDREWS_END).map(|(v, e)| ((v - e) / e).abs());
                error = relative.fold(0.0, f64::max);
                black_box(dynamics.integrator().time())
            });
        });
        println!("    worst relative error of the seven angles {error:.1e}");
    }
}

criterion_group!(benches, chains, andrews_run);
criterion_main!(benches);
