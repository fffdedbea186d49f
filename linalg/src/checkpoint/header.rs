//! Head and checksum of the bytes of a checkpoint.

use super::error::CheckpointError;
use super::source::{Source, Stored};
use std::fmt::{self, Debug, Write};

/// The first bytes.
const MAGIC: [u8; 8] = *b"4barpt\r\n";
/// Raised whenever what is written changes.
const FORMAT: u32 = 6;
/// Bytes of the head: magic, format, version, kind, fingerprint, length.
const HEAD: usize = 8 + 4 + 12 + KIND + 8 + 8;
/// Bytes of the name of a kind; blanks fill it.
const KIND: usize = 16;
/// Bytes behind the content.
const TAIL: usize = 8;

/// What a checkpoint belongs to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Header {
    /// Of what it is, in 16 letters at most: "a simulation".
    pub kind: &'static str,
    /// Which one.
    pub fingerprint: u64,
}

/// Major, minor and patch number of the library.
fn version() -> [u32; 3] {
    let mut numbers = env!("CARGO_PKG_VERSION").split(['.', '-']).map(|number| number.parse().unwrap_or(0));
    std::array::from_fn(|_| numbers.next().unwrap_or(0))
}

fn name(format: u32, [major, minor, patch]: [u32; 3]) -> String {
    format!("{major}.{minor}.{patch}, format {format}")
}

impl Header {
    fn letters(&self) -> [u8; KIND] {
        let mut letters = [b' '; KIND];
        letters.iter_mut().zip(self.kind.as_bytes()).for_each(|(letter, given)| *letter = *given);
        letters
    }

    /// The bytes of a point whose content `write` appends.
    #[must_use]
    pub fn write(&self, write: impl FnOnce(&mut Vec<u8>)) -> Vec<u8> {
        let mut bytes = MAGIC.to_vec();
        FORMAT.store(&mut bytes);
        version().store(&mut bytes);
        self.letters().store(&mut bytes);
        bytes.extend_from_slice(&self.fingerprint.to_le_bytes());
        bytes.extend_from_slice(&[0; 8]);
        write(&mut bytes);
        let content = (bytes.len() - HEAD) as u64;
        bytes[HEAD - 8..HEAD].copy_from_slice(&content.to_le_bytes());
        let sum = Fingerprint::default().bytes(&bytes).value();
        bytes.extend_from_slice(&sum.to_le_bytes());
        bytes
    }

    /// The content of a point that [`Header::write`] made under the same header.
    ///
    /// # Errors
    /// [`CheckpointError`] saying why it is not.
    pub fn read<'a>(&self, bytes: &'a [u8]) -> Result<Source<'a>, CheckpointError> {
        if !bytes.starts_with(&MAGIC) {
            return Err(CheckpointError::NotACheckpoint);
        }
        let mut head = Source::new(&bytes[MAGIC.len()..]);
        let short = |_| CheckpointError::Length { found: bytes.len(), expected: (HEAD + TAIL) as u64 };
        let format = head.value::<u32>().map_err(short)?;
        let written_by: [u32; 3] = head.value().map_err(short)?;
        if (format, written_by) != (FORMAT, version()) {
            return Err(CheckpointError::Version { found: name(format, written_by), own: name(FORMAT, version()) });
        }
        let kind: [u8; KIND] = head.value().map_err(short)?;
        let mut number = || head.take(8).map_err(short).map(word);
        let (fingerprint, content) = (number()?, number()?);
        let expected = content.saturating_add((HEAD + TAIL) as u64);
        if expected != bytes.len() as u64 {
            return Err(CheckpointError::Length { found: bytes.len(), expected });
        }
        let (summed, tail) = bytes.split_at(bytes.len() - TAIL);
        let (found, expected) = (word(tail), Fingerprint::default().bytes(summed).value());
        if found != expected {
            return Err(CheckpointError::Checksum { found, expected });
        }
        if kind != self.letters() {
            let found = String::from_utf8_lossy(&kind).trim_end().to_owned();
            return Err(CheckpointError::Kind { found, own: self.kind.to_owned() });
        }
        if fingerprint != self.fingerprint {
            return Err(CheckpointError::Foreign { what: self.kind });
        }
        Ok(Source::new(&summed[HEAD..]))
    }
}

fn word(bytes: &[u8]) -> u64 {
    bytes.iter().rev().fold(0, |word, byte| word << 8 | u64::from(*byte))
}

/// A number that tells things apart, the same in every run: FNV-1a of 64 bits (Fowler, Noll, Vo). Two inputs that differ in one byte never
/// have the same one; others by chance, one in 2^64. No protection against somebody who wants to deceive.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Fingerprint(u64);

impl Default for Fingerprint {
    fn default() -> Self {
        Self(0xcbf2_9ce4_8422_2325)
    }
}

impl Fingerprint {
    /// Takes in bytes.
    #[must_use]
    pub fn bytes(mut self, bytes: &[u8]) -> Self {
        for byte in bytes {
            self.0 = (self.0 ^ u64::from(*byte)).wrapping_mul(0x0000_0100_0000_01b3);
        }
        self
    }

    /// Takes in numbers, bit for bit, and how many they are.
    #[must_use]
    pub fn numbers(self, numbers: &[f64]) -> Self {
        numbers.iter().fold(self.bytes(&numbers.len().to_le_bytes()), |sum, value| sum.bytes(&value.to_le_bytes()))
    }

    /// Takes in plain data as [`Debug`] shows it: numbers there have all their digits. Data with an address in it differs in each process.
    #[must_use]
    pub fn data(mut self, data: &impl Debug) -> Self {
        // Writing into it does not fail; data whose own Debug does is taken in as far as it went.
        let _ = write!(self, "{data:?};");
        self
    }

    /// The number.
    #[must_use]
    pub fn value(self) -> u64 {
        self.0
    }
}

impl Write for Fingerprint {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        *self = self.bytes(text.as_bytes());
        Ok(())
    }
}
