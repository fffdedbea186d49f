//! Parameters under the hands of a person: values for the next run, and those of the run that was begun last.

use fourbar::coupled::CoupledModel;
use fourbar::multibody::expression::Expression;
use fourbar::results::number;
use serde::Serialize;
use std::collections::{BTreeMap, VecDeque};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// Runs of which is kept what they had otherwise than the file: those that a page may keep beside the present one, and that one.
const RUNS: usize = 9;
/// Changes of a parameter in one run that are told one by one.
const TOLD: usize = 3;

/// The model with the values of its parameters; clones share them.
#[derive(Clone)]
pub(super) struct Values(Arc<Mutex<State>>);

struct State {
    /// For the next run.
    model: CoupledModel,
    /// As the file has them.
    original: Vec<(String, f64)>,
    /// The last runs, the newest last.
    begun: VecDeque<Begun>,
}

/// A run that was begun.
struct Begun {
    run: u64,
    /// Its values now.
    values: Vec<(String, f64)>,
    /// Those with which it began.
    first: Vec<f64>,
    /// Changes while it went on: place of the parameter, time \[s\], value.
    tuned: Vec<(usize, f64, f64)>,
}

/// What a run has otherwise than the file.
#[derive(Serialize)]
pub(super) struct Changes {
    run: u64,
    /// Name, and value: `3`, or `2 → 3 at 1.2 s` where it was changed while the run went on.
    pub(super) changes: Vec<(String, String)>,
}

/// A parameter as the page gets it.
#[derive(Serialize)]
pub(super) struct Parameter {
    /// `simulator.name`.
    name: String,
    /// Nothing where none is known.
    unit: String,
    /// In the file.
    original: f64,
    /// In the next run.
    value: f64,
    /// Whether a run under way goes on with another value.
    tunable: bool,
}

impl State {
    fn values(&self) -> Vec<(String, f64)> {
        // They were numbers when the model was set up.
        self.model.simulator_parameters().unwrap_or_default()
    }
}

