//! Boxes that tumble on a floor with any restitution, friction and law: no run fails, gains energy, enters the floor, or takes more events
//! than a tumbling box has impacts.

use crate::support;
use fourbar_contact::event::EventDriven;
use fourbar_contact::law::{ImpactLaw, Restitution, Sequence};
use fourbar_contact::model::*;
use fourbar_contact::pair::ContactSet;
use fourbar_multibody::model::{Body, MarkerRef, Model, Orientation, Place, vector};
use fourbar_multibody::{Mechanism, State};
use std::sync::Arc;
use support::{body, follow};

const G: f64 = 9.81;
const SIZE: [f64; 3] = [0.3, 0.25, 0.2];
const INERTIA: [f64; 3] = [0.01, 0.015, 0.02];

fn thrown(k: f64) -> Body {
    let mut block = body("block", 1.0, INERTIA, [0.0, 0.6, 0.0], 0.0);
    block.orientation = Orientation::turn([(1.3 * k).sin(), (2.1 * k).cos(), (0.7 * k).sin()], 0.7 + 0.3 * k);
    block.velocity = vector([0.5 + 0.5 * (3.1 * k).sin(), 0.0, 0.3]);
    block.angular_velocity = vector([6.0 * (1.7 * k).sin(), 6.0 * (2.3 * k).cos(), 6.0 * (0.9 * k).sin()]);
    block
}

fn energy(state: &State) -> f64 {
    let pose = &state.poses[0];
    let w = pose.a.tr_mul(&pose.w);
    let turning: f64 = INERTIA.iter().zip(w.iter()).map(|(i, w)| i * w * w).sum();
    0.5 * (pose.v.norm_squared() + turning) + G * pose.x.y
}

/// What was wrong.
fn tumble(k: f64, e: f64, mu: f64, law: ImpactLaw) -> Result<(), String> {
    let model = Model { gravity: vector([0.0, -G, 0.0]), bodies: vec![thrown(k)], ..Model::default() };
    let (z, x) = (vector([0.0, 1.0, 0.0]), vector([1.0, 0.0, 0.0]));
    let orientation = Orientation { z_axis: Some(z), x_axis: Some(x), ..Default::default() };
    let floor: MarkerRef =
        Place { body: "ground".into(), position: vector([0.0; 3]), orientation, frame: Default::default() }.into();
    let kind = BoxPlane { i: "block".into(), size: vector(SIZE), j: floor, offset: 0.0.into() };
    let touch = Contact::new("touch", ContactKind::BoxPlane(kind)).with_friction(mu).with_restitution(e);
    let contacts = ContactModel { contacts: vec![touch], ..ContactModel::default() };
    let mechanism = Arc::new(Mechanism::compile(&model).unwrap());
    let mut set = ContactSet::compile(&model, &contacts, &mechanism).unwrap();
    let options = EventDriven { tolerance: 1e-9, law, events_max: 1500, ..EventDriven::default() };
    let mut run = options.start(&mechanism, set.clone(), mechanism.start(), 4.0).map_err(|e| e.to_string())?;
    follow(&mut run, &mut set, energy)
}

const LAWS: [Restitution; 3] = [Restitution::Newton, Restitution::Poisson, Restitution::Energetic];
const ORDERS: [Sequence; 2] = [Sequence::Simultaneous, Sequence::Pairwise];

#[test]
fn boxes_tumble_to_rest() {
    let (mut failures, mut count, mut k) = (Vec::new(), 0, 0);
    for restitution in LAWS {
        for sequence in ORDERS {
            for (e, mu) in [(0.0, 1.0), (0.2, 0.0), (0.6, 0.3)] {
                (count, k) = (count + 1, k + 1);
                let law = ImpactLaw { restitution, sequence, ..ImpactLaw::default() };
                if let Err(reason) = tumble(0.37 * f64::from(k), e, mu, law) {
                    failures.push(format!("throw {k}, e = {e}, mu = {mu}, {restitution:?} {sequence:?}: {reason}"));
                }
            }
        }
    }
    assert!(failures.is_empty(), "{} of {count}: {failures:#?}", failures.len());
}
