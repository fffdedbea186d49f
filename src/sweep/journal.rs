//! The journal of a sweep: what is done, line by line, so that a sweep that was killed goes on where it was.
//!
//! The first line says by digests what it is of. Each further line is one member: numbers with the digits that give the same doubles back and
//! its warnings, or a failure. Each line ends with its checksum. A line without its end was torn by the kill and is taken off.

use super::error::{MemberFailure, SweepError};
use super::prepared::MemberRun;
use super::subject::{Subject, digest};
use std::fs::{File, OpenOptions, TryLockError};
use std::io::{self, Read as _, Seek as _, SeekFrom, Write as _};
use std::path::{Path, PathBuf};

/// The numbers of a member, or why it has none.
pub type MemberResult = Result<Vec<f64>, MemberFailure>;

/// What journals of all versions begin with.
const KIND: &str = "fourbar sweep journal ";
/// The format of their lines.
const FORMAT: &str = "3";
/// A field that no number is: the fields after it are warnings.
const WARNINGS: &str = "?";

fn head(subject: &Subject) -> String {
    // Texts and numbers alone: this cannot fail.
    let subject = serde_json::to_string(subject).unwrap_or_default();
    sealed(&format!("{KIND}{FORMAT}\t{subject}"))
}

/// A line with its checksum and its end.
fn sealed(line: &str) -> String {
    format!("{line}\t{:016x}\n", digest(line.as_bytes()))
}

/// A line without its checksum, if that is of this line.
fn opened(line: &str) -> Option<&str> {
    let (line, sum) = line.rsplit_once('\t')?;
    (sum == format!("{:016x}", digest(line.as_bytes()))).then_some(line)
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
    ) -> Result<(Self, Vec<(usize, MemberRun)>), SweepError> {
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
            journal.write(&head(subject))?;
            return Ok((journal, Vec::new()));
        }
        let done = read(&bytes[..whole], path, subject, width)?;
        Ok((journal, done))
    }

    /// Notes a member, in one write.
    pub(super) fn note(&mut self, member: usize, run: &MemberRun) -> Result<(), SweepError> {
        let mut line = member.to_string();
        match &run.result {
            Ok(numbers) => {
                numbers.iter().for_each(|number| line.extend([format!("\t{number:?}")]));
                if !run.warnings.is_empty() {
                    line.extend(["\t", WARNINGS]);
                    line.extend(run.warnings.iter().map(|text| format!("\t{}", escaped(text))));
                }
            }
            Err(MemberFailure { error, place, remedy }) => {
                line.extend(["!", error, place, remedy].map(|text| format!("\t{}", escaped(text))));
            }
        }
        self.write(&sealed(&line))
    }

    fn write(&mut self, line: &str) -> Result<(), SweepError> {
        self.file.write_all(line.as_bytes()).map_err(|source| SweepError::File { path: self.path.clone(), source })
    }
}

fn read(bytes: &[u8], path: &Path, subject: &Subject, width: usize) -> Result<Vec<(usize, MemberRun)>, SweepError> {
    let broken = |line: usize, problem: &str| SweepError::BrokenJournal {
        path: path.to_owned(),
        line,
        problem: problem.to_owned(),
    };
    let mut lines = bytes.split(|byte| *byte == b'\n').map(|line| std::str::from_utf8(line).unwrap_or_default());
    let head = lines.next().unwrap_or_default();
    let format = head.strip_prefix(KIND).and_then(|head| head.split_once('\t'));
    let (format, _) = format.ok_or_else(|| broken(1, "it is no journal of a sweep"))?;
    if format != FORMAT {
        return Err(broken(1, "another version of fourbar has written it"));
    }
    let found =
        opened(head).and_then(|head| head.split_once('\t')).and_then(|(_, found)| serde_json::from_str(found).ok());
    let found: Subject = found.ok_or_else(|| broken(1, "it is damaged: its checksum is that of another line"))?;
    let mut differences = subject.differences(&found);
    if found.shard != subject.shard {
        differences.push(format!("the shard ({} there, {} here)", found.shard, subject.shard));
    }
    if !differences.is_empty() {
        let (path, plan) = (path.to_owned(), found.plan);
        return Err(SweepError::OtherJournal { path, plan, differences });
    }
    let member = |(k, line): (usize, &str)| {
        let damaged = || SweepError::DamagedLine { path: path.to_owned(), line: k + 2 };
        let line = opened(line).ok_or_else(damaged)?;
        member(line, width).ok_or_else(|| broken(k + 2, "it is no member with its numbers"))
    };
    // The last line has its end too.
    let count = bytes.iter().filter(|byte| **byte == b'\n').count();
    lines.take(count - 1).enumerate().map(member).collect()
}

