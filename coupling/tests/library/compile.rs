//! Shared libraries made of C and C++ with the system's compiler; where there is none, the tests say so and pass.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::{AtomicU32, Ordering};

use fourbar_coupling::partner::{HostProgram, LibraryOptions, ProcessOptions};

const ROOT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/..");
const STRICT: [&str; 6] = ["-Wall", "-Wextra", "-Wpedantic", "-Wconversion", "-Wshadow", "-Werror"];

/// What a trouble of `troubled.c` is called there.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
pub(crate) enum Trouble {
    NotANumber = 1,
    WrongTime,
    Error,
    Wordless,
    UnknownStatus,
    Unterminated,
    Unwritten,
    NoTime,
    Hang,
    Crash,
    Abort,
    Exit,
    Print,
}

/// A path that nobody else has.
pub(crate) fn unique(name: &str) -> PathBuf {
    static COUNT: AtomicU32 = AtomicU32::new(0);
    let count = COUNT.fetch_add(1, Ordering::Relaxed);
    Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("{name}-{}-{count}", std::process::id()))
}

fn compiled(compiler: &str, standard: &str, source: PathBuf, flags: &[&str]) -> Option<PathBuf> {
    let library = unique("partner").with_extension("so");
    let mut command = Command::new(compiler);
    command.arg(standard).args(STRICT).args(["-O2", "-fPIC", "-shared"]).args(flags);
    command.arg("-I").arg(Path::new(ROOT).join("include")).arg(&source).arg("-o").arg(&library).arg("-lm");
    match command.output() {
        Ok(output) => {
            assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
            Some(library)
        }
        Err(error) => {
            println!("skipped: the compiler {compiler} cannot be run: {error}");
            None
        }
    }
}

/// `troubled.c` with these macros.
pub(crate) fn troubled(flags: &[&str]) -> Option<PathBuf> {
    compiled("cc", "-std=c99", Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/library/troubled.c"), flags)
}

/// The example in C++.
pub(crate) fn cylinder() -> Option<PathBuf> {
    let source = Path::new(ROOT).join("examples/partner/cylinder.cpp");
    compiled("c++", "-std=c++17", source, &["-fvisibility=hidden", "-Wold-style-cast"])
}

/// An instance with a trouble in its first `times` steps that end at or behind 0.5 s.
pub(crate) fn in_trouble(trouble: Trouble, times: u32) -> LibraryOptions {
    let parameters = [("trouble", trouble as u8 as f64), ("at", 0.5), ("times", f64::from(times))];
    LibraryOptions {
        name: unique("count").to_str().unwrap().into(),
        start: 0.0,
        parameters: parameters.map(|(name, value)| (name.into(), value)).into(),
    }
}

/// The host of this crate.
pub(crate) fn hosted() -> ProcessOptions {
    let host = HostProgram::new(env!("CARGO_BIN_EXE_fourbar-partner-host"));
    ProcessOptions { host: Some(host), ..ProcessOptions::default() }
}
