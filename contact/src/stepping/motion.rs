//! The bodies in a step: where they are, what pushes them, and their velocities without contacts.

mod corrections;

use super::gyroscopic::{GyroscopicImpulses, with_momentum};
use super::rate_jumps::RateJumps;
use super::rubbing::Rubbing;
use crate::configuration::Configuration;
use crate::error::Error;
use fourbar_linalg::checkpoint::{CheckpointError, Source, Stored};
use fourbar_multibody::space::{Pose, V3, rotation};
use fourbar_multibody::{Inputs, Mechanism, State};
use std::sync::Arc;

/// State, factored configuration, and the forces of a step with what they change.
#[derive(Debug, Clone)]
pub(super) struct Motion {
    state: State,
    /// The state at the begin of the step.
    begin: State,
    configuration: Configuration,
    h: f64,
    /// Weight of the velocity after the step in the displacement.
    theta: f64,
    /// Applied forces of the last [`Motion::apply_forces`], six a body.
    force: Vec<f64>,
    /// Change of the velocities in the step without impulses, and what later solutions of it add.
    change: Vec<f64>,
    later: Vec<f64>,
    /// Change of the velocities with which positions were put on the joints.
    closing: Vec<f64>,
    /// Rates of the joints in the middle of the step by the velocity at its begin, weighted by (1 - theta)/theta.
    opening: Vec<f64>,
    jumps: RateJumps,
    gyroscopic: GyroscopicImpulses,
    rubbing: Rubbing,
    /// The breaks that were passed at the begin of the step.
    passed: [f64; 3],
    /// The last change of the velocities, or displacement; and of the multipliers.
    top: Vec<f64>,
    bottom: Vec<f64>,
    /// Bodies before they were moved on trial.
    flown: Vec<Pose>,
}

impl Motion {
    pub(super) fn new(configuration: Configuration, start: &State, [h, theta]: [f64; 2]) -> Self {
        let (n, m) = (configuration.dimension(), configuration.row_count());
        let (zero, passed) = (vec![0.0; n], configuration.break_state());
        Self {
            state: start.clone(),
            begin: start.clone(),
            configuration,
            h,
            theta,
            force: zero.clone(),
            change: zero.clone(),
            later: zero.clone(),
            closing: zero.clone(),
            opening: vec![0.0; m],
            jumps: RateJumps::new(m, n),
            gyroscopic: GyroscopicImpulses::default(),
            passed,
            rubbing: Rubbing::default(),
            top: zero,
            bottom: vec![0.0; m],
            flown: Vec::with_capacity(start.poses.len() + 1),
        }
    }

    pub(super) fn state(&self) -> &State {
        &self.state
    }

    /// The state, to be projected, and the configuration that does it.
    pub(super) fn state_and_configuration(&mut self) -> (&mut State, &mut Configuration) {
        (&mut self.state, &mut self.configuration)
    }

    /// Bodies at the begin of the step.
    pub(super) fn begin(&self) -> &[Pose] {
        &self.begin.poses
    }

    pub(super) fn configuration(&self) -> &Configuration {
        &self.configuration
    }

    pub(super) fn configuration_mut(&mut self) -> &mut Configuration {
        &mut self.configuration
    }

    pub(super) fn mechanism(&self) -> Arc<Mechanism> {
        Arc::clone(self.configuration.mechanism())
    }

    pub(super) fn inputs_mut(&mut self) -> &mut Inputs {
        self.configuration.inputs_mut()
    }

    /// Lets the configuration stand at the state, factored.
    pub(super) fn evaluate(&mut self) -> Result<(), Error> {
        self.configuration.evaluate(&self.state)
    }

    /// Appends where the bodies are.
    pub(super) fn store_to(&self, to: &mut Vec<u8>) {
        self.state.store(to);
        self.configuration.store_rows(to);
        Stored::store(&self.configuration, to);
        self.rubbing.store(to);
    }

    /// Goes where [`Motion::store_to`] was.
    pub(super) fn load(&mut self, from: &mut Source<'_>) -> Result<(), CheckpointError> {
        self.state.load(from)?;
        self.configuration.load_rows(from, &self.state)?;
        self.configuration.load(from)?;
        self.rubbing.load(from)
    }

    /// Refuses rows of the joints that are open where the step ends, `closed` ones or such as drift, and goes on with others where those kept do not
    /// suit.
    pub(super) fn keep_rows(&mut self, closed: bool) -> Result<bool, Error> {
        self.configuration.refuse_open(&self.state, closed)?;
        self.configuration.choose_rows(&self.state)
    }

