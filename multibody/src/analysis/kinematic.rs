//! Kinematics: a mechanism whose motions leave it no freedom, at one time after the other.

use super::assembly::{CLOSED, ITERATIONS};
use super::contact_rows::{ContactRows, NoContacts};
use super::held::hold;
use super::reduced::Reduced;
use super::sample::Sampler;
use super::uncertain::Uncertain;
use super::way::{self, HALVINGS};
use crate::drive::{Law, TimeFunction};
use crate::error::Error;
use crate::expression::Stack;
use crate::input::Inputs;
use crate::mechanism::Mechanism;
use crate::space::{Pose, V3};
use crate::state::State;
use num_dual::Dual2_64;
use std::sync::Arc;

/// Turn of a body or a motion in one go [rad, lengths of the mechanism]: angles are counted by their rates in between.
const TURN: f64 = 1.0;

/// A kinematic analysis: positions, velocities and accelerations follow from the constraints, reactions and motion forces from these.
#[derive(Debug, Clone)]
pub struct Kinematics {
    mechanism: Arc<Mechanism>,
    state: State,
    inputs: Inputs,
    sampler: Sampler,
    /// What contacts do to the bodies; empty without contacts.
    loads: Vec<f64>,
    stack: Stack<Dual2_64>,
}

impl Kinematics {
    /// Begins at the start of the mechanism.
    ///
    /// # Errors
    /// [`Error::Free`] if motions leave degrees of freedom; [`Error::StateUnsupported`] for a state with a rate; [`Error::Singular`].
    pub fn new(mechanism: &Arc<Mechanism>) -> Result<Self, Error> {
        Self::with(mechanism, &mut NoContacts)
    }

    /// As [`Kinematics::new`] with `contacts` held closed, which take freedoms too.
    ///
    /// # Errors
    /// As [`Kinematics::new`]; [`Error::Contacts`] if a gap cannot be evaluated.
    pub fn with(mechanism: &Arc<Mechanism>, contacts: &mut dyn ContactRows) -> Result<Self, Error> {
        mechanism.refuse_rolling("kinematics")?;
        let (state, inputs) = (mechanism.start().clone(), Inputs::start(mechanism));
        let degrees = match mechanism.degrees_of_freedom() {
            0 => 0,
            _ => Reduced::new(mechanism, &state, &inputs, contacts)?.count(),
        };
        let degrees = degrees + mechanism.drives.iter().filter(|drive| drive.law != Law::Displacement).count();
        if degrees > 0 {
            return Err(Error::Free { degrees });
        }
        if let Some(state) = mechanism.user_states().iter().find(|state| !state.implicit) {
            return Err(Error::StateUnsupported {
                state: state.name.clone(),
                analysis: "kinematics",
                remedy: "its `rate` is to be integrated over the time; run the dynamics of the model, which motions drive as well",
            });
        }
        let mut own = Self {
            sampler: Sampler::new(mechanism, mechanism.start())?,
            state,
            inputs,
            loads: Vec::new(),
            stack: TimeFunction::stack(&mechanism.drives),
            mechanism: Arc::clone(mechanism),
        };
        let mut rows = Vec::new();
        contacts.rows(own.state.time, &super::with_ground(&own.state.poses), &mut rows)?;
        if !rows.is_empty() {
            // The velocities of the start are those of joints and motions alone.
            (own.state, own.loads) = own.consistent(mechanism.start(), contacts)?;
        }
        Ok(own)
    }

    /// Goes to `time` \[s\], forward or back; ways that are too far for Newton's iteration in shorter ones.
    ///
    /// # Errors
    /// [`Error::NotAssembled`] where the joints cannot follow the motions; [`Error::Motion`], [`Error::DisplacementJumps`]; [`Error::Singular`], [`Error::Evaluation`].
    pub fn go_to(&mut self, time: f64) -> Result<(), Error> {
        self.go_with(time, &mut NoContacts)
    }

