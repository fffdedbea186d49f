//! How long the thread of a simulator is waited for, and why it may be in vain.

use std::time::Duration;

/// How long a thread is waited for.
// Nobody waits in a build without threads.
#[cfg_attr(not(feature = "clock"), allow(dead_code))]
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Terms {
    /// For an answer.
    pub(crate) limit: Option<Duration>,
    /// At the end, until its request has returned, however late.
    pub(crate) joined: bool,
}

/// Why there is no answer.
// Nobody waits in a build without threads.
#[cfg_attr(not(feature = "clock"), allow(dead_code))]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Silence {
    /// Not within this time.
    Late(Duration),
    /// The thread has ended.
    Ended,
    /// Not before the run was interrupted.
    Interrupted,
}
