//! Accelerations of a mechanism with its contacts held closed, and the forces that hold them.
//!
//! ```text
//! (J K J^T) X = -(J u'_free + (dJ/dt) u),   u' = u'_free + K J^T X
//! ```
//!
//! with K the response of the mechanism to loads and J the rows that are independent. Where rows depend on others only the loads J^T X are
//! unique; what finds the contacts divides them among the rows ([`ContactRows::judge`]).

use super::contact_rows::{ContactRow, ContactRows};
use super::reduced::Reduced;
use crate::error::Error;
use crate::input::Inputs;
use crate::mechanism::Mechanism;
use crate::space::V3;
use crate::state::State;
use nalgebra::{DMatrix, DVector};

/// The contacts that hold `state`, which satisfies the constraints, as it moves: those that would pull are opened until none does. Returns loads
/// on the bodies, six numbers a body [N, N m], with which `state` gets its accelerations and multipliers. Without closed contacts there are none, and
/// `state` stays as it is.
///
/// # Errors
/// [`Error::Contacts`] as [`ContactRows::judge`]; [`Error::Singular`], [`Error::Evaluation`].
pub fn hold(
    mechanism: &Mechanism,
    state: &mut State,
    inputs: &Inputs,
    contacts: &mut dyn ContactRows,
) -> Result<Vec<f64>, Error> {
    hold_as(mechanism, state, inputs, contacts, false)
}

/// As [`hold`], motions standing still; velocities of `state` are zero.
///
/// # Errors
/// As [`hold`].
pub fn hold_at_rest(
    mechanism: &Mechanism,
    state: &mut State,
    inputs: &Inputs,
    contacts: &mut dyn ContactRows,
) -> Result<Vec<f64>, Error> {
    hold_as(mechanism, state, inputs, contacts, true)
}

fn hold_as(
    mechanism: &Mechanism,
    state: &mut State,
    inputs: &Inputs,
    contacts: &mut dyn ContactRows,
    at_rest: bool,
) -> Result<Vec<f64>, Error> {
    let mut rows = Vec::new();
    contacts.rows(state.time, &super::with_ground(&state.poses), &mut rows)?;
    if rows.is_empty() {
        return Ok(Vec::new());
    }
    let chosen = mechanism.chosen_at(state);
    let mechanism = chosen.as_ref().unwrap_or(mechanism);
    loop {
        let mut reduced = Reduced::new(mechanism, state, inputs, contacts)?;
        reduced.accelerate(state, at_rest)?;
        // Each time round a contact has opened: they end.
        if let Some(loads) = reduced.judge(state, at_rest)? {
            return Ok(loads);
        }
    }
}

impl Reduced<'_> {
    /// Accelerations and multipliers of `state` with the independent rows of contacts held; the loads of these in `self.loads`.
    pub(super) fn accelerate(&mut self, state: &mut State, at_rest: bool) -> Result<(), Error> {
        self.loads.clear();
        self.accelerations.solve_as(self.mechanism, state, &[], at_rest)?;
        self.find_rows(&super::with_ground(&state.poses))?;
        if self.rows.is_empty() {
            return Ok(());
        }
        let free = taken_all(state);
        let mut responses = Vec::new();
        for row in &self.rows {
            let mut response = vec![0.0; free.len()];
            row.scatter(1.0, &mut response);
            self.accelerations.respond(self.mechanism, state.time, &mut response)?;
            responses.push(response);
        }
        let count = self.rows.len();
        let matrix = DMatrix::from_fn(count, count, |i, j| self.rows[i].gather(&responses[j]));
        let rest = |row: &ContactRow| -row.gather(&free) - if at_rest { 0.0 } else { row.drift };
        let mut forces = DVector::from_iterator(count, self.rows.iter().map(rest));
        self.solve(&matrix.lu(), &mut forces)?;
        self.loads.resize(free.len(), 0.0);
        for (row, force) in self.rows.iter().zip(&forces) {
            row.scatter(*force, &mut self.loads);
        }
        self.accelerations.solve_as(self.mechanism, state, &self.loads, at_rest)
    }

    /// Loads as the contacts divide them, with the accelerations and multipliers of `state` for them, after [`Reduced::accelerate`] there. None if
    /// contacts have opened.
    pub(super) fn judge(&mut self, state: &mut State, at_rest: bool) -> Result<Option<Vec<f64>>, Error> {
        if self.rows.is_empty() {
            return Ok(Some(Vec::new()));
        }
        let basis = self.joint_basis.clone();
        let mut all = Vec::new();
        self.contacts.rows(state.time, &super::with_ground(&state.poses), &mut all)?;
        let mut loaded = DMatrix::zeros(basis.ncols(), all.len());
        for (k, row) in all.iter().enumerate() {
            let mut column = vec![0.0; basis.nrows()];
            row.scatter(1.0, &mut column);
            loaded.set_column(k, &basis.tr_mul(&DVector::from_vec(column)));
        }
        let needed = basis.tr_mul(&DVector::from_column_slice(&self.loads));
        let Some(forces) = self.contacts.judge(state.time, &loaded, &needed)? else { return Ok(None) };
        let mut loads = vec![0.0; basis.nrows()];
        for (row, force) in all.iter().zip(&forces) {
            row.scatter(*force, &mut loads);
        }
        self.accelerations.solve_as(self.mechanism, state, &loads, at_rest)?;
        Ok(Some(loads))
    }
}

fn taken_all(state: &State) -> Vec<f64> {
    state.accelerations.iter().flatten().flat_map(|v: &V3| [v.x, v.y, v.z]).collect()
}
