//! A mechanism near a state in independent coordinates, on which linearization and equilibrium stand.
//!
//! Of the 6 n coordinates of the bodies (x, y, z of the centre of mass and turns, six a body, along the axes that the body has at the base) as many
//! depend on the others as there are independent constraint rows; pivots of `Phi_q` in order of size choose which: the same ones however the mechanism
//! as a whole lies. A way z of the independent ones from the
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
use crate::mechanism::{DROPPED, Mechanism, Rows, System};
use crate::space::{M3, Pose, V3};
use crate::state::State;
use nalgebra::{DMatrix, DVector, LU, RowDVector};

/// Pivots of rows of contacts, over the largest, that count as zero: round-off of a few hundred rows.
const DEPENDENT: f64 = 1e-9;

pub(super) struct Reduced<'a> {
    pub(super) mechanism: &'a Mechanism,
    pub(super) contacts: &'a mut dyn ContactRows,
    pub(super) base: State,
    /// Axes of the bodies at the base, along which coordinates are.
    axes: Vec<M3>,
    pub(super) system: System,
    pub(super) accelerations: Accelerations,
    /// Independent coordinates and the dependent ones, ascending: 6 b + k for coordinate k of body b.
    pub(super) independent: Vec<usize>,
    pub(super) dependent: Vec<usize>,
    /// Of these, one for each row of rolling, whose numbers follow, with what the rows are at the base.
    pub(super) rolled: Vec<usize>,
    pub(super) rolling_rows: Vec<usize>,
    pub(super) rolling_base: DMatrix<f64>,
    /// Velocities of the independent coordinates at the base.
    pub(super) velocities: Vec<f64>,
    /// Places of the rows of contacts that are held, ascending, and these rows where they were found last.
    kept: Vec<usize>,
    pub(super) rows: Vec<ContactRow>,
    /// How the coordinates of all bodies follow those that joints and motions alone leave independent.
    pub(super) joint_basis: DMatrix<f64>,
    /// What the last state that was sought leaves open, in lengths of the mechanism or rad.
    pub(super) open: f64,
    /// Units of the rows of joints: lengths of the mechanism [m], or 1 rad.
    pub(super) units: Vec<f64>,
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
        let axes: Vec<M3> = (0..base.poses.len())
            .map(|body| if mechanism.carries_modes(body) { M3::identity() } else { base.poses[body].a })
            .collect();
        let mut scaled = along(&axes, dense(&system));
        for column in 0..scaled.ncols() {
            // Lengths in lengths of the mechanism: a turn by 1 rad and a way by 1 length weigh alike.
            scaled.column_mut(column).scale_mut(if column % 6 < 3 { mechanism.length } else { 1.0 });
        }
        for mut row in scaled.row_iter_mut() {
            // Rows of lengths and of angles alike.
            let size = row.norm();
            row.scale_mut(if size > 0.0 { 1.0 / size } else { 1.0 });
        }
        let rolling_rows = mechanism.rolling_rows();
        let rolling_base = along(&axes, dense(&system)).select_rows(&rolling_rows);
        let ([mut dependent, mut independent], rolled) = choose(scaled, &rolling_rows);
        dependent.sort_unstable();
        independent.sort_unstable();
        let units = units(mechanism, system.row_count());
        let base = base.clone();
        let (velocities, kept, rows, loads) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        let joint_basis = DMatrix::zeros(0, 0);
        let mut own = Self {
            mechanism,
            contacts,
            base,
            axes,
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
            units,
        };
        own.hold_contacts()?;
        let at_base = own.velocities_of(&own.base);
        own.velocities = own.independent.iter().map(|&c| at_base[c]).collect();
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
    pub(super) fn find_rows(&mut self, poses: &[Pose]) -> Result<(), Error> {
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

    /// Loads on the bodies at `state` but those of joints and contacts, six numbers a body [N, N m]; as the last accelerations there settled them.
    pub(super) fn applied(&mut self, state: &State) -> Result<Vec<f64>, Error> {
        let mut loads = vec![0.0; 6 * state.poses.len()];
        let (poses, system) = (with_ground(&state.poses), &mut self.accelerations.system);
        system.forces(self.mechanism, state.time, &poses, &state.angles, &mut loads)?;
        Ok(loads)
    }

    /// Takes unknowns of motions from one time to another \[s\].
    pub(super) fn advance_drives(&mut self, from: f64, to: f64, drives: &mut [f64]) {
        self.system.advance_drives(self.mechanism, from, to, drives);
    }

    /// Number of independent coordinates.
    pub(super) fn count(&self) -> usize {
        self.independent.len()
    }

    /// A way of independent coordinate `k` that is neither small nor large [m, rad].
    pub(super) fn scale(&self, k: usize) -> f64 {
        if self.independent[k] % 6 < 3 { self.mechanism.length } else { 1.0 }
    }

    /// A way of independent coordinate `k` that moves no body by more than a length of the mechanism or 1 rad [m, rad], where bodies follow it by
    /// `basis`: beside a dead centre others move by many times its own way.
    pub(super) fn way(&self, k: usize, basis: &DMatrix<f64>) -> f64 {
        self.scale(k) / self.longest(basis.column(k).as_slice(), self.scale(k)).max(1.0)
    }

    /// The longest of the ways and turns of all bodies, six numbers a body, `times` over, in lengths of the mechanism or rad.
    pub(super) fn longest(&self, ways: &[f64], times: f64) -> f64 {
        let parts = ways.chunks_exact(3).map(V3::from_column_slice).enumerate();
        parts.fold(0.0, |longest, (k, part)| {
            longest.max(times * part.norm() / if k % 2 == 0 { self.mechanism.length } else { 1.0 })
        })
    }

    /// How ways and turns of all bodies along the global axes follow the independent coordinates at the base, 6 n x f.
    pub(super) fn basis(&mut self) -> Result<DMatrix<f64>, Error> {
        let basis = self.own_basis()?;
        Ok(self.global(basis))
    }

    /// How the coordinates follow the independent ones at the base.
    pub(super) fn own_basis(&mut self) -> Result<DMatrix<f64>, Error> {
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
        basis.tr_mul(&self.weighted(basis))
    }

    /// M times `ways` of all bodies.
    pub(super) fn weighted(&mut self, ways: &DMatrix<f64>) -> DMatrix<f64> {
        if !self.mechanism.flexible.is_empty() {
            self.system.evaluate_mass(self.mechanism, &with_ground(&self.base.poses));
            return &self.system.mass * ways;
        }
        let mut moved = ways.clone();
        for (k, (body, pose)) in self.mechanism.bodies.iter().zip(&self.base.poses).enumerate() {
            let inertia = body.global_inertia(pose);
            moved.rows_mut(6 * k, 3).scale_mut(body.mass);
            let turned = inertia * ways.fixed_rows::<3>(6 * k + 3);
            moved.fixed_rows_mut::<3>(6 * k + 3).copy_from(&turned);
        }
        moved
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
        Ok(self.global(basis))
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

    /// `Phi_q` at `poses`, and its dependent columns factored. Where coordinates `rolled` are `free`, rows of rolling keep these.
    pub(super) fn factored(&mut self, poses: &[Pose], free: bool) -> Result<(DMatrix<f64>, Factors), Error> {
        self.system.evaluate_phi(self.mechanism, poses);
        let mut jacobian = dense(&self.system);
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
        let mut jacobian = along(&self.axes, jacobian);
        for (&row, &column) in self.rolling_rows.iter().zip(&self.rolled).filter(|_| free) {
            jacobian.row_mut(row).fill(0.0);
            jacobian[(row, column)] = 1.0;
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
        let part = |&c: &usize| {
            let accelerations = state.accelerations[c / 6][c % 6 / 3];
            self.axes[c / 6].column(c % 3).dot(&accelerations)
        };
        DVector::from_iterator(self.count(), self.independent.iter().map(part))
    }

    /// `coordinate` with the global axis nearest to its own in place of that.
    pub(super) fn direction(&self, coordinate: usize) -> usize {
        let own = self.axes[coordinate / 6].column(coordinate % 3).into_owned();
        coordinate - coordinate % 3 + own.iamax()
    }

    /// Velocities of the coordinates at `state`.
    fn velocities_of(&self, state: &State) -> DVector<f64> {
        let of = |(pose, axes): (&Pose, &M3)| [axes.tr_mul(&pose.v), axes.tr_mul(&pose.w)];
        let parts = state.poses.iter().zip(&self.axes).flat_map(of).flat_map(|v| [v.x, v.y, v.z]);
        DVector::from_iterator(6 * state.poses.len(), parts)
    }

    pub(super) fn set_velocities(&self, state: &mut State, u: &DVector<f64>) {
        for ((pose, axes), u) in state.poses.iter_mut().zip(&self.axes).zip(u.as_slice().chunks_exact(6)) {
            pose.v = axes * V3::new(u[0], u[1], u[2]);
            pose.w = axes * V3::new(u[3], u[4], u[5]);
        }
    }

    /// Columns of coordinates as ways and turns along the global axes.
    pub(super) fn global(&self, mut columns: DMatrix<f64>) -> DMatrix<f64> {
        for (k, axes) in self.axes.iter().flat_map(|axes| [axes, axes]).enumerate() {
            let rows = axes * columns.fixed_rows::<3>(3 * k);
            columns.fixed_rows_mut::<3>(3 * k).copy_from(&rows);
        }
        columns
    }
}

/// Units of the independent rows of `mechanism`, so many: its length \[m\], or 1 rad.
fn units(mechanism: &Mechanism, rows: usize) -> Vec<f64> {
    let mut units = vec![mechanism.length; rows];
    for bound in mechanism.constraints.iter().filter(|bound| bound.constraint.is_angular()) {
        for &at in bound.rows[..bound.constraint.row_count()].iter().filter(|at| **at != DROPPED) {
            units[at as usize] = 1.0;
        }
    }
    units
}

/// `jacobian` by ways and turns along the global axes as one by coordinates along `axes` of the bodies.
fn along(axes: &[M3], mut jacobian: DMatrix<f64>) -> DMatrix<f64> {
    for (k, axes) in axes.iter().flat_map(|axes| [axes, axes]).enumerate() {
        let columns = jacobian.fixed_columns::<3>(3 * k) * axes;
        jacobian.fixed_columns_mut::<3>(3 * k).copy_from(&columns);
    }
    jacobian
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

pub(super) type Factors = LU<f64, nalgebra::Dyn, nalgebra::Dyn>;

fn dense(system: &System) -> DMatrix<f64> {
    let mut matrix = DMatrix::zeros(system.phi.nrows(), system.phi.ncols());
    for (row, column, value) in system.phi.triplet_iter() {
        matrix[(row, column)] = *value;
    }
    matrix
}
