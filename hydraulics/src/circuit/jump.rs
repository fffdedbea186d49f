//! Jumps: of signals at times that their expressions tell, of waves that arrive, of inputs; and where the circuit goes on behind them.
//!
//! A step that ends at a jump sees the equations before it, one that begins there those behind it: within round-off of such a time the
//! expressions and the waves are evaluated on that side. Behind a jump the states and the pressures of volumes are what they were; the
//! pressures of junctions and the waves that leave the lines jump, and what left a line jumps its other end a travel time later.

use super::evaluate::Workspace;
use super::steady::JUNCTIONS;
use super::{Circuit, Point};
use crate::error::Error;
use fourbar_dae::{Dae, EvalError, Kind};
use fourbar_expression::Break;

/// Relative change of a signal or wave from which on it jumps: a steep ramp changes a little between the two sides of a time as well.
const CHANGE: f64 = 1e-6;
/// Relative change of a junction pressure from which on inputs have made it jump: below it the error test decides.
const JUMP: f64 = 1e-6;

impl Circuit {
    /// Times \[s\] besides those of steps and pulses in signals, which are known, on which steps end and at which signals may jump.
    ///
    /// # Errors
    /// [`Error::NotFinite`].
    pub fn set_stop_times(&mut self, times: &[f64]) -> Result<(), Error> {
        if let Some(&value) = times.iter().find(|time| !time.is_finite()) {
            return Err(Error::NotFinite { what: "a stop time".to_owned(), value });
        }
        let break_state = &mut self.work.break_state;
        break_state.breaks.truncate(break_state.own);
        break_state.breaks.extend(times.iter().map(|&time| Break { time, period: None }));
        Ok(())
    }

    pub(super) fn break_from(&mut self, t: f64) -> f64 {
        let longest = self.longest_step();
        let (plan, work) = (&self.plan, &mut self.work);
        let next = work.break_state.from(t, |from| work.waves.front_from(&plan.lines, from));
        let reach = longest.map_or(f64::INFINITY, |longest| work.waves.reach(&plan.lines, t, longest));
        next.min(reach)
    }

    /// Goes on behind a jump at `t`; returns whether the method begins anew there: at jumps, and where signals or waves bend.
    pub(super) fn go_on(&mut self, t: f64, y: &mut [f64], yp: &mut [f64]) -> Result<bool, EvalError> {
        let known = self.work.break_state.is_next(t);
        let before = self.work.break_state.passed;
        if known && !self.passes(t, y)? {
            // Slopes alone: the point stays, but a polynomial of high order through it would not see the bend.
            return Ok(true);
        }
        self.work.break_state.passed = t;
        let jumped = self.settle(t, y.to_vec()).map(|point| {
            let unknowns = self.plan.unknowns.iter().zip(point.y.iter().zip(y.iter()));
            let mut junctions = unknowns.filter(|(unknown, _)| unknown.kind == Kind::ALGEBRAIC);
            let moved = junctions.any(|(unknown, (new, old))| (new - old).abs() > JUMP * (old.abs() + unknown.typical));
            (known || moved).then_some(point)
        });
        match jumped {
            Ok(Some(point)) => {
                y.copy_from_slice(&point.y);
                yp.copy_from_slice(&point.yp);
                self.note_fronts(t);
                Ok(true)
            }
            Ok(None) => {
                self.work.break_state.passed = before;
                Ok(false)
            }
            Err(error) => {
                self.work.break_state.passed = before;
                Err(self.no_way_on(t, &error))
            }
        }
    }

    /// No point behind a jump at `t`.
    pub(super) fn no_way_on(&self, t: f64, error: &Error) -> EvalError {
        let element = "the search for where the circuit goes on behind a jump".to_owned();
        EvalError::Fatal { element, time: t, reason: error.to_string() }
    }

    /// Notes where what leaves the lines jumps at `t`, the point behind it being evaluated.
    pub(super) fn note_fronts(&mut self, t: f64) {
        for (k, line) in self.plan.lines.iter().enumerate() {
            let left = self.work.leaving(&self.plan, k);
            self.work.waves.jump(k, line, t, left);
        }
    }

    /// Passes a known break at `t`; returns whether a signal or a wave that arrives jumps there.
    pub(super) fn passes(&mut self, t: f64, y: &[f64]) -> Result<bool, EvalError> {
        let work = &mut self.work;
        work.values(&self.plan, t, y)?;
        let sizes = |work: &Workspace| [work.signals.clone(), work.waves.arriving.clone()].concat();
        let before = sizes(work);
        work.break_state.passed = t;
        // A condition may turn there as well.
        work.holding.sides.fill(f64::NAN);
        work.values(&self.plan, t, y)?;
        let largest = |a: f64, b: f64| a.abs().max(b.abs());
        Ok(sizes(work).iter().zip(&before).any(|(&new, &old)| (new - old).abs() > CHANGE * largest(new, old)))
    }

    /// Appends what is remembered of jumps.
    pub(super) fn save_jumps(&self, store: &mut Vec<f64>) {
        store.push(self.work.break_state.passed);
        store.extend_from_slice(self.work.watch.nodes.as_flattened());
        store.extend_from_slice(self.work.excess.seen.as_flattened());
        store.extend_from_slice(&self.work.holding.sides);
        self.work.waves.save(store);
    }

    /// Takes it back.
    pub(super) fn restore_jumps(&mut self, store: &[f64]) -> Option<()> {
        let (&passed, rest) = store.split_first()?;
        let (nodes, rest) = rest.split_at_checked(2 * self.work.watch.nodes.len())?;
        let (commands, rest) = rest.split_at_checked(2 * self.work.excess.seen.len())?;
        let (sides, rest) = rest.split_at_checked(self.work.holding.sides.len())?;
        self.work.waves.restore(rest)?;
        self.work.break_state.passed = passed;
        self.work.holding.sides.copy_from_slice(sides);
        self.work.watch.nodes.as_flattened_mut().copy_from_slice(nodes);
        self.work.excess.seen.as_flattened_mut().copy_from_slice(commands);
        Some(())
    }

    /// The point at `t` whose differential unknowns are those of `y`, with junction pressures that balance.
    pub(super) fn settle(&mut self, t: f64, mut y: Vec<f64>) -> Result<Point, Error> {
        if self.plan.unknowns.iter().any(|unknown| unknown.kind == Kind::ALGEBRAIC) {
            let fixed = y.clone();
            self.balance(t, &mut y, JUNCTIONS, Some(&fixed))?;
        }
        let mut yp = vec![0.0; y.len()];
        let mut residual = yp.clone();
        self.residual(t, &y, &yp, &mut residual)?;
        for (i, unknown) in self.plan.unknowns.iter().enumerate() {
            if unknown.kind != Kind::ALGEBRAIC {
                // F = y' - f(t, y), evaluated at y' = 0.
                yp[i] = -residual[i];
            }
        }
        self.move_junctions(t, &y, &mut yp);
        Ok(Point { y, yp })
    }
}
