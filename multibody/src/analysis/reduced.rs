//! A mechanism near a state in independent coordinates, on which linearization and equilibrium stand.
//!
//! Of the 6 n coordinates of the bodies (x, y, z of the centre of mass and turns about the global axes, six a body) as many depend on the
//! others as there are independent constraint rows; pivots of `Phi_q` in order of size choose which. A way z of the independent ones from the
//! base state takes the dependent ones with it (Newton's iteration on Phi = 0), and so do velocities w (`Phi_q` u = -`Phi_t`).
//!
//! Rows of rolling hold velocities alone. Along z they hold the way too, by the trapezoidal rule from the base on; as many further coordinates c
//! say how far positions are beside where rolling takes them.
//!
//! Closed contacts are rows like those of joints. Of these as many are held as are independent, gaps before what friction holds.

use super::acceleration::{Accelerations, with_ground};
use super::contact_rows::{ContactRow, ContactRows};
use crate::error::Error;
use crate::input::Inputs;
use crate::mechanism::{Mechanism, Rows, System};
use crate::space::V3;
use crate::state::State;
use nalgebra::{DMatrix, DVector, LU, RowDVector};

/// Newton iterations for the dependent coordinates, at most.
const ITERATIONS: usize = 60;
/// Pivots of rows of contacts, over the largest, that count as zero: round-off of a few hundred rows.
const DEPENDENT: f64 = 1e-9;

pub(super) struct Reduced<'a> {
    pub(super) mechanism: &'a Mechanism,
    pub(super) contacts: &'a mut dyn ContactRows,
    base: State,
    system: System,
    pub(super) accelerations: Accelerations,
    /// Independent coordinates and the dependent ones, ascending: 6 b + k for coordinate k of body b.
    pub(super) independent: Vec<usize>,
    dependent: Vec<usize>,
    /// Of these, one for each row of rolling, whose numbers follow, with what the rows are at the base.
    pub(super) rolled: Vec<usize>,
    rolling_rows: Vec<usize>,
    rolling_base: DMatrix<f64>,
    /// Velocities of the independent coordinates at the base.
    pub(super) velocities: Vec<f64>,
    /// Places of the rows of contacts that are held, ascending, and these rows where they were found last.
    kept: Vec<usize>,
    pub(super) rows: Vec<ContactRow>,
    /// How the coordinates of all bodies follow those that joints and motions alone leave independent.
    pub(super) joint_basis: DMatrix<f64>,
    /// What the last state that was sought leaves open [m, rad].
    pub(super) open: f64,
    /// Loads of the contacts at the last accelerations, six numbers a body; none without contacts.
    pub(super) loads: Vec<f64>,
}

impl<'a> Reduced<'a> {
    /// Chooses coordinates at `base`, which satisfies the constraints.
    pub(super) fn new(
        mechanism: &'a Mechanism,
        base: &State,
        inputs: &Inputs,
        contacts: &'a mut dyn ContactRows,
    ) -> Result<Self, Error> {
        let mut accelerations = Accelerations::new(mechanism, base)?;
        accelerations.inputs_mut().clone_from(inputs);
        let mut system = System::new(mechanism, Rows::Independent);
        system.evaluate_phi(mechanism, &with_ground(&base.poses));
        let mut scaled = dense(&system);
        for column in 0..scaled.ncols() {
            // Lengths in lengths of the mechanism: a turn by 1 rad and a way by 1 length weigh alike.
            scaled.column_mut(column).scale_mut(if column % 6 < 3 { mechanism.length } else { 1.0 });
        }
        let rolling_rows = mechanism.rolling_rows();
        let rolling_base = dense(&system).select_rows(&rolling_rows);
        let ([mut dependent, mut independent], rolled) = choose(scaled, &rolling_rows);
        dependent.sort_unstable();
        independent.sort_unstable();
        let base = base.clone();
        let (velocities, kept, rows, loads) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        let joint_basis = DMatrix::zeros(0, 0);
        let mut own = Self {
            mechanism,
            contacts,
            base,
            system,
            accelerations,
            independent,
            dependent,
            rolled,
            rolling_rows,
            rolling_base,
            velocities,
            kept,
            rows,
            joint_basis,
            loads,
            open: 0.0,
        };
        own.hold_contacts()?;
        own.velocities = own.independent.iter().map(|&c| velocity(&own.base, c)).collect();
        Ok(own)
    }

