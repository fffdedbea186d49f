//! Starts far from the drawing, and bodies that cannot turn: neither has a length of its own by which one could measure.

use crate::breaks::{ALL, run};
use fourbar_multibody::{Mechanism, Model};
use nalgebra::Vector3 as V;
use proptest::prelude::*;
use serde_json::{Value, json};

/// A body on a guide along `axis` from the origin; measures its position and velocity along z.
fn guided(mass: f64, inertia: f64, axis: [f64; 3]) -> Value {
    let other = if axis[0].abs() < 0.5 { [1.0, 0.0, 0.0] } else { [0.0, 1.0, 0.0] };
    let axes = json!({"z_axis": axis, "x_axis": other});
    json!({
        "body": [{"name": "b", "mass": mass, "inertia": [inertia, inertia, inertia]}],
        "joint": [{"name": "g", "type": "prismatic",
            "i": {"body": "b", "orientation": axes}, "j": {"body": "ground", "orientation": axes}}],
        "measure": [{"name": "z", "type": "position", "i": "b", "component": "z"},
            {"name": "v", "type": "velocity", "i": "b", "component": "z"}],
    })
}

fn compile(model: &Value) -> Mechanism {
    let model: Model = serde_json::from_value(model.clone()).expect("a model");
    Mechanism::compile(&model).unwrap()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, failure_persistence: None, ..ProptestConfig::default() })]

    /// Whatever the mass and the inertia, a guided body starts where its joint or its motion says; of a motion that begins elsewhere than drawn one is told.
    #[test]
    fn a_guided_body_starts_as_far_as_one_says(
        mass in -6.0..6.0f64, inertia in -6.0..6.0f64, x in -1.0..1.0f64, y in -1.0..1.0f64, way in -3.0..6.0f64, backward: bool, by_motion: bool,
    ) {
        let axis = V::new(x, y, 1.0).normalize();
        let way = if backward { -1.0 } else { 1.0 } * 10.0_f64.powf(way);
        let mut model = guided(10.0_f64.powf(mass), 10.0_f64.powf(inertia), axis.into());
        // Drawn half a metre along its guide.
        model["body"][0]["position"] = json!([0.5 * axis.x, 0.5 * axis.y, 0.5 * axis.z]);
        if by_motion {
            model["motion"] = json!([{"name": "d", "joint": "g", "displacement": format!("{way:?} + time")}]);
        } else {
            model["joint"][0]["initial"] = json!({"displacement": way});
        }
        let mechanism = compile(&model);
        let at = mechanism.start().poses[0].x;
        prop_assert!((at - axis * way).norm() < 1e-11 * way.abs().max(1.0), "{at} is not {}", axis * way);
        let told = mechanism.assembly().warnings();
        let expected = usize::from(by_motion && (way - 0.5).abs() > 1e-6);
        prop_assert!(told.len() == expected && mechanism.assembly().begun.len() == expected, "{told:?}");
    }

    /// A lever that is drawn far from its hinge is put there, and one is told.
    #[test]
    fn a_joint_that_is_drawn_open_far_closes(arm in -2.0..1.0f64, away in 0.0..4.0f64, angle in -3.0..3.0f64) {
        let (arm, away) = (10.0_f64.powf(arm), 10.0_f64.powf(away));
        let model = json!({
            "body": [{"name": "b", "mass": 1, "inertia": [0.1, 0.1, 0.1], "position": [away * angle.cos(), away * angle.sin(), 0.3 * away]}],
            "joint": [{"name": "h", "type": "revolute", "i": {"body": "b", "position": [-arm, 0, 0]}, "j": "ground"}],
        });
        let mechanism = compile(&model);
        let at = mechanism.start().poses[0].x;
        prop_assert!((at.norm() - arm).abs() < 1e-9 * arm, "{at}");
        prop_assert!(mechanism.assembly().moved[0].displaced && !mechanism.assembly().warnings().is_empty());
    }

    /// x'' = -k x/m of a body that cannot turn: its moment of inertia takes no part, whatever it is beside the mass and the way.
    #[test]
    fn an_inertia_that_takes_no_part_changes_nothing(
        mass in -9.0..3.0f64, inertia in -9.0..3.0f64, amplitude in -8.0..2.0f64, name in prop::sample::select(ALL.to_vec()),
    ) {
        let (mass, amplitude) = (10.0_f64.powf(mass), 10.0_f64.powf(amplitude));
        let mut model = guided(mass, 10.0_f64.powf(inertia), [0.0, 0.0, 1.0]);
        model["body"][0]["position"] = json!([0, 0, 2.0 * amplitude]);
        model["joint"][0]["initial"] = json!({"displacement": amplitude});
        model["force"] = json!([{"name": "s", "type": "force", "i": "b", "value": [0, 0, format!("-{mass:e}*z")]}]);
        let (values, _) = run(&model, name, 20.0).unwrap();
        let allowed = 5e-4 * amplitude;
        prop_assert!((values[0] - amplitude * 20.0_f64.cos()).abs() < allowed, "{name} {mass} {amplitude}: {values:?}");
        prop_assert!((values[1] + amplitude * 20.0_f64.sin()).abs() < allowed, "{name} {mass} {amplitude}: {values:?}");
    }
}

/// What joints leave open is told, and where motions begin.
#[test]
fn a_motion_that_begins_elsewhere_is_told_apart_from_open_joints() {
    let mut model = guided(1.0, 1.0, [0.0, 0.0, 1.0]);
    model["motion"] = json!([{"name": "d", "joint": "g", "displacement": "0.02 + 0.1*time"}]);
    let warnings = compile(&model).assembly().warnings();
    assert!(warnings.len() == 1 && warnings[0].contains("motions begin: \"d\" by 0.02 m"), "{warnings:?}");
    // Off the axis of its guide as well.
    model["body"][0]["position"] = json!([0.01, 0, 0]);
    let mechanism = compile(&model);
    assert!(mechanism.assembly().warnings()[0].contains("\"b\""));
    assert!((mechanism.start().poses[0].x - V::new(0.0, 0.0, 0.02)).norm() < 1e-12);
}
