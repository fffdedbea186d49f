//! A machine on a base in place of the ground, whose motion is prescribed: at rest, even, or a turn about an axis.

use super::carry::{Carrier, axes, carried, number, numbers};
use super::inertia;
use fourbar::multibody::Mechanism;
use fourbar::multibody::expression::Expression;
use fourbar::multibody::mechanism::RigidBody;
use fourbar::multibody::model::{
    Body, Force, Frame, GROUND, Joint, JointKind, MarkerRef, Model, Motion, MotionDirection, Orientation, Place,
    VectorForce, zero,
};
use fourbar::multibody::space::{M3, V3, rotation};

/// Name of the base; its joint and motion have names that begin with it.
pub(super) const BASE: &str = "base of all";

/// How a base moves.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Ride {
    /// Not at all.
    Rest,
    /// Evenly along a direction [m/s].
    Even(V3),
    /// By an angle about an axis through a point, from rest to rest within a time.
    Swing { point: V3, axis: V3, angle: f64, time: f64 },
    /// Evenly about an axis through a point, from an angle on [rad, rad/s].
    Turn { point: V3, axis: V3, start: f64, rate: f64 },
}

impl Ride {
    /// Angle, its rate and its second rate over `time`, as text.
    fn angle(&self) -> [String; 3] {
        match *self {
            Self::Rest | Self::Even(_) => ["0", "0", "0"].map(str::to_owned),
            Self::Swing { angle, time, .. } => {
                // A cycloid: its rate and second rate begin and end with zero.
                let (mean, wave) = (angle / time, std::f64::consts::TAU / time);
                let within = |text: String, after: f64| format!("if(time < {time:?}, {text}, {after:?})");
                [
                    within(format!("{mean:?}*(time - sin({wave:?}*time)/{wave:?})"), angle),
                    within(format!("{mean:?}*(1 - cos({wave:?}*time))"), 0.0),
                    within(format!("{:?}*sin({wave:?}*time)", mean * wave), 0.0),
                ]
            }
            Self::Turn { rate, .. } => [format!("{rate:?}*time"), format!("{rate:?}"), "0".to_owned()],
        }
    }

    fn axis(&self) -> (V3, V3) {
        match *self {
            Self::Rest => (V3::zeros(), V3::z()),
            Self::Even(velocity) => (V3::zeros(), velocity.normalize()),
            Self::Swing { point, axis, .. } | Self::Turn { point, axis, .. } => (point, axis),
        }
    }
}

/// The model on a base of this mass and radius of gyration.
pub(super) fn mounted(model: &Model, ride: Ride, mass: f64, length: f64) -> Model {
    let (point, axis) = ride.axis();
    let (mut origin, mut turn, mut velocity, mut rate) = (V3::zeros(), M3::identity(), V3::zeros(), V3::zeros());
    match ride {
        Ride::Even(along) => velocity = along,
        Ride::Turn { start, rate: speed, .. } => {
            turn = rotation(&(axis * start));
            origin = point - turn * point;
            rate = axis * speed;
            velocity = -rate.cross(&point);
        }
        _ => {}
    }
    let carrier = Carrier { velocity, rate, ..Carrier::on(BASE, origin, turn) };
    let gravity = model.gravity.clone();
    let mut whole = carried(model, &carrier);
    // That of the frame is turned by the weights of the bodies, where the base turns.
    whole.gravity = gravity;
    let mut base = body(mass, length);
    (base.velocity, base.angular_velocity) = (numbers(&velocity), numbers(&rate));
    whole.bodies.push(base);
    let slides = matches!(ride, Ride::Even(_));
    whole.joints.push(joint(if slides { JointKind::Prismatic } else { JointKind::Revolute }, point, axis));
    let displacement = match ride {
        Ride::Even(velocity) => format!("{:?}*time", velocity.norm()),
        _ => ride.angle()[0].clone(),
    };
    whole.motions.push(drive(&displacement, slides));
    whole
}

fn body(mass: f64, length: f64) -> Body {
    let inertia = number(0.4 * mass * length * length);
    Body {
        name: BASE.to_owned(),
        mass: number(mass),
        inertia: vec![inertia; 3],
        center_of_mass: zero(),
        position: zero(),
        orientation: Orientation::default(),
        velocity: zero(),
        angular_velocity: zero(),
        exact: Vec::new(),
        solids: Vec::new(),
    }
}

fn joint(kind: JointKind, point: V3, axis: V3) -> Joint {
    let x = axis.cross(&if axis.x.abs() < 0.8 { V3::x() } else { V3::y() }).normalize();
    let frame = axes(&M3::from_columns(&[x, axis.cross(&x), axis]));
    let on = |body: &str| -> MarkerRef {
        let orientation = frame.clone();
        Place { body: body.to_owned(), position: numbers(&point), orientation, frame: Frame::Body }.into()
    };
    let name = format!("{BASE} joint");
    Joint { name, kind, i: on(BASE), j: on(GROUND), length: None, pitch: None, initial: Default::default() }
}

fn drive(displacement: &str, slides: bool) -> Motion {
    Motion {
        name: format!("{BASE} motion"),
        joint: Some(format!("{BASE} joint")),
        i: None,
        j: None,
        direction: Some(if slides { MotionDirection::Translation } else { MotionDirection::Rotation }),
        displacement: Some(text(displacement)),
        velocity: None,
        acceleration: None,
        initial_displacement: None,
        initial_velocity: None,
    }
}

fn text(text: &str) -> Expression {
    Expression::parse(text).unwrap_or_else(|error| panic!("{text}: {error}"))
}

/// The model with its gravity as forces on the bodies in the axes of the ground, so that they turn with a base.
pub(super) fn weighed(model: &Model, mechanism: &Mechanism) -> Model {
    let mut other = model.clone();
    other.gravity = zero();
    let gravity = mechanism.gravity();
    for body in mechanism.bodies() {
        let name = format!("weight of {}", body.name);
        let value = numbers(&(gravity * body.mass));
        other.forces.push(Force::Force(VectorForce { name, i: center(body), reaction: None, frame: None, value }));
    }
    other
}

fn center(body: &RigidBody) -> MarkerRef {
    let position = numbers(&body.center_of_mass());
    Place { body: body.name.clone(), position, orientation: Orientation::default(), frame: Frame::Body }.into()
}

/// The model with the loads of inertia that its bodies have, seen from a base that rides so (Kane, Levinson: Dynamics, 1985, section 4.11; of
/// Euler's equations what the turning of the frame adds).
pub(super) fn as_seen(model: &Model, mechanism: &Mechanism, ride: Ride) -> Model {
    let mut other = model.clone();
    let (point, axis) = ride.axis();
    let [_, rate, second] = ride.angle();
    for (k, body) in mechanism.bodies().iter().enumerate() {
        other.measures.extend(inertia::measures(k, center(body), point, axis));
        let force = inertia::force(k, body.mass, axis, &rate, &second).map(|e| text(&e));
        let name = format!("inertia of {}", body.name);
        other.forces.push(Force::Force(VectorForce {
            name: name.clone(),
            i: center(body),
            reaction: None,
            frame: None,
            value: force,
        }));
        if body.inertia.amax() > 0.0 {
            let torque = inertia::torque(k, &body.inertia, &rate, &second).map(|e| text(&e));
            let frame = Some(MarkerRef::Name(body.name.clone()));
            let name = format!("turning {name}");
            other.forces.push(Force::Torque(VectorForce {
                name,
                i: center(body),
                reaction: None,
                frame,
                value: torque,
            }));
        }
    }
    other
}
