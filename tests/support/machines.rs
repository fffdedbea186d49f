//! Mechanisms built in code, for tests and benches.

use fourbar::multibody::expression::Expression;
use fourbar::multibody::model::{
    Body, Joint, JointKind, MarkerRef, Measure, MeasureKind, Model, Orientation, PairMeasure, Place, VectorMeasure,
    vector, zero,
};

pub(crate) const GRAVITY: f64 = 9.81;

/// A body at rest without turn.
pub(crate) fn body(name: &str, mass: f64, inertia: [f64; 3], position: [f64; 3]) -> Body {
    Body {
        name: name.to_owned(),
        mass: Expression::constant(mass),
        inertia: inertia.map(Expression::constant).to_vec(),
        center_of_mass: zero(),
        position: vector(position),
        orientation: Orientation::default(),
        velocity: zero(),
        angular_velocity: zero(),
        exact: Vec::new(),
        solids: Vec::new(),
    }
}

/// A point of a body.
pub(crate) fn at(body: &str, position: [f64; 3]) -> MarkerRef {
    Place {
        body: body.to_owned(),
        position: vector(position),
        orientation: Orientation::default(),
        frame: Default::default(),
    }
    .into()
}

/// A point of a body with a z axis.
pub(crate) fn hinge(body: &str, position: [f64; 3], z: [f64; 3]) -> MarkerRef {
    let orientation = Orientation::z_along(z);
    Place { body: body.to_owned(), position: vector(position), orientation, frame: Default::default() }.into()
}

pub(crate) fn joint(name: &str, kind: JointKind, i: MarkerRef, j: MarkerRef) -> Joint {
    let pitch = (kind == JointKind::Screw).then(|| 0.4.into());
    Joint { name: name.to_owned(), kind, i, j, length: None, pitch, initial: Default::default() }
}

pub(crate) fn position(name: &str, marker: MarkerRef) -> Measure {
    let kind =
        MeasureKind::Position(VectorMeasure { i: marker, j: None, frame: None, component: None, seen_from: None });
    Measure { name: name.to_owned(), kind }
}

pub(crate) fn angle(name: &str, i: MarkerRef, j: Option<MarkerRef>) -> Measure {
    Measure { name: name.to_owned(), kind: MeasureKind::Angle(PairMeasure { i, j }) }
}

fn gravity_down() -> Model {
    Model { gravity: vector([0.0, -GRAVITY, 0.0]), ..Model::default() }
}

/// Moments of inertia of a uniform rod of 1 m and 1 kg along x: 1/12 across, a little along.
const ROD_X: [f64; 3] = [0.01, 1.0 / 12.0, 1.0 / 12.0];
const ROD_Y: [f64; 3] = [1.0 / 12.0, 0.01, 1.0 / 12.0];

/// n uniform rods, 1 m and 1 kg each, horizontal along x, each hinged to the one before by a revolute joint about z.
pub(crate) fn chain(n: usize) -> Model {
    let mut model = gravity_down();
    for k in 0..n {
        model.bodies.push(body(&format!("rod{k}"), 1.0, ROD_X, [k as f64 + 0.5, 0.0, 0.0]));
        let before = if k == 0 { at("ground", [0.0; 3]) } else { at(&format!("rod{}", k - 1), [0.5, 0.0, 0.0]) };
        let own = at(&format!("rod{k}"), [-0.5, 0.0, 0.0]);
        model.joints.push(joint(&format!("hinge{k}"), JointKind::Revolute, own, before));
        model.measures.push(angle(&format!("q{k}"), MarkerRef::from(format!("rod{k}").as_str()), None));
    }
    model
}

/// The same chain with hinges about y and z in turn, so that it moves in space.
pub(crate) fn spatial_chain(n: usize) -> Model {
    let mut model = chain(n);
    model.measures.clear();
    for (k, joint) in model.joints.iter_mut().enumerate() {
        let z = if k % 2 == 0 { [0.0, 0.0, 1.0] } else { [0.0, 1.0, 0.0] };
        joint.i = hinge(&format!("rod{k}"), [-0.5, 0.0, 0.0], z);
        joint.j =
            if k == 0 { hinge("ground", [0.0; 3], z) } else { hinge(&format!("rod{}", k - 1), [0.5, 0.0, 0.0], z) };
    }
    model
}

/// IFToMM problem A02: n + 1 rods on ground pivots, n couplers joining their tops, upright, tops moving at 1 m/s.
pub(crate) fn ladder(n: usize) -> Model {
    let mut model = gravity_down();
    for k in 0..=n {
        let name = format!("rod{k}");
        let mut rod = body(&name, 1.0, ROD_Y, [k as f64, 0.5, 0.0]);
        rod.velocity = vector([0.5, 0.0, 0.0]);
        rod.angular_velocity = vector([0.0, 0.0, -1.0]);
        model.bodies.push(rod);
        let (foot, pivot) = (at(&name, [0.0, -0.5, 0.0]), at("ground", [k as f64, 0.0, 0.0]));
        model.joints.push(joint(&format!("base{k}"), JointKind::Revolute, foot, pivot));
    }
    for k in 0..n {
        let name = format!("coupler{k}");
        let mut coupler = body(&name, 1.0, ROD_X, [k as f64 + 0.5, 1.0, 0.0]);
        coupler.velocity = vector([1.0, 0.0, 0.0]);
        model.bodies.push(coupler);
        for (end, x, rod) in [("left", -0.5, k), ("right", 0.5, k + 1)] {
            let (own, top) = (at(&name, [x, 0.0, 0.0]), at(&format!("rod{rod}"), [0.0, 0.5, 0.0]));
            model.joints.push(joint(&format!("{end}{k}"), JointKind::Revolute, own, top));
        }
    }
    model.measures.push(position("B0", at("rod0", [0.0, 0.5, 0.0])));
    model.measures.push(Measure {
        name: "vB0".to_owned(),
        kind: MeasureKind::Velocity(VectorMeasure {
            i: at("rod0", [0.0, 0.5, 0.0]),
            j: None,
            frame: None,
            component: None,
            seen_from: None,
        }),
    });
    model
}