    /// Chooses the rows of contacts that are held, and the coordinates that follow by them.
    fn hold_contacts(&mut self) -> Result<(), Error> {
        let poses = with_ground(&self.base.poses);
        let mut all = Vec::new();
        self.contacts.rows(self.base.time, &poses, &mut all)?;
        if all.is_empty() {
            return Ok(());
        }
        self.joint_basis = self.basis()?;
        let columns = self.joint_basis.nrows();
        let mut matrix = DMatrix::zeros(all.len(), self.count());
        for (k, row) in all.iter().enumerate() {
            let mut line = vec![0.0; columns];
            row.scatter(1.0, &mut line);
            let mut line = self.joint_basis.tr_mul(&DVector::from_vec(line));
            line.iter_mut().enumerate().for_each(|(k, value)| *value *= self.scale(k));
            matrix.set_row(k, &line.transpose());
        }
        let largest = matrix.amax();
        let mut taken = vec![false; self.count()];
        for normal in [true, false] {
            let mut left: Vec<usize> = (0..all.len()).filter(|&k| all[k].normal == normal).collect();
            while let Some((at, row, column)) = pivot(&matrix, &left, &taken, DEPENDENT * largest) {
                left.swap_remove(at);
                taken[column] = true;
                self.kept.push(row);
                for other in (0..all.len()).filter(|other| *other != row && !self.kept.contains(other)) {
                    let factor = matrix[(other, column)] / matrix[(row, column)];
                    let line = matrix.row(row) * factor;
                    let rest = matrix.row(other) - line;
                    matrix.set_row(other, &rest);
                }
            }
        }
        self.kept.sort_unstable();
        let column = |taken_one: bool| {
            self.independent.iter().zip(&taken).filter(move |(_, taken)| **taken == taken_one).map(|(c, _)| *c)
        };
        let (following, independent): (Vec<usize>, Vec<usize>) = (column(true).collect(), column(false).collect());
        self.dependent.extend(following);
        self.dependent.sort_unstable();
        self.independent = independent;
        Ok(())
    }

    /// Finds the rows of contacts that are held, at `poses` (ground last).
    pub(super) fn find_rows(&mut self, poses: &[crate::space::Pose]) -> Result<(), Error> {
        let mut all = std::mem::take(&mut self.rows);
        if !self.kept.is_empty() {
            self.contacts.rows(self.base.time, poses, &mut all)?;
            let kept = self.kept.iter().filter_map(|&k| all.get(k).copied()).collect();
            all = kept;
        }
        self.rows = all;
        Ok(())
    }

    /// Time of the base \[s\].
    pub(super) fn time(&self) -> f64 {
        self.base.time
    }

    /// Number of independent coordinates.
    pub(super) fn count(&self) -> usize {
        self.independent.len()
    }

    /// A way of independent coordinate `k` that is neither small nor large [m, rad].
    pub(super) fn scale(&self, k: usize) -> f64 {
        if self.independent[k] % 6 < 3 { self.mechanism.length } else { 1.0 }
    }

    /// How the coordinates of all bodies follow the independent ones at the base, 6 n x f.
    pub(super) fn basis(&mut self) -> Result<DMatrix<f64>, Error> {
        let (jacobian, lu) = self.factored(&with_ground(&self.base.poses.clone()), false)?;
        let mut basis = DMatrix::zeros(6 * self.mechanism.bodies.len(), self.count());
        for (k, &column) in self.independent.iter().enumerate() {
            basis[(column, k)] = 1.0;
            let mut right: DVector<f64> = -jacobian.column(column);
            self.solve(&lu, &mut right)?;
            for (&row, value) in self.dependent.iter().zip(right.iter()) {
                basis[(row, k)] = *value;
            }
        }
        Ok(basis)
    }

    /// Mass matrix of the independent coordinates, N^T M N with N the `basis`.
    pub(super) fn mass(&mut self, basis: &DMatrix<f64>) -> DMatrix<f64> {
        if !self.mechanism.flexible.is_empty() {
            self.system.evaluate_mass(self.mechanism, &with_ground(&self.base.poses));
            return basis.transpose() * (&self.system.mass * basis);
        }
        let mut moved = basis.clone();
        for (k, (body, pose)) in self.mechanism.bodies.iter().zip(&self.base.poses).enumerate() {
            let inertia = body.global_inertia(pose);
            moved.rows_mut(6 * k, 3).scale_mut(body.mass);
            let turned = inertia * basis.fixed_rows::<3>(6 * k + 3);
            moved.fixed_rows_mut::<3>(6 * k + 3).copy_from(&turned);
        }
        basis.transpose() * moved
    }

