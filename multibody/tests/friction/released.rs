//! Friction at joints that act for a part of the time.

use crate::support::runs::try_compile;
use fourbar_multibody::integrator::Stop;
use fourbar_multibody::{Dynamics, DynamicsOptions};
use serde_json::{Value, json};

/// A pin that is let go rubs no more: the rod then falls freely.
#[test]
fn a_joint_that_is_released_takes_its_friction_with_it() {
    let mut model = json!({
        "gravity": [0, 0, -9.81],
        "body": [{ "name": "rod", "mass": 1, "inertia": [0.01, 0.01, 0.01], "position": [0.5, 0, 0] }],
        "joint": [{ "name": "pin", "type": "revolute",
            "i": { "body": "rod", "position": [-0.5, 0, 0], "frame": "body", "orientation": { "z_axis": [0, 1, 0] } },
            "j": { "body": "ground", "orientation": { "z_axis": [0, 1, 0] } } }],
        "friction": [{ "name": "rub", "joint": "pin", "mu_dynamic": 0.2, "transition_velocity": 1e-3, "pin_radius": 0.02 }],
        "measure": [{ "name": "lost", "type": "reaction", "force": "rub", "quantity": "torque", "component": "y" },
            { "name": "az", "type": "acceleration", "i": "rod", "component": "z" }],
    });
    let lost = |model: &Value| {
        let mechanism = try_compile(model).unwrap();
        let mut dynamics =
            Dynamics::new(&mechanism, &DynamicsOptions { end: 0.2, ..DynamicsOptions::default() }).unwrap();
        while dynamics.step().unwrap() != Stop::EndTime {}
        let mut values = vec![0.0; mechanism.measures().len()];
        dynamics.measures_at(0.2, &mut values).unwrap();
        let at = |name: &str| mechanism.measures().iter().position(|m| m.name == name).unwrap();
        (values[at("lost")].abs(), values[at("az")])
    };
    assert!(lost(&model).0 > 0.01);
    model["activity"] = json!([{ "kind": "joint", "name": "pin", "active": "0" }]);
    let (torque, fall) = lost(&model);
    assert!(torque == 0.0 && (fall + 9.81).abs() < 1e-9, "{torque} {fall}");
}
