//! Shafts and slides for couplers and gears: bodies on joints of the ground or a carrier, drawn in any unit, place and direction.

use nalgebra::{Rotation3, Vector3};
use serde_json::{Value, json};

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
