//! An importer of units for model exchange: the method of Runge and Kutta, with events found by halving.

use fourbar::fmi::{Error, Instance, Phase};

/// An importer that steps by the method of Runge and Kutta.
pub(crate) struct Importer {
    pub(crate) instance: Instance,
    pub(crate) time: f64,
    pub(crate) y: Vec<f64>,
    pub(crate) next_event: f64,
    pub(crate) state_events: usize,
    pub(crate) step_events: usize,
}

impl Importer {
    pub(crate) fn new(instance: Instance) -> Result<Self, Error> {
        let y = vec![0.0; instance.variables().states()];
        let mut own = Self { instance, time: 0.0, y, next_event: f64::INFINITY, state_events: 0, step_events: 0 };
        own.handle()?;
        Ok(own)
    }

    /// The event mode, and back.
    pub(crate) fn handle(&mut self) -> Result<(), Error> {
        if self.instance.phase() == Phase::Continuous {
            self.instance.enter_event()?;
        }
        self.next_event = self.instance.update_discrete_states()?.next_event.unwrap_or(f64::INFINITY);
        self.instance.enter_continuous_time()?;
        self.instance.states(&mut self.y)
    }

    fn slopes(&mut self, t: f64, y: &[f64]) -> Result<Vec<f64>, Error> {
        self.instance.set_time(t)?;
        self.instance.set_states(y)?;
        let mut slopes = vec![0.0; y.len()];
        self.instance.state_derivatives(&mut slopes)?;
        Ok(slopes)
    }

    fn after(&mut self, h: f64) -> Result<Vec<f64>, Error> {
        let (t, y) = (self.time, self.y.clone());
        let ahead = |k: &[f64], h: f64| y.iter().zip(k).map(|(y, k)| y + h * k).collect::<Vec<_>>();
        let k1 = self.slopes(t, &y)?;
        let k2 = self.slopes(t + h / 2.0, &ahead(&k1, h / 2.0))?;
        let k3 = self.slopes(t + h / 2.0, &ahead(&k2, h / 2.0))?;
        let k4 = self.slopes(t + h, &ahead(&k3, h))?;
        Ok((0..y.len()).map(|i| y[i] + h / 6.0 * (k1[i] + 2.0 * k2[i] + 2.0 * k3[i] + k4[i])).collect())
    }

    /// Whether an indicator is beyond its side at (t, y), where the instance is left.
    fn is_beyond(&mut self, t: f64, y: &[f64]) -> Result<bool, Error> {
        let mut indicators = vec![0.0; self.instance.variables().indicators()];
        self.instance.set_time(t)?;
        self.instance.set_states(y)?;
        self.instance.event_indicators(&mut indicators)?;
        Ok(indicators.iter().any(|value| *value < 0.0))
    }

    /// Goes to `end` by steps of at most `h`.
    pub(crate) fn go(&mut self, end: f64, h: f64) -> Result<(), Error> {
        while self.time < end {
            let to = (self.time + h).min(end).min(self.next_event);
            let to = if end - to < 1e-12 { end } else { to };
            let mut length = to - self.time;
            let mut y = self.after(length)?;
            let beyond = self.is_beyond(self.time + length, &y)?;
            if beyond {
                let mut before = 0.0;
                while length - before > 1e-13 {
                    let middle = 0.5 * (before + length);
                    y = self.after(middle)?;
                    if self.is_beyond(self.time + middle, &y)? { length = middle } else { before = middle }
                }
                y = self.after(length)?;
                self.state_events += 1;
            }
            self.time = if beyond { self.time + length } else { to };
            self.y = y;
            let (time, y) = (self.time, self.y.clone());
            self.instance.set_time(time)?;
            self.instance.set_states(&y)?;
            let due = self.instance.completed_step()?;
            self.step_events += usize::from(due && !beyond);
            if beyond || due || time >= self.next_event {
                self.handle()?;
            }
        }
        Ok(())
    }
}
