//! What the two sides of a connection say to each other: frames of a length (8 bytes), a word (1 byte) and a content; numbers are little-endian.

mod content;
#[cfg(feature = "network")]
mod network;
mod transport;

use std::io::{BufReader, Error, ErrorKind, Read, Write};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

pub(super) use content::{
    Content, put_description, put_f64, put_named, put_parameters, put_text, put_texts, put_u64, put_values,
};
#[cfg(feature = "network")]
pub(super) use network::bare_frame;
use transport::Patient;
pub(super) use transport::{Patience, Transport};

/// First of all in the answer of a host: whoever else answers is none.
pub(super) const GREETING: u64 = u64::from_le_bytes(*b"fourbar4");

/// The word of a frame.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
pub(super) enum Word {
    /// To a process: the library to load.
    Open = 1,
    Exchange = 2,
    Save = 3,
    Restore = 4,
    Done = 5,
    Refused = 6,
    /// To a host on another computer: who asks, and for which simulator.
    Join = 7,
    Step = 8,
    Sample = 9,
    Rates = 10,
    Watch = 11,
    Warnings = 12,
    /// Nothing but that the other end is there.
    Alive = 13,
    /// A saved state as bytes, and back.
    Store = 14,
    Load = 15,
    /// The parameters as they stand, and other values of some.
    Parameters = 16,
    Tune = 17,
    /// The texts as they stand.
    Texts = 18,
}

impl Word {
    fn of(byte: u8) -> std::io::Result<Self> {
        use Word::{
            Alive, Done, Exchange, Join, Load, Open, Parameters, Rates, Refused, Restore, Sample, Save, Step, Store,
            Texts, Tune, Warnings, Watch,
        };
        let known = [
            Open, Exchange, Save, Restore, Done, Refused, Join, Step, Sample, Rates, Watch, Warnings, Alive, Store,
            Load, Parameters, Texts, Tune,
        ];
        known.into_iter().find(|&word| word as u8 == byte).ok_or_else(|| garbled("a word that does not exist"))
    }
}

/// A frame longer than this is taken for a mistake \[bytes\].
const LONGEST: u64 = 1 << 34;
/// Content is received in pieces of at most so many bytes: more than a step has, and nothing beside the memory of a process.
const PIECE: u64 = 1 << 20;
/// Bytes before the content of a frame: its kind and its length.
const HEADER: usize = 9;

pub(super) fn garbled(what: &str) -> Error {
    Error::new(ErrorKind::InvalidData, format!("the connection carries {what}"))
}

/// One end of the connection; its buffers are kept.
pub(super) struct Wire<S> {
    reader: BufReader<Patient<S>>,
    sending: Vec<u8>,
    received: Vec<u8>,
    /// A frame longer than this is refused \[bytes\].
    longest: u64,
}

impl<S: Transport> Wire<S> {
    /// An end that waits for ever.
    pub(super) fn new(stream: S) -> Self {
        let reader = BufReader::new(Patient::new(stream));
        Self { reader, sending: Vec::new(), received: Vec::new(), longest: LONGEST }
    }

    /// An end that gives up; a request to it may have a limit as short as `shortest`.
    pub(super) fn impatient(stream: S, patience: Patience, shortest: Option<Duration>) -> std::io::Result<Self> {
        let mut wire = Self::new(stream);
        wire.reader.get_mut().bear(patience, shortest)?;
        Ok(wire)
    }

    /// The flag that ends its waiting.
    pub(super) fn interrupt_by(&mut self, flag: &Arc<AtomicBool>) {
        self.reader.get_mut().patience.interrupt = Some(Arc::clone(flag));
    }

    pub(super) fn stream(&self) -> &S {
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
        if length > self.longest {
            return Err(garbled("a frame that is too long"));
        }
        self.fill(length)?;
        Ok((word, Content(&self.received)))
    }