/// A line of a member.
fn member(line: &str, width: usize) -> Option<(usize, MemberRun)> {
    let mut fields = line.split('\t');
    let member = fields.next()?.parse().ok()?;
    let fields: Vec<&str> = fields.collect();
    if let ["!", error, place, remedy] = fields[..] {
        let failure = MemberFailure { error: unescaped(error), place: unescaped(place), remedy: unescaped(remedy) };
        return Some((member, failure.into()));
    }
    let (numbers, rest) = fields.split_at_checked(width)?;
    let numbers = numbers.iter().map(|field| field.parse().ok()).collect::<Option<Vec<f64>>>()?;
    let warnings = match rest {
        [] => Vec::new(),
        [WARNINGS, warnings @ ..] => warnings.iter().map(|text| unescaped(text)).collect(),
        _ => return None,
    };
    Some((member, MemberRun { result: Ok(numbers), warnings }))
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

#[cfg(test)]
mod tests {
    use super::super::shard::Shard;
    use super::*;

    fn subject(version: &str) -> Subject {
        let (fourbar, plan) = (version.to_owned(), "a\tb.toml".to_owned());
        Subject { fourbar, plan, parts: Vec::new(), shard: Shard::default(), members: 4 }
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
        let numbers = vec![0.1 + 0.2, -0.0, 1e-310];
        let noted = [
            (3, MemberRun { result: Ok(numbers.clone()), warnings: vec!["a\tb".into(), "?".into()] }),
            (0, failure.into()),
            (2, MemberRun { result: Ok(numbers), warnings: Vec::new() }),
        ];
        let (mut journal, before) = Journal::open(&path, &subject("7"), 3).unwrap();
        assert!(before.is_empty());
        for (member, result) in &noted {
            journal.note(*member, result).unwrap();
        }
        assert!(matches!(Journal::open(&path, &subject("7"), 3), Err(SweepError::Busy { .. })));
        drop(journal);
        let whole = std::fs::read(&path).unwrap();
        for torn in ["4", "4\t1.0\t2.0\t3.0"] {
            std::fs::write(&path, [&whole[..], torn.as_bytes()].concat()).unwrap();
            let (journal, done) = Journal::open(&path, &subject("7"), 3).unwrap();
            assert_eq!(done, noted);
            let bits = |run: &MemberRun| run.result.as_ref().unwrap().iter().map(|n| n.to_bits()).collect::<Vec<_>>();
            assert_eq!(bits(&done[0].1), bits(&noted[0].1));
            drop(journal);
            assert_eq!(std::fs::read(&path).unwrap(), whole);
        }
        std::fs::remove_dir_all(path.parent().unwrap()).unwrap();
    }

    #[test]
    fn a_journal_of_something_else_is_refused_by_name() {
        let path = folder("other");
        drop(Journal::open(&path, &subject("7"), 1).unwrap());
        let error = Journal::open(&path, &subject("8"), 1).unwrap_err().to_string();
        assert!(error.contains("the version of fourbar (7 there, 8 here)") && error.contains("delete it"), "{error}");
        std::fs::write(&path, "time [s],a\n0,1\n").unwrap();
        let error = Journal::open(&path, &subject("8"), 1).unwrap_err().to_string();
        assert!(error.contains("line 1") && error.contains("no journal"), "{error}");
        std::fs::write(&path, head(&subject("8")) + &sealed("0\tx")).unwrap();
        let error = Journal::open(&path, &subject("8"), 1).unwrap_err().to_string();
        assert!(error.contains("line 2") && error.contains("no member"), "{error}");
        std::fs::write(&path, "fourbar sweep journal 1\tplan.toml\t00\t1/1\n").unwrap();
        let error = Journal::open(&path, &subject("8"), 1).unwrap_err().to_string();
        assert!(error.contains("line 1") && error.contains("another version"), "{error}");
        std::fs::remove_dir_all(path.parent().unwrap()).unwrap();
    }

    /// One bit of one byte is turned, each in turn: wherever it is, its line is named, and without that line the rest is taken.
    #[test]
    fn a_line_that_is_damaged_is_found() {
        let path = folder("damaged");
        let failure =
            MemberFailure { error: "it does not close".into(), place: "x.toml:3:1".into(), remedy: "y".into() };
        let (mut journal, _) = Journal::open(&path, &subject("7"), 2).unwrap();
        for member in 0..3 {
            let numbers = MemberRun { result: Ok(vec![0.1 + f64::from(member), 2.5e-3]), warnings: vec!["w".into()] };
            journal.note(member as usize, &numbers).unwrap();
        }
        journal.note(3, &failure.into()).unwrap();
        drop(journal);
        let whole = std::fs::read(&path).unwrap();
        let (_, all) = Journal::open(&path, &subject("7"), 2).unwrap();
        for place in 0..whole.len() - 1 {
            let mut bytes = whole.clone();
            bytes[place] ^= 1 << (place % 8);
            let line = whole[..place].iter().filter(|byte| **byte == b'\n').count() + 1;
            std::fs::write(&path, &bytes).unwrap();
            let error = Journal::open(&path, &subject("7"), 2).unwrap_err();
            assert!(error.to_string().contains(&format!("line {line}")), "byte {place}: {error}");
            if line == 1 || whole[place] == b'\n' || bytes[place] == b'\n' {
                continue;
            }
            assert!(matches!(error, SweepError::DamagedLine { .. }), "byte {place}: {error}");
            let kept = whole.split_inclusive(|byte| *byte == b'\n').enumerate().filter(|(k, _)| k + 1 != line);
            std::fs::write(&path, kept.flat_map(|(_, line)| line.to_vec()).collect::<Vec<u8>>()).unwrap();
            let (_, rest) = Journal::open(&path, &subject("7"), 2).unwrap();
            let expected: Vec<_> =
                all.iter().enumerate().filter(|(k, _)| k + 2 != line).map(|(_, of)| of.clone()).collect();
            assert_eq!(rest, expected);
        }
        std::fs::remove_dir_all(path.parent().unwrap()).unwrap();
    }
}
