//! The way by which bytes travel: a Unix socket to a process of this computer, TCP to another one. Whoever waits on it can give up.

use std::io::{ErrorKind, Read, Write};
use std::net::{Shutdown, TcpStream};
#[cfg(unix)]
use std::os::unix::net::UnixStream;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// A stream of bytes in both directions that can be closed from another thread.
pub(in crate::partner) trait Transport: Sized + Send {
    /// Reads what there is.
    fn read_some(&self, buffer: &mut [u8]) -> std::io::Result<usize>;
    /// Writes what fits.
    fn write_some(&self, bytes: &[u8]) -> std::io::Result<usize>;
    /// How long one call of the two above may wait.
    fn look_every(&self, time: Duration) -> std::io::Result<()>;
    /// Ends both directions; what waits on it returns.
    fn close(&self);
}

macro_rules! is_transport {
    ($stream:ty) => {
        impl Transport for $stream {
            fn read_some(&self, buffer: &mut [u8]) -> std::io::Result<usize> {
                (&mut &*self).read(buffer)
            }

            fn write_some(&self, bytes: &[u8]) -> std::io::Result<usize> {
                (&mut &*self).write(bytes)
            }

            fn look_every(&self, time: Duration) -> std::io::Result<()> {
                self.set_read_timeout(Some(time))?;
                self.set_write_timeout(Some(time))
            }

            fn close(&self) {
                // It may be closed already.
                let _ = self.shutdown(Shutdown::Both);
            }
        }
    };
}

#[cfg(unix)]
is_transport!(UnixStream);
is_transport!(TcpStream);

/// How often whoever waits looks at the flag that ends it.
const LOOK: Duration = Duration::from_millis(50);

/// How long is waited for the other end.
#[derive(Debug, Clone, Default)]
pub(in crate::partner) struct Patience {
    /// For each piece of an answer; for ever if None.
    pub(in crate::partner) limit: Option<Duration>,
    /// Raised, it ends the waiting.
    pub(in crate::partner) interrupt: Option<Arc<AtomicBool>>,
}

/// A stream that gives up as [`Patience`] says: with `TimedOut`, or with `ConnectionAborted` where the run was interrupted.
pub(super) struct Patient<S> {
    pub(super) stream: S,
    pub(super) patience: Patience,
    /// When it gives up in any case.
    pub(super) deadline: Option<Instant>,
}

impl<S: Transport> Patient<S> {
    /// One that waits for ever.
    pub(super) fn new(stream: S) -> Self {
        Self { stream, patience: Patience::default(), deadline: None }
    }

    /// Takes on `patience`, whose waits end within `shortest` at the latest.
    pub(super) fn bear(&mut self, patience: Patience, shortest: Option<Duration>) -> std::io::Result<()> {
        let shortest = patience.limit.into_iter().chain(shortest).fold(LOOK, Duration::min);
        self.stream.look_every(shortest)?;
        self.patience = patience;
        Ok(())
    }

    fn wait<T>(&self, mut act: impl FnMut(&S) -> std::io::Result<T>) -> std::io::Result<T> {
        let begun = Instant::now();
        loop {
            match act(&self.stream) {
                Err(error) if matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::TimedOut) => {}
                result => return result,
            }
            if self.patience.interrupt.as_ref().is_some_and(|flag| flag.load(Ordering::Relaxed)) {
                return Err(ErrorKind::ConnectionAborted.into());
            }
            let now = Instant::now();
            let silent = self.patience.limit.is_some_and(|limit| now - begun >= limit);
            if silent || self.deadline.is_some_and(|deadline| now >= deadline) {
                return Err(ErrorKind::TimedOut.into());
            }
        }
    }
}

impl<S: Transport> Read for Patient<S> {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        self.wait(|stream| stream.read_some(buffer))
    }
}

impl<S: Transport> Write for Patient<S> {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.wait(|stream| stream.write_some(bytes))
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}
