//! Frictional contact in global form: bodies with their free velocities, contacts and bilateral rows between two bodies each.
//!
//! M (v - v_f) = J^T S, u = J v + bias, the law of Coulomb at every contact, u = 0 on bilateral rows. W = J M^-1 J^T is never formed.
//! The mass matrix has one block a body: 1/m and the inverse inertia about the centre of mass, in the frame of the rows.

use crate::surface::{M3, V3};
use nalgebra::{DMatrix, DVector};
use serde::{Deserialize, Serialize};

use super::{finite, friction::FrictionProblem};
use crate::{
    Error,
    friction::cone::{Cone, ROWS, Rows},
    surface::Row,
};

/// A body of a global problem.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct FreeBody {
    /// 1/m \[1/kg\]; 0 for a body that nothing moves.
    pub inverse_mass: f64,
    /// Inverse inertia about the centre of mass, in the frame of the rows [1/(kg m^2)]; symmetric, zero for a body that nothing turns.
    pub inverse_inertia: M3,
    /// Velocity without impulses [m/s].
    pub velocity: V3,
    /// Angular velocity without impulses [rad/s].
    pub spin: V3,
}

/// A contact of a global problem.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct GlobalContact {
    /// Bodies I and J; the number of bodies stands for the ground.
    pub bodies: [usize; 2],
    /// Its cone, which says how many rows there are.
    pub cone: Cone,
    /// Normal, two tangential, one of spinning, two of rolling.
    pub rows: [Row; ROWS],
    /// Added to J v, row by row: restitution e u_N or gap over step on the first, speeds of moving surfaces.
    pub bias: [f64; ROWS],
}

/// A row on which u = J v + bias = 0.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct GlobalBilateral {
    /// Bodies I and J; the number of bodies stands for the ground.
    pub bodies: [usize; 2],
    /// The row.
    pub row: Row,
    /// Added to J v.
    pub bias: f64,
}

/// A problem in global form. Plain data that a time step fills again and again; whoever solves it checks it first.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(try_from = "Written", into = "Written")]
pub struct GlobalFriction {
    /// Bodies.
    pub bodies: Vec<FreeBody>,
    /// Contacts.
    pub contacts: Vec<GlobalContact>,
    /// Bilateral rows; they may depend on each other.
    pub bilateral: Vec<GlobalBilateral>,
}

impl GlobalFriction {
    /// Forgets everything but the memory.
    pub fn clear(&mut self) {
        self.bodies.clear();
        self.contacts.clear();
        self.bilateral.clear();
    }

    /// Whether this is a problem.
    ///
    /// # Errors
    /// Bodies that do not exist, a contact of a body with itself, entries that are not finite, coefficients or inverse masses below zero.
    pub fn check(&self) -> Result<(), Error> {
        for (index, body) in self.bodies.iter().enumerate() {
            if !(body.inverse_mass >= 0.0 && body.inverse_mass.is_finite()) {
                let (value, remedy) = (body.inverse_mass, "give 1/m, at least 0 and finite");
                return Err(Error::Coefficient { what: "inverse mass", place: "body", index, value, remedy });
            }
            finite("an inverse inertia", body.inverse_inertia.as_slice(), 3)?;
            finite("a velocity", body.velocity.as_slice(), 3)?;
            finite("an angular velocity", body.spin.as_slice(), 3)?;
        }
        for (index, contact) in self.contacts.iter().enumerate() {
            self.check_bodies("contact", index, contact.bodies)?;
            if contact.bodies[0] == contact.bodies[1] {
                let (value, remedy) =
                    (contact.bodies[0] as f64, "a body touches another one, or the ground: give two different indices");
                return Err(Error::Coefficient { what: "both bodies", place: "contact", index, value, remedy });
            }
            for (what, value) in contact.cone.coefficients() {
                if !(value >= 0.0 && value.is_finite()) {
                    let remedy = "give a finite number, at least 0";
                    return Err(Error::Coefficient { what, place: "contact", index, value, remedy });
                }
            }
            for (row, bias) in contact.rows.iter().zip(contact.bias).take(contact.cone.size()) {
                check_row(row, bias)?;
            }
        }
        for (index, bilateral) in self.bilateral.iter().enumerate() {
            self.check_bodies("bilateral row", index, bilateral.bodies)?;
            check_row(&bilateral.row, bilateral.bias)?;
        }
        Ok(())
    }

    fn check_bodies(&self, place: &'static str, index: usize, bodies: [usize; 2]) -> Result<(), Error> {
        let remedy = "give an index of a body, or their number for the ground";
        match bodies.into_iter().find(|&body| body > self.bodies.len()) {
            Some(body) => Err(Error::Coefficient { what: "body", place, index, value: body as f64, remedy }),
            None => Ok(()),
        }
    }

