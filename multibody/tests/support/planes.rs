//! Mechanisms that move in a plane, of any joints, forces and motions, drawn in any plane: chains of bodies, open or closed by one more joint.

use nalgebra::Vector3;
use proptest::prelude::*;
use serde_json::{Value, json};

type V3 = Vector3<f64>;

/// A plane, by its axes and normal.
#[derive(Debug, Clone)]
pub(crate) struct Drawn {
    axes: [V3; 3],
}

impl Drawn {
    pub(crate) fn across(normal: [f64; 3]) -> Self {
        let n = V3::from(normal).normalize();
        let x = n.cross(&if n.x.abs() < 0.8 { V3::x() } else { V3::y() }).normalize();
        Self { axes: [x, n.cross(&x), n] }
    }

    pub(crate) fn vector(&self, [x, y, z]: [f64; 3]) -> [f64; 3] {
        (self.axes[0] * x + self.axes[1] * y + self.axes[2] * z).into()
    }

    /// A marker on `body` at a place in the plane and over it, its z axis along `z`.
    pub(crate) fn marker(&self, body: &str, at: [f64; 3], z: [f64; 3]) -> Value {
        let orientation = json!({"z_axis": self.vector(z)});
        json!({"body": body, "position": self.vector(at), "orientation": orientation, "frame": "global"})
    }
}

const NORMAL: [f64; 3] = [0.0, 0.0, 1.0];

/// A mechanism, as numbers that say how it is made.
#[derive(Debug, Clone)]
pub(crate) struct Planar {
    drawn: Drawn,
    /// Of each body: how it is joined to the one before, and numbers between -1 and 1.
    bodies: Vec<(usize, [f64; 16])>,
    closed_by: usize,
    forces: Vec<usize>,
    driven: bool,
}

impl Planar {
    pub(crate) fn any() -> impl Strategy<Value = Self> {
        let normal = prop_oneof![
            Just(NORMAL),
            Just([0.0, -1.0, 0.0]),
            [-1.0..1.0, -1.0..1.0, 0.1..1.0_f64],
            (-17.0..-1.0).prop_map(|tilt: f64| [10_f64.powf(tilt), -0.3 * 10_f64.powf(tilt), 1.0]),
        ];
        let body = (0..8_usize, prop::array::uniform16(-1.0..1.0_f64));
        let bodies = prop::collection::vec(body, 1..5);
        let forces = prop::collection::vec(0..8_usize, 0..4);
        (normal, bodies, 0..8_usize, forces, any::<bool>()).prop_map(|(normal, bodies, closed_by, forces, driven)| {
            Self { drawn: Drawn::across(normal), bodies, closed_by, forces, driven }
        })
    }

    /// Bodies that slide or rest on each other, so that none turns, under any forces.
    pub(crate) fn slides() -> impl Strategy<Value = Self> {
        (Self::any(), prop::collection::vec(any::<bool>(), 5)).prop_map(|(mut all, slides)| {
            for ((kind, _), slides) in all.bodies.iter_mut().zip(slides) {
                *kind = if slides { 0 } else { 4 };
            }
            all.bodies[0].0 = 0;
            all
        })
    }

    /// Whether its plane is tilted by less than single precision.
    fn barely_tilted(&self) -> bool {
        let tilt = self.drawn.axes[2].cross(&V3::z()).norm();
        tilt > 0.0 && tilt < 1e-7
    }

    /// Whether some joint lets a body turn.
    pub(crate) fn turns(&self) -> bool {
        self.bodies.iter().enumerate().any(|(k, &(kind, _))| !(kind == 0 || kind == 4 && k > 0))
    }

    fn end(&self, k: usize) -> [f64; 2] {
        let step = |(_, n): &(usize, [f64; 16])| [0.6 + 0.3 * n[0], 0.8 * n[1]];
        self.bodies[..k].iter().map(step).fold([0.0; 2], |a, b| [a[0] + b[0], a[1] + b[1]])
    }

