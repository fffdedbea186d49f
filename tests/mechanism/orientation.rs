//! Orientation charts: exchanged before they become singular, without a trace in the results.

use crate::mechanism::machines::body;
use crate::mechanism::run;
use fourbar::multibody::Formulation;
use fourbar::multibody::model::{MarkerRef, Measure, MeasureKind, Model, VectorMeasure, vector};

fn axis_measure(name: &str) -> Measure {
    let place = crate::mechanism::machines::at("top", [0.0, 0.0, 1.0]);
    Measure {
        name: name.to_owned(),
        kind: MeasureKind::Position(VectorMeasure { i: place, j: None, frame: None, component: None, seen_from: None }),
    }
}

/// A free body turning about its middle axis tumbles (Dzhanibekov's effect): every chart becomes singular again and again.
/// Energy and angular momentum tell whether the exchanges leave a trace.
#[test]
fn a_tumbling_body_keeps_energy_and_momentum() {
    let mut model = Model::default();
    let mut top = body("top", 1.0, [1.0, 2.0, 2.8], [0.0; 3]);
    top.angular_velocity = vector([1e-2, 8.0, 1e-2]);
    model.bodies.push(top);
    model.measures.push(axis_measure("p"));
    model.measures.push(Measure {
        name: "w".into(),
        kind: MeasureKind::AngularVelocity(VectorMeasure {
            i: MarkerRef::from("top"),
            j: None,
            frame: Some(MarkerRef::from("top")),
            component: None,
            seen_from: None,
        }),
    });
    let run = run(&model, Formulation::Si2, 1e-9, &[30.0]);
    let s = run.dynamics.statistics();
    assert!(s.factorizations.chart_exchange >= 3, "{s:?}");
    // Each exchange leaves step and order as they were.
    assert!(s.rejected_by_error < 10 && s.restarts == 0, "{s:?}");
    assert!(run.energy.balance_error.abs() < 1e-5 * run.energy.start, "{:?}", run.energy);
    let w = ["w.x", "w.y", "w.z"].map(|m| run.value(0, m));
    let momentum = ((w[0]).powi(2) + (2.0 * w[1]).powi(2) + (2.8 * w[2]).powi(2)).sqrt();
    let start = (1e-4_f64 + 256.0 + (2.8e-2_f64).powi(2)).sqrt();
    assert!((momentum / start - 1.0).abs() < 1e-6, "{momentum} against {start}");
    let p = ["p.x", "p.y", "p.z"].map(|m| run.value(0, m));
    assert!((p.iter().map(|x| x * x).sum::<f64>() - 1.0).abs() < 1e-12);
}

/// The same motion in frames turned in space: whatever chart it meets, the result is the same.
#[test]
fn results_do_not_depend_on_the_direction_in_space() {
    let (tilt, turn) = (nalgebra::Rotation3::from_euler_angles(0.9, -0.4, 1.3), nalgebra::Vector3::new(0.5, 7.0, 0.8));
    let mut ends = Vec::new();
    for rotation in [nalgebra::Rotation3::identity(), tilt] {
        let mut model = Model::default();
        let mut top = body("top", 1.0, [1.0, 2.0, 2.5], [0.0; 3]);
        let w = rotation * turn;
        top.angular_velocity = vector([w.x, w.y, w.z]);
        let q = nalgebra::UnitQuaternion::from_rotation_matrix(&rotation);
        top.orientation.quaternion =
            Some([q.w, q.i, q.j, q.k].map(fourbar::multibody::expression::Expression::constant));
        model.bodies.push(top);
        model.measures.push(axis_measure("p"));
        let run = run(&model, Formulation::Si2, 1e-10, &[5.0]);
        let p = nalgebra::Vector3::new(run.value(0, "p.x"), run.value(0, "p.y"), run.value(0, "p.z"));
        ends.push(rotation.inverse() * p);
    }
    assert!((ends[0] - ends[1]).norm() < 1e-6, "{} {}", ends[0], ends[1]);
}
