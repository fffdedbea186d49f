//! The multistep method on partitioned equations.

use super::*;

/// Runs `model` to `end`; gives the last state and the statistics, constraints looked at on the way.
fn dynamics(model: &Model, method: Method, end: f64) -> (Dynamics, Statistics) {
    let mechanism = compile(model);
    let options = DynamicsOptions { formulation: Formulation::Si2, method, end, stop_times: vec![] };
    let mut run = Dynamics::new(&mechanism, &options).expect("start");
    loop {
        let stop = run.step().expect("step");
        let v = run.violation().expect("violation");
        let (position, velocity) = (v.position.max(v.orientation), v.velocity.max(v.angular_velocity));
        assert!(position < 1e-12 && velocity < 1e-10, "t = {}: {v:?}", run.time());
        if stop == Stop::EndTime {
            let statistics = *run.statistics();
            return (run, statistics);
        }
    }
}

/// A crank that turns several times wears each partition out, and a body that tumbles in space leaves each reference of its rotation vector: Adams'
/// formulas keep their history through both. Order 1 is that of the first step alone.
#[test]
fn abam_keeps_its_history_through_partitions_and_references() {
    let mut top = body("top", 2.0, [1.0, 2.0, 3.0], [0.0; 2], [0.0; 2], 0.0);
    top.angular_velocity = vector([1.0, 3.0, 2.0]);
    let socket = Joint { kind: JointKind::Spherical, ..hinge("top", [0.0, 0.2], "ground", [0.0, 0.2]) };
    let tumbling = Model {
        name: "tumbling".into(),
        gravity: vector([0.0, -G, 0.0]),
        bodies: vec![top],
        joints: vec![socket],
        ..Model::default()
    };
    // Later than after 5 s the top magnifies errors: those of 20 s are a thousand tolerances by either method.
    for (model, end) in [(crank_rocker(12.0), 2.0), (tumbling, 5.0)] {
        let (mut exact, _) = dynamics(&model, Rkf45::with_tolerance(1e-13).into(), end);
        let exact = exact.state_at(end).expect("the end").clone();
        for exponent in [6, 8, 10] {
            let tolerance = 10.0_f64.powi(-exponent);
            let (mut run, own) = dynamics(&model, Abam::with_tolerance(tolerance).into(), end);
            let other = dynamics(&model, Rkf45::with_tolerance(tolerance).into(), end).1;
            let state = run.state_at(end).expect("the end");
            let apart = state.poses.iter().zip(&exact.poses).map(|(a, b)| (a.x - b.x).norm().max((a.a - b.a).norm()));
            assert!(apart.fold(0.0, f64::max) < 100.0 * tolerance, "{} {tolerance:e}", model.name);
            assert!(own.orders[0] == 1 && own.restarts == 0, "{} {own:?}", model.name);
            let [own, other] = [own, other].map(|s| s.residual_evaluations);
            assert!(exponent < 8 || 2 * own < other, "{} {own} {other}", model.name);
        }
    }
}
