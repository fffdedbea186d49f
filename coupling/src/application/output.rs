//! A file under way: written beside its place, and renamed to it when it is whole.
//!
//! Until then a file of before stays as it was. Neither a run that is killed nor a full disk leaves half a file under the final name; what
//! a killed run had written lies beside it, hidden, under the same name with `.part` at the end.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use tempfile::{Builder, NamedTempFile};

/// Bytes of the final name in the temporary one: file systems take names of 255.
const NAMED: usize = 100;
/// What makes the temporary name one of its own, and its ending.
const RANDOM: usize = 6;
const PART: &str = ".part";
/// Links that are followed one after another, as Linux does.
const LINKS: usize = 40;

/// A file under way. Dropped without [`OutputFile::finish`] it leaves nothing; after a panic it leaves what it has beside its place.
#[derive(Debug)]
pub struct OutputFile(Inner);

#[derive(Debug)]
enum Inner {
    /// The temporary file, and where it is to stand.
    Beside(Option<NamedTempFile<File>>, PathBuf),
    /// A device, a pipe or a stream of this process: nothing could be renamed.
    Directly(File),
}

impl OutputFile {
    /// Begins the file at `path`. Links are followed: what they lead to is replaced, not the link. Devices, pipes and the standard streams
    /// are written directly.
    ///
    /// # Errors
    /// Those of the operating system: the folder must allow new files, and a file of before must be one that may be written.
    pub fn create(path: &Path) -> io::Result<Self> {
        if let Some(stream) = stream(path)? {
            return Ok(Self(Inner::Directly(stream)));
        }
        let place = place(path);
        let before = match fs::metadata(&place) {
            Ok(found) if found.is_file() => {
                // What may not be written may not be replaced either.
                let open = OpenOptions::new().append(true).open(&place)?;
                Some(open.metadata()?.permissions())
            }
            Ok(found) if found.is_dir() => return Err(io::ErrorKind::IsADirectory.into()),
            Ok(_) => return Ok(Self(Inner::Directly(OpenOptions::new().write(true).open(&place)?))),
            Err(_) => None,
        };
        let prefix = prefix(&place).ok_or(io::ErrorKind::InvalidInput)?;
        let fresh = |path: &Path| OpenOptions::new().write(true).create_new(true).open(path);
        let file = Builder::new().prefix(&prefix).rand_bytes(RANDOM).suffix(PART).make_in(folder(&place), fresh)?;
        // Let go when the process ends, however it ends. A file system without locks has no leftovers.
        #[cfg(unix)]
        let _ = file.as_file().try_lock();
        if let Some(permissions) = before {
            file.as_file().set_permissions(permissions)?;
        }
        Ok(Self(Inner::Beside(Some(file), place)))
    }

    fn file(&self) -> io::Result<&File> {
        match &self.0 {
            Inner::Beside(Some(file), _) => Ok(file.as_file()),
            Inner::Beside(None, _) => Err(io::Error::other("the file is finished")),
            Inner::Directly(file) => Ok(file),
        }
    }

    /// Another handle of the file under way, for writers that want to own one.
    ///
    /// # Errors
    /// Those of the operating system.
    pub fn handle(&self) -> io::Result<File> {
        self.file()?.try_clone()
    }

    /// Puts the file, which is whole, to its place.
    ///
    /// # Errors
    /// Those of the operating system, a full disk among them; a file of before then stays as it was.
    pub fn finish(mut self) -> io::Result<()> {
        let Inner::Beside(file, place) = &mut self.0 else { return Ok(()) };
        let Some(file) = file.take() else { return Ok(()) };
        // Some file systems find out only now that there is no room.
        file.as_file().sync_all()?;
        file.persist(place).map(drop).map_err(|error| error.error)
    }
}

impl Write for OutputFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.file()?.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file()?.flush()
    }
}

