//! What master and host say to each other: frames of a length (8 bytes), a word (1 byte) and a content; numbers are little-endian.

use std::io::{BufReader, Error, ErrorKind, Read, Write};
use std::os::unix::net::UnixStream;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use crate::function::{Capabilities, Causality, Description, Variable};
use crate::partner::library::LibraryOptions;

/// First of all in the answer of a host: whoever else answers is none.
pub(super) const GREETING: u64 = u64::from_le_bytes(*b"fourbar1");

/// The word of a frame.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
pub(super) enum Word {
    Open = 1,
    Exchange = 2,
    Save = 3,
    Restore = 4,
    Done = 5,
    Refused = 6,
}

impl Word {
    fn of(byte: u8) -> std::io::Result<Self> {
        use Word::{Done, Exchange, Open, Refused, Restore, Save};
        let known = [Open, Exchange, Save, Restore, Done, Refused];
        known.into_iter().find(|&word| word as u8 == byte).ok_or_else(|| garbled("a word that does not exist"))
    }
}

/// A frame longer than this is taken for a mistake \[bytes\].
const LONGEST: u64 = 1 << 34;
/// Bytes before the content of a frame: its kind and its length.
const HEADER: usize = 9;

pub(super) fn garbled(what: &str) -> Error {
    Error::new(ErrorKind::InvalidData, format!("the connection carries {what}"))
}

/// How often whoever waits looks at the flag that ends it.
const LOOK: Duration = Duration::from_millis(50);

/// How long is waited for the other end.
#[derive(Debug, Clone, Default)]
pub(super) struct Patience {
    /// For each piece of an answer; for ever if None.
    pub(super) limit: Option<Duration>,
    /// Raised, it ends the waiting.
    pub(super) interrupt: Option<Arc<AtomicBool>>,
}

/// A stream that gives up as [`Patience`] says: with `TimedOut`, or with `ConnectionAborted` where the run was interrupted.
struct Patient {
    stream: UnixStream,
    patience: Patience,
}

impl Patient {
    fn wait<T>(&self, mut act: impl FnMut(&UnixStream) -> std::io::Result<T>) -> std::io::Result<T> {
        let begun = Instant::now();
        loop {
            match act(&self.stream) {
                Err(error) if matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::TimedOut) => {}
                result => return result,
            }
            if self.patience.interrupt.as_ref().is_some_and(|flag| flag.load(Ordering::Relaxed)) {
                return Err(ErrorKind::ConnectionAborted.into());
            }
            if self.patience.limit.is_some_and(|limit| begun.elapsed() >= limit) {
                return Err(ErrorKind::TimedOut.into());
            }
        }
    }
}

impl Read for Patient {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        self.wait(|mut stream| stream.read(buffer))
    }
}

impl Write for Patient {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.wait(|mut stream| stream.write(bytes))
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

/// One end of the connection; its buffers are kept.
pub(super) struct Wire {
    reader: BufReader<Patient>,
    sending: Vec<u8>,
    received: Vec<u8>,
}

impl Wire {
    /// An end that waits for ever.
    pub(super) fn new(stream: UnixStream) -> Self {
        let patient = Patient { stream, patience: Patience::default() };
        Self { reader: BufReader::new(patient), sending: Vec::new(), received: Vec::new() }
    }

    /// An end that gives up.
    pub(super) fn impatient(stream: UnixStream, patience: Patience) -> std::io::Result<Self> {
        let look = patience.limit.map_or(LOOK, |limit| limit.min(LOOK));
        stream.set_read_timeout(Some(look))?;
        stream.set_write_timeout(Some(look))?;
        let mut wire = Self::new(stream);
        wire.reader.get_mut().patience = patience;
        Ok(wire)
    }

    /// The flag that ends its waiting.
    pub(super) fn interrupt_by(&mut self, flag: &Arc<AtomicBool>) {
        self.reader.get_mut().patience.interrupt = Some(Arc::clone(flag));
    }

    pub(super) fn stream(&self) -> &UnixStream {
        &self.reader.get_ref().stream
    }

