//! The archive of an FMU: unpacked into a folder of its own, every entry checked before anything of it is written.
//!
//! The format is ZIP (FMI 3.0, section 2.5.1). An archive is not trusted: what would leave the folder, links, and what is larger than
//! any model needs is refused.

use super::error::FmuError;
use super::leftovers::{self, Lock};
use std::fs::File;
use std::io::{Read, Write};
use std::path::{Component, Path, PathBuf};
use tempfile::TempDir;
use zip::ZipArchive;
use zip::read::ZipFile;

/// Largest file of an archive, unpacked \[bytes\]: tables of vendors have some hundred megabytes, a bomb of 10 MB has 10 GB.
const LARGEST_FILE: u64 = 2 << 30;
/// All files together \[bytes\]: four of the largest.
const LARGEST_TOTAL: u64 = 4 * LARGEST_FILE;
/// Number of entries: FMUs that carry a Python distribution have some ten thousand.
const MOST_ENTRIES: usize = 100_000;
/// Entries are written in pieces of so many bytes.
const PIECE: usize = 1 << 16;
/// Type bits of the mode of a file, and those of a symbolic link (POSIX, sys/stat.h).
const TYPE_BITS: u32 = 0o170_000;
const LINK: u32 = 0o120_000;

/// An unpacked archive. Its folder is removed when this is dropped; what a killed process left is removed by the next one that unpacks.
#[derive(Debug)]
pub struct Unpacked {
    folder: TempDir,
    /// Tells other processes that the folder is in use: held until the process ends, however it ends.
    _lock: Option<Lock>,
}

impl Unpacked {
    /// Unpacks the archive at `path`.
    ///
    /// # Errors
    /// [`FmuError::Archive`] for one that cannot be read, or holds what would leave the folder.
    pub fn open(path: &Path) -> Result<Self, FmuError> {
        let reading = Reading::open(path)?;
        leftovers::remove();
        let folder = own_folder().map_err(|error| reading.unwritable(&std::env::temp_dir(), &error))?;
        let lock = Lock::take(folder.path());
        let unpacked = Self { folder, _lock: lock };
        reading.unpack(unpacked.folder.path())?;
        Ok(unpacked)
    }

    /// Where its files are.
    #[must_use]
    pub fn folder(&self) -> &Path {
        self.folder.path()
    }
}

/// A new folder that the user alone can look into: others could read what a unit holds, or put code in its place before it is loaded.
fn own_folder() -> std::io::Result<TempDir> {
    let mut builder = tempfile::Builder::new();
    builder.prefix(leftovers::PREFIX);
    #[cfg(unix)]
    builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o700));
    builder.tempdir()
}

const REPACK: &str = "pack it again with the tool that made it";

/// Texts of files of the archive alone, without unpacking the rest; none for those that are not there.
pub(super) fn texts<const N: usize>(
    path: &Path,
    names: [&str; N],
    largest: u64,
) -> Result<[Option<String>; N], FmuError> {
    let mut reading = Reading::open(path)?;
    let mut texts = [const { None }; N];
    for (text, name) in texts.iter_mut().zip(names) {
        *text = reading.text(name, largest)?;
    }
    Ok(texts)
}

/// An archive that is open.
struct Reading {
    fmu: String,
    archive: ZipArchive<File>,
}

impl Reading {
    fn open(path: &Path) -> Result<Self, FmuError> {
        let fmu = path.display().to_string();
        let refused = |problem: String, remedy| FmuError::Archive {
            fmu: fmu.clone(),
            place: "the archive".to_owned(),
            problem,
            remedy,
        };
        let file = File::open(path).map_err(|error| refused(error.to_string(), "correct the path"))?;
        if file.metadata().is_ok_and(|metadata| !metadata.is_file()) {
            return Err(refused("it is no file".to_owned(), "name the file itself"));
        }
        let archive = ZipArchive::new(file).map_err(|error| refused(error.to_string(), REPACK))?;
        if archive.len() > MOST_ENTRIES {
            return Err(refused(format!("it has {} entries, more than {MOST_ENTRIES}", archive.len()), REPACK));
        }
        Ok(Self { fmu, archive })
    }

    /// The text of one file, if it is there.
    fn text(&mut self, name: &str, largest: u64) -> Result<Option<String>, FmuError> {
        let Ok(file) = self.archive.by_name(name) else { return Ok(None) };
        let mut text = Vec::new();
        let read = file.take(largest + 1).read_to_end(&mut text);
        if let Err(error) = read {
            return Err(self.refused(name, error.to_string(), REPACK));
        }
        if text.len() as u64 > largest {
            return Err(self.refused(name, format!("it has more than {largest} bytes"), REPACK));
        }
        String::from_utf8(text).map(Some).map_err(|error| self.refused(name, error.to_string(), "write it as UTF-8"))
    }

    fn refused(&self, place: &str, problem: String, remedy: &'static str) -> FmuError {
        FmuError::Archive { fmu: self.fmu.clone(), place: format!("{place:?}"), problem, remedy }
    }