impl Drop for OutputFile {
    fn drop(&mut self) {
        if let (true, Inner::Beside(file, _)) = (std::thread::panicking(), &mut self.0)
            && let Some(file) = file.take()
        {
            // Nobody is left to be told.
            let _ = file.keep();
        }
    }
}

/// How the names of files under way to `place` begin.
fn prefix(place: &Path) -> Option<String> {
    let name = place.file_name()?.to_string_lossy();
    let length = (0..=NAMED.min(name.len())).rev().find(|length| name.is_char_boundary(*length)).unwrap_or(0);
    Some(format!(".{}.", &name[..length]))
}

/// Removes the files under way to `path` whose processes were killed. For whoever has the same results from elsewhere: they may hold the only ones.
pub fn remove_leftovers(path: &Path) {
    let place = place(path);
    // A shortened name may be that of another file.
    let Some(prefix) = prefix(&place).filter(|prefix| prefix.len() <= NAMED) else { return };
    let Ok(entries) = fs::read_dir(folder(&place)) else { return };
    for entry in entries.flatten() {
        let name = entry.file_name();
        let random = name.to_str().and_then(|name| name.strip_prefix(&prefix)?.strip_suffix(PART));
        let is_ours = random.is_some_and(|random| random.len() == RANDOM);
        if is_ours && entry.file_type().is_ok_and(|kind| kind.is_file()) && is_left(&entry.path()) {
            // What cannot be removed is no fault of whoever asks.
            let _ = fs::remove_file(entry.path());
        }
    }
}

/// Whether no process writes a file under way.
#[cfg(unix)]
fn is_left(path: &Path) -> bool {
    File::open(path).is_ok_and(|file| file.try_lock().is_ok())
}

#[cfg(not(unix))]
fn is_left(_: &Path) -> bool {
    false
}

/// Where a file written to `path` would stand: links followed, also those that lead to nothing yet.
#[must_use]
pub fn place(path: &Path) -> PathBuf {
    let mut path = path.to_owned();
    for _ in 0..LINKS {
        let Ok(next) = fs::read_link(&path) else { break };
        path = folder(&path).join(next);
    }
    match (path.canonicalize(), folder(&path).canonicalize(), path.file_name()) {
        (Ok(path), ..) => path,
        (_, Ok(folder), Some(name)) => folder.join(name),
        _ => path,
    }
}

/// Whether two paths lead to one file: by the same way once links are followed, or as two names of it. Devices are no files.
#[must_use]
pub fn same(a: &Path, b: &Path) -> bool {
    if [a, b].iter().any(|path| path.exists() && !path.is_file()) {
        return false;
    }
    place(a) == place(b) || same_inode(a, b)
}

#[cfg(unix)]
fn same_inode(a: &Path, b: &Path) -> bool {
    use std::os::unix::fs::MetadataExt;
    let inode = |path: &Path| path.metadata().map(|file| (file.dev(), file.ino()));
    matches!((inode(a), inode(b)), (Ok(a), Ok(b)) if a == b)
}

#[cfg(not(unix))]
fn same_inode(_: &Path, _: &Path) -> bool {
    false
}

