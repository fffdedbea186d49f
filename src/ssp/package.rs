//! Where the files of a structure lie: in an archive, which is unpacked, or beside the description.

use super::xml::{Place, Text};
use crate::Error;
use crate::coupled::Kept;
use fourbar_coupling::partner::{FmuError, UnpackedArchive};
use std::fs::File;
use std::io::{self, Read};
use std::path::{Component, Path, PathBuf};
use std::sync::Arc;

/// The description that an archive must have (SSP 1.0, section 3).
const DESCRIPTION: &str = "SystemStructure.ssd";

/// A folder with the files of a structure.
#[derive(Debug)]
pub(super) struct Package {
    /// What stands before the name of a file in messages.
    prefix: String,
    folder: PathBuf,
    /// Whether names may not leave the folder: it is that of an archive.
    is_archive: bool,
    kept: Option<Kept>,
}

impl Package {
    /// The package that `path` names, `.ssp` or `.ssd`, and its description.
    pub(super) fn open(path: &Path) -> Result<(Arc<Self>, Arc<Text>), Error> {
        Self::open_as(path, path.display().to_string(), None, None)
    }

    /// One that a URI of this package names; a fragment is another description of an archive.
    pub(super) fn nested(&self, uri: &str, place: &Place) -> Result<(Arc<Self>, Arc<Text>), Error> {
        let (path, variant) = self.resolve(uri, place)?;
        let name = uri.split('#').next().unwrap_or_default();
        let outer = self.is_archive.then_some(self);
        Self::open_as(&path, self.shown(name), variant, outer).map_err(|error| match error {
            Error::Read { path, source } => {
                let words = source.to_string();
                let (problem, remedy) = words.rsplit_once("; ").unwrap_or((&words, "correct the file"));
                place.refuse(format!("cannot read {}: {problem}", path.display()), remedy)
            }
            error => error,
        })
    }

    fn open_as(
        path: &Path,
        shown: String,
        variant: Option<&str>,
        outer: Option<&Self>,
    ) -> Result<(Arc<Self>, Arc<Text>), Error> {
        if !is_archive(path) {
            let folder = path.parent().unwrap_or(Path::new("")).to_owned();
            let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
            let prefix = shown.strip_suffix(&name).unwrap_or_default().to_owned();
            let kept = outer.and_then(Self::kept);
            let package = Self { prefix, folder, is_archive: outer.is_some(), kept };
            return Ok((Arc::new(package), read(path, shown)?));
        }
        let unpacked = UnpackedArchive::open(path).map_err(|error| unreadable(&shown, error))?;
        let folder = unpacked.folder().to_owned();
        let kept = Some(Kept::new(unpacked));
        let package = Arc::new(Self { prefix: format!("{shown}:"), folder, is_archive: true, kept });
        let name = variant.unwrap_or(DESCRIPTION);
        let described = package.folder.join(name);
        let inside = Path::new(name).components().all(|part| matches!(part, Component::Normal(_)));
        if !inside || !described.is_file() {
            let problem = format!("the archive has no {name} at its top; pack it again with the tool that made it");
            let source = io::Error::new(io::ErrorKind::NotFound, problem);
            return Err(Error::Read { path: PathBuf::from(shown), source });
        }
        let text = read(&described, package.shown(name))?;
        Ok((package, text))
    }

    /// What keeps the files in their places, if anything has to.
    pub(super) fn kept(&self) -> Option<Kept> {
        self.kept.clone()
    }

    /// A file by its name in the package, for messages.
    fn shown(&self, name: &str) -> String {
        format!("{}{name}", self.prefix)
    }

