//! The journal of a sweep: what is done, line by line, so that a sweep that was killed goes on where it was.
//!
//! The first line names the plan by a digest of all it depends on. Each further line is one member: numbers with the digits that give
//! the same doubles back, or a failure. A line without its end was torn by the kill and is taken off.

use super::error::{MemberFailure, SweepError};
use std::fs::{File, OpenOptions, TryLockError};
use std::io::{self, Read as _, Seek as _, SeekFrom, Write as _};
use std::path::{Path, PathBuf};

/// What a member left.
pub type MemberResult = Result<Vec<f64>, MemberFailure>;

/// Of what a journal is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Subject {
    /// The plan as the caller named it.
    pub(super) plan: String,
    /// Of plan, model, files of the model and version.
    pub(super) digest: u64,
    pub(super) shard: String,
}

const FORMAT: &str = "fourbar sweep journal 1";

impl Subject {
    fn line(&self) -> String {
        format!("{FORMAT}\t{}\t{:016x}\t{}\n", escaped(&self.plan), self.digest, self.shard)
    }

    fn describe(&self) -> String {
        format!("the plan {} (digest {:016x}, shard {})", self.plan, self.digest, self.shard)
    }
}

/// A journal that is open for this process alone.
#[derive(Debug)]
pub(super) struct Journal {
    file: File,
    path: PathBuf,
}

impl Journal {
    /// Opens the journal at `path`, or begins it; gives what it has of members with `width` numbers.
    pub(super) fn open(
        path: &Path,
        subject: &Subject,
        width: usize,
    ) -> Result<(Self, Vec<(usize, MemberResult)>), SweepError> {
        let failed = |source| SweepError::File { path: path.to_owned(), source };
        let mut file =
            OpenOptions::new().read(true).write(true).create(true).truncate(false).open(path).map_err(failed)?;
        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => return Err(SweepError::Busy { path: path.to_owned() }),
            // A file system without locks: two processes at once are the caller's to avoid.
            Err(TryLockError::Error(error)) if error.kind() == io::ErrorKind::Unsupported => {}
            Err(TryLockError::Error(error)) => return Err(failed(error)),
        }
        let mut bytes = Vec::new();
        file.read_to_end(&mut bytes).map_err(failed)?;
        let whole = bytes.iter().rposition(|byte| *byte == b'\n').map_or(0, |end| end + 1);
        file.set_len(whole as u64).and_then(|()| file.seek(SeekFrom::End(0))).map_err(failed)?;
        let mut journal = Self { file, path: path.to_owned() };
        if whole == 0 {
            journal.write(&subject.line())?;
            return Ok((journal, Vec::new()));
        }
        let done = read(&bytes[..whole], path, subject, width)?;
        Ok((journal, done))
    }

    /// Notes a member, in one write.
    pub(super) fn note(&mut self, member: usize, result: &MemberResult) -> Result<(), SweepError> {
        let mut line = member.to_string();
        match result {
            Ok(numbers) => numbers.iter().for_each(|number| line.extend([format!("\t{number:?}")])),
            Err(MemberFailure { error, place, remedy }) => {
                line.extend(["!", error, place, remedy].map(|text| format!("\t{}", escaped(text))));
            }
        }
        line.push('\n');
        self.write(&line)
    }

    fn write(&mut self, line: &str) -> Result<(), SweepError> {
        self.file.write_all(line.as_bytes()).map_err(|source| SweepError::File { path: self.path.clone(), source })
    }
}

fn read(bytes: &[u8], path: &Path, subject: &Subject, width: usize) -> Result<Vec<(usize, MemberResult)>, SweepError> {
    let broken = |line: usize, problem: &str| SweepError::BrokenJournal {
        path: path.to_owned(),
        line,
        problem: problem.to_owned(),
    };
    let text = std::str::from_utf8(bytes).map_err(|_| broken(1, "it is no text"))?;
    let mut lines = text.lines();
    let head: Vec<&str> = lines.next().unwrap_or_default().split('\t').collect();
    let [FORMAT, plan, digest, shard] = head[..] else { return Err(broken(1, "it is no journal of a sweep")) };
    let found = Subject {
        plan: unescaped(plan),
        digest: u64::from_str_radix(digest, 16).map_err(|_| broken(1, "it has no digest"))?,
        shard: shard.to_owned(),
    };
    // The same plan may be named by another path.
    if (found.digest, &found.shard) != (subject.digest, &subject.shard) {
        let (journal, wanted) = (found.describe(), subject.describe());
        return Err(SweepError::OtherJournal { path: path.to_owned(), journal, wanted });
    }
    let member =
        |(k, line): (usize, &str)| member(line, width).ok_or_else(|| broken(k + 2, "it is no member with its numbers"));
    lines.enumerate().map(member).collect()
}

