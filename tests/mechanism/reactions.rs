//! Joint reactions: unique ones against references, redundant ones against statics.

use crate::mechanism::machines::{at, body, hinge, joint, ladder};
use crate::mechanism::{number, numbers, reference, run};
use fourbar::multibody::Formulation;
use fourbar::multibody::model::{Component, JointKind, Measure, MeasureKind, Model, Quantity, ReactionMeasure, vector};

fn reaction(name: &str, joint: &str, quantity: Quantity) -> Measure {
    let kind = MeasureKind::Reaction(ReactionMeasure {
        joint: Some(joint.to_owned()),
        motion: None,
        quantity,
        frame: None,
        component: None,
        force: None,
        coupler: None,
        gear: None,
        rack_and_pinion: None,
        point_on_curve: None,
        curve_on_curve: None,
        constraint: None,
    });
    Measure { name: name.to_owned(), kind }
}

/// In-plane reactions of A02 with N = 2 are unique although nine rows are redundant.
#[test]
fn ladder_reactions_in_its_plane() {
    let mut model = ladder(2);
    // Marker I is on the rod at the base and on the coupler at its ends.
    let joints = [
        ("base0", "ground_on_rod0_at_base"),
        ("base1", "ground_on_rod1_at_base"),
        ("base2", "ground_on_rod2_at_base"),
        ("left0", "rod0_on_coupler0"),
        ("right0", "rod1_on_coupler0"),
        ("left1", "rod1_on_coupler1"),
        ("right1", "rod2_on_coupler1"),
    ];
    for (joint, _) in joints {
        model.measures.push(reaction(joint, joint, Quantity::Force));
    }
    let data = reference("A02_N2");
    let samples: Vec<_> = data["joint_reactions_N"]["samples"]
        .as_array()
        .expect("samples")
        .iter()
        .filter(|s| number(&s["t"]) < 0.65)
        .collect();
    let times: Vec<f64> = samples.iter().map(|s| number(&s["t"])).collect();
    let run = run(&model, Formulation::Si2, 1e-9, &times);
    assert!(!run.dynamics.reactions_unique());
    for (k, sample) in samples.iter().enumerate() {
        for (joint, name) in joints {
            let expected = numbers(&sample["reactions"][name]);
            for (c, axis) in ["x", "y"].iter().enumerate() {
                let value = run.value(k, &format!("{joint}.{axis}"));
                assert!(
                    (value - expected[c]).abs() < 1e-5,
                    "t = {}, {joint}.{axis}: {value} against {}",
                    times[k],
                    expected[c]
                );
            }
            assert!(run.value(k, &format!("{joint}.z")).abs() < 1e-9);
        }
    }
}

/// Of a planar linkage the forces in its plane are unique, those across it are not: one is warned of what is measured alone, by name.
#[test]
fn what_is_unique_of_redundant_joints_is_no_warning() {
    let along = |component: Component| {
        let mut model = ladder(2);
        for joint in ["base0", "left1"] {
            let mut measure = reaction(joint, joint, Quantity::Force);
            if let MeasureKind::Reaction(reaction) = &mut measure.kind {
                reaction.component = Some(component);
            }
            model.measures.push(measure);
        }
        run(&model, Formulation::Si2, 1e-6, &[0.01]).dynamics.warnings()
    };
    for component in [Component::X, Component::Y] {
        assert_eq!(along(component), Vec::<String>::new());
    }
    let told = along(Component::Z);
    assert!(told.len() == 1 && told[0].contains("\"base0\", \"left1\""), "{told:?}");
}

/// A door on two hinges: five redundant rows, the weight shared equally.
#[test]
fn two_hinges_share_the_load() {
    let mut model = Model { gravity: vector([0.0, 0.0, -10.0]), ..Model::default() };
    model.bodies.push(body("door", 3.0, [0.1, 0.1, 0.1], [0.5, 0.0, 0.0]));
    for (name, z) in [("low", -1.0), ("high", 1.0)] {
        let (i, j) = (hinge("door", [-0.5, 0.0, z], [0.0, 0.0, 1.0]), hinge("ground", [0.0, 0.0, z], [0.0, 0.0, 1.0]));
        model.joints.push(joint(name, JointKind::Revolute, i, j));
        model.measures.push(reaction(name, name, Quantity::Force));
        model.measures.push(reaction(&format!("{name}_t"), name, Quantity::Torque));
    }
    let run = run(&model, Formulation::Si2, 1e-8, &[0.1]);
    let v = |m: &str| run.value(0, m);
    assert!((v("low.z") - 15.0).abs() < 1e-9 && (v("high.z") - 15.0).abs() < 1e-9);
    assert!((v("low.x") + v("high.x")).abs() < 1e-9);
    // Moments about the origin: force couples and torques together carry 30 N at 0.5 m.
    let couple = v("high.x") * 1.0 - v("low.x") * 1.0 + v("low_t.y") + v("high_t.y");
    assert!((couple + 15.0).abs() < 1e-9, "{couple}");
}

/// The sign: what the joint does to the body of marker I, about the origin of I.
#[test]
fn a_cantilever_is_held_from_below() {
    let mut model = Model { gravity: vector([0.0, -10.0, 0.0]), ..Model::default() };
    model.bodies.push(body("beam", 2.0, [0.1, 0.1, 0.1], [1.0, 0.0, 0.0]));
    model.joints.push(joint("wall", JointKind::Fixed, at("beam", [-1.0, 0.0, 0.0]), at("ground", [0.0; 3])));
    model.measures = vec![reaction("f", "wall", Quantity::Force), reaction("m", "wall", Quantity::Torque)];
    let run = run(&model, Formulation::Si2, 1e-8, &[0.1]);
    assert!((run.value(0, "f.y") - 20.0).abs() < 1e-10);
    assert!((run.value(0, "m.z") - 20.0).abs() < 1e-10);
    assert!(run.dynamics.reactions_unique());
}