    /// After a step that failed and was taken back: goes on with better rows, if there are any.
    pub(super) fn keep_better_rows(&mut self) -> Result<bool, Error> {
        self.configuration.choose_rows_in_doubt(&self.state)
    }

    /// Whether joints hold bodies.
    pub(super) fn is_jointed(&self) -> bool {
        self.configuration.row_count() > 0
    }

    pub(super) fn h(&self) -> f64 {
        self.h
    }

    pub(super) fn set_step(&mut self, h: f64) {
        self.h = h;
    }

    pub(super) fn theta(&self) -> f64 {
        self.theta
    }

    /// Time and bodies where the configuration is.
    pub(super) fn place(&self) -> (f64, &[Pose]) {
        (self.state.time, self.configuration.poses())
    }

    pub(super) fn force(&self) -> &[f64] {
        &self.force
    }

    /// The change of the last solve or [`Motion::push`], six numbers a body.
    pub(super) fn last_change(&self) -> &[f64] {
        &self.top
    }

    /// The largest change of a velocity in the step by forces [m/s].
    pub(super) fn fall(&self) -> f64 {
        self.change.chunks_exact(6).map(|d| V3::from_column_slice(&d[..3]).norm()).fold(0.0, f64::max)
    }

    /// Notes the state at the beginning of a step, to be taken back after an error.
    pub(super) fn begin_step(&mut self) {
        self.begin.clone_from(&self.state);
        self.configuration.next_break(self.state.time);
        self.passed = self.configuration.break_state();
    }

    /// Back to the beginning of the step, behind the jumps of rates, to take it in another way.
    pub(super) fn begin_again(&mut self) {
        self.state.clone_from(&self.begin);
        self.configuration.next_break(self.state.time);
    }

    /// Back to the end of the step before.
    pub(super) fn take_back(&mut self) {
        self.begin_again();
        self.jumps.take_back(&mut self.state.poses);
    }

    /// Lets the step begin with the velocities behind the jumps of prescribed rates in it; whether there are any.
    pub(super) fn cross_jumps(&mut self) -> Result<bool, Error> {
        let crossed = self.jumps.cross(&mut self.configuration, &mut self.state, self.h)?;
        if crossed {
            self.begin.poses.clone_from(&self.state.poses);
        }
        Ok(crossed)
    }

    /// Lets the configuration stand at the state, without factors.
    pub(super) fn look(&mut self) {
        self.configuration.look(&self.state);
    }

    /// Goes on to the end of the step in time; bodies stay.
    pub(super) fn advance(&mut self) -> Result<(), Error> {
        self.configuration.advance(&mut self.state, self.h)
    }

    /// Takes the unknowns of the user to the end of the step, where the bodies are.
    pub(super) fn advance_states(&mut self) -> Result<(), Error> {
        self.configuration.advance_states(&self.begin, &mut self.state, self.passed)
    }

    /// Forces at the configuration with the gyroscopic torques of the free rotation in the step; the masses are those of the configuration, and so
    /// must be those of [`Motion::fly`].
    pub(super) fn apply_forces(&mut self) -> Result<(), Error> {
        self.configuration.mean_forces(&self.state, self.h, &mut self.force)?;
        let poses = [self.state.poses.as_slice(), self.configuration.poses()];
        self.gyroscopic.begin(self.configuration.mechanism(), poses, [self.h, self.theta], &mut self.force);
        self.later.fill(0.0);
        self.rubbing.begin_step();
        Ok(())
    }

    /// The same at the midpoint of the flight of the step without contact, where the velocity is that of a half step of Euler.
    pub(super) fn apply_midpoint_forces(&mut self) -> Result<(), Error> {
        self.configuration.evaluate(&self.state)?;
        self.configuration.free_acceleration(&self.state, &mut self.top, &mut self.bottom)?;
        self.configuration.drift(0.5 * self.h);
        self.top.iter_mut().for_each(|a| *a *= 0.5 * self.h);
        self.configuration.accelerate(&self.top);
        self.apply_forces()
    }