    fn body(&self, k: usize) -> Value {
        let (from, to, n) = (self.end(k), self.end(k + 1), &self.bodies[k].1);
        let at = [(from[0] + to[0]) / 2.0, (from[1] + to[1]) / 2.0, 0.5 * n[2]];
        json!({
            "name": format!("b{k}"), "mass": 1.0 + 0.5 * n[3], "inertia": [0.11, 0.12, 0.13 + 0.02 * n[4], 0.01, 0.02 * n[5], -0.01],
            "center_of_mass": [0.1 * n[6], 0.1 * n[7], 0.1 * n[8]], "position": self.drawn.vector(at),
            "orientation": {"quaternion": [n[9], n[10], n[11], 1.0]},
            "velocity": self.drawn.vector([n[12], n[13], 0.0]), "angular_velocity": self.drawn.vector([0.0, 0.0, 2.0 * n[14]]),
        })
    }

    /// The joints of body `k` with the one before it.
    fn joints(&self, k: usize) -> Vec<Value> {
        let (kind, n) = &self.bodies[k];
        let [x, y] = self.end(k);
        let flat = [n[14].cos(), n[14].sin(), 0.0];
        let before = k.checked_sub(1).map_or_else(|| "ground".to_owned(), |k| format!("b{k}"));
        let at = |kind: &str, z: [f64; 3]| {
            let [i, j] = [&format!("b{k}"), &before].map(|body| self.drawn.marker(body, [x, y, 0.3 * n[15]], z));
            json!({"name": format!("{kind}{k}"), "type": kind, "i": i, "j": j})
        };
        match kind {
            0 => vec![at("prismatic", flat)],
            1 => vec![at("cylindrical", NORMAL), at("inplane", NORMAL)],
            2 => vec![at("spherical", NORMAL), at("parallel_axes", NORMAL)],
            3 => vec![at("planar", NORMAL)],
            4 if k > 0 => vec![at("fixed", [0.3, 0.4, 0.5])],
            5 => vec![at("inline", flat), at("planar", NORMAL)],
            _ => vec![at("revolute", NORMAL)],
        }
    }

    /// One more joint between the last body and the ground.
    fn closing(&self) -> Option<Value> {
        let k = self.bodies.len();
        let n = &self.bodies[k - 1].1;
        let [x, y] = self.end(k);
        let flat = [n[13].cos(), n[13].sin(), 0.0];
        let (kind, z, away) = match self.closed_by {
            0 => ("distance", NORMAL, 1.0),
            1 => ("inline", flat, 0.0),
            2 => ("revolute", NORMAL, 0.0),
            3 => ("inplane", flat, 0.0),
            4 => ("cylindrical", flat, 0.0),
            5 => ("spherical", NORMAL, 0.0),
            _ => return None,
        };
        let i = self.drawn.marker(&format!("b{}", k - 1), [x, y, 0.2], z);
        let j = self.drawn.marker("ground", [x + 0.7 * away, y - 0.5 * away, 0.2 + 0.4 * away], z);
        Some(json!({"name": "closing", "type": kind, "i": i, "j": j}))
    }

