//! `fourbar new`: a first model of each kind, with comments, to begin from. The kinds and their texts stand here alone.

use crate::exit::{Exit, Failure};
use clap::{Args, ValueEnum};
use fourbar::linalg::text::printable;
use std::fs::File;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

#[derive(Debug, Args)]
pub(crate) struct NewArguments {
    /// What to begin with
    #[arg(value_enum)]
    kind: First,

    /// Model file to write; one that is there stays
    file: PathBuf,
}

/// The first models.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum First {
    /// A slider-crank with a motor and a spring
    Mechanism,
    /// A crate that falls on a slope and slides
    Contact,
    /// A controlled axis as a block diagram
    Linear,
    /// A hydraulic cylinder at a servo valve
    Circuit,
    /// A mass on a spring and its controller, which exchange values
    Coupled,
}

impl First {
    /// Its text, with `@NAME@` for the name of the model in quotes and `@FILE@` for that of the file.
    const fn text(self) -> &'static str {
        match self {
            Self::Mechanism => include_str!("new/mechanism.toml"),
            Self::Contact => include_str!("new/contact.toml"),
            Self::Linear => include_str!("new/linear.toml"),
            Self::Circuit => include_str!("new/circuit.toml"),
            Self::Coupled => include_str!("new/coupled.toml"),
        }
    }

    /// Its text for the file at `path`.
    fn written(self, path: &Path) -> String {
        let shown = |name: &std::ffi::OsStr| printable(&name.to_string_lossy()).into_owned();
        let name = path.file_stem().map(shown).unwrap_or_default();
        let file = path.file_name().map(shown).unwrap_or_default();
        // A string of JSON without control characters is one of TOML.
        self.text().replace("@NAME@", &serde_json::Value::from(name).to_string()).replace("@FILE@", &typed(&file))
    }
}

/// A name as it is typed in a shell: in quotes where spaces or signs would mean something else.
fn typed(name: &str) -> String {
    let is_plain = |c: char| c.is_alphanumeric() || "._-/\\:+,@%=".contains(c);
    // A first dash would begin an option.
    let name = if name.starts_with('-') { format!("./{name}") } else { name.to_owned() };
    match name.chars().all(is_plain) && (cfg!(windows) || !name.contains('\\')) {
        true => name,
        false if cfg!(windows) => format!("\"{name}\""),
        false => format!("'{}'", name.replace('\'', "'\\''")),
    }
}

pub(crate) fn new(arguments: &NewArguments) -> Result<Exit, Failure> {
    let NewArguments { kind, file: path } = arguments;
    let there = |source: io::Error| match source.kind() {
        io::ErrorKind::AlreadyExists => {
            Failure::Usage(format!("{} is there already and stays as it is; choose another name", path.display()))
        }
        _ => Failure::Write { path: path.clone(), source },
    };
    let mut file = File::create_new(path).map_err(there)?;
    file.write_all(kind.written(path).as_bytes()).map_err(Failure::write(path))?;
    let shown = path.display().to_string();
    let shown = printable(&shown);
    let typed = typed(&shown);
    writeln!(io::stdout(), "{shown} is written; run it with\n  fourbar run {typed} --report report.html")
        .map_err(Failure::Output)?;
    Ok(Exit::Done)
}