fn folder(path: &Path) -> &Path {
    path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

/// A stream that is open already. It goes on where it stands: whoever opened it may have written to it, or will.
#[cfg(unix)]
fn stream(path: &Path) -> io::Result<Option<File>> {
    use std::os::fd::AsFd;
    let number = ["/dev/fd", "/proc/self/fd"].iter().find_map(|folder| path.strip_prefix(folder).ok());
    let stream = match (path.to_str(), number.and_then(Path::to_str)) {
        (Some("/dev/stdout"), _) | (_, Some("1")) => io::stdout().as_fd().try_clone_to_owned()?,
        (Some("/dev/stderr"), _) | (_, Some("2")) => io::stderr().as_fd().try_clone_to_owned()?,
        (_, Some(_)) => return OpenOptions::new().append(true).open(path).map(Some),
        _ => return Ok(None),
    };
    Ok(Some(stream.into()))
}

#[cfg(not(unix))]
fn stream(_: &Path) -> io::Result<Option<File>> {
    Ok(None)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(folder: &Path) -> Vec<String> {
        let name = |entry: io::Result<fs::DirEntry>| entry.unwrap().file_name().to_string_lossy().into_owned();
        fs::read_dir(folder).unwrap().map(name).collect()
    }

    #[test]
    fn a_file_of_before_stays_until_the_new_one_is_whole() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.csv");
        fs::write(&path, "before").unwrap();
        let mut file = OutputFile::create(&path).unwrap();
        file.write_all(b"half").unwrap();
        assert_eq!(fs::read_to_string(&path).unwrap(), "before");
        drop(file);
        assert_eq!((fs::read_to_string(&path).unwrap().as_str(), names(folder.path()).len()), ("before", 1));
        let mut file = OutputFile::create(&path).unwrap();
        file.write_all(b"whole").unwrap();
        file.finish().unwrap();
        assert_eq!((fs::read_to_string(&path).unwrap().as_str(), names(folder.path()).len()), ("whole", 1));
    }

    #[test]
    fn a_panic_leaves_what_there_is_beside() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.csv");
        let panicked = std::panic::catch_unwind(|| {
            let mut file = OutputFile::create(&path).unwrap();
            file.write_all(b"half").unwrap();
            panic!("on purpose, with a file under way");
        });
        assert!(panicked.is_err());
        let [name] = names(folder.path()).try_into().unwrap();
        assert!(name.starts_with(".a.csv.") && name.ends_with(".part"), "{name}");
    }

    #[cfg(unix)]
    #[test]
    fn leftovers_go_and_files_under_way_stay() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        let path = at("a.csv");
        let own = OutputFile::create(&path).unwrap();
        let under_way = names(folder.path());
        // A leftover is one that nobody holds; others have other names.
        let others = [".b.csv.abcdef.part", ".a.csv.abcdefg.part", ".a.csv.abcdef.txt", "a.csv.abcdef.part"];
        for name in others.into_iter().chain([".a.csv.abcdef.part"]) {
            fs::write(at(name), "half").unwrap();
        }
        remove_leftovers(&path);
        let mut left = names(folder.path());
        left.sort();
        let mut expected: Vec<String> = others.map(str::to_owned).into_iter().chain(under_way).collect();
        expected.sort();
        assert_eq!(left, expected);
        own.finish().unwrap();
        assert!(path.exists());
    }

    #[test]
    fn names_as_long_as_the_system_takes_are_taken() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("ä".repeat(127));
        OutputFile::create(&path).unwrap().finish().unwrap();
        assert!(path.exists());
    }

    #[cfg(unix)]
    #[test]
    fn links_are_followed_and_permissions_kept() {
        use std::os::unix::fs::{PermissionsExt, symlink};
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        symlink("b", at("a")).unwrap();
        symlink(at("c"), at("b")).unwrap();
        assert_eq!(place(&at("a")), place(&at("c")), "also where nothing is yet");
        OutputFile::create(&at("a")).unwrap().finish().unwrap();
        assert!(at("a").is_symlink() && at("b").is_symlink() && !at("c").is_symlink());
        fs::set_permissions(at("c"), fs::Permissions::from_mode(0o640)).unwrap();
        OutputFile::create(&at("a")).unwrap().finish().unwrap();
        assert_eq!(fs::metadata(at("c")).unwrap().permissions().mode() & 0o777, 0o640);
        assert_eq!(OutputFile::create(folder.path()).unwrap_err().kind(), io::ErrorKind::IsADirectory);
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn devices_are_written_directly() {
        let mut full = OutputFile::create(Path::new("/dev/full")).unwrap();
        assert_eq!(full.write_all(b"x").unwrap_err().kind(), io::ErrorKind::StorageFull);
        OutputFile::create(Path::new("/dev/null")).unwrap().finish().unwrap();
        assert!(Path::new("/dev/null").exists());
    }
}
