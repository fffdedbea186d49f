//! States beside the base of a [`Reduced`] mechanism: Newton's iteration for the coordinates that depend on the independent ones.

use super::acceleration::with_ground;
use super::reduced::{Factors, Reduced};
use crate::error::Error;
use crate::mechanism::Mechanism;
use crate::space::rotation_vector;
use crate::state::State;
use nalgebra::{DMatrix, DVector};

/// Newton iterations for the dependent coordinates, at most.
const ITERATIONS: usize = 60;
/// What rows are open, in lengths of the mechanism or rad, above which an iteration may leave more than the one before: far from the solution what one row
/// closes opens another.
const NEAR: f64 = 1e-6;
/// How often it may do so.
const RISES: usize = 4;
impl Reduced<'_> {
    /// The state that is displaced by `way`, but for what depends on it; coordinates `rolled` do so unless they are `free`.
    pub(super) fn reach(&mut self, mut way: Vec<f64>, free: bool, w: &[f64]) -> Result<State, Error> {
        let mut state = self.base.clone();
        let (time, drives) = (state.time, state.drives.clone());
        self.system.evaluate_drives(self.mechanism, time, &drives);
        self.system.count_from(&state.angles);
        let mut defects = DVector::zeros(self.dependent.len());
        let (mut best, mut rises) = ((f64::INFINITY, way.clone()), 0);
        for _ in 0..ITERATIONS {
            self.place(&mut state, &way);
            let (worst, lu) = self.defects(&state, &way, free, &mut defects)?;
            if worst < best.0 {
                best = (worst, way.clone());
            } else {
                rises += 1;
                if best.0 <= NEAR || rises > RISES || !worst.is_finite() {
                    break;
                }
            }
            match self.solve(&lu, &mut defects) {
                Err(_) if rises > 0 => break,
                result => result?,
            }
            self.dependent.iter().zip(defects.iter()).for_each(|(&column, value)| way[column] -= value);
        }
        self.open = best.0;
        self.place(&mut state, &best.1);
        self.move_with(&mut state, w)?;
        let poses = with_ground(&state.poses);
        self.mechanism.count_angles(&mut state, &poses);
        Ok(state)
    }

    /// The state at rest that `step` of the independent coordinates leads to, sought from the straight way along `own`, how the coordinates follow
    /// these at the base: beyond a change point it remains on the branch that goes straight on.
    pub(super) fn state_along(&mut self, step: &DVector<f64>, own: &DMatrix<f64>) -> Result<State, Error> {
        let way = own * step;
        self.reach(way.as_slice().to_vec(), false, &vec![0.0; step.len()])
    }

    /// How far `state` lies beside the straight way that the coordinates `step` go along `basis`, in lengths of the mechanism or rad.
    pub(super) fn aside(&self, state: &State, basis: &DMatrix<f64>, step: &DVector<f64>) -> f64 {
        let mut straight = self.base.poses.clone();
        Mechanism::displace(&mut straight, (basis * step).as_slice(), 1.0);
        let ways = straight.iter().zip(&state.poses).flat_map(|(straight, found)| {
            let [way, turn] = [found.x - straight.x, rotation_vector(&(found.a * straight.a.transpose()))];
            [way.x, way.y, way.z, turn.x, turn.y, turn.z]
        });
        self.longest(&ways.collect::<Vec<_>>(), 1.0)
    }

    /// Places the bodies of `state` beside the base by `way`.
    fn place(&self, state: &mut State, way: &[f64]) {
        state.poses.clone_from(&self.base.poses);
        let displacement = self.global(DMatrix::from_column_slice(way.len(), 1, way));
        Mechanism::displace(&mut state.poses, displacement.as_slice(), 1.0);
    }

    /// What the rows are open at `state`, which lies beside the base by `way`; the largest in lengths of the mechanism or rad, and the dependent columns
    /// of the rows factored.
    fn defects(
        &mut self,
        state: &State,
        way: &[f64],
        free: bool,
        defects: &mut DVector<f64>,
    ) -> Result<(f64, Factors), Error> {
        let poses = with_ground(&state.poses);
        self.find_rows(&poses)?;
        let joints = self.system.row_count();
        self.system.defects(self.mechanism, &poses, &mut defects.as_mut_slice()[..joints]);
        for (defect, row) in defects.as_mut_slice()[joints..].iter_mut().zip(&self.rows) {
            *defect = row.value;
        }
        let (jacobian, lu) = self.factored(&poses, free)?;
        for (k, &row) in self.rolling_rows.iter().enumerate().filter(|_| !free) {
            let along = |gradient: nalgebra::DMatrixView<'_, f64>| -> f64 {
                gradient.iter().zip(way).map(|(part, way)| part * way).sum()
            };
            defects[row] = 0.5 * (along(jacobian.rows(row, 1)) + along(self.rolling_base.rows(k, 1)));
        }
        let units = self.units.iter().copied().chain(std::iter::repeat(self.mechanism.length));
        let sizes = defects.iter().zip(units).map(|(defect, unit)| (defect / unit).abs());
        // A NaN is no small defect, and remains one.
        Ok((sizes.fold(0.0_f64, |worst, size| if worst.is_nan() || size <= worst { worst } else { size }), lu))
    }

    /// Velocities of `state` from those of the independent coordinates.
    fn move_with(&mut self, state: &mut State, w: &[f64]) -> Result<(), Error> {
        let mut u = DVector::zeros(6 * state.poses.len());
        self.independent.iter().zip(w).for_each(|(&column, value)| u[column] = *value);
        self.set_velocities(state, &u);
        let poses = with_ground(&state.poses);
        let (_, lu) = self.factored(&poses, false)?;
        // Phi_q u + Phi_t with the dependent velocities at 0.
        let (joints, mut rates) = (self.system.row_count(), DVector::zeros(self.dependent.len()));
        self.system.defect_rates(self.mechanism, &poses, &mut rates.as_mut_slice()[..joints]);
        for (rate, row) in rates.as_mut_slice()[joints..].iter_mut().zip(&self.rows) {
            *rate = row.velocity(&poses);
        }
        self.solve(&lu, &mut rates)?;
        self.dependent.iter().zip(rates.iter()).for_each(|(&column, value)| u[column] = -value);
        self.set_velocities(state, &u);
        Ok(())
    }
}
