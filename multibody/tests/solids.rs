//! Bodies made of solids: mass, centre and inertia against sums of many small parts, wherever and however the solids lie.

use fourbar_multibody::Mechanism;
use fourbar_multibody::expression::Expression;
use fourbar_multibody::model::{Body, Model, Orientation, Solid, SolidKind, vector};
use nalgebra::{Matrix3, Rotation3, Vector3};
use proptest::prelude::*;

fn number(value: f64) -> Expression {
    Expression::constant(value)
}

fn model(solids: Vec<Solid>) -> Model {
    let body: Body = serde_json::from_value(serde_json::json!({ "name": "body" })).unwrap();
    Model { bodies: vec![Body { solids, ..body }], ..Model::default() }
}

/// Mass, centre of mass and inertia about it.
fn made_of(solids: Vec<Solid>) -> (f64, Vector3<f64>, Matrix3<f64>) {
    let mechanism = Mechanism::compile(&model(solids)).unwrap();
    let body = &mechanism.bodies()[0];
    (body.mass, body.center_of_mass(), body.inertia)
}

/// A solid of every kind with sizes about `l`, and whether a point of it, in its axes, is inside.
type Inside = Box<dyn Fn(&Vector3<f64>) -> bool>;

fn kinds(l: f64) -> Vec<(Solid, Inside)> {
    let round = |p: &Vector3<f64>| p.x.hypot(p.y);
    let outline = vec![[0.0, 0.0], [0.9, 0.1], [0.7, 0.8], [0.4, 0.3], [0.05, 0.7]];
    let with = |kind, fill: &dyn Fn(&mut Solid)| {
        let mut solid = Solid { density: Some(number(7.0)), ..Solid::new(kind) };
        fill(&mut solid);
        solid
    };
    let corners: Vec<[f64; 2]> = outline.clone();
    let polygon = move |p: &Vector3<f64>| {
        let (x, y) = (p.x / l, p.y / l);
        let n = corners.len();
        let crossed = (0..n).filter(|&k| {
            let ([ax, ay], [bx, by]) = (corners[k], corners[(k + 1) % n]);
            (ay > y) != (by > y) && x < ax + (y - ay) / (by - ay) * (bx - ax)
        });
        crossed.count() % 2 == 1 && p.z.abs() < 0.1 * l
    };
    vec![
        (
            with(SolidKind::Box, &|s| s.size = Some(vector([l, 0.5 * l, 0.2 * l]))),
            Box::new(move |p| p.x.abs() < 0.5 * l && p.y.abs() < 0.25 * l && p.z.abs() < 0.1 * l),
        ),
        (
            with(SolidKind::Cylinder, &|s| {
                (s.radius, s.length, s.inner_radius) =
                    (Some(number(0.4 * l)), Some(number(0.7 * l)), Some(number(0.3 * l)));
            }),
            Box::new(move |p| (0.3 * l..0.4 * l).contains(&round(p)) && p.z.abs() < 0.35 * l),
        ),
        (
            with(SolidKind::Sphere, &|s| (s.radius, s.inner_radius) = (Some(number(0.5 * l)), Some(number(0.3 * l)))),
            Box::new(move |p| (0.3 * l..0.5 * l).contains(&p.norm())),
        ),
        (
            with(SolidKind::Capsule, &|s| (s.radius, s.length) = (Some(number(0.3 * l)), Some(number(0.4 * l)))),
            Box::new(move |p| {
                let z = p.z.abs() - 0.2 * l;
                if z < 0.0 { round(p) < 0.3 * l } else { round(p).hypot(z) < 0.3 * l }
            }),
        ),
        (
            with(SolidKind::Bar, &|s| {
                (s.from, s.to) = (Some(vector([-0.1 * l, 0.0, 0.0])), Some(vector([0.5 * l, 0.3 * l, 0.0])));
                (s.width, s.thickness) = (Some(number(0.3 * l)), Some(number(0.2 * l)));
            }),
            Box::new(move |p| {
                let (d, way) = (p - Vector3::new(-0.1 * l, 0.0, 0.0), Vector3::new(0.6 * l, 0.3 * l, 0.0));
                let along = d.dot(&way) / way.norm();
                let across = (d.y * way.x - d.x * way.y) / way.norm();
                along > 0.0 && along < way.norm() && across.abs() < 0.15 * l && p.z.abs() < 0.1 * l
            }),
        ),
        (
            with(SolidKind::Plate, &|s| {
                s.outline = outline.iter().map(|corner| corner.map(|x| number(x * l))).collect();
                s.thickness = Some(number(0.2 * l));
            }),
            Box::new(polygon),
        ),
    ]
}

/// Sums over two million evenly scattered points, of which some ten thousand lie inside (the additive recurrence of Roberts 2018, with powers of the root of x^4 = x + 1).
#[test]
fn every_kind_weighs_what_its_parts_weigh() {
    let n = 2_000_000;
    for (index, (solid, inside)) in kinds(1.0).into_iter().enumerate() {
        let step = Vector3::new(1.0, 2.0, 3.0).map(|k| 1.220_744_084_605_759_5_f64.powf(-k));
        let (mut mass, mut first, mut second) = (0.0, Vector3::zeros(), Matrix3::zeros());
        for k in 0..n {
            let p = step.map(|step| (f64::from(k) * step).fract() * 2.4 - 1.2);
            if inside(&p) {
                let m = 7.0 * 2.4_f64.powi(3) / f64::from(n);
                mass += m;
                first += m * p;
                second += m * (Matrix3::identity() * p.norm_squared() - p * p.transpose());
            }
        }
        let center = first / mass;
        let about = second - mass * (Matrix3::identity() * center.norm_squared() - center * center.transpose());
        let (own, at, inertia) = made_of(vec![solid]);
        assert!((own / mass - 1.0).abs() < 5e-3, "{index}: mass {own} against {mass}");
        assert!((at - center).norm() < 3e-3, "{index}: {at} against {center}");
        assert!((inertia - about).norm() < 1e-2 * about.norm(), "{index}: {inertia} against {about}");
    }
}

