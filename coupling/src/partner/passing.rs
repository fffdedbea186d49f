//! Outputs that come and go between two communication points: partners see them at these points only.
//!
//! A partner is sampled within its communication steps too. Beyond the values at both ends, and beyond the parabola through these and the point before,
//! lies what no polynomial of the coupling brings: a pulse, or a vibration that is read too seldom and appears as a slow one. What lies between the
//! ends is a jump or a rise, of which the error estimate of the run knows.

use crate::function::{Causality, Variable};
use fourbar_linalg::text::Brief;

/// Where a communication step is sampled, in parts of it: found by a search for places at which vibrations of 1 to 20 half waves in a step show at
/// least 0.7 of their amplitude beyond the ends, in some step. Multiples of one number fail there: those of the golden section at 16.4 half waves.
const PLACES: [f64; 4] = [0.244, 0.493, 0.679, 0.816];
/// Part of an output's size that partners may miss without a word. Of a vibration the parabola misses (w h)^3/16: with seven points a wave it stays
/// within this.
const SMALL: f64 = 0.05;
/// The same in the first step, where there is no parabola yet: what a straight line misses of a wave with five points, 1 - cos(w h/2), and more.
const SMALL_AT_FIRST: f64 = 0.25;

/// What lies beyond the values at both ends of a step.
#[derive(Debug, Clone, Copy)]
struct Seen {
    time: f64,
    value: f64,
    ends: [f64; 2],
    /// How far it lies beyond.
    beyond: f64,
}

/// A watched output.
#[derive(Debug, Clone)]
struct Output {
    place: usize,
    name: String,
    /// At the beginning of this step, and of the one before.
    begin: [f64; 2],
    within: Vec<f64>,
    /// Largest magnitude so far.
    size: f64,
    /// The most of the steps before, and of the last one, which may be undone.
    found: Option<Seen>,
    last: Option<Seen>,
}

/// A watch over the outputs of a partner that feed others.
#[derive(Debug, Clone)]
pub struct Passing {
    outputs: Vec<Output>,
    /// Beginning of this communication step and of the one before \[s\].
    begin: [f64; 2],
    end: f64,
    /// Times of the samples within the step \[s\].
    times: Vec<f64>,
    /// Number of the next place.
    next: usize,
}

impl Default for Passing {
    fn default() -> Self {
        Self { outputs: Vec::new(), begin: [f64::NAN; 2], end: f64::NAN, times: Vec::new(), next: 0 }
    }
}

impl Passing {
    /// Watches the outputs at the places `connected` among those of `variables`. In what is sampled output k stands at `place(k)`.
    pub fn watch(&mut self, connected: &[usize], variables: &[Variable], place: impl Fn(usize) -> usize) {
        let outputs: Vec<&Variable> = variables.iter().filter(|v| v.causality == Causality::Output).collect();
        let output = |&k: &usize| Output {
            place: place(k),
            name: outputs.get(k).map(|output| output.name.clone()).unwrap_or_default(),
            begin: [f64::NAN; 2],
            within: Vec::new(),
            size: 0.0,
            found: None,
            last: None,
        };
        self.outputs = connected.iter().map(output).collect();
    }

    /// Whether there is nothing to watch.
    #[must_use]
    pub fn is_idle(&self) -> bool {
        self.outputs.is_empty()
    }

    /// Begins a communication step at `t` \[s\] to `end` with all outputs, inputs being set; NaN here and later is what could not be sampled. One from an earlier time than the last one ended at
    /// takes its place.
    pub fn begin(&mut self, t: f64, end: f64, values: &[f64]) {
        // A step is undone as a whole; ends differ from beginnings by round-off.
        let undone = t < 0.5 * (self.begin[0] + self.end);
        let before = usize::from(undone);
        for output in &mut self.outputs {
            let last = output.last.take().filter(|_| !undone);
            let more = last.filter(|last| output.found.is_none_or(|found| last.beyond > found.beyond));
            output.found = more.or(output.found);
            output.within.clear();
            output.begin = [values[output.place], output.begin[before]];
        }
        self.begin = [t, self.begin[before]];
        self.end = end;
        self.times.clear();
        self.next = 0;
    }

    /// The next time within the step at which the outputs should be sampled \[s\]; a later one does as well.
    #[must_use]
    pub fn next_time(&self) -> Option<f64> {
        let place = PLACES.get(self.next).filter(|_| !self.is_idle())?;
        Some(self.begin[0] + place * (self.end - self.begin[0]))
    }

    /// Takes all outputs at a time within the step.
    pub fn note(&mut self, t: f64, values: &[f64]) {
        while self.next_time().is_some_and(|next| next <= t) {
            self.next += 1;
        }
        self.times.push(t);
        self.outputs.iter_mut().for_each(|output| output.within.push(values[output.place]));
    }

