//! The ways in which a machine is made otherwise.

use super::base::{self, BASE, Ride};
use super::carry::{self, Carrier, carried};
use super::case::Case;
use super::order;
use super::random::Random;
use super::scale::{self, Factors};
use super::view::View;
use fourbar::multibody::Mechanism;
use fourbar::multibody::model::{MeasureKind, Model};
use fourbar::multibody::space::{M3, V3, rotation};
use std::f64::consts::{FRAC_PI_2, TAU};

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Change {
    /// Turned as a whole, at random.
    Turned,
    /// Turned by exactly 90 degrees about an axis of the ground.
    Quarter(usize),
    /// Moved by 1e3 sizes.
    Moved,
    /// Its unit of length, mass (1) or time (2) times 1e3 or 1e-3.
    Scaled(usize, bool),
    Reordered,
    /// I and J of joints exchanged.
    Exchanged,
    OnRest,
    /// On a base that moves evenly.
    OnEven,
    /// On a base that swings by these quarter turns, seen in the turning frame.
    OnSwing(usize),
    /// On a base that turns evenly, at this many eighths of a turn at the start, seen in the turning frame.
    OnTurn(usize),
}

impl Change {
    pub(super) const ALL: [Self; 21] = [
        Self::Turned,
        Self::Quarter(0),
        Self::Quarter(1),
        Self::Quarter(2),
        Self::Moved,
        Self::Scaled(0, false),
        Self::Scaled(0, true),
        Self::Scaled(1, false),
        Self::Scaled(1, true),
        Self::Scaled(2, false),
        Self::Scaled(2, true),
        Self::Reordered,
        Self::Exchanged,
        Self::OnRest,
        Self::OnEven,
        Self::OnSwing(1),
        Self::OnSwing(4),
        Self::OnTurn(0),
        Self::OnTurn(1),
        Self::OnTurn(2),
        Self::OnTurn(3),
    ];

    /// Its row in the table.
    pub(super) fn label(self) -> String {
        match self {
            Self::Turned => "turned at random".to_owned(),
            Self::Quarter(axis) => format!("turned by 90 degrees about {}", ["x", "y", "z"][axis]),
            Self::Moved => "moved by 1e3 sizes".to_owned(),
            Self::Scaled(of, up) => {
                format!("{} times {}", ["length", "mass", "time"][of], if up { "1e3" } else { "1e-3" })
            }
            Self::Reordered => "reordered".to_owned(),
            Self::Exchanged => "I and J exchanged".to_owned(),
            Self::OnRest => "on a base at rest".to_owned(),
            Self::OnEven => "on a base that moves evenly".to_owned(),
            Self::OnSwing(quarters) => format!("on a base that swings by {}", 90 * quarters),
            Self::OnTurn(eighths) => format!("on a base that turns, from {}", 45 * eighths),
        }
    }

    /// Whether the other machine is on a base that moves.
    pub(super) fn moves(self) -> bool {
        matches!(self, Self::OnEven | Self::OnSwing(_) | Self::OnTurn(_))
    }

    /// How the base turns in whose frame both machines are seen, if it does.
    pub(super) fn ride(self, case: &Case, mechanism: &Mechanism) -> Option<Ride> {
        let mut random = Random::new(77 + case.name.len() as u64);
        let point = random.vector(0.3 * mechanism.length());
        let axis = case.axis;
        match self {
            Self::OnSwing(quarters) => {
                Some(Ride::Swing { point, axis, angle: FRAC_PI_2 * quarters as f64, time: 0.9 * case.end })
            }
            Self::OnTurn(eighths) => {
                let rate = 2.0_f64.min(0.25 * TAU / case.end);
                Some(Ride::Turn { point, axis, start: TAU / 8.0 * eighths as f64, rate })
            }
            _ => None,
        }
    }