/// A box cut into eight, and a tube into a cylinder less its hole.
#[test]
fn parts_make_the_whole() {
    let block = |size: [f64; 3], position: [f64; 3]| Solid {
        size: Some(vector(size)),
        position: vector(position),
        density: Some(number(2.5)),
        ..Solid::new(SolidKind::Box)
    };
    let whole = made_of(vec![block([0.4, 0.6, 0.8], [1.0, 2.0, 3.0])]);
    let corners = (0..8).map(|k| [0, 1, 2].map(|axis| if k >> axis & 1 == 1 { 1.0 } else { -1.0 }));
    let parts =
        corners.map(|[x, y, z]| block([0.2, 0.3, 0.4], [1.0 + 0.1 * x, 2.0 + 0.15 * y, 3.0 + 0.2 * z])).collect();
    let parts = made_of(parts);
    assert!((whole.0 - parts.0).abs() < 1e-14 && (whole.1 - parts.1).norm() < 1e-14);
    assert!((whole.2 - parts.2).norm() < 1e-13 * whole.2.norm());
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    /// In other units, moved and turned: mass goes by the cube, inertia by the fifth power, and both turn with the solid.
    #[test]
    fn solids_of_any_size_place_and_direction(
        kind in 0..6_usize,
        size in -6.0..3.0_f64,
        place in prop::array::uniform3(-10.0..10.0_f64),
        turn in prop::array::uniform3(-3.0..3.0_f64),
    ) {
        let l = 10.0_f64.powf(size);
        let (unit, ..) = kinds(1.0).swap_remove(kind);
        let (mut moved, ..) = kinds(l).swap_remove(kind);
        let a = Rotation3::from_scaled_axis(Vector3::from(turn));
        let axis = |k: usize| Some(vector([0, 1, 2].map(|row| a.matrix()[(row, k)])));
        moved.position = vector(place.map(|x| x * l));
        moved.orientation = Orientation { z_axis: axis(2), x_axis: axis(0), ..Orientation::default() };
        let ((m1, c1, j1), (m, c, j)) = (made_of(vec![unit]), made_of(vec![moved]));
        prop_assert!((m / (m1 * l.powi(3)) - 1.0).abs() < 1e-12);
        prop_assert!((c / l - (Vector3::from(place) + a * c1)).norm() < 1e-12 * 20.0);
        let turned = a.matrix() * j1 * a.matrix().transpose();
        prop_assert!((j / l.powi(5) - turned).norm() < 1e-12 * turned.norm());
    }
}

#[test]
fn what_solids_refuse() {
    let refused = |change: &dyn Fn(&mut Solid), words: &str| {
        let mut solid =
            Solid { radius: Some(number(1.0)), density: Some(number(1.0)), ..Solid::new(SolidKind::Sphere) };
        change(&mut solid);
        let error = Mechanism::compile(&model(vec![solid])).unwrap_err().to_string();
        assert!(error.contains(words), "{error}");
    };
    refused(&|s| s.radius = None, "`radius`");
    refused(&|s| s.radius = Some(number(-1.0)), "radius");
    refused(&|s| s.length = Some(number(1.0)), "has no `length`");
    refused(&|s| s.density = None, "no mass");
    refused(&|s| s.mass = Some(number(1.0)), "both density and mass");
    refused(&|s| s.inner_radius = Some(number(1.0)), "inner_radius");
    let plate = |corners: &[[f64; 2]]| {
        let outline = corners.iter().map(|corner| corner.map(number)).collect();
        let base = Solid::new(SolidKind::Plate);
        let solid = Solid { outline, thickness: Some(number(0.1)), mass: Some(number(1.0)), ..base };
        Mechanism::compile(&model(vec![solid])).map(|_| ()).map_err(|error| error.to_string())
    };
    assert!(plate(&[[0.0, 0.0], [1.0, 0.0], [0.0, 1.0]]).is_ok());
    assert!(plate(&[[0.0, 0.0], [0.0, 1.0], [1.0, 0.0]]).is_ok());
    assert!(plate(&[[0.0, 0.0], [1.0, 1.0], [1.0, 0.0], [0.0, 1.0]]).unwrap_err().contains("crosses"));
    assert!(plate(&[[0.0, 0.0], [1.0, 0.0], [2.0, 0.0]]).unwrap_err().contains("no area"));
    assert!(plate(&[[0.0, 0.0], [1.0, 0.0]]).unwrap_err().contains("2 corners"));
    let both: Body = serde_json::from_value(serde_json::json!({
        "name": "b", "mass": 1, "solids": [{ "type": "sphere", "radius": 1, "mass": 1 }],
    }))
    .unwrap();
    let error = Mechanism::compile(&Model { bodies: vec![both], ..Model::default() }).unwrap_err().to_string();
    assert!(error.contains("solids of the body give it already"), "{error}");
}
