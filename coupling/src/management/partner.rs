//! A simulator under the name it has in the run, and how it is kept.

use std::time::Duration;

use crate::function::Simulator;
use crate::function::waiting::Terms;

/// A simulator with its place in the run.
pub struct Partner {
    pub(super) name: String,
    pub(super) simulator: Box<dyn Simulator>,
    pub(super) every: u64,
    pub(super) thread: bool,
    pub(super) terms: Terms,
}

impl Partner {
    /// Under this name, stepped at every communication point on the thread of the caller.
    pub fn new(name: impl Into<String>, simulator: impl Simulator + 'static) -> Self {
        Self::boxed(name, Box::new(simulator))
    }

    /// As [`Partner::new`], of one that was chosen at run time.
    pub fn boxed(name: impl Into<String>, simulator: Box<dyn Simulator>) -> Self {
        Self { name: name.into(), simulator, every: 1, thread: false, terms: Terms::default() }
    }

    /// Its name in the run.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Takes part only in every `count`-th communication point: its own communication step is `count` times the common one.
    #[must_use]
    pub fn every(mut self, count: u64) -> Self {
        self.every = count;
        self
    }

    /// On a thread of its own. Partners that may step at the same time (Jacobi) do, with the same results. A build without the feature
    /// `clock` has no threads: [`Master::new`](crate::Master::new) then refuses the partner.
    #[must_use]
    pub fn on_thread(mut self) -> Self {
        self.thread = true;
        self
    }

    /// On a thread of its own that must answer each request within this time.
    #[must_use]
    pub fn time_limit(mut self, limit: Duration) -> Self {
        self.thread = true;
        self.terms.limit = Some(limit);
        self
    }

    /// Waited for at the end of the run: who drops the master goes on when a request that is still under way on the partner's thread has returned,
    /// however late, and the simulator is dropped. Else a simulator that does not answer is left to itself. For simulators that
    /// use what belongs to the caller, such as functions of a host.
    #[must_use]
    pub fn joined(mut self) -> Self {
        self.terms.joined = true;
        self
    }
}
