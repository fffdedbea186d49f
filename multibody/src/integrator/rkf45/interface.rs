//! The stepper as an [`Integrator`].

use super::state::State;
use super::stepper::Rkf45Stepper;
use crate::dae::RootEvent;
use crate::integrator::contract::{Content, Integrator, Snapshot, Stop};
use crate::integrator::error::Error;
use crate::integrator::statistics::Statistics;
use crate::ode::Ode;
use fourbar_linalg::checkpoint::{CheckpointError, Source, Stored};

/// Saved point.
#[derive(Debug, Clone)]
struct Saved {
    state: State,
    system: Vec<f64>,
}

impl<S: Ode> Integrator for Rkf45Stepper<S> {
    fn step(&mut self) -> Result<Stop, Error> {
        let s = &self.state;
        let (target, _) = s.targets.target();
        if s.dense.time() == s.leg.time && s.leg.time < target {
            let limit = self.method.step.limit;
            if s.statistics.steps >= limit {
                return Err(Error::StepLimit { limit, time: s.leg.time, end: s.targets.end() });
            }
            self.advance()?;
        }
        self.hand_out()
    }

    fn time(&self) -> f64 {
        self.state.dense.time()
    }

    fn state(&self) -> &[f64] {
        let s = &self.state;
        if s.dense.time() == s.leg.time { &s.leg.y } else { &s.dense.y }
    }

    fn derivative(&self) -> &[f64] {
        let s = &self.state;
        if s.dense.time() == s.leg.time { s.leg.slope() } else { &s.dense.yp }
    }

    fn order(&self) -> usize {
        if self.method.local_extrapolation { 5 } else { 4 }
    }

    fn events(&self) -> &[RootEvent] {
        self.state.dense.events()
    }

    fn interpolate(&self, time: f64, y: &mut [f64], yp: &mut [f64]) -> Result<(), Error> {
        let s = &self.state;
        let needed = s.leg.y.len();
        for (what, given) in [("y", y.len()), ("y'", yp.len())] {
            if given != needed {
                return Err(Error::Length { what, given, needed });
            }
        }
        if !(s.leg.previous..=s.dense.time()).contains(&time) {
            return Err(Error::OutsideStep { time, from: s.leg.previous, to: s.dense.time() });
        }
        if time == s.dense.time() {
            y.copy_from_slice(self.state());
            yp.copy_from_slice(self.derivative());
        } else {
            s.leg.interpolate(time, y, yp);
        }
        Ok(())
    }

    fn statistics(&self) -> &Statistics {
        &self.state.statistics
    }

    fn set_end_time(&mut self, end: f64) -> Result<(), Error> {
        let s = &mut self.state;
        s.targets.set_end(s.dense.time(), end)
    }

    fn set_stop_times(&mut self, times: &[f64]) -> Result<(), Error> {
        let s = &mut self.state;
        s.targets.set_stops(s.dense.time(), times)
    }

    fn restart(&mut self, time: f64, y: &[f64], yp: &[f64]) -> Result<(), Error> {
        let (needed, end) = (self.ode.dimension(), self.state.targets.end());
        if !yp.is_empty() && yp.len() != needed {
            return Err(Error::Length { what: "start derivative", given: yp.len(), needed });
        }
        if time > end {
            return Err(Error::EndBeforeStart { time, end });
        }
        self.begin(time, y)?;
        self.state.statistics.restarts += 1;
        self.state.targets.pass(time);
        Ok(())
    }

    fn save(&self, snapshot: &mut Snapshot) {
        if let Some(saved) = snapshot.get_mut::<Saved>() {
            saved.state.clone_from(&self.state);
            saved.system.clear();
            self.ode.save(&mut saved.system);
        } else {
            let mut system = Vec::new();
            self.ode.save(&mut system);
            *snapshot = Snapshot::of(Saved { state: self.state.clone(), system });
        }
    }

    fn restore(&mut self, snapshot: &Snapshot) -> Result<(), Error> {
        let dimension = self.ode.dimension();
        let saved = snapshot.get::<Saved>().filter(|saved| saved.state.leg.y.len() == dimension);
        let Some(saved) = saved else {
            return Err(Error::ForeignSnapshot { dimension });
        };
        self.ode.restore(&saved.system)?;
        self.state.clone_from(&saved.state);
        Ok(())
    }

    fn load(&self, from: &mut Source<'_>) -> Result<Snapshot, CheckpointError> {
        let mut system = Vec::new();
        self.ode.save(&mut system);
        let mut saved = Saved { state: self.state.clone(), system };
        saved.state.load(from)?;
        saved.system.load(from)?;
        if saved.state.fits(self.ode.fast_count(), self.ode.root_count()) {
            Ok(Snapshot::of(saved))
        } else {
            Err(from.refuse("step, times or fast unknowns"))
        }
    }
}

impl Content for Saved {
    fn store(&self, to: &mut Vec<u8>) {
        self.state.store(to);
        self.system.store(to);
    }
}
