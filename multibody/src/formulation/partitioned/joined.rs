//! The rows of the joints and the supplementary ones as one Jacobian.

use crate::dae::EvalError;
use crate::formulation::supplement::{Level, Supplement, SupplementRow, VelocityForm};
use crate::mechanism::{HeldRows, Mechanism, Rows, System};
use crate::space::{M3, Pose, V3};
use fourbar_linalg::{CsrMatrix, SparsityPattern};

/// [Phi_q; J] with what belongs to it. Rows of the joints come first.
#[derive(Debug, Clone)]
pub(super) struct Joined<S> {
    pub(super) system: System,
    /// The rows of the joints at the last evaluation.
    pub(super) held: HeldRows,
    pub(super) supplement: S,
    pub(super) rows: Vec<SupplementRow>,
    /// By (V, omega); where a row has one column of a turn, it has all three.
    pub(super) jacobian: CsrMatrix<f64>,
    /// The same by the local coordinates (x, p).
    pub(super) local: Vec<f64>,
    /// Place of each value of Phi_q.
    phi_places: Vec<usize>,
    /// Place of the first value, and body, of each triple of turns.
    turns: Vec<(usize, usize)>,
}

impl<S: Supplement> Joined<S> {
    pub(super) fn new(mechanism: &Mechanism, supplement: S) -> Self {
        let system = System::new(mechanism, Rows::Independent);
        let held = HeldRows::new(mechanism, &system);
        let jacobian = system.phi.clone();
        Self { system, held, supplement, rows: vec![], jacobian, local: vec![], phi_places: vec![], turns: vec![] }
    }

    /// Follows `mechanism`, which differs from the one of before in which rows are kept alone; [`Joined::rebuild`] then.
    pub(super) fn renumber(&mut self, mechanism: &Mechanism) {
        self.system.renumber(mechanism);
        self.held = HeldRows::new(mechanism, &self.system);
    }

    /// Rows of the joints.
    pub(super) fn joint_rows(&self) -> usize {
        self.system.row_count()
    }

    /// Whether row `row` is a position constraint.
    pub(super) fn holds_positions(&self, row: usize) -> bool {
        match self.held.rows.get(row) {
            Some(held) => held.holds_positions,
            None => self.supplement.level(row - self.joint_rows()) == Level::Position,
        }
    }

    /// Asks for the supplementary rows that are in force now, and sets up the pattern.
    pub(super) fn rebuild(&mut self, mechanism: &Mechanism, t: f64, poses: &[Pose]) -> Result<(), EvalError> {
        self.rows.clear();
        self.rows.resize(self.supplement.row_count(), SupplementRow::zero());
        self.supplement.evaluate(t, poses, &mut self.rows)?;
        let n = mechanism.bodies.len();
        let whole = |column: usize| {
            if column % 6 < 3 { column..column + 1 } else { column - column % 3..column - column % 3 + 3 }
        };
        let mut offsets = vec![0];
        let mut columns: Vec<usize> = Vec::new();
        for row in self.system.phi.row_iter() {
            let from = columns.len();
            for &column in row.col_indices() {
                let next = whole(column);
                if columns[from..].last().is_none_or(|last| *last < next.start) {
                    columns.extend(next);
                }
            }
            offsets.push(columns.len());
        }
        for row in &self.rows {
            let [i, j] = row.bodies;
            for body in [i.min(j), i.max(j)].into_iter().filter(|b| *b < n) {
                columns.extend(6 * body..6 * body + 6);
            }
            offsets.push(columns.len());
        }
        let place = |row: usize, column: usize| {
            offsets[row] + columns[offsets[row]..offsets[row + 1]].partition_point(|c| *c < column)
        };
        let held = self.system.phi.row_iter().enumerate();
        self.phi_places = held
            .flat_map(|(r, row)| row.col_indices().iter().map(move |&c| (r, c)).collect::<Vec<_>>())
            .map(|(r, c)| place(r, c))
            .collect();
        self.turns = columns.iter().enumerate().filter(|(_, c)| *c % 6 == 3).map(|(k, c)| (k, c / 6)).collect();
        let pattern = SparsityPattern::try_from_offsets_and_indices(offsets.len() - 1, 6 * n, offsets, columns)
            .map_err(|_| EvalError::Fatal {
                element: "supplementary rows".to_owned(),
                time: t,
                reason: "a row must join two different bodies of the mechanism, one of which may be the ground"
                    .to_owned(),
            })?;
        self.local = vec![0.0; pattern.nnz()];
        let values = vec![0.0; pattern.nnz()];
        self.jacobian = CsrMatrix::try_from_pattern_and_values(pattern, values).expect("one value an entry");
        Ok(())
    }

