//! Parameters under the hands of a person: values for the next run, and those of the run that was begun last.

use fourbar::coupled::CoupledModel;
use fourbar::multibody::expression::Expression;
use serde::Serialize;
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// The model with the values of its parameters; clones share them.
#[derive(Clone)]
pub(super) struct Values(Arc<Mutex<State>>);

struct State {
    /// For the next run.
    model: CoupledModel,
    /// As the file has them.
    original: Vec<(String, f64)>,
    /// Number of the run that was begun last, and its values.
    begun: Option<(u64, Vec<(String, f64)>)>,
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
        Self(Arc::new(Mutex::new(State { model, original, begun: None })))
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

    /// Notes that the run under way goes on with another value.
    pub(super) fn tuned(&self, name: &str, value: f64) {
        let mut state = self.lock();
        let begun = state.begun.iter_mut().flat_map(|(_, values)| values);
        begun.filter(|(known, _)| known == name).for_each(|(_, own)| *own = value);
    }

    /// Run `run` goes on; if it is a new one, with the values of now.
    pub(super) fn begin(&self, run: u64) {
        let mut state = self.lock();
        if state.begun.as_ref().is_none_or(|(known, _)| *known != run) {
            state.begun = Some((run, state.values()));
        }
    }

    /// Whether the next run has other values than the last.
    pub(super) fn are_pending(&self) -> bool {
        let state = self.lock();
        state.begun.as_ref().is_some_and(|(_, values)| *values != state.values())
    }

    /// What the run that was begun last has otherwise than the file.
    pub(super) fn changed(&self) -> Vec<(String, f64)> {
        let state = self.lock();
        let Some((_, values)) = &state.begun else { return Vec::new() };
        let pairs = values.iter().zip(&state.original);
        pairs.filter(|(one, other)| one != other).map(|(one, _)| one.clone()).collect()
    }
}