/// A line of a member.
fn member(line: &str, width: usize) -> Option<(usize, MemberResult)> {
    let mut fields = line.split('\t');
    let member = fields.next()?.parse().ok()?;
    let fields: Vec<&str> = fields.collect();
    if let ["!", error, place, remedy] = fields[..] {
        let failure = MemberFailure { error: unescaped(error), place: unescaped(place), remedy: unescaped(remedy) };
        return Some((member, Err(failure)));
    }
    let numbers = fields.iter().map(|field| field.parse().ok()).collect::<Option<Vec<f64>>>()?;
    (numbers.len() == width).then_some((member, Ok(numbers)))
}

/// A text within one field of one line.
fn escaped(text: &str) -> String {
    text.replace('\\', "\\\\").replace('\t', "\\t").replace('\n', "\\n").replace('\r', "\\r")
}

fn unescaped(text: &str) -> String {
    let mut plain = String::new();
    let mut characters = text.chars();
    while let Some(character) = characters.next() {
        match (character, character == '\\') {
            (_, true) => match characters.next() {
                Some('t') => plain.push('\t'),
                Some('n') => plain.push('\n'),
                Some('r') => plain.push('\r'),
                other => plain.extend(other),
            },
            (character, _) => plain.push(character),
        }
    }
    plain
}

/// FNV-1a of 64 bits (Fowler, Noll and Vo; RFC 9923): a change by chance goes unseen once in 1e19.
#[derive(Debug, Clone, Copy)]
pub(super) struct Digest(pub(super) u64);

impl Digest {
    pub(super) fn new() -> Self {
        Self(0xcbf2_9ce4_8422_2325)
    }

    /// Adds a piece; its length keeps pieces apart.
    pub(super) fn add(&mut self, bytes: &[u8]) {
        for byte in (bytes.len() as u64).to_le_bytes().iter().chain(bytes) {
            self.0 = (self.0 ^ u64::from(*byte)).wrapping_mul(0x0000_0100_0000_01b3);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn subject(digest: u64) -> Subject {
        Subject { plan: "a\tb.toml".into(), digest, shard: "1/1".into() }
    }

    fn folder(name: &str) -> PathBuf {
        let folder = std::env::temp_dir().join(format!("fourbar-journal-{name}-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        folder.join("journal")
    }

    #[test]
    fn what_was_noted_comes_back_bit_for_bit_and_a_torn_line_is_taken_off() {
        let path = folder("torn");
        let failure = MemberFailure { error: "a\nb\\n".into(), place: "x\ty".into(), remedy: String::new() };
        let noted = [(3, Ok(vec![0.1 + 0.2, -0.0, 1e-310])), (0, Err(failure))];
        let (mut journal, before) = Journal::open(&path, &subject(7), 3).unwrap();
        assert!(before.is_empty());
        for (member, result) in &noted {
            journal.note(*member, result).unwrap();
        }
        assert!(matches!(Journal::open(&path, &subject(7), 3), Err(SweepError::Busy { .. })));
        drop(journal);
        let whole = std::fs::read(&path).unwrap();
        for torn in ["4", "4\t1.0\t2.0\t3.0"] {
            std::fs::write(&path, [&whole[..], torn.as_bytes()].concat()).unwrap();
            let (journal, done) = Journal::open(&path, &subject(7), 3).unwrap();
            assert_eq!(done, noted);
            let bits = |result: &MemberResult| result.as_ref().unwrap().iter().map(|n| n.to_bits()).collect::<Vec<_>>();
            assert_eq!(bits(&done[0].1), bits(&noted[0].1));
            drop(journal);
            assert_eq!(std::fs::read(&path).unwrap(), whole);
        }
        std::fs::remove_dir_all(path.parent().unwrap()).unwrap();
    }

    #[test]
    fn a_journal_of_something_else_is_refused_by_name() {
        let path = folder("other");
        drop(Journal::open(&path, &subject(7), 1).unwrap());
        let error = Journal::open(&path, &subject(8), 1).unwrap_err().to_string();
        assert!(
            error.contains("a\tb.toml") && error.contains("0000000000000007") && error.contains("delete it"),
            "{error}"
        );
        std::fs::write(&path, "time [s],a\n0,1\n").unwrap();
        let error = Journal::open(&path, &subject(8), 1).unwrap_err().to_string();
        assert!(error.contains("line 1") && error.contains("no journal"), "{error}");
        std::fs::write(&path, subject(8).line() + "0\tx\n").unwrap();
        let error = Journal::open(&path, &subject(8), 1).unwrap_err().to_string();
        assert!(error.contains("line 2"), "{error}");
        std::fs::remove_dir_all(path.parent().unwrap()).unwrap();
    }
}
