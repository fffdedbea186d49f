//! Piles of boxes by time stepping: dropped, standing, thrown. Overlaps are measured by parry, apart from the gaps of the solver.

use crate::pile_scenes as scenes;
use fourbar_contact::model::{BoxShape, Geometry, RoundShape};
use fourbar_contact::pair::ContactSet;
use fourbar_contact::stepping::{TimeStepper, TimeStepping};
use fourbar_multibody::model::vector;
use fourbar_multibody::space::V3;
use scenes::{Brick, EDGE, MASS};

const STEP: f64 = 5e-3;

fn begin(bricks: &[Brick], mu: f64) -> TimeStepper<ContactSet> {
    let (mechanism, contacts) = scenes::compile(bricks, mu);
    let state = scenes::start(bricks, &mechanism);
    TimeStepping { step: STEP, ..TimeStepping::default() }.start(&mechanism, contacts, &state).expect("a start")
}

/// Steps until `end` [s]; the largest residual [m/s] and the largest overlap \[m\] from `from` on.
fn run(stepper: &mut TimeStepper<ContactSet>, from: f64, end: f64) -> [f64; 2] {
    let mut worst = [0.0_f64; 2];
    while stepper.time() < end - 1e-9 {
        let residual = stepper.step().expect("a step").residual;
        if stepper.time() > from {
            let overlap = stepper.detector().overlap(&scenes::with_ground(&stepper.state().poses));
            worst = [worst[0].max(residual), worst[1].max(overlap)];
        }
    }
    worst
}

fn fastest(stepper: &TimeStepper<ContactSet>) -> f64 {
    stepper.state().poses.iter().map(|p| p.v.norm().max(p.w.norm())).fold(0.0, f64::max)
}

#[test]
fn a_pile_dropped_in_layers_comes_to_rest_where_it_fell() {
    let bricks = scenes::layers(5, 3, 0.3, 0.0);
    let mut stepper = begin(&bricks, 0.5);
    // The k-th layer falls k times 0.1 m: the last one lands after 0.32 s.
    run(&mut stepper, f64::INFINITY, 0.45);
    let [residual, overlap] = run(&mut stepper, 0.0, 1.45);
    assert!(residual <= 1e-8 && overlap <= 1e-9, "residual {residual:e} overlap {overlap:e}");
    assert!(fastest(&stepper) < 1e-5, "{:e}", fastest(&stepper));
    for (k, (pose, brick)) in stepper.state().poses.iter().zip(&bricks).enumerate() {
        let rest = V3::new(brick.at.x, brick.at.y, EDGE * ((k / 9) as f64 + 0.5));
        assert!((pose.x - rest).norm() < 1e-6, "box {k} at {} instead of {rest}", pose.x);
    }
    let weight = 45.0 * MASS * 9.81 * STEP;
    let on_floor = |id| stepper.detector().describe(id).ends_with("floor");
    let carried: f64 = stepper.contacts().iter().filter(|c| on_floor(c.id)).map(|c| c.impulse[0]).sum();
    assert!((carried - weight).abs() < 1e-4 * weight, "the ground carries {carried} N s of {weight}");
}

#[test]
fn a_tower_stands_below_a_top_of_100_times_its_boxes() {
    let bricks = scenes::tower(10, |k| if k == 9 { 100.0 * MASS } else { MASS });
    let mut stepper = begin(&bricks, 0.5);
    let [residual, overlap] = run(&mut stepper, 0.0, 10.0);
    assert!(residual <= 1e-8 && overlap <= 1e-9, "residual {residual:e} overlap {overlap:e}");
    for (pose, brick) in stepper.state().poses.iter().zip(&bricks) {
        assert!((pose.x - brick.at).norm() < 1e-6, "moved by {:e}", (pose.x - brick.at).norm());
    }
}

