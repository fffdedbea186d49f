//! Shafts and slides for couplers and gears: bodies on joints of the ground or a carrier, drawn in any unit, place and direction.

use fourbar_multibody::integrator::{Abam, Gstiff, Rkf45, Stop};
use fourbar_multibody::model::Model;
use fourbar_multibody::{Dynamics, DynamicsOptions, Formulation, Mechanism, Method};
use nalgebra::{Rotation3, Vector3};
use serde_json::{Value, json};
use std::sync::Arc;

pub(crate) type V3 = Vector3<f64>;

/// How a machine is drawn: points are given in units of length of a frame of its own.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Drawn {
    /// Metres of a unit of length.
    pub(crate) unit: f64,
    /// Rotation vector of its frame.
    pub(crate) tilt: [f64; 3],
    /// Its origin is at (1, -0.5, 0.3) times this.
    pub(crate) origin: f64,
}

pub(crate) const PLAIN: Drawn = Drawn { unit: 1.0, tilt: [0.0; 3], origin: 0.0 };

/// Plain, in millimetres, in kilometres, tilted, moved, and with its axes swapped.
pub(crate) fn drawings() -> [Drawn; 6] {
    let third = std::f64::consts::TAU / 3.0 / 3.0_f64.sqrt();
    [
        PLAIN,
        Drawn { unit: 1e-3, ..PLAIN },
        Drawn { unit: 1e3, ..PLAIN },
        Drawn { tilt: [0.4, -0.7, 1.1], ..PLAIN },
        Drawn { origin: 1e3, tilt: [0.1, 0.2, -0.3], ..PLAIN },
        Drawn { tilt: [third; 3], ..PLAIN },
    ]
}

impl Drawn {
    /// A direction of the frame, in global axes.
    pub(crate) fn direction(&self, v: [f64; 3]) -> V3 {
        Rotation3::new(V3::from(self.tilt)) * V3::from(v)
    }

    /// A point, global [m].
    pub(crate) fn point(&self, p: [f64; 3]) -> V3 {
        (V3::new(1.0, -0.5, 0.3) * self.origin + self.direction(p)) * self.unit
    }

    /// A marker at a point, its z axis along a direction; its x axis is as far from that as can be.
    pub(crate) fn marker(&self, body: &str, p: [f64; 3], z: [f64; 3]) -> Value {
        let mut x = [0.0; 3];
        x[V3::from(z).iamin()] = 1.0;
        json!({"body": body, "position": vector(self.point(p)), "frame": "global",
            "orientation": {"z_axis": vector(self.direction(z)), "x_axis": vector(self.direction(x))}})
    }

    /// A body with its centre at a point and the same inertia about all axes.
    pub(crate) fn body(&self, name: &str, p: [f64; 3], mass: f64, inertia: f64) -> Value {
        let inertia = inertia * self.unit * self.unit;
        json!({"name": name, "mass": mass, "inertia": [inertia, inertia, inertia], "position": vector(self.point(p))})
    }
}

pub(crate) fn vector(v: V3) -> Value {
    json!([v.x, v.y, v.z])
}

pub(crate) fn read(model: &Value) -> Model {
    serde_json::from_value(model.clone()).expect("a model")
}

pub(crate) fn compile(model: &Value) -> Arc<Mechanism> {
    Arc::new(Mechanism::compile(&read(model)).expect("it compiles"))
}

/// Three formulations, and the two methods on partitioned coordinates.
pub(crate) fn methods() -> [(Method, Formulation); 5] {
    let gstiff = |formulation| (Gstiff::with_tolerance(1e-8).into(), formulation);
    [
        gstiff(Formulation::Si2),
        gstiff(Formulation::I3),
        gstiff(Formulation::Si1),
        (Rkf45::with_tolerance(1e-9).into(), Formulation::Si2),
        (Abam::with_tolerance(1e-9).into(), Formulation::Si2),
    ]
}

/// All measures at `end`.
pub(crate) fn measures(mechanism: &Arc<Mechanism>, (method, formulation): (Method, Formulation), end: f64) -> Vec<f64> {
    let options = DynamicsOptions { formulation, method, end, stop_times: vec![] };
    let mut dynamics = Dynamics::new(mechanism, &options).expect("a start");
    while dynamics.step().expect("a step") != Stop::EndTime {
        assert!(dynamics.statistics().steps < 20_000, "t = {}", dynamics.time());
    }
    let mut values = vec![0.0; mechanism.measures().len()];
    dynamics.measures_at(end, &mut values).expect("measures");
    values
}

/// That the message of the error names the place and says `told`.
pub(crate) fn refused(model: &Value, place: &str, told: &str) {
    let error = Mechanism::compile(&read(model)).expect_err("refused").to_string();
    assert!(error.contains(place) && error.contains(told), "{error}");
}