impl Values {
    pub(super) fn new(model: CoupledModel) -> Self {
        let original = model.simulator_parameters().unwrap_or_default();
        Self(Arc::new(Mutex::new(State { model, original, begun: VecDeque::new() })))
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        // Each of its entries is valid by itself.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The model as the next run takes it.
    pub(super) fn model(&self) -> CoupledModel {
        self.lock().model.clone()
    }

    /// Gives the parameter `simulator.name` another value; the model of before, or why that cannot be.
    pub(super) fn set(&self, name: &str, value: f64) -> Result<CoupledModel, String> {
        let mut state = self.lock();
        if !value.is_finite() {
            return Err(format!("it cannot become {value}: write a finite number"));
        }
        if !state.original.iter().any(|(known, _)| known == name) {
            return Err(format!("there is no parameter \"{name}\""));
        }
        let mut simulators = state.model.simulators.iter().enumerate();
        let Some((simulator, own)) =
            simulators.find_map(|(index, of)| Some((index, name.strip_prefix(of.name.as_str())?.strip_prefix('.')?)))
        else {
            return Err(format!("there is no parameter \"{name}\""));
        };
        let before = state.model.clone();
        state.model.simulators[simulator].parameters.insert(own.to_owned(), Expression::constant(value));
        Ok(before)
    }

    pub(super) fn restore(&self, before: CoupledModel) {
        self.lock().model = before;
    }

    /// All of them; `is_tunable` tells which a run under way takes, `units` which have one.
    pub(super) fn list(&self, is_tunable: impl Fn(&str) -> bool, units: &BTreeMap<String, String>) -> Vec<Parameter> {
        let state = self.lock();
        let pairs = state.values().into_iter().zip(&state.original);
        let parameter = |((name, value), (_, original)): ((String, f64), &(String, f64))| {
            let (tunable, unit) = (is_tunable(&name), units.get(&name).cloned().unwrap_or_default());
            Parameter { name, unit, original: *original, value, tunable }
        };
        pairs.map(parameter).collect()
    }

    /// Notes that the run under way goes on with another value from this time on.
    pub(super) fn tuned(&self, name: &str, time: f64, value: f64) {
        let mut state = self.lock();
        let Some(begun) = state.begun.back_mut() else { return };
        let Some(place) = begun.values.iter().position(|(known, _)| known == name) else { return };
        if begun.values[place].1 != value {
            begun.values[place].1 = value;
            begun.tuned.push((place, time, value));
        }
    }

    /// Run `run` goes on; if it is a new one, with the values of now.
    pub(super) fn begin(&self, run: u64) {
        let mut state = self.lock();
        if state.begun.back().is_none_or(|begun| begun.run != run) {
            let values = state.values();
            let first = values.iter().map(|(_, value)| *value).collect();
            state.begun.push_back(Begun { run, values, first, tuned: Vec::new() });
            while state.begun.len() > RUNS {
                state.begun.pop_front();
            }
        }
    }

    /// Whether the next run has other values than the last.
    pub(super) fn are_pending(&self) -> bool {
        let state = self.lock();
        state.begun.back().is_some_and(|begun| begun.values != state.values())
    }

    /// What the last runs have otherwise than the file, the newest last, in numbers of at most `digits` digits.
    pub(super) fn changes(&self, digits: usize) -> Vec<Changes> {
        let state = self.lock();
        state.begun.iter().map(|begun| begun.changes(&state.original, digits)).collect()
    }
}

impl Begun {
    fn changes(&self, original: &[(String, f64)], digits: usize) -> Changes {
        let short = |value: f64| number(value, digits).replace('-', "\u{2212}");
        let told = |(place, (name, value)): (usize, &(String, f64))| {
            let is_original = original.get(place).is_some_and(|(_, original)| value == original);
            let tuned = || self.tuned.iter().filter(|(known, ..)| *known == place);
            let first = short(self.first[place]);
            let step = |(_, time, to): &(usize, f64, f64)| format!(" \u{2192} {} at {} s", short(*to), short(*time));
            let how = match tuned().count() {
                0 if is_original => return None,
                0 => first,
                few if few <= TOLD => tuned().map(step).fold(first, |text, step| text + &step),
                many => format!("{first} \u{2192} {}, changed {many} times while running", short(*value)),
            };
            Some((name.clone(), how))
        };
        Changes { run: self.run, changes: self.values.iter().enumerate().filter_map(told).collect() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn changes(tuned: &[(usize, f64, f64)]) -> Vec<(String, String)> {
        let original =
            [("car.mass", 2.0), ("car.grip", -0.5), ("car.size", 1.0)].map(|(name, value)| (name.to_owned(), value));
        let mut values = original.to_vec();
        values[1].1 = 0.25;
        let first = values.iter().map(|(_, value)| *value).collect();
        for &(place, _, value) in tuned {
            values[place].1 = value;
        }
        Begun { run: 1, values, first, tuned: tuned.to_vec() }.changes(&original, 4).changes
    }

    #[test]
    fn a_run_is_named_after_all_that_it_has_otherwise_and_when_that_changed() {
        let text = |tuned: &[(usize, f64, f64)]| {
            changes(tuned).into_iter().map(|(name, how)| format!("{name} = {how}")).collect::<Vec<_>>()
        };
        assert_eq!(text(&[]), ["car.grip = 0.25"]);
        assert_eq!(text(&[(0, 1.2, 3.0)]), ["car.mass = 2 \u{2192} 3 at 1.2 s", "car.grip = 0.25"]);
        // What is as in the file again has been otherwise.
        let back = [(1, 0.5, -0.5), (1, 1.0, 0.75)];
        assert_eq!(text(&back), ["car.grip = 0.25 \u{2192} \u{2212}0.5 at 0.5 s \u{2192} 0.75 at 1 s"]);
        let many = [1.0, 2.0, 3.0, 4.0].map(|k| (2, k, k + 1.0));
        assert_eq!(text(&many)[1], "car.size = 1 \u{2192} 5, changed 4 times while running");
    }
}