    /// Force `f` of its kind.
    fn force(&self, f: usize, kind: usize) -> Value {
        let last = format!("b{}", self.bodies.len() - 1);
        let [x, y] = self.end(self.bodies.len());
        let name = format!("force{f}");
        let i = self.drawn.marker(&last, [x, y + 0.1, 0.4], NORMAL);
        let j = self.drawn.marker("ground", [x + 0.4, y + 1.0, -0.3], NORMAL);
        match kind {
            0 => {
                json!({"name": name, "type": "spring_damper", "i": i, "j": j, "stiffness": 20, "damping": 0.5, "free_length": 0.8})
            }
            1 => {
                json!({"name": name, "type": "torsion_spring_damper", "i": i, "j": j, "stiffness": 5, "damping": 0.1, "free_angle": 0.5})
            }
            2 => json!({"name": name, "type": "line_force", "i": i, "j": j, "value": "2*sin(3*time) - 0.4*u.x*w.z"}),
            3 => {
                json!({"name": name, "type": "axial_torque", "i": i, "j": j, "value": "if(time < 0.21, 1, -0.5) - 0.1*a"})
            }
            4 => {
                json!({"name": name, "type": "force", "i": i, "frame": last, "value": ["1 + p.y", "-0.4*u.z", "2*time"]})
            }
            6 => {
                let rows: Vec<Vec<f64>> =
                    (0..6).map(|r| (0..6).map(|c| 0.3 * f64::from(r + 2 * c).sin()).collect()).collect();
                json!({"name": name, "type": "bushing", "i": i, "j": j, "stiffness": [5, 6, 7, 2, 3, 1], "stiffness_matrix": rows, "damping": [0.2, 0.1, 0.2, 0.1, 0.1, 0.1], "preload": [1, 0, 2, 0, 1, 0.5]})
            }
            7 => {
                json!({"name": name, "type": "beam", "i": i, "j": j, "length": 1, "area": 0.01, "iyy": 2e-4, "izz": 1e-4, "ixx": 1e-4, "asy": 1.2, "youngs_modulus": 2e3, "shear_modulus": 1e3, "damping_ratio": 0.02})
            }
            _ => json!({"name": name, "type": "torque", "i": i, "frame": "b0", "value": ["0.2*w.x", "1", "0.3*p.x"]}),
        }
    }

    pub(crate) fn model(&self) -> Value {
        let count = self.bodies.len();
        let joints: Vec<Value> = (0..count).flat_map(|k| self.joints(k)).chain(self.closing()).collect();
        let coordinate = joints.iter().find(|joint| joint["type"] == "revolute" || joint["type"] == "prismatic");
        let motion = coordinate
            .filter(|_| self.driven)
            .map(|joint| json!({"name": "motion", "joint": joint["name"], "velocity": "0.3 + 0.5*sin(4*time)"}));
        let last = format!("b{}", count - 1);
        let marker = self.drawn.marker(&last, [0.3, 0.2, 0.1], [0.1, 0.2, 0.9]);
        let turned = self.drawn.marker(&last, [0.0; 3], NORMAL);
        let ground = self.drawn.marker("ground", [0.0; 3], NORMAL);
        // What redundant joints share of a reaction is uncertain in a plane that is barely tilted, be the motion solved in space or in it.
        let reacting = joints.iter().filter(|_| !self.barely_tilted());
        let reactions = reacting.flat_map(|joint| {
            ["force", "torque"].map(|quantity| {
                let name = format!("{quantity}_{}", joint["name"].as_str().unwrap_or_default());
                json!({"name": name, "type": "reaction", "joint": joint["name"], "quantity": quantity})
            })
        });
        let of_motion = motion
            .iter()
            .map(|_| json!({"name": "drive", "type": "reaction", "motion": "motion", "quantity": "torque"}));
        let measures = [
            json!({"name": "p", "type": "position", "i": marker}),
            json!({"name": "u", "type": "velocity", "i": marker}),
            json!({"name": "w", "type": "angular_velocity", "i": last}),
            json!({"name": "a", "type": "angle", "i": turned, "j": ground}),
            json!({"name": "acceleration", "type": "acceleration", "i": marker}),
            json!({"name": "angular_acceleration", "type": "angular_acceleration", "i": last}),
        ];
        json!({
            "gravity": [0.5, -3.0, 2.0],
            "body": (0..count).map(|k| self.body(k)).collect::<Vec<_>>(),
            "joint": joints,
            "motion": motion.iter().collect::<Vec<_>>(),
            "force": self.forces.iter().enumerate().map(|(f, &kind)| self.force(f, kind)).collect::<Vec<_>>(),
            "measure": measures.into_iter().chain(reactions).chain(of_motion).collect::<Vec<_>>(),
        })
    }
}