    /// Goes from the begin of the step to its middle, q + h u/2. Joints that hold there for the mean velocity theta u+ + (1 - theta) u,
    /// whose reactions then do no work, ask of u+ the opposite of what u has: that is noted. Rates that jump in the step have done so.
    pub(super) fn go_to_middle(&mut self) {
        self.configuration.drift(0.5 * self.h);
        self.configuration.violation_rates(&mut self.opening);
        let weight = (1.0 - self.theta) / self.theta;
        self.opening.iter_mut().zip(self.jumps.jumps()).for_each(|(rate, jump)| *rate = weight * (*rate + jump));
    }

    /// Gives the configuration, which must be factored, the velocities at the end of the step without impulses.
    pub(super) fn fly(&mut self) -> Result<(), Error> {
        self.top.iter_mut().zip(&self.force).for_each(|(top, force)| *top = self.h * force);
        self.rubbing.resist(&self.configuration, self.h, &mut self.top);
        self.configuration.violation_rates(&mut self.bottom);
        self.bottom.iter_mut().zip(&self.opening).for_each(|(b, opening)| *b = -*b - opening);
        self.configuration.solve(&mut self.top, &mut self.bottom)?;
        self.configuration.accelerate(&self.top);
        self.change.copy_from_slice(&self.top);
        if let Some(spin) = self.rubbing.spin() {
            // What turning asked for in the rounds before.
            self.top.copy_from_slice(spin);
            self.bottom.fill(0.0);
            self.configuration.solve(&mut self.top, &mut self.bottom)?;
            self.configuration.accelerate(&self.top);
            self.later.copy_from_slice(&self.top);
        }
        Ok(())
    }

    /// Factors the configuration, with the friction of joints by the velocities that the step was left with last.
    pub(super) fn factor(&mut self) -> Result<(), Error> {
        self.rubbing.factor(&mut self.configuration, self.h)
    }

    /// Whether velocities after the step and reactions of the joints, to `impulses` of contacts too, six numbers a body, ask for other friction at joints
    /// than they came of. Then the configuration has the velocities at the begin of the step again.
    pub(super) fn rubs_otherwise(&mut self, impulses: impl FnOnce(&mut [f64])) -> Result<bool, Error> {
        if !self.configuration.rubs() {
            return Ok(false);
        }
        let others = self.rubbing.follow(&mut self.configuration, impulses, self.h)?;
        if others {
            self.set_back();
            self.later.fill(0.0);
        }
        Ok(others)
    }

    /// What joints will change the displacement of the step by, over h, six numbers a body: at its end they are elsewhere than the velocities there lead,
    /// where they turn or where motions are faster than before. By the velocities without impulses, which are those of the configuration, or, `apart`
    /// from it, those of the last [`Motion::take_flight`].
    pub(super) fn foresee_closing(&mut self, apart: bool) -> Result<&[f64], Error> {
        self.flown.clear();
        self.flown.extend_from_slice(self.configuration.poses());
        if apart {
            self.configuration.accelerate(&self.change);
        }
        self.configuration.drift(self.h);
        self.configuration.violations(&mut self.bottom);
        self.configuration.place(self.state.time, &self.flown, &self.state.drives);
        let h = self.h;
        self.bottom.iter_mut().for_each(|b| *b /= -h);
        self.top.fill(0.0);
        self.configuration.solve(&mut self.top, &mut self.bottom)?;
        Ok(&self.top)
    }

    /// Takes the velocities without impulses, one pair a body, from whoever found them; the configuration keeps its own.
    pub(super) fn take_flight(&mut self, velocities: impl Iterator<Item = (V3, V3)>) {
        let poses = self.configuration.poses();
        for ((change, (v, w)), pose) in self.change.chunks_exact_mut(6).zip(velocities).zip(poses) {
            change[..3].copy_from_slice((v - pose.v).as_slice());
            change[3..].copy_from_slice((w - pose.w).as_slice());
        }
    }

    /// Whether the velocities of the configuration, those after the step, ask for another gyroscopic impulse than they came of. Then the
    /// configuration has the velocities without contacts that are so.
    pub(super) fn turns_otherwise(&mut self) -> Result<bool, Error> {
        let after = self.configuration.poses().iter().map(|pose| pose.w);
        let Some(impulse) = self.gyroscopic.follow(self.configuration.mechanism(), &self.begin.poses, after) else {
            return Ok(false);
        };
        self.top.copy_from_slice(impulse);
        self.rubbing.add_spin(impulse);
        self.bottom.fill(0.0);
        self.configuration.solve(&mut self.top, &mut self.bottom)?;
        self.later.iter_mut().zip(&self.top).for_each(|(sum, d)| *sum += d);
        self.set_back();
        self.configuration.accelerate(&self.change);
        self.configuration.accelerate(&self.later);
        Ok(true)
    }