    /// The file that a relative URI names, and its fragment.
    pub(super) fn resolve<'a>(&self, uri: &'a str, place: &Place) -> Result<(PathBuf, Option<&'a str>), Error> {
        let (path, fragment) = uri.split_once('#').map_or((uri, None), |(path, fragment)| (path, Some(fragment)));
        let name = decoded(path).ok_or_else(|| {
            place.refuse(format!("\"{uri}\" is not a URI"), "write two hexadecimal digits behind each %")
        })?;
        let first = name.split('/').next().unwrap_or_default();
        if first.contains(':') || name.starts_with('/') {
            let remedy = "put the file into the package, and name it by a path from the description: resources/NAME";
            return Err(place.refuse(format!("\"{uri}\" does not lie in the package"), remedy));
        }
        if name.contains('\\') {
            return Err(place.refuse(format!("\"{uri}\" holds a backslash"), "write / between folders"));
        }
        let stays = |part| matches!(part, Component::Normal(_) | Component::CurDir);
        if self.is_archive && !Path::new(&name).components().all(stays) {
            return Err(place.refuse(format!("\"{uri}\" leaves the archive"), "put the file into the archive"));
        }
        let found = self.folder.join(&name);
        if !found.is_file() {
            let problem = format!("there is no file {}", self.shown(&name));
            return Err(place.refuse(problem, "correct the name, or put the file there"));
        }
        Ok((found, fragment))
    }

    /// The text of a file that a URI names.
    pub(super) fn text(&self, uri: &str, place: &Place) -> Result<Arc<Text>, Error> {
        let (path, _) = self.resolve(uri, place)?;
        read(&path, self.shown(uri))
    }
}

/// Whether a path is that of an archive by its ending.
fn is_archive(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("ssp"))
}

/// What is wrong with an archive, as an error of reading.
fn unreadable(shown: &str, error: FmuError) -> Error {
    let words = match error {
        FmuError::Archive { place, problem, remedy, .. } => format!("{place}: {problem}; {remedy}"),
        FmuError::Unpack { folder, reason, .. } => format!(
            "it cannot be unpacked into {folder}: {reason}; make room there, or choose another folder by the environment variable TMPDIR"
        ),
        error => error.to_string(),
    };
    Error::Read { path: PathBuf::from(shown), source: io::Error::new(io::ErrorKind::InvalidData, words) }
}

/// A text file.
fn read(path: &Path, name: String) -> Result<Arc<Text>, Error> {
    let cannot = |source| Error::Read { path: PathBuf::from(&name), source };
    let mut bytes = Vec::new();
    let limit = crate::file::LARGEST;
    File::open(path).and_then(|file| file.take(limit + 1).read_to_end(&mut bytes)).map_err(cannot)?;
    if bytes.len() as u64 > limit {
        let problem = format!("it is larger than {} MiB; leave out what the simulation does not need", limit >> 20);
        return Err(cannot(io::Error::new(io::ErrorKind::FileTooLarge, problem)));
    }
    let text = String::from_utf8(bytes).map_err(|error| {
        let problem = format!("{}; save it with the encoding UTF-8", error.utf8_error());
        cannot(io::Error::new(io::ErrorKind::InvalidData, problem))
    })?;
    Ok(Arc::new(Text { name, text }))
}

/// A path of a URI without its percent encoding (RFC 3986, section 2.1).
fn decoded(uri: &str) -> Option<String> {
    let mut bytes = Vec::with_capacity(uri.len());
    let mut rest = uri.bytes();
    while let Some(byte) = rest.next() {
        if byte == b'%' {
            let mut digit = || char::from(rest.next()?).to_digit(16);
            let value = digit()? * 16 + digit()?;
            bytes.push(value as u8);
        } else {
            bytes.push(byte);
        }
    }
    String::from_utf8(bytes).ok().filter(|text| !text.contains('\0'))
}

#[cfg(test)]
mod tests {
    use super::decoded;

    #[test]
    fn percent_encoding_is_undone() {
        assert_eq!(decoded("resources/a%20b.fmu").as_deref(), Some("resources/a b.fmu"));
        assert_eq!(decoded("%C3%A4").as_deref(), Some("\u{e4}"));
        for bad in ["%", "%2", "%zz", "%ff", "%00"] {
            assert_eq!(decoded(bad), None, "{bad}");
        }
    }
}