    /// Begins a frame; its content follows through the `put` functions.
    pub(super) fn begin(&mut self, word: Word) -> &mut Vec<u8> {
        self.sending.clear();
        self.sending.extend([0; 8]);
        self.sending.push(word as u8);
        &mut self.sending
    }

    /// Sends the frame that was begun.
    pub(super) fn send(&mut self) -> std::io::Result<()> {
        let length = (self.sending.len() - HEADER) as u64;
        self.sending[..8].copy_from_slice(&length.to_le_bytes());
        self.reader.get_mut().write_all(&self.sending)
    }

    /// The next frame.
    pub(super) fn receive(&mut self) -> std::io::Result<(Word, Content<'_>)> {
        let mut header = [0; HEADER];
        self.reader.read_exact(&mut header)?;
        let (length, word) = header.split_at(8);
        let length = Content(length).u64()?;
        let word = Word::of(word[0])?;
        if length > LONGEST {
            return Err(garbled("a frame that is too long"));
        }
        self.received.clear();
        self.received.try_reserve(length as usize).map_err(|_| garbled("a frame that is too long for the memory"))?;
        self.received.resize(length as usize, 0);
        self.reader.read_exact(&mut self.received)?;
        Ok((word, Content(&self.received)))
    }
}

pub(super) fn put_u64(to: &mut Vec<u8>, value: u64) {
    to.extend(value.to_le_bytes());
}

pub(super) fn put_f64(to: &mut Vec<u8>, value: f64) {
    to.extend(value.to_le_bytes());
}

pub(super) fn put_values(to: &mut Vec<u8>, values: &[f64]) {
    values.iter().for_each(|&value| put_f64(to, value));
}

pub(super) fn put_text(to: &mut Vec<u8>, text: &str) {
    put_u64(to, text.len() as u64);
    to.extend(text.as_bytes());
}

pub(super) fn put_options(to: &mut Vec<u8>, path: &str, options: &LibraryOptions) {
    put_text(to, path);
    put_text(to, &options.name);
    put_f64(to, options.start);
    put_u64(to, options.parameters.len() as u64);
    for (name, value) in &options.parameters {
        put_text(to, name);
        put_f64(to, *value);
    }
}

pub(super) fn put_description(to: &mut Vec<u8>, description: &Description) {
    let capabilities = description.capabilities;
    put_f64(to, description.solver_step.unwrap_or(0.0));
    put_u64(to, u64::from(capabilities.rollback));
    put_u64(to, u64::from(capabilities.output_derivatives));
    put_u64(to, capabilities.input_order as u64);
    put_u64(to, u64::from(capabilities.fixed_step));
    put_u64(to, description.variables.len() as u64);
    for variable in &description.variables {
        put_text(to, &variable.name);
        put_text(to, &variable.unit);
        put_u64(to, u64::from(variable.causality == Causality::Output));
        put_f64(to, variable.start);
        put_f64(to, variable.nominal);
        put_u64(to, variable.feedthrough.len() as u64);
        variable.feedthrough.iter().for_each(|input| put_text(to, input));
    }
}

/// What is left of the content of a frame.
pub(super) struct Content<'a>(pub(super) &'a [u8]);