    /// How the coordinates of all bodies follow those that say how far positions are beside where rolling takes them, 6 n x `rolled`.
    pub(super) fn rolled_basis(&mut self) -> Result<DMatrix<f64>, Error> {
        let (_, lu) = self.factored(&with_ground(&self.base.poses.clone()), true)?;
        let mut basis = DMatrix::zeros(6 * self.mechanism.bodies.len(), self.rolled.len());
        for (k, &row) in self.rolling_rows.iter().enumerate() {
            let mut right = DVector::zeros(self.dependent.len());
            right[row] = 1.0;
            self.solve(&lu, &mut right)?;
            self.dependent.iter().zip(right.iter()).for_each(|(&row, value)| basis[(row, k)] = *value);
        }
        Ok(basis)
    }

    /// The state with the independent coordinates displaced by `z` and their velocities `w`; positions and velocities alone are filled. Where
    /// something rolls it has rolled by the way.
    pub(super) fn state(&mut self, z: &[f64], w: &[f64]) -> Result<State, Error> {
        let mut way = vec![0.0; 6 * self.mechanism.bodies.len()];
        self.independent.iter().zip(z).for_each(|(&column, value)| way[column] = *value);
        self.reach(way, false, w)
    }

    /// As [`Reduced::state`], the coordinates `rolled` displaced by the numbers given.
    pub(super) fn state_beside(&mut self, z: &[f64], rolled: &[f64], w: &[f64]) -> Result<State, Error> {
        let mut way = vec![0.0; 6 * self.mechanism.bodies.len()];
        self.independent.iter().zip(z).for_each(|(&column, value)| way[column] = *value);
        self.rolled.iter().zip(rolled).for_each(|(&column, value)| way[column] = *value);
        self.reach(way, true, w)
    }

    /// The state that is displaced by `way`, but for what depends on it; coordinates `rolled` do so unless they are `free`.
    fn reach(&mut self, mut way: Vec<f64>, free: bool, w: &[f64]) -> Result<State, Error> {
        let mut state = self.base.clone();
        let (time, drives) = (state.time, state.drives.clone());
        self.system.evaluate_drives(self.mechanism, time, &drives);
        self.system.count_from(&state.angles);
        let mut defects = DVector::zeros(self.dependent.len());
        let mut best = f64::INFINITY;
        for _ in 0..ITERATIONS {
            state.poses.clone_from(&self.base.poses);
            Mechanism::displace(&mut state.poses, &way, 1.0);
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
                    gradient.iter().zip(&way).map(|(part, way)| part * way).sum()
                };
                defects[row] = 0.5 * (along(jacobian.rows(row, 1)) + along(self.rolling_base.rows(k, 1)));
            }
            let worst = defects.amax();
            if !(worst < best) {
                break;
            }
            best = worst;
            self.solve(&lu, &mut defects)?;
            self.dependent.iter().zip(defects.iter()).for_each(|(&column, value)| way[column] -= value);
        }
        self.open = best;
        self.move_with(&mut state, w)?;
        let poses = with_ground(&state.poses);
        self.mechanism.count_angles(&mut state, &poses);
        Ok(state)
    }

    /// Velocities of `state` from those of the independent coordinates.
    fn move_with(&mut self, state: &mut State, w: &[f64]) -> Result<(), Error> {
        let mut u = DVector::zeros(6 * state.poses.len());
        self.independent.iter().zip(w).for_each(|(&column, value)| u[column] = *value);
        set_velocities(state, &u);
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
        set_velocities(state, &u);
        Ok(())
    }

    /// `Phi_q` at `poses`, and its dependent columns factored. Where coordinates `rolled` are `free`, rows of rolling keep these.
    fn factored(&mut self, poses: &[crate::space::Pose], free: bool) -> Result<(DMatrix<f64>, Factors), Error> {
        self.system.evaluate_phi(self.mechanism, poses);
        let mut jacobian = dense(&self.system);
        for (&row, &column) in self.rolling_rows.iter().zip(&self.rolled).filter(|_| free) {
            jacobian.row_mut(row).fill(0.0);
            jacobian[(row, column)] = 1.0;
        }
        if !self.kept.is_empty() {
            self.find_rows(poses)?;
            let (joints, columns) = jacobian.shape();
            jacobian = jacobian.resize_vertically(joints + self.rows.len(), 0.0);
            for (k, row) in self.rows.iter().enumerate() {
                let mut line = vec![0.0; columns];
                row.scatter(1.0, &mut line);
                jacobian.set_row(joints + k, &nalgebra::RowDVector::from_vec(line));
            }
        }
        let lu = LU::new(jacobian.select_columns(&self.dependent));
        Ok((jacobian, lu))
    }

    pub(super) fn solve(&self, lu: &Factors, right: &mut DVector<f64>) -> Result<(), Error> {
        if right.is_empty() || (lu.solve_mut(right) && right.iter().all(|value| value.is_finite())) {
            return Ok(());
        }
        Err(Error::Singular {
            analysis: "independent coordinates",
            time: self.base.time,
            place: "the position of the mechanism".to_owned(),
            remedy: "look for a singular position of the mechanism, and go a little away from it".to_owned(),
        })
    }

    /// Accelerations of the independent coordinates.
    pub(super) fn taken(&self, state: &State) -> DVector<f64> {
        let accelerations = self.independent.iter().map(|&c| state.accelerations[c / 6][c % 6 / 3][c % 3]);
        DVector::from_iterator(self.count(), accelerations)
    }
}

