//! A thread beside a connection that looks again and again, until it is dropped or has seen enough.

use std::ops::ControlFlow;
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::thread::{Builder, JoinHandle};
use std::time::Duration;

/// Drop it and the thread has ended.
pub(super) struct Beside {
    end: Option<Sender<()>>,
    thread: Option<JoinHandle<()>>,
}

impl Beside {
    /// Calls `look` after each `period` as long as it says to continue.
    pub(super) fn start(
        name: &str,
        period: Duration,
        mut look: impl FnMut() -> ControlFlow<()> + Send + 'static,
    ) -> std::io::Result<Self> {
        let (end, ended) = channel();
        let thread = Builder::new().name(name.to_owned()).spawn(move || {
            while ended.recv_timeout(period) == Err(RecvTimeoutError::Timeout) && look().is_continue() {}
        })?;
        Ok(Self { end: Some(end), thread: Some(thread) })
    }
}

impl Drop for Beside {
    fn drop(&mut self) {
        self.end = None;
        if let Some(thread) = self.thread.take() {
            // It does not panic, and if it did there is nobody to tell.
            let _ = thread.join();
        }
    }
}
