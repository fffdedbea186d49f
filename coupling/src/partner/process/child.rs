//! The child process: started, listened to with a time limit, ended and reaped in every case.

use std::ffi::OsString;
use std::io::ErrorKind;
use std::os::fd::OwnedFd;
use std::os::unix::net::UnixStream;
use std::os::unix::process::CommandExt;
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use crate::function::Failure;
use crate::partner::wire::{Content, Patience, Transport, Wire, Word, garbled};

/// Set in the environment of a host, so that one that is none does not start further ones.
const MARK: &str = "FOURBAR_PARTNER_HOST";

/// How long a process may take to end by itself once its connection is closed.
const GRACE: Duration = Duration::from_secs(2);

/// The program that hosts a library.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HostProgram {
    /// The program, which calls [`serve`](super::serve).
    pub program: PathBuf,
    /// Its arguments.
    pub arguments: Vec<OsString>,
}

impl HostProgram {
    /// A program without arguments.
    pub fn new(program: impl Into<PathBuf>) -> Self {
        Self { program: program.into(), arguments: Vec::new() }
    }

    /// With one more argument.
    #[must_use]
    pub fn argument(mut self, argument: impl Into<OsString>) -> Self {
        self.arguments.push(argument.into());
        self
    }

    /// The running program with the argument `host-partner`: right for the `fourbar` command.
    ///
    /// # Errors
    /// If the operating system does not tell its path.
    pub fn this_program() -> std::io::Result<Self> {
        Ok(Self::new(std::env::current_exe()?).argument("host-partner"))
    }
}

/// A running host and the connection to it.
pub(super) struct Host {
    child: Child,
    wire: Wire<UnixStream>,
    limit: Option<Duration>,
}

impl Host {
    /// Starts the program. Its standard input is the connection; what it prints goes to standard error.
    pub(super) fn start(program: &HostProgram, patience: &Patience) -> std::io::Result<Self> {
        if std::env::var_os(MARK).is_some() {
            let reason = "it is a host itself, and must call partner::process::serve before anything else";
            return Err(std::io::Error::other(reason));
        }
        let (here, there) = UnixStream::pair()?;
        let wire = Wire::impatient(here, patience.clone(), None)?;
        let mut command = Command::new(&program.program);
        command.args(&program.arguments).env(MARK, "1");
        command.stdin(Stdio::from(OwnedFd::from(there))).stdout(std::io::stderr());
        // In a group of its own it does not get the Ctrl-C that stops the run.
        let child = command.process_group(0).spawn()?;
        Ok(Self { child, wire, limit: patience.limit })
    }

    /// The connection, for the content of a request.
    pub(super) fn wire(&mut self) -> &mut Wire<UnixStream> {
        &mut self.wire
    }

    /// Sends the request that was begun and waits for the answer, which `read` takes. After an error other than a refusal the process
    /// has ended.
    pub(super) fn ask<T>(
        &mut self,
        read: impl FnOnce(Content<'_>) -> std::io::Result<T>,
    ) -> Result<T, (bool, Failure)> {
        let answer = self.wire.send().and_then(|()| match self.wire.receive()? {
            (Word::Done, content) => read(content).map(Ok),
            (Word::Refused, mut content) => content.text().map(Err),
            _ => Err(garbled("a request where an answer was due")),
        });
        match answer {
            Ok(Ok(answer)) => Ok(answer),
            Ok(Err(words)) => Err((true, Failure::new(words))),
            Err(error) => Err((false, self.lost(&error))),
        }
    }

    /// What became of a process whose connection fails.
    fn lost(&mut self, error: &std::io::Error) -> Failure {
        let limit = self.limit.filter(|_| matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::TimedOut));
        if let Some(limit) = limit {
            self.kill();
            return Failure::Late(limit);
        }
        if error.kind() == ErrorKind::ConnectionAborted {
            self.kill();
            return Failure::Interrupted;
        }
        if error.kind() == ErrorKind::InvalidData {
            self.kill();
            return Failure::Ended(format!("{error}; it was ended"));
        }
        self.end();
        match self.child.try_wait() {
            Ok(Some(status)) => Failure::Ended(status.to_string()),
            _ => Failure::Ended(error.to_string()),
        }
    }

    /// Closes the connection and waits; ends the process if it does not end by itself.
    fn end(&mut self) {
        self.wire.stream().close();
        let deadline = Instant::now() + GRACE;
        while Instant::now() < deadline {
            if !matches!(self.child.try_wait(), Ok(None)) {
                return;
            }
            std::thread::sleep(Duration::from_millis(1));
        }
        self.kill();
    }

    fn kill(&mut self) {
        // Both fail only for a process that has ended already.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }

    pub(super) fn id(&self) -> u32 {
        self.child.id()
    }
}

impl Drop for Host {
    fn drop(&mut self) {
        self.end();
    }
}
