//! Outputs that are functions of time and come and go between two communication points: partners never see it.

use super::system::{TIME, jumps_at};
use super::{EquationsModel, at};
use fourbar_coupling::partner::Passing;
use fourbar_coupling::{Options, Variable};
use fourbar_expression::model::{ModelError, Parameters};
use fourbar_expression::{Break, Program, Stack};
use fourbar_linalg::text::Brief;

/// Breaks, and communication steps, looked at per output: a signal that switches or swings more often has been seen in all its phases by then.
const MOST: usize = 100_000;
/// Part of an output's size that partners may miss without a word.
const SMALL: f64 = 0.01;

impl EquationsModel {
    /// Warnings of each output `simulator.output` among `connected` that is a function of time alone and of which something lies between two
    /// communication points, `step` \[s\] apart, and is on neither. With `events` there is a communication point at each jump.
    pub(in crate::coupled) fn passed_over(
        &self,
        simulator: &str,
        connected: impl Fn(&str) -> bool,
        step: f64,
        &Options { end, events, .. }: &Options,
    ) -> Result<Vec<String>, Box<ModelError>> {
        let parameters = Parameters::with_splines(&self.parameters, &self.splines)?;
        let mut found = Vec::new();
        for (index, output) in self.outputs.iter().enumerate() {
            let name = format!("{simulator}.{}", output.name);
            let program = self.bind(&output.value, &parameters, &at("output", index, &output.name, "value"))?;
            if !connected(&name) || program.slots() != [TIME] {
                continue;
            }
            match pulse(&program, step, end, events) {
                Some([from, to]) => found.push(format!(
                    "partners do not see the output {name} from {} to {} s, which lies between two communication points; lower `step`, or let the \
                     partner that needs it state it in its own equations",
                    Brief(from),
                    Brief(to)
                )),
                None if events && !program.breaks(TIME).is_empty() => {}
                None => found.extend(waves(&program, &name, step, end)),
            }
        }
        Ok(found)
    }
}

/// The first time between two breaks, without a communication point, in which the value is beyond those at both neighbouring points. With `events` there is
/// a communication point at each jump.
fn pulse(program: &Program, step: f64, end: f64, events: bool) -> Option<[f64; 2]> {
    let breaks = program.breaks(TIME);
    let from = |t: f64| breaks.iter().map(|each: &Break| each.from(t)).fold(f64::INFINITY, f64::min);
    let mut stack = Stack::for_programs([program]);
    let mut last = from(0.0);
    for _ in 0..MOST {
        let next = from(last.next_up());
        if !(next < end) {
            return None;
        }
        let before = (last / step).floor() * step;
        let is_met = events && [last, next].into_iter().any(|time| jumps_at(program, time, &mut stack));
        if next < before + step && !is_met {
            let places = [before, before + step, 0.5 * (last + next)];
            let [low, high, within] = places.map(|time| program.evaluate(&[time], &mut stack));
            let beyond = (within - low.max(high)).max(low.min(high) - within);
            if beyond > SMALL * low.abs().max(high.abs()).max(within.abs()) {
                return Some([last, next]);
            }
        }
        last = next;
    }
    None
}

/// What samples within the communication steps find: waves that are read too seldom have no breaks.
fn waves(program: &Program, name: &str, step: f64, end: f64) -> Vec<String> {
    let mut stack = Stack::for_programs([program]);
    let mut value = |t: f64| [program.evaluate(&[t], &mut stack)];
    let mut passing = Passing::default();
    passing.watch(&[0], &[Variable::output(name, "")], |k| k);
    let steps = (end / step).round().min(MOST as f64) as usize;
    for k in 0..steps {
        let [begin, end] = [k, k + 1].map(|k| k as f64 * step);
        passing.begin(begin, end, &value(begin));
        while let Some(time) = passing.next_time() {
            passing.note(time, &value(time));
        }
        passing.finish(&value(end));
    }
    passing.warnings().collect()
}