    /// Fills the rows, from which [`Joined::fill`] makes the Jacobian; writes Phi and the defects of supplementary rows on position level to `defects`, those
    /// of others as zero.
    pub(super) fn evaluate(
        &mut self,
        mechanism: &Mechanism,
        t: f64,
        poses: &[Pose],
        defects: &mut [f64],
    ) -> Result<(), EvalError> {
        let (joints, supplementary) = defects.split_at_mut(self.joint_rows());
        self.held.evaluate(mechanism, &self.system, poses, joints);
        self.supplement.evaluate(t, poses, &mut self.rows)?;
        for (k, (out, row)) in supplementary.iter_mut().zip(&self.rows).enumerate() {
            *out = if self.supplement.level(k) == Level::Position { row.defect } else { 0.0 };
        }
        Ok(())
    }

    /// Fills the Jacobian by (V, omega) from the rows that were evaluated last.
    pub(super) fn fill(&mut self, mechanism: &Mechanism) {
        let (offsets, _, values) = self.jacobian.csr_data_mut();
        for (&place, value) in self.phi_places.iter().zip(self.held.values()) {
            values[place] = value;
        }
        self.held.further().for_each(|(k, value)| values[self.phi_places[k]] += value);
        let ground = mechanism.bodies.len();
        for (row, &offset) in self.rows.iter().zip(&offsets[self.system.row_count()..]) {
            let mut next = offset;
            each_body(row.bodies, &row.gradient, ground, |_, force, torque| {
                values[next..next + 3].copy_from_slice(force.as_slice());
                values[next + 3..next + 6].copy_from_slice(torque.as_slice());
                next += 6;
            });
        }
    }

    /// Fills the Jacobian by local coordinates from that by (V, omega); `tangents` are T(p) of the bodies.
    pub(super) fn evaluate_local(&mut self, tangents: &[M3]) {
        self.local.copy_from_slice(self.jacobian.values());
        for &(k, body) in &self.turns {
            let turn = &mut self.local[k..k + 3];
            let by_turn = V3::new(turn[0], turn[1], turn[2]);
            turn.copy_from_slice(tangents[body].tr_mul(&by_turn).as_slice());
        }
    }

    /// What the velocities miss of all rows.
    pub(super) fn defect_rates(&self, poses: &[Pose], out: &mut [f64]) {
        let (joints, supplementary) = out.split_at_mut(self.joint_rows());
        self.held.rates(&self.system, poses, joints);
        for (out, row) in supplementary.iter_mut().zip(&self.rows) {
            *out = row.gradient.rate(&poses[row.bodies[0]], &poses[row.bodies[1]]) - row.rate;
        }
    }

    /// Name of a row.
    pub(super) fn row_name(&self, mechanism: &Mechanism, row: usize) -> String {
        match row.checked_sub(self.joint_rows()) {
            None => mechanism.row_name(row),
            Some(k) => self.supplement.row_name(k),
        }
    }
}

/// The form as forces and torques on its bodies, in ascending order, the ground left out.
pub(super) fn each_body(bodies: [usize; 2], form: &VelocityForm, ground: usize, mut visit: impl FnMut(usize, V3, V3)) {
    let (i, j) = ((bodies[0], form.g, form.gi), (bodies[1], -form.g, form.gj));
    for (body, force, torque) in if i.0 < j.0 { [i, j] } else { [j, i] } {
        if body < ground {
            visit(body, force, torque);
        }
    }
}
