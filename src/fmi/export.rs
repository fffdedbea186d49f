//! The archive of a unit: description, library, resources, documentation.

use super::contents::{LIBRARY_MARK, LIST, List, common_folder, relative, token};
use super::description::{FmiVersion, RESIDUALS, description, identifier, residuals, terminals};
use super::{Causality, Contents, Error, Instance, Interfaces};
use crate::file::ModelFile;
use crate::xml::escaped;
use std::fmt::Write as _;
use std::io::{Seek, Write};
use std::path::{Path, PathBuf};
use zip::write::{SimpleFileOptions, ZipWriter};

/// The shared library of the C ABI, which serves every unit.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LibraryFile(PathBuf);

/// A function that the library must have.
const ENTRY: &[u8] = b"fmi3InstantiateCoSimulation";

impl LibraryFile {
    /// The library at `path`.
    ///
    /// # Errors
    /// [`Error::File`] if it cannot be read, or is not the library of this project, of this version, with its functions for units.
    pub fn at(path: &Path) -> Result<Self, Error> {
        let refuse = |problem: String| Error::File { path: path.to_owned(), problem };
        let bytes = std::fs::read(path).map_err(|error| refuse(error.to_string()))?;
        let holds = |text: &[u8]| bytes.windows(text.len()).any(|window| window == text);
        let remedy = "build it by `cargo build --release -p fourbar-capi`";
        if !holds(ENTRY) {
            return Err(refuse(format!("it lacks the functions of the standard; {remedy}")));
        }
        if !holds(LIBRARY_MARK.as_bytes()) {
            let version = env!("CARGO_PKG_VERSION");
            return Err(refuse(format!("it is of another version than {version}, which writes the unit; {remedy}")));
        }
        Ok(Self(path.to_owned()))
    }

    /// The library beside the program that runs, or in the folder `lib` beside its folder.
    ///
    /// # Errors
    /// [`Error::File`] naming the places, and how to build one.
    pub fn find() -> Result<Self, Error> {
        use std::env::consts::{DLL_PREFIX, DLL_SUFFIX};
        let program = std::env::current_exe().unwrap_or_default();
        let folder = program.parent().unwrap_or(Path::new("."));
        let names = ["fourbar_capi", "fourbar"].map(|name| format!("{DLL_PREFIX}{name}{DLL_SUFFIX}"));
        let folders = [folder.to_path_buf(), folder.join("..").join("lib")];
        let mut places = folders.iter().flat_map(|folder| names.iter().map(|name| folder.join(name)));
        match places.find(|place| place.is_file()) {
            Some(place) => Self::at(&place),
            None => {
                let problem = "there is no such file; build it by `cargo build --release -p fourbar-capi`, or say where it is (--library)";
                Err(Error::File { path: folder.join(&names[0]), problem: problem.to_owned() })
            }
        }
    }

    /// Where it lies.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.0
    }
}

/// A unit that is ready to be written.
pub struct Export {
    version: FmiVersion,
    identifier: String,
    instance: Instance,
    list: List,
    files: Vec<Resource>,
}

impl Export {
    /// A unit for co-simulation; as [`Export::with`].
    ///
    /// # Errors
    /// As [`Export::with`].
    pub fn new(file: &ModelFile, version: FmiVersion) -> Result<Self, Error> {
        Self::with(file, version, Interfaces::CoSimulation)
    }

