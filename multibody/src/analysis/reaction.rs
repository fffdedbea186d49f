//! Reactions of joints and motions as wrenches.
//!
//! The wrench of a joint is what it does to the body of its marker I: the force -sum lambda g, and the torque about the
//! origin of I, -sum lambda g_i less the moment of the force. When rows were dropped the distribution among the joints is not
//! unique: the one reported minimizes the sum of squared forces and torques (torques divided by the length of the mechanism)
//! among all that load the bodies alike.

use super::explain::named;
use crate::constraint::{MAX_ROWS, Row};
use crate::error::Error;
use crate::measure::{Reaction, Source, component};
use crate::mechanism::{Counted, DROPPED, Mechanism, Pitch, Relation, Rows, System};
use crate::model::Quantity;
use crate::space::{Pose, V3};
use crate::state::{State, Tracked};
use fourbar_linalg::{
    CscMatrix, CsrMatrix, DependentRow, Error as LinearError, Harwell, Kkt, RankOptions, SparsityPattern,
};

/// Force and torque.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Wrench {
    /// Force on the body of marker I, global frame \[N\].
    pub force: V3,
    /// Torque on it about the origin of marker I, global frame \[N m\].
    pub torque: V3,
}

/// Workspace of reaction analyses of one mechanism.
#[derive(Debug, Clone)]
pub struct Reactions {
    /// Multipliers of all rows.
    multipliers: Vec<f64>,
    distribution: Option<Distribution>,
    /// Reactions among the measures that are not the only ones possible, by their places.
    several: Vec<usize>,
    /// The same of friction, by names.
    frictions: Vec<String>,
    /// Counted angles and the time of the state, for functions of them.
    angles: Vec<Tracked>,
    time: f64,
}

/// Part of a combination of redundant rows from which it loads what is measured: above what the combinations are off.
const LOADS: f64 = 1e-6;

/// Part of the largest load up to which loads are alike: what nearly dependent columns magnify of the violations that a step leaves.
const ALIKE: f64 = 1e-6;

/// min lambda^T S lambda subject to (`Phi^T` lambda)_c = f_c on rank-many columns c.
#[derive(Debug, Clone)]
struct Distribution {
    system: System,
    kkt: Kkt,
    weights: Vec<f64>,
    columns: Vec<usize>,
    /// For each entry of the transposed selection, its place among the values of Phi.
    places: Vec<usize>,
    values: Vec<f64>,
    forces: Vec<f64>,
    rhs: Vec<f64>,
}

impl Reactions {
    /// Sets up the workspace at `poses` (ground last).
    ///
    /// # Errors
    /// [`Error::Linear`], [`Error::Singular`].
    pub fn new(mechanism: &Mechanism, poses: &[Pose], time: f64) -> Result<Self, Error> {
        let multipliers = vec![0.0; mechanism.all_row_count()];
        let angles = mechanism.start.angles.clone();
        let mut reactions =
            Self { multipliers, distribution: None, several: Vec::new(), frictions: Vec::new(), angles, time };
        if !mechanism.redundancies.is_empty() {
            let (distribution, dependent) = Distribution::new(mechanism, poses, time)?;
            reactions.several = reactions.loaded_by(mechanism, poses, &dependent);
            reactions.distribution = Some(distribution);
        }
        Ok(reactions)
    }

    /// Measures that differ with the distribution: each dependent row, with the opposite of its combination, is a set of multipliers that loads no
    /// body, and these span all such sets.
    fn loaded_by(&mut self, mechanism: &Mechanism, poses: &[Pose], dependent: &[DependentRow]) -> Vec<usize> {
        let mut several = vec![false; mechanism.measures.len()];
        for row in dependent {
            self.multipliers.fill(0.0);
            self.multipliers[row.row] = 1.0;
            row.combination.iter().for_each(|&(other, factor)| self.multipliers[other] = -factor);
            let wrenches = |set| self.wrench(mechanism, set, poses);
            let all = (0..mechanism.sets.len()).map(wrenches);
            let force = all.fold(0.0_f64, |f, w| f.max(w.force.norm()).max(w.torque.norm() / mechanism.length));
            for friction in &mechanism.frictions {
                let Wrench { force: push, torque } = self.wrench(mechanism, friction.joint, poses);
                let presses = friction.pressing(&[push, torque], poses).value - friction.preload;
                if presses > LOADS * force && !self.frictions.contains(&friction.name) {
                    self.frictions.push(friction.name.clone());
                }
            }
            for (several, measure) in several.iter_mut().zip(&mechanism.measures) {
                let Source::Reaction(reaction) = &measure.source else { continue };
                let arm = if reaction.quantity == Quantity::Torque { mechanism.length } else { 1.0 };
                *several |= self.measured(mechanism, reaction, poses).abs() > LOADS * force * arm;
            }
        }
        (0..several.len()).filter(|&m| several[m]).collect()
    }

