//! What a node of a file that is moved later says of its place.

use super::extras;
use crate::scene::{Carrier, Film, Item, SpanPart};
use fourbar_multibody::space::FixedFrame;
use serde_json::{Value, json};

/// Group and carrier of an item. Frames are given from the origins of their bodies: `body`, `r` and the axes as columns, `c`.
pub(super) fn extras_of(item: &Item, film: &Film) -> gltf_json::Extras {
    let frame = |frame: &FixedFrame| {
        let r = frame.r + film.scene.bodies[frame.body].center;
        json!({ "body": frame.body, "r": r.as_slice(), "c": frame.c.as_slice() })
    };
    let mut all = super::group_of(item);
    let (key, value): (&str, Value) = match &item.carrier {
        Carrier::Span { i, j, part } => {
            let part = match part {
                SpanPart::Stretched => "stretched",
                SpanPart::AtFirst => "first",
                SpanPart::AtSecond => "second",
            };
            ("span", json!({ "i": frame(i), "j": frame(j), "part": part }))
        }
        Carrier::Bend { i, j, from_to } => ("bend", json!({ "i": frame(i), "j": frame(j), "from_to": from_to })),
        Carrier::Force { element, torque } => {
            let at = film.frames.first().and_then(|first| first.forces.get(*element)).map(|load| frame(&load.i));
            ("force", json!({ "element": element, "torque": torque, "at": at }))
        }
        Carrier::Reaction { set, at, torque } => {
            let number = film.carried.iter().position(|carried| carried == set);
            ("reaction", json!({ "number": number, "torque": torque, "at": number.map(|_| frame(at)) }))
        }
        Carrier::Body(_) => ("following", following(item, film)),
        // Contacts do not come with the poses.
        Carrier::Contact { .. } => ("contact", Value::Null),
    };
    if !value.is_null() {
        all[key] = value;
    }
    extras(&all)
}

/// How a rail or floor is stretched: axes of its own, the points of bodies beyond which it leads, and how far; null of what is not.
fn following(item: &Item, film: &Film) -> Value {
    let scene = &film.scene;
    let own = scene.following.iter().find(|following| std::ptr::eq(&scene.items[following.item], item));
    let Some(own) = own else { return Value::Null };
    let points = own.points.iter().map(|point| {
        let r = point.r + scene.bodies[point.body].center;
        (point.body, r.x, r.y, r.z)
    });
    let points: Vec<_> = points.collect();
    json!({ "axes": own.axes(), "beyond": own.beyond(scene.length), "points": points, "depth": own.depth(scene.length) })
}
