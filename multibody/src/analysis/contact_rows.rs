//! Contacts that analyses hold closed: rows beside those of joints and motions, given by what finds the contacts.

use crate::error::Error;
use crate::space::{Pose, V3};
use crate::state::State;
use nalgebra::{DMatrix, DVector};

/// A row of a closed contact over the velocities of two bodies: J u = g.(V_I - V_J) + `g_i`.omega_I + `g_j`.omega_J.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ContactRow {
    /// Bodies I and J; the number of bodies stands for the ground.
    pub bodies: [usize; 2],
    /// Gradient by x_I; that by x_J is its negative.
    pub g: V3,
    /// Gradients by the virtual rotations of I and J.
    pub turns: [V3; 2],
    /// How far the row is from being closed [m, rad].
    pub value: f64,
    /// Explicit rate of that at fixed positions [m/s, rad/s].
    pub rate: f64,
    /// (dJ/dt) u and the rate of `rate` [m/s^2, rad/s^2].
    pub drift: f64,
    /// Whether it is the gap of a contact, which is held before what friction holds.
    pub normal: bool,
}

impl ContactRow {
    /// J u, and the explicit rate.
    #[must_use]
    pub fn velocity(&self, poses: &[Pose]) -> f64 {
        let [i, j] = self.bodies.map(|body| &poses[body]);
        self.g.dot(&(i.v - j.v)) + self.turns[0].dot(&i.w) + self.turns[1].dot(&j.w) + self.rate
    }

    /// Adds `factor` times the row to `out`, six numbers a body; the ground has none.
    pub fn scatter(&self, factor: f64, out: &mut [f64]) {
        for (body, g, turn) in [(self.bodies[0], self.g, self.turns[0]), (self.bodies[1], -self.g, self.turns[1])] {
            let Some(out) = out.get_mut(6 * body..6 * body + 6) else { continue };
            for k in 0..3 {
                out[k] += factor * g[k];
                out[3 + k] += factor * turn[k];
            }
        }
    }

    /// The product with `u`, six numbers a body.
    #[must_use]
    pub fn gather(&self, u: &[f64]) -> f64 {
        let of = |body: usize, g: V3, turn: V3| {
            u.get(6 * body..6 * body + 6).map_or(0.0, |u| (0..3).map(|k| g[k] * u[k] + turn[k] * u[3 + k]).sum())
        };
        of(self.bodies[0], self.g, self.turns[0]) + of(self.bodies[1], -self.g, self.turns[1])
    }
}

/// Contacts that are closed, and may open or close in the course of an analysis.
pub trait ContactRows {
    /// Clears `rows` and fills it with those of the closed contacts at `poses` (ground last): as many, in the same order, as long as
    /// neither [`ContactRows::arrive`] nor [`ContactRows::judge`] tells of a change.
    ///
    /// # Errors
    /// [`Error::Contacts`] if a gap cannot be evaluated.
    fn rows(&mut self, time: f64, poses: &[Pose], rows: &mut Vec<ContactRow>) -> Result<(), Error>;

    /// Closes what touches at `state`, and nothing else.
    ///
    /// # Errors
    /// As [`ContactRows::rows`].
    fn begin(&mut self, state: &State) -> Result<(), Error>;

    /// Takes `state` as the place from which friction holds, and closes contacts that overlap there. True if some did.
    ///
    /// # Errors
    /// As [`ContactRows::rows`]; if contacts close and open without end.
    fn arrive(&mut self, state: &State) -> Result<bool, Error>;

    /// Divides the forces among the rows: X with `loaded` X = `needed`, a column of `loaded` for each row. None if there are no admissible
    /// ones: then contacts that would pull have been opened.
    ///
    /// # Errors
    /// [`Error::Contacts`] where friction does not hold what it has to.
    fn judge(&mut self, time: f64, loaded: &DMatrix<f64>, needed: &DVector<f64>)
    -> Result<Option<DVector<f64>>, Error>;

    /// The contact to which a row belongs, for messages.
    fn name(&self, row: usize) -> String;
}

/// A mechanism without contacts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct NoContacts;

impl ContactRows for NoContacts {
    fn rows(&mut self, _: f64, _: &[Pose], rows: &mut Vec<ContactRow>) -> Result<(), Error> {
        rows.clear();
        Ok(())
    }

    fn begin(&mut self, _: &State) -> Result<(), Error> {
        Ok(())
    }

    fn arrive(&mut self, _: &State) -> Result<bool, Error> {
        Ok(false)
    }

    fn judge(&mut self, _: f64, _: &DMatrix<f64>, _: &DVector<f64>) -> Result<Option<DVector<f64>>, Error> {
        Ok(Some(DVector::zeros(0)))
    }

    fn name(&self, _: usize) -> String {
        String::new()
    }
}
