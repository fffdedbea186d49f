//! Columns of touching balls, kept one above the other by joints, dropped on a floor, whatever the masses, the restitution, the law and the order of impacts: they come to an
//! end, energy never rises, and what rests at last carries the weight above.

use crate::support;
use approx::assert_abs_diff_eq;
use fourbar_contact::event::{EventDriven, EventKind, EventStepper, Reached};
use fourbar_contact::law::{ImpactLaw, Restitution, Sequence};
use fourbar_contact::model::*;
use fourbar_contact::pair::ContactSet;
use fourbar_multibody::model::{Body, Joint, JointKind, MarkerRef, Model, Orientation, Place, vector};
use fourbar_multibody::{Mechanism, State};
use std::sync::Arc;
use support::body;

const G: f64 = 9.81;
const RADIUS: f64 = 0.1;

/// Balls of these masses, the lowest 0.5 m above the floor, and the restitution of each contact from the floor up.
struct Column<'a> {
    masses: &'a [f64],
    restitution: &'a [f64],
    law: Restitution,
    sequence: Sequence,
}

impl Column<'_> {
    fn start(&self, end: f64) -> EventStepper<ContactSet> {
        let name = |k: usize| format!("b{k}");
        let ball = |(k, m): (usize, &f64)| -> Body {
            body(&name(k), *m, [0.4 * m * RADIUS * RADIUS; 3], [0.0, 0.6 + 2.0 * RADIUS * k as f64, 0.0], 0.0)
        };
        let bodies = self.masses.iter().enumerate().map(ball).collect();
        let (z, x) = (vector([0.0, 1.0, 0.0]), vector([1.0, 0.0, 0.0]));
        let orientation = Orientation { z_axis: Some(z), x_axis: Some(x), ..Default::default() };
        let upright = |body: &str| -> MarkerRef {
            let (position, orientation) = (vector([0.0; 3]), orientation.clone());
            Place { body: body.into(), position, orientation, frame: Default::default() }.into()
        };
        let floor = upright("ground");
        let rail = |k: usize| {
            let (i, j) = (upright(&name(k)), upright("ground"));
            Joint {
                name: format!("rail {k}"),
                kind: JointKind::Prismatic,
                i,
                j,
                length: None,
                pitch: None,
                initial: Default::default(),
            }
        };
        let joints = (0..self.masses.len()).map(rail).collect();
        let model = Model { gravity: vector([0.0, -G, 0.0]), bodies, joints, ..Model::default() };
        let touch = |(k, e): (usize, &f64)| {
            let i = MarkerRef::from(name(k).as_str());
            let radius = || RADIUS.into();
            let kind = if k == 0 {
                ContactKind::SpherePlane(SpherePlane { i, radius: radius(), j: floor.clone(), offset: 0.0.into() })
            } else {
                let below = MarkerRef::from(name(k - 1).as_str());
                ContactKind::SphereSphere(SphereSphere { i, j: below, radius_i: radius(), radius_j: radius() })
            };
            Contact::new(&format!("c{k}"), kind).with_restitution(*e).with_friction(0.2)
        };
        let contacts = self.restitution.iter().enumerate().map(touch).collect();
        let mechanism = Arc::new(Mechanism::compile(&model).unwrap());
        let contacts = ContactModel { contacts, ..ContactModel::default() };
        let set = ContactSet::compile(&model, &contacts, &mechanism).unwrap();
        let law = ImpactLaw { restitution: self.law, sequence: self.sequence, ..ImpactLaw::default() };
        let options = EventDriven { law, tolerance: 1e-10, ..EventDriven::default() };
        options.start(&mechanism, set, mechanism.start(), end).unwrap()
    }

    fn energy(&self, state: &State) -> f64 {
        let of = |(m, pose): (&f64, &fourbar_multibody::space::Pose)| {
            m * (0.5 * pose.v.norm_squared() + 0.2 * RADIUS * RADIUS * pose.w.norm_squared() + G * pose.x.y)
        };
        self.masses.iter().zip(&state.poses).map(of).sum()
    }

    /// Runs to the end; the energy before and after.
    fn run(&self, end: f64) -> (EventStepper<ContactSet>, [f64; 2]) {
        let what = format!("{:?} {:?}, {:?} {:?}", self.masses, self.restitution, self.law, self.sequence);
        let mut run = self.start(end);
        let first = self.energy(run.state());
        let mut before = first;
        loop {
            let reached = run.step().unwrap_or_else(|e| panic!("{what}: {e}"));
            let now = self.energy(run.state());
            assert!(now - before <= 1e-9 * first, "{what}: {:e} J gained at {} s", now - before, run.time());
            before = now;
            let poses = run.state().poses.clone();
            let gap = |k: usize| poses[k].x.y - if k == 0 { RADIUS } else { poses[k - 1].x.y + 2.0 * RADIUS };
            let lowest = (0..poses.len()).map(gap).fold(f64::INFINITY, f64::min);
            assert!(lowest >= -1e-9, "{what}: overlap {lowest:e} m at {} s", run.time());
            if reached == Reached::EndTime {
                return (run, [first, before]);
            }
        }
    }

    fn rests(&self, end: f64) {
        let (mut run, _) = self.run(end);
        assert_eq!(run.closed().len(), self.masses.len());
        let forces = run.forces().unwrap().to_vec();
        for (k, force) in forces.iter().enumerate() {
            let above: f64 = self.masses[k..].iter().sum();
            assert_abs_diff_eq!(force[0], above * G, epsilon = 1e-9 * above * G);
        }
    }
}

const LAWS: [Restitution; 3] = [Restitution::Newton, Restitution::Poisson, Restitution::Energetic];
const ORDERS: [Sequence; 2] = [Sequence::Simultaneous, Sequence::Pairwise];

#[test]
fn columns_come_to_rest() {
    let columns: [(&[f64], &[f64]); 5] = [
        (&[5.0, 1.0, 0.2], &[0.8; 3]),
        (&[0.2, 1.0, 5.0], &[0.5; 3]),
        (&[1.0; 5], &[0.5; 5]),
        (&[5.0, 1.0, 0.2, 2.0, 0.5], &[0.8, 0.3, 0.0, 0.6, 0.5]),
        (&[1.0, 1.0, 1.0], &[0.0, 0.7, 0.7]),
    ];
    for (masses, restitution) in columns {
        for law in LAWS {
            for sequence in ORDERS {
                Column { masses, restitution, law, sequence }.rests(12.0);
            }
        }
    }
}

#[test]
fn plastic_columns_rest_after_one_impact() {
    for sequence in ORDERS {
        let column = Column { masses: &[1.0, 2.0, 3.0], restitution: &[0.0; 3], law: Restitution::Newton, sequence };
        let (run, [before, after]) = column.run(1.0);
        assert_abs_diff_eq!(before - after, 6.0 * G * 0.5, epsilon = 1e-9);
        let times: Vec<f64> =
            run.log().iter().filter(|e| matches!(e.kind, EventKind::Impact(_))).map(|e| e.time).collect();
        assert!(times.iter().all(|t| (t - (2.0 * 0.5 / G).sqrt()).abs() <= 1e-9), "{times:?}");
    }
}

#[test]
fn columns_that_lose_nothing_keep_their_energy() {
    for masses in [&[5.0, 1.0, 0.2][..], &[1.0; 4]] {
        for sequence in ORDERS {
            let column = Column { masses, restitution: &vec![1.0; masses.len()], law: Restitution::Newton, sequence };
            let (_, [before, after]) = column.run(2.0);
            assert_abs_diff_eq!(before, after, epsilon = 1e-8 * before);
        }
    }
}
