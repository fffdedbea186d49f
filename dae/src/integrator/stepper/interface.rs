//! The stepper as an [`Integrator`].

use super::BdfStepper;
use super::course::Course;
use super::state::State;
use crate::dae::{Dae, EvalError, RootEvent};
use crate::integrator::bdf::Bdf;
use crate::integrator::bdf::FixedStep;
use crate::integrator::contract::{Content, Integrator, Snapshot, Stop};
use crate::integrator::corrector::Memory;
use crate::integrator::corrector::Pivots;
use crate::integrator::dense::AcceptedStep;
use crate::integrator::error::Error;
use crate::integrator::start::check_start;
use crate::integrator::statistics::{Renewal, Statistics};
use fourbar_linalg::checkpoint::{CheckpointError, Source, Stored};

/// Saved point.
#[derive(Debug, Clone)]
struct Saved {
    state: State,
    memory: Memory,
    pivots: Option<Pivots>,
    system: Vec<f64>,
    /// That of the method: one with constant steps is another one.
    fixed: Option<FixedStep>,
}

impl<D: Dae> BdfStepper<D> {
    /// Takes a step; false if it was taken back and is to be taken again.
    fn take_step(&mut self) -> Result<bool, Error> {
        if self.state.switching.is_pending() {
            self.turn()?;
        }
        self.pass_break()?;
        let s = &mut self.state;
        s.targets.next_break = s.targets.next_break.min(s.switching.landing()).min(s.schedule.grid());
        if s.schedule.step() == 0.0 {
            self.plan_first_step();
        }
        match self.advance() {
            Ok((plan, error)) => self.accept_watched(plan, error),
            Err(error) if self.crosses_jump(&error) => Ok(true),
            Err(error) => Err(error),
        }
    }
}

impl<D: Dae> Integrator for BdfStepper<D> {
    fn step(&mut self) -> Result<Stop, Error> {
        let s = &self.state;
        let (target, _) = s.targets.target();
        if s.dense.time() == s.course.time() && s.course.time() < target {
            let limit = self.method.step.limit;
            if s.statistics.steps >= limit {
                return Err(Error::StepLimit { limit, time: s.course.time(), end: s.targets.end() });
            }
            while !self.take_step()? {}
            self.expects_no_jump();
        }
        let Self { dae, state: s, probe, .. } = self;
        let mut accepted = Accepted { dae, course: &s.course };
        s.dense.hand_out(s.course.time(), &mut s.targets, probe, &mut accepted)
    }

    fn time(&self) -> f64 {
        self.state.dense.time()
    }

    fn state(&self) -> &[f64] {
        let s = &self.state;
        if s.dense.time() == s.course.time() { s.course.y() } else { &s.dense.y }
    }

    fn derivative(&self) -> &[f64] {
        let s = &self.state;
        if s.dense.time() == s.course.time() { s.course.slope().as_slice() } else { &s.dense.yp }
    }

    fn order(&self) -> usize {
        self.state.course.order()
    }

    fn events(&self) -> &[RootEvent] {
        self.state.dense.events()
    }

