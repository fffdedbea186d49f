//! Forces that switch with the velocity, as dry friction written `sign(v)`, beside contacts that are followed event by event: where they switch to and fro
//! without end, the run says which condition of which force does, when, and what to write in its place.

use fourbar_contact::Error;
use fourbar_contact::event::EventDriven;
use fourbar_contact::model::{Contact, ContactKind, ContactModel, SpherePlane};
use fourbar_contact::pair::ContactSet;
use fourbar_multibody::integrator::Error as IntegratorError;
use fourbar_multibody::{Mechanism, Model};
use serde_json::json;
use std::sync::Arc;

/// A ball of 1 kg thrown along the floor at 1 m/s from a height above it, with a force against its motion.
fn run(force: &str, height: f64, friction: f64, tolerance: f64, end: f64) -> Result<f64, Error> {
    let model = json!({
        "gravity": [0, 0, -9.81],
        "body": [{"name": "ball", "mass": 1, "inertia": [0.004, 0.004, 0.004], "position": [0, 0, height], "velocity": [1, 0, 0]}],
        "force": [{"name": "drag", "type": "force", "i": "ball", "value": [force, 0, 0]}],
        "measure": [{"name": "v", "type": "velocity", "i": "ball", "component": "x"}],
    });
    let model: Model = serde_json::from_value(model).expect("a model");
    let mechanism = Arc::new(Mechanism::compile(&model).expect("a mechanism"));
    let ball = SpherePlane { i: "ball".into(), radius: 0.1.into(), j: "ground".into(), offset: 0.0.into() };
    let contact = Contact {
        friction: friction.into(),
        restitution: 0.5.into(),
        ..Contact::new("floor", ContactKind::SpherePlane(ball))
    };
    let contacts = ContactModel { contacts: vec![contact], ..ContactModel::default() };
    let set = ContactSet::compile(&model, &contacts, &mechanism).expect("contacts");
    let mut motion =
        EventDriven { tolerance, ..EventDriven::default() }.start(&mechanism, set, mechanism.start(), end)?;
    motion.run()?;
    Ok(motion.state().poses[0].v.x)
}

#[test]
fn conditions_that_chatter_are_named() {
    for tolerance in [1e-12, 1e-9, 1e-6] {
        for (height, friction) in [(0.1, 0.0), (0.1, 0.3), (0.3, 0.0), (0.3, 0.3), (1.0, 0.1)] {
            for (force, name) in [("-2*sign(v)", "sign"), ("if(v > 0, -2, 2)", "comparison")] {
                let error = run(force, height, friction, tolerance, 2.0).unwrap_err();
                let text = error.to_string();
                let Error::Multibody(fourbar_multibody::Error::Integrator(IntegratorError::Chattering {
                    condition,
                    time,
                })) = error
                else {
                    panic!("{tolerance} {height} {friction} {force}: {text}")
                };
                assert!(condition.contains(name) && condition.contains("force \"drag\""), "{condition}");
                assert!(time > 0.2 && time < 1.0, "{height} {friction}: {time}");
                assert!(text.contains("tanh") && !text.contains("pace_min"), "{text}");
            }
        }
    }
}

/// Those that do not are followed: what comes to rest smoothly, what switches as it swings, and dry friction before it has stopped.
#[test]
fn conditions_that_switch_as_the_motion_goes_are_passed() {
    assert!(run("-2*tanh(v/0.01)", 0.1, 0.0, 1e-9, 2.0).unwrap().abs() < 1e-3);
    assert!((run("-2*sign(v)", 0.1, 0.0, 1e-9, 0.4).unwrap() - 0.2).abs() < 1e-6);
    // Pushed to and fro, it is slowed down as it goes.
    let v = run("20*cos(10*time) - 2*sign(v)", 0.1, 0.0, 1e-9, 5.0).unwrap();
    assert!(v.abs() < 4.0, "{v}");
}
