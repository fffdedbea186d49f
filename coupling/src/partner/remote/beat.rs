//! Signs of life while the other end waits: it learns of a computer that is gone, which closes no connection.

use std::io::Write;
use std::net::TcpStream;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;
use std::time::Duration;

use crate::partner::wire::{Transport, Word, bare_frame};

/// Between two signs of life \[s\]: far more than a round trip in any network, far less than a person waits.
const PERIOD: Duration = Duration::from_secs(1);

/// An end that was not heard for this long is taken for lost: ten signs of life in a row, more than TCP needs to send one again after losses.
pub(super) const SILENCE: Duration = Duration::from_secs(10);

/// A thread that gives the signs while it is told to.
pub(super) struct Beat {
    stream: TcpStream,
    /// Whether the other end waits. Who holds the lock alone writes.
    needed: Arc<Mutex<bool>>,
    end: Option<Sender<()>>,
    thread: Option<JoinHandle<()>>,
}

impl Beat {
    /// Beside the connection `stream`, silent at first.
    pub(super) fn start(stream: &TcpStream) -> std::io::Result<Self> {
        let (end, ended) = channel();
        let needed = Arc::new(Mutex::new(false));
        let (writing, asked) = (stream.try_clone()?, Arc::clone(&needed));
        let thread =
            std::thread::Builder::new().name("heartbeat".into()).spawn(move || beat(writing, &asked, &ended))?;
        Ok(Self { stream: stream.try_clone()?, needed, end: Some(end), thread: Some(thread) })
    }

    /// From now on signs are given, or none. After `needed(false)` nobody else writes to the connection.
    pub(super) fn needed(&self, needed: bool) {
        *self.needed.lock().unwrap_or_else(PoisonError::into_inner) = needed;
    }
}

impl Drop for Beat {
    fn drop(&mut self) {
        // A sign that cannot leave would hold the thread.
        self.stream.close();
        self.end = None;
        if let Some(thread) = self.thread.take() {
            // It does not panic, and if it did there is nobody to tell.
            let _ = thread.join();
        }
    }
}

fn beat(mut stream: TcpStream, needed: &Mutex<bool>, ended: &Receiver<()>) {
    let sign = bare_frame(Word::Alive);
    while ended.recv_timeout(PERIOD) == Err(RecvTimeoutError::Timeout) {
        let needed = needed.lock().unwrap_or_else(PoisonError::into_inner);
        // Whoever reads or writes next finds the connection broken and says so.
        if *needed && stream.write_all(&sign).is_err() {
            return;
        }
    }
}