    /// Ends the step with all outputs at its end, inputs being continued to there.
    pub fn finish(&mut self, values: &[f64]) {
        for output in &mut self.outputs {
            output.judge(&self.times, [self.begin[1], self.begin[0], self.end], values[output.place]);
        }
    }

    /// What partners did not see, each once.
    pub fn warnings(&self) -> impl Iterator<Item = String> + '_ {
        self.outputs.iter().filter_map(|output| {
            let Seen { time, value, ends: [before, after], .. } = output.most()?;
            Some(format!(
                "partners do not see all of the output {}: at t = {:.6} s, between two communication points, it is {:.4}, at these {:.4} and {:.4}; \
                 lower `step`, or let the partner that needs it state it in its own equations",
                output.name,
                Brief(time),
                Brief(value),
                Brief(before),
                Brief(after)
            ))
        })
    }
}

impl Output {
    /// The most that partners did not see, if it is not small.
    fn most(&self) -> Option<Seen> {
        let seen = [self.found, self.last].into_iter().flatten();
        let most = seen.max_by(|one, two| one.beyond.total_cmp(&two.beyond))?;
        (most.beyond > SMALL * self.size).then_some(most)
    }

    /// Looks for the sample that lies farthest beyond the ends `[before, begin, end]` of this step and of the one before.
    fn judge(&mut self, times: &[f64], [before, begin, end]: [f64; 3], value: f64) {
        let ends = [self.begin[0], value];
        if !ends.iter().all(|end| end.is_finite()) {
            return;
        }
        let (low, high) = (ends[0].min(ends[1]), ends[0].max(ends[1]));
        let h = end - begin;
        let slope = (ends[1] - ends[0]) / h;
        let curvature = (slope - (ends[0] - self.begin[1]) / (begin - before)) / (end - before);
        self.size = self.within.iter().chain(&ends).fold(self.size, |size, value| size.max(value.abs()));
        // Before the first step there is no point: comparisons with a NaN pass it over.
        let least = if before.is_nan() { SMALL_AT_FIRST * self.size } else { 0.0 };
        for (&time, &value) in times.iter().zip(&self.within) {
            let s = time - begin;
            let parabola = ends[0] + s * (slope + (s - h) * curvature);
            let beyond = (value - high.max(parabola)).max(low.min(parabola) - value);
            if beyond > self.last.map_or(least, |last| last.beyond) {
                self.last = Some(Seen { time, value, ends, beyond });
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// What is said of y at steps h.
    fn told(y: impl Fn(f64) -> f64, h: f64, steps: usize) -> bool {
        let mut passing = Passing::default();
        passing.watch(&[0], &[Variable::output("y", "")], |k| k);
        for k in 0..steps {
            let (begin, end) = (k as f64 * h, (k + 1) as f64 * h);
            passing.begin(begin, end, &[y(begin)]);
            while let Some(t) = passing.next_time() {
                passing.note(t, &[y(t)]);
            }
            passing.finish(&[y(end)]);
        }
        passing.warnings().count() > 0
    }

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

        /// Of a wave on any offset: nothing with eight points or more; a word with fewer than two, those of whole waves in a step, which are read as constants, included.
        #[test]
        fn waves_with_few_points_are_told(
            points in 8.0..100.0f64, whole in 1..20u32, rest in 0.1..0.9f64, phase in -0.75..0.75f64, offset in 0.0..10.0f64,
        ) {
            let h = 0.01;
            let wave = |half_waves: f64| move |t: f64| offset + 10.0 * (std::f64::consts::PI * half_waves / h * t + phase).sin();
            prop_assert!(!told(wave(2.0 / points), h, 300));
            prop_assert!(told(wave(f64::from(whole) + rest), h, 300));
            prop_assert!(told(wave(f64::from(2 * whole)), h, 300));
        }

        /// Pulses of a quarter of a step are told wherever they lie within one; jumps and parabolas are not.
        #[test]
        fn pulses_are_told(place in 0.0..0.74f64, size in prop::num::f64::NORMAL, c in prop::array::uniform3(-1.0..1.0f64)) {
            let begin = 7.0 + place + 0.003;
            let pulse = told(|t| if t > begin && t < begin + 0.25 { size } else { 0.0 }, 1.0, 20);
            let jump = told(|t| if t > begin { size } else { 0.0 }, 1.0, 20);
            let parabola = told(|t| c[0] + t * (c[1] + t * c[2]), 1.0, 20);
            prop_assert_eq!([pulse, jump, parabola], [true, false, false]);
        }
    }

    #[test]
    fn what_is_undone_is_forgotten() {
        let mut passing = Passing::default();
        passing.watch(&[0], &[Variable::output("y", "")], |k| k);
        for end in [1.0, 0.5] {
            passing.begin(0.0, end, &[0.0]);
            passing.note(0.25, &[if end > 0.5 { 1.0 } else { 0.0 }]);
            passing.finish(&[0.0]);
        }
        assert_eq!(passing.warnings().count(), 0);
    }
}