impl Content<'_> {
    fn take(&mut self, length: usize) -> std::io::Result<&[u8]> {
        let (taken, rest) = self.0.split_at_checked(length).ok_or_else(|| garbled("a frame that is too short"))?;
        self.0 = rest;
        Ok(taken)
    }

    pub(super) fn u64(&mut self) -> std::io::Result<u64> {
        let bytes = self.take(8)?;
        // Eight bytes by the line above.
        Ok(u64::from_le_bytes(bytes.try_into().map_err(|_| garbled("a frame that is too short"))?))
    }

    pub(super) fn f64(&mut self) -> std::io::Result<f64> {
        self.u64().map(f64::from_bits)
    }

    pub(super) fn values(&mut self, values: &mut [f64]) -> std::io::Result<()> {
        values.iter_mut().try_for_each(|value| {
            *value = self.f64()?;
            Ok(())
        })
    }

    pub(super) fn text(&mut self) -> std::io::Result<String> {
        let length = self.u64()?;
        let length = usize::try_from(length).map_err(|_| garbled("a text that is too long"))?;
        let bytes = self.take(length)?;
        String::from_utf8(bytes.to_vec()).map_err(|_| garbled("a text that is no UTF-8"))
    }

    fn many<T>(&mut self, mut read: impl FnMut(&mut Self) -> std::io::Result<T>) -> std::io::Result<Vec<T>> {
        let count = self.u64()?;
        // Each takes at least a byte.
        if count > self.0.len() as u64 {
            return Err(garbled("a frame that is too short"));
        }
        (0..count).map(|_| read(self)).collect()
    }

    pub(super) fn options(&mut self) -> std::io::Result<(String, LibraryOptions)> {
        let path = self.text()?;
        let (name, start) = (self.text()?, self.f64()?);
        let parameters = self.many(|content| Ok((content.text()?, content.f64()?)))?;
        Ok((path, LibraryOptions { name, start, parameters }))
    }

    pub(super) fn description(&mut self) -> std::io::Result<Description> {
        let solver_step = Some(self.f64()?).filter(|&step| step != 0.0);
        let capabilities = Capabilities::PLAIN
            .rollback(self.u64()? != 0)
            .output_derivatives(self.u64()? != 0)
            .input_order(self.u64()?.min(2) as usize)
            .fixed_step(self.u64()? != 0);
        let variables = self.many(|content| {
            let (name, unit, is_output) = (content.text()?, content.text()?, content.u64()? != 0);
            let variable = if is_output { Variable::output(name, unit) } else { Variable::input(name, unit) };
            let mut variable = variable.start(content.f64()?).nominal(content.f64()?);
            variable.feedthrough = content.many(Self::text)?;
            Ok(variable)
        })?;
        Ok(Description { variables, solver_step, capabilities })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn description() -> Description {
        let variables = vec![
            Variable::input("x", "mm").start(-2.5),
            Variable::output("Kraft \u{00e4}", "kN").nominal(7.0).depends_on(&["x"]),
        ];
        let capabilities = Capabilities::PLAIN.output_derivatives(true).input_order(1);
        Description { variables, solver_step: Some(1e-4), capabilities }
    }

    #[test]
    fn descriptions_and_options_travel_unchanged() {
        let options = LibraryOptions {
            name: "left".into(),
            start: 0.25,
            parameters: vec![("area".into(), 3.5), ("leak".into(), f64::MIN_POSITIVE)],
        };
        let mut bytes = Vec::new();
        put_options(&mut bytes, "lib.so", &options);
        put_description(&mut bytes, &description());
        let mut content = Content(&bytes);
        assert_eq!(content.options().unwrap(), ("lib.so".into(), options));
        assert_eq!(content.description().unwrap(), description());
        assert!(content.0.is_empty());
    }

    #[test]
    fn no_prefix_of_a_frame_is_taken_for_the_whole() {
        let mut bytes = Vec::new();
        put_description(&mut bytes, &description());
        for length in 0..bytes.len() {
            assert!(Content(&bytes[..length]).description().is_err(), "{length}");
        }
        let absurd = u64::MAX.to_le_bytes();
        assert!(Content(&absurd).text().is_err() && Content(&absurd).many(|content| content.f64()).is_err());
    }

    proptest::proptest! {
        #[test]
        fn no_bytes_at_all_are_too_much(bytes in proptest::collection::vec(proptest::prelude::any::<u8>(), 0..200)) {
            // Read or refused, whatever they are, and never more than there is.
            if let Ok((path, options)) = Content(&bytes).options() {
                proptest::prop_assert!(path.len() + options.name.len() + 16 * options.parameters.len() <= bytes.len());
            }
            if let Ok(description) = Content(&bytes).description() {
                proptest::prop_assert!(48 * description.variables.len() <= bytes.len());
            }
        }
    }

    #[test]
    fn frames_that_make_no_sense_are_refused() {
        for (length, word, complaint) in [(0u64, 9u8, "a word that"), (u64::MAX, 5, "too long")] {
            let (mut here, there) = UnixStream::pair().unwrap();
            here.write_all(&length.to_le_bytes()).unwrap();
            here.write_all(&[word]).unwrap();
            let error = Wire::new(there).receive().err().unwrap().to_string();
            assert!(error.contains(complaint), "{error}");
        }
    }
}
