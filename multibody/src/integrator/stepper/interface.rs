//! The stepper as an [`Integrator`].

use super::start::{check_start, first_step};
use super::{GstiffStepper, State};
use crate::dae::Dae;
use crate::integrator::corrector::Memory;
use crate::integrator::corrector::Pivots;
use crate::integrator::error::Error;
use crate::integrator::statistics::{Renewal, Statistics};
use crate::integrator::{Integrator, Snapshot, Stop};

/// Saved point.
#[derive(Debug, Clone)]
struct Saved {
    state: State,
    memory: Memory,
    pivots: Option<Pivots>,
    system: Vec<f64>,
}

impl<D: Dae> Integrator for GstiffStepper<D> {
    fn step(&mut self) -> Result<Stop, Error> {
        let s = &self.state;
        if s.time >= s.end {
            return Ok(Stop::EndTime);
        }
        let limit = self.method.step.limit;
        if s.statistics.steps >= limit {
            return Err(Error::StepLimit { limit, time: s.time, end: s.end });
        }
        if self.state.step == 0.0 {
            self.state.step = first_step(&self.method, &self.state);
        }
        let (plan, error) = self.advance()?;
        if plan.stop == Stop::StopTime {
            self.state.next_stop += 1;
        }
        self.accept(plan, error)?;
        Ok(plan.stop)
    }

    fn time(&self) -> f64 {
        self.state.time
    }

    fn state(&self) -> &[f64] {
        self.state.history.column(0)
    }

    fn derivative(&self) -> &[f64] {
        self.state.yp.as_slice()
    }

    fn order(&self) -> usize {
        self.state.history.order
    }

    fn interpolate(&self, time: f64, y: &mut [f64], yp: &mut [f64]) -> Result<(), Error> {
        let s = &self.state;
        let needed = self.dae.dimension();
        for (what, given) in [("y", y.len()), ("y'", yp.len())] {
            if given != needed {
                return Err(Error::Length { what, given, needed });
            }
        }
        if !(s.previous..=s.time).contains(&time) {
            return Err(Error::OutsideStep { time, from: s.previous, to: s.time });
        }
        if time == s.time {
            y.copy_from_slice(s.history.column(0));
            yp.copy_from_slice(s.yp.as_slice());
            return Ok(());
        }
        s.history.evaluate((time - s.time) / s.history.step, y, yp);
        Ok(())
    }

    fn statistics(&self) -> &Statistics {
        &self.state.statistics
    }

    fn set_end_time(&mut self, end: f64) -> Result<(), Error> {
        if end.is_nan() {
            return Err(Error::NotFinite { what: "end", name: "time".into(), value: end });
        }
        if end < self.state.time {
            return Err(Error::EndBeforeStart { time: self.state.time, end });
        }
        self.state.end = end;
        Ok(())
    }

    fn set_stop_times(&mut self, times: &[f64]) -> Result<(), Error> {
        if let Some(&value) = times.iter().find(|t| !t.is_finite()) {
            return Err(Error::NotFinite { what: "stop", name: "time".into(), value });
        }
        if let Some(pair) = times.windows(2).find(|pair| pair[0] >= pair[1]) {
            return Err(Error::StopTimes { previous: pair[0], next: pair[1] });
        }
        let s = &mut self.state;
        s.stops.clear();
        s.stops.extend_from_slice(times);
        s.next_stop = times.partition_point(|&t| t <= s.time + 16.0 * f64::EPSILON * s.time.abs());
        Ok(())
    }

    fn restart(&mut self, time: f64, y: &[f64], yp: &[f64]) -> Result<(), Error> {
        check_start(&self.dae, time, y, yp)?;
        if time > self.state.end {
            return Err(Error::EndBeforeStart { time, end: self.state.end });
        }
        self.begin(time, y, yp);
        let s = &mut self.state;
        s.statistics.restarts += 1;
        s.next_stop = s.stops.partition_point(|&t| t <= time);
        self.corrector.memory.renewal = Some(Renewal::StepChange);
        Ok(())
    }

    fn save(&self, snapshot: &mut Snapshot) {
        if let Some(saved) = snapshot.get_mut::<Saved>() {
            saved.state.clone_from(&self.state);
            saved.memory.clone_from(&self.corrector.memory);
            saved.system.clear();
            self.corrector.save(&mut saved.pivots);
            self.dae.save(&mut saved.system);
        } else {
            let mut system = Vec::new();
            self.dae.save(&mut system);
            let (mut pivots, memory) = (None, self.corrector.memory.clone());
            self.corrector.save(&mut pivots);
            let saved = Saved { state: self.state.clone(), memory, pivots, system };
            snapshot.content = Some(Box::new(saved));
        }
    }

    fn restore(&mut self, snapshot: &Snapshot) -> Result<(), Error> {
        let dimension = self.dae.dimension();
        let saved = snapshot.get::<Saved>().filter(|saved| saved.state.yp.as_slice().len() == dimension);
        let Some(saved) = saved else {
            return Err(Error::ForeignSnapshot { dimension });
        };
        self.dae.restore(&saved.system)?;
        self.state.clone_from(&saved.state);
        self.corrector.restore(&saved.memory, &saved.pivots).map_err(|_| Error::ForeignSnapshot { dimension })
    }
}