    /// Names of friction elements whose reactions are not the only ones possible: friction follows from those that the rows that are kept give, with
    /// nothing in the rows that were dropped.
    #[must_use]
    pub fn several_frictions(&self) -> &[String] {
        &self.frictions
    }

    /// Distributes the multipliers of `state` over all rows.
    ///
    /// # Errors
    /// [`Error::Linear`], [`Error::Singular`].
    pub fn solve(&mut self, mechanism: &Mechanism, state: &State, poses: &[Pose]) -> Result<(), Error> {
        self.multipliers.fill(0.0);
        self.angles.clone_from(&state.angles);
        self.time = state.time;
        for bound in &mechanism.constraints {
            for k in (0..bound.constraint.row_count()).filter(|&k| bound.rows[k] != DROPPED) {
                self.multipliers[bound.first + k] = state.multipliers[bound.rows[k] as usize];
            }
        }
        match &mut self.distribution {
            Some(d) => d.solve(mechanism, poses, state.time, &mut self.multipliers),
            None => Ok(()),
        }
    }

    /// Reactions among the measures that are not the only ones possible, places among [`Mechanism::measures`]. Where redundant rows are, others
    /// can be unique, as the forces of a planar linkage in its plane.
    #[must_use]
    pub fn several(&self) -> &[usize] {
        &self.several
    }

    /// Value of a measure of reactions, after [`Reactions::solve`] at the same poses.
    pub(super) fn measured(&self, mechanism: &Mechanism, reaction: &Reaction, poses: &[Pose]) -> f64 {
        let wrench = match reaction.at {
            Some(joint) => self.wrench_at(mechanism, reaction.owner, joint, poses),
            None => self.wrench(mechanism, reaction.owner, poses),
        };
        let vector = match reaction.quantity {
            Quantity::Force => wrench.force,
            Quantity::Torque => wrench.torque,
        };
        component(&vector, &reaction.projection.frame.axes(poses), reaction.projection.component)
    }

    /// Wrench of constraint set `set`, after [`Reactions::solve`] at the same poses; of a coupler, gear or rack at its first joint.
    #[must_use]
    pub fn wrench(&self, mechanism: &Mechanism, set: usize, poses: &[Pose]) -> Wrench {
        if mechanism.sets[set].relation.is_some_and(|relation| !relation.has_joints()) {
            return self.of_functions(mechanism, set, poses);
        }
        match mechanism.terms(set).first() {
            Some(term) => self.wrench_at(mechanism, set, term.set, poses),
            None => self.of_rows(mechanism, set, poses) + self.borne(mechanism, set, poses),
        }
    }

    fn of_rows(&self, mechanism: &Mechanism, set: usize, poses: &[Pose]) -> Wrench {
        let owner = &mechanism.sets[set];
        let mut wrench = Wrench { force: V3::zeros(), torque: V3::zeros() };
        let mut rows = [Row::zero(); MAX_ROWS];
        for bound in &mechanism.constraints[owner.constraints.clone()] {
            bound.constraint.rows(poses, &mut rows);
            for (k, row) in rows.iter().enumerate().take(bound.constraint.row_count()) {
                let lambda = self.multipliers[bound.first + k];
                wrench.force -= row.g * lambda;
                wrench.torque -= row.gi * lambda;
            }
        }
        wrench.torque -= owner.i.arm(poses).cross(&wrench.force);
        wrench
    }

    /// What rows that are functions do to the body of marker I, on whichever side of a term it stands.
    fn of_functions(&self, mechanism: &Mechanism, set: usize, poses: &[Pose]) -> Wrench {
        let owner = &mechanism.sets[set];
        let counted = Counted { angles: &self.angles, time: self.time };
        let mut wrench = Wrench::ZERO;
        let mut rows = [Row::zero(); MAX_ROWS];
        for bound in &mechanism.constraints[owner.constraints.clone()] {
            let lambda = self.multipliers[bound.first];
            for part in bound.parts_at(poses, counted) {
                part.gradients(poses, &mut rows);
                let sides = [(part.constraint.i.body, 1.0, rows[0].gi), (part.constraint.j.body, -1.0, rows[0].gj)];
                for (_, sign, turn) in sides.into_iter().filter(|side| side.0 == owner.i.body) {
                    wrench.force -= rows[0].g * (lambda * sign);
                    wrench.torque -= turn * lambda;
                }
            }
        }
        wrench.torque -= owner.i.arm(poses).cross(&wrench.force);
        wrench
    }
}

