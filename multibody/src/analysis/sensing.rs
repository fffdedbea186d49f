//! Where the expressions of sensors and activities stand, and which crossed their values.
//!
//! An expression is on one side of its value until it is on the other: one that touches the value without crossing it does nothing. Behind a
//! crossing, values within round-off of zero count as being on the new side until they have left zero.

use super::sample::Sampler;
use crate::error::Error;
use crate::expression::{Program, Stack};
use crate::input::Inputs;
use crate::integrator::NEAR_ZERO;
use crate::mechanism::Mechanism;
use crate::state::State;

/// Round-off of an expression, as a part of the largest value that it had: a few hundred units in the last place, and what closing joints
/// to round-off moves.
const ROUND_OFF: f64 = 1e-12;
/// Samples at which the expressions were evaluated last: what a parabola needs.
const NODES: usize = 3;

/// Values and sides of sensors, then activities.
#[derive(Debug, Clone)]
pub(super) struct Sensing {
    sampler: Sampler,
    stack: Stack<f64>,
    measures: Vec<f64>,
    /// Expression less value of each.
    pub(super) values: Vec<f64>,
    /// 1 above, -1 below, 0 where it has not left zero yet.
    pub(super) sides: Vec<i8>,
    /// Size up to which a value counts as on its side.
    bands: Vec<f64>,
    /// Largest size of expression and value so far.
    scales: Vec<f64>,
    /// Times and values of the last samples, the newest last.
    nodes: Vec<(f64, Vec<f64>)>,
}

impl Sensing {
    pub(super) fn new(mechanism: &Mechanism, state: &State) -> Result<Self, Error> {
        let n = mechanism.switches.count();
        Ok(Self {
            sampler: Sampler::new(mechanism, state)?,
            stack: Stack::for_programs(mechanism.switches.programs()),
            measures: vec![0.0; mechanism.measures.len()],
            values: vec![0.0; n],
            sides: vec![0; n],
            bands: vec![0.0; n],
            scales: vec![0.0; n],
            nodes: Vec::new(),
        })
    }

    /// Goes on with a mechanism that the old one became.
    pub(super) fn go_on(&mut self, mechanism: &Mechanism, state: &State) -> Result<(), Error> {
        let mut sampler = Sampler::new(mechanism, state)?;
        sampler.follow(&self.sampler);
        self.sampler = sampler;
        self.stack = Stack::for_programs(mechanism.switches.programs());
        self.nodes.clear();
        Ok(())
    }

    pub(super) fn set_inputs(&mut self, inputs: &Inputs) {
        self.sampler.set_inputs(inputs);
    }

    /// Evaluates all expressions at `state`.
    ///
    /// # Errors
    /// [`Error::SensorNotFinite`]; those of [`Sampler::sample`].
    pub(super) fn evaluate(&mut self, mechanism: &Mechanism, state: &mut State) -> Result<(), Error> {
        self.sampler.sample(mechanism, state, &mut self.measures)?;
        let sensors = mechanism.switches.sensors.len();
        for k in 0..self.values.len() {
            let [expression, value] = match k.checked_sub(sensors) {
                None => {
                    let sensor = &mechanism.switches.sensors[k];
                    [self.program(&sensor.expression), self.program(&sensor.value)]
                }
                Some(a) => [self.program(&mechanism.switches.activities[a].active), 0.0],
            };
            let difference = expression - value;
            if !difference.is_finite() {
                let what = mechanism.switches.name(k);
                return Err(Error::SensorNotFinite { what, time: state.time, value: difference });
            }
            self.values[k] = difference;
            self.scales[k] = self.scales[k].max(expression.abs()).max(value.abs());
        }
        Ok(())
    }

    /// A program at the last evaluation.
    pub(super) fn program(&mut self, program: &Program) -> f64 {
        program.evaluate(self.sampler.slots(), &mut self.stack)
    }