    /// Receives the content of a frame. What was announced takes memory as it comes.
    fn fill(&mut self, length: u64) -> std::io::Result<()> {
        self.received.clear();
        let mut left = length;
        while left > 0 {
            let (begin, piece) = (self.received.len(), left.min(PIECE));
            self.received
                .try_reserve(piece as usize)
                .map_err(|_| garbled("a frame that is too long for the memory"))?;
            self.received.resize(begin + piece as usize, 0);
            self.reader.read_exact(&mut self.received[begin..])?;
            left -= piece;
        }
        Ok(())
    }
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;
    use crate::function::{Capabilities, Description, Parameter, Variable};
    use fourbar_linalg::unit::Unit;
    use std::os::unix::net::UnixStream;

    fn description() -> Description {
        let variables = vec![
            Variable::input("x", "mm").start(-2.5),
            Variable::input("y", "span").measured(Unit { factor: 0.2286, ..Unit::parse("m").unwrap() }),
            Variable::output("Kraft \u{00e4}", "kN").nominal(7.0).depends_on(&["x"]),
        ];
        let capabilities = Capabilities::PLAIN.output_derivatives(true).input_order(1).written(true);
        Description { variables, solver_step: Some(1e-4), capabilities }
    }

    #[test]
    fn descriptions_and_numbers_travel_unchanged() {
        let numbers = vec![("area".to_owned(), 3.5), ("leak".to_owned(), f64::MIN_POSITIVE)];
        let mut bytes = Vec::new();
        put_named(&mut bytes, &numbers);
        put_description(&mut bytes, &description());
        let mut content = Content(&bytes);
        assert_eq!(content.named().unwrap(), numbers);
        assert_eq!(content.description().unwrap(), description());
        assert!(content.0.is_empty());
    }

    fn parameters() -> Vec<Parameter> {
        vec![
            Parameter::tunable("gain", -2.0).unit("N/m").within(-4.0, f64::INFINITY),
            Parameter::fixed("L\u{e4}nge", 3.0),
        ]
    }

    #[test]
    fn parameters_travel_unchanged() {
        let mut bytes = Vec::new();
        put_parameters(&mut bytes, &parameters());
        assert_eq!(Content(&bytes).parameters().unwrap(), parameters());
        for length in 0..bytes.len() {
            assert!(Content(&bytes[..length]).parameters().is_err(), "{length}");
        }
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
            if let Ok(numbers) = Content(&bytes).named() {
                proptest::prop_assert!(16 * numbers.len() <= bytes.len());
            }
            if let Ok(description) = Content(&bytes).description() {
                proptest::prop_assert!(48 * description.variables.len() <= bytes.len());
            }
        }
    }

    #[test]
    fn a_length_that_is_announced_takes_no_memory_before_its_bytes_come() {
        let (mut here, there) = UnixStream::pair().unwrap();
        here.write_all(&LONGEST.to_le_bytes()).unwrap();
        here.write_all(&[Word::Load as u8]).unwrap();
        here.write_all(&[7; 100]).unwrap();
        drop(here);
        let mut wire = Wire::new(there);
        let error = wire.receive().err().unwrap();
        assert_eq!(error.kind(), ErrorKind::UnexpectedEof);
        assert!(wire.received.capacity() as u64 <= 2 * PIECE, "{}", wire.received.capacity());
    }

    #[test]
    fn a_frame_of_several_pieces_is_received_whole() {
        let (here, there) = UnixStream::pair().unwrap();
        let content: Vec<u8> = (0..2 * PIECE + 5).map(|k| (k % 251) as u8).collect();
        let sent = content.clone();
        let sending = std::thread::spawn(move || {
            let mut wire = Wire::new(here);
            wire.begin(Word::Load).extend(sent);
            wire.send().unwrap();
        });
        let mut wire = Wire::new(there);
        let (word, received) = wire.receive().unwrap();
        assert!(word == Word::Load && received.0 == content);
        sending.join().unwrap();
    }

    #[test]
    fn frames_that_make_no_sense_are_refused() {
        for (length, word, complaint) in [(0u64, 200u8, "a word that"), (u64::MAX, 5, "too long")] {
            let (mut here, there) = UnixStream::pair().unwrap();
            here.write_all(&length.to_le_bytes()).unwrap();
            here.write_all(&[word]).unwrap();
            let error = Wire::new(there).receive().err().unwrap().to_string();
            assert!(error.contains(complaint), "{error}");
        }
    }
}