/// What couplers, gears and racks do at their joints.
impl Reactions {
    /// What coupler, gear or rack `set` does at its joint `joint`, after [`Reactions::solve`] at the same poses: a torque about its axis and a force
    /// along it on the body of marker I, of a gear the force of the teeth on the body that is not the carrier. Torques are about the origin of
    /// the joint's marker on that body.
    #[must_use]
    pub fn wrench_at(&self, mechanism: &Mechanism, set: usize, joint: usize, poses: &[Pose]) -> Wrench {
        match self.teeth(mechanism, set, joint, poses) {
            Some(teeth) => teeth.whole,
            None => self.of_terms(mechanism, set, joint, poses),
        }
    }

    /// What the terms of a composed row do to the body of marker I of `joint`.
    fn of_terms(&self, mechanism: &Mechanism, set: usize, joint: usize, poses: &[Pose]) -> Wrench {
        let mut wrench = Wrench::ZERO;
        let Some((row, composed)) = mechanism.composed(set) else { return wrench };
        let mut rows = [Row::zero(); MAX_ROWS];
        for term in composed.terms.iter().filter(|term| term.set == joint) {
            term.constraint.rows(poses, &mut rows);
            let load = self.multipliers[row] * term.weight;
            wrench.force -= rows[0].g * load;
            wrench.torque -= rows[0].gi * load;
        }
        wrench.torque -= mechanism.sets[joint].i.arm(poses).cross(&wrench.force);
        wrench
    }

    /// The force of the teeth of gear pair `set` on the gear of `joint`.
    fn teeth(&self, mechanism: &Mechanism, set: usize, joint: usize, poses: &[Pose]) -> Option<Teeth> {
        let Some(Relation::Gear(Pitch { frame, joints })) = mechanism.sets[set].relation else { return None };
        let (row, composed) = mechanism.composed(set)?;
        let sign = if joint == joints[0] { 1.0 } else { -1.0 };
        let force = frame.axis(poses, 2) * (-sign * self.multipliers[row] / composed.scale);
        let owner = &mechanism.sets[joint];
        let on_i = owner.i.body != frame.body;
        let own = if on_i { &owner.i } else { &owner.j };
        let torque = (frame.origin(poses) - own.origin(poses)).cross(&force);
        Some(Teeth { whole: Wrench { force, torque }, on_i })
    }

    /// What a joint bears of the teeth of its gears: their force less what turns or slides the gear, which is what the rows do.
    fn borne(&self, mechanism: &Mechanism, joint: usize, poses: &[Pose]) -> Wrench {
        let mut borne = Wrench::ZERO;
        for set in 0..mechanism.sets.len() {
            let Some(Relation::Gear(pitch)) = mechanism.sets[set].relation else { continue };
            let Some(Teeth { whole, on_i }) = self.teeth(mechanism, set, joint, poses) else { continue };
            if !pitch.joints.contains(&joint) {
                continue;
            }
            let mut rest = whole;
            if !on_i {
                // On the body of J about its marker: the opposite on I, about the marker there.
                let owner = &mechanism.sets[joint];
                let arm = owner.j.origin(poses) - owner.i.origin(poses);
                rest = Wrench { force: -whole.force, torque: -whole.torque - arm.cross(&whole.force) };
            }
            let pure = self.of_terms(mechanism, set, joint, poses);
            borne.force -= rest.force - pure.force;
            borne.torque -= rest.torque - pure.torque;
        }
        borne
    }
}

/// The force of teeth on a gear, and whether that is the body of I of its joint.
struct Teeth {
    whole: Wrench,
    on_i: bool,
}

impl Wrench {
    const ZERO: Self = Self { force: V3::new(0.0, 0.0, 0.0), torque: V3::new(0.0, 0.0, 0.0) };
}

impl std::ops::Add for Wrench {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        Self { force: self.force + other.force, torque: self.torque + other.torque }
    }
}

impl Distribution {
    fn new(mechanism: &Mechanism, poses: &[Pose], time: f64) -> Result<(Self, Vec<DependentRow>), Error> {
        let fail = |e| named(mechanism, "reactions", time, e, true);
        let mut system = System::new(mechanism, Rows::All);
        system.evaluate_phi(mechanism, poses);
        let rank = Harwell::rank(&system.phi, &RankOptions::default()).map_err(fail)?;
        let columns = columns(mechanism, poses, time)?;
        let (selection, places) = transposed(&system.phi, &columns);
        let m = system.row_count();
        let weights: Vec<f64> = (0..m)
            .map(|row| if mechanism.all_row(row).0.constraint.is_angular() { mechanism.length.powi(-2) } else { 1.0 })
            .collect();
        let offsets = (0..=m).collect();
        let diagonal = CscMatrix::try_from_csc_data(m, m, offsets, (0..m).collect(), weights.clone())
            .expect("a diagonal is a valid matrix");
        let kkt = Kkt::new(&diagonal, &selection).map_err(fail)?;
        let (values, rhs) = (selection.values().to_vec(), vec![0.0; columns.len()]);
        let forces = vec![0.0; system.phi.ncols()];
        Ok((Self { forces, system, kkt, weights, columns, places, values, rhs }, rank.dependent))
    }

