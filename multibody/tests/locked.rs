//! Motions that the joints let go no further: the run ends there, and the message names what locks.

use crate::support::runs::compile;
use fourbar_multibody::integrator::{Abam, Gstiff, Rkf45, Stop};
use fourbar_multibody::{Dynamics, DynamicsOptions, Error, Formulation, Mechanism, Method};
use nalgebra::{Rotation3, Vector3};
use serde_json::{Value, json};
use std::sync::Arc;

type V3 = Vector3<f64>;

/// A slider-crank with a motor, in a tilted plane.
fn slider_crank(crank: f64, rod: f64, turn: V3) -> Arc<Mechanism> {
    let turn = Rotation3::from_scaled_axis(turn);
    let list = |v: V3| json!([v.x, v.y, v.z]);
    let at = |x: f64| list(turn * V3::new(x, 0.0, 0.0));
    let marker = |body: &str, x: f64, z: V3| json!({"body": body, "position": at(x), "orientation": {"z_axis": list(turn * z)}, "frame": "global"});
    let body = |name: &str, x: f64| json!({"name": name, "mass": 1, "inertia": [crank * crank, crank * crank, crank * crank], "position": at(x)});
    let joint = |name: &str, kind: &str, [i, j]: [&str; 2], x: f64, z: V3| -> Value {
        json!({"name": name, "type": kind, "i": marker(i, x, z), "j": marker(j, x, z)})
    };
    compile(&json!({
        "body": [body("crank", crank / 2.0), body("rod", crank + rod / 2.0), body("slider", crank + rod)],
        "joint": [
            joint("bearing", "revolute", ["crank", "ground"], 0.0, V3::z()),
            joint("pin", "spherical", ["rod", "crank"], crank, V3::z()),
            joint("wrist", "cylindrical", ["rod", "slider"], crank + rod, V3::z()),
            joint("guide", "prismatic", ["slider", "ground"], crank + rod, V3::x()),
        ],
        "motion": [{"name": "motor", "joint": "bearing", "displacement": "10*time"}],
    }))
}

fn run(mechanism: &Arc<Mechanism>, method: Method, formulation: Formulation) -> Result<(), Error> {
    let options = DynamicsOptions { formulation, method, end: 0.4, stop_times: Vec::new() };
    let mut dynamics = Dynamics::new(mechanism, &options)?;
    while dynamics.step()? != Stop::EndTime {}
    Ok(())
}

/// A rod shorter than the crank: at any size, however it is tilted, by any method that follows a tolerance.
#[test]
fn a_motion_that_the_joints_stop_is_named() {
    let end = 0.857_f64.asin() / 10.0;
    let tilted = V3::new(0.3, -0.7, 1.1);
    for (size, turn) in [1e-6, 0.35, 40.0].into_iter().flat_map(|size| [V3::zeros(), tilted].map(|turn| (size, turn))) {
        let mechanism = slider_crank(size, 0.857 * size, turn);
        let stiff = [Formulation::I3, Formulation::Si2].map(|f| (Gstiff::with_tolerance(1e-6).into(), f));
        let explicit: [Method; 2] = [Rkf45::with_tolerance(1e-6).into(), Abam::with_tolerance(1e-6).into()];
        for (method, formulation) in stiff.into_iter().chain(explicit.map(|method| (method, Formulation::Si2))) {
            let error = run(&mechanism, method, formulation).expect_err("it locks");
            let text = error.to_string();
            let Error::Locked { motions, joints, time, .. } = error else { panic!("{size} {formulation:?}: {text}") };
            assert!(motions == ["motion \"motor\""] && !joints.is_empty(), "{text}");
            assert!((time - end).abs() < 1e-3 && text.contains("change lengths or motions"), "{text}");
        }
    }
}

/// A rod as long as goes around, through both dead centres.
#[test]
fn a_crank_that_goes_around_does_not_lock() {
    run(&slider_crank(0.1, 0.101, V3::new(0.3, -0.7, 1.1)), Gstiff::with_tolerance(1e-6).into(), Formulation::Si2)
        .unwrap();
}