    /// The same problem in reduced form: W = J M^-1 J^T. Dense; for cross-checks and small problems.
    ///
    /// # Errors
    /// Those of [`Self::check`]; bilateral rows, which the reduced form does not have.
    pub fn reduced_form(&self) -> Result<FrictionProblem, Error> {
        self.check()?;
        if !self.bilateral.is_empty() {
            let (value, remedy) = (self.bilateral.len() as f64, "eliminate bilateral rows first");
            return Err(Error::Coefficient { what: "bilateral rows", place: "problem", index: 0, value, remedy });
        }
        let n: usize = self.contacts.iter().map(|contact| contact.cone.size()).sum();
        let mut j = DMatrix::<f64>::zeros(n, 6 * self.bodies.len());
        let (mut weighted, mut q) = (j.clone(), DVector::zeros(n));
        let mut at = 0;
        for contact in &self.contacts {
            for (row, bias) in contact.rows.iter().zip(contact.bias).take(contact.cone.size()) {
                q[at] = bias;
                for (side, (linear, angular)) in [(row.g, row.gi), (-row.g, row.gj)].into_iter().enumerate() {
                    let Some(body) = self.bodies.get(contact.bodies[side]) else { continue };
                    let columns = 6 * contact.bodies[side];
                    let (light, turned) = (linear * body.inverse_mass, body.inverse_inertia * angular);
                    for k in 0..3 {
                        j[(at, columns + k)] += linear[k];
                        j[(at, columns + 3 + k)] += angular[k];
                        weighted[(at, columns + k)] += light[k];
                        weighted[(at, columns + 3 + k)] += turned[k];
                    }
                    q[at] += linear.dot(&body.velocity) + angular.dot(&body.spin);
                }
                at += 1;
            }
        }
        FrictionProblem::new(weighted * j.transpose(), q, self.contacts.iter().map(|contact| contact.cone).collect())
    }
}

fn check_row(row: &Row, bias: f64) -> Result<(), Error> {
    finite("a row", row.g.as_slice(), 3)?;
    finite("a row", row.gi.as_slice(), 3)?;
    finite("a row", row.gj.as_slice(), 3)?;
    finite("a bias", &[bias], 1)
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Written {
    bodies: Vec<WrittenBody>,
    contacts: Vec<WrittenContact>,
    #[serde(default)]
    bilateral: Vec<WrittenBilateral>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct WrittenBody {
    inverse_mass: f64,
    /// By rows.
    inverse_inertia: [[f64; 3]; 3],
    /// Of the centre of mass, then angular.
    velocity: [f64; 6],
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct WrittenContact {
    bodies: [usize; 2],
    friction: f64,
    #[serde(default)]
    spinning: f64,
    #[serde(default)]
    rolling: f64,
    /// g, `g_I`, `g_J` of each row.
    rows: Vec<[f64; 9]>,
    bias: Vec<f64>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct WrittenBilateral {
    bodies: [usize; 2],
    row: [f64; 9],
    bias: f64,
}

fn row_of(x: &[f64; 9]) -> Row {
    let at = |k: usize| V3::new(x[k], x[k + 1], x[k + 2]);
    Row { g: at(0), gi: at(3), gj: at(6), drift: 0.0 }
}

fn written(row: &Row) -> [f64; 9] {
    std::array::from_fn(|k| [row.g, row.gi, row.gj][k / 3][k % 3])
}

impl TryFrom<Written> for GlobalFriction {
    type Error = String;

    fn try_from(file: Written) -> Result<Self, String> {
        let bodies = file.bodies.iter().map(|body| FreeBody {
            inverse_mass: body.inverse_mass,
            inverse_inertia: M3::from_fn(|i, j| body.inverse_inertia[i][j]),
            velocity: V3::from_column_slice(&body.velocity[..3]),
            spin: V3::from_column_slice(&body.velocity[3..]),
        });
        let contacts = file.contacts.iter().enumerate().map(|(index, contact)| {
            let cone = Cone {
                rows: Rows::try_from(contact.rows.len()).map_err(|reason| format!("contact {index}: {reason}"))?,
                friction: contact.friction,
                spinning: contact.spinning,
                rolling: contact.rolling,
            };
            if contact.bias.len() != contact.rows.len() {
                return Err(format!(
                    "contact {index} has {} rows but {} biases",
                    contact.rows.len(),
                    contact.bias.len()
                ));
            }
            let (mut rows, mut bias) = ([Row::zero(); ROWS], [0.0; ROWS]);
            for (k, row) in contact.rows.iter().enumerate() {
                (rows[k], bias[k]) = (row_of(row), contact.bias[k]);
            }
            Ok(GlobalContact { bodies: contact.bodies, cone, rows, bias })
        });
        let bilateral = file.bilateral.iter().map(|row| GlobalBilateral {
            bodies: row.bodies,
            row: row_of(&row.row),
            bias: row.bias,
        });
        let problem = Self {
            bodies: bodies.collect(),
            contacts: contacts.collect::<Result<_, _>>()?,
            bilateral: bilateral.collect(),
        };
        problem.check().map_err(|error| error.to_string())?;
        Ok(problem)
    }
}

impl From<GlobalFriction> for Written {
    fn from(problem: GlobalFriction) -> Self {
        let bodies = problem.bodies.iter().map(|body| WrittenBody {
            inverse_mass: body.inverse_mass,
            inverse_inertia: std::array::from_fn(|i| std::array::from_fn(|j| body.inverse_inertia[(i, j)])),
            velocity: std::array::from_fn(|k| if k < 3 { body.velocity[k] } else { body.spin[k - 3] }),
        });
        let contacts = problem.contacts.iter().map(|contact| {
            let size = contact.cone.size();
            WrittenContact {
                bodies: contact.bodies,
                friction: contact.cone.friction,
                spinning: contact.cone.spinning,
                rolling: contact.cone.rolling,
                rows: contact.rows[..size].iter().map(written).collect(),
                bias: contact.bias[..size].to_vec(),
            }
        });
        let bilateral = problem.bilateral.iter().map(|row| WrittenBilateral {
            bodies: row.bodies,
            row: written(&row.row),
            bias: row.bias,
        });
        Self { bodies: bodies.collect(), contacts: contacts.collect(), bilateral: bilateral.collect() }
    }
}
