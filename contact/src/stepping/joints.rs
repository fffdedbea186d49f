//! Joints at the end of a step: positions and velocities put back on them.

use super::StepRecord;
use super::motion::Motion;
use super::nearby::Nearby;
use crate::budget::Budget;
use crate::error::Error;
use crate::projection::{Projection, Projector};
use crate::scene_scales::SceneScales;
use crate::unilateral::Contacts;
use fourbar_multibody::space::Pose;

/// Iterations that put the positions of a step on its joints with the gradients at its begin.
const CLOSINGS: usize = 5;
/// Part of the violation that they must leave at most, for the velocities to follow them.
const CLOSES: f64 = 1e-2;

/// How positions and velocities are put back, and the workspace for it.
#[derive(Debug, Clone)]
pub(super) struct Joints {
    options: Projection,
    projector: Projector,
    /// Bodies before they were put back.
    flown: Vec<Pose>,
}

impl Joints {
    pub(super) fn new(options: Projection) -> Self {
        Self { options, projector: Projector::default(), flown: Vec::new() }
    }

    pub(super) fn set_scales(&mut self, scales: &SceneScales, budget: &Budget) {
        self.projector = Projector::in_scene(scales);
        self.projector.set_budget(budget);
    }

    /// Whether the joints of a step are closed to round-off: projected until that was reached.
    pub(super) fn closes(&self, record: &StepRecord) -> bool {
        self.options.velocities && record.projections < self.options.iterations
    }

    /// Whether the positions of a step are put back on the joints.
    pub(super) fn put_back_positions(&self) -> bool {
        self.options.iterations > 0
    }

    /// No projection has moved anything in this step yet.
    pub(super) fn begin_step(&mut self) {
        self.projector.forget();
    }

    /// What contacts moved the bodies in the last projection of positions, six numbers a body.
    pub(super) fn pushed(&self) -> &[f64] {
        self.projector.pushed()
    }

    /// Work of the applied forces over that \[J\].
    pub(super) fn pushed_out(&self, motion: &Motion) -> f64 {
        self.pushed().iter().zip(motion.force()).map(|(d, f)| d * f).sum()
    }

    /// Puts positions that drifted with the velocities of the configuration on the joints, along the gradients at the begin of the step,
    /// whose factors the configuration still has, and lets the velocities follow: q+ = q + h u+ goes on to hold. With velocities
    /// projected at the new positions joints then take no energy (RATTLE: H. C. Andersen, Journal of Computational Physics 52 (1983)
    /// 24). Where that does not converge, as in steps that turn a body by about a radian, all is left to the projection.
    pub(super) fn close(&mut self, motion: &mut Motion, record: &mut StepRecord) -> Result<(), Error> {
        motion.no_corrections();
        if !motion.is_jointed() || self.options.iterations == 0 || !self.options.velocities {
            return Ok(());
        }
        self.flown.clear();
        self.flown.extend_from_slice(motion.configuration().poses());
        record.violation[0] = motion.violations()[0];
        // Over what the projection leaves alone.
        self.projector.allow(self.options.tolerance, motion.configuration());
        let first = self.projector.opening(motion.violated(), motion.configuration());
        let mut open = first;
        for _ in 0..CLOSINGS {
            if open <= 1.0 {
                break;
            }
            motion.correct_joints()?;
            open = self.projector.opening(motion.violated(), motion.configuration());
        }
        if open <= CLOSES * first || open <= 1.0 {
            motion.follow_corrections();
        } else {
            motion.undo_corrections(&self.flown);
        }
        Ok(())
    }

    /// Projects the positions of a step if asked to; bodies keep their angular momentum.
    pub(super) fn put_back<C: Contacts>(
        &mut self,
        motion: &mut Motion,
        nearby: &mut Nearby<C>,
        record: &mut StepRecord,
    ) -> Result<(), Error> {
        self.flown.clone_from(&motion.state().poses);
        self.project_positions(motion, nearby, record)?;
        motion.keep_momentum(&self.flown);
        Ok(())
    }

    /// Projects positions if asked to.
    pub(super) fn project_positions<C: Contacts>(
        &mut self,
        motion: &mut Motion,
        nearby: &mut Nearby<C>,
        record: &mut StepRecord,
    ) -> Result<(), Error> {
        let reach = nearby.reach();
        let (state, configuration) = motion.state_and_configuration();
        let done = self.projector.positions(&self.options, configuration, nearby.detector_mut(), reach, state)?;
        record.violation = [record.violation[0].max(done.before), done.after];
        record.projections = done.iterations;
        record.residual = record.residual.max(done.residual);
        Ok(())
    }

    /// Projects velocities if asked to; leaves the configuration factored at the state.
    pub(super) fn project_velocities<C: Contacts>(
        &mut self,
        motion: &mut Motion,
        nearby: &mut Nearby<C>,
        record: &mut StepRecord,
    ) -> Result<(), Error> {
        let (state, configuration) = motion.state_and_configuration();
        configuration.evaluate(state)?;
        record.rate_violation[0] = motion.violations()[1];
        if self.options.velocities {
            nearby.find_closed(motion)?;
            let (state, configuration) = motion.state_and_configuration();
            self.projector.velocities(configuration, nearby.found(), state)?;
        }
        Ok(())
    }
}