/// Dependent and independent columns of `jacobian` by pivots in order of size: of rows that hold positions first, then for the `rolling` ones; the
/// columns of these once more.
fn choose(jacobian: DMatrix<f64>, rolling: &[usize]) -> ([Vec<usize>; 2], Vec<usize>) {
    let (rows, columns) = jacobian.shape();
    let mut order = RowDVector::from_iterator(columns, 0..columns);
    let holding: Vec<usize> = (0..rows).filter(|row| !rolling.contains(row)).collect();
    let count = holding.len();
    if count > 0 {
        jacobian.select_rows(&holding).full_piv_lu().q().permute_columns(&mut order);
    }
    if !rolling.is_empty() {
        let (first, left) = (order.as_slice()[..count].to_vec(), order.as_slice()[count..].to_vec());
        let mut rest = jacobian.select_rows(rolling).select_columns(&left);
        let held = jacobian.select_rows(&holding);
        if let Some(follows) = held.select_columns(&first).lu().solve(&held.select_columns(&left)) {
            rest -= jacobian.select_rows(rolling).select_columns(&first) * follows;
        }
        let mut behind = RowDVector::from_vec(left);
        rest.full_piv_lu().q().permute_columns(&mut behind);
        order.columns_mut(count, columns - count).copy_from(&behind);
    }
    let order = order.as_slice();
    ([order[..rows].to_vec(), order[rows..].to_vec()], order[count..rows].to_vec())
}

/// The largest entry of the rows `left` in the columns not `taken`: its place in `left`, its row and column. None where all are below `least`.
fn pivot(matrix: &DMatrix<f64>, left: &[usize], taken: &[bool], least: f64) -> Option<(usize, usize, usize)> {
    let mut best = None;
    let mut size = least;
    for (at, &row) in left.iter().enumerate() {
        for column in (0..taken.len()).filter(|&column| !taken[column]) {
            if matrix[(row, column)].abs() > size {
                size = matrix[(row, column)].abs();
                best = Some((at, row, column));
            }
        }
    }
    best
}

type Factors = LU<f64, nalgebra::Dyn, nalgebra::Dyn>;

fn dense(system: &System) -> DMatrix<f64> {
    let mut matrix = DMatrix::zeros(system.phi.nrows(), system.phi.ncols());
    for (row, column, value) in system.phi.triplet_iter() {
        matrix[(row, column)] = *value;
    }
    matrix
}

fn velocity(state: &State, column: usize) -> f64 {
    let pose = &state.poses[column / 6];
    if column % 6 < 3 { pose.v[column % 3] } else { pose.w[column % 3] }
}

fn set_velocities(state: &mut State, u: &DVector<f64>) {
    for (pose, u) in state.poses.iter_mut().zip(u.as_slice().chunks_exact(6)) {
        pose.v = V3::new(u[0], u[1], u[2]);
        pose.w = V3::new(u[3], u[4], u[5]);
    }
}