    fn interpolate(&self, time: f64, y: &mut [f64], yp: &mut [f64]) -> Result<(), Error> {
        let s = &self.state;
        let needed = self.dae.dimension();
        for (what, given) in [("y", y.len()), ("y'", yp.len())] {
            if given != needed {
                return Err(Error::Length { what, given, needed });
            }
        }
        if !(s.course.previous()..=s.dense.time()).contains(&time) {
            return Err(Error::OutsideStep { time, from: s.course.previous(), to: s.dense.time() });
        }
        if time == s.dense.time() {
            y.copy_from_slice(self.state());
            yp.copy_from_slice(self.derivative());
        } else {
            s.course.interpolate(time, y, yp);
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
        check_start(&self.dae, time, y, yp)?;
        let end = self.state.targets.end();
        if time > end {
            return Err(Error::EndBeforeStart { time, end });
        }
        self.begin(time, y, yp);
        self.begin_watch()?;
        let s = &mut self.state;
        s.statistics.restarts += 1;
        s.targets.pass(time);
        self.corrector.memory.renewal = Some(Renewal::StepChange);
        Ok(())
    }

    fn save(&self, snapshot: &mut Snapshot) {
        if let Some(saved) = snapshot.get_mut::<Saved>() {
            saved.state.clone_from(&self.state);
            saved.memory.clone_from(&self.corrector.memory);
            saved.fixed = self.method.fixed;
            saved.system.clear();
            self.corrector.save(&mut saved.pivots);
            self.dae.save(&mut saved.system);
        } else {
            let mut system = Vec::new();
            self.dae.save(&mut system);
            let (mut pivots, memory) = (None, self.corrector.memory.clone());
            self.corrector.save(&mut pivots);
            let saved = Saved { state: self.state.clone(), memory, pivots, system, fixed: self.method.fixed };
            *snapshot = Snapshot::of(saved);
        }
    }

    fn restore(&mut self, snapshot: &Snapshot) -> Result<(), Error> {
        let dimension = self.dae.dimension();
        let room = self.state.course.room();
        let Bdf { coefficients, fixed, .. } = self.method;
        let fits = |saved: &&Saved| {
            let course = &saved.state.course;
            let alike = course.coefficients() == coefficients && saved.fixed == fixed;
            alike && course.y().len() == dimension && course.room() == room
        };
        let saved = snapshot.get::<Saved>().filter(fits);
        let Some(saved) = saved else {
            return Err(Error::ForeignSnapshot { dimension });
        };
        self.dae.restore(&saved.system)?;
        self.state.clone_from(&saved.state);
        self.corrector.restore(&saved.memory, &saved.pivots).map_err(|_| Error::ForeignSnapshot { dimension })
    }

    fn load(&self, from: &mut Source<'_>) -> Result<Snapshot, CheckpointError> {
        let mut system = Vec::new();
        self.dae.save(&mut system);
        let (state, memory) = (self.state.clone(), self.corrector.memory.clone());
        let mut saved = Saved { state, memory, pivots: None, system, fixed: self.method.fixed };
        saved.state.load(from)?;
        saved.memory.load(from)?;
        if from.value()? {
            saved.pivots = Some(Pivots::load(self.dae.pattern(), from)?);
        }
        saved.system.load(from)?;
        let s = &saved.state;
        let orders = 1..s.course.room();
        let sound = orders.contains(&s.schedule.order())
            && orders.contains(&s.course.order())
            && s.schedule.step().is_finite()
            && s.course.previous() <= s.course.time()
            && (s.course.previous()..=s.course.time()).contains(&s.dense.time())
            && s.dense.roots() == self.dae.root_count();
        if sound { Ok(Snapshot::of(saved)) } else { Err(from.refuse("order, step or times")) }
    }
}

impl Content for Saved {
    fn store(&self, to: &mut Vec<u8>) {
        self.state.store(to);
        self.memory.store(to);
        self.pivots.is_some().store(to);
        if let Some(pivots) = &self.pivots {
            pivots.store(to);
        }
        self.system.store(to);
    }
}

/// The last accepted step, for the search of events.
struct Accepted<'a, D> {
    dae: &'a mut D,
    course: &'a Course,
}

impl<D: Dae> AcceptedStep for Accepted<'_, D> {
    fn interpolate(&self, time: f64, y: &mut [f64], yp: &mut [f64]) {
        self.course.interpolate(time, y, yp);
    }
    fn roots(&mut self, time: f64, y: &[f64], yp: &[f64], out: &mut [f64]) -> Result<(), EvalError> {
        self.dae.roots(time, y, yp, out)
    }
    fn root_name(&self, i: usize) -> String {
        self.dae.root_name(i)
    }
}
