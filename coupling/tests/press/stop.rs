//! The press on a rigid stop in place of the work piece: impact and contact inside the mechanism's communication steps.

use fourbar_contact::event::{EventDriven, EventKind};
use fourbar_contact::model::ContactModel;
use fourbar_coupling::management::View;
use fourbar_coupling::partner::{Following, Mechanism, MechanismOptions};
use fourbar_coupling::{Algorithm, Master, Observer, Options, Order, Proceed, RunState, Signal, Simulator};
use serde_json::json;

use crate::press::machine::Machine;
use crate::press::mechanism::{coupled, press};

/// Height of the stop under the tool \[m\].
const STOP: f64 = 0.36;

/// The press whose tool meets a rigid stop, with or without rebound.
fn on_a_stop(restitution: f64) -> Mechanism {
    let mut model = press();
    model["force"].as_array_mut().unwrap().retain(|force| force["name"] != "work piece");
    let model = serde_json::from_value(model).unwrap();
    // z of the plane's frame points up, out of the stop.
    let plane = json!({ "body": "ground", "position": [0, STOP, 0], "orientation": { "z_axis": [0, -1, 0] } });
    let contacts = json!({ "contact": [
        { "name": "stop", "type": "point_plane", "i": "tool", "j": plane, "restitution": restitution }
    ] });
    let contacts: ContactModel = serde_json::from_value(contacts).unwrap();
    let outputs =
        ["cylinder1.displacement", "cylinder1.velocity", "cylinder2.displacement", "cylinder2.velocity", "height"];
    let options = MechanismOptions { outputs: Some(outputs.map(str::to_owned).into()), ..MechanismOptions::default() };
    let following = Following::Events(EventDriven { tolerance: 1e-9, ..EventDriven::default() });
    Mechanism::with_contacts(&model, &contacts, &following, &options).unwrap()
}

/// Heights of the tool and forces of the first cylinder, sampled each 10 ms.
struct Course {
    every: u64,
    samples: Vec<[f64; 2]>,
    lowest: f64,
}

impl Observer for Course {
    fn exchanged(&mut self, view: &View<'_>) -> Proceed {
        let mechanism = view.received(0).unwrap();
        self.lowest = self.lowest.max(mechanism.values[4]);
        if mechanism.stamp.is_multiple_of(self.every) {
            self.samples.push([mechanism.values[4], view.received(1).unwrap().values[0]]);
        }
        Proceed::Continue
    }
}

fn run(h: f64) -> Course {
    let (partners, connections, _) = coupled(Machine::Press, on_a_stop(0.3));
    let algorithm =
        Algorithm::GaussSeidel { order: Order::Linear, sequence: vec!["hyd".to_owned(), "mech".to_owned()] };
    let mut master = Master::new(partners, &connections, &Options::new(1.2, h, algorithm)).unwrap();
    let mut course = Course { every: (0.01 / h).round() as u64, samples: vec![], lowest: 0.0 };
    assert_eq!(master.run(&mut course).unwrap(), RunState::Finished);
    course
}

#[test]
fn the_press_meets_a_rigid_stop_and_presses_on_it() {
    let courses = [0.001, 0.0005, 0.00025].map(run);
    for course in &courses {
        // Nothing enters the stop, and the tool rests on it while the servo wants it 58 mm deeper.
        assert!(course.lowest < STOP + 1e-9, "{:e}", course.lowest - STOP);
        assert!((90..110).all(|k| (course.samples[k][0] - STOP).abs() < 1e-9));
    }
    // The coupling converges in the pressing force, in the order of its inputs.
    let force = |course: &Course| course.samples[100][1];
    let [a, b, c] = [0, 1, 2].map(|k| force(&courses[k]));
    println!("force at 1 s: {a:.6e} {b:.6e} {c:.6e}");
    assert!((a - b).abs() < 1e-2 * c.abs() && (b - c).abs() < 0.6 * (a - b).abs(), "{a:e} {b:e} {c:e}");
}

#[test]
fn the_beam_hits_the_stop_with_the_impulse_of_both_its_motions() {
    // Pushed down by a constant force off its middle: the effective mass of the tool in the impact is 1/(1/m + e^2 cos^2/J).
    let mut mechanism = on_a_stop(0.5);
    let (t, h) = (0.0, 1.0);
    mechanism.set_inputs(&[Signal::held(-100_000.0); 2]).unwrap();
    mechanism.step(t, h).unwrap();
    let impact = mechanism.events().iter().find(|event| matches!(event.kind, EventKind::Impact(_))).unwrap();
    let effective = 1.0 / (1.0 / 30_000.0 + 0.15f64.powi(2) / 40_000.0);
    let expected = 1.5 * effective * impact.closing_speed;
    println!("{impact:?}, {expected}");
    assert!(impact.closing_speed > 0.1 && (impact.impulse / expected - 1.0).abs() < 1e-3, "{impact:?}, {expected}");
}
