//! The dependent coordinates: positions by Newton's iteration, then velocities.
//!
//! G_d is factored where a correction is large, and kept over small ones: those that follow then leave the product of what they are and of how far
//! the point has moved since. Solutions are tested by the rows that they are to satisfy; where they fall short, they are sought once more, each solution
//! of the linear system tested.

use super::local::{self, PER_BODY};
use super::partition::{Partition, greatest};
use super::trouble::Trouble;
use super::{Partitioned, Solvers};
use crate::formulation::supplement::Supplement;
use crate::space::V3;

/// Newton iterations for the dependent positions.
const ITERATIONS: usize = 12;
/// What a correction leaves is its product with the way since G_d was factored, in lengths of the mechanism or rad: below this square root it is the
/// last one.
const LAST_CORRECTION: f64 = 1e-9;
/// Way up to which G_d is kept: what the next correction leaves is the cube of the first one, below the square above.
const KEPT: f64 = 1e-6;
/// Round-off of rows in units of the last place of the bodies' coordinates: differences of places, each a sum of a few terms, over thousands of rows.
const ROUND_OFF: f64 = 30.0;
/// Part of the defects of velocities that a solution may leave untested: as much as [`fourbar_linalg::CalahanOptions::refine_above`] lets pass.
const LEFT: f64 = 1e-10;

/// A larger correction, in lengths of the mechanism or rad, leads nowhere.
const FARTHEST: f64 = 3.0;

impl<S: Supplement> Partitioned<S> {
    /// Finds the dependent positions of `self.y`; evaluates the rows there.
    pub(super) fn close_positions(&mut self, t: f64) -> Result<(), Trouble> {
        let (mut last, mut way) = (f64::INFINITY, f64::INFINITY);
        let (mut settled, mut tested) = (false, false);
        for corrections in 0.. {
            self.place();
            let Self { mechanism, joined, solvers, poses, defects, .. } = self;
            joined.evaluate(mechanism, t, poses, defects)?;
            if solvers.is_none() || defects.iter().all(|d| d.abs() <= f64::EPSILON * mechanism.length) {
                return Ok(());
            }
            if settled && (tested || self.closed_to_round_off()) {
                return Ok(());
            }
            if settled {
                (tested, last, way) = (true, f64::INFINITY, f64::INFINITY);
            }
            if corrections == ITERATIONS {
                break;
            }
            let size = self.correct_positions(tested, &mut way)?;
            if !(size < FARTHEST) {
                break;
            }
            settled =
                size * way <= LAST_CORRECTION * LAST_CORRECTION || (size > 0.5 * last && self.closed_to_round_off());
            last = size;
        }
        Err(Trouble::NotClosed)
    }

    /// Takes the defects away to first order; returns the largest change in lengths of the mechanism or rad, and adds it to the way from the point
    /// where G_d was factored.
    fn correct_positions(&mut self, tested: bool, way: &mut f64) -> Result<f64, Trouble> {
        let Self { mechanism, joined, solvers, tangents, y, defects, .. } = self;
        let Some(Solvers { positions: part, .. }) = solvers else { return Ok(0.0) };
        if !(*way <= KEPT) {
            for (y, tangent) in y.chunks_exact(PER_BODY).zip(&mut *tangents) {
                *tangent = local::tangent(&V3::new(y[3], y[4], y[5]));
            }
            joined.fill(mechanism);
            joined.evaluate_local(tangents);
            part.factor(&joined.local)?;
            if part.find_motions(&joined.local) {
                return Err(Trouble::NotClosed);
            }
            *way = 0.0;
        }
        let unit = |column: usize| if column % 6 < 3 { mechanism.length } else { 1.0 };
        let largest = |part: &Partition| part.changes().map(|(c, d)| d.abs() / unit(c)).fold(0.0, greatest);
        part.correct(defects, tested)?;
        let mut size = largest(part);
        if !tested && !(size < FARTHEST) {
            part.correct(defects, true)?;
            size = largest(part);
        }
        for (column, d) in part.changes() {
            y[PER_BODY * (column / 6) + column % 6] += d;
        }
        *way += size;
        Ok(size)
    }

    /// Whether no row is violated by more than its own round-off: that of the coordinates, which behind thousands of joints makes corrections that
    /// never get small, and that of its terms, angles counted over many turns and what is prescribed.
    fn closed_to_round_off(&self) -> bool {
        let far = self.poses.iter().fold(self.mechanism.length, |far, pose| far.max(pose.x.amax()));
        let closed = |row: usize| {
            let terms = self.joined.held.terms.get(row).copied().unwrap_or(0.0);
            self.defects[row].abs() <= ROUND_OFF * f64::EPSILON * (far + terms)
        };
        self.solvers.as_ref().is_none_or(|solvers| solvers.positions.rows.iter().all(|&row| closed(row)))
    }

    /// Finds the dependent velocities of `self.y` at the positions that were closed last.
    pub(super) fn close_velocities(&mut self) -> Result<(), Trouble> {
        let Self { mechanism, joined, solvers, poses, defects, .. } = self;
        joined.fill(mechanism);
        let Some(Solvers { positions, velocities, .. }) = solvers else { return Ok(()) };
        let part = velocities.as_mut().unwrap_or(positions);
        part.factor(joined.jacobian.values())?;
        if part.find_motions(joined.jacobian.values()) {
            return Err(Trouble::NotClosed);
        }
        joined.defect_rates(poses, defects);
        let [before, after] = self.correct_velocities(false)?;
        let [v, w] =
            self.poses.iter().fold([0.0; 2], |[v, w], pose| [greatest(v, pose.v.amax()), greatest(w, pose.w.amax())]);
        let round_off = ROUND_OFF * f64::EPSILON * (v + w * self.mechanism.length.max(1.0));
        if !(after <= LEFT * before + round_off) {
            let _ = self.correct_velocities(true)?;
        }
        Ok(())
    }

    /// Takes the defects of velocities away, and evaluates what is left of them. Returns the largest before and after.
    fn correct_velocities(&mut self, tested: bool) -> Result<[f64; 2], Trouble> {
        let Self { joined, solvers, references, y, poses, defects, .. } = self;
        let Some(Solvers { positions, velocities, .. }) = solvers else { return Ok([0.0; 2]) };
        let part = velocities.as_mut().unwrap_or(positions);
        let before = part.largest_defect(defects);
        part.correct(defects, tested)?;
        for (column, d) in part.changes() {
            y[PER_BODY * (column / 6) + 6 + column % 6] += d;
        }
        for (y, pose) in y.chunks_exact(PER_BODY).zip(poses.iter_mut()).take(references.len()) {
            (pose.v, pose.w) = (V3::new(y[6], y[7], y[8]), V3::new(y[9], y[10], y[11]));
        }
        joined.defect_rates(poses, defects);
        Ok([before, part.largest_defect(defects)])
    }

    /// Poses at `self.y`.
    pub(super) fn place(&mut self) {
        for ((y, pose), reference) in self.y.chunks_exact(PER_BODY).zip(&mut self.poses).zip(&self.references) {
            *pose = local::pose(y, reference);
        }
    }
}
