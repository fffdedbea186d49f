//! The end of a connection at the master: opened, asked and given up within the limits of time.

use std::io::{Error, ErrorKind};
use std::net::{TcpStream, ToSocketAddrs};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use super::beat::{Beat, SILENCE};
use super::{RemoteError, RemoteOptions};
use crate::function::{Description, Failure};
use crate::partner::wire::{Content, GREETING, Patience, Wire, Word, garbled, put_named, put_text, put_u64};

/// A connection that is not open after this time is given up: TCP sends its first packet again after 1 and 3 s.
const CONNECT: Duration = Duration::from_secs(5);

/// What is asked at the end of a run, of a simulator at rest, is answered at once or not at all: the run may have ended because the host is lost.
const AT_ONCE: Duration = Duration::from_secs(2);

/// An open connection to a host.
pub(super) struct Session {
    wire: Wire<TcpStream>,
    beat: Beat,
    limit: Option<Duration>,
    /// The request that was begun.
    word: Word,
}

impl Session {
    /// Connects, and has the host build the simulator.
    pub(super) fn open(options: &RemoteOptions) -> Result<(Self, Description), RemoteError> {
        let address = &options.address;
        let unreachable =
            |error: Error| RemoteError::Unreachable { address: address.clone(), reason: error.to_string() };
        let no_host = |reason: String| RemoteError::NoHost { address: address.clone(), reason };
        let stream = connect(address).map_err(unreachable)?;
        let beat = Beat::start(&stream).map_err(unreachable)?;
        let patience = Patience { limit: Some(SILENCE), interrupt: None };
        let wire = Wire::impatient(stream, patience, options.time_limit).map_err(unreachable)?;
        let mut session = Self { wire, beat, limit: options.time_limit, word: Word::Join };
        join(session.wire.begin(Word::Join), options);
        let read = |mut content: Content<'_>| {
            if content.u64()? != GREETING {
                return Err(garbled("no greeting of a host"));
            }
            content.description()
        };
        match session.exchange(read) {
            Ok(Ok(description)) => Ok((session, description)),
            Ok(Err(words)) => Err(RemoteError::Refused { address: address.clone(), words }),
            Err(error) => Err(no_host(session.reason(&error))),
        }
    }

    /// Begins a request.
    pub(super) fn begin(&mut self, word: Word) -> &mut Vec<u8> {
        self.word = word;
        self.wire.begin(word)
    }

    /// Sends the request that was begun and waits for the answer, which `read` takes, or for what the simulator reports instead. The outer
    /// error is the end of the connection.
    pub(super) fn ask<T>(
        &mut self,
        read: impl FnOnce(Content<'_>) -> std::io::Result<T>,
    ) -> Result<Result<T, Failure>, Failure> {
        match self.exchange(read) {
            Ok(answer) => Ok(answer.map_err(Failure::Reported)),
            Err(error) if error.kind() == ErrorKind::ConnectionAborted => Err(Failure::Interrupted),
            Err(error) => Err(Failure::Lost(self.reason(&error))),
        }
    }

    fn exchange<T>(
        &mut self,
        read: impl FnOnce(Content<'_>) -> std::io::Result<T>,
    ) -> std::io::Result<Result<T, String>> {
        self.beat.needed(false);
        let limit = match self.word {
            Word::Warnings => Some(self.limit.map_or(AT_ONCE, |limit| limit.min(AT_ONCE))),
            _ => self.limit,
        };
        self.wire.until(limit.and_then(|limit| Instant::now().checked_add(limit)));
        self.wire.send()?;
        let answer = match self.wire.receive_word()? {
            (Word::Done, content) => Ok(read(content)?),
            (Word::Refused, mut content) => Err(content.text()?),
            _ => return Err(garbled("a request where an answer was due")),
        };
        self.beat.needed(true);
        Ok(answer)
    }

    /// What became of the connection, in words.
    fn reason(&self, error: &Error) -> String {
        match (error.kind(), self.limit) {
            (ErrorKind::TimedOut | ErrorKind::WouldBlock, Some(limit)) if limit <= SILENCE || self.wire.is_late() => {
                format!("no answer within {limit:?}")
            }
            (ErrorKind::TimedOut | ErrorKind::WouldBlock, _) => format!("no sign of life for {SILENCE:?}"),
            (ErrorKind::UnexpectedEof, _) => "the host has closed it".to_owned(),
            _ => error.to_string(),
        }
    }

    pub(super) fn interrupt_by(&mut self, flag: &Arc<AtomicBool>) {
        self.wire.interrupt_by(flag);
    }
}

/// The first of the addresses of this name that answers.
fn connect(address: &str) -> std::io::Result<TcpStream> {
    let mut last = Error::new(ErrorKind::NotFound, "the name has no address");
    for place in address.to_socket_addrs()? {
        match TcpStream::connect_timeout(&place, CONNECT) {
            Ok(stream) => {
                // A request is one small packet that must not wait for a second one.
                stream.set_nodelay(true)?;
                return Ok(stream);
            }
            Err(error) => last = error,
        }
    }
    Err(last)
}

/// What a host is told first.
fn join(request: &mut Vec<u8>, options: &RemoteOptions) {
    put_u64(request, GREETING);
    put_text(request, env!("CARGO_PKG_VERSION"));
    put_text(request, &options.token);
    put_text(request, &options.simulator);
    put_named(request, &options.parameters);
    put_u64(request, options.fingerprint);
}