    /// As [`Kinematics::go_to`] with `contacts` held closed.
    ///
    /// # Errors
    /// As [`Kinematics::go_to`]; [`Error::Contacts`] if a gap cannot be evaluated.
    pub fn go_with(&mut self, time: f64, contacts: &mut dyn ContactRows) -> Result<(), Error> {
        let mut halvings = 0;
        super::motions::check(&self.mechanism, self.state.time, time, &mut self.stack)?;
        while self.state.time != time {
            let to = self.within_reach(time, halvings);
            match self.consistent(&self.forecast(to), contacts) {
                Ok((state, loads)) => {
                    (self.state, self.loads) = (state, loads);
                    halvings = 0;
                }
                Err(Error::NotAssembled { .. }) if halvings < HALVINGS => halvings += 1,
                Err(error) => {
                    let poses = super::with_ground(&self.state.poses);
                    let error = self.mechanism.at_right_angle(&poses, self.state.time, error);
                    return Err(self.mechanism.at_singular(&self.state, error));
                }
            }
        }
        Ok(())
    }

    /// The state near `forecast`, and the loads of contacts on it.
    fn consistent(&self, forecast: &State, contacts: &mut dyn ContactRows) -> Result<(State, Vec<f64>), Error> {
        let mut rows = Vec::new();
        contacts.rows(forecast.time, &super::with_ground(&forecast.poses), &mut rows)?;
        if rows.is_empty() {
            let state = self.mechanism.consistent(forecast, &self.inputs)?;
            contacts.arrive(&state)?;
            return Ok((state, Vec::new()));
        }
        let mut reduced = Reduced::new(&self.mechanism, forecast, &self.inputs, contacts)?;
        let none = vec![0.0; reduced.count()];
        let mut state = reduced.state(&none, &none)?;
        if reduced.count() > 0 || !(reduced.open <= CLOSED) {
            let (residual, iterations) = (reduced.open * self.mechanism.length, ITERATIONS);
            return Err(Error::NotAssembled { joints: vec!["the contacts".to_owned()], residual, iterations });
        }
        drop(reduced);
        contacts.arrive(&state)?;
        let loads = hold(&self.mechanism, &mut state, &self.inputs, contacts)?;
        Ok((state, loads))
    }

    /// A time on the way to `time` up to which bodies and motions turn by less than [`TURN`], halved `halvings` times further.
    fn within_reach(&mut self, time: f64, halvings: i32) -> f64 {
        let now = self.state.time;
        let mut h = time - now;
        // A motion that jumps turns by as much in any time.
        for _ in 0..HALVINGS {
            if !(self.turn(now, h) > TURN) {
                break;
            }
            h *= 0.5;
        }
        let to = now + h * 0.5_f64.powi(halvings);
        if to == now || now + h == now + (time - now) && halvings == 0 { time } else { to }
    }

    /// Largest turn within `h` of bodies, if accelerations stayed, and of motions, in rad or lengths of the mechanism.
    fn turn(&mut self, now: f64, h: f64) -> f64 {
        let of_body = |pose: &Pose, alpha: &V3| pose.w.norm() * h.abs() + 0.5 * alpha.norm() * h * h;
        let bodies =
            self.state.poses.iter().zip(&self.state.accelerations).map(|(pose, [_, alpha])| of_body(pose, alpha));
        let mut worst = bodies.fold(0.0, f64::max);
        worst = worst.max(way::of_motions(&self.mechanism, now, h, &mut self.stack));
        worst
    }

    /// The state at `to` if accelerations stayed.
    fn forecast(&self, to: f64) -> State {
        let mut state = self.state.clone();
        let h = to - state.time;
        let (mut way, mut change) = (Vec::new(), Vec::new());
        for (pose, [a, alpha]) in state.poses.iter().zip(&state.accelerations) {
            for (velocity, acceleration) in [(pose.v, a), (pose.w, alpha)] {
                way.extend((velocity * h + acceleration * (0.5 * h * h)).iter());
                change.push(acceleration * h);
            }
        }
        Mechanism::displace(&mut state.poses, &way, 1.0);
        for (pose, change) in state.poses.iter_mut().zip(change.chunks_exact(2)) {
            pose.v += change[0];
            pose.w += change[1];
        }
        state.time = to;
        state
    }

    /// The state, with accelerations and multipliers.
    #[must_use]
    pub fn state(&self) -> &State {
        &self.state
    }

    /// Measures whose accelerations or reactions were uncertain; none if there were none so far.
    #[must_use]
    pub fn uncertain(&self) -> Option<&Uncertain> {
        self.sampler.uncertain()
    }

    /// Values of all measures, in the order of [`Mechanism::measures`].
    ///
    /// # Errors
    /// As [`Sampler::sample`].
    pub fn measures(&mut self, values: &mut [f64]) -> Result<(), Error> {
        self.sampler.sample_loaded(&self.mechanism, &mut self.state, &self.loads, values)
    }
}
