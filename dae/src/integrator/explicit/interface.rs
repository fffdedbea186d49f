//! The stepper as an [`Integrator`].

use super::course::Course;
use super::{ExplicitStepper, Formula};
use crate::dae::RootEvent;
use crate::integrator::contract::{Content, Integrator, Snapshot, Stop};
use crate::integrator::error::Error;
use crate::integrator::statistics::Statistics;
use crate::ode::Ode;
use fourbar_linalg::checkpoint::{CheckpointError, Source, Stored};

/// Saved point.
#[derive(Debug, Clone)]
struct Saved<H> {
    course: Course,
    history: H,
    system: Vec<f64>,
}

impl<S: Ode, F: Formula> Integrator for ExplicitStepper<S, F> {
    fn step(&mut self) -> Result<Stop, Error> {
        let s = &self.course;
        let (target, _) = s.targets.target();
        if s.dense.time() == s.leg.time && s.leg.time < target {
            let limit = self.formula.limits().limit;
            if s.statistics.steps >= limit {
                let (time, end) = (s.leg.time, s.targets.end());
                return Err(if self.formula.is_stiff() {
                    Error::Stiff { limit, time, end }
                } else {
                    Error::StepLimit { limit, time, end }
                });
            }
            self.advance()?;
        }
        self.hand_out()
    }

    fn time(&self) -> f64 {
        self.course.dense.time()
    }

    fn state(&self) -> &[f64] {
        let s = &self.course;
        if s.dense.time() == s.leg.time { &s.leg.y } else { &s.dense.y }
    }

    fn derivative(&self) -> &[f64] {
        let s = &self.course;
        if s.dense.time() == s.leg.time { self.formula.slope(s.stepped) } else { &s.dense.yp }
    }

    fn order(&self) -> usize {
        self.formula.last_order()
    }

    fn events(&self) -> &[RootEvent] {
        self.course.dense.events()
    }

    fn interpolate(&self, time: f64, y: &mut [f64], yp: &mut [f64]) -> Result<(), Error> {
        let s = &self.course;
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
            self.within(time, y, yp);
        }
        Ok(())
    }

    fn statistics(&self) -> &Statistics {
        &self.course.statistics
    }

    fn set_end_time(&mut self, end: f64) -> Result<(), Error> {
        let s = &mut self.course;
        s.targets.set_end(s.dense.time(), end)
    }

    fn set_stop_times(&mut self, times: &[f64]) -> Result<(), Error> {
        let s = &mut self.course;
        s.targets.set_stops(s.dense.time(), times)
    }

    fn restart(&mut self, time: f64, y: &[f64], yp: &[f64]) -> Result<(), Error> {
        let (needed, end) = (self.ode.dimension(), self.course.targets.end());
        if !yp.is_empty() && yp.len() != needed {
            return Err(Error::Length { what: "start derivative", given: yp.len(), needed });
        }
        if time > end {
            return Err(Error::EndBeforeStart { time, end });
        }
        self.begin(time, y)?;
        self.course.statistics.restarts += 1;
        self.course.targets.pass(time);
        Ok(())
    }

    fn save(&self, snapshot: &mut Snapshot) {
        if let Some(saved) = snapshot.get_mut::<Saved<F::History>>() {
            saved.course.clone_from(&self.course);
            saved.history.clone_from(self.formula.history());
            saved.system.clear();
            self.ode.save(&mut saved.system);
        } else {
            let mut system = Vec::new();
            self.ode.save(&mut system);
            *snapshot =
                Snapshot::of(Saved { course: self.course.clone(), history: self.formula.history().clone(), system });
        }
    }

    fn restore(&mut self, snapshot: &Snapshot) -> Result<(), Error> {
        let dimension = self.ode.dimension();
        let saved = snapshot.get::<Saved<F::History>>();
        let saved = saved.filter(|saved| saved.course.leg.y.len() == dimension);
        let Some(saved) = saved else {
            return Err(Error::ForeignSnapshot { dimension });
        };
        self.ode.restore(&saved.system)?;
        self.course.clone_from(&saved.course);
        self.formula.history_mut().clone_from(&saved.history);
        Ok(())
    }

    fn load(&self, from: &mut Source<'_>) -> Result<Snapshot, CheckpointError> {
        let mut system = Vec::new();
        self.ode.save(&mut system);
        let mut saved = Saved { course: self.course.clone(), history: self.formula.history().clone(), system };
        saved.course.load(from)?;
        saved.history.load(from)?;
        saved.system.load(from)?;
        let n = self.ode.dimension();
        if saved.course.fits(self.ode.root_count()) && F::fits(&saved.history, n, self.ode.fast_count()) {
            Ok(Snapshot::of(saved))
        } else {
            Err(from.refuse("step, times or history"))
        }
    }
}

impl<H: Stored + Send + Sync + 'static> Content for Saved<H> {
    fn store(&self, to: &mut Vec<u8>) {
        self.course.store(to);
        self.history.store(to);
        self.system.store(to);
    }
}
