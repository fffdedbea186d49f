//! Friction at joints where contacts are followed: its forces follow from the reactions of the joints, which follow from those of the contacts.
//!
//! Events solve accelerations, reactions and friction together ([`settle`]). A step of fixed length has friction at its end,
//!
//! ```text
//! (M + h C) (u+ - u) = h (Q - C u) + Phi_q^T .. + J^T S,   C = sum_k d_k c_k d_k^T,   c_k = a_k^2 (N mu(v)/v + viscous),
//! ```
//!
//! d_k the directions in which surfaces slide, a_k their arms, N and v of the end of the step: found by repeating the step with the c_k that it leaves.

use super::{Configuration, scatter};
use crate::error::Error;
use crate::unilateral::Row;
use fourbar_multibody::mechanism::System;
use fourbar_multibody::{Mechanism, State};
use nalgebra_sparse::{CooMatrix, CscMatrix};

#[cfg(doc)]
use fourbar_multibody::force::settle;

/// M with room for the friction of joints, which couples their bodies.
#[derive(Debug, Clone)]
pub(super) struct Resisted {
    matrix: CscMatrix<f64>,
    /// Places of the values of M among its own.
    places: Vec<usize>,
}

impl Resisted {
    /// None if no joint has friction.
    pub(super) fn new(mechanism: &Mechanism, mass: &CscMatrix<f64>) -> Option<Self> {
        if mechanism.frictions().is_empty() {
            return None;
        }
        let mut entries = CooMatrix::new(mass.nrows(), mass.ncols());
        for (i, j, value) in mass.triplet_iter() {
            entries.push(i, j, *value);
        }
        let poses: Vec<_> =
            mechanism.start().poses.iter().copied().chain([fourbar_multibody::space::Pose::ground()]).collect();
        for (bodies, _) in mechanism.frictions().iter().flat_map(|friction| friction.directions(&poses)) {
            let places =
                || bodies.into_iter().flat_map(|body| 6 * body..6 * body + 6).filter(|place| *place < mass.nrows());
            for (i, j) in places().flat_map(|i| places().map(move |j| (i, j))) {
                entries.push(i, j, 0.0);
            }
        }
        let matrix = CscMatrix::from(&entries);
        let places = mass.triplet_iter().filter_map(|(i, j, _)| place(&matrix, i, j)).collect();
        Some(Self { matrix, places })
    }

    pub(super) fn matrix(&self) -> &CscMatrix<f64> {
        &self.matrix
    }

    /// Takes the values of M.
    pub(super) fn take(&mut self, mass: &CscMatrix<f64>) {
        let values = self.matrix.values_mut();
        values.fill(0.0);
        self.places.iter().zip(mass.values()).for_each(|(&place, value)| values[place] = *value);
    }

    /// Adds `factor` times d d^T of the row d.
    fn add_square(&mut self, ([i, j], row): &([usize; 2], Row), factor: f64) {
        let halves = [(*i, row.g, row.gi), (*j, -row.g, row.gj)];
        let entries = || {
            halves.into_iter().flat_map(|(body, g, turn)| {
                let values = [g.x, g.y, g.z, turn.x, turn.y, turn.z];
                values.into_iter().enumerate().map(move |(k, value)| (6 * body + k, value))
            })
        };
        let known = |place: &(usize, f64)| place.0 < self.matrix.nrows();
        let entries: Vec<_> = entries().filter(known).collect();
        for (a, x) in &entries {
            for (b, y) in &entries {
                if let Some(place) = place(&self.matrix, *a, *b) {
                    self.matrix.values_mut()[place] += factor * x * y;
                }
            }
        }
    }
}

/// Where entry (i, j) stands among the values of `matrix`.
fn place(matrix: &CscMatrix<f64>, i: usize, j: usize) -> Option<usize> {
    let column = matrix.col_offsets()[j]..matrix.col_offsets()[j + 1];
    matrix.row_indices()[column.clone()].binary_search(&i).ok().map(|at| column.start + at)
}

impl Configuration {
    /// Whether joints have friction.
    pub(crate) fn rubs(&self) -> bool {
        self.resisted.is_some()
    }

    /// Multipliers of the joints by which friction there is known \[N, N m\].
    pub(crate) fn reactions_mut(&mut self) -> &mut [f64] {
        &mut self.reactions
    }

    /// Takes the reactions without contacts at `state`, where it stands factored.
    pub(super) fn find_reactions(&mut self, state: &State) -> Result<(), Error> {
        if self.rubs() {
            let (mut top, mut bottom) = (vec![0.0; self.dimension()], vec![0.0; self.row_count()]);
            self.free_acceleration(state, &mut top, &mut bottom)?;
            self.reactions.copy_from_slice(&bottom);
        }
        Ok(())
    }

    /// Takes the reactions of the joints over a step of length `h` to the impulses `top`, six numbers a body, where it stands and at its velocities. The
    /// constraints on accelerations ask for them: those on velocities leave out what turns velocities.
    pub(crate) fn find_reactions_to(&mut self, top: &mut [f64], bottom: &mut [f64], h: f64) -> Result<(), Error> {
        self.system.gamma(&self.mechanism, &self.poses, bottom);
        bottom.iter_mut().for_each(|gamma| *gamma *= h);
        self.solve(top, bottom)?;
        self.reactions.iter_mut().zip(&*bottom).for_each(|(reaction, impulse)| *reaction = impulse / h);
        Ok(())
    }

    /// As [`Configuration::free_acceleration`], with the friction that the known reactions of the joints make.
    pub(crate) fn free_rubbed(&mut self, state: &State, top: &mut [f64], bottom: &mut [f64]) -> Result<(), Error> {
        self.forces(state, top)?;
        System::add_friction(&self.mechanism, &self.poses, &self.reactions, top);
        self.accelerations(top, bottom)
    }

    /// The directions in which surfaces of joints slide, where it stands.
    fn directions(&self) -> impl Iterator<Item = ([usize; 2], Row)> {
        let frictions = self.mechanism.frictions().iter();
        frictions
            .flat_map(|friction| friction.directions(&self.poses))
            .map(|(bodies, row)| (bodies, Row { g: row.g, gi: row.gi, gj: row.gj, ..Row::zero() }))
    }

    /// c of each direction by its velocities and the known reactions, with its rate.
    pub(crate) fn resistances(&self, coefficients: &mut Vec<[f64; 2]>) {
        coefficients.clear();
        for friction in self.mechanism.frictions() {
            let of = friction.resistances(&self.mechanism, &self.poses, &self.reactions);
            coefficients.extend(of.map(|([i, j], row, c)| [c, row.rate(&self.poses[i], &self.poses[j])]));
        }
    }

    /// As [`Configuration::factor`], of M + h C with the coefficients c of all directions.
    ///
    /// # Errors
    /// As [`Configuration::factor`].
    pub(crate) fn factor_resisted(&mut self, h: f64, coefficients: &[[f64; 2]]) -> Result<(), Error> {
        let directions: Vec<_> = self.directions().collect();
        self.factor_with(|resisted| {
            for (direction, [c, _]) in directions.iter().zip(coefficients) {
                resisted.add_square(direction, h * c);
            }
        })
    }

    /// Adds -h C u of the velocities that it has to `out`, six numbers a body.
    pub(crate) fn add_resistance(&self, h: f64, coefficients: &[[f64; 2]], out: &mut [f64]) {
        for ((bodies, row), [c, _]) in self.directions().zip(coefficients) {
            let rate = row.rate(&self.poses[bodies[0]], &self.poses[bodies[1]]);
            scatter(&(bodies, row), -h * c * rate, out);
        }
    }
}