    fn unwritable(&self, folder: &Path, error: &std::io::Error) -> FmuError {
        FmuError::Unpack { fmu: self.fmu.clone(), folder: folder.display().to_string(), reason: error.to_string() }
    }

    /// Checks all entries, then writes them to `folder`.
    fn unpack(mut self, folder: &Path) -> Result<(), FmuError> {
        let mut total = 0u64;
        for i in 0..self.archive.len() {
            let checked = match self.archive.by_index_raw(i) {
                Ok(entry) => check(&entry).map(|()| entry.size()).map_err(|problem| (called(&entry, i), problem)),
                Err(error) => Err((format!("entry {i}"), error.to_string())),
            };
            total = total.saturating_add(checked.map_err(|(name, problem)| self.refused(&name, problem, REPACK))?);
        }
        if total > LARGEST_TOTAL {
            let problem = format!("its files have {total} bytes together, more than {LARGEST_TOTAL}");
            return Err(self.refused("all entries", problem, REPACK));
        }
        // What entries state may be false: what they truly hold is counted too.
        let mut left = LARGEST_TOTAL;
        for i in 0..self.archive.len() {
            let written = match self.archive.by_index(i) {
                Ok(mut entry) => write(&mut entry, folder, left).map_err(|trouble| (called(&entry, i), trouble)),
                Err(error) => Err((format!("entry {i}"), Trouble::Entry(error.to_string()))),
            };
            left -= written.map_err(|(name, trouble)| match trouble {
                Trouble::Entry(problem) => self.refused(&name, problem, REPACK),
                Trouble::Folder(error) => self.unwritable(folder, &error),
            })?;
        }
        Ok(())
    }
}

/// The name of an entry, for messages.
fn called<R: Read>(entry: &ZipFile<'_, R>, index: usize) -> String {
    entry.name().map_or_else(|_| format!("entry {index}"), |name| name.into_owned())
}

/// What is wrong with an entry as it is stated.
fn check<R: Read>(entry: &ZipFile<'_, R>) -> Result<(), String> {
    target(&entry.name().map_err(|error| error.to_string())?)?;
    if entry.unix_mode().is_some_and(|mode| mode & TYPE_BITS == LINK) {
        return Err("it is a symbolic link".to_owned());
    }
    if entry.size() > LARGEST_FILE {
        return Err(format!("it has {} bytes, more than {LARGEST_FILE}", entry.size()));
    }
    if entry.encrypted() {
        return Err("it is encrypted".to_owned());
    }
    Ok(())
}

/// The path of an entry within the folder. A backslash, a drive and a zero byte mean other things on other systems.
fn target(name: &str) -> Result<PathBuf, String> {
    if name.contains(['\\', '\0', ':']) {
        return Err("its name holds a backslash, a colon or a zero byte".to_owned());
    }
    let path = Path::new(name);
    let stays = path.components().all(|part| matches!(part, Component::Normal(_) | Component::CurDir));
    if !stays || path.as_os_str().is_empty() {
        return Err("it would leave the folder".to_owned());
    }
    Ok(path.to_owned())
}

/// Why an entry is not written.
enum Trouble {
    /// It is at fault.
    Entry(String),
    /// The folder takes no more.
    Folder(std::io::Error),
}

impl Trouble {
    /// Of an entry that cannot be put to its place: by its name, or by that of another one.
    fn placing(error: std::io::Error) -> Self {
        use std::io::ErrorKind::{AlreadyExists, InvalidFilename, InvalidInput, IsADirectory, NotADirectory};
        match error.kind() {
            AlreadyExists | InvalidFilename | InvalidInput | IsADirectory | NotADirectory => {
                Self::Entry(error.to_string())
            }
            _ => Self::Folder(error),
        }
    }
}

/// Writes an entry of at most `left` bytes and returns how many it has.
fn write<R: Read>(entry: &mut ZipFile<'_, R>, folder: &Path, left: u64) -> Result<u64, Trouble> {
    let damaged = |error: std::io::Error| Trouble::Entry(error.to_string());
    let name = entry.name().map_err(|error| Trouble::Entry(error.to_string()))?;
    let path = folder.join(target(&name).map_err(Trouble::Entry)?);
    if entry.is_dir() {
        std::fs::create_dir_all(&path).map_err(Trouble::placing)?;
        return Ok(0);
    }
    if let Some(parent) = path.parent() {
        std::fs::create_dir_all(parent).map_err(Trouble::placing)?;
    }
    // A name that is there twice is refused: which of the two is meant nobody knows.
    let mut file = File::create_new(&path).map_err(Trouble::placing)?;
    let limit = left.min(LARGEST_FILE);
    let (mut count, mut piece) = (0, vec![0; PIECE]);
    loop {
        let length = entry.read(&mut piece).map_err(damaged)?;
        if length == 0 {
            return Ok(count);
        }
        count += length as u64;
        if count > limit {
            return Err(Trouble::Entry(format!("it has more than {limit} bytes")));
        }
        file.write_all(&piece[..length]).map_err(Trouble::Folder)?;
    }
}
