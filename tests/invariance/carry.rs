//! A machine whose ground is another frame: turned as a whole, moved, or fixed to a body that moves.

use fourbar::multibody::expression::Expression;
use fourbar::multibody::model::{
    Body, Frame, GROUND, MarkerRef, Model, Orientation, Place, Placed, Vector3, Walk, vector,
};
use fourbar::multibody::space::{M3, V3};
use fourbar::multibody::{Location, Names};

/// The frame that takes the place of the ground.
#[derive(Debug, Clone)]
pub(super) struct Carrier {
    /// Body that it is fixed to, whose frame is the global one at the start; or the ground.
    pub(super) body: String,
    /// Origin \[m\].
    pub(super) origin: V3,
    /// Axes, as columns.
    pub(super) axes: M3,
    /// Velocity of the body at the global origin at the start [m/s].
    pub(super) velocity: V3,
    /// Angular velocity of the body at the start [rad/s].
    pub(super) rate: V3,
}

impl Carrier {
    /// Fixed to the ground.
    pub(super) fn fixed(origin: V3, axes: M3) -> Self {
        Self { body: GROUND.to_owned(), origin, axes, velocity: V3::zeros(), rate: V3::zeros() }
    }

    /// Fixed to a body at rest.
    pub(super) fn on(body: &str, origin: V3, axes: M3) -> Self {
        Self { body: body.to_owned(), ..Self::fixed(origin, axes) }
    }
}

/// The model with its ground on `carrier`; gravity turns with it.
pub(super) fn carried(model: &Model, carrier: &Carrier) -> Model {
    let names = Names::new(model).expect("the model is valid");
    let mut moved = model.clone();
    let gravity = names.vector(&model.gravity, &nowhere()).expect("gravity has a value");
    moved.gravity = numbers(&(carrier.axes * gravity));
    for (k, body) in moved.bodies.iter_mut().enumerate() {
        carry(carrier, &names, k, body);
    }
    moved.walk(&mut Moving { carrier, names: &names });
    moved
}

/// Why it cannot be carried, if so.
pub(super) fn refusal(model: &Model) -> Option<&'static str> {
    if model.bodies.iter().any(|body| !body.exact.is_empty() && body.exact.iter().any(|e| is_component(*e))) {
        return Some("`exact` names components in global axes");
    }
    (!model.flexible.is_empty()).then_some("flexible bodies are not carried")
}

fn is_component(exact: fourbar::multibody::model::Exact) -> bool {
    use fourbar::multibody::model::Exact as E;
    !matches!(exact, E::Orientation | E::AngularVelocity)
}

fn carry(carrier: &Carrier, names: &Names<'_>, k: usize, body: &mut Body) {
    let value = |v: &Vector3| names.vector(v, &nowhere()).expect("a body has values");
    let (r, c) = names.frame(k);
    let (r, c) = (carrier.origin + carrier.axes * r, carrier.axes * c);
    // The frame of the body, from its centre of mass.
    let frame = names.marker(&MarkerRef::Name(body.name.clone()), &nowhere()).expect("a body is a marker");
    let rate = carrier.axes * value(&body.angular_velocity) + carrier.rate;
    let velocity = carrier.axes * value(&body.velocity) + carrier.velocity + carrier.rate.cross(&(r - c * frame.r));
    (body.position, body.orientation) = (numbers(&r), axes(&c));
    (body.velocity, body.angular_velocity) = (numbers(&velocity), numbers(&rate));
}

pub(super) fn nowhere() -> Location {
    Location { section: "", index: 0, name: String::new(), field: String::new() }
}

pub(super) fn numbers(v: &V3) -> Vector3 {
    vector([v.x, v.y, v.z])
}

pub(super) fn axes(a: &M3) -> Orientation {
    let axis = |k: usize| Some(vector([0, 1, 2].map(|row| a[(row, k)])));
    Orientation { z_axis: axis(2), x_axis: axis(0), ..Orientation::default() }
}

/// Puts on the carrier what stands on the ground.
struct Moving<'a> {
    carrier: &'a Carrier,
    names: &'a Names<'a>,
}

impl Moving<'_> {
    fn place_of(&self, r: &V3, c: &M3) -> Place {
        let Carrier { body, origin, axes: turn, .. } = self.carrier;
        Place {
            body: body.clone(),
            position: numbers(&(origin + turn * r)),
            orientation: axes(&(turn * c)),
            frame: Frame::Body,
        }
    }

    fn ground(&self) -> MarkerRef {
        self.place_of(&V3::zeros(), &M3::identity()).into()
    }
}

impl Walk for Moving<'_> {
    fn reference(&mut self, reference: &mut MarkerRef) {
        match reference {
            MarkerRef::Name(name) if name == GROUND => *reference = self.ground(),
            _ => self.parts_of_reference(reference),
        }
    }

    fn frame(&mut self, reference: &mut Option<MarkerRef>) {
        match reference {
            Some(reference) => self.reference(reference),
            None => *reference = Some(self.ground()),
        }
    }

    fn carrier(&mut self, body: &mut Option<String>) {
        if body.as_deref().is_none_or(|name| name == GROUND) {
            *body = Some(self.carrier.body.clone());
        }
    }

    fn place(&mut self, place: Placed<'_>) {
        if place.body != GROUND && *place.frame == Frame::Body {
            return;
        }
        let written = Place {
            body: place.body.clone(),
            position: place.position.clone(),
            orientation: place.orientation.clone(),
            frame: *place.frame,
        };
        let (_, r, c) = self.names.in_body(&written.into(), &nowhere()).expect("a marker has a place");
        let new = match place.body == GROUND {
            true => self.place_of(&r, &c),
            false => {
                Place { body: place.body.clone(), position: numbers(&r), orientation: axes(&c), frame: Frame::Body }
            }
        };
        (*place.body, *place.position) = (new.body, new.position);
        (*place.orientation, *place.frame) = (new.orientation, new.frame);
    }
}

/// An expression of a number.
pub(super) fn number(value: f64) -> Expression {
    Expression::constant(value)
}
