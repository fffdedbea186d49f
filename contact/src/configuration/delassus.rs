//! Contacts seen from their own rows: W = J M^ J^T, with the bilateral constraints eliminated as in (12')-(14').

use super::Configuration;
use crate::dense::resize;
use crate::error::Error;
use crate::unilateral::{Row, Unilateral};
use fourbar_multibody::space::Pose;
use nalgebra::DMatrix;

/// The rows J of some contacts at one configuration, the responses K^-1 (J^T, 0) and W = J M^ J^T.
///
/// Rows stand contact by contact: the normal, then as many tangential ones as were asked for. W is symmetric and positive
/// semidefinite, singular where contacts are redundant.
#[derive(Debug, Clone, Default)]
pub struct Delassus {
    /// First row of each contact and, last, the number of rows.
    first: Vec<usize>,
    rows: Vec<([usize; 2], Row)>,
    /// Columns M^ J^T, six numbers a body each.
    responses: Vec<f64>,
    w: DMatrix<f64>,
    n: usize,
    /// Multipliers of the last response.
    reaction: Vec<f64>,
}

/// g of `row` into the coordinates of its bodies, times `factor`. Bodies beyond the coordinates (the ground) do not move.
#[inline]
pub(crate) fn scatter((bodies, row): &([usize; 2], Row), factor: f64, out: &mut [f64]) {
    for (body, sign, turn) in [(bodies[0], factor, &row.gi), (bodies[1], -factor, &row.gj)] {
        if let Some(block) = out.get_mut(6 * body..6 * body + 6) {
            for k in 0..3 {
                block[k] += sign * row.g[k];
                block[3 + k] += factor * turn[k];
            }
        }
    }
}

/// J x of one row.
#[inline]
pub(crate) fn gather((bodies, row): &([usize; 2], Row), x: &[f64]) -> f64 {
    let mut sum = 0.0;
    for (body, sign, turn) in [(bodies[0], 1.0, &row.gi), (bodies[1], -1.0, &row.gj)] {
        if let Some(block) = x.get(6 * body..6 * body + 6) {
            for k in 0..3 {
                sum += sign * row.g[k] * block[k] + turn[k] * block[3 + k];
            }
        }
    }
    sum
}

impl Delassus {
    /// Takes the rows of `contacts`, 1 + `tangential`(contact) each, and computes responses and W with the factors of `configuration`.
    ///
    /// # Errors
    /// [`Error::Multibody`] if a solve fails.
    pub fn assemble(
        &mut self,
        configuration: &mut Configuration,
        contacts: &[Unilateral],
        tangential: impl Fn(&Unilateral) -> usize,
    ) -> Result<(), Error> {
        self.first.clear();
        self.rows.clear();
        for contact in contacts {
            self.first.push(self.rows.len());
            self.rows.extend(contact.rows[..=tangential(contact)].iter().map(|row| (contact.bodies, *row)));
        }
        let r = self.rows.len();
        self.first.push(r);
        self.n = configuration.dimension();
        self.responses.clear();
        self.responses.resize(r * self.n, 0.0);
        self.reaction.resize(configuration.row_count(), 0.0);
        resize(&mut self.w, r, r);
        for j in 0..r {
            let response = &mut self.responses[j * self.n..(j + 1) * self.n];
            scatter(&self.rows[j], 1.0, response);
            configuration.respond(response, &mut self.reaction)?;
        }
        self.multiply_out();
        Ok(())
    }

    /// W = J X, its two triangles averaged.
    fn multiply_out(&mut self) {
        let r = self.rows.len();
        for j in 0..r {
            let response = &self.responses[j * self.n..(j + 1) * self.n];
            for i in 0..r {
                self.w[(i, j)] = gather(&self.rows[i], response);
            }
        }
        for j in 0..r {
            for i in 0..j {
                let mean = 0.5 * (self.w[(i, j)] + self.w[(j, i)]);
                self.w[(i, j)] = mean;
                self.w[(j, i)] = mean;
            }
        }
    }

    /// Number of rows.
    #[must_use]
    pub fn row_count(&self) -> usize {
        self.rows.len()
    }

    /// First row of each contact and, last, the number of rows.
    #[must_use]
    pub fn first(&self) -> &[usize] {
        &self.first
    }

    /// W [1/kg in translational rows].
    #[must_use]
    pub fn matrix(&self) -> &DMatrix<f64> {
        &self.w
    }

    /// Rates of the rows, J u and the explicit rate of each gap [m/s, rad/s].
    pub fn rates(&self, contacts: &[Unilateral], poses: &[Pose], out: &mut [f64]) {
        for (value, (bodies, row)) in out.iter_mut().zip(&self.rows) {
            *value = row.rate(&poses[bodies[0]], &poses[bodies[1]]);
        }
        for (contact, &at) in contacts.iter().zip(&self.first) {
            out[at] += contact.gap_rate;
        }
    }

    /// J x of a vector of six numbers a body.
    pub fn project(&self, x: &[f64], out: &mut [f64]) {
        for (value, row) in out.iter_mut().zip(&self.rows) {
            *value = gather(row, x);
        }
    }

    /// Accelerations of the rows, J u' + (dJ/dt) u and the explicit part of each gap, for accelerations `x` [m/s^2, rad/s^2].
    pub fn accelerations(&self, contacts: &[Unilateral], x: &[f64], out: &mut [f64]) {
        self.project(x, out);
        for (value, (_, row)) in out.iter_mut().zip(&self.rows) {
            *value += row.drift;
        }
        for (contact, &at) in contacts.iter().zip(&self.first) {
            out[at] += contact.gap_rate_drift;
        }
    }

    /// Adds the response M^ J^T S to `x` (velocities, displacements).
    pub fn apply(&self, impulses: &[f64], x: &mut [f64]) {
        for (j, &s) in impulses.iter().enumerate().filter(|(_, s)| **s != 0.0) {
            for (x, response) in x.iter_mut().zip(&self.responses[j * self.n..(j + 1) * self.n]) {
                *x += s * response;
            }
        }
    }
}
