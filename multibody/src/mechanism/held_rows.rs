//! The rows of a [`System`] at the poses where they were evaluated last: values and gradients, from which defects, their rates, and Phi_q are
//! read without another evaluation.

use super::{Mechanism, System};
use crate::constraint::{MAX_ROWS, Row};
use crate::space::{Pose, V3};
use fourbar_linalg::CsrMatrix;

/// Bodies of a row and what its gradient is by (V, omega) of each, six numbers.
#[derive(Debug, Clone, Copy)]
pub(crate) struct HeldRow {
    /// Body of I and of J; the number of bodies stands for the ground.
    pub bodies: [usize; 2],
    pub gradients: [[f64; 6]; 2],
    drive: usize,
    /// Whether positions satisfy it, not velocities alone.
    pub holds_positions: bool,
}

/// Rows of a system.
#[derive(Debug, Clone)]
pub(crate) struct HeldRows {
    pub rows: Vec<HeldRow>,
    /// Of each value of Phi_q the row, the side and the component that it is.
    sources: Vec<(u32, u8, u8)>,
}

/// Stands for rows that nothing drives.
const NONE: usize = usize::MAX;

impl HeldRows {
    /// Of the rows that `system` holds.
    pub(crate) fn new(mechanism: &Mechanism, system: &System) -> Self {
        let empty = HeldRow { bodies: [0; 2], gradients: [[0.0; 6]; 2], drive: NONE, holds_positions: true };
        let mut rows = vec![empty; system.row_count()];
        for bound in &mechanism.constraints {
            let bodies = [bound.constraint.i.body, bound.constraint.j.body];
            for at in (0..bound.constraint.row_count()).filter_map(|k| system.place(bound, k)) {
                let holds_positions = !bound.constraint.form.holds_velocities_only();
                rows[at] = HeldRow { bodies, drive: bound.drive.unwrap_or(NONE), holds_positions, ..empty };
            }
        }
        let source = |(row, column, _): (usize, usize, &f64)| {
            let side = u8::from(rows[row].bodies[0] != column / 6);
            (row as u32, side, (column % 6) as u8)
        };
        let sources = system.phi.triplet_iter().map(source).collect();
        Self { rows, sources }
    }

    /// Evaluates the rows at `poses`, and what they are violated by into `defects`, an entry each. The drives are those of the last
    /// [`System::evaluate_drives`].
    pub(crate) fn evaluate(&mut self, mechanism: &Mechanism, system: &System, poses: &[Pose], defects: &mut [f64]) {
        let mut rows = [Row::zero(); MAX_ROWS];
        for bound in &mechanism.constraints {
            bound.constraint.rows(poses, &mut rows);
            let prescribed = bound.drive.map_or(0.0, |d| system.drives[d][0]);
            for (k, row) in rows.iter().enumerate().take(bound.constraint.row_count()) {
                if let Some(at) = system.place(bound, k) {
                    let (g, gi, gj) = (&row.g, &row.gi, &row.gj);
                    self.rows[at].gradients = [[g.x, g.y, g.z, gi.x, gi.y, gi.z], [-g.x, -g.y, -g.z, gj.x, gj.y, gj.z]];
                    defects[at] = bound.defect(row.phi, prescribed);
                }
            }
        }
    }

    /// Values of Phi_q, in the order of its pattern.
    #[inline]
    pub(crate) fn values(&self) -> impl Iterator<Item = f64> + '_ {
        self.sources.iter().map(|&(row, side, k)| self.rows[row as usize].gradients[usize::from(side)][usize::from(k)])
    }

    /// Fills `Phi_q`.
    pub(crate) fn fill(&self, phi: &mut CsrMatrix<f64>) {
        phi.values_mut().iter_mut().zip(self.values()).for_each(|(value, held)| *value = held);
    }

    /// `Phi_q` u + `Phi_t` at the velocities of `poses`, an entry each.
    pub(crate) fn rates(&self, system: &System, poses: &[Pose], out: &mut [f64]) {
        for (out, row) in out.iter_mut().zip(&self.rows) {
            let rate = |side: usize| {
                let (pose, [a, b, c, d, e, f]) = (&poses[row.bodies[side]], row.gradients[side]);
                V3::new(a, b, c).dot(&pose.v) + V3::new(d, e, f).dot(&pose.w)
            };
            let prescribed = if row.drive == NONE { 0.0 } else { system.drives[row.drive][1] };
            *out = rate(0) + rate(1) - prescribed;
        }
    }
}