    fn solve(
        &mut self,
        mechanism: &Mechanism,
        poses: &[Pose],
        time: f64,
        multipliers: &mut [f64],
    ) -> Result<(), Error> {
        self.system.evaluate_phi(mechanism, poses);
        self.forces.fill(0.0);
        for (row, &lambda) in self.system.phi.row_iter().zip(multipliers.iter()) {
            for (&column, value) in row.col_indices().iter().zip(row.values()) {
                self.forces[column] += value * lambda;
            }
        }
        let fail = |e| named(mechanism, "reactions", time, e, true);
        if self.distribute(multipliers).is_err() || !self.loads_alike(multipliers) {
            // The columns are those of another position, and may depend on each other here.
            let forces = std::mem::take(&mut self.forces);
            *self = Self { forces, ..Self::new(mechanism, poses, time)?.0 };
            self.distribute(multipliers).map_err(fail)?;
        }
        Ok(())
    }

    /// Whether `multipliers` load the bodies as `forces` do, in the columns that were not asked for as well.
    fn loads_alike(&self, multipliers: &[f64]) -> bool {
        let mut left = self.forces.clone();
        for (row, &lambda) in self.system.phi.row_iter().zip(multipliers) {
            for (&column, value) in row.col_indices().iter().zip(row.values()) {
                left[column] -= value * lambda;
            }
        }
        let largest = |values: &[f64]| values.iter().fold(0.0_f64, |a, b| a.max(b.abs()));
        largest(&left) <= ALIKE * largest(&self.forces)
    }

    /// The smallest multipliers that load the bodies as `forces` do.
    fn distribute(&mut self, multipliers: &mut [f64]) -> Result<(), LinearError> {
        for (value, &place) in self.values.iter_mut().zip(&self.places) {
            *value = self.system.phi.values()[place];
        }
        for (rhs, &column) in self.rhs.iter_mut().zip(&self.columns) {
            *rhs = self.forces[column];
        }
        multipliers.fill(0.0);
        let _ = self.kkt.refactor(&self.weights, &self.values)?;
        self.kkt.solve(multipliers, &mut self.rhs).map(|_| ())
    }
}

/// As many columns as rows are kept, ascending, in which these are independent. All rows together may have a larger rank where a step leaves them open.
fn columns(mechanism: &Mechanism, poses: &[Pose], time: f64) -> Result<Vec<usize>, Error> {
    let mut system = System::new(mechanism, Rows::Independent);
    system.evaluate_phi(mechanism, poses);
    let mut kept = system.phi;
    for mut row in kept.row_iter_mut() {
        let (columns, values) = row.cols_and_values_mut();
        for (_, value) in columns.iter().zip(values).filter(|(column, _)| *column % 6 < 3) {
            // A turn by 1 rad and a way by 1 length weigh alike.
            *value *= mechanism.length;
        }
    }
    let rank = Harwell::rank(&kept, &RankOptions { equilibrate: false, ..RankOptions::default() });
    let mut columns = rank.map_err(|e| named(mechanism, "reactions", time, e, true))?.pivot_columns;
    columns.sort_unstable();
    Ok(columns)
}

/// The columns `columns` (ascending) of `phi` as rows, and the place of each entry among the values of `phi`.
fn transposed(phi: &CsrMatrix<f64>, columns: &[usize]) -> (CsrMatrix<f64>, Vec<usize>) {
    let mut entries: Vec<Vec<(usize, usize)>> = vec![Vec::new(); columns.len()];
    let mut place = 0;
    for (r, row) in phi.row_iter().enumerate() {
        for column in row.col_indices() {
            if let Ok(k) = columns.binary_search(column) {
                entries[k].push((r, place));
            }
            place += 1;
        }
    }
    let mut offsets = vec![0];
    let (mut indices, mut places) = (Vec::new(), Vec::new());
    for row in entries {
        for (r, place) in row {
            indices.push(r);
            places.push(place);
        }
        offsets.push(indices.len());
    }
    let values = places.iter().map(|&p| phi.values()[p]).collect();
    let pattern = SparsityPattern::try_from_offsets_and_indices(columns.len(), phi.nrows(), offsets, indices)
        .expect("rows were visited in ascending order");
    (CsrMatrix::try_from_pattern_and_values(pattern, values).expect("one value an entry"), places)
}
