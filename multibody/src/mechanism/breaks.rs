//! Times at which forces and motions jump or bend, for a method outside this crate that leads its steps over them itself.

use super::{Mechanism, System, Value};
use crate::analysis;
use crate::drive::TimeFunction;
use crate::error::Error;
use crate::expression::Program;

impl Mechanism {
    /// Whether expressions of forces depend on the time by themselves, over which they may be integrated then. Functions of the host are not counted.
    #[must_use]
    pub fn has_timed_forces(&self) -> bool {
        self.timed_programs().next().is_some()
    }

    /// Number of conditions of forces whose arguments depend on the state ([`System::conditions`]).
    #[must_use]
    pub fn condition_count(&self) -> usize {
        self.watched.count()
    }

    /// Name of condition `k` and of the force whose it is.
    #[must_use]
    pub fn condition_name(&self, k: usize) -> String {
        match self.watched.find(k) {
            Some((conditions, place, Ok(at))) => {
                let measure = &self.measure_infos[self.force_measures[at]].name;
                format!("{} in measure \"{measure}\"", conditions.name(place))
            }
            Some((conditions, place, Err(p))) => {
                format!("{} in {}", conditions.name(place), self.program_owner(p))
            }
            None => format!("condition {k}"),
        }
    }

    /// Forces and motions that are functions of the time alone with conditions on it whose times are not known beforehand: neither on straight lines
    /// nor on single sines, as in `if(time^2 > sin(time), ..)`. Those of forces are looked for within steps; motions that jump there end the run, or have an
    /// error.
    #[must_use]
    pub fn unlocated_breaks(&self) -> Vec<&str> {
        let hides = |program: &Program| program.slots().iter().all(|slot| *slot == 0) && program.hides_breaks(0);
        let motions = self.constraints.iter().filter_map(|row| {
            let TimeFunction::Program(program) = &self.drives[row.drive?].function else { return None };
            hides(program).then_some(self.sets[row.set].name.as_str())
        });
        let forces = self.programs.iter().filter_map(|bound| {
            let Value::Program(program) = &bound.value else { return None };
            hides(program).then_some(bound.owner.as_str())
        });
        let mut names: Vec<&str> = motions.chain(forces).collect();
        names.dedup();
        names
    }
}

impl System {
    /// The first break of forces and motions from `t` \[s\] on that [`System::pass_break`] has not gone on behind; infinite if there is none.
    /// Until then what is evaluated within round-off of it is that before it.
    pub fn next_break(&mut self, t: f64) -> f64 {
        self.break_state_mut().from(t)
    }

    /// Goes on behind the break at `t` \[s\], if [`System::next_break`] gave one there, and evaluates the motions; `states` is
    /// [`State::drives`](crate::State::drives). Returns whether a prescribed rate or displacement (by rounded constants) jumps there.
    ///
    /// # Errors
    /// [`Error::DisplacementJumps`].
    pub fn pass_break(&mut self, mechanism: &Mechanism, t: f64, states: &[f64]) -> Result<bool, Error> {
        if !self.break_state().is_at(t) {
            return Ok(false);
        }
        let left = self.break_state().sided(t);
        self.evaluate_drives(mechanism, t, states);
        self.before.copy_from_slice(&self.drives);
        self.break_state_mut().pass(t);
        let apart = self.break_state().sided(t) - left;
        self.evaluate_drives(mechanism, t, states);
        let [moves, strikes] = analysis::drives_jump(mechanism, t, apart, &self.before, &self.drives)?;
        Ok(moves || strikes)
    }
}
