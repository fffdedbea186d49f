//! Loads of inertia in a frame that turns about a fixed axis, as expressions of measures in that frame.
//!
//! With the axis e through a point, r from there to the centre of mass, its velocity v and the angular velocity w of the body as seen from the frame,
//! psi' and psi'' of the frame:
//!
//! ```text
//! F = -m (psi'' e x r + psi'^2 e x (e x r) + 2 psi' e x v)
//! T = -(J (psi'' e - psi' w x e) + psi'^2 e x J e + psi' (e x J w + w x J e))        in axes of the body
//! ```

use super::carry::numbers;
use fourbar::multibody::model::{Frame, GROUND, MarkerRef, Measure, MeasureKind, Orientation, Place, VectorMeasure};
use fourbar::multibody::space::{M3, V3};

/// r, v in axes of the ground, w and e in axes of body `k`.
pub(super) fn measures(k: usize, center: MarkerRef, point: V3, axis: V3) -> Vec<Measure> {
    let at = |position: V3| -> MarkerRef {
        let orientation = Orientation::default();
        Place { body: GROUND.to_owned(), position: numbers(&position), orientation, frame: Frame::Body }.into()
    };
    let of = |i: MarkerRef, j: Option<MarkerRef>, frame: Option<MarkerRef>| VectorMeasure {
        i,
        j,
        frame,
        seen_from: None,
        component: None,
    };
    let own = Some(center.clone());
    [
        ("r", MeasureKind::Position(of(center.clone(), Some(at(point)), None))),
        ("v", MeasureKind::Velocity(of(center.clone(), None, None))),
        ("w", MeasureKind::AngularVelocity(of(center, None, own.clone()))),
        ("e", MeasureKind::Position(of(at(point + axis), Some(at(point)), own))),
    ]
    .map(|(letter, kind)| Measure { name: format!("seen_{letter}{k}"), kind })
    .into()
}

/// Three numbers as text.
type Texts = [String; 3];

fn named(letter: &str, k: usize) -> Texts {
    ["x", "y", "z"].map(|part| format!("seen_{letter}{k}.{part}"))
}

fn constant(v: &V3) -> Texts {
    [0, 1, 2].map(|k| format!("({:?})", v[k]))
}

fn cross(a: &Texts, b: &Texts) -> Texts {
    [(1, 2), (2, 0), (0, 1)].map(|(k, l)| format!("({}*{} - {}*{})", a[k], b[l], a[l], b[k]))
}

fn times(matrix: &M3, v: &Texts) -> Texts {
    [0, 1, 2].map(|row| {
        let terms = (0..3).filter(|k| matrix[(row, *k)] != 0.0);
        let sum: Vec<String> = terms.map(|k| format!("({:?})*{}", matrix[(row, k)], v[k])).collect();
        if sum.is_empty() { "0".to_owned() } else { format!("({})", sum.join(" + ")) }
    })
}

/// F, in axes of the ground.
pub(super) fn force(k: usize, mass: f64, axis: V3, rate: &str, second: &str) -> Texts {
    let e = constant(&axis);
    let around = cross(&e, &named("r", k));
    let (inwards, aside) = (cross(&e, &around), cross(&e, &named("v", k)));
    [0, 1, 2].map(|i| {
        let [around, inwards, aside] = [&around[i], &inwards[i], &aside[i]];
        format!("-{mass:?}*(({second})*{around} + ({rate})^2*{inwards} + 2*({rate})*{aside})")
    })
}

/// T, in axes of the body.
pub(super) fn torque(k: usize, inertia: &M3, rate: &str, second: &str) -> Texts {
    let (e, w) = (named("e", k), named("w", k));
    let (along, spin) = (times(inertia, &e), times(inertia, &w));
    let turned = times(inertia, &cross(&w, &e));
    let (steady, one, two) = (cross(&e, &along), cross(&e, &spin), cross(&w, &along));
    [0, 1, 2].map(|i| {
        let [along, turned, steady, one, two] = [&along[i], &turned[i], &steady[i], &one[i], &two[i]];
        format!("-(({second})*{along} + ({rate})*({one} + {two} - {turned}) + ({rate})^2*{steady})")
    })
}
