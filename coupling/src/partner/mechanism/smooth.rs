//! A mechanism without contacts, by the integrators of `fourbar-multibody`.

use std::sync::Arc;

use fourbar_dae::integrator::{Statistics, Stop};
use fourbar_linalg::checkpoint::Source;
use fourbar_multibody::analysis::{DynamicsSnapshot, Rates, Reactions};
use fourbar_multibody::space::Pose;
use fourbar_multibody::{Dynamics, DynamicsOptions, Error, Mechanism, State};

use super::motion::{Motion, consistent, failure, look};
use super::options::MechanismOptions;
use crate::function::{Failure, Snapshot};
use crate::partner::Passing;

/// A dynamic analysis whose inputs others set. Gear's method keeps its history across communication points.
pub(super) struct Smooth {
    /// As compiled: sensors and elements that act for a part of the time make another one of it.
    mechanism: Arc<Mechanism>,
    dynamics: Dynamics,
    options: Box<DynamicsOptions>,
    rates: Option<Box<Rates>>,
    /// Workspace for reactions, and the poses with the ground; made when they are asked for, and anew for another mechanism.
    reactions: Option<Box<Reacting>>,
}

struct Reacting {
    mechanism: Arc<Mechanism>,
    reactions: Reactions,
    poses: Vec<Pose>,
}

impl Smooth {
    pub(super) fn new(
        mechanism: &Arc<Mechanism>,
        dynamics: &DynamicsOptions,
        options: &MechanismOptions,
    ) -> Result<Self, Error> {
        let dynamics = DynamicsOptions { end: f64::INFINITY, ..dynamics.clone() };
        // Rates of measures are those of one mechanism.
        let known = options.output_derivatives && !mechanism.has_switches();
        let rates = if known { Some(Box::new(Rates::new(mechanism, mechanism.start())?)) } else { None };
        let options = Box::new(dynamics);
        let dynamics = Dynamics::new(mechanism, &options)?;
        Ok(Self { mechanism: Arc::clone(mechanism), dynamics, options, rates, reactions: None })
    }
}

impl Motion for Smooth {
    fn time(&self) -> f64 {
        self.dynamics.time()
    }

    fn set_inputs(&mut self, polynomials: &[[f64; 3]]) -> Result<(), Failure> {
        self.dynamics.set_inputs(polynomials.iter().copied()).map_err(failure)
    }

    fn advance(&mut self, to: f64, passing: &mut Passing, values: &mut [f64]) -> Result<(), Failure> {
        self.dynamics.set_end(to).map_err(failure)?;
        loop {
            let stop = self.dynamics.step().map_err(failure)?;
            while let Some(time) = passing.next_time().filter(|time| *time <= self.dynamics.time()) {
                look(self.dynamics.measures_at(time, values), time, passing, values);
            }
            if let Some(sensor) = self.dynamics.ended_by() {
                let time = self.dynamics.time();
                return Err(Failure::new(format!("its sensor \"{sensor}\" ended the run at t = {time} s")));
            }
            if matches!(stop, Stop::EndTime) {
                return Ok(());
            }
        }
    }

    fn state(&mut self) -> Result<State, Failure> {
        self.dynamics.motion_at(self.dynamics.time()).cloned().map_err(failure)
    }

    fn begin_at(&mut self, state: &State, _: f64, polynomials: &[[f64; 3]]) -> Result<(), Failure> {
        let state = consistent(&self.mechanism, state, polynomials)?;
        self.dynamics = Dynamics::from_state(&self.mechanism, &self.options, &state).map_err(failure)?;
        self.set_inputs(polynomials)
    }

    fn sample(&mut self, values: &mut [f64]) -> Result<(), Failure> {
        self.dynamics.measures_at(self.dynamics.time(), values).map_err(failure)
    }

    fn knows_rates(&mut self, chosen: &[usize]) -> bool {
        self.rates.as_ref().is_some_and(|rates| all_known(rates, chosen))
    }

    fn sample_rates(&mut self, values: &mut [f64]) -> Result<(), Failure> {
        let Some(rates) = &mut self.rates else { return Err(Failure::Unsupported("derivatives of outputs")) };
        self.dynamics.rates(rates, values).map_err(failure)
    }

    fn wrenches(&mut self, sets: &[(usize, String)], values: &mut [f64]) -> Result<(), Failure> {
        let Self { dynamics, reactions, .. } = self;
        let (time, mechanism) = (dynamics.time(), Arc::clone(dynamics.mechanism()));
        let state = dynamics.state_at(time).map_err(failure)?;
        reactions.take_if(|made| !Arc::ptr_eq(&made.mechanism, &mechanism));
        let Reacting { reactions, poses, .. } = match reactions {
            Some(made) => &mut **made,
            none => {
                let poses: Vec<Pose> = state.poses.iter().copied().chain([Pose::ground()]).collect();
                let reactions = Reactions::new(&mechanism, &poses, time).map_err(failure)?;
                let mechanism = Arc::clone(&mechanism);
                &mut **none.insert(Box::new(Reacting { mechanism, reactions, poses }))
            }
        };
        poses[..state.poses.len()].copy_from_slice(&state.poses);
        reactions.solve(&mechanism, state, poses).map_err(failure)?;
        for ((set, _), values) in sets.iter().zip(values.chunks_exact_mut(6)) {
            let wrench = reactions.wrench(&mechanism, *set, poses);
            values[..3].copy_from_slice(wrench.force.as_slice());
            values[3..].copy_from_slice(wrench.torque.as_slice());
        }
        Ok(())
    }

    fn statistics(&self) -> Option<&Statistics> {
        Some(self.dynamics.statistics())
    }

    fn warnings(&self) -> Vec<String> {
        self.dynamics.warnings()
    }

    fn save(&mut self, snapshot: &mut Snapshot) -> Result<(), Failure> {
        self.dynamics.save(snapshot.content_mut());
        Ok(())
    }

    fn store(&self, snapshot: &Snapshot, to: &mut Vec<u8>) -> Result<(), Failure> {
        if self.mechanism.has_switches() {
            return Err(Failure::Unsupported(
                "bytes of a mechanism with sensors or elements that act for a part of the time",
            ));
        }
        snapshot.content::<DynamicsSnapshot>()?.store(to);
        Ok(())
    }

    fn load(&self, bytes: &[u8], snapshot: &mut Snapshot) -> Result<(), Failure> {
        let mut from = Source::new(bytes);
        let loaded = self.dynamics.load(&mut from).map_err(failure)?;
        from.finish().map_err(failure)?;
        *snapshot.content_mut() = loaded;
        Ok(())
    }

    fn restore(&mut self, snapshot: &Snapshot) -> Result<(), Failure> {
        self.dynamics.restore(snapshot.content()?).map_err(failure)
    }
}

/// Rates of measures, if each of `chosen` has a known one.
fn all_known(rates: &Rates, chosen: &[usize]) -> bool {
    chosen.iter().all(|&m| rates.known(m))
}
