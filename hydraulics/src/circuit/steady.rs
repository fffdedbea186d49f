//! Where a circuit starts: from the model's values, or in the steady state, in which flows balance and no state changes.

use super::{Circuit, Point};
use crate::error::Error;

const STEADY: &str = "the steady state";
pub(super) const JUNCTIONS: &str = "the junction pressures";

impl Circuit {
    /// The model's start values with junction pressures that balance, and the derivatives that follow.
    ///
    /// # Errors
    /// [`Error::Undetermined`], [`Error::NotFound`], [`Error::Blocked`] or [`Error::Cavitates`] for junction pressures; a point that cannot be
    /// evaluated.
    pub fn start(&mut self, t: f64) -> Result<Point, Error> {
        let y = self.plan.start.clone();
        self.overruled.clear();
        self.complete(t, y)
    }

    /// `y` (n entries) with junction pressures that balance, and the derivatives that follow.
    ///
    /// # Errors
    /// As [`Circuit::start`]; [`Error::NotFinite`] for entries that are not numbers or are missing.
    pub fn complete(&mut self, t: f64, mut y: Vec<f64>) -> Result<Point, Error> {
        self.check_length(&mut y)?;
        self.work.holding.on = false;
        self.fill_at_rest(t, &y)?;
        let point = self.settle(t, y)?;
        self.check_tension(t, &point.y, JUNCTIONS, true)?;
        self.note_fronts(t);
        Ok(point)
    }

    /// The steady state for the inputs at t = `t` \[s\], sought from the model's start values. States of components that the model states otherwise
    /// are among the [`Circuit::remarks`].
    ///
    /// # Errors
    /// [`Error::Undetermined`] names what nothing determines, [`Error::NotFound`] the volume farthest from balance, [`Error::Blocked`] the
    /// one out of which a flow has no way, [`Error::Cavitates`] the one from which more is drawn than can flow in.
    pub fn steady(&mut self, t: f64) -> Result<Point, Error> {
        let guess = self.plan.start.clone();
        let point = self.steady_from(t, guess)?;
        self.note_overruled(&point.y);
        Ok(point)
    }

    /// As [`Circuit::steady`], sought from `guess` (n entries).
    ///
    /// # Errors
    /// As [`Circuit::steady`]; [`Error::NotFinite`] for entries that are not numbers or are missing.
    pub fn steady_from(&mut self, t: f64, guess: Vec<f64>) -> Result<Point, Error> {
        let mut y = guess;
        self.check_length(&mut y)?;
        self.work.holding.on = false;
        // Waves have passed to and fro for long: a transmission line is its resistance.
        self.work.waves.steady = true;
        let found = self.balance(t, &mut y, STEADY, None).and_then(|()| Ok(self.work.values(&self.plan, t, &y)?));
        let found = found.and_then(|()| self.check_tension(t, &y, STEADY, false));
        self.work.waves.steady = false;
        found?;
        for k in 0..self.plan.lines.len() {
            let left = self.work.leaving(&self.plan, k);
            self.work.waves.fill(k, t, left);
        }
        let yp = vec![0.0; y.len()];
        Ok(Point { y, yp })
    }

    /// Lets half of each transmission line be at rest under the pressure at its end.
    fn fill_at_rest(&mut self, t: f64, y: &[f64]) -> Result<(), Error> {
        if self.plan.lines.is_empty() {
            return Ok(());
        }
        self.work.waves.steady = true;
        let evaluated = self.work.values(&self.plan, t, y);
        self.work.waves.steady = false;
        evaluated?;
        for k in 0..self.plan.lines.len() {
            let ends = self.work.ends(&self.plan, k);
            self.work.waves.fill(k, t, ends);
        }
        Ok(())
    }

    fn check_length(&self, y: &mut Vec<f64>) -> Result<(), Error> {
        y.resize(self.plan.unknowns.len(), f64::NAN);
        match y.iter().position(|y| !y.is_finite()) {
            Some(i) => Err(Error::NotFinite { what: self.plan.names[i].0.clone(), value: y[i] }),
            None => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{Component, FlowSource, Model, Node, ReliefValve, Sense, Tank, Volume};

    /// A flow through two relief valves in a row, both shut at the start.
    fn circuit() -> Circuit {
        let volume =
            |name: &str| Node::Volume(Volume { name: name.into(), volume: 1e-3.into(), start: Some(1e5.into()) });
        let relief = |name: &str, from: &str, to: &str, pressure: f64| {
            Component::ReliefValve(ReliefValve {
                name: name.into(),
                from: from.into(),
                to: to.into(),
                pressure: pressure.into(),
                slope: 1e-10.into(),
                band: 100.0.into(),
                sense: Sense::Difference,
            })
        };
        let source = FlowSource { name: "q".into(), from: "tank".into(), to: "a".into(), flow: 1e-3.into() };
        let model = Model {
            nodes: vec![volume("a"), volume("b"), Node::Tank(Tank { name: "tank".into(), pressure: 1e5.into() })],
            components: vec![
                Component::FlowSource(source),
                relief("r1", "a", "b", 5e6),
                relief("r2", "b", "tank", 2e7),
            ],
            ..Model::default()
        };
        Circuit::compile(&model).unwrap()
    }

    #[test]
    fn pseudo_time_leads_to_the_steady_state_from_where_valves_are_shut() {
        let mut circuit = circuit();
        let mut y = circuit.plan.start.clone();
        circuit.transient(0.0, &mut y, STEADY, None).unwrap();
        // d = q/k - w^2 k/(4 q) above each set pressure.
        let excess = 1e7 - 1e4 / 4e7;
        assert!((y[1] / (1e5 + 2e7 + excess) - 1.0).abs() < 1e-6, "{y:?}");
        let steady = circuit.steady(0.0).unwrap();
        assert!((steady.y[1] / (1e5 + 2e7 + excess) - 1.0).abs() < 1e-12);
        assert!((steady.y[0] / (1e5 + 2.5e7 + 2.0 * excess) - 1.0).abs() < 1e-12);
    }

    #[test]
    fn a_guess_that_is_too_short_is_named() {
        let mut circuit = circuit();
        let error = circuit.steady_from(0.0, vec![1e7]).unwrap_err();
        assert!(matches!(error, Error::NotFinite { ref what, .. } if what == "b.pressure"), "{error}");
    }
}
