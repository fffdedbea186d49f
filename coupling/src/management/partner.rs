//! A simulator under the name it has in the run, and how it is kept.

use std::time::Duration;

use crate::function::Simulator;

/// A simulator with its place in the run.
pub struct Partner {
    pub(super) name: String,
    pub(super) simulator: Box<dyn Simulator>,
    pub(super) every: u64,
    pub(super) thread: bool,
    pub(super) time_limit: Option<Duration>,
}

impl Partner {
    /// Under this name, without a dot, stepped at every communication point on the thread of the caller.
    pub fn new(name: impl Into<String>, simulator: impl Simulator + 'static) -> Self {
        Self { name: name.into(), simulator: Box::new(simulator), every: 1, thread: false, time_limit: None }
    }

    /// Takes part only in every `count`-th communication point: its own communication step is `count` times the common one.
    #[must_use]
    pub fn every(mut self, count: u64) -> Self {
        self.every = count;
        self
    }

    /// On a thread of its own. Partners that may step at the same time (Jacobi) do, with the same results.
    #[must_use]
    pub fn on_thread(mut self) -> Self {
        self.thread = true;
        self
    }

    /// On a thread of its own that must answer each request within this time.
    #[must_use]
    pub fn time_limit(mut self, limit: Duration) -> Self {
        self.thread = true;
        self.time_limit = Some(limit);
        self
    }
}
