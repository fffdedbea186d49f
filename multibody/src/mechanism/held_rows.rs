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
    /// What its rate has besides the velocities.
    by_time: f64,
    /// Whether positions satisfy it, not velocities alone.
    pub holds_positions: bool,
}

/// Rows of a system.
#[derive(Debug, Clone)]
pub(crate) struct HeldRows {
    /// The rows, of composed ones the first terms.
    pub rows: Vec<HeldRow>,
    /// Further terms of composed rows, with the row, rows ascending.
    pub more: Vec<(usize, HeldRow)>,
    /// Magnitudes of the values of which each row is the sum or difference, at the last evaluation.
    pub terms: Vec<f64>,
    /// Of each value of Phi_q the term (further ones follow the rows), the side and the component that it is.
    sources: Vec<(u32, u8, u8)>,
    /// What else adds to a value: its place, then the same.
    further: Vec<(u32, (u32, u8, u8))>,
}

/// Stands for rows that nothing drives.
const NONE: usize = usize::MAX;

impl HeldRows {
    /// Of the rows that `system` holds.
    pub(crate) fn new(mechanism: &Mechanism, system: &System) -> Self {
        let empty =
            HeldRow { bodies: [0; 2], gradients: [[0.0; 6]; 2], drive: NONE, by_time: 0.0, holds_positions: true };
        let mut rows = vec![empty; system.row_count()];
        let mut more = Vec::new();
        for (bound, part) in mechanism.parts() {
            let bodies = [part.constraint.i.body, part.constraint.j.body];
            for at in (0..part.constraint.row_count()).filter_map(|k| system.place(bound, k)) {
                let holds_positions = !part.constraint.form.holds_velocities_only();
                let row = HeldRow { bodies, drive: bound.drive.unwrap_or(NONE), holds_positions, ..empty };
                if part.leads {
                    rows[at] = row;
                } else {
                    more.push((at, row));
                }
            }
        }
        more.sort_by_key(|(row, _)| *row);
        let terms = vec![0.0; rows.len()];
        let mut held = Self { rows, more, terms, sources: Vec::new(), further: Vec::new() };
        for (place, (row, column, _)) in system.phi.triplet_iter().enumerate() {
            let mut of_value = held.ends(row).filter(|(_, _, body)| *body == column / 6);
            let source = |(term, side, _)| (term as u32, side, (column % 6) as u8);
            let first = of_value.next().map_or((row as u32, 0, 0), source);
            let others: Vec<_> = of_value.map(|end| (place as u32, source(end))).collect();
            held.sources.push(first);
            held.further.extend(others);
        }
        held
    }

    /// Terms of a row with their sides and bodies.
    fn ends(&self, row: usize) -> impl Iterator<Item = (usize, u8, usize)> + '_ {
        let further = self.more.iter().enumerate().filter(move |(_, (of, _))| *of == row);
        let terms =
            std::iter::once((row, &self.rows[row])).chain(further.map(|(k, (_, term))| (self.rows.len() + k, term)));
        terms.flat_map(|(k, term)| [(k, 0, term.bodies[0]), (k, 1, term.bodies[1])])
    }

    /// Number of terms, and term `k`: first those of the rows, then the further ones.
    #[inline]
    pub(crate) fn term_count(&self) -> usize {
        self.rows.len() + self.more.len()
    }

    #[inline]
    pub(crate) fn term(&self, k: usize) -> &HeldRow {
        self.rows.get(k).unwrap_or_else(|| &self.more[k - self.rows.len()].1)
    }

    /// The row of term `k`.
    #[inline]
    pub(crate) fn row_of(&self, k: usize) -> usize {
        k.checked_sub(self.rows.len()).map_or(k, |k| self.more[k].0)
    }

    /// All terms of row `k`.
    #[inline]
    pub(crate) fn terms_of(&self, k: usize) -> impl Iterator<Item = &HeldRow> {
        let first = self.more.partition_point(|(row, _)| *row < k);
        let further = self.more[first..].iter().take_while(move |(row, _)| *row == k);
        std::iter::once(&self.rows[k]).chain(further.map(|(_, term)| term))
    }

    /// Evaluates the rows at `poses`, and what they are violated by into `defects`, an entry each. The drives are those of the last
    /// [`System::evaluate_drives`].
    pub(crate) fn evaluate(&mut self, mechanism: &Mechanism, system: &System, poses: &[Pose], defects: &mut [f64]) {
        let mut rows = [Row::zero(); MAX_ROWS];
        let mut further = 0;
        for bound in &mechanism.constraints {
            for part in bound.parts_at(poses, system.counted()) {
                part.rows(poses, system.counted(), &mut rows);
                let prescribed = bound.drive.map_or(0.0, |d| system.drives[d][0]);
                for (k, row) in rows.iter().enumerate().take(part.constraint.row_count()) {
                    if let Some(at) = system.place(bound, k) {
                        let (g, gi, gj) = (&row.g, &row.gi, &row.gj);
                        let held = if part.leads { &mut self.rows[at] } else { &mut self.more[further].1 };
                        further += usize::from(!part.leads);
                        held.gradients = [[g.x, g.y, g.z, gi.x, gi.y, gi.z], [-g.x, -g.y, -g.z, gj.x, gj.y, gj.z]];
                        held.by_time = part.by_time;
                        part.put(&mut defects[at], bound.defect(row.phi, prescribed));
                        part.put(&mut self.terms[at], row.phi.abs() + prescribed.abs());
                    }
                }
            }
        }
    }

    /// Values of Phi_q, in the order of its pattern, without what [`HeldRows::further`] adds.
    #[inline]
    pub(crate) fn values(&self) -> impl Iterator<Item = f64> + '_ {
        self.sources.iter().map(|source| self.source(source))
    }

    /// Places of values with what further terms of composed rows add there.
    pub(crate) fn further(&self) -> impl Iterator<Item = (usize, f64)> + '_ {
        self.further.iter().map(|(place, source)| (*place as usize, self.source(source)))
    }

    #[inline]
    fn source(&self, &(term, side, k): &(u32, u8, u8)) -> f64 {
        self.term(term as usize).gradients[usize::from(side)][usize::from(k)]
    }

    /// Fills `Phi_q`.
    pub(crate) fn fill(&self, phi: &mut CsrMatrix<f64>) {
        let values = phi.values_mut();
        values.iter_mut().zip(self.values()).for_each(|(value, held)| *value = held);
        self.further().for_each(|(place, held)| values[place] += held);
    }

    /// `Phi_q` u + `Phi_t` at the velocities of `poses`, an entry each.
    pub(crate) fn rates(&self, system: &System, poses: &[Pose], out: &mut [f64]) {
        let rate = |row: &HeldRow| {
            let of = |side: usize| {
                let (pose, [a, b, c, d, e, f]) = (&poses[row.bodies[side]], row.gradients[side]);
                V3::new(a, b, c).dot(&pose.v) + V3::new(d, e, f).dot(&pose.w)
            };
            of(0) + of(1)
        };
        for (out, row) in out.iter_mut().zip(&self.rows) {
            let prescribed = if row.drive == NONE { 0.0 } else { system.drives[row.drive][1] };
            *out = rate(row) - prescribed + row.by_time;
        }
        self.more.iter().for_each(|(row, term)| out[*row] += rate(term));
    }
}