#[test]
fn a_wall_in_running_bond_stands() {
    let bricks = scenes::wall(8);
    let mut stepper = begin(&bricks, 0.5);
    let [residual, overlap] = run(&mut stepper, 0.0, 2.0);
    assert!(residual <= 1e-8 && overlap <= 1e-9, "residual {residual:e} overlap {overlap:e}");
    for (pose, brick) in stepper.state().poses.iter().zip(&bricks) {
        assert!((pose.x - brick.at).norm() < 1e-6, "moved by {:e}", (pose.x - brick.at).norm());
    }
}

#[test]
fn boxes_thrown_in_a_heap_lose_their_energy() {
    let mut stepper = begin(&scenes::thrown(24, 7), 0.5);
    let start = stepper.record().potential;
    let mut energy = start;
    while stepper.time() < 3.0 {
        let record = stepper.step().expect("a step");
        assert!(record.residual.is_finite());
        energy = record.kinetic + record.potential;
    }
    let [_, overlap] = run(&mut stepper, 0.0, 3.2);
    assert!(energy < 0.5 * start, "{energy} J of {start} J");
    assert!(overlap <= 1e-4, "overlap {overlap:e}");
}

#[test]
fn two_hundred_boxes_that_crash_into_one_another_end_no_run() {
    // Up to a thousand contacts at once, between boxes that rotate and slide: steps that do not converge are solved again at length.
    let mut stepper = begin(&scenes::thrown(200, 2), 0.5);
    let start = stepper.record().kinetic + stepper.record().potential;
    run(&mut stepper, f64::INFINITY, 1.5);
    let record = stepper.record();
    assert!(record.kinetic + record.potential < start, "{record:?} after {start} J");
    let mut worst = 0.0_f64;
    while stepper.time() < 2.2 {
        worst = worst.max(stepper.step().expect("a step").residual);
    }
    assert!(worst <= 1e-3, "residual {worst:e}");
}

#[test]
fn bodies_that_get_into_one_another_are_not_thrown_apart() {
    // Capsules that strike edges of boxes get up to a centimetre into them, as their gaps are not straight: pushed out within
    // one step of 1 ms they would leave at 10 m/s.
    for seed in 1..=3 {
        let bricks = scenes::thrown(40, seed);
        let capsule = Geometry::Capsule(RoundShape { radius: (0.35 * EDGE).into(), length: EDGE.into() });
        let cube = Geometry::Box(BoxShape { size: vector([EDGE; 3]) });
        let shape = |k: usize| if k.is_multiple_of(2) { capsule.clone() } else { cube.clone() };
        let (mechanism, contacts) = scenes::compile_as(&bricks, 0.3, 0.0, shape);
        let state = scenes::start(&bricks, &mechanism);
        let options = TimeStepping { step: 1e-3, ..TimeStepping::default() };
        let mut stepper = options.start(&mechanism, contacts, &state).expect("a start");
        let energy = |stepper: &TimeStepper<ContactSet>| stepper.record().kinetic + stepper.record().potential;
        let start = energy(&stepper);
        let (mut before, mut risen) = (start, 0.0_f64);
        while stepper.time() < 1.5 {
            stepper.step().expect("a step");
            let now = energy(&stepper);
            (risen, before) = (risen.max(now - before), now);
        }
        println!("seed {seed}: {start} J, at most {risen:e} J a step, {before} J");
        assert!(risen <= 2e-4 * start, "seed {seed}: {risen} J of {start} J");
    }
}

#[test]
fn runs_repeat_to_the_bit() {
    let bricks = scenes::layers(3, 2, 0.201, 0.05);
    let states = [(); 2].map(|()| {
        let mut stepper = begin(&bricks, 0.5);
        run(&mut stepper, f64::INFINITY, 0.6);
        stepper.state().clone()
    });
    let bits = |v: &V3| [v.x.to_bits(), v.y.to_bits(), v.z.to_bits()];
    for (a, b) in states[0].poses.iter().zip(&states[1].poses) {
        assert_eq!([a.x, a.v, a.w].map(|v| bits(&v)), [b.x, b.v, b.w].map(|v| bits(&v)));
        assert_eq!(a.a, b.a);
    }
}