    /// The side on which function `k` is at the last evaluation, where it is not the one on which it was. The first side that it takes is no change.
    pub(super) fn new_side(&self, k: usize, is_activity: bool) -> Option<i8> {
        let (value, band, side) = (self.values[k], self.bands[k], self.sides[k]);
        let now = match value {
            value if value > band => 1,
            value if value < -band => -1,
            // What is not above zero does not act, unless it has just begun to.
            0.0 if is_activity && band == 0.0 => -1,
            _ => side,
        };
        (now != side).then_some(now)
    }

    /// Takes the first sides, and lets values leave zero.
    pub(super) fn settle(&mut self) {
        for (k, side) in self.sides.iter_mut().enumerate() {
            if self.values[k].abs() > self.bands[k] {
                self.bands[k] = 0.0;
                if *side == 0 {
                    *side = if self.values[k] > 0.0 { 1 } else { -1 };
                }
            }
        }
    }

    /// Function `k` has crossed to `side`.
    pub(super) fn cross(&mut self, k: usize, side: i8) {
        self.sides[k] = side;
        let band = ROUND_OFF * self.scales[k];
        self.bands[k] = if self.values[k].abs() > band { 0.0 } else { band };
    }

    /// Whether the last evaluation, behind a switch at which function `k` was on a side, differs from it by no more than the errors of
    /// integration, of `tolerance`: it stays on its side then, until it has left zero.
    pub(super) fn rests(&mut self, k: usize, tolerance: f64) -> bool {
        let size = self.values[k].abs();
        let rests = size <= tolerance.max(ROUND_OFF) * self.scales[k];
        if rests {
            self.bands[k] = self.bands[k].max(2.0 * size);
        }
        rests
    }

    /// Keeps the last evaluation as that at `time` \[s\].
    pub(super) fn keep(&mut self, time: f64) {
        if self.nodes.len() == NODES {
            self.nodes.rotate_left(1);
            self.nodes.pop();
        }
        self.nodes.push((time, self.values.clone()));
    }

    /// Forgets samples behind `time` \[s\].
    pub(super) fn forget(&mut self, time: f64) {
        self.nodes.retain(|(at, _)| *at <= time);
    }

    /// Times within the last three samples at which a parabola through them has an extremum near zero: there a function may have crossed its
    /// value and come back.
    pub(super) fn dips(&self) -> Vec<f64> {
        let [(t0, g0), (t1, g1), (t2, g2)] = &self.nodes[..] else { return Vec::new() };
        let mut times = Vec::new();
        for k in 0..self.values.len() {
            let (f0, f1, f2) = (g0[k], g1[k], g2[k]);
            if f0 * f2 <= 0.0 || f0 * f1 <= 0.0 {
                continue;
            }
            // Newton's form: f0 + a (t - t0) + b (t - t0)(t - t1).
            let a = (f1 - f0) / (t1 - t0);
            let b = ((f2 - f1) / (t2 - t1) - a) / (t2 - t0);
            // Towards zero it bends away from it: a minimum above, a maximum below.
            if b == 0.0 || (b > 0.0) != (f0 > 0.0) {
                continue;
            }
            let at = 0.5 * (t0 + t1) - 0.5 * a / b;
            if !(at > *t0 && at < *t2) {
                continue;
            }
            let extremum = f0 + a * (at - t0) + b * (at - t0) * (at - t1);
            if extremum * f0 <= 0.0 || extremum.abs() < NEAR_ZERO * f0.abs().min(f2.abs()) {
                times.push(at);
            }
        }
        times.sort_by(f64::total_cmp);
        times
    }
}

/// Which activities let their elements act at the start of a mechanism.
pub(crate) fn activities_at_start(mechanism: &Mechanism) -> Result<Vec<bool>, Error> {
    let mut sensing = Sensing::new(mechanism, &mechanism.start)?;
    sensing.evaluate(mechanism, &mut mechanism.start.clone())?;
    let sensors = mechanism.switches.sensors.len();
    Ok(sensing.values[sensors..].iter().map(|value| *value > 0.0).collect())
}