    /// Gathers the files of the model, and compiles it; parameters that were set become the start values of the unit.
    ///
    /// # Errors
    /// [`Error::File`] for a file that cannot be read or named; [`Error::Model`] for what is wrong in the model, and for one without equations where
    /// model exchange is asked for, or without residuals where these are; [`Error::Unsupported`] for residuals by FMI 2.0.
    pub fn with(file: &ModelFile, version: FmiVersion, interfaces: Interfaces) -> Result<Self, Error> {
        if version == FmiVersion::V2 && interfaces.have_residuals() {
            let reason =
                "the layered standard FMI-LS-DAE extends FMI 3.0; export by that, or take the interface \"both\"";
            return Err(Error::Unsupported { what: "a unit of FMI 2.0 with residuals", reason });
        }
        let (main, files) = gather(file)?;
        let parameters = file.set_parameters().iter().cloned().collect();
        let names = files.iter().map(|(name, _)| name.clone()).collect();
        let list = List { model: main, files: names, parameters, interfaces };
        let contents = Contents::of(file.clone(), interfaces, token(&list, &files));
        let instance = Instance::new(contents)?;
        let stem = Path::new(file.name()).file_stem().map(|stem| stem.to_string_lossy().into_owned());
        let identifier = identifier(&stem.unwrap_or_default());
        Ok(Self { version, identifier, instance, list, files })
    }

    /// The unit as an importer will see it.
    #[must_use]
    pub fn instance(&self) -> &Instance {
        &self.instance
    }

    /// That instance, to be simulated here.
    #[must_use]
    pub fn into_instance(self) -> Instance {
        self.instance
    }

    /// Writes the archive with `library` as its binary.
    ///
    /// # Errors
    /// [`Error::Write`]; [`Error::File`] if the library cannot be read; [`Error::Model`].
    pub fn write(&self, library: &LibraryFile, to: impl Write + Seek) -> Result<(), Error> {
        let suffix = std::env::consts::DLL_SUFFIX;
        let binary = format!("binaries/{}/{}{suffix}", self.version.binary_folder(), self.identifier);
        let code = std::fs::read(library.path())
            .map_err(|error| Error::File { path: library.path().to_owned(), problem: error.to_string() })?;
        let description = description(&self.instance, self.version, &self.identifier);
        let (list, page, manifest) = (list_text(&self.list), page(&self.instance), residuals(&self.instance)?);
        let mut zip = ZipWriter::new(to);
        let mut add = |name: &str, bytes: &[u8], mode: u32| -> Result<(), Error> {
            // Without times, so that the same unit has the same bytes.
            let options = SimpleFileOptions::default().unix_permissions(mode);
            zip.start_file(name, options).map_err(std::io::Error::from)?;
            Ok(zip.write_all(bytes)?)
        };
        add("modelDescription.xml", description.as_bytes(), 0o644)?;
        add(&binary, &code, 0o755)?;
        add(&format!("resources/{LIST}"), list.as_bytes(), 0o644)?;
        for (name, bytes) in &self.files {
            add(&format!("resources/{name}"), bytes, 0o644)?;
        }
        if let (FmiVersion::V3, Some(text)) = (self.version, terminals(&self.instance)) {
            add("terminalsAndIcons/terminalsAndIcons.xml", text.as_bytes(), 0o644)?;
        }
        if let Some(text) = manifest {
            add(RESIDUALS, text.as_bytes(), 0o644)?;
        }
        add("documentation/index.html", page.as_bytes(), 0o644)?;
        zip.finish().map_err(std::io::Error::from)?;
        Ok(())
    }
}

/// A file with its name among the resources.
type Resource = (String, Vec<u8>);