    /// Why a machine cannot be made otherwise so, if so.
    pub(super) fn refusal(self, case: &Case, mechanism: &Mechanism) -> Option<&'static str> {
        let model = &case.model;
        match self {
            Self::Scaled(..) => scale::refusal(model),
            Self::Reordered => None,
            Self::Exchanged => model.joints.is_empty().then_some("there are no joints"),
            Self::OnSwing(_) | Self::OnTurn(_) if mechanism.bodies().iter().any(|body| body.mass == 0.0) => {
                Some("a body has no mass")
            }
            Self::OnEven if !model.bodies.iter().all(|body| body.exact.is_empty()) => Some("`exact` velocities"),
            Self::OnRest | Self::OnSwing(_) | Self::OnTurn(_) | Self::OnEven => carry_refusal(model, true),
            _ => carry_refusal(model, false),
        }
    }

    /// The other machine, and how it is seen. `model` is that of the case, or as seen from its base.
    pub(super) fn of(self, case: &Case, mechanism: &Mechanism) -> (Model, View) {
        let mut random = Random::new(99 + case.name.bytes().map(u64::from).sum::<u64>());
        let model = &case.model;
        let same = View::same();
        let turned = |axes: M3, origin: V3| {
            (carried(model, &Carrier::fixed(origin, axes)), View { axes, origin, ..View::same() })
        };
        let length = mechanism.length();
        let mass: f64 = mechanism.bodies().iter().map(|body| body.mass).sum();
        let riding = |model: &Model, ride: Ride| {
            let view = View { base: Some(BASE), ..View::same() };
            // Velocities as assembled: those of joints do not stand with the bodies.
            (base::mounted(&started(model, mechanism), ride, mass, length), view)
        };
        match self {
            Self::Turned => turned(random.rotation(), V3::zeros()),
            Self::Quarter(axis) => turned(quarter(axis), V3::zeros()),
            Self::Moved => turned(M3::identity(), random.direction() * (1e3 * length)),
            Self::Scaled(of, up) => {
                let factor = if up { 1e3 } else { 1e-3 };
                let mut factors = Factors::ONE;
                *[&mut factors.length, &mut factors.mass, &mut factors.time][of] = factor;
                (scale::scaled(model, factors), View { factors, ..same })
            }
            Self::Reordered => (order::reordered(model, &mut random), same),
            Self::Exchanged => {
                let (model, exchanged) = order::exchanged(model);
                (model, View { exchanged, ..same })
            }
            Self::OnRest => riding(model, Ride::Rest),
            Self::OnEven => riding(model, Ride::Even(random.direction() * (length / case.end))),
            Self::OnSwing(_) | Self::OnTurn(_) => {
                let ride = self.ride(case, mechanism).expect("it rides");
                let (model, mut view) = riding(&base::weighed(model, mechanism), ride);
                if let Ride::Turn { point, axis, start, .. } = ride {
                    view.axes = rotation(&(axis * start));
                    view.origin = point - view.axes * point;
                }
                (model, view)
            }
        }
    }

    /// The machine that it is compared with: as it is, or as seen from a base that turns.
    pub(super) fn first(self, case: &Case, mechanism: &Mechanism) -> Model {
        match self.ride(case, mechanism) {
            Some(ride) => base::as_seen(&base::weighed(&case.model, mechanism), mechanism, ride),
            None => case.model.clone(),
        }
    }

    /// Whether a measure is the same on both.
    pub(super) fn keeps(self, kind: &MeasureKind, has_redundant_rows: bool) -> bool {
        use MeasureKind as K;
        match (self, kind) {
            (_, K::Reaction(_)) => false,
            (_, K::Expression(_)) if has_redundant_rows => false,
            (
                Self::OnEven | Self::OnSwing(_) | Self::OnTurn(_) | Self::OnRest | Self::Moved | Self::Exchanged,
                kind,
            ) => !matches!(
                kind,
                K::KineticEnergy(_)
                    | K::PotentialEnergy(_)
                    | K::TotalEnergy(_)
                    | K::Momentum(_)
                    | K::AngularMomentum(_)
                    | K::Expression(_)
            ),
            (Self::Scaled(..), K::Expression(_)) => false,
            _ => true,
        }
    }
}

/// The model with its bodies at the velocities that assembly gives them.
fn started(model: &Model, mechanism: &Mechanism) -> Model {
    let mut other = model.clone();
    for (body, pose) in other.bodies.iter_mut().zip(&mechanism.start().poses) {
        (body.velocity, body.angular_velocity) = (carry::numbers(&pose.v), carry::numbers(&pose.w));
    }
    other
}

/// Exactly 90 degrees about an axis.
fn quarter(axis: usize) -> M3 {
    let mut turn = M3::zeros();
    turn[(axis, axis)] = 1.0;
    let (next, last) = ((axis + 1) % 3, (axis + 2) % 3);
    (turn[(last, next)], turn[(next, last)]) = (1.0, -1.0);
    turn
}

fn carry_refusal(model: &Model, on_base: bool) -> Option<&'static str> {
    // A base has the axes of the ground at the start.
    if on_base && model.flexible.is_empty() {
        return None;
    }
    carry::refusal(model)
}
