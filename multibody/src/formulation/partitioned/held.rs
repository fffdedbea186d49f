//! Where independent coordinates were held and partitions chosen, to hold and choose them there again when a run is restored.

use super::local::PER_BODY;
use super::trouble::Trouble;
use super::{Partitioned, Solvers};
use crate::dae::EvalError;
use crate::formulation::supplement::Supplement;
use crate::space::{M3, Pose, V3};

/// A configuration.
#[derive(Debug, Clone)]
pub(super) struct Point {
    pub(super) time: f64,
    pub(super) poses: Vec<Pose>,
    pub(super) drives: Vec<f64>,
}

impl Point {
    pub(super) fn set(&mut self, time: f64, poses: &[Pose], drives: &[f64]) {
        self.time = time;
        self.poses.copy_from_slice(poses);
        self.drives.copy_from_slice(drives);
    }

    /// Appends its numbers, without the time.
    pub(super) fn save(&self, store: &mut Vec<f64>) {
        store.extend_from_slice(&self.drives);
        for pose in &self.poses {
            store.extend_from_slice(pose.x.as_slice());
            store.extend_from_slice(pose.a.as_slice());
            store.extend_from_slice(pose.v.as_slice());
            store.extend_from_slice(pose.w.as_slice());
        }
    }

    /// Numbers that [`Point::save`] appends.
    pub(super) fn stored(&self) -> usize {
        self.drives.len() + 18 * self.poses.len()
    }

    /// Takes back what [`Point::save`] appended, `stored` numbers.
    pub(super) fn restore(&mut self, time: f64, store: &[f64]) {
        let (drives, poses) = store.split_at(self.drives.len());
        self.time = time;
        self.drives.copy_from_slice(drives);
        for (pose, own) in self.poses.iter_mut().zip(poses.chunks_exact(18)) {
            let v = |k: usize| V3::from_column_slice(&own[k..k + 3]);
            *pose = Pose { x: v(0), a: M3::from_column_slice(&own[3..12]), v: v(12), w: v(15) };
        }
    }
}

impl<S: Supplement> Partitioned<S> {
    /// Rows and their Jacobian where the independent coordinates were held.
    pub(super) fn evaluate_held(&mut self) -> Result<(), EvalError> {
        let Self { mechanism, joined, held_at, defects, tracked, .. } = self;
        joined.system.evaluate_drives(mechanism, held_at.time, &held_at.drives);
        joined.system.count_from(tracked);
        defects.clear();
        defects.resize(joined.joint_rows() + joined.rows.len(), 0.0);
        joined.evaluate(mechanism, held_at.time, &held_at.poses, defects)?;
        joined.fill(mechanism);
        Ok(())
    }

    /// Holds the independent coordinates where that was done before a run was saved.
    pub(super) fn hold_again(&mut self) -> Result<(), Trouble> {
        self.evaluate_held()?;
        let Some(Solvers { positions, velocities, .. }) = &mut self.solvers else { return Ok(()) };
        for part in std::iter::once(positions).chain(velocities) {
            part.factor(self.joined.jacobian.values())?;
            part.hold(self.joined.jacobian.values());
        }
        Ok(())
    }

    /// Holds the independent coordinates along the motions at the accepted point (t, y) at which `self` was closed last.
    pub(super) fn hold(&mut self, t: f64, y: &[f64]) {
        let Some(Solvers { positions, velocities, .. }) = &mut self.solvers else { return };
        self.held_at.set(t, &self.poses, &y[PER_BODY * self.mechanism.bodies.len()..]);
        for part in std::iter::once(positions).chain(velocities) {
            part.hold(self.joined.jacobian.values());
        }
    }
}