/// The name of the model file and all files with their bytes; names are those of the resources.
fn gather(file: &ModelFile) -> Result<(String, Vec<Resource>), Error> {
    let refuse = |path: &Path, problem: String| Error::File { path: path.to_owned(), problem };
    // A part of another model has no file of its own, but its text.
    let text = file.part_text();
    let is_text = |path: &Path| text.is_some() && path.file_name() == Path::new(file.name()).file_name();
    let whole = |path: &PathBuf| match (path.parent(), path.file_name()) {
        (Some(folder), Some(name)) if is_text(path) => {
            let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
            folder.canonicalize().map(|folder| folder.join(name)).map_err(|error| refuse(path, error.to_string()))
        }
        _ => path.canonicalize().map_err(|error| refuse(path, error.to_string())),
    };
    let mut paths = file.files().iter().map(whole).collect::<Result<Vec<_>, Error>>()?;
    let main = paths.first().cloned().unwrap_or_default();
    paths.sort();
    paths.dedup();
    let root = common_folder(&paths).unwrap_or_default();
    let name = |path: &Path| {
        let name = relative(path, &root)
            .ok_or_else(|| refuse(path, "its name is not UTF-8 text; give it another one".to_owned()))?;
        Ok::<String, Error>(format!("model/{name}"))
    };
    let read = |path: &PathBuf| {
        let bytes = match text.filter(|_| is_text(path)) {
            Some(text) => text.as_bytes().to_vec(),
            None => std::fs::read(path).map_err(|error| refuse(path, error.to_string()))?,
        };
        Ok((name(path)?, bytes))
    };
    let files = paths.iter().map(read).collect::<Result<Vec<_>, Error>>()?;
    Ok((name(&main)?, files))
}

/// A basic string of TOML 1.0.
pub(crate) fn quoted(text: &str) -> String {
    let mut all = String::from("\"");
    for c in text.chars() {
        match c {
            '"' | '\\' => all.extend(['\\', c]),
            c if c.is_control() => {
                let _ = write!(all, "\\u{:04X}", u32::from(c));
            }
            c => all.push(c),
        }
    }
    all + "\""
}

fn list_text(list: &List) -> String {
    let files: Vec<String> = list.files.iter().map(|name| quoted(name)).collect();
    let interfaces = list.interfaces.name();
    let mut text = format!(
        "model = {}\nfiles = [{}]\ninterfaces = \"{interfaces}\"\n\n[parameters]\n",
        quoted(&list.model),
        files.join(", ")
    );
    for (name, value) in &list.parameters {
        let _ = writeln!(text, "{} = {}", quoted(name), quoted(value));
    }
    text
}

/// The documentation: what the model is, and its variables.
fn page(instance: &Instance) -> String {
    let document = instance.contents().file().document();
    let (name, about) = (escaped(document.name()), escaped(document.description()));
    let mut rows = String::new();
    for own in instance.variables().all() {
        let (kind, start) = match own.causality {
            Causality::Independent => ("time", String::new()),
            Causality::Input => ("input", own.start.to_string()),
            Causality::Output => ("output", String::new()),
            Causality::Parameter => ("parameter", own.start.to_string()),
            Causality::CalculatedParameter => ("calculated parameter", own.start.to_string()),
            Causality::State => ("state", String::new()),
            Causality::Derivative => ("derivative", String::new()),
            Causality::Indicator => ("event indicator", String::new()),
            Causality::Algebraic => ("algebraic variable", own.start.to_string()),
            Causality::Residual => ("residual", String::new()),
            Causality::Switch => ("structural parameter", "false".to_owned()),
        };
        let (name, unit) = (escaped(&own.name), escaped(&own.unit));
        let _ = writeln!(rows, "<tr><td>{name}</td><td>{kind}</td><td>{start}</td><td>{unit}</td></tr>");
    }
    let kind = document.kind();
    format!(
        "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>{name}</title></head><body>\n\
         <h1>{name}</h1>\n<p>{about}</p>\n<p>A model of the kind {kind}, simulated by fourbar. Its file is among the resources.</p>\n\
         <table>\n<tr><th>variable</th><th>kind</th><th>start</th><th>unit</th></tr>\n{rows}</table>\n</body></html>\n"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_list_reads_back() {
        let list = List {
            model: "model/a \"b\"\\c.toml".to_owned(),
            files: vec!["model/\u{e4}\u{1}.csv".to_owned()],
            parameters: [("part.x y".to_owned(), "2*pi".to_owned())].into(),
            interfaces: Interfaces::Both,
        };
        assert_eq!(toml::from_str::<List>(&list_text(&list)).unwrap(), list);
    }
}