    /// The same for the angular velocities `after` that another solver found: the change of the impulse, six numbers a body, if there is one.
    pub(super) fn gyroscopic_change(&mut self, after: impl Iterator<Item = V3>) -> Option<&[f64]> {
        self.gyroscopic.follow(self.configuration.mechanism(), &self.begin.poses, after)
    }

    /// Takes the impulses of the step back: the velocities of the configuration become those without them at its positions, on
    /// the joints.
    pub(super) fn fly_on(&mut self) -> Result<(), Error> {
        self.set_back();
        self.configuration.accelerate(&self.change);
        self.configuration.accelerate(&self.closing);
        let poses = [self.begin.poses.as_slice(), self.configuration.poses()];
        let mechanism = self.configuration.mechanism();
        self.top.copy_from_slice(self.gyroscopic.lacking(mechanism, poses, [&self.change, &self.closing]));
        if self.bottom.is_empty() {
            let poses = self.configuration.poses();
            for ((body, pose), top) in mechanism.bodies().iter().zip(poses).zip(self.top.chunks_exact_mut(6)) {
                let lacking = V3::new(top[3], top[4], top[5]);
                let change = with_momentum(&body.inertia, &pose.a, &V3::zeros(), &lacking, 0.0);
                top[3..].copy_from_slice(change.as_slice());
            }
            self.configuration.accelerate(&self.top);
        } else {
            self.bottom.fill(0.0);
            self.configuration.solve(&mut self.top, &mut self.bottom)?;
            self.configuration.accelerate(&self.top);
            self.configuration.project_velocities()?;
        }
        Ok(())
    }

    /// Gives the configuration the velocities at the begin of the step.
    fn set_back(&mut self) {
        let poses = self.begin.poses.iter().zip(self.configuration.poses());
        for ((before, now), top) in poses.zip(self.top.chunks_exact_mut(6)) {
            top[..3].copy_from_slice((before.v - now.v).as_slice());
            top[3..].copy_from_slice((before.w - now.w).as_slice());
        }
        self.configuration.accelerate(&self.top);
    }

    /// Adds what `answers` writes into zeros to the velocities of the configuration.
    pub(super) fn push(&mut self, answers: impl FnOnce(&mut [f64])) {
        self.top.fill(0.0);
        answers(&mut self.top);
        self.configuration.accelerate(&self.top);
    }

    /// Moves the configuration for the step with the velocities that it has.
    pub(super) fn drift(&mut self) {
        self.configuration.drift(self.h);
    }

    /// q+ = q + h (theta u+ + (1 - theta) u), q and u those at the beginning of the step, u+ those of the configuration; stores both.
    pub(super) fn displace(&mut self) {
        let (old, new) = (1.0 - self.theta, self.theta);
        let poses = self.configuration.poses();
        for (pose, after) in self.state.poses.iter_mut().zip(poses) {
            let (v, w) = (pose.v * old + after.v * new, pose.w * old + after.w * new);
            pose.x += v * self.h;
            pose.a = rotation(&(w * self.h)) * pose.a;
            (pose.v, pose.w) = (after.v, after.w);
        }
        self.configuration.look(&self.state);
        self.store();
    }

    /// The state takes what the configuration has.
    pub(super) fn store(&mut self) {
        self.configuration.store(&mut self.state);
    }

    /// Gives the bodies of the state velocities, six numbers a body.
    pub(super) fn set_velocities(&mut self, velocities: &[[f64; 6]]) {
        for (pose, u) in self.state.poses.iter_mut().zip(velocities) {
            (pose.v, pose.w) = (V3::new(u[0], u[1], u[2]), V3::new(u[3], u[4], u[5]));
        }
    }

    /// After the impact at the end of a step: angular velocities as late as those of the step.
    pub(super) fn leave_impact(&mut self) {
        self.gyroscopic.leave(self.configuration.mechanism(), &mut self.state.poses);
    }

    /// Leaves bodies that were moved from `before` their angular momentum.
    pub(super) fn keep_momentum(&mut self, before: &[Pose]) {
        self.gyroscopic.keep_momentum(self.configuration.mechanism(), before, &mut self.state.poses);
    }
}
