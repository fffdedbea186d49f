//! The same equations with all that an evaluation solves for as unknowns of their own: x' = f(t, x, a), 0 = g(t, x, a), of index 1.
//!
//! x are the unknowns of [`Partitioned`]. Algebraic variables a are, in this order, with the equations g that go with them:
//!
//! | a | g |
//! |---|---|
//! | mu, corrections of dependent positions, a row that holds positions each | Phi(q, t) |
//! | nu, corrections of dependent velocities, a row each | Phi_q u + Phi_t |
//! | u', six a body | Q - M u' - Phi_q^T lambda |
//! | lambda, a row each | gamma - Phi_q u' |
//!
//! where q and u are x with their dependent coordinates less what mu and nu take from them ([`spread`](super::spread)). So f is again a function of
//! the independent coordinates alone, and there is no drift: the index is reduced as by the dummy derivatives of Mattsson and Soederlind (SIAM J. Sci.
//! Comput. 14 (1993) 677), but for the dependent coordinates, which stay among x so that they may change. dg/da is regular where a partition is:
//! its diagonal blocks are Phi_q E U^2 G_d^T R, twice, and the saddle-point matrix. Nothing is solved here: who integrates solves.

use super::local::PER_BODY;
use super::partition::Partition;
use super::{Partitioned, Solvers};
use crate::dae::EvalError;
use crate::interrupt;
use crate::mechanism::System;

/// Numbers of a body in u'.
pub(super) const RATES: usize = 6;

/// Where algebraic variables and their equations begin.
#[derive(Debug, Clone, Copy)]
pub(super) struct Places {
    pub(super) nu: usize,
    pub(super) accelerations: usize,
    pub(super) lambda: usize,
    pub(super) count: usize,
}

impl Partitioned {
    /// Rows that hold positions.
    pub(super) fn position_rows(&self) -> impl Iterator<Item = usize> {
        (0..self.joined.joint_rows()).filter(|&row| self.joined.holds_positions(row))
    }

    pub(super) fn places(&self) -> Places {
        let rows = self.joined.joint_rows();
        let nu = self.position_rows().count();
        let accelerations = nu + rows;
        let lambda = accelerations + RATES * self.mechanism.bodies.len();
        Places { nu, accelerations, lambda, count: lambda + rows }
    }

    /// Number of algebraic variables, and of their equations.
    #[must_use]
    pub fn algebraic_count(&self) -> usize {
        self.places().count
    }

    /// Writes the algebraic variables that go with (t, y), `algebraic_count` entries.
    ///
    /// # Errors
    /// [`EvalError`] when the point cannot be evaluated.
    pub fn solve_algebraic(&mut self, t: f64, y: &[f64], algebraic: &mut [f64]) -> Result<(), EvalError> {
        self.evaluate(t, y)?;
        let (places, held) = (self.places(), self.position_rows().collect::<Vec<_>>());
        let Some(Solvers { positions, velocities, accelerations }) = &self.solvers else { return Ok(()) };
        let excess = |level: usize| {
            let closed = &self.y;
            move |column: usize| y[place(column, level)] - closed[place(column, level)]
        };
        let of_velocities = velocities.as_ref().unwrap_or(positions);
        let found = positions.spread.find(excess(0)).and_then(|mu| Ok((mu, of_velocities.spread.find(excess(1))?)));
        let (mu, nu) = match found {
            Ok(found) => found,
            Err(error) => return Err(self.refused(error.into(), t)),
        };
        algebraic[..places.accelerations].fill(0.0);
        for (row, mu) in positions.rows.iter().zip(mu) {
            if let Ok(k) = held.binary_search(row) {
                algebraic[k] = mu;
            }
        }
        for (row, nu) in of_velocities.rows.iter().zip(nu) {
            algebraic[places.nu + row] = nu;
        }
        algebraic[places.accelerations..places.lambda].copy_from_slice(&accelerations.accelerations);
        algebraic[places.lambda..].copy_from_slice(&accelerations.joints);
        Ok(())
    }

    /// Writes f(t, y, a) to `yp` and g(t, y, a) to `residual`.
    ///
    /// # Errors
    /// [`EvalError`] when the point cannot be evaluated.
    pub fn residual(
        &mut self,
        t: f64,
        y: &[f64],
        algebraic: &[f64],
        yp: &mut [f64],
        residual: &mut [f64],
    ) -> Result<(), EvalError> {
        interrupt::check(&self.interrupt, t)?;
        self.last.forget();
        self.y.copy_from_slice(y);
        let (places, held) = (self.places(), self.position_rows().collect::<Vec<_>>());
        self.correct(&places, &held, algebraic);
        self.place();
        self.evaluate_motions(t);
        self.write_constraints(t, &places, &held, residual)?;
        let (accelerations, lambda) = algebraic[places.accelerations..].split_at(places.lambda - places.accelerations);
        let Self { mechanism, joined, poses, tracked, state_rates, .. } = self;
        let system = &mut joined.system;
        let (balance, gamma) = residual[places.accelerations..].split_at_mut(accelerations.len());
        system.forces(mechanism, t, poses, tracked, balance)?;
        System::add_friction(mechanism, poses, lambda, balance);
        system.evaluate_mass(mechanism, poses);
        for (row, column, value) in system.mass.triplet_iter() {
            balance[row] -= value * accelerations[column];
        }
        system.gamma(mechanism, poses, gamma);
        for (row, column, value) in joined.jacobian.triplet_iter() {
            balance[column] -= value * lambda[row];
            gamma[row] -= value * accelerations[column];
        }
        joined.system.loads().rates(mechanism, state_rates);
        self.write_rates(accelerations, yp);
        Ok(())
    }

    /// Takes from the dependent coordinates of `self.y` what their corrections say.
    fn correct(&mut self, places: &Places, held: &[usize], algebraic: &[f64]) {
        let Self { solvers, y, .. } = self;
        let Some(Solvers { positions, velocities, .. }) = solvers else { return };
        let mut take = |part: &Partition, level: usize, value: &dyn Fn(usize) -> f64| {
            part.spread.apply(|r| value(part.rows[r]), |column, change| y[place(column, level)] -= change);
        };
        take(positions, 0, &|row| held.binary_search(&row).map_or(0.0, |k| algebraic[k]));
        take(velocities.as_ref().unwrap_or(positions), 1, &|row| algebraic[places.nu + row]);
    }

    /// Phi and its rates at `self.poses`, and the Jacobian there.
    fn write_constraints(
        &mut self,
        t: f64,
        places: &Places,
        held: &[usize],
        residual: &mut [f64],
    ) -> Result<(), EvalError> {
        let Self { mechanism, joined, poses, defects, .. } = self;
        joined.evaluate(mechanism, t, poses, defects)?;
        residual[..places.nu].iter_mut().zip(held).for_each(|(residual, row)| *residual = defects[*row]);
        joined.fill(mechanism);
        joined.defect_rates(poses, &mut residual[places.nu..places.accelerations]);
        Ok(())
    }
}

/// Where a column of the Jacobian stands in y: its position (`level` 0) or velocity (1).
fn place(column: usize, level: usize) -> usize {
    PER_BODY * (column / RATES) + RATES * level + column % RATES
}
